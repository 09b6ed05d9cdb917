// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Launch.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

LaunchArgument *Launch::find(llvm::StringRef name) {
  auto found = llvm::find_if(arguments,
                             [&](const LaunchArgument &argument) { return argument.name == name; });
  return found == arguments.end() ? nullptr : &*found;
}

static std::string textOf(mlir::Attribute value) {
  if (auto text = llvm::dyn_cast<mlir::StringAttr>(value)) {
    return text.getValue().str();
  }
  std::string result;
  llvm::raw_string_ostream os(result);
  value.print(os, /*elideType=*/true);
  return result;
}

ValuesInForce Launch::values() const {
  ValuesInForce result;
  auto op = kernel;
  if (std::optional<mlir::DictionaryAttr> instance = op.getInstance()) {
    for (mlir::NamedAttribute entry : *instance) {
      result.emplace_back(entry.getName().getValue().str(), textOf(entry.getValue()));
    }
  }
  for (auto [name, value] : llvm::zip(extentNames, extents)) {
    result.emplace_back(name, std::to_string(value));
  }
  return result;
}

bool Launch::hasWork() const {
  bool writes = false;
  for (const LaunchArgument &argument : arguments) {
    if (!argument.isWritten()) {
      continue;
    }
    writes = true;
    if (argument.array.layout().hasElements()) {
      return true;
    }
  }
  return !writes;
}

std::vector<FormulaArgument> Launch::formulaArguments() const {
  std::vector<FormulaArgument> result;
  for (int64_t extent : extents) {
    result.push_back(FormulaArgument::ofExtent(extent));
  }
  for (const LaunchArgument &argument : arguments) {
    FormulaArgument formula;
    if (!argument.isView()) {
      formula.scalar = argument.scalar;
    } else if (argument.mode != ArgMode::Out) {
      formula.array = &argument.array;
    }
    result.push_back(formula);
  }
  return result;
}

std::vector<Argument> Launch::runArguments(std::vector<HostArray> *wide) {
  std::vector<Argument> result;
  for (int64_t extent : extents) {
    result.push_back(Argument::of(extent));
  }
  size_t next = 0;
  for (LaunchArgument &argument : arguments) {
    if (!argument.isView()) {
      result.push_back(Argument::of(argument.dtype, argument.scalar.data()));
    } else if (wide && argument.isWritten()) {
      result.push_back(Argument::of((*wide)[next++]));
    } else {
      result.push_back(Argument::of(argument.array));
    }
  }
  return result;
}

std::vector<LaunchArgument> tessera::argumentsOf(const Signature &signature) {
  std::vector<LaunchArgument> result;
  for (const SignatureArg &argument : signature.args) {
    if (argument.isMissing) {
      continue;
    }
    LaunchArgument &made = result.emplace_back();
    made.name = argument.name;
    made.mode = argument.mode;
    made.dtype = argument.dtype;
    made.shape = argument.shape;
  }
  return result;
}

LaunchShapes tessera::launchShapes(llvm::StringRef kernel, const Signature &signature,
                                   llvm::ArrayRef<LaunchArgument> arguments,
                                   const std::map<std::string, int64_t> &given,
                                   mlir::Location where) {
  LaunchShapes shapes{kernel.str(), signature.extents, {}, given, where};
  for (const LaunchArgument &argument : arguments) {
    if (!argument.isView()) {
      continue;
    }
    ViewShape &view = shapes.views.emplace_back();
    view.name = argument.name;
    view.map = argument.shape;
    if (argument.mode != ArgMode::Out) {
      view.actual = IndexVector(argument.array.shape());
    }
  }
  return shapes;
}

llvm::Expected<IndexVector> tessera::shapeOfArgument(const LaunchArgument &argument,
                                                     llvm::ArrayRef<std::string> extentNames,
                                                     llvm::ArrayRef<int64_t> extents,
                                                     mlir::Location where) {
  return shapeOf(ViewShape{argument.name, argument.shape, std::nullopt}, extentNames, extents,
                 argument.dtype, where);
}

llvm::Error tessera::checkWhere(const Launch &launch) {
  llvm::Expected<std::vector<Violation>> violations =
      evaluateWhere(launch.kernel, launch.formulaArguments());
  if (!violations) {
    return violations.takeError();
  }
  if (violations->empty()) {
    return llvm::Error::success();
  }
  const Violation &first = violations->front();
  const RunnerDiag id =
      first.absent ? RunnerDiag::launch_where_absent : RunnerDiag::launch_where_false;
  return makeRunnerError(id, llvm::formatv(false, runnerDiagFormat(id).data(), first.text).str(),
                         first.where, "launch with arguments that satisfy it", launch.values());
}

llvm::Error tessera::checkMemory(const Launch &launch) {
  std::vector<PlacedArgument> placed;
  for (const LaunchArgument &argument : launch.arguments) {
    if (argument.isView()) {
      placed.push_back({argument.name, argument.array, argument.isWritten()});
    }
  }
  auto op = launch.kernel;
  return checkOverlap(placed, op.getLoc());
}

void tessera::reportRun(const RunReport &run, Reporter &reporter) {
  for (const RunError &warning : run.warnings) {
    reporter.report(warning);
  }
  for (const RunError &error : run.errors) {
    reporter.report(error);
  }
}
