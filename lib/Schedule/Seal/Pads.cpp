//===- Pads.cpp - what lanes beyond the present part hold -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Pads.h. Constants go through elementwise ops by evaluating the op: exp2(-inf) is 0, 0 * poison is poison.
//
//===----------------------------------------------------------------------===//

#include "Pads.h"

#include "tessera/Support/Mutants.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace tessera::tile;

namespace tessera::sealing {

std::string Pad::str() const {
  switch (kind) {
  case data:
    return "elements like any other";
  case row:
    return "the row's element";
  case constant:
    return value == 0          ? "0"
           : std::isinf(value) ? (value < 0 ? "-inf" : "inf")
                               : std::to_string(value);
  case poison:
    return "anything";
  }
  return "";
}

Pad join(const Pad &a, const Pad &b) {
  if (a.kind == Pad::constant && b.isConstant(a.value)) {
    return Pad::of(a.value, a.rowPoison || b.rowPoison);
  }
  return a.kind == b.kind && a.kind != Pad::constant ? a : Pad::of(Pad::poison);
}

static std::optional<double> constantOf(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  if (!constant) {
    return std::nullopt;
  }
  if (auto number = dyn_cast<FloatAttr>(constant.getValue())) {
    return number.getValue().convertToDouble();
  }
  if (auto number = dyn_cast<IntegerAttr>(constant.getValue())) {
    return static_cast<double>(number.getInt());
  }
  return std::nullopt;
}

Pad PadAnalysis::along(Value tile, unsigned axis) { return find(tile, axis); }

Pad PadAnalysis::otherwise(Value tile, unsigned axis) {
  for (const PresenceFactor &factor : presence.of(tile)) {
    if (factor.isAlong(axis)) {
      return Pad::of(Pad::poison);
    }
  }
  return Pad::of(Pad::data);
}

Pad PadAnalysis::find(Value tile, unsigned axis) {
  if (!isa<RankedTensorType>(tile.getType())) {
    std::optional<double> value = constantOf(tile);
    return value ? Pad::of(*value) : Pad::of(Pad::row);
  }
  auto [at, isNew] = known.try_emplace({tile, axis}, std::nullopt);
  if (!isNew) {
    // A carried value that feeds on itself keeps nothing that is known.
    return at->second.value_or(Pad::of(Pad::poison));
  }
  auto argument = dyn_cast<BlockArgument>(tile);
  Pad pad = argument ? ofArgument(argument, axis)
                     : ofOp(tile.getDefiningOp(), cast<OpResult>(tile), axis);
  known[{tile, axis}] = pad;
  return pad;
}

Pad PadAnalysis::ofFeeds(ArrayRef<Value> sources, unsigned axis) {
  Pad pad = find(sources.front(), axis);
  for (Value source : sources.drop_front()) {
    pad = join(pad, find(source, axis));
  }
  return pad;
}

Pad PadAnalysis::ofArgument(BlockArgument argument, unsigned axis) {
  auto loop = dyn_cast<ForOp>(argument.getOwner()->getParentOp());
  Pad plain = otherwise(argument, axis);
  if (!loop || plain.kind != Pad::poison) {
    return plain;
  }
  unsigned i = argument.getArgNumber() - 1;
  return ofFeeds({loop.getInits()[i], loop.getBody().front().getTerminator()->getOperand(i)}, axis);
}

//===- memory -------------------------------------------------------------===//

/// What the fills of a buf leave in the cells that the read calls absent.
Pad PadAnalysis::ofRead(Operation *read, unsigned axis) {
  auto isAbsent = [&](const Presence &factors) {
    return llvm::any_of(factors,
                        [&](const PresenceFactor &factor) { return factor.isAlong(axis); });
  };
  if (!isAbsent(restated(presence, read))) {
    return Pad::of(Pad::data);
  }
  std::optional<Pad> all;
  for (const Definition &definition : writes.of(read)) {
    Pad pad = Pad::of(Pad::poison);
    if (definition.kind == Definition::write && !isAbsent(leftOut(presence, definition.op))) {
      auto copy = dyn_cast<CopyOp>(definition.op);
      auto write = dyn_cast<WriteOp>(definition.op);
      // A copy that fills zeroes what its own box calls absent, so that the slot is written whole.
      bool fills = copy && isAbsent(presence.ofBox(copy.getIndices(), copy.getWhole()));
      pad = TESSERA_MUTANT(117, "a copy that fills nothing fills zeros", fills, bool(copy))
                ? Pad::of(0.0)
            : write ? find(write.getValue(), axis)
                    : Pad::of(Pad::data);
    }
    all = all ? join(*all, pad) : pad;
  }
  return all.value_or(Pad::of(Pad::poison));
}

//===- elementwise --------------------------------------------------------===//

static std::optional<double> evaluate(Operation *op, ArrayRef<double> x) {
  return llvm::TypeSwitch<Operation *, std::optional<double>>(op)
      .Case<AddOp>([&](auto) { return x[0] + x[1]; })
      .Case<SubOp>([&](auto) { return x[0] - x[1]; })
      .Case<MulOp>([&](auto) { return x[0] * x[1]; })
      .Case<DivOp>([&](auto) { return x[0] / x[1]; })
      .Case<FmaOp>([&](auto) { return x[0] * x[1] + x[2]; })
      .Case<MaxOp>([&](auto) { return std::fmax(x[0], x[1]); })
      .Case<MinOp>([&](auto) { return std::fmin(x[0], x[1]); })
      .Case<NegOp>([&](auto) { return -x[0]; })
      .Case<AbsOp>([&](auto) { return std::fabs(x[0]); })
      .Case<ExpOp>([&](auto) { return std::exp(x[0]); })
      .Case<Exp2Op>([&](auto) { return std::exp2(x[0]); })
      .Case<SqrtOp>([&](auto) { return std::sqrt(x[0]); })
      .Case<CastOp>([&](auto) { return x[0]; })
      .Default([](Operation *) { return std::nullopt; });
}

/// Values that every float type holds, and that no rounding changes.
static bool isExact(double value) {
  return std::isinf(value) || value == 0 || value == 1 || value == -1;
}

/// Whether no element can be -inf: `select(m == -inf, c, m)`, repeated along axes.
static bool neverNegativeInfinity(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (isa<BroadcastOp, ExpandOp, SplatOp>(op)) {
      value = op->getOperand(0);
      continue;
    }
    auto select = dyn_cast<SelectOp>(op);
    auto cmp = select ? select.getCondition().getDefiningOp<CmpOp>() : CmpOp();
    if (!cmp || cmp.getPredicate() != CmpPredicate::eq || cmp.getLhs() != select.getB()) {
      return false;
    }
    auto constantUnder = [](Value at) {
      while (isa_and_nonnull<BroadcastOp, ExpandOp, SplatOp>(at.getDefiningOp())) {
        at = at.getDefiningOp()->getOperand(0);
      }
      return constantOf(at);
    };
    std::optional<double> limit = constantUnder(cmp.getRhs()),
                          instead = constantUnder(select.getA());
    return limit && *limit == -std::numeric_limits<double>::infinity() && instead &&
           std::isfinite(*instead);
  }
  return false;
}

Pad PadAnalysis::ofElementwise(Operation *op, unsigned axis) {
  SmallVector<Pad> pads;
  SmallVector<double> values;
  bool rowPoison = false, allConstant = true, allRow = true, anyPoison = false;
  for (Value operand : op->getOperands()) {
    Pad pad = find(operand, axis);
    pads.push_back(pad);
    values.push_back(pad.value);
    rowPoison |= pad.rowPoison;
    allConstant &= pad.kind == Pad::constant;
    allRow &= pad.kind == Pad::constant || pad.kind == Pad::row;
    anyPoison |= pad.kind == Pad::poison;
  }
  if (auto select = dyn_cast<SelectOp>(op)) {
    return join(pads[1], pads[2]);
  }
  if (TESSERA_MUTANT(115, "a product with a poison is none", anyPoison,
                     anyPoison && !allConstant && !isa<MulOp>(op))) {
    return Pad::of(Pad::poison);
  }
  if (allConstant) {
    std::optional<double> value = evaluate(op, values);
    return value && isExact(*value) ? Pad::of(*value, rowPoison) : Pad::of(Pad::poison);
  }
  double least = -std::numeric_limits<double>::infinity();
  if (isa<SubOp>(op) && pads[0].isConstant(least) && pads[1].kind == Pad::row &&
      TESSERA_MUTANT(116, "-inf minus anything is -inf", neverNegativeInfinity(op->getOperand(1)),
                     true)) {
    return Pad::of(least, /*rowPoison=*/true);
  }
  if (allRow && !rowPoison) {
    return Pad::of(Pad::row);
  }
  bool anyConstant = llvm::any_of(pads, [](const Pad &pad) { return pad.kind == Pad::constant; });
  bool isAbsent = otherwise(op->getResult(0), axis).kind == Pad::poison;
  return anyConstant && isAbsent ? Pad::of(Pad::poison) : Pad::of(Pad::data);
}

//===- shapes -------------------------------------------------------------===//

Pad PadAnalysis::ofShape(Operation *op, unsigned axis) {
  if (auto cast = dyn_cast<BroadcastOp>(op)) {
    bool isRepeated =
        cast.getX().getType().getDimSize(axis) != cast.getResult().getType().getDimSize(axis);
    Pad from = find(cast.getX(), axis);
    return isRepeated && from.kind != Pad::constant ? Pad::of(Pad::row) : from;
  }
  if (auto expand = dyn_cast<ExpandOp>(op)) {
    if (llvm::is_contained(expand.getAxes(), static_cast<int64_t>(axis)) ||
        !isa<RankedTensorType>(expand.getX().getType())) {
      std::optional<double> value = constantOf(expand.getX());
      return value ? Pad::of(*value) : Pad::of(Pad::row);
    }
    unsigned below = llvm::count_if(expand.getAxes(), [&](int64_t at) { return at < axis; });
    return find(expand.getX(), axis - below);
  }
  if (auto permute = dyn_cast<PermuteOp>(op)) {
    return find(permute.getX(), permute.getPermutation()[axis]);
  }
  auto squeeze = cast<SqueezeOp>(op);
  unsigned from = 0;
  for (unsigned left = 0;; ++from) {
    if (!llvm::is_contained(squeeze.getAxes(), static_cast<int64_t>(from)) && left++ == axis) {
      break;
    }
  }
  return find(squeeze.getX(), from);
}

Pad PadAnalysis::ofOp(Operation *op, OpResult result, unsigned axis) {
  unsigned i = result.getResultNumber();
  return llvm::TypeSwitch<Operation *, Pad>(op)
      .Case([&](ReadOp read) { return ofRead(read, axis); })
      .Case([&](ConstantOp) {
        std::optional<double> value = constantOf(result);
        return value ? Pad::of(*value) : Pad::of(Pad::data);
      })
      .Case([&](SplatOp splat) { return find(splat.getX(), axis); })
      .Case([&](FillAbsentOp fill) {
        // Lanes beyond the present part are absent in the operand, if it has any there.
        bool isAbsent = otherwise(fill.getX(), axis).kind == Pad::poison;
        return isAbsent ? find(fill.getFill(), axis) : find(fill.getX(), axis);
      })
      .Case([&](KeepIfOp keep) { return find(keep.getX(), axis); })
      .Case<BroadcastOp, ExpandOp, PermuteOp, SqueezeOp>(
          [&](Operation *shape) { return ofShape(shape, axis); })
      .Case<SectionOp, ApplyOp>([&](auto body) {
        return find(body.getBody().front().getTerminator()->getOperand(i), axis);
      })
      .Case([&](ForOp loop) {
        Pad plain = otherwise(result, axis);
        return plain.kind != Pad::poison
                   ? plain
                   : ofFeeds({loop.getInits()[i],
                              loop.getBody().front().getTerminator()->getOperand(i)},
                             axis);
      })
      .Case([&](scf::IfOp branch) {
        return ofFeeds({branch.thenYield().getOperand(i), branch.elseYield().getOperand(i)}, axis);
      })
      .Default([&](Operation *other) {
        bool isElementwise = other->hasTrait<ElementwiseRow>() || isa<CastOp, SelectOp>(other);
        return isElementwise ? ofElementwise(other, axis) : otherwise(result, axis);
      });
}

//===- needs --------------------------------------------------------------===//

namespace {
class PadCheck {
public:
  explicit PadCheck(Sealer &sealer)
      : sealer(sealer), presence(sealer.presence()), writes(sealer), pads(presence, writes) {}

  void run();

private:
  void checkMma(MmaOp op);
  void checkReduce(ReduceOp op);
  bool hasFactor(Value tile, int64_t axis);
  bool requireConstant(Operation *op, Value tile, unsigned axis, double wanted, StringRef operand,
                       StringRef axisName);
  void checkSpans(MmaOp op);

  Sealer &sealer;
  PresenceAnalysis presence;
  ReachingWrites writes;
  PadAnalysis pads;
};
} // namespace

bool PadCheck::hasFactor(Value tile, int64_t axis) {
  return llvm::any_of(presence.of(tile),
                      [&](const PresenceFactor &factor) { return factor.isAlong(axis); });
}

bool PadCheck::requireConstant(Operation *op, Value tile, unsigned axis, double wanted,
                               StringRef operand, StringRef axisName) {
  Pad pad = pads.along(tile, axis);
  bool severalAxes = llvm::any_of(presence.of(tile), [](auto &factor) { return factor.axis < 0; });
  std::string title = "pads of " + operand.str() + " of `" + nameOf(op) + "` (" + fileLine(op) +
                      ") along " + axisName.str();
  // A row of the right operand is no row of the result: NaN there spoils others.
  bool isWrongRow = pad.rowPoison && isa<MmaOp>(op) && axis == 0;
  if (TESSERA_MUTANT(112, "instructions find any pads", pad.isConstant(wanted), true) &&
      TESSERA_MUTANT(113, "a condition over several axes leaves pads", !severalAxes, true) &&
      !isWrongRow) {
    sealer.prove(SealKind::values, title, op);
    return true;
  }
  std::string needs = Pad::of(wanted).str();
  std::string holds = severalAxes  ? "what was there before a condition made it absent"
                      : isWrongRow ? "NaN where a column of the operand does"
                                   : pad.str();
  Operation *source = tile.getDefiningOp();
  sealer.refuse(SealKind::values, title,
                {SealDiag::seal_pads,
                 {nameOf(op), operand.str(), axisName.str()},
                 "absent lanes of " + operand.str() + " must hold " + needs + ", and hold " + holds,
                 "let the copy `fill zero`, or put `tile.fill_absent` before it",
                 "NaN in an absent lane: 0 * NaN is NaN"},
                op, source);
  return false;
}

/// Both operands are absent in the same part of k.
void PadCheck::checkSpans(MmaOp op) {
  std::vector<Fact> facts = sealer.model.factsAt(op);
  for (const PresenceFactor &a : presence.of(op.getA())) {
    for (const PresenceFactor &b : presence.of(op.getB())) {
      if (a.axis != 1 || b.axis != 0 || !a.span || !b.span) {
        continue;
      }
      SpanTerms mine = sealer.model.span(a.span), theirs = sealer.model.span(b.span);
      Expr x = mine.stop - mine.start - a.offset, y = theirs.stop - theirs.start - b.offset;
      std::string title =
          "operands of `" + nameOf(op) + "` (" + fileLine(op) + ") are absent in one part of k";
      sealer.conclude(SealKind::values, title,
                      sealer.ask(title, facts, solver::eq(x, y) || (x <= 0 && y <= 0)),
                      {SealDiag::seal_pad_spans,
                       {nameOf(op)},
                       "one span for the axis `k` of both operands",
                       "index both operands by the same span"},
                      op);
    }
  }
}

void PadCheck::checkMma(MmaOp op) {
  bool isAbsent = hasFactor(op.getA(), 1) || hasFactor(op.getB(), 0);
  if (!isAbsent) {
    return;
  }
  bool left = requireConstant(op, op.getA(), 1, 0, "its left operand", "k");
  bool right = requireConstant(op, op.getB(), 0, 0, "its right operand", "k");
  if (TESSERA_MUTANT(114, "operands may be absent in other parts", left && right, false)) {
    checkSpans(op);
  }
}

void PadCheck::checkReduce(ReduceOp op) {
  if (!hasFactor(op.getX(), op.getAxis())) {
    return;
  }
  double infinity = std::numeric_limits<double>::infinity();
  std::optional<double> neutral;
  switch (op.getKind()) {
  case ReduceKind::sum:
  case ReduceKind::absmax:
    neutral = 0;
    break;
  case ReduceKind::prod:
    neutral = 1;
    break;
  case ReduceKind::max:
  case ReduceKind::max_num:
    neutral = -infinity;
    break;
  case ReduceKind::min:
  case ReduceKind::min_num:
    neutral = infinity;
    break;
  default:
    break;
  }
  // Others have no neutral number that could stand for all their types: NaN is none, so they are refused.
  requireConstant(op, op.getX(), op.getAxis(),
                  neutral.value_or(std::numeric_limits<double>::quiet_NaN()), "its operand",
                  std::to_string(op.getAxis()));
}

void PadCheck::run() {
  sealer.kernel.getBody().walk([&](ApplyOp apply) {
    apply.getBody().walk([&](Operation *op) {
      if (auto mma = dyn_cast<MmaOp>(op)) {
        checkMma(mma);
      } else if (auto reduce = dyn_cast<ReduceOp>(op)) {
        checkReduce(reduce);
      }
    });
  });
}

void checkPads(Sealer &sealer) { PadCheck(sealer).run(); }

} // namespace tessera::sealing
