// The command line: what it means, and every way to get it wrong.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Runner/Options.h"

#include "RunnerTest.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

namespace {
RunnerOptions parse(llvm::ArrayRef<llvm::StringRef> words) {
  llvm::Expected<RunnerOptions> options = parseRunnerOptions(words);
  if (!options) {
    ADD_FAILURE() << llvm::toString(options.takeError());
    return {};
  }
  return *options;
}

std::string error(llvm::ArrayRef<llvm::StringRef> words) {
  llvm::Expected<RunnerOptions> options = parseRunnerOptions(words);
  return options ? "no error" : llvm::toString(options.takeError());
}
} // namespace

TEST(Options, Run) {
  RunnerOptions options =
      parse({"k.tile", "--kernel=f", "--in", "x=a.npy", "--in=s=-0.5", "--out", "y=b=c.npy",
             "--set", "A=1, B=bf16", "--set=C=none", "--check", "--device=cpu"});
  EXPECT_EQ(options.file, "k.tile");
  EXPECT_EQ(options.kernel, "f");
  EXPECT_THAT(options.inputs, ElementsAre(Pair("x", "a.npy"), Pair("s", "-0.5")));
  EXPECT_THAT(options.outputs, ElementsAre(Pair("y", "b=c.npy")));
  EXPECT_THAT(options.settings, ElementsAre(Pair("A", "1"), Pair("B", "bf16"), Pair("C", "none")));
  EXPECT_TRUE(options.check);
  EXPECT_FALSE(options.test);
}

TEST(Options, Test) {
  RunnerOptions options = parse({"--test", "k.tile", "--filter=f:3", "--fail-fast",
                                 "--grid-order=shuffle:0x10", "--json", "r"});
  EXPECT_TRUE(options.test);
  EXPECT_TRUE(options.failFast);
  EXPECT_EQ(options.filter, "f:3");
  EXPECT_EQ(options.json, "r");
  ASSERT_TRUE(options.gridOrder.has_value());
  EXPECT_EQ(options.gridOrder->seed, 16u);
  EXPECT_TRUE(parse({"k.tile", "--grid-order=reverse"}).gridOrder->reverse);
  EXPECT_FALSE(parse({"k.tile", "--grid-order=row-major"}).gridOrder.has_value());
  EXPECT_EQ(parse({"k.tile", "--adversarial=7"}).adversarial, 7u);
  EXPECT_FALSE(parse({"k.tile"}).adversarial.has_value());
}

TEST(Options, Errors) {
  EXPECT_THAT(error({"k.tile", "--verbose"}), HasSubstr("T0920: unknown option `--verbose`"));
  EXPECT_THAT(error({"k.tile", "-x"}), HasSubstr("T0920"));
  EXPECT_THAT(error({"k.tile", "--in"}), HasSubstr("T0921: option `--in` needs a value"));
  EXPECT_THAT(error({"k.tile", "--in", "--check"}), HasSubstr("T0921"));
  EXPECT_THAT(error({"k.tile", "--kernel="}), HasSubstr("T0921"));
  EXPECT_THAT(error({"k.tile", "--in", "x"}),
              HasSubstr("T0922: option `--in`: expected NAME=FILE or NAME=LITERAL"));
  EXPECT_THAT(error({"k.tile", "--out", "=y"}), HasSubstr("T0922"));
  EXPECT_THAT(error({"k.tile", "--set", "A"}), HasSubstr("T0922"));
  EXPECT_THAT(error({"k.tile", "--check=yes"}),
              HasSubstr("T0922: option `--check`: expected no value, found `yes`"));
  EXPECT_THAT(error({"k.tile", "--grid-order=shuffle"}), HasSubstr("T0922"));
  EXPECT_THAT(error({"k.tile", "--grid-order=shuffle:x"}), HasSubstr("T0922"));
  EXPECT_THAT(error({"k.tile", "--device=tpu"}), HasSubstr("T0922"));
  EXPECT_THAT(error({"k.tile", "--filter=f"}), HasSubstr("T0922"));
  EXPECT_THAT(error({"k.tile", "--fail-fast"}), HasSubstr("T0922"));
  EXPECT_THAT(error({"--check"}), HasSubstr("T0923: no file of kernels is given"));
  EXPECT_THAT(error({"a.tile", "b.tile"}),
              HasSubstr("T0924: two files of kernels are given, `a.tile` and `b.tile`"));
  EXPECT_THAT(error({"a.tile", "--test", "--check"}),
              HasSubstr("T0925: options `--test` and `--check` exclude each other"));
  EXPECT_THAT(error({"a.tile", "--test", "--in", "x=1"}), HasSubstr("T0925"));
  EXPECT_THAT(error({"a.tile", "--test", "--out", "x=1"}), HasSubstr("T0925"));
  EXPECT_THAT(error({"a.tile", "--in", "x=1", "--in", "x=2"}),
              HasSubstr("T0926: `--in` is given twice for `x`"));
  EXPECT_THAT(error({"a.tile", "--set", "A=1,A=2"}), HasSubstr("T0926"));
  EXPECT_THAT(error({"a.tile", "--kernel=a", "--kernel=b"}), HasSubstr("T0926"));
  EXPECT_THAT(error({"a.tile", "--device=sim", "--target=sm_70"}),
              HasSubstr("T0927: `--target=sm_70` is not in this build"));
  EXPECT_THAT(error({"a.tile", "--device", "tpu"}),
              HasSubstr("expected auto, cpu, sim or cuda, found `tpu`"));
  EXPECT_THAT(error({"a.tile", "--device=sim", "--schedule=fast"}),
              HasSubstr("expected default or none, found `fast`"));
  EXPECT_THAT(error({"a.tile", "--adversarial=x"}),
              HasSubstr("T0922: option `--adversarial`: expected a seed, 0 or more, found `x`"));
}

TEST_F(RunnerTest, UsageErrorsExitWithTwo) {
  Outcome outcome = run({"--nothing"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.err, "error[T0920]: unknown option `--nothing`\nhelp: see `tile-run --help`\n");
  EXPECT_EQ(outcome.out, "");
}

TEST_F(RunnerTest, Help) {
  Outcome outcome = run({"--help"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("usage: tile-run FILE.tile"));
}
