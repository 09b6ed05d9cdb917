// Counter-based random words and counting of bins: integer ops that no number system changes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Compiler.h"
#include "../Mutants.h"
#include "Integers.h"

using namespace tessera;
using namespace tessera::interp;

namespace {
/// philox4x32-10: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3",
/// SC 2011, with the multipliers and Weyl constants given there.
void philox(uint64_t seed, uint64_t offset, uint64_t index, uint32_t word[4]) {
  uint32_t key0 = uint32_t(seed), key1 = uint32_t(seed >> 32);
  uint32_t c0 = uint32_t(index), c1 = uint32_t(index >> 32), c2 = uint32_t(offset),
           c3 = uint32_t(offset >> 32);
  for (int round = 0; round < 10; ++round) {
    uint64_t p0 = uint64_t(0xD2511F53u) * c0, p1 = uint64_t(0xCD9E8D57u) * c2;
    uint32_t n0 = uint32_t(p1 >> 32) ^ c1 ^ key0, n2 = uint32_t(p0 >> 32) ^ c3 ^ key1;
    c1 = uint32_t(p1);
    c3 = uint32_t(p0);
    c0 = n0;
    c2 = n2;
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  word[0] = c0;
  word[1] = c1;
  word[2] = c2;
  word[3] = c3;
}

StepFn compilePhilox(Compiler &c, tile::PhiloxOp op) {
  unsigned seed = c.slot(op.getSeed()).index, offset = c.slot(op.getOffset()).index;
  TileSlot index = c.tile(op.getIndex());
  std::array<TileSlot, 4> results = {c.tile(op.getR0()), c.tile(op.getR1()), c.tile(op.getR2()),
                                     c.tile(op.getR3())};
  return [=](Machine &m) {
    std::array<uint32_t *, 4> out;
    for (unsigned w = 0; w < 4; ++w) {
      out[w] = reinterpret_cast<uint32_t *>(m.make(results[w].index, *results[w].type));
      Factors &factors = m.tiles[results[w].index].factors;
      for (unsigned operand : {index.index, seed, offset}) {
        addFactors(m.pool, factors, index.type->shape, m.tiles[operand].factors);
      }
    }
    auto *indices = m.tiles[index.index].data.as<uint64_t>();
    uint64_t key = m.scalar<uint64_t>(seed), counter = m.scalar<uint64_t>(offset);
    for (int64_t i = 0; i < index.type->count; ++i) {
      uint32_t word[4];
      philox(key, counter, indices[i], word);
      for (unsigned w = 0; w < 4; ++w) {
        out[w][i] = word[w];
      }
    }
  };
}

StepFn compileHistogram(Compiler &c, tile::HistogramOp op) {
  TileSlot x = c.tile(op.getX()), result = c.tile(op.getResult());
  return [=](Machine &m) {
    Ref present = presence(m.pool, m.tiles[x.index].factors, x.type->shape);
    Ref numbers = m.tiles[x.index].data;
    auto *counts = reinterpret_cast<int64_t *>(m.makeZeroed(result.index, *result.type));
    for (int64_t i = 0; i < x.type->count; ++i) {
      Wide bin = integerAt(x.type->dtype, numbers.data(), i);
      bool counted = !present || TESSERA_MUTANT(26, "histogram counts absent elements",
                                                present.as<uint8_t>()[i] != 0, true);
      if (counted && bin >= 0 && bin < result.type->count) {
        ++counts[int64_t(bin)];
      }
    }
  };
}
} // namespace

void tessera::interp::addRandomCases(OpCases &cases) {
  cases.add<tile::PhiloxOp>(compilePhilox);
  cases.add<tile::HistogramOp>(compileHistogram);
}
