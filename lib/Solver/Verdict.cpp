//===- Verdict.cpp - verdicts in words ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Verdict.h.
//
//===----------------------------------------------------------------------===//

#include "tessera/Solver/Verdict.h"

#include "llvm/ADT/STLExtras.h"

namespace tessera::solver {

static std::string printedName(const WitnessValue &value) {
  std::string name = value.name;
  if (!value.arguments.empty()) {
    name += "(";
    for (size_t i = 0; i < value.arguments.size(); ++i) {
      name += (i ? ", " : "") + toString(value.arguments[i]);
    }
    name += ")";
  }
  return name;
}

std::string Witness::str() const {
  std::string text;
  for (const WitnessValue &value : values) {
    if (value.relevant) {
      std::string shown =
          value.role == Role::Condition ? (value.value ? "true" : "false") : toString(value.value);
      text += (text.empty() ? "" : ", ") + printedName(value) + " = " + shown;
    }
  }
  return text;
}

std::optional<Int> Witness::operator[](llvm::StringRef name) const {
  for (const WitnessValue &value : values) {
    if (printedName(value) == name) {
      return value.value;
    }
  }
  return std::nullopt;
}

static std::string wordsFor(const Verdict &verdict) {
  switch (verdict.cause) {
  case UnknownCause::Budget:
    return "the budget of the query was spent";
  case UnknownCause::Memory:
    return "the solver ran out of memory";
  case UnknownCause::Invalid:
    return verdict.detail;
  case UnknownCause::Failure:
    return "the solver failed: " + verdict.detail;
  case UnknownCause::Incomplete:
  case UnknownCause::None:
    break;
  }
  return verdict.detail.empty() ? "the solver gave up" : "the solver gave up: " + verdict.detail;
}

std::string Verdict::str() const {
  switch (outcome) {
  case Outcome::Proved:
    return vacuous ? "holds, because the facts contradict each other" : "holds";
  case Outcome::Refuted: {
    std::string values = witness.str();
    return values.empty() ? "fails in every case" : "fails for " + values;
  }
  case Outcome::Unknown:
    break;
  }
  std::string text = "no proof and no counterexample were found: " + wordsFor(*this);
  if (!hardTerms.empty()) {
    text += "; hard terms: ";
    constexpr size_t shown = 3;
    for (size_t i = 0; i < std::min(hardTerms.size(), shown); ++i) {
      text += (i ? ", `" : "`") + hardTerms[i] + "`";
    }
    if (hardTerms.size() > shown) {
      text += " and " + std::to_string(hardTerms.size() - shown) + " more";
    }
  }
  return text;
}

std::vector<std::string> Verdict::exits() const {
  if (outcome != Outcome::Unknown || cause == UnknownCause::Invalid) {
    return {};
  }
  std::vector<std::string> ways;
  if (!hardTerms.empty()) {
    ways.push_back("give one factor of `" + hardTerms[0] +
                   "` a constant value, or specialize on a few values of it");
  }
  ways.push_back("`assume` a fact about the sizes, which is checked when the kernel is launched");
  ways.push_back("`specialize` on a class of sizes, so that the general case keeps the safe form");
  if (cause == UnknownCause::Budget) {
    ways.push_back("raise the budget of the query");
  }
  ways.push_back("`trust` the step with a reason; the report of the kernel then says so");
  return ways;
}

} // namespace tessera::solver
