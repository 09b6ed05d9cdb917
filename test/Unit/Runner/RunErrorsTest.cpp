// What can be wrong with a run, with the sentence the user reads. Nothing is written when something is wrong.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RunnerTest.h"

#include "llvm/Support/FileSystem.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {
const char *const source =
    R"(kernel pair<T in {f32, bf16} = f32>(x: in view<[N], T>, y: in view<[N], T>, s: f32, n: i8, flag: bool,
        u: out view<[N], T>, v: out view<[N], T>)
    where N <= 4, n >= 0
{
    grid r in tiles(N, 2)
    u[r] = x[r] + y[r]
    v[r] = x[r]
}
)";

class RunErrorsTest : public RunnerTest {
protected:
  /// A run with replaced words: `x=…` in place of the good input `x`.
  Outcome runWith(const std::vector<std::string> &inputs,
                  const std::vector<std::string> &more = {}) {
    std::vector<std::string> words = {kernel};
    for (std::string name : {"x", "y", "s", "n", "flag"}) {
      std::string value = name == "s" ? "0.5" : name == "n" ? "3" : name == "flag" ? "true" : good;
      for (const std::string &input : inputs) {
        if (input.substr(0, name.size() + 1) == name + "=") {
          value = input.substr(name.size() + 1);
        }
      }
      if (!value.empty()) {
        words.insert(words.end(), {"--in", name + "=" + value});
      }
    }
    words.insert(words.end(), {"--out", "u=" + path("u.npy")});
    words.insert(words.end(), more.begin(), more.end());
    Outcome outcome = run(words);
    if (outcome.status != 0) {
      EXPECT_FALSE(exists("u.npy"));
    }
    return outcome;
  }
  std::string error(const std::vector<std::string> &inputs,
                    const std::vector<std::string> &more = {}) {
    Outcome outcome = runWith(inputs, more);
    EXPECT_EQ(outcome.status, 1);
    return outcome.err;
  }
  /// The same where the words of the command line are wrong.
  std::string usage(const std::vector<std::string> &inputs,
                    const std::vector<std::string> &more = {}) {
    Outcome outcome = runWith(inputs, more);
    EXPECT_EQ(outcome.status, 2);
    return outcome.err;
  }

  std::string kernel = file("pair.tile", source);
  std::string good = array<float>("good.npy", DType::f32, {3}, {1, 2, 3});
};
} // namespace

TEST_F(RunErrorsTest, TheGoodRun) {
  Outcome outcome = runWith({}, {"--out", "v=" + path("v.npy")});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(values<float>("u.npy", DType::f32), ElementsAre(2, 4, 6));
}

TEST_F(RunErrorsTest, Files) {
  EXPECT_THAT(run({path("no.tile")}).err,
              HasSubstr("error[T0930]: `" + path("no.tile") + "`: cannot read the file"));
  EXPECT_THAT(run({file("k.txt", "")}).err, HasSubstr("error[T0931]: `" + path("k.txt") +
                                                      "`: expected a file named .tile or .mlir"));
  EXPECT_THAT(run({file("empty.tile", "const A = 1\n")}).err, HasSubstr("error[T0933]"));
  EXPECT_THAT(run({file("broken.tile", "kernel (\n")}).err,
              HasSubstr("broken.tile:1:8: error[T01"));
  std::string two = file(
      "two.tile", "kernel a(y: out view<[N], i32>) { }\nkernel b(y: out view<[N], i32>) { }\n");
  EXPECT_THAT(run({two}).err,
              HasSubstr("error[T0934]: `" + two +
                        "` has 2 kernels: a, b\nhelp: say which, as in `--kernel=a`"));
  EXPECT_THAT(
      run({two, "--kernel=c"}).err,
      HasSubstr("error[T0935]: `" + two + "` has no kernel `c`\nhelp: its kernels are a, b"));
  EXPECT_EQ(run({two, "--kernel=c"}).status, 2);
}

TEST_F(RunErrorsTest, Settings) {
  EXPECT_THAT(usage({}, {"--set", "Q=1"}),
              HasSubstr("error[T0936]: kernel `pair` has neither a parameter nor an extent `Q`"));
  EXPECT_THAT(usage({}, {"--set", "N=many"}),
              HasSubstr("error[T0937]: extent `N`: expected a whole number, found `many`"));
  EXPECT_THAT(error({}, {"--set", "N=4"}),
              HasSubstr("error[T0910]: axis 0 of `x` has extent 3, expected N = 4"));
  EXPECT_THAT(error({}, {"--set", "N=-1"}), HasSubstr("error[T0919]"));
  EXPECT_THAT(error({}, {"--set", "T=f16"}), HasSubstr("error[T0404]"));
}

TEST_F(RunErrorsTest, Names) {
  EXPECT_THAT(usage({}, {"--in", "z=1"}),
              HasSubstr("error[T0940]: kernel `pair` has no argument `z`\nhelp: its arguments are "
                        "x, y, s, n, flag, u, v"));
  EXPECT_THAT(usage({}, {"--out", "z=1"}), HasSubstr("error[T0940]"));
  EXPECT_THAT(usage({"x="}),
              HasSubstr("error[T0941]: argument `x` (an array of f32 with 1 axis) is not given"));
  EXPECT_THAT(usage({"n="}), HasSubstr("error[T0941]: argument `n` (a scalar of i8) is not given"));
  EXPECT_THAT(usage({}, {"--in", "v=" + good}),
              HasSubstr("error[T0942]: argument `v` is an output and takes no input"));
  EXPECT_THAT(usage({}, {"--out", "x=" + path("x.npy")}),
              HasSubstr("error[T0943]: argument `x` is not an output"));
}

TEST_F(RunErrorsTest, Scalars) {
  EXPECT_THAT(usage({"s=half"}),
              HasSubstr("error[T0944]: argument `s` is a scalar of f32, found `half`"));
  EXPECT_THAT(usage({"s=1__0"}), HasSubstr("error[T0944]"));
  EXPECT_THAT(usage({"s=1e"}), HasSubstr("error[T0944]"));
  EXPECT_THAT(usage({"s=--1"}), HasSubstr("error[T0944]"));
  EXPECT_THAT(usage({"n=1.5"}), HasSubstr("error[T0944]: argument `n` is a scalar of i8"));
  EXPECT_THAT(usage({"flag=1"}),
              HasSubstr("error[T0944]: argument `flag` is a scalar of bool, found `1`"));
  EXPECT_THAT(usage({"n=128"}),
              HasSubstr("error[T0945]: argument `n`: i8 has no value `128`: it is out of range"));
  EXPECT_THAT(usage({"n=-129"}), HasSubstr("error[T0945]"));
  EXPECT_THAT(usage({"n=99999999999999999999999999"}), HasSubstr("error[T0945]"));
  EXPECT_THAT(usage({"s=1e39"}), HasSubstr("error[T0945]: argument `s`: f32 has no value `1e39`"));
  EXPECT_THAT(usage({"s=1e-60"}), HasSubstr("it would become zero"));
  for (std::string value :
       {"inf", "-inf", "nan", "0x1p-24", "0x1f", "1_000", "1e-4", "-0.0", "+2"}) {
    EXPECT_EQ(runWith({"s=" + value}).status, 0) << value;
    llvm::sys::fs::remove(path("u.npy"));
  }
  EXPECT_EQ(runWith({"n=0x7f"}).status, 0);
}

TEST_F(RunErrorsTest, Where) {
  EXPECT_THAT(
      error({"n=-1"}),
      HasSubstr(
          "pair.tile:3:19: error[T0946]: the launch does not satisfy `where`: `n >= 0` is false\n"
          "    3 |     where N <= 4, n >= 0\n"
          "      |                   ^~~~~~\n"
          "  with: "));
  std::string long5 = array<float>("five.npy", DType::f32, {5}, {1, 2, 3, 4, 5});
  EXPECT_THAT(error({"x=" + long5, "y=" + long5}), HasSubstr("`N <= 4` is false"));
}

TEST_F(RunErrorsTest, Arrays) {
  std::string two = array<float>("two.npy", DType::f32, {2}, {1, 2});
  EXPECT_THAT(error({"y=" + two}),
              HasSubstr("error[T0910]: axis 0 of `y` has extent 2, expected N = 3"));
  EXPECT_THAT(error({"y=" + two}),
              HasSubstr("help: N = 3 comes from axis 0 of `x`; give arguments that agree"));
  std::string matrix = array<float>("matrix.npy", DType::f32, {1, 3}, {1, 2, 3});
  EXPECT_THAT(error({"x=" + matrix}), HasSubstr("error[T0914]: `x` has 2 axes, expected 1"));
  EXPECT_THAT(error({"x=" + path("no.npy")}), HasSubstr("error[T0801]"));
  EXPECT_THAT(error({"x=1.5"}), HasSubstr("error[T0801]: `1.5`: cannot open the file"));
  std::string ints = array<int32_t>("ints.npy", DType::i32, {3}, {1, 2, 3});
  EXPECT_THAT(error({"x=" + ints}), HasSubstr("error[T0825]"));
  std::string half = array<uint16_t>("half.npy", DType::bf16, {3}, {1, 2, 3});
  EXPECT_THAT(error({"x=" + half}),
              HasSubstr("error[T0938]: `" + half +
                        "`: elements are `<u2`, but `T` is f32 in this instance\n"
                        "help: give `--set T=bf16`"));
}

TEST_F(RunErrorsTest, OutputsAppearTogetherOrNotAtAll) {
  EXPECT_THAT(error({}, {"--out", "v=" + path("no/such/v.npy")}), HasSubstr("error[T0805]"));
  EXPECT_THAT(names(), ElementsAre("good.npy", "pair.tile"));
  EXPECT_THAT(usage({}, {"--out", "v=" + path("u.npy")}),
              HasSubstr("error[T0948]: outputs `u` and `v` go to the same file"));
  EXPECT_THAT(error({}, {"--out", "v=" + folder}),
              HasSubstr("error[T0949]: `" + folder +
                        "`: cannot become the file of output `v`: it is a folder"));
  EXPECT_THAT(names(), ElementsAre("good.npy", "pair.tile"));
}

TEST_F(RunErrorsTest, CheckWithoutReference) {
  EXPECT_THAT(error({}, {"--check"}), HasSubstr("error[T0906]: kernel `pair` has no `reference`"));
}

TEST_F(RunErrorsTest, CheckedErrorOfTheProgram) {
  std::string gather =
      file("gather.tile",
           R"(kernel gather(i: in view<[N], i32>, x: in view<[M], f32>, y: out view<[N], f32>)
{
    grid r in tiles(N, 4)
    y[r] = x[i[r]]
}
)");
  std::string index = array<int32_t>("i.npy", DType::i32, {2}, {0, 7});
  Outcome outcome =
      run({gather, "--in", "i=" + index, "--in", "x=" + good, "--out", "y=" + path("y.npy")});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("gather.tile:4:"));
  EXPECT_THAT(outcome.err, HasSubstr("error[T0870]: index 7 of axis 0 is outside `x`"));
  EXPECT_THAT(outcome.err, HasSubstr("help: "));
  EXPECT_FALSE(exists("y.npy"));
}
