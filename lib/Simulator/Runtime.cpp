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

template <DType T> static uint64_t fuse(uint64_t a, uint64_t b, uint64_t c) {
  uint64_t out = 0; // little-endian
  ExactSystem::ternary(ScalarOp::Fma, T)(&a, &b, &c, &out, 1);
  return out;
}
static float fastRcp(float x) { return 1.0f / x; }
/// A machine's approximation may be off either way; this one is, by a place or not at all, as the argument's last bits say.
static float startRcp(float x) {
  if (!std::isnormal(x)) {
    return 1.0f / x;
  }
  int exponent = 0;
  float mantissa = std::frexp(x, &exponent); // 1 / mantissa is in (1, 2], or negative
  float places = float(int(std::ldexp(mantissa, 24)) % 3 - (mantissa < 0 ? -1 : 1));
  return std::ldexp(float(1.0 / double(mantissa) + double(places) * 0x1p-23), -exponent);
}
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
      {"tesseraSimFma.bf16", addressOfFunction(fuse<DType::bf16>)},
      {"tesseraSimFma.f16", addressOfFunction(fuse<DType::f16>)},
      {"tesseraSim.fast.ex2", addressOfFunction<FloatFunction>(exp2f)},
      {"tesseraSim.fast.lg2", addressOfFunction<FloatFunction>(log2f)},
      {"tesseraSim.fast.rcp", addressOfFunction(fastRcp)},
      {"tesseraSim.start.rcp", addressOfFunction(startRcp)},
      {"tesseraSim.fast.rsqrt", addressOfFunction(fastRsqrt)},
      {"tesseraSim.fast.sqrt", addressOfFunction<FloatFunction>(sqrtf)},
      {"tesseraSim.fast.sin", addressOfFunction<FloatFunction>(sinf)},
      {"tesseraSim.fast.cos", addressOfFunction<FloatFunction>(cosf)},
      {"tesseraSim.fast.tanh", addressOfFunction<FloatFunction>(tanhf)},
  };
  return table;
}
