// The greedy construction of pairwise covers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PairwiseCover.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace tessera;

void tessera::forEachRow(llvm::ArrayRef<unsigned> levels,
                         llvm::function_ref<bool(const CoverRow &)> visit) {
  if (llvm::is_contained(levels, 0u)) {
    return;
  }
  CoverRow row(levels.size(), 0);
  while (visit(row)) {
    unsigned f = levels.size();
    while (f > 0 && ++row[f - 1] == levels[f - 1]) {
      row[--f] = 0;
    }
    if (f == 0) {
      return;
    }
  }
}

PairwiseCover::PairwiseCover(std::vector<CoverFactor> theFactors, uint64_t seed, RowFilter accepts)
    : factors(std::move(theFactors)), random(seed), accepts(accepts) {
  for (const CoverFactor &factor : factors) {
    levelBase.push_back(numLevels);
    numLevels += factor.levels;
  }
  unsigned items = numLevels;
  pairBase.resize(factors.size());
  for (unsigned f = 0; f < factors.size(); ++f) {
    pairBase[f].resize(factors.size());
    for (unsigned g = f + 1; g < factors.size(); ++g) {
      pairBase[f][g] = items;
      items += factors[f].levels * factors[g].levels;
    }
  }
  open.resize(items, true);
  openLevels = numLevels;
  pairs = openPairs = items - numLevels;
}

unsigned PairwiseCover::pairItem(unsigned f, unsigned a, unsigned g, unsigned b) const {
  if (f > g) {
    std::swap(f, g);
    std::swap(a, b);
  }
  return pairBase[f][g] + a * factors[g].levels + b;
}

void PairwiseCover::close(unsigned item, bool covered) {
  if (!open[item]) {
    return;
  }
  open.reset(item);
  if (item < numLevels) {
    --openLevels;
    return;
  }
  --openPairs;
  ++(covered ? pairsCovered : pairsImpossible);
}

void PairwiseCover::restrictTo(std::vector<CoverRow> rowsOfFilter) {
  admitted = std::move(rowsOfFilter);
  enumerated = true;
  llvm::BitVector possible(open.size());
  for (const CoverRow &row : admitted) {
    for (unsigned f = 0; f < row.size(); ++f) {
      possible.set(levelItem(f, row[f]));
      for (unsigned g = f + 1; g < row.size(); ++g) {
        possible.set(pairItem(f, row[f], g, row[g]));
      }
    }
  }
  for (unsigned item = 0; item < open.size(); ++item) {
    if (!possible[item]) {
      close(item, /*covered=*/false);
    }
  }
}

uint64_t PairwiseCover::gainOfLevel(const CoverRow &row, llvm::ArrayRef<unsigned> fixed, unsigned f,
                                    unsigned a) const {
  uint64_t gain = 0;
  if (open[levelItem(f, a)]) {
    gain += factors[f].first ? firstLevelWeight : levelWeight;
  }
  for (unsigned g : fixed) {
    gain += open[pairItem(f, a, g, row[g])];
  }
  return gain;
}

uint64_t PairwiseCover::gainOf(const CoverRow &row) const {
  uint64_t gain = 0;
  std::vector<unsigned> fixed;
  for (unsigned f = 0; f < row.size(); ++f) {
    gain += gainOfLevel(row, fixed, f, row[f]);
    fixed.push_back(f);
  }
  return gain;
}

/// Completes chosen levels to a row: the other factors in random order, each with the level that covers most beside
/// those already chosen, ties by lot.
CoverRow PairwiseCover::grow(std::vector<std::pair<unsigned, unsigned>> start) {
  CoverRow row(factors.size(), 0);
  std::vector<unsigned> fixed, rest;
  for (auto [f, a] : start) {
    row[f] = a;
    fixed.push_back(f);
  }
  for (unsigned f = 0; f < factors.size(); ++f) {
    if (!llvm::is_contained(fixed, f)) {
      rest.push_back(f);
    }
  }
  for (size_t left = rest.size(); left > 1; --left) {
    std::swap(rest[left - 1], rest[random.below(left)]);
  }
  for (unsigned f : rest) {
    uint64_t best = 0;
    unsigned ties = 0;
    for (unsigned a = 0; a < factors[f].levels; ++a) {
      uint64_t gain = gainOfLevel(row, fixed, f, a);
      if (ties && gain < best) {
        continue;
      }
      ties = ties && gain == best ? ties + 1 : 1;
      best = gain;
      if (random.below(ties) == 0) {
        row[f] = a;
      }
    }
    fixed.push_back(f);
  }
  return row;
}

/// The (factor, level) choices of which an item consists.
std::vector<std::pair<unsigned, unsigned>> PairwiseCover::choicesOf(unsigned item) const {
  for (unsigned f = 0; f < factors.size(); ++f) {
    if (item < numLevels && item - levelBase[f] < factors[f].levels) {
      return {{f, item - levelBase[f]}};
    }
    for (unsigned g = f + 1; g < factors.size() && item >= numLevels; ++g) {
      unsigned count = factors[f].levels * factors[g].levels;
      if (item >= pairBase[f][g] && item - pairBase[f][g] < count) {
        unsigned rest = item - pairBase[f][g];
        return {{f, rest / factors[g].levels}, {g, rest % factors[g].levels}};
      }
    }
  }
  return {};
}

/// Finds an admitted row that holds `item`: the best of the enumerated ones, else by lot.
bool PairwiseCover::complete(unsigned item, CoverRow &row) {
  std::vector<std::pair<unsigned, unsigned>> choices = choicesOf(item);
  if (enumerated) {
    uint64_t best = 0;
    for (const CoverRow &candidate : admitted) {
      bool holds = llvm::all_of(
          choices, [&](auto choice) { return candidate[choice.first] == choice.second; });
      uint64_t gain = holds ? gainOf(candidate) : 0;
      if (gain > best) {
        best = gain;
        row = candidate;
      }
    }
    return best > 0;
  }
  for (unsigned attempt = 0; attempt < numCompletions; ++attempt) {
    CoverRow candidate(factors.size());
    for (unsigned f = 0; f < factors.size(); ++f) {
      candidate[f] = random.below(factors[f].levels);
    }
    for (auto [f, a] : choices) {
      candidate[f] = a;
    }
    if (accepts(candidate)) {
      row = candidate;
      return true;
    }
    ++rejected;
  }
  return false;
}

void PairwiseCover::take(const CoverRow &row) {
  for (unsigned f = 0; f < row.size(); ++f) {
    close(levelItem(f, row[f]), /*covered=*/true);
    for (unsigned g = f + 1; g < row.size(); ++g) {
      close(pairItem(f, row[f], g, row[g]), /*covered=*/true);
    }
  }
  rows.push_back(row);
}

void PairwiseCover::fill(uint64_t limit) {
  std::set<CoverRow> known(rows.begin(), rows.end());
  for (uint64_t attempt = 0; rows.size() < limit && attempt < fillAttempts * limit; ++attempt) {
    CoverRow row(factors.size());
    if (enumerated) {
      row = admitted[random.below(admitted.size())];
    } else {
      for (unsigned f = 0; f < factors.size(); ++f) {
        row[f] = random.below(factors[f].levels);
      }
    }
    if (known.insert(row).second && (enumerated || accepts(row))) {
      rows.push_back(std::move(row));
    }
  }
}

void PairwiseCover::build(uint64_t limit) {
  while (openLevels || openPairs) {
    if (rows.size() >= limit && !openLevels) {
      cut = true;
      return;
    }
    // Single levels sort before pairs, so they serve first as starting points.
    std::vector<unsigned> items;
    for (unsigned item : open.set_bits()) {
      if (items.size() && item >= numLevels && items.front() < numLevels) {
        break;
      }
      items.push_back(item);
    }
    CoverRow best;
    uint64_t bestGain = 0;
    for (unsigned n = 0; n < numCandidates; ++n) {
      CoverRow row = grow(choicesOf(items[random.below(items.size())]));
      uint64_t gain = gainOf(row);
      if (gain <= bestGain) {
        continue;
      }
      if (!accepts(row)) {
        ++rejected;
        continue;
      }
      bestGain = gain;
      best = std::move(row);
    }
    if (bestGain > 0 || complete(items.front(), best)) {
      take(best);
    } else {
      close(items.front(), /*covered=*/false);
    }
  }
}
