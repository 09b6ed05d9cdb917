//===- CostReport.cpp - --report ------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CostReport.h"

#include "tessera/Conversion/AccessText.h"
#include "tessera/Conversion/DeviceModule.h"
#include "tessera/Schedule/TargetRecord.h"
#include "tessera/Target/PTX/EmitPTX.h"
#include "tessera/Target/PTX/Ptxas.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "mlir/IR/Diagnostics.h"

using namespace tessera;
using mlir::failed;
using mlir::failure;
using mlir::LogicalResult;
using mlir::success;
using opt::KernelWork;

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

static Polynomial amountOf(const runtime::LaunchRecord &record, const runtime::Expr &expr) {
  using Kind = runtime::Expr::Kind;
  auto operand = [&](unsigned i) { return amountOf(record, expr.operands[i]); };
  switch (expr.kind) {
  case Kind::constant:
    return double(expr.first);
  case Kind::extent:
    return Polynomial::of(record.extents[expr.first].name);
  case Kind::add:
    return operand(0) + operand(1);
  case Kind::sub:
    return operand(0) - operand(1);
  case Kind::mul:
    return operand(0) * operand(1);
  case Kind::floordiv:
    return floorDiv(operand(0), operand(1));
  default:
    return Polynomial::of(record.text(expr));
  }
}

/// Bytes of all arrays, twice those that are read and written.
static Polynomial bytesOf(const runtime::LaunchRecord &record) {
  Polynomial sum;
  for (const runtime::ArgumentRecord &argument : record.arguments) {
    if (!argument.isView) {
      continue;
    }
    Polynomial bytes(double(runtime::dtypeBytes(argument.dtype)) *
                     (argument.mode == runtime::Mode::inout ? 2 : 1));
    for (const runtime::Expr &extent : argument.shape) {
      bytes = bytes * amountOf(record, extent);
    }
    sum = sum + bytes;
  }
  return sum;
}

//===- floor --------------------------------------------------------------===//

namespace {
/// Something that a launch does, and how long the target's usual device takes for it alone.
struct Share {
  std::string what;
  Polynomial amount;
  double rate; ///< a nanosecond; 0: not known
};
} // namespace

static std::vector<Share> sharesOf(const runtime::LaunchRecord &record, const Work &work) {
  schedule::TargetRecord target = *schedule::TargetRecord::named(record.target);
  std::vector<Share> shares{{"memory", bytesOf(record), double(target.memoryRate)}};
  for (const auto &[type, amount] : work.products) {
    shares.push_back({type + " products", amount, target.productRate(type)});
  }
  for (const auto &[type, amount] : work.others) {
    shares.push_back({"other " + type, amount, target.otherRate(type)});
  }
  return shares;
}

/// The least time that arrays which cross once and operations at the device's rates leave a launch; nothing where extents are
/// open.
static void printFloor(llvm::raw_ostream &os, const std::vector<Share> &shares) {
  std::string text;
  double longest = 0;
  for (const Share &share : shares) {
    std::optional<double> amount = share.amount.number();
    if (!amount) {
      return;
    }
    if (share.rate == 0) {
      text += (text.empty() ? "" : ", ") + share.what + " unknown";
      continue;
    }
    double microseconds = *amount / share.rate / 1e3;
    longest = std::max(longest, microseconds);
    text +=
        (text.empty() ? "" : ", ") + llvm::formatv("{0} {1:F2}", share.what, microseconds).str();
  }
  os << "  at least " << llvm::formatv("{0:F2}", longest) << " us by the rates of the device ("
     << text << ")\n";
}

static void printWork(llvm::raw_ostream &os, const runtime::LaunchRecord &record,
                      const KernelWork &work) {
  os << "\nkernel " << record.kernel << ", " << record.target << ": arrays of "
     << bytesOf(record).text() << " bytes";
  auto known = work.find(record.kernel);
  if (known == work.end() || !known->second.work) {
    os << ", operations unknown: "
       << (known == work.end() ? std::string("the kernel has another name in its source")
                               : known->second.reason + "; give extents by `--set`")
       << "\n";
    return;
  }
  std::vector<Share> shares = sharesOf(record, *known->second.work);
  for (const Share &share : llvm::drop_begin(shares)) {
    os << ", " << share.amount.text() << " operations of " << share.what;
  }
  os << (known->second.work->isLeast ? ", without what stands under conditions\n" : "\n");
  printFloor(os, shares);
}

LogicalResult opt::checkRegisters(const convert::DeviceModule &device, const ptx::PtxasLog *log) {
  bool areMet = true;
  for (const auto &[entry, demand] : device.registerDemands) {
    const ptx::KernelResources *taken = log ? log->kernel(entry) : nullptr;
    if (!taken) {
      mlir::emitWarning(demand.at) << "`" << demand.text
                                   << "` is not checked: registers are known to ptxas alone, which "
                                      "`--emit=cubin` and `--report` ask where it is installed";
      continue;
    }
    areMet &= succeeded(schedule::checkExpectations(
        demand, taken->registers,
        "`" + entry + "` takes " + std::to_string(taken->registers) + " registers of a thread"));
  }
  return mlir::success(areMet);
}

opt::KernelWork opt::workOfAll(mlir::ModuleOp module) {
  KernelWork all;
  for (tile::KernelOp kernel : module.getOps<tile::KernelOp>()) {
    CountedWork &counted = all[kernel.getSymName().str()];
    counted.work = workOf(kernel, counted.reason);
  }
  return all;
}

//===- report -------------------------------------------------------------===//

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

LogicalResult opt::emitReport(mlir::ModuleOp module, const KernelWork &work, const Options &options,
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
  if (failed(checkRegisters(*device, log ? &*log : nullptr))) {
    return failure();
  }
  os << "accesses are those " << convert::accessAssumptions() << "\n";
  for (const runtime::LaunchRecord &record : device->records) {
    printWork(os, record, work);
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
