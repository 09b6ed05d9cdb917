// Floats of the PTX writer: what rounds says how. A sum or product that may be contracted is written without rounding, which
// is how PTX says so.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Writer.h"

#include "tessera/Support/Mutants.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Intrinsics.h"

using namespace tessera::ptx;

/// Denormals are kept and quotients and roots are rounded, whatever a function says.
static bool isPlain(const llvm::Type *type) { return type->isFloatTy() || type->isDoubleTy(); }

/// The product that a sum may be contracted with; one that is used by nothing else if there is a choice.
static const llvm::BinaryOperator *productOf(const llvm::Instruction &sum, unsigned &place) {
  const llvm::BinaryOperator *found = nullptr;
  for (unsigned i : {0, 1}) {
    auto *product = llvm::dyn_cast<llvm::BinaryOperator>(sum.getOperand(i));
    bool isOne =
        product && product->getOpcode() == llvm::Instruction::FMul && product->hasAllowContract();
    if (isOne && (!found || (!found->hasOneUse() && product->hasOneUse()))) {
      found = product;
      place = i;
    }
  }
  return found;
}

Word FunctionWriter::negative(Word given) {
  if (given.isBits()) {
    given.number ^= uint64_t(1) << (bitsOf(given.bank) - 1);
    return given;
  }
  Word made = registers.fresh(given.bank);
  put("neg." + typed('f', bitsOf(given.bank)), made, given);
  return made;
}

bool FunctionWriter::contracted(const llvm::Instruction &op) {
  bool isSum = op.getOpcode() == llvm::Instruction::FAdd,
       isLess = op.getOpcode() == llvm::Instruction::FSub;
  unsigned place = 0;
  const llvm::BinaryOperator *product =
      (isSum || isLess) && op.hasAllowContract() ? productOf(op, place) : nullptr;
  if (!product) {
    return false;
  }
  Word a = word(product->getOperand(0)), b = word(product->getOperand(1));
  Word rest = word(op.getOperand(1 - place));
  if (isLess) {
    Word &turned = place == 0 ? rest : a;
    turned = negative(turned);
  }
  put("fma.rn." + typed('f', bitsOf(a.bank)), result(op), Real{a}, Real{b}, Real{rest});
  return true;
}

/// True where all users take the number itself and have the sign in a constant factor instead (`fused`).
static bool isTurnedByUsers(const llvm::Instruction &op) {
  return !op.use_empty() && llvm::all_of(op.uses(), [](const llvm::Use &use) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(use.getUser());
    return call && call->getIntrinsicID() == llvm::Intrinsic::fma && use.getOperandNo() < 2 &&
           llvm::isa<llvm::ConstantFP>(call->getArgOperand(1 - use.getOperandNo()));
  });
}

void FunctionWriter::arithmetic(const llvm::Instruction &op) {
  if (!isPlain(op.getType())) {
    fail(op, "arithmetic of floats other than f32 and f64");
    return;
  }
  if (contracted(op) || (op.getOpcode() == llvm::Instruction::FNeg && isTurnedByUsers(op))) {
    return;
  }
  Word a = word(op.getOperand(0));
  std::string type = typed('f', bitsOf(a.bank));
  if (op.getOpcode() == llvm::Instruction::FNeg) {
    put("neg." + type, result(op), Real{a});
    return;
  }
  Word b = word(op.getOperand(1));
  bool mayContract =
      TESSERA_MUTANT(585, "the writer fuses products and sums", op.hasAllowContract(), true);
  std::string rounded = (mayContract ? "." : ".rn.") + type;
  switch (op.getOpcode()) {
  case llvm::Instruction::FAdd:
    put("add" + rounded, result(op), Real{a}, Real{b});
    return;
  case llvm::Instruction::FSub:
    put("sub" + rounded, result(op), Real{a}, Real{b});
    return;
  case llvm::Instruction::FMul:
    put("mul" + rounded, result(op), Real{a}, Real{b});
    return;
  case llvm::Instruction::FDiv:
    if (auto *one = llvm::dyn_cast<llvm::ConstantFP>(op.getOperand(0));
        one && one->isExactlyValue(1.0)) {
      put("rcp.rn." + type, result(op), Real{b});
      return;
    }
    put("div.rn." + type, result(op), Real{a}, Real{b});
    return;
  default:
    fail(op, "an operation on floats");
  }
}

static llvm::StringRef relation(llvm::FCmpInst::Predicate predicate) {
  switch (predicate) {
  case llvm::FCmpInst::FCMP_OEQ:
    return "eq";
  case llvm::FCmpInst::FCMP_OGT:
    return "gt";
  case llvm::FCmpInst::FCMP_OGE:
    return "ge";
  case llvm::FCmpInst::FCMP_OLT:
    return "lt";
  case llvm::FCmpInst::FCMP_OLE:
    return "le";
  case llvm::FCmpInst::FCMP_ONE:
    return "ne";
  case llvm::FCmpInst::FCMP_ORD:
    return "num";
  case llvm::FCmpInst::FCMP_UNO:
    return "nan";
  case llvm::FCmpInst::FCMP_UEQ:
    return "equ";
  case llvm::FCmpInst::FCMP_UGT:
    return "gtu";
  case llvm::FCmpInst::FCMP_UGE:
    return "geu";
  case llvm::FCmpInst::FCMP_ULT:
    return "ltu";
  case llvm::FCmpInst::FCMP_ULE:
    return "leu";
  case llvm::FCmpInst::FCMP_UNE:
    return "neu";
  default:
    return "";
  }
}

void FunctionWriter::compare(const llvm::FCmpInst &op) {
  llvm::StringRef name = relation(op.getPredicate());
  if (!isPlain(op.getOperand(0)->getType()) || name.empty()) {
    fail(op, "a comparison of floats other than f32 and f64");
    return;
  }
  Word a = word(op.getOperand(0)), b = word(op.getOperand(1));
  put("setp." + name + "." + typed('f', bitsOf(a.bank)), result(op), Real{a}, Real{b});
}

/// `f16`, `bf16`, `f32`, `f64`.
static std::string nameOf(const llvm::Type *type) {
  return type->isBFloatTy() ? "bf16" : typed('f', type->getPrimitiveSizeInBits().getFixedValue());
}

void FunctionWriter::convertFloat(const llvm::CastInst &cast) {
  llvm::Type *from = cast.getSrcTy(), *to = cast.getDestTy();
  unsigned integer = (from->isIntegerTy() ? from : to)->getScalarSizeInBits();
  switch (cast.getOpcode()) {
  case llvm::Instruction::FPExt:
    if (from->isBFloatTy() && to->isFloatTy()) {
      // The upper half of a float: older devices have no conversion.
      Word half = held(cast.getOperand(0)), wide = registers.fresh(Bank::B32);
      put("cvt.u32.u16", wide, half);
      put("shl.b32", result(cast), wide, 16);
      return;
    }
    if (from->isBFloatTy()) {
      break;
    }
    put("cvt." + nameOf(to) + "." + nameOf(from), result(cast), held(cast.getOperand(0)));
    return;
  case llvm::Instruction::FPTrunc:
    if (to->isBFloatTy() && !from->isFloatTy()) {
      break;
    }
    put("cvt.rn." + nameOf(to) + "." + nameOf(from), result(cast), held(cast.getOperand(0)));
    return;
  case llvm::Instruction::SIToFP:
  case llvm::Instruction::UIToFP: {
    if (integer == 1 || !isPlain(to)) {
      break;
    }
    bool isSigned = cast.getOpcode() == llvm::Instruction::SIToFP;
    Word value = isSigned ? withSign(cast.getOperand(0)) : word(cast.getOperand(0));
    value = held(value);
    put("cvt.rn." + nameOf(to) + "." + typed(isSigned ? 's' : 'u', bitsOf(value.bank)),
        result(cast), value);
    return;
  }
  case llvm::Instruction::FPToSI:
  case llvm::Instruction::FPToUI: {
    if (integer < 32 || !isPlain(from)) {
      break;
    }
    char kind = cast.getOpcode() == llvm::Instruction::FPToSI ? 's' : 'u';
    put("cvt.rzi." + typed(kind, integer) + "." + nameOf(from), result(cast),
        held(cast.getOperand(0)));
    return;
  }
  default:
    break;
  }
  fail(cast, "a conversion without text");
}
