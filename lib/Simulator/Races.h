// Who touched a cell of memory last, and what threads know of each other.
//
// Threads have clocks that advance where they publish: at barriers and releases. A barrier of the whole CTA begins a new epoch:
// everything before it is known to everybody, and nothing of it has to be kept. Within an epoch, a barrier of a few
// threads gives all of them one common table of what they know, so its cost is one table and not one for each thread.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_SIMULATOR_RACES_H
#define TESSERA_LIB_SIMULATOR_RACES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace tessera::sim {

/// Advances through a whole launch, CTAs included. 0 is before all of it.
using Time = uint32_t;

class Clocks {
public:
  void startLaunch() {
    last = 0;
    times.clear();
  }
  void startCta(unsigned threads);

  Time now(unsigned thread) const { return times[thread]; }
  /// The first moment of the CTA: what is earlier was done by another one.
  Time ctaStart() const { return start; }

  /// Whether what `other`, a thread of this CTA, did at `time` comes before what `by` does now.
  bool isOrdered(unsigned other, Time time, unsigned by) const {
    return other == by || time < epoch || (known[by] && (*known[by])[other] >= time);
  }

  void barrier(llvm::ArrayRef<unsigned> threads);
  void barrierOfAll();
  /// Through the atomic at an address.
  void release(unsigned thread, uintptr_t address);
  void acquire(unsigned thread, uintptr_t address);

private:
  using Table = std::vector<Time>;
  std::shared_ptr<Table> join(const std::shared_ptr<Table> &a, const std::shared_ptr<Table> &b);

  Time last = 0, start = 0, epoch = 0;
  std::vector<Time> times;
  /// What each thread knows of the others in this epoch; null is nothing.
  std::vector<std::shared_ptr<Table>> known;
  llvm::DenseMap<uintptr_t, std::shared_ptr<Table>> published;
};

/// The last write of a cell, and two of the reads since.
struct Cell {
  Time write = 0, read = 0, read2 = 0;
  uint16_t writer = 0, reader = 0, reader2 = 0; ///< thread, and flags for the writer
  uint16_t writeSite = 0, readSite = 0, readSite2 = 0;

  static constexpr uint16_t atomic = 0x8000, async = 0x4000, threadMask = 0x3fff;
};

struct Conflict {
  bool found = false;
  bool otherWrote = false, otherIsAsync = false;
  unsigned thread = 0;
  uint16_t site = 0;
  Time time = 0;
};

enum class Touch : uint8_t { read, write, atomic, asyncWrite };

/// Judges accesses of the running CTA to cells, and records them.
class Races {
public:
  explicit Races(const Clocks &clocks) : clocks(clocks) {}

  /// `acrossCtas`: memory that other CTAs see, where what they did is ordered with nothing.
  template <bool acrossCtas>
  Conflict touch(Cell &cell, Touch kind, unsigned thread, uint16_t site) const {
    Conflict conflict;
    if (cell.write && !(kind == Touch::atomic && (cell.writer & Cell::atomic)) &&
        isOpen<acrossCtas>(cell.writer, cell.write, thread)) {
      conflict = {true,
                  true,
                  (cell.writer & Cell::async) != 0,
                  unsigned(cell.writer & Cell::threadMask),
                  cell.writeSite,
                  cell.write};
    }
    if (kind == Touch::read) {
      noteRead<acrossCtas>(cell, thread, site);
      return conflict;
    }
    if (!conflict.found && cell.read) {
      conflict = readers<acrossCtas>(cell, thread);
    }
    cell.write = clocks.now(thread);
    cell.writer = uint16_t(thread) | (kind == Touch::atomic       ? Cell::atomic
                                      : kind == Touch::asyncWrite ? Cell::async
                                                                  : 0);
    cell.writeSite = site;
    cell.read = cell.read2 = 0;
    return conflict;
  }

private:
  template <bool acrossCtas> bool isOpen(uint16_t other, Time time, unsigned by) const {
    if (time < clocks.ctaStart()) {
      // Shared memory begins anew with each CTA.
      return acrossCtas;
    }
    // A copy in flight is not ordered with anything, its own thread included, before it is waited for.
    return (other & Cell::async) || !clocks.isOrdered(other & Cell::threadMask, time, by);
  }

  template <bool acrossCtas> Conflict readers(const Cell &cell, unsigned thread) const {
    if (isOpen<acrossCtas>(cell.reader, cell.read, thread)) {
      return {true, false, false, cell.reader, cell.readSite, cell.read};
    }
    if (cell.read2 && isOpen<acrossCtas>(cell.reader2, cell.read2, thread)) {
      return {true, false, false, cell.reader2, cell.readSite2, cell.read2};
    }
    return {};
  }

  /// Keeps two reads that are not ordered, of different warps where there are such: whatever thread writes next is another
  /// one than one of them, and a warp that agrees among itself does not hide the read of another.
  template <bool acrossCtas> void noteRead(Cell &cell, unsigned thread, uint16_t site) const {
    Time now = clocks.now(thread);
    auto set = [&](Time &time, uint16_t &reader, uint16_t &place) {
      time = now;
      reader = uint16_t(thread);
      place = site;
    };
    if (!cell.read || cell.reader == thread ||
        !isOpen<acrossCtas>(cell.reader, cell.read, thread)) {
      if (!(acrossCtas && cell.read && cell.read < clocks.ctaStart())) {
        set(cell.read, cell.reader, cell.readSite);
      }
      return;
    }
    bool secondIsFar = cell.read2 && cell.reader2 / 32 != cell.reader / 32 &&
                       isOpen<acrossCtas>(cell.reader2, cell.read2, thread);
    if (!secondIsFar || cell.reader2 == thread) {
      set(cell.read2, cell.reader2, cell.readSite2);
    }
  }

  const Clocks &clocks;
};

} // namespace tessera::sim

#endif // TESSERA_LIB_SIMULATOR_RACES_H
