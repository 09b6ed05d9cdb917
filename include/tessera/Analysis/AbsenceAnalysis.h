//===- AbsenceAnalysis.h - which factors of absence may exist ---*- C++ -*-===//
//
// An element of a tile is present iff all factors of the tile hold there; a factor is
// a predicate over a set of axes. The analysis gives for every value of a kernel the
// sets of axes over which factors may exist, e.g. [[0], [0, 1]] for a tile that was
// loaded by a span on axis 0 and cut by a condition over both axes. A value without
// sets has no absent element. A scalar has no axes: its one possible factor is [].
//
// Loops and branches take the union of what reaches them, so the result holds for
// every execution. It is a may-analysis: a set that is given need not exist.
//
// Ops of other dialects but scf are taken to make no absence.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_ANALYSIS_ABSENCEANALYSIS_H
#define TESSERA_ANALYSIS_ABSENCEANALYSIS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"

#include <cstdint>
#include <string>

namespace tessera {

/// A set of axes; axis i is bit i. Tiles have at most 64 axes.
using AxisSet = uint64_t;
/// Sets of axes, ascending, each once.
using Factors = llvm::SmallVector<AxisSet, 2>;

/// `[[0], [0, 1]]`; `[]` for none; `[[]]` for the factor of a scalar.
std::string factorsText(llvm::ArrayRef<AxisSet> factors);

class AbsenceAnalysis {
public:
  /// Analyses everything inside `root`, usually a kernel. Invalid after any change of the IR.
  explicit AbsenceAnalysis(mlir::Operation *root);

  /// The factors that `value` may have. Empty for values from outside `root`.
  llvm::ArrayRef<AxisSet> factorsOf(mlir::Value value) const;

  /// Whether no element of `value` can be absent.
  bool isNeverAbsent(mlir::Value value) const { return factorsOf(value).empty(); }

private:
  /// Adds to what `value` may have; notes whether that was new.
  void join(mlir::Value value, llvm::ArrayRef<AxisSet> factors);
  void visit(mlir::Operation *op);
  void visitBranches(mlir::Operation *op);

  llvm::DenseMap<mlir::Value, Factors> known;
  bool changed = false;
};

} // namespace tessera

#endif // TESSERA_ANALYSIS_ABSENCEANALYSIS_H
