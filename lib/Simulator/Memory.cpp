// Arrays as regions of addresses, gaps between their elements, and shared memory.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Memory.h"

#include "tessera/Support/Mutants.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstring>
#include <numeric>

using namespace tessera;
using namespace tessera::sim;

static llvm::Error regionError(const MemoryRegion &region, const llvm::Twine &what) {
  return llvm::createStringError("array `" + region.name + "` of a simulated launch: " + what);
}

llvm::Expected<Region> Region::get(const MemoryRegion &described) {
  Region region;
  region.described = described;
  if (described.shape.size() != described.strides.size()) {
    return regionError(described, "give one stride for each axis");
  }
  if (described.elementBytes == 0 || described.elementBytes > 16) {
    return regionError(described, "an element has 1 to 16 bytes");
  }
  int64_t below = 0, above = 0;
  bool isEmpty = false;
  for (auto [extent, stride] : llvm::zip(described.shape, described.strides)) {
    if (extent < 0) {
      return regionError(described, "extents are not negative");
    }
    if (extent == 0) {
      isEmpty = true;
      continue;
    }
    int64_t reach;
    if (llvm::MulOverflow(extent - 1, stride, reach) || std::abs(reach) > (int64_t(1) << 40) ||
        std::abs(above) > (int64_t(1) << 44) || std::abs(below) > (int64_t(1) << 44)) {
      return regionError(described, "it spans too many addresses to be tracked");
    }
    (reach < 0 ? below : above) += reach;
  }
  unsigned width = described.elementBytes;
  auto base = reinterpret_cast<uintptr_t>(described.base);
  uint64_t slots = isEmpty ? 0 : uint64_t(above - below + 1);
  region.low = isEmpty ? base : base + uintptr_t(below * int64_t(width));
  region.high = region.low + slots * width;
  region.shift = llvm::isPowerOf2_64(width) ? int(llvm::Log2_64(width)) : -1;
  if (llvm::Error error = region.markElements(slots)) {
    return std::move(error);
  }
  if (region.isWritable() && slots) {
    llvm::Expected<std::shared_ptr<HostMemory>> memory = HostMemory::reserve(slots * sizeof(Cell));
    if (!memory) {
      return regionError(described, "no memory to track it: " + llvm::toString(memory.takeError()));
    }
    region.shadow = std::move(*memory);
  }
  return region;
}

/// Sets `isDense`, and `elements` where there are gaps.
llvm::Error Region::markElements(uint64_t slots) {
  uint64_t count = 1;
  for (auto [extent, stride] : llvm::zip(described.shape, described.strides)) {
    // A stride of zero repeats.
    count = stride == 0 && extent > 0 ? count : count * uint64_t(extent);
  }
  // Axes in the order of their strides, each a multiple of what the smaller ones fill: no gaps, no bitmap.
  llvm::SmallVector<unsigned, 4> axes(described.shape.size());
  std::iota(axes.begin(), axes.end(), 0);
  llvm::sort(axes, [&](unsigned a, unsigned b) {
    return std::abs(described.strides[a]) < std::abs(described.strides[b]);
  });
  int64_t filled = 1;
  isDense = true;
  for (unsigned axis : axes) {
    if (described.shape[axis] <= 1 || described.strides[axis] == 0) {
      continue;
    }
    isDense &= std::abs(described.strides[axis]) <= filled;
    filled += std::abs(described.strides[axis]) * (described.shape[axis] - 1);
  }
  if (isDense || slots == 0) {
    return llvm::Error::success();
  }
  if (count > (uint64_t(1) << 28) || slots > (uint64_t(1) << 33)) {
    return regionError(described, "too many elements with gaps between them to be tracked");
  }
  elements.assign((slots + 63) / 64, 0);
  llvm::SmallVector<int64_t, 4> index(described.shape.size(), 0);
  auto base = int64_t(reinterpret_cast<uintptr_t>(described.base) - low) / described.elementBytes;
  for (;;) {
    int64_t slot = base;
    for (size_t axis = 0; axis < index.size(); ++axis) {
      slot += index[axis] * described.strides[axis];
    }
    elements[slot / 64] |= uint64_t(1) << (slot % 64);
    size_t axis = 0;
    for (; axis < index.size(); ++axis) {
      bool moves = described.strides[axis] != 0 && ++index[axis] < described.shape[axis];
      if (moves) {
        break;
      }
      index[axis] = 0;
    }
    if (axis == index.size()) {
      return llvm::Error::success();
    }
  }
}

bool Region::coversElements(uintptr_t address, unsigned bytes) const {
  for (uint64_t slot = slotOf(address), last = slotOf(address + bytes - 1); slot <= last; ++slot) {
    if (TESSERA_MUTANT(317, "gaps belong to the array", !(elements[slot / 64] >> (slot % 64) & 1),
                       false)) {
      return false;
    }
  }
  return true;
}

/// Largest strides first; right where strides nest, a hint elsewhere.
llvm::SmallVector<int64_t, 4> Region::nearest(uintptr_t address, bool &exact) const {
  llvm::SmallVector<int64_t, 4> index(described.shape.size(), 0);
  llvm::SmallVector<unsigned, 4> axes(index.size());
  std::iota(axes.begin(), axes.end(), 0);
  llvm::sort(axes, [&](unsigned a, unsigned b) {
    return std::abs(described.strides[a]) > std::abs(described.strides[b]);
  });
  int64_t offset = int64_t(address) - int64_t(low);
  int64_t left = offset >= 0 ? offset / described.elementBytes : 0;
  for (unsigned axis : axes) {
    int64_t stride = std::abs(described.strides[axis]), extent = described.shape[axis];
    if (stride == 0 || extent <= 0) {
      continue;
    }
    int64_t steps = std::min(left / stride, extent - 1);
    left -= steps * stride;
    index[axis] = described.strides[axis] > 0 ? steps : extent - 1 - steps;
  }
  exact = offset >= 0 && left == 0 && covers(address, 1);
  return index;
}

std::string Region::elementText(uintptr_t address) const {
  bool exact = false;
  llvm::SmallVector<int64_t, 4> index = nearest(address, exact);
  std::string text = exact ? "`" : "near `";
  text += described.name + "[";
  for (size_t axis = 0; axis < index.size(); ++axis) {
    text += (axis ? ", " : "") + std::to_string(index[axis]);
  }
  return text + "]`";
}

uint64_t Region::distance(uintptr_t address) const {
  return address < low ? low - address : address >= high ? address - high + 1 : 0;
}

llvm::Error GlobalMemory::setUp(llvm::ArrayRef<MemoryRegion> described) {
  regions.clear();
  for (const MemoryRegion &region : described) {
    llvm::Expected<Region> made = Region::get(region);
    if (!made) {
      return made.takeError();
    }
    regions.push_back(std::move(*made));
  }
  return llvm::Error::success();
}

std::vector<std::vector<bool>> GlobalMemory::written() const {
  std::vector<std::vector<bool>> all;
  for (const Region &region : regions) {
    std::vector<bool> &flags = all.emplace_back();
    const MemoryRegion &desc = region.desc();
    const Cell *cells = region.cells();
    bool isEmpty = llvm::is_contained(desc.shape, 0);
    if (!cells || isEmpty) {
      continue;
    }
    llvm::SmallVector<int64_t, 4> index(desc.shape.size(), 0);
    while (true) {
      int64_t offset = 0;
      for (auto [at, stride] : llvm::zip(index, desc.strides)) {
        offset += at * stride;
      }
      auto address = reinterpret_cast<uintptr_t>(desc.base) + offset * int64_t(desc.elementBytes);
      flags.push_back(cells[region.slotOf(address)].write != 0);
      size_t axis = index.size();
      while (axis > 0 && ++index[axis - 1] == desc.shape[axis - 1]) {
        index[--axis] = 0;
      }
      if (axis == 0) {
        break;
      }
    }
  }
  return all;
}

const Region *GlobalMemory::search(uintptr_t address, unsigned bytes, bool writes,
                                   uint32_t &hint) const {
  const Region *found = nullptr;
  for (uint32_t i = 0; i < regions.size(); ++i) {
    if (!regions[i].covers(address, bytes)) {
      continue;
    }
    if (!found || !found->isWritable()) {
      found = &regions[i];
      hint = i;
    }
  }
  if (found && writes && !found->isWritable()) {
    hint = UINT32_MAX;
  }
  return found;
}

const Region *GlobalMemory::closest(uintptr_t address) const {
  const Region *best = nullptr;
  for (const Region &region : regions) {
    if (!best || region.distance(address) < best->distance(address)) {
      best = &region;
    }
  }
  return best;
}

llvm::Error SharedMemory::allocate(unsigned granule) {
  shift = llvm::Log2_32(granule);
  llvm::Expected<std::shared_ptr<HostMemory>> data = HostMemory::reserve(capacity + alignment);
  if (!data) {
    return data.takeError();
  }
  llvm::Expected<std::shared_ptr<HostMemory>> cells =
      HostMemory::reserve((capacity >> shift) * sizeof(Cell));
  if (!cells) {
    return cells.takeError();
  }
  memory = std::move(*data);
  shadow = std::move(*cells);
  begin = reinterpret_cast<char *>(
      llvm::alignTo(reinterpret_cast<uintptr_t>(memory->data()), alignment));
  return llvm::Error::success();
}

void SharedMemory::startLaunch(uint64_t size) {
  bytes = size;
  uint64_t slots = (size + (uint64_t(1) << shift) - 1) >> shift;
  std::memset(static_cast<void *>(cells()), 0, slots * sizeof(Cell));
}

void SharedMemory::startCta(uint64_t garbage) {
  // Bytes that are NaN as floats, or odd large numbers as integers.
  static constexpr unsigned char patterns[] = {0xff, 0xfe, 0x7f, 0xa5};
  std::memset(begin, patterns[garbage % std::size(patterns)], bytes);
}
