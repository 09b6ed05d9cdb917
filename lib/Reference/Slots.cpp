// Memory of slots, presence of strict operations, assignment under a mask.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Slots.h"

using namespace tessera;
using namespace tessera::reference;

Slot *Arena::make(DType type, bool isVector, unsigned depth) {
  Slot *slot = new (allocator.Allocate<Slot>()) Slot();
  slot->type = type;
  slot->bytes = numbers.elementSize(type);
  slot->isVector = isVector;
  slot->depth = depth;
  // Zeros are values of every type; `bool` bytes other than 0 and 1 are not, even in lanes nobody asks for.
  const size_t count = isVector ? maxLanes : 1;
  slot->data = reinterpret_cast<std::byte *>(bytes(count * 8));
  std::memset(slot->data, 0, count * 8);
  slot->mask = bytes(count);
  std::memset(slot->mask, 0, count);
  return slot;
}

namespace {
template <typename T> void fillCopies(std::byte *to, const std::byte *from, size_t count) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  T *out = reinterpret_cast<T *>(to);
  for (size_t i = 0; i < count; ++i) {
    out[i] = value;
  }
}
} // namespace

const std::byte *Arena::lanes(Slot &slot, size_t count) {
  if (slot.isVector) {
    return slot.data;
  }
  if (!slot.copies) {
    slot.copies = reinterpret_cast<std::byte *>(bytes(maxLanes * 8));
    slot.numCopies = 0;
  }
  if (slot.numCopies < count) {
    switch (slot.bytes) {
    case 1:
      fillCopies<uint8_t>(slot.copies, slot.data, count);
      break;
    case 2:
      fillCopies<uint16_t>(slot.copies, slot.data, count);
      break;
    case 4:
      fillCopies<uint32_t>(slot.copies, slot.data, count);
      break;
    default:
      fillCopies<uint64_t>(slot.copies, slot.data, count);
      break;
    }
    slot.numCopies = count;
  }
  return slot.copies;
}

void reference::intersectPresence(llvm::ArrayRef<Slot *> inputs, Slot &out, size_t count) {
  // `out` may be one of the inputs, so its own presence is changed last.
  bool mixed = false;
  for (const Slot *input : inputs) {
    if (input->presence == Presence::none) {
      out.presence = Presence::none;
      return;
    }
    mixed |= input->presence == Presence::mixed;
  }
  if (!mixed) {
    out.presence = Presence::all;
    return;
  }
  bool first = true;
  for (const Slot *input : inputs) {
    if (input->presence != Presence::mixed) {
      continue;
    }
    for (size_t i = 0; i < count; ++i) {
      out.mask[i] = first ? input->mask[i] : out.mask[i] & input->mask[i];
    }
    first = false;
  }
  out.presence = Presence::mixed;
}

void reference::assign(Machine &machine, Slot &out, Slot &from, size_t count,
                       const uint8_t *where) {
  out.changed();
  const size_t lanes = out.isVector ? count : 1;
  const size_t bytes = out.bytes;
  if (!where || !out.isVector) {
    if (from.presence != Presence::none) {
      std::memcpy(out.data, out.isVector ? machine.arena.lanes(from, lanes) : from.data,
                  lanes * bytes);
    }
    if (from.presence == Presence::mixed) {
      std::memcpy(out.mask, from.mask, lanes);
    }
    out.presence = from.presence;
    out.linear = from.isVector && from.linear;
    out.start = from.start;
    out.step = from.step;
    return;
  }
  if (from.presence != Presence::none) {
    machine.numbers.select(out.type)(where, machine.arena.lanes(from, lanes), out.data, out.data,
                                     lanes);
  }
  if (out.presence == Presence::all && from.presence == Presence::all) {
    return;
  }
  for (size_t i = 0; i < lanes; ++i) {
    out.mask[i] = where[i] ? from.isPresent(i) : out.isPresent(i);
  }
  out.presence = Presence::mixed;
}

ValuesInForce reference::valuesInForce(const IndexScope &scope, size_t lane) {
  ValuesInForce values;
  for (const auto &[name, slot] : scope) {
    values.emplace_back(name, std::to_string(slot->as<int64_t>()[slot->isVector ? lane : 0]));
  }
  return values;
}
