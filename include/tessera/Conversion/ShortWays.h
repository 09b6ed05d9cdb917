// Shorter ways to the bits of strict exponentials and quotients, what must hold for them, and the long way where it does not.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_CONVERSION_SHORTWAYS_H
#define TESSERA_CONVERSION_SHORTWAYS_H

#include "tessera/Conversion/Scalars.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <functional>

namespace tessera::convert {

/// What is known of all operands of a row when it is compiled. `nothing`; `divisors`: of quotients, that the short way takes
/// them; `all`: the short way gives what the row gives; `allWithoutNewton`: of quotients, even with the reciprocal as the machine
/// approximates it.
enum class Known { nothing, divisors, all, allWithoutNewton };

/// i1: results of a short way are right. Where it is false `second`, if there is one, emits a closer look at the same.
struct Condition {
  llvm::Value *holds;
  std::function<llvm::Value *()> second;
};

/// Whether the op is a row that has a short way.
bool hasShortWay(const ScalarLowering &scalars, mlir::Operation *op);

/// The short way of such a row, in f32, and what must hold for it. The builder must outlive the conditions.
llvm::Expected<ScalarLowering::Values> shortWay(llvm::IRBuilderBase &builder, ScalarOp op,
                                                DType type,
                                                llvm::ArrayRef<ScalarLowering::Values> operands,
                                                Known known,
                                                llvm::SmallVectorImpl<Condition> &conditions);

/// Whether quotients by d take the short way for every dividend that it takes at all.
bool isShortDivisor(float d);

/// Elements that may share conditions.
inline constexpr unsigned guardedMost = 16;

/// Registers of at most 32 bits, so many elements that take one of two ways together.
struct Guarded {
  /// Result i of each element on the short way.
  std::vector<ScalarLowering::Values> shortOnes;
  llvm::ArrayRef<Condition> conditions;
  /// Operand i of each element on the long way, and what that is; both results and operands are held in the thread's memory.
  llvm::ArrayRef<ScalarLowering::Values> columns;
  llvm::function_ref<llvm::Expected<ScalarLowering::Values>(llvm::ArrayRef<llvm::Value *>)> element;
  /// i1: what a closer look asks of each element; may be null.
  llvm::function_ref<llvm::Value *(llvm::ArrayRef<llvm::Value *>)> again = nullptr;
  /// What makes an operand again by the element's number, an i32, so that it need not be held: one for each column, null where
  /// the thread's memory has it; or none at all.
  llvm::ArrayRef<std::function<llvm::Value *(llvm::Value *)>> madeAgain = {};
};
/// The short results where all conditions hold, else those of `element` on each. `memory` has a place for each column and result,
/// made where it is null; several of one function may share it, the one with most elements first.
llvm::Expected<std::vector<ScalarLowering::Values>>
guarded(llvm::IRBuilderBase &builder, Guarded both, llvm::MutableArrayRef<llvm::Value *> memory);

} // namespace tessera::convert

#endif // TESSERA_CONVERSION_SHORTWAYS_H
