// Kernels and their versions as one LLVM module.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Conversion/DeviceModule.h"

#include "Resident.h"

#include "tessera/Schedule/Assign.h"
#include "tessera/Schedule/LaunchFacts.h"
#include "tessera/Schedule/TargetRecord.h"

#include "llvm/ADT/MapVector.h"
#include "mlir/IR/BuiltinOps.h"

using namespace tessera;
using namespace tessera::convert;
using mlir::failed;
using mlir::failure;

static llvm::StringRef baseOf(tile::KernelOp kernel) {
  auto of = kernel->getAttrOfType<mlir::FlatSymbolRefAttr>(schedule::versionOfAttr);
  return of ? of.getValue() : kernel.getSymName();
}

/// The assembler and the driver refuse what a CTA cannot have, but name neither op nor line.
static mlir::LogicalResult checkShared(tile::KernelOp kernel, const LoweredKernel &code,
                                       llvm::StringRef target) {
  std::optional<schedule::TargetRecord> record = schedule::TargetRecord::named(target);
  if (!record || code.sharedBytes <= record->smem) {
    return mlir::success();
  }
  auto error = mlir::emitError(kernel.getLoc())
               << "the code of `" << kernel.getSymName() << "` needs " << code.sharedBytes
               << " bytes of shared memory, `" << target << "` has " << record->smem;
  if (code.scratchAt) {
    error.attachNote(*code.scratchAt)
        << code.scratchBytes
        << " of them are for elements that move between threads here: smaller tiles, or a "
        << "schedule that holds both sides alike, need less";
  }
  return error;
}

/// What the schedule demands of shared memory and its banks.
static mlir::LogicalResult checkDemands(tile::KernelOp kernel, const LoweredKernel &code,
                                        const AccessReport &accesses) {
  mlir::LogicalResult result =
      schedule::checkExpectations(schedule::expectationsOf(kernel, "smem"), code.sharedBytes,
                                  llvm::Twine("the code of `") + kernel.getSymName() + "` takes " +
                                      llvm::Twine(code.sharedBytes) + " bytes of shared memory");
  kernel.walk([&](tile::AllocOp alloc) {
    llvm::SmallVector<schedule::LayoutExpectation> demands =
        schedule::expectationsOf(alloc, "bank_degree");
    for (const AccessCost &access : accesses) {
      if (access.alloc == alloc.getOperation() && access.counts &&
          failed(schedule::checkExpectations(demands, access.counts->degree,
                                             access.what + " at " + access.place + " has degree " +
                                                 std::to_string(access.counts->degree)))) {
        result = failure();
        return; // one access is enough
      }
    }
  });
  return result;
}

/// Kernels and their versions, versions before the kernel that serves every launch.
static std::vector<std::vector<tile::KernelOp>> familiesOf(mlir::ModuleOp module,
                                                           llvm::StringRef kernel) {
  llvm::MapVector<llvm::StringRef, std::vector<tile::KernelOp>> families;
  for (tile::KernelOp each : module.getOps<tile::KernelOp>()) {
    llvm::StringRef base = baseOf(each);
    if (kernel.empty() || base == kernel || each.getSymName() == kernel) {
      families[base].push_back(each);
    }
  }
  std::vector<std::vector<tile::KernelOp>> sorted;
  for (auto &[base, family] : families) {
    std::vector<tile::KernelOp> &ordered = sorted.emplace_back();
    for (bool areVersions : {true, false}) {
      llvm::copy_if(family, std::back_inserter(ordered), [&](tile::KernelOp each) {
        return each->hasAttr(schedule::versionOfAttr) == areVersions;
      });
    }
  }
  return sorted;
}

/// Layouts and code of one kernel, held to what the target has and the schedule demands.
static mlir::FailureOr<LoweredKernel> entryOf(tile::KernelOp kernel, llvm::Module &code,
                                              llvm::StringRef target, AccessReport *report,
                                              DeviceModule &made) {
  if (failed(schedule::assignLayouts(kernel))) {
    return failure();
  }
  AccessReport accesses;
  bool demandsBanks = false;
  kernel.walk(
      [&](tile::AllocOp alloc) { demandsBanks |= alloc->hasAttr(schedule::expectsAttrName); });
  size_t first = report ? report->size() : 0;
  mlir::FailureOr<LoweredKernel> one = lowerKernel(kernel, code,
                                                   report         ? report
                                                   : demandsBanks ? &accesses
                                                                  : nullptr);
  if (failed(one) || failed(checkShared(kernel, *one, target))) {
    return failure();
  }
  stateResident(kernel, *one, code, target);
  if (report) {
    accesses.assign(report->begin() + first, report->end());
  }
  if (failed(checkDemands(kernel, *one, accesses))) {
    return failure();
  }
  for (const schedule::LayoutExpectation &demand : schedule::expectationsOf(kernel, "regs")) {
    made.registerDemands.emplace_back(one->symbol, demand);
  }
  return one;
}

/// `lower` makes the code of a kernel.
static mlir::FailureOr<DeviceModule>
build(mlir::ModuleOp module, llvm::StringRef kernel, llvm::StringRef target, DeviceModule made,
      llvm::function_ref<mlir::FailureOr<LoweredKernel>(tile::KernelOp, DeviceModule &)> lower) {
  mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
  for (const std::vector<tile::KernelOp> &family : familiesOf(*copy, kernel)) {
    std::vector<LoweredKernel> lowered;
    for (tile::KernelOp each : family) {
      mlir::FailureOr<LoweredKernel> one = lower(each, made);
      if (failed(one)) {
        return failure();
      }
      lowered.push_back(*one);
    }
    mlir::FailureOr<runtime::LaunchRecord> record = launchRecordOf(family, lowered, target);
    if (failed(record)) {
      return failure();
    }
    made.records.push_back(std::move(*record));
  }
  return made;
}

mlir::FailureOr<DeviceModule> convert::buildDeviceModule(mlir::ModuleOp module,
                                                         llvm::StringRef kernel,
                                                         llvm::StringRef target,
                                                         AccessReport *report) {
  DeviceModule made;
  made.context = llvm::orc::ThreadSafeContext(std::make_unique<llvm::LLVMContext>());
  llvm::orc::ThreadSafeContext context = made.context;
  return context.withContextDo([&](llvm::LLVMContext *context) {
    made.code = std::make_unique<llvm::Module>("tessera", *context);
    return build(module, kernel, target, std::move(made),
                 [&](tile::KernelOp each, DeviceModule &made) {
                   return entryOf(each, *made.code, target, report, made);
                 });
  });
}

mlir::FailureOr<DeviceModule> convert::buildDeviceEntries(mlir::ModuleOp module,
                                                          llvm::StringRef kernel,
                                                          llvm::StringRef target, TakeCode take) {
  return build(module, kernel, target, DeviceModule(),
               [&](tile::KernelOp each, DeviceModule &made) {
                 auto context = std::make_unique<llvm::LLVMContext>();
                 context->setDiscardValueNames(true);
                 auto code = std::make_unique<llvm::Module>("tessera", *context);
                 mlir::FailureOr<LoweredKernel> one = entryOf(each, *code, target, nullptr, made);
                 if (succeeded(one)) {
                   take(std::move(context), std::move(code));
                 } else {
                   code.reset(); // before its context
                 }
                 return one;
               });
}
