// Operands for the tests of scalars, and what the exact system gives for them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScalarTesting.h"

#include "tessera/Check/Random.h"
#include "tessera/Numeric/NumberSystem.h"

#include <cmath>
#include <cstring>

using namespace tessera;
using namespace tessera::testing;

uint64_t Elements::pattern(size_t i) const {
  uint64_t word = 0;
  std::memcpy(&word, at(i), byteSize(type));
  return word;
}

void Elements::push(uint64_t pattern) {
  auto *from = reinterpret_cast<const unsigned char *>(&pattern);
  bytes.insert(bytes.end(), from, from + byteSize(type));
}

static uint64_t maskOf(DType type) {
  return bitWidth(type) == 64 ? ~uint64_t(0) : (uint64_t(1) << bitWidth(type)) - 1;
}

/// Fields of a float's pattern, from the definition of the formats.
static unsigned mantissaBits(DType type) {
  switch (type) {
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

static std::vector<uint64_t> floatSpecials(DType type) {
  unsigned m = mantissaBits(type), width = bitWidth(type);
  uint64_t sign = uint64_t(1) << (width - 1), ulp = 1, hidden = uint64_t(1) << m;
  uint64_t exponents = (sign - 1) >> m, one = (exponents >> 1) << m;
  std::vector<uint64_t> magnitudes = {0,
                                      ulp,
                                      2 * ulp,
                                      hidden - 1, // the greatest denormal
                                      hidden,     // the least normal
                                      hidden + 1,
                                      one - 1,
                                      one,
                                      one + 1,
                                      one + hidden / 2, // 1.5
                                      one - hidden,     // 0.5
                                      one - hidden + 1,
                                      one + hidden,                  // 2
                                      one + hidden + hidden / 2,     // 3
                                      one + 2 * hidden + hidden / 4, // 5
                                      (exponents << m) -
                                          1, // the greatest finite one, where there are infinities
                                      (exponents << m) - hidden,
                                      exponents << m,                   // infinity
                                      (exponents << m) | (hidden >> 1), // quiet NaN
                                      (exponents << m) | 1,             // signalling NaN
                                      sign - 1};
  std::vector<uint64_t> all;
  for (uint64_t magnitude : magnitudes) {
    all.push_back(magnitude);
    all.push_back(magnitude | sign);
  }
  return all;
}

std::vector<uint64_t> testing::specials(DType type) {
  if (isBool(type)) {
    return {0, 1};
  }
  if (isFloat(type)) {
    return floatSpecials(type);
  }
  std::vector<uint64_t> all = {0, 1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100};
  uint64_t top = uint64_t(1) << (bitWidth(type) - 1);
  for (uint64_t edge : {top, top - 1, top - 2, top + 1, top >> 1, ~uint64_t(0), ~uint64_t(1),
                        ~uint64_t(2), ~uint64_t(6)}) {
    all.push_back(edge & maskOf(type));
  }
  return all;
}

std::vector<Elements> testing::samples(DType type, unsigned arity, size_t count) {
  std::vector<uint64_t> special = specials(type);
  std::vector<Elements> columns(arity, Elements(type));
  size_t combinations = 1;
  for (unsigned k = 0; k < arity; ++k) {
    combinations *= special.size();
  }
  for (size_t i = 0; i < combinations; ++i) {
    size_t rest = i;
    for (Elements &column : columns) {
      column.push(special[rest % special.size()]);
      rest /= special.size();
    }
  }
  tessera::Random random(deriveSeed(arity, irName(type)));
  for (size_t i = 0; i < count; ++i) {
    uint64_t base = random.next();
    for (Elements &column : columns) {
      uint64_t bits = random.next();
      // Near each other: the low half differs, or the sign.
      if (i % 2 == 0) {
        bits = base ^ (bits & (maskOf(type) >> (bitWidth(type) / 2))) ^
               ((bits >> 63) << (bitWidth(type) - 1));
      }
      column.push(bits & maskOf(type));
    }
  }
  return columns;
}

Elements testing::everyPattern(DType type, size_t count) {
  Elements all(type);
  if (bitWidth(type) <= 16) {
    for (uint64_t bits = 0; bits <= maskOf(type); ++bits) {
      all.push(bits);
    }
    return all;
  }
  return samples(type, 1, count)[0];
}

/// A number as an element of `type`, and its neighbours.
static void pushAround(Elements &values, double x) {
  Elements one(values.type, 1);
  Overflow overflow = isFloat(values.type) ? Overflow::sat : Overflow::wrap;
  ExactSystem::cast(DType::f64, values.type, Round::rne, overflow)(&x, one.data(), 1);
  for (uint64_t bits : {one.pattern(0) - 1, one.pattern(0), one.pattern(0) + 1}) {
    values.push(bits);
  }
}

Elements testing::castSamples(DType type, size_t count) {
  Elements values = everyPattern(type, count);
  if (bitWidth(type) <= 16) {
    return values;
  }
  for (double x :
       {127.0,    127.5,    128.0,     255.0,     255.5,          256.0,          32767.5,
        65504.0,  65519.0,  65520.0,   65535.5,   448.0,          464.0,          480.0,
        57344.0,  61440.0,  0x1p31,    0x1p32,    0x1p62,         0x1p63,         0x1p64,
        0x1p65,   0x1p-10,  0x1p-9,    0x1p-16,   0x1p-17,        0x1p-24,        0x1p-25,
        0x1p-126, 0x1p-149, 0x1p-150,  0x1p127,   0x1.fffffep127, 0x1.ffffffp127, 0.5,
        1.5,      2.5,      0x1.008p0, 0x1.018p0, 0x1.0008p0,     0x1.1p0,        0x1.3p0,
        0x1p52,   0x1p53}) {
    pushAround(values, x);
    pushAround(values, -x);
  }
  for (int exponent = -30; exponent < 66; ++exponent) {
    // Few bits, and few bits with one far below: ties and what is just not one.
    for (double mantissa : {1.25, 1.375, 1.0625, 1.1875, 0x1.008p0, 0x1.01p0, 0x1.011p0}) {
      pushAround(values, std::ldexp(mantissa, exponent));
    }
  }
  return values;
}
