// Casts between all types, in every direction and range mode that they take: bit for bit as the exact system.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScalarTesting.h"

#include "tessera/Numeric/NumberSystem.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::testing;
using llvm::ArrayRef;
using llvm::Value;

namespace {
struct Cast {
  DType from, to;
  Round round;
  Overflow overflow;
  std::string text() const {
    return (irName(from) + "_" + irName(to) + "_" + name(round) + "_" + name(overflow)).str();
  }
};
} // namespace

static std::vector<Cast> castsFrom(DType from) {
  std::vector<Cast> all;
  for (DType to : allDTypes) {
    for (Round round : {Round::rne, Round::rz, Round::ru, Round::rd, Round::away}) {
      for (Overflow overflow : {Overflow::inf, Overflow::sat, Overflow::nan, Overflow::wrap}) {
        if (castAccepts(from, to, overflow)) {
          all.push_back({from, to, round, overflow});
        }
      }
    }
  }
  return all;
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

/// Beside patterns of all kinds: numbers around the ends of the other types' ranges and half way between their values.
static Elements castSamples(DType type) {
  Elements values = everyPattern(type, 3000);
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

class ScalarCasts : public ::testing::TestWithParam<DType> {};

TEST_P(ScalarCasts, ToEveryTypeInEveryMode) {
  std::vector<Cast> casts = castsFrom(GetParam());
  ScalarLoops loops;
  for (const Cast &cast : casts) {
    loops.add(cast.text(), {cast.from}, cast.to,
              [&](convert::ScalarLowering &scalars, llvm::IRBuilderBase &b, ArrayRef<Value *> x) {
                return scalars.cast(b, x[0], cast.from, cast.to, cast.round, cast.overflow);
              });
  }
  loops.compile();
  std::vector<Elements> in = {castSamples(GetParam())};
  for (const Cast &cast : casts) {
    Elements expected(cast.to, in[0].size());
    ExactSystem::cast(cast.from, cast.to, cast.round, cast.overflow)(in[0].data(), expected.data(),
                                                                     in[0].size());
    expectSame(cast.text(), in, loops.run(cast.text(), in, cast.to), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(All, ScalarCasts, ::testing::ValuesIn(allDTypes),
                         [](auto &info) { return irName(info.param).str(); });
