// Subjects of seeds, and what is judged about them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Testing/DeviceFuzz.h"

#include "tessera/Check/Random.h"
#include "tessera/Frontend/Frontend.h"
#include "tessera/Testing/KernelGenerator.h"
#include "tessera/Testing/ScheduleFuzz.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"

using namespace tessera;

std::string DeviceSubject::text() const {
  std::string launch;
  for (const auto &[extent, value] : extents) {
    launch += (launch.empty() ? "" : ", ") + extent + " = " + std::to_string(value);
  }
  std::string how = way == plain ? "no schedule" : way == library ? "the library's schedule" : "";
  return "# " + launch + "; contents of seed " + std::to_string(seed) +
         (contents == RunContents::integers ? ", small integers" : "") +
         (how.empty() ? "" : "; " + how) + "\n" + kernel + (way == script ? "\n" + schedule : "");
}

std::string DeviceCounts::table() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::formatv("{0} kernels with schedules: {1} unusable, {2} not sealed, {3} without code; "
                      "{4} launches, {5} outputs compared, {6} open\n",
                      trials, unusable, unsealed, noCode, launches, compared, open);
  for (const auto &[reason, count] : reasons) {
    os << llvm::formatv("  {0,4} without code: {1}\n", count, reason);
  }
  return text;
}

namespace {
/// A compiled kernel, and the module that becomes code.
struct Compiled {
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> source, scheduled;

  Compiled() {
    context.loadDialect<tile::TileDialect, mlir::scf::SCFDialect>();
    context.getDiagEngine().registerHandler([](mlir::Diagnostic &) { return mlir::success(); });
  }
  tile::KernelOp kernel() { return *source->getOps<tile::KernelOp>().begin(); }
  mlir::ModuleOp module() { return scheduled ? *scheduled : *source; }

  bool compile(const DeviceSubject &subject) {
    SourceManager sources;
    DiagnosticEngine engine(sources);
    std::unique_ptr<Program> program =
        Program::loadBuffer(subject.kernel, subject.name + ".tile", engine);
    if (program && llvm::is_contained(program->kernels(), subject.name)) {
      source = program->instantiate(subject.name, {}, context);
    }
    return bool(source);
  }
  bool parse(const std::string &text) {
    scheduled = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    return bool(scheduled);
  }
};

ScheduleFuzzOptions scheduling(const std::string &target) {
  ScheduleFuzzOptions options;
  options.target = target;
  // The schedules themselves are judged elsewhere.
  options.maxProbes = 0;
  options.adversarialSeeds = 0;
  return options;
}

ScheduleKernel scheduled(const DeviceSubject &subject) {
  return {subject.name, subject.kernel, {subject.extents}, subject.contents};
}
} // namespace

/// Without numbers and names in it: reasons that are alike.
static std::string reasonOf(llvm::StringRef problem) {
  std::string text;
  bool isQuoted = false;
  for (char c : problem.split('\n').first.take_front(160)) {
    isQuoted ^= c == '`';
    if (!isQuoted && !llvm::isDigit(c)) {
      text += c;
    }
  }
  return text;
}

/// The extents of the `index`-th launch: those given, then smaller ones.
static std::map<std::string, int64_t> extentsOf(const DeviceSubject &subject, unsigned index) {
  std::map<std::string, int64_t> extents = subject.extents;
  for (auto &[name, value] : extents) {
    if (index > 0 && value > 0) {
      value = int64_t(deriveSeed(subject.seed + index, name) % uint64_t(value + 1));
    }
  }
  return extents;
}

DeviceTrial DeviceFuzzer::judge(DeviceSubject subject) {
  DeviceTrial trial{subject, ""};
  Compiled compiled;
  if (!compiled.compile(subject)) {
    ++total.unusable;
    return trial;
  }
  if (subject.way == DeviceSubject::script) {
    ScheduleFuzzer schedules(scheduled(subject), scheduling(options.target));
    ScheduleTrial replayed =
        schedules.unusable().empty() ? schedules.replay(subject.schedule) : ScheduleTrial();
    bool isSealed = replayed.problem.empty() && schedules.counts().sealed == 1;
    if (!isSealed || !compiled.parse(replayed.result)) {
      ++total.unsealed;
      return trial;
    }
  }
  DevicePairOptions making;
  making.target = options.target;
  making.scheduleByDefault = subject.way == DeviceSubject::library;
  making.edit = options.edit;
  std::string problem;
  std::unique_ptr<DevicePair> pair =
      DevicePair::make(compiled.kernel(), compiled.module(), making, problem);
  if (!pair) {
    ++total.noCode;
    ++total.reasons[reasonOf(problem)];
    return trial;
  }
  for (unsigned i = 0; i < options.launches && trial.problem.empty(); ++i) {
    trial.subject.extents = extentsOf(subject, i);
    DeviceOutcome outcome = pair->compare(trial.subject.extents, subject.seed, subject.contents);
    if (outcome.kind == DeviceOutcome::skipped || outcome.kind == DeviceOutcome::refused) {
      continue;
    }
    ++total.launches;
    total.compared += outcome.compared;
    total.open += outcome.open;
    if (outcome.isWrong()) {
      trial.problem =
          (outcome.kind == DeviceOutcome::differs ? "bits: " : "fault: ") + outcome.text;
    }
  }
  if (trial.problem.empty()) {
    trial.subject = std::move(subject);
  }
  return trial;
}

DeviceTrial DeviceFuzzer::run(uint64_t seed) {
  ++total.trials;
  DeviceSubject subject;
  subject.seed = deriveSeed(seed, "device");
  subject.way = static_cast<DeviceSubject::Way>(subject.seed % 3);
  if (subject.way != DeviceSubject::script) {
    GeneratedKernel generated = generateKernel(seed);
    subject.name = generated.name;
    subject.kernel = generated.text;
    subject.extents = generated.extents;
    return judge(std::move(subject));
  }
  ScheduleKernel kernel = generatedScheduleKernel(seed);
  if (seed % 2 == 0) {
    const std::vector<ScheduleKernel> &fixed = scheduleKernels();
    kernel = fixed[(subject.seed >> 8) % fixed.size()];
  }
  subject.name = kernel.name;
  subject.kernel = kernel.text;
  subject.extents = kernel.sizes.empty() ? subject.extents : kernel.sizes.back();
  subject.contents = kernel.contents;
  ScheduleFuzzer schedules(scheduled(subject), scheduling(options.target));
  if (!schedules.unusable().empty()) {
    ++total.unusable;
    return {std::move(subject), ""};
  }
  ScheduleTrial made = schedules.run(seed);
  if (!made.problem.empty() || schedules.counts().sealed == 0) {
    ++total.unsealed;
    return {std::move(subject), ""};
  }
  subject.schedule = made.script;
  return judge(std::move(subject));
}
