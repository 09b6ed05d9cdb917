// Files, their items and imports.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Modules.h"

#include "tessera/Frontend/ASTInstr.h"
#include "tessera/Frontend/Parser.h"
#include "tessera/Std/StdFiles.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace tessera::sema {

const ast::Item *Module::find(llvm::StringRef wanted, const Module *&owner) const {
  auto it = items.find(wanted);
  if (it != items.end()) {
    owner = this;
    return it->second;
  }
  for (const Module *module : open) {
    auto found = module->items.find(wanted);
    if (found != module->items.end()) {
      owner = module;
      return found->second;
    }
  }
  return nullptr;
}

Module *Module::findNamespace(llvm::StringRef wanted) const { return namespaces.lookup(wanted); }

llvm::ArrayRef<std::pair<const ast::Enum *, unsigned>>
Module::findCases(llvm::StringRef wanted) const {
  auto it = cases.find(wanted);
  if (it != cases.end()) {
    return it->second;
  }
  for (const Module *module : open) {
    auto found = module->cases.find(wanted);
    if (found != module->cases.end()) {
      return found->second;
    }
  }
  return {};
}

/// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
static unsigned editDistance(llvm::StringRef a, llvm::StringRef b) {
  std::vector<unsigned> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (unsigned j = 0; j <= b.size(); ++j) {
    last[j] = j;
  }
  for (unsigned i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (unsigned j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        now[j] = std::min(now[j], before[j - 2] + 1);
      }
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

std::string nearestName(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> known) {
  unsigned best = name.size() <= 2 ? 1 : name.size() <= 5 ? 2 : 3;
  llvm::StringRef nearest;
  for (llvm::StringRef candidate : known) {
    size_t longer = std::max(candidate.size(), name.size()),
           shorter = std::min(candidate.size(), name.size());
    if (candidate == name || candidate.empty() || longer - shorter > best) {
      continue;
    }
    unsigned distance = name.equals_insensitive(candidate) ? 0 : editDistance(name, candidate);
    if (distance < best || (distance == best && nearest.empty() && distance < name.size())) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest.str();
}

Module *ModuleSet::add(std::string name) {
  modules.push_back(std::make_unique<Module>(std::move(name)));
  return modules.back().get();
}

const ast::Ident *itemName(const ast::Item &item) {
  switch (item.kind) {
  case ast::Kind::Const:
    return &llvm::cast<ast::Const>(item).name;
  case ast::Kind::Enum:
    return &llvm::cast<ast::Enum>(item).name;
  case ast::Kind::Struct:
    return &llvm::cast<ast::Struct>(item).name;
  case ast::Kind::Fn:
    return &llvm::cast<ast::Fn>(item).name;
  case ast::Kind::Kernel:
    return &llvm::cast<ast::Kernel>(item).name;
  case ast::Kind::LayoutDecl:
    return &llvm::cast<ast::LayoutDecl>(item).name;
  case ast::Kind::Instr:
    return &llvm::cast<ast::Instr>(item).name;
  case ast::Kind::Sync:
    return &llvm::cast<ast::Sync>(item).name;
  default:
    return nullptr;
  }
}

llvm::StringRef itemKind(const ast::Item &item) {
  switch (item.kind) {
  case ast::Kind::Const:
    return "a constant";
  case ast::Kind::Enum:
    return "an enum";
  case ast::Kind::Struct:
    return "a struct";
  case ast::Kind::Fn:
    return "a function";
  case ast::Kind::Kernel:
    return "a kernel";
  case ast::Kind::LayoutDecl:
    return "a layout";
  case ast::Kind::Instr:
    return "an instruction";
  case ast::Kind::Sync:
    return "a sync";
  default:
    return "no item with a name";
  }
}

void ModuleSet::addItems(Module &module, const ast::File &file) {
  for (const auto &item : file.items) {
    if (const ast::Ident *name = itemName(*item)) {
      auto [it, fresh] = module.items.try_emplace(name->name, item.get());
      if (!fresh) {
        engine.report(diag::duplicate_name, name->range, name->name)
            .help("give one of them another name")
            .note(itemName(*it->second)->range, "the first declaration");
      }
    }
    if (const auto *decl = llvm::dyn_cast<ast::Enum>(item.get())) {
      for (auto [i, entry] : llvm::enumerate(decl->cases)) {
        auto &list = module.cases[entry.name];
        if (!list.empty() && list.back().first == decl) {
          engine.report(diag::duplicate_name, entry.range, entry.name)
              .help("leave one of them out")
              .note(decl->cases[list.back().second].range, "the first declaration");
          continue;
        }
        list.emplace_back(decl, i);
      }
    }
    if (const auto *test = llvm::dyn_cast<ast::Test>(item.get())) {
      auto [it, fresh] = module.tests.try_emplace(test->kernel.name, test);
      if (!fresh) {
        engine.report(diag::test_twice, test->kernel.range, test->kernel.name)
            .help("put everything in one `test` block")
            .note(it->second->kernel.range, "the first one");
      }
    }
  }
  for (const auto &entry : module.tests) {
    const Module *owner = nullptr;
    if (!llvm::isa_and_nonnull<ast::Kernel>(module.find(entry.getKey(), owner))) {
      llvm::SmallVector<llvm::StringRef> known;
      for (const auto &item : module.items) {
        if (llvm::isa<ast::Kernel>(item.second)) {
          known.push_back(item.getKey());
        }
      }
      std::string near = nearestName(entry.getKey(), known);
      engine.report(diag::test_without_kernel, entry.second->kernel.range, entry.getKey())
          .help(near.empty() ? std::string("declare the kernel in this file")
                             : "did you mean `" + near + "`?");
    }
  }
}

void ModuleSet::loadImport(Module &module, llvm::StringRef fileName, const ast::Import &import) {
  llvm::SmallString<128> path(llvm::sys::path::is_absolute(import.path)
                                  ? llvm::StringRef()
                                  : llvm::sys::path::parent_path(fileName));
  llvm::sys::path::append(path, import.path);
  llvm::sys::path::remove_dots(path, true);
  if (llvm::is_contained(loading, path.str())) {
    std::string chain;
    for (const std::string &file : loading) {
      chain += "`" + file + "` → ";
    }
    engine.report(diag::import_cycle, import.pathRange, import.path)
        .help("move what both need into a third file")
        .note(chain + "`" + path.str().str() + "`");
    return;
  }
  Module *imported = byPath.lookup(path);
  if (!imported) {
    constexpr uint64_t kMaxFiles = 256;
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer || modules.size() > kMaxFiles) {
      std::string reason =
          buffer ? "more than 256 files are imported" : buffer.getError().message();
      engine.report(diag::import_unreadable, import.pathRange, import.path, reason)
          .help("paths are relative to the importing file: `" + path.str() + "` was looked for");
      return;
    }
    imported = loadFile((*buffer)->getBuffer(), path, false);
  }
  if (!imported) {
    return;
  }
  if (!import.alias) {
    module.open.push_back(imported);
    return;
  }
  const Module *owner = nullptr;
  if (module.find(import.alias.name, owner) ||
      !module.namespaces.try_emplace(import.alias.name, imported).second) {
    engine.report(diag::duplicate_name, import.alias.range, import.alias.name)
        .help("choose another name after `as`");
  }
}

Module *ModuleSet::loadStd() {
  if (stdModule) {
    return stdModule;
  }
  stdModule = add("std");
  stdModule->isStd = true;
  for (const StdFile &file : stdFiles()) {
    if (file.name.ends_with(".sched")) {
      continue; // schedules are read by those who run them
    }
    Module *module = loadFile(file.text, ("std/" + file.name).str(), true);
    if (!module) {
      continue;
    }
    llvm::StringRef stem = file.name;
    stem.consume_back(".tile");
    module->name = ("std." + stem).str();
    stdModule->namespaces[stem] = module;
    if (stem != "ref") {
      stdModule->open.push_back(module);
    }
  }
  return stdModule;
}

Module *ModuleSet::loadFile(llvm::StringRef text, llvm::StringRef fileName, bool isStd) {
  unsigned before = engine.errorCount();
  std::unique_ptr<ast::File> file = parseBuffer(text, fileName, engine);
  if (!file || engine.errorCount() != before) {
    return nullptr;
  }
  Module *module = add(fileName.str());
  module->isStd = isStd;
  byPath[fileName] = module;
  addItems(*module, *file);
  loading.push_back(fileName.str());
  for (const auto &item : file->items) {
    const auto *import = llvm::dyn_cast<ast::Import>(item.get());
    // Scripts are read by those who run them.
    if (import && !llvm::StringRef(import->path).ends_with(".sched")) {
      loadImport(*module, fileName, *import);
    }
  }
  loading.pop_back();
  module->files.push_back(std::move(file));
  if (isStd) {
    module->namespaces["std"] = stdModule;
  } else if (text.contains("std")) {
    // Read only where it is used: the library is larger than most programs.
    module->namespaces.try_emplace("std", loadStd());
  }
  return module;
}

Module *ModuleSet::loadRoot(llvm::StringRef text, llvm::StringRef fileName) {
  llvm::SmallString<128> path(fileName);
  llvm::sys::path::remove_dots(path, true);
  root = loadFile(text, path, false);
  if (!root || engine.hasErrors()) {
    return nullptr;
  }
  for (const auto &module : modules) {
    resolveNames(*module, engine);
  }
  return engine.hasErrors() ? nullptr : root;
}

} // namespace tessera::sema
