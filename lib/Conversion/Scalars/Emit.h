// What the rows are written with: a builder, types by name, widening and rounding of small floats.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_CONVERSION_SCALARS_EMIT_H
#define TESSERA_LIB_CONVERSION_SCALARS_EMIT_H

#include "tessera/Conversion/Scalars.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace tessera::convert {

/// Parameters of a float format: patterns are of the magnitude, `inf` is 0 where the format has none.
struct Format {
  unsigned mantissaBits, width;
  int bias;
  uint64_t inf, nan, max;
};
Format formatOf(DType type);

struct Emit {
  llvm::IRBuilderBase &b;
  /// Whether + - * may be contracted.
  bool contract = false;

  llvm::Module &module() const { return *b.GetInsertBlock()->getModule(); }
  llvm::Type *typeOf(DType t) const { return registerType(b.getContext(), t); }
  llvm::Constant *integer(llvm::Type *type, uint64_t value) const;
  llvm::Constant *number(llvm::Type *type, double value) const {
    return llvm::ConstantFP::get(type, value);
  }
  /// c ? yes : no; nothing is emitted where c is constant.
  llvm::Value *pick(llvm::Value *c, llvm::Value *yes, llvm::Value *no) const;
  llvm::Value *unary(unsigned intrinsic, llvm::Value *x) const;
  llvm::Value *binary(unsigned intrinsic, llvm::Value *a, llvm::Value *c) const;
  llvm::Value *fma(llvm::Value *x, llvm::Value *y, llvm::Value *z) const;
  llvm::Value *marker(llvm::StringRef name, llvm::Type *result,
                      llvm::ArrayRef<llvm::Value *> arguments) const;
  /// A float or double as the integer of its bits, and back.
  llvm::Value *bitsOf(llvm::Value *x) const;
  llvm::Value *floatOf(llvm::Value *bits) const;

  /// The type in which arithmetic runs: double for f64, else float.
  llvm::Type *computeType(DType t) const {
    return t == DType::f64 ? b.getDoubleTy() : b.getFloatTy();
  }
  /// A float element in the compute type, exactly.
  llvm::Value *widen(llvm::Value *x, DType t) const;
  /// A number of the compute type as an element of bf16, f16, f32 or f64: one rounding to nearest even.
  llvm::Value *narrow(llvm::Value *x, DType t) const;
  /// The same where the element has the number exactly or it is NaN.
  llvm::Value *narrowExact(llvm::Value *x, DType t) const;
  /// A double as a float, rounded to odd: a later rounding to at most 22 bits then equals one rounding of the double.
  llvm::Value *roundToOdd(llvm::Value *x) const;
};

/// An internal function of the module that is always inlined; with a body iff it was there already.
llvm::Function *helperFunction(llvm::Module &module, llvm::StringRef name, llvm::Type *result,
                               llvm::ArrayRef<llvm::Type *> parameters);

/// Null where the op is no such row of the type. Functions with an accuracy are none.
llvm::Value *floatRow(const Emit &e, ScalarOp op, DType t, llvm::ArrayRef<llvm::Value *> x);
llvm::Value *integerRow(const Emit &e, ScalarOp op, DType t, llvm::ArrayRef<llvm::Value *> x);

/// The functions that are operations of every machine, on float or double: sqrt, rcp, and rsqrt on double. Else null.
llvm::Value *machineFunction(const Emit &e, ScalarOp op, llvm::Value *x);
/// accuracy = fast on a float; null where the strict function serves.
llvm::Value *fastFunction(const Emit &e, ScalarOp op, llvm::Value *x);

llvm::Value *castElement(const Emit &e, llvm::Value *x, DType from, DType to, Round round,
                         Overflow overflow);
/// The cast in integer arithmetic, for every pair of modes that castAccepts: from f32, f64 or an integer to a float. It calls
/// a helper function.
llvm::Value *packFloat(const Emit &e, llvm::Value *x, DType from, DType to, Round round,
                       Overflow overflow);
/// Nearest integral value, ties away from zero.
llvm::Value *roundAway(const Emit &e, llvm::Value *x);

/// The four words.
llvm::SmallVector<llvm::Value *> philox(const Emit &e, llvm::Value *seed, llvm::Value *offset,
                                        llvm::Value *index);

/// Fills the body of a strict function on floats. The function's code is that of lib/Std/math.tile.
llvm::Error defineStrict(llvm::Function &function, ScalarOp op);
/// The form that has the same bits while the argument's magnitude is at most the bound; none for most functions.
llvm::Error defineMiddle(llvm::Function &function, ScalarOp op);
std::optional<float> middleBound(ScalarOp op);

} // namespace tessera::convert

#endif // TESSERA_LIB_CONVERSION_SCALARS_EMIT_H
