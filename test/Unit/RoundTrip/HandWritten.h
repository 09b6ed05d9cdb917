// Bodies of IR written by hand, for tests of the source printer.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TEST_UNIT_ROUNDTRIP_HANDWRITTEN_H
#define TESSERA_TEST_UNIT_ROUNDTRIP_HANDWRITTEN_H

#include "RoundTripTesting.h"

namespace tessera::roundtriptest {

/// `%f` scalar f32, `%u` ui8, `%n` i64, `%x` f32 in, `%b` i8 in, `%y` f32 inout; `%t` a tile of x, `%g` the grid's span.
inline std::string kernelWith(llvm::StringRef body) {
  return (R"(tile.kernel @k[%N "N", %M "M"](%x "x": !tile.view<?x8xf32, in> shape ()[s0, s1] -> (s0, 8),
    %b "b": !tile.view<?xi8, in> shape ()[s0, s1] -> (s1), %f "f": f32, %u "u": ui8, %n "n": i64,
    %y "y": !tile.view<?x8xf32, inout> shape ()[s0, s1] -> (s0, 8)) body {
  %c0 = tile.constant 0 : i64
  tile.grid (%g = tiles(%c0 to %N by 4)) {
    %t = tile.load %x[%g, :] : !tile.view<?x8xf32, in>, !tile.span<4> -> tensor<4x8xf32>
)" + body +
          "\n  }\n}\n")
      .str();
}

struct Text {
  const char *name;
  const char *body;
};

inline std::string nameOfText(const testing::TestParamInfo<Text> &info) { return info.param.name; }

} // namespace tessera::roundtriptest

#endif // TESSERA_TEST_UNIT_ROUNDTRIP_HANDWRITTEN_H
