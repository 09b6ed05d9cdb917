// A pairwise cover of a product of small sets: rows in which every two levels of different factors meet. Knows nothing
// of what the levels mean. Private to the Check room.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_CHECK_PAIRWISECOVER_H
#define TESSERA_LIB_CHECK_PAIRWISECOVER_H

#include "tessera/Check/Random.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <vector>

namespace tessera {

/// One level per factor.
using CoverRow = std::vector<unsigned>;
using RowFilter = llvm::function_ref<bool(const CoverRow &)>;

/// Calls `visit` for each row of the product, last factor fastest, until it returns false.
void forEachRow(llvm::ArrayRef<unsigned> levels, llvm::function_ref<bool(const CoverRow &)> visit);

struct CoverFactor {
  unsigned levels = 1;
  /// Its levels are covered before those of other factors.
  bool first = false;
};

/// Greedy, row by row, after AETG (Cohen, Dalal, Fredman, Patton, "The AETG system", IEEE TSE 23(7), 1997): of some
/// random candidates, each grown factor by factor, the row that covers most is taken. Single levels weigh more than any
/// number of pairs, so a cover that is cut short still holds each level.
class PairwiseCover {
public:
  PairwiseCover(std::vector<CoverFactor> factors, uint64_t seed, RowFilter accepts);

  /// Rules out the levels and pairs that no row of `admitted` holds; later completions are sought among these rows.
  void restrictTo(std::vector<CoverRow> admitted);

  /// Builds the rows; stops after `limit` as soon as every possible level is in.
  void build(uint64_t limit);

  /// Adds further rows by lot, none twice, until there are `limit` or no more are found: they meet triples and more.
  void fill(uint64_t limit);

  std::vector<CoverRow> rows;
  uint64_t pairs = 0, pairsCovered = 0, pairsImpossible = 0;
  uint64_t rejected = 0;
  bool cut = false;

private:
  static constexpr unsigned numCandidates = 40;
  static constexpr unsigned numCompletions = 1000;
  static constexpr uint64_t fillAttempts = 20;
  static constexpr uint64_t firstLevelWeight = uint64_t(1) << 40;
  static constexpr uint64_t levelWeight = uint64_t(1) << 20;

  std::vector<CoverFactor> factors;
  Random random;
  RowFilter accepts;
  bool enumerated = false;
  std::vector<CoverRow> admitted;

  // Items are the single levels, then the pairs.
  std::vector<unsigned> levelBase;
  std::vector<std::vector<unsigned>> pairBase;
  llvm::BitVector open;
  unsigned numLevels = 0;
  unsigned openLevels = 0, openPairs = 0;

  unsigned levelItem(unsigned f, unsigned a) const { return levelBase[f] + a; }
  unsigned pairItem(unsigned f, unsigned a, unsigned g, unsigned b) const;
  void close(unsigned item, bool covered);
  uint64_t gainOf(const CoverRow &row) const;
  uint64_t gainOfLevel(const CoverRow &row, llvm::ArrayRef<unsigned> fixed, unsigned f,
                       unsigned a) const;
  CoverRow grow(std::vector<std::pair<unsigned, unsigned>> start);
  std::vector<std::pair<unsigned, unsigned>> choicesOf(unsigned item) const;
  bool complete(unsigned item, CoverRow &row);
  void take(const CoverRow &row);
};

} // namespace tessera

#endif // TESSERA_LIB_CHECK_PAIRWISECOVER_H
