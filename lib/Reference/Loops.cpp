// Loops with carried values, as functions used in formulas may contain them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Steps.h"

using namespace tessera;
using namespace tessera::reference;

/// Copies `from` to `to` as if at once: a yield may be a carried value of another position.
void CarriedValues::assignAll(Machine &machine, llvm::ArrayRef<Slot *> to,
                              llvm::ArrayRef<Slot *> from, size_t count, const uint8_t *where) {
  copies.resize(std::max(copies.size(), from.size()), nullptr);
  llvm::SmallVector<Slot *> sources(from.begin(), from.end());
  for (size_t i = 0; i < from.size(); ++i) {
    if (!llvm::is_contained(to, from[i]) || to[i] == from[i]) {
      continue;
    }
    if (!copies[i] || copies[i]->type != from[i]->type ||
        copies[i]->isVector != from[i]->isVector) {
      copies[i] = machine.arena.make(from[i]->type, from[i]->isVector, from[i]->depth);
    }
    assign(machine, *copies[i], *from[i], count, nullptr);
    sources[i] = copies[i];
  }
  for (size_t i = 0; i < to.size(); ++i) {
    if (to[i] != sources[i]) {
      assign(machine, *to[i], *sources[i], count, where);
    }
  }
}

namespace {
void makeAbsent(Slot &slot, size_t lane, size_t count) {
  if (!slot.isVector) {
    slot.presence = Presence::none;
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    slot.mask[i] = i != lane && slot.isPresent(i);
  }
  slot.presence = Presence::mixed;
}
} // namespace

bool ForStep::run(Machine &machine, const Lanes &lanes) {
  const size_t count = lanes.count;
  copies.assignAll(machine, carried, inits, count, nullptr);
  const auto *los = reinterpret_cast<const int64_t *>(machine.arena.lanes(*lo, count));
  const auto *his = reinterpret_cast<const int64_t *>(machine.arena.lanes(*hi, count));
  within.resize(count);
  int64_t first = INT64_MAX, last = INT64_MIN;
  for (size_t i = 0; i < count; ++i) {
    const bool runs = (!lanes.active || lanes.active[i]) && lo->isPresent(i) && hi->isPresent(i) &&
                      los[i] < his[i];
    within[i] = runs;
    if (runs) {
      first = std::min(first, los[i]);
      last = std::max(last, his[i]);
    }
  }
  const bool uniform = !lo->isVector && !hi->isVector;
  const std::vector<uint8_t> usable = within;
  for (int64_t k = first; k < last; ++k) {
    const int64_t at = reversed ? last - 1 - (k - first) : k;
    for (size_t i = 0; i < count && !uniform; ++i) {
      within[i] = usable[i] && los[i] <= at && at < his[i];
    }
    index->setScalar(at);
    const uint8_t *active = uniform ? lanes.active : within.data();
    if (!body.run(machine, {count, active})) {
      return false;
    }
    copies.assignAll(machine, carried, yields, count, active);
  }
  // A loop whose range has no value gives none.
  for (Slot *slot : carried) {
    Slot *inputs[] = {slot, lo, hi};
    intersectPresence(inputs, *slot, slot->isVector ? count : 1);
  }
  return true;
}

bool WhileStep::run(Machine &machine, const Lanes &lanes) {
  const size_t count = lanes.count;
  copies.assignAll(machine, carried, inits, count, nullptr);
  for (Slot *slot : results) {
    slot->presence = Presence::none;
  }
  running.assign(count, 1);
  if (lanes.active) {
    running.assign(lanes.active, lanes.active + count);
  }
  while (true) {
    if (!before.run(machine, {count, running.data()})) {
      return false;
    }
    copies.assignAll(machine, results, passed, count, running.data());
    bool some = false;
    for (size_t i = 0; i < count; ++i) {
      // A lane whose condition has no value has no result either, and stops.
      if (running[i] && !condition->isPresent(i)) {
        for (Slot *slot : results) {
          makeAbsent(*slot, i, count);
        }
        running[i] = 0;
      }
      running[i] &= condition->as<uint8_t>()[condition->isVector ? i : 0];
      some |= running[i];
    }
    if (!some) {
      return true;
    }
    if (!after.run(machine, {count, running.data()})) {
      return false;
    }
    copies.assignAll(machine, carried, yields, count, running.data());
  }
}
