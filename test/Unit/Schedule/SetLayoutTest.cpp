// set_layout, on IR: bufs are made by other primitives.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "IRTesting.h"

#include "tessera/Schedule/Replay.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::HasSubstr;

namespace {
const char *const kBufKernel = R"(
tile.kernel @k[%M "M"](%x "x": !tile.view<?x32xbf16, in> shape ()[s0] -> (s0, 32)) body {
  %c0 = tile.constant 0 : i64
  tile.grid (%r = tiles(%c0 to %M by 128)) {
    %a = tile.alloc : !tile.buf<128x32xbf16, shared>
    tile.copy %x[%r, :] to %a fill zero : !tile.view<?x32xbf16, in>, !tile.span<128> to !tile.buf<128x32xbf16, shared>
  }
}
)";
} // namespace

TEST(SetLayout, Notation) {
  OnIR test(kBufKernel);
  EXPECT_EQ(test.call("set_layout", {test.buf(), test.layout("(128,32):(32,1)")}), "");
  EXPECT_THAT(test.text(), HasSubstr("layout = \"(128, 32) : (32, 1)\""));
}

TEST(SetLayout, Swizzles) {
  OnIR test(kBufKernel);
  EXPECT_EQ(test.call("set_layout", {test.buf(), test.look("xor16", {Value::integer(4)})}), "");
  EXPECT_THAT(test.text(), HasSubstr("layout = "));
  EXPECT_EQ(test.call("set_layout", {test.buf(), *test.host().resolveName("sw64")}), "");
}

TEST(SetLayout, Refused) {
  OnIR test(kBufKernel);
  std::string before = test.text();
  EXPECT_THAT(
      test.call("set_layout", {test.buf(), test.layout("(64,32):(32,1)")}),
      HasSubstr("layout_fit: `layout(\"(64,32):(32,1)\")` does not fit the buf: its shape is "
                "not the buf's"));
  EXPECT_THAT(test.call("set_layout", {test.buf(), test.layout("(128,32):(1,1)")}),
              HasSubstr("layout_injective"));
  EXPECT_THAT(test.call("set_layout", {test.buf(), test.look("xor16", {Value::integer(8)})}),
              HasSubstr("8 chunks of 16 bytes are more than a row of 32 elements"));
  EXPECT_THAT(test.call("set_layout", {test.buf(), *test.host().resolveName("sw128")}),
              HasSubstr("rows of 32 elements are no multiple of 64"));
  EXPECT_EQ(test.text(), before);
}

TEST(SetLayout, VectorsFindTheirNeighbours) {
  std::string text = kBufKernel;
  text.insert(text.find(" : !tile.view<?x32xbf16, in>, !tile.span<128> to"),
              " {tile.iter = #tile.iter<d1 = open 4 * vec 8>}");
  OnIR test(text, "sm_80", schedule::replayUnderAdversary);
  test.expectUnsafe("set_layout", {test.buf(), *test.host().resolveName("col_major")},
                    "layout_vector",
                    "`copy x` accesses 8 neighbours at once, and in the layout "
                    "`(128, 32) : (1, 128)` there are 1 along axis 1");
  EXPECT_EQ(test.call("set_layout", {test.buf(), test.look("xor16", {Value::integer(4)})}), "");
}
