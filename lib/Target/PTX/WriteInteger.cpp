// Integers of the PTX writer. i1 are predicates. i8 lie in 16 bits, the upper ones zero: what leaves them otherwise clears
// them, and what reads a sign makes it first.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Writer.h"

#include "tessera/Support/Mutants.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"

using namespace tessera::ptx;

static unsigned widthOf(const llvm::Value &value) { return value.getType()->getScalarSizeInBits(); }

Word FunctionWriter::withSign(const llvm::Value *value) {
  Word given = word(value);
  if (!value->getType()->isIntegerTy(8)) {
    return given;
  }
  if (given.isBits()) {
    given.number = uint16_t(int8_t(given.number));
    return given;
  }
  Word wide = registers.fresh(Bank::B16);
  put("cvt.s16.s8", wide, given);
  return wide;
}

Word FunctionWriter::inverse(Word given) {
  Word made = registers.fresh(Bank::Pred);
  put("not.pred", made, given);
  return made;
}

Word FunctionWriter::widened(Word given) {
  Word wide = registers.fresh(Bank::B32);
  put("cvt.u32.u16", wide, given);
  return wide;
}

/// The operation on predicates that the operation on bits is.
void FunctionWriter::logic(const llvm::BinaryOperator &op) {
  llvm::StringRef text;
  switch (op.getOpcode()) {
  case llvm::Instruction::And:
  case llvm::Instruction::Mul:
    text = "and.pred";
    break;
  case llvm::Instruction::Or:
    text = "or.pred";
    break;
  case llvm::Instruction::Xor:
  case llvm::Instruction::Add:
  case llvm::Instruction::Sub:
    text = "xor.pred";
    break;
  default:
    fail(op, "an operation on one bit");
    return;
  }
  const llvm::Value *right = op.getOperand(1);
  if (auto *known = llvm::dyn_cast<llvm::ConstantInt>(right);
      known && known->isOne() && text == "xor.pred") {
    Word from = held(op.getOperand(0));
    put("not.pred", result(op), from);
    return;
  }
  Word a = held(op.getOperand(0)), b = held(right);
  put(text, result(op), a, b);
}

namespace {
/// How an operation of LLVM is spelt: the kind of number, and whether it reads signs or leaves more bits than it has.
struct Spelling {
  llvm::StringLiteral name = "";
  char kind = 's';
  bool leavesMore = false;
};
} // namespace

static Spelling spell(unsigned opcode) {
  switch (opcode) {
  case llvm::Instruction::Add:
    return {"add", 's', true};
  case llvm::Instruction::Sub:
    return {"sub", 's', true};
  case llvm::Instruction::Mul:
    return {"mul.lo", 's', true};
  case llvm::Instruction::UDiv:
    return {"div", 'u'};
  case llvm::Instruction::SDiv:
    return {"div", 's', true};
  case llvm::Instruction::URem:
    return {"rem", 'u'};
  case llvm::Instruction::SRem:
    return {"rem", 's', true};
  case llvm::Instruction::Shl:
    return {"shl", 'b', true};
  case llvm::Instruction::LShr:
    return {"shr", 'u'};
  case llvm::Instruction::AShr:
    return {"shr", 's', true};
  case llvm::Instruction::And:
    return {"and", 'b'};
  case llvm::Instruction::Or:
    return {"or", 'b'};
  case llvm::Instruction::Xor:
    return {"xor", 'b'};
  default:
    return {};
  }
}

/// A factor of 32 bits whose product is wanted with 64: an extended value, or a constant that fits. Null if it is none.
static const llvm::Value *narrowFactor(const llvm::Value *value, bool isSigned) {
  if (auto *cast = llvm::dyn_cast<llvm::CastInst>(value)) {
    auto *zext = llvm::dyn_cast<llvm::ZExtInst>(cast);
    bool fits =
        isSigned ? llvm::isa<llvm::SExtInst>(cast) || (zext && zext->hasNonNeg()) : zext != nullptr;
    return fits && cast->getSrcTy()->isIntegerTy(32) ? cast->getOperand(0) : nullptr;
  }
  auto *known = llvm::dyn_cast<llvm::ConstantInt>(value);
  bool fits =
      known && (isSigned ? known->getValue().isSignedIntN(32) : known->getValue().isIntN(32));
  return fits ? value : nullptr;
}

bool FunctionWriter::wideProduct(const llvm::BinaryOperator &op) {
  if (op.getOpcode() != llvm::Instruction::Mul || widthOf(op) != 64) {
    return false;
  }
  for (bool isSigned : {false, true}) {
    const llvm::Value *a = narrowFactor(op.getOperand(0), isSigned);
    const llvm::Value *b = narrowFactor(op.getOperand(1), isSigned);
    if (!a || !b || (llvm::isa<llvm::Constant>(a) && llvm::isa<llvm::Constant>(b))) {
      continue;
    }
    auto half = [&](const llvm::Value *factor) {
      Word found = word(factor);
      if (found.isBits()) {
        found.bank = Bank::B32;
      }
      return found;
    };
    Word left = half(a), right = half(b);
    put(isSigned ? "mul.wide.s32" : "mul.wide.u32", result(op), left, right);
    return true;
  }
  return false;
}

/// The same of a number that is moved by less than 32 bits.
bool FunctionWriter::wideShift(const llvm::BinaryOperator &op) {
  auto *steps = llvm::dyn_cast<llvm::ConstantInt>(op.getOperand(1));
  if (op.getOpcode() != llvm::Instruction::Shl || widthOf(op) != 64 || !steps) {
    return false;
  }
  uint64_t distance = steps->getValue().getLimitedValue();
  for (bool isSigned : {false, true}) {
    // The factor has a sign, too.
    const llvm::Value *from = narrowFactor(op.getOperand(0), isSigned);
    if (from && !llvm::isa<llvm::Constant>(from) && distance < (isSigned ? 31 : 32)) {
      Word given = word(from);
      put(isSigned ? "mul.wide.s32" : "mul.wide.u32", result(op), given, uint64_t(1) << distance);
      return true;
    }
  }
  return false;
}

void FunctionWriter::binary(const llvm::BinaryOperator &op) {
  if (op.getType()->isIntegerTy(1)) {
    logic(op);
    return;
  }
  Spelling spelling = spell(op.getOpcode());
  if (op.getType()->isVectorTy() || spelling.name.empty()) {
    // Bits of vectors are combined word by word.
    bool isBits = spelling.kind == 'b' && spelling.name != "shl";
    if (!isBits) {
      fail(op, "an operation on vectors");
      return;
    }
    llvm::SmallVector<Word, 4> a = words(op.getOperand(0)), b = words(op.getOperand(1));
    for (auto [i, made] : llvm::enumerate(results(op))) {
      put(spelling.name + "." + typed('b', bitsOf(made.bank)), made, a[i], b[i]);
    }
    return;
  }
  if (wideProduct(op) || wideShift(op) || constantDivision(op)) {
    return;
  }
  bool readsSign = spelling.kind == 's' && spelling.name != "mul.lo" && spelling.name != "add" &&
                   spelling.name != "sub";
  bool isShift = op.isShift();
  Word a = readsSign ? withSign(op.getOperand(0)) : word(op.getOperand(0));
  Word b = readsSign && !isShift ? withSign(op.getOperand(1)) : word(op.getOperand(1));
  if (isShift && b.isRegister() && b.bank != Bank::B32) {
    Word steps = registers.fresh(Bank::B32);
    put("cvt.u32." + typed('u', bitsOf(b.bank)), steps, b);
    b = steps;
  } else if (isShift && b.isBits()) {
    b.bank = Bank::B32;
  }
  Word made = result(op);
  bool isShort = widthOf(op) == 8 && spelling.leavesMore &&
                 !TESSERA_MUTANT(584, "the upper bits of bytes are left as they come", false, true);
  Word full = isShort ? registers.fresh(Bank::B16) : made;
  put(spelling.name + "." + typed(spelling.kind, bitsOf(made.bank)), full, a, b);
  if (isShort) {
    put("and.b16", made, full, 255);
  }
}

/// Comparisons of one bit, of which a signed one is minus one.
void FunctionWriter::compareBits(const llvm::ICmpInst &op) {
  llvm::ICmpInst::Predicate predicate = op.getPredicate();
  Word a = held(op.getOperand(0)), b = held(op.getOperand(1));
  if (op.isSigned()) {
    predicate =
        llvm::ICmpInst::getUnsignedPredicate(llvm::ICmpInst::getSwappedPredicate(predicate));
  }
  switch (predicate) {
  case llvm::ICmpInst::ICMP_EQ:
    b = inverse(b);
    put("xor.pred", result(op), a, b);
    return;
  case llvm::ICmpInst::ICMP_NE:
    put("xor.pred", result(op), a, b);
    return;
  case llvm::ICmpInst::ICMP_UGT:
    b = inverse(b);
    put("and.pred", result(op), a, b);
    return;
  case llvm::ICmpInst::ICMP_UGE:
    b = inverse(b);
    put("or.pred", result(op), a, b);
    return;
  case llvm::ICmpInst::ICMP_ULT:
    a = inverse(a);
    put("and.pred", result(op), a, b);
    return;
  default:
    a = inverse(a);
    put("or.pred", result(op), a, b);
    return;
  }
}

static llvm::StringRef relation(llvm::ICmpInst::Predicate predicate) {
  switch (predicate) {
  case llvm::ICmpInst::ICMP_EQ:
    return "eq";
  case llvm::ICmpInst::ICMP_NE:
    return "ne";
  case llvm::ICmpInst::ICMP_ULT:
  case llvm::ICmpInst::ICMP_SLT:
    return "lt";
  case llvm::ICmpInst::ICMP_ULE:
  case llvm::ICmpInst::ICMP_SLE:
    return "le";
  case llvm::ICmpInst::ICMP_UGT:
  case llvm::ICmpInst::ICMP_SGT:
    return "gt";
  default:
    return "ge";
  }
}

void FunctionWriter::compare(const llvm::ICmpInst &op) {
  const llvm::Value *left = op.getOperand(0), *right = op.getOperand(1);
  if (left->getType()->isIntegerTy(1)) {
    compareBits(op);
    return;
  }
  if (op.getType()->isVectorTy()) {
    fail(op, "a comparison of vectors");
    return;
  }
  Word a = op.isSigned() ? withSign(left) : word(left);
  Word b = op.isSigned() ? withSign(right) : word(right);
  char kind = op.isEquality() ? 'b' : op.isSigned() ? 's' : 'u';
  put("setp." + relation(op.getPredicate()) + "." + typed(kind, bitsOf(a.bank)), result(op), a, b);
}

/// The lowest bits of a register.
void FunctionWriter::narrow(const llvm::Instruction &op, Word from, unsigned bits) {
  unsigned given = bitsOf(from.bank);
  if (bits == 1) {
    Word low = registers.fresh(from.bank);
    put("and." + typed('b', given), low, from, 1);
    put("setp.ne." + typed('b', given), result(op), low, 0);
    return;
  }
  Word made = result(op);
  unsigned held = bitsOf(made.bank);
  Word full = bits == held ? made : registers.fresh(made.bank);
  if (given != held) {
    put("cvt." + typed('u', held) + "." + typed('u', given), full, from);
    from = full;
  }
  if (bits != held) {
    put("and." + typed('b', held), made, from, (uint64_t(1) << bits) - 1);
  }
}

void FunctionWriter::extend(const llvm::CastInst &cast, bool isSigned) {
  const llvm::Value *value = cast.getOperand(0);
  if (value->getType()->isIntegerTy(1)) {
    Word bit = held(value), made = result(cast);
    int64_t one = !isSigned ? 1 : widthOf(cast) == 8 ? 255 : -1;
    put("selp." + typed('b', bitsOf(made.bank)), made, one, 0, bit);
    return;
  }
  Word from = isSigned ? withSign(value) : held(value);
  from = held(from);
  Word made = result(cast);
  unsigned given = bitsOf(from.bank), wanted = bitsOf(made.bank);
  if (given == wanted) {
    registers.set(&cast, from);
    return;
  }
  char kind = isSigned ? 's' : 'u';
  put("cvt." + typed(kind, wanted) + "." + typed(kind, given), made, from);
}

void FunctionWriter::convert(const llvm::CastInst &cast) {
  const llvm::Value *value = cast.getOperand(0);
  if (cast.getType()->isVectorTy() && cast.getOpcode() != llvm::Instruction::BitCast) {
    fail(cast, "a conversion of vectors");
    return;
  }
  switch (cast.getOpcode()) {
  case llvm::Instruction::BitCast: {
    // Registers have no type, and vectors are packed as memory would have them.
    llvm::SmallVector<Word, 4> same = words(value);
    llvm::SmallVector<Bank, 4> banks;
    bool isSame = banksOf(cast.getType(), layout, banks) && banks.size() == same.size();
    for (size_t i = 0; isSame && i < same.size(); ++i) {
      isSame = banks[i] == same[i].bank;
    }
    isSame ? registers.set(&cast, same) : fail(cast, "bits between words of other widths");
    return;
  }
  case llvm::Instruction::PtrToInt:
  case llvm::Instruction::IntToPtr: {
    Word from = held(value);
    if (bitsOf(from.bank) == layout.getTypeSizeInBits(cast.getType())) {
      registers.set(&cast, from);
    } else {
      fail(cast, "an address of another width");
    }
    return;
  }
  case llvm::Instruction::Trunc:
    narrow(cast, held(value), widthOf(cast));
    return;
  case llvm::Instruction::ZExt:
    extend(cast, false);
    return;
  case llvm::Instruction::SExt:
    extend(cast, true);
    return;
  case llvm::Instruction::AddrSpaceCast:
    fail(cast, "an address of another space");
    return;
  default:
    convertFloat(cast);
  }
}

void FunctionWriter::select(const llvm::SelectInst &op) {
  if (op.getCondition()->getType()->isVectorTy()) {
    fail(op, "a choice element by element");
    return;
  }
  Word condition = held(op.getCondition());
  if (!op.getType()->isIntegerTy(1)) {
    llvm::SmallVector<Word, 4> yes = words(op.getTrueValue()), no = words(op.getFalseValue());
    for (auto [i, made] : llvm::enumerate(results(op))) {
      Word a = yes[i].kind == Word::Address ? held(yes[i]) : yes[i];
      Word b = no[i].kind == Word::Address ? held(no[i]) : no[i];
      if (op.getType()->isFloatTy() || op.getType()->isDoubleTy()) {
        put("selp." + typed('f', bitsOf(made.bank)), made, Real{a}, Real{b}, condition);
      } else {
        put("selp." + typed('b', bitsOf(made.bank)), made, a, b, condition);
      }
    }
    return;
  }
  auto *yes = llvm::dyn_cast<llvm::ConstantInt>(op.getTrueValue());
  auto *no = llvm::dyn_cast<llvm::ConstantInt>(op.getFalseValue());
  if (yes && yes->isOne()) {
    Word other = held(op.getFalseValue());
    put("or.pred", result(op), condition, other);
  } else if (no && no->isZero()) {
    Word other = held(op.getTrueValue());
    put("and.pred", result(op), condition, other);
  } else if (yes) {
    Word turned = inverse(condition), other = held(op.getFalseValue());
    put("and.pred", result(op), turned, other);
  } else if (no) {
    Word turned = inverse(condition), other = held(op.getTrueValue());
    put("or.pred", result(op), turned, other);
  } else {
    Word first = registers.fresh(Bank::Pred), second = registers.fresh(Bank::Pred);
    Word a = held(op.getTrueValue()), b = held(op.getFalseValue()), turned = inverse(condition);
    put("and.pred", first, condition, a);
    put("and.pred", second, turned, b);
    put("or.pred", result(op), first, second);
  }
}
