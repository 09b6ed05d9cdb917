// Reading scripts: files, imports, the choice of a schedule.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/Script.h"
#include "tessera/Schedule/ScriptDiagnostics.h"
#include "tessera/Schedule/ScriptParser.h"
#include "tessera/Std/StdFiles.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace tessera;
using namespace tessera::script;
using llvm::StringRef;

static std::optional<std::string> readFromDisk(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer || (*buffer)->getBufferSize() > (64u << 20)) {
    return std::nullopt;
  }
  return (*buffer)->getBuffer().str();
}

/// How imports of the library begin.
static constexpr llvm::StringLiteral libraryPrefix = "std/";

/// The text of a file of the library, by its name behind the prefix.
static std::optional<std::string> readLibrary(StringRef path) {
  path.consume_front(libraryPrefix);
  for (const StdFile &file : stdFiles()) {
    if (file.name == path && path.ends_with(".sched")) {
      return file.text.str();
    }
  }
  return std::nullopt;
}

static std::string libraryFiles() {
  std::string names;
  for (const StdFile &file : stdFiles()) {
    if (file.name.ends_with(".sched")) {
      names += (names.empty() ? "" : ", ") + (libraryPrefix + file.name).str();
    }
  }
  return names;
}

Program::Program(DiagnosticEngine &engine, Options given)
    : engine(engine), options(std::move(given)) {
  if (!options.read) {
    options.read = readFromDisk;
  }
}

Program::~Program() = default;

static std::string normalized(StringRef path) {
  llvm::SmallString<128> result(path);
  llvm::sys::path::remove_dots(result, /*remove_dot_dot=*/true);
  return result.str().str();
}

/// Under which a module is known: files of the library and of a folder `std` are two.
static std::string keyOf(StringRef path, bool isLibrary) {
  return (isLibrary ? "library " : "") + normalized(path);
}

bool Program::load(StringRef path) {
  std::string name = normalized(path);
  std::optional<std::string> text = options.read(name);
  if (!text) {
    engine
        .report(diag::file_unreadable, SourceRange(), path,
                "there is no such file, or it is no text")
        .help("check the path");
    return false;
  }
  return loadBuffer(*text, name);
}

bool Program::loadLibrary(StringRef path) {
  std::optional<std::string> text = readLibrary(path);
  if (!text) {
    engine.report(diag::file_unreadable, SourceRange(), path, "the library has no such file")
        .help("it has " + libraryFiles());
    return false;
  }
  size_t before = engine.errorCount();
  auto module = std::make_unique<Module>();
  module->path = path.str();
  module->isLibrary = true;
  module->files.push_back(parseScript(*text, path, engine));
  return finishRoot(std::move(module), before);
}

bool Program::loadBuffer(StringRef text, StringRef name) {
  size_t before = engine.errorCount();
  auto module = std::make_unique<Module>();
  module->path = name.str();
  module->files.push_back(parseScript(text, name, engine));
  return finishRoot(std::move(module), before);
}

bool Program::loadBlocks(llvm::ArrayRef<SourceRange> blocks) {
  size_t before = engine.errorCount();
  auto module = std::make_unique<Module>();
  for (SourceRange block : blocks) {
    module->path = engine.getSources().name(block.file).str();
    module->files.push_back(parseScript(block, engine));
  }
  return finishRoot(std::move(module), before);
}

bool Program::finishRoot(std::unique_ptr<Module> module, size_t errorsBefore) {
  Module &added = *module;
  std::string key = keyOf(added.path, added.isLibrary);
  modules.push_back(std::move(module));
  byPath[key] = nullptr;
  bool good = link(added) && checkSchedules(added) && engine.errorCount() == errorsBefore;
  byPath[key] = &added;
  if (good) {
    roots.push_back(&added);
  }
  return good;
}

/// Declares the module's functions and those that its imports bring.
bool Program::link(Module &module) {
  bool good = true;
  for (const auto &file : module.files) {
    for (const auto &def : file->defs) {
      auto [entry, isNew] =
          module.functions.try_emplace(def->name.text, FunctionRef{def.get(), &module});
      if (!isNew && !def->name.text.empty()) {
        engine.report(diag::duplicate_name, def->name.range, def->name.text)
            .note(entry->second.def->name.range, "the first one")
            .help("give one of them another name");
        good = false;
      }
    }
  }
  for (const auto &file : module.files) {
    for (const Import &import : file->imports) {
      good &= resolveImport(module, import);
    }
  }
  return good;
}

bool Program::resolveImport(Module &module, const Import &import) {
  std::vector<std::string> folders{llvm::sys::path::parent_path(module.path).str()};
  folders.insert(folders.end(), options.searchPath.begin(), options.searchPath.end());
  for (std::string &folder : folders) {
    folder = folder.empty() ? "." : folder;
  }
  bool namesLibrary = StringRef(import.path).starts_with(libraryPrefix);
  bool isLibrary = module.isLibrary || namesLibrary;
  if (llvm::sys::path::is_absolute(import.path) || namesLibrary) {
    folders = {""};
  }
  Module *found = nullptr;
  std::string reason;
  for (const std::string &folder : folders) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, import.path);
    found = open(path, isLibrary, reason);
    if (found || !reason.empty()) {
      break;
    }
  }
  if (reason == "cycle") {
    engine.report(diag::import_cycle, import.range, import.path)
        .help("move what both files need into a third one");
    return false;
  }
  if (!found) {
    bool broken = !reason.empty();
    engine
        .report(diag::import_unreadable, import.range, import.path,
                broken      ? "it has errors"
                : isLibrary ? "the library has no such file"
                            : "there is no such file in " + llvm::join(folders, ", "))
        .help(broken      ? "mend that file first"
              : isLibrary ? "it has " + libraryFiles()
                          : "check the path, or add its folder to the search path");
    return false;
  }
  if (!import.alias.text.empty()) {
    if (!module.aliases.try_emplace(import.alias.text, found).second) {
      engine.report(diag::duplicate_name, import.alias.range, import.alias.text)
          .help("give one of them another name");
      return false;
    }
    return true;
  }
  bool good = true;
  for (const auto &entry : found->functions) {
    if (entry.second.module != found) {
      continue; // imports are not passed on
    }
    auto [present, isNew] = module.functions.try_emplace(entry.first(), entry.second);
    if (!isNew && present->second.def != entry.second.def) {
      engine.report(row(DiagId::import_conflict), import.range, entry.first())
          .note(present->second.def->name.range, "the first one")
          .note(entry.second.def->name.range, "the other one")
          .help("import one of the files under a name: `import \"" + import.path + "\" as name`");
      good = false;
    }
  }
  return good;
}

/// The module of a file: read once. Null without a reason where there is no such file.
Module *Program::open(StringRef path, bool isLibrary, std::string &reason) {
  std::string key = keyOf(path, isLibrary), file = normalized(path);
  auto known = byPath.find(key);
  if (known != byPath.end()) {
    reason = known->second ? "" : "cycle";
    return known->second;
  }
  std::optional<std::string> text = isLibrary ? readLibrary(file) : options.read(file);
  if (!text) {
    return nullptr;
  }
  size_t before = engine.errorCount();
  auto module = std::make_unique<Module>();
  Module &added = *module;
  added.path = file;
  added.isLibrary = isLibrary;
  added.files.push_back(parseScript(*text, file, engine));
  modules.push_back(std::move(module));
  byPath[key] = nullptr;
  bool good = link(added) && engine.errorCount() == before;
  byPath[key] = &added;
  if (!good) {
    reason = "errors";
    return nullptr;
  }
  return &added;
}

//===-- Choosing a schedule ----------------------------------------------------------------------------------------===//

std::vector<const Schedule *> Program::schedules() const {
  std::vector<const Schedule *> result;
  for (const Module *module : roots) {
    for (const auto &file : module->files) {
      for (const auto &schedule : file->schedules) {
        result.push_back(schedule.get());
      }
    }
  }
  return result;
}

std::vector<const File *> Program::files() const {
  std::vector<const File *> result;
  for (const auto &module : modules) {
    for (const auto &file : module->files) {
      result.push_back(file.get());
    }
  }
  return result;
}

bool Program::checkSchedules(const Module &module) {
  bool good = true;
  llvm::StringMap<const Schedule *> seen;
  auto check = [&](const Schedule &schedule) {
    auto [first, isNew] =
        seen.try_emplace(schedule.name.text + " " + schedule.target.text, &schedule);
    if (!isNew) {
      engine
          .report(row(DiagId::schedule_twice), schedule.name.range, schedule.name.text,
                  schedule.target.text)
          .note(first->second->name.range, "the first one")
          .help("remove one of them, or make its choice a parameter");
      good = false;
    }
  };
  for (const Schedule *schedule : schedules()) {
    check(*schedule);
  }
  for (const auto &file : module.files) {
    for (const auto &schedule : file->schedules) {
      check(*schedule);
    }
  }
  return good;
}

const Schedule *Program::select(StringRef name, StringRef target, SourceRange place) const {
  StringRef base = target.rtrim("abcdefghijklmnopqrstuvwxyz");
  const Schedule *exact = nullptr, *family = nullptr;
  std::string others;
  for (const Schedule *schedule : schedules()) {
    if (schedule->name.text != name) {
      continue;
    }
    StringRef on = schedule->target.text;
    exact = on == target ? schedule : exact;
    family = on == base ? schedule : family;
    others += (others.empty() ? "`" : ", `") + on.str() + "`";
  }
  if (exact || family) {
    return exact ? exact : family;
  }
  engine.report(row(DiagId::no_schedule), place, name, target)
      .help(others.empty() ? "write `schedule " + name.str() + " on " + base.str() + " { … }`"
                           : "there are schedules of it for " + others);
  return nullptr;
}

const Module *Program::moduleOf(const Schedule &schedule) const {
  for (const Module *module : roots) {
    for (const auto &file : module->files) {
      for (const auto &candidate : file->schedules) {
        if (candidate.get() == &schedule) {
          return module;
        }
      }
    }
  }
  return nullptr;
}
