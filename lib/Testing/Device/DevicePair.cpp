// Device code on the simulator against the interpreter.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Testing/DevicePair.h"

#include "tessera/Analysis/NumericClass.h"
#include "tessera/Conversion/DeviceModule.h"
#include "tessera/Conversion/Scheduled.h"
#include "tessera/Runtime/Plan.h"
#include "tessera/Simulator/Simulator.h"

#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/Diagnostics.h"

#include <cstring>

namespace tessera {

struct DevicePair::Impl {
  tile::KernelOp source;
  runtime::LaunchRecord record;
  std::unique_ptr<sim::Simulator> simulator;
  llvm::StringMap<bool> isOpen; ///< of outputs, by name

  std::vector<std::string> launch(llvm::ArrayRef<Argument> arguments, uint64_t seed,
                                  std::string &refused);
};

DevicePair::DevicePair(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
DevicePair::~DevicePair() = default;

std::unique_ptr<DevicePair> DevicePair::make(tile::KernelOp source, mlir::ModuleOp module,
                                             const DevicePairOptions &options,
                                             std::string &problem) {
  auto impl = std::make_unique<Impl>();
  impl->source = source;
  std::string name = source.getSymName().str();
  mlir::OwningOpRef<mlir::ModuleOp> scheduled;
  if (options.scheduleByDefault && !convert::isScheduled(module)) {
    scheduled = convert::scheduleByDefault(module, name, options.target, problem);
    if (!scheduled) {
      return nullptr;
    }
    module = *scheduled;
  }
  mlir::ScopedDiagnosticHandler handler(module.getContext(), [&](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error) {
      problem += diagnostic.str() + "\n";
    }
    return mlir::success();
  });
  mlir::FailureOr<convert::DeviceModule> device =
      convert::buildDeviceModule(module, name, options.target);
  if (mlir::failed(device) || device->records.size() != 1) {
    problem += problem.empty() ? "the module has no such kernel" : "";
    return nullptr;
  }
  impl->record = std::move(device->records.front());
  if (options.edit) {
    options.edit(*device->code);
  }
  llvm::Expected<std::unique_ptr<sim::Simulator>> simulator =
      sim::Simulator::create(std::move(device->code), device->context);
  if (!simulator) {
    problem = llvm::toString(simulator.takeError());
    return nullptr;
  }
  impl->simulator = std::move(*simulator);
  NumericClassAnalysis classes(source);
  for (unsigned i = source.getExtents(); i < source.getNumArguments(); ++i) {
    llvm::StringRef argument = source.getArgName(i);
    impl->isOpen[argument] = !isBitwise(classes.ofArgument(argument).numericClass);
  }
  return std::unique_ptr<DevicePair>(new DevicePair(std::move(impl)));
}

static sim::MemoryRegion regionOf(llvm::StringRef name, tile::AccessMode mode,
                                  const HostArray &array) {
  sim::MemoryRegion region;
  region.name = name.str();
  region.base = array.data();
  region.elementBytes = array.elementBytes();
  region.shape.assign(array.shape().begin(), array.shape().end());
  region.strides.assign(array.strides().begin(), array.strides().end());
  region.mode = mode == tile::AccessMode::in    ? sim::RegionMode::in
                : mode == tile::AccessMode::out ? sim::RegionMode::out
                                                : sim::RegionMode::inout;
  return region;
}

/// Errors are those that the simulator has seen; `refused` is set where there was no launch.
std::vector<std::string> DevicePair::Impl::launch(llvm::ArrayRef<Argument> arguments, uint64_t seed,
                                                  std::string &refused) {
  std::vector<runtime::Argument> given;
  sim::SimLaunch launch;
  for (unsigned i = source.getExtents(); i < arguments.size(); ++i) {
    runtime::Argument &one = given.emplace_back();
    auto view = mlir::dyn_cast<tile::ViewType>(source.getArgType(i));
    if (!view) {
      std::memcpy(one.scalar.data(), arguments[i].element.data(), one.scalar.size());
      continue;
    }
    const HostArray &array = *arguments[i].array;
    one.address = reinterpret_cast<uint64_t>(array.data());
    one.shape.assign(array.shape().begin(), array.shape().end());
    one.strides.assign(array.strides().begin(), array.strides().end());
    launch.regions.push_back(regionOf(source.getArgName(i), view.getMode(), array));
  }
  runtime::Result<runtime::LaunchPlan> plan = runtime::planLaunch(record, given);
  if (!plan) {
    refused = plan.error().text;
    return {};
  }
  if (plan->grid == 0) {
    return {};
  }
  for (const std::array<uint8_t, 8> &parameter : plan->parameters) {
    std::memcpy(&launch.arguments.emplace_back(), parameter.data(), sizeof(uint64_t));
  }
  launch.grid = plan->grid;
  launch.seed = seed;
  launch.shuffle = true;
  launch.countedCtas = 0;
  llvm::Expected<sim::SimReport> run =
      simulator->run(record.versions[plan->version].symbol, launch);
  if (!run) {
    return {llvm::toString(run.takeError())};
  }
  std::vector<std::string> errors;
  for (const sim::SimError &error : run->errors) {
    errors.push_back(error.message);
  }
  if (errors.empty() && !run->complete) {
    errors.push_back("the kernel did not come to its end");
  }
  return errors;
}

DeviceOutcome DevicePair::compare(const std::map<std::string, int64_t> &extents, uint64_t seed,
                                  RunContents contents) {
  DeviceOutcome outcome;
  std::optional<KernelRun> expected = runKernel(impl->source, extents, seed, {}, contents);
  if (!expected || !expected->errors.empty()) {
    outcome.kind = DeviceOutcome::skipped;
    outcome.text = expected ? expected->errors.front() : "shapes that cannot be had";
    return outcome;
  }
  std::string refused;
  std::optional<KernelRun> found =
      runKernelBy(impl->source, extents, seed, contents, [&](llvm::ArrayRef<Argument> arguments) {
        return impl->launch(arguments, seed, refused);
      });
  if (!refused.empty()) {
    outcome.kind = DeviceOutcome::refused;
    outcome.text = refused;
    return outcome;
  }
  if (!found->errors.empty()) {
    outcome.kind = DeviceOutcome::faults;
    outcome.text = found->errors.front();
    return outcome;
  }
  KernelRun left, right;
  for (auto [a, b] : llvm::zip(expected->outputs, found->outputs)) {
    if (impl->isOpen.lookup(a.name)) {
      ++outcome.open;
      continue;
    }
    ++outcome.compared;
    left.outputs.push_back(a);
    right.outputs.push_back(b);
  }
  outcome.text = right.difference(left);
  outcome.kind = outcome.text.empty() ? DeviceOutcome::same : DeviceOutcome::differs;
  return outcome;
}

} // namespace tessera
