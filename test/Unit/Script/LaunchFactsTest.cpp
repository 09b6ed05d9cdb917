// Conditions of versions, evaluated for a launch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/LaunchFacts.h"

#include "llvm/ADT/StringMap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tessera::schedule;
using ::testing::HasSubstr;

namespace {

/// `true`, `false`, or what is wrong.
std::string evaluate(llvm::StringRef condition) {
  LaunchValues launch;
  launch.number = [](llvm::StringRef name) -> std::optional<int64_t> {
    static const llvm::StringMap<int64_t> numbers = {
        {"M", 128}, {"N", 12}, {"zero", 0}, {"least", INT64_MIN}, {"p.n", 3}};
    auto found = numbers.find(name);
    return found == numbers.end() ? std::nullopt : std::optional<int64_t>(found->second);
  };
  launch.aligned = [](llvm::StringRef view, int64_t bytes) -> std::optional<bool> {
    return view == "x" ? std::optional<bool>(bytes <= 16) : std::nullopt;
  };
  llvm::Expected<bool> value = holds(condition, launch);
  return !value ? llvm::toString(value.takeError()) : *value ? "true" : "false";
}

} // namespace

TEST(LaunchFacts, NumbersAndConditions) {
  for (const char *condition : {"M % 128 == 0",
                                "N % 8 == 4",
                                "N != M",
                                "M > N",
                                "N < M",
                                "M >= 128",
                                "N <= 12",
                                "(M + N) * 2 == 280",
                                "N - M == -116",
                                "(N - M) // 100 == -2",
                                "(N - M) % 100 == 84",
                                "N << 2 == 48",
                                "N >> 2 == 3",
                                "not (N == M)",
                                "true",
                                "N == 12 or M == 0",
                                "N == 12 xor M == 0",
                                "((M % 8) == 0) and aligned(x, 16)",
                                "p.n == 3",
                                "-N == 0 - 12",
                                "(N == 12) == (M == 128)"}) {
    EXPECT_EQ(evaluate(condition), "true") << condition;
  }
  for (const char *condition :
       {"M % 128 == 1", "N == M", "M < N", "N > M", "M >= 129", "N <= 11", "not true",
        "N == 12 xor M == 128", "N == 12 and M == 0", "N == 1 or M == 0", "aligned(x, 32)"}) {
    EXPECT_EQ(evaluate(condition), "false") << condition;
  }
}

TEST(LaunchFacts, WhatHasNoMeaning) {
  EXPECT_THAT(evaluate("K % 8 == 0"), HasSubstr("the launch has no number `K`"));
  // Nothing hides behind what is known already.
  EXPECT_THAT(evaluate("N == 1 and K == 0"), HasSubstr("the launch has no number `K`"));
  EXPECT_THAT(evaluate("N == 12 or K == 0"), HasSubstr("the launch has no number `K`"));
  EXPECT_THAT(evaluate("aligned(y, 16)"), HasSubstr("wants a view and a number of bytes"));
  EXPECT_THAT(evaluate("aligned(x, 0)"), HasSubstr("wants a view and a number of bytes"));
  EXPECT_THAT(evaluate("extent(x) == 3"), HasSubstr("a call of `extent` has no value"));
  EXPECT_THAT(evaluate("N"), HasSubstr("is a number, no condition"));
  EXPECT_THAT(evaluate("N + true == 1"), HasSubstr("`+` mixes numbers and conditions"));
  EXPECT_THAT(evaluate("N and M"), HasSubstr("`and` mixes numbers and conditions"));
  EXPECT_THAT(evaluate("not N"), HasSubstr("`not` stands before a number"));
  EXPECT_THAT(evaluate("-true == 1"), HasSubstr("`-` stands before a condition"));
  EXPECT_THAT(evaluate("N % zero == 0"), HasSubstr("`%` by 0"));
  EXPECT_THAT(evaluate("N // -1 == 0"), HasSubstr("`//` by -1"));
  EXPECT_THAT(evaluate("N << 63 == 0"), HasSubstr("`<<` by 63"));
  EXPECT_THAT(evaluate("M * M << 60 == 0"), HasSubstr("beyond 2^62"));
  EXPECT_THAT(evaluate("least - 1 < 0"), HasSubstr("beyond 2^62"));
  EXPECT_THAT(evaluate("N / 2 == 6"), HasSubstr("`/` has no meaning for a launch"));
  EXPECT_THAT(evaluate("\"a\" == 1"), HasSubstr("a part of it has no meaning"));
  EXPECT_THAT(evaluate("N =="), HasSubstr("is no condition"));
  EXPECT_THAT(evaluate("true }  def other() { return true"), HasSubstr("is no condition"));
  EXPECT_THAT(evaluate(""), HasSubstr("is no condition"));
}
