// Clocks: epochs, and the common tables within one.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Races.h"

#include "tessera/Support/Mutants.h"

#include "llvm/ADT/SmallPtrSet.h"

#include <algorithm>

using namespace tessera::sim;

void Clocks::startCta(unsigned threads) {
  last = times.empty() ? last : std::max(last, *std::max_element(times.begin(), times.end()));
  start = epoch = ++last;
  times.assign(threads, epoch);
  known.assign(threads, nullptr);
  published.clear();
}

void Clocks::barrierOfAll() {
  last = std::max(last, *std::max_element(times.begin(), times.end()));
  epoch = TESSERA_MUTANT(320, "a barrier of the CTA orders nothing", ++last, 0);
  std::fill(times.begin(), times.end(), epoch);
  std::fill(known.begin(), known.end(), nullptr);
  published.clear();
}

void Clocks::barrier(llvm::ArrayRef<unsigned> threads) {
  if (TESSERA_MUTANT(319, "a barrier of some orders all", threads.size() == times.size(), true)) {
    barrierOfAll();
    return;
  }
  auto common = std::make_shared<Table>(times.size(), 0);
  llvm::SmallPtrSet<Table *, 8> seen;
  for (unsigned thread : threads) {
    Table *table = known[thread].get();
    if (table && seen.insert(table).second) {
      for (size_t i = 0; i < table->size(); ++i) {
        (*common)[i] = std::max((*common)[i], (*table)[i]);
      }
    }
  }
  for (unsigned thread : threads) {
    (*common)[thread] = TESSERA_MUTANT(318, "a barrier of some orders nothing", times[thread]++, 0);
    known[thread] = common;
  }
}

std::shared_ptr<Clocks::Table> Clocks::join(const std::shared_ptr<Table> &a,
                                            const std::shared_ptr<Table> &b) {
  if (!a || a == b) {
    return b;
  }
  if (!b) {
    return a;
  }
  auto both = std::make_shared<Table>(*a);
  for (size_t i = 0; i < both->size(); ++i) {
    (*both)[i] = std::max((*both)[i], (*b)[i]);
  }
  return both;
}

void Clocks::release(unsigned thread, uintptr_t address) {
  auto own = known[thread] ? std::make_shared<Table>(*known[thread])
                           : std::make_shared<Table>(times.size(), 0);
  (*own)[thread] = times[thread]++;
  std::shared_ptr<Table> &place = published[address];
  place = join(place, own);
}

void Clocks::acquire(unsigned thread, uintptr_t address) {
  auto place = published.find(address);
  if (place != published.end()) {
    known[thread] = join(known[thread], place->second);
  }
}
