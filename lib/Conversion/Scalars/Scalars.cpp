// Which lowering an op takes: rows of the table by type, functions by accuracy, the ops with modes or two types.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit.h"
#include "OpModes.h"

#include "tessera/Support/Mutants.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::ArrayRef;
using llvm::Value;

ScalarLowering::ScalarLowering(llvm::Module &module, tile::MathMode math)
    : module(module), math(math) {}

//===- constants ----------------------------------------------------------===//

llvm::Constant *ScalarLowering::constant(DType type, const void *element) {
  uint64_t word = 0;
  std::memcpy(&word, element, byteSize(type)); // little-endian, as the elements are
  llvm::Type *held = registerType(module.getContext(), type);
  llvm::APInt bits(bitWidth(type), word, /*isSigned=*/false, /*implicitTrunc=*/true);
  if (!held->isFloatingPointTy()) {
    return llvm::ConstantInt::get(held, bits);
  }
  return llvm::ConstantFP::get(held, llvm::APFloat(held->getFltSemantics(), bits));
}

llvm::Constant *ScalarLowering::constant(mlir::Attribute value, mlir::Type element) {
  auto typed = llvm::dyn_cast_or_null<mlir::TypedAttr>(value);
  alignas(8) unsigned char bytes[8] = {};
  std::optional<DType> type = dtypeIfAny(element);
  if (!typed || !type || dtypeIfAny(typed.getType()) != type || !elementOf(value, bytes)) {
    return nullptr;
  }
  return constant(*type, bytes);
}

//===- rows ---------------------------------------------------------------===//

llvm::Expected<Value *> ScalarLowering::strict(llvm::IRBuilderBase &builder, ScalarOp op,
                                               ArrayRef<Value *> operands) {
  llvm::SmallVector<llvm::Type *> types(operands.size(), builder.getFloatTy());
  llvm::Function *helper = helperFunction(module, mnemonic(op), builder.getFloatTy(), types);
  if (helper->empty()) {
    if (llvm::Error error = defineStrict(*helper, op)) {
      helper->eraseFromParent();
      return error;
    }
  }
  return builder.CreateCall(helper, operands);
}

llvm::Expected<Value *> ScalarLowering::function(llvm::IRBuilderBase &builder, ScalarOp op,
                                                 DType type, ArrayRef<Value *> operands,
                                                 Accuracy accuracy) {
  Emit e{builder};
  bool fast = accuracy == Accuracy::fast || math == tile::MathMode::fast;
  if (type == DType::f64) {
    if (Value *r = machineFunction(e, op, operands[0])) {
      return r;
    }
    return llvm::createStringError(
        "%s has no f64 definition on a GPU; compute it in f32 (`%s(x as f32) as f64`)",
        mnemonic(op).str().c_str(), mnemonic(op).str().c_str());
  }
  llvm::SmallVector<Value *, 2> wide;
  for (Value *operand : operands) {
    wide.push_back(e.widen(operand, type));
  }
  Value *r = fast ? fastFunction(e, op, wide[0]) : nullptr;
  r = r ? r : machineFunction(e, op, wide[0]);
  if (!r) {
    llvm::Expected<Value *> called = strict(builder, op, wide);
    if (!called) {
      return called.takeError();
    }
    r = *called;
  }
  return e.narrow(r, type);
}

llvm::Expected<Value *> ScalarLowering::row(llvm::IRBuilderBase &builder, ScalarOp op, DType type,
                                            ArrayRef<Value *> operands, Accuracy accuracy) {
  if (!accepts(op, type) || operands.size() != info(op).arity) {
    return llvm::createStringError("tile.%s does not take %u operands of %s", info(op).mnemonic,
                                   unsigned(operands.size()), irName(type).str().c_str());
  }
  if (info(op).hasAccuracy) {
    return function(builder, op, type, operands, accuracy);
  }
  Emit e{builder, math != tile::MathMode::strict};
  Value *r = isFloat(type) ? floatRow(e, op, type, operands) : integerRow(e, op, type, operands);
  if (!r) {
    return llvm::createStringError("tile.%s on %s has no lowering", info(op).mnemonic,
                                   irName(type).str().c_str());
  }
  return r;
}

Value *ScalarLowering::cast(llvm::IRBuilderBase &builder, Value *x, DType from, DType to,
                            Round round, Overflow overflow) {
  assert(castAccepts(from, to, overflow) && "the cast does not take its modes");
  return castElement(Emit{builder}, x, from, to, round, overflow);
}

//===- comparison ---------------------------------------------------------===//

static llvm::CmpInst::Predicate predicateOf(CmpPredicate predicate, DType type) {
  using P = llvm::CmpInst;
  if (isFloat(type)) {
    // With NaN all are false but `ne`.
    const P::Predicate unequal =
        TESSERA_MUTANT(427, "NaN is not unequal", P::FCMP_UNE, P::FCMP_ONE);
    const P::Predicate floats[] = {P::FCMP_OEQ, unequal,     P::FCMP_OLT,
                                   P::FCMP_OLE, P::FCMP_OGT, P::FCMP_OGE};
    return floats[unsigned(predicate)];
  }
  constexpr P::Predicate signeds[] = {P::ICMP_EQ,  P::ICMP_NE,  P::ICMP_SLT,
                                      P::ICMP_SLE, P::ICMP_SGT, P::ICMP_SGE};
  constexpr P::Predicate unsigneds[] = {P::ICMP_EQ,  P::ICMP_NE,  P::ICMP_ULT,
                                        P::ICMP_ULE, P::ICMP_UGT, P::ICMP_UGE};
  return isSigned(type) ? signeds[unsigned(predicate)] : unsigneds[unsigned(predicate)];
}

Value *ScalarLowering::compare(llvm::IRBuilderBase &builder, CmpPredicate predicate, DType type,
                               Value *a, Value *b) {
  Emit e{builder};
  if (isFloat(type)) {
    return builder.CreateFCmp(predicateOf(predicate, type), e.widen(a, type), e.widen(b, type));
  }
  return builder.CreateICmp(predicateOf(predicate, type), a, b);
}

Value *ScalarLowering::ranksAbove(llvm::IRBuilderBase &builder, DType type, Value *a, Value *b) {
  Value *greater = compare(builder, CmpPredicate::gt, type, a, b);
  if (!isFloat(type)) {
    return greater;
  }
  Emit e{builder};
  Value *x = e.widen(a, type), *y = e.widen(b, type);
  Value *onlyA = builder.CreateAnd(builder.CreateFCmpUNO(x, x), builder.CreateFCmpORD(y, y));
  return TESSERA_MUTANT(428, "NaN ranks nowhere", builder.CreateOr(greater, onlyA), greater);
}

//===- ops ----------------------------------------------------------------===//

static Value *lowerCast(const Emit &e, tile::CastOp op, Value *x) {
  CastModes modes(op);
  return castElement(e, x, modes.from, modes.to, modes.round, modes.overflow);
}

/// Between registers of one width: bits of a float, a float of bits, or nothing.
static Value *lowerBits(const Emit &e, mlir::Operation *op, Value *x) {
  return e.b.CreateBitCast(x, e.typeOf(dtypeOf(op->getResult(0).getType())));
}

/// Operands that are not one register for each operand of the op.
static llvm::Error checkOperands(llvm::LLVMContext &context, mlir::Operation *op,
                                 ArrayRef<Value *> operands) {
  bool good = operands.size() == op->getNumOperands();
  for (unsigned i = 0; good && i < operands.size(); ++i) {
    std::optional<DType> type = dtypeIfAny(op->getOperand(i).getType());
    good = type && operands[i]->getType() == registerType(context, *type);
  }
  if (good) {
    return llvm::Error::success();
  }
  return llvm::createStringError("%s is lowered with registers that are not of its operands' types",
                                 op->getName().getStringRef().str().c_str());
}

llvm::Expected<ScalarLowering::Values> ScalarLowering::lower(llvm::IRBuilderBase &builder,
                                                             mlir::Operation *op,
                                                             ArrayRef<Value *> operands) {
  if (llvm::Error error = checkOperands(module.getContext(), op, operands)) {
    return error;
  }
  if (std::optional<ScalarOp> known = scalarOpByMnemonic(op->getName().stripDialect())) {
    DType type = dtypeOf(op->getOperand(0).getType());
    llvm::Expected<Value *> result = row(builder, *known, type, operands, accuracyOf(op));
    if (!result) {
      return result.takeError();
    }
    return Values{*result};
  }
  Emit e{builder};
  Values results =
      llvm::TypeSwitch<mlir::Operation *, Values>(op)
          .Case([&](tile::CastOp cast) { return Values{lowerCast(e, cast, operands[0])}; })
          .Case([&](tile::CmpOp cmp) {
            DType type = dtypeOf(cmp.getLhs().getType());
            auto predicate = static_cast<CmpPredicate>(cmp.getPredicate());
            return Values{compare(builder, predicate, type, operands[0], operands[1])};
          })
          .Case([&](tile::SelectOp) {
            return Values{builder.CreateSelect(operands[0], operands[1], operands[2])};
          })
          .Case<tile::BitsOp, tile::FromBitsOp>(
              [&](auto bits) { return Values{lowerBits(e, bits, operands[0])}; })
          .Case([&](tile::ConstantOp c) {
            return Values{constant(c.getValue(), c.getResult().getType())};
          })
          .Case([&](tile::PhiloxOp) { return philox(e, operands[0], operands[1], operands[2]); })
          .Default([](mlir::Operation *) { return Values(); });
  if (results.empty() || !results[0]) {
    return llvm::createStringError("%s is no operation on single elements",
                                   op->getName().getStringRef().str().c_str());
  }
  return results;
}
