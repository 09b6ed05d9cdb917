// Tiles of indices and conditions as terms at a point, and as sums.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TileTerms.h"

#include "tessera/Schedule/Comparison.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::SmallVector;
using solver::Expr;

//===-- Elements ---------------------------------------------------------------------------------------------------===//

/// The point of the operand that a point of the result takes its element from.
static std::optional<SmallVector<Expr>> pointBehind(mlir::Operation *op, SymbolicValues &values,
                                                    llvm::ArrayRef<Expr> point) {
  SmallVector<Expr> from(point.begin(), point.end());
  Expr zero = values.context().constant(0);
  if (auto broadcast = llvm::dyn_cast<tile::BroadcastOp>(op)) {
    for (auto [i, extent] : llvm::enumerate(broadcast.getX().getType().getShape())) {
      from[i] = extent == broadcast.getResult().getType().getDimSize(i) ? from[i] : zero;
    }
    return from;
  }
  if (auto expand = llvm::dyn_cast<tile::ExpandOp>(op)) {
    for (int64_t axis : llvm::reverse(expand.getAxes())) {
      from.erase(from.begin() + axis);
    }
    return from;
  }
  if (auto squeeze = llvm::dyn_cast<tile::SqueezeOp>(op)) {
    for (int64_t axis : squeeze.getAxes()) {
      from.insert(from.begin() + axis, zero);
    }
    return from;
  }
  if (auto permute = llvm::dyn_cast<tile::PermuteOp>(op)) {
    for (auto [i, axis] : llvm::enumerate(permute.getPermutation())) {
      from[axis] = point[i];
    }
    return from;
  }
  if (llvm::isa<tile::SplatOp>(op)) {
    return SmallVector<Expr>();
  }
  return std::nullopt;
}

static Expr combined(mlir::Operation *op, llvm::ArrayRef<Expr> x) {
  auto divisor = [&]() -> std::optional<solver::Int> {
    std::optional<solver::Int> by = x[1].constant();
    return by && *by > 0 ? by : std::nullopt;
  };
  return llvm::TypeSwitch<mlir::Operation *, Expr>(op)
      .Case([&](tile::AddOp) { return x[0] + x[1]; })
      .Case([&](tile::SubOp) { return x[0] - x[1]; })
      .Case([&](tile::MulOp) { return x[0] * x[1]; })
      .Case([&](tile::NegOp) { return -x[0]; })
      .Case([&](tile::MinOp) { return min(x[0], x[1]); })
      .Case([&](tile::MaxOp) { return max(x[0], x[1]); })
      .Case([&](tile::FloorDivOp) { return divisor() ? floorDiv(x[0], *divisor()) : Expr(); })
      .Case([&](tile::ModOp) { return divisor() ? mod(x[0], *divisor()) : Expr(); })
      .Case([&](tile::AndOp) { return x[0].isBool() ? x[0] && x[1] : Expr(); })
      .Case([&](tile::OrOp) { return x[0].isBool() ? x[0] || x[1] : Expr(); })
      .Case([&](tile::NotOp) { return x[0].isBool() ? !x[0] : Expr(); })
      .Case([&](tile::CmpOp cmp) { return compare(cmp.getPredicate(), x[0], x[1]); })
      .Case([&](tile::SelectOp) { return solver::select(x[0], x[1], x[2]); })
      .Default([](mlir::Operation *) { return Expr(); });
}

Expr schedule::elementAt(SymbolicValues &values, mlir::Value tile, llvm::ArrayRef<Expr> point) {
  mlir::Type element = tile::elementTypeOf(tile.getType());
  if (!element.isSignlessInteger(64) && !element.isSignlessInteger(1)) {
    return Expr();
  }
  if (!llvm::isa<mlir::RankedTensorType>(tile.getType())) {
    return values.value(tile);
  }
  mlir::Operation *op = tile.getDefiningOp();
  if (!op) {
    return Expr();
  }
  if (auto constant = llvm::dyn_cast<tile::ConstantOp>(op)) {
    auto number = llvm::dyn_cast<mlir::IntegerAttr>(constant.getValue());
    return !number                        ? Expr()
           : element.isSignlessInteger(1) ? values.context().boolean(!number.getValue().isZero())
                                          : values.context().constant(number.getInt());
  }
  if (auto index = llvm::dyn_cast<tile::SpanIndexOp>(op)) {
    return values.span(index.getSpan()).start + point[0];
  }
  if (llvm::isa<tile::IotaOp>(op)) {
    return point[0];
  }
  if (std::optional<SmallVector<Expr>> from = pointBehind(op, values, point)) {
    return elementAt(values, op->getOperand(0), *from);
  }
  SmallVector<Expr> operands;
  for (mlir::Value operand : op->getOperands()) {
    Expr value = elementAt(values, operand, point);
    if (value.isNull()) {
      return value;
    }
    operands.push_back(value);
  }
  return operands.empty() ? Expr() : combined(op, operands);
}

//===-- Sums -------------------------------------------------------------------------------------------------------===//

template <class Key>
static void addTo(SmallVector<std::pair<Key, int64_t>> &terms, const Key &key, int64_t factor) {
  for (auto &[known, coefficient] : terms) {
    if (known == key) {
      coefficient += factor;
      return;
    }
  }
  terms.push_back({key, factor});
}

void IndexSum::add(const IndexSum &other, int64_t factor) {
  for (const auto &[span, coefficient] : other.spans) {
    addTo(spans, span, coefficient * factor);
  }
  for (const auto &[scalar, coefficient] : other.scalars) {
    addTo(scalars, scalar, coefficient * factor);
  }
  // Two iotas are two axes, or one twice: kept apart, which is the wider range.
  for (const auto &[extent, coefficient] : other.counts) {
    counts.push_back({extent, coefficient * factor});
  }
  constant += other.constant * factor;
}

std::optional<IndexSum> schedule::indexSum(mlir::Value tile) {
  if (!tile::elementTypeOf(tile.getType()).isSignlessInteger(64)) {
    return std::nullopt;
  }
  IndexSum sum;
  mlir::Operation *op = tile.getDefiningOp();
  if (!op) {
    sum.scalars.push_back({tile, 1});
    return llvm::isa<mlir::RankedTensorType>(tile.getType()) ? std::nullopt : std::optional(sum);
  }
  auto both = [&](int64_t factor) -> std::optional<IndexSum> {
    std::optional<IndexSum> a = indexSum(op->getOperand(0)), b = indexSum(op->getOperand(1));
    if (!a || !b) {
      return std::nullopt;
    }
    a->add(*b, factor);
    return a;
  };
  std::optional<IndexSum> known =
      llvm::TypeSwitch<mlir::Operation *, std::optional<IndexSum>>(op)
          .Case([&](tile::ConstantOp constant) -> std::optional<IndexSum> {
            sum.constant = llvm::cast<mlir::IntegerAttr>(constant.getValue()).getInt();
            return sum;
          })
          .Case([&](tile::SpanIndexOp index) {
            sum.spans.push_back({index.getSpan(), 1});
            return sum;
          })
          .Case([&](tile::IotaOp iota) {
            sum.counts.push_back({iota.getResult().getType().getDimSize(0), 1});
            return sum;
          })
          .Case<tile::BroadcastOp, tile::ExpandOp, tile::SqueezeOp, tile::PermuteOp, tile::SplatOp>(
              [&](auto map) { return indexSum(map.getX()); })
          .Case([&](tile::AddOp) { return both(1); })
          .Case([&](tile::SubOp) { return both(-1); })
          .Case([&](tile::NegOp neg) -> std::optional<IndexSum> {
            std::optional<IndexSum> x = indexSum(neg.getX());
            if (x) {
              sum.add(*x, -1);
            }
            return x ? std::optional(sum) : std::nullopt;
          })
          .Case([&](tile::MulOp mul) -> std::optional<IndexSum> {
            std::optional<IndexSum> a = indexSum(mul.getLhs()), b = indexSum(mul.getRhs());
            auto isNumber = [](const IndexSum &x) {
              return x.spans.empty() && x.scalars.empty() && x.counts.empty();
            };
            if (!a || !b || (!isNumber(*a) && !isNumber(*b))) {
              return std::nullopt;
            }
            sum.add(isNumber(*b) ? *a : *b, isNumber(*b) ? b->constant : a->constant);
            return sum;
          })
          .Default([](mlir::Operation *) { return std::nullopt; });
  if (known || llvm::isa<mlir::RankedTensorType>(tile.getType())) {
    return known;
  }
  sum = IndexSum();
  sum.scalars.push_back({tile, 1});
  return sum;
}

std::optional<std::vector<IndexSum>> schedule::asUpperBounds(mlir::Value condition) {
  while (mlir::Operation *op = condition.getDefiningOp()) {
    if (!llvm::isa<tile::BroadcastOp, tile::ExpandOp, tile::SqueezeOp, tile::PermuteOp,
                   tile::SplatOp>(op)) {
      break;
    }
    condition = op->getOperand(0);
  }
  if (auto both = condition.getDefiningOp<tile::AndOp>()) {
    std::optional<std::vector<IndexSum>> a = asUpperBounds(both.getLhs());
    std::optional<std::vector<IndexSum>> b = asUpperBounds(both.getRhs());
    if (a && b) {
      a->insert(a->end(), b->begin(), b->end());
      return a;
    }
    return std::nullopt;
  }
  auto cmp = condition.getDefiningOp<tile::CmpOp>();
  if (!cmp) {
    return std::nullopt;
  }
  std::optional<IndexSum> left = indexSum(cmp.getLhs()), right = indexSum(cmp.getRhs());
  tile::CmpPredicate predicate = cmp.getPredicate();
  if (!left || !right || predicate == tile::CmpPredicate::eq ||
      predicate == tile::CmpPredicate::ne) {
    return std::nullopt;
  }
  bool isTurned = predicate == tile::CmpPredicate::gt || predicate == tile::CmpPredicate::ge;
  bool isStrict = predicate == tile::CmpPredicate::lt || predicate == tile::CmpPredicate::gt;
  IndexSum sum;
  sum.add(*left, isTurned ? -1 : 1);
  sum.add(*right, isTurned ? 1 : -1);
  sum.constant += isStrict ? 1 : 0;
  return std::vector<IndexSum>{sum};
}
