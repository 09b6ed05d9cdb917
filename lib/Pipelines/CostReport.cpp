//===- CostReport.cpp - --report ------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CostReport.h"

#include "tessera/Conversion/AccessText.h"
#include "tessera/Conversion/DeviceModule.h"
#include "tessera/Target/PTX/EmitPTX.h"
#include "tessera/Target/PTX/Ptxas.h"

#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/Diagnostics.h"

using namespace tessera;
using mlir::failed;
using mlir::failure;
using mlir::LogicalResult;
using mlir::success;

/// What ptxas says of the kernels; nothing, with the reason, where it is not there or refuses the code.
static std::optional<ptx::PtxasLog> resourcesOf(llvm::Module &code, ptx::Arch arch,
                                                std::string &reason) {
  auto refused = [&](llvm::Error error) {
    reason = llvm::toString(std::move(error));
    return std::nullopt;
  };
  llvm::Expected<std::string> program = ptx::findPtxas();
  if (!program) {
    llvm::consumeError(program.takeError());
    reason = "there is no ptxas";
    return std::nullopt;
  }
  ptx::TargetOptions target;
  target.arch = arch;
  llvm::Expected<std::string> text = ptx::emitPTX(code, target);
  if (!text) {
    return refused(text.takeError());
  }
  ptx::PtxasOptions how;
  how.arch = arch;
  how.program = *program;
  llvm::Expected<ptx::Assembled> made = ptx::assemble(*text, how);
  if (!made) {
    return refused(made.takeError());
  }
  return made->log;
}

/// `2 * M * K + 8192`: bytes of all arrays, twice those that are read and written.
static std::string bytesOf(const runtime::LaunchRecord &record) {
  std::string text;
  int64_t fixed = 0;
  for (const runtime::ArgumentRecord &argument : record.arguments) {
    if (!argument.isView) {
      continue;
    }
    int64_t factor = int64_t(runtime::dtypeBytes(argument.dtype)) *
                     (argument.mode == runtime::Mode::inout ? 2 : 1);
    std::string symbols;
    for (const runtime::Expr &extent : argument.shape) {
      if (extent.kind == runtime::Expr::Kind::constant) {
        factor *= extent.first;
      } else if (extent.kind == runtime::Expr::Kind::extent) {
        symbols += " * " + record.extents[extent.first].name;
      } else {
        symbols += " * " + record.text(extent);
      }
    }
    if (symbols.empty()) {
      fixed += factor;
    } else {
      text += (text.empty() ? "" : " + ") + std::to_string(factor) + symbols;
    }
  }
  return fixed == 0 && !text.empty() ? text
                                     : text + (text.empty() ? "" : " + ") + std::to_string(fixed);
}

static void printVersion(llvm::raw_ostream &os, const runtime::VersionRecord &version,
                         const std::optional<ptx::PtxasLog> &log, llvm::StringRef reason) {
  os << "entry " << version.symbol;
  for (auto [number, condition] : llvm::enumerate(version.conditions)) {
    os << (number == 0 ? " where " : " and ") << condition.text;
  }
  os << ": " << version.threads << " threads, " << version.sharedBytes
     << " bytes of shared memory, ";
  const ptx::KernelResources *taken = log ? log->kernel(version.symbol) : nullptr;
  if (!taken) {
    os << "registers unknown: " << (reason.empty() ? "ptxas does not say" : reason) << "\n";
    return;
  }
  os << taken->registers << " registers, ";
  if (taken->spills()) {
    os << taken->spillStoreBytes << " bytes of spills stored and " << taken->spillLoadBytes
       << " loaded\n";
  } else {
    os << "no spills\n";
  }
}

LogicalResult opt::emitReport(mlir::ModuleOp module, const Options &options,
                              llvm::raw_ostream &os) {
  convert::AccessReport accesses;
  mlir::FailureOr<convert::DeviceModule> device =
      convert::buildDeviceModule(module, options.kernel, options.target, &accesses);
  if (failed(device)) {
    return failure();
  }
  std::string reason;
  std::optional<ptx::PtxasLog> log =
      resourcesOf(*device->code, *ptx::parseArch(options.target), reason);
  os << "accesses are those " << convert::accessAssumptions() << "\n";
  for (const runtime::LaunchRecord &record : device->records) {
    os << "\nkernel " << record.kernel << ", " << record.target << ": arrays of " << bytesOf(record)
       << " bytes\n";
    for (const runtime::VersionRecord &version : record.versions) {
      printVersion(os, version, log, reason);
      std::vector<std::string> lines;
      for (const convert::AccessCost &access : accesses) {
        if (access.entry == version.symbol) {
          llvm::raw_string_ostream line(lines.emplace_back());
          convert::printAccess(line, access);
        }
      }
      convert::printMerged(os, lines);
    }
  }
  return success();
}
