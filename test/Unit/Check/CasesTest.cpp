// Plans of cases: exhaustive ones, pairwise covers checked pair by pair, filters and limits.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CasesTesting.h"

#include "llvm/ADT/STLExtras.h"

#include <random>
#include <set>

using namespace tessera;

namespace {
/// The pairs of values of different axes that some case holds, as text.
std::set<std::string> pairsOf(const std::vector<TestCase> &cases, unsigned axes) {
  std::set<std::string> pairs;
  for (const TestCase &testCase : cases) {
    for (unsigned a = 0; a < axes; ++a) {
      for (unsigned b = a + 1; b < axes; ++b) {
        pairs.insert(testCase.values[a].first + testCase.values[a].second.str() + " " +
                     testCase.values[b].first + testCase.values[b].second.str());
      }
    }
  }
  return pairs;
}

TestSpec randomSpec(std::mt19937 &random) {
  TestSpec spec;
  spec.kernel = "k" + std::to_string(random());
  unsigned axes = 1 + random() % 9;
  for (unsigned a = 0; a < axes; ++a) {
    spec.axes.push_back(numbered("a" + std::to_string(a), 1 + random() % 7, random() % 4 == 0));
  }
  return spec;
}
} // namespace

TEST(Cases, FewCombinationsAreAllRun) {
  TestSpec spec;
  spec.kernel = "k";
  spec.axes = {axis({"E", "K"}, {{1, 1}, {9, 6}}), axis({"T"}, {{"bf16"}, {"f32"}}),
               numbered("BM", 2, true)};
  spec.contents = {
      {"x", {must(Generator::get("normal")), must(Generator::get("one", {TestValue("nan")}))}}};
  spec.orders = {{"x", {ArrayOrder::row, ArrayOrder::padded}}};
  spec.fixed = {{"R", 7}};
  CasePlan plan = must(planCases(spec));
  EXPECT_TRUE(plan.exhaustive);
  ASSERT_EQ(plan.cases.size(), 32u);
  EXPECT_EQ(plan.str(), "32 of 32 combinations, 0 excluded by `where`");
  EXPECT_EQ(plan.cases[31].str(),
            "E = 9, K = 6, T = f32, BM = 1, R = 7, x from one(nan), order x = padded");
  const TestCase &last = plan.cases[31];
  EXPECT_EQ(*last.lookup("K"), TestValue(6));
  EXPECT_EQ(last.lookup("Q"), nullptr);
  EXPECT_EQ(last.contentsOf("x")->str(), "one(nan)");
  EXPECT_EQ(last.contentsOf("y"), nullptr);
  EXPECT_EQ(last.orderOf("x"), ArrayOrder::padded);
  EXPECT_FALSE(last.orderOf("y").has_value());
  std::set<std::string> texts;
  std::set<uint64_t> seeds;
  for (const TestCase &testCase : plan.cases) {
    texts.insert(testCase.str());
    seeds.insert(testCase.seed);
    seeds.insert(testCase.seedOf("x"));
    seeds.insert(testCase.seedOf("y"));
  }
  EXPECT_EQ(texts.size(), 32u);
  EXPECT_EQ(seeds.size(), 96u);
}

TEST(Cases, ATestWithoutAxesHasOneCase) {
  TestSpec spec;
  spec.kernel = "k";
  CasePlan plan = must(planCases(spec));
  EXPECT_EQ(plan.cases.size(), 1u);
  EXPECT_TRUE(plan.exhaustive);
}

TEST(Cases, PairwiseCoversHoldEveryPair) {
  std::mt19937 random(1);
  unsigned covers = 0;
  for (unsigned round = 0; round < 300; ++round) {
    TestSpec spec = randomSpec(random);
    CasePlan plan = must(planCases(spec));
    uint64_t pairs = 0, largestTwo = 1;
    std::vector<unsigned> sizes;
    for (const TestAxis &a : spec.axes) {
      for (unsigned size : sizes) {
        pairs += size * a.values.size();
        largestTwo = std::max<uint64_t>(largestTwo, size * a.values.size());
      }
      sizes.push_back(a.values.size());
    }
    uint64_t cover = plan.exhaustive ? plan.cases.size() : plan.coverCases;
    std::vector<TestCase> first(plan.cases.begin(), plan.cases.begin() + cover);
    ASSERT_EQ(pairsOf(first, spec.axes.size()).size(), pairs);
    std::set<std::string> distinct;
    for (const TestCase &one : plan.cases) {
      EXPECT_TRUE(distinct.insert(one.str()).second) << one.str();
    }
    if (!plan.exhaustive) {
      // Filled up: a cover leaves triples open.
      EXPECT_EQ(plan.cases.size(), std::max<uint64_t>(spec.cases, cover));
      ++covers;
      EXPECT_EQ(plan.pairs, pairs);
      EXPECT_EQ(plan.pairsCovered, pairs);
      EXPECT_EQ(plan.pairsImpossible, 0u);
      EXPECT_FALSE(plan.cut);
      // No cover is smaller than the product of the two largest axes; greedy ones stay near it.
      EXPECT_LE(plan.coverCases, 2 * largestTwo + 10);
    }
  }
  EXPECT_GT(covers, 100u);
}

TEST(Cases, PlansAreReproducibleAndDependOnTheKernel) {
  std::mt19937 random(2);
  TestSpec spec;
  for (unsigned a = 0; a < 8; ++a) {
    spec.axes.push_back(numbered("a" + std::to_string(a), 4));
  }
  spec.kernel = "one";
  auto text = [&] {
    std::string all;
    for (const TestCase &testCase : must(planCases(spec)).cases) {
      all += testCase.str() + " " + std::to_string(testCase.seed) + "\n";
    }
    return all;
  };
  std::string first = text();
  EXPECT_EQ(text(), first);
  spec.kernel = "two";
  EXPECT_NE(text(), first);
}

TEST(Cases, ACutKeepsEveryValueAndSaysWhatIsMissing) {
  TestSpec spec;
  spec.kernel = "k";
  spec.cases = 8;
  for (unsigned a = 0; a < 6; ++a) {
    spec.axes.push_back(numbered("a" + std::to_string(a), 3 + a, a == 5));
  }
  CasePlan plan = must(planCases(spec));
  EXPECT_TRUE(plan.cut);
  EXPECT_EQ(plan.cases.size(), 8u);
  EXPECT_EQ(plan.pairsCovered, pairsOf(plan.cases, 6).size());
  EXPECT_LT(plan.pairsCovered, plan.pairs);
  for (unsigned a = 0; a < 6; ++a) {
    std::set<int64_t> seen;
    for (const TestCase &testCase : plan.cases) {
      seen.insert(valueOf(testCase, "a" + std::to_string(a)));
    }
    EXPECT_EQ(seen.size(), 3 + a);
  }
  // Fewer cases than an axis has values: the values win.
  spec.cases = 2;
  plan = must(planCases(spec));
  EXPECT_EQ(plan.cases.size(), 8u);
  EXPECT_NE(plan.str().find("(cut by `cases`)"), std::string::npos);
}

TEST(Cases, TuneValuesComeFirst) {
  TestSpec spec;
  spec.kernel = "k";
  spec.cases = 1;
  spec.axes = {numbered("M", 20), numbered("BM", 4, true), numbered("BN", 3, true),
               numbered("N", 9)};
  CasePlan plan = must(planCases(spec));
  std::set<int64_t> first;
  for (unsigned i = 0; i < 4; ++i) {
    first.insert(valueOf(plan.cases[i], "BM"));
  }
  EXPECT_EQ(first.size(), 4u);
}

TEST(Cases, FiltersLeaveTheirPairsOutAndNoOthers) {
  std::mt19937 random(4);
  unsigned covers = 0;
  for (unsigned round = 0; round < 40; ++round) {
    TestSpec spec = randomSpec(random);
    spec.cases = 20;
    unsigned salt = random() % 5;
    CaseFilter accepts = [&](const TestCase &testCase) {
      int64_t sum = salt;
      for (const auto &[name, value] : testCase.values) {
        sum += *value.getInt();
      }
      bool equal =
          testCase.values.size() < 2 || testCase.values[0].second == testCase.values.back().second;
      return sum % 3 != 0 && (equal || salt > 2);
    };
    uint64_t product = 1;
    for (const TestAxis &a : spec.axes) {
      product *= a.values.size();
    }
    if (product > 60000) {
      continue;
    }
    std::vector<TestCase> admitted;
    TestSpec everything = spec;
    everything.cases = 1 << 20;
    if (llvm::Expected<CasePlan> all = planCases(everything, accepts)) {
      admitted = all->cases;
    } else {
      EXPECT_EQ(llvm::toString(all.takeError()).substr(0, 5), "T0854");
      EXPECT_EQ(textOf(planCases(spec, accepts)).substr(0, 5), "T0854");
      continue;
    }
    CasePlan plan = must(planCases(spec, accepts));
    EXPECT_EQ(plan.excluded, product - admitted.size());
    for (const TestCase &testCase : plan.cases) {
      EXPECT_TRUE(accepts(testCase));
    }
    if (!plan.cut) {
      EXPECT_EQ(pairsOf(plan.cases, spec.axes.size()), pairsOf(admitted, spec.axes.size()));
    }
    if (!plan.exhaustive) {
      ++covers;
      EXPECT_EQ(plan.pairs - plan.pairsImpossible, pairsOf(admitted, spec.axes.size()).size());
    }
  }
  EXPECT_GT(covers, 10u);
}

TEST(Cases, FiltersOfProductsTooLargeToList) {
  TestSpec spec;
  spec.kernel = "k";
  for (unsigned a = 0; a < 12; ++a) {
    spec.axes.push_back(numbered("a" + std::to_string(a), 4));
  }
  CaseFilter accepts = [](const TestCase &testCase) {
    return valueOf(testCase, "a0") <= valueOf(testCase, "a1");
  };
  CasePlan plan = must(planCases(spec, accepts));
  EXPECT_FALSE(plan.exhaustive);
  EXPECT_EQ(plan.pairsImpossible, 6u);
  EXPECT_EQ(plan.pairsCovered, plan.pairs - 6);
  EXPECT_EQ(plan.combinations, uint64_t(1) << 24);
  EXPECT_EQ(textOf(planCases(spec, [](const TestCase &) { return false; })).substr(0, 5), "T0854");
}
