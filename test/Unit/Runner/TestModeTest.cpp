// Tests of a file: counts, what failures print, filters, exclusion by `where`, budget, exit status.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RunnerTest.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

namespace {
std::string scaled(const std::string &factor, const std::string &test) {
  return R"(kernel scaled(x: in view<[N], f32>, s: f32, y: out view<[N], f32>)
    where N <= 100
    reference { y[i] = s as f64 * x[i] as f64 }
    tolerance y[i] <= 0x1p-20 * abs(y[i])
{
    tune B in {4, 8}
    grid r in tiles(N, B)
    y[r] = x[r] * )" +
         factor + "\n}\n" + test;
}

const std::string goodTest = R"(test scaled {
    N in {0, 1, 9, 200}; B in tune; s in {0.5, -2.0}
    x from normal, zeros, one(nan); order x in {row, offset}
}
)";

class TestModeTest : public RunnerTest {};
} // namespace

TEST_F(TestModeTest, HoldingTests) {
  Outcome outcome = run({file("k.tile", scaled("s", goodTest)), "--test"});
  EXPECT_EQ(outcome.status, 0) << outcome.out;
  EXPECT_EQ(outcome.err, "");
  // 4 * 2 * 2 * 3 * 2 = 96 combinations, of which a quarter has N = 200.
  EXPECT_THAT(outcome.out, HasSubstr("scaled: 72 cases hold, 0 do not, 24 excluded by where"));
  EXPECT_THAT(outcome.out, HasSubstr(" of at most 30000000 elements\n"));
  EXPECT_THAT(outcome.out, EndsWith("\n72 passed, 0 failed\n"));
}

TEST_F(TestModeTest, FailuresAreShownAndRerun) {
  std::string kernel = file("k.tile", scaled("(s + 1.0)", goodTest));
  Outcome outcome = run({kernel, "--test", "--fail-fast"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("failed: N = "));
  EXPECT_THAT(outcome.out, HasSubstr("k.tile:8:5: error[T0861]: `y`: outside the tolerance: "));
  EXPECT_THAT(outcome.out, HasSubstr("    8 |     y[r] = x[r] * (s + 1.0)\n      |     ^"));
  EXPECT_THAT(outcome.out, HasSubstr("note: first y["));
  EXPECT_THAT(outcome.out, MatchesRegex("(.|\n)*\n[0-9]+ passed, 1 failed\n"));
  const size_t at = outcome.out.find("--filter=");
  ASSERT_NE(at, std::string::npos);
  const std::string filter = outcome.out.substr(at, outcome.out.find('\n', at) - at);
  Outcome again = run({kernel, "--test", filter});
  EXPECT_EQ(again.status, 1);
  EXPECT_THAT(again.out, EndsWith("\n0 passed, 1 failed\n"));
}

TEST_F(TestModeTest, WrongAlgorithmBehindALooseBound) {
  std::string text = scaled("(s * 1.0001)", goodTest);
  text.replace(text.find("0x1p-20"), 7, "0.5");
  Outcome outcome = run({file("k.tile", text), "--test", "--fail-fast"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, Not(HasSubstr("T0861")));
  EXPECT_THAT(outcome.out,
              HasSubstr("error[T0862]: `y`: evaluated in f64 the body differs from the reference"));
}

TEST_F(TestModeTest, BitsSkipTheCheckInF64) {
  std::string kernel = file("k.tile", R"(kernel negate(x: in view<[N], f32>, y: out view<[N], f32>)
    reference { y[i] = -x[i] }
    tolerance exact
{
    grid r in tiles(N, 4)
    y[r] = from_bits(f32, bits(x[r]) xor 0x80000000)
}
test negate { N in {1, 5}; x from normal, full }
)");
  Outcome outcome = run({kernel, "--test"});
  EXPECT_THAT(outcome.out, EndsWith("\n4 passed, 0 failed\n"));
  std::string x = array<float>("x.npy", DType::f32, {1}, {1});
  EXPECT_THAT(run({kernel, "--in", "x=" + x, "--check"}).out,
              HasSubstr("not checked in f64: the kernel uses `bits`"));
}

TEST_F(TestModeTest, OptionalsAndExpressionsOfTheCase) {
  Outcome outcome = run(
      {file(
           "k.tile",
           R"(kernel pick(x: in view<[R], i32>, at: in view<[N], i32>, limit: i32?, y: out view<[N], i32>)
    reference { y[i] = if some(limit) { min(x[at[i]], limit) } else { x[at[i]] } }
    tolerance exact
{
    grid r in tiles(N, 4)
    let t = x[at[r]]
    if some(limit) { y[r] = min(t, limit) } else { y[r] = t }
}
test pick { N in {1, 7}; R in {1, 5}; at from ints(0, R - 1); x from ints(-9, 9); limit in {missing, 3} }
)"),
       "--test"});
  EXPECT_EQ(outcome.status, 0) << outcome.out;
  EXPECT_THAT(outcome.out, EndsWith("\n8 passed, 0 failed\n"));
}

TEST_F(TestModeTest, ExpressionWithoutAValue) {
  Outcome outcome =
      run({file("k.tile", R"(kernel pick(x: in view<[N], i32>, limit: i64?, y: out view<[N], i32>)
    reference { y[i] = x[i] }
    tolerance exact
{
    grid r in tiles(N, 4)
    y[r] = x[r]
}
test pick { N = 4; x from ints(0, limit); limit in {missing, 3} }
)"),
           "--test"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("error[T0956]: test `pick`: `limit` has no value"));
  EXPECT_THAT(outcome.out, EndsWith("\n1 passed, 1 failed\n"));
}

TEST_F(TestModeTest, CheckedErrorsFail) {
  Outcome outcome =
      run({file("k.tile",
                R"(kernel pick(x: in view<[R], i32>, at: in view<[N], i32>, y: out view<[N], i32>)
    reference { y[i] = if (at[i] as i64) < R { x[at[i]] } else { 0 } }
    tolerance exact
{
    grid r in tiles(N, 4)
    y[r] = x[at[r]]
}
test pick { N = 4; R = 2; at from all(2) }
)"),
           "--test"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("pick case 0 failed: "));
  EXPECT_THAT(outcome.out, HasSubstr("error[T0870]: index 2 of axis 0 is outside `x`"));
  EXPECT_THAT(outcome.out, EndsWith("\n0 passed, 1 failed\n"));
}

TEST_F(TestModeTest, UnwrittenAndAbsentElements) {
  const std::string text = R"(kernel part(x: in view<[N], i32>, y: out view<[N], i32>)
    reference { y[i] = if x[i] < 0 { absent } else { x[i] } }
    tolerance exact
{
    grid r in tiles(N, 4)
    y[r] = x[r].keep_if(x[r] >= 0)
}
test part { N in {3, 8}; x from ints(-2, 2) }
)";
  EXPECT_THAT(run({file("good.tile", text), "--test"}).out, EndsWith("\n2 passed, 0 failed\n"));
  std::string less = text, more = text;
  less.replace(less.find(">= 0"), 4, "> 0");
  more.replace(more.find(".keep_if(x[r] >= 0)"), 19, "");
  EXPECT_THAT(run({file("less.tile", less), "--test"}).out, HasSubstr("was not written"));
  EXPECT_EQ(run({file("more.tile", more), "--test"}).status, 1);
}

TEST_F(TestModeTest, Settings) {
  std::string kernel = file("k.tile", scaled("s", goodTest));
  EXPECT_THAT(run({kernel, "--test", "--set", "N=9,B=8"}).out, EndsWith("\n12 passed, 0 failed\n"));
  Outcome outcome = run({kernel, "--test", "--set", "N=10"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.out, HasSubstr("error[T0954]: test `scaled` has no case with N = 10"));
  EXPECT_THAT(outcome.out, EndsWith("\n0 passed, 1 failed\n"));
}

TEST_F(TestModeTest, AllExcluded) {
  std::string text = scaled("s", goodTest);
  text.replace(text.find("N <= 100"), 8, "N < 0");
  Outcome outcome = run({file("k.tile", text), "--test"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("error[T0854]"));
  EXPECT_THAT(outcome.out, EndsWith("\n0 passed, 1 failed\n"));
}

TEST_F(TestModeTest, ConditionsOnElements) {
  const std::string text = R"(kernel leader(x: in view<[N], i32>, y: out view<[N], i32>)
    where x[0] >= 0
    reference { y[i] = x[i] }
    tolerance exact
{
    grid r in tiles(N, 4)
    y[r] = x[r]
}
test leader { N in {1, 3}; x from all(-1), all(2) }
)";
  std::string none = text;
  none.replace(none.find(", all(2)"), 8, "");
  Outcome outcome = run({file("some.tile", text), "--test"});
  EXPECT_THAT(outcome.out, HasSubstr("leader: 2 cases hold, 0 do not, 2 excluded by where"));
  EXPECT_EQ(outcome.status, 0);
  Outcome nothing = run({file("none.tile", none), "--test"});
  EXPECT_THAT(nothing.out,
              HasSubstr("error[T0957]: test `leader` ran no case: `where` excludes all 2"));
  EXPECT_THAT(nothing.out, EndsWith("\n0 passed, 1 failed\n"));
  EXPECT_EQ(nothing.status, 1);
}

TEST_F(TestModeTest, MissingValues) {
  std::string text = scaled("s", "test scaled { N in {1} }\n");
  EXPECT_THAT(
      run({file("k.tile", text), "--test"}).out,
      HasSubstr(
          "error[T0953]: test `scaled` gives scalar `s` no value\nhelp: add `s = …` to the test"));
  std::string other = scaled("s", "test scaled { s = 1.0 }\n");
  EXPECT_THAT(run({file("o.tile", other), "--test"}).out,
              HasSubstr("error[T0953]: test `scaled` gives extent `N` no value"));
}

TEST_F(TestModeTest, FiltersAndFiles) {
  std::string kernel = file("k.tile", scaled("s", goodTest));
  EXPECT_THAT(run({kernel, "--test", "--filter=scaled:3"}).out, EndsWith("\n1 passed, 0 failed\n"));
  for (std::string filter : {"other", "scaled:x", "scaled:99999"}) {
    Outcome outcome = run({kernel, "--test", "--filter=" + filter});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.out,
                HasSubstr("error[T0952]: no test of `" + kernel + "` matches `" + filter + "`"));
  }
  Outcome none = run({file("n.tile", scaled("s", "")), "--test"});
  EXPECT_THAT(none.out, HasSubstr("error[T0951]: `" + path("n.tile") + "` has no test"));
  EXPECT_EQ(none.status, 1);
  EXPECT_THAT(run({path("no.tile"), "--test"}).out, EndsWith("\n0 passed, 1 failed\n"));
}

TEST_F(TestModeTest, SeveralKernelsAndJson) {
  std::string second = scaled("s", goodTest);
  for (size_t at = second.find("scaled"); at != std::string::npos;
       at = second.find("scaled", at + 6)) {
    second.replace(at, 6, "second");
  }
  Outcome outcome =
      run({file("k.tile", scaled("s", goodTest) + second), "--test", "--json=" + path("r.json")});
  EXPECT_EQ(outcome.status, 0) << outcome.out;
  EXPECT_THAT(outcome.out, EndsWith("\n144 passed, 0 failed\n"));
  EXPECT_THAT(read("r.json"), HasSubstr("\"passed\": 144"));
  EXPECT_THAT(read("r.json"), HasSubstr("\"kernel\": \"second\""));
}

TEST_F(TestModeTest, Budget) {
  std::string text = scaled("s", "test scaled { N in {1, 20000000}; s = 1.0 }\n");
  text.replace(text.find("N <= 100"), 8, "N >= 0");
  Outcome outcome = run({file("k.tile", text), "--test"});
  EXPECT_THAT(outcome.out, HasSubstr("20000000"));
  EXPECT_THAT(outcome.out, EndsWith("\n1 passed, 0 failed\n"));
}
