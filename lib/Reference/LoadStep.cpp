// Reads of array elements: bounds are checked for the lanes that are asked for and whose indices are present.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Steps.h"

using namespace tessera;
using namespace tessera::reference;

namespace {
template <typename T>
void gatherStrided(const std::byte *from, int64_t stride, std::byte *to, size_t count) {
  const T *in = reinterpret_cast<const T *>(from);
  T *out = reinterpret_cast<T *>(to);
  for (size_t i = 0; i < count; ++i) {
    out[i] = in[static_cast<int64_t>(i) * stride];
  }
}

template <typename T>
void gatherOffsets(const std::byte *from, const int64_t *offsets, const uint8_t *wanted,
                   std::byte *to, size_t count) {
  const T *in = reinterpret_cast<const T *>(from);
  T *out = reinterpret_cast<T *>(to);
  if (!wanted) {
    for (size_t i = 0; i < count; ++i) {
      out[i] = in[offsets[i]];
    }
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    if (wanted[i]) {
      out[i] = in[offsets[i]];
    }
  }
}

void gatherStrided(size_t bytes, const std::byte *from, int64_t stride, std::byte *to,
                   size_t count) {
  if (stride == 1) {
    std::memcpy(to, from, count * bytes);
    return;
  }
  switch (bytes) {
  case 1:
    return gatherStrided<uint8_t>(from, stride, to, count);
  case 2:
    return gatherStrided<uint16_t>(from, stride, to, count);
  case 4:
    return gatherStrided<uint32_t>(from, stride, to, count);
  default:
    return gatherStrided<uint64_t>(from, stride, to, count);
  }
}

void gatherOffsets(size_t bytes, const std::byte *from, const int64_t *offsets,
                   const uint8_t *wanted, std::byte *to, size_t count) {
  switch (bytes) {
  case 1:
    return gatherOffsets<uint8_t>(from, offsets, wanted, to, count);
  case 2:
    return gatherOffsets<uint16_t>(from, offsets, wanted, to, count);
  case 4:
    return gatherOffsets<uint32_t>(from, offsets, wanted, to, count);
  default:
    return gatherOffsets<uint64_t>(from, offsets, wanted, to, count);
  }
}
} // namespace

bool LoadStep::failIndex(Machine &machine, unsigned axis, int64_t index, size_t lane) const {
  const int64_t extent = array->host.shape()[axis];
  if (index < 0 || index >= extent) {
    return machine.fail(checkedError(ReferenceDiag::ref_index_range, where,
                                     valuesInForce(scope, lane),
                                     "guard the read with `if`, whose branches are evaluated only "
                                     "where they are taken, or correct the index",
                                     index, axis, array->name, extent));
  }
  return machine.fail(
      checkedError(ReferenceDiag::ref_not_computed, where, valuesInForce(scope, lane),
                   "read earlier elements only, at a constant distance along that axis", index,
                   axis, array->name, array->descending ? "down" : "up", array->current));
}

bool LoadStep::checkIndex(Machine &machine, unsigned axis, int64_t index, size_t lane) const {
  bool ok = index >= 0 && index < array->host.shape()[axis];
  if (ok && array->isRecurrence && axis == array->axis) {
    ok = array->descending ? index > array->current : index < array->current;
  }
  return ok || failIndex(machine, axis, index, lane);
}

/// Where elements go as they lie in memory.
std::byte *LoadStep::memoryFor() {
  if (!array->load) {
    return out->data;
  }
  native.resize(maxLanes * 8);
  return native.data();
}

/// From memory to the number system, if they differ.
void LoadStep::convert(size_t count) {
  if (array->load) {
    array->load(native.data(), out->data, count);
  }
}

/// Every index is a progression over the lanes and every lane is wanted: the ends decide for all.
bool LoadStep::runProgression(Machine &machine, size_t count, bool &done) {
  int64_t offset = 0, stride = 0;
  const int64_t last = static_cast<int64_t>(count) - 1;
  done = false;
  for (unsigned axis = 0; axis < indices.size(); ++axis) {
    int64_t start = 0, step = 0, end = 0;
    if (!indices[axis]->progression(start, step) || llvm::MulOverflow(step, last, end) ||
        llvm::AddOverflow(start, end, end)) {
      return true;
    }
    if (!checkIndex(machine, axis, start, 0) || !checkIndex(machine, axis, end, last)) {
      return false;
    }
    offset += start * array->host.strides()[axis];
    stride += step * array->host.strides()[axis];
  }
  done = true;
  gatherStrided(array->host.elementBytes(), array->host.atOffset(offset), stride, memoryFor(),
                count);
  convert(count);
  out->presence = Presence::all;
  if (!array->presence.empty()) {
    gatherStrided<uint8_t>(reinterpret_cast<const std::byte *>(array->presence.data()) + offset,
                           stride, reinterpret_cast<std::byte *>(out->mask), count);
    out->presence = out->isVector ? Presence::mixed : out->mask[0] ? Presence::all : Presence::none;
  }
  return true;
}

/// Adds the vector index of an axis to the offsets, after a check of the wanted lanes.
bool LoadStep::addVectorIndex(Machine &machine, unsigned axis, size_t count, const uint8_t *where) {
  const int64_t *index = indices[axis]->as<int64_t>();
  const int64_t stride = array->host.strides()[axis];
  int64_t lo = 0, hi = array->host.shape()[axis];
  if (array->isRecurrence && axis == array->axis) {
    (array->descending ? lo : hi) = array->descending ? array->current + 1 : array->current;
  }
  uint8_t outside = 0;
  for (size_t i = 0; i < count; ++i) {
    outside |= (index[i] < lo || index[i] >= hi) & (where ? where[i] : 1);
  }
  if (outside) {
    for (size_t i = 0; i < count; ++i) {
      if ((!where || where[i]) && !checkIndex(machine, axis, index[i], i)) {
        return false;
      }
    }
  }
  for (size_t i = 0; i < count; ++i) {
    offsets[i] +=
        static_cast<int64_t>(static_cast<uint64_t>(index[i]) * static_cast<uint64_t>(stride));
  }
  return true;
}

bool LoadStep::runLanes(Machine &machine, const Lanes &lanes) {
  const size_t count = out->isVector ? lanes.count : 1;
  const uint8_t *where = nullptr;
  if (out->isVector && (lanes.active || out->presence == Presence::mixed)) {
    wanted.resize(count);
    bool some = false;
    for (size_t i = 0; i < count; ++i) {
      wanted[i] = (!lanes.active || lanes.active[i]) && out->isPresent(i);
      some |= wanted[i];
    }
    if (!some) {
      out->presence = Presence::none;
      return true;
    }
    where = wanted.data();
  }
  int64_t base = 0;
  for (unsigned axis = 0; axis < indices.size(); ++axis) {
    if (!indices[axis]->isVector) {
      if (!checkIndex(machine, axis, indices[axis]->asIndex(), 0)) {
        return false;
      }
      base += indices[axis]->asIndex() * array->host.strides()[axis];
    }
  }
  offsets.assign(count, base);
  for (unsigned axis = 0; axis < indices.size(); ++axis) {
    if (indices[axis]->isVector && !addVectorIndex(machine, axis, count, where)) {
      return false;
    }
  }
  gatherOffsets(array->host.elementBytes(), array->host.data(), offsets.data(), where, memoryFor(),
                count);
  convert(count);
  if (array->presence.empty()) {
    return true;
  }
  for (size_t i = 0; i < count; ++i) {
    out->mask[i] = where && !where[i] ? 0 : array->presence[offsets[i]];
  }
  out->presence = out->isVector ? Presence::mixed : out->mask[0] ? Presence::all : Presence::none;
  return true;
}

bool LoadStep::run(Machine &machine, const Lanes &lanes) {
  const size_t count = out->isVector ? lanes.count : 1;
  intersectPresence(indices, *out, count);
  out->changed();
  if (out->presence == Presence::none) {
    return true;
  }
  if (out->presence == Presence::all && (!lanes.active || !out->isVector)) {
    bool done = false;
    if (!runProgression(machine, count, done)) {
      return false;
    }
    if (done) {
      return true;
    }
  }
  return runLanes(machine, lanes);
}
