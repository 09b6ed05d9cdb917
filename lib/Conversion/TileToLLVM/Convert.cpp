// Elements from one distribution to another: in registers where threads keep theirs, by shuffles within
// warps, else through shared memory.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Accesses.h"

#include "tessera/Support/Mutants.h"

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
  llvm::Value *own = b.CreateTrunc(b.CreateLShr(raw, 32), b.getInt32Ty());
  llvm::Value *high =
      TESSERA_MUTANT(464, "upper halves stay in their lane",
                     static_cast<llvm::Value *>(marker(name, b.getInt32Ty(), {own, other})), own);
  llvm::Value *both = b.CreateOr(b.CreateZExt(low, b.getInt64Ty()),
                                 b.CreateShl(b.CreateZExt(high, b.getInt64Ty()), 32));
  return b.CreateBitCast(both, type);
}

//===- rows in scratch memory ---------------------------------------------===//

Placing Placing::rows(llvm::ArrayRef<int64_t> shape) {
  Placing placing;
  placing.strides.assign(shape.size(), 1);
  for (size_t axis = shape.size(); axis-- > 1;) {
    placing.strides[axis - 1] = placing.strides[axis] * shape[axis];
  }
  return placing;
}

int64_t Placing::at(llvm::ArrayRef<int64_t> coords) const {
  int64_t sum = first;
  for (auto [index, stride] : llvm::zip(coords, strides)) {
    sum += index * stride;
  }
  return sum;
}

int64_t convert::elementsOf(llvm::ArrayRef<int64_t> shape) {
  int64_t product = 1;
  for (int64_t extent : shape) {
    product *= extent;
  }
  return product;
}

Exchange::Exchange(Lowering &l, int64_t elements, llvm::Type *element)
    : l(l), element(element), bytes(std::max<int64_t>(element->getPrimitiveSizeInBits() / 8, 1)) {
  if (TESSERA_MUTANT(461, "scratch memory is taken while others read it", true, false)) {
    l.barrier(); // of the one who had the memory before
  }
  base = l.scratch(elements * bytes);
}

/// Neighbours of the last axis that lie side by side, every group of them aligned.
int64_t Exchange::widthOf(const TileValue &tile, const Placing &placing) const {
  if (tile.shape.empty() || placing.strides.back() != 1) {
    return 1;
  }
  int64_t all = placing.first;
  for (int64_t stride : llvm::ArrayRef<int64_t>(placing.strides).drop_back()) {
    all |= stride;
  }
  int64_t width = widthFor(tile.dist, tile.shape, 16 / bytes);
  return all == 0 ? width : std::min(width, all & -all);
}

llvm::Value *Exchange::thread(const Dist &dist, const Placing &placing) {
  llvm::Value *sum = l.i32(0);
  for (auto [axis, stride] : llvm::enumerate(placing.strides)) {
    sum = l.b.CreateAdd(sum, l.b.CreateMul(l.threadCoord(dist, axis), l.i32(stride * bytes)));
  }
  return l.b.CreateGEP(l.b.getInt8Ty(), base, l.b.CreateSExt(sum, l.b.getInt64Ty()));
}

void Exchange::write(const TileValue &tile, const Placing &placing) {
  llvm::Value *acts = l.owner(tile.dist);
  std::vector<Piece> pieces = piecesOf(tile.dist, tile.shape.size(), widthOf(tile, placing));
  l.access = noteRow(l, {"write to", tile.dist, tile.shape, pieces, bytes, true, true}, placing);
  for (const Piece &piece : pieces) {
    Registers elements;
    for (int64_t reg : piece.regs) {
      elements.push_back(tile.regs[reg]);
    }
    llvm::Value *packed = l.pack(elements);
    llvm::Value *isThere = l.both(TESSERA_MUTANT(463, "copies write to scratch memory, too", acts,
                                                 static_cast<llvm::Value *>(nullptr)),
                                  l.inside(tile, piece.regs.front()));
    l.marker("st.shared." + device::accessName(packed->getType()), l.b.getVoidTy(),
             {thread(tile.dist, placing), l.i64(placing.at(piece.coords) * bytes), packed,
              l.bit(isThere)});
  }
}

void Exchange::ready() {
  if (TESSERA_MUTANT(462, "an exchange does not wait for its writes", true, false)) {
    l.barrier();
  }
}

void Exchange::read(TileValue &tile, const Placing &placing) {
  tile.regs.assign(tile.dist.regs(), nullptr);
  std::vector<Piece> pieces = piecesOf(tile.dist, tile.shape.size(), widthOf(tile, placing));
  l.access = noteRow(l, {"read of", tile.dist, tile.shape, pieces, bytes}, placing);
  for (const Piece &piece : pieces) {
    llvm::Type *type = device::accessType(l.module, bytes * piece.regs.size());
    llvm::Value *isThere = l.inside(tile, piece.regs.front());
    llvm::Value *packed =
        l.marker("ld.shared." + device::accessName(type), type,
                 {thread(tile.dist, placing), l.i64(placing.at(piece.coords) * bytes),
                  l.bit(isThere), llvm::Constant::getNullValue(type)});
    for (auto [reg, value] : llvm::zip(piece.regs, l.unpack(packed, element, piece.regs.size()))) {
      tile.regs[reg] = value;
    }
  }
}

llvm::Value *Exchange::readAt(llvm::Value *number) {
  llvm::Type *type = device::accessType(l.module, bytes);
  llvm::Value *offset = l.b.CreateMul(number, l.i32(bytes));
  llvm::Value *at = l.b.CreateGEP(l.b.getInt8Ty(), base, l.b.CreateZExt(offset, l.b.getInt64Ty()));
  l.access = noteComputed(l, "read of", bytes);
  llvm::Value *packed = l.marker("ld.shared." + device::accessName(type), type,
                                 {at, l.i64(0), l.b.getTrue(), llvm::Constant::getNullValue(type)});
  return l.unpack(packed, element, 1).front();
}

//===- moves --------------------------------------------------------------===//

/// What the threads of a distribution add to the number of an element: steps by place, copies as steps of 0.
static llvm::SmallVector<tile::DistMode> threadSteps(const TileValue &tile,
                                                     const Placing &placing) {
  llvm::SmallVector<tile::DistMode> steps;
  for (tile::Place place : {tile::Place::lane, tile::Place::warp}) {
    size_t first = steps.size();
    for (tile::DistMode mode : tile.dist.modes(place)) {
      mode.stride = mode.axis < 0 ? 0 : mode.stride * placing.strides[mode.axis];
      mode.axis = 0;
      bool goesOn =
          steps.size() > first && mode.stride == steps.back().stride * steps.back().extent;
      if (goesOn) {
        steps.back().extent *= mode.extent;
      } else {
        steps.push_back(mode);
      }
    }
    while (steps.size() > first && steps.back().stride == 0) {
      steps.pop_back(); // counting begins anew: the same as no step
    }
  }
  return steps;
}

llvm::Value *convert::excessElement(llvm::Type *element) {
  return element->isIntegerTy(1) ? static_cast<llvm::Value *>(llvm::ConstantInt::getFalse(element))
                                 : llvm::PoisonValue::get(element);
}

bool convert::moveInRegisters(const TileValue &from, const Placing &fromAt, TileValue &to,
                              const Placing &toAt, llvm::Type *element) {
  // Beyond the shape a number is another element's, too.
  if (from.dist.exceeds(from.shape) || threadSteps(from, fromAt) != threadSteps(to, toAt)) {
    return false;
  }
  std::map<int64_t, llvm::Value *> held;
  for (int64_t reg = 0; reg < from.dist.regs(); ++reg) {
    held[fromAt.at(from.dist.regCoords(reg, from.shape.size()))] = from.regs[reg];
  }
  Registers regs;
  for (int64_t reg = 0; reg < to.dist.regs(); ++reg) {
    Coords coords = to.dist.regCoords(reg, to.shape.size());
    bool isBeyond = llvm::any_of(llvm::zip(coords, to.shape),
                                 [](auto at) { return std::get<0>(at) >= std::get<1>(at); });
    auto found = held.find(toAt.at(coords));
    if (!isBeyond && found == held.end()) {
      return false;
    }
    regs.push_back(isBeyond ? excessElement(element) : found->second);
  }
  to.regs = std::move(regs);
  return true;
}

void convert::moveElements(Lowering &l, const TileValue &from, const Placing &fromAt, TileValue &to,
                           const Placing &toAt, int64_t elements, llvm::Type *element) {
  if (moveInRegisters(from, fromAt, to, toAt, element)) {
    return;
  }
  Exchange exchange(l, elements, element);
  exchange.write(from, fromAt);
  exchange.ready();
  exchange.read(to, toAt);
}

/// The same tile in another distribution.
static void convertElements(Lowering &l, const TileValue &from, TileValue &to,
                            llvm::Type *element) {
  if (from.dist.sameThreads(to.dist)) {
    Registers regs;
    for (int64_t reg = 0; reg < to.dist.regs(); ++reg) {
      std::optional<int64_t> given = from.dist.regAt(to.dist.regCoords(reg, to.shape.size()));
      if (!given) {
        regs.push_back(excessElement(element));
        continue;
      }
      regs.push_back(from.regs[*given]);
    }
    to.regs = std::move(regs);
    return;
  }
  if (moveByShuffles(l, from, to, element)) {
    return;
  }
  Placing rows = Placing::rows(from.shape);
  Exchange exchange(l, elementsOf(from.shape), element);
  exchange.write(from, rows);
  exchange.ready();
  exchange.read(to, rows);
}

//===- factors ------------------------------------------------------------===//

TileValue convert::restricted(const TileValue &like, AxisSet axes) {
  TileValue part;
  part.dist = like.dist.along(axes, like.shape.size());
  for (auto [axis, extent] : llvm::enumerate(like.shape)) {
    part.shape.push_back(axes >> axis & 1 ? extent : 1);
  }
  return part;
}

TileValue convert::bitsOf(Lowering &l, const TileValue &tile, llvm::ArrayRef<Factor> factors,
                          AxisSet axes) {
  TileValue bits = restricted(tile, axes);
  for (int64_t reg = 0; reg < bits.dist.regs(); ++reg) {
    Coords coords = bits.dist.regCoords(reg, bits.shape.size());
    llvm::Value *all = nullptr;
    for (const Factor &factor : factors) {
      all = l.both(all, l.holds(factor, bits.dist, coords));
    }
    bits.regs.push_back(l.bit(all));
  }
  return bits;
}

Factor convert::factorOf(const TileValue &bits, AxisSet axes) {
  Factor factor;
  factor.axes = axes;
  factor.dist = bits.dist;
  factor.bits = bits.regs;
  return factor;
}

LogicalResult Lowering::moved(Operation *op, const TileValue &from, TileValue &to) {
  convertElements(*this, from, to, registerOf(op->getResult(0).getType()));
  for (const Factor &factor : from.factors) {
    if (factor.count) {
      to.factors.push_back(factor);
      continue;
    }
    // Bits of what is present are a tile of their own, of extent 1 along the axes that they do not speak of.
    TileValue bits = restricted(from, factor.axes), there = restricted(to, factor.axes);
    bits.dist = factor.dist;
    bits.regs = factor.bits;
    convertElements(*this, bits, there, b.getInt1Ty());
    to.factors.push_back(factorOf(there, factor.axes));
  }
  return success();
}
