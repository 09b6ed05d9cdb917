// From `.tile` text to tile IR: files and their imports, parameters of a kernel, one instance as a module.
// Everything reports through the DiagnosticEngine and returns something empty on error; nothing aborts on user text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_FRONTEND_FRONTEND_H
#define TESSERA_FRONTEND_FRONTEND_H

#include "tessera/Check/Cases.h"
#include "tessera/Frontend/Diagnostics.h"
#include "tessera/Numeric/DType.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tessera {

namespace ast {
struct Kernel;
} // namespace ast
namespace sema {
class ModuleSet;
} // namespace sema

/// Names that a program may not declare although they are identifiers: element types, builtin functions and constants,
/// `absent`, `present`, `missing`, `self`.
bool isReservedName(llvm::StringRef name);

/// What fixes an instance. Values are text of the language: "128", "bf16", "none", "true"; for optional arguments
/// "missing" or "present". Names are generic parameters, tunes, statics, optional arguments and extents; an extent that
/// is set here becomes a constant of the instance.
struct Settings {
  std::map<std::string, std::string> values;
  /// Extents of the launch at hand, where they are known: only statics (`static NC = bucket(N, 256)`) are computed from
  /// them, the extents themselves stay arguments.
  std::map<std::string, int64_t> launchExtents;
  /// Most expressions of an instance, those of inlined functions and unrolled loops counted each time.
  uint64_t maxExpressions = 1'000'000;
};

enum class ArgMode { In, Out, InOut, Scalar };

struct SignatureArg {
  std::string name;
  ArgMode mode = ArgMode::In;
  DType dtype = DType::f32;
  mlir::AffineMap
      shape; ///< views: ()[extents] -> (extent of each axis); null for scalars and where missing
  bool isOptional = false;
  bool isMissing = false; ///< then it is no argument of the kernel op
  bool isView() const { return mode != ArgMode::Scalar; }
};

struct Signature {
  std::vector<std::string> extents; ///< i64 arguments, first
  std::vector<SignatureArg> args;   ///< in the order of the source, missing ones included
};

enum class ParameterKind { Type, Const, Tune, Static, Optional };

/// A static value of a kernel that an instance fixes.
struct Parameter {
  std::string name;
  ParameterKind kind = ParameterKind::Const;
  std::string type; ///< "i64", "bool", "Act", …; empty for Type and Optional
  std::vector<std::string>
      candidates; ///< allowed values where the source lists them (tunes, sets); else empty
  std::optional<std::string> fallback; ///< the header's default
};

/// A file with everything it imports.
class Program {
public:
  ~Program();
  Program(Program &&);
  Program &operator=(Program &&);

  /// Reads and parses `path` and its imports, resolves all names. Null with errors reported.
  static std::unique_ptr<Program> load(llvm::StringRef path, DiagnosticEngine &engine);
  /// The same for text at hand; imports are found relative to `fileName`.
  static std::unique_ptr<Program> loadBuffer(llvm::StringRef text, llvm::StringRef fileName,
                                             DiagnosticEngine &engine);

  /// Names of the kernels of the file itself, in order.
  std::vector<std::string> kernels() const;
  bool hasTest(llvm::StringRef kernel) const;
  /// Where the file itself has schedules, functions of schedules and imports of `.sched` files, in order: what
  /// script::Program::loadBlocks reads.
  std::vector<SourceRange> scripts() const;

  std::optional<Signature> signature(llvm::StringRef kernel, const Settings &settings,
                                     mlir::MLIRContext &context);
  /// Generic parameters, optional arguments, tunes and statics, in the order of the source.
  std::vector<Parameter> parameters(llvm::StringRef kernel);
  /// A module with one `tile.kernel`; null with errors reported. The context needs no dialect loaded.
  mlir::OwningOpRef<mlir::ModuleOp> instantiate(llvm::StringRef kernel, const Settings &settings,
                                                mlir::MLIRContext &context);
  /// The kernel's test block; nothing where there is none (no error) or it is wrong (errors reported).
  std::optional<TestSpec> testSpec(llvm::StringRef kernel, const Settings &settings);
  /// The value of an expression of the test block (`ints(0, R - 1)`) for the values of a case, as text of the language;
  /// nothing with errors reported.
  std::optional<TestValue> evaluateDeferred(llvm::StringRef kernel, const DeferredValue &deferred,
                                            const std::map<std::string, std::string> &values);

private:
  friend class Instructions;
  explicit Program(std::unique_ptr<sema::ModuleSet> modules);
  const ast::Kernel *find(llvm::StringRef kernel);

  std::unique_ptr<sema::ModuleSet> modules;
};

} // namespace tessera

#endif // TESSERA_FRONTEND_FRONTEND_H
