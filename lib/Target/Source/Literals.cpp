//===- Literals.cpp - exact text of constants -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Literals.h"

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Frontend/Literals.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

namespace tessera::source {

std::string typeText(mlir::Type element) { return name(dtypeOf(element)).str(); }

std::string listText(llvm::ArrayRef<int64_t> numbers) {
  std::string text = "[";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(numbers, os);
  os << "]";
  return text;
}

std::string stringText(llvm::StringRef text) {
  std::string result = "\"";
  for (unsigned char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += static_cast<char>(c);
    } else if (c == '\n') {
      result += "\\n";
    } else if (c < 0x20 || c == 0x7f) {
      result += "\\x" + llvm::utohexstr(c, true, 2);
    } else {
      result += static_cast<char>(c);
    }
  }
  return result + "\"";
}

/// A magnitude with few digits as a decimal, every other as a hexadecimal float; both exact.
static std::string magnitudeText(double value) {
  double scaled = value * 64.0;
  std::string text;
  llvm::raw_string_ostream os(text);
  if (value == 0.0 || (value <= 1e6 && scaled == std::floor(scaled))) {
    os << llvm::format("%.6f", value);
    text.erase(text.find_last_not_of('0') + 1);
    return text.back() == '.' ? text + "0" : text;
  }
  os << llvm::format("%a", value);
  return text;
}

/// The value that the literal had before it was rounded to its type, if rounding gives these bits again.
static double valueBeforeRounding(tile::ConstantOp op, const llvm::APFloat &rounded) {
  llvm::APFloat value = rounded;
  bool lost = false;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &lost);
  auto exact = op->getAttrOfType<mlir::FloatAttr>("tile.exact");
  if (!exact || !exact.getType().isF64() || !exact.getValue().isFinite()) {
    return value.convertToDouble();
  }
  llvm::APFloat again = exact.getValue();
  again.convert(rounded.getSemantics(), llvm::APFloat::rmNearestTiesToEven, &lost);
  return again.bitwiseIsEqual(rounded) && !(again.isZero() && !exact.getValue().isZero())
             ? exact.getValue().convertToDouble()
             : value.convertToDouble();
}

static Text typed(Text text, mlir::Type type) {
  return {text.at(As) + " as " + typeText(type), As};
}

static Text floatLiteral(tile::ConstantOp op, mlir::FloatAttr attribute, LiteralType place) {
  llvm::APFloat value = attribute.getValue();
  mlir::Type type = attribute.getType();
  if (value.isNaN()) {
    // A payload or a sign is only in the bits.
    return primary("from_bits(" + typeText(type) + ", 0x" +
                   llvm::utohexstr(value.bitcastToAPInt().getZExtValue(), true) + ")");
  }
  llvm::APFloat magnitude = llvm::abs(value);
  std::string digits =
      value.isInfinity() ? "inf" : magnitudeText(std::fabs(valueBeforeRounding(op, value)));
  Text text = value.isNegative() ? Text{"-" + digits, Minus} : primary(digits);
  bool bare = place == LiteralType::FromPlace || (place == LiteralType::Settled && type.isF32());
  return bare ? text : typed(text, type);
}

static Text intLiteral(mlir::IntegerAttr attribute, LiteralType place) {
  mlir::Type type = attribute.getType();
  llvm::APInt value = attribute.getValue();
  if (type.isInteger(1)) {
    return primary(value.isZero() ? "false" : "true");
  }
  bool isSigned = tile::isSignedInteger(type);
  llvm::SmallString<24> digits;
  value.toString(digits, 10, isSigned);
  bool negative = isSigned && value.isNegative();
  Text text{digits.str().str(), negative ? Minus : Primary};
  bool bare = place == LiteralType::FromPlace || type.isSignlessInteger(64);
  return bare ? text : typed(text, type);
}

bool isBareNumber(tile::ConstantOp op) {
  if (auto attribute = llvm::dyn_cast<mlir::FloatAttr>(op.getValue())) {
    return !attribute.getValue().isNaN();
  }
  return !llvm::cast<mlir::IntegerAttr>(op.getValue()).getType().isInteger(1);
}

Text literal(tile::ConstantOp op, LiteralType place) {
  if (auto attribute = llvm::dyn_cast<mlir::FloatAttr>(op.getValue())) {
    return floatLiteral(op, attribute, place);
  }
  if (auto attribute = llvm::dyn_cast<mlir::IntegerAttr>(op.getValue())) {
    return intLiteral(attribute, place);
  }
  return primary("0");
}

} // namespace tessera::source
