// What is open in a kernel is read from its ops (NumericClass.h); how far two executions of an open output may differ follows
// from its tolerance: each lies within the bound of the reference, so both lie within twice the bound of each other, and a
// rounding to the output's type.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Against.h"

#include "tessera/Numeric/Value.h"
#include "tessera/Support/DiagnosticLog.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace tessera;

static std::string textOf(const ClassAndCause &numericClass) {
  std::string text = name(numericClass.numericClass).str();
  std::optional<SourcePlace> place =
      numericClass.cause ? placeOf(numericClass.cause->getLoc()) : std::nullopt;
  if (place && !isBitwise(numericClass.numericClass)) {
    text += " at " + llvm::sys::path::filename(place->file).str() + ":" +
            std::to_string(place->line) + ":" + std::to_string(place->column);
  }
  return text;
}

std::string AgainstCheck::how() const {
  if (!excuse.empty()) {
    return "not compared (" + textOf(numericClass) + "): " + excuse;
  }
  return (output.kind == CompareKind::exact ? "bit for bit (" : "within its bound (") +
         textOf(numericClass) + ")";
}

llvm::Expected<RunReport> Against::interpretFirst(RunOptions order) {
  for (const LaunchArgument &argument : launch.arguments) {
    if (!argument.isWritten()) {
      continue;
    }
    llvm::Expected<HostArray> copy =
        HostArray::allocateOutput(argument.dtype, argument.array.shape());
    if (!copy) {
      return copy.takeError();
    }
    std::vector<std::byte> dense(argument.array.numElements() * argument.array.elementBytes());
    argument.array.copyTo(dense.data());
    copy->copyFrom(dense.data());
    copies.push_back(std::move(*copy));
  }
  // What the kernel prints is printed by the run that is asked for.
  order.print = nullptr;
  RunReport run = interpret<ExactSystem>(launch.kernel, launch.runArguments(&copies), order);
  written = run.written;
  return run;
}

/// One byte for each element; the elements of an `inout` all hold something.
static std::vector<uint8_t> flagsOf(const std::vector<std::vector<bool>> &written, size_t position,
                                    const LaunchArgument &argument) {
  size_t size = argument.array.numElements();
  std::vector<uint8_t> flags(size, argument.mode == ArgMode::InOut);
  if (position < written.size() && written[position].size() == size) {
    for (size_t i = 0; i < size; ++i) {
      flags[i] |= written[position][i];
    }
  }
  return flags;
}

/// Twice the bound, and the distance of neighbours around the value.
static std::vector<double> widened(const HostArray &expected, llvm::ArrayRef<double> values,
                                   llvm::ArrayRef<double> bound) {
  std::vector<double> result;
  for (auto [value, b] : llvm::zip(values, bound)) {
    bool isPlain = isFloat(expected.dtype()) && std::isfinite(value);
    result.push_back(2 * b + (isPlain ? ulp(expected.dtype(), value) : 1));
  }
  return result;
}

llvm::Expected<CompareResult> Against::compareOutput(const LaunchArgument &argument,
                                                     const HostArray &expected,
                                                     const FormulaArray *bound,
                                                     const ElementFlags &flags) const {
  if (!bound) {
    return compareExact(argument.array, expected, flags);
  }
  std::vector<double> values = toDoubles(expected);
  return compareBounded(argument.array, values, widened(expected, values, toDoubles(bound->array)),
                        finalOverflow(launch.kernel, argument), flags);
}

llvm::Error Against::compare(const RunReport &run) {
  NumericClassAnalysis classes(launch.kernel);
  bool hasReference = !launch.kernel.getReference().empty();
  size_t next = 0;
  for (auto [index, argument] : llvm::enumerate(launch.arguments)) {
    if (!argument.isWritten()) {
      continue;
    }
    const HostArray &expected = copies[next++];
    AgainstCheck check;
    check.numericClass = classes.ofArgument(argument.name);
    check.output.name = argument.name;
    check.output.where = storeLocation(launch.kernel, argument.name);
    const FormulaArray *bound =
        isBitwise(check.numericClass.numericClass) ? nullptr : verification.boundOf(argument.name);
    check.output.kind = bound ? CompareKind::bounded : CompareKind::exact;
    if (!isBitwise(check.numericClass.numericClass) && !bound && !hasReference) {
      check.excuse = "the kernel has no reference that says how far it may be off";
      outputs.push_back(std::move(check));
      continue;
    }
    size_t position = launch.extents.size() + index;
    std::vector<uint8_t> wanted = flagsOf(written, position, argument),
                         found = flagsOf(run.written, position, argument);
    llvm::Expected<CompareResult> result =
        compareOutput(argument, expected, bound, ElementFlags{wanted, found});
    if (!result) {
      return result.takeError();
    }
    check.output.result = std::move(*result);
    outputs.push_back(std::move(check));
  }
  return llvm::Error::success();
}

bool Against::passed() const {
  return llvm::all_of(outputs,
                      [](const AgainstCheck &check) { return check.output.result.passed(); });
}

std::string Against::summary() const {
  std::vector<std::pair<std::string, std::string>> byWay;
  for (const AgainstCheck &check : outputs) {
    std::string way = check.how();
    auto same = llvm::find_if(byWay, [&](const auto &entry) { return entry.first == way; });
    if (same == byWay.end()) {
      byWay.emplace_back(way, check.output.name);
    } else {
      same->second += ", " + check.output.name;
    }
  }
  std::string text;
  for (const auto &[way, names] : byWay) {
    text += (text.empty() ? "" : "; ") + names + " " + way;
  }
  return text;
}

void Against::report(Reporter &reporter) const {
  for (const AgainstCheck &check : outputs) {
    const CompareResult &result = check.output.result;
    if (result.passed()) {
      continue;
    }
    std::string count = std::to_string(result.failures) + " of " + std::to_string(result.elements) +
                        " elements differ";
    Problem problem;
    problem.code = runnerDiagCode(RunnerDiag::device_differs).str();
    logDiagnosticCode(problem.code);
    problem.text = llvm::formatv(false, runnerDiagFormat(RunnerDiag::device_differs).data(),
                                 check.output.name, count)
                       .str();
    problem.where = check.output.where;
    problem.values = launch.values();
    problem.notes.emplace_back(std::nullopt, "first " + check.output.name + result.first->str());
    if (result.worst && result.failures > 1) {
      problem.notes.emplace_back(std::nullopt, "worst " + check.output.name + result.worst->str());
    }
    bool isOpen = check.numericClass.cause && !isBitwise(check.numericClass.numericClass);
    problem.notes.emplace_back(
        isOpen ? std::optional<mlir::Location>(check.numericClass.cause->getLoc()) : std::nullopt,
        "its numeric class is `" + name(check.numericClass.numericClass).str() +
            "`, so it is compared " +
            (check.output.kind == CompareKind::exact ? "bit for bit" : "within twice its bound"));
    problem.help =
        isOpen && check.output.kind == CompareKind::exact
            ? "give the output a tolerance, as its order is open"
            : "a fault of the compiler unless the kernel reads what it must not; report it with "
              "this file";
    reporter.report(problem);
  }
}
