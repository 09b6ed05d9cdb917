// Random layouts, and the plain definitions that everything is compared with: a layout as the table of its values.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TEST_UNIT_LAYOUT_TESTLAYOUTS_H
#define TESSERA_TEST_UNIT_LAYOUT_TESTLAYOUTS_H

#include "tessera/Layout/Layout.h"

#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <ostream>
#include <random>
#include <vector>

namespace tessera {
/// What a failed comparison shows.
void PrintTo(const Layout &layout, std::ostream *os);
} // namespace tessera

namespace tessera::layouttest {

using Random = std::mt19937;
/// One row of output values for each point, the first input fastest.
using Table = std::vector<std::vector<int64_t>>;

/// Number below `bound`.
int64_t below(Random &random, int64_t bound);

Table tableOf(const Layout &layout);
std::vector<int64_t> row(llvm::ArrayRef<int64_t> values);

/// Modes with added strides: shuffled chains, gaps, repetitions, overlaps. Any extents.
Layout randomStrided(Random &random, unsigned numIns, unsigned numOuts, int64_t maxPoints);
/// Modes with XORed strides, `bits` of them, images below 2^width in each output.
Layout randomLinear(Random &random, unsigned numIns, unsigned numOuts, unsigned bits,
                    unsigned width);
/// Bits inside, strides outside.
Layout randomMixed(Random &random, unsigned numIns, unsigned numOuts);
/// One of the above.
Layout randomLayout(Random &random, unsigned numIns, unsigned numOuts);
/// Bijective from inputs of random sizes onto one output, mixed kinds.
Layout randomBijective(Random &random, unsigned numIns, llvm::StringRef out);

/// The layout with these inputs and this table, if there is one: what a refusal is compared with. Names and sizes of the
/// inputs are those of `inputs`.
std::optional<Layout> recognise(const Layout &inputs, llvm::ArrayRef<OutDim> outs,
                                const Table &table);

/// Text and code of an error: `T0966: …`.
std::string messageOf(llvm::Error error);
template <typename T> std::string messageOf(llvm::Expected<T> value) {
  return value ? "no error" : messageOf(value.takeError());
}

/// The value; a failure of the test if there is none.
template <typename T> T valueOf(llvm::Expected<T> value) {
  if (!value) {
    ADD_FAILURE() << messageOf(value.takeError());
    std::abort();
  }
  return std::move(*value);
}

Layout parse(llvm::StringRef text);

} // namespace tessera::layouttest

#endif // TESSERA_TEST_UNIT_LAYOUT_TESTLAYOUTS_H
