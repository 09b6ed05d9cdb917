// Numbers on marker calls that touch memory.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Device/Access.h"

#include "tessera/Device/Markers.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

using namespace tessera;

static constexpr llvm::StringLiteral metadataName = "tessera.access";

llvm::MDNode *device::accessNumbers(llvm::LLVMContext &context, llvm::ArrayRef<uint32_t> numbers) {
  llvm::SmallVector<llvm::Metadata *, 2> words;
  for (uint32_t number : numbers) {
    words.push_back(llvm::ConstantAsMetadata::get(
        llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), number)));
  }
  return llvm::MDNode::get(context, words);
}

void device::setAccess(llvm::CallInst &call, llvm::MDNode *numbers) {
  std::optional<llvm::StringRef> name = numbers ? markerName(call) : std::nullopt;
  for (llvm::StringRef prefix : {"ld.", "st.", "atom.", "i."}) {
    if (name && name->starts_with(prefix)) {
      call.setMetadata(metadataName, numbers);
    }
  }
}

llvm::SmallVector<uint32_t, 2> device::accessOf(const llvm::CallInst &call) {
  llvm::SmallVector<uint32_t, 2> numbers;
  if (const llvm::MDNode *node = call.getMetadata(metadataName)) {
    for (const llvm::MDOperand &operand : node->operands()) {
      numbers.push_back(
          uint32_t(llvm::mdconst::extract<llvm::ConstantInt>(operand)->getZExtValue()));
    }
  }
  return numbers;
}
