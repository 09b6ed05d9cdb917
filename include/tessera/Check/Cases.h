// From a test block to the list of cases to run: all combinations where they are few, else a pairwise cover, in which
// every two values of different axes meet in at least one case, filled up with others by lot. Deterministic: seeds come
// from the kernel's name.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_CHECK_CASES_H
#define TESSERA_CHECK_CASES_H

#include "tessera/Check/TestValue.h"
#include "tessera/Host/ArrayOrder.h"

#include <functional>
#include <optional>
#include <utility>

namespace tessera {

/// `(E, K) in {(1, 1), (9, 9)}`, `M in {0, 1}` or, with `isTune`, `BM in tune` with the values of the kernel's list.
struct TestAxis {
  std::vector<std::string> names;
  /// One tuple per choice, each with one value per name. Repeated tuples count once.
  std::vector<std::vector<TestValue>> values;
  bool isTune = false;
};

/// `x from normal, one(nan)`.
struct TestContents {
  std::string argument;
  std::vector<Generator> generators;
};

/// `order x in {row, col}`.
struct TestOrder {
  std::string argument;
  std::vector<ArrayOrder> orders;
};

struct TestSpec {
  std::string kernel;
  std::vector<TestAxis> axes;
  std::vector<TestContents> contents;
  std::vector<TestOrder> orders;
  /// `R = 7`.
  std::vector<std::pair<std::string, TestValue>> fixed;
  /// Greatest number of cases.
  int64_t cases = 150;
};

struct TestCase {
  /// Position in the plan, from 0; kept when other cases are dropped, so it names the case for good.
  uint64_t number = 0;
  /// Depends on the kernel's name and `number` alone.
  uint64_t seed = 0;
  /// Axes in the order of the specification, then fixed values.
  std::vector<std::pair<std::string, TestValue>> values;
  std::vector<std::pair<std::string, Generator>> contents;
  std::vector<std::pair<std::string, ArrayOrder>> orders;

  /// Null where the test says nothing about it.
  const TestValue *lookup(llvm::StringRef name) const;
  const Generator *contentsOf(llvm::StringRef argument) const;
  std::optional<ArrayOrder> orderOf(llvm::StringRef argument) const;

  /// Seed for the contents of an argument.
  uint64_t seedOf(llvm::StringRef argument) const;

  /// `M = 7, T = bf16, x from one(nan), order x = padded`.
  std::string str() const;
};

/// Whether the kernel's `where` admits the case.
using CaseFilter = std::function<bool(const TestCase &)>;

struct CasePlan {
  std::vector<TestCase> cases;
  /// Every admitted combination is there.
  bool exhaustive = false;
  /// Number of combinations of the specification, at most 2^63 - 1.
  uint64_t combinations = 1;
  /// Combinations tried and not admitted by the filter. All of them where `exhaustive`.
  uint64_t excluded = 0;
  /// Pairs of values of different axes: all, in some case, and in no admitted combination. A pair counts as impossible
  /// without proof only where there are too many combinations to look at each (then a thousand completions failed).
  uint64_t pairs = 0, pairsCovered = 0, pairsImpossible = 0;
  /// How many of the first cases make the cover; 0 where `exhaustive`.
  uint64_t coverCases = 0;
  /// `cases N` ended the cover before every possible pair was in.
  bool cut = false;

  /// One line for the report of a run: `150 of 2016 combinations, 431 of 431 pairs, 0 excluded`.
  std::string str() const;
};

/// Plans the cases of a test. Every value of every axis that some admitted combination holds appears, even where that
/// takes more than `spec.cases` cases; values of tune axes come first. Errors: T085x.
llvm::Expected<CasePlan> planCases(const TestSpec &spec, const CaseFilter &accepts = nullptr);

struct BudgetResult {
  /// Elements of the cases that are left.
  uint64_t elements = 0;
  uint64_t dropped = 0, droppedElements = 0;
  /// Values that no case has any more, as `N = 100003`.
  std::vector<std::string> lostValues;

  /// Empty where nothing was dropped.
  std::string str() const;
};

/// Elements of all arrays and of the reference of one case.
using CaseCost = std::function<uint64_t(const TestCase &)>;

/// Drops cases until the rest fits `budget` elements: those that alone exceed it, then the dearest first, and as long as
/// possible none that alone holds some value.
BudgetResult applyBudget(CasePlan &plan, const CaseCost &cost, uint64_t budget = 30'000'000);

} // namespace tessera

#endif // TESSERA_CHECK_CASES_H
