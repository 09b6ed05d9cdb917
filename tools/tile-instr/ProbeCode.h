// The kernel around one execution of a declared instruction.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TOOLS_TILE_INSTR_PROBECODE_H
#define TESSERA_TOOLS_TILE_INSTR_PROBECODE_H

#include "Fragments.h"

#include "tessera/Target/PTX/EmitPTX.h"

namespace tessera::fragments {

/// Bytes of an operand: the registers of all lanes, or a tile of shared memory.
int64_t bytesOf(const instr::Instruction &instruction, const instr::Operand &operand);
/// Bytes of one pass's operands and results.
struct ProbeSize {
  int64_t in = 0, out = 0, shared = 0;
};
ProbeSize sizeOf(const instr::Instruction &instruction);

/// PTX of a kernel `NAME(in, out)`, one CTA a pass. A pass's operands lie one after the other: those that are read, a
/// fragment as words of lane 0, of lane 1, and so on, a tile in shared memory row-major; before a tile in shared memory come
/// the byte offsets of the rows whose addresses lanes give, a word each. What is written lies in `out` in the same way,
/// without offsets.
llvm::Expected<std::string> probeCode(const instr::Instruction &instruction, ptx::Arch arch);

} // namespace tessera::fragments

#endif // TESSERA_TOOLS_TILE_INSTR_PROBECODE_H
