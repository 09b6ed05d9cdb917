// Elements from one distribution to another: in registers where threads keep theirs, else through shared memory.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Boxes.h"

#include "llvm/Support/MathExtras.h"

using namespace tessera;
using namespace tessera::convert;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::success;

llvm::Value *Lowering::shuffled(llvm::Value *value, llvm::Value *other, bool isXor) {
  llvm::Type *type = value->getType();
  unsigned bits = type->getPrimitiveSizeInBits();
  llvm::StringRef name = isXor ? "shfl.bfly" : "shfl.idx";
  llvm::Value *raw = b.CreateBitCast(value, b.getIntNTy(bits));
  if (bits <= 32) {
    llvm::Value *moved = marker(name, b.getInt32Ty(), {b.CreateZExt(raw, b.getInt32Ty()), other});
    return b.CreateBitCast(b.CreateTrunc(moved, b.getIntNTy(bits)), type);
  }
  llvm::Value *low = marker(name, b.getInt32Ty(), {b.CreateTrunc(raw, b.getInt32Ty()), other});
  llvm::Value *high =
      marker(name, b.getInt32Ty(), {b.CreateTrunc(b.CreateLShr(raw, 32), b.getInt32Ty()), other});
  llvm::Value *both = b.CreateOr(b.CreateZExt(low, b.getInt64Ty()),
                                 b.CreateShl(b.CreateZExt(high, b.getInt64Ty()), 32));
  return b.CreateBitCast(both, type);
}

namespace {
/// The scratch memory of a tile, rows one after the other.
class Exchange {
public:
  Exchange(Lowering &l, const TileValue &like, llvm::Type *element)
      : l(l), shape(like.shape), element(element),
        bytes(std::max<int64_t>(element->getPrimitiveSizeInBits() / 8, 1)) {
    int64_t total = bytes;
    strides.assign(shape.size(), 0);
    for (size_t axis = shape.size(); axis-- > 0;) {
      strides[axis] = total;
      total *= shape[axis];
    }
    l.barrier(); // of the one who had the memory before
    base = l.scratch(total);
  }

  void write(const TileValue &tile) {
    llvm::Value *acts = l.owner(tile.dist);
    for (const Piece &piece : pieces(tile.dist)) {
      Registers elements;
      for (int64_t reg : piece.regs) {
        elements.push_back(tile.regs[reg]);
      }
      llvm::Value *packed = l.pack(elements);
      llvm::Value *isThere = l.both(acts, l.inside(tile, piece.regs.front()));
      l.marker("st.shared." + device::accessName(packed->getType()), l.b.getVoidTy(),
               {thread(tile.dist), l.i64(offset(piece.coords)), packed, l.bit(isThere)});
    }
    l.barrier();
  }

  void read(TileValue &tile) {
    tile.regs.assign(tile.dist.regs(), nullptr);
    for (const Piece &piece : pieces(tile.dist)) {
      llvm::Type *type = device::accessType(l.module, bytes * piece.regs.size());
      llvm::Value *isThere = l.inside(tile, piece.regs.front());
      llvm::Value *packed = l.marker("ld.shared." + device::accessName(type), type,
                                     {thread(tile.dist), l.i64(offset(piece.coords)),
                                      l.bit(isThere), llvm::Constant::getNullValue(type)});
      for (auto [reg, value] :
           llvm::zip(piece.regs, l.unpack(packed, element, piece.regs.size()))) {
        tile.regs[reg] = value;
      }
    }
  }

private:
  std::vector<Piece> pieces(const Dist &dist) {
    return piecesOf(dist, shape.size(), widthFor(dist, shape, 16 / bytes));
  }
  int64_t offset(llvm::ArrayRef<int64_t> coords) const {
    int64_t sum = 0;
    for (auto [at, stride] : llvm::zip(coords, strides)) {
      sum += at * stride;
    }
    return sum;
  }
  llvm::Value *thread(const Dist &dist) {
    llvm::Value *sum = l.i32(0);
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      sum = l.b.CreateAdd(sum, l.b.CreateMul(l.threadCoord(dist, axis), l.i32(strides[axis])));
    }
    return l.b.CreateGEP(l.b.getInt8Ty(), base, l.b.CreateZExt(sum, l.b.getInt64Ty()));
  }

  Lowering &l;
  llvm::SmallVector<int64_t, 4> shape;
  llvm::Type *element;
  int64_t bytes;
  llvm::SmallVector<int64_t, 4> strides;
  llvm::Value *base = nullptr;
};
} // namespace

static void moveElements(Lowering &l, const TileValue &from, TileValue &to, llvm::Type *element) {
  if (from.dist.sameThreads(to.dist)) {
    Registers regs;
    for (int64_t reg = 0; reg < to.dist.regs(); ++reg) {
      std::optional<int64_t> given = from.dist.regAt(to.dist.regCoords(reg, to.shape.size()));
      if (!given) {
        // An excess register of the target: nobody looks at it.
        regs.push_back(llvm::PoisonValue::get(element));
        continue;
      }
      regs.push_back(from.regs[*given]);
    }
    to.regs = std::move(regs);
    return;
  }
  Exchange exchange(l, from, element);
  exchange.write(from);
  exchange.read(to);
}

LogicalResult Lowering::moved(Operation *op, const TileValue &from, TileValue &to) {
  moveElements(*this, from, to, registerOf(op->getResult(0).getType()));
  for (const Factor &factor : from.factors) {
    if (factor.count) {
      to.factors.push_back(factor);
      continue;
    }
    // Bits of what is present are a tile of their own, of extent 1 along the axes that they do not speak of.
    TileValue bits, there;
    bits.dist = factor.dist;
    bits.regs = factor.bits;
    there.dist = to.dist;
    for (auto [axis, extent] : llvm::enumerate(from.shape)) {
      bool isOf = factor.axes >> axis & 1;
      bits.shape.push_back(isOf ? extent : 1);
      there.dist = isOf ? there.dist : there.dist.without(axis);
    }
    there.shape = bits.shape;
    moveElements(*this, bits, there, b.getInt1Ty());
    Factor now = factor;
    now.dist = there.dist;
    now.bits = there.regs;
    to.factors.push_back(std::move(now));
  }
  return success();
}
