// sections.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MemoryTesting.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::HasSubstr;

static const std::vector<Extents> sizes = {{{"M", 1}, {"N", 1}, {"K", 1}},
                                           {{"M", 17}, {"N", 9}, {"K", 33}},
                                           {{"M", 16}, {"N", 8}, {"K", 0}}};

static const char *const staged =
    "let mm = def(acc), k = loop(k)\nlet A = stage(mm.a, shared), B = stage(mm.b, shared)\n";

static std::string after(const char *text) { return std::string(staged) + text; }

TEST(Sections, ABodyIsCut) {
  Scheduled done(kSmallProduct, after("let s = sections(k, {load: [A.copy, B.copy], use: rest})\n"
                                      "print s.load; print s.use"));
  expectSame(done, sizes);
  EXPECT_THAT(done.ir, HasSubstr("tile.section @load {"));
  EXPECT_THAT(done.ir, HasSubstr("tile.section @use -> tensor<16x8xf32> {"));
  EXPECT_EQ(done.printed, "section load\nsection use\n");
  // B's copy stood behind A's read.
  EXPECT_LT(done.ir.rfind("tile.copy"), done.ir.find("tile.read"));
}

TEST(Sections, InTheOrderOfTheRecord) {
  Scheduled done(kSmallProduct, after("sections(k, {la: [A.copy], lb: [B.copy], use: rest})"));
  expectSame(done, sizes);
  EXPECT_LT(done.ir.find("@la"), done.ir.find("@lb"));
  EXPECT_LT(done.ir.find("@lb"), done.ir.find("@use"));
}

TEST(Sections, ScalarsStayBesideAndPartsOfViewsGoIn) {
  const char *kernel = R"(
kernel parts(x: in view<[M, 8], f32>, y: out view<[N, 8], f32>)
    where M >= N
{
    grid g in 0..1
    for i in 0..N {
        let j = i + 0
        let v = x.slice(0, 0, N)
        y[j, :] = v[j, :] * 2.0 + v[i, :]
    }
})";
  Scheduled done(kernel, "sections(loop(i), {one: [op(`mul(_, _)`).lhs.op], two: rest})");
  expectSame(done, {{{"N", 3}, {"M", 4}}});
  EXPECT_EQ(count(done.ir, "tile.view_slice"), 2u) << done.ir;
}

TEST(Sections, ValuesPassOn) {
  Scheduled done(kSmallProduct,
                 after("sections(k, {all: [A.copy, A.read, B.copy, B.read], mul: rest})"));
  expectSame(done, sizes);
  EXPECT_THAT(done.ir, HasSubstr("tile.section @all -> tensor<16x16xbf16>, tensor<16x8xbf16> {"));
}

TEST(Sections, OfTasks) {
  Scheduled done(kSmallProduct, "let t = persistent(self)\nlet C = stage(store(d).value, shared)\n"
                                "sections(t, {work: rest, out: [C.copy]})");
  expectSame(done, sizes);
  EXPECT_THAT(done.ir, HasSubstr("tile.section @out {"));
}

//===-- Refused ----------------------------------------------------------------------------------------------------===//

TEST(Sections, TheOrderOfDependences) {
  expectRefused(kSmallProduct, staged, "sections(k, {use: [mm], load: rest})", "sections_order",
                "uses");
}

TEST(Sections, TheOrderOnMemory) {
  expectUnsafe(kSmallProduct, staged, "sections(k, {use: [A.read], load: rest})", "sections_order",
               "touch the same memory", 2);
}

TEST(Sections, TheOrderOfEffects) {
  const char *kernel = R"(
kernel says(x: in view<[8], f32>, y: out view<[N, 8], f32>)
{
    grid g in 0..1
    for i in 0..N {
        print(1)
        print(2)
        y[i, :] = x[:]
    }
})";
  expectUnsafe(kernel, "", "sections(loop(i), {a: [op(`print(2)`)], b: [op(`print(1)`)], c: rest})",
               "sections_order", "keep their order", 2);
}

TEST(Sections, ForgottenOps) {
  expectRefused(kSmallProduct, staged, "sections(k, {load: [A.copy, B.copy]})", "sections_missing",
                "is in no section");
}

TEST(Sections, NamedTwice) {
  expectRefused(kSmallProduct, staged, "sections(k, {a: [A.copy], b: [A.copy], c: rest})",
                "sections_shared", "in the sections `a` and `b`");
}

TEST(Sections, TwoRests) {
  expectRefused(kSmallProduct, staged, "sections(k, {a: rest, b: rest})", "sections_rest",
                "both have all");
}

TEST(Sections, AnEmptyOne) {
  expectRefused(kSmallProduct, staged, "sections(k, {a: [], b: rest})", "sections_empty",
                "would have no op");
}

TEST(Sections, NoneNamed) {
  expectRefused(kSmallProduct, staged, "sections(k, {})", "sections_none", "no section is named");
}

TEST(Sections, AnotherWord) {
  expectRefused(kSmallProduct, staged, "sections(k, {a: [A.copy], b: \"others\"})", "sections_word",
                "names no ops");
}

TEST(Sections, OpsOfElsewhere) {
  expectRefused(kSmallProduct, staged, "sections(k, {a: [store(d)], b: rest})", "sections_outside",
                "is not in the body of `loop k`");
}

TEST(Sections, CutTwice) {
  expectRefused(kSmallProduct, after("sections(k, {load: [A.copy, B.copy], use: rest})"),
                "sections(k, {all: rest})", "sections_twice", "is cut into sections already");
}

TEST(Sections, AGrid) {
  expectRefused(kSmallProduct, staged, "sections(k.parent, {all: rest})", "sections_loop",
                "is no loop");
}

TEST(Sections, ATurnOfARing) {
  expectRefused(kSmallProduct, "let A = stage(def(acc).a, shared)\nring(A.buf, 1)",
                "sections(loop(k), {load: [op(`acquire(..)`), A.copy], use: rest})",
                "sections_turn", "are one turn of a ring");
}
