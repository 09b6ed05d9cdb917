// set_lead, set_lag.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MemoryTesting.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::HasSubstr;

static const std::vector<Extents> sizes = {{{"M", 17}, {"N", 9}, {"K", 50}}};

static const char *const cut =
    "let mm = def(acc), k = loop(k)\nlet A = stage(mm.a, shared), B = stage(mm.b, shared)\n"
    "let s = sections(k, {load: [A.copy, B.copy], use: rest})\n";
static const char *const ringed = "ring([A.buf, B.buf], 3, lead = 0)\n";

static std::string after(const char *a, const char *b = "") { return std::string(cut) + a + b; }

TEST(SectionTime, ALeadWithinTheRing) {
  Scheduled done(kSmallProduct, after(ringed, "set_lead(load, 1)\nset_lead(s.load, 2)"));
  expectSame(done, sizes);
  EXPECT_THAT(done.ir, HasSubstr("tile.section @load lead 2 {"));
}

TEST(SectionTime, ALag) {
  Scheduled done(kSmallProduct, after(ringed, "set_lag(use, 1)\nset_lead(load, 1)"));
  expectSame(done, sizes);
  EXPECT_THAT(done.ir, HasSubstr("tile.section @use lag 1"));
}

TEST(SectionTime, ValuesMayBeAheadTogether) {
  Scheduled done(kSmallProduct,
                 "let mm = def(acc), k = loop(k)\n"
                 "sections(k, {load: [load(a), load(b)], use: rest})\nset_lead(load, 2)");
  expectSame(done, sizes);
}

//===-- Refused ----------------------------------------------------------------------------------------------------===//

TEST(SectionTime, TheRingIsTooShort) {
  expectUnsafe(kSmallProduct, after(ringed), "set_lead(load, 3)", "queue_slots",
               "slots > lead(fill) - lead(use) + lag, here 3 > 3 - 0 + 0", 2);
  expectUnsafe(kSmallProduct, after(ringed, "set_lead(load, 2)"), "set_lag(use, 1)", "queue_slots",
               "here 3 > 2 - 0 + 1", 2);
}

TEST(SectionTime, ALagOfALoopAround) {
  // The ring's turns are steps of the loop in the section; a lag counts tasks.
  const char *const made = "let t = persistent(self), mm = def(acc), A = stage(mm.a, shared)\n"
                           "sections(t, {all: rest})\n";
  expectUnsafe(kSmallProduct, std::string(made) + "ring(A.buf, 3)", "set_lag(all, 1)", "lag_loop",
               "with a lag of 1 none of them would be free before it ends");
  expectUnsafe(kSmallProduct, std::string(made) + "set_lag(all, 1)", "ring(A.buf, 3)", "lag_loop",
               "a lag counts those of the loop around the section");
  Scheduled done(kSmallProduct, std::string(made) + "ring(A.buf, 3)\nset_lag(all, 0)");
  expectSame(done, sizes);
}

TEST(SectionTime, AUseAheadOfItsFill) {
  expectUnsafe(
      kSmallProduct,
      "let mm = def(acc), k = loop(k)\nlet A = stage(mm.a, shared)\n"
      "let s = sections(k, {load: [A.copy], get: [A.read], use: rest})\nring(A.buf, 3, lead = 0)",
      "set_lead(get, 1)", "queue_use_first", "before it is filled", 2);
}

TEST(SectionTime, MemoryWithoutARing) {
  expectUnsafe(kSmallProduct, cut, "set_lead(load, 1)", "lead_memory", "both touch", 2);
}

TEST(SectionTime, ACarriedValue) {
  expectRefused(kSmallProduct,
                "sections(loop(k), {load: [load(a), load(b)], use: rest})\nset_lead(load, 1)",
                "set_lead(use, 1)", "lead_carried", "is not made yet");
}

TEST(SectionTime, AResultOfASectionBehind) {
  const char *kernel = R"(
kernel chain(x: in view<[N], f32>, y: out view<[N], f32>)
{
    grid g in 0..1
    for i in tiles(N, 4) {
        let t = x[i] * 2.0
        y[i] = t + 1.0
    }
})";
  const char *body = "sections(loop(i), {a: [load(x)], b: [op(`mul(_, _)`)], c: rest})";
  expectRefused(kernel, body, "set_lead(b, 1)", "lead_value", "whose lead is 0");
  expectRefused(kernel, std::string(body) + "\nset_lead(a, 2)\nset_lead(b, 1)", "set_lead(a, 0)",
                "lead_value", "runs 1 steps ahead and uses a result");
  Scheduled done(kernel, std::string(body) + "\nset_lead(a, 2)\nset_lead(b, 1)");
  expectSame(done, {{{"N", 11}}});
}

TEST(SectionTime, APrint) {
  const char *kernel = R"(
kernel says(x: in view<[N], f32>, y: out view<[N], f32>)
{
    grid g in 0..1
    for i in tiles(N, 4) {
        print(1)
        y[i] = x[i]
        print(2)
    }
})";
  expectUnsafe(kernel, "sections(loop(i), {say: [op(`print(1)`)], others: rest})",
               "set_lead(say, 1)", "lead_effect", "with it");
}

TEST(SectionTime, ALoopThatGoesDownwards) {
  const char *kernel = R"(
kernel down(x: in view<[N], f32>, y: out view<[N], f32>)
{
    grid g in 0..1
    for i in tiles(N, 4) reversed { y[i] = x[i] }
})";
  expectRefused(kernel, "sections(loop(i), {load: [load(x)], use: rest})", "set_lead(load, 1)",
                "lead_loop", "goes downwards");
}

TEST(SectionTime, AViewThatEarlierStepsWrite) {
  const char *kernel = R"(
kernel feeds(x: inout view<[N], f32>, y: out view<[N], f32>)
{
    grid g in 0..1
    for i in 1..N {
        y[i] = x[i - 1]
        x[i] = x[i] * 2.0
    }
})";
  expectUnsafe(kernel, "sections(loop(i), {one: [store(y).value.op], two: rest})",
               "set_lead(one, 1)", "lead_memory", "both touch `x`", 2);
}

TEST(SectionTime, AViewWhoseOtherCellsAreWritten) {
  const char *kernel = R"(
kernel updates(x: inout view<[N], f32>, y: out view<[N], f32>)
{
    grid g in 0..1
    for i in 1..N {
        y[i] = x[i]
        x[i] = 2.0
    }
})";
  Scheduled done(kernel, "sections(loop(i), {one: [load(x)], two: rest})\nset_lead(one, 1)");
  expectSame(done, {{{"N", 5}}});
  EXPECT_THAT(done.report, HasSubstr("of a later step and"));
}

TEST(SectionTime, NoSteps) {
  expectRefused(kSmallProduct, after(ringed), "set_lead(load, -1)", "section_steps",
                "is no number of steps");
}

TEST(SectionTime, NoSuchSection) {
  expectRefused(kSmallProduct, after(ringed), "set_lead(\"other\", 1)", "section_name",
                "has no section `other`");
}
