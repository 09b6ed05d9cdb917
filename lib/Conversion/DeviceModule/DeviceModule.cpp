// Kernels and their versions as one LLVM module.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Conversion/DeviceModule.h"

#include "Resident.h"

#include "tessera/Schedule/Assign.h"
#include "tessera/Schedule/LaunchFacts.h"
#include "tessera/Schedule/TargetRecord.h"

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

mlir::FailureOr<DeviceModule> convert::buildDeviceModule(mlir::ModuleOp module,
                                                         llvm::StringRef kernel,
                                                         llvm::StringRef target,
                                                         AccessReport *report) {
  mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
  DeviceModule made;
  made.context = llvm::orc::ThreadSafeContext(std::make_unique<llvm::LLVMContext>());
  std::vector<llvm::StringRef> order;
  llvm::StringMap<std::vector<tile::KernelOp>> families;
  for (tile::KernelOp each : copy->getOps<tile::KernelOp>()) {
    llvm::StringRef base = baseOf(each);
    if (!kernel.empty() && base != kernel && each.getSymName() != kernel) {
      continue;
    }
    if (!families.count(base)) {
      order.push_back(base);
    }
    families[base].push_back(each);
  }
  bool isGood = made.context.withContextDo([&](llvm::LLVMContext *context) {
    made.code = std::make_unique<llvm::Module>("tessera", *context);
    for (llvm::StringRef base : order) {
      // Versions before the kernel that serves every launch.
      std::vector<tile::KernelOp> family;
      for (bool areVersions : {true, false}) {
        llvm::copy_if(families[base], std::back_inserter(family), [&](tile::KernelOp each) {
          return each->hasAttr(schedule::versionOfAttr) == areVersions;
        });
      }
      std::vector<LoweredKernel> lowered;
      for (tile::KernelOp each : family) {
        if (failed(schedule::assignLayouts(each))) {
          return false;
        }
        AccessReport accesses;
        bool demandsBanks = false;
        each.walk([&](tile::AllocOp alloc) {
          demandsBanks |= alloc->hasAttr(schedule::expectsAttrName);
        });
        size_t first = report ? report->size() : 0;
        mlir::FailureOr<LoweredKernel> one = lowerKernel(each, *made.code,
                                                         report         ? report
                                                         : demandsBanks ? &accesses
                                                                        : nullptr);
        if (failed(one) || failed(checkShared(each, *one, target))) {
          return false;
        }
        stateResident(each, *one, *made.code, target);
        if (report) {
          accesses.assign(report->begin() + first, report->end());
        }
        if (failed(checkDemands(each, *one, accesses))) {
          return false;
        }
        for (const schedule::LayoutExpectation &demand : schedule::expectationsOf(each, "regs")) {
          made.registerDemands.emplace_back(one->symbol, demand);
        }
        lowered.push_back(*one);
      }
      mlir::FailureOr<runtime::LaunchRecord> record = launchRecordOf(family, lowered, target);
      if (failed(record)) {
        return false;
      }
      made.records.push_back(std::move(*record));
    }
    return true;
  });
  if (!isGood) {
    return failure();
  }
  return made;
}
