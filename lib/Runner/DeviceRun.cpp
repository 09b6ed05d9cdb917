// Device code of a kernel on the simulator.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceRun.h"

#include "tessera/Conversion/Scheduled.h"
#include "tessera/Runtime/Plan.h"
#include "tessera/Target/PTX/EmitPTX.h"

#include "mlir/IR/Diagnostics.h"

using namespace tessera;

/// What ops say while code is made of them, as one text.
static std::string collect(mlir::MLIRContext &context, llvm::function_ref<bool()> work,
                           bool &isGood) {
  std::string text;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error) {
      llvm::raw_string_ostream os(text);
      if (auto place = placeOf(diagnostic.getLocation())) {
        os << place->file << ":" << place->line << ":" << place->column << ": ";
      }
      os << diagnostic << "\n";
    }
    return mlir::success();
  });
  isGood = work();
  return text;
}

llvm::Expected<DeviceRun::Code *> DeviceRun::codeOf(tile::KernelOp kernel) {
  auto known = made.find(kernel);
  if (known != made.end()) {
    return &known->second;
  }
  ++compilations;
  auto module = kernel->getParentOfType<mlir::ModuleOp>();
  std::string name = kernel.getSymName().str();
  mlir::OwningOpRef<mlir::ModuleOp> scheduled;
  auto noCode = [&](const std::string &why) {
    return runnerError(RunnerDiag::device_no_code, why, name, options.target);
  };
  if (options.schedule == "default" && !convert::isScheduled(module)) {
    std::string problems;
    auto own = convert::scheduleByFile(module, name, options.target, options.file, problems);
    if (mlir::failed(own)) {
      return noCode(problems);
    }
    scheduled =
        *own ? std::move(*own) : convert::scheduleByDefault(module, name, options.target, problems);
    if (!scheduled) {
      return noCode(problems);
    }
    module = *scheduled;
  }
  Code code;
  if (options.costs) {
    code.costs = std::make_unique<Costs>();
  }
  mlir::FailureOr<convert::DeviceModule> device = mlir::failure();
  bool isGood = false;
  std::string said = collect(
      *kernel.getContext(),
      [&] {
        device = convert::buildDeviceModule(module, name, options.target,
                                            code.costs ? &code.costs->predicted : nullptr);
        return mlir::succeeded(device);
      },
      isGood);
  if (!isGood || device->records.size() != 1) {
    return noCode(said.empty() ? "the module has no such kernel" : said);
  }
  code.record = std::move(device->records.front());
  if (options.device == Device::cuda) {
    std::optional<ptx::Arch> arch = ptx::parseArch(options.target);
    if (!arch) {
      return noCode("take sm_80, sm_90a or sm_100a");
    }
    ptx::TargetOptions target;
    target.arch = *arch;
    llvm::Expected<std::string> text = ptx::emitPTX(*device->code, target);
    if (!text) {
      return noCode(llvm::toString(text.takeError()));
    }
    runtime::Result<CudaRun> gpu = CudaRun::make(code.record, *text);
    if (!gpu) {
      return runnerError(RunnerDiag::device_launch, gpu.error().remedy, name, gpu.error().text);
    }
    code.gpu = std::make_unique<CudaRun>(std::move(*gpu));
    return &made.emplace(kernel, std::move(code)).first->second;
  }
  llvm::Expected<std::unique_ptr<sim::Simulator>> simulator =
      sim::Simulator::create(std::move(device->code), device->context);
  if (!simulator) {
    return noCode(llvm::toString(simulator.takeError()));
  }
  code.simulator = std::move(*simulator);
  if (code.costs) {
    costs.push_back(code.costs.get());
  }
  return &made.emplace(kernel, std::move(code)).first->second;
}

static sim::RegionMode modeOf(ArgMode mode) {
  return mode == ArgMode::In    ? sim::RegionMode::in
         : mode == ArgMode::Out ? sim::RegionMode::out
                                : sim::RegionMode::inout;
}

/// What the simulator has seen, a line for each.
static llvm::Error faultsOf(const sim::SimReport &run) {
  std::string text;
  for (const sim::SimError &error : run.errors) {
    text +=
        (text.empty() ? "" : "\n") + (error.site.empty() ? "" : error.site + ": ") + error.message;
  }
  return runnerError(RunnerDiag::device_fault,
                     "the simulator has seen it in the device code; compare `--device=cpu`",
                     text.empty() ? "the kernel did not come to its end" : text);
}

/// What was written of each array, by kernel argument, extents first.
static void addWritten(const Launch &launch, const std::vector<std::vector<bool>> &ofViews,
                       RunReport &report) {
  report.written.resize(launch.extents.size());
  size_t view = 0;
  for (const LaunchArgument &argument : launch.arguments) {
    report.written.push_back(argument.isView() ? ofViews[view++] : std::vector<bool>());
  }
}

llvm::Expected<RunReport> DeviceRun::simulate(Launch &launch, uint64_t seed) {
  llvm::Expected<Code *> code = codeOf(launch.kernel);
  if (!code) {
    return code.takeError();
  }
  std::vector<runtime::Argument> arguments;
  sim::SimLaunch given;
  for (LaunchArgument &argument : launch.arguments) {
    runtime::Argument &one = arguments.emplace_back();
    if (!argument.isView()) {
      std::memcpy(one.scalar.data(), argument.scalar.data(), one.scalar.size());
      continue;
    }
    one.address = reinterpret_cast<uint64_t>(argument.array.data());
    one.shape.assign(argument.array.shape().begin(), argument.array.shape().end());
    one.strides.assign(argument.array.strides().begin(), argument.array.strides().end());
    sim::MemoryRegion region;
    region.name = argument.name;
    region.base = argument.array.data();
    region.elementBytes = argument.array.elementBytes();
    region.shape.assign(one.shape.begin(), one.shape.end());
    region.strides.assign(one.strides.begin(), one.strides.end());
    region.mode = modeOf(argument.mode);
    given.regions.push_back(std::move(region));
  }
  std::string name = launch.kernel.getSymName().str();
  runtime::Result<runtime::LaunchPlan> plan = runtime::planLaunch((*code)->record, arguments);
  if (!plan) {
    return runnerError(RunnerDiag::device_launch, plan.error().remedy, name, plan.error().text);
  }
  RunReport report;
  if (plan->grid == 0) {
    return report;
  }
  for (const std::array<uint8_t, 8> &parameter : plan->parameters) {
    uint64_t word = 0;
    std::memcpy(&word, parameter.data(), sizeof(word));
    given.arguments.push_back(word);
  }
  given.grid = plan->grid;
  given.seed = seed;
  given.shuffle = seed != 0;
  Costs *cost = (*code)->costs.get();
  bool isCounted = cost && hasPlainArrays(launch);
  given.countedCtas = isCounted ? UINT32_MAX : 0;
  const runtime::VersionRecord &version = (*code)->record.versions[plan->version];
  llvm::Expected<sim::SimReport> run = (*code)->simulator->run(version.symbol, given);
  if (!run) {
    return runnerError(RunnerDiag::device_launch, "", name, llvm::toString(run.takeError()));
  }
  if (!run->clean()) {
    return faultsOf(*run);
  }
  if (isCounted) {
    cost->add(*run, version.symbol, unsigned(version.threads));
  } else if (cost) {
    cost->leaveOut();
  }
  addWritten(launch, run->written, report);
  return report;
}

void DeviceRun::printCosts(llvm::raw_ostream &os) const {
  for (const Costs *each : costs) {
    each->print(os);
  }
}

llvm::Expected<RunReport> DeviceRun::onGpu(Launch &launch) {
  llvm::Expected<Code *> code = codeOf(launch.kernel);
  if (!code) {
    return code.takeError();
  }
  std::vector<std::vector<bool>> written;
  if (runtime::Failure failure = (*code)->gpu->run((*code)->record, launch, written)) {
    return runnerError(RunnerDiag::device_launch, failure->remedy, launch.kernel.getSymName().str(),
                       failure->text);
  }
  RunReport report;
  addWritten(launch, written, report);
  return report;
}

llvm::Expected<RunReport> DeviceRun::run(Launch &launch, const RunOptions &how) {
  if (options.device == Device::cpu) {
    return interpret<ExactSystem>(launch.kernel, launch.runArguments(), how);
  }
  if (options.device == Device::cuda) {
    return onGpu(launch);
  }
  return simulate(launch, how.adversarial.value_or(how.seed));
}
