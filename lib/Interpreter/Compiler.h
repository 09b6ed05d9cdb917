// From the ops of a kernel's body to steps over slots. What is static (shapes, kernels of the number system, which slot
// is which value, who reads a value last) is settled here, once; what an op cannot do is refused here, by name.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_INTERPRETER_COMPILER_H
#define TESSERA_LIB_INTERPRETER_COMPILER_H

#include "Machine.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include <deque>
#include <functional>

namespace tessera::interp {

/// Bytes of one value beyond which a program is refused: a slip in a tile's extents, not a plan.
constexpr uint64_t maxTileBytes = uint64_t(4) << 30;
constexpr uint64_t maxGridPoints = (uint64_t(1) << 32) - 4;

/// A tile or scalar of the program: its slot and what is static about it.
struct TileSlot {
  unsigned index;
  const TileType *type;
};

class Compiler {
public:
  Compiler(Machine &machine) : machine(machine) {}

  Machine &machine;
  const SystemTable &system() const { return machine.system; }

  /// Compiles the block without its terminator. Errors are in the report.
  void compile(mlir::Block &block, Code &code);

  //===- for the cases of ops ---------------------------------------------===//
  /// The slot of a value; made when first asked for.
  SlotRef slot(mlir::Value value);
  TileSlot tile(mlir::Value value) { return {slot(value).index, &type(value.getType())}; }
  const TileType &type(mlir::Type type);
  /// Values of `from` to slots of `to`, pairwise.
  Transfer transfer(mlir::ValueRange from, mlir::ValueRange to);
  /// Numbers of bufs and rings in the machine's storage; those of values that no alloc or ring gave are not there.
  llvm::DenseMap<mlir::Value, unsigned> bufs, rings;
  /// Refuses memory of more bytes than can be interpreted.
  bool refusesSize(mlir::Type type, Wide bytes, mlir::Location where);
  /// The number by which memory remembers this op.
  uint32_t memoryOp(mlir::Operation *op);

  /// The op has no meaning in this number system for elements of type `dtype`.
  StepFn undefined(mlir::Operation *op, DType dtype);
  /// Refuses an op with a reason that fits the text of run_unknown_op.
  StepFn unknown(mlir::Operation *op, llvm::StringRef why);

private:
  void error(RunDiag id, std::string message, mlir::Location where);
  void failSize(mlir::Type type, Wide bytes, mlir::Location where);
  void planReleases(mlir::Block &block, Code &code);

  llvm::DenseMap<mlir::Value, SlotRef> slots;
  llvm::DenseMap<mlir::Type, TileType *> types;
  std::deque<TileType> typeStore;

  friend struct ProgramStore;
};

/// The case of one op: makes its step, or refuses it and returns null.
using OpCase = std::function<StepFn(Compiler &, mlir::Operation *)>;

/// Cases by op name, filled by the chapters in Ops/.
class OpCases {
public:
  static const OpCases &get();
  const OpCase *find(llvm::StringRef name) const;

  void add(llvm::StringRef name, OpCase opCase) { cases[name] = std::move(opCase); }
  template <class Op> void add(StepFn (*compile)(Compiler &, Op)) {
    add(Op::getOperationName(), [compile](Compiler &compiler, mlir::Operation *op) {
      return compile(compiler, mlir::cast<Op>(op));
    });
  }

private:
  llvm::StringMap<OpCase> cases;
};

void addElementwiseCases(OpCases &cases);
void addShapeCases(OpCases &cases);
void addAbsenceCases(OpCases &cases);
void addReduceCases(OpCases &cases);
void addScanCases(OpCases &cases);
void addSelectionCases(OpCases &cases);
void addProductCases(OpCases &cases);
void addRandomCases(OpCases &cases);
void addViewCases(OpCases &cases);
void addMemoryCases(OpCases &cases);
void addAtomicCases(OpCases &cases);
void addControlCases(OpCases &cases);
void addGridCases(OpCases &cases);
void addMessageCases(OpCases &cases);
void addStorageCases(OpCases &cases);
void addRingCases(OpCases &cases);
void addSectionCases(OpCases &cases);
void addTasksCases(OpCases &cases);
void addParallelCases(OpCases &cases);
void addSyncCases(OpCases &cases);

} // namespace tessera::interp

#endif // TESSERA_LIB_INTERPRETER_COMPILER_H
