// Schedule scripts from text to effect: files and their imports, the schedule for a target, its run on a host.
// Everything reports through the DiagnosticEngine; nothing aborts on user text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_SCHEDULE_SCRIPT_H
#define TESSERA_SCHEDULE_SCRIPT_H

#include "tessera/Schedule/ScriptHost.h"

#include "llvm/ADT/StringMap.h"

#include <functional>
#include <map>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace tessera::script {

struct Module;

/// A function and the module whose names its body sees.
struct FunctionRef {
  const Def *def = nullptr;
  const Module *module = nullptr;
};

/// A file with its functions and what its imports bring.
struct Module {
  std::string path;
  bool isLibrary = false;                   ///< of the library: `import "std/rows.sched"`
  std::vector<std::unique_ptr<File>> files; ///< several for the blocks of one `.tile` file
  llvm::StringMap<FunctionRef> functions;   ///< own ones, and those of imports without a name
  llvm::StringMap<const Module *> aliases;  ///< `import … as name`
};

/// Scripts that were read together.
class Program {
public:
  struct Options {
    /// Folders in which imports are looked for after the folder of the importing file.
    std::vector<std::string> searchPath;
    /// Text of a file, or nothing; the file system where it is not set.
    std::function<std::optional<std::string>(llvm::StringRef path)> read;
  };

  explicit Program(DiagnosticEngine &engine) : Program(engine, Options()) {}
  Program(DiagnosticEngine &engine, Options options);
  ~Program();

  /// Read a script and what it imports. False with errors reported; the program then runs nothing.
  bool load(llvm::StringRef path);
  bool loadBuffer(llvm::StringRef text, llvm::StringRef name);
  /// The same for a file of the library, "std/defaults.sched".
  bool loadLibrary(llvm::StringRef path);
  /// The schedule blocks of a `.tile` file that the engine's sources hold; they see each other's functions.
  bool loadBlocks(llvm::ArrayRef<SourceRange> blocks);

  /// All schedules, in the order in which they were read.
  std::vector<const Schedule *> schedules() const;
  /// All files, imported ones included.
  std::vector<const File *> files() const;
  /// The schedule of the kernel `name` for `target`. `on sm_90` serves sm_90 and the targets that add letters to it
  /// (sm_90a); the same target wins over its base. Null with an error reported at `place`.
  const Schedule *select(llvm::StringRef name, llvm::StringRef target,
                         SourceRange place = {}) const;
  /// Null where it is none of this program's.
  const Module *moduleOf(const Schedule &schedule) const;
  DiagnosticEngine &getEngine() const { return engine; }

private:
  Module *open(llvm::StringRef path, bool isLibrary, std::string &reason);
  bool link(Module &module);
  bool resolveImport(Module &module, const Import &import);
  bool finishRoot(std::unique_ptr<Module> module, size_t errorsBefore);
  bool checkSchedules(const Module &module);

  DiagnosticEngine &engine;
  Options options;
  std::vector<std::unique_ptr<Module>> modules;
  std::vector<const Module *> roots;
  llvm::StringMap<Module *> byPath; ///< null while the file is being read
};

struct RunOptions {
  /// Expressions and statements that a run may evaluate, and calls that may be open.
  uint64_t maxSteps = 4u << 20;
  unsigned maxCalls = 100;
  /// Values of the schedule's parameters, as text: "3", "true", "mbarrier".
  std::map<std::string, std::string> settings;
  /// Where `print` writes; nowhere if null.
  llvm::raw_ostream *out = nullptr;
};

/// Runs one of `program.schedules()`. It is one transaction: on an error, which is reported, the host is as it was.
bool run(const Program &program, const Schedule &schedule, Host &host, const RunOptions &options);

/// Longest list, string (bytes) and fact (nodes), and deepest list, that a script can make.
constexpr size_t kMaxElements = 1u << 16;
constexpr size_t kMaxText = 1u << 20;
constexpr size_t kMaxFact = 1u << 10;
constexpr size_t kMaxDepth = 64;

} // namespace tessera::script

#endif // TESSERA_SCHEDULE_SCRIPT_H
