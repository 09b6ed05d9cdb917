// The conditions of versions, for the extents and arguments of a launch.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Versions.h"

#include "tessera/Schedule/LaunchFacts.h"

#include "llvm/ADT/StringExtras.h"
#include "mlir/IR/BuiltinOps.h"

#include <map>

using namespace tessera;

bool tessera::isVersion(tile::KernelOp kernel) { return kernel->hasAttr(schedule::versionOfAttr); }

static std::vector<std::string> conditionsOf(tile::KernelOp version) {
  std::vector<std::string> conditions;
  if (auto when = version->getAttrOfType<mlir::ArrayAttr>(schedule::versionWhenAttr)) {
    for (mlir::Attribute condition : when) {
      if (auto text = llvm::dyn_cast<mlir::StringAttr>(condition)) {
        conditions.push_back(text.getValue().str());
      }
    }
  }
  return conditions;
}

/// Those with more conditions first: each `versions` adds one to those of the kernel that it divides.
static std::vector<tile::KernelOp> versionsOf(tile::KernelOp kernel) {
  std::multimap<size_t, tile::KernelOp, std::greater<>> found;
  for (auto other : kernel->getParentOfType<mlir::ModuleOp>().getOps<tile::KernelOp>()) {
    auto of = other->getAttrOfType<mlir::FlatSymbolRefAttr>(schedule::versionOfAttr);
    if (of && of.getValue() == kernel.getSymName()) {
      found.emplace(conditionsOf(other).size(), other);
    }
  }
  std::vector<tile::KernelOp> versions;
  for (const auto &[conditions, version] : found) {
    versions.push_back(version);
  }
  return versions;
}

/// Step 1 along the last axis, all other steps and the address multiples of so many bytes. Steps of axes with one element
/// are never taken.
static bool isAligned(const HostArray &array, int64_t bytes) {
  const HostLayout &layout = array.layout();
  if (!layout.hasElements()) {
    return true;
  }
  int64_t size = static_cast<int64_t>(array.elementBytes());
  for (unsigned axis = 0; axis < layout.rank(); ++axis) {
    bool isLast = axis + 1 == layout.rank(), isStep = layout.shape[axis] > 1;
    int64_t step = layout.strides[axis];
    if (isStep && (isLast ? step != 1 : (step * size) % bytes != 0)) {
      return false;
    }
  }
  return reinterpret_cast<uintptr_t>(array.data()) % bytes == 0;
}

static std::optional<int64_t> integerOf(const LaunchArgument &argument) {
  if (argument.isView() || !isInteger(argument.dtype)) {
    return std::nullopt;
  }
  int64_t value = 0;
  bool isOutside =
      llvm::StringRef(formatScalar(argument.dtype, argument.scalar.data())).getAsInteger(10, value);
  return isOutside ? std::nullopt : std::optional<int64_t>(value);
}

static schedule::LaunchValues valuesOf(const Launch &launch) {
  auto find = [&launch](llvm::StringRef name) {
    return llvm::find_if(launch.arguments,
                         [&](const LaunchArgument &argument) { return argument.name == name; });
  };
  schedule::LaunchValues values;
  values.number = [&launch, find](llvm::StringRef name) -> std::optional<int64_t> {
    auto extent = llvm::find(launch.extentNames, name);
    if (extent != launch.extentNames.end()) {
      return launch.extents[extent - launch.extentNames.begin()];
    }
    auto argument = find(name);
    return argument == launch.arguments.end() ? std::nullopt : integerOf(*argument);
  };
  values.aligned = [&launch, find](llvm::StringRef view, int64_t bytes) -> std::optional<bool> {
    auto argument = find(view);
    if (argument == launch.arguments.end() || !argument->isView()) {
      return std::nullopt;
    }
    return isAligned(argument->array, bytes);
  };
  return values;
}

static llvm::Error versionError(tile::KernelOp version, const llvm::Twine &why,
                                const std::string &help) {
  const RunnerDiag id = RunnerDiag::launch_version;
  return makeRunnerError(
      id, llvm::formatv(false, runnerDiagFormat(id).data(), version.getSymName(), why.str()).str(),
      version.getLoc(), help);
}

/// The first condition of a version that does not hold; empty where all do.
static llvm::Expected<std::string> failedCondition(tile::KernelOp version,
                                                   const schedule::LaunchValues &values) {
  for (const std::string &condition : conditionsOf(version)) {
    llvm::Expected<bool> isTrue = schedule::holds(condition, values);
    if (!isTrue) {
      return versionError(version, llvm::toString(isTrue.takeError()),
                          "correct the attribute, which `versions` of a schedule writes");
    }
    if (!*isTrue) {
      return condition;
    }
  }
  return std::string();
}

llvm::Expected<ChosenVersion> tessera::chooseVersion(const Launch &launch) {
  tile::KernelOp kernel = launch.kernel;
  schedule::LaunchValues values = valuesOf(launch);
  // A version that is named relies on its conditions.
  llvm::Expected<std::string> own = failedCondition(kernel, values);
  if (!own) {
    return own.takeError();
  }
  if (!own->empty()) {
    return versionError(kernel, "`" + *own + "` does not hold",
                        "leave out `--kernel`, so that the launch takes the version that fits");
  }
  std::string failed;
  for (tile::KernelOp version : versionsOf(kernel)) {
    llvm::Expected<std::string> missing = failedCondition(version, values);
    if (!missing) {
      return missing.takeError();
    }
    std::string name = "@" + version.getSymName().str();
    if (missing->empty()) {
      return ChosenVersion{version, "version " + name + ": " +
                                        llvm::join(conditionsOf(version), ", ") + " holds"};
    }
    failed += (failed.empty() ? "" : "; ") + ("not " + name) + ": " + *missing + " does not hold";
  }
  std::string report =
      failed.empty() ? "" : "version @" + kernel.getSymName().str() + ": " + failed;
  return ChosenVersion{kernel, report};
}
