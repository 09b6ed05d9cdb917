//===- IndexModel.h - scalars, spans and boxes as terms -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The integers of a kernel as terms of the solver. A step of a loop or a grid is a symbol that counts steps from 0; a span
// of width W over [lo, hi) starts at lo + W * step. What has no term (an element that was loaded, a carried number) is a
// symbol of its own. A symbol belongs to the op that gives it its value: in another instance of a loop, what belongs to
// ops inside it has other values, and what is outside has the same.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_SCHEDULE_SEAL_INDEXMODEL_H
#define TESSERA_LIB_SCHEDULE_SEAL_INDEXMODEL_H

#include "tessera/Dialect/Tile/TileOps.h"
#include "tessera/Solver/Solver.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

namespace tessera::sealing {

using solver::Expr;
using solver::Fact;

/// [start, stop), at most `width` long; empty where stop <= start.
struct SpanTerms {
  Expr start, stop;
  int64_t width = 0;
};

/// The cells of a window in coordinates of the argument that its view is cut from: `coordinates` over the element
/// symbols, for all that satisfy the guards.
struct Cells {
  mlir::Value root;
  llvm::SmallVector<Expr, 4> coordinates;
  llvm::SmallVector<Expr, 4> guards;
  llvm::SmallVector<Expr, 4> elements;
  bool isOpaque = false; ///< indexed by a tile: which cells depends on data
};

class IndexModel {
public:
  IndexModel(tile::KernelOp kernel, solver::ExprContext &context);

  Expr number(mlir::Value value);    ///< of an i64
  Expr condition(mlir::Value value); ///< of an i1
  SpanTerms span(mlir::Value value);
  Expr extent(mlir::Value view, unsigned axis);
  Cells cells(const tile::Window &window);

  /// What `where` requires.
  llvm::ArrayRef<Fact> launchFacts() const { return launch; }
  /// What holds where `op` stands: bounds of steps, conditions of branches.
  std::vector<Fact> factsAt(mlir::Operation *op);
  /// Step symbol of a loop (axis 0), or of an axis of a grid or tasks.
  Expr step(mlir::Operation *loop, unsigned axis = 0);

  /// Renames the symbols that belong to ops inside `scope`, its steps included, and the given ones.
  solver::Substitution otherInstance(mlir::Operation *scope, llvm::ArrayRef<Expr> also = {});
  /// Whether the term depends on something that has no term of arguments and steps.
  bool dependsOnData(Expr term) const;

  solver::ExprContext &context() const { return terms; }

private:
  Expr makeNumber(mlir::Value value);
  Expr makeNumber(mlir::Operation *op);
  Expr makeCondition(mlir::Value value);
  SpanTerms makeSpan(mlir::Value value);
  SpanTerms stepSpan(mlir::BlockArgument argument);
  Expr stepIndex(mlir::BlockArgument argument);
  Expr ofMap(mlir::AffineExpr map);
  void rootCells(mlir::Value view, Cells &cells);
  Expr leaf(llvm::StringRef name, mlir::Operation *owner, bool isData, solver::Range range);
  Expr leafOf(mlir::Value value, bool isData);
  void addLaunchFacts();
  const std::vector<Fact> &stepFacts(mlir::Operation *loop);

  struct Leaf {
    Expr symbol;
    mlir::Operation *owner;
    bool isData;
  };

  tile::KernelOp kernel;
  solver::ExprContext &terms;
  std::vector<Leaf> leaves;
  llvm::StringMap<unsigned> names;
  llvm::DenseMap<mlir::Value, Expr> numbers, conditions;
  llvm::DenseMap<mlir::Value, SpanTerms> spans;
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, Expr> steps;
  llvm::DenseMap<mlir::Operation *, unsigned> loopNumbers;
  llvm::DenseMap<mlir::Operation *, std::vector<Fact>> knownSteps;
  std::vector<Fact> launch, general;
};

/// The value that an op with a body hands out as its result, or the value itself.
mlir::Value throughBodies(mlir::Value value);

/// Lower and upper bound and width of an axis of a loop, a grid or tasks.
struct StepRange {
  mlir::Value lo, hi;
  int64_t width = 0;
};
StepRange stepRange(mlir::Operation *loop, unsigned axis);
unsigned stepAxes(mlir::Operation *loop);

} // namespace tessera::sealing

#endif // TESSERA_LIB_SCHEDULE_SEAL_INDEXMODEL_H
