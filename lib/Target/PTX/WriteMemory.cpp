// Memory of the PTX writer: addresses, loads and stores, and the places in vectors and structs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Writer.h"

#include "tessera/Device/Markers.h"
#include "tessera/Device/ReadOnly.h"
#include "tessera/Support/Mutants.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Operator.h"

using namespace tessera;
using namespace tessera::ptx;

llvm::raw_ostream &tessera::ptx::operator<<(llvm::raw_ostream &os, const Address &address) {
  os << '[' << address.base;
  if (address.offset != 0) {
    os << '+' << address.offset;
  }
  return os << ']';
}

/// The space of plain pointers is that of what they point into: arrays of the function, or anything.
static llvm::StringRef spaceOf(const llvm::Value *pointer) {
  switch (pointer->getType()->getPointerAddressSpace()) {
  case device::globalSpace:
    return ".global";
  case device::sharedSpace:
    return ".shared";
  case 4:
    return ".const";
  case 5:
    return ".local";
  default:
    break;
  }
  while (auto *step = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
    pointer = step->getPointerOperand();
  }
  return llvm::isa<llvm::AllocaInst>(pointer) ? ".local" : "";
}

/// Constant steps are kept apart: accesses take them, and sums that differ in them alone are one.
FunctionWriter::Place FunctionWriter::placeOf(const llvm::Value *pointer) {
  if (auto found = steps.find(pointer); found != steps.end()) {
    return found->second;
  }
  Place place{words(pointer).front(), 0};
  if (place.at.kind == Word::Address) {
    place.offset = int64_t(std::exchange(place.at.number, 0));
  }
  return place;
}

Address FunctionWriter::addressOf(const llvm::Value *pointer) {
  Place place = placeOf(pointer);
  // Arrays with loops over them stay in memory: where ptxas sees the variable it makes each access a choice among registers,
  // which are a dozen instructions where there was one.
  bool isNamed = place.at.kind == Word::Address && place.at.variable != depot && place.offset >= 0;
  if (isNamed) {
    place.at.number = uint64_t(std::exchange(place.offset, 0));
  } else if (llvm::isInt<31>(place.offset)) {
    place.at = held(place.at);
  } else {
    place = {held(pointer), 0};
  }
  return {spaceOf(pointer), place.at, place.offset};
}

/// True where somebody wants the address itself; accesses and further steps take its parts.
static bool isWanted(const llvm::GetElementPtrInst &step) {
  return !llvm::all_of(step.users(), [&](const llvm::User *user) {
    auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
    return llvm::isa<llvm::LoadInst, llvm::GetElementPtrInst>(user) ||
           (store && store->getValueOperand() != &step);
  });
}

/// The index without what is added to it and known, which goes to the offset: sums of addresses wrap round as those of indices
/// of the same width do.
static const llvm::Value *withoutConstant(const llvm::Value *index, unsigned bits, int64_t scale,
                                          int64_t &offset) {
  if (auto *wide = llvm::dyn_cast<llvm::ZExtInst>(index);
      wide && wide->getSrcTy()->isIntegerTy(bits)) {
    index = wide->getOperand(0);
  }
  auto *sum = llvm::dyn_cast<llvm::BinaryOperator>(index);
  if (!sum || !sum->getType()->isIntegerTy(bits)) {
    return index;
  }
  auto *known = llvm::dyn_cast<llvm::ConstantInt>(sum->getOperand(1));
  auto *parts = llvm::dyn_cast<llvm::PossiblyDisjointInst>(sum);
  bool isSum = sum->getOpcode() == llvm::Instruction::Add || (parts && parts->isDisjoint());
  if (!known || !isSum || !llvm::isInt<31>(known->getSExtValue() * scale)) {
    return index;
  }
  offset += known->getSExtValue() * scale;
  return sum->getOperand(0);
}

/// `at` and a number of steps.
Word FunctionWriter::added(Word at, const llvm::Value *index, int64_t scale) {
  unsigned bits = bitsOf(at.bank);
  Word number = held(index), sum = registers.fresh(at.bank);
  if (bitsOf(number.bank) != bits) {
    Word wide = registers.fresh(at.bank);
    bool isNarrower = bitsOf(number.bank) < bits;
    number = isNarrower ? held(withSign(index)) : number;
    std::string kind(1, isNarrower ? 's' : 'u');
    put("cvt." + kind + std::to_string(bits) + "." + kind + std::to_string(bitsOf(number.bank)),
        wide, number);
    number = wide;
  }
  if (scale == 1) {
    put("add." + typed('s', bits), sum, at, number);
  } else {
    put("mad.lo." + typed('s', bits), sum, number, scale, at);
  }
  return sum;
}

void FunctionWriter::step(const llvm::GetElementPtrInst &op) {
  unsigned bits = layout.getIndexTypeSizeInBits(op.getType());
  llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4> moves;
  llvm::APInt constant(bits, 0);
  if (op.getType()->isVectorTy() || spaceOf(&op).empty() ||
      !llvm::cast<llvm::GEPOperator>(op).collectOffset(layout, bits, moves, constant)) {
    fail(op, "an address in no known space");
    return;
  }
  Place place = placeOf(op.getPointerOperand());
  place.offset += constant.getSExtValue();
  for (auto &[index, scale] : moves) {
    place.at = held(place.at);
    const llvm::Value *rest =
        withoutConstant(index, bitsOf(place.at.bank), scale.getSExtValue(), place.offset);
    place.at = added(place.at, rest, scale.getSExtValue());
  }
  steps[&op] = place;
  if (!isWanted(op) && llvm::isInt<31>(place.offset)) {
    return;
  }
  if (place.at.kind == Word::Address && place.offset >= 0) {
    place.at.number = uint64_t(place.offset);
    registers.set(&op, place.at);
  } else if (place.offset == 0) {
    registers.set(&op, place.at);
  } else {
    Word from = held(place.at), sum = registers.fresh(from.bank);
    put("add." + typed('s', bitsOf(from.bank)), sum, from, place.offset);
    registers.set(&op, sum);
  }
}

namespace {
/// How a value lies in memory: several words at once, or one.
struct Access {
  unsigned atOnce = 1;
  unsigned bits = 32;
};
} // namespace

static std::string suffix(const Access &access, unsigned count) {
  return (count == 1 ? "." : ".v" + std::to_string(count) + ".") + typed('b', access.bits);
}

/// One word, or `{a,b}`.
static std::string listed(llvm::ArrayRef<Word> words) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (words.size() == 1) {
    os << words.front();
    return text;
  }
  const char *between = "{";
  for (const Word &each : words) {
    os << between << each;
    between = ", ";
  }
  os << '}';
  return text;
}

/// The widest access that the alignment allows; nothing where a word alone is too wide for it.
static bool fit(const llvm::Type *type, llvm::ArrayRef<Word> words, uint64_t alignment,
                Access &access) {
  if (words.empty() || words.front().bank == Bank::Pred || type->isStructTy()) {
    return false;
  }
  access.bits = type->isIntegerTy(8) ? 8 : bitsOf(words.front().bank);
  access.atOnce = std::min<unsigned>(words.size(), 128 / access.bits);
  access.atOnce = 1u << llvm::Log2_32(access.atOnce);
  while (access.atOnce > 1 &&
         (words.size() % access.atOnce != 0 || alignment * 8 < access.atOnce * access.bits)) {
    access.atOnce /= 2;
  }
  return alignment * 8 >= access.bits;
}

void FunctionWriter::load(const llvm::LoadInst &op) {
  llvm::SmallVector<Word, 4> made = results(op);
  Access access;
  if (!op.isSimple() || !fit(op.getType(), made, op.getAlign().value(), access)) {
    fail(op, "a load without text");
    return;
  }
  Address address = addressOf(op.getPointerOperand());
  bool isKept = address.space == ".global" && device::isReadOnly(op.getPointerOperand());
  for (unsigned i = 0; i < made.size(); i += access.atOnce) {
    put("ld" + address.space + (isKept ? ".nc" : "") + suffix(access, access.atOnce),
        listed(llvm::ArrayRef(made).slice(i, access.atOnce)), address);
    address.offset += access.atOnce * access.bits / 8;
  }
}

void FunctionWriter::store(const llvm::StoreInst &op) {
  llvm::SmallVector<Word, 4> given;
  for (const Word &each : words(op.getValueOperand())) {
    given.push_back(held(each));
  }
  Access access;
  if (!op.isSimple() ||
      !fit(op.getValueOperand()->getType(), given, op.getAlign().value(), access)) {
    fail(op, "a store without text");
    return;
  }
  Address address = addressOf(op.getPointerOperand());
  for (unsigned i = 0; i < given.size(); i += access.atOnce) {
    put("st" + address.space + suffix(access, access.atOnce), address,
        listed(llvm::ArrayRef(given).slice(i, access.atOnce)));
    address.offset += access.atOnce * access.bits / 8;
  }
}

/// Bits of an element, and where it lies; false where it is not known when the text is written.
static bool elementAt(const llvm::Value *vector, const llvm::Value *index, unsigned &bits,
                      unsigned &word, unsigned &within) {
  auto *known = llvm::dyn_cast<llvm::ConstantInt>(index);
  auto *type = llvm::dyn_cast<llvm::FixedVectorType>(vector->getType());
  if (!known || !type || known->getValue().uge(type->getNumElements())) {
    return false;
  }
  bits = type->getScalarSizeInBits();
  unsigned held = std::max(bits, 32u);
  word = known->getZExtValue() * bits / held;
  within = known->getZExtValue() * bits % held;
  return true;
}

void FunctionWriter::extractElement(const llvm::ExtractElementInst &op) {
  unsigned bits = 0, at = 0, within = 0;
  if (!elementAt(op.getVectorOperand(), op.getIndexOperand(), bits, at, within)) {
    fail(op, "an element at a place that is not known");
    return;
  }
  Word from = words(op.getVectorOperand())[at];
  if (bits >= 32) {
    registers.set(&op, from);
    return;
  }
  from = held(from);
  if (bits == 16) {
    Word made = result(op), other = registers.fresh(Bank::B16);
    bool isLow = TESSERA_MUTANT(586, "the other half of a word is taken", within == 0, within != 0);
    os << "\tmov.b32 \t{" << (isLow ? made : other) << ", " << (isLow ? other : made) << "}, "
       << from << ";\n";
    return;
  }
  if (bits == 1) {
    Word bit = registers.fresh(Bank::B32);
    put("and.b32", bit, from, int32_t(1u << within));
    put("setp.ne.b32", result(op), bit, 0);
    return;
  }
  Word moved = registers.fresh(Bank::B32), full = registers.fresh(Bank::B16);
  put("shr.u32", moved, from, within);
  put("cvt.u16.u32", full, moved);
  put("and.b16", result(op), full, 255);
}

void FunctionWriter::insertElement(const llvm::InsertElementInst &op) {
  unsigned bits = 0, at = 0, within = 0;
  if (!elementAt(op.getOperand(0), op.getOperand(2), bits, at, within) || bits == 1) {
    fail(op, "an element at a place that is not known");
    return;
  }
  llvm::SmallVector<Word, 4> all = words(op.getOperand(0));
  if (bits >= 32) {
    all[at] = word(op.getOperand(1));
  } else {
    Word wide = registers.fresh(Bank::B32), element = held(op.getOperand(1)), old = held(all[at]);
    put("cvt.u32.u16", wide, element);
    all[at] = registers.fresh(Bank::B32);
    put("bfi.b32", all[at], wide, old, within, bits);
  }
  registers.set(&op, all);
}

void FunctionWriter::extractMember(const llvm::ExtractValueInst &op) {
  auto *type = llvm::dyn_cast<llvm::StructType>(op.getAggregateOperand()->getType());
  if (!type || op.getNumIndices() != 1) {
    fail(op, "a member of a member");
    return;
  }
  llvm::SmallVector<Bank, 8> before, own;
  bool isHeld = banksOf(op.getType(), layout, own);
  for (unsigned i = 0; i < *op.idx_begin(); ++i) {
    isHeld &= banksOf(type->getElementType(i), layout, before);
  }
  llvm::SmallVector<Word, 4> all = words(op.getAggregateOperand());
  if (!isHeld || before.size() + own.size() > all.size()) {
    fail(op, "a member without registers");
    return;
  }
  registers.set(&op, llvm::ArrayRef(all).slice(before.size(), own.size()));
}
