// What the pieces of declared instructions touch, for a report of accesses.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Accesses.h"
#include "PieceMemory.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::ArrayRef;
using llvm::MDNode;
using llvm::SmallVector;
using llvm::StringRef;
using tile::DistMode;
using tile::Place;

static StringRef verbOf(mlir::Operation *access, bool isAsynchronous, bool isWritten) {
  if (llvm::isa<tile::CopyOp, tile::CopyOutOp>(access)) {
    return isAsynchronous ? (isWritten ? "asynchronous copy to" : "asynchronous copy from")
                          : (isWritten ? "copy to" : "copy from");
  }
  return llvm::isa<tile::LoadOp>(access)    ? "load"
         : llvm::isa<tile::StoreOp>(access) ? "store"
         : isWritten                        ? "write to"
                                            : "read of";
}

/// A lane's piece is a vector along the last axis: the points with the vector's elements as registers.
static Dist vectorsAt(const Dist &points, int64_t last, int64_t elements) {
  SmallVector<DistMode> modes{DistMode{Place::reg, elements, last, 1}};
  llvm::append_range(modes, points.modes());
  return Dist::get(modes);
}

MDNode *PieceMemory::note(ArrayRef<Coords> origins, bool isWritten, bool isOwned) {
  if (!l.report) {
    return nullptr;
  }
  tile::InstrOp instr = placement.instr;
  bool isAlone = instr.getScope() == tile::ExecScope::thread;
  StringRef verb = verbOf(access, instr.getVia() == tile::Proxy::cp_async, isWritten);
  int64_t bytes = l.elementBytes(mlir::getElementTypeOrSelf(operand.type)), elements = 1;
  for (int64_t extent : placed.piece) {
    elements *= extent;
  }
  if (!isAlone && buf) {
    auto rows = operand.info.getAs<mlir::IntegerAttr>("rows");
    int64_t row = rows ? rows.getInt() : elements;
    bool hasLanes = operand.info.contains("address");
    return noteMatrix(l, hasLanes ? (isWritten ? "matrix write to" : "matrix read of") : verb, buf,
                      lanes, origins, elements / row, row * bytes, isWritten);
  }
  std::vector<Piece> pieces;
  for (const Coords &origin : origins) {
    pieces.push_back({SmallVector<int64_t, 8>(size_t(elements), 0), origin});
  }
  bool isVector = isAlone && !points.shape.empty() && placed.piece.back() == elements;
  Dist vectors =
      isVector ? vectorsAt(points.dist, int64_t(points.shape.size()) - 1, elements) : points.dist;
  Touch touch{verb, vectors, points.shape, pieces, bytes, isWritten, isOwned};
  if (buf) {
    return noteBuf(l, touch, buf);
  }
  MDNode *made = nullptr;
  llvm::TypeSwitch<mlir::Operation *>(access)
      .Case<tile::LoadOp, tile::StoreOp, tile::CopyOp, tile::CopyOutOp>([&](auto op) {
        made = isVector ? noteView(l, touch, op.getView(), op.getIndices(), op.getWhole())
                        : noteOpenView(l, touch, op.getView(),
                                       "depends on how the instruction takes its piece");
      });
  return made;
}
