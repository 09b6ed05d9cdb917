// Fills arrays with the values a test block asks for, the same on every machine: integer arithmetic and correctly
// rounded conversions only, and each element depends on the seed and its position in index order alone, never on
// strides.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_CHECK_GENERATORS_H
#define TESSERA_CHECK_GENERATORS_H

#include "tessera/Check/TestValue.h"
#include "tessera/Host/HostArray.h"

namespace tessera {

/// Writes every element of `array`:
///
///   normal        floats: about normal, |x| < 6.1, rounded to nearest even; integers: small ones around 0 (unsigned: the
///                 magnitude); bool: either
///   zeros         +0
///   denormal      floats: denormals of either sign, the least and the greatest among them
///   huge          magnitudes from max/8 to max/4, of either sign where the type has one
///   all(v)        v everywhere
///   one(v)        normal, with v at one place
///   ints(lo, hi)  integers from lo to hi, both included
///   full          all bit patterns: types of 8 and 16 bits in shuffled cycles, wider ones random with every sixteenth
///                 element a special one (zeros, infinities, NaNs, ends of the ranges)
///   cancel(m)     normal, with +m and -m at the same number of places of each row (the last axis), at least one each
///                 where the row has two elements
///
/// Numbers are rounded to nearest even; one that the type cannot hold (a fraction in an integer, a finite one that
/// becomes infinite or zero, an infinity where there is none) is an error. Deferred arguments must be resolved.
/// Errors: T0842 to T0846.
llvm::Error fillArray(const HostArray &array, const Generator &generator, uint64_t seed);

/// Whether fillArray takes the generator for elements of a type, apart from empty ranges.
llvm::Error checkGenerator(const Generator &generator, DType dtype);

/// About normal: mean 0, variance 1, |x| < 6.1 (a sum of twelve uniform numbers). Depends on seed and position alone.
double normalAt(uint64_t seed, uint64_t position);

} // namespace tessera

#endif // TESSERA_CHECK_GENERATORS_H
