// What a thread's module says of the memory that it reads.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Device/ReadOnly.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Argument.h"

bool tessera::device::isReadOnly(const llvm::Value *pointer) {
  auto *argument = llvm::dyn_cast<llvm::Argument>(llvm::getUnderlyingObject(pointer));
  return argument && argument->hasNoAliasAttr() && argument->onlyReadsMemory();
}
