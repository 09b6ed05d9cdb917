//===- Value.h - single elements as doubles, neighbours, ulps -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers for code that compares, prints or makes single elements in native storage (DType.h).
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_NUMERIC_VALUE_H
#define TESSERA_NUMERIC_VALUE_H

#include "tessera/Numeric/DType.h"
#include "tessera/Numeric/Modes.h"

namespace tessera {

/// The element's value; exact for every type but i64 and ui64, which round to nearest even. `bool` is 0 or 1.
double toDouble(DType t, const void *element);

/// Writes `value` as an element of type `t`, rounded once. NaN becomes 0 in an integer, true in a `bool`. Returns false
/// and writes nothing if `castAccepts(f64, t, overflow)` does not hold.
bool fromDouble(DType t, double value, Round round, Overflow overflow, void *element);

/// Largest finite value of a type (1 for `bool`).
double maxFinite(DType t);
/// Smallest positive value of a float type (denormal), 1 for integers.
double minPositive(DType t);
bool hasInfinity(DType t);
bool isNaNElement(DType t, const void *element);

/// The distance between neighbouring values of float type `t` at |x|, the larger one at a power of two's upper side: the
/// spacing of the binade that contains |x| (denormal spacing below the least normal, top binade's beyond the range).
double ulp(DType t, double x);

/// The next element of `t` above or below, stepping over ±0 as one value and saturating at the infinities (at the
/// largest finite value where the type has none, and at the ends of an integer type); NaN stays.
void nextUp(DType t, const void *element, void *out);
void nextDown(DType t, const void *element, void *out);

/// Same bits, or both NaN: the comparison of `tolerance exact`.
bool sameElement(DType t, const void *a, const void *b);

} // namespace tessera

#endif // TESSERA_NUMERIC_VALUE_H
