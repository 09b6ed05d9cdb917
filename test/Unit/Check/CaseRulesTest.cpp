// Specifications that are refused, lists as sets, element budgets, and plans of the size that test blocks have.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CasesTesting.h"

using namespace tessera;

TEST(Cases, SpecificationsThatAreWrong) {
  auto refuse = [](auto change) {
    TestSpec spec;
    spec.kernel = "k";
    spec.axes = {numbered("M", 2), axis({"E", "K"}, {{1, 2}})};
    spec.contents = {{"x", {Generator()}}};
    spec.orders = {{"x", {ArrayOrder::row}}};
    EXPECT_EQ(textOf(planCases(spec)), "");
    change(spec);
    return textOf(planCases(spec));
  };
  EXPECT_EQ(refuse([](TestSpec &s) { s.cases = 0; }),
            "T0853: test `k`: `cases 0`, expected 1 or more");
  EXPECT_EQ(refuse([](TestSpec &s) { s.axes[1].values.clear(); }),
            "T0850: test `k`: `E, K` has no values; give at least one");
  EXPECT_EQ(refuse([](TestSpec &s) { s.contents[0].generators.clear(); }).substr(0, 20),
            "T0850: test `k`: `x`");
  EXPECT_EQ(refuse([](TestSpec &s) { s.orders[0].orders.clear(); }).substr(0, 26),
            "T0850: test `k`: `order x`");
  EXPECT_EQ(refuse([](TestSpec &s) { s.axes[1].values.push_back({3}); }),
            "T0851: test `k`: `(E, K)` takes 2 values at a time, found 1 in value 2 of the list");
  EXPECT_EQ(refuse([](TestSpec &s) { s.axes[1].names[1] = "M"; }),
            "T0852: test `k`: `M` is given twice; keep one of the two");
  EXPECT_EQ(refuse([](TestSpec &s) { s.fixed = {{"M", 1}}; }).substr(0, 5), "T0852");
  EXPECT_EQ(refuse([](TestSpec &s) { s.contents.push_back(s.contents[0]); }).substr(0, 5), "T0852");
  EXPECT_EQ(refuse([](TestSpec &s) { s.orders.push_back(s.orders[0]); }).substr(0, 5), "T0852");
}

TEST(Cases, ListsAreSets) {
  TestSpec spec;
  spec.kernel = "k";
  spec.axes = {axis({"M"}, {{1}, {2}, {1}}), axis({"L"}, {{0.5}, {TestValue()}, {TestValue()}})};
  spec.contents = {{"x", {Generator(), Generator()}}};
  spec.orders = {{"x", {ArrayOrder::row, ArrayOrder::row}}};
  EXPECT_EQ(must(planCases(spec)).cases.size(), 4u);
}

TEST(Cases, BudgetsDropTheDearestThatNoValueNeeds) {
  TestSpec spec;
  spec.kernel = "k";
  spec.axes = {axis({"N"}, {{1}, {10}, {1000}}), numbered("T", 4)};
  CaseCost cost = [](const TestCase &testCase) {
    return static_cast<uint64_t>(valueOf(testCase, "N"));
  };
  CasePlan plan = must(planCases(spec));
  EXPECT_EQ(applyBudget(plan, cost, 4044).str(), "");
  EXPECT_EQ(plan.cases.size(), 12u);
  BudgetResult result = applyBudget(plan, cost, 1500);
  EXPECT_EQ(result.str(), "3 cases with 3000 elements dropped to fit the element budget");
  EXPECT_EQ(result.elements, 1044u);
  EXPECT_EQ(plan.cases.size(), 9u);
  EXPECT_EQ(plan.cases.back().number, 11u);
  result = applyBudget(plan, cost, 50);
  EXPECT_EQ(result.lostValues, std::vector<std::string>{"N = 1000"});
  EXPECT_EQ(plan.cases.size(), 8u);
  result = applyBudget(plan, cost, 0);
  EXPECT_TRUE(plan.cases.empty());
  EXPECT_NE(result.str().find("no case is left with"), std::string::npos);
}

TEST(Cases, PlansOfTheSizeOfTestBlocksStaySmall) {
  TestSpec spec;
  spec.kernel = "k";
  for (unsigned size : {3, 3, 4, 4, 2, 2, 2, 3, 2, 2}) {
    spec.axes.push_back(numbered("a" + std::to_string(spec.axes.size()), size));
  }
  CasePlan plan = must(planCases(spec));
  EXPECT_EQ(plan.combinations, 13824u);
  EXPECT_EQ(plan.cases.size(), 150u);
  EXPECT_GE(plan.coverCases, 16u);
  EXPECT_LE(plan.coverCases, 24u);
}
