// The generators of array contents.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Check/Generators.h"

#include "tessera/Check/Random.h"
#include "tessera/Host/HostError.h"
#include "tessera/Numeric/Value.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

using namespace tessera;

namespace {
/// The bits of one element, in the low bytes.
struct Element {
  uint64_t bits = 0;
};

Element fromValue(DType dtype, double value) {
  Element element;
  // What nearly all arrays hold need not go through the general conversion.
  if (dtype == DType::f64) {
    std::memcpy(&element.bits, &value, sizeof value);
    return element;
  }
  if (dtype == DType::f32 && !std::isnan(value)) {
    auto rounded = static_cast<float>(value);
    std::memcpy(&element.bits, &rounded, sizeof rounded);
    return element;
  }
  // No generator gets here with a finite value beyond the range, so where there are infinities the mode does not matter.
  Overflow overflow = isFloat(dtype) && hasInfinity(dtype) ? Overflow::inf : Overflow::sat;
  fromDouble(dtype, value, Round::rne, overflow, &element.bits);
  return element;
}

/// Bits of the integer `value`, which must fit the type.
Element fromInteger(DType dtype, int64_t value) {
  Element element{static_cast<uint64_t>(value)};
  if (bitWidth(dtype) < 64) {
    element.bits &= (uint64_t(1) << bitWidth(dtype)) - 1;
  }
  return element;
}

Int128 leastInteger(DType dtype) {
  return isSigned(dtype) ? -(Int128(1) << (bitWidth(dtype) - 1)) : 0;
}
Int128 greatestInteger(DType dtype) {
  return (Int128(1) << (bitWidth(dtype) - (isSigned(dtype) ? 1 : 0))) - 1;
}

uint64_t significandBits(DType dtype) {
  switch (dtype) {
  case DType::bf16:
    return 7;
  case DType::f16:
    return 10;
  case DType::f32:
    return 23;
  case DType::f64:
    return 52;
  case DType::f8E4M3FN:
    return 3;
  default:
    return 2;
  }
}

uint64_t signBit(DType dtype) { return uint64_t(1) << (bitWidth(dtype) - 1); }

llvm::Error badValue(const Generator &generator, const TestValue &value, DType dtype,
                     llvm::StringRef why) {
  return hostError(HostDiag::gen_value, generator.str(), value.str(), name(dtype), why);
}

llvm::Expected<Element> floatArgument(const Generator &generator, const TestValue &value,
                                      DType dtype, double number) {
  if (std::isinf(number) && !hasInfinity(dtype)) {
    return badValue(generator, value, dtype, ", which has no infinity");
  }
  if (std::isfinite(number) && std::abs(number) > maxFinite(dtype)) {
    // Just above the largest value rounding may still lead back to it.
    Element rounded = fromValue(dtype, number);
    if (!hasInfinity(dtype) || std::isinf(toDouble(dtype, &rounded.bits))) {
      return badValue(generator, value, dtype, ", its range is exceeded");
    }
  }
  Element element = fromValue(dtype, number);
  if (number != 0 && toDouble(dtype, &element.bits) == 0) {
    return badValue(generator, value, dtype, ", it is too small");
  }
  return element;
}

/// The element a literal stands for. Integer literals must be exact, except as ends of a range.
llvm::Expected<Element> literalElement(const Generator &generator, const TestValue &value,
                                       DType dtype) {
  if (const bool *truth = value.getBool()) {
    return dtype == DType::i1 ? llvm::Expected<Element>(Element{*truth})
                              : badValue(generator, value, dtype, ", it is a bool");
  }
  const int64_t *integer = value.getInt();
  const double *number = value.getFloat();
  if (!integer && !number) {
    return hostError(HostDiag::gen_argument, generator.str(), "a number", value.str());
  }
  if (isFloat(dtype)) {
    llvm::Expected<Element> element =
        floatArgument(generator, value, dtype, integer ? static_cast<double>(*integer) : *number);
    bool mustBeExact = integer && generator.kind != GeneratorKind::ints;
    if (element && mustBeExact &&
        static_cast<Int128>(toDouble(dtype, &element->bits)) != *integer) {
      return badValue(generator, value, dtype, " exactly");
    }
    return element;
  }
  if (isBool(dtype)) {
    return badValue(generator, value, dtype, ", it is a number");
  }
  if (!integer) {
    return badValue(generator, value, dtype, ", it is no integer literal");
  }
  if (*integer < leastInteger(dtype) || *integer > greatestInteger(dtype)) {
    return badValue(generator, value, dtype, ", its range is exceeded");
  }
  return fromInteger(dtype, *integer);
}

/// Where elements of one generator come from: bits for a position in index order.
using ElementAt = llvm::function_ref<Element(uint64_t)>;

void fillBy(const HostArray &array, ElementAt elementAt) {
  uint64_t position = 0, size = array.elementBytes();
  array.layout().forEachRow([&](int64_t offset, int64_t stride, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      Element element = elementAt(position++);
      std::memcpy(array.atOffset(offset + i * stride), &element.bits, size);
    }
  });
}

Element normalElement(DType dtype, const Random &random, uint64_t seed, uint64_t position) {
  if (isFloat(dtype)) {
    return fromValue(dtype, normalAt(seed, position));
  }
  if (isBool(dtype)) {
    return {random.at(position) >> 63};
  }
  auto value = static_cast<int64_t>(4 * normalAt(seed, position));
  return fromInteger(dtype, isSigned(dtype) ? value : std::abs(value));
}

Element denormalElement(DType dtype, uint64_t bits, uint64_t position) {
  uint64_t greatest = (uint64_t(1) << significandBits(dtype)) - 1;
  uint64_t significand = 1 + Random::scale(mixBits(bits), greatest);
  // Both ends of the range appear early, so that small arrays have them.
  if (position % 8 < 2) {
    significand = position % 8 == 0 ? 1 : greatest;
  }
  return {significand | (bits & 1 ? signBit(dtype) : 0)};
}

Element hugeElement(DType dtype, uint64_t bits) {
  if (isFloat(dtype)) {
    double unit = static_cast<double>(bits >> 12) * 0x1p-52;
    double magnitude = maxFinite(dtype) / 8 * (1 + unit);
    return fromValue(dtype, bits & 1 ? -magnitude : magnitude);
  }
  auto quarter = static_cast<uint64_t>(greatestInteger(dtype) / 4);
  auto value =
      static_cast<int64_t>(quarter / 2 + Random::scale(mixBits(bits), quarter - quarter / 2 + 1));
  return fromInteger(dtype, isSigned(dtype) && bits & 1 ? -value : value);
}

/// Patterns that code treats specially.
std::vector<uint64_t> specialPatterns(DType dtype) {
  uint64_t sign = signBit(dtype);
  uint64_t ones = sign | (sign - 1);
  if (!isFloat(dtype)) {
    return {0, 1, ones, sign, sign - 1, sign + 1, ones - 1, 2};
  }
  uint64_t least = uint64_t(1) << significandBits(dtype);
  uint64_t infinity = (sign - 1) / least * least;
  std::vector<uint64_t> magnitudes = {
      0, 1, least - 1, least, infinity - 1, infinity, infinity + 1, sign - 1, infinity + least / 2};
  std::vector<uint64_t> patterns;
  for (uint64_t magnitude : magnitudes) {
    patterns.push_back(magnitude);
    patterns.push_back(magnitude | sign);
  }
  return patterns;
}

std::vector<uint64_t> shuffled(uint64_t count, Random random) {
  std::vector<uint64_t> order(count);
  for (uint64_t i = 0; i < count; ++i) {
    order[i] = i;
  }
  for (uint64_t left = count; left > 1; --left) {
    std::swap(order[left - 1], order[random.below(left)]);
  }
  return order;
}

void fillFull(const HostArray &array, uint64_t seed) {
  DType dtype = array.dtype();
  unsigned width = bitWidth(dtype);
  Random random(seed);
  if (width <= 16) {
    // Fewer elements than patterns take a random choice of them.
    std::vector<uint64_t> order = shuffled(uint64_t(1) << width, random);
    fillBy(array, [&](uint64_t position) { return Element{order[position % order.size()]}; });
    return;
  }
  std::vector<uint64_t> special = specialPatterns(dtype);
  fillBy(array, [&](uint64_t position) {
    if (position % 16 == 0) {
      return Element{special[(position / 16 + seed) % special.size()]};
    }
    return Element{random.at(position) >> (64 - width)};
  });
}

llvm::Error fillIntegers(const HostArray &array, const Generator &generator, uint64_t seed) {
  int64_t low = *generator.args[0].getInt(), high = *generator.args[1].getInt();
  if (!array.layout().hasElements()) {
    return llvm::Error::success();
  }
  if (low > high) {
    return hostError(HostDiag::gen_empty_range, generator.str());
  }
  DType dtype = array.dtype();
  Random random(seed);
  uint64_t width = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  fillBy(array, [&](uint64_t position) {
    uint64_t bits = random.at(position);
    uint64_t step = width == UINT64_MAX ? bits : Random::scale(bits, width + 1);
    auto value = static_cast<int64_t>(static_cast<uint64_t>(low) + step);
    if (isFloat(dtype)) {
      return fromValue(dtype, static_cast<double>(value));
    }
    return isBool(dtype) ? Element{static_cast<uint64_t>(value)} : fromInteger(dtype, value);
  });
  return llvm::Error::success();
}

/// Overwrites places of each row by +m and -m.
void placePairs(const HostArray &array, Element positive, Element negative, uint64_t seed) {
  uint64_t size = array.elementBytes(), rowNumber = 0;
  Random rows(deriveSeed(seed, "rows"));
  array.layout().forEachRow([&](int64_t offset, int64_t stride, int64_t count) {
    std::vector<uint64_t> order = shuffled(count, Random(rows.at(rowNumber++)));
    int64_t pairs = count < 2 ? 0 : std::max<int64_t>(1, count / 16);
    for (int64_t i = 0; i < 2 * pairs; ++i) {
      std::memcpy(array.atOffset(offset + static_cast<int64_t>(order[i]) * stride),
                  i % 2 ? &negative.bits : &positive.bits, size);
    }
  });
}

/// The element -v for the element v.
llvm::Expected<Element> negated(const Generator &generator, DType dtype) {
  TestValue value = generator.args[0];
  if (const int64_t *integer = value.getInt()) {
    value = *integer == std::numeric_limits<int64_t>::min()
                ? TestValue(-static_cast<double>(*integer))
                : TestValue(-*integer);
  } else if (const double *number = value.getFloat()) {
    value = TestValue(-*number);
  }
  return literalElement(generator, value, dtype);
}
} // namespace

double tessera::normalAt(uint64_t seed, uint64_t position) {
  // Twelve uniform numbers of 16 bits have variance 1 after the scaling; a finer one fills the low bits of the result.
  Random random(seed);
  int64_t sum = 0;
  for (unsigned word = 0; word < 3; ++word) {
    uint64_t bits = random.at(4 * position + word);
    sum += (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48);
  }
  double fine = static_cast<double>(random.at(4 * position + 3) >> 11) * 0x1p-53;
  return (static_cast<double>(sum - 6 * 65536) + (5.5 + fine)) * 0x1p-16;
}

llvm::Error tessera::checkGenerator(const Generator &generator, DType dtype) {
  switch (generator.kind) {
  case GeneratorKind::missing:
    return hostError(HostDiag::gen_missing);
  case GeneratorKind::denormal:
    return isFloat(dtype) ? llvm::Error::success()
                          : hostError(HostDiag::gen_dtype, generator.str(), name(dtype),
                                      "it has no denormals");
  case GeneratorKind::huge:
    return isBool(dtype) ? hostError(HostDiag::gen_dtype, generator.str(), name(dtype),
                                     "it has no large values")
                         : llvm::Error::success();
  case GeneratorKind::cancel:
    if (!isSigned(dtype)) {
      return hostError(HostDiag::gen_dtype, generator.str(), name(dtype),
                       "it has no negative values");
    }
    [[fallthrough]];
  case GeneratorKind::all:
  case GeneratorKind::one:
    return literalElement(generator, generator.args[0], dtype).takeError();
  case GeneratorKind::ints:
    for (const TestValue &arg : generator.args) {
      const int64_t *value = arg.getInt();
      if (!value) {
        return hostError(HostDiag::gen_argument, generator.str(), "an integer", arg.str());
      }
      if (isBool(dtype) && (*value < 0 || *value > 1)) {
        return badValue(generator, arg, dtype, ", its range is exceeded");
      }
      if (llvm::Error error = isBool(dtype) ? llvm::Error::success()
                                            : literalElement(generator, arg, dtype).takeError()) {
        return error;
      }
    }
    return llvm::Error::success();
  default:
    return llvm::Error::success();
  }
}

llvm::Error tessera::fillArray(const HostArray &array, const Generator &generator, uint64_t seed) {
  DType dtype = array.dtype();
  if (llvm::Error error = checkGenerator(generator, dtype)) {
    return error;
  }
  Random random(seed);
  auto fillNormal = [&] {
    fillBy(array, [&](uint64_t position) { return normalElement(dtype, random, seed, position); });
  };
  switch (generator.kind) {
  case GeneratorKind::missing:
    break;
  case GeneratorKind::normal:
    fillNormal();
    break;
  case GeneratorKind::zeros:
    fillBy(array, [](uint64_t) { return Element(); });
    break;
  case GeneratorKind::denormal:
    fillBy(array, [&](uint64_t position) {
      return denormalElement(dtype, random.at(position), position);
    });
    break;
  case GeneratorKind::huge:
    fillBy(array, [&](uint64_t position) { return hugeElement(dtype, random.at(position)); });
    break;
  case GeneratorKind::all: {
    Element value = *literalElement(generator, generator.args[0], dtype);
    fillBy(array, [&](uint64_t) { return value; });
    break;
  }
  case GeneratorKind::one: {
    Element value = *literalElement(generator, generator.args[0], dtype);
    uint64_t place = Random(deriveSeed(seed, "place")).below(array.numElements());
    fillBy(array, [&](uint64_t position) {
      return position == place ? value : normalElement(dtype, random, seed, position);
    });
    break;
  }
  case GeneratorKind::ints:
    return fillIntegers(array, generator, seed);
  case GeneratorKind::full:
    fillFull(array, seed);
    break;
  case GeneratorKind::cancel: {
    llvm::Expected<Element> negative = negated(generator, dtype);
    if (!negative) {
      return negative.takeError();
    }
    fillNormal();
    placePairs(array, *literalElement(generator, generator.args[0], dtype), *negative, seed);
    break;
  }
  }
  return llvm::Error::success();
}
