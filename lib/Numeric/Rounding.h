//===- Rounding.h - exact values and their rounding ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The general conversion: any element is unpacked to sign, exponent and a 64-bit integer, then rounded once to the target
// in integer arithmetic. Slower than the loops of the common casts, which are tested against it.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_NUMERIC_ROUNDING_H
#define TESSERA_LIB_NUMERIC_ROUNDING_H

#include "tessera/Numeric/Modes.h"

namespace tessera::numeric {

/// The value (-1)^negative * magnitude * 2^exponent; zero has magnitude 0.
struct Unpacked {
  enum Class : uint8_t { finite, infinite, nan };
  Class kind = finite;
  bool negative = false;
  int exponent = 0;
  uint64_t magnitude = 0;
};

Unpacked unpack(DType t, const void *element);
Unpacked unpackDouble(double x);

/// Rounds to the target and writes one element. The modes must satisfy castAccepts; where the cast is exact they do not
/// matter. Zero keeps its sign in floats.
void pack(DType t, const Unpacked &value, Round round, Overflow overflow, void *element);

} // namespace tessera::numeric

#endif // TESSERA_LIB_NUMERIC_ROUNDING_H
