// What primitives on memory and time share: accesses of ops, cells as terms, places of memory, order in a block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_SCHEDULE_PRIMITIVES_MEMORY_H
#define TESSERA_LIB_SCHEDULE_PRIMITIVES_MEMORY_H

#include "tessera/Dialect/Tile/Structure.h"
#include "tessera/Schedule/Primitive.h"

namespace tessera::schedule {

//===--- accesses -------------------------------------------------------------------------------------------------===//

/// One window of an op with the memory that it is in.
struct MemoryAccess {
  mlir::Operation *op = nullptr;
  tile::Window window;
  mlir::Value memory; ///< a buf, or the argument that a view is cut from

  bool isBuf() const { return llvm::isa<tile::BufType>(memory.getType()); }
  bool isWrite() const { return window.kind != tile::Window::read; }
};

/// The kernel's argument that a view is cut from; the view or buf itself where there is none.
mlir::Value memoryOf(mlir::Value view);
/// Windows of `op` and of all ops inside it, in order of the program.
llvm::SmallVector<MemoryAccess> accessesIn(mlir::Operation *op);
/// Those to one buf, in the whole kernel.
llvm::SmallVector<MemoryAccess> accessesTo(mlir::Value buf);

/// Both touch one memory and one of them writes; two atomics may come in any order only where the source says so.
bool mayConflict(const MemoryAccess &a, const MemoryAccess &b);

/// An op, or one inside it, whose effects are told by no window: a print, an assertion, an op of a ring, a barrier. Null
/// where there is none.
mlir::Operation *findUntold(mlir::Operation *op);
/// No effects and no regions, on scalars and spans only: may stand beside sections.
bool isPlain(mlir::Operation *op);

/// Ops that both give values and change their order against others only by values: nothing but dependences hold them.
inline bool isEffectFree(mlir::Operation *op) { return mlir::isMemoryEffectFree(op); }

//===--- cells as terms -------------------------------------------------------------------------------------------===//

/// The cells of a window, in coordinates of the memory, over the steps around the op and one variable for each element.
struct AccessCells {
  solver::IndexBox box;
  llvm::SmallVector<solver::Expr, 4> coordinates;
  solver::Expr guard;    ///< null: always
  bool isOpaque = false; ///< indexed by a tile, or of a view that is cut in a way that has no term
};
AccessCells cellsOf(PrimitiveContext &context, const MemoryAccess &access);

/// Which pairs of steps of a loop a question is about.
enum class Steps {
  Same,  ///< both in one step of all loops around both
  Later, ///< the first op's step comes after the second op's
  Any    ///< any two steps, the same one included
};
/// `a` and `b` touch no common cell for such pairs of steps of `loop`; all loops around `loop` are in one step. Without
/// a loop: in one step of all loops around both. Accesses without terms give an Invalid goal with the reason.
solver::Obligation apart(PrimitiveContext &context, llvm::StringRef title, const MemoryAccess &a,
                         const MemoryAccess &b, mlir::Operation *loop, Steps steps);

/// Every cell that the read (`tile.read`, `tile.copy_out`) finds present is written by the fill (`tile.copy`,
/// `tile.write`) whenever that is run: all cells are, or their boxes follow the same spans.
bool fillCovers(PrimitiveContext &context, mlir::Operation *fill, mlir::Operation *read);

/// Whether the loop has a step, for all sizes that are allowed.
bool surelyRuns(PrimitiveContext &context, tile::ForOp loop);

//===--- places ---------------------------------------------------------------------------------------------------===//

/// The body of the kernel or of its grid, where memory for `op` is made; that of a kernel for an op in tasks.
mlir::Block *memoryBlock(mlir::Operation *op);
/// Sets the insertion point behind the memory that is made there already.
void insertMemoryAt(mlir::RewriterBase &rewriter, mlir::Block *block);

/// The op of `block` that holds `op`; null where none does.
inline mlir::Operation *inBlock(mlir::Block *block, mlir::Operation *op) {
  return block->findAncestorOpInBlock(*op);
}
/// The innermost block around all ops.
mlir::Block *commonBlock(llvm::ArrayRef<mlir::Operation *> ops);
/// Whether `a` stands before `b` in the text of the program; false where one holds the other.
bool standsBefore(mlir::Operation *a, mlir::Operation *b);
/// The innermost loop or tasks around an op; null where there is none.
mlir::Operation *loopAround(mlir::Operation *op);
/// The section that an op stands in, of any loop.
inline tile::SectionOp sectionOf(mlir::Operation *op) {
  auto self = llvm::dyn_cast<tile::SectionOp>(op);
  return self ? self : op->getParentOfType<tile::SectionOp>();
}

//===--- layouts --------------------------------------------------------------------------------------------------===//

/// That many neighbours along an axis of a buf are accessed at once; `code` is for the refusal, `what` accesses them.
struct Neighbours {
  unsigned axis;
  int64_t count;
  std::string what;
  const char *code;
};
/// In the layout they lie side by side.
llvm::Error checkNeighbours(PrimitiveContext &context, mlir::Operation *access,
                            const Layout &layout, const Neighbours &wanted);

//===--- words ----------------------------------------------------------------------------------------------------===//

/// "a", "a and b", "a, b and c".
std::string listed(llvm::ArrayRef<std::string> words);
/// A name of the program, in back-quotes, or what the op is.
std::string quoted(PrimitiveContext &context, mlir::Operation *op);
/// A value as the source calls it, or by the op that makes it.
std::string quoted(PrimitiveContext &context, mlir::Value value);
/// The section that an argument names, by cursor or by name.
llvm::Expected<tile::SectionOp> sectionNamed(PrimitiveContext &context, const Value &value);

} // namespace tessera::schedule

#endif // TESSERA_LIB_SCHEDULE_PRIMITIVES_MEMORY_H
