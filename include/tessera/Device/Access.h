// Numbers on marker calls that touch memory, by which what was predicted of an access and what was counted of it find each
// other. Metadata: a module without them means the same.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_DEVICE_ACCESS_H
#define TESSERA_DEVICE_ACCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace llvm {
class CallInst;
class LLVMContext;
class MDNode;
} // namespace llvm

namespace tessera::device {

/// Of an access without a number.
inline constexpr uint32_t noAccess = UINT32_MAX;

/// One number for each operand of the marker that is memory, in the order of the operands.
llvm::MDNode *accessNumbers(llvm::LLVMContext &context, llvm::ArrayRef<uint32_t> numbers);
/// Puts them on a call, if its marker touches memory at all; null puts none.
void setAccess(llvm::CallInst &call, llvm::MDNode *numbers);
/// Those of a call; empty without any.
llvm::SmallVector<uint32_t, 2> accessOf(const llvm::CallInst &call);

} // namespace tessera::device

#endif // TESSERA_DEVICE_ACCESS_H
