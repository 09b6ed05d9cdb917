// Reshapes, parts, joins and reversals: each element has one place in a row of elements that operand and result share.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Exchange.h"

#include "tessera/Support/Mutants.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::SmallVector;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::success;

static AxisSet allAxes(const TileValue &tile) { return (AxisSet(1) << tile.shape.size()) - 1; }

/// Presence moved like the elements.
static Factor movedFactor(Lowering &l, const TileValue &bits, const Placing &from, TileValue there,
                          const Placing &to, AxisSet axes, int64_t elements) {
  moveElements(l, bits, from, there, to, elements, l.b.getInt1Ty());
  return factorOf(there, axes);
}

//===- parts and reversals ------------------------------------------------===//

/// How an axis of the result looks at the operand's: element i is the operand's `first + step * i`.
struct AxisView {
  int64_t first = 0, step = 1;
};

/// The placing of a result that looks at rows of the operand's shape.
static Placing placingOf(llvm::ArrayRef<AxisView> views, llvm::ArrayRef<int64_t> shape,
                         AxisSet axes) {
  Placing placing = Placing::rows(shape);
  for (auto [axis, view] : llvm::enumerate(views)) {
    if (axes >> axis & 1) {
      placing.first += view.first * placing.strides[axis];
      placing.strides[axis] *= view.step;
    }
  }
  return placing;
}

static Factor viewedFactor(Lowering &l, const TileValue &x, const Factor &factor,
                           const TileValue &made, llvm::ArrayRef<AxisView> views) {
  if (factor.count) {
    const AxisView &view = views[llvm::countr_zero(factor.axes)];
    if (view.step == 1) {
      Factor now = factor;
      if (view.first != 0) { // no longer what the span says
        now.count = l.b.CreateSub(
            factor.count, l.i64(TESSERA_MUTANT(508, "what is present stays where it was in a part",
                                               view.first, 0)));
        now.span = {};
      }
      return now;
    }
  }
  TileValue bits = bitsOf(l, x, {factor}, factor.axes);
  TileValue there = restricted(made, factor.axes);
  return movedFactor(l, bits, Placing::rows(bits.shape), there,
                     placingOf(views, bits.shape, factor.axes), factor.axes,
                     elementsOf(bits.shape));
}

static LogicalResult lowerViewed(Lowering &l, Operation *op, llvm::ArrayRef<AxisView> views) {
  const TileValue x = l.tile(op->getOperand(0));
  TileValue made = l.emptyFor(op->getResult(0));
  moveElements(l, x, Placing::rows(x.shape), made, placingOf(views, x.shape, allAxes(x)),
               elementsOf(x.shape), l.registerOf(op->getResult(0).getType()));
  for (const Factor &factor : x.factors) {
    made.factors.push_back(viewedFactor(l, x, factor, made, views));
  }
  l.set(op->getResult(0), std::move(made));
  return success();
}

static LogicalResult lowerSlice(Lowering &l, Operation *op) {
  SmallVector<AxisView> views;
  for (int64_t offset : llvm::cast<tile::SliceOp>(op).getOffsets()) {
    views.push_back({offset, 1});
  }
  return lowerViewed(l, op, views);
}

static LogicalResult lowerFlip(Lowering &l, Operation *op) {
  auto flip = llvm::cast<tile::FlipOp>(op);
  llvm::ArrayRef<int64_t> shape = flip.getX().getType().getShape();
  SmallVector<AxisView> views(shape.size());
  int64_t last = shape[flip.getAxis()] - 1;
  views[flip.getAxis()] = {TESSERA_MUTANT(507, "a reversal begins an element too early", last,
                                          std::max<int64_t>(last - 1, 0)),
                           -1};
  return lowerViewed(l, op, views);
}

//===- reshapes -----------------------------------------------------------===//

static LogicalResult lowerReshape(Lowering &l, Operation *op) {
  const TileValue x = l.tile(op->getOperand(0));
  TileValue made = l.emptyFor(op->getResult(0));
  int64_t elements = elementsOf(x.shape);
  Placing from = Placing::rows(x.shape), to = Placing::rows(made.shape);
  moveElements(l, x, from, made, to, elements, l.registerOf(op->getResult(0).getType()));
  SmallVector<int64_t> kept(x.shape.size(), -1);
  for (auto [axis, target] : tile::keptAxes(x.shape, made.shape)) {
    kept[axis] = target;
  }
  SmallVector<Factor> others;
  for (const Factor &factor : x.factors) {
    AxisSet axes = 0;
    bool isKept = true;
    for (auto [axis, target] : llvm::enumerate(kept)) {
      if (factor.axes >> axis & 1) {
        isKept &= target >= 0;
        axes |= target >= 0 ? AxisSet(1) << target : 0;
      }
    }
    if (!isKept) {
      others.push_back(factor);
    } else if (factor.count) {
      made.factors.push_back(factor);
      made.factors.back().axes = axes;
    } else {
      // Kept axes stay in their order: rows of the axes alone are the same rows.
      TileValue bits = bitsOf(l, x, {factor}, factor.axes), there = restricted(made, axes);
      made.factors.push_back(movedFactor(l, bits, Placing::rows(bits.shape), there,
                                         Placing::rows(there.shape), axes, elementsOf(bits.shape)));
    }
  }
  if (!others.empty()) {
    TileValue bits = bitsOf(l, x, others, allAxes(x));
    made.factors.push_back(
        movedFactor(l, bits, from, restricted(made, allAxes(made)), to, allAxes(made), elements));
  }
  l.set(op->getResult(0), std::move(made));
  return success();
}

//===- joins --------------------------------------------------------------===//

/// A part's registers where the result's threads are the part's; of what other parts hold the registers stay as they are.
static bool joinInRegisters(llvm::ArrayRef<TileValue> parts, llvm::ArrayRef<Placing> places,
                            TileValue &made, unsigned axis, llvm::Type *element) {
  Registers regs(made.dist.regs(), nullptr);
  int64_t begin = 0;
  for (auto [part, place] : llvm::zip(parts, places)) {
    // The result's registers that lie in the part, as a tile of the part's shape.
    TileValue within;
    within.shape = part.shape;
    SmallVector<tile::DistMode> modes;
    for (const tile::DistMode &mode : made.dist.modes()) {
      if (mode.axis == int64_t(axis)) {
        if (mode.place != tile::Place::reg) {
          return false;
        }
      } else {
        modes.push_back(mode);
      }
    }
    modes.push_back({tile::Place::reg, part.shape[axis], int64_t(axis), 1});
    within.dist = Dist::get(modes);
    if (!moveInRegisters(part, place, within, place, element)) {
      return false;
    }
    for (int64_t reg = 0; reg < within.dist.regs(); ++reg) {
      Coords coords = within.dist.regCoords(reg, part.shape.size());
      coords[axis] += begin;
      std::optional<int64_t> at = made.dist.regAt(coords);
      if (!at) {
        return false;
      }
      regs[*at] = within.regs[reg];
    }
    begin += part.shape[axis];
  }
  for (llvm::Value *&reg : regs) {
    reg = reg ? reg : excessElement(element);
  }
  made.regs = std::move(regs);
  return true;
}

static void joinElements(Lowering &l, llvm::ArrayRef<TileValue> parts, TileValue &made,
                         unsigned axis, llvm::Type *element) {
  SmallVector<Placing> places;
  Placing whole = Placing::rows(made.shape);
  int64_t begin = 0;
  for (const TileValue &part : parts) {
    places.push_back(whole);
    places.back().first = begin * whole.strides[axis];
    begin += part.shape[axis];
  }
  if (joinInRegisters(parts, places, made, axis, element)) {
    return;
  }
  Exchange exchange(l, elementsOf(made.shape), element);
  for (auto [part, place] : llvm::zip(parts, places)) {
    exchange.write(part, place);
  }
  exchange.ready();
  exchange.read(made, whole);
}

static LogicalResult lowerCat(Lowering &l, Operation *op) {
  auto cat = llvm::cast<tile::CatOp>(op);
  TileValue made = l.emptyFor(cat.getResult());
  std::vector<TileValue> parts, bits;
  bool isEver = false;
  for (mlir::Value part : cat.getParts()) {
    parts.push_back(l.tile(part));
    isEver |= !parts.back().factors.empty();
  }
  unsigned axis = cat.getAxis();
  joinElements(l, parts, made, axis, l.registerOf(cat.getResult().getType()));
  if (isEver) {
    for (const TileValue &part : parts) {
      bits.push_back(bitsOf(l, part, part.factors, allAxes(part)));
    }
    TileValue there = restricted(made, allAxes(made));
    joinElements(l, bits, there, axis, l.b.getInt1Ty());
    made.factors.push_back(factorOf(there, allAxes(made)));
  }
  l.set(cat.getResult(), std::move(made));
  return success();
}

LowerOp convert::rearrangeOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, LowerOp>(op)
      .Case<tile::CatOp>([](auto) { return lowerCat; })
      .Case<tile::FlipOp>([](auto) { return lowerFlip; })
      .Case<tile::ReshapeOp>([](auto) { return lowerReshape; })
      .Case<tile::SliceOp>([](auto) { return lowerSlice; })
      .Default([](Operation *) { return nullptr; });
}
