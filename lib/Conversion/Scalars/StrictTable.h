// The strict functions as a table of steps, made when the library is built (GenerateStrictTable.cpp): no kernel waits for
// lib/Std/math.tile to be parsed.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_CONVERSION_SCALARS_STRICTTABLE_H
#define TESSERA_LIB_CONVERSION_SCALARS_STRICTTABLE_H

#include "tessera/Numeric/Modes.h"
#include "tessera/Numeric/ScalarOp.h"

#include "llvm/ADT/ArrayRef.h"

namespace tessera::convert {

/// One op on single elements. Operands are numbers of values: the function's arguments first, then the results of its steps.
struct StrictStep {
  enum Kind : uint8_t { constant, row, cast, compare, select, bits };
  Kind kind;
  uint8_t code;   ///< row: the ScalarOp; compare: the CmpPredicate
  DType type, to; ///< of the first operand (select: the second; constant: itself) and of the result
  Round round;
  Overflow overflow;
  uint16_t operands[3];
  uint64_t pattern; ///< of a constant
};

struct StrictFunction {
  ScalarOp op;
  llvm::ArrayRef<StrictStep> steps;
  unsigned result; ///< number of the value
  /// NAME_middle of lib/Std/math.tile: the same bits for less work where the argument's magnitude is at most `bound`; empty
  /// where there is none.
  llvm::ArrayRef<StrictStep> middle;
  unsigned middleResult;
  float bound;
};

/// The functions that lib/Std/math.tile defines.
llvm::ArrayRef<StrictFunction> strictFunctions();

} // namespace tessera::convert

#endif // TESSERA_LIB_CONVERSION_SCALARS_STRICTTABLE_H
