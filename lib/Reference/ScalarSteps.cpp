// Steps that compute lanes from the same lanes of their operands.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Steps.h"

using namespace tessera;
using namespace tessera::reference;

namespace {
uint64_t wrap(int64_t value) { return static_cast<uint64_t>(value); }
} // namespace

void ElementwiseStep::carryProgression() {
  int64_t a = 0, da = 0, b = 0, db = 0;
  if (!inputs[0]->progression(a, da) || !inputs[1]->progression(b, db)) {
    return;
  }
  switch (progression) {
  case Progression::none:
    return;
  case Progression::add:
    out->start = static_cast<int64_t>(wrap(a) + wrap(b));
    out->step = static_cast<int64_t>(wrap(da) + wrap(db));
    break;
  case Progression::sub:
    out->start = static_cast<int64_t>(wrap(a) - wrap(b));
    out->step = static_cast<int64_t>(wrap(da) - wrap(db));
    break;
  case Progression::mul:
    if (da != 0 && db != 0) {
      return;
    }
    out->start = static_cast<int64_t>(wrap(a) * wrap(b));
    out->step = static_cast<int64_t>(da ? wrap(da) * wrap(b) : wrap(a) * wrap(db));
    break;
  }
  out->linear = true;
}

bool ElementwiseStep::run(Machine &machine, const Lanes &lanes) {
  const size_t count = out->isVector ? lanes.count : 1;
  intersectPresence(inputs, *out, count);
  out->changed();
  if (out->presence == Presence::none) {
    return true;
  }
  const void *data[3] = {};
  for (size_t i = 0; i < inputs.size(); ++i) {
    data[i] = out->isVector ? machine.arena.lanes(*inputs[i], count) : inputs[i]->data;
  }
  if (auto *f = std::get_if<Kernel2>(&function)) {
    (*f)(data[0], data[1], out->data, count);
    if (progression != Progression::none && out->isVector) {
      carryProgression();
    }
  } else if (auto *f = std::get_if<Kernel1>(&function)) {
    (*f)(data[0], out->data, count);
  } else if (auto *f = std::get_if<CastKernel>(&function)) {
    (*f)(data[0], out->data, count);
  } else if (auto *f = std::get_if<Kernel3>(&function)) {
    (*f)(data[0], data[1], data[2], out->data, count);
  } else {
    std::get<SelectKernel>(function)(static_cast<const uint8_t *>(data[0]), data[1], data[2],
                                     out->data, count);
  }
  return true;
}

bool FillAbsentStep::run(Machine &machine, const Lanes &lanes) {
  const size_t count = out->isVector ? lanes.count : 1;
  out->presence = Presence::none;
  assign(machine, *out, *fill, count, nullptr);
  if (x->presence == Presence::none) {
    return true;
  }
  assign(machine, *out, *x, count, x->presence == Presence::mixed ? x->mask : nullptr);
  if (fill->presence == Presence::all) {
    out->presence = Presence::all;
  }
  return true;
}

bool PresentStep::run(Machine &machine, const Lanes &lanes) {
  const size_t count = out->isVector ? lanes.count : 1;
  for (size_t i = 0; i < count; ++i) {
    out->as<uint8_t>()[i] = x->isPresent(i);
  }
  out->presence = Presence::all;
  out->changed();
  return true;
}

bool KeepIfStep::run(Machine &machine, const Lanes &lanes) {
  const size_t count = out->isVector ? lanes.count : 1;
  assign(machine, *out, *x, count, nullptr);
  if (out->presence == Presence::none) {
    return true;
  }
  bool some = false;
  for (size_t i = 0; i < count; ++i) {
    const bool keep =
        condition->isPresent(i) && condition->as<uint8_t>()[condition->isVector ? i : 0];
    out->mask[i] = keep && x->isPresent(i);
    some |= out->mask[i];
  }
  // A scalar is present or not, so that its readers need no mask.
  out->presence = out->isVector ? Presence::mixed : some ? Presence::all : Presence::none;
  return true;
}

namespace {
// philox4x32-10: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011, section 3.3.
void philox(uint64_t key, uint64_t low, uint64_t high, uint32_t (&words)[4]) {
  uint32_t k0 = static_cast<uint32_t>(key), k1 = static_cast<uint32_t>(key >> 32);
  uint32_t c[4] = {static_cast<uint32_t>(low), static_cast<uint32_t>(low >> 32),
                   static_cast<uint32_t>(high), static_cast<uint32_t>(high >> 32)};
  for (int round = 0; round < 10; ++round) {
    const uint64_t p0 = uint64_t{0xD2511F53u} * c[0], p1 = uint64_t{0xCD9E8D57u} * c[2];
    const uint32_t next[4] = {
        static_cast<uint32_t>(p1 >> 32) ^ c[1] ^ k0, static_cast<uint32_t>(p1),
        static_cast<uint32_t>(p0 >> 32) ^ c[3] ^ k1, static_cast<uint32_t>(p0)};
    std::memcpy(c, next, sizeof(c));
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  std::memcpy(words, c, sizeof(c));
}
} // namespace

bool PhiloxStep::run(Machine &machine, const Lanes &lanes) {
  Slot *first = words.front();
  const size_t count = first->isVector ? lanes.count : 1;
  for (Slot *word : words) {
    Slot *inputs[] = {seed, offset, index};
    intersectPresence(inputs, *word, count);
    word->changed();
  }
  for (size_t i = 0; i < count; ++i) {
    uint32_t result[4];
    philox(seed->as<uint64_t>()[seed->isVector ? i : 0],
           index->as<uint64_t>()[index->isVector ? i : 0],
           offset->as<uint64_t>()[offset->isVector ? i : 0], result);
    for (unsigned w = 0; w < 4; ++w) {
      words[w]->as<uint32_t>()[i] = result[w];
    }
  }
  return true;
}

bool AssertStep::run(Machine &machine, const Lanes &lanes) {
  for (size_t i = 0; i < lanes.count; ++i) {
    if ((lanes.active && !lanes.active[i]) || !condition->isPresent(i)) {
      continue;
    }
    if (!condition->as<uint8_t>()[condition->isVector ? i : 0]) {
      return machine.fail(checkedError(ReferenceDiag::ref_assert, where, valuesInForce(scope, i),
                                       "correct the inputs, or the condition", text));
    }
  }
  return true;
}

bool RequireStep::run(Machine &machine, const Lanes &) {
  const bool absent = condition->presence != Presence::all;
  if (absent || !*condition->as<uint8_t>()) {
    machine.violations.push_back({where, text, absent});
  }
  return true;
}
