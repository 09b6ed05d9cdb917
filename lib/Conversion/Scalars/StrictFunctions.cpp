// The strict functions, from the table that the build made of lib/Std/math.tile: its steps go through the rows like a
// kernel's own ops.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit.h"
#include "StrictTable.h"

namespace tessera::convert {
#include "StrictTable.inc"

llvm::ArrayRef<StrictFunction> strictFunctions() { return strictTable; }
} // namespace tessera::convert

using namespace tessera;
using namespace tessera::convert;
using llvm::Value;

static llvm::Expected<Value *> emit(ScalarLowering &scalars, llvm::IRBuilderBase &b,
                                    const StrictStep &step, llvm::ArrayRef<Value *> values) {
  Value *x[3] = {};
  for (unsigned i = 0; i < 3; ++i) {
    x[i] = step.operands[i] < values.size() ? values[step.operands[i]] : nullptr;
  }
  switch (step.kind) {
  case StrictStep::constant:
    return scalars.constant(step.type, &step.pattern);
  case StrictStep::row: {
    auto op = static_cast<ScalarOp>(step.code);
    return scalars.row(b, op, step.type, llvm::ArrayRef(x, info(op).arity));
  }
  case StrictStep::cast:
    return scalars.cast(b, x[0], step.type, step.to, step.round, step.overflow);
  case StrictStep::compare:
    return scalars.compare(b, static_cast<CmpPredicate>(step.code), step.type, x[0], x[1]);
  case StrictStep::select:
    return b.CreateSelect(x[0], x[1], x[2]);
  case StrictStep::bits:
    return b.CreateBitCast(x[0], registerType(b.getContext(), step.to));
  }
  return nullptr;
}

static llvm::Error define(llvm::Function &function, llvm::ArrayRef<StrictStep> steps,
                          unsigned result) {
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(function.getContext(), "", &function));
  // Not in the kernel's mode: the definitions hold for arithmetic that is not contracted.
  ScalarLowering scalars(*function.getParent());
  llvm::SmallVector<Value *, 64> values;
  for (llvm::Argument &argument : function.args()) {
    values.push_back(&argument);
  }
  for (const StrictStep &step : steps) {
    llvm::Expected<Value *> value = emit(scalars, builder, step, values);
    if (!value) {
      return value.takeError();
    }
    values.push_back(*value);
  }
  builder.CreateRet(values[result]);
  return llvm::Error::success();
}

static const StrictFunction *find(ScalarOp op) {
  const StrictFunction *found =
      llvm::find_if(strictFunctions(), [&](const StrictFunction &f) { return f.op == op; });
  return found == strictFunctions().end() ? nullptr : found;
}

llvm::Error convert::defineStrict(llvm::Function &function, ScalarOp op) {
  const StrictFunction *found = find(op);
  if (!found) {
    return llvm::createStringError("lib/Std/math.tile does not define %s", info(op).mnemonic);
  }
  return define(function, found->steps, found->result);
}

llvm::Error convert::defineMiddle(llvm::Function &function, ScalarOp op) {
  const StrictFunction *found = find(op);
  assert(found && !found->middle.empty() && "the function has no shorter form");
  return define(function, found->middle, found->middleResult);
}

std::optional<float> convert::middleBound(ScalarOp op) {
  const StrictFunction *found = find(op);
  return found && !found->middle.empty() ? std::optional<float>(found->bound) : std::nullopt;
}
