// A stream of random numbers that a seed gives, and elements made of them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_INTERPRETER_RANDOM_H
#define TESSERA_LIB_INTERPRETER_RANDOM_H

#include "TileValue.h"

namespace tessera::interp {

/// splitmix64: Steele, Lea, Flood, OOPSLA 2014.
inline uint64_t mixBits(uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

class Random {
public:
  explicit Random(uint64_t seed) : state(mixBits(seed)) {}

  uint64_t next() { return mixBits(state += 0x9E3779B97F4A7C15u); }
  /// Below `bound`, which is at least 1.
  uint64_t below(uint64_t bound) { return next() % bound; }
  bool oneIn(uint64_t n) { return below(n) == 0; }
  /// `count` elements of the type: random bits, or all bits set, which is a NaN in the float types. Truth values stay
  /// truth values.
  void fill(const TileType &type, std::byte *to, int64_t count);

private:
  uint64_t state;
};

} // namespace tessera::interp

#endif // TESSERA_LIB_INTERPRETER_RANDOM_H
