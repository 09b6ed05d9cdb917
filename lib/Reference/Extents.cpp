// Solves extents from shapes and checks shapes against extents.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Reference/Extents.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "mlir/IR/AffineExpr.h"

using namespace tessera;
using mlir::AffineExpr;
using mlir::AffineExprKind;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

namespace {
/// How tightly a form binds: sums, then products, then names.
std::string format(AffineExpr expr, llvm::ArrayRef<std::string> extents, unsigned outer) {
  if (auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(expr)) {
    return std::to_string(constant.getValue());
  }
  if (auto symbol = llvm::dyn_cast<mlir::AffineSymbolExpr>(expr)) {
    return symbol.getPosition() < extents.size() ? extents[symbol.getPosition()] : "?";
  }
  auto binary = llvm::dyn_cast<mlir::AffineBinaryOpExpr>(expr);
  if (!binary) {
    return "?";
  }
  AffineExpr lhs = binary.getLHS(), rhs = binary.getRHS();
  const bool isSum = expr.getKind() == AffineExprKind::Add;
  const char *sign = " + ";
  switch (expr.getKind()) {
  case AffineExprKind::Mul:
    // The dialect's parser puts constants last; people write them first.
    if (llvm::isa<mlir::AffineConstantExpr>(rhs)) {
      std::swap(lhs, rhs);
    }
    sign = " * ";
    break;
  case AffineExprKind::FloorDiv:
    sign = " // ";
    break;
  case AffineExprKind::CeilDiv:
    sign = " ceildiv ";
    break;
  case AffineExprKind::Mod:
    sign = " % ";
    break;
  default:
    break;
  }
  std::string right = format(rhs, extents, isSum ? 1 : 2);
  auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(rhs);
  if (isSum && constant && constant.getValue() < 0) {
    sign = " - ";
    right = right.substr(1);
  }
  std::string text = format(lhs, extents, isSum ? 0 : 1) + sign + right;
  const unsigned level = isSum ? 0 : 1;
  return level < outer ? "(" + text + ")" : text;
}
} // namespace

std::string tessera::formatExtent(AffineExpr expr, llvm::ArrayRef<std::string> extents) {
  return format(expr, extents, 0);
}

//===----------------------------------------------------------------------===//
// Values of forms
//===----------------------------------------------------------------------===//

namespace {
using Known = std::vector<std::optional<int64_t>>;

int64_t floorDiv(int64_t a, int64_t b) {
  if (b == 0) {
    return 0;
  }
  if (b == -1) {
    return static_cast<int64_t>(0 - static_cast<uint64_t>(a));
  }
  const int64_t quotient = a / b;
  return a % b != 0 && ((a < 0) != (b < 0)) ? quotient - 1 : quotient;
}

/// As the language divides: x // 0 = 0, x % 0 = x.
int64_t floorMod(int64_t a, int64_t b) { return b == 0 ? a : b == -1 ? 0 : a - floorDiv(a, b) * b; }

/// Nothing if an extent is not known or a number exceeds 64 bits.
std::optional<int64_t> valueOf(AffineExpr expr, const Known &known) {
  if (auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(expr)) {
    return constant.getValue();
  }
  if (auto symbol = llvm::dyn_cast<mlir::AffineSymbolExpr>(expr)) {
    return symbol.getPosition() < known.size() ? known[symbol.getPosition()] : std::nullopt;
  }
  auto binary = llvm::dyn_cast<mlir::AffineBinaryOpExpr>(expr);
  if (!binary) {
    return std::nullopt;
  }
  std::optional<int64_t> a = valueOf(binary.getLHS(), known), b = valueOf(binary.getRHS(), known);
  if (!a || !b) {
    return std::nullopt;
  }
  int64_t result = 0;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return llvm::AddOverflow(*a, *b, result) ? std::nullopt : std::optional(result);
  case AffineExprKind::Mul:
    return llvm::MulOverflow(*a, *b, result) ? std::nullopt : std::optional(result);
  case AffineExprKind::FloorDiv:
    return floorDiv(*a, *b);
  case AffineExprKind::CeilDiv:
    return -floorDiv(-*a, *b);
  default:
    return floorMod(*a, *b);
  }
}

/// factor * unknown + rest.
struct Linear {
  int64_t factor = 0, rest = 0;
  unsigned unknown = 0;
};

/// The form as linear in its only unknown extent; nothing if it has several, or one that `//`, `%` or a product with
/// itself is over.
std::optional<Linear> linearIn(AffineExpr expr, const Known &known) {
  if (std::optional<int64_t> value = valueOf(expr, known)) {
    return Linear{0, *value, 0};
  }
  if (auto symbol = llvm::dyn_cast<mlir::AffineSymbolExpr>(expr)) {
    return Linear{1, 0, symbol.getPosition()};
  }
  auto binary = llvm::dyn_cast<mlir::AffineBinaryOpExpr>(expr);
  if (!binary || (expr.getKind() != AffineExprKind::Add && expr.getKind() != AffineExprKind::Mul)) {
    return std::nullopt;
  }
  std::optional<Linear> a = linearIn(binary.getLHS(), known), b = linearIn(binary.getRHS(), known);
  if (!a || !b) {
    return std::nullopt;
  }
  if (b->factor == 0) {
    std::swap(a, b);
  }
  Linear result{0, 0, b->unknown};
  if (expr.getKind() == AffineExprKind::Add) {
    const bool differ = a->factor != 0 && a->unknown != b->unknown;
    const bool wraps = llvm::AddOverflow(a->factor, b->factor, result.factor) ||
                       llvm::AddOverflow(a->rest, b->rest, result.rest);
    return differ || wraps ? std::nullopt : std::optional(result);
  }
  const bool wraps = llvm::MulOverflow(a->rest, b->factor, result.factor) ||
                     llvm::MulOverflow(a->rest, b->rest, result.rest);
  return a->factor != 0 || wraps ? std::nullopt : std::optional(result);
}

//===----------------------------------------------------------------------===//
// Solver
//===----------------------------------------------------------------------===//

class Solver {
public:
  explicit Solver(const LaunchShapes &launch)
      : launch(launch), known(launch.extents.size()), origin(known.size()) {}

  llvm::Expected<std::vector<int64_t>> run();

private:
  llvm::Error takeGiven();
  llvm::Error checkRanks() const;
  llvm::Error takeAxes(bool bareOnly, bool &progress);
  llvm::Error take(const ViewShape &view, unsigned axis, const Linear &form);
  llvm::Error checkAxes() const;
  llvm::Error reportUnbound() const;
  ValuesInForce values() const;
  std::string sourcesOf(AffineExpr expr) const;

  const LaunchShapes &launch;
  Known known;
  /// Where the value of an extent comes from: `axis 1 of `x``, `--set`.
  std::vector<std::string> origin;
};
} // namespace

ValuesInForce Solver::values() const {
  ValuesInForce result;
  for (auto [name, value] : llvm::zip(launch.extents, known)) {
    if (value) {
      result.emplace_back(name, std::to_string(*value));
    }
  }
  return result;
}

llvm::Error Solver::takeGiven() {
  for (const auto &[name, value] : launch.given) {
    auto found = llvm::find(launch.extents, name);
    if (found == launch.extents.end()) {
      return checkedError(ReferenceDiag::extent_unknown, launch.where, {},
                          launch.extents.empty()
                              ? "leave it out"
                              : "its extents are " + llvm::join(launch.extents, ", "),
                          launch.kernel, name);
    }
    const size_t position = found - launch.extents.begin();
    if (value < 0) {
      return checkedError(ReferenceDiag::extent_set_negative, launch.where, {},
                          "set it to 0 or more", name, value);
    }
    known[position] = value;
    origin[position] = "`--set`";
  }
  return llvm::Error::success();
}

llvm::Error Solver::checkRanks() const {
  for (const ViewShape &view : launch.views) {
    if (view.actual && view.actual->size() != view.map.getNumResults()) {
      return checkedError(ReferenceDiag::extent_rank, launch.where, {}, "reshape the array",
                          view.name, view.actual->size(), view.map.getNumResults());
    }
  }
  return llvm::Error::success();
}

llvm::Error Solver::take(const ViewShape &view, unsigned axis, const Linear &form) {
  const int64_t actual = (*view.actual)[axis];
  const std::string text = formatExtent(view.map.getResult(axis), launch.extents);
  const std::string &name = launch.extents[form.unknown];
  int64_t difference = 0;
  if (llvm::SubOverflow(actual, form.rest, difference) || difference % form.factor != 0) {
    return checkedError(ReferenceDiag::extent_not_multiple, launch.where, values(),
                        "give `" + view.name + "` a fitting extent", axis, view.name, actual, text,
                        name);
  }
  const int64_t value = difference / form.factor;
  if (value < 0) {
    return checkedError(ReferenceDiag::launch_extent_negative, launch.where, values(),
                        "give `" + view.name + "` a fitting extent", axis, view.name, actual, name,
                        value);
  }
  known[form.unknown] = value;
  origin[form.unknown] = "axis " + std::to_string(axis) + " of `" + view.name + "`";
  return llvm::Error::success();
}

llvm::Error Solver::takeAxes(bool bareOnly, bool &progress) {
  for (const ViewShape &view : launch.views) {
    if (!view.actual) {
      continue;
    }
    for (unsigned axis = 0; axis < view.map.getNumResults(); ++axis) {
      AffineExpr expr = view.map.getResult(axis);
      if (bareOnly && !llvm::isa<mlir::AffineSymbolExpr>(expr)) {
        continue;
      }
      std::optional<Linear> form = linearIn(expr, known);
      if (!form || form->factor == 0) {
        continue;
      }
      if (llvm::Error error = take(view, axis, *form)) {
        return error;
      }
      progress = true;
    }
  }
  return llvm::Error::success();
}

/// `N = 7 from axis 0 of `y``, for each extent of a form.
std::string Solver::sourcesOf(AffineExpr expr) const {
  std::vector<std::string> parts;
  for (unsigned i = 0; i < known.size(); ++i) {
    if (expr.isFunctionOfSymbol(i)) {
      parts.push_back(launch.extents[i] + " = " + std::to_string(*known[i]) + " comes from " +
                      origin[i]);
    }
  }
  return llvm::join(parts, ", ");
}

/// `2 * H = 8`; a constant is just itself.
static std::string describeExpected(std::string text, std::optional<int64_t> value) {
  const std::string number = value ? std::to_string(*value) : "a number beyond 64 bits";
  return text == number ? number : text + " = " + number;
}

llvm::Error Solver::checkAxes() const {
  for (const ViewShape &view : launch.views) {
    if (!view.actual) {
      continue;
    }
    for (unsigned axis = 0; axis < view.map.getNumResults(); ++axis) {
      AffineExpr expr = view.map.getResult(axis);
      std::optional<int64_t> expected = valueOf(expr, known);
      if (expected && *expected == (*view.actual)[axis]) {
        continue;
      }
      const std::string sources = sourcesOf(expr);
      return checkedError(ReferenceDiag::extent_conflict, launch.where, values(),
                          sources.empty() ? "give `" + view.name + "` this extent"
                                          : sources + "; give arguments that agree",
                          axis, view.name, (*view.actual)[axis],
                          describeExpected(formatExtent(expr, launch.extents), expected));
    }
  }
  return llvm::Error::success();
}

llvm::Error Solver::reportUnbound() const {
  std::vector<std::string> names, sets;
  for (auto [name, value] : llvm::zip(launch.extents, known)) {
    if (!value) {
      names.push_back("`" + name + "`");
      sets.push_back(name + "=…");
    }
  }
  if (names.empty()) {
    return llvm::Error::success();
  }
  return checkedError(ReferenceDiag::extent_unbound, launch.where, values(),
                      "give `--set " + llvm::join(sets, ",") + "`", names.size() == 1 ? "" : "s",
                      llvm::join(names, ", "));
}

llvm::Expected<std::vector<int64_t>> Solver::run() {
  if (llvm::Error error = takeGiven()) {
    return error;
  }
  if (llvm::Error error = checkRanks()) {
    return error;
  }
  bool progress = false;
  if (llvm::Error error = takeAxes(true, progress)) {
    return error;
  }
  do {
    progress = false;
    if (llvm::Error error = takeAxes(false, progress)) {
      return error;
    }
  } while (progress);
  if (llvm::Error error = reportUnbound()) {
    return error;
  }
  if (llvm::Error error = checkAxes()) {
    return error;
  }
  std::vector<int64_t> result;
  for (const std::optional<int64_t> &value : known) {
    result.push_back(*value);
  }
  return result;
}

llvm::Expected<std::vector<int64_t>> tessera::solveExtents(const LaunchShapes &launch) {
  return Solver(launch).run();
}

llvm::Expected<IndexVector> tessera::shapeOf(const ViewShape &view,
                                             llvm::ArrayRef<std::string> extents,
                                             llvm::ArrayRef<int64_t> values, DType dtype,
                                             mlir::Location where) {
  ValuesInForce inForce;
  for (auto [name, value] : llvm::zip(extents, values)) {
    inForce.emplace_back(name, std::to_string(value));
  }
  // What a 64-bit address space holds, with room for everything else.
  constexpr int64_t greatest = int64_t{1} << 46;
  const Known known(values.begin(), values.end());
  IndexVector shape;
  bool empty = false, huge = false;
  int64_t bytes = byteSize(dtype);
  for (unsigned axis = 0; axis < view.map.getNumResults(); ++axis) {
    AffineExpr expr = view.map.getResult(axis);
    const std::optional<int64_t> extent = valueOf(expr, known);
    if (extent && *extent < 0) {
      return checkedError(ReferenceDiag::launch_extent_negative, where, inForce,
                          "launch with extents that keep it at 0 or more", axis, view.name, *extent,
                          formatExtent(expr, extents), *extent);
    }
    huge |= !extent || (!huge && *extent != 0 && llvm::MulOverflow(bytes, *extent, bytes));
    empty |= extent && *extent == 0;
    shape.push_back(extent.value_or(0));
    huge |= !huge && bytes > greatest;
  }
  if (huge && !empty) {
    return checkedError(ReferenceDiag::extent_too_large, where, inForce, "use smaller extents",
                        view.name, greatest, greatest);
  }
  return shape;
}
