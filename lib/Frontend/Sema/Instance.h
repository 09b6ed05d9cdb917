// One instance of a kernel: settings, parameters with their values, extents and arguments. Built from the header before
// any IR; every Emitter of the instance reads it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_FRONTEND_SEMA_INSTANCE_H
#define TESSERA_LIB_FRONTEND_SEMA_INSTANCE_H

#include "Modules.h"

#include "tessera/Frontend/Frontend.h"

#include "llvm/ADT/StringMap.h"

namespace tessera::sema {

class Emitter;

/// A kernel argument as the instance has it.
struct Argument {
  const ast::KernelParam *decl = nullptr;
  Type type; ///< View or scalar Tile
  ast::ViewMode mode = ast::ViewMode::In;
  bool isMissing = false;
  llvm::SmallVector<mlir::AffineExpr, 4> extents; ///< views: in terms of the instance's extents
  int position = -1;   ///< among the kernel op's arguments; -1 where missing
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
  /// The missing view whose shape has the extent `name`; null where there is none.
  const Argument *missingViewWith(llvm::StringRef name) const;
  /// For the engine's parameters in force.
  DiagnosticParams paramsInForce() const;
};

/// Fixes generics, presence of optionals, extents and arguments; then tunes and statics. False with errors reported.
/// `needStatics` false leaves out statics that cannot be computed (for `signature`).
bool buildInstance(Instance &instance, bool needStatics);

/// Values that fix an instance, in the order they are asked for: settings, then what the source falls back on.
class Choices {
public:
  Choices(Instance &instance, Emitter &header);
  /// Text of a setting or of the first test case; nothing where neither has the name.
  std::optional<std::string> setting(llvm::StringRef name);
  std::optional<std::string> firstCase(llvm::StringRef name) const;
  /// The value called `name`: set, `fallback`, the first of `candidates`, or of the first test case. Reports values that
  /// are none of the candidates; collects what nothing fixes.
  std::optional<Value> choose(llvm::StringRef name, const Type &type,
                              const std::vector<Value> *candidates, std::optional<Value> fallback,
                              SourceRange range, bool firstCandidate);
  void missing(llvm::StringRef name, SourceRange range);
  /// Reports all that is missing and all settings that nothing asked for; false where there is any.
  bool finish(bool checkUnused);

private:
  Instance &instance;
  Emitter &header;
  std::map<std::string, std::string> first;
  llvm::StringMap<bool> used;
  std::vector<std::pair<std::string, SourceRange>> missingNames;
  bool failed = false;
};

bool chooseGenerics(Instance &instance, Emitter &header, Choices &choices);
/// Tunes and statics of the body, in order.
bool chooseBodyParameters(Instance &instance, Emitter &header, Choices &choices, bool needStatics);

/// The first tuple of the test block's axes, as settings: what an instance falls back on.
std::map<std::string, std::string> firstTestCase(const ModuleSet &modules, const Module &module,
                                                 const ast::Kernel &kernel);

} // namespace tessera::sema

#endif // TESSERA_LIB_FRONTEND_SEMA_INSTANCE_H
