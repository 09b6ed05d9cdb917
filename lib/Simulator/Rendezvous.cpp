// Barriers and shuffles: threads of a group wait until all of them are there.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Machine.h"

#include "tessera/Support/Mutants.h"

using namespace tessera;
using namespace tessera::sim;

bool Machine::meet(Meeting &meeting, unsigned size, Site &site, llvm::StringRef group) {
  unsigned thread = current;
  threads[thread].waitsAt = &site;
  if (TESSERA_MUTANT(321, "all places are one", !meeting.waiting.empty() && meeting.site != &site,
                     false)) {
    report(
        ErrorKind::divergence, site, thread, meeting.site,
        [&] {
          return "thread " + std::to_string(thread) + " waits at " + site.text() +
                 " while thread " + std::to_string(meeting.waiting.front()) + " of the same " +
                 group.str() + " waits at " + meeting.site->text() +
                 "; all threads of the group must reach the same place";
        },
        /*ends=*/true);
  } else if (meeting.ended) {
    report(
        ErrorKind::divergence, site, thread, nullptr,
        [&] {
          return "thread " + std::to_string(thread) + " waits at " + site.text() +
                 " for all of its " + group.str() + ", of which " + std::to_string(meeting.ended) +
                 " threads have ended";
        },
        /*ends=*/true);
  }
  if (stopped) {
    abandon();
  }
  meeting.site = &site;
  meeting.waiting.push_back(thread);
  if (meeting.waiting.size() < size) {
    block();
    return false;
  }
  return true;
}

void Machine::leave(Meeting &meeting) {
  idle = 0;
  for (unsigned thread : meeting.waiting) {
    threads[thread].waitsAt = nullptr;
    wake(thread);
  }
  meeting.waiting.clear();
  if (!landing.empty() && random.below(2)) {
    landSome();
  }
  fibers.yield();
}

void Machine::barrierOfCta(Site &site) {
  count(site);
  if (meet(cta, unsigned(threads.size()), site, "CTA")) {
    clocks.barrierOfAll();
    leave(cta);
  }
}

void Machine::barrierOfWarp(Site &site) {
  count(site);
  Meeting &warp = warpOf(current);
  if (meet(warp, warpSize(current), site, "warp")) {
    clocks.barrier(warp.waiting);
    leave(warp);
  }
}

void Machine::namedBarrier(Site &site, uint32_t id, uint32_t expected) {
  count(site);
  unsigned size = unsigned(threads.size());
  bool isWhole = expected % 32 == 0 || expected == size;
  if (id >= 16 || expected == 0 || expected > size || !isWhole) {
    report(
        ErrorKind::divergence, site, current, nullptr,
        [&] {
          return "thread " + std::to_string(current) + " waits at " + site.text() +
                 " for barrier " + std::to_string(id) + " of " + std::to_string(expected) +
                 " threads; barriers are 0 to 15, for whole warps, and the CTA has " +
                 std::to_string(size) + " threads";
        },
        /*ends=*/true);
    abandon();
  }
  Meeting &meeting = named[id];
  if (TESSERA_MUTANT(323, "named barriers do not compare their counts",
                     !meeting.waiting.empty() && meeting.expected != expected, false)) {
    report(
        ErrorKind::divergence, site, current, meeting.site,
        [&] {
          return "thread " + std::to_string(current) + " waits at " + site.text() +
                 " for barrier " + std::to_string(id) + " of " + std::to_string(expected) +
                 " threads, others wait at " + meeting.site->text() + " for the same barrier of " +
                 std::to_string(meeting.expected) + " threads";
        },
        /*ends=*/true);
    abandon();
  }
  meeting.expected = expected;
  // Roles may come to one named barrier from different places.
  threads[current].waitsAt = &site;
  meeting.site = &site;
  meeting.waiting.push_back(current);
  if (meeting.waiting.size() < expected) {
    block();
    return;
  }
  clocks.barrier(meeting.waiting);
  leave(meeting);
}

uint32_t Machine::shuffle(Site &site, uint32_t value, uint32_t lane, bool isXor) {
  count(site);
  unsigned thread = current;
  threads[thread].value = value;
  threads[thread].lane = isXor ? (thread % 32) ^ lane : lane % 32;
  Meeting &warp = warpOf(thread);
  unsigned size = warpSize(thread);
  if (meet(warp, size, site, "warp")) {
    uint32_t given[32];
    unsigned first = thread / 32 * 32;
    for (unsigned i = 0; i < size; ++i) {
      given[i] = threads[first + i].value;
    }
    for (unsigned i = 0; i < size; ++i) {
      // A lane that asks for one that does not exist keeps its own.
      uint32_t asked = threads[first + i].lane;
      threads[first + i].value =
          TESSERA_MUTANT(322, "shuffles give the own value", asked < size, false) ? given[asked]
                                                                                  : given[i];
    }
    leave(warp);
  }
  return threads[thread].value;
}

void Machine::instruction(Site &site, char *in, char *out) {
  count(site);
  const Instruction &declared = *site.instruction;
  unsigned thread = current;
  if (declared.group == 1) {
    tick(site);
    if (!(in[declared.participatesOffset] & 1)) {
      return;
    }
    ++site.active;
    threads[thread].in = in;
    threads[thread].out = out;
    declared.isAsync ? issueCopy(site, in) : execute(declared, thread);
    if (stopped) {
      abandon();
    }
    return;
  }
  ++site.active;
  threads[thread].in = in;
  threads[thread].out = out;
  bool isCta = declared.group == 0;
  Meeting &meeting = isCta                   ? cta
                     : declared.group == 128 ? warpGroups[thread / 128]
                                             : warpOf(thread);
  unsigned size = isCta ? unsigned(threads.size()) : declared.group;
  if (!meet(meeting, size, site, isCta ? "CTA" : declared.group == 128 ? "warp group" : "warp")) {
    return;
  }
  llvm::sort(meeting.waiting);
  execute(declared, meeting.waiting);
  if (stopped) {
    abandon();
  }
  leave(meeting);
}
