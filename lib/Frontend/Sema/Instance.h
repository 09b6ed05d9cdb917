// One instance of a kernel: settings, parameters with their values, extents and arguments. Built from the header before
// any IR; every Emitter of the instance reads it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_FRONTEND_SEMA_INSTANCE_H
#define TESSERA_LIB_FRONTEND_SEMA_INSTANCE_H

#include "Modules.h"

#include "tessera/Frontend/Frontend.h"

#include "llvm/ADT/StringMap.h"

namespace tessera::sema {

/// A kernel argument as the instance has it.
struct Argument {
  const ast::KernelParam *decl = nullptr;
  Type type; ///< View or scalar Tile
  ast::ViewMode mode = ast::ViewMode::In;
  bool isMissing = false;
  llvm::SmallVector<mlir::AffineExpr, 4> extents; ///< views: in terms of the instance's extents
  int position = -1; ///< among the kernel op's arguments; -1 where missing
  bool stored = false; ///< some store or atomic goes to it
};

/// A condition of the launch that is not known at compile time: the frontend found it while emitting (a span used on an
/// axis of another extent), or it is the check of a static.
struct LaunchCheck {
  mlir::AffineExpr lhs, rhs; ///< lhs <= rhs
  std::string text;
  SourceRange range;
};

struct Instance {
  ModuleSet &modules;
  const Module &module;
  const ast::Kernel &kernel;
  const Settings &settings;
  mlir::MLIRContext &context;
  DiagnosticEngine &engine;

  /// Generic parameters, statics and tunes: name, value. Order of the source.
  std::vector<std::pair<std::string, Value>> parameters;
  /// Names of the i64 arguments, in order; symbol i of every AffineExpr is extents[i].
  std::vector<std::string> extents;
  llvm::StringMap<SourceRange> extentRanges;
  /// Extents set to a constant by the settings.
  llvm::StringMap<int64_t> fixedExtents;
  std::vector<Argument> arguments;
  std::vector<LaunchCheck> launchChecks;

  const Value *findParameter(llvm::StringRef name) const;
  int findExtent(llvm::StringRef name) const; ///< -1 where there is none
  /// For the engine's parameters in force.
  DiagnosticParams paramsInForce() const;
};

/// Fixes generics, presence of optionals, extents and arguments; then tunes and statics. False with errors reported.
/// `needStatics` false leaves out statics that cannot be computed (for `signature`).
bool buildInstance(Instance &instance, bool needStatics);

/// The first tuple of the test block's axes, as settings: what an instance falls back on.
std::map<std::string, std::string> firstTestCase(const Module &module, const ast::Kernel &kernel);

} // namespace tessera::sema

#endif // TESSERA_LIB_FRONTEND_SEMA_INSTANCE_H
