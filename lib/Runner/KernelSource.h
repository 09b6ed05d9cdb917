// A file of kernels, `.tile` or `.mlir`, as the rest of the runner sees it: names, signatures, instances, tests.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_RUNNER_KERNELSOURCE_H
#define TESSERA_LIB_RUNNER_KERNELSOURCE_H

#include "Report.h"

#include "tessera/Dialect/Tile/TileOps.h"
#include "tessera/Frontend/Frontend.h"

namespace tessera {

class KernelSource {
public:
  virtual ~KernelSource() = default;

  /// Opens the file by its ending; null after a report.
  static std::unique_ptr<KernelSource> open(llvm::StringRef path, mlir::MLIRContext &context,
                                            Reporter &reporter);

  /// What can be launched. Versions of kernels are chosen by the launch.
  virtual std::vector<std::string> kernels() = 0;
  /// Whether there is such a kernel, a version or not.
  virtual bool hasKernel(llvm::StringRef name) { return llvm::is_contained(kernels(), name); }
  /// Static parameters and optional arguments; empty for IR, where everything is fixed.
  virtual std::vector<Parameter> parameters(llvm::StringRef kernel) = 0;
  /// Nothing after a report, or, where `excluded` is given, if a condition of `where` that the settings alone decide does
  /// not hold: then `excluded` is set and nothing is reported.
  virtual std::optional<Signature> signature(llvm::StringRef kernel, const Settings &settings,
                                             bool *excluded = nullptr) = 0;
  /// An instance, kept with the source; null as above.
  virtual tile::KernelOp instantiate(llvm::StringRef kernel, const Settings &settings,
                                     bool *excluded = nullptr) = 0;
  virtual bool hasTest(llvm::StringRef kernel) = 0;
  /// Nothing after a report.
  virtual std::optional<TestSpec> testSpec(llvm::StringRef kernel, const Settings &settings) = 0;
  /// The value of an expression of a test for the values of a case; nothing after a report.
  virtual std::optional<TestValue> resolve(llvm::StringRef kernel, const DeferredValue &deferred,
                                           const std::map<std::string, std::string> &values) = 0;
  /// Forgets the instances.
  virtual void clearInstances() {}
};

std::unique_ptr<KernelSource> openTileSource(llvm::StringRef path, mlir::MLIRContext &context,
                                             Reporter &reporter);
std::unique_ptr<KernelSource> openIRSource(llvm::StringRef path, mlir::MLIRContext &context,
                                           Reporter &reporter);

/// The kernel called `name`, or the only one if `name` is empty.
llvm::Expected<std::string> chooseKernel(KernelSource &source, llvm::StringRef path,
                                         llvm::StringRef name);

} // namespace tessera

#endif // TESSERA_LIB_RUNNER_KERNELSOURCE_H
