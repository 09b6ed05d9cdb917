// Planning the cases of a test: checks of the specification, all combinations or a pairwise cover, and the element
// budget.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Check/Cases.h"

#include "PairwiseCover.h"

#include "tessera/Host/HostError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

using namespace tessera;

namespace {
/// Above this number of combinations the filter is asked about candidates only, not about each combination.
constexpr uint64_t enumerationLimit = uint64_t(1) << 16;

/// A factor of the product is an axis, the contents of an argument or its order.
std::vector<CoverFactor> factorsOf(const TestSpec &spec) {
  std::vector<CoverFactor> factors;
  for (const TestAxis &axis : spec.axes) {
    factors.push_back({static_cast<unsigned>(axis.values.size()), axis.isTune});
  }
  for (const TestContents &contents : spec.contents) {
    factors.push_back({static_cast<unsigned>(contents.generators.size()), false});
  }
  for (const TestOrder &order : spec.orders) {
    factors.push_back({static_cast<unsigned>(order.orders.size()), false});
  }
  return factors;
}

TestCase makeCase(const TestSpec &spec, const CoverRow &row) {
  TestCase result;
  const unsigned *level = row.data();
  for (const TestAxis &axis : spec.axes) {
    const std::vector<TestValue> &tuple = axis.values[*level++];
    for (auto [name, value] : llvm::zip_equal(axis.names, tuple)) {
      result.values.emplace_back(name, value);
    }
  }
  for (const TestContents &contents : spec.contents) {
    result.contents.emplace_back(contents.argument, contents.generators[*level++]);
  }
  for (const TestOrder &order : spec.orders) {
    result.orders.emplace_back(order.argument, order.orders[*level++]);
  }
  result.values.insert(result.values.end(), spec.fixed.begin(), spec.fixed.end());
  return result;
}

template <typename T> void removeRepeated(std::vector<T> &list) {
  std::vector<T> kept;
  for (T &value : list) {
    if (!llvm::is_contained(kept, value)) {
      kept.push_back(std::move(value));
    }
  }
  list = std::move(kept);
}

llvm::Error checkAxis(const TestSpec &spec, const TestAxis &axis) {
  std::string names = llvm::join(axis.names, ", ");
  if (axis.values.empty() || axis.names.empty()) {
    return hostError(HostDiag::spec_no_values, spec.kernel, names);
  }
  for (auto [index, tuple] : llvm::enumerate(axis.values)) {
    if (tuple.size() != axis.names.size()) {
      return hostError(HostDiag::spec_tuple, spec.kernel, names, axis.names.size(), tuple.size(),
                       index + 1);
    }
  }
  return llvm::Error::success();
}

/// Checks the specification and takes repeated values out of its lists, which are sets.
llvm::Error normalise(TestSpec &spec) {
  if (spec.cases < 1) {
    return hostError(HostDiag::spec_cases, spec.kernel, spec.cases);
  }
  llvm::StringSet<> names, filled, ordered;
  auto once = [&](llvm::StringSet<> &seen, llvm::StringRef name) {
    return seen.insert(name).second ? llvm::Error::success()
                                    : hostError(HostDiag::spec_repeated, spec.kernel, name);
  };
  for (TestAxis &axis : spec.axes) {
    if (llvm::Error error = checkAxis(spec, axis)) {
      return error;
    }
    removeRepeated(axis.values);
    for (const std::string &name : axis.names) {
      if (llvm::Error error = once(names, name)) {
        return error;
      }
    }
  }
  for (const auto &[name, value] : spec.fixed) {
    if (llvm::Error error = once(names, name)) {
      return error;
    }
  }
  for (TestContents &contents : spec.contents) {
    if (contents.generators.empty()) {
      return hostError(HostDiag::spec_no_values, spec.kernel, contents.argument);
    }
    removeRepeated(contents.generators);
    if (llvm::Error error = once(filled, contents.argument)) {
      return error;
    }
  }
  for (TestOrder &order : spec.orders) {
    if (order.orders.empty()) {
      return hostError(HostDiag::spec_no_values, spec.kernel, "order " + order.argument);
    }
    removeRepeated(order.orders);
    if (llvm::Error error = once(ordered, order.argument)) {
      return error;
    }
  }
  return llvm::Error::success();
}

uint64_t countCombinations(llvm::ArrayRef<CoverFactor> factors) {
  constexpr uint64_t most = std::numeric_limits<int64_t>::max();
  uint64_t count = 1;
  for (const CoverFactor &factor : factors) {
    if (factor.levels && count > most / factor.levels) {
      return most;
    }
    count *= factor.levels;
  }
  return count;
}

/// The names of everything a case holds that another case might lack.
std::vector<std::string> holdings(const TestCase &testCase) {
  std::vector<std::string> names;
  for (const auto &[name, value] : testCase.values) {
    names.push_back(name + " = " + value.str());
  }
  for (const auto &[argument, generator] : testCase.contents) {
    names.push_back(argument + " from " + generator.str());
  }
  for (const auto &[argument, order] : testCase.orders) {
    names.push_back("order " + argument + " = " + arrayOrderName(order).str());
  }
  return names;
}

template <typename Pairs> auto *find(Pairs &pairs, llvm::StringRef name) {
  auto it = llvm::find_if(pairs, [&](const auto &pair) { return pair.first == name; });
  return it == pairs.end() ? nullptr : &it->second;
}
} // namespace

const TestValue *TestCase::lookup(llvm::StringRef name) const { return find(values, name); }
const Generator *TestCase::contentsOf(llvm::StringRef argument) const {
  return find(contents, argument);
}

std::optional<ArrayOrder> TestCase::orderOf(llvm::StringRef argument) const {
  const ArrayOrder *order = find(orders, argument);
  return order ? std::optional<ArrayOrder>(*order) : std::nullopt;
}

uint64_t TestCase::seedOf(llvm::StringRef argument) const { return deriveSeed(seed, argument); }

std::string TestCase::str() const { return llvm::join(holdings(*this), ", "); }

std::string CasePlan::str() const {
  std::string text = llvm::formatv("{0} of {1} combinations", cases.size(), combinations);
  if (!exhaustive) {
    text += llvm::formatv(", {0} of {1} pairs", pairsCovered, pairs - pairsImpossible);
    text += cut ? " (cut by `cases`)" : "";
  }
  return text + llvm::formatv(", {0} excluded by `where`", excluded).str();
}

llvm::Expected<CasePlan> tessera::planCases(const TestSpec &given, const CaseFilter &accepts) {
  TestSpec spec = given;
  if (llvm::Error error = normalise(spec)) {
    return error;
  }
  std::vector<CoverFactor> factors = factorsOf(spec);
  std::vector<unsigned> levels;
  for (const CoverFactor &factor : factors) {
    levels.push_back(factor.levels);
  }
  auto acceptsRow = [&](const CoverRow &row) { return !accepts || accepts(makeCase(spec, row)); };

  CasePlan plan;
  plan.combinations = countCombinations(factors);
  uint64_t limit = spec.cases;
  std::vector<CoverRow> rows;
  // Without a filter a combination needs no look unless it is run.
  bool enumerate = plan.combinations <= (accepts ? std::max(limit, enumerationLimit) : limit);
  if (enumerate) {
    forEachRow(levels, [&](const CoverRow &row) {
      if (acceptsRow(row)) {
        rows.push_back(row);
      } else {
        ++plan.excluded;
      }
      return true;
    });
    plan.exhaustive = rows.size() <= limit;
  }
  if (!plan.exhaustive) {
    PairwiseCover cover(factors, hashText(spec.kernel), acceptsRow);
    if (enumerate) {
      cover.restrictTo(std::move(rows));
    }
    cover.build(limit);
    plan.coverCases = cover.rows.size();
    cover.fill(limit);
    rows = std::move(cover.rows);
    plan.pairs = cover.pairs;
    plan.pairsCovered = cover.pairsCovered;
    plan.pairsImpossible = cover.pairsImpossible;
    plan.cut = cover.cut;
    plan.excluded = enumerate ? plan.excluded : cover.rejected;
  }
  if (rows.empty()) {
    return hostError(HostDiag::spec_all_excluded, spec.kernel, plan.excluded);
  }
  for (auto [number, row] : llvm::enumerate(rows)) {
    plan.cases.push_back(makeCase(spec, row));
    plan.cases.back().number = number;
    plan.cases.back().seed = mixBits(hashText(spec.kernel) + number);
  }
  return plan;
}

std::string BudgetResult::str() const {
  if (!dropped) {
    return {};
  }
  std::string text = llvm::formatv("{0} cases with {1} elements dropped to fit the element budget",
                                   dropped, droppedElements);
  if (!lostValues.empty()) {
    text += "; no case is left with " + llvm::join(lostValues, ", ");
  }
  return text;
}

BudgetResult tessera::applyBudget(CasePlan &plan, const CaseCost &cost, uint64_t budget) {
  BudgetResult result;
  std::vector<uint64_t> costs;
  std::vector<std::vector<std::string>> held;
  std::map<std::string, unsigned> holders;
  unsigned __int128 total = 0;
  for (const TestCase &testCase : plan.cases) {
    costs.push_back(cost(testCase));
    total += costs.back();
    held.push_back(holdings(testCase));
    for (const std::string &name : held.back()) {
      ++holders[name];
    }
  }
  std::vector<unsigned> dearest(plan.cases.size());
  std::iota(dearest.begin(), dearest.end(), 0);
  llvm::sort(dearest, [&](unsigned a, unsigned b) {
    return costs[a] != costs[b] ? costs[a] > costs[b] : a < b;
  });

  std::vector<bool> drop(plan.cases.size(), false);
  // First those that no budget left by others could pay, then those whose values other cases hold too, then any.
  enum { tooDear, spare, any };
  for (auto which : {tooDear, spare, any}) {
    for (unsigned index : dearest) {
      bool loses =
          llvm::any_of(held[index], [&](const std::string &name) { return holders[name] == 1; });
      bool eligible = which == any || (which == tooDear ? costs[index] > budget : !loses);
      if (total <= budget || drop[index] || !eligible) {
        continue;
      }
      drop[index] = true;
      total -= costs[index];
      ++result.dropped;
      result.droppedElements += costs[index];
      for (const std::string &name : held[index]) {
        if (--holders[name] == 0) {
          result.lostValues.push_back(name);
        }
      }
    }
  }
  std::vector<TestCase> kept;
  for (auto [index, testCase] : llvm::enumerate(plan.cases)) {
    if (!drop[index]) {
      kept.push_back(std::move(testCase));
    }
  }
  plan.cases = std::move(kept);
  result.elements = static_cast<uint64_t>(total);
  return result;
}
