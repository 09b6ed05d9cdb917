// Tiles made again for a part of them, from an offset that only the running program knows: what a loop over a dim needs of
// the ops before it. No op cuts a tile at such an offset, so its makers are done again, down to loads of smaller spans.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_SCHEDULE_PRIMITIVES_RECUT_H
#define TESSERA_LIB_SCHEDULE_PRIMITIVES_RECUT_H

#include "tessera/Schedule/Primitive.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace tessera::schedule {

/// The operands of an op with dims, sliced to what the points of `box` need; the rewriter stands where slices are made.
llvm::SmallVector<mlir::Value> slicedOperands(mlir::RewriterBase &rewriter, mlir::Operation *op,
                                              const tile::IterBox &box);

class Recutter {
public:
  /// Parts of `size` points. `code` begins the codes of refusals.
  Recutter(PrimitiveContext &context, int64_t size, std::string code)
      : context(context), size(size), code(std::move(code)) {}

  /// Whether the tile can be made again for a part of `axis`; else the refusal names the op that stands in the way.
  llvm::Error check(mlir::Value tile, unsigned axis);
  /// The same for the points of an op along a dim: its operands, and the windows of a store or load.
  llvm::Error checkOp(mlir::Operation *op, unsigned dim);

  /// Known after `check`: spans that are cut, and whether a place counts from the first point (`:`, iota).
  llvm::ArrayRef<mlir::Value> spans() const { return cutSpans.getArrayRef(); }
  bool needsOffset() const { return usesOffset; }
  /// All ops that are made again.
  llvm::ArrayRef<mlir::Operation *> ops() const { return made.getArrayRef(); }

  /// From now on the part starts at `offset` (i64); the rewriter stands where parts are to be made.
  void setOffset(mlir::Value value) { offset = value; }
  /// The part of a span, where it is there already.
  void setPart(mlir::Value span, mlir::Value part) { parts[span] = part; }

  mlir::Value make(mlir::Value tile, unsigned axis);
  /// The op restricted to the part of `dim`, on operands made again.
  mlir::Operation *makeOp(mlir::Operation *op, unsigned dim);

private:
  llvm::Error checkMaker(mlir::Operation *op, unsigned result, unsigned axis);
  llvm::Error checkAccess(mlir::Operation *op, unsigned dim);
  llvm::Error checkUnwritten(mlir::Operation *load);
  llvm::Error refuse(const char *what, const llvm::Twine &message, const llvm::Twine &help,
                     mlir::Operation *at);
  mlir::Value partOf(mlir::Value span);
  mlir::Value partOfWhole(int64_t extent);
  mlir::Operation *makeAccess(mlir::Operation *op, unsigned dim);

  PrimitiveContext &context;
  int64_t size;
  std::string code;
  mlir::Value offset;
  llvm::DenseMap<mlir::Value, mlir::Value> parts;
  llvm::SetVector<mlir::Value> cutSpans;
  llvm::SetVector<mlir::Operation *> made;
  bool usesOffset = false;
  llvm::DenseSet<std::pair<mlir::Value, unsigned>> checked;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, mlir::Value> done;
};

/// Erases `op` and what only it used, where nothing needs them; cursors go to their heirs, if they have any.
void eraseUnused(PrimitiveContext &context, llvm::ArrayRef<mlir::Operation *> ops);

} // namespace tessera::schedule

#endif // TESSERA_LIB_SCHEDULE_PRIMITIVES_RECUT_H
