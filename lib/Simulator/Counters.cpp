// Grouping lanes into accesses of a warp; banks and sectors.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Counters.h"

#include "tessera/Support/Mutants.h"

#include "llvm/ADT/bit.h"

#include <algorithm>

using namespace tessera::sim;

BankCost tessera::sim::bankCost(const WarpAccess &access, unsigned bytes) {
  constexpr unsigned banks = 32, wordBytes = 4;
  unsigned lanesOfPhase =
      bytes <= 4 ? 32
                 : TESSERA_MUTANT(313, "vectors are served in one phase", bytes <= 8 ? 16 : 8, 16);
  BankCost cost;
  for (unsigned first = 0; first < 32; first += lanesOfPhase) {
    // At most 32 different words meet in a phase when each lane moves 4 bytes or its share of 128.
    uint32_t words[banks][33];
    unsigned counts[banks] = {};
    unsigned degree = 0;
    for (unsigned lane = first; lane < first + lanesOfPhase; ++lane) {
      if (!(access.active >> lane & 1)) {
        continue;
      }
      uint32_t begin = access.addresses[lane] / wordBytes;
      uint32_t end = (access.addresses[lane] + bytes - 1) / wordBytes;
      for (uint32_t word = begin; word <= end; ++word) {
        unsigned bank = word % banks;
        uint32_t *known = words[bank];
        if (TESSERA_MUTANT(314, "lanes with one word do not share",
                           std::find(known, known + counts[bank], word) == known + counts[bank],
                           true)) {
          known[counts[bank]++] = word;
          degree = std::max(degree, counts[bank]);
        }
      }
    }
    cost.wavefronts += degree;
    cost.ideal += degree > 0;
    cost.degree = std::max(cost.degree, degree);
  }
  return cost;
}

SectorCost tessera::sim::sectorCost(const WarpAccess &access, unsigned bytes) {
  constexpr unsigned sectorBytes = 32;
  uint64_t starts[32];
  unsigned lanes = 0;
  bool isSorted = true;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (access.active >> lane & 1) {
      starts[lanes] = access.addresses[lane];
      isSorted &= lanes == 0 || starts[lanes - 1] <= starts[lanes];
      ++lanes;
    }
  }
  if (!isSorted) {
    std::sort(starts, starts + lanes);
  }
  // Ascending, so what a lane adds lies behind what the lanes before it have.
  SectorCost cost;
  uint64_t covered = 0, end = 0, nextSector = 0;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    uint64_t stop = starts[lane] + bytes;
    covered += stop - std::min(stop, std::max(starts[lane], end));
    end = std::max(end, stop);
    uint64_t first = std::max(nextSector, starts[lane] / sectorBytes);
    uint64_t after = TESSERA_MUTANT(315, "an access has one sector", (stop - 1) / sectorBytes + 1,
                                    nextSector + 1);
    cost.sectors += unsigned(after - std::min(after, first));
    nextSector = std::max(nextSector, after);
  }
  cost.ideal = unsigned((covered + sectorBytes - 1) / sectorBytes);
  return cost;
}

void Counters::startLaunch(size_t sites) {
  totals.assign(sites, {});
  opens.clear();
  threads = warps = 0;
}

void Counters::startCta(unsigned newThreads, bool isCounted) {
  isCounting = isCounted;
  if (!isCounted) {
    return;
  }
  threads = newThreads;
  unsigned newWarps = (threads + 31) / 32;
  if (newWarps != warps || opens.empty()) {
    warps = newWarps;
    opens.assign(totals.size() * warps, {});
    isTouched.assign(opens.size(), false);
    touched.clear();
  }
}

void Counters::add(const Site &site, unsigned thread, uint64_t address, bool active) {
  unsigned warp = thread / 32, lane = thread % 32;
  size_t slot = size_t(site.number) * warps + warp;
  Open &open = opens[slot];
  if (!isTouched[slot]) {
    isTouched[slot] = true;
    touched.push_back(uint32_t(slot));
  }
  uint32_t execution =
      TESSERA_MUTANT(316, "lanes count together by arrival", open.executions[lane]++, open.first);
  if (execution < open.first) {
    // The others of the warp were so far ahead that the access was counted without this lane.
    return;
  }
  while (execution - open.first >= window) {
    pop(site, open);
  }
  size_t at = open.begin + (execution - open.first);
  if (at >= open.accesses.size()) {
    open.accesses.resize(at + 1);
  }
  WarpAccess &access = open.accesses[at];
  access.arrived |= 1u << lane;
  access.active |= uint32_t(active) << lane;
  access.addresses[lane] = uint32_t(address);
  unsigned lanes = std::min(32u, threads - warp * 32);
  uint32_t all = lanes == 32 ? ~0u : (1u << lanes) - 1;
  while (!open.empty() && open.accesses[open.begin].arrived == all) {
    pop(site, open);
  }
}

void Counters::pop(const Site &site, Open &open) {
  if (open.begin < open.accesses.size()) {
    finish(site, open.accesses[open.begin]);
    ++open.begin;
  }
  ++open.first;
  if (open.empty()) {
    open.accesses.clear();
    open.begin = 0;
  } else if (open.begin >= window) {
    open.accesses.erase(open.accesses.begin(), open.accesses.begin() + open.begin);
    open.begin = 0;
  }
}

void Counters::finish(const Site &site, const WarpAccess &access) {
  if (!access.active) {
    return;
  }
  SiteCounters &total = totals[site.number];
  ++total.warpExecutions;
  if (site.space == Space::shared) {
    BankCost cost = bankCost(access, site.bytes);
    total.wavefronts += cost.wavefronts;
    total.idealWavefronts += cost.ideal;
    total.degree = std::max<uint64_t>(total.degree, cost.degree);
  } else if (site.space == Space::global) {
    SectorCost cost = sectorCost(access, site.bytes);
    total.sectors += cost.sectors;
    total.idealSectors += cost.ideal;
  }
}

void Counters::finishCta(llvm::ArrayRef<Site> sites) {
  for (uint32_t slot : touched) {
    Open &open = opens[slot];
    const Site &site = sites[slot / warps];
    while (!open.empty()) {
      pop(site, open);
    }
    open.first = 0;
    std::fill(std::begin(open.executions), std::end(open.executions), 0);
    isTouched[slot] = false;
  }
  touched.clear();
}
