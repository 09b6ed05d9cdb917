// Scalars, spans and loops of a kernel as terms of the solver. One object per kernel and script: the same SSA value always
// is the same term.
//
//   extent argument          a size, by its name
//   step of a loop or grid   a variable t with 0 <= t < trips, by the loop's name; the span starts at lo + t * width
//   arithmetic on i64, i1    the term; beyond the solver's language (a product of unknowns is inside) it is opaque
//   opaque                   an uninterpreted function of the steps of the loops around, so that two instances of a loop
//                            may give two values
//
// Terms are mathematical integers. Sizes and what is made of them stay far below 2^63; that a kernel's own arithmetic does
// not wrap is a condition of the language's checked errors, not shown here.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_SCHEDULE_SYMBOLICVALUES_H
#define TESSERA_SCHEDULE_SYMBOLICVALUES_H

#include "tessera/Dialect/Tile/TileOps.h"
#include "tessera/Solver/Space.h"

#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/IRMapping.h"

namespace tessera::schedule {

/// A span's start and stop; elements start + i, 0 <= i < width, are present where start + i < stop.
struct SpanTerms {
  solver::Expr start, stop;
  int64_t width = 0;
};

class SymbolicValues {
public:
  explicit SymbolicValues(solver::ExprContext &context) : terms(&context) {}

  solver::ExprContext &context() const { return *terms; }

  /// The value of an i64 or i1 scalar; opaque where nothing better is known. Never null or Invalid.
  solver::Expr value(mlir::Value scalar);
  SpanTerms span(mlir::Value span);
  /// Extent of an axis of a view, a buf or a tile.
  solver::Expr extent(mlir::Value shaped, unsigned axis);

  /// The variable of a loop's steps and its bounds: 0 <= t < trips. For `tile.for`, `tile.par`, and one axis of
  /// `tile.grid` or `tile.tasks`; a section has none.
  solver::Axis axis(mlir::Operation *loop, unsigned index = 0);
  /// Axes of all loops, grids and par around `op`, outermost first.
  solver::IndexBox axesAround(mlir::Operation *op);

  /// What holds wherever `op` runs: the kernel's `where`, extents at least 0, bounds of the loops around, conditions of
  /// the branches that `op` stands in, what is known of the opaque terms made so far. No facts of the script.
  std::vector<solver::Fact> facts(mlir::Operation *op);
  /// Those of the kernel alone.
  std::vector<solver::Fact> kernelFacts(tile::KernelOp kernel);

  /// The name of a value in the source (`k`, `r`), or empty: its NameLoc, the argument's name.
  static std::string sourceName(mlir::Value value);
  static std::string sourceName(mlir::Operation *op);

  //===--- for the listener and for snapshots ---===//
  /// An op is erased.
  void erased(mlir::Operation *op);
  /// An op is changed in place: what was computed from it is computed anew.
  void changed() { values.clear(), spans.clear(); }
  /// The terms of everything that was copied, for the copies; only for them unless `keep`.
  void remap(const mlir::IRMapping &mapping, bool keep);

private:
  solver::Expr compute(mlir::Value scalar);
  solver::Expr computeArith(mlir::Operation *op);
  solver::Expr computeBool(mlir::Operation *op);
  solver::Expr argument(mlir::BlockArgument argument);
  solver::Expr kernelArgument(tile::KernelOp kernel, unsigned index);
  solver::Expr viewExtent(mlir::Value view, unsigned axis);
  solver::Expr opaque(mlir::Value value, unsigned part, bool boolean, solver::Range range);
  SpanTerms computeSpan(mlir::Value span);
  SpanTerms step(mlir::BlockArgument argument);
  void addBranchFacts(mlir::Operation *op, std::vector<solver::Fact> &facts);

  solver::ExprContext *terms;
  llvm::DenseMap<mlir::Value, solver::Expr> values; ///< computed, may be dropped
  llvm::DenseMap<mlir::Value, SpanTerms> spans;     ///< computed, may be dropped
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, solver::Expr> opaques;
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, solver::Axis> axes;
  unsigned depth = 0;
};

} // namespace tessera::schedule

#endif // TESSERA_SCHEDULE_SYMBOLICVALUES_H
