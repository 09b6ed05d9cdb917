// Parsed files, their items by name, and imports. A Module is one file (or the union of the files of `std`); the
// ModuleSet owns all of them, loads imports and resolves every name once, before any instance exists.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_FRONTEND_SEMA_MODULES_H
#define TESSERA_LIB_FRONTEND_SEMA_MODULES_H

#include "Value.h"

#include "tessera/Frontend/AST.h"
#include "tessera/Frontend/Diagnostics.h"

#include "llvm/ADT/StringMap.h"

namespace tessera::sema {

/// A const's value is computed when it is first used.
struct ConstState {
  enum { Fresh, Running, Done } state = Fresh;
  Value value;
};

class Module {
public:
  explicit Module(std::string name) : name(std::move(name)) {}

  std::string name;   ///< file name, or `std`
  bool isStd = false; ///< may define what is also a builtin
  std::vector<std::unique_ptr<ast::File>> files;
  llvm::StringMap<const ast::Item *> items; ///< those with a name of their own (itemName)
  llvm::StringMap<Module *> namespaces;     ///< `import … as X`, and `std`, `std.ref`
  std::vector<Module *> open; ///< imports without `as`: their items are found here too
  llvm::StringMap<llvm::SmallVector<std::pair<const ast::Enum *, unsigned>, 1>>
      cases;                                ///< enum cases by name
  llvm::StringMap<const ast::Test *> tests; ///< by kernel
  mutable llvm::StringMap<ConstState> consts;

  /// Own items, then those of open imports; `owner` is the module that declares it.
  const ast::Item *find(llvm::StringRef name, const Module *&owner) const;
  Module *findNamespace(llvm::StringRef name) const;
  llvm::ArrayRef<std::pair<const ast::Enum *, unsigned>> findCases(llvm::StringRef name) const;
};

class ModuleSet {
public:
  explicit ModuleSet(DiagnosticEngine &engine) : engine(engine) {}

  /// Loads the root and everything it imports, then resolves names. Null with errors reported.
  Module *loadRoot(llvm::StringRef text, llvm::StringRef fileName);
  Module *getRoot() const { return root; }
  /// The library, read when it is first asked for. Null with errors reported.
  Module *loadStd();
  llvm::ArrayRef<std::unique_ptr<Module>> getModules() const { return modules; }
  DiagnosticEngine &getEngine() const { return engine; }

private:
  Module *add(std::string name);
  Module *loadFile(llvm::StringRef text, llvm::StringRef fileName, bool isStd);
  void addItems(Module &module, const ast::File &file);
  void loadImport(Module &module, llvm::StringRef fileName, const ast::Import &import);

  DiagnosticEngine &engine;
  Module *root = nullptr;
  Module *stdModule = nullptr;
  std::vector<std::unique_ptr<Module>> modules;
  llvm::StringMap<Module *> byPath;
  std::vector<std::string> loading; ///< paths of files whose imports are being read, for cycles
};

/// Resolves all names of a module: unknown names (with the nearest known one), duplicates, shadowing. Also in branches
/// that no instance takes.
void resolveNames(const Module &module, DiagnosticEngine &engine);

/// The name an item declares; null for imports, tests and raw text.
const ast::Ident *itemName(const ast::Item &item);

/// "a function", "a layout"
llvm::StringRef itemKind(const ast::Item &item);

/// The known name nearest to `name`, or empty where none is near.
std::string nearestName(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> known);

} // namespace tessera::sema

#endif // TESSERA_LIB_FRONTEND_SEMA_MODULES_H
