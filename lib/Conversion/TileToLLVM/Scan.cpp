// Scans: digit by digit of the position along the axis, from the fastest to the slowest, in registers, over lanes, over warps.
//
// Each digit combines neighbouring blocks of positions into a larger one, and notes what lies before each of them in it.
// What lies before an element is then put together from the largest block down. The blocks are the same for all threads,
// so all that hold an element have the same bits of it, and a combination is told its sides in the order of the scan.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Exchange.h"
#include "Reducer.h"

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Support/Mutants.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/IR/TypeUtilities.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::SmallVector;
using mlir::failure;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::success;
using tile::DistMode;
using tile::Place;

namespace {
/// A digit of the position.
struct Digit {
  Place place;
  int64_t extent;
  int64_t stride;    ///< positions
  int64_t below = 1; ///< of the lane's or warp's number
};

/// Blocks of positions by the coordinates of the first register in them. An empty state is that of no element at all.
using Blocks = std::map<std::vector<int64_t>, State>;

class Scanner {
public:
  Scanner(Lowering &l, const TileValue &x, unsigned axis, bool reverse, State none, Combine combine)
      : l(l), x(x), axis(axis), reverse(reverse), none(std::move(none)),
        combine(std::move(combine)) {}

  /// Whether the digits nest and those of threads are bits.
  bool readDigits();
  /// For each register what lies before it; empty where that is nothing.
  llvm::Expected<std::vector<State>> before(llvm::ArrayRef<State> elements);
  llvm::Expected<State> joined(const State &first, const State &second);

private:
  std::vector<int64_t> blockOf(std::vector<int64_t> coords, int64_t size) const {
    coords[axis] -= coords[axis] % size;
    return coords;
  }
  llvm::Error overRegisters(const Digit &digit, Blocks &totals, Blocks &prefix);
  llvm::Error overThreads(const Digit &digit, Blocks &totals, Blocks &prefix);
  llvm::Error overBit(Place place, llvm::Value *number, int64_t mask, Blocks &totals,
                      Blocks &prefix);
  State chosen(llvm::Value *condition, const State &a, const State &c);

  Lowering &l;
  const TileValue &x;
  unsigned axis;
  bool reverse;
  State none;
  Combine combine;
  SmallVector<Digit> digits; ///< ascending
};
} // namespace

bool Scanner::readDigits() {
  for (Place place : {Place::reg, Place::lane, Place::warp}) {
    int64_t below = 1;
    for (const DistMode &mode : x.dist.modes(place)) {
      if (mode.axis == int64_t(axis)) {
        bool isBits = llvm::isPowerOf2_64(mode.extent) && llvm::isPowerOf2_64(below);
        if (place != Place::reg && !isBits) {
          return false;
        }
        digits.push_back({place, mode.extent, mode.stride, below});
      }
      below *= mode.extent;
    }
  }
  llvm::sort(digits, [](const Digit &a, const Digit &c) { return a.stride < c.stride; });
  for (size_t i = 1; i < digits.size(); ++i) {
    if (digits[i].stride % (digits[i - 1].stride * digits[i - 1].extent) != 0) {
      return false;
    }
  }
  return true;
}

llvm::Expected<State> Scanner::joined(const State &first, const State &second) {
  if (first.empty() || second.empty()) {
    return first.empty() ? second : first;
  }
  return combine(first, second);
}

State Scanner::chosen(llvm::Value *condition, const State &a, const State &c) {
  State state;
  for (auto [yes, no] : llvm::zip(a, c)) {
    state.push_back(l.b.CreateSelect(condition, yes, no));
  }
  return state;
}

llvm::Error Scanner::overRegisters(const Digit &digit, Blocks &totals, Blocks &prefix) {
  Blocks whole;
  auto take = [&](auto &block) -> llvm::Error {
    State &running = whole[blockOf(block.first, digit.stride * digit.extent)];
    prefix[block.first] = running;
    llvm::Expected<State> sum = joined(running, block.second);
    if (!sum) {
      return sum.takeError();
    }
    running = std::move(*sum);
    return llvm::Error::success();
  };
  // Blocks of one parent are met in the order of their positions.
  std::vector<Blocks::value_type *> order;
  for (auto &block : totals) {
    order.push_back(&block);
  }
  if (reverse) {
    std::reverse(order.begin(), order.end());
  }
  for (Blocks::value_type *block : order) {
    if (llvm::Error error = take(*block)) {
      return error;
    }
  }
  totals = std::move(whole);
  return llvm::Error::success();
}

llvm::Error Scanner::overBit(Place place, llvm::Value *number, int64_t mask, Blocks &totals,
                             Blocks &prefix) {
  std::vector<State> others;
  if (place == Place::lane) {
    for (auto &[key, total] : totals) {
      State &other = others.emplace_back();
      for (llvm::Value *value : total) {
        other.push_back(l.shuffled(value, l.i32(mask), /*isXor=*/true));
      }
    }
  } else {
    WarpExchange exchange(l, totals.begin()->second, totals.size());
    for (auto [index, total] : llvm::enumerate(totals)) {
      exchange.write(index, total.second);
    }
    exchange.ready();
    llvm::Value *from = l.b.CreateXor(number, l.i32(mask));
    for (size_t index = 0; index < totals.size(); ++index) {
      others.push_back(exchange.read(from, index));
    }
  }
  llvm::Value *bit = l.b.CreateAnd(number, l.i32(mask));
  llvm::Value *isSecond = TESSERA_MUTANT(477, "lanes scan forwards only", reverse, false)
                              ? l.b.CreateICmpEQ(bit, l.i32(0))
                              : l.b.CreateICmpNE(bit, l.i32(0));
  auto other = others.begin();
  for (auto &[key, total] : totals) {
    State &before = prefix[key];
    llvm::Expected<State> more = joined(*other, before);
    if (!more) {
      return more.takeError();
    }
    before = chosen(isSecond, *more, before.empty() ? none : before);
    llvm::Expected<State> sum =
        TESSERA_MUTANT(479, "a scan mixes its sides",
                       combine(chosen(isSecond, *other, total), chosen(isSecond, total, *other)),
                       combine(total, *other));
    if (!sum) {
      return sum.takeError();
    }
    total = std::move(*sum);
    ++other;
  }
  return llvm::Error::success();
}

llvm::Error Scanner::overThreads(const Digit &digit, Blocks &totals, Blocks &prefix) {
  llvm::Value *number = digit.place == Place::lane ? l.lane() : l.warp();
  // Warps beyond those that the distribution counts hold copies: each does what the warp does that it is a copy of.
  if (int64_t counted = x.dist.size(Place::warp); digit.place == Place::warp && counted < l.warps) {
    number = l.b.CreateURem(number, l.i32(counted));
  }
  for (int64_t step = 1; step < digit.extent; step *= 2) {
    if (llvm::Error error = overBit(digit.place, number, digit.below * step, totals, prefix)) {
      return error;
    }
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<State>> Scanner::before(llvm::ArrayRef<State> elements) {
  Blocks totals;
  std::vector<std::vector<int64_t>> places;
  for (auto [reg, element] : llvm::enumerate(elements)) {
    Coords coords = x.dist.regCoords(reg, x.shape.size());
    places.emplace_back(coords.begin(), coords.end());
    totals[places.back()] = element;
  }
  std::vector<Blocks> prefixes(digits.size());
  for (auto [i, digit] : llvm::enumerate(digits)) {
    llvm::Error error = digit.place == Place::reg ? overRegisters(digit, totals, prefixes[i])
                                                  : overThreads(digit, totals, prefixes[i]);
    if (error) {
      return std::move(error);
    }
  }
  for (size_t i = digits.size(); i-- > 1;) {
    for (auto &[key, state] : prefixes[i - 1]) {
      State larger = prefixes[i][blockOf(key, digits[i].stride)];
      llvm::Expected<State> all = joined(
          TESSERA_MUTANT(476, "a scan loses what lies before its block", larger, State()), state);
      if (!all) {
        return all.takeError();
      }
      state = std::move(*all);
    }
  }
  std::vector<State> result;
  for (const std::vector<int64_t> &place : places) {
    result.push_back(digits.empty() ? State() : prefixes[0][blockOf(place, digits[0].stride)]);
  }
  return result;
}

//===- ops ----------------------------------------------------------------===//

/// Neighbours in a thread: where lanes lie below many registers each of these would be shuffled over all lanes, and it is cheaper
/// to move the elements twice.
static Dist blocksFor(const Dist &dist, int64_t extent, unsigned axis) {
  SmallVector<DistMode> modes;
  SmallVector<size_t> threads; // modes along the axis
  for (const DistMode &mode : dist.modes()) {
    if (mode.axis == int64_t(axis) && mode.place == Place::reg) {
      continue;
    }
    if (mode.axis == int64_t(axis)) {
      threads.push_back(modes.size());
    }
    modes.push_back(mode);
  }
  llvm::sort(threads, [&](size_t a, size_t c) { return modes[a].stride < modes[c].stride; });
  int64_t above = 1, count = 1;
  for (const DistMode &mode : dist.modes(Place::reg)) {
    bool isAbove = !threads.empty() && mode.axis == int64_t(axis) &&
                   mode.stride > modes[threads.front()].stride;
    above *= isAbove ? mode.extent : 1;
  }
  if (constexpr int64_t few = 4; above <= few) {
    return dist;
  }
  for (size_t each : threads) {
    count *= modes[each].extent;
  }
  int64_t stride = llvm::divideCeil(extent, count);
  modes.push_back({Place::reg, stride, int64_t(axis), 1});
  for (size_t each : threads) {
    modes[each].stride = stride;
    stride *= modes[each].extent;
  }
  return Dist::get(modes);
}

/// States of one distribution in another; `none` for what lies outside of the shape.
static std::vector<State> movedStates(Lowering &l, llvm::ArrayRef<State> states,
                                      const TileValue &from, const TileValue &to,
                                      const State &none) {
  std::vector<State> result(to.dist.regs());
  Placing rows = Placing::rows(from.shape);
  for (auto [i, missing] : llvm::enumerate(none)) {
    TileValue given = from, made = to;
    given.regs.clear();
    for (const State &state : states) {
      given.regs.push_back(state[i]);
    }
    moveElements(l, given, rows, made, rows, elementsOf(from.shape), missing->getType());
    for (auto [reg, value] : llvm::enumerate(made.regs)) {
      llvm::Value *isInside = l.inside(made, reg);
      result[reg].push_back(isInside ? l.b.CreateSelect(isInside, value, missing) : value);
    }
  }
  return result;
}

namespace {
struct ScanForm {
  unsigned axis;
  bool reverse, exclusive;
};
} // namespace

/// The combination of what each register's element is made of, last the element itself unless it is left out.
static llvm::Expected<std::vector<State>> scanned(Lowering &l, const TileValue &x, ScanForm form,
                                                  std::vector<State> elements, const State &none,
                                                  const Combine &combine) {
  TileValue held = restricted(x, ~AxisSet(0)), blocks = held;
  blocks.dist = blocksFor(x.dist, x.shape[form.axis], form.axis);
  bool isMoved = blocks.dist != held.dist;
  if (isMoved) {
    elements = movedStates(l, elements, held, blocks, none);
  }
  Scanner scanner(l, blocks, form.axis, form.reverse, none, combine);
  if (!scanner.readDigits()) {
    return llvm::createStringError("a scan over a tile that is held as <" + x.dist.text() +
                                   "> has no code: split the axis by powers of two");
  }
  llvm::Expected<std::vector<State>> all = scanner.before(elements);
  if (!all) {
    return all;
  }
  for (auto [state, element] : llvm::zip(*all, elements)) {
    bool isWithout = TESSERA_MUTANT(478, "every scan has its own element", form.exclusive, false);
    llvm::Expected<State> sum = scanner.joined(state, isWithout ? State() : element);
    if (!sum) {
      return sum.takeError();
    }
    state = sum->empty() ? none : *sum;
  }
  return isMoved ? movedStates(l, *all, blocks, held, none) : std::move(*all);
}

static LogicalResult lowerScan(Lowering &l, Operation *op) {
  auto scan = llvm::cast<tile::ScanOp>(op);
  const TileValue x = l.tile(scan.getX());
  TileValue result = l.emptyFor(scan.getResult());
  auto kind = static_cast<ReduceKind>(scan.getKind());
  DType given = dtypeOf(mlir::getElementTypeOrSelf(scan.getX().getType()));
  DType type = dtypeOf(mlir::getElementTypeOrSelf(scan.getResult().getType()));
  llvm::Expected<llvm::Constant *> identity = l.scalars.identity(kind, type);
  if (!identity) {
    return l.error(op, llvm::toString(identity.takeError()));
  }
  State none{*identity};
  auto combine = [&](const State &a, const State &c) -> llvm::Expected<State> {
    auto sum = l.scalars.combine(l.b, kind, type, a[0], c[0]);
    return sum ? llvm::Expected<State>(State{*sum}) : sum.takeError();
  };
  if (result.dist != x.dist) {
    return notHeld(l, op, x);
  }
  std::vector<State> terms;
  for (int64_t reg = 0; reg < x.dist.regs(); ++reg) {
    llvm::Value *term = x.regs[reg];
    if (given != type) {
      term = l.scalars.cast(l.b, term, given, type, Round::rne,
                            isFloat(type) ? Overflow::inf : Overflow::wrap);
    }
    if (llvm::Value *isThere = l.both(l.present(x, reg), l.inside(x, reg))) {
      term = l.b.CreateSelect(isThere, term, *identity);
    }
    terms.push_back({term});
  }
  ScanForm form{unsigned(scan.getAxis()), scan.getReverse(), scan.getExclusive()};
  llvm::Expected<std::vector<State>> sums = scanned(l, x, form, std::move(terms), none, combine);
  if (!sums) {
    return l.error(op, llvm::toString(sums.takeError()));
  }
  for (const State &sum : *sums) {
    result.regs.push_back(l.scalars.finish(l.b, kind, type, sum[0]));
  }
  result.factors = x.factors;
  l.set(scan.getResult(), std::move(result));
  return success();
}

static LogicalResult lowerScanWith(Lowering &l, Operation *op) {
  auto scan = llvm::cast<tile::ScanWithOp>(op);
  const TileValue x = l.tile(scan.getX());
  TileValue result = l.emptyFor(scan.getResult());
  llvm::Value *identity = l.scalar(scan.getIdentity());
  Combine combine = regionCombination(l, scan.getBody());
  State none{llvm::Constant::getNullValue(identity->getType()), l.b.getFalse()};
  if (result.dist != x.dist) {
    return notHeld(l, op, x);
  }
  std::vector<State> terms;
  for (int64_t reg = 0; reg < x.dist.regs(); ++reg) {
    terms.push_back({x.regs[reg], l.bit(l.both(l.present(x, reg), l.inside(x, reg)))});
  }
  ScanForm form{unsigned(scan.getAxis()), scan.getReverse(), scan.getExclusive()};
  llvm::Expected<std::vector<State>> sums = scanned(l, x, form, std::move(terms), none, combine);
  if (!sums) {
    return l.error(op, llvm::toString(sums.takeError()));
  }
  for (const State &sum : *sums) {
    // The scan begins with the identity.
    llvm::Expected<State> begun = combine({identity, l.b.getTrue()}, sum);
    if (!begun) {
      return l.error(op, llvm::toString(begun.takeError()));
    }
    result.regs.push_back((*begun)[0]);
  }
  result.factors = x.factors;
  l.set(scan.getResult(), std::move(result));
  return success();
}

LowerOp convert::scanOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, LowerOp>(op)
      .Case<tile::ScanOp>([](auto) { return lowerScan; })
      .Case<tile::ScanWithOp>([](auto) { return lowerScanWith; })
      .Default([](Operation *) { return nullptr; });
}
