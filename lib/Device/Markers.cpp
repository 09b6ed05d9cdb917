// Markers: declaring, calling and recognising them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Device/Markers.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace tessera;

/// What LLVM may assume: conversions depend on their operands only; shuffles and barriers may not move into branches; loads
/// read, and what they read may be written by other threads.
static void describe(llvm::Function &function, llvm::StringRef word) {
  function.addFnAttr(llvm::Attribute::NoUnwind);
  function.addFnAttr(llvm::Attribute::WillReturn);
  auto starts = [&](llvm::StringRef prefix) { return word.starts_with(prefix); };
  if (starts("tid") || starts("ctaid") || starts("nctaid") || starts("cvt.") || starts("pack.") ||
      starts("fma.") || starts("fast.") || starts("start.")) {
    function.setMemoryEffects(llvm::MemoryEffects::none());
    function.addFnAttr(llvm::Attribute::Speculatable);
    return;
  }
  if (starts("shfl.")) {
    // Not memory, but other lanes: `convergent` and no merging across control flow.
    function.addFnAttr(llvm::Attribute::Convergent);
    function.setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
    return;
  }
  if (starts("bar.") || starts("i.")) {
    function.addFnAttr(llvm::Attribute::Convergent);
  }
  if (starts("ld.")) {
    function.setMemoryEffects(llvm::MemoryEffects::readOnly());
  }
}

llvm::Function *device::declareMarker(llvm::Module &module, llvm::StringRef name,
                                      llvm::Type *result, llvm::ArrayRef<llvm::Type *> parameters) {
  std::string full = (markerPrefix + name).str();
  if (llvm::Function *known = module.getFunction(full)) {
    return known;
  }
  auto *type = llvm::FunctionType::get(result, parameters, /*isVarArg=*/false);
  auto *function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, full, module);
  describe(*function, name);
  return function;
}

llvm::CallInst *device::callMarker(llvm::IRBuilderBase &builder, llvm::StringRef name,
                                   llvm::Type *result, llvm::ArrayRef<llvm::Value *> arguments) {
  llvm::SmallVector<llvm::Type *> types;
  for (llvm::Value *argument : arguments) {
    types.push_back(argument->getType());
  }
  llvm::Module &module = *builder.GetInsertBlock()->getModule();
  return builder.CreateCall(declareMarker(module, name, result, types), arguments);
}

std::optional<llvm::StringRef> device::markerName(const llvm::CallInst &call) {
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration()) {
    return std::nullopt;
  }
  llvm::StringRef name = callee->getName();
  if (!name.consume_front(markerPrefix)) {
    return std::nullopt;
  }
  return name;
}

std::string device::accessName(llvm::Type *type) {
  if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    return "v" + std::to_string(vector->getNumElements()) + accessName(vector->getElementType());
  }
  return "i" + std::to_string(type->getIntegerBitWidth());
}

llvm::Type *device::accessType(llvm::Module &module, unsigned bytes) {
  llvm::LLVMContext &context = module.getContext();
  if (bytes <= 4) {
    return llvm::IntegerType::get(context, bytes * 8);
  }
  return llvm::FixedVectorType::get(llvm::IntegerType::get(context, 32), bytes / 4);
}
