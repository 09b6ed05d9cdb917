// Intrinsics of the PTX writer: mathematics, integers, threads.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Writer.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace tessera::ptx;

void FunctionWriter::intrinsic(const llvm::CallInst &op) {
  if (!mathIntrinsic(op) && !integerIntrinsic(op) && !threadIntrinsic(op)) {
    fail(op, "an intrinsic without text");
  }
}

/// Operations on one float whose text is a name and, where they round to an integer, the same type twice.
static llvm::StringRef nameOfUnary(llvm::Intrinsic::ID id) {
  switch (id) {
  case llvm::Intrinsic::fabs:
    return "abs";
  case llvm::Intrinsic::sqrt:
    return "sqrt.rn";
  case llvm::Intrinsic::floor:
    return "cvt.rmi";
  case llvm::Intrinsic::ceil:
    return "cvt.rpi";
  case llvm::Intrinsic::trunc:
    return "cvt.rzi";
  case llvm::Intrinsic::roundeven:
  case llvm::Intrinsic::rint:
  case llvm::Intrinsic::nearbyint:
    return "cvt.rni";
  default:
    return "";
  }
}

static llvm::StringRef nameOfExtreme(llvm::Intrinsic::ID id) {
  switch (id) {
  case llvm::Intrinsic::minimum:
    return "min.NaN";
  case llvm::Intrinsic::maximum:
    return "max.NaN";
  case llvm::Intrinsic::minnum:
  case llvm::Intrinsic::minimumnum:
    return "min";
  case llvm::Intrinsic::maxnum:
  case llvm::Intrinsic::maximumnum:
    return "max";
  default:
    return "";
  }
}

/// PTX has no extremes of f64 that hand NaN on: it is put in where the operands are not ordered.
void FunctionWriter::extreme(const llvm::CallInst &op, llvm::StringRef name) {
  Word a = word(op.getArgOperand(0)), b = word(op.getArgOperand(1));
  if (a.bank == Bank::B32 || !name.ends_with(".NaN")) {
    put(name + "." + typed('f', bitsOf(a.bank)), result(op), Real{a}, Real{b});
    return;
  }
  Word number = registers.fresh(Bank::B64), isNan = registers.fresh(Bank::Pred);
  put(name.take_front(3) + ".f64", number, Real{a}, Real{b});
  put("setp.nan.f64", isNan, Real{a}, Real{b});
  put("selp.f64", result(op), "0d7FF8000000000000", number, isNan);
}

/// The sign of a factor goes to the other one where that is a constant: then nobody needs the negative.
void FunctionWriter::fused(const llvm::CallInst &op) {
  const llvm::Value *factors[] = {op.getArgOperand(0), op.getArgOperand(1)};
  Word words[2];
  bool isTurned = false;
  for (unsigned i : {0, 1}) {
    auto *turned = llvm::dyn_cast<llvm::UnaryOperator>(factors[i]);
    bool isMoved = turned && turned->getOpcode() == llvm::Instruction::FNeg &&
                   llvm::isa<llvm::ConstantFP>(factors[1 - i]);
    words[i] = word(isMoved ? turned->getOperand(0) : factors[i]);
    isTurned |= isMoved;
  }
  for (Word &each : words) {
    if (isTurned && each.isBits()) {
      each = negative(each);
    }
  }
  Word added = word(op.getArgOperand(2));
  put("fma.rn." + typed('f', bitsOf(added.bank)), result(op), Real{words[0]}, Real{words[1]},
      Real{added});
}

bool FunctionWriter::mathIntrinsic(const llvm::CallInst &op) {
  llvm::Type *type = op.getType();
  if (op.getIntrinsicID() == llvm::Intrinsic::fma && (type->isHalfTy() || type->isBFloatTy())) {
    Word a = held(op.getArgOperand(0)), b = held(op.getArgOperand(1)),
         c = held(op.getArgOperand(2));
    put(type->isHalfTy() ? "fma.rn.f16" : "fma.rn.bf16", result(op), a, b, c);
    return true;
  }
  if (!type->isFloatTy() && !type->isDoubleTy()) {
    return false;
  }
  llvm::Intrinsic::ID id = op.getIntrinsicID();
  std::string suffix = "." + typed('f', type->getScalarSizeInBits());
  if (llvm::StringRef name = nameOfUnary(id); !name.empty()) {
    Word from = word(op.getArgOperand(0));
    put(name + suffix + (name.starts_with("cvt") ? suffix : ""), result(op), Real{from});
    return true;
  }
  if (llvm::StringRef name = nameOfExtreme(id); !name.empty()) {
    extreme(op, name);
    return true;
  }
  if (id == llvm::Intrinsic::fma) {
    fused(op);
    return true;
  }
  if (id == llvm::Intrinsic::copysign) {
    Word size = word(op.getArgOperand(0)), sign = word(op.getArgOperand(1));
    put("copysign" + suffix, result(op), Real{sign}, Real{size});
    return true;
  }
  return false;
}

/// Counts have 32 bits, whatever is counted.
void FunctionWriter::setCount(const llvm::CallInst &op, Word count) {
  if (op.getType()->isIntegerTy(32)) {
    registers.set(&op, count);
    return;
  }
  Word made = result(op);
  put("cvt." + typed('u', bitsOf(made.bank)) + ".u32", made, count);
}

/// Zeros above or below the highest or lowest one; of narrow integers with what fills them up.
void FunctionWriter::countZeros(const llvm::CallInst &op, bool fromBelow) {
  Word from = held(op.getArgOperand(0)), count = registers.fresh(Bank::B32);
  unsigned bits = op.getType()->getScalarSizeInBits();
  if (bits < 32) {
    Word wide = widened(from), moved = registers.fresh(Bank::B32);
    // From below a bit behind the last one ends the count; from above the number stands at the top, ones behind it.
    if (fromBelow) {
      put("or.b32", moved, wide, 1u << bits);
    } else {
      put("shf.l.wrap.b32", moved, -1, wide, 32 - bits);
    }
    from = moved;
  }
  unsigned width = bitsOf(from.bank);
  if (fromBelow) {
    Word turned = registers.fresh(from.bank);
    put("brev." + typed('b', width), turned, from);
    from = turned;
  }
  put("clz." + typed('b', width), count, from);
  setCount(op, count);
}

bool FunctionWriter::integerIntrinsic(const llvm::CallInst &op) {
  llvm::Intrinsic::ID id = op.getIntrinsicID();
  llvm::Type *type = op.getType();
  if (type->isVectorTy()) {
    return packedExtreme(op);
  }
  if (!type->isIntegerTy() || type->isIntegerTy(1) || op.arg_empty()) {
    return false;
  }
  unsigned bits = type->getScalarSizeInBits(), width = std::max(bits, 16u);
  auto twoOperands = [&](llvm::StringRef name, char kind) {
    bool isSigned = kind == 's';
    Word a = isSigned ? withSign(op.getArgOperand(0)) : word(op.getArgOperand(0));
    Word b = isSigned ? withSign(op.getArgOperand(1)) : word(op.getArgOperand(1));
    bool isShort = isSigned && bits == 8;
    Word made = result(op), full = isShort ? registers.fresh(Bank::B16) : made;
    put(name + "." + typed(kind, width), full, a, b);
    if (isShort) {
      put("and.b16", made, full, 255);
    }
    return true;
  };
  switch (id) {
  case llvm::Intrinsic::smin:
    return twoOperands("min", 's');
  case llvm::Intrinsic::smax:
    return twoOperands("max", 's');
  case llvm::Intrinsic::umin:
    return twoOperands("min", 'u');
  case llvm::Intrinsic::umax:
    return twoOperands("max", 'u');
  case llvm::Intrinsic::ctlz:
    countZeros(op, false);
    return true;
  case llvm::Intrinsic::cttz:
    countZeros(op, true);
    return true;
  case llvm::Intrinsic::abs: {
    Word from = withSign(op.getArgOperand(0));
    // The least number of 8 bits becomes 128, which is itself again.
    put("abs." + typed('s', width), result(op), held(from));
    return true;
  }
  case llvm::Intrinsic::ctpop: {
    Word from = held(op.getArgOperand(0)), count = registers.fresh(Bank::B32);
    from = bits < 32 ? widened(from) : from;
    put("popc." + typed('b', bitsOf(from.bank)), count, from);
    setCount(op, count);
    return true;
  }
  default:
    return wordIntrinsic(op);
  }
}

/// What has text for whole words alone.
bool FunctionWriter::wordIntrinsic(const llvm::CallInst &op) {
  unsigned bits = op.getType()->getScalarSizeInBits();
  auto argument = [&](unsigned index) { return word(op.getArgOperand(index)); };
  switch (op.getIntrinsicID()) {
  case llvm::Intrinsic::bitreverse:
    if (bits < 32) {
      return false;
    }
    put("brev." + typed('b', bits), result(op), held(op.getArgOperand(0)));
    return true;
  case llvm::Intrinsic::bswap:
    if (bits != 32) {
      return false;
    }
    put("prmt.b32", result(op), held(op.getArgOperand(0)), 0, "0x0123");
    return true;
  case llvm::Intrinsic::fshl:
  case llvm::Intrinsic::fshr: {
    if (bits != 32) {
      return false;
    }
    bool isLeft = op.getIntrinsicID() == llvm::Intrinsic::fshl;
    Word high = argument(0), low = argument(1), steps = argument(2);
    put(isLeft ? "shf.l.wrap.b32" : "shf.r.wrap.b32", result(op), low, high, steps);
    return true;
  }
  case llvm::Intrinsic::fptosi_sat:
  case llvm::Intrinsic::fptoui_sat: {
    // Conversions of PTX saturate, and NaN becomes 0 where the integer is no wider than 32 bits.
    const llvm::Type *from = op.getArgOperand(0)->getType();
    if (bits != 32 || !(from->isFloatTy() || from->isDoubleTy())) {
      return false;
    }
    char kind = op.getIntrinsicID() == llvm::Intrinsic::fptosi_sat ? 's' : 'u';
    put("cvt.rzi." + typed(kind, bits) + "." + typed('f', from->getScalarSizeInBits()), result(op),
        held(op.getArgOperand(0)));
    return true;
  }
  case llvm::Intrinsic::usub_sat: {
    Word a = argument(0), b = argument(1), most = registers.fresh(a.bank);
    put("max." + typed('u', bitsOf(a.bank)), most, a, b);
    put("sub." + typed('s', bitsOf(a.bank)), result(op), most, b);
    return true;
  }
  default:
    return false;
  }
}

/// Extremes of two integers of 16 bits in a word, which newer devices take at once.
bool FunctionWriter::packedExtreme(const llvm::CallInst &op) {
  llvm::StringRef name;
  char kind = 'u';
  switch (op.getIntrinsicID()) {
  case llvm::Intrinsic::smin:
    kind = 's';
    [[fallthrough]];
  case llvm::Intrinsic::umin:
    name = "min";
    break;
  case llvm::Intrinsic::smax:
    kind = 's';
    [[fallthrough]];
  case llvm::Intrinsic::umax:
    name = "max";
    break;
  default:
    return false;
  }
  if (op.getType()->getScalarSizeInBits() != 16) {
    return false;
  }
  llvm::SmallVector<Word, 4> a = words(op.getArgOperand(0)), b = words(op.getArgOperand(1));
  llvm::SmallVector<Word, 4> made = results(op);
  for (unsigned i = 0; i < made.size(); ++i) {
    Word left = held(a[i]), right = held(b[i]);
    if (capability(options.arch) >= 90) {
      put(name + "." + typed(kind, 16) + "x2", made[i], left, right);
      continue;
    }
    Word halves[3][2];
    for (Word(&each)[2] : halves) {
      each[0] = registers.fresh(Bank::B16);
      each[1] = registers.fresh(Bank::B16);
    }
    os << "\tmov.b32 \t{" << halves[0][0] << ", " << halves[0][1] << "}, " << left << ";\n";
    os << "\tmov.b32 \t{" << halves[1][0] << ", " << halves[1][1] << "}, " << right << ";\n";
    for (unsigned half : {0, 1}) {
      put(name + "." + typed(kind, 16), halves[2][half], halves[0][half], halves[1][half]);
    }
    os << "\tmov.b32 \t" << made[i] << ", {" << halves[2][0] << ", " << halves[2][1] << "};\n";
  }
  return true;
}

/// Conversions and functions of the device with one or two operands.
static llvm::StringRef nameOfDevice(llvm::Intrinsic::ID id) {
  switch (id) {
  case llvm::Intrinsic::nvvm_d2f_rm:
    return "cvt.rm.f32.f64";
  case llvm::Intrinsic::nvvm_d2f_rp:
    return "cvt.rp.f32.f64";
  case llvm::Intrinsic::nvvm_d2f_rz:
    return "cvt.rz.f32.f64";
  case llvm::Intrinsic::nvvm_f2bf16_rn:
    return "cvt.rn.bf16.f32";
  case llvm::Intrinsic::nvvm_f2bf16_rz:
    return "cvt.rz.bf16.f32";
  case llvm::Intrinsic::nvvm_ff2bf16x2_rn:
    return "cvt.rn.bf16x2.f32";
  case llvm::Intrinsic::nvvm_rcp_approx_ftz_f:
    return "rcp.approx.ftz.f32";
  default:
    return "";
  }
}

bool FunctionWriter::threadIntrinsic(const llvm::CallInst &op) {
  if (llvm::StringRef name = nameOfDevice(op.getIntrinsicID()); !name.empty()) {
    Word a = held(op.getArgOperand(0));
    if (op.arg_size() == 1) {
      put(name, result(op), a);
    } else {
      Word b = held(op.getArgOperand(1));
      put(name, result(op), a, b);
    }
    return true;
  }
  auto argument = [&](unsigned index) { return word(op.getArgOperand(index)); };
  switch (op.getIntrinsicID()) {
  case llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_all:
    put("bar.sync", argument(0));
    return true;
  case llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_count:
    put("bar.sync", argument(0), argument(1));
    return true;
  case llvm::Intrinsic::nvvm_bar_warp_sync:
    put("bar.warp.sync", argument(0));
    return true;
  case llvm::Intrinsic::nvvm_cp_async_commit_group:
    os << "\tcp.async.commit_group;\n";
    return true;
  case llvm::Intrinsic::nvvm_cp_async_wait_group:
    put("cp.async.wait_group", argument(0));
    return true;
  case llvm::Intrinsic::trap:
    // What stands behind it is not reached, which ptxas would not know.
    os << "\ttrap;\n\texit;\n";
    return true;
  case llvm::Intrinsic::nvvm_shfl_sync_bfly_i32:
  case llvm::Intrinsic::nvvm_shfl_sync_idx_i32: {
    bool isAcross = op.getIntrinsicID() == llvm::Intrinsic::nvvm_shfl_sync_bfly_i32;
    Word mask = argument(0), value = held(op.getArgOperand(1)), lane = argument(2),
         clamp = argument(3);
    put(isAcross ? "shfl.sync.bfly.b32" : "shfl.sync.idx.b32", result(op), value, lane, clamp,
        mask);
    return true;
  }
  default:
    break;
  }
  llvm::StringRef name = op.getCalledFunction()->getName();
  if (name.consume_front("llvm.nvvm.read.ptx.sreg.") && op.getType()->isIntegerTy(32)) {
    put("mov.u32", result(op), "%" + name.str());
    return true;
  }
  return false;
}
