//===- Range.h - 128-bit integers and ranges of them --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of the solver's terms. Sizes and strides of a program fit in 64 bits, their products do not always; every
// operation here says when a result leaves the supported span of +-2^120 instead of wrapping. A Range is a closed
// interval whose ends may be open to infinity; its operations are exact or wider, never narrower.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_SOLVER_RANGE_H
#define TESSERA_SOLVER_RANGE_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tessera::solver {

using Int = __int128;

/// Whether `value` lies in the supported span; inside it, negation and one addition cannot overflow 128 bits.
bool fits(Int value);

/// Nothing when the result leaves the supported span.
std::optional<Int> checkedAdd(Int a, Int b);
std::optional<Int> checkedMul(Int a, Int b);

/// Quotient rounded towards minus infinity and its remainder in [0, c); c > 0.
Int floorDiv(Int a, Int c);
Int floorMod(Int a, Int c);

/// Greatest common divisor of the magnitudes; gcd(0, b) = |b|.
Int gcd(Int a, Int b);

std::string toString(Int value);

/// Decimal with optional minus; nothing for other text and for numbers outside the span.
std::optional<Int> parseInt(llvm::StringRef text);

/// All integers x with lo <= x <= hi; a missing end is infinite.
struct Range {
  std::optional<Int> lo, hi;

  static Range exactly(Int value) { return {value, value}; }
  static Range between(Int lo, Int hi) { return {lo, hi}; }
  static Range atLeast(Int lo) { return {lo, std::nullopt}; }
  static Range all() { return {}; }

  bool isEmpty() const { return lo && hi && *lo > *hi; }
  bool contains(Int value) const { return (!lo || *lo <= value) && (!hi || value <= *hi); }
  bool operator==(const Range &other) const { return lo == other.lo && hi == other.hi; }
};

Range operator+(Range a, Range b);
Range operator*(Range a, Int factor);
Range operator*(Range a, Range b);
Range floorDiv(Range a, Int c);
Range floorMod(Range a, Int c);
Range minimum(Range a, Range b);
Range maximum(Range a, Range b);
/// The smallest range that holds both.
Range hull(Range a, Range b);
Range intersect(Range a, Range b);

} // namespace tessera::solver

#endif // TESSERA_SOLVER_RANGE_H
