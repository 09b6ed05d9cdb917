// Gaussian elimination over GF(2), one vector at a time.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "F2.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace tessera;

F2Span::F2Span(llvm::ArrayRef<uint64_t> vectors) {
  for (uint64_t vector : vectors) {
    insert(vector);
  }
}

bool F2Span::insert(uint64_t vector, unsigned number) {
  count = number + 1;
  uint64_t combination = uint64_t(1) << (number & 63);
  while (uint64_t hit = vector & leads) {
    unsigned bit = llvm::Log2_64(hit);
    vector ^= rows[bit].vector;
    combination ^= rows[bit].combination;
  }
  if (!vector) {
    return false;
  }
  unsigned lead = llvm::Log2_64(vector);
  // Rows above keep no trace of the new leading bit, so that `reduce` can go through the bits in any order.
  for (uint64_t rest = leads; rest; rest &= rest - 1) {
    Row &other = rows[llvm::countr_zero(rest)];
    if ((other.vector >> lead) & 1) {
      other.vector ^= vector;
      other.combination ^= combination;
    }
  }
  rows[lead] = {vector, combination};
  leads |= uint64_t(1) << lead;
  return true;
}

uint64_t F2Span::reduce(uint64_t vector) const {
  for (uint64_t hit = vector & leads; hit; hit &= hit - 1) {
    vector ^= rows[llvm::countr_zero(hit)].vector;
  }
  return vector;
}

std::optional<uint64_t> F2Span::solve(uint64_t vector) const {
  uint64_t combination = 0;
  for (uint64_t hit = vector & leads; hit; hit &= hit - 1) {
    const Row &row = rows[llvm::countr_zero(hit)];
    vector ^= row.vector;
    combination ^= row.combination;
  }
  if (vector) {
    return std::nullopt;
  }
  return combination;
}

unsigned F2Span::rank() const { return llvm::popcount(leads); }

uint64_t F2Span::largest() const {
  uint64_t sum = 0;
  for (uint64_t rest = leads; rest; rest &= rest - 1) {
    sum ^= rows[llvm::countr_zero(rest)].vector;
  }
  return sum;
}

uint64_t tessera::f2Apply(llvm::ArrayRef<uint64_t> columns, uint64_t vector) {
  uint64_t sum = 0;
  for (; vector; vector &= vector - 1) {
    sum ^= columns[llvm::countr_zero(vector)];
  }
  return sum;
}

unsigned tessera::f2Rank(llvm::ArrayRef<uint64_t> vectors) { return F2Span(vectors).rank(); }
