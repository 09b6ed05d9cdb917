// Fibers: what runs a thread of the GPU until it gives way. They are switched by hand, as a launch switches many millions of
// times; a system context would save signal masks by system calls.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_SIMULATOR_FIBERS_H
#define TESSERA_LIB_SIMULATOR_FIBERS_H

#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace tessera::sim {

/// Runs fibers on the calling thread of the host. A fiber that never ends may be forgotten: nothing on its stack is
/// destroyed, so code that gives way must not own anything.
class Fibers {
public:
  using Entry = void (*)(void *argument);

  Fibers();
  ~Fibers();
  Fibers(const Fibers &) = delete;
  Fibers &operator=(const Fibers &) = delete;

  /// Forgets all fibers and makes room for so many.
  llvm::Error reset(unsigned count);

  /// From the scheduler: runs fiber `index`, from the start of entry(argument) if it has not begun, until it gives way or ends.
  llvm::Error resume(unsigned index, Entry entry, void *argument);
  /// From a fiber: back to the scheduler.
  void yield();
  bool hasEnded(unsigned index) const { return states[index] == State::ended; }

  struct Impl;

private:
  enum class State : uint8_t { fresh, begun, ended };
  std::unique_ptr<Impl> impl;
  std::vector<State> states;
};

} // namespace tessera::sim

#endif // TESSERA_LIB_SIMULATOR_FIBERS_H
