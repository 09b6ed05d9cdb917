// Casts between all types, in every direction and range mode that they take: bit for bit as the exact system.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScalarTesting.h"

#include "tessera/Numeric/NumberSystem.h"

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
  std::vector<Elements> in = {castSamples(GetParam(), 3000)};
  for (const Cast &cast : casts) {
    Elements expected(cast.to, in[0].size());
    ExactSystem::cast(cast.from, cast.to, cast.round, cast.overflow)(in[0].data(), expected.data(),
                                                                     in[0].size());
    expectSame(cast.text(), in, loops.run(cast.text(), in, cast.to), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(All, ScalarCasts, ::testing::ValuesIn(allDTypes),
                         [](auto &info) { return irName(info.param).str(); });
