//===- NumericClass.h - how far outputs are determined ----------*- C++ -*-===//
//
// How much two executions of a kernel may differ in what they write. Most ops have one result for their operands; some leave an
// order or a rounding open, as the language says (docs/language, chapter on numbers). The analysis follows what such an op gives
// through values, memory and conditions to the outputs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_ANALYSIS_NUMERICCLASS_H
#define TESSERA_ANALYSIS_NUMERICCLASS_H

#include "tessera/Dialect/Tile/TileOps.h"

#include "llvm/ADT/DenseMap.h"

namespace tessera {

enum class NumericClass : uint8_t {
  exact, ///< one result
  tree,  ///< float sums and products in the order of the tree: one result, too
  scan,  ///< float scans, whose association is open
  dot,   ///< products with a float accumulator
  any,   ///< `order = any`; atomics whose order shows
  loose  ///< `accuracy = fast`, `math contract`, `math fast`
};

/// `exact`, `tree`, …
llvm::StringRef name(NumericClass numericClass);

/// Whether all executions give the same bits, NaN payloads aside.
inline bool isBitwise(NumericClass numericClass) { return numericClass <= NumericClass::tree; }

/// A class, and the op that brought it in; null for `exact`.
struct ClassAndCause {
  NumericClass numericClass = NumericClass::exact;
  mlir::Operation *cause = nullptr;
};

class NumericClassAnalysis {
public:
  /// Invalid after any change of the kernel's body.
  explicit NumericClassAnalysis(tile::KernelOp kernel);

  /// The loosest class of what reaches the value, or, for a view or buffer, its elements.
  ClassAndCause of(mlir::Value value) const { return known.lookup(value); }
  /// Of what the body leaves in an argument.
  ClassAndCause ofArgument(llvm::StringRef name);

private:
  void join(mlir::Value value, ClassAndCause more);
  void visit(mlir::Operation *op);
  void visitBranches(mlir::Operation *op);
  void visitAccess(mlir::Operation *op, ClassAndCause given);
  ClassAndCause ownClass(mlir::Operation *op);
  ClassAndCause operandsClass(mlir::Operation *op) const;
  ClassAndCause controlOf(mlir::Operation *op) const;
  ClassAndCause conditionsAround(mlir::Operation *op);

  tile::KernelOp kernel;
  llvm::DenseMap<mlir::Value, ClassAndCause> known;
  bool changed = false;
};

} // namespace tessera

#endif // TESSERA_ANALYSIS_NUMERICCLASS_H
