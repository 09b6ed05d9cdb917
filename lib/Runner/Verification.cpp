// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Verification.h"

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Host/HostError.h"
#include "tessera/Numeric/Modes.h"
#include "tessera/Numeric/Value.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;

//===----------------------------------------------------------------------===//
// What the IR says
//===----------------------------------------------------------------------===//

namespace {
/// The argument that a view is a part of.
mlir::Value rootOf(mlir::Value view) {
  while (mlir::Operation *op = view.getDefiningOp()) {
    if (op->getNumOperands() == 0) {
      break;
    }
    view = op->getOperand(0);
  }
  return view;
}

/// The stores to an argument, in order.
llvm::SmallVector<tile::StoreOp> storesTo(tile::KernelOp kernel, llvm::StringRef name) {
  llvm::SmallVector<tile::StoreOp> stores;
  const int64_t index = kernel.findArgument(name);
  if (kernel.getBody().empty() || index < 0) {
    return stores;
  }
  mlir::Value argument = kernel.getBody().getArgument(index);
  kernel.getBody().walk([&](tile::StoreOp store) {
    if (rootOf(store.getView()) == argument) {
      stores.push_back(store);
    }
  });
  return stores;
}

/// Whether the reference rounds to a type other than f64 somewhere, so that it is another one when all floats are f64.
bool rounds(mlir::Region &formulas) {
  bool found = false;
  formulas.walk([&](mlir::Operation *op) {
    if (op->getNumResults() != 1) {
      return;
    }
    std::optional<DType> type = dtypeIfAny(op->getResult(0).getType());
    const bool narrow = type && isFloat(*type) && *type != DType::f64;
    found |= narrow &&
             (op->hasTrait<tile::ElementwiseRow>() || llvm::isa<tile::CastOp, tile::FoldOp>(op));
  });
  return found;
}

bool usesBits(tile::KernelOp kernel) {
  bool found = false;
  kernel.walk([&](mlir::Operation *op) { found |= llvm::isa<tile::BitsOp, tile::FromBitsOp>(op); });
  return found;
}
} // namespace

Overflow tessera::finalOverflow(tile::KernelOp kernel, const LaunchArgument &argument) {
  for (tile::StoreOp store : storesTo(kernel, argument.name)) {
    auto cast = store.getValue().getDefiningOp<tile::CastOp>();
    if (cast && cast.getOverflow()) {
      return static_cast<Overflow>(*cast.getOverflow());
    }
  }
  return defaultOverflow(DType::f64, argument.dtype).value_or(Overflow::sat);
}

std::vector<double> tessera::toDoubles(const HostArray &array) {
  std::vector<std::byte> dense(array.numElements() * array.elementBytes());
  array.copyTo(dense.data());
  std::vector<double> result(array.numElements());
  for (size_t i = 0; i < result.size(); ++i) {
    result[i] = toDouble(array.dtype(), dense.data() + i * array.elementBytes());
  }
  return result;
}

std::optional<mlir::Location> tessera::storeLocation(tile::KernelOp kernel,
                                                     llvm::StringRef argument) {
  llvm::SmallVector<tile::StoreOp> stores = storesTo(kernel, argument);
  if (stores.empty()) {
    return std::nullopt;
  }
  return stores.front().getLoc();
}

//===----------------------------------------------------------------------===//
// Before the run
//===----------------------------------------------------------------------===//

/// An array for a run in f64: what is written holds f64 where it is a float.
llvm::Expected<HostArray> Verification::wideArray(const LaunchArgument &argument) const {
  const DType type = isFloat(argument.dtype) ? DType::f64 : argument.dtype;
  llvm::Expected<HostArray> made = HostArray::allocateOutput(type, argument.array.shape());
  if (!made || argument.mode == ArgMode::Out) {
    return made;
  }
  if (type == argument.dtype) {
    std::vector<std::byte> dense(argument.array.numElements() * argument.array.elementBytes());
    argument.array.copyTo(dense.data());
    made->copyFrom(dense.data());
  } else {
    made->copyFrom(toDoubles(argument.array).data());
  }
  return made;
}

std::string Verification::f64Excuse() const {
  return usesBits(launch.kernel) ? "the kernel uses `bits`" : "";
}

llvm::Error Verification::prepare() {
  const std::vector<FormulaArgument> arguments = launch.formulaArguments();
  auto kernel = launch.kernel;
  llvm::Expected<FormulaResult> exact = evaluateReference(kernel, arguments);
  if (!exact) {
    return exact.takeError();
  }
  reference = std::move(*exact);
  llvm::Expected<FormulaResult> bounds = evaluateTolerance(kernel, arguments, reference);
  if (!bounds) {
    return bounds.takeError();
  }
  tolerance = std::move(*bounds);
  if (!f64Excuse().empty()) {
    return llvm::Error::success();
  }
  if (rounds(kernel.getReference())) {
    llvm::Expected<FormulaResult> other = evaluateReference(kernel, arguments, Numbers::f64);
    if (!other) {
      return other.takeError();
    }
    wideReference = std::move(*other);
  }
  for (const LaunchArgument &argument : launch.arguments) {
    if (!argument.isWritten()) {
      continue;
    }
    llvm::Expected<HostArray> array = wideArray(argument);
    if (!array) {
      return array.takeError();
    }
    wide.push_back(std::move(*array));
  }
  return llvm::Error::success();
}

uint64_t Verification::referenceElements() const {
  uint64_t sum = 0;
  for (const FormulaArray &array : reference.arrays) {
    sum += array.array.numElements();
  }
  return sum;
}

bool Verification::passed() const {
  return llvm::all_of(outputs, [](const OutputCheck &check) { return check.result.passed(); });
}

//===----------------------------------------------------------------------===//
// After the run
//===----------------------------------------------------------------------===//

/// One byte per element. An element of an `inout` that is not written keeps its value, which is as good as writing it.
std::vector<uint8_t> Verification::writtenFlags(unsigned index, const RunReport &run,
                                                const FormulaArray *expected) const {
  const LaunchArgument &argument = launch.arguments[index];
  const size_t position = launch.extents.size() + index;
  const auto size = static_cast<size_t>(argument.array.numElements());
  std::vector<uint8_t> flags(size, 0);
  if (position < run.written.size() && run.written[position].size() == size) {
    llvm::copy(run.written[position], flags.begin());
  }
  if (argument.mode == ArgMode::InOut) {
    for (size_t i = 0; i < size; ++i) {
      flags[i] |= !expected || expected->isPresent(i);
    }
  }
  return flags;
}

llvm::Error Verification::compareOutput(unsigned index, llvm::ArrayRef<uint8_t> written) {
  const LaunchArgument &argument = launch.arguments[index];
  const FormulaArray *expected = reference.find(argument.name);
  const FormulaArray *bound = tolerance.find(argument.name);
  const ElementFlags flags{expected->presence, written};
  llvm::Expected<CompareResult> result =
      bound ? compareBounded(argument.array, toDoubles(expected->array), toDoubles(bound->array),
                             finalOverflow(launch.kernel, argument), flags)
            : compareExact(argument.array, expected->array, flags);
  if (!result) {
    return result.takeError();
  }
  outputs.push_back({argument.name, bound ? CompareKind::bounded : CompareKind::exact,
                     std::move(*result), storeLocation(launch.kernel, argument.name)});
  return llvm::Error::success();
}

llvm::Error Verification::compare(const RunReport &run) {
  for (unsigned i = 0; i < launch.arguments.size(); ++i) {
    const LaunchArgument &argument = launch.arguments[i];
    if (!argument.isWritten()) {
      continue;
    }
    const FormulaArray *expected = reference.find(argument.name);
    if (!expected) {
      return runnerError(RunnerDiag::check_no_reference, "add it to the kernel's reference",
                         argument.name);
    }
    if (llvm::Error error = compareOutput(i, writtenFlags(i, run, expected))) {
      return error;
    }
  }
  return llvm::Error::success();
}

llvm::Error Verification::compareWideOutput(unsigned index, const HostArray &got,
                                            llvm::ArrayRef<uint8_t> written,
                                            const FormulaResult &expected) {
  const LaunchArgument &argument = launch.arguments[index];
  const FormulaArray *array = expected.find(argument.name);
  llvm::Expected<CompareResult> result = compareF64(
      toDoubles(got), toDoubles(array->array), got.shape(), ElementFlags{array->presence, written});
  if (!result) {
    return result.takeError();
  }
  outputs.push_back({argument.name, CompareKind::f64, std::move(*result),
                     storeLocation(launch.kernel, argument.name)});
  return llvm::Error::success();
}

llvm::Error Verification::compareWide(const RunOptions &options, RunReport &run) {
  run = interpret<F64System>(launch.kernel, launch.runArguments(&wide), options);
  if (!run.succeeded()) {
    return llvm::Error::success();
  }
  const FormulaResult &expected = wideReference ? *wideReference : reference;
  size_t next = 0;
  for (unsigned i = 0; i < launch.arguments.size(); ++i) {
    if (!launch.arguments[i].isWritten()) {
      continue;
    }
    const HostArray &got = wide[next++];
    const FormulaArray *array = expected.find(launch.arguments[i].name);
    if (llvm::Error error = compareWideOutput(i, got, writtenFlags(i, run, array), expected)) {
      return error;
    }
  }
  return llvm::Error::success();
}

void tessera::reportCheck(const OutputCheck &check, const Launch &launch, Reporter &reporter) {
  Problem problem;
  llvm::handleAllErrors(toError(check.result, check.kind, check.name), [&](const HostError &error) {
    const std::string count = std::to_string(check.result.failures) + " of " +
                              std::to_string(check.result.elements) + " elements are wrong";
    problem.code = error.code().str();
    problem.text = llvm::formatv(false, hostDiagFormat(error.id()).data(), check.name, count).str();
  });
  problem.where = check.where;
  problem.values = launch.values();
  if (check.result.first) {
    problem.notes.emplace_back(std::nullopt, "first " + check.name + check.result.first->str());
  }
  if (check.result.worst && check.result.failures > 1) {
    problem.notes.emplace_back(std::nullopt, "worst " + check.name + check.result.worst->str());
  }
  problem.help = check.kind == CompareKind::bounded
                     ? "correct the body, the reference or the tolerance"
                     : "correct the body or the reference";
  reporter.report(problem);
}
