// The report of a schedule.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/Ledger.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;
using namespace tessera::schedule;

const char *schedule::spelling(Standing standing) {
  switch (standing) {
  case Standing::Proved:
    return "proved";
  case Standing::Assumed:
    return "assumed";
  case Standing::Trusted:
    return "trusted";
  case Standing::Program:
    return "program";
  case Standing::Open:
    return "open";
  }
  return "";
}

static const char *spelling(solver::DecidedBy by) {
  switch (by) {
  case solver::DecidedBy::Simplification:
    return "form";
  case solver::DecidedBy::Rules:
    return "rules";
  case solver::DecidedBy::Cache:
    return "cache";
  case solver::DecidedBy::Solver:
    return "solver";
  }
  return "";
}

static std::string placeOf(SourceRange range, const SourceManager *sources) {
  if (!sources || !range.isValid()) {
    return "";
  }
  LineColumn at = sources->lineColumn(range.file, range.begin);
  return sources->name(range.file).str() + ":" + std::to_string(at.line) + ":" +
         std::to_string(at.column);
}

Totals Ledger::totals() const {
  Totals totals;
  for (const Step &step : steps) {
    for (const Entry &entry : step.entries) {
      ++totals.kinds[entry.kind];
      switch (entry.standing) {
      case Standing::Proved:
        ++totals.proved;
        break;
      case Standing::Assumed:
        ++totals.assumed;
        break;
      case Standing::Trusted:
        ++totals.trusted;
        break;
      case Standing::Program:
        ++totals.program;
        break;
      case Standing::Open:
        ++totals.open;
        break;
      }
    }
  }
  return totals;
}

std::vector<Entry *> Ledger::entries(Standing standing) {
  std::vector<Entry *> found;
  for (Step &step : steps) {
    for (Entry &entry : step.entries) {
      if (entry.standing == standing) {
        found.push_back(&entry);
      }
    }
  }
  return found;
}

/// ` [solver, 1234 units, 0.5 ms, 0123abcd]`, or ` [form]`; ` [seal]` where it rests on all that `seal` proved.
static void printCost(llvm::raw_ostream &os, const Entry &entry) {
  if (entry.queries.empty()) {
    os << (entry.reason == "at seal" ? " [seal]" : " [form]");
  }
  for (const solver::AskedQuery &query : entry.queries) {
    os << llvm::formatv(" [{0}, {1} units, {2:f1} ms, {3}]", ::spelling(query.cost.by),
                        query.cost.rlimit, query.cost.milliseconds,
                        llvm::StringRef(query.hash).take_front(8));
  }
}

static void printEntry(llvm::raw_ostream &os, const Entry &entry, Detail detail) {
  os << llvm::formatv("    {0,-8} {1}", schedule::spelling(entry.standing), entry.title);
  if (!entry.reason.empty()) {
    os << (entry.standing == Standing::Trusted ? " (reason: " : " (") << entry.reason << ")";
  }
  if (!entry.usedFacts.empty()) {
    os << " by " << llvm::join(entry.usedFacts, ", ");
  }
  if (detail == Detail::Costs) {
    printCost(os, entry);
  }
  os << "\n";
}

static void printSpending(llvm::raw_ostream &os, const Spending &spending) {
  const solver::SolverStatistics &sum = spending.queries;
  os << llvm::formatv("queries: {0}; by form {1}, by rules {2}, from the cache {3}, by the solver "
                      "{4}\n",
                      sum.queries, sum.bySimplification, sum.byRules, sum.fromCache, sum.bySolver);
  os << llvm::formatv("time: {0:f1} ms, queries {1:f1} ms of it; a query {2:f2} ms (median), "
                      "{3:f1} ms (largest{4}{5}); the solver {6:f1} ms, {7:f2} ms (median)\n",
                      spending.milliseconds, sum.totalMilliseconds, sum.medianMilliseconds,
                      sum.slowestMilliseconds, sum.slowestQuery.empty() ? "" : ", ",
                      llvm::StringRef(sum.slowestQuery).take_front(8), sum.solverMilliseconds,
                      sum.solverMedianMilliseconds);
}

void Ledger::print(llvm::raw_ostream &os, const SourceManager *sources, Detail detail) const {
  for (const Step &step : steps) {
    std::string place = placeOf(step.range, sources);
    os << step.text << (place.empty() ? "" : "    at " + place) << "\n";
    for (const Entry &entry : step.entries) {
      printEntry(os, entry, detail);
    }
  }
  Totals sum = totals();
  os << llvm::formatv("{0} steps: {1} proved, {2} assumed, {3} trusted, {4} program, {5} open\n",
                      steps.size(), sum.proved, sum.assumed, sum.trusted, sum.program, sum.open);
  if (detail == Detail::Steps) {
    return;
  }
  os << "kinds:";
  const char *before = " ";
  for (const auto &[kind, count] : sum.kinds) {
    os << before << kind << " " << count;
    before = ", ";
  }
  os << "\n";
  if (spending) {
    printSpending(os, *spending);
  }
}

static void writeEntry(llvm::json::OStream &json, const Entry &entry) {
  json.object([&] {
    json.attribute("standing", schedule::spelling(entry.standing));
    json.attribute("title", llvm::json::fixUTF8(entry.title));
    json.attribute("kind", entry.kind);
    json.attribute("reason", llvm::json::fixUTF8(entry.reason));
    json.attributeArray("queries", [&] {
      for (const solver::AskedQuery &query : entry.queries) {
        json.object([&] {
          json.attribute("hash", query.hash);
          json.attribute("by", ::spelling(query.cost.by));
          json.attribute("units", static_cast<int64_t>(query.cost.rlimit));
          json.attribute("ms", query.cost.milliseconds);
        });
      }
    });
  });
}

static void writeSpending(llvm::json::OStream &json, const Spending &spending) {
  const solver::SolverStatistics &sum = spending.queries;
  json.attribute("ms", spending.milliseconds);
  json.attribute("queries", sum.queries);
  json.attribute("form", sum.bySimplification);
  json.attribute("rules", sum.byRules);
  json.attribute("cache", sum.fromCache);
  json.attribute("solver", sum.bySolver);
  json.attribute("units", static_cast<int64_t>(sum.rlimit));
  json.attribute("queries_ms", sum.totalMilliseconds);
  json.attribute("median_ms", sum.medianMilliseconds);
  json.attribute("largest_ms", sum.slowestMilliseconds);
  json.attribute("largest", sum.slowestQuery);
  json.attribute("solver_ms", sum.solverMilliseconds);
  json.attribute("solver_median_ms", sum.solverMedianMilliseconds);
}

void Ledger::printJson(llvm::raw_ostream &os, const SourceManager *sources) const {
  llvm::json::OStream json(os, 2);
  json.object([&] {
    json.attributeArray("steps", [&] {
      for (const Step &step : steps) {
        json.object([&] {
          json.attribute("primitive", step.primitive);
          json.attribute("text", llvm::json::fixUTF8(step.text));
          json.attribute("at", placeOf(step.range, sources));
          json.attributeArray("conditions", [&] {
            for (const Entry &entry : step.entries) {
              writeEntry(json, entry);
            }
          });
        });
      }
    });
    Totals sum = totals();
    json.attributeObject("totals", [&] {
      json.attribute("proved", sum.proved);
      json.attribute("assumed", sum.assumed);
      json.attribute("trusted", sum.trusted);
      json.attribute("program", sum.program);
      json.attribute("open", sum.open);
    });
    json.attributeObject("kinds", [&] {
      for (const auto &[kind, count] : sum.kinds) {
        json.attribute(kind, count);
      }
    });
    if (spending) {
      json.attributeObject("spending", [&] { writeSpending(json, *spending); });
    }
  });
  os << "\n";
}
