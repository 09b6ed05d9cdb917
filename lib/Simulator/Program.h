// A compiled module: its sites, its memory, the device that runs it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_SIMULATOR_PROGRAM_H
#define TESSERA_LIB_SIMULATOR_PROGRAM_H

#include "Machine.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"

#include <deque>

namespace tessera::sim {

struct EntryPoint {
  Machine::Entry call = nullptr;
  size_t parameters = 0;
  unsigned threads = 0;
  uint64_t sharedBytes = 0;
};

struct Program {
  std::vector<Site> sites;
  /// The running code has the addresses of these.
  std::deque<CastKernel> conversions;
  SharedMemory shared;
  std::unique_ptr<Machine> machine;
  llvm::StringMap<EntryPoint> entries;
  /// Last: it owns the code.
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

/// The symbol that calls an entry with its arguments in words of 8 bytes, and the one that calls the body of a site's
/// instruction with its operands' addresses.
std::string entrySymbol(llvm::StringRef entry);
std::string bodySymbol(uint32_t site);

/// What the running code calls: symbols and addresses.
struct RuntimeFunction {
  const char *name;
  void *address;
};
llvm::ArrayRef<RuntimeFunction> runtimeFunctions();

/// Makes markers calls of the runtime, and adds the functions that call entries and bodies. The module has the host's data
/// layout already.
llvm::Error expandModule(llvm::Module &module, Program &program);

} // namespace tessera::sim

#endif // TESSERA_LIB_SIMULATOR_PROGRAM_H
