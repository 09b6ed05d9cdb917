// Reductions: bit by bit of the position along the axis, in registers, over lanes, over warps.
//
// A tree pairs positions i and i + w/2: the highest bit of the position first. Where a bit is one of the lane's
// number and a thread still holds several partial results, lanes first share them out: each gives away half and keeps
// half, so that later steps have less to exchange; the bits that were shared out are then combined over lanes in
// their turn. Every pair that is combined is one of the tree, so no bit of the result changes. Warps: ReducerWarps.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reducer.h"

#include "tessera/Support/Mutants.h"

#include "llvm/Support/MathExtras.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::SmallVector;
using tile::DistMode;
using tile::Place;

bool Reducer::readBits() {
  int64_t covered = 1;
  SmallVector<DistMode> modes;
  for (Place place : {Place::reg, Place::lane, Place::warp}) {
    int64_t below = 1;
    for (const DistMode &mode : x.dist.modes(place)) {
      if (mode.axis == int64_t(axis)) {
        bool isBits = llvm::isPowerOf2_64(mode.extent) && llvm::isPowerOf2_64(below);
        if (place != Place::reg && !isBits) {
          return false;
        }
        if (!llvm::isPowerOf2_64(mode.stride) && (isTree || place != Place::reg)) {
          return false;
        }
        int64_t number = place == Place::reg ? 1 : below;
        for (int64_t step = 1; step < mode.extent; step *= 2) {
          bits.push_back({mode.stride * step, place, number * step});
        }
        covered = std::max(covered, mode.stride * mode.extent);
      }
      below *= mode.extent;
    }
  }
  auto rank = [](Place place) { return place == Place::reg ? 0 : place == Place::lane ? 1 : 2; };
  llvm::sort(bits, [&](const PositionBit &a, const PositionBit &c) {
    if (!isTree && a.place != c.place) {
      return rank(a.place) < rank(c.place);
    }
    return TESSERA_MUTANT(470, "a tree begins with neighbours", a.value > c.value,
                          a.value < c.value);
  });
  for (size_t i = 1; isTree && i < bits.size(); ++i) {
    if (bits[i].value == bits[i - 1].value) {
      return false;
    }
  }
  return true;
}

/// With what a thread has whose number differs by a bit: the thread without the bit has the lower positions.
llvm::Expected<State> Reducer::withPartner(const State &mine, const State &theirs,
                                           llvm::Value *number, int64_t mask) {
  if (!keepsSides) {
    return combine(mine, theirs);
  }
  llvm::Value *isHigh = l.b.CreateICmpNE(l.b.CreateAnd(number, l.i32(mask)), l.i32(0));
  State low, high;
  for (auto [a, c] : llvm::zip(mine, theirs)) {
    low.push_back(l.b.CreateSelect(isHigh, c, a));
    high.push_back(l.b.CreateSelect(isHigh, a, c));
  }
  return TESSERA_MUTANT(471, "a reduction mixes its sides", combine(low, high),
                        combine(mine, theirs));
}

State Reducer::exchanged(const State &state, int64_t mask) {
  State other;
  for (llvm::Value *value : state) {
    int64_t lanes =
        TESSERA_MUTANT(472, "lanes exchange with a wrong neighbour", mask, (mask == 1 ? 2 : mask));
    other.push_back(l.shuffled(value, l.i32(lanes), /*isXor=*/true));
  }
  return other;
}

llvm::Error Reducer::overRegisters(Partials &partials, int64_t value) {
  if (auto lanes = sharedOut.find(value); lanes != sharedOut.end()) {
    for (auto &[position, state] : partials) {
      llvm::Expected<State> sum =
          withPartner(state, exchanged(state, lanes->second), l.lane(), lanes->second);
      if (!sum) {
        return sum.takeError();
      }
      state = std::move(*sum);
    }
    return llvm::Error::success();
  }
  Partials next;
  for (auto &[position, state] : partials) {
    if (!(position & value)) {
      next[position] = std::move(state);
      continue;
    }
    auto partner = next.find(position - value);
    if (partner == next.end()) {
      next[position - value] = std::move(state);
      continue;
    }
    llvm::Expected<State> sum = combine(partner->second, state);
    if (!sum) {
      return sum.takeError();
    }
    partner->second = std::move(*sum);
  }
  partials = std::move(next);
  return llvm::Error::success();
}

/// The highest bit by which partial results of a thread differ, all of them in pairs; 0 where there is none.
int64_t Reducer::topBit(const Partials &partials) const {
  int64_t top = int64_t(llvm::bit_floor(uint64_t(partials.rbegin()->first)));
  for (const auto &[position, state] : partials) {
    if (top == 0 || !partials.count(position ^ top)) {
      return 0;
    }
  }
  return top;
}

llvm::Error Reducer::overLanes(Partials &partials, const PositionBit &bit) {
  int64_t top = partials.size() > 1 ? topBit(partials) : 0;
  if (top == 0) {
    for (auto &[position, state] : partials) {
      llvm::Expected<State> sum =
          withPartner(state, exchanged(state, bit.mask), l.lane(), bit.mask);
      if (!sum) {
        return sum.takeError();
      }
      state = std::move(*sum);
    }
    return llvm::Error::success();
  }
  llvm::Value *isHigh = l.b.CreateICmpNE(l.b.CreateAnd(l.lane(), l.i32(bit.mask)), l.i32(0));
  Partials next;
  for (auto &[position, low] : partials) {
    if (position & top) {
      continue;
    }
    const State &high = partials.at(position | top);
    State kept, given;
    for (auto [a, c] : llvm::zip(low, high)) {
      kept.push_back(l.b.CreateSelect(isHigh, c, a));
      given.push_back(l.b.CreateSelect(isHigh, a, c));
    }
    llvm::Expected<State> sum = withPartner(kept, exchanged(given, bit.mask), l.lane(), bit.mask);
    if (!sum) {
      return sum.takeError();
    }
    next[position] = std::move(*sum);
  }
  partials = std::move(next);
  sharedOut[top] = bit.mask;
  return llvm::Error::success();
}

llvm::Expected<State> Reducer::reduce(std::map<int64_t, State> partials) {
  sharedOut.clear();
  sharedOutWarps.clear();
  if (!isTree) { // any order: first what the thread has
    State total = partials.begin()->second;
    for (auto it = std::next(partials.begin()); it != partials.end(); ++it) {
      llvm::Expected<State> sum = combine(total, it->second);
      if (!sum) {
        return sum.takeError();
      }
      total = std::move(*sum);
    }
    partials.clear();
    partials[0] = std::move(total);
  }
  for (size_t i = 0; i < bits.size();) {
    const PositionBit &bit = bits[i];
    SmallVector<int64_t> masks;
    if (size_t run = runOfWarps(i, masks)) {
      if (llvm::Error error = overWarps(partials, masks, bit.place == Place::warp)) {
        return std::move(error);
      }
      i += run;
      continue;
    }
    ++i;
    if (!isTree && bit.place == Place::reg) {
      continue;
    }
    if (llvm::Error error = bit.place == Place::lane ? overLanes(partials, bit)
                                                     : overRegisters(partials, bit.value)) {
      return std::move(error);
    }
  }
  return partials.begin()->second;
}
