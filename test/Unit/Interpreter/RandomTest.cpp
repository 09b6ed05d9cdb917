// philox4x32-10 against the known answers published with the generator, and histograms.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InterpreterTesting.h"

using namespace tessera;
using namespace tessera::interptest;

namespace {
/// The four words for one index, each made the result in turn.
Values words(const std::string &seed, const std::string &offset, const std::string &index) {
  Values all;
  for (int word = 0; word < 4; ++word) {
    std::string names;
    for (int i = 0; i < 4; ++i) {
      names += (i ? ", %" : "%") + (i == word ? std::string("r") : "w" + std::to_string(i));
    }
    Evaluated r = evaluate({}, "ui32",
                           "%s = tile.constant " + seed + " : ui64\n%o = tile.constant " + offset +
                               " : ui64\n%i = tile.constant " + index + " : i64\n" + names +
                               " = tile.philox %s, %o, %i : i64 -> ui32");
    all.insert(all.end(), r.values.begin(), r.values.end());
  }
  return all;
}
} // namespace

TEST(Random, PhiloxKnownAnswers) {
  EXPECT_SAME(words("0", "0", "0"), ({0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_SAME(words("18446744073709551615", "18446744073709551615", "-1"),
              ({0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_SAME(words("2999170649027065890", "247824715720788526", "-8817193942522041720"),
              ({0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, PhiloxIsElementwiseWithAbsence) {
  Evaluated r =
      evaluate({{"s", "ui64", {7}}, {"o", "ui64", {3}}, {"c", "3xi1", {1, 0, 1}}}, "3xui32", R"(
    %i = tile.iota : tensor<3xi64>
    %k = tile.keep_if %i, %c over [0] : tensor<3xi64>, tensor<3xi1>
    %r, %b, %d, %e = tile.philox %s, %o, %k : tensor<3xi64> -> tensor<3xui32>)");
  EXPECT_EQ(r.present, (std::vector<int>{1, 0, 1}));
  Evaluated two = evaluate({{"s", "ui64", {7}}, {"o", "ui64", {3}}}, "ui32", R"(
    %i = tile.constant 2 : i64
    %r, %b, %d, %e = tile.philox %s, %o, %i : i64 -> ui32)");
  EXPECT_EQ(r.values[2], two.values[0]);
}

TEST(Random, HistogramCountsPresentElementsInRange) {
  Evaluated r = evaluate({{"x", "8xi32", {0, 2, 2, -1, 3, 4, 2, 0}}}, "4xi64",
                         "%r = tile.histogram %x : tensor<8xi32> -> tensor<4xi64>");
  EXPECT_SAME(r.values, ({2, 0, 3, 1}));
  r = evaluate({{"x", "2x2xui8", {1, 1, 255, 0}}, {"c", "2x1xi1", {1, 0}}}, "2xi64", R"(
    %k = tile.keep_if %x, %c over [0] : tensor<2x2xui8>, tensor<2x1xi1>
    %r = tile.histogram %k : tensor<2x2xui8> -> tensor<2xi64>)");
  EXPECT_SAME(r.values, ({0, 2}));
  EXPECT_EQ(r.present, (std::vector<int>{1, 1}));
}
