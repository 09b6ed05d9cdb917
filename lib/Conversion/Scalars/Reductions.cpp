// How a reduction combines two elements, where it begins, what enters and what leaves: each is a row of the table.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit.h"

#include "tessera/Numeric/NumberSystem.h"
#include "tessera/Support/Mutants.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::Value;

static llvm::Error notDefined(ReduceKind kind, DType type) {
  return llvm::createStringError("the reduction %s is not defined on %s", name(kind).str().c_str(),
                                 irName(type).str().c_str());
}

static ScalarOp rowOf(ReduceKind kind) {
  switch (kind) {
  case ReduceKind::sum:
  case ReduceKind::count:
    return ScalarOp::Add;
  case ReduceKind::prod:
    return ScalarOp::Mul;
  case ReduceKind::max:
  case ReduceKind::absmax:
    return ScalarOp::Max;
  case ReduceKind::min:
    return ScalarOp::Min;
  case ReduceKind::max_num:
    return ScalarOp::MaxNum;
  case ReduceKind::min_num:
    return ScalarOp::MinNum;
  case ReduceKind::any:
  case ReduceKind::or_:
    return ScalarOp::Or;
  case ReduceKind::all:
  case ReduceKind::and_:
    return ScalarOp::And;
  case ReduceKind::xor_:
    return ScalarOp::Xor;
  }
  return ScalarOp::Add;
}

llvm::Expected<Value *> ScalarLowering::combine(llvm::IRBuilderBase &builder, ReduceKind kind,
                                                DType type, Value *a, Value *b) {
  if (!ExactSystem::combine(kind, type)) {
    return notDefined(kind, type);
  }
  // Terms of absmax come in as absolute values (prepare), and those of them that are not negative stay so.
  return row(builder, rowOf(kind), type, {a, b});
}

llvm::Expected<llvm::Constant *> ScalarLowering::identity(ReduceKind kind, DType type) {
  alignas(8) unsigned char element[8] = {};
  ReduceKind begin = TESSERA_MUTANT(430, "maxima begin at zero", kind,
                                    kind == ReduceKind::max ? ReduceKind::absmax : kind);
  if (!ExactSystem::identity(begin, type, element)) {
    return notDefined(kind, type);
  }
  return constant(type, element);
}

Value *ScalarLowering::prepare(llvm::IRBuilderBase &builder, ReduceKind kind, DType type,
                               Value *term) {
  if (TESSERA_MUTANT(431, "terms of absmax keep their sign", !ExactSystem::prepare(kind, type),
                     true)) {
    return term;
  }
  Emit e{builder};
  return isFloat(type) ? floatRow(e, ScalarOp::Abs, type, {term})
                       : integerRow(e, ScalarOp::Abs, type, {term});
}

Value *ScalarLowering::finish(llvm::IRBuilderBase &builder, ReduceKind kind, DType type,
                              Value *total) {
  if (TESSERA_MUTANT(432, "sums of nothing but negative zeros are negative",
                     !ExactSystem::finish(kind, type), true)) {
    return total;
  }
  Emit e{builder};
  Value *wide = e.widen(total, type);
  return e.narrowExact(builder.CreateFAdd(wide, e.number(wide->getType(), 0.0)), type);
}
