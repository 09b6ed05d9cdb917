// Compiles the regions of a kernel's header to steps and runs them. The formulas of an array are compiled when the
// array's turn comes: by then its extents are known, and with them which of its axes become lanes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_REFERENCE_FORMULA_H
#define TESSERA_LIB_REFERENCE_FORMULA_H

#include "Steps.h"

#include "tessera/Dialect/Tile/TileOps.h"

#include "llvm/ADT/DenseMap.h"

#include <deque>

namespace mlir::scf {
class IfOp;
class WhileOp;
} // namespace mlir::scf

namespace tessera::reference {

class Formula {
public:
  /// Binds the arguments of a region: those of the kernel, then `arrays`.
  Formula(const NumberTable &numbers, tile::KernelOp kernel, mlir::Block &block,
          llvm::ArrayRef<FormulaArgument> arguments, llvm::ArrayRef<FormulaArray> arrays);

  /// Runs the whole region. `names` are those of the arrays that it yields.
  llvm::Error run(llvm::ArrayRef<std::string> names);

  /// Makes `run` only count the elements of the arrays.
  void onlyCount() { counting = true; }
  uint64_t numElements() const { return elements; }

  std::vector<Violation> takeViolations() { return std::move(machine.violations); }
  /// The arrays that the region yields, after a run.
  std::vector<FormulaArray> takeResults();

private:
  friend class ArrayRun;

  bool compileBlock(mlir::Block &ops);
  bool compileOp(mlir::Operation &op);
  bool compileScalarOp(mlir::Operation &op);
  bool compileElementwise(mlir::Operation &op);
  bool compileRows(mlir::Operation &op);
  void compileConstant(tile::ConstantOp op);
  void compileAt(tile::AtOp op);
  bool compileDim(tile::DimOp op);
  bool compileMap(tile::MapOp op);
  bool operandsAreKnown(mlir::Operation &op) const;
  bool compileFold(tile::FoldOp op);
  bool compileIf(mlir::scf::IfOp op);
  bool compileFor(tile::ForOp op);
  bool compileWhile(mlir::scf::WhileOp op);
  void compilePhilox(tile::PhiloxOp op);
  bool unsupported(mlir::Operation &op);
  /// Null if the region has none.
  mlir::Operation *terminator() const;

  Slot *slotOf(mlir::Value value) const { return slots.lookup(value); }
  llvm::SmallVector<Slot *> slotsOf(mlir::ValueRange values) const;
  /// A new slot for a value at the depth that is being compiled.
  Slot *define(mlir::Value value, bool isVector);
  /// Puts a step with the results `outs` as far out as its operands allow; it must be one that cannot fail.
  void hoist(std::unique_ptr<Step> step, llvm::ArrayRef<Slot *> inputs,
             llvm::ArrayRef<Slot *> outs);
  void append(std::unique_ptr<Step> step) { open.back()->list.push_back(std::move(step)); }
  unsigned depth() const { return open.size() - 1; }

  tile::KernelOp kernel;
  mlir::Block &block;
  Machine machine;
  llvm::DenseMap<mlir::Value, Slot *> slots;
  llvm::DenseMap<mlir::Value, Array *> arrays;
  llvm::DenseMap<mlir::Value, std::string> arrayNames;
  std::deque<Array> ownedArrays;
  /// The lists that are being compiled, by depth; the innermost is last.
  std::vector<Steps *> open;
  /// No step moves out of this depth: the lists outside have already run.
  unsigned floor = 0;
  /// Whether an array with lanes is being computed.
  bool hasLanes = false;
  IndexScope scope;
  bool counting = false;
  uint64_t elements = 0;
};

/// The name a location carries, else `otherwise`.
std::string nameOf(mlir::Location location, llvm::StringRef otherwise);

} // namespace tessera::reference

#endif // TESSERA_LIB_REFERENCE_FORMULA_H
