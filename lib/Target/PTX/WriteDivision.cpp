// Divisions of the PTX writer by constants: ptxas divides by anything alike, with a reciprocal that the first loads of a kernel
// would wait for. Numbers that stand for the divisor are LLVM's (H. S. Warren, Hacker's Delight, chapter 10).
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Writer.h"

#include "tessera/Support/Mutants.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/DivisionByConstantInfo.h"
#include "llvm/Support/KnownBits.h"

using namespace tessera::ptx;

Word FunctionWriter::quotient(const llvm::BinaryOperator &op, const llvm::APInt &divisor) {
  Word given = held(op.getOperand(0));
  unsigned bits = bitsOf(given.bank);
  // Zeros above the number spare the step that makes up for a factor of one bit more.
  unsigned zeros = llvm::computeKnownBits(op.getOperand(0), layout).countMinLeadingZeros();
  auto how =
      llvm::UnsignedDivisionByConstantInfo::get(divisor, std::min(zeros, divisor.countl_zero()));
  auto step = [&](llvm::StringRef name, char kind, const Word &a, auto b) {
    Word made = registers.fresh(given.bank);
    put(name + "." + typed(kind, bits), made, a, b);
    return made;
  };
  Word high = how.PreShift != 0 ? step("shr", 'u', given, how.PreShift) : given;
  high = step("mul.hi", 'u', high, how.Magic.getSExtValue());
  if (TESSERA_MUTANT(589, "the factor of a quotient has no further bit", how.IsAdd, false)) {
    Word rest = step("shr", 'u', step("sub", 's', given, high), 1);
    high = step("add", 's', rest, high);
  }
  return how.PostShift != 0 ? step("shr", 'u', high, how.PostShift) : high;
}

Word FunctionWriter::signedQuotient(const llvm::BinaryOperator &op, const llvm::APInt &divisor) {
  Word given = held(op.getOperand(0));
  unsigned bits = bitsOf(given.bank);
  auto how = llvm::SignedDivisionByConstantInfo::get(divisor);
  auto step = [&](llvm::StringRef name, char kind, const Word &a, auto b) {
    Word made = registers.fresh(given.bank);
    put(name + "." + typed(kind, bits), made, a, b);
    return made;
  };
  Word high = step("mul.hi", 's', given, how.Magic.getSExtValue());
  if (divisor.isStrictlyPositive() && how.Magic.isNegative()) {
    high = step("add", 's', high, given);
  } else if (divisor.isNegative() && how.Magic.isStrictlyPositive()) {
    high = step("sub", 's', high, given);
  }
  if (how.ShiftAmount != 0) {
    high = step("shr", 's', high, how.ShiftAmount);
  }
  // Towards zero: what is below it goes up by one.
  return step("add", 's', high, step("shr", 'u', high, bits - 1));
}

bool FunctionWriter::constantDivision(const llvm::BinaryOperator &op) {
  auto *known = llvm::dyn_cast<llvm::ConstantInt>(op.getOperand(1));
  unsigned bits = op.getType()->getScalarSizeInBits();
  if (!known || bits < 32 || llvm::isa<llvm::Constant>(op.getOperand(0))) {
    return false;
  }
  const llvm::APInt &divisor = known->getValue();
  bool isSigned =
      op.getOpcode() == llvm::Instruction::SDiv || op.getOpcode() == llvm::Instruction::SRem;
  bool isRest =
      op.getOpcode() == llvm::Instruction::URem || op.getOpcode() == llvm::Instruction::SRem;
  bool isDivision = isSigned || isRest || op.getOpcode() == llvm::Instruction::UDiv;
  if (!isDivision || divisor.isZero() || divisor.isOne() ||
      (isSigned && (divisor.isAllOnes() || divisor.isMinSignedValue()))) {
    return false;
  }
  Word times = isSigned ? signedQuotient(op, divisor) : quotient(op, divisor);
  if (!isRest) {
    registers.set(&op, times);
    return true;
  }
  Word product = registers.fresh(times.bank);
  put("mul.lo." + typed('s', bits), product, times, divisor.getSExtValue());
  put("sub." + typed('s', bits), result(op), held(op.getOperand(0)), product);
  return true;
}
