// Vector clocks of agents, and who touched which cell last.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_INTERPRETER_ADVERSARYCELLS_H
#define TESSERA_LIB_INTERPRETER_ADVERSARYCELLS_H

#include "tessera/Host/HostMemory.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <memory>

namespace tessera::interp {

/// What agents knew at a moment: for each agent, how far its accesses are ordered before, and how far its generic
/// writes are visible to asynchronous ops too.
struct Stamp {
  llvm::SmallVector<uint32_t, 16> seen, fenced;
};

class VectorClocks {
public:
  void reset(unsigned agents);
  unsigned size() const { return count; }

  uint32_t now(unsigned agent) const { return seen[agent * count + agent]; }
  /// What `agent` did at `time` comes before what `by` does now.
  bool isOrdered(unsigned agent, uint32_t time, unsigned by) const {
    return agent == by || time <= seen[by * count + agent];
  }
  bool isFenced(unsigned agent, uint32_t time, unsigned by) const {
    return time <= fenced[by * count + agent];
  }

  /// What the agents did until now, for others to learn; what they do next is not in it.
  Stamp publish(llvm::ArrayRef<unsigned> agents);
  void learn(llvm::ArrayRef<unsigned> agents, const Stamp &stamp);
  void barrier(llvm::ArrayRef<unsigned> agents) { learn(agents, publish(agents)); }
  void fence(llvm::ArrayRef<unsigned> agents);
  /// Everything so far comes before everything that follows: a new CTA.
  void cut();

private:
  unsigned count = 0;
  std::vector<uint32_t> seen, fenced; // [agent][of]
};

enum class WriteKind : uint8_t { none, generic, async, atomic };

struct Cell {
  uint32_t time = 0, op = 0; ///< of the last write
  /// The asynchronous ops that wrote and read it last.
  uint32_t asyncWrite = 0, asyncRead = 0;
  uint8_t agent = 0;
  WriteKind kind = WriteKind::none;
};

struct CellReader {
  uint32_t time = 0, op = 0;
};

/// Zeroed memory that is committed where it is used. Cells may have negative numbers, as those of arrays.
class CellTable {
public:
  /// Throws OutOfMemory.
  CellTable(int64_t firstCell, uint64_t cells, unsigned agents);

  Cell &cell(int64_t i) const { return reinterpret_cast<Cell *>(memory->data())[i - first]; }
  CellReader *readers(int64_t i) const {
    return reinterpret_cast<CellReader *>(readerMemory->data()) + (i - first) * int64_t(agents);
  }
  int64_t firstCell() const { return first; }
  uint64_t size() const { return count; }

private:
  int64_t first;
  uint64_t count;
  unsigned agents;
  std::shared_ptr<HostMemory> memory, readerMemory;
};

} // namespace tessera::interp

#endif // TESSERA_LIB_INTERPRETER_ADVERSARYCELLS_H
