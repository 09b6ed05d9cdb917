// Divisors of index values and alignment of views.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Schedule/Alignment.h"

#include "tessera/Dialect/Tile/Structure.h"
#include "tessera/Schedule/LaunchFacts.h"
#include "tessera/Schedule/ScriptAST.h"
#include "tessera/Support/Mutants.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/IR/AffineExpr.h"

using namespace tessera;
using namespace tessera::schedule;
using mlir::Value;

static constexpr int64_t anything = int64_t(1) << 62;

/// The greatest power of two that divides it.
static int64_t powerIn(int64_t value) {
  return value == 0 ? anything : std::min(anything, int64_t(uint64_t(value) & -uint64_t(value)));
}

//===- what a launch has checked ------------------------------------------===//

namespace {
/// Collects `X % c == 0` and `aligned(x, b)` of a conjunction.
struct FactReader {
  llvm::StringMap<int64_t> &divisors, &aligned;

  void read(const script::Expr &expr) const {
    if (const auto *both = llvm::dyn_cast<script::Binary>(&expr)) {
      if (both->op == script::BinaryOp::And) {
        read(*both->lhs);
        read(*both->rhs);
      } else if (both->op == script::BinaryOp::Eq) {
        equal(*both->lhs, *both->rhs);
        equal(*both->rhs, *both->lhs);
      }
      return;
    }
    const auto *call = llvm::dyn_cast<script::Call>(&expr);
    if (!call || call->args.size() != 2 || script::pathText(*call->callee) != "aligned") {
      return;
    }
    std::string view = script::pathText(*call->args[0].value);
    const auto *bytes = llvm::dyn_cast<script::Int>(call->args[1].value.get());
    if (!view.empty() && bytes) {
      int64_t &least = aligned.try_emplace(view, 1).first->second;
      least = std::max(least, powerIn(int64_t(bytes->value)));
    }
  }
  void equal(const script::Expr &a, const script::Expr &b) const {
    const auto *zero = llvm::dyn_cast<script::Int>(&b);
    const auto *rest = llvm::dyn_cast<script::Binary>(&a);
    if (!zero || zero->value != 0 || !rest || rest->op != script::BinaryOp::Mod) {
      return;
    }
    std::string name = script::pathText(*rest->lhs);
    const auto *by = llvm::dyn_cast<script::Int>(rest->rhs.get());
    if (!name.empty() && by) {
      int64_t &least = divisors.try_emplace(name, 1).first->second;
      least = std::max(least, powerIn(int64_t(by->value)));
    }
  }
};
} // namespace

static std::optional<int64_t> constantOf(Value value) {
  auto constant = value.getDefiningOp<tile::ConstantOp>();
  auto number =
      constant ? llvm::dyn_cast<mlir::IntegerAttr>(constant.getValue()) : mlir::IntegerAttr();
  return number && value.getType().isInteger(64) ? std::optional<int64_t>(number.getInt())
                                                 : std::nullopt;
}

void Alignment::readWhere() {
  for (tile::RequireOp require : kernel.getWhere().getOps<tile::RequireOp>()) {
    auto compare = require.getCondition().getDefiningOp<tile::CmpOp>();
    if (!compare || compare.getPredicate() != tile::CmpPredicate::eq ||
        constantOf(compare.getRhs()) != 0) {
      continue;
    }
    auto rest = compare.getLhs().getDefiningOp<tile::ModOp>();
    auto name = rest ? llvm::dyn_cast<mlir::BlockArgument>(rest.getLhs()) : mlir::BlockArgument();
    std::optional<int64_t> by = rest ? constantOf(rest.getRhs()) : std::nullopt;
    if (name && by) {
      int64_t &least =
          divisors.try_emplace(kernel.getArgName(name.getArgNumber()), 1).first->second;
      least = std::max(least, powerIn(*by));
    }
  }
}

Alignment::Alignment(tile::KernelOp kernel) : kernel(kernel) {
  if (auto conditions = kernel->getAttrOfType<mlir::ArrayAttr>(versionWhenAttr)) {
    for (mlir::Attribute condition : conditions) {
      if (auto text = llvm::dyn_cast<mlir::StringAttr>(condition)) {
        // What is no condition gives no fact; the launch reports it.
        Condition condition = readCondition(text.getValue());
        if (condition.expr) {
          FactReader{divisors, aligned}.read(*condition.expr);
        }
      }
    }
  }
  if (!kernel.getWhere().empty()) {
    readWhere();
  }
}

//===- divisors -----------------------------------------------------------===//

int64_t Alignment::divisor(Value value) {
  auto found = known.find(value);
  if (found != known.end()) {
    return found->second;
  }
  known[value] = 1; // what depends on itself
  int64_t result = compute(value);
  known[value] = result;
  return result;
}

static int64_t product(int64_t a, int64_t b) { return a >= anything / b ? anything : a * b; }

int64_t Alignment::compute(Value value) {
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
    mlir::Operation *parent = argument.getOwner()->getParentOp();
    unsigned number = argument.getArgNumber();
    if (parent == kernel.getOperation()) {
      auto fact = divisors.find(kernel.getArgName(number));
      return fact == divisors.end() ? 1 : fact->second;
    }
    return 1; // the step of a loop over indices goes up by one
  }
  mlir::Operation *op = value.getDefiningOp();
  if (std::optional<int64_t> constant = constantOf(value)) {
    return powerIn(*constant);
  }
  auto of = [&](unsigned operand) { return divisor(op->getOperand(operand)); };
  return llvm::TypeSwitch<mlir::Operation *, int64_t>(op)
      .Case<tile::AddOp, tile::SubOp, tile::MinOp, tile::MaxOp>(
          [&](auto) { return std::min(of(0), of(1)); })
      .Case<tile::MulOp>([&](auto) { return product(of(0), of(1)); })
      .Case<tile::SelectOp>([&](auto) { return std::min(of(1), of(2)); })
      .Case<tile::SpanStartOp>([&](tile::SpanStartOp start) {
        Value span = start.getSpan();
        if (auto made = span.getDefiningOp<tile::SpanOp>()) {
          return divisor(made.getStart());
        }
        return spanDivisor(span);
      })
      .Case<tile::SpanStopOp>([&](tile::SpanStopOp stop) { return spanDivisor(stop.getSpan()); })
      .Case<tile::DimOp>([&](tile::DimOp dim) {
        auto type = llvm::cast<tile::ViewType>(dim.getView().getType());
        int64_t extent = type.getShape()[dim.getAxis()];
        return mlir::ShapedType::isDynamic(extent) ? 1 : powerIn(extent);
      })
      .Default([](mlir::Operation *) { return 1; });
}

/// First index, end and width of the range whose step an argument is.
static std::optional<std::tuple<Value, Value, int64_t>> rangeOf(Value span) {
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(span);
  if (!argument) {
    return std::nullopt;
  }
  unsigned number = argument.getArgNumber();
  mlir::Operation *parent = argument.getOwner()->getParentOp();
  if (auto loop = llvm::dyn_cast<tile::ForOp>(parent)) {
    return std::make_tuple(loop.getLo(), loop.getHi(), int64_t(loop.getWidth()));
  }
  if (auto grid = llvm::dyn_cast<tile::GridOp>(parent)) {
    return std::make_tuple(grid.getLows()[number], grid.getHighs()[number],
                           grid.getWidths()[number]);
  }
  if (auto tasks = llvm::dyn_cast<tile::TasksOp>(parent)) {
    return std::make_tuple(tasks.getLows()[number], tasks.getHighs()[number],
                           tasks.getWidths()[number]);
  }
  return std::nullopt;
}

int64_t Alignment::spanDivisor(Value span) {
  int64_t width = powerIn(llvm::cast<tile::SpanType>(span.getType()).getWidth());
  if (auto made = span.getDefiningOp<tile::SpanOp>()) {
    int64_t start = divisor(made.getStart());
    return TESSERA_MUTANT(402, "the end of a span may cut a vector",
                          std::min(start, divisor(made.getLimit())), start);
  }
  if (auto range = rangeOf(span)) {
    auto [lo, hi, step] = *range;
    return std::min({divisor(lo), divisor(hi), width});
  }
  return 1;
}

/// Whether a - b is a multiple of the width, seen from how a is written: `b + c * w`, `c * w` where b is 0. Null stands for 0.
static bool isMultipleAbove(Value a, Value b, int64_t width, Alignment &facts) {
  if (b && constantOf(b) == 0) {
    b = Value();
  }
  if (auto sum = a.getDefiningOp<tile::AddOp>()) {
    if (b) {
      return (sum.getLhs() == b && isMultipleAbove(sum.getRhs(), {}, width, facts)) ||
             (sum.getRhs() == b && isMultipleAbove(sum.getLhs(), {}, width, facts));
    }
    return isMultipleAbove(sum.getLhs(), {}, width, facts) &&
           isMultipleAbove(sum.getRhs(), {}, width, facts);
  }
  if (b) {
    return a == b;
  }
  if (std::optional<int64_t> constant = constantOf(a)) {
    return *constant % width == 0;
  }
  if (auto times = a.getDefiningOp<tile::MulOp>()) {
    std::optional<int64_t> left = constantOf(times.getLhs()), right = constantOf(times.getRhs());
    return (left && *left % width == 0) || (right && *right % width == 0);
  }
  return llvm::isPowerOf2_64(width) && facts.divisor(a) % width == 0;
}

/// Whether `a` is b + width * max(floor((end - b) / width), 0), which is not beyond the greater of the two.
static bool isFloorOf(Value a, Value end, Value b, int64_t width) {
  auto matches = [](Value value, Value wanted) {
    return value == wanted || (constantOf(value) && constantOf(value) == constantOf(wanted));
  };
  auto sum = a.getDefiningOp<tile::AddOp>();
  auto times = sum ? sum.getRhs().getDefiningOp<tile::MulOp>() : tile::MulOp();
  auto most = times ? times.getLhs().getDefiningOp<tile::MaxOp>() : tile::MaxOp();
  auto floor = most ? most.getLhs().getDefiningOp<tile::FloorDivOp>() : tile::FloorDivOp();
  auto length = floor ? floor.getLhs().getDefiningOp<tile::SubOp>() : tile::SubOp();
  return length && matches(sum.getLhs(), b) && constantOf(times.getRhs()) == width &&
         constantOf(most.getRhs()) == 0 && constantOf(floor.getRhs()) == width &&
         length.getLhs() == end && matches(length.getRhs(), b);
}

namespace {
/// The end of a range as the least of several: each is a multiple above the first index, or not below one that is.
class Ends {
public:
  Ends(Value hi, Value lo, int64_t width, Alignment &facts) : lo(lo), width(width), facts(facts) {
    all.push_back(hi);
    for (size_t i = 0; i < all.size(); ++i) {
      if (auto least = all[i].getDefiningOp<tile::MinOp>()) {
        all.append({least.getLhs(), least.getRhs()});
      }
    }
  }
  bool areWhole() const { return isWhole(all.front()); }

private:
  bool isWhole(Value end) const {
    if (isMultipleAbove(end, lo, width, facts) || llvm::any_of(all, [&](Value other) {
          return TESSERA_MUTANT(407, "the end of a loop is a cut before it",
                                isFloorOf(other, end, lo, width), other != end);
        })) {
      return true;
    }
    auto least = end.getDefiningOp<tile::MinOp>();
    return least && isWhole(least.getLhs()) && isWhole(least.getRhs());
  }

  Value lo;
  int64_t width;
  Alignment &facts;
  llvm::SmallVector<Value, 8> all;
};
} // namespace

bool Alignment::isWhole(Value span) {
  int64_t width = llvm::cast<tile::SpanType>(span.getType()).getWidth();
  auto range = rangeOf(span);
  if (!range) {
    return false;
  }
  auto [lo, hi, step] = *range;
  return step == width && TESSERA_MUTANT(403, "all spans of a loop are whole",
                                         Ends(hi, lo, width, *this).areWhole(), true);
}

//===- views --------------------------------------------------------------===//

static int64_t bytesOf(tile::ViewType type) {
  return std::max<int64_t>(type.getElementType().getIntOrFloatBitWidth() / 8, 1);
}

/// The view that another is a part or another shape of, and whether rows (last axes) of the two are the same or lie within each
/// other; null for an argument of the kernel, and for rows that are something else.
static Value rowsFrom(Value view) {
  mlir::Operation *op = view.getDefiningOp();
  return llvm::TypeSwitch<mlir::Operation *, Value>(op)
      .Case<tile::ViewGroupOp, tile::ViewSliceOp, tile::ViewSplitOp>(
          [](auto made) { return made.getView(); })
      .Case([](tile::ViewPermuteOp permute) {
        llvm::ArrayRef<int64_t> order = permute.getPermutation();
        return order.back() + 1 == int64_t(order.size()) ? permute.getView() : Value();
      })
      .Default([](mlir::Operation *) { return Value(); });
}

/// What divides an extent that a shape map has.
static int64_t divisorOf(mlir::AffineExpr extent, tile::KernelOp kernel, Alignment &facts) {
  if (auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(extent)) {
    return powerIn(constant.getValue());
  }
  if (auto symbol = llvm::dyn_cast<mlir::AffineSymbolExpr>(extent)) {
    return facts.divisor(kernel.getBody().getArgument(symbol.getPosition()));
  }
  auto both = llvm::cast<mlir::AffineBinaryOpExpr>(extent);
  auto left = [&] { return divisorOf(both.getLHS(), kernel, facts); };
  auto right = [&] { return divisorOf(both.getRHS(), kernel, facts); };
  switch (extent.getKind()) {
  case mlir::AffineExprKind::Add:
    return std::min(left(), right());
  case mlir::AffineExprKind::Mul:
    return product(left(), right());
  default:
    return 1;
  }
}

/// What divides the number of elements of a row.
static int64_t rowElements(Value view, tile::KernelOp kernel, Alignment &facts) {
  int64_t extent = llvm::cast<tile::ViewType>(view.getType()).getShape().back();
  if (!mlir::ShapedType::isDynamic(extent)) {
    return powerIn(extent);
  }
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(view)) {
    bool isOfKernel = argument.getOwner()->getParentOp() == kernel.getOperation();
    return isOfKernel ? divisorOf(kernel.getShapeMap(argument.getArgNumber()).getResults().back(),
                                  kernel, facts)
                      : 1;
  }
  auto split = view.getDefiningOp<tile::ViewSplitOp>();
  if (!split || int64_t(split.getAxis()) + 1 != split.getView().getType().getRank()) {
    return 1;
  }
  // Parts are equal: of the power of two in the whole they lack at most what their number has.
  int64_t parts = powerIn(int64_t(split.getParts().size()));
  return std::max<int64_t>(rowElements(split.getView(), kernel, facts) / parts, 1);
}

/// Where rows of a part begin in a row of the whole: elements of which all such places are multiples; `anything` where they begin
/// together.
int64_t Alignment::rowStart(Value view) {
  auto isLast = [](auto op) {
    return int64_t(op.getAxis()) + 1 == op.getView().getType().getRank();
  };
  return llvm::TypeSwitch<mlir::Operation *, int64_t>(view.getDefiningOp())
      .Case([&](tile::ViewGroupOp op) { return isLast(op) ? powerIn(op.getSize()) : anything; })
      .Case([&](tile::ViewSliceOp op) { return isLast(op) ? divisor(op.getLo()) : anything; })
      .Case([&](tile::ViewSplitOp op) {
        return !isLast(op) || view == op.getParts().front() ? anything
                                                            : rowElements(view, kernel, *this);
      })
      .Default([](mlir::Operation *) { return anything; });
}

int64_t Alignment::rowBytes(Value view) {
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(view)) {
    if (argument.getOwner()->getParentOp() != kernel.getOperation()) {
      return 1;
    }
    auto fact = aligned.find(kernel.getArgName(argument.getArgNumber()));
    return fact == aligned.end() ? 1 : fact->second;
  }
  Value whole = rowsFrom(view);
  if (!whole) {
    return 1;
  }
  int64_t start = product(rowStart(view), bytesOf(llvm::cast<tile::ViewType>(view.getType())));
  return std::min(rowBytes(whole), start);
}

bool Alignment::isContiguous(Value view) {
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(view)) {
    return argument.getOwner()->getParentOp() == kernel.getOperation() &&
           aligned.contains(kernel.getArgName(argument.getArgNumber()));
  }
  Value whole = rowsFrom(view);
  return whole && isContiguous(whole);
}

int64_t Alignment::vectorOf(Value view, mlir::ValueRange indices, llvm::ArrayRef<bool> whole,
                            int64_t run) {
  auto type = llvm::cast<tile::ViewType>(view.getType());
  int64_t bytes = bytesOf(type);
  if (!isContiguous(view)) {
    return 1;
  }
  int64_t row = rowBytes(view);
  int64_t most = std::min<int64_t>(
                     16, TESSERA_MUTANT(401, "vectors are wider than rows are aligned", row, 16)) /
                 bytes;
  if (whole.back()) {
    most = std::min(most, powerIn(type.getShape().back()));
  } else {
    Value last = indices.back();
    if (llvm::isa<tile::SpanType>(last.getType())) {
      most = std::min(most, spanDivisor(last));
    } else {
      return 1;
    }
  }
  return std::max<int64_t>(std::min(most, powerIn(run)), 1);
}
