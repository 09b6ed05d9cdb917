// Declared instructions (`tessera.i.NAME`): their operands as the string attributes describe them, and where each lane's
// registers and addresses lie in a whole operand. The only place that knows fragment maps and lane addresses.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_SIMULATOR_INSTRUCTIONS_H
#define TESSERA_LIB_SIMULATOR_INSTRUCTIONS_H

#include "tessera/Numeric/DType.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace tessera::sim {

enum class OperandKind : uint8_t { fragment, shared, view, scalar };

struct Operand {
  std::string name;
  OperandKind kind = OperandKind::scalar;
  bool isRead = true, isWritten = false;
  DType type = DType::i32;
  llvm::SmallVector<int64_t, 2> shape;

  uint64_t elements() const;
  uint64_t bytes() const { return elements() * byteSize(type); }
  bool isMemory() const { return kind == OperandKind::shared || kind == OperandKind::view; }

  /// Fragments: values of a lane; for each lane and value (fastest) the element, counted row by row.
  unsigned values = 0;
  std::vector<uint32_t> elementOf;
  /// Bytes of a lane's registers: a multiple of 4.
  unsigned registerBytes() const { return (values * unsigned(byteSize(type)) + 3) / 4 * 4; }

  /// Memory: bytes at a lane's address; for each lane whose address counts the first element, counted row by row. One lane
  /// where the scope is a thread.
  unsigned laneBytes = 0;
  std::vector<uint32_t> firstElement;

  /// Where the lane's value lies among what a call hands over: registers, a scalar, or an address followed (views) by the
  /// number of present bytes; and where its results are expected.
  unsigned inOffset = 0, outOffset = 0;
  /// Site of the accesses of a memory operand.
  uint32_t site = 0;

  void gather(llvm::ArrayRef<const char *> lanes, char *dense) const;
  void scatter(const char *dense, llvm::ArrayRef<char *> lanes) const;
};

/// Address and present bytes of a lane's memory operand, in the words a call hands over.
struct LaneAddress {
  uint64_t address;
  uint64_t present;
};

/// `in` is what the call hands over. All of shared memory is present.
LaneAddress addressOf(const Operand &operand, const char *in);

struct Instruction {
  std::string name;
  /// Threads of a group that execute it together: 1, 32, 128; 0 is the whole CTA.
  unsigned group = 1;
  bool isAsync = false;
  std::string body;
  /// body(pointers to dense operands), after compilation.
  void (*run)(void **operands) = nullptr;
  std::vector<Operand> operands;
  unsigned inBytes = 0, outBytes = 0;
  /// Whether this lane takes part, one byte.
  unsigned participatesOffset = 0;
};

/// Reads the attributes of a call; `attribute` gives the text of one, empty if it is not there. Errors name the instruction and
/// the attribute.
llvm::Expected<Instruction>
parseInstruction(llvm::StringRef name,
                 llvm::function_ref<llvm::StringRef(llvm::StringRef)> attribute);

} // namespace tessera::sim

#endif // TESSERA_LIB_SIMULATOR_INSTRUCTIONS_H
