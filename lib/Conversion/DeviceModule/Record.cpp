// What a launch checks and computes, from a kernel and its versions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Conversion/DeviceModule.h"
#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Schedule/LaunchFacts.h"
#include "tessera/Schedule/ScriptAST.h"
#include "tessera/Support/Mutants.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/AffineExpr.h"

#include <limits>

using namespace tessera;
using namespace tessera::convert;
using mlir::failed;
using mlir::failure;
using runtime::Expr;

//===- expressions --------------------------------------------------------===//

static std::optional<Expr> binary(Expr::Kind kind, std::optional<Expr> a, std::optional<Expr> b) {
  if (!a || !b) {
    return std::nullopt;
  }
  return Expr::make(kind, {std::move(*a), std::move(*b)});
}

static std::optional<Expr> ofAffine(mlir::AffineExpr expr) {
  if (auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(expr)) {
    return Expr::constant(constant.getValue());
  }
  if (auto symbol = llvm::dyn_cast<mlir::AffineSymbolExpr>(expr)) {
    return Expr::extent(symbol.getPosition());
  }
  auto both = llvm::dyn_cast<mlir::AffineBinaryOpExpr>(expr);
  if (!both) {
    return std::nullopt;
  }
  std::optional<Expr> a = ofAffine(both.getLHS()), b = ofAffine(both.getRHS());
  switch (expr.getKind()) {
  case mlir::AffineExprKind::Add:
    return binary(Expr::Kind::add, a, b);
  case mlir::AffineExprKind::Mul:
    return binary(Expr::Kind::mul, a, b);
  case mlir::AffineExprKind::FloorDiv:
    return binary(Expr::Kind::floordiv, a, b);
  case mlir::AffineExprKind::Mod:
    return binary(Expr::Kind::mod, a, b);
  default: { // ceil(a / b) = -(-a // b)
    if (!a || !b) {
      return std::nullopt;
    }
    Expr minus = Expr::make(Expr::Kind::neg, {*a});
    return Expr::make(Expr::Kind::neg, {Expr::make(Expr::Kind::floordiv, {minus, *b})});
  }
  }
}

static Expr::Kind kindOf(tile::CmpPredicate predicate) {
  switch (predicate) {
  case tile::CmpPredicate::eq:
    return Expr::Kind::eq;
  case tile::CmpPredicate::ne:
    return Expr::Kind::ne;
  case tile::CmpPredicate::lt:
    return Expr::Kind::lt;
  case tile::CmpPredicate::le:
    return Expr::Kind::le;
  case tile::CmpPredicate::gt:
    return Expr::Kind::gt;
  default:
    return Expr::Kind::ge;
  }
}

/// The same for floats.
static Expr::Kind realKindOf(tile::CmpPredicate predicate) {
  switch (predicate) {
  case tile::CmpPredicate::eq:
    return Expr::Kind::feq;
  case tile::CmpPredicate::ne:
    return Expr::Kind::fne;
  case tile::CmpPredicate::lt:
    return Expr::Kind::flt;
  case tile::CmpPredicate::le:
    return Expr::Kind::fle;
  case tile::CmpPredicate::gt:
    return Expr::Kind::fgt;
  default:
    return Expr::Kind::fge;
  }
}

/// A constant, with its sign; nothing where the value is none.
static std::optional<double> constantReal(mlir::Value value) {
  if (auto negated = value.getDefiningOp<tile::NegOp>()) {
    std::optional<double> x = constantReal(negated.getX());
    return x ? std::optional<double>(-*x) : std::nullopt;
  }
  auto constant = value.getDefiningOp<tile::ConstantOp>();
  auto number = constant ? llvm::dyn_cast<mlir::FloatAttr>(constant.getValue()) : nullptr;
  return number ? std::optional<double>(number.getValueAsDouble()) : std::nullopt;
}

/// A float scalar of a kernel as an operand of a comparison: an argument or a constant, also in a wider type, which holds the
/// same numbers. Arithmetic rounds, and is not computed by a launch.
static std::optional<Expr> ofReal(tile::KernelOp kernel, mlir::Value value) {
  if (std::optional<double> constant = constantReal(value)) {
    return Expr::realConstant(*constant);
  }
  if (auto cast = value.getDefiningOp<tile::CastOp>()) {
    auto from = llvm::dyn_cast<mlir::FloatType>(cast.getX().getType());
    auto to = llvm::dyn_cast<mlir::FloatType>(cast.getType());
    bool isWider =
        from && to &&
        llvm::APFloat::isRepresentableBy(from.getFloatSemantics(), to.getFloatSemantics());
    return isWider ? ofReal(kernel, cast.getX()) : std::nullopt;
  }
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
  bool isArgument = argument && argument.getOwner()->getParentOp() == kernel.getOperation() &&
                    llvm::isa<mlir::FloatType>(argument.getType());
  return isArgument ? std::optional<Expr>(Expr::real(argument.getArgNumber() - kernel.getExtents()))
                    : std::nullopt;
}

static std::optional<Expr> ofComparison(tile::KernelOp kernel, tile::CmpOp compare);

/// `isnan`, `isinf`, `isfinite` by comparisons: NaN differs from itself, and between the infinities lies what is finite.
static std::optional<Expr> ofFloatClass(tile::KernelOp kernel, mlir::Operation *op) {
  std::optional<Expr> x = ofReal(kernel, op->getOperand(0));
  if (!x) {
    return std::nullopt;
  }
  if (llvm::isa<tile::IsNanOp>(op)) {
    return Expr::make(Expr::Kind::fne, {*x, *x});
  }
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Expr low = Expr::realConstant(-infinity), high = Expr::realConstant(infinity);
  bool isFinite = llvm::isa<tile::IsFiniteOp>(op);
  auto [kind, both] = isFinite ? std::pair(Expr::Kind::flt, Expr::Kind::and_)
                               : std::pair(Expr::Kind::feq, Expr::Kind::or_);
  return Expr::make(both, {Expr::make(kind, {low, *x}), Expr::make(kind, {*x, high})});
}

/// A scalar of a kernel as an expression of the launch; nothing where it is none.
static std::optional<Expr> ofValue(tile::KernelOp kernel, mlir::Value value) {
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
    if (argument.getOwner()->getParentOp() != kernel.getOperation()) {
      return std::nullopt;
    }
    unsigned number = argument.getArgNumber();
    if (number < kernel.getExtents()) {
      return Expr::extent(number);
    }
    bool isInteger = argument.getType().isIntOrIndex() && !argument.getType().isInteger(1);
    return isInteger ? std::optional<Expr>(Expr::scalar(number - kernel.getExtents()))
                     : std::nullopt;
  }
  mlir::Operation *op = value.getDefiningOp();
  auto of = [&](unsigned operand) { return ofValue(kernel, op->getOperand(operand)); };
  auto two = [&](Expr::Kind kind) { return binary(kind, of(0), of(1)); };
  return llvm::TypeSwitch<mlir::Operation *, std::optional<Expr>>(op)
      .Case([&](tile::ConstantOp constant) -> std::optional<Expr> {
        auto number = llvm::dyn_cast<mlir::IntegerAttr>(constant.getValue());
        return number ? std::optional<Expr>(Expr::constant(number.getValue().getSExtValue()))
                      : std::nullopt;
      })
      .Case([&](tile::DimOp dim) -> std::optional<Expr> {
        auto view = llvm::dyn_cast<mlir::BlockArgument>(dim.getView());
        if (!view) {
          return std::nullopt;
        }
        return ofAffine(kernel.getShapeMap(view.getArgNumber()).getResult(dim.getAxis()));
      })
      .Case([&](tile::CmpOp compare) { return ofComparison(kernel, compare); })
      .Case<tile::IsNanOp, tile::IsInfOp, tile::IsFiniteOp>(
          [&](auto) { return ofFloatClass(kernel, op); })
      .Case<tile::AddOp>([&](auto) { return two(Expr::Kind::add); })
      .Case<tile::SubOp>([&](auto) { return two(Expr::Kind::sub); })
      .Case<tile::MulOp>([&](auto) { return two(Expr::Kind::mul); })
      .Case<tile::FloorDivOp>([&](auto) { return two(Expr::Kind::floordiv); })
      .Case<tile::ModOp>([&](auto) { return two(Expr::Kind::mod); })
      .Case<tile::MinOp>([&](auto) { return two(Expr::Kind::min); })
      .Case<tile::MaxOp>([&](auto) { return two(Expr::Kind::max); })
      .Case<tile::AndOp>([&](auto) { return two(Expr::Kind::and_); })
      .Case<tile::OrOp>([&](auto) { return two(Expr::Kind::or_); })
      .Case<tile::NegOp, tile::NotOp>([&](auto) -> std::optional<Expr> {
        std::optional<Expr> x = of(0);
        auto kind = llvm::isa<tile::NegOp>(op) ? Expr::Kind::neg : Expr::Kind::not_;
        return x ? std::optional<Expr>(Expr::make(kind, {*x})) : std::nullopt;
      })
      .Case<tile::SelectOp>([&](auto) -> std::optional<Expr> {
        std::optional<Expr> c = of(0), a = of(1), b = of(2);
        return c && a && b ? std::optional<Expr>(Expr::make(Expr::Kind::select, {*c, *a, *b}))
                           : std::nullopt;
      })
      // Integers of other widths hold the same number; that a cast can change it is seen by the kernel, too.
      .Case<tile::CastOp>([&](tile::CastOp cast) -> std::optional<Expr> {
        return cast.getX().getType().isInteger() && cast.getType().isInteger(64) ? of(0)
                                                                                 : std::nullopt;
      })
      .Default([](mlir::Operation *) { return std::nullopt; });
}

static std::optional<Expr> ofComparison(tile::KernelOp kernel, tile::CmpOp compare) {
  mlir::Value a = compare->getOperand(0), b = compare->getOperand(1);
  if (llvm::isa<mlir::FloatType>(a.getType())) {
    return binary(realKindOf(compare.getPredicate()), ofReal(kernel, a), ofReal(kernel, b));
  }
  return binary(kindOf(compare.getPredicate()), ofValue(kernel, a), ofValue(kernel, b));
}

//===- conditions of versions ---------------------------------------------===//

namespace {
/// `((N % 8) == 0) and aligned(x, 16)`
struct ConditionReader {
  mutable tile::KernelOp kernel;

  std::optional<Expr> name(llvm::StringRef text) const {
    int64_t number = kernel.findArgument(text);
    if (number < 0) {
      return std::nullopt;
    }
    return number < int64_t(kernel.getExtents()) ? Expr::extent(number)
                                                 : Expr::scalar(number - kernel.getExtents());
  }
  std::optional<Expr> read(const script::Expr &expr) const {
    if (const auto *number = llvm::dyn_cast<script::Int>(&expr)) {
      return Expr::constant(int64_t(number->value));
    }
    if (const auto *truth = llvm::dyn_cast<script::Bool>(&expr)) {
      return Expr::constant(truth->value);
    }
    if (std::string text = script::pathText(expr); !text.empty()) {
      return name(text);
    }
    if (const auto *call = llvm::dyn_cast<script::Call>(&expr)) {
      return aligned(*call);
    }
    if (const auto *one = llvm::dyn_cast<script::Unary>(&expr)) {
      std::optional<Expr> x = read(*one->operand);
      auto kind = one->op == script::UnaryOp::Not ? Expr::Kind::not_ : Expr::Kind::neg;
      return x ? std::optional<Expr>(Expr::make(kind, {*x})) : std::nullopt;
    }
    const auto *both = llvm::dyn_cast<script::Binary>(&expr);
    std::optional<Expr::Kind> kind = both ? kindOf(both->op) : std::nullopt;
    return kind ? binary(*kind, read(*both->lhs), read(*both->rhs)) : std::nullopt;
  }
  std::optional<Expr> aligned(const script::Call &call) const {
    if (script::pathText(*call.callee) != "aligned" || call.args.size() != 2) {
      return std::nullopt;
    }
    int64_t view = kernel.findArgument(script::pathText(*call.args[0].value));
    const auto *bytes = llvm::dyn_cast<script::Int>(call.args[1].value.get());
    if (view < int64_t(kernel.getExtents()) || !bytes) {
      return std::nullopt;
    }
    return Expr::aligned(view - kernel.getExtents(),
                         TESSERA_MUTANT(525, "every address is aligned", int64_t(bytes->value), 1));
  }
  static std::optional<Expr::Kind> kindOf(script::BinaryOp op) {
    using script::BinaryOp;
    switch (op) {
    case BinaryOp::Add:
      return Expr::Kind::add;
    case BinaryOp::Sub:
      return Expr::Kind::sub;
    case BinaryOp::Mul:
      return Expr::Kind::mul;
    case BinaryOp::FloorDiv:
      return Expr::Kind::floordiv;
    case BinaryOp::Mod:
      return Expr::Kind::mod;
    case BinaryOp::Eq:
      return Expr::Kind::eq;
    case BinaryOp::Ne:
      return Expr::Kind::ne;
    case BinaryOp::Lt:
      return Expr::Kind::lt;
    case BinaryOp::Le:
      return Expr::Kind::le;
    case BinaryOp::Gt:
      return Expr::Kind::gt;
    case BinaryOp::Ge:
      return Expr::Kind::ge;
    case BinaryOp::And:
      return TESSERA_MUTANT(526, "one of two conditions is enough", Expr::Kind::and_,
                            Expr::Kind::or_);
    case BinaryOp::Or:
      return Expr::Kind::or_;
    default:
      return std::nullopt;
    }
  }
};
} // namespace

//===- the record ---------------------------------------------------------===//

/// An extent from the sizes of arguments: the first axis that is the extent alone.
static std::optional<Expr> solved(tile::KernelOp kernel, unsigned extent) {
  for (unsigned i = kernel.getExtents(); i < kernel.getNumArguments(); ++i) {
    mlir::AffineMap map = kernel.getShapeMap(i);
    for (unsigned axis = 0; map && axis < map.getNumResults(); ++axis) {
      auto symbol = llvm::dyn_cast<mlir::AffineSymbolExpr>(map.getResult(axis));
      if (symbol && symbol.getPosition() == extent) {
        return Expr::size(i - kernel.getExtents(),
                          TESSERA_MUTANT(528, "extents are all those of the first axis", axis, 0));
      }
    }
  }
  return std::nullopt;
}

/// CTAs that take the tasks of a kernel: one for each multiprocessor of the greatest device that is meant. A smaller one
/// runs them in turns.
static constexpr int64_t mostTaskCtas = 132;

/// Points of a launch domain.
template <class Op> static std::optional<Expr> pointsOf(tile::KernelOp kernel, Op op) {
  Expr total = Expr::constant(1);
  for (auto [low, high, width] : llvm::zip(op.getLows(), op.getHighs(), op.getWidths())) {
    std::optional<Expr> lo = ofValue(kernel, low), hi = ofValue(kernel, high);
    if (!lo || !hi) {
      return std::nullopt;
    }
    int64_t step = std::max<int64_t>(width, 1);
    Expr length = Expr::make(Expr::Kind::max, {*hi - *lo, Expr::constant(0)});
    Expr minus = Expr::make(Expr::Kind::neg, {length});
    Expr ceil = Expr::make(Expr::Kind::neg,
                           {Expr::make(Expr::Kind::floordiv, {minus, Expr::constant(step)})});
    Expr steps = TESSERA_MUTANT(524, "the grid has no part of a step", ceil,
                                Expr::make(Expr::Kind::floordiv, {length, Expr::constant(step)}));
    total = total * steps;
  }
  return total;
}

/// What has to come from arrays and go to them at least once: every element, twice those that are read and written.
static Expr leastBytes(const runtime::LaunchRecord &record) {
  std::optional<Expr> total;
  for (const runtime::ArgumentRecord &argument : record.arguments) {
    if (!argument.isView) {
      continue;
    }
    int64_t times = argument.mode == runtime::Mode::inout ? 2 : 1;
    Expr bytes = Expr::constant(times * int64_t(runtime::dtypeBytes(argument.dtype)));
    for (const Expr &extent : argument.shape) {
      bytes = bytes * extent;
    }
    total = total ? *total + bytes : bytes;
  }
  return total.value_or(Expr::constant(0));
}

static std::optional<Expr> gridOf(tile::KernelOp kernel) {
  for (tile::GridOp grid : kernel.getBody().getOps<tile::GridOp>()) {
    return pointsOf(kernel, grid); // a kernel has one, or tasks
  }
  for (tile::TasksOp tasks : kernel.getBody().getOps<tile::TasksOp>()) {
    return binary(Expr::Kind::min, pointsOf(kernel, tasks), Expr::constant(mostTaskCtas));
  }
  return Expr::constant(1);
}

mlir::FailureOr<runtime::LaunchRecord>
convert::launchRecordOf(llvm::ArrayRef<tile::KernelOp> versions,
                        llvm::ArrayRef<LoweredKernel> lowered, llvm::StringRef target) {
  tile::KernelOp kernel = versions.back();
  runtime::LaunchRecord record;
  record.kernel = kernel.getSymName().str();
  record.target = target.str();
  for (unsigned i = 0; i < kernel.getExtents(); ++i) {
    std::optional<Expr> from = solved(kernel, i);
    if (!from) {
      kernel.emitError() << "extent `" << kernel.getArgName(i)
                         << "` is no axis of an argument by itself: a launch cannot tell it";
      return failure();
    }
    record.extents.push_back({kernel.getArgName(i).str(), *from});
  }
  for (unsigned i = kernel.getExtents(); i < kernel.getNumArguments(); ++i) {
    runtime::ArgumentRecord argument;
    argument.name = kernel.getArgName(i).str();
    auto view = llvm::dyn_cast<tile::ViewType>(kernel.getArgType(i));
    argument.isView = bool(view);
    argument.dtype = name(dtypeOf(view ? view.getElementType() : kernel.getArgType(i))).str();
    if (view) {
      argument.mode = static_cast<runtime::Mode>(view.getMode());
      for (mlir::AffineExpr expr : kernel.getShapeMap(i).getResults()) {
        std::optional<Expr> size = ofAffine(expr);
        if (!size) {
          kernel.emitError() << "a size of `" << argument.name << "` is no expression of a launch";
          return failure();
        }
        argument.shape.push_back(*size);
      }
    }
    record.arguments.push_back(std::move(argument));
  }
  for (tile::RequireOp require : kernel.getWhere().getOps<tile::RequireOp>()) {
    std::optional<Expr> condition = ofValue(kernel, require.getCondition());
    if (!condition) {
      require.emitWarning()
          << "a launch does not check this condition, which speaks of other things than extents, "
             "integers and comparisons of floats: the caller has to keep it";
      continue;
    }
    if (TESSERA_MUTANT(527, "conditions of a kernel are not checked", true, false)) {
      record.checks.push_back({*condition, require.getText().str()});
    }
  }
  for (auto [given, code] : llvm::zip(versions, lowered)) {
    tile::KernelOp each = given;
    runtime::VersionRecord version;
    version.symbol = code.symbol;
    version.threads = code.threads;
    version.sharedBytes =
        TESSERA_MUTANT(529, "a launch asks for no shared memory", code.sharedBytes, 0);
    std::optional<Expr> grid = gridOf(each);
    if (!grid) {
      each.emitError() << "the number of grid points is no expression of extents and integer "
                          "arguments: a launch cannot compute it";
      return failure();
    }
    version.grid = *grid;
    version.bytes = leastBytes(record);
    if (auto conditions = each->getAttrOfType<mlir::ArrayAttr>(schedule::versionWhenAttr)) {
      for (mlir::Attribute attr : conditions) {
        llvm::StringRef text = llvm::cast<mlir::StringAttr>(attr).getValue();
        schedule::Condition read = schedule::readCondition(text);
        std::optional<Expr> condition =
            read.expr ? ConditionReader{each}.read(*read.expr) : std::nullopt;
        if (!condition) {
          each.emitError() << "a launch cannot compute the condition `" << text << "`";
          return failure();
        }
        version.conditions.push_back({*condition, text.str()});
      }
    }
    record.versions.push_back(std::move(version));
  }
  return record;
}
