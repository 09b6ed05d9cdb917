// Judging accesses to memory: bounds, alignment, what was written before, and who else is there.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Machine.h"

#include "tessera/Support/Mutants.h"

#include <algorithm>
#include <cstring>

using namespace tessera;
using namespace tessera::sim;

static llvm::StringRef verb(Touch touch) {
  return touch == Touch::read     ? "reads"
         : touch == Touch::atomic ? "updates"
         : touch == Touch::write  ? "writes"
                                  : "copies to";
}

void Machine::tally(Site &site, unsigned bytes, Touch touch) {
  ++site.active;
  site.moved += bytes;
}

void *Machine::load(Site &site, uintptr_t address, uint32_t active) {
  tick(site);
  count(site);
  counters.note(site, current, address, active != 0);
  used = active;
  if (active == 0 || !access(site, current, address, site.bytes, Touch::read)) {
    return refusedRead;
  }
  return reinterpret_cast<void *>(address);
}

void *Machine::store(Site &site, uintptr_t address, bool active) {
  tick(site);
  count(site);
  counters.note(site, current, address, active);
  if (!active || !access(site, current, address, site.bytes, Touch::write)) {
    return refusedWrite;
  }
  return reinterpret_cast<void *>(address);
}

uint64_t Machine::atomic(Site &site, uintptr_t address, uint64_t expected, uint64_t value,
                         bool active) {
  tick(site);
  count(site);
  const AtomicOp &op = site.atomic;
  counters.note(site, current, address, active);
  if (!active || !access(site, current, address, op.bytes, Touch::atomic)) {
    return 0;
  }
  uint64_t before = 0, after = value;
  std::memcpy(&before, reinterpret_cast<void *>(address), op.bytes);
  if (op.combine) {
    alignas(8) uint64_t operands[2] = {before, value};
    op.combine(&operands[0], &operands[1], &after, 1);
  }
  bool writes = true;
  if (op.compares) {
    uint64_t mask = op.bytes == 8 ? ~uint64_t(0) : (uint64_t(1) << 8 * op.bytes) - 1;
    writes = TESSERA_MUTANT(307, "cas does not compare", before == (expected & mask), true);
  }
  if (writes) {
    std::memcpy(reinterpret_cast<void *>(address), &after, op.bytes);
  }
  if (TESSERA_MUTANT(308, "releases publish nothing", op.releases, false)) {
    clocks.release(current, address);
  }
  if (op.acquires) {
    clocks.acquire(current, address);
  }
  return before;
}

bool Machine::access(Site &site, unsigned thread, uintptr_t address, unsigned bytes, Touch touch) {
  // The address must be a multiple of what the place moves at once, also where part of it is absent.
  if (TESSERA_MUTANT(301, "misaligned accesses pass", address & (site.alignment - 1), false)) {
    report(ErrorKind::misaligned, site, thread, nullptr, [&] {
      return "thread " + std::to_string(thread) + " of CTA " + std::to_string(registers.cta) + " " +
             verb(touch).str() + " " + std::to_string(site.bytes) + " bytes at " +
             placeText(site, address) + ", an address that is no multiple of " +
             std::to_string(site.alignment);
    });
    if (stopped) {
      abandon();
    }
    return false;
  }
  bool isAllowed = site.space == Space::shared ? accessShared(site, thread, address, bytes, touch)
                                               : accessGlobal(site, thread, address, bytes, touch);
  if (isAllowed) {
    tally(site, bytes, touch);
  } else if (stopped) {
    abandon();
  }
  return isAllowed;
}

bool Machine::accessGlobal(Site &site, unsigned thread, uintptr_t address, unsigned bytes,
                           Touch touch) {
  const Region *region = global.find(address, bytes, touch != Touch::read, site.regionHint);
  if (!region) {
    reportOutside(site, thread, address, bytes, touch);
    return false;
  }
  if (!region->isWritable()) {
    if (TESSERA_MUTANT(302, "in arrays may be written", touch == Touch::read, true)) {
      return true;
    }
    report(ErrorKind::readOnly, site, thread, nullptr, [&] {
      return "thread " + std::to_string(thread) + " of CTA " + std::to_string(registers.cta) + " " +
             verb(touch).str() + " " + region->elementText(address) + ", but `" +
             region->desc().name + "` is an `in` array";
    });
    return false;
  }
  Cell *cells = region->cells();
  bool mayBeUnwritten =
      region->desc().mode == RegionMode::out && (touch == Touch::read || touch == Touch::atomic);
  for (uint64_t slot = region->slotOf(address), last = region->slotOf(address + bytes - 1);
       slot <= last; ++slot) {
    Cell &cell = cells[slot];
    uintptr_t element = region->lowest() + slot * region->desc().elementBytes;
    if (TESSERA_MUTANT(303, "out arrays hold something", mayBeUnwritten && !cell.write, false)) {
      report(ErrorKind::unwritten, site, thread, nullptr, [&] {
        return "thread " + std::to_string(thread) + " of CTA " + std::to_string(registers.cta) +
               " " + verb(touch).str() + " " + region->elementText(element) +
               ", which nobody has written; `" + region->desc().name + "` is an `out` array";
      });
    }
    Conflict conflict = races.touch<true>(cell, touch, thread, uint16_t(site.number));
    if (TESSERA_MUTANT(305, "global writes after reads are ordered", conflict.found,
                       conflict.found && conflict.otherWrote)) {
      reportConflict(site, thread, conflict, touch, region->elementText(element), true);
    }
  }
  return !stopped;
}

/// Whether a byte of the cell is used by the read that begins at `offset`.
bool Machine::isUsed(const Site &site, uint64_t offset, uint64_t slot) const {
  if (!site.isPart) {
    return true;
  }
  uint64_t first = std::max(shared.startOf(slot), offset), end = shared.startOf(slot + 1);
  uint64_t bytes = (uint64_t(1) << (end - first)) - 1;
  return TESSERA_MUTANT(330, "no byte of a part is used",
                        (uint64_t(used) >> (first - offset) & bytes) != 0, false);
}

bool Machine::accessShared(Site &site, unsigned thread, uintptr_t address, unsigned bytes,
                           Touch touch) {
  if (!shared.covers(address, bytes)) {
    reportOutside(site, thread, address, bytes, touch);
    return false;
  }
  uint64_t offset = shared.offsetOf(address);
  Cell *cells = shared.cells();
  for (uint64_t slot = shared.slotOf(offset), last = shared.slotOf(offset + bytes - 1);
       slot <= last; ++slot) {
    Cell &cell = cells[slot];
    bool isRead = touch == Touch::read && isUsed(site, offset, slot);
    if (isRead && TESSERA_MUTANT(304, "shared memory is initialised",
                                 cell.write < clocks.ctaStart(), cell.write == 0)) {
      report(ErrorKind::uninitialised, site, thread, nullptr, [&] {
        return "thread " + std::to_string(thread) + " of CTA " + std::to_string(registers.cta) +
               " reads " + placeText(site, address) + ", which no thread of the CTA has written";
      });
    }
    Conflict conflict = races.touch<false>(cell, touch, thread, uint16_t(site.number));
    if (TESSERA_MUTANT(306, "shared writes after reads are ordered", conflict.found,
                       conflict.found && conflict.otherWrote)) {
      reportConflict(site, thread, conflict, touch, placeText(site, address), false);
    }
  }
  return !stopped;
}

std::string Machine::placeText(const Site &site, uintptr_t address) const {
  if (site.space == Space::shared) {
    auto offset = int64_t(shared.offsetOf(address));
    return "shared memory at byte " + std::to_string(offset);
  }
  const Region *region = global.closest(address);
  return region ? region->elementText(address) : "global memory";
}

void Machine::reportOutside(Site &site, unsigned thread, uintptr_t address, unsigned bytes,
                            Touch touch) {
  report(ErrorKind::outOfBounds, site, thread, nullptr, [&] {
    std::string text = "thread " + std::to_string(thread) + " of CTA " +
                       std::to_string(registers.cta) + " " + verb(touch).str() + " " +
                       std::to_string(bytes) + " bytes ";
    if (site.space == Space::shared) {
      return text + "of " + placeText(site, address) + ", but the CTA has " +
             std::to_string(shared.size()) + " bytes";
    }
    const Region *region = global.closest(address);
    if (!region) {
      return text + "of global memory, but the launch has no arrays";
    }
    text += region->elementText(address);
    if (uint64_t distance = region->distance(address)) {
      return text + ", " + std::to_string(distance) + " bytes " +
             (address < region->lowest() ? "before" : "beyond") + " the array";
    }
    return text + ", which does not lie on elements of the array";
  });
}

void Machine::reportConflict(const Site &site, unsigned thread, const Conflict &conflict,
                             Touch touch, const std::string &where, bool acrossCtas) {
  const Site &other = sites[conflict.site];
  uint32_t otherCta = registers.cta;
  if (acrossCtas) {
    auto next = std::upper_bound(starts.begin(), starts.end(), conflict.time,
                                 [](Time time, const auto &start) { return time < start.first; });
    otherCta = std::prev(next)->second;
  }
  report(conflict.otherIsAsync ? ErrorKind::earlyRead : ErrorKind::race, site, thread, &other, [&] {
    std::string text = "thread " + std::to_string(thread) + " of CTA " +
                       std::to_string(registers.cta) + " " + verb(touch).str() + " " + where;
    std::string who = "thread " + std::to_string(conflict.thread) +
                      (otherCta == registers.cta ? "" : " of CTA " + std::to_string(otherCta));
    if (conflict.otherIsAsync) {
      const Thread &issuer = threads[conflict.thread];
      bool isOpen = !issuer.copies.empty() && issuer.copies.back().group == issuer.groups;
      return text + " while the copy of " + who + " by " + other.text() + " is not complete" +
             (isOpen ? "; its group was never committed" : "; wait for its group first");
    }
    return text + ", which " + who + (conflict.otherWrote ? " wrote" : " read") + " by " +
           other.text() + "; nothing orders the two" +
           (otherCta == registers.cta ? "" : ", as CTAs run in any order");
  });
}

void Machine::fail(Site &site, ErrorKind kind, const char *text) {
  report(
      kind, site, current, nullptr,
      [&] {
        return "thread " + std::to_string(current) + " of CTA " + std::to_string(registers.cta) +
               (kind == ErrorKind::trap ? " reached a place that is never reached: "
                                        : " finds a condition that does not hold: ") +
               text;
      },
      /*ends=*/true);
  abandon();
}
