// A launch: an instance of a kernel with its extents and arguments, and what is checked before and done with it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_RUNNER_LAUNCH_H
#define TESSERA_LIB_RUNNER_LAUNCH_H

#include "KernelSource.h"
#include "Scalars.h"

#include "tessera/Reference/Extents.h"
#include "tessera/Reference/Reference.h"

namespace tessera {

struct LaunchArgument {
  std::string name;
  ArgMode mode = ArgMode::In;
  DType dtype = DType::f32;
  mlir::AffineMap shape;
  /// Of a view.
  HostArray array;
  /// Of a scalar.
  ScalarBytes scalar{};

  bool isView() const { return mode != ArgMode::Scalar; }
  bool isWritten() const { return mode == ArgMode::Out || mode == ArgMode::InOut; }
};

struct Launch {
  tile::KernelOp kernel;
  std::vector<std::string> extentNames;
  std::vector<int64_t> extents;
  /// Those that the instance has, in the order of the kernel.
  std::vector<LaunchArgument> arguments;

  LaunchArgument *find(llvm::StringRef name);
  /// Static values of the instance, then extents.
  ValuesInForce values() const;
  /// Some array that is written has elements, or none is written at all.
  bool hasWork() const;

  std::vector<FormulaArgument> formulaArguments() const;
  /// For a run in a number system that holds floats as f64, `wide` has the arrays in place of those that are written.
  std::vector<Argument> runArguments(std::vector<HostArray> *wide = nullptr);
};

/// The arguments that a signature has in this instance, without values.
std::vector<LaunchArgument> argumentsOf(const Signature &signature);

/// What the extents are solved from: the arrays of `arguments` that are inputs.
LaunchShapes launchShapes(llvm::StringRef kernel, const Signature &signature,
                          llvm::ArrayRef<LaunchArgument> arguments,
                          const std::map<std::string, int64_t> &given, mlir::Location where);

/// The shape of a view from the launch's extents.
llvm::Expected<IndexVector> shapeOfArgument(const LaunchArgument &argument,
                                            llvm::ArrayRef<std::string> extentNames,
                                            llvm::ArrayRef<int64_t> extents, mlir::Location where);

/// `where` holds. Errors: T0946, T0947, and those of formulas.
llvm::Error checkWhere(const Launch &launch);

/// No written argument shares memory with another.
llvm::Error checkMemory(const Launch &launch);

/// The rest of a run's error as an error to pass on: all errors are reported, the last word is the count.
void reportRun(const RunReport &run, Reporter &reporter);

} // namespace tessera

#endif // TESSERA_LIB_RUNNER_LAUNCH_H
