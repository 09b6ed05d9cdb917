// Folds and branches.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Steps.h"

using namespace tessera;
using namespace tessera::reference;

//===----------------------------------------------------------------------===//
// FoldStep
//===----------------------------------------------------------------------===//

namespace {
ReduceKind reduceKindOf(FoldOf kind) {
  switch (kind) {
  case FoldOf::prod:
    return ReduceKind::prod;
  case FoldOf::max:
    return ReduceKind::max;
  case FoldOf::min:
    return ReduceKind::min;
  default:
    return ReduceKind::sum;
  }
}

bool combinesNumbers(FoldOf kind) { return kind <= FoldOf::min; }
} // namespace

void FoldStep::finish(const NumberTable &numbers, Slot *newTerm, Slot *newOut) {
  term = newTerm;
  out = newOut;
  if (combinesNumbers(kind)) {
    kernel = numbers.combine(reduceKindOf(kind), out->type);
    select = numbers.select(out->type);
  }
}

void FoldStep::start(const NumberTable &numbers, size_t count) {
  out->presence = Presence::all;
  out->changed();
  std::byte identity[8] = {};
  if (combinesNumbers(kind)) {
    numbers.identity(reduceKindOf(kind), out->type, identity);
  } else if (kind == FoldOf::first) {
    const int64_t none = -1;
    std::memcpy(identity, &none, sizeof(none));
  } else if (kind == FoldOf::all) {
    identity[0] = std::byte{1};
  }
  const size_t bytes = out->bytes;
  for (size_t i = 0; i < count; ++i) {
    std::memcpy(out->data + i * bytes, identity, bytes);
  }
}

/// Takes the term of index `k` in, in lanes where it is present and `inRange` (null: everywhere) is 1.
void FoldStep::combine(Machine &machine, int64_t k, size_t count, const uint8_t *inRange) {
  if (term->presence == Presence::none) {
    return;
  }
  const uint8_t *where = inRange;
  if (term->presence == Presence::mixed) {
    where = term->mask;
    if (inRange) {
      mask.resize(count);
      for (size_t i = 0; i < count; ++i) {
        mask[i] = inRange[i] & term->mask[i];
      }
      where = mask.data();
    }
  }
  const std::byte *terms = out->isVector ? machine.arena.lanes(*term, count) : term->data;
  if (combinesNumbers(kind)) {
    if (!where) {
      kernel(out->data, terms, out->data, count);
      return;
    }
    scratch.resize(maxLanes * 8);
    kernel(out->data, terms, scratch.data(), count);
    select(where, scratch.data(), out->data, out->data, count);
    return;
  }
  const auto *truth = reinterpret_cast<const uint8_t *>(terms);
  for (size_t i = 0; i < count; ++i) {
    const bool present = !where || where[i];
    if (kind == FoldOf::count) {
      out->as<int64_t>()[i] += present & truth[i];
    } else if (kind == FoldOf::any) {
      out->as<uint8_t>()[i] |= present & truth[i];
    } else if (kind == FoldOf::all) {
      out->as<uint8_t>()[i] &= !present | truth[i];
    } else if (present && truth[i] && out->as<int64_t>()[i] < 0) {
      out->as<int64_t>()[i] = k;
    }
  }
}

/// The bounds depend on the lane: walks the union of the ranges, each lane active within its own.
bool FoldStep::runVarying(Machine &machine, const Lanes &lanes) {
  const size_t count = lanes.count;
  const auto *los = reinterpret_cast<const int64_t *>(machine.arena.lanes(*lo, count));
  const auto *his = reinterpret_cast<const int64_t *>(machine.arena.lanes(*hi, count));
  std::vector<uint8_t> usable(count);
  int64_t first = INT64_MAX, last = INT64_MIN;
  for (size_t i = 0; i < count; ++i) {
    usable[i] = (!lanes.active || lanes.active[i]) && lo->isPresent(i) && hi->isPresent(i) &&
                los[i] < his[i];
    if (usable[i]) {
      first = std::min(first, los[i]);
      last = std::max(last, his[i]);
    }
  }
  within.resize(count);
  for (int64_t k = first; k < last; ++k) {
    bool some = false;
    for (size_t i = 0; i < count; ++i) {
      within[i] = usable[i] && los[i] <= k && k < his[i];
      some |= within[i];
    }
    if (!some) {
      continue;
    }
    index->setScalar(k);
    if (!body.run(machine, {count, within.data()})) {
      return false;
    }
    combine(machine, k, count, within.data());
  }
  Slot *bounds[] = {lo, hi};
  intersectPresence(bounds, *out, count);
  return true;
}

bool FoldStep::run(Machine &machine, const Lanes &lanes) {
  const size_t count = out->isVector ? lanes.count : 1;
  if (lo->presence == Presence::none || hi->presence == Presence::none) {
    out->presence = Presence::none;
    out->changed();
    return true;
  }
  start(machine.numbers, count);
  if (lo->isVector || hi->isVector) {
    return runVarying(machine, lanes);
  }
  const int64_t end = hi->asIndex();
  for (int64_t k = lo->asIndex(); k < end; ++k) {
    index->setScalar(k);
    if (!body.run(machine, lanes)) {
      return false;
    }
    combine(machine, k, count, nullptr);
  }
  out->changed();
  return true;
}

//===----------------------------------------------------------------------===//
// IfStep
//===----------------------------------------------------------------------===//

bool IfStep::runMixed(Machine &machine, const Lanes &lanes) {
  const size_t count = lanes.count;
  thenActive.resize(count);
  elseActive.resize(count);
  const uint8_t *truth = condition->as<uint8_t>();
  size_t numThen = 0, numElse = 0, numActive = 0;
  for (size_t i = 0; i < count; ++i) {
    const bool active = !lanes.active || lanes.active[i];
    const bool decided = active && condition->isPresent(i);
    thenActive[i] = decided && truth[i];
    elseActive[i] = decided && !truth[i];
    numActive += active;
    numThen += thenActive[i];
    numElse += elseActive[i];
  }
  for (auto [branch, active, number] :
       {std::tuple(&then, &thenActive, numThen), {&otherwise, &elseActive, numElse}}) {
    if (number == 0) {
      continue;
    }
    // Where all active lanes agree the branch sees the same lanes, and a null mask stays null: the fast case.
    const uint8_t *mask = number == numActive ? lanes.active : active->data();
    if (!branch->steps.run(machine, {count, mask})) {
      return false;
    }
  }
  for (size_t i = 0; i < results.size(); ++i) {
    if (numThen == numActive || numElse == numActive) {
      assign(machine, *results[i], *(numThen == numActive ? then : otherwise).yields[i], count,
             nullptr);
      continue;
    }
    results[i]->presence = Presence::none;
    results[i]->changed();
    if (numThen) {
      assign(machine, *results[i], *then.yields[i], count, thenActive.data());
    }
    if (numElse) {
      assign(machine, *results[i], *otherwise.yields[i], count, elseActive.data());
    }
    if (numThen + numElse == numActive && (!numThen || then.yields[i]->presence == Presence::all) &&
        (!numElse || otherwise.yields[i]->presence == Presence::all)) {
      results[i]->presence = Presence::all;
    }
  }
  return true;
}

bool IfStep::run(Machine &machine, const Lanes &lanes) {
  if (condition->isVector && condition->presence != Presence::none) {
    return runMixed(machine, lanes);
  }
  if (condition->presence == Presence::none) {
    for (Slot *result : results) {
      result->presence = Presence::none;
      result->changed();
    }
    return true;
  }
  Branch &branch = *condition->as<uint8_t>() ? then : otherwise;
  if (!branch.steps.run(machine, lanes)) {
    return false;
  }
  for (size_t i = 0; i < results.size(); ++i) {
    assign(machine, *results[i], *branch.yields[i], results[i]->isVector ? lanes.count : 1,
           nullptr);
  }
  return true;
}
