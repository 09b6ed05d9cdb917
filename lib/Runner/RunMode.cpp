// From files to files: settings, signature, inputs, extents, instance, `where`, outputs, run, check.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RunMode.h"

#include "Against.h"
#include "DeviceRun.h"
#include "Launch.h"
#include "OutputFiles.h"
#include "RunReportJson.h"
#include "Settings.h"
#include "Verification.h"
#include "Versions.h"

#include "tessera/Host/Npy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace tessera;

namespace {
class KernelRun {
public:
  KernelRun(KernelSource &source, const RunnerOptions &options, mlir::MLIRContext &context,
            llvm::raw_ostream &out, Reporter &reporter)
      : source(source), options(options), unknown(mlir::UnknownLoc::get(&context)), out(out),
        reporter(reporter) {}

  bool run();

private:
  bool failed(llvm::Error error) {
    if (!error) {
      return false;
    }
    reporter.report(std::move(error), where);
    return true;
  }
  bool prepare();
  llvm::Error checkNames() const;
  llvm::Error readInputs();
  llvm::Error readInput(LaunchArgument &argument, llvm::StringRef value);
  llvm::Error otherInstance(llvm::StringRef path, DType dtype) const;
  llvm::Error solve();
  bool instantiate();
  bool chooseVersion();
  llvm::Error allocateOutputs();
  llvm::Error checkGuards() const;
  std::vector<OutputFile> outputFiles() const;
  bool execute();
  bool check(Verification &verification, const RunReport &run);
  bool interpretFirst(Against &against);
  bool checkAgainst(Against &against, const RunReport &run);
  void showCheck(const Verification &verification);
  RunOptions runOptions() const;

  KernelSource &source;
  const RunnerOptions &options;
  mlir::Location unknown;
  std::optional<mlir::Location> where;
  llvm::raw_ostream &out;
  Reporter &reporter;

  std::string kernel;
  std::vector<Parameter> parameters;
  SplitSettings split;
  Signature signature;
  Launch launch;
  DeviceRun device{options};
};
} // namespace

RunOptions KernelRun::runOptions() const {
  RunOptions run;
  if (options.gridOrder) {
    run.order = options.gridOrder->reverse ? GridOrder::reverse : GridOrder::shuffle;
    run.seed = options.gridOrder->seed;
  }
  run.adversarial = options.adversarial;
  run.print = &out;
  return run;
}

/// Which optional arguments there are follows from what is given.
static void setOptionals(llvm::ArrayRef<Parameter> parameters, const RunnerOptions &options,
                         Settings &settings) {
  auto isGiven = [&](llvm::StringRef name) {
    auto named = [&](const auto &pair) { return pair.first == name; };
    return llvm::any_of(options.inputs, named) || llvm::any_of(options.outputs, named);
  };
  for (const Parameter &parameter : parameters) {
    if (parameter.kind == ParameterKind::Optional) {
      settings.values.try_emplace(parameter.name, isGiven(parameter.name) ? "present" : "missing");
    }
  }
}

static std::string describe(const LaunchArgument &argument) {
  if (!argument.isView()) {
    return "a scalar of " + name(argument.dtype).str();
  }
  return "an array of " + name(argument.dtype).str() + " with " +
         std::to_string(argument.shape.getNumResults()) +
         (argument.shape.getNumResults() == 1 ? " axis" : " axes");
}

llvm::Error KernelRun::checkNames() const {
  std::vector<std::string> names;
  for (const SignatureArg &argument : signature.args) {
    names.push_back(argument.name);
  }
  auto unknownName = [&](llvm::StringRef name) {
    return runnerError(RunnerDiag::argument_unknown,
                       names.empty() ? "leave it out"
                                     : "its arguments are " + llvm::join(names, ", "),
                       kernel, name);
  };
  auto findArgument = [&](llvm::StringRef name) -> const SignatureArg * {
    for (const SignatureArg &argument : signature.args) {
      if (argument.name == name) {
        return &argument;
      }
    }
    return nullptr;
  };
  for (const auto &[name, value] : options.inputs) {
    const SignatureArg *found = findArgument(name);
    if (!found) {
      return unknownName(name);
    }
    if (found->mode == ArgMode::Out) {
      return runnerError(RunnerDiag::argument_is_output, "write `--out " + name + "=FILE`", name);
    }
  }
  for (const auto &[name, path] : options.outputs) {
    const SignatureArg *found = findArgument(name);
    if (!found) {
      return unknownName(name);
    }
    if (found->mode == ArgMode::In || found->mode == ArgMode::Scalar) {
      return runnerError(RunnerDiag::argument_is_no_output, "write `--in " + name + "=…`", name);
    }
  }
  return llvm::Error::success();
}

/// Whether another type of a parameter would take the file, and how to say so.
llvm::Error KernelRun::otherInstance(llvm::StringRef path, DType dtype) const {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) {
    return llvm::Error::success();
  }
  llvm::Expected<NpyHeader> header =
      parseNpyHeader(llvm::arrayRefFromStringRef((*buffer)->getBuffer()), path);
  if (!header) {
    llvm::consumeError(header.takeError());
    return llvm::Error::success();
  }
  for (const Parameter &parameter : parameters) {
    if (parameter.kind != ParameterKind::Type || npyDescrFits(header->descr, dtype)) {
      continue;
    }
    for (const std::string &candidate : parameter.candidates) {
      std::optional<DType> other = parseDType(candidate);
      if (other && npyDescrFits(header->descr, *other)) {
        return runnerError(RunnerDiag::argument_dtype,
                           "give `--set " + parameter.name + "=" + candidate + "`", path,
                           header->descr, parameter.name, name(dtype));
      }
    }
  }
  return llvm::Error::success();
}

llvm::Error KernelRun::readInput(LaunchArgument &argument, llvm::StringRef value) {
  if (!argument.isView()) {
    llvm::Expected<ScalarBytes> scalar = parseScalar(argument.dtype, value, argument.name);
    if (!scalar) {
      return scalar.takeError();
    }
    argument.scalar = *scalar;
    return llvm::Error::success();
  }
  llvm::Expected<HostArray> array = readNpy(value, argument.dtype);
  if (!array) {
    llvm::Error better = otherInstance(value, argument.dtype);
    if (!better) {
      return array.takeError();
    }
    llvm::consumeError(array.takeError());
    return better;
  }
  argument.array = std::move(*array);
  return llvm::Error::success();
}

llvm::Error KernelRun::readInputs() {
  for (LaunchArgument &argument : launch.arguments) {
    if (argument.mode == ArgMode::Out) {
      continue;
    }
    auto given = llvm::find_if(options.inputs,
                               [&](const auto &pair) { return pair.first == argument.name; });
    if (given == options.inputs.end()) {
      return runnerError(RunnerDiag::argument_not_given, "give `--in " + argument.name + "=…`",
                         argument.name, describe(argument));
    }
    if (llvm::Error error = readInput(argument, given->second)) {
      return error;
    }
  }
  return llvm::Error::success();
}

llvm::Error KernelRun::solve() {
  LaunchShapes shapes =
      launchShapes(kernel, signature, launch.arguments, split.extents, where.value_or(unknown));
  llvm::Expected<std::vector<int64_t>> extents = solveExtents(shapes);
  if (!extents) {
    return extents.takeError();
  }
  launch.extentNames = signature.extents;
  launch.extents = std::move(*extents);
  return llvm::Error::success();
}

bool KernelRun::instantiate() {
  if (hasStatics(parameters)) {
    for (auto [name, value] : llvm::zip(launch.extentNames, launch.extents)) {
      split.settings.launchExtents[name] = value;
    }
  }
  launch.kernel = source.instantiate(kernel, split.settings);
  if (launch.kernel) {
    where = launch.kernel.getLoc();
  }
  return bool(launch.kernel);
}

/// Of a scheduled kernel: the version that its conditions allow. All have one signature.
bool KernelRun::chooseVersion() {
  llvm::Expected<ChosenVersion> chosen = tessera::chooseVersion(launch);
  if (!chosen) {
    return !failed(chosen.takeError());
  }
  if (!chosen->report.empty()) {
    out << chosen->report << "\n";
  }
  launch.kernel = chosen->kernel;
  where = launch.kernel.getLoc();
  return true;
}

llvm::Error KernelRun::allocateOutputs() {
  for (LaunchArgument &argument : launch.arguments) {
    if (argument.mode != ArgMode::Out) {
      continue;
    }
    llvm::Expected<IndexVector> shape =
        shapeOfArgument(argument, launch.extentNames, launch.extents, where.value_or(unknown));
    if (!shape) {
      return shape.takeError();
    }
    llvm::Expected<HostArray> array = HostArray::allocateOutput(argument.dtype, *shape);
    if (!array) {
      return array.takeError();
    }
    argument.array = std::move(*array);
  }
  return checkMemory(launch);
}

llvm::Error KernelRun::checkGuards() const {
  for (const LaunchArgument &argument : launch.arguments) {
    if (!argument.isWritten()) {
      continue;
    }
    if (llvm::Error error = argument.array.checkGuards(argument.name)) {
      return error;
    }
  }
  return llvm::Error::success();
}

std::vector<OutputFile> KernelRun::outputFiles() const {
  std::vector<OutputFile> files;
  for (const auto &[name, path] : options.outputs) {
    for (const LaunchArgument &argument : launch.arguments) {
      if (argument.name == name) {
        files.push_back({name, path, argument.array});
      }
    }
  }
  return files;
}

bool KernelRun::prepare() {
  llvm::Expected<std::string> chosen = chooseKernel(source, options.file, options.kernel);
  if (!chosen) {
    return !failed(chosen.takeError());
  }
  kernel = *chosen;
  parameters = source.parameters(kernel);
  llvm::Expected<SplitSettings> settings = splitSettings(source, kernel, options.settings);
  if (!settings) {
    return !failed(settings.takeError());
  }
  split = std::move(*settings);
  setOptionals(parameters, options, split.settings);
  std::optional<Signature> found = source.signature(kernel, split.settings);
  if (!found) {
    return false;
  }
  signature = std::move(*found);
  launch.arguments = argumentsOf(signature);
  return !failed(checkExtentNames(kernel, signature, parameters, split.extents)) &&
         !failed(checkNames()) && !failed(readInputs()) && !failed(solve()) && instantiate() &&
         !failed(checkWhere(launch)) && !failed(allocateOutputs()) &&
         !failed(checkOutputFiles(outputFiles())) && chooseVersion();
}

void KernelRun::showCheck(const Verification &verification) {
  for (const OutputCheck &check : verification.checks()) {
    if (check.result.passed()) {
      out << check.name << (check.kind == CompareKind::f64 ? " in f64: " : ": ")
          << check.result.str() << "\n";
    } else {
      reportCheck(check, launch, reporter);
    }
  }
  const std::string excuse = verification.f64Excuse();
  if (!excuse.empty()) {
    out << "not checked in f64: " << excuse << "\n";
  }
}

bool KernelRun::check(Verification &verification, const RunReport &run) {
  if (failed(verification.compare(run))) {
    return false;
  }
  if (verification.f64Excuse().empty()) {
    RunReport wide;
    if (failed(verification.compareWide(runOptions(), wide))) {
      return false;
    }
    reportRun(wide, reporter);
    if (!wide.succeeded()) {
      return false;
    }
  }
  showCheck(verification);
  return verification.passed();
}

bool KernelRun::interpretFirst(Against &against) {
  llvm::Expected<RunReport> run = against.interpretFirst(runOptions());
  if (!run) {
    return !failed(run.takeError());
  }
  reportRun(*run, reporter);
  return run->succeeded();
}

bool KernelRun::checkAgainst(Against &against, const RunReport &run) {
  if (failed(against.compare(run))) {
    return false;
  }
  for (const AgainstCheck &check : against.checks()) {
    if (check.output.result.passed()) {
      out << check.output.name << " against the interpreter: " << check.how() << "\n";
    }
  }
  against.report(reporter);
  return against.passed();
}

bool KernelRun::execute() {
  Verification verification(launch);
  Against against(launch, verification);
  bool held = true;
  if (launch.hasWork()) {
    bool hasBounds = options.againstInterpreter && !launch.kernel.getReference().empty();
    if ((options.check || hasBounds) && failed(verification.prepare())) {
      return false;
    }
    if (options.againstInterpreter && !interpretFirst(against)) {
      return false;
    }
    llvm::Expected<RunReport> ran = device.run(launch, runOptions());
    if (!ran) {
      return !failed(ran.takeError());
    }
    RunReport run = std::move(*ran);
    reportRun(run, reporter);
    if (!run.succeeded() || failed(checkGuards())) {
      return false;
    }
    device.printCosts(out);
    held = !options.check || check(verification, run);
    if (options.againstInterpreter) {
      held &= checkAgainst(against, run);
    }
  } else {
    out << "every output is empty: the kernel is not run\n";
  }
  if (failed(writeOutputFiles(outputFiles()))) {
    return false;
  }
  if (!options.json.empty()) {
    return !failed(writeRunJson(options.json, kernel, launch, verification)) && held;
  }
  return held;
}

bool KernelRun::run() { return prepare() && execute(); }

bool tessera::runKernel(KernelSource &source, const RunnerOptions &options,
                        mlir::MLIRContext &context, llvm::raw_ostream &out, Reporter &reporter) {
  return KernelRun(source, options, context, out, reporter).run();
}
