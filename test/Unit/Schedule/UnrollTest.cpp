// unroll.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScheduleTesting.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::HasSubstr;

TEST(Unroll, AFactor) {
  Scheduled done(kRowsKernel, "unroll(split(load(x).c, 32).outer)");
  EXPECT_EQ(done.errors, "");
  EXPECT_EQ(iterOf(done, "tile.load"), "d1 = reg 128 * open 32");
}

TEST(Unroll, ALoop) {
  Scheduled done(kLoopsKernel, "let s = store(s)\nunroll(loop(w))\nprint s.first_is_not_a_name");
  EXPECT_THAT(done.errors, HasSubstr("stands for 4 places: `store s.0`, `store s.1`, `store s.2`, "
                                     "`store s.3`"));
  Scheduled named(kLoopsKernel,
                  "let s = store(s)\nunroll(loop(w))\nlet one = op(`store(_, s, _)`)");
  EXPECT_THAT(named.errors, HasSubstr("T1075")) << "four stores";
  Scheduled twice(kLoopsKernel, "unroll(loop(v))\nunroll(loop(w))");
  EXPECT_EQ(twice.errors, "");
  EXPECT_EQ(llvm::StringRef(twice.ir).count("tile.reduce sum"), 4u);
}

TEST(Unroll, CarriedValuesGoFromCopyToCopy) {
  const char *kernel = "kernel k(x: in view<[64], f32>, y: out view<[16], f32>) {\n"
                       "    grid g in 0..1\n    var s = zeros(f32, [16])\n"
                       "    for i in tiles(64, 16) { s = s + x[i] }\n    y[:] = s\n}\n";
  Scheduled done(kernel, "unroll(loop(i))");
  EXPECT_EQ(done.errors, "");
  EXPECT_EQ(done.lines("tile.for"), "");
}

TEST(Unroll, AConsumedLoopIsDead) {
  Scheduled done(kLoopsKernel, "let l = loop(w)\nunroll(l)\nunroll(l)");
  EXPECT_THAT(done.errors, HasSubstr("4:1 T1074"));
  EXPECT_THAT(done.errors, HasSubstr("`unroll` consumed it"));
  EXPECT_THAT(done.notes, HasSubstr("3:1 consumed here"));
}

TEST(Unroll, Refused) {
  expectRefused(kProductKernel, "let l = loop(k)", "unroll(l)", "unroll_trips", "no constant");
  expectRefused(kRowsKernel, "let o = load(x)", "unroll(o)", "unroll_kind", "cannot be unrolled");
  const char *kernel = "kernel k(x: inout view<[100000], f32>) {\n    grid g in 0..1\n"
                       "    for i in 0..100000 { x[i] = 0.0 }\n}\n";
  expectRefused(kernel, "let l = loop(i)", "unroll(l)", "unroll_size", "100000 copies");
}

TEST(Unroll, ALoopThatIsCut) {
  expectRefused(kLoopsKernel, "sections(loop(w), {all: rest})", "unroll(loop(w))",
                "unroll_sections", "is cut into sections");
}
