// Values of a function as PTX registers: how many words a type takes, which registers hold it, what stands for a constant.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_TARGET_PTX_REGISTERS_H
#define TESSERA_LIB_TARGET_PTX_REGISTERS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DataLayout.h"

namespace llvm {
class Constant;
class GlobalVariable;
class Type;
class Value;
class raw_ostream;
} // namespace llvm

namespace tessera::ptx {

/// What a register holds; PTX's `.b16`, `.b32` and `.b64` serve integers and floats alike.
enum class Bank : uint8_t { Pred, B16, B32, B64 };

/// 1, 16, 32, 64.
unsigned bitsOf(Bank bank);

/// One register's worth of a value: a register, bits that are known, or an address in a variable. i1 are predicates; i8 lie in
/// 16 bits of which the upper ones are zero; vectors of elements below 32 bits lie packed in words of 32 bits, the first
/// element in the lowest bits; members of structs follow each other.
struct Word {
  enum Kind : uint8_t { Register, Bits, Address };
  Kind kind = Bits;
  Bank bank = Bank::B32;
  /// The register's number, the bits, or the offset from the variable.
  uint64_t number = 0;
  /// Name of the variable.
  llvm::StringRef variable;

  bool isRegister() const { return kind == Register; }
  bool isBits() const { return kind == Bits; }
  /// The bits as a signed number.
  int64_t signedBits() const;
  bool operator==(const Word &other) const {
    return kind == other.kind && bank == other.bank && number == other.number &&
           variable == other.variable;
  }
};

/// `%r7`, `-12` or `name+16`.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Word &word);

/// A word that an instruction on floats reads: constants are written `0f3F800000`.
struct Real {
  const Word &word;
};
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Real &real);

/// The banks of a type's words; false where the writer has none for it.
bool banksOf(llvm::Type *type, const llvm::DataLayout &layout, llvm::SmallVectorImpl<Bank> &banks);

/// The words of a constant; false where it has none (a variable of another space, an expression).
bool wordsOf(const llvm::Constant *constant, const llvm::DataLayout &layout,
             llvm::SmallVectorImpl<Word> &words);

/// The registers of one function.
class Registers {
public:
  Word fresh(Bank bank) { return {Word::Register, bank, ++counts[unsigned(bank)], {}}; }

  bool isKnown(const llvm::Value *value) const { return places.contains(value); }
  void set(const llvm::Value *value, llvm::ArrayRef<Word> words);
  /// Good until the next `set`.
  llvm::ArrayRef<Word> of(const llvm::Value *value) const;

  /// The declarations at the head of a body.
  void declare(llvm::raw_ostream &os) const;

private:
  struct Place {
    unsigned begin = 0, count = 0;
  };
  std::vector<Word> words;
  llvm::DenseMap<const llvm::Value *, Place> places;
  unsigned counts[4] = {};
};

} // namespace tessera::ptx

#endif // TESSERA_LIB_TARGET_PTX_REGISTERS_H
