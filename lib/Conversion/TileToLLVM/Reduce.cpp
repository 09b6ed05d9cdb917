// Reductions: bit by bit of the position along the axis, in registers, over lanes, over warps.
//
// A tree pairs positions i and i + w/2: the highest bit of the position first. Where a bit is one of the lane's number and a thread
// still holds several partial results, lanes first share them out: each gives away half and keeps half, so that later steps have
// less to exchange; the bits that were shared out are then combined over lanes in their turn. Every pair that is combined
// is one of the tree, so no bit of the result changes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lowering.h"

#include "tessera/Dialect/Tile/DTypes.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/IR/TypeUtilities.h"

#include <map>

using namespace tessera;
using namespace tessera::convert;
using llvm::SmallVector;
using mlir::failed;
using mlir::failure;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::success;
using tile::DistMode;
using tile::Place;

namespace {
/// What is combined: one value, or a value with its index.
using State = SmallVector<llvm::Value *, 2>;
using Combine = std::function<llvm::Expected<State>(const State &, const State &)>;

/// A power of two of the position along the axis, and what has it.
struct PositionBit {
  int64_t value;
  Place place;
  int64_t mask = 0; ///< bit of the lane's or warp's number
};

class Reducer {
public:
  Reducer(Lowering &l, const TileValue &x, unsigned axis, bool isTree, Combine combine)
      : l(l), x(x), axis(axis), isTree(isTree), combine(std::move(combine)) {}

  /// Whether the distribution gives every bit of the position to one place.
  bool readBits();
  /// The total of a list of partial results by the register's position along the axis.
  llvm::Expected<State> reduce(std::map<int64_t, State> partials);

private:
  llvm::Error step(std::map<int64_t, State> &partials, const PositionBit &bit);
  llvm::Error overRegisters(std::map<int64_t, State> &partials, int64_t value);
  llvm::Error overLanes(std::map<int64_t, State> &partials, const PositionBit &bit);
  llvm::Error overWarps(std::map<int64_t, State> &partials, const PositionBit &bit);
  State exchanged(const State &state, int64_t mask);
  int64_t topBit(const std::map<int64_t, State> &partials) const;

  Lowering &l;
  const TileValue &x;
  unsigned axis;
  bool isTree;
  Combine combine;
  SmallVector<PositionBit> bits;        ///< in the order of combination
  std::map<int64_t, int64_t> sharedOut; ///< bits of registers that lanes hold now
};
} // namespace

bool Reducer::readBits() {
  int64_t covered = 1;
  SmallVector<DistMode> modes;
  for (Place place : {Place::reg, Place::lane, Place::warp}) {
    int64_t below = 1;
    for (const DistMode &mode : x.dist.modes(place)) {
      if (mode.axis == int64_t(axis)) {
        if (place != Place::reg && !llvm::isPowerOf2_64(mode.extent)) {
          return false;
        }
        if (!llvm::isPowerOf2_64(mode.stride) && (isTree || place != Place::reg)) {
          return false;
        }
        int64_t number = place == Place::reg ? 1 : below;
        for (int64_t step = 1; step < mode.extent; step *= 2) {
          bits.push_back({mode.stride * step, place, number * step});
        }
        covered = std::max(covered, mode.stride * mode.extent);
      }
      below *= mode.extent;
    }
  }
  auto rank = [](Place place) { return place == Place::reg ? 0 : place == Place::lane ? 1 : 2; };
  llvm::sort(bits, [&](const PositionBit &a, const PositionBit &c) {
    if (!isTree && a.place != c.place) {
      return rank(a.place) < rank(c.place);
    }
    return a.value > c.value;
  });
  for (size_t i = 1; isTree && i < bits.size(); ++i) {
    if (bits[i].value == bits[i - 1].value) {
      return false;
    }
  }
  return true;
}

State Reducer::exchanged(const State &state, int64_t mask) {
  State other;
  for (llvm::Value *value : state) {
    other.push_back(l.shuffled(value, l.i32(mask), /*isXor=*/true));
  }
  return other;
}

llvm::Error Reducer::overRegisters(std::map<int64_t, State> &partials, int64_t value) {
  if (auto lanes = sharedOut.find(value); lanes != sharedOut.end()) {
    for (auto &[position, state] : partials) {
      llvm::Expected<State> sum = combine(state, exchanged(state, lanes->second));
      if (!sum) {
        return sum.takeError();
      }
      state = std::move(*sum);
    }
    return llvm::Error::success();
  }
  std::map<int64_t, State> next;
  for (auto &[position, state] : partials) {
    if (!(position & value)) {
      next[position] = std::move(state);
      continue;
    }
    auto partner = next.find(position - value);
    if (partner == next.end()) {
      next[position - value] = std::move(state);
      continue;
    }
    llvm::Expected<State> sum = combine(partner->second, state);
    if (!sum) {
      return sum.takeError();
    }
    partner->second = std::move(*sum);
  }
  partials = std::move(next);
  return llvm::Error::success();
}

/// The highest bit by which partial results of a thread differ, all of them in pairs; 0 where there is none.
int64_t Reducer::topBit(const std::map<int64_t, State> &partials) const {
  int64_t top = int64_t(llvm::bit_floor(uint64_t(partials.rbegin()->first)));
  for (const auto &[position, state] : partials) {
    if (top == 0 || !partials.count(position ^ top)) {
      return 0;
    }
  }
  return top;
}

llvm::Error Reducer::overLanes(std::map<int64_t, State> &partials, const PositionBit &bit) {
  int64_t top = partials.size() > 1 ? topBit(partials) : 0;
  if (top == 0) {
    for (auto &[position, state] : partials) {
      llvm::Expected<State> sum = combine(state, exchanged(state, bit.mask));
      if (!sum) {
        return sum.takeError();
      }
      state = std::move(*sum);
    }
    return llvm::Error::success();
  }
  llvm::Value *isHigh = l.b.CreateICmpNE(l.b.CreateAnd(l.lane(), l.i32(bit.mask)), l.i32(0));
  std::map<int64_t, State> next;
  for (auto &[position, low] : partials) {
    if (position & top) {
      continue;
    }
    const State &high = partials.at(position | top);
    State kept, given;
    for (auto [a, c] : llvm::zip(low, high)) {
      kept.push_back(l.b.CreateSelect(isHigh, c, a));
      given.push_back(l.b.CreateSelect(isHigh, a, c));
    }
    llvm::Expected<State> sum = combine(kept, exchanged(given, bit.mask));
    if (!sum) {
      return sum.takeError();
    }
    next[position] = std::move(*sum);
  }
  partials = std::move(next);
  sharedOut[top] = bit.mask;
  return llvm::Error::success();
}

/// Through shared memory: every thread gives its partial results and takes those of the warp that the bit is the difference to.
llvm::Error Reducer::overWarps(std::map<int64_t, State> &partials, const PositionBit &bit) {
  int64_t place = 0;
  SmallVector<std::pair<llvm::Value **, int64_t>> cells;
  for (auto &[position, state] : partials) {
    for (llvm::Value *&value : state) {
      int64_t bytes = std::max<int64_t>(value->getType()->getPrimitiveSizeInBits() / 8, 1);
      place = llvm::alignTo(place, bytes);
      cells.push_back({&value, place});
      place += bytes * 32 * l.warps;
    }
  }
  l.barrier();
  llvm::Value *base = l.scratch(place);
  auto address = [&](llvm::Value *warp, int64_t bytes) {
    llvm::Value *thread = l.b.CreateAdd(l.b.CreateMul(warp, l.i32(32)), l.lane());
    llvm::Value *offset = l.b.CreateZExt(l.b.CreateMul(thread, l.i32(bytes)), l.b.getInt64Ty());
    return l.b.CreateGEP(l.b.getInt8Ty(), base, offset);
  };
  for (auto &[value, offset] : cells) {
    llvm::Value *packed = l.pack({*value});
    int64_t bytes = packed->getType()->getPrimitiveSizeInBits() / 8;
    l.marker("st.shared." + device::accessName(packed->getType()), l.b.getVoidTy(),
             {address(l.warp(), bytes), l.i64(offset), packed, l.b.getTrue()});
  }
  l.barrier();
  llvm::Value *other = l.b.CreateXor(l.warp(), l.i32(bit.mask));
  // A warp beyond the last has no partner; it holds a copy of one that has.
  if (!llvm::isPowerOf2_64(l.warps)) {
    other = l.b.CreateSelect(l.b.CreateICmpULT(other, l.i32(l.warps)), other, l.warp());
  }
  for (auto &[position, state] : partials) {
    State theirs;
    for (llvm::Value *&value : state) {
      int64_t bytes = std::max<int64_t>(value->getType()->getPrimitiveSizeInBits() / 8, 1);
      llvm::Type *type = device::accessType(l.module, bytes);
      auto *cell = llvm::find_if(cells, [&](auto &each) { return each.first == &value; });
      llvm::Value *read = l.marker("ld.shared." + device::accessName(type), type,
                                   {address(other, bytes), l.i64(cell->second), l.b.getTrue(),
                                    llvm::Constant::getNullValue(type)});
      theirs.push_back(l.unpack(read, value->getType(), 1).front());
    }
    llvm::Expected<State> sum = combine(state, theirs);
    if (!sum) {
      return sum.takeError();
    }
    state = std::move(*sum);
  }
  return llvm::Error::success();
}

llvm::Error Reducer::step(std::map<int64_t, State> &partials, const PositionBit &bit) {
  switch (bit.place) {
  case Place::lane:
    return overLanes(partials, bit);
  case Place::warp:
    return overWarps(partials, bit);
  default:
    return overRegisters(partials, bit.value);
  }
}

llvm::Expected<State> Reducer::reduce(std::map<int64_t, State> partials) {
  sharedOut.clear();
  if (!isTree) { // any order: first what the thread has
    State total = partials.begin()->second;
    for (auto it = std::next(partials.begin()); it != partials.end(); ++it) {
      llvm::Expected<State> sum = combine(total, it->second);
      if (!sum) {
        return sum.takeError();
      }
      total = std::move(*sum);
    }
    partials.clear();
    partials[0] = std::move(total);
  }
  for (const PositionBit &bit : bits) {
    if (!isTree && bit.place == Place::reg) {
      continue;
    }
    if (llvm::Error error = step(partials, bit)) {
      return std::move(error);
    }
  }
  return partials.begin()->second;
}

//===- ops ----------------------------------------------------------------===//

/// Registers of the operand that a result's register is made of, by their position along the axis.
static SmallVector<std::pair<int64_t, int64_t>> registersOf(const TileValue &x, unsigned axis,
                                                            llvm::ArrayRef<int64_t> kept) {
  SmallVector<std::pair<int64_t, int64_t>> found;
  for (int64_t reg = 0; reg < x.dist.regs(); ++reg) {
    Coords coords = x.dist.regCoords(reg, x.shape.size());
    int64_t position = coords[axis];
    coords.erase(coords.begin() + axis);
    if (llvm::equal(coords, kept)) {
      found.push_back({position, reg});
    }
  }
  return found;
}

/// Factors of the operand that speak of the axis; all others stay with the result, renumbered.
static TileValue splitFactors(const TileValue &x, unsigned axis, TileValue &result) {
  TileValue terms = x;
  terms.factors.clear();
  SmallVector<int64_t> map;
  for (int64_t i = 0; i < int64_t(x.shape.size()); ++i) {
    map.push_back(i < axis ? i : i == axis ? -1 : i - 1);
  }
  for (const Factor &factor : x.factors) {
    if (factor.axes >> axis & 1) {
      terms.factors.push_back(factor);
      continue;
    }
    Factor stays = factor;
    stays.axes = 0;
    for (auto [i, to] : llvm::enumerate(map)) {
      if ((factor.axes >> i & 1) && to >= 0) {
        stays.axes |= AxisSet(1) << to;
      }
    }
    stays.dist = factor.dist.mapAxes(map); // no register lies along the axis: their order is kept
    result.factors.push_back(std::move(stays));
  }
  return terms;
}

static LogicalResult notHeld(Lowering &l, Operation *op, const TileValue &x) {
  return l.error(op, "a reduction over a tile that is held as <" + x.dist.text() +
                         "> has no code: split the axis by powers of two");
}

static LogicalResult lowerReduce(Lowering &l, Operation *op) {
  auto reduce = llvm::cast<tile::ReduceOp>(op);
  unsigned axis = reduce.getAxis();
  TileValue result = l.emptyFor(reduce.getResult());
  TileValue x = splitFactors(l.tile(reduce.getX()), axis, result);
  auto kind = static_cast<ReduceKind>(reduce.getKind());
  mlir::Type from = mlir::getElementTypeOrSelf(reduce.getX().getType());
  mlir::Type to = mlir::getElementTypeOrSelf(reduce.getResult().getType());
  DType given = dtypeOf(from), type = dtypeOf(to);
  bool isFloatSum = llvm::isa<mlir::FloatType>(to) && (reduce.getKind() == tile::ReduceKind::sum ||
                                                       reduce.getKind() == tile::ReduceKind::prod);
  bool isTree = isFloatSum && reduce.getOrder() == tile::ReduceOrder::tree;
  llvm::Expected<llvm::Constant *> identity = l.scalars.identity(kind, type);
  if (!identity) {
    return l.error(op, llvm::toString(identity.takeError()));
  }
  Reducer reducer(l, x, axis, isTree, [&](const State &a, const State &c) -> llvm::Expected<State> {
    auto sum = l.scalars.combine(l.b, kind, type, a[0], c[0]);
    if (!sum) {
      return sum.takeError();
    }
    return State{*sum};
  });
  if (!reducer.readBits()) {
    return notHeld(l, op, x);
  }
  for (int64_t reg = 0; reg < result.dist.regs(); ++reg) {
    std::map<int64_t, State> partials;
    for (auto [position, source] :
         registersOf(x, axis, result.dist.regCoords(reg, result.shape.size()))) {
      llvm::Value *term = x.regs[source];
      if (given != type) {
        term = l.scalars.cast(l.b, term, given, type, Round::rne, Overflow::inf);
      }
      term = l.scalars.prepare(l.b, kind, type, term);
      if (llvm::Value *isThere = l.both(l.present(x, source), l.inside(x, source))) {
        term = l.b.CreateSelect(isThere, term, *identity);
      }
      partials[position] = {term};
    }
    llvm::Expected<State> total = reducer.reduce(std::move(partials));
    if (!total) {
      return l.error(op, llvm::toString(total.takeError()));
    }
    result.regs.push_back(l.scalars.finish(l.b, kind, type, total->front()));
  }
  l.set(reduce.getResult(), std::move(result));
  return success();
}

/// Order of argmin: a is less, or NaN where c is not.
static llvm::Value *ranksBelow(Lowering &l, DType type, llvm::Value *a, llvm::Value *c) {
  llvm::Value *isLess = l.scalars.compare(l.b, CmpPredicate::lt, type, a, c);
  if (!isFloat(type)) {
    return isLess;
  }
  llvm::Value *aIsNan = l.scalars.compare(l.b, CmpPredicate::ne, type, a, a);
  llvm::Value *cIsNan = l.scalars.compare(l.b, CmpPredicate::ne, type, c, c);
  return l.b.CreateOr(isLess, l.b.CreateAnd(aIsNan, l.b.CreateNot(cIsNan)));
}

/// argmax and argmin: a value with its index; no element is the index -1.
static LogicalResult lowerArg(Lowering &l, Operation *op) {
  bool isMax = llvm::isa<tile::ArgMaxOp>(op);
  unsigned axis = op->getAttrOfType<mlir::IntegerAttr>("axis").getInt();
  TileValue values = l.emptyFor(op->getResult(0)), indices = l.emptyFor(op->getResult(1));
  TileValue x = splitFactors(l.tile(op->getOperand(0)), axis, values);
  indices.factors = values.factors;
  DType type = dtypeOf(mlir::getElementTypeOrSelf(op->getOperand(0).getType()));
  llvm::Expected<llvm::Constant *> identity =
      l.scalars.identity(isMax ? ReduceKind::max : ReduceKind::min, type);
  if (!identity) {
    return l.error(op, llvm::toString(identity.takeError()));
  }
  auto &b = l.b;
  // An element goes before another if it ranks above, or is as good and comes first; any goes before none.
  auto combine = [&](const State &a, const State &c) -> llvm::Expected<State> {
    llvm::Value *isAbove =
        isMax ? l.scalars.ranksAbove(b, type, c[0], a[0]) : ranksBelow(l, type, c[0], a[0]);
    llvm::Value *isUnder =
        isMax ? l.scalars.ranksAbove(b, type, a[0], c[0]) : ranksBelow(l, type, a[0], c[0]);
    llvm::Value *isEqual = b.CreateNot(b.CreateOr(isAbove, isUnder));
    llvm::Value *isFirst = b.CreateAnd(isEqual, b.CreateICmpSLT(c[1], a[1]));
    llvm::Value *aNone = b.CreateICmpSLT(a[1], l.i64(0)), *cNone = b.CreateICmpSLT(c[1], l.i64(0));
    llvm::Value *takes =
        b.CreateOr(aNone, b.CreateAnd(b.CreateNot(cNone), b.CreateOr(isAbove, isFirst)));
    return State{b.CreateSelect(takes, c[0], a[0]), b.CreateSelect(takes, c[1], a[1])};
  };
  Reducer reducer(l, x, axis, /*isTree=*/false, combine);
  if (!reducer.readBits()) {
    return notHeld(l, op, x);
  }
  llvm::Value *thread = b.CreateZExt(l.threadCoord(x.dist, axis), b.getInt64Ty());
  for (int64_t reg = 0; reg < values.dist.regs(); ++reg) {
    std::map<int64_t, State> partials;
    for (auto [position, source] :
         registersOf(x, axis, values.dist.regCoords(reg, values.shape.size()))) {
      State term{x.regs[source], b.CreateAdd(thread, l.i64(position))};
      if (llvm::Value *isThere = l.both(l.present(x, source), l.inside(x, source))) {
        term[0] = b.CreateSelect(isThere, term[0], *identity);
        term[1] = b.CreateSelect(isThere, term[1], l.i64(-1));
      }
      partials[position] = std::move(term);
    }
    llvm::Expected<State> total = reducer.reduce(std::move(partials));
    if (!total) {
      return l.error(op, llvm::toString(total.takeError()));
    }
    values.regs.push_back((*total)[0]);
    indices.regs.push_back((*total)[1]);
  }
  l.set(op->getResult(0), std::move(values));
  l.set(op->getResult(1), std::move(indices));
  return success();
}

LowerOp convert::reduceOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, LowerOp>(op)
      .Case<tile::ReduceOp>([](auto) { return lowerReduce; })
      .Case<tile::ArgMaxOp, tile::ArgMinOp>([](auto) { return lowerArg; })
      .Default([](Operation *) { return nullptr; });
}
