// Memory of a launch: the arrays of the host that the kernel may touch, and the shared memory of the running CTA, both with
// a cell of shadow for each element.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_SIMULATOR_MEMORY_H
#define TESSERA_LIB_SIMULATOR_MEMORY_H

#include "Races.h"

#include "tessera/Host/HostMemory.h"
#include "tessera/Simulator/Simulator.h"

namespace tessera::sim {

/// An array and its shadow. Slots are the places of elements from the lowest address on, gaps included.
class Region {
public:
  /// Errors: shapes and strides that do not match, more elements than can be tracked.
  static llvm::Expected<Region> get(const MemoryRegion &described);

  const MemoryRegion &desc() const { return described; }
  bool spans(uintptr_t address) const { return address >= low && address < high; }
  uintptr_t lowest() const { return low; }
  bool isWritable() const { return described.mode != RegionMode::in; }
  /// Whether an access touches elements of the array only.
  bool covers(uintptr_t address, unsigned bytes) const {
    return address >= low && address + bytes <= high && (isDense || coversElements(address, bytes));
  }
  /// First slot, and the slot after the last one, of an access that is covered.
  uint64_t slotOf(uintptr_t address) const {
    uintptr_t offset = address - low;
    return shift >= 0 ? offset >> shift : offset / described.elementBytes;
  }
  /// Null for `in` arrays, which nobody writes.
  Cell *cells() const { return shadow ? reinterpret_cast<Cell *>(shadow->data()) : nullptr; }
  /// `a[1, 7]`: the element at an address, or `near a[0, 3]` where it is in a gap or outside.
  std::string elementText(uintptr_t address) const;
  /// Bytes between an address and the span of the array.
  uint64_t distance(uintptr_t address) const;

private:
  bool coversElements(uintptr_t address, unsigned bytes) const;
  llvm::Error markElements(uint64_t slots);
  llvm::SmallVector<int64_t, 4> nearest(uintptr_t address, bool &exact) const;

  MemoryRegion described;
  uintptr_t low = 0, high = 0;
  int shift = -1;
  bool isDense = true;
  /// A bit for each slot that holds an element, where not all do.
  std::vector<uint64_t> elements;
  std::shared_ptr<HostMemory> shadow;
};

class GlobalMemory {
public:
  llvm::Error setUp(llvm::ArrayRef<MemoryRegion> regions);

  /// The region that covers an access; `hint` is the one to try first and becomes the one found. Writable ones are preferred
  /// where arrays overlap.
  const Region *find(uintptr_t address, unsigned bytes, bool writes, uint32_t &hint) const {
    if (hint < regions.size() && regions[hint].covers(address, bytes) &&
        (!writes || regions[hint].isWritable())) {
      return &regions[hint];
    }
    return search(address, bytes, writes, hint);
  }
  /// Which array an address that no array covers is next to; nothing if there are no arrays.
  const Region *closest(uintptr_t address) const;

  /// For each region, in order, whether each element (index order) was written; empty for `in` arrays.
  std::vector<std::vector<bool>> written() const;

private:
  const Region *search(uintptr_t address, unsigned bytes, bool writes, uint32_t &hint) const;

  std::vector<Region> regions;
};

/// One buffer for all CTAs: they run one after the other.
class SharedMemory {
public:
  static constexpr uint64_t capacity = 256 * 1024, alignment = 1024;

  /// `granule`: bytes of a cell, 1, 2 or 4; no access is smaller.
  llvm::Error allocate(unsigned granule);
  void startLaunch(uint64_t bytes);
  /// Nothing is initialised; what an earlier CTA left does not show.
  void startCta(uint64_t garbage);

  char *base() const { return begin; }
  uint64_t size() const { return bytes; }
  bool covers(uintptr_t address, unsigned width) const {
    uintptr_t offset = address - reinterpret_cast<uintptr_t>(begin);
    return offset < bytes && width <= bytes - offset;
  }
  uint64_t offsetOf(uintptr_t address) const {
    return address - reinterpret_cast<uintptr_t>(begin);
  }
  Cell *cells() const { return reinterpret_cast<Cell *>(shadow->data()); }
  uint64_t slotOf(uint64_t offset) const { return offset >> shift; }
  uint64_t startOf(uint64_t slot) const { return slot << shift; }

private:
  std::shared_ptr<HostMemory> memory, shadow;
  char *begin = nullptr;
  uint64_t bytes = 0;
  unsigned shift = 2;
};

} // namespace tessera::sim

#endif // TESSERA_LIB_SIMULATOR_MEMORY_H
