// Expansion of markers, one function of the module after the other.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_SIMULATOR_EXPAND_H
#define TESSERA_LIB_SIMULATOR_EXPAND_H

#include "Program.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace tessera::sim {

/// Replaces marker calls. Sites are numbered in the order of the module.
class MarkerExpansion {
public:
  MarkerExpansion(llvm::Module &module, Program &program);

  llvm::Error expand(llvm::CallInst &call, llvm::StringRef marker);
  /// When all sites are known.
  llvm::Error allocateShared();

private:
  using Values = llvm::ArrayRef<llvm::Value *>;

  llvm::Error expandRegister(llvm::CallInst &call, llvm::StringRef marker);
  llvm::Error expandAccess(llvm::CallInst &call, llvm::StringRef marker);
  llvm::Error expandAtomic(llvm::CallInst &call, llvm::StringRef marker);
  llvm::Error expandWait(llvm::CallInst &call, llvm::StringRef marker);
  llvm::Error expandConversion(llvm::CallInst &call, llvm::StringRef marker);
  llvm::Error expandPack(llvm::CallInst &call, llvm::StringRef marker);
  llvm::Error expandFma(llvm::CallInst &call, llvm::StringRef marker);
  llvm::Error expandFast(llvm::CallInst &call, llvm::StringRef marker);
  llvm::Error expandCheck(llvm::CallInst &call, llvm::StringRef marker);
  llvm::Error expandInstruction(llvm::CallInst &call, llvm::StringRef marker);

  llvm::Error fillAtomic(Site &site, llvm::StringRef marker);
  llvm::Error placeResults(llvm::CallInst &call, Site &site, llvm::Value *out);
  /// The sites of memory operands of an instruction.
  void addOperandSites(Site &site, llvm::ArrayRef<uint32_t> accesses);

  Site &newSite(const llvm::Instruction &at, llvm::StringRef marker);
  llvm::Error wrongOperands(const llvm::CallInst &call, llvm::StringRef marker);
  bool takes(const llvm::CallInst &call, unsigned operands) const {
    return call.arg_size() == operands;
  }
  llvm::Constant *constantAddress(const void *address);
  /// An address as i64, offset added.
  llvm::Value *address(llvm::IRBuilder<> &builder, llvm::Value *pointer,
                       llvm::Value *offset = nullptr);
  llvm::Value *predicate(llvm::IRBuilder<> &builder, llvm::Value *value);
  /// A call of a function of the runtime with the machine and the site in front.
  llvm::CallInst *callSite(llvm::IRBuilder<> &builder, llvm::StringRef name, llvm::Type *result,
                           Site &site, Values arguments);
  llvm::CallInst *call(llvm::IRBuilder<> &builder, llvm::StringRef name, llvm::Type *result,
                       Values arguments, bool isPure);
  const CastKernel *conversion(DType from, DType to, Round round, Overflow overflow);
  /// Stack memory of the function, shared by all calls in it.
  llvm::Value *buffer(llvm::Function &function, unsigned bytes, bool isOut);
  void replace(llvm::CallInst &call, llvm::Value *value);

  llvm::Module &module;
  Program &program;
  llvm::Type *i1, *i8, *i16, *i32, *i64, *floatType, *voidType;
  llvm::PointerType *pointer;
  llvm::DenseMap<llvm::Function *, llvm::AllocaInst *> buffers[2];
};

/// `file:line:column`, with where it is inlined; the function where there is no location.
std::string locationText(const llvm::Instruction &instruction);

} // namespace tessera::sim

#endif // TESSERA_LIB_SIMULATOR_EXPAND_H
