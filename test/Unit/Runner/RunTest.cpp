// Runs that hold: arrays in, arrays out, settings, optional arguments, checks, empty launches.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RunnerTest.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {
/// y = a * x + (b ?? 0), with a mistake planted by the parameter WRONG.
const char *const affine =
    R"(kernel affine<T in {f32, f64} = f32, const WRONG: bool = false>(x: in view<[M, N], T>, b: in view<[N], T>?,
        a: T, y: out view<[M, N], T>)
    where N <= 8
    reference { y[i, j] = a as f64 * x[i, j] as f64 + (b[j] ?? 0.0) as f64 }
    tolerance y[i, j] <= 0x1p-20 * (1.0 + abs(y[i, j]))
{
    tune BM in {2, 3}
    grid r in tiles(M, BM), c in tiles(N, 4)
    var t = x[r, c] * a
    if some(b) { t = t + b[c][_, :] }
    if WRONG { t = t + t }
    y[r, c] = t
}
)";

class RunTest : public RunnerTest {
protected:
  std::string kernel = file("affine.tile", affine);
  std::string x = array<float>("x.npy", DType::f32, {3, 2}, {1, 2, 3, 4, 5, 6});
};
} // namespace

TEST_F(RunTest, WritesOutputs) {
  Outcome outcome = run({kernel, "--in", "x=" + x, "--in", "a=0.5", "--out", "y=" + path("y.npy")});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(values<float>("y.npy", DType::f32), ElementsAre(0.5, 1, 1.5, 2, 2.5, 3));
  EXPECT_THAT(names(), ElementsAre("affine.tile", "x.npy", "y.npy"));
}

TEST_F(RunTest, OptionalArgumentGiven) {
  std::string b = array<float>("b.npy", DType::f32, {2}, {10, 20});
  Outcome outcome = run({kernel, "--in", "x=" + x, "--in", "b=" + b, "--in", "a=1", "--out",
                         "y=" + path("y.npy"), "--check"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(values<float>("y.npy", DType::f32), ElementsAre(11, 22, 13, 24, 15, 26));
  EXPECT_THAT(outcome.out, HasSubstr("y: 6 elements compared"));
  EXPECT_THAT(outcome.out, HasSubstr("y in f64: 6 elements compared"));
}

TEST_F(RunTest, SettingsAndGridOrders) {
  std::string wide = array<double>("w.npy", DType::f64, {3, 2}, {1, 2, 3, 4, 5, 6});
  for (std::string order : {"row-major", "reverse", "shuffle:7"}) {
    Outcome outcome = run({kernel, "--set", "T=f64,BM=3", "--in", "x=" + wide, "--in", "a=2",
                           "--out", "y=" + path("y.npy"), "--check", "--grid-order=" + order});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(values<double>("y.npy", DType::f64), ElementsAre(2, 4, 6, 8, 10, 12));
  }
}

TEST_F(RunTest, WrongResultFailsTheCheckOnly) {
  std::vector<std::string> words = {kernel, "--set", "WRONG=true",        "--in", "x=" + x, "--in",
                                    "a=1",  "--out", "y=" + path("y.npy")};
  EXPECT_EQ(run(words).status, 0);
  words.push_back("--check");
  Outcome outcome = run(words);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(
      outcome.err,
      HasSubstr(
          "affine.tile:12:5: error[T0861]: `y`: outside the tolerance: 6 of 6 elements are wrong\n"
          "   12 |     y[r, c] = t\n"
          "      |     ^"));
  EXPECT_THAT(outcome.err, HasSubstr("M = 3"));
  EXPECT_THAT(outcome.err, HasSubstr("note: first y[0, 0]: got 2.0"));
  EXPECT_THAT(outcome.err, HasSubstr("error[T0862]: `y`"));
}

TEST_F(RunTest, EmptyOutputsAreWrittenWithoutARun) {
  std::string none = array<float>("none.npy", DType::f32, {0, 2}, {});
  Outcome outcome =
      run({kernel, "--in", "x=" + none, "--in", "a=1", "--out", "y=" + path("y.npy"), "--check"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("every output is empty: the kernel is not run"));
  EXPECT_TRUE(values<float>("y.npy", DType::f32).empty());
}

TEST_F(RunTest, ReplacesAnOlderFile) {
  file("y.npy", "something else");
  EXPECT_EQ(run({kernel, "--in", "x=" + x, "--in", "a=1", "--out", "y=" + path("y.npy")}).status,
            0);
  EXPECT_EQ(values<float>("y.npy", DType::f32).size(), 6u);
}

TEST_F(RunTest, InputMayBecomeTheOutput) {
  EXPECT_EQ(run({kernel, "--in", "x=" + x, "--in", "a=3", "--out", "y=" + x}).status, 0);
  EXPECT_THAT(values<float>("x.npy", DType::f32), ElementsAre(3, 6, 9, 12, 15, 18));
}

TEST_F(RunTest, InOut) {
  std::string add = file("add.tile", R"(kernel add(x: in view<[N], i32>, y: inout view<[N], i32>)
    reference { y[i] = y[i] + x[i] }
    tolerance exact
{
    grid r in tiles(N, 2)
    y[r] = y[r] + x[r]
}
)");
  std::string a = array<int32_t>("a.npy", DType::i32, {3}, {1, 2, 3}),
              b = array<int32_t>("b.npy", DType::i32, {3}, {10, 20, 30});
  Outcome outcome =
      run({add, "--in", "x=" + a, "--in", "y=" + b, "--out", "y=" + path("c.npy"), "--check"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(values<int32_t>("c.npy", DType::i32), ElementsAre(11, 22, 33));
  EXPECT_THAT(values<int32_t>("b.npy", DType::i32), ElementsAre(10, 20, 30));
}

TEST_F(RunTest, ExtentsThatNoInputGives) {
  std::string numbers = file("numbers.tile", R"(kernel numbers(y: out view<[N], i64>)
{
    grid r in tiles(N, 4)
    y[r] = r.index
}
)");
  Outcome outcome = run({numbers, "--set", "N=5", "--out", "y=" + path("y.npy")});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(values<int64_t>("y.npy", DType::i64), ElementsAre(0, 1, 2, 3, 4));
  Outcome missing = run({numbers, "--out", "y=" + path("z.npy")});
  EXPECT_EQ(missing.status, 1);
  EXPECT_THAT(missing.err, HasSubstr("error[T0913]: no argument gives the extent `N`"));
  EXPECT_THAT(missing.err, HasSubstr("help: give `--set N=…`"));
}

TEST_F(RunTest, Json) {
  Outcome outcome =
      run({kernel, "--in", "x=" + x, "--in", "a=1", "--check", "--json=" + path("r.json")});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  std::string report = read("r.json");
  EXPECT_THAT(report, HasSubstr("\"kernel\": \"affine\""));
  EXPECT_THAT(report, HasSubstr("\"M\": 3"));
  EXPECT_THAT(report, HasSubstr("\"failures\": 0"));
}
