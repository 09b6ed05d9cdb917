// Building inline assembly: constraints of NVPTX by type, ties, results.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Expander.h"

#include "tessera/Device/Markers.h"

#include "llvm/IR/InlineAsm.h"

using namespace tessera;
using namespace tessera::ptx;

/// NVPTX's letters: h 16, r 32, l 64 bits, f, d floats, b predicates.
static char constraintOf(llvm::Type *type) {
  if (type->isFloatTy()) {
    return 'f';
  }
  if (type->isDoubleTy()) {
    return 'd';
  }
  if (type->isPointerTy()) {
    return 'l';
  }
  switch (type->getIntegerBitWidth()) {
  case 1:
    return 'b';
  case 16:
    return 'h';
  case 64:
    return 'l';
  default:
    return 'r';
  }
}

llvm::Type *tessera::ptx::asmRegister(llvm::Type *type) {
  return type->isIntegerTy(8) ? llvm::Type::getInt16Ty(type->getContext()) : type;
}

std::string Assembly::result(llvm::Type *type) {
  resultConstraints += std::string(resultConstraints.empty() ? "=" : ",=") + constraintOf(type);
  resultTypes.push_back(type);
  return "$" + std::to_string(resultTypes.size() - 1);
}

std::string Assembly::result(llvm::Type *type, llvm::Value *initial) {
  initials.emplace_back(unsigned(resultTypes.size()), initial);
  return result(type);
}

std::string Assembly::input(llvm::Value *value) {
  auto *pointer = llvm::dyn_cast<llvm::PointerType>(value->getType());
  if (pointer && pointer->getAddressSpace() == device::sharedSpace) {
    value = b.CreatePtrToInt(value, b.getInt32Ty());
  } else if (value->getType()->isIntegerTy(8)) {
    value = b.CreateZExt(value, b.getInt16Ty());
  }
  inputConstraints += std::string(",") + constraintOf(value->getType());
  inputs.push_back(value);
  return "$" + std::to_string(resultTypes.size() + inputs.size() - 1);
}

void Assembly::emit(llvm::StringRef text, const Effects &effects) {
  for (auto [place, initial] : initials) {
    inputConstraints += "," + std::to_string(place);
    inputs.push_back(initial);
  }
  std::string constraints = resultConstraints + inputConstraints;
  llvm::StringRef list = llvm::StringRef(constraints).ltrim(',');
  llvm::Type *type = resultTypes.empty()       ? b.getVoidTy()
                     : resultTypes.size() == 1 ? resultTypes[0]
                                               : llvm::StructType::get(b.getContext(), resultTypes);
  llvm::SmallVector<llvm::Type *> types;
  for (llvm::Value *value : inputs) {
    types.push_back(value->getType());
  }
  auto *code = llvm::InlineAsm::get(llvm::FunctionType::get(type, types, false), text, list,
                                    effects.keepsPlace);
  llvm::CallInst *call = b.CreateCall(code, inputs);
  call->addFnAttr(llvm::Attribute::NoUnwind);
  call->addFnAttr(llvm::Attribute::WillReturn);
  call->setMemoryEffects(effects.memory);
  if (effects.isConvergent) {
    call->addFnAttr(llvm::Attribute::Convergent);
  }
  if (resultTypes.size() == 1) {
    values.push_back(call);
  } else {
    for (unsigned i = 0; i < resultTypes.size(); ++i) {
      values.push_back(b.CreateExtractValue(call, i));
    }
  }
}

std::string tessera::ptx::escapeAssembly(llvm::StringRef text) {
  std::string escaped;
  for (char c : text) {
    escaped += c;
    if (c == '$') {
      escaped += c;
    }
  }
  return escaped;
}
