// One kernel on its way to LLVM: the state that all chapters share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_CONVERSION_TILETOLLVM_LOWERING_H
#define TESSERA_LIB_CONVERSION_TILETOLLVM_LOWERING_H

#include "Values.h"

#include "tessera/Conversion/Accesses.h"
#include "tessera/Conversion/Scalars.h"
#include "tessera/Conversion/TileToLLVM.h"
#include "tessera/Device/Access.h"
#include "tessera/Device/Markers.h"
#include "tessera/Schedule/Alignment.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/IRBuilder.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera::convert {

class Lowering;
/// A chapter's function for an op.
using LowerOp = mlir::LogicalResult (*)(Lowering &, mlir::Operation *);

class Lowering {
public:
  Lowering(tile::KernelOp kernel, llvm::Module &module, AccessReport *report);

  mlir::FailureOr<LoweredKernel> run();

  //===- parts of a kernel, by chapter ------------------------------------===//
  mlir::LogicalResult block(mlir::Block &block);
  mlir::LogicalResult op(mlir::Operation *op);

  //===- values -----------------------------------------------------------===//
  TileValue &tile(mlir::Value value) { return tiles.at(value); }
  bool hasTile(mlir::Value value) const { return tiles.count(value) != 0; }
  /// The register of a scalar.
  llvm::Value *scalar(mlir::Value value) { return tiles.at(value).regs.front(); }
  void set(mlir::Value value, TileValue made) { tiles[value] = std::move(made); }
  void setScalar(mlir::Value value, llvm::Value *made);
  /// A tile of the distribution that the op's result has, without registers yet.
  TileValue emptyFor(mlir::Value result) const;

  //===- coordinates ------------------------------------------------------===//
  /// i32: the part of a thread's coordinate along an axis.
  llvm::Value *threadCoord(const Dist &dist, unsigned axis);
  /// i1: this thread is the one of those with equal elements that acts for them; null for a thread that always is.
  llvm::Value *owner(const Dist &dist);
  llvm::Value *lane();
  llvm::Value *warp();

  //===- presence ---------------------------------------------------------===//
  /// i1: the element of a register is present; null for one that always is. `ignore`: factors of this span over this axis
  /// alone are left out.
  llvm::Value *present(const TileValue &tile, int64_t reg);
  llvm::Value *holds(const Factor &factor, const Dist &dist, llvm::ArrayRef<int64_t> coords);
  /// i1: the register's coordinate lies in the tile's shape; null where it always does.
  llvm::Value *inside(const TileValue &tile, int64_t reg);
  /// Whether a factor over one axis of `value` says no more than that the span is: for loops, whose factors have lost their span.
  bool isImplied(mlir::Value value, unsigned axis, mlir::Value span);
  Factor spanFactor(unsigned axis, mlir::Value span);
  bool isWhole(mlir::Value span) { return alignment.isWhole(span); }

  llvm::Value *both(llvm::Value *a, llvm::Value *b); ///< of two conditions, null for true
  llvm::Value *bit(llvm::Value *condition) {
    return condition ? condition : static_cast<llvm::Value *>(b.getTrue());
  }
  llvm::Value *i32(int64_t value) { return b.getInt32(uint32_t(value)); }
  llvm::Value *i64(int64_t value) { return b.getInt64(uint64_t(value)); }

  //===- registers in memory ----------------------------------------------===//
  /// Elements side by side as one value of an access (i8 to v4i32), and back.
  llvm::Value *pack(llvm::ArrayRef<llvm::Value *> elements);
  Registers unpack(llvm::Value *packed, llvm::Type *element, unsigned count);
  /// Words of 32 bits as a vector.
  llvm::Value *vectorOf(llvm::ArrayRef<llvm::Value *> words);
  int64_t elementBytes(mlir::Type type) const;
  llvm::Type *registerOf(mlir::Type type) { return registerType(module.getContext(), type); }
  /// A variable of the thread; promoted to registers later.
  llvm::AllocaInst *variable(llvm::Type *type, const llvm::Twine &name = "");
  llvm::CallInst *marker(llvm::StringRef name, llvm::Type *result,
                         llvm::ArrayRef<llvm::Value *> arguments) {
    llvm::CallInst *call = device::callMarker(b, name, result, arguments);
    device::setAccess(*call, access);
    return call;
  }
  void barrier() {
    marker("bar.cta", b.getVoidTy(), {});
    unordered.clear();
  }
  llvm::Value *sharedAt(llvm::Value *bytes); ///< i64 or i32 offset in the CTA's shared memory
  /// Bytes of scratch that conversions and reductions share; they begin and end with a barrier.
  llvm::Value *scratch(int64_t bytes);
  /// Moves a tile into another distribution.
  mlir::LogicalResult moved(mlir::Operation *op, const TileValue &from, TileValue &to);
  llvm::Value *shuffled(llvm::Value *value, llvm::Value *lane, bool isXor);

  mlir::LogicalResult error(mlir::Operation *op, const llvm::Twine &text) {
    return op->emitError() << text.str();
  }
  void at(mlir::Location place); ///< the debug location of what follows
  std::string placeText() const; ///< that location, `file:line:column`

  //===- state ------------------------------------------------------------===//
  tile::KernelOp kernel;
  llvm::Module &module;
  llvm::IRBuilder<> b;
  ScalarLowering scalars;
  schedule::Alignment alignment;
  AbsenceAnalysis absence;
  int64_t warps = 1;
  int64_t sharedBytes = 0;  ///< of bufs
  int64_t scratchBytes = 0; ///< behind them
  std::optional<mlir::Location> where,
      scratchAt; ///< what is lowered now; the op that takes most scratch memory
  llvm::Function *function = nullptr;
  llvm::SetVector<mlir::Operation *> unordered; ///< accesses of memory since the last barrier
  llvm::Instruction *entryEnd = nullptr; ///< what is the same for the whole kernel stands before it

  llvm::DenseMap<mlir::Value, TileValue> tiles;
  llvm::DenseMap<mlir::Value, SpanValue> spans;
  llvm::DenseMap<mlir::Value, ViewValue> views;
  llvm::DenseMap<mlir::Value, BufValue> bufs;
  llvm::DenseMap<mlir::Value, llvm::Value *> slots; ///< i32, the number of a slot
  llvm::DenseMap<mlir::Value, RingValue> rings;
  llvm::DenseMap<mlir::Operation *, int64_t> pendingAt; ///< groups that a wait may leave
  llvm::DenseSet<mlir::Operation *> waited;             ///< waits that the step began with
  llvm::DenseSet<mlir::Value> released; ///< rings of which a slot may have been used
  bool defersCommits = false;           ///< groups are committed after the section
  bool isElected = false;               ///< one thread of the CTA runs what is lowered
  /// A loop over registers: what its step adds to the coordinates of each thread.
  struct Step {
    tile::DistMode mode;
    llvm::Value *number = nullptr; ///< i32
    llvm::DenseMap<llvm::Value *, llvm::Value *> sums;
  };
  std::optional<Step> step;
  AccessReport *report = nullptr; ///< of what accesses cost, where it is asked for (Accesses.h)
  llvm::MDNode *access = nullptr; ///< the numbers of the accesses that markers are for

private:
  mlir::LogicalResult entry();
  mlir::LogicalResult arguments();
  /// A barrier before an access of global memory that must wait for accesses of other threads.
  void orderAccesses(mlir::Operation *op);
  /// In a loop's body: what earlier steps may have done.
  void addStepsBefore(mlir::Block &block);
  void describeFunction();
  llvm::DISubprogram *subprogram();
  llvm::Value *ownCoord(const Dist &dist, unsigned axis);
  llvm::Value *spanHolds(llvm::Value *count, llvm::Value *thread, int64_t coord);

  std::map<std::pair<Dist, unsigned>, llvm::Value *> coords;
  std::map<Dist, llvm::Value *> owners;
  /// Of the block that is written: what is left of a span in a thread, and which coordinates are below that.
  struct Compared {
    llvm::BasicBlock *block = nullptr;
    llvm::DenseMap<std::pair<llvm::Value *, llvm::Value *>, llvm::Value *> left;
    llvm::DenseMap<std::pair<llvm::Value *, int64_t>, llvm::Value *> isBelow;
  };
  Compared compared;
  llvm::Value *laneValue = nullptr, *warpValue = nullptr;
  llvm::GlobalVariable *shared = nullptr, *scratchBase = nullptr;
  llvm::SmallVector<llvm::Instruction *> scratchUses;
  std::unique_ptr<llvm::DIBuilder> debug;
  llvm::DISubprogram *program = nullptr;
};

/// The chapters; each answers for its ops and gives null for all others.
LowerOp controlOp(mlir::Operation *op);
LowerOp parallelOp(mlir::Operation *op);
LowerOp indexOp(mlir::Operation *op);
LowerOp memoryOp(mlir::Operation *op);
LowerOp storageOp(mlir::Operation *op);
LowerOp shapeOp(mlir::Operation *op);
LowerOp reduceOp(mlir::Operation *op);
LowerOp scanOp(mlir::Operation *op);
LowerOp selectOp(mlir::Operation *op);
LowerOp rearrangeOp(mlir::Operation *op);
LowerOp atomicOp(mlir::Operation *op);
LowerOp ringOp(mlir::Operation *op);
LowerOp instructionOp(mlir::Operation *op);
LowerOp productOp(mlir::Operation *op);
mlir::LogicalResult lowerElementwise(Lowering &lowering, mlir::Operation *op);

} // namespace tessera::convert

#endif // TESSERA_LIB_CONVERSION_TILETOLLVM_LOWERING_H
