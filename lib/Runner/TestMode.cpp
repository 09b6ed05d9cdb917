// Plans the cases of each test, runs them, and reports.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TestMode.h"

#include "Against.h"
#include "DeviceRun.h"
#include "RunReportJson.h"
#include "TestCases.h"
#include "Verification.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"

#include <chrono>

using namespace tessera;

namespace {
/// Elements of all arrays of all cases of a file.
constexpr uint64_t elementBudget = 30'000'000;
/// Failures of a test that are shown in full.
constexpr unsigned shownFailures = 5;

using Clock = std::chrono::steady_clock;

/// `KERNEL` or `KERNEL:CASE`.
struct Filter {
  explicit Filter(llvm::StringRef text) {
    auto [name, rest] = text.split(':');
    kernel = name;
    uint64_t value = 0;
    if (!rest.empty()) {
      valid = !rest.getAsInteger(10, value);
      number = value;
    }
  }
  bool matches(llvm::StringRef name) const { return kernel.empty() || name.contains(kernel); }

  llvm::StringRef kernel;
  std::optional<uint64_t> number;
  bool valid = true;
};

class KernelTest {
public:
  KernelTest(KernelSource &source, std::string kernel, const RunnerOptions &options,
             mlir::MLIRContext &context, llvm::raw_ostream &out, Reporter &reporter)
      : source(source), kernel(kernel), options(options), out(out), reporter(reporter),
        builder(source, kernel, mlir::UnknownLoc::get(&context)) {
    summary.kernel = std::move(kernel);
  }

  TestSummary run(const Filter &filter, uint64_t budget);

private:
  std::optional<CasePlan> plan(uint64_t budget);
  llvm::Error restrict(TestSpec &spec) const;
  void runCase(const TestCase &test);
  enum class Verdict : uint8_t { holds, fails, excluded };
  Verdict judge(const TestCase &test, Reporter &problems);
  Verdict runLaunch(Launch &launch, const TestCase &test, Reporter &problems);
  bool verify(Verification &verification, const RunReport &run, const RunOptions &order,
              Launch &launch, Reporter &problems);
  bool interpretFirst(Against &against, const RunOptions &order, Launch &launch,
                      Reporter &problems);
  bool checkAgainst(Against &against, const RunReport &run, Launch &launch, Reporter &problems);
  void takeWarnings(const RunReport &run, Reporter &problems);
  RunOptions orderFor(const TestCase &test) const;

  KernelSource &source;
  std::string kernel;
  const RunnerOptions &options;
  llvm::raw_ostream &out;
  Reporter &reporter;
  CaseBuilder builder;
  DeviceRun device{options};
  TestSummary summary;
  /// How outputs were compared with the interpreter's, each way once.
  std::vector<std::string> ways;
  /// Warnings that were shown: the same one of every case is shown once.
  llvm::StringSet<> warned;
};
} // namespace

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

/// Only the values that `--set` names.
llvm::Error KernelTest::restrict(TestSpec &spec) const {
  for (const auto &[setName, setValue] : options.settings) {
    const std::string &name = setName, &value = setValue;
    bool found = false, known = false;
    for (TestAxis &axis : spec.axes) {
      auto at = llvm::find(axis.names, name);
      if (at == axis.names.end()) {
        continue;
      }
      known = true;
      const size_t position = at - axis.names.begin();
      llvm::erase_if(axis.values, [&](const std::vector<TestValue> &tuple) {
        return tuple[position].str() != value;
      });
      found = !axis.values.empty();
    }
    for (const auto &fixed : spec.fixed) {
      known |= fixed.first == name;
      found |= fixed.first == name && fixed.second.str() == value;
    }
    if (!known || !found) {
      return runnerError(RunnerDiag::test_setting, "set a value that the test lists", kernel, name,
                         value);
    }
  }
  return llvm::Error::success();
}

std::optional<CasePlan> KernelTest::plan(uint64_t budget) {
  std::optional<TestSpec> spec = source.testSpec(kernel, Settings());
  if (!spec) {
    return std::nullopt;
  }
  if (llvm::Error error = restrict(*spec)) {
    reporter.report(std::move(error));
    return std::nullopt;
  }
  llvm::Expected<CasePlan> made =
      planCases(*spec, [&](const TestCase &test) { return builder.admits(test); });
  if (!made) {
    reporter.report(made.takeError());
    return std::nullopt;
  }
  summary.excluded = made->excluded;
  BudgetResult spent =
      applyBudget(*made, [&](const TestCase &test) { return builder.cost(test); }, budget);
  summary.dropped = spent.dropped;
  summary.elements = spent.elements;
  out << kernel << ": " << made->str() << "\n";
  if (spent.dropped) {
    out << kernel << ": " << spent.str() << "\n";
  }
  return std::move(*made);
}

//===----------------------------------------------------------------------===//
// One case
//===----------------------------------------------------------------------===//

/// Several orders over the cases of a test: mostly shuffled ones, each case its own.
RunOptions KernelTest::orderFor(const TestCase &test) const {
  RunOptions run;
  run.order = GridOrder::shuffle;
  run.seed = test.seed;
  if (options.gridOrder) {
    run.order = options.gridOrder->reverse ? GridOrder::reverse : GridOrder::shuffle;
    run.seed = options.gridOrder->seed;
  } else if (test.number % 8 == 7) {
    run.order = GridOrder::reverse;
  }
  run.adversarial = options.adversarial;
  return run;
}

void KernelTest::takeWarnings(const RunReport &run, Reporter &problems) {
  for (const RunError &warning : run.warnings) {
    std::optional<SourcePlace> place = placeOf(warning.where);
    const std::string key =
        warning.code().str() + (place ? place->file + ":" + std::to_string(place->line) + ":" +
                                            std::to_string(place->column)
                                      : std::string());
    if (warned.insert(key).second) {
      reporter.report(warning);
    }
  }
  for (const RunError &error : run.errors) {
    problems.report(error);
  }
}

bool KernelTest::verify(Verification &verification, const RunReport &run, const RunOptions &order,
                        Launch &launch, Reporter &problems) {
  auto failed = [&](llvm::Error error) {
    if (!error) {
      return false;
    }
    problems.report(std::move(error), launch.kernel.getLoc());
    return true;
  };
  for (const LaunchArgument &argument : launch.arguments) {
    if (argument.isWritten() && failed(argument.array.checkGuards(argument.name))) {
      return false;
    }
  }
  if (failed(verification.compare(run))) {
    return false;
  }
  if (verification.passed() && verification.f64Excuse().empty()) {
    RunReport wide;
    if (failed(verification.compareWide(order, wide))) {
      return false;
    }
    takeWarnings(wide, problems);
    if (!wide.succeeded()) {
      return false;
    }
  }
  for (const OutputCheck &check : verification.checks()) {
    if (!check.result.passed()) {
      reportCheck(check, launch, problems);
    }
  }
  return verification.passed();
}

bool KernelTest::interpretFirst(Against &against, const RunOptions &order, Launch &launch,
                                Reporter &problems) {
  llvm::Expected<RunReport> run = against.interpretFirst(order);
  if (!run) {
    problems.report(run.takeError(), launch.kernel.getLoc(), launch.values());
    return false;
  }
  takeWarnings(*run, problems);
  return run->succeeded();
}

bool KernelTest::checkAgainst(Against &against, const RunReport &run, Launch &launch,
                              Reporter &problems) {
  if (llvm::Error error = against.compare(run)) {
    problems.report(std::move(error), launch.kernel.getLoc());
    return false;
  }
  if (std::string way = against.summary(); !llvm::is_contained(ways, way)) {
    ways.push_back(std::move(way));
  }
  against.report(problems);
  return against.passed();
}

/// A number that changes, as good as surely, when a byte of an element does.
static uint64_t digest(const HostArray &array) {
  std::vector<uint8_t> bytes(array.numElements() * array.elementBytes());
  array.copyTo(bytes.data());
  uint64_t hash = 0xCBF29CE484222325u;
  for (uint8_t byte : bytes) {
    hash = (hash ^ byte) * 0x100000001B3u;
  }
  return hash;
}

static std::vector<uint64_t> inputDigests(const Launch &launch) {
  std::vector<uint64_t> result;
  for (const LaunchArgument &argument : launch.arguments) {
    result.push_back(argument.mode == ArgMode::In ? digest(argument.array) : 0);
  }
  return result;
}

/// Whether `where` holds now that there are elements.
static llvm::Expected<bool> isAdmitted(const Launch &launch) {
  llvm::Expected<std::vector<Violation>> violations =
      evaluateWhere(launch.kernel, launch.formulaArguments());
  if (!violations) {
    return violations.takeError();
  }
  return violations->empty();
}

KernelTest::Verdict KernelTest::runLaunch(Launch &launch, const TestCase &test,
                                          Reporter &problems) {
  mlir::Location where = launch.kernel.getLoc();
  llvm::Expected<bool> admitted = isAdmitted(launch);
  if (!admitted) {
    problems.report(admitted.takeError(), where);
    return Verdict::fails;
  }
  if (!*admitted) {
    return Verdict::excluded;
  }
  if (!launch.hasWork()) {
    return Verdict::holds;
  }
  Verification verification(launch);
  if (llvm::Error error = verification.prepare()) {
    problems.report(std::move(error), where, launch.values());
    return Verdict::fails;
  }
  const RunOptions order = orderFor(test);
  Against against(launch, verification);
  if (options.againstInterpreter && !interpretFirst(against, order, launch, problems)) {
    return Verdict::fails;
  }
  const std::vector<uint64_t> before = inputDigests(launch);
  llvm::Expected<RunReport> ran = device.run(launch, order);
  if (!ran) {
    problems.report(ran.takeError(), where, launch.values());
    return Verdict::fails;
  }
  RunReport run = std::move(*ran);
  takeWarnings(run, problems);
  if (!run.succeeded()) {
    return Verdict::fails;
  }
  const std::vector<uint64_t> after = inputDigests(launch);
  for (size_t i = 0; i < before.size(); ++i) {
    if (before[i] != after[i]) {
      problems.report(runnerError(RunnerDiag::test_input_changed, "write to outputs only",
                                  launch.arguments[i].name),
                      where);
      return Verdict::fails;
    }
  }
  const bool isSame = !options.againstInterpreter || checkAgainst(against, run, launch, problems);
  return verify(verification, run, order, launch, problems) && isSame ? Verdict::holds
                                                                      : Verdict::fails;
}

KernelTest::Verdict KernelTest::judge(const TestCase &test, Reporter &problems) {
  llvm::Expected<Launch> launch = builder.build(test);
  if (!launch) {
    problems.report(launch.takeError());
    return Verdict::fails;
  }
  return launch->kernel ? runLaunch(*launch, test, problems) : Verdict::fails;
}

void KernelTest::runCase(const TestCase &test) {
  std::string text;
  llvm::raw_string_ostream os(text);
  Reporter problems(os);
  switch (judge(test, problems)) {
  case Verdict::holds:
    ++summary.passed;
    return;
  case Verdict::excluded:
    ++summary.excluded;
    return;
  case Verdict::fails:
    ++summary.failed;
    break;
  }
  out << kernel << " case " << test.number << " failed: " << test.str() << "\n";
  if (summary.failed > shownFailures) {
    return;
  }
  out << text << "  rerun: tile-run " << options.file << " --test --filter=" << kernel << ":"
      << test.number;
  for (const auto &[name, value] : options.settings) {
    out << " --set " << name << "=" << value;
  }
  out << "\n";
}

TestSummary KernelTest::run(const Filter &filter, uint64_t budget) {
  const Clock::time_point start = Clock::now();
  std::optional<CasePlan> cases = plan(budget);
  if (!cases) {
    ++summary.failed;
  }
  bool ran = !cases;
  for (const TestCase &test : cases ? cases->cases : std::vector<TestCase>()) {
    if (filter.number && test.number != *filter.number) {
      continue;
    }
    ran = true;
    runCase(test);
    if (options.failFast && summary.failed) {
      break;
    }
  }
  if (!ran) {
    reporter.report(runnerError(RunnerDiag::test_filter,
                                "case numbers are those that failures print", options.file,
                                options.filter));
    ++summary.failed;
  }
  if (ran && summary.passed + summary.failed == 0) {
    reporter.report(runnerError(RunnerDiag::test_all_excluded, "widen the lists of the test",
                                kernel, summary.excluded));
    ++summary.failed;
  }
  for (const std::string &way : ways) {
    out << kernel << " against the interpreter: " << way << "\n";
  }
  if (options.device != Device::cpu) {
    out << kernel << ": code made " << device.timesMade() << " times\n";
  }
  device.printCosts(out);
  source.clearInstances();
  summary.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  out << kernel << ": " << summary.passed << " cases hold, " << summary.failed << " do not, "
      << summary.excluded << " excluded by where, " << summary.elements << " elements, "
      << llvm::format("%.2f", summary.seconds) << " s\n";
  return summary;
}

//===----------------------------------------------------------------------===//
// A file
//===----------------------------------------------------------------------===//

/// The kernels with tests that are asked for; empty after a report.
static std::vector<std::string> chooseTests(KernelSource &source, const RunnerOptions &options,
                                            const Filter &filter, Reporter &reporter) {
  std::vector<std::string> tests, chosen;
  for (const std::string &kernel : source.kernels()) {
    if (source.hasTest(kernel)) {
      tests.push_back(kernel);
    }
  }
  if (!options.kernel.empty()) {
    llvm::Expected<std::string> only = chooseKernel(source, options.file, options.kernel);
    if (!only) {
      reporter.report(only.takeError());
      return {};
    }
    llvm::erase_if(tests, [&](const std::string &kernel) { return kernel != *only; });
  }
  if (tests.empty()) {
    reporter.report(runnerError(RunnerDiag::test_none, "add a `test` block to the file",
                                options.kernel.empty() ? options.file : options.kernel));
    return {};
  }
  for (const std::string &kernel : tests) {
    if (filter.valid && filter.matches(kernel)) {
      chosen.push_back(kernel);
    }
  }
  if (chosen.empty()) {
    reporter.report(runnerError(RunnerDiag::test_filter,
                                "write KERNEL or KERNEL:CASE, as failures print it", options.file,
                                options.filter));
  }
  return chosen;
}

bool tessera::runTests(KernelSource *source, const RunnerOptions &options,
                       mlir::MLIRContext &context, llvm::raw_ostream &out, Reporter &reporter) {
  const Filter filter(options.filter);
  std::vector<std::string> kernels;
  if (source) {
    kernels = chooseTests(*source, options, filter, reporter);
  }
  std::vector<TestSummary> summaries;
  uint64_t passed = 0, failed = kernels.empty() ? 1 : 0, elements = 0;
  for (size_t i = 0; i < kernels.size(); ++i) {
    // What earlier tests leave of the file's budget is shared by the rest.
    const uint64_t budget =
        (elementBudget - std::min(elements, elementBudget)) / (kernels.size() - i);
    KernelTest test(*source, kernels[i], options, context, out, reporter);
    summaries.push_back(test.run(filter, budget));
    passed += summaries.back().passed;
    failed += summaries.back().failed;
    elements += summaries.back().elements;
  }
  if (!options.json.empty()) {
    if (llvm::Error error = writeTestJson(options.json, summaries)) {
      reporter.report(std::move(error));
      ++failed;
    }
  }
  out << elements << " of at most " << elementBudget << " elements\n";
  out << passed << " passed, " << failed << " failed\n";
  return failed == 0 && passed != 0;
}
