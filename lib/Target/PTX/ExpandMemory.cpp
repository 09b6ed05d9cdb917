// Guarded loads, stores and atomics. An access that always happens is LLVM's own, so that its passes see through it; one under
// a predicate is one predicated instruction, as a branch would serialise the accesses around it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Expander.h"

#include "tessera/Device/Markers.h"
#include "tessera/Device/ReadOnly.h"
#include "tessera/Support/Mutants.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tessera;
using namespace tessera::ptx;

bool tessera::ptx::isAlways(const llvm::Value *predicate) {
  auto *constant = llvm::dyn_cast<llvm::ConstantInt>(predicate);
  return constant && constant->isOne();
}

bool tessera::ptx::isNever(const llvm::Value *predicate) {
  auto *constant = llvm::dyn_cast<llvm::ConstantInt>(predicate);
  return constant && constant->isZero();
}

namespace {
/// `global.v4i32`, `shared.part.v4i32` taken apart.
struct Access {
  bool isShared = false;
  bool isPart = false; ///< one operand more, of which the hardware knows nothing
  /// Registers of the instruction and their type.
  unsigned lanes = 1;
  llvm::Type *element = nullptr;

  llvm::Type *type() const {
    return lanes == 1 ? element : llvm::FixedVectorType::get(element, lanes);
  }
  unsigned bytes() const { return lanes * element->getIntegerBitWidth() / 8; }
  /// `.global.v4.b32`.
  std::string suffix() const {
    return std::string(lanes > 1 ? ".v" + std::to_string(lanes) : "") + ".b" +
           std::to_string(element->getIntegerBitWidth());
  }
};
} // namespace

static std::optional<Access> parseAccess(llvm::LLVMContext &context, bool isLoad,
                                         llvm::StringRef text) {
  auto [space, type] = text.split('.');
  Access access;
  access.isShared = space == "shared";
  access.isPart = access.isShared && isLoad && type.consume_front("part.");
  if (!access.isShared && space != "global") {
    return std::nullopt;
  }
  unsigned bits = llvm::StringSwitch<unsigned>(type)
                      .Case("i8", 8)
                      .Case("i16", 16)
                      .Cases({"i32", "v2i32", "v4i32"}, 32)
                      .Case("i64", 64)
                      .Default(0);
  if (bits == 0) {
    return std::nullopt;
  }
  access.lanes = type.starts_with("v2") ? 2 : type.starts_with("v4") ? 4 : 1;
  access.element = llvm::IntegerType::get(context, bits);
  return access;
}

/// `[$4+16]`. PTX has signed 32-bit immediates; a larger or computed offset is added before.
static std::string address(Site &site, Assembly &code, llvm::Value *pointer, llvm::Value *offset) {
  auto *constant = llvm::dyn_cast<llvm::ConstantInt>(offset);
  if (!constant || !constant->getValue().isSignedIntN(
                       TESSERA_MUTANT(544, "offsets of accesses are of any size", 32, 64))) {
    return "[" + code.input(site.builder.CreatePtrAdd(pointer, offset)) + "]";
  }
  std::string base = code.input(pointer);
  int64_t bytes = constant->getSExtValue();
  return "[" + base + (bytes == 0 ? "" : "+" + std::to_string(bytes)) + "]";
}

/// `{$0,$1}` or `$0`.
static std::string registers(llvm::ArrayRef<std::string> names) {
  return names.size() == 1 ? names[0] : "{" + llvm::join(names, ",") + "}";
}

static llvm::Value *part(llvm::IRBuilderBase &b, const Access &access, llvm::Value *value,
                         unsigned lane) {
  llvm::Value *element = access.lanes == 1 ? value : b.CreateExtractElement(value, lane);
  llvm::Type *held = asmRegister(element->getType());
  return held == element->getType() ? element : b.CreateZExt(element, held);
}

static llvm::Value *guardedLoad(Site &site, const Access &access) {
  llvm::IRBuilder<> &b = site.builder;
  llvm::Value *pointer = site.operand(0);
  Assembly code(b);
  llvm::SmallVector<std::string> names;
  for (unsigned lane = 0; lane < access.lanes; ++lane) {
    llvm::Value *other = part(b, access, site.operand(3), lane);
    names.push_back(TESSERA_MUTANT(543, "loads that are not made give what the register held",
                                   code.result(other->getType(), other),
                                   code.result(other->getType())));
  }
  std::string from = address(site, code, pointer, site.operand(1));
  std::string predicate = code.input(site.operand(2));
  const char *space = access.isShared ? "ld.shared"
                      : TESSERA_MUTANT(545, "what is written is read past the caches",
                                       device::isReadOnly(pointer), true)
                          ? "ld.global.nc"
                          : "ld.global";
  // Shared addresses go in as numbers, so LLVM cannot tell what they point to.
  Assembly::Effects effects;
  effects.keepsPlace = true;
  effects.memory = access.isShared ? llvm::MemoryEffects::readOnly()
                                   : llvm::MemoryEffects::argMemOnly(llvm::ModRefInfo::Ref);
  code.emit("@" + predicate + " " + space + access.suffix() + " " + registers(names) + ", " + from +
                ";",
            effects);
  llvm::Value *result = llvm::PoisonValue::get(access.type());
  for (unsigned lane = 0; lane < access.lanes; ++lane) {
    llvm::Value *element = b.CreateZExtOrTrunc(code.values[lane], access.element);
    result = access.lanes == 1 ? element : b.CreateInsertElement(result, element, lane);
  }
  return result;
}

static void guardedStore(Site &site, const Access &access) {
  llvm::IRBuilder<> &b = site.builder;
  Assembly code(b);
  std::string to = address(site, code, site.operand(0), site.operand(1));
  llvm::SmallVector<std::string> names;
  for (unsigned lane = 0; lane < access.lanes; ++lane) {
    names.push_back(code.input(part(b, access, site.operand(2), lane)));
  }
  std::string predicate = code.input(site.operand(3));
  Assembly::Effects effects;
  effects.keepsPlace = true;
  effects.memory = access.isShared ? llvm::MemoryEffects::unknown()
                                   : llvm::MemoryEffects::argMemOnly(llvm::ModRefInfo::Mod);
  std::string guard = "@" + predicate;
  code.emit(TESSERA_MUTANT(546, "stores have no predicate", guard, std::string()) +
                (access.isShared ? " st.shared" : " st.global") + access.suffix() + " " + to +
                ", " + registers(names) + ";",
            effects);
}

Expansion tessera::ptx::expandAccess(Site &site) {
  bool isLoad = site.name.starts_with("ld.");
  llvm::IRBuilder<> &b = site.builder;
  std::optional<Access> access = parseAccess(b.getContext(), isLoad, site.name.drop_front(3));
  if (!access) {
    return site.error("is no access; write ld or st, global or shared, and one of i8 i16 i32 i64 "
                      "v2i32 v4i32");
  }
  if (llvm::Error error = site.expectOperands(access->isPart ? 5 : 4)) {
    return error;
  }
  llvm::Value *predicate = site.operand(isLoad ? 2 : 3);
  llvm::Value *value = site.operand(isLoad ? 3 : 2);
  if (value->getType() != access->type()) {
    return site.error("has a value of another type than its name says");
  }
  if (isNever(predicate)) {
    return isLoad ? value : nullptr;
  }
  if (isAlways(predicate)) {
    llvm::Value *place = b.CreatePtrAdd(site.operand(0), site.operand(1));
    llvm::Align align(access->bytes());
    if (isLoad) {
      return b.CreateAlignedLoad(access->type(), place, align);
    }
    b.CreateAlignedStore(value, place, align);
    return nullptr;
  }
  if (isLoad) {
    return guardedLoad(site, *access);
  }
  guardedStore(site, *access);
  return nullptr;
}
