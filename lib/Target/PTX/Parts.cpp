// Entries of a module on threads of their own. LLVM's contexts are not shared by threads: the largest entry stays in the
// module that was given, the others go to contexts of their own as bitcode, of which a thread reads what its entry needs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Parts.h"

#include "tessera/Device/Markers.h"
#include "tessera/Support/Mutants.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <optional>
#include <system_error>
#include <thread>

using namespace tessera;
using namespace tessera::ptx;

/// Each part pays for a backend of its own.
constexpr size_t mostParts = 8;

namespace {
struct Part {
  std::vector<std::string> entries;
  size_t size = 0;
  std::optional<llvm::Expected<std::string>> text;
};
} // namespace

static bool isEntry(const llvm::Function &function) {
  return !function.isDeclaration() && function.hasFnAttribute(device::threadsAttr);
}

/// Variables without a name are numbered by the module that they are in, and lines of inlined functions name sections of it:
/// such texts could not be joined.
static bool isDivisible(const llvm::Module &module) {
  return module.alias_empty() && module.ifunc_empty() && module.getModuleInlineAsm().empty() &&
         llvm::all_of(module.globals(), [](const auto &each) { return each.hasName(); }) &&
         llvm::all_of(module, [](const llvm::Function &function) {
           return function.hasName() && (isEntry(function) || !function.getSubprogram());
         });
}

/// The module's entries in their order, neighbours together where there are many; none where it is compiled as a whole.
static std::vector<Part> partsOf(const llvm::Module &module) {
  llvm::SmallVector<const llvm::Function *> entries(
      llvm::make_pointer_range(llvm::make_filter_range(module, isEntry)));
  if (entries.size() < 2 || !isDivisible(module)) {
    return {};
  }
  std::vector<Part> parts(std::min(entries.size(), mostParts));
  for (size_t i = 0; i < entries.size(); ++i) {
    Part &part = parts[i * parts.size() / entries.size()];
    part.entries.push_back(entries[i]->getName().str());
    part.size += entries[i]->getInstructionCount();
  }
  return parts;
}

static llvm::SmallVector<llvm::Function *> entriesOf(llvm::Module &module, const Part &part) {
  return llvm::map_to_vector(part.entries,
                             [&](const std::string &name) { return module.getFunction(name); });
}

/// Takes everything away that the entries do not reach. Functions they reach are read first, where they still are bitcode.
static llvm::Error keepOnly(llvm::Module &module, llvm::ArrayRef<llvm::Function *> entries) {
  llvm::SmallPtrSet<llvm::Value *, 32> reached;
  llvm::SmallVector<llvm::Value *> left;
  auto reach = [&](llvm::Value *value) {
    if (llvm::isa<llvm::Constant>(value) && reached.insert(value).second) {
      left.push_back(value);
    }
  };
  llvm::for_each(entries, reach);
  while (!left.empty()) {
    llvm::Value *value = left.pop_back_val();
    auto *function = llvm::dyn_cast<llvm::Function>(value);
    if (!function) {
      llvm::for_each(llvm::cast<llvm::User>(value)->operand_values(), reach);
      continue;
    }
    if (llvm::Error error = function->materialize()) {
      return error;
    }
    for (llvm::Instruction &instruction : llvm::instructions(*function)) {
      llvm::for_each(instruction.operand_values(), reach);
    }
  }
  auto isLeft = [&](llvm::GlobalValue &each) { return !reached.contains(&each); };
  for (llvm::Function &function : llvm::make_filter_range(module, isLeft)) {
    function.dropAllReferences();
  }
  auto erase = [&](auto &&list) {
    for (auto &each : llvm::make_early_inc_range(list)) {
      each.removeDeadConstantUsers();
      if (isLeft(each) && each.use_empty()) {
        each.eraseFromParent();
      }
    }
  };
  erase(module.functions());
  erase(module.globals());
  return llvm::Error::success();
}

/// Bitcode of the module without some functions.
static llvm::SmallVector<char, 0> bitcodeWithout(llvm::Module &module,
                                                 llvm::ArrayRef<llvm::Function *> functions) {
  for (llvm::Function *function : functions) {
    function->removeFromParent();
  }
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream os(bytes);
  llvm::WriteBitcodeToFile(module, os);
  for (llvm::Function *function : functions) {
    module.getFunctionList().push_back(function);
  }
  return bytes;
}

static llvm::Expected<std::string> emitCopy(llvm::ArrayRef<char> bytes, const Part &part,
                                            EmitPart emit) {
  llvm::LLVMContext context;
  context.setDiscardValueNames(true);
  llvm::Expected<std::unique_ptr<llvm::Module>> copy = llvm::getLazyBitcodeModule(
      llvm::MemoryBufferRef(llvm::StringRef(bytes.data(), bytes.size()), "part"), context);
  if (!copy) {
    return copy.takeError();
  }
  if (llvm::Error error = (*copy)->materializeMetadata()) {
    return error;
  }
  if (llvm::Error error = keepOnly(**copy, entriesOf(**copy, part))) {
    return error;
  }
  return emit(**copy);
}

/// `work` on `count` threads, one of which is the caller's. A machine that gives no more threads has fewer.
static void onThreads(unsigned count, llvm::function_ref<void()> first,
                      llvm::function_ref<void()> work) {
  std::vector<std::thread> threads;
  try {
    while (threads.size() + 1 < count) {
      threads.emplace_back(work);
    }
  } catch (const std::system_error &) {
    // The work is done by those that are there.
  }
  first();
  work();
  for (std::thread &thread : threads) {
    thread.join();
  }
}

llvm::Expected<std::string> tessera::ptx::emitInParts(llvm::Module &module, unsigned threads,
                                                      EmitPart emit) {
  std::vector<Part> parts = partsOf(module);
  if (parts.empty()) {
    return emit(module);
  }
  // Large ones first, so that no thread begins one when the others are done.
  llvm::SmallVector<Part *> order(llvm::make_pointer_range(parts));
  llvm::sort(order, [](Part *a, Part *b) { return std::pair(b->size, a) < std::pair(a->size, b); });
  llvm::SmallVector<llvm::Function *> largest = entriesOf(module, *order.front());
  llvm::SmallVector<char, 0> bytes = bitcodeWithout(module, largest);
  std::atomic<size_t> next = 1;
  auto work = [&] {
    for (size_t i = next++; i < order.size(); i = next++) {
      order[i]->text.emplace(emitCopy(bytes, *order[i], emit));
    }
  };
  auto own = [&] {
    llvm::Error error = keepOnly(module, largest);
    order.front()->text.emplace(error ? llvm::Expected<std::string>(std::move(error))
                                      : emit(module));
  };
  unsigned machine = std::max(1u, std::thread::hardware_concurrency());
  onThreads(std::min<size_t>(threads ? threads : machine, parts.size()), own, work);
  std::vector<llvm::Expected<std::string>> texts;
  for (Part &part : parts) {
    texts.push_back(std::move(*part.text));
  }
  return joinResults(texts);
}
