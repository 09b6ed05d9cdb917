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

static void printEntry(llvm::raw_ostream &os, const Entry &entry, bool withCost) {
  os << llvm::formatv("    {0,-8} {1}", schedule::spelling(entry.standing), entry.title);
  if (!entry.reason.empty()) {
    os << (entry.standing == Standing::Trusted ? " (reason: " : " (") << entry.reason << ")";
  }
  if (!entry.usedFacts.empty()) {
    os << " by " << llvm::join(entry.usedFacts, ", ");
  }
  if (withCost && !entry.query.empty()) {
    os << llvm::formatv(" [{0}, {1} units, {2:f1} ms, {3}]", ::spelling(entry.cost.by),
                        entry.cost.rlimit, entry.cost.milliseconds,
                        llvm::StringRef(entry.query).take_front(8));
  }
  os << "\n";
}

void Ledger::print(llvm::raw_ostream &os, const SourceManager *sources, bool withCost) const {
  for (const Step &step : steps) {
    std::string place = placeOf(step.range, sources);
    os << step.text << (place.empty() ? "" : "    at " + place) << "\n";
    for (const Entry &entry : step.entries) {
      printEntry(os, entry, withCost);
    }
  }
  Totals sum = totals();
  os << llvm::formatv("{0} steps: {1} proved, {2} assumed, {3} trusted, {4} program, {5} open\n",
                      steps.size(), sum.proved, sum.assumed, sum.trusted, sum.program, sum.open);
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
              json.object([&] {
                json.attribute("standing", schedule::spelling(entry.standing));
                json.attribute("title", llvm::json::fixUTF8(entry.title));
                json.attribute("kind", entry.kind);
                json.attribute("reason", llvm::json::fixUTF8(entry.reason));
                json.attribute("query", entry.query);
                json.attribute("by", ::spelling(entry.cost.by));
                json.attribute("units", static_cast<int64_t>(entry.cost.rlimit));
              });
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
  });
  os << "\n";
}
