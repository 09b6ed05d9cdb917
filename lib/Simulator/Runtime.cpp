// The functions that the running code calls in place of markers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Program.h"

#include <cmath>

using namespace tessera;
using namespace tessera::sim;

// Each takes the site, which knows its kind, its size and where it stands; predicates are 0 or 1.

static void *loadValue(Machine *machine, Site *site, uint64_t address, uint32_t active) {
  return machine->load(*site, address, active);
}
static void *storeValue(Machine *machine, Site *site, uint64_t address, uint32_t active) {
  return machine->store(*site, address, active);
}
static uint64_t atomic(Machine *machine, Site *site, uint64_t address, uint64_t expected,
                       uint64_t value, uint32_t active) {
  return machine->atomic(*site, address, expected, value, active);
}
static void barrierOfCta(Machine *machine, Site *site) { machine->barrierOfCta(*site); }
static void barrierOfWarp(Machine *machine, Site *site) { machine->barrierOfWarp(*site); }
static void namedBarrier(Machine *machine, Site *site, uint32_t id, uint32_t threads) {
  machine->namedBarrier(*site, id, threads);
}
static uint32_t shuffleXor(Machine *machine, Site *site, uint32_t value, uint32_t mask) {
  return machine->shuffle(*site, value, mask, true);
}
static uint32_t shuffleFrom(Machine *machine, Site *site, uint32_t value, uint32_t lane) {
  return machine->shuffle(*site, value, lane, false);
}
static void commitCopies(Machine *machine, Site *site) { machine->commitCopies(*site); }
static void waitForCopies(Machine *machine, Site *site, uint32_t open) {
  machine->waitForCopies(*site, open);
}
static void instruction(Machine *machine, Site *site, char *in, char *out) {
  machine->instruction(*site, in, out);
}
static void checkAssertion(Machine *machine, Site *site, uint32_t holds, const char *text) {
  machine->count(*site);
  if (!holds) {
    machine->fail(*site, ErrorKind::assertion, text);
  }
}
static void trap(Machine *machine, Site *site, const char *text) {
  machine->count(*site);
  machine->fail(*site, ErrorKind::trap, text);
}

static uint64_t convert(const CastKernel *kernel, uint64_t bits) {
  uint64_t result = 0;
  (*kernel)(&bits, &result, 1);
  return result;
}

static float fastRcp(float x) { return 1.0f / x; }
static float fastRsqrt(float x) { return 1.0f / std::sqrt(x); }

template <typename F> static void *addressOfFunction(F *function) {
  return reinterpret_cast<void *>(function);
}
using FloatFunction = float(float);

llvm::ArrayRef<RuntimeFunction> sim::runtimeFunctions() {
  static const RuntimeFunction table[] = {
      {"tesseraSimLoad", addressOfFunction(loadValue)},
      {"tesseraSimStore", addressOfFunction(storeValue)},
      {"tesseraSimAtomic", addressOfFunction(atomic)},
      {"tesseraSimBarrierOfCta", addressOfFunction(barrierOfCta)},
      {"tesseraSimBarrierOfWarp", addressOfFunction(barrierOfWarp)},
      {"tesseraSimNamedBarrier", addressOfFunction(namedBarrier)},
      {"tesseraSimShuffleXor", addressOfFunction(shuffleXor)},
      {"tesseraSimShuffleFrom", addressOfFunction(shuffleFrom)},
      {"tesseraSimCommit", addressOfFunction(commitCopies)},
      {"tesseraSimWait", addressOfFunction(waitForCopies)},
      {"tesseraSimInstruction", addressOfFunction(instruction)},
      {"tesseraSimAssert", addressOfFunction(checkAssertion)},
      {"tesseraSimTrap", addressOfFunction(trap)},
      {"tesseraSimConvert", addressOfFunction(convert)},
      {"tesseraSimFast.ex2", addressOfFunction<FloatFunction>(exp2f)},
      {"tesseraSimFast.lg2", addressOfFunction<FloatFunction>(log2f)},
      {"tesseraSimFast.rcp", addressOfFunction(fastRcp)},
      {"tesseraSimFast.rsqrt", addressOfFunction(fastRsqrt)},
      {"tesseraSimFast.sqrt", addressOfFunction<FloatFunction>(sqrtf)},
      {"tesseraSimFast.sin", addressOfFunction<FloatFunction>(sinf)},
      {"tesseraSimFast.cos", addressOfFunction<FloatFunction>(cosf)},
      {"tesseraSimFast.tanh", addressOfFunction<FloatFunction>(tanhf)},
  };
  return table;
}
