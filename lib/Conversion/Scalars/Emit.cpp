// Small pieces of emitted arithmetic: constants, intrinsics, small floats in and out of the type that computes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit.h"

#include "tessera/Device/Markers.h"
#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Support/Mutants.h"

#include "llvm/IR/PatternMatch.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::Type;
using llvm::Value;

Type *convert::registerType(llvm::LLVMContext &context, DType element) {
  switch (element) {
  case DType::f32:
    return Type::getFloatTy(context);
  case DType::f64:
    return Type::getDoubleTy(context);
  default:
    return Type::getIntNTy(context, bitWidth(element));
  }
}

Type *convert::registerType(llvm::LLVMContext &context, mlir::Type element) {
  return registerType(context, dtypeOf(element));
}

Format convert::formatOf(DType type) {
  switch (type) {
  case DType::bf16:
    return {7, 16, 127, 0x7f80, 0x7fc0, 0x7f7f};
  case DType::f16:
    return {10, 16, 15, 0x7c00, 0x7e00, 0x7bff};
  case DType::f8E4M3FN:
    return {3, 8, 7, 0, 0x7f, 0x7e};
  case DType::f8E5M2:
    return {2, 8, 15, 0x7c, 0x7e, 0x7b};
  case DType::f64:
    return {52, 64, 1023, 0x7ff0000000000000, 0x7ff8000000000000, 0x7fefffffffffffff};
  default:
    return {23, 32, 127, 0x7f800000, 0x7fc00000, 0x7f7fffff};
  }
}

llvm::Constant *Emit::integer(Type *type, uint64_t value) const {
  unsigned width = type->getIntegerBitWidth();
  return llvm::ConstantInt::get(
      type, llvm::APInt(width, value, /*isSigned=*/false, /*implicitTrunc=*/true));
}

Value *Emit::pick(Value *c, Value *yes, Value *no) const {
  if (auto *known = llvm::dyn_cast<llvm::ConstantInt>(c)) {
    return known->isZero() ? no : yes;
  }
  return b.CreateSelect(c, yes, no);
}

Value *Emit::unary(unsigned intrinsic, Value *x) const {
  return b.CreateUnaryIntrinsic(intrinsic, x);
}

Value *Emit::binary(unsigned intrinsic, Value *a, Value *c) const {
  return b.CreateBinaryIntrinsic(intrinsic, a, c);
}

Value *Emit::fma(Value *x, Value *y, Value *z) const {
  return b.CreateIntrinsic(llvm::Intrinsic::fma, {x->getType()}, {x, y, z});
}

Value *Emit::marker(llvm::StringRef name, Type *result, llvm::ArrayRef<Value *> arguments) const {
  return device::callMarker(b, name, result, arguments);
}

Value *Emit::bitsOf(Value *x) const {
  return b.CreateBitCast(x, x->getType()->isDoubleTy() ? b.getInt64Ty() : b.getInt32Ty());
}

Value *Emit::floatOf(Value *bits) const {
  return b.CreateBitCast(bits, bits->getType()->isIntegerTy(64) ? b.getDoubleTy() : b.getFloatTy());
}

/// The half of a word that an i16 was taken from needs no way over an i16.
static Value *upperHalf(llvm::IRBuilderBase &b, Value *x) {
  using namespace llvm::PatternMatch;
  Value *word = nullptr;
  if (match(x, m_Trunc(m_LShr(m_Value(word), m_SpecificInt(16)))) &&
      word->getType()->isIntegerTy(32)) {
    return b.CreateAnd(word, 0xffff0000);
  }
  if (match(x, m_Trunc(m_Value(word))) && word->getType()->isIntegerTy(32)) {
    return b.CreateShl(word, 16);
  }
  return b.CreateShl(b.CreateZExt(x, b.getInt32Ty()), 16);
}

Value *Emit::widen(Value *x, DType t) const {
  switch (t) {
  case DType::bf16:
    return floatOf(upperHalf(b, x));
  case DType::f16:
    return marker("cvt.rn.f32.f16", b.getFloatTy(), {x});
  case DType::f8E4M3FN:
    return marker("cvt.rn.f32.e4m3", b.getFloatTy(), {x});
  case DType::f8E5M2:
    return marker("cvt.rn.f32.e5m2", b.getFloatTy(), {x});
  default:
    return x;
  }
}

Value *Emit::narrow(Value *x, DType t) const {
  switch (t) {
  case DType::bf16:
    return marker("cvt.rn.bf16.f32", b.getInt16Ty(), {x});
  case DType::f16:
    return marker("cvt.rn.f16.f32", b.getInt16Ty(), {x});
  default:
    return x;
  }
}

// A NaN that an instruction made is quiet, and one that it passed on came from 16 bits: its upper half is a NaN, too.
Value *Emit::narrowExact(Value *x, DType t) const {
  if (t != DType::bf16) {
    return narrow(x, t);
  }
  return b.CreateTrunc(b.CreateLShr(bitsOf(x), 16), b.getInt16Ty());
}

Value *Emit::roundToOdd(Value *x) const {
  Value *f = b.CreateFPTrunc(x, b.getFloatTy());
  Value *back = b.CreateFPExt(f, b.getDoubleTy());
  Value *bits = bitsOf(f);
  Value *magnitude = b.CreateAnd(bits, 0x7fffffff);
  Value *finite = b.CreateICmpULT(magnitude, b.getInt32(0x7f800000));
  Value *inexact = b.CreateAnd(b.CreateFCmpUNE(back, x), finite);
  // |f| beyond |x| moves one towards zero, else one away, where f is even.
  Value *zero = number(b.getDoubleTy(), 0.0);
  Value *beyond = b.CreateICmpEQ(b.CreateFCmpOGT(back, x), b.CreateFCmpOGT(back, zero));
  Value *odd = b.CreateAdd(bits, b.CreateSelect(beyond, b.getInt32(~0u), b.getInt32(1)));
  // A double below the f32 range rounds to 0: the odd neighbour is the least denormal with the sign of x.
  odd = b.CreateSelect(b.CreateICmpEQ(magnitude, b.getInt32(0)), b.CreateOr(bits, 1), odd);
  Value *even = b.CreateICmpEQ(b.CreateAnd(bits, 1), b.getInt32(0));
  return TESSERA_MUTANT(424, "doubles round twice on their way to 16 bits",
                        floatOf(b.CreateSelect(b.CreateAnd(inexact, even), odd, bits)), f);
}

llvm::Function *convert::helperFunction(llvm::Module &module, llvm::StringRef name, Type *result,
                                        llvm::ArrayRef<Type *> parameters) {
  std::string full = ("tessera.fn." + name).str();
  if (llvm::Function *known = module.getFunction(full)) {
    return known;
  }
  auto *type = llvm::FunctionType::get(result, parameters, /*isVarArg=*/false);
  auto *function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, full, module);
  function->addFnAttr(llvm::Attribute::AlwaysInline);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  function->addFnAttr(llvm::Attribute::WillReturn);
  function->setMemoryEffects(llvm::MemoryEffects::none());
  return function;
}
