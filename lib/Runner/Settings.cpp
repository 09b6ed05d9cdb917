// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Settings.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;

llvm::Expected<SplitSettings>
tessera::splitSettings(KernelSource &source, llvm::StringRef kernel,
                       const std::map<std::string, std::string> &given) {
  SplitSettings result;
  std::vector<std::string> names;
  for (const Parameter &parameter : source.parameters(kernel)) {
    names.push_back(parameter.name);
  }
  for (const auto &[name, value] : given) {
    if (llvm::is_contained(names, name)) {
      result.settings.values[name] = value;
      continue;
    }
    int64_t extent = 0;
    if (llvm::StringRef(value).getAsInteger(0, extent)) {
      return runnerError(RunnerDiag::source_extent_value,
                         "give a number such as `" + name + "=128`", name, value);
    }
    result.extents[name] = extent;
  }
  return result;
}

llvm::Error tessera::checkExtentNames(llvm::StringRef kernel, const Signature &signature,
                                      llvm::ArrayRef<Parameter> parameters,
                                      const std::map<std::string, int64_t> &extents) {
  for (const auto &[name, value] : extents) {
    if (llvm::is_contained(signature.extents, name)) {
      continue;
    }
    std::vector<std::string> known = signature.extents;
    for (const Parameter &parameter : parameters) {
      known.push_back(parameter.name);
    }
    return runnerError(RunnerDiag::source_unknown_setting,
                       known.empty() ? "leave it out" : "it has " + llvm::join(known, ", "), kernel,
                       name);
  }
  return llvm::Error::success();
}

bool tessera::hasStatics(llvm::ArrayRef<Parameter> parameters) {
  return llvm::any_of(parameters,
                      [](const Parameter &p) { return p.kind == ParameterKind::Static; });
}
