// From a case of a test to a launch: parameters, extents, scalars, filled arrays in the orders asked for.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_RUNNER_TESTCASES_H
#define TESSERA_LIB_RUNNER_TESTCASES_H

#include "Launch.h"

#include "tessera/Check/Cases.h"

namespace tessera {

/// What a case says, sorted by what it is about.
struct CaseSetup {
  Settings settings;
  Signature signature;
  std::vector<int64_t> extents;
  std::map<std::string, TestValue> scalars;
};

class CaseBuilder {
public:
  CaseBuilder(KernelSource &source, std::string kernel, mlir::Location unknown)
      : source(source), kernel(std::move(kernel)), unknown(unknown),
        parameters(source.parameters(this->kernel)) {}

  /// Whether `where` admits the case. A case that cannot be set up is admitted, so that running it reports why.
  bool admits(const TestCase &test);
  /// Elements of the arrays of a case, those of the reference included.
  uint64_t cost(const TestCase &test);
  /// The launch, ready to run. Errors: those of the source (already reported: an empty launch), T0953, T0956, T084x.
  llvm::Expected<Launch> build(const TestCase &test);

private:
  /// Nothing after a report of the source, or with `excluded` set.
  llvm::Expected<std::optional<CaseSetup>> setUp(const TestCase &test, bool *excluded);
  Settings settingsOf(const TestCase &test) const;
  /// An instance that serves for `where` and the sizes of arrays: values that are only tuned do not matter there.
  tile::KernelOp plainInstance(const CaseSetup &setup, bool *excluded);
  std::optional<Launch> plainLaunch(const TestCase &test, bool *excluded);
  bool evaluateAdmission(const TestCase &test);
  llvm::Error fill(LaunchArgument &argument, const Launch &launch, const TestCase &test);
  llvm::Expected<Generator> generatorOf(const LaunchArgument &argument, const TestCase &test);

  KernelSource &source;
  std::string kernel;
  mlir::Location unknown;
  std::vector<Parameter> parameters;
  /// Answers of `admits`, by what they depend on.
  llvm::StringMap<bool> admitted;
};

} // namespace tessera

#endif // TESSERA_LIB_RUNNER_TESTCASES_H
