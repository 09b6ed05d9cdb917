// The places of a module where markers are called, as the running code knows them: by number.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_SIMULATOR_SITE_H
#define TESSERA_LIB_SIMULATOR_SITE_H

#include "Instructions.h"

#include "tessera/Device/Access.h"
#include "tessera/Numeric/NumberSystem.h"

#include <memory>
#include <string>

namespace tessera::sim {

/// Numbers of sites fit into cells of shadow memory.
inline constexpr uint32_t maxSites = 65535;

enum class Space : uint8_t { none, global, shared };

/// `tessera.atom…`: what is done with the value in memory and the operand, both of `type`.
struct AtomicOp {
  /// Null: the operand replaces the value (xchg, and cas where the value is the expected one).
  Kernel2 combine = nullptr;
  unsigned bytes = 0;
  bool acquires = false, releases = false, compares = false;
};

struct Site {
  uint32_t number = 0;
  /// Without `tessera.`.
  std::string marker;
  /// `file:line:column`, or the function where there is no debug location.
  std::string location;
  Space space = Space::none;
  unsigned bytes = 0;
  /// Of addresses; a power of two.
  unsigned alignment = 1;
  bool writes = false;
  /// A load of which some bytes are not used.
  bool isPart = false;
  /// The accesses of an operand of an instruction, which has a site of its own.
  bool isOperand = false;
  /// The number of the access that it is part of (tessera/Device/Access.h).
  uint32_t access = device::noAccess;
  AtomicOp atomic;
  std::unique_ptr<Instruction> instruction;

  /// Of the current run.
  uint64_t executed = 0, active = 0, moved = 0;
  /// The region that the last access of this place fell into.
  uint32_t regionHint = UINT32_MAX;

  std::string text() const { return "`tessera." + marker + "` at " + location; }
};

} // namespace tessera::sim

#endif // TESSERA_LIB_SIMULATOR_SITE_H
