//===- Rounding.cpp - exact values and their rounding -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The general conversion in integer arithmetic, and the helpers of Value.h that rest on it.
//
//===----------------------------------------------------------------------===//

#include "Rounding.h"

#include "Formats.h"
#include "Kernels.h"

#include "tessera/Numeric/Value.h"

#include <cmath>

namespace tessera::numeric {

static uint64_t readBits(DType t, const void *element) {
  uint64_t bits = 0;
  std::memcpy(&bits, element, byteSize(t)); // little-endian
  return bits;
}

static void writeBits(DType t, uint64_t bits, void *element) {
  std::memcpy(element, &bits, byteSize(t));
}

static Unpacked unpackFloat(const FloatFormat &f, uint64_t bits) {
  Unpacked u;
  unsigned width = f.exponentBits + f.mantissaBits;
  uint64_t magnitude = bits & ((uint64_t(1) << width) - 1);
  u.negative = (bits >> width) & 1;
  if (f.inf != 0 && magnitude == f.inf) {
    u.kind = Unpacked::infinite;
    return u;
  }
  if (magnitude > f.max) {
    u.kind = Unpacked::nan;
    return u;
  }
  int biased = int(magnitude >> f.mantissaBits);
  uint64_t fraction = magnitude & ((uint64_t(1) << f.mantissaBits) - 1);
  u.magnitude = biased == 0 ? fraction : fraction | (uint64_t(1) << f.mantissaBits);
  u.exponent = (biased == 0 ? 1 : biased) - f.bias - int(f.mantissaBits);
  return u;
}

Unpacked unpack(DType t, const void *element) {
  uint64_t bits = readBits(t, element);
  if (isFloat(t)) {
    return unpackFloat(formatOf(t), bits);
  }
  Unpacked u;
  unsigned width = bitWidth(t);
  if (isSigned(t)) {
    int64_t value = int64_t(bits << (64 - width)) >> (64 - width);
    u.negative = value < 0;
    u.magnitude = u.negative ? uint64_t(0) - uint64_t(value) : uint64_t(value);
  } else {
    u.magnitude = bits;
  }
  return u;
}

Unpacked unpackDouble(double x) { return unpack(DType::f64, &x); }

/// magnitude / 2^drop as an integer, rounded. `drop` may exceed 64.
static uint64_t shiftRounded(uint64_t magnitude, unsigned drop, Round round, bool negative) {
  if (drop == 0 || magnitude == 0) {
    return magnitude;
  }
  uint64_t kept = drop < 64 ? magnitude >> drop : 0;
  uint64_t rest = drop < 64 ? magnitude & ((uint64_t(1) << drop) - 1) : magnitude;
  if (rest == 0) {
    return kept;
  }
  // Compare the rest with half of 2^drop.
  int side = -1;
  if (drop <= 64) {
    uint64_t half = uint64_t(1) << (drop - 1);
    side = rest < half ? -1 : rest > half ? 1 : 0;
  }
  bool up = false;
  switch (round) {
  case Round::rne:
    up = side > 0 || (side == 0 && (kept & 1));
    break;
  case Round::away:
    up = side >= 0;
    break;
  case Round::rz:
    break;
  case Round::ru:
    up = !negative;
    break;
  case Round::rd:
    up = negative;
    break;
  }
  return kept + (up ? 1 : 0);
}

/// Magnitude pattern of what a float cast gives beyond the range.
static uint64_t overflowPattern(const FloatFormat &f, Round round, Overflow overflow,
                                bool negative) {
  if (overflow == Overflow::sat) {
    return f.max;
  }
  if (overflow == Overflow::nan || f.inf == 0) {
    return f.nan;
  }
  bool towardsZero =
      round == Round::rz || (round == Round::ru && negative) || (round == Round::rd && !negative);
  return towardsZero ? f.max : f.inf;
}

static uint64_t packFloat(const FloatFormat &f, const Unpacked &v, Round round, Overflow overflow) {
  uint64_t sign = uint64_t(v.negative) << (f.exponentBits + f.mantissaBits);
  if (v.kind == Unpacked::nan) {
    return sign | f.nan;
  }
  if (v.kind == Unpacked::infinite) {
    return sign | (overflow == Overflow::sat ? f.max : f.inf != 0 ? f.inf : f.nan);
  }
  if (v.magnitude == 0) {
    return sign;
  }
  int top = 63 - __builtin_clzll(v.magnitude) + v.exponent; // |value| in [2^top, 2^(top+1))
  int least = 1 - f.bias - int(f.mantissaBits);             // exponent of the least denormal
  int last = std::max(top - int(f.mantissaBits), least);    // exponent of the last place kept
  uint64_t rounded;
  if (v.exponent >= last) {
    rounded = v.magnitude << (v.exponent - last); // fits: the top bit lands at most at mantissaBits
  } else {
    rounded = shiftRounded(v.magnitude, unsigned(last - v.exponent), round, v.negative);
  }
  // In a normal binade the hidden bit adds one to the exponent field; a carry does the same. Adding is enough.
  uint64_t pattern = (uint64_t(last - least) << f.mantissaBits) + rounded;
  if (pattern > f.max) {
    pattern = overflowPattern(f, round, overflow, v.negative);
  }
  return sign | pattern;
}

static uint64_t packInteger(DType t, const Unpacked &v, Round round, Overflow overflow) {
  unsigned width = bitWidth(t);
  uint64_t mask = width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
  uint64_t maxPositive = isSigned(t) ? mask >> 1 : mask;
  uint64_t maxNegative = isSigned(t) ? maxPositive + 1 : 0;
  uint64_t limit = v.negative ? maxNegative : maxPositive;
  uint64_t saturated = v.negative ? uint64_t(0) - limit : limit;
  if (v.kind == Unpacked::nan) {
    return 0;
  }
  if (v.kind == Unpacked::infinite) {
    return overflow == Overflow::wrap ? 0 : saturated & mask;
  }
  uint64_t rounded;
  bool beyond = false;
  if (v.exponent >= 0) {
    beyond = v.magnitude != 0 && (v.exponent >= 64 || v.exponent > __builtin_clzll(v.magnitude));
    rounded = v.exponent < 64 ? v.magnitude << v.exponent : 0;
  } else {
    rounded = shiftRounded(v.magnitude, unsigned(-v.exponent), round, v.negative);
  }
  if (overflow != Overflow::wrap && (beyond || rounded > limit)) {
    return saturated & mask;
  }
  return (v.negative ? uint64_t(0) - rounded : rounded) & mask;
}

void pack(DType t, const Unpacked &value, Round round, Overflow overflow, void *element) {
  if (t == DType::i1) {
    writeBits(t, value.kind != Unpacked::finite || value.magnitude != 0, element);
  } else if (isFloat(t)) {
    writeBits(t, packFloat(formatOf(t), value, round, overflow), element);
  } else {
    writeBits(t, packInteger(t, value, round, overflow), element);
  }
}

void generalCast(const CastKernel &self, const void *a, void *out, size_t n) {
  size_t from = byteSize(self.from), to = byteSize(self.to);
  const char *x = static_cast<const char *>(a);
  char *y = static_cast<char *>(out);
  // A same-type cast is a copy; NaN payloads stay. Else every exact cast ignores its modes.
  Overflow overflow = castIsExact(self.from, self.to) ? Overflow::inf : self.overflow;
  for (size_t i = 0; i < n; ++i) {
    pack(self.to, unpack(self.from, x + i * from), self.round, overflow, y + i * to);
  }
}

} // namespace tessera::numeric

namespace tessera {

using namespace numeric;

double toDouble(DType t, const void *element) {
  switch (t) {
  case DType::i64:
    return double(*static_cast<const int64_t *>(element));
  case DType::ui64:
    return double(*static_cast<const uint64_t *>(element));
  case DType::f64:
    return *static_cast<const double *>(element);
  default:
    break;
  }
  Unpacked u = unpack(t, element);
  double r = u.kind == Unpacked::nan        ? std::numeric_limits<double>::quiet_NaN()
             : u.kind == Unpacked::infinite ? std::numeric_limits<double>::infinity()
                                            : std::ldexp(double(u.magnitude), u.exponent);
  return u.negative ? -r : r;
}

bool fromDouble(DType t, double value, Round round, Overflow overflow, void *element) {
  if (!castAccepts(DType::f64, t, overflow)) {
    return false;
  }
  pack(t, unpackDouble(value), round, overflow, element);
  return true;
}

double maxFinite(DType t) {
  if (isFloat(t)) {
    uint64_t bits = formatOf(t).max;
    return toDouble(t, &bits);
  }
  return t == DType::i1 ? 1.0
                        : std::ldexp(1.0, int(bitWidth(t)) - (isSigned(t) ? 1 : 0)) -
                              (bitWidth(t) < 64 ? 1 : 0);
}

double minPositive(DType t) {
  uint64_t bits = 1;
  return isFloat(t) ? toDouble(t, &bits) : 1.0;
}

bool hasInfinity(DType t) { return isFloat(t) && formatOf(t).inf != 0; }

bool isNaNElement(DType t, const void *element) {
  return isFloat(t) && unpack(t, element).kind == Unpacked::nan;
}

double ulp(DType t, double x) {
  FloatFormat f = formatOf(t);
  int least = 1 - f.bias - int(f.mantissaBits);
  double a = std::fabs(x);
  if (!(a > 0)) {
    return std::ldexp(1.0, least);
  }
  int top = std::isinf(a) ? f.bias : std::min(std::ilogb(a), std::ilogb(maxFinite(t)));
  return std::ldexp(1.0, std::max(top - int(f.mantissaBits), least));
}

/// One step up the number line.
static void step(DType t, const void *element, void *out, bool up) {
  uint64_t bits = readBits(t, element);
  if (!isFloat(t)) {
    uint64_t mask = bitWidth(t) == 64 ? ~uint64_t(0) : (uint64_t(1) << bitWidth(t)) - 1;
    uint64_t last = up ? (isSigned(t) ? mask >> 1 : mask) : (isSigned(t) ? (mask >> 1) + 1 : 0);
    writeBits(t, bits == last ? bits : (up ? bits + 1 : bits - 1) & mask, out);
    return;
  }
  FloatFormat f = formatOf(t);
  uint64_t signBit = uint64_t(1) << (f.exponentBits + f.mantissaBits);
  uint64_t magnitude = bits & (signBit - 1), sign = bits & signBit;
  uint64_t end = f.inf ? f.inf : f.max;
  if (magnitude <= end) {
    if (magnitude == 0) {
      magnitude = 1;
      sign = up ? 0 : signBit;
    } else if ((sign == 0) == up) {
      magnitude = magnitude == end ? end : magnitude + 1;
    } else {
      magnitude -= 1;
    }
  }
  writeBits(t, sign | magnitude, out);
}

void nextUp(DType t, const void *element, void *out) { step(t, element, out, true); }
void nextDown(DType t, const void *element, void *out) { step(t, element, out, false); }

bool sameElement(DType t, const void *a, const void *b) {
  return std::memcmp(a, b, byteSize(t)) == 0 || (isNaNElement(t, a) && isNaNElement(t, b));
}

} // namespace tessera
