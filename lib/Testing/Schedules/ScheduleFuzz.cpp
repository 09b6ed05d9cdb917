// Runs of sequences, replays, shrinking, the table.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Testing/ScheduleFuzz.h"

#include "Sequence.h"

#include "tessera/Schedule/Script.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;
using namespace tessera::schedulefuzz;

//===-- Counts -----------------------------------------------------------------------------------------------------===//

void ScheduleCounts::add(const ScheduleCounts &other) {
  for (const auto &[name, counts] : other.primitives) {
    PrimitiveCounts &own = primitives[name];
    own.accepted += counts.accepted;
    own.refused += counts.refused;
    own.gone += counts.gone;
    own.probed += counts.probed;
    own.needless += counts.needless;
    for (const auto &[code, count] : counts.codes) {
      own.codes[code] += count;
    }
  }
  sequences += other.sequences;
  sealed += other.sealed;
  unsealed += other.unsealed;
  quiet += other.quiet;
  runs += other.runs;
  adversarialRuns += other.adversarialRuns;
}

std::string ScheduleCounts::table() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::formatv("{0,-16} {1,9} {2,8} {3,6} {4,7} {5,9}\n", "primitive", "accepted", "refused",
                      "gone", "probed", "needless");
  PrimitiveCounts sum;
  auto line = [&](llvm::StringRef name, const PrimitiveCounts &counts) {
    os << llvm::formatv("{0,-16} {1,9} {2,8} {3,6} {4,7} {5,9}\n", name, counts.accepted,
                        counts.refused, counts.gone, counts.probed, counts.needless);
  };
  for (const auto &[name, counts] : primitives) {
    line(name, counts);
    sum.accepted += counts.accepted;
    sum.refused += counts.refused;
    sum.gone += counts.gone;
    sum.probed += counts.probed;
    sum.needless += counts.needless;
  }
  line("all", sum);
  unsigned calls = sum.accepted + sum.refused + sum.gone;
  os << llvm::formatv("{0} sequences of {1:F1} calls: ", sequences,
                      sequences ? double(calls) / sequences : 0.0)
     << sealed << " sealed, " << unsealed << " not (" << quiet
     << " of them without a fault under the adversary); " << runs << " runs in order, "
     << adversarialRuns << " under the adversary\n";
  return text;
}

std::string ScheduleCounts::conditions() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const auto &[name, counts] : primitives) {
    for (const auto &[code, count] : counts.codes) {
      os << llvm::formatv("{0,-16} {1,-28} {2,6}\n", name, code, count);
    }
  }
  return text;
}

//===-- One kernel -------------------------------------------------------------------------------------------------===//

struct ScheduleFuzzer::Impl {
  Impl(ScheduleKernel kernel, ScheduleFuzzOptions options)
      : options(std::move(options)), subject(std::move(kernel)) {}

  /// Runs a script on a host; what the script reports, or nothing.
  std::string execute(llvm::StringRef script, script::Host &host);
  ScheduleTrial replay(llvm::StringRef script, ScheduleCounts &into);

  ScheduleFuzzOptions options;
  Subject subject;
  ScheduleCounts counts;
  std::vector<Statement> last; ///< of the trial that was made last
  std::string lastScript;
};

ScheduleFuzzer::ScheduleFuzzer(ScheduleKernel kernel, ScheduleFuzzOptions options)
    : impl(std::make_unique<Impl>(std::move(kernel), std::move(options))) {}
ScheduleFuzzer::~ScheduleFuzzer() = default;

const std::string &ScheduleFuzzer::unusable() const { return impl->subject.unusable; }
const ScheduleCounts &ScheduleFuzzer::counts() const { return impl->counts; }

ScheduleTrial ScheduleFuzzer::run(uint64_t seed) {
  seed = deriveSeed(seed, impl->subject.info().name);
  WatchedHost host(impl->subject, impl->options, impl->counts, seed);
  ++impl->counts.sequences;
  impl->last = makeSequence(host, seed, impl->options);
  impl->lastScript = scriptOf(impl->subject.info().name, impl->options.target, impl->last);
  host.judgeEnd();
  return {host.problem(), impl->lastScript, textOf(host.host().getModule())};
}

std::string ScheduleFuzzer::Impl::execute(llvm::StringRef script, script::Host &host) {
  SourceManager sources;
  DiagnosticEngine engine(sources);
  script::Program program(engine);
  script::RunOptions running;
  running.maxSteps = options.maxScriptSteps;
  bool isGood = program.loadBuffer(script, "fuzz.sched") && !program.schedules().empty() &&
                script::run(program, *program.schedules().front(), host, running);
  std::string text;
  llvm::raw_string_ostream os(text);
  engine.render(os, false);
  return isGood ? "" : text.empty() ? "there is no schedule" : text;
}

ScheduleTrial ScheduleFuzzer::Impl::replay(llvm::StringRef script, ScheduleCounts &into) {
  ScheduleFuzzOptions replayed = options;
  replayed.allSizes = true;
  WatchedHost host(subject, replayed, into, 0);
  std::string stopped = execute(script, host);
  host.judgeEnd();
  std::string problem = host.problem();
  if (problem.empty() && !stopped.empty()) {
    problem = "script: " + stopped;
  }
  return {problem, script.str(), textOf(host.host().getModule())};
}

ScheduleTrial ScheduleFuzzer::replay(llvm::StringRef script) {
  return impl->replay(script, impl->counts);
}

//===-- Shrinking --------------------------------------------------------------------------------------------------===//

static llvm::StringRef wordOf(llvm::StringRef problem) { return problem.split(':').first; }

/// Without a statement and all that use what it gave.
static std::vector<Statement> without(const std::vector<Statement> &statements, size_t index) {
  std::set<unsigned> gone{statements[index].number};
  std::vector<Statement> rest(statements.begin(), statements.begin() + index);
  for (size_t i = index + 1; i < statements.size(); ++i) {
    bool usesGone =
        llvm::any_of(statements[i].uses, [&](unsigned number) { return gone.count(number) != 0; });
    if (usesGone) {
      gone.insert(statements[i].number);
    } else {
      rest.push_back(statements[i]);
    }
  }
  return rest;
}

ScheduleTrial ScheduleFuzzer::shrink(const ScheduleTrial &trial) {
  // Only the sequence that was made last is known by its statements.
  if (trial.script != impl->lastScript || trial.problem.empty()) {
    return trial;
  }
  std::vector<Statement> statements = impl->last;
  ScheduleTrial least = trial;
  ScheduleCounts ignored;
  auto fails = [&](const std::vector<Statement> &some) {
    ScheduleTrial tried =
        impl->replay(scriptOf(impl->subject.info().name, impl->options.target, some), ignored);
    if (wordOf(tried.problem) != wordOf(trial.problem)) {
      return false;
    }
    least = tried;
    return true;
  };
  for (size_t i = statements.size(); i-- > 0;) {
    if (i >= statements.size()) {
      continue;
    }
    std::vector<Statement> rest = without(statements, i);
    if (fails(rest)) {
      statements = std::move(rest);
    }
  }
  return least;
}
