// Literals to values.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Frontend/Literals.h"

#include "tessera/Frontend/Lexer.h"

#include "llvm/ADT/APSInt.h"
#include "llvm/Support/Error.h"

using namespace tessera;
using llvm::APFloat;
using llvm::StringRef;

static std::string withoutUnderscores(StringRef text) {
  std::string digits;
  for (char c : text) {
    if (c != '_') {
      digits.push_back(c);
    }
  }
  return digits;
}

/// True for `0.0`, `0e5`, `0x0p3`.
static bool isZeroText(StringRef text) {
  bool isHex = text.starts_with_insensitive("0x");
  text = isHex ? text.drop_front(2) : text;
  StringRef digits =
      text.take_until([&](char c) { return isHex ? (c | 32) == 'p' : (c | 32) == 'e'; });
  return digits.find_first_not_of("0._") == StringRef::npos;
}

ConvertedFloat tessera::convertFloat(StringRef text, const llvm::fltSemantics &semantics) {
  if (text == "nan") {
    return {APFloat::getNaN(semantics)};
  }
  if (text == "inf") {
    // Formats without infinity: the caller sees an overflow instead of a silent NaN.
    bool has = APFloat::semanticsHasInf(semantics);
    return {has ? APFloat::getInf(semantics) : APFloat::getNaN(semantics), has, !has, false};
  }
  ConvertedFloat result{APFloat(semantics)};
  llvm::Expected<APFloat::opStatus> status =
      result.value.convertFromString(withoutUnderscores(text), APFloat::rmNearestTiesToEven);
  if (!status) {
    llvm::consumeError(status.takeError());
    return {APFloat::getNaN(semantics), false, false, false};
  }
  result.exact = *status == APFloat::opOK;
  result.overflow = !result.value.isFinite();
  result.underflow = result.value.isZero() && !isZeroText(text);
  return result;
}

ConvertedFloat tessera::convertInt(uint64_t value, const llvm::fltSemantics &semantics) {
  ConvertedFloat result{APFloat(semantics)};
  APFloat::opStatus status = result.value.convertFromAPInt(
      llvm::APInt(64, value), /*IsSigned=*/false, APFloat::rmNearestTiesToEven);
  result.exact = status == APFloat::opOK;
  result.overflow = !result.value.isFinite();
  return result;
}

bool tessera::floatAsInteger(StringRef text, uint64_t &value) {
  if (text == "nan" || text == "inf") {
    return false;
  }
  // Quadruple holds every 64-bit integer; a literal that it rounds is not one.
  ConvertedFloat wide = convertFloat(text, APFloat::IEEEquad());
  if (!wide.exact) {
    return false;
  }
  llvm::APSInt integer(64, /*isUnsigned=*/true);
  bool exact = false;
  if (wide.value.convertToInteger(integer, APFloat::rmTowardZero, &exact) != APFloat::opOK ||
      !exact) {
    return false;
  }
  value = integer.getZExtValue();
  return true;
}

std::string tessera::decodeString(StringRef token) {
  token.consume_front("\"");
  std::string value;
  for (size_t i = 0; i < token.size() && token[i] != '"'; ++i) {
    if (token[i] != '\\' || i + 1 >= token.size()) {
      value.push_back(token[i]);
      continue;
    }
    switch (char c = token[++i]) {
    case 'n':
      value.push_back('\n');
      break;
    case 't':
      value.push_back('\t');
      break;
    case 'r':
      value.push_back('\r');
      break;
    case '0':
      value.push_back('\0');
      break;
    case 'x': {
      unsigned byte = 0;
      if (!token.substr(i + 1, 2).getAsInteger(16, byte)) {
        value.push_back(static_cast<char>(byte));
      }
      i += 2;
      break;
    }
    default:
      value.push_back(c);
      break;
    }
  }
  return value;
}

uint64_t tessera::decodeInt(StringRef token, unsigned &base) {
  base = token.starts_with_insensitive("0x") ? 16 : token.starts_with_insensitive("0b") ? 2 : 10;
  std::string digits;
  for (char c : base == 10 ? token : token.drop_front(2)) {
    if (c != '_') {
      digits.push_back(c);
    }
  }
  uint64_t value = 0;
  return StringRef(digits).getAsInteger(base, value) ? 0 : value;
}
