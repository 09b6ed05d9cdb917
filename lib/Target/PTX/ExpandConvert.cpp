// Conversions between floats, packs of two, fma of 16-bit floats, and the approximations of `accuracy = fast`. In conversions
// every small float goes through f32, which holds all of them; f64 goes there rounded to odd, after which the second rounding
// is as good as the only one.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Expander.h"

#include "tessera/Support/Mutants.h"
#include "tessera/Target/PTX/SmallFloats.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace tessera::ptx;

namespace {
struct Conversion {
  Rounding rounding = Rounding::nearest;
  bool saturates = false;
  llvm::StringRef to, from;
};
} // namespace

/// Instructions for e4m3 and e5m2 (from 8.9 on; the targets go from 8.0 to 9.0).
static bool hasFloat8(const Site &site) { return capability(site.target.arch) >= 90; }

/// `MODE.TO.FROM` with `sat` after TO or at the end.
static std::optional<Conversion> parse(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, '.');
  Conversion c;
  if (auto *sat = llvm::find(words, "sat"); sat != words.end()) {
    c.saturates = true;
    words.erase(sat);
  }
  auto rounding = llvm::StringSwitch<std::optional<Rounding>>(words[0])
                      .Case("rn", Rounding::nearest)
                      .Case("rz", Rounding::zero)
                      .Case("ru", Rounding::up)
                      .Case("rd", Rounding::down)
                      .Default(std::nullopt);
  if (words.size() != 3 || !rounding) {
    return std::nullopt;
  }
  c.rounding = *rounding;
  c.to = words[1];
  c.from = words[2];
  auto isKnown = [](llvm::StringRef type) {
    return smallFormat(type) || type == "f32" || type == "f64";
  };
  if (!isKnown(c.to) || !isKnown(c.from) || (c.saturates && !c.to.starts_with("e"))) {
    return std::nullopt;
  }
  return c;
}

/// The type of a register that holds it.
static llvm::Type *registerOf(llvm::IRBuilderBase &b, llvm::StringRef type) {
  return type == "f32"   ? b.getFloatTy()
         : type == "f64" ? b.getDoubleTy()
                         : static_cast<llvm::Type *>(b.getIntNTy(smallFormat(type)->width()));
}

static llvm::Value *widenFloat8(Site &site, llvm::StringRef from, llvm::Value *value) {
  llvm::IRBuilder<> &b = site.builder;
  llvm::Value *wide = b.CreateZExt(value, b.getInt16Ty());
  if (from == "e5m2") {
    // The upper half of an f16.
    return b.CreateFPExt(b.CreateBitCast(b.CreateShl(wide, 8), b.getHalfTy()), b.getFloatTy());
  }
  if (!hasFloat8(site)) {
    return widenE4M3(b, value);
  }
  Assembly code(b);
  std::string to = code.result(b.getInt32Ty());
  code.emit("cvt.rn.f16x2.e4m3x2 " + to + ", " + code.input(wide) + ";", {});
  llvm::Value *half = b.CreateBitCast(b.CreateTrunc(code.values[0], b.getInt16Ty()), b.getHalfTy());
  return b.CreateFPExt(half, b.getFloatTy());
}

/// To f32, exactly; of bf16 by a shift, as the conversion instruction runs on the slow unit.
static llvm::Value *widen(Site &site, llvm::StringRef from, llvm::Value *value) {
  llvm::IRBuilder<> &b = site.builder;
  if (from == "f32") {
    return value;
  }
  if (from == "bf16") {
    return b.CreateBitCast(b.CreateShl(b.CreateZExt(value, b.getInt32Ty()), 16), b.getFloatTy());
  }
  if (from == "f16") {
    return b.CreateFPExt(b.CreateBitCast(value, b.getHalfTy()), b.getFloatTy());
  }
  return widenFloat8(site, from, value);
}

static llvm::Value *doubleToFloat(llvm::IRBuilderBase &b, Rounding rounding, llvm::Value *value) {
  switch (rounding) {
  case Rounding::nearest:
    return b.CreateFPTrunc(value, b.getFloatTy());
  case Rounding::zero:
    return b.CreateIntrinsic(llvm::Intrinsic::nvvm_d2f_rz, {value});
  case Rounding::up:
    return b.CreateIntrinsic(llvm::Intrinsic::nvvm_d2f_rp, {value});
  case Rounding::down:
    return b.CreateIntrinsic(llvm::Intrinsic::nvvm_d2f_rm, {value});
  }
  return nullptr;
}

/// Towards zero, with the last bit set where something was cut off: f32 has more than two bits beyond every small float, so
/// that bit decides ties and directions as the whole rest would.
static llvm::Value *doubleToOdd(llvm::IRBuilderBase &b, llvm::Value *value) {
  llvm::Value *cut = doubleToFloat(b, Rounding::zero, value);
  llvm::Value *isInexact = b.CreateFCmpONE(b.CreateFPExt(cut, b.getDoubleTy()), value);
  llvm::Value *bits = b.CreateBitCast(cut, b.getInt32Ty());
  llvm::Value *odd = b.CreateOr(bits, b.CreateZExt(isInexact, b.getInt32Ty()));
  bits = TESSERA_MUTANT(554, "what was cut off is forgotten", odd, bits);
  return b.CreateBitCast(bits, b.getFloatTy());
}

static llvm::Value *narrowFloat16(llvm::IRBuilderBase &b, Rounding rounding, llvm::Value *value) {
  if (rounding == Rounding::nearest) {
    return b.CreateBitCast(b.CreateFPTrunc(value, b.getHalfTy()), b.getInt16Ty());
  }
  Assembly code(b);
  const char *mode =
      rounding == Rounding::zero ? "rz"
      : (rounding == Rounding::up) == TESSERA_MUTANT(553, "up and down are exchanged", true, false)
          ? "rp"
          : "rm";
  std::string to = code.result(b.getInt16Ty());
  code.emit("cvt." + std::string(mode) + ".f16.f32 " + to + ", " + code.input(value) + ";", {});
  return code.values[0];
}

/// Two f32 to two 8-bit floats, saturating.
static llvm::Value *packFloat8(Site &site, llvm::StringRef type, llvm::Value *low,
                               llvm::Value *high) {
  llvm::IRBuilder<> &b = site.builder;
  if (hasFloat8(site)) {
    Assembly code(b);
    std::string to = code.result(b.getInt16Ty());
    std::string upper = code.input(high), lower = code.input(low);
    if (TESSERA_MUTANT(551, "bytes of a pack are exchanged", false, true)) {
      std::swap(lower, upper);
    }
    code.emit((TESSERA_MUTANT(552, "conversions to e4m3 do not saturate",
                              llvm::StringRef("cvt.rn.satfinite."), llvm::StringRef("cvt.rn.")) +
               type + "x2.f32 ")
                      .str() +
                  to + ", " + upper + ", " + lower + ";",
              {});
    return code.values[0];
  }
  SmallFormat format = *smallFormat(type);
  llvm::Value *lower = roundToSmall(b, low, format, Rounding::nearest, true);
  llvm::Value *upper = roundToSmall(b, high, format, Rounding::nearest, true);
  return b.CreateTrunc(b.CreateOr(lower, b.CreateShl(upper, 8)), b.getInt16Ty());
}

/// From f32, rounded once; instructions where the target has them.
static llvm::Value *narrow(Site &site, const Conversion &c, llvm::Value *value) {
  llvm::IRBuilder<> &b = site.builder;
  if (c.to == "f16") {
    return narrowFloat16(b, c.rounding, value);
  }
  bool isNearest = c.rounding == Rounding::nearest;
  if (c.to == "bf16" && (isNearest || c.rounding == Rounding::zero)) {
    llvm::Intrinsic::ID id =
        isNearest ? llvm::Intrinsic::nvvm_f2bf16_rn : llvm::Intrinsic::nvvm_f2bf16_rz;
    return b.CreateBitCast(b.CreateIntrinsic(id, {value}), b.getInt16Ty());
  }
  if (c.saturates && isNearest && hasFloat8(site)) {
    llvm::Value *zero = llvm::ConstantFP::get(b.getFloatTy(), 0.0);
    return b.CreateTrunc(packFloat8(site, c.to, value, zero), b.getInt8Ty());
  }
  llvm::Value *bits = roundToSmall(b, value, *smallFormat(c.to), c.rounding, c.saturates);
  return b.CreateTrunc(bits, registerOf(b, c.to));
}

static Expansion convert(Site &site) {
  std::optional<Conversion> c = parse(site.name.drop_front(4));
  if (!c) {
    return site.error("is no conversion; write cvt.MODE.TO.FROM with rn rz ru rd and f16 bf16 e4m3 "
                      "e5m2 f32 f64, for 8-bit floats also .sat");
  }
  if (llvm::Error error = site.expectOperands(1)) {
    return error;
  }
  llvm::IRBuilder<> &b = site.builder;
  llvm::Value *value = site.operand(0);
  if (value->getType() != registerOf(b, c->from) || site.call.getType() != registerOf(b, c->to)) {
    return site.error("has types that do not hold what its name says");
  }
  if (c->from == c->to && !c->saturates) {
    return value;
  }
  if (c->from == "f64") {
    return c->to == "f32" ? doubleToFloat(b, c->rounding, value)
                          : narrow(site, *c, doubleToOdd(b, value));
  }
  value = widen(site, c->from, value);
  return c->to == "f32"   ? value
         : c->to == "f64" ? b.CreateFPExt(value, b.getDoubleTy())
                          : narrow(site, *c, value);
}

static Expansion pack(Site &site) {
  if (llvm::Error error = site.expectOperands(2)) {
    return error;
  }
  llvm::IRBuilder<> &b = site.builder;
  llvm::Value *low = site.operand(0), *high = site.operand(1);
  llvm::StringRef what = site.name.drop_front(5);
  if (what == "rn.bf16x2" || what == "rn.f16x2") {
    llvm::Intrinsic::ID id =
        what == "rn.f16x2" ? llvm::Intrinsic::nvvm_ff2f16x2_rn : llvm::Intrinsic::nvvm_ff2bf16x2_rn;
    if (TESSERA_MUTANT(550, "halves of a pack are exchanged", false, true)) {
      std::swap(low, high);
    }
    return b.CreateBitCast(b.CreateIntrinsic(id, {high, low}), b.getInt32Ty());
  }
  if (what == "rn.e4m3x2" || what == "rn.e5m2x2") {
    return packFloat8(site, what.slice(3, 7), low, high);
  }
  return site.error("is no pack; there are pack.rn. with bf16x2 f16x2 e4m3x2 e5m2x2");
}

/// The instruction rounds the exact sum once, and keeps denormals.
static Expansion fuse(Site &site) {
  llvm::StringRef what = site.name.drop_front(4);
  if (what != "rn.bf16" && what != "rn.f16") {
    return site.error("is no fma of 16-bit floats; there are fma.rn. with bf16 f16");
  }
  if (llvm::Error error = site.expectOperands(3)) {
    return error;
  }
  llvm::IRBuilder<> &b = site.builder;
  llvm::SmallVector<llvm::Value *> operands;
  llvm::Type *type = what == "rn.bf16" ? b.getBFloatTy() : b.getHalfTy();
  for (unsigned i = 0; i < 3; ++i) {
    if (!site.operand(i)->getType()->isIntegerTy(16) || !site.call.getType()->isIntegerTy(16)) {
      return site.error("has types that do not hold what its name says");
    }
    operands.push_back(b.CreateBitCast(site.operand(i), type));
  }
  return b.CreateBitCast(b.CreateIntrinsic(llvm::Intrinsic::fma, {type}, operands), b.getInt16Ty());
}

/// The units' approximations; they take denormals as zero, which saves the scaling around them.
static Expansion approximate(Site &site) {
  llvm::StringRef function = site.name.drop_front(5);
  constexpr llvm::StringLiteral functions[] = {"ex2",  "lg2", "rcp", "rsqrt",
                                               "sqrt", "sin", "cos", "tanh"};
  if (!llvm::is_contained(functions, function)) {
    return site.error("is no approximation; there are ex2 lg2 rcp rsqrt sqrt sin cos tanh");
  }
  if (llvm::Error error = site.expectOperands(1)) {
    return error;
  }
  Assembly code(site.builder);
  std::string to = code.result(site.builder.getFloatTy());
  std::string from = code.input(site.operand(0));
  const char *kind = function == "tanh" ? ".approx.f32 " : ".approx.ftz.f32 ";
  code.emit((function + kind + to + ", " + from + ";").str(), {});
  return code.values[0];
}

/// The unit's reciprocal, as an intrinsic: equal ones are found.
static Expansion startReciprocal(Site &site) {
  if (site.name != "start.rcp") {
    return site.error("is no start; there is start.rcp");
  }
  if (llvm::Error error = site.expectOperands(1)) {
    return error;
  }
  return site.builder.CreateIntrinsic(llvm::Intrinsic::nvvm_rcp_approx_ftz_f, {site.operand(0)});
}

Expansion tessera::ptx::expandConversion(Site &site) {
  return site.name.starts_with("cvt.")     ? convert(site)
         : site.name.starts_with("pack.")  ? pack(site)
         : site.name.starts_with("fma.")   ? fuse(site)
         : site.name.starts_with("start.") ? startReciprocal(site)
                                           : approximate(site);
}
