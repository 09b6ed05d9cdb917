// Registers and constants of the PTX writer.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registers.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera::ptx;

unsigned tessera::ptx::bitsOf(Bank bank) {
  constexpr unsigned bits[] = {1, 16, 32, 64};
  return bits[unsigned(bank)];
}

static llvm::StringRef prefixOf(Bank bank) {
  constexpr llvm::StringLiteral prefixes[] = {"%p", "%rs", "%r", "%rd"};
  return prefixes[unsigned(bank)];
}

int64_t Word::signedBits() const { return llvm::SignExtend64(number, bitsOf(bank)); }

llvm::raw_ostream &tessera::ptx::operator<<(llvm::raw_ostream &os, const Word &word) {
  switch (word.kind) {
  case Word::Register:
    return os << prefixOf(word.bank) << word.number;
  case Word::Bits:
    return os << word.signedBits();
  case Word::Address:
    break;
  }
  os << word.variable;
  if (word.number != 0) {
    os << '+' << word.number;
  }
  return os;
}

llvm::raw_ostream &tessera::ptx::operator<<(llvm::raw_ostream &os, const Real &real) {
  if (!real.word.isBits()) {
    return os << real.word;
  }
  bool isDouble = real.word.bank == Bank::B64;
  os << (isDouble ? "0d" : "0f");
  for (int shift = (isDouble ? 64 : 32) - 4; shift >= 0; shift -= 4) {
    os << "0123456789ABCDEF"[real.word.number >> shift & 15];
  }
  return os;
}

/// The bank of a type that one register holds.
static bool bankOf(llvm::Type *type, const llvm::DataLayout &layout, Bank &bank) {
  unsigned bits = 0;
  if (type->isIntegerTy() || type->isFloatTy() || type->isDoubleTy() || type->isHalfTy() ||
      type->isBFloatTy()) {
    bits = type->getScalarSizeInBits();
  } else if (type->isPointerTy()) {
    bits = layout.getPointerTypeSizeInBits(type);
  }
  switch (bits) {
  case 1:
    bank = Bank::Pred;
    return true;
  case 8:
  case 16:
    bank = Bank::B16;
    return true;
  case 32:
    bank = Bank::B32;
    return true;
  case 64:
    bank = Bank::B64;
    return true;
  default:
    return false;
  }
}

bool tessera::ptx::banksOf(llvm::Type *type, const llvm::DataLayout &layout,
                           llvm::SmallVectorImpl<Bank> &banks) {
  if (auto *record = llvm::dyn_cast<llvm::StructType>(type)) {
    for (llvm::Type *member : record->elements()) {
      if (!banksOf(member, layout, banks)) {
        return false;
      }
    }
    return true;
  }
  Bank bank;
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (!vector) {
    bool isHeld = bankOf(type, layout, bank);
    if (isHeld) {
      banks.push_back(bank);
    }
    return isHeld;
  }
  llvm::Type *element = vector->getElementType();
  unsigned bits = element->getScalarSizeInBits(), all = bits * vector->getNumElements();
  if (element->isPointerTy() || !bankOf(element, layout, bank) || all % 32 != 0) {
    return false;
  }
  banks.append(bits == 64 ? all / 64 : all / 32, bits == 64 ? Bank::B64 : Bank::B32);
  return true;
}

/// The bits of a number or of nothing in particular.
static bool bitsOfConstant(const llvm::Constant *constant, uint64_t &bits) {
  if (auto *number = llvm::dyn_cast<llvm::ConstantInt>(constant)) {
    bits = number->getValue().getZExtValue();
    return true;
  }
  if (auto *number = llvm::dyn_cast<llvm::ConstantFP>(constant)) {
    bits = number->getValueAPF().bitcastToAPInt().getZExtValue();
    return true;
  }
  bits = 0;
  return llvm::isa<llvm::UndefValue, llvm::ConstantPointerNull>(constant);
}

/// Elements, packed into words as the banks say.
static bool packElements(const llvm::Constant *vector, llvm::MutableArrayRef<Word> words) {
  auto *type = llvm::cast<llvm::FixedVectorType>(vector->getType());
  unsigned bits = type->getScalarSizeInBits();
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    uint64_t element = 0;
    const llvm::Constant *each = vector->getAggregateElement(i);
    if (!each || !bitsOfConstant(each, element)) {
      return false;
    }
    unsigned at = i * bits;
    Word &word = words[at / bitsOf(words.front().bank)];
    word.number |= element << at % bitsOf(word.bank);
  }
  return true;
}

bool tessera::ptx::wordsOf(const llvm::Constant *constant, const llvm::DataLayout &layout,
                           llvm::SmallVectorImpl<Word> &words) {
  llvm::SmallVector<Bank, 4> banks;
  llvm::Type *type = constant->getType();
  if (!banksOf(type, layout, banks)) {
    return false;
  }
  size_t first = words.size();
  for (Bank bank : banks) {
    words.push_back({Word::Bits, bank, 0, {}});
  }
  llvm::MutableArrayRef<Word> own = llvm::MutableArrayRef(words).drop_front(first);
  if (llvm::isa<llvm::UndefValue>(constant) || constant->isNullValue()) {
    return true;
  }
  if (type->isVectorTy()) {
    return packElements(constant, own);
  }
  if (own.size() != 1) {
    return false;
  }
  if (bitsOfConstant(constant, own.front().number)) {
    return true;
  }
  // An address as a pointer or as a number, with an offset.
  const llvm::Value *base = constant;
  if (auto *cast = llvm::dyn_cast<llvm::PtrToIntOperator>(base)) {
    base = cast->getPointerOperand();
  }
  unsigned width = layout.getIndexTypeSizeInBits(base->getType());
  llvm::APInt offset(width, 0);
  if (base->getType()->isPointerTy() && width == bitsOf(own.front().bank)) {
    base = base->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  }
  auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(base);
  if (!variable || offset.isNegative()) {
    return false;
  }
  own.front().kind = Word::Address;
  own.front().number = offset.getZExtValue();
  own.front().variable = variable->getName();
  return true;
}

void Registers::set(const llvm::Value *value, llvm::ArrayRef<Word> given) {
  // The words given may be those of another value.
  llvm::SmallVector<Word, 4> copy(given);
  places[value] = {unsigned(words.size()), unsigned(copy.size())};
  words.insert(words.end(), copy.begin(), copy.end());
}

llvm::ArrayRef<Word> Registers::of(const llvm::Value *value) const {
  Place place = places.lookup(value);
  return llvm::ArrayRef(words).slice(place.begin, place.count);
}

void Registers::declare(llvm::raw_ostream &os) const {
  for (Bank bank : {Bank::Pred, Bank::B16, Bank::B32, Bank::B64}) {
    unsigned count = counts[unsigned(bank)];
    if (count != 0) {
      os << "\t.reg ." << (bank == Bank::Pred ? "pred" : "b" + std::to_string(bitsOf(bank)))
         << " \t" << prefixOf(bank) << '<' << count + 1 << ">;\n";
    }
  }
}
