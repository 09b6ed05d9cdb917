// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scalars.h"

#include "tessera/Numeric/Value.h"
#include "tessera/Runner/RunnerError.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"

#include <cstring>

using namespace tessera;

namespace {
const llvm::fltSemantics &semanticsOf(DType dtype) {
  switch (dtype) {
  case DType::bf16:
    return llvm::APFloat::BFloat();
  case DType::f16:
    return llvm::APFloat::IEEEhalf();
  case DType::f32:
    return llvm::APFloat::IEEEsingle();
  case DType::f8E4M3FN:
    return llvm::APFloat::Float8E4M3FN();
  case DType::f8E5M2:
    return llvm::APFloat::Float8E5M2();
  default:
    return llvm::APFloat::IEEEdouble();
  }
}

ScalarBytes bytesOf(uint64_t bits) {
  ScalarBytes bytes{};
  std::memcpy(bytes.data(), &bits, sizeof(bits));
  return bytes;
}

/// Without the underscores between digits; nothing if one stands elsewhere.
std::optional<std::string> withoutUnderscores(llvm::StringRef text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      result += text[i];
    } else if (i == 0 || i + 1 == text.size() || !llvm::isHexDigit(text[i - 1]) ||
               !llvm::isHexDigit(text[i + 1])) {
      return std::nullopt;
    }
  }
  return result;
}

llvm::Error noLiteral(DType dtype, llvm::StringRef text, llvm::StringRef argument) {
  const char *example = isBool(dtype)    ? "write `true` or `false`"
                        : isFloat(dtype) ? "write a number such as `0.125`"
                                         : "write a whole number such as `12`";
  return runnerError(RunnerDiag::argument_literal, example, argument, "a scalar of " + name(dtype),
                     text);
}

llvm::Expected<ScalarBytes> parseInteger(DType dtype, llvm::StringRef text, llvm::StringRef digits,
                                         llvm::StringRef argument) {
  const bool negative = digits.consume_front("-");
  if (!negative) {
    digits.consume_front("+");
  }
  llvm::APInt magnitude;
  if (digits.empty() || !llvm::isDigit(digits.front()) || digits.getAsInteger(0, magnitude)) {
    return noLiteral(dtype, text, argument);
  }
  const unsigned width = bitWidth(dtype);
  magnitude = magnitude.zext(std::max(magnitude.getBitWidth(), width) + 1);
  const llvm::APInt value = negative ? -magnitude : magnitude;
  const bool fits =
      isSigned(dtype) ? value.isSignedIntN(width) : !value.isNegative() && value.isIntN(width);
  if (!fits) {
    return runnerError(RunnerDiag::argument_range, "use a value of the type", argument, name(dtype),
                       text, "it is out of range");
  }
  return bytesOf(value.trunc(width).getZExtValue());
}

llvm::Expected<ScalarBytes> parseFloat(DType dtype, llvm::StringRef text, llvm::StringRef digits,
                                       llvm::StringRef argument) {
  const llvm::StringRef magnitude = digits.ltrim("+-");
  const bool isWord = magnitude == "inf" || magnitude == "nan";
  if (!isWord && (magnitude.empty() || !llvm::isDigit(magnitude.front()) ||
                  digits.size() > magnitude.size() + 1)) {
    return noLiteral(dtype, text, argument);
  }
  llvm::APFloat value(semanticsOf(dtype));
  std::string full = digits.str();
  if (!isWord && magnitude.starts_with_insensitive("0x") &&
      magnitude.find_first_of("pP") == llvm::StringRef::npos) {
    full += "p0";
  }
  if (!isWord && !llvm::isDigit(full.back())) {
    return noLiteral(dtype, text, argument);
  }
  llvm::Expected<llvm::APFloat::opStatus> status =
      value.convertFromString(full, llvm::APFloat::rmNearestTiesToEven);
  if (!status) {
    llvm::consumeError(status.takeError());
    return noLiteral(dtype, text, argument);
  }
  const bool lost = (*status & llvm::APFloat::opOverflow) ||
                    (value.isZero() && (*status & llvm::APFloat::opInexact)) ||
                    (magnitude == "inf" && !value.isInfinity());
  if (lost) {
    return runnerError(RunnerDiag::argument_range, "use a value of the type", argument, name(dtype),
                       text,
                       value.isZero() ? "it would become zero" : "it would not stay what it is");
  }
  return bytesOf(value.bitcastToAPInt().getZExtValue());
}
} // namespace

llvm::Expected<ScalarBytes> tessera::parseScalar(DType dtype, llvm::StringRef text,
                                                 llvm::StringRef argument) {
  std::optional<std::string> digits = withoutUnderscores(text.trim());
  if (!digits) {
    return noLiteral(dtype, text, argument);
  }
  if (isBool(dtype)) {
    if (*digits != "true" && *digits != "false") {
      return noLiteral(dtype, text, argument);
    }
    return bytesOf(*digits == "true");
  }
  return isFloat(dtype) ? parseFloat(dtype, text, *digits, argument)
                        : parseInteger(dtype, text, *digits, argument);
}

std::string tessera::formatScalar(DType dtype, const void *element) {
  if (isBool(dtype)) {
    return *static_cast<const uint8_t *>(element) ? "true" : "false";
  }
  uint64_t bits = 0;
  std::memcpy(&bits, element, byteSize(dtype));
  if (isInteger(dtype)) {
    return llvm::toString(llvm::APInt(bitWidth(dtype), bits), 10, isSigned(dtype));
  }
  llvm::SmallString<32> text;
  llvm::APFloat(semanticsOf(dtype), llvm::APInt(bitWidth(dtype), bits)).toString(text);
  return text.str().str();
}
