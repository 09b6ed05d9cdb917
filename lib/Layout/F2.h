// Linear algebra over GF(2): vectors of up to 64 bits, spans kept in echelon form with the combination that made each row.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_LAYOUT_F2_H
#define TESSERA_LIB_LAYOUT_F2_H

#include "llvm/ADT/ArrayRef.h"

#include <array>
#include <cstdint>
#include <optional>

namespace tessera {

/// The span of inserted vectors.
class F2Span {
public:
  F2Span() = default;
  explicit F2Span(llvm::ArrayRef<uint64_t> vectors);

  /// Adds a vector under a number below 64; true if it was independent of those before.
  bool insert(uint64_t vector, unsigned number);
  /// Adds a vector with the next free number.
  bool insert(uint64_t vector) { return insert(vector, count); }

  /// The least vector of the coset vector + span: leading bits of the span cleared.
  uint64_t reduce(uint64_t vector) const;
  bool contains(uint64_t vector) const { return reduce(vector) == 0; }
  /// The set (as bits) of inserted numbers whose sum is `vector`; only independent ones take part.
  std::optional<uint64_t> solve(uint64_t vector) const;

  unsigned rank() const;
  /// Leading (highest) bits of the echelon form.
  uint64_t leading() const { return leads; }
  /// The largest vector of the span.
  uint64_t largest() const;

private:
  struct Row {
    uint64_t vector = 0;
    uint64_t combination = 0;
  };
  std::array<Row, 64> rows; // by leading bit
  uint64_t leads = 0;
  unsigned count = 0;
};

/// Sum of the columns whose bits are set in `vector`.
uint64_t f2Apply(llvm::ArrayRef<uint64_t> columns, uint64_t vector);

unsigned f2Rank(llvm::ArrayRef<uint64_t> vectors);

} // namespace tessera

#endif // TESSERA_LIB_LAYOUT_F2_H
