//===- NumericTesting.h - references and samples for numeric tests *- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Independent references: a value table per small float type (built from the definition of the format) with rounding by
// comparing against midpoints, and MPFR set up to round like a float type, denormals included.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TEST_NUMERICTESTING_H
#define TESSERA_TEST_NUMERICTESTING_H

#include "tessera/Numeric/NumberSystem.h"
#include "tessera/Numeric/Value.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <mpfr.h>
#include <string>
#include <vector>

namespace tessera::testing {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double quietNaN = std::numeric_limits<double>::quiet_NaN();

/// Whether the long versions of the tests were asked for.
bool fullRun();
/// `full` samples then, else `usual`.
size_t samples(size_t usual, size_t full);

/// A small deterministic generator.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed * 2 + 1) {}
  uint64_t next();
  uint32_t next32() { return uint32_t(next() >> 32); }

private:
  uint64_t state;
};

/// Parameters of a float format as its definition states them: bits of exponent and fraction, bias, infinities.
struct Format {
  int exponentBits, fractionBits, bias;
  bool infinities;
};
Format format(DType t);

/// Value of a bit pattern of bf16, f16, f32 or fp8, from the definition.
double valueOf(DType t, uint64_t bits);
/// The pattern of an element.
uint64_t patternOf(DType t, const void *element);

/// Rounding of any double to an 8- or 16-bit float type by looking at its table of values.
class ValueTable {
public:
  explicit ValueTable(DType t);
  /// The magnitude patterns 0 … count - 1 are the finite values, ascending.
  const std::vector<double> &values() const { return finite; }
  /// The value that a cast must give; NaN for NaN.
  double round(double x, Round round, Overflow overflow) const;

private:
  std::vector<double> finite;
  double beyond; ///< what would be the next value
  bool infinities;
};

/// Makes MPFR's exponent range that of the type; `precision` its significand.
class MpfrFormat {
public:
  explicit MpfrFormat(DType t);
  ~MpfrFormat();
  int precision;
  /// Ends an operation that returned `ternary`: denormals, range. Then the value as a double.
  double finish(mpfr_t x, int ternary, mpfr_rnd_t mode = MPFR_RNDN) const;
};

/// Equal bits as doubles, or both NaN.
bool same(double a, double b);

/// Patterns worth meeting every other value: zeros, ends of the binades' range, infinities, NaN, and a spread.
std::vector<uint64_t> partners(DType t, size_t spread);

/// f32 patterns: one in every stratum of all 2^32, plus the special ones.
std::vector<float> floatSamples(size_t count, uint64_t seed);
std::vector<double> doubleSamples(size_t count, uint64_t seed);
/// Zeros, denormals, ones, halves, huge values, infinities, NaN, with both signs.
std::vector<double> specialValues(DType t);

} // namespace tessera::testing

#endif // TESSERA_TEST_NUMERICTESTING_H
