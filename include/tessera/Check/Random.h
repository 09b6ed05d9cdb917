// Random numbers for tests, the same on every machine: integer arithmetic only. The mixing function is SplitMix64
// (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014), used as a function of a counter
// so that element i of an array does not depend on the elements before it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_CHECK_RANDOM_H
#define TESSERA_CHECK_RANDOM_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace tessera {

/// A bijection of 64 bits whose outputs look independent of each other.
inline uint64_t mixBits(uint64_t bits) {
  bits ^= bits >> 30;
  bits *= 0xBF58476D1CE4E5B9u;
  bits ^= bits >> 27;
  bits *= 0x94D049BB133111EBu;
  return bits ^ (bits >> 31);
}

/// FNV-1a over the bytes of `text`: turns names into seeds.
inline uint64_t hashText(llvm::StringRef text) {
  uint64_t hash = 0xCBF29CE484222325u;
  for (unsigned char byte : text) {
    hash = (hash ^ byte) * 0x100000001B3u;
  }
  return hash;
}

/// A seed for a purpose (`name`) under another seed.
inline uint64_t deriveSeed(uint64_t seed, llvm::StringRef name) {
  return mixBits(mixBits(seed) ^ hashText(name));
}

/// A sequence of 64-bit numbers, readable at any position.
class Random {
public:
  explicit Random(uint64_t seed) : seed(seed) {}

  /// The number at a position; does not move the sequence.
  uint64_t at(uint64_t position) const {
    return mixBits(seed + (position + 1) * 0x9E3779B97F4A7C15u);
  }

  uint64_t next() { return at(position++); }

  /// A number in [0, bound); 0 for bound 0. The bias is below bound / 2^64.
  uint64_t below(uint64_t bound) { return scale(next(), bound); }

  static uint64_t scale(uint64_t bits, uint64_t bound) {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(bits) * bound) >> 64);
  }

private:
  uint64_t seed;
  uint64_t position = 0;
};

} // namespace tessera

#endif // TESSERA_CHECK_RANDOM_H
