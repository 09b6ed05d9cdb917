// A launch: CTAs one after the other, threads of each in random turns.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Machine.h"

#include "tessera/Support/Mutants.h"

#include <algorithm>
#include <cstring>
#include <numeric>

using namespace tessera;
using namespace tessera::sim;

llvm::Expected<SimReport> Machine::run(Entry entry, const SimLaunch &launch, unsigned threadCount,
                                       uint64_t sharedBytes) {
  if (llvm::Error error = global.setUp(launch.regions)) {
    return std::move(error);
  }
  result = {};
  known.clear();
  starts.clear();
  stopped = false;
  failure.clear();
  random = Random(launch.seed);
  yieldEvery = launch.yieldEvery;
  patience = launch.patience;
  maxErrors = std::max(1u, launch.maxErrors);
  threads.assign(threadCount, {});
  shared.startLaunch(sharedBytes);
  clocks.startLaunch();
  counters.startLaunch(sites.size());
  std::memset(refusedRead, 0xff, sizeof(refusedRead));
  for (Site &site : sites) {
    site.executed = site.active = site.moved = 0;
    site.regionHint = UINT32_MAX;
  }
  registers.ctas = launch.grid;

  std::vector<uint32_t> order(launch.grid);
  std::iota(order.begin(), order.end(), 0);
  for (uint32_t i = launch.grid; launch.shuffle && i > 1; --i) {
    std::swap(order[i - 1], order[random.below(i)]);
  }
  std::vector<uint64_t> arguments = launch.arguments;
  result.complete = true;
  for (uint32_t next : order) {
    registers.cta = next;
    counters.startCta(threadCount, result.ctasRun < launch.countedCtas);
    result.complete = runCta(entry, arguments.data());
    ++result.ctasRun;
    if (!failure.empty()) {
      return llvm::createStringError(failure);
    }
    if (!result.complete) {
      break;
    }
    counters.finishCta(sites);
  }
  result.written = global.written();
  finishReport();
  return std::move(result);
}

bool Machine::runCta(Entry entry, void *arguments) {
  unsigned count = unsigned(threads.size());
  if (llvm::Error error = fibers.reset(count)) {
    failure = llvm::toString(std::move(error));
    return false;
  }
  clocks.startCta(count);
  shared.startCta(random.next());
  starts.emplace_back(clocks.ctaStart(), registers.cta);
  for (Thread &thread : threads) {
    thread.waitsAt = nullptr;
    thread.hasEnded = false;
    thread.copies.clear();
    thread.groups = 0;
  }
  warps.assign((count + 31) / 32, {});
  warpGroups.assign((count + 127) / 128, {});
  cta = {};
  std::fill(std::begin(named), std::end(named), Meeting());
  landing.clear();
  ended = 0;
  runnable.resize(count);
  std::iota(runnable.begin(), runnable.end(), 0);
  idle = 0;
  startPeriod();

  while (!runnable.empty() && !stopped) {
    uint32_t pick = TESSERA_MUTANT(327, "threads take turns in order",
                                   random.below(uint32_t(runnable.size())), 0);
    current = runnable[pick];
    runnable[pick] = runnable.back();
    runnable.pop_back();
    registers.thread = current;
    ++result.switches;
    if (llvm::Error error = fibers.resume(current, entry, arguments)) {
      failure = llvm::toString(std::move(error));
      return false;
    }
    if (fibers.hasEnded(current)) {
      noteEnd(current);
    }
  }
  if (!stopped && ended < count) {
    reportStuck();
  }
  return !stopped && ended == count;
}

void Machine::noteEnd(unsigned thread) {
  threads[thread].hasEnded = true;
  ++ended;
  idle = 0;
  Meeting *groups[] = {&warps[thread / 32], &warpGroups[thread / 128], &cta};
  for (Meeting *group : groups) {
    ++group->ended;
    if (TESSERA_MUTANT(326, "threads that ended are not missed", group->waiting.empty() || stopped,
                       true)) {
      continue;
    }
    unsigned waiting = group->waiting.front();
    report(
        ErrorKind::divergence, *group->site, waiting, nullptr,
        [&] {
          return "thread " + std::to_string(waiting) + " waits at " + group->site->text() +
                 " for thread " + std::to_string(thread) +
                 ", which has ended; all threads of the group must reach it";
        },
        /*ends=*/true);
  }
}

/// No thread can run, and some have not ended.
void Machine::reportStuck() {
  const Thread *first = nullptr, *other = nullptr;
  unsigned waiting = 0;
  for (const Thread &thread : threads) {
    if (!thread.waitsAt || thread.hasEnded) {
      continue;
    }
    ++waiting;
    if (!first) {
      first = &thread;
    } else if (!other && thread.waitsAt != first->waitsAt) {
      other = &thread;
    }
  }
  auto number = [&](const Thread *thread) { return std::to_string(thread - threads.data()); };
  std::string details;
  for (unsigned id = 0; id < 16; ++id) {
    if (!named[id].waiting.empty()) {
      details += "; barrier " + std::to_string(id) + " has " +
                 std::to_string(named[id].waiting.size()) + " of its " +
                 std::to_string(named[id].expected) + " threads";
    }
  }
  report(
      ErrorKind::deadlock, *first->waitsAt, unsigned(first - threads.data()),
      other ? other->waitsAt : nullptr,
      [&] {
        std::string text = "thread " + number(first) + " waits at " + first->waitsAt->text();
        if (other) {
          text += ", thread " + number(other) + " at " + other->waitsAt->text();
        }
        return text + "; " + std::to_string(waiting) + " threads wait, " + std::to_string(ended) +
               " have ended, and none can go on" + details;
      },
      /*ends=*/true);
}

void Machine::block() {
  fibers.yield();
  // Only the scheduler wakes, and it does not after the end.
}

void Machine::giveWay() {
  wake(current);
  fibers.yield();
}

void Machine::startPeriod() {
  yieldPeriod = untilYield = yieldEvery ? 1 + random.below(2 * yieldEvery) : 4096;
}

/// A loop that waits for another thread's write runs for ever where that never comes.
void Machine::checkPatience() {
  idle += yieldPeriod;
  if (idle < patience) {
    return;
  }
  const Site *other = nullptr;
  for (const Thread &thread : threads) {
    other = !other && !thread.hasEnded ? thread.waitsAt : other;
  }
  report(
      ErrorKind::deadlock, *busy, current, other,
      [&] {
        return "thread " + std::to_string(current) + " of CTA " + std::to_string(registers.cta) +
               " goes on and on, lastly at " + busy->text() + ": " + std::to_string(idle) +
               " accesses brought no thread to its end or to others that wait";
      },
      /*ends=*/true);
  abandon();
}

void Machine::yieldAtRandom() {
  checkPatience();
  startPeriod();
  if (!landing.empty()) {
    landSome();
  }
  if (yieldEvery && !runnable.empty()) {
    giveWay();
  }
}

void Machine::abandon() {
  for (;;) {
    fibers.yield();
  }
}

void Machine::report(ErrorKind kind, const Site &site, unsigned thread, const Site *other,
                     llvm::function_ref<std::string()> message, bool ends) {
  auto key = std::make_tuple(
      kind, TESSERA_MUTANT(328, "errors are not told apart by place", site.number, 0),
      other ? other->number : UINT32_MAX);
  auto [place, isNew] = known.try_emplace(key, result.errors.size());
  if (!isNew) {
    ++result.errors[place->second].count;
  } else {
    result.errors.push_back(
        {kind, message(), site.location, other ? other->location : "", registers.cta, thread, 1});
  }
  stopped |= ends || result.errors.size() >= maxErrors;
}

void Machine::finishReport() {
  for (Site &site : sites) {
    if (!site.executed) {
      continue;
    }
    SiteCounters counted = counters.of(site.number);
    counted.site = site.location;
    counted.marker = site.marker;
    counted.access = site.access;
    counted.touchesMemory = site.space != Space::none;
    counted.executed = site.executed;
    counted.active = site.active;
    counted.bytes = site.moved;
    result.markerCalls += site.isOperand ? 0 : site.executed;
    bool isRead = !site.writes || site.atomic.bytes, isWritten = site.writes;
    if (site.space == Space::global) {
      result.globalRead += isRead ? site.moved : 0;
      result.globalWritten += isWritten ? site.moved : 0;
    } else if (site.space == Space::shared) {
      result.sharedRead += isRead ? site.moved : 0;
      result.sharedWritten += isWritten ? site.moved : 0;
    }
    result.sites.push_back(std::move(counted));
  }
}
