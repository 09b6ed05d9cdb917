//===- WriterKernel.cpp - header, conditions, body ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Writer.h"

using namespace mlir;

namespace tessera::source {

/// Arguments and arrays of the reference keep their names: they are what others know the kernel by.
bool Writer::claimNames() {
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
    if (!names.claim(kernel.getArgName(i))) {
      fail(kernel, "the argument name `" + kernel.getArgName(i) +
                       "` is taken or is no name of the language");
      return false;
    }
  }
  for (Attribute attribute : kernel.getReferenceNames()) {
    StringRef name = cast<StringAttr>(attribute).getValue();
    if (kernel.findArgument(name) < 0 && !names.claim(name)) {
      fail(kernel, "the array name `" + name + "` is taken or is no name of the language");
      return false;
    }
  }
  return true;
}

std::string Writer::affineText(AffineExpr expr) {
  std::function<Text(AffineExpr)> write = [&](AffineExpr expr) -> Text {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
      int64_t value = constant.getValue();
      return {std::to_string(value), value < 0 ? Minus : Primary};
    }
    if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
      return primary(kernel.getArgName(symbol.getPosition()));
    }
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!binary || expr.getKind() == AffineExprKind::CeilDiv) {
      return fail(kernel, "an extent is made of `+`, `*`, `floordiv` and `mod`");
    }
    StringRef op = expr.getKind() == AffineExprKind::Add   ? "+"
                   : expr.getKind() == AffineExprKind::Mul ? "*"
                   : expr.getKind() == AffineExprKind::Mod ? "%"
                                                           : "//";
    Prec prec = expr.getKind() == AffineExprKind::Add ? Sum : Product;
    return infix(op, prec, write(binary.getLHS()), write(binary.getRHS()));
  };
  return write(expr).whole();
}

/// An extent that no shape names would not exist when the text is read.
static bool namesExtent(tile::KernelOp kernel, unsigned extent) {
  for (unsigned i = kernel.getExtents(); i < kernel.getNumArguments(); ++i) {
    if (AffineMap map = kernel.getShapeMap(i); map && map.isFunctionOfSymbol(extent)) {
      return true;
    }
  }
  return false;
}

std::string Writer::header() {
  for (unsigned i = 0; i < kernel.getExtents(); ++i) {
    if (!namesExtent(kernel, i)) {
      fail(kernel, "no view's shape has the extent `" + kernel.getArgName(i) + "`");
    }
  }
  SmallVector<std::string> parameters;
  for (unsigned i = kernel.getExtents(); i < kernel.getNumArguments(); ++i) {
    std::string text = (kernel.getArgName(i) + ": ").str();
    auto view = dyn_cast<tile::ViewType>(kernel.getArgType(i));
    if (!view) {
      parameters.push_back(text + typeText(kernel.getArgType(i)));
      continue;
    }
    SmallVector<std::string> shape;
    for (AffineExpr extent : kernel.getShapeMap(i).getResults()) {
      shape.push_back(affineText(extent));
    }
    parameters.push_back(text + stringifyAccessMode(view.getMode()).str() + " view<[" +
                         llvm::join(shape, ", ") + "], " + typeText(view.getElementType()) + ">");
  }
  return ("kernel " + kernel.getSymName() + "(" + llvm::join(parameters, ", ") + ")\n").str();
}

void Writer::bindArguments(Region &region) {
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
    texts[region.getArgument(i)] = primary(kernel.getArgName(i));
  }
}

std::string Writer::where() {
  if (kernel.getWhere().empty()) {
    return "";
  }
  bindArguments(kernel.getWhere());
  inFormula = true;
  SmallVector<std::string> conditions;
  for (auto require : kernel.getWhere().getOps<tile::RequireOp>()) {
    Text text = use(require.getCondition());
    if (require.getCondition().getDefiningOp<tile::ConstantOp>()) {
      text = hidden(text);
    }
    conditions.push_back(text.whole());
  }
  inFormula = false;
  return conditions.empty() ? "" : "where " + llvm::join(conditions, ", ") + "\n";
}

std::string Writer::body() {
  if (kernel.getBody().empty()) {
    return "{\n}\n";
  }
  bindArguments(kernel.getBody());
  Scope scope;
  writeBlock(scope, kernel.getBody().front());
  flush(scope);
  return "{\n" + scope.out + "}\n";
}

/// What a schedule did has no words in a kernel: it is said by the schedule.
bool Writer::isAsWritten() {
  constexpr const char *reason =
      " is of a scheduled kernel, and a file holds kernels as they are written";
  for (StringRef name : {tile::warpsAttrName, tile::clusterAttrName, tile::rolesAttrName}) {
    if (kernel->hasAttr(name)) {
      fail(kernel, "`" + name + "`" + reason);
    }
  }
  kernel.walk([&](Operation *op) {
    if (tile::isScheduleOp(op) || op->hasAttr(tile::iterAttrName)) {
      fail(op, Twine("it") + reason);
    }
  });
  return !failed;
}

std::optional<std::string> Writer::run() {
  if (!isAsWritten() || !claimNames()) {
    return std::nullopt;
  }
  std::string text = header();
  text += where();
  if (kernel.getMath() != tile::MathMode::strict) {
    text += ("math " + stringifyMathMode(kernel.getMath()) + "\n").str();
  }
  text += reference();
  text += tolerance();
  text += body();
  return failed ? std::nullopt : std::optional<std::string>(functions + text);
}

} // namespace tessera::source
