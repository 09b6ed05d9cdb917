// Elements of random bits.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Random.h"

#include <algorithm>
#include <cstring>

using namespace tessera;
using namespace tessera::interp;

void Random::fill(const TileType &type, std::byte *to, int64_t count) {
  for (int64_t i = 0; i < count; ++i, to += type.elementSize) {
    uint64_t bits[2] = {next(), next()};
    if (bits[0] & 1) {
      std::memset(bits, 0xFF, sizeof bits);
    }
    if (type.dtype == DType::i1) {
      bits[0] = bits[1] & 1;
    }
    std::memcpy(to, bits, std::min(sizeof bits, type.elementSize));
  }
}
