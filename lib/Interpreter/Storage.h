// Memory that a schedule makes, while it lives: bufs with what each cell holds, and rings as counts. What a run without
// schedules pays for it is an empty list.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_INTERPRETER_STORAGE_H
#define TESSERA_LIB_INTERPRETER_STORAGE_H

#include "Random.h"
#include "TileValue.h"

#include "tessera/Dialect/Tile/TileOps.h"

#include <optional>
#include <string>
#include <vector>

namespace tessera::interp {

/// Why a cell of a buf holds nothing, or that it holds a value.
enum class CellState : uint8_t {
  never,  ///< nothing was written since the memory was made
  held,   ///< a value
  left,   ///< a copy with `fill undef` did not write it
  reused, ///< its slot was acquired again, and nothing was written since
  taken,  ///< another buf took the memory over
  lanes   ///< an instruction wrote what the lanes of absent elements held
};
/// Text for messages: `nothing was written to it`.
llvm::StringRef whyEmpty(CellState state);

/// The slots of a buf of one owner.
struct BufMemory {
  Ref data; ///< all slots, each dense in index order, elements of the number system
  std::vector<CellState> states;
};

struct BufState {
  mlir::Operation *op = nullptr;
  std::string name;
  TileType type; ///< of one slot
  int64_t slots = 1;
  tile::ExecScope per = tile::ExecScope::cta;
  std::optional<unsigned> ring;
  std::vector<unsigned> over;
  /// By number of the owner: 0 for the CTA (or the warps that act together), else a step of `tile.par`.
  std::vector<BufMemory> memory;
  /// Has been written since it was made; takes effect on the bufs of `over`.
  bool active = false;
  /// The buf that took the memory.
  std::optional<unsigned> takenBy;
  /// The buf that had taken it and was made anew since: its accesses must be over before the next one to this buf.
  std::optional<unsigned> follows;

  size_t slotBytes() const { return type.bytes(); }
};

/// How far a ring has come. Numbers of slots since the ring was made; slot n % S is the n-th.
struct RingQueue {
  uint64_t acquired = 0, committed = 0, awaited = 0, released = 0;
  /// Released slots that are free again; behind `released` by the lag.
  uint64_t freed = 0;
};

struct RingState {
  mlir::Operation *op = nullptr;
  std::string name;
  tile::Protocol protocol = tile::Protocol::cta_sync;
  uint64_t slots = 1;
  std::vector<unsigned> bufs;
  /// Nobody awaits: a filled slot is free when the stores out of it are done.
  bool drains = false;
  tile::ExecScope per = tile::ExecScope::cta;
  std::vector<RingQueue> queues; ///< by number of the owner

  /// A slot between `acquire` and `commit`, or between `await` and `release`.
  bool isHeld(uint64_t slot, unsigned owner) const;
};

class Storage {
public:
  std::vector<BufState> bufs;
  std::vector<RingState> rings;
  /// The step of a `tile.par` over warps or warpgroups that is running; 0 outside.
  unsigned parStep = 0;

  /// Where new memory gets its bits from; null: zeros.
  Random *garbage = nullptr;

  unsigned ownerOf(tile::ExecScope per) const { return per == tile::ExecScope::cta ? 0 : parStep; }
  /// Memory of the owner that runs now; made when first asked for.
  BufMemory &memoryOf(BufferPool &pool, unsigned buf);
  RingQueue &queueOf(unsigned ring);

  /// Forgets what a buf holds: the alloc is run, or a new CTA begins.
  void renew(unsigned buf);
  void renewRing(unsigned ring);
  void renewAll();
  /// Marks the cells of a slot of every buf of the ring, as far as they were written.
  void mark(BufferPool &pool, unsigned ring, int64_t slot, CellState state);
};

/// `As`, where the value has a name in the source, else `buf of line 4`.
std::string nameOf(mlir::Value value, llvm::StringRef kind);

} // namespace tessera::interp

#endif // TESSERA_LIB_INTERPRETER_STORAGE_H
