// The simulated device: the CTA that runs, its threads, and what they wait for. The running code calls it by the functions of
// Runtime.cpp; files of this folder implement a part each.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_SIMULATOR_MACHINE_H
#define TESSERA_LIB_SIMULATOR_MACHINE_H

#include "Counters.h"
#include "Fibers.h"
#include "Memory.h"
#include "Races.h"
#include "Site.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>

namespace tessera::sim {

/// What the running code reads by itself, at a fixed address.
struct Registers {
  uint32_t thread = 0, cta = 0, ctas = 0;
};

/// A fast generator with a good spread; sequences are part of what a seed means.
class Random {
public:
  explicit Random(uint64_t seed = 0) : state(seed) { next(); }
  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  uint32_t below(uint32_t bound) { return uint32_t((next() >> 32) * bound >> 32); }

private:
  uint64_t state;
};

/// A copy that its thread has not waited for.
struct PendingCopy {
  const Instruction *instruction = nullptr;
  llvm::SmallVector<char, 80> operands;
  uint32_t group = 0;
  bool hasLanded = false, landsEarly = false;
};

struct Thread {
  /// What it waits for; null while it runs.
  const Site *waitsAt = nullptr;
  bool hasEnded = false;
  /// Shuffles: what it gives, whom it asks; then what it gets.
  uint32_t value = 0, lane = 0;
  /// Instructions: what it hands over and where results go.
  char *in = nullptr, *out = nullptr;
  std::vector<PendingCopy> copies;
  uint32_t groups = 0;
};

/// A place where threads of a group wait for each other.
struct Meeting {
  const Site *site = nullptr;
  std::vector<unsigned> waiting;
  unsigned ended = 0;
  /// Named barriers: how many are expected.
  unsigned expected = 0;
};

class Machine {
public:
  using Entry = void (*)(void *arguments);

  Machine(std::vector<Site> &sites, SharedMemory &shared) : sites(sites), shared(shared) {}

  llvm::Expected<SimReport> run(Entry entry, const SimLaunch &launch, unsigned threads,
                                uint64_t sharedBytes);

  Registers registers;

  // Called by the running code. `active` is the predicate; of a load of a part, a bit for each byte that is used.
  void *load(Site &site, uintptr_t address, uint32_t active);
  void *store(Site &site, uintptr_t address, bool active);
  uint64_t atomic(Site &site, uintptr_t address, uint64_t expected, uint64_t value, bool active);
  void barrierOfCta(Site &site);
  void barrierOfWarp(Site &site);
  void namedBarrier(Site &site, uint32_t id, uint32_t count);
  uint32_t shuffle(Site &site, uint32_t value, uint32_t lane, bool isXor);
  void commitCopies(Site &site);
  void waitForCopies(Site &site, uint32_t open);
  void instruction(Site &site, char *in, char *out);
  void fail(Site &site, ErrorKind kind, const char *text);

  void count(Site &site) { ++site.executed; }

private:
  // Machine.cpp
  bool runCta(Entry entry, void *arguments);
  void noteEnd(unsigned thread);
  void reportStuck();
  void giveWay();
  void wake(unsigned thread) { runnable.push_back(thread); }
  void block();
  void tick(const Site &site) {
    if (--untilYield == 0) {
      busy = &site;
      yieldAtRandom();
    }
  }
  void yieldAtRandom();
  void startPeriod();
  void checkPatience();
  [[noreturn]] void abandon();
  /// Adds an error unless its like is known; the run may end with it.
  void report(ErrorKind kind, const Site &site, unsigned thread, const Site *other,
              llvm::function_ref<std::string()> message, bool ends = false);
  void finishReport();

  // Accesses.cpp
  /// Whether the bytes may be touched; what is wrong is reported.
  bool access(Site &site, unsigned thread, uintptr_t address, unsigned bytes, Touch touch);
  bool accessGlobal(Site &site, unsigned thread, uintptr_t address, unsigned bytes, Touch touch);
  bool accessShared(Site &site, unsigned thread, uintptr_t address, unsigned bytes, Touch touch);
  bool isUsed(const Site &site, uint64_t offset, uint64_t slot) const;
  void reportOutside(Site &site, unsigned thread, uintptr_t address, unsigned bytes, Touch touch);
  void reportConflict(const Site &site, unsigned thread, const Conflict &conflict, Touch touch,
                      const std::string &where, bool acrossCtas);
  std::string placeText(const Site &site, uintptr_t address) const;
  void tally(Site &site, unsigned bytes, Touch touch);

  // Rendezvous.cpp
  /// Waits in a group of `size`; true for the last to come, who then calls `leave`.
  bool meet(Meeting &meeting, unsigned size, Site &site, llvm::StringRef group);
  void leave(Meeting &meeting);
  Meeting &warpOf(unsigned thread) { return warps[thread / 32]; }
  unsigned warpSize(unsigned thread) const {
    return std::min(32u, unsigned(threads.size()) - thread / 32 * 32);
  }

  // Async.cpp
  void issueCopy(Site &site, char *in);
  void land(PendingCopy &copy);
  void complete(unsigned thread, PendingCopy &copy);
  void landSome();

  // InstructionRun.cpp
  void execute(const Instruction &instruction, llvm::ArrayRef<unsigned> lanes);
  void readMemory(const Operand &operand, llvm::ArrayRef<unsigned> lanes, char *dense);
  void writeMemory(const Operand &operand, llvm::ArrayRef<unsigned> lanes, const char *dense);
  /// Makes room for the dense operands of an instruction.
  llvm::MutableArrayRef<void *> denseOperands(const Instruction &instruction);

  std::vector<Site> &sites;
  SharedMemory &shared;
  GlobalMemory global;
  uint32_t used = 0; ///< bytes of a load of a part that are used, a bit for each
  Clocks clocks;
  Races races{clocks};
  Counters counters;
  Fibers fibers;
  Random random;

  std::vector<Thread> threads;
  std::vector<unsigned> runnable;
  unsigned current = 0, ended = 0;
  uint32_t untilYield = 0, yieldPeriod = 0;
  /// Accesses since a thread ended or a group met.
  uint64_t idle = 0, patience = 0;
  const Site *busy = nullptr;
  unsigned yieldEvery = 0, maxErrors = 0;
  bool stopped = false;
  std::string failure;

  std::vector<Meeting> warps, warpGroups;
  Meeting cta;
  Meeting named[16];
  /// Threads with a copy that lands before it is waited for.
  std::vector<unsigned> landing;

  SimReport result;
  std::map<std::tuple<ErrorKind, uint32_t, uint32_t>, size_t> known;
  /// When each CTA of the launch began.
  std::vector<std::pair<Time, uint32_t>> starts;

  std::vector<std::vector<char>> denseStorage;
  std::vector<void *> densePointers;
  std::vector<const char *> lanesIn;
  std::vector<char *> lanesOut;
  /// What accesses that are refused read, and where they write.
  alignas(16) char refusedRead[16];
  alignas(16) char refusedWrite[16];
};

} // namespace tessera::sim

#endif // TESSERA_LIB_SIMULATOR_MACHINE_H
