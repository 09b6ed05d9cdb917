// Launch records as text: there and back, every error with its line, and damage of any kind.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RuntimeTesting.h"

#include <random>

using namespace tessera::runtime;
using namespace tessera::runtime::testing;
using K = Expr::Kind;

namespace {
TEST(Record, Text) {
  EXPECT_EQ(addition().text(), "tessera-launch 1\n"
                               "kernel add\n"
                               "target sm_90a\n"
                               "view a f32 in 1\n"
                               "view b f32 in 1\n"
                               "view y f32 out 1\n"
                               "extent N (size a 0)\n"
                               "axis a 0 (extent N)\n"
                               "axis b 0 (extent N)\n"
                               "axis y 0 (extent N)\n"
                               "check \"N < 1000000\" (lt (extent N) 1000000)\n"
                               "version add_fast\n"
                               "threads 128\n"
                               "shared 0\n"
                               "condition \"N % 4 == 0\" (eq (mod (extent N) 4) 0)\n"
                               "condition \"a is aligned\" (aligned a 16)\n"
                               "grid (floordiv (add (extent N) 511) 512)\n"
                               "bytes (mul (extent N) 12)\n"
                               "version add_any\n"
                               "threads 256\n"
                               "shared 65536\n"
                               "grid (floordiv (add (extent N) 511) 512)\n"
                               "bytes (mul (extent N) 12)\n");
}

/// A record with every word and with names that have to be quoted.
LaunchRecord everything() {
  LaunchRecord record = addition();
  record.arguments.push_back({"strange name\"", false, "i32", Mode::in, {}});
  record.arguments.push_back(
      {"m", true, "bf16", Mode::inout, {Expr::constant(2), Expr::extent(0)}});
  record.arguments.push_back({"s", false, "bf16", Mode::in, {}});
  record.checks.push_back({Expr::make(K::fle, {Expr::real(5), Expr::realConstant(-0.5)}), "s"});
  Expr x = Expr::scalar(3);
  for (unsigned i = 0; i <= unsigned(lastKind); ++i) {
    unsigned count = operandCount(K(i));
    if (count > 0) {
      x = Expr::make(K(i), std::vector<Expr>(count, x));
      x = Expr::make(K::max, {x.operands[0], Expr::stride(4, 1)});
      record.versions[0].conditions.push_back(
          {Expr::make(K(i), std::vector<Expr>(count, x)), "a\nb\\\""});
    }
  }
  return record;
}

TEST(Record, ThereAndBack) {
  for (const LaunchRecord &record : {addition(), everything()}) {
    Result<LaunchRecord> read = parseLaunchRecord(record.text());
    ASSERT_TRUE(bool(read)) << read.error().message();
    EXPECT_EQ(read->text(), record.text());
    EXPECT_EQ(read->versions[0].conditions.back().text, record.versions[0].conditions.back().text);
    EXPECT_TRUE(read->versions[1].grid == record.versions[1].grid);
    EXPECT_EQ(read->arguments.back().name, record.arguments.back().name);
    EXPECT_EQ(read->versions[1].sharedBytes, 65536u);
  }
}

struct Wrong {
  const char *from, *to, *says;
};

TEST(Record, EveryErrorHasItsLine) {
  const Wrong wrongs[] = {
      {"tessera-launch 1", "tessera", "line 1: is no launch record"},
      {"tessera-launch 1", "tessera-launch 2", "line 1: version 2 of the format"},
      {"tessera-launch 1", "tessera-launch x", "line 1: a number is missing"},
      {"kernel add\n", "", "the record has no line `kernel NAME`"},
      {"kernel add", "kernel", "line 2: a name is missing"},
      {"kernel add", "kernel \"add", "line 2: a quote is not closed"},
      {"kernel add", "kernel add more", "line 2: `more` is too much"},
      {"view a f32 in 1", "view a f32 into 1", "line 4: `into` is no mode"},
      {"view a f32 in 1", "view a f32 in 65", "line 4: 65 is not between 0 and 64"},
      {"view a f32 in 1", "view a f33 in 1", "unknown dtype `f33`"},
      {"view a f32 in 1", "vew a f32 in 1", "line 4: `vew` is no item"},
      {"(size a 0)", "(size q 0)", "line 7: no argument `q` stands above"},
      {"(size a 0)", "(size a 1)", "reads axis 1 of `a`, which has 1"},
      {"(size a 0)", "(size a", "line 7: a number is missing"},
      {"(size a 0)", "(size a 0", "line 7: `size` is not closed"},
      {"(size a 0)", "(sze a 0)", "line 7: `sze` is no word"},
      {"(size a 0)", "(scalar a)", "reads `a`, which is no integer scalar"},
      {"(size a 0)", "(extent N)", "line 7: no extent `N` stands above"},
      {"axis a 0", "axis a 1", "line 8: 1 is not between 0 and 0"},
      {"(lt (extent N) 1000000)", "(lt (extent N))", "line 11: a number is missing"},
      {"(lt (extent N) 1000000)", "99999999999999999999", "line 11: a number exceeds 64 bits"},
      {"threads 128", "threads 0", "has 0 threads"},
      {"threads 128", "threads 1025", "line 13: 1025 is not between"},
      {"version add_fast\n", "", "line 12: `threads` stands before the first version"},
      {"(aligned a 16)", "(aligned a 12)", "no power of two"}};
  for (const Wrong &wrong : wrongs) {
    std::string text = addition().text();
    text.replace(text.find(wrong.from), strlen(wrong.from), wrong.to);
    Result<LaunchRecord> read = parseLaunchRecord(text);
    ASSERT_FALSE(bool(read)) << wrong.to;
    EXPECT_THAT(read.error().message(), ::testing::HasSubstr(wrong.says)) << wrong.to;
  }
  std::string none = addition().text();
  none.resize(none.find("version"));
  EXPECT_THAT(parseLaunchRecord(none).error().text, ::testing::HasSubstr("has no version"));
}

TEST(Record, DeepFormulasAreRefused) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) {
    deep += "(neg ";
  }
  std::string text = addition().text();
  text.replace(text.find("(size a 0)"), 10, deep);
  EXPECT_THAT(parseLaunchRecord(text).error().text,
              ::testing::HasSubstr("nested more than 200 times"));
}

/// Records that a program builds are verified before they are launched.
TEST(Record, BuiltRecordsAreVerified) {
  LaunchRecord record = addition();
  record.versions[0].grid = Expr::extent(1);
  EXPECT_TRUE(record.verify().has_value());
  EXPECT_THAT(record.text(), ::testing::HasSubstr("(extent ?)"));
  record = addition();
  record.versions[0].grid = Expr::make(K::add, {Expr::constant(1)});
  EXPECT_THAT(record.verify()->text, ::testing::HasSubstr("`add` has 1 operands, not 2"));
  record = addition();
  record.arguments[0].isView = false;
  EXPECT_THAT(record.verify()->text, ::testing::HasSubstr("reads sizes of the scalar `a`"));
}

/// Damage is read or refused, and what is read verifies.
TEST(Record, Damage) {
  std::mt19937 random(3);
  const std::string good = everything().text();
  const std::string bits = "()\" \n\\0129-axN";
  unsigned accepted = 0;
  for (int run = 0; run < 20000; ++run) {
    std::string text = good;
    for (unsigned i = 0, n = 1 + random() % 4; i < n; ++i) {
      size_t at = random() % text.size();
      switch (random() % 4) {
      case 0:
        text.erase(at, random() % 10);
        break;
      case 1:
        text.insert(at, 1, bits[random() % bits.size()]);
        break;
      case 2:
        text[at] = char(random());
        break;
      default:
        text.insert(at, good.substr(random() % good.size(), random() % 40));
      }
    }
    Result<LaunchRecord> read = parseLaunchRecord(text);
    if (read) {
      ++accepted;
      EXPECT_FALSE(read->verify().has_value());
      EXPECT_TRUE(bool(parseLaunchRecord(read->text()))) << read->text();
    } else {
      EXPECT_FALSE(read.error().text.empty());
    }
  }
  EXPECT_GT(accepted, 0u);
}
} // namespace
