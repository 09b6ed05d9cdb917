// --emit=scheduled, layout, llvm, ptx, cubin, launch; --report.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceOutput.h"

#include "CostReport.h"

#include "tessera/Conversion/DeviceModule.h"
#include "tessera/Conversion/Scheduled.h"
#include "tessera/Dialect/Tile/TileOps.h"
#include "tessera/Schedule/Assign.h"
#include "tessera/Target/PTX/Emission.h"
#include "tessera/Target/PTX/Ptxas.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "mlir/IR/Diagnostics.h"

using namespace tessera;
using mlir::failed;
using mlir::failure;
using mlir::LogicalResult;
using mlir::success;

/// Kernels get the schedule of their file, those without one the library's.
static LogicalResult scheduleAll(mlir::OwningOpRef<mlir::ModuleOp> &module,
                                 const opt::Options &options) {
  if (options.schedule == "none" || convert::isScheduled(*module)) {
    return success();
  }
  std::vector<std::string> names;
  for (tile::KernelOp kernel : module->getOps<tile::KernelOp>()) {
    names.push_back(kernel.getSymName().str());
  }
  for (const std::string &name : names) {
    std::string problems;
    auto refused = [&](llvm::StringRef which) {
      return mlir::emitError(mlir::UnknownLoc::get(module->getContext()))
             << which << " `" << name << "`: " << problems;
    };
    auto own = convert::scheduleByFile(*module, name, options.target, options.input, problems);
    if (failed(own)) {
      return refused("the schedule of its file does not fit");
    }
    mlir::OwningOpRef<mlir::ModuleOp> next =
        *own ? std::move(*own)
             : convert::scheduleByDefault(*module, name, options.target, problems, options.cache);
    if (!next) {
      return refused("no schedule of the library fits");
    }
    module = std::move(next);
  }
  return success();
}

static LogicalResult refused(mlir::ModuleOp module, llvm::Error error) {
  return mlir::emitError(mlir::UnknownLoc::get(module.getContext()))
         << llvm::toString(std::move(error));
}

/// What needs no text of the target: the code itself, and what launches check.
static LogicalResult emitModule(mlir::ModuleOp module, const opt::Options &options,
                                llvm::raw_ostream &os) {
  mlir::FailureOr<convert::DeviceModule> device =
      convert::buildDeviceModule(module, options.kernel, options.target);
  if (failed(device) || failed(opt::checkRegisters(*device, nullptr))) {
    return failure();
  }
  if (options.emit == "llvm") {
    device->code->print(os, nullptr);
    return success();
  }
  for (const runtime::LaunchRecord &record : device->records) {
    os << record.text();
  }
  return success();
}

/// Entries are compiled while the next ones are lowered.
static LogicalResult emitCode(mlir::ModuleOp module, const opt::Options &options,
                              llvm::raw_ostream &os) {
  std::optional<ptx::Arch> arch = ptx::parseArch(options.target);
  ptx::TargetOptions target;
  target.arch = *arch;
  target.verify = options.verifyCode;
  target.threads = options.threads;
  target.byLLVM = options.byLLVM;
  ptx::Emission emission(target);
  mlir::FailureOr<convert::DeviceModule> device = convert::buildDeviceEntries(
      module, options.kernel, options.target,
      [&](std::unique_ptr<llvm::LLVMContext> context, std::unique_ptr<llvm::Module> code) {
        emission.add(std::move(context), std::move(code));
      });
  if (failed(device) ||
      (options.emit != "cubin" && failed(opt::checkRegisters(*device, nullptr)))) {
    return failure();
  }
  ptx::EmitTimes times;
  llvm::Expected<std::string> text = emission.finish(&times);
  if (!text) {
    return refused(module, text.takeError());
  }
  if (!times.byLLVM.empty()) {
    module.emitRemark() << "LLVM's code generator wrote PTX, which takes longer: " << times.byLLVM;
  }
  if (options.emit == "ptx") {
    os << *text;
    return success();
  }
  ptx::PtxasOptions how;
  how.arch = *arch;
  llvm::Expected<ptx::Assembled> made = ptx::assemble(*text, how);
  if (!made) {
    return refused(module, made.takeError());
  }
  llvm::errs() << made->log.report();
  if (failed(opt::checkRegisters(*device, &made->log))) {
    return failure();
  }
  os << made->cubin;
  return success();
}

LogicalResult opt::emitDevice(mlir::ModuleOp given, const Options &options, llvm::raw_ostream &os) {
  mlir::OwningOpRef<mlir::ModuleOp> module(given.clone());
  if (!ptx::parseArch(options.target)) {
    return mlir::emitError(mlir::UnknownLoc::get(module->getContext()))
           << "`" << options.target
           << "` is no target that has code: take sm_80, sm_90a or sm_100a";
  }
  if (failed(scheduleAll(module, options))) {
    return failure();
  }
  if (options.emit == "scheduled" || options.emit == "layout") {
    if (options.emit == "layout") {
      for (tile::KernelOp kernel : module->getOps<tile::KernelOp>()) {
        if (failed(schedule::assignLayouts(kernel))) {
          return failure();
        }
      }
    }
    // What `seal` left, or the reader, has been verified.
    module->print(os, mlir::OpPrintingFlags().assumeVerified());
    os << "\n";
    return success();
  }
  if (options.emit == "report") {
    return emitReport(*module, workOfAll(given), options, os);
  }
  bool isModule = options.emit == "llvm" || options.emit == "launch";
  return isModule ? emitModule(*module, options, os) : emitCode(*module, options, os);
}
