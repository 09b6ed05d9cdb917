// PTX text of a module that has intrinsics and inline assembly only: one statement of text for one instruction, in the order
// of the module. PTX has registers without number and ptxas does the rest, so nothing is selected, allocated or scheduled here.
//
// What there is no text for (i128, calls of functions, tables in memory, …) is said with its reason; LLVM's code generator then
// does the module.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_TARGET_PTX_WRITER_H
#define TESSERA_LIB_TARGET_PTX_WRITER_H

#include "Registers.h"

#include "tessera/Target/PTX/EmitPTX.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"

namespace llvm {
class DIFile;
class DILocation;
} // namespace llvm

namespace tessera::ptx {

/// The text of a module, or why there is none. `options.ptxVersion` has been decided.
llvm::Expected<std::string> writePTX(const llvm::Module &module, const TargetOptions &options);

/// Source files of a text, numbered from 1 in the order in which lines name them.
using Files = llvm::MapVector<const llvm::DIFile *, unsigned>;

/// What a memory access names: a space and `[register+16]`.
struct Address {
  llvm::StringRef space;
  Word base;
  int64_t offset = 0;
};
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Address &address);

/// The variable with a kernel's arrays in local memory.
inline constexpr llvm::StringLiteral depot = "__local_depot";

/// Writes one kernel.
class FunctionWriter {
public:
  FunctionWriter(const llvm::Function &function, const TargetOptions &options, Files &files);

  llvm::Error write(llvm::raw_ostream &out);

private:
  // WriteFunction.cpp
  void header(llvm::raw_ostream &out) const;
  void locals(llvm::raw_ostream &out);
  void parameters();
  void lineOf(const llvm::Instruction &instruction);
  void instruction(const llvm::Instruction &instruction);
  // WriteBranch.cpp
  void arrange();
  class Reach;
  void merge();
  bool mayCopyBefore(const llvm::BranchInst &branch, const llvm::BasicBlock &to,
                     const llvm::BasicBlock &other) const;
  void label(const llvm::BasicBlock &block);
  void branch(const llvm::BranchInst &branch);
  void choose(const llvm::SwitchInst &branch);
  void jump(const llvm::BasicBlock &from, const llvm::BasicBlock &to);
  bool hasCopies(const llvm::BasicBlock &from, const llvm::BasicBlock &to) const;
  void copies(const llvm::BasicBlock &from, const llvm::BasicBlock &to);
  void goTo(const llvm::BasicBlock &from, const llvm::BasicBlock &to);
  // WriteInteger.cpp
  void binary(const llvm::BinaryOperator &op);
  void logic(const llvm::BinaryOperator &op);
  bool wideProduct(const llvm::BinaryOperator &op);
  bool wideShift(const llvm::BinaryOperator &op);
  void compare(const llvm::ICmpInst &op);
  void compareBits(const llvm::ICmpInst &op);
  void convert(const llvm::CastInst &cast);
  void narrow(const llvm::Instruction &op, Word from, unsigned bits);
  void extend(const llvm::CastInst &cast, bool isSigned);
  void select(const llvm::SelectInst &op);
  // WriteDivision.cpp
  bool constantDivision(const llvm::BinaryOperator &op);
  Word quotient(const llvm::BinaryOperator &op, const llvm::APInt &divisor);
  Word signedQuotient(const llvm::BinaryOperator &op, const llvm::APInt &divisor);
  // WriteFloat.cpp
  void arithmetic(const llvm::Instruction &op);
  bool contracted(const llvm::Instruction &op);
  Word negative(Word given);
  void compare(const llvm::FCmpInst &op);
  void convertFloat(const llvm::CastInst &cast);
  // WriteMemory.cpp
  /// A register, or a variable, and the constant that an address lies behind it.
  struct Place {
    Word at;
    int64_t offset = 0;
  };
  Place placeOf(const llvm::Value *pointer);
  Address addressOf(const llvm::Value *pointer);
  void step(const llvm::GetElementPtrInst &step);
  Word added(Word at, const llvm::Value *index, int64_t scale);
  void load(const llvm::LoadInst &load);
  void store(const llvm::StoreInst &store);
  void extractElement(const llvm::ExtractElementInst &op);
  void insertElement(const llvm::InsertElementInst &op);
  void extractMember(const llvm::ExtractValueInst &op);
  // WriteCall.cpp, WriteIntrinsic.cpp
  void call(const llvm::CallInst &call);
  void assembly(const llvm::CallInst &call);
  void intrinsic(const llvm::CallInst &call);
  bool mathIntrinsic(const llvm::CallInst &call);
  void fused(const llvm::CallInst &call);
  bool integerIntrinsic(const llvm::CallInst &call);
  bool wordIntrinsic(const llvm::CallInst &call);
  bool packedExtreme(const llvm::CallInst &call);
  bool threadIntrinsic(const llvm::CallInst &call);
  void extreme(const llvm::CallInst &call, llvm::StringRef name);
  void countZeros(const llvm::CallInst &call, bool fromBelow);
  void setCount(const llvm::CallInst &call, Word count);

  // What all use.
  /// There is no text for the instruction: the first reason is kept, writing goes on.
  void fail(const llvm::Value &value, const llvm::Twine &reason);
  /// The words of an operand.
  llvm::SmallVector<Word, 4> words(const llvm::Value *value);
  /// The only word of an operand; addresses of variables are in a register.
  Word word(const llvm::Value *value);
  /// The same, in a register whatever it is.
  Word held(const llvm::Value *value);
  Word held(Word word);
  /// An integer of 8 bits with its sign in the upper ones.
  Word withSign(const llvm::Value *value);
  /// 16 bits as 32.
  Word widened(Word word);
  /// The other truth.
  Word inverse(Word predicate);
  /// New registers for the value.
  llvm::SmallVector<Word, 4> results(const llvm::Value &value);
  Word result(const llvm::Value &value);

  /// A line: the operation and its operands.
  template <typename... Operands> void put(const llvm::Twine &op, const Operands &...operands) {
    os << '\t' << op << " \t";
    const char *between = "";
    ((os << between << operands, between = ", "), ...);
    os << ";\n";
  }

  const llvm::Function &function;
  const llvm::DataLayout &layout;
  const TargetOptions &options;
  Files &files;
  Registers registers;
  llvm::SmallString<0> body, prologue;
  llvm::raw_svector_ostream os{body};
  llvm::raw_svector_ostream head{prologue};
  /// Blocks before those that they lead to, and as they stand in the text.
  std::vector<const llvm::BasicBlock *> order, placed;
  /// Places in `order`; what stands behind a block in the text.
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> numbers;
  llvm::DenseMap<const llvm::BasicBlock *, const llvm::BasicBlock *> next;
  llvm::DenseMap<const llvm::AllocaInst *, uint64_t> places;
  llvm::DenseMap<const llvm::Value *, Place> steps;
  /// Values that are made in the registers of the phi that they become.
  llvm::DenseMap<const llvm::Value *, const llvm::PHINode *> merged;
  llvm::StringMap<Word> addresses;
  const llvm::DILocation *line = nullptr;
  unsigned edges = 0;
  std::string reason;
};

/// The registers' type without its kind: `b32`, `s64`, `f32`.
std::string typed(char kind, unsigned bits);

} // namespace tessera::ptx

#endif // TESSERA_LIB_TARGET_PTX_WRITER_H
