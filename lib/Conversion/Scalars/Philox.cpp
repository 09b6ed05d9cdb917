// Counter-based random words: philox4x32-10 (J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as
// easy as 1, 2, 3", SC 2011), ten rounds unrolled, with the multipliers and Weyl constants given there.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit.h"

#include "tessera/Support/Mutants.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::Value;

llvm::SmallVector<Value *> convert::philox(const Emit &e, Value *seed, Value *offset,
                                           Value *index) {
  llvm::IRBuilderBase &b = e.b;
  auto low = [&](Value *x) { return b.CreateTrunc(x, b.getInt32Ty()); };
  auto high = [&](Value *x) { return b.CreateTrunc(b.CreateLShr(x, 32), b.getInt32Ty()); };
  auto product = [&](uint32_t factor, Value *x) {
    return b.CreateMul(b.CreateZExt(x, b.getInt64Ty()), b.getInt64(factor));
  };
  Value *key0 = low(seed), *key1 = high(seed);
  Value *c0 = low(index), *c1 = high(index), *c2 = low(offset), *c3 = high(offset);
  for (int round = 0; round < 10; ++round) {
    Value *p0 = product(0xD2511F53u, c0), *p1 = product(0xCD9E8D57u, c2);
    c0 = b.CreateXor(b.CreateXor(high(p1), c1), key0);
    c2 = b.CreateXor(b.CreateXor(high(p0), c3), key1);
    c1 = low(p1);
    c3 = low(p0);
    key0 = b.CreateAdd(key0, b.getInt32(0x9E3779B9u));
    key1 = b.CreateAdd(key1, b.getInt32(TESSERA_MUTANT(429, "both keys of philox advance alike",
                                                       0xBB67AE85u, 0x9E3779B9u)));
  }
  return {c0, c1, c2, c3};
}
