// Runs a thread module (tessera/Device/Markers.h) on the host, one fiber for each GPU thread, and judges every access. What
// runs is what the GPU gets: the same module in which only the markers are expanded differently.
//
// Found are accesses outside of arrays, misaligned ones, reads of what nobody wrote, races (vector clocks), asynchronous
// copies that are read too early, threads that miss a barrier, and waits without end. The order of threads is random by a
// seed, so different seeds show different interleavings; the same seed shows the same.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_SIMULATOR_SIMULATOR_H
#define TESSERA_SIMULATOR_SIMULATOR_H

#include "tessera/Simulator/Report.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ExecutionEngine/Orc/ThreadSafeModule.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <optional>

namespace tessera::sim {

enum class RegionMode : uint8_t { in, out, inout };

/// An array of the host. An access must fall wholly on elements of one region; what lies between the elements of a strided
/// array is outside.
struct MemoryRegion {
  std::string name;
  /// Address of the element (0, …, 0).
  void *base = nullptr;
  unsigned elementBytes = 4;
  /// Same length; strides in elements, negative and zero allowed.
  llvm::SmallVector<int64_t, 4> shape, strides;
  /// `in` refuses stores; `out` holds nothing before it is written.
  RegionMode mode = RegionMode::inout;
};

struct SimLaunch {
  uint32_t grid = 1;
  /// 0: the entry's attribute.
  unsigned threads = 0;
  /// Nothing: the entry's attribute.
  std::optional<uint64_t> sharedBytes;
  /// One word for each parameter of the entry: integers and floats as their bits, low bytes first.
  std::vector<uint64_t> arguments;
  std::vector<MemoryRegion> regions;
  uint64_t seed = 0;
  /// CTAs in random order instead of 0, 1, ….
  bool shuffle = false;
  /// A thread gives way at about every so many accesses to memory; 0: only where it waits.
  unsigned yieldEvery = 64;
  /// The run ends when so many accesses bring no thread to its end or past a rendezvous: threads that wait for a value in
  /// memory that nobody writes.
  uint64_t patience = uint64_t(1) << 27;
  /// The run ends with so many different errors.
  unsigned maxErrors = 20;
  /// Banks and sectors are counted in so many of the CTAs that run first.
  uint32_t countedCtas = UINT32_MAX;
};

class Machine;
struct Program;

/// A compiled module. Not for several threads at a time.
class Simulator {
public:
  /// Takes a module as lowering emits it. Entries are the functions with the attribute `tessera.threads`. Errors: a marker
  /// or instruction that the simulator does not know or that is malformed, access to device memory other than by
  /// markers, a module that is not valid.
  static llvm::Expected<std::unique_ptr<Simulator>> create(std::unique_ptr<llvm::Module> module,
                                                           llvm::orc::ThreadSafeContext context);
  ~Simulator();

  /// Errors are those of the call: unknown entry, wrong number of arguments, too many threads or bytes. What the kernel does
  /// wrong is in the report.
  llvm::Expected<SimReport> run(llvm::StringRef entry, const SimLaunch &launch);

  std::vector<std::string> entries() const;

private:
  explicit Simulator(std::unique_ptr<Program> program);
  std::unique_ptr<Program> program;
};

} // namespace tessera::sim

#endif // TESSERA_SIMULATOR_SIMULATOR_H
