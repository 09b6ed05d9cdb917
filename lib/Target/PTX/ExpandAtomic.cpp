// Atomics of global memory: which operation PTX has for which type, and its words for orders and scopes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Expander.h"

#include "tessera/Support/Mutants.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tessera::ptx;

namespace {
struct Atomic {
  llvm::StringRef kind, type, order, scope;
};
} // namespace

static unsigned bitsOf(llvm::StringRef type) {
  return llvm::StringSwitch<unsigned>(type)
      .Cases({"f16", "bf16"}, 16)
      .Cases({"s32", "u32", "f32"}, 32)
      .Cases({"s64", "u64", "f64"}, 64)
      .Default(0);
}

/// `add.u32`; empty where PTX has no such operation. Sums of two's complement have no sign, and PTX no `add.s64`. The sums of
/// floats round to nearest; the hardware takes denormals of f32 as zero in global memory, which is a fact of the
/// instruction and has no switch.
static std::string operationOf(const Atomic &atomic) {
  bool isFloat = atomic.type.contains('f');
  unsigned bits = bitsOf(atomic.type);
  if (atomic.kind == "cas" || (atomic.kind == "xchg" && bits != 16)) {
    return (atomic.kind == "xchg" ? "exch" : "cas") + (".b" + std::to_string(bits));
  }
  if (atomic.kind == "add") {
    llvm::StringRef type = atomic.type == "s64" ? llvm::StringRef("u64") : atomic.type;
    return (llvm::Twine("add.") +
            (bits == 16 ? TESSERA_MUTANT(548, "sums of 16 bits may flush", "noftz.", "") : "") +
            type)
        .str();
  }
  if ((atomic.kind == "max" || atomic.kind == "min") && !isFloat) {
    return (atomic.kind + "." + atomic.type).str();
  }
  if ((atomic.kind == "and" || atomic.kind == "or" || atomic.kind == "xor") && !isFloat) {
    return (atomic.kind + ".b").str() + std::to_string(bits);
  }
  return "";
}

static llvm::Error check(Site &site, const Atomic &atomic) {
  if (bitsOf(atomic.type) == 0) {
    return site.error("has no type of atomics; there are s32 u32 s64 u64 f16 bf16 f32 f64");
  }
  if (operationOf(atomic).empty()) {
    return site.error(
        "is not an instruction of PTX: floats have add, cas and, but for 16 bits, xchg; "
        "write it as a loop of cas, or use an integer type");
  }
  if (atomic.kind == "add" && atomic.type == "bf16" && capability(site.target.arch) < 90) {
    return site.error("needs sm_90 (atomic sums of bf16); the target is " + name(site.target.arch) +
                      "; use f32 or f16");
  }
  if (!llvm::is_contained({"relaxed", "acquire", "release", "acq_rel"}, atomic.order)) {
    return site.error("has an unknown order; there are relaxed, acquire, release, acq_rel");
  }
  if (!llvm::is_contained({"cta", "block", "cluster", "gpu", "sys"}, atomic.scope)) {
    return site.error("has an unknown scope; there are cta, cluster, gpu, sys");
  }
  if (atomic.scope == "cluster" && capability(site.target.arch) < 90) {
    return site.error("needs sm_90 (clusters); the target is " + name(site.target.arch) +
                      "; use gpu");
  }
  return site.expectOperands(atomic.kind == "cas" ? 4 : 3);
}

Expansion tessera::ptx::expandAtomic(Site &site) {
  llvm::SmallVector<llvm::StringRef> words;
  site.name.split(words, '.');
  if (words.size() != 5) {
    return site.error("is not of the form atom.KIND.TYPE.ORDER.SCOPE");
  }
  Atomic atomic{words[1], words[2], words[3], words[4]};
  if (llvm::Error error = check(site, atomic)) {
    return error;
  }
  llvm::Type *type = site.call.getType();
  if (!type->isIntegerTy(bitsOf(atomic.type))) {
    return site.error("gives a value of another width than its type has");
  }
  llvm::Value *predicate = site.operand(site.call.arg_size() - 1);
  llvm::Value *zero = llvm::Constant::getNullValue(type);
  if (isNever(predicate)) {
    return zero;
  }
  Assembly code(site.builder);
  bool always = isAlways(predicate);
  bool isPlain =
      always ||
      TESSERA_MUTANT(547, "atomics that do not act give what the register held", false, true);
  std::string result = isPlain ? code.result(type) : code.result(type, zero);
  std::string text = "[" + code.input(site.operand(0)) + "]";
  for (unsigned i = 1; i + 1 < site.call.arg_size(); ++i) {
    text += ", " + code.input(site.operand(i));
  }
  std::string guard = always ? "" : "@" + code.input(predicate) + " ";
  llvm::StringRef scope = atomic.scope == "block" ? llvm::StringRef("cta") : atomic.scope;
  scope = TESSERA_MUTANT(549, "every atomic is one of the CTA", scope, llvm::StringRef("cta"));
  Assembly::Effects effects;
  effects.keepsPlace = true;
  effects.memory = atomic.order == "relaxed" ? llvm::MemoryEffects::argMemOnly()
                                             : llvm::MemoryEffects::unknown();
  code.emit((llvm::Twine(guard) + "atom." + atomic.order + "." + scope + ".global." +
             operationOf(atomic) + " " + result + ", " + text + ";")
                .str(),
            effects);
  return code.values[0];
}
