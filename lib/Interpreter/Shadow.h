// Who touched which cell of an array that the kernel may write. Grid points run one after the other here and in no order
// elsewhere, so two points that touch one cell must both only read it or both use atomics; and a cell of an `out` array
// must be written before it is read. Both are found as they happen.
//
// For each cell: the point that wrote it, two different points that read it, two that used atomics on it. As points run
// one after the other the first of two suffices, except for the program around the grid, which runs before and after. A
// third adds nothing. The tables are lazily committed memory, so a sparse array costs what it touches.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_INTERPRETER_SHADOW_H
#define TESSERA_LIB_INTERPRETER_SHADOW_H

#include "tessera/Host/HostArray.h"

#include "llvm/Support/Error.h"

#include <optional>
#include <vector>

namespace tessera::interp {

/// A grid point (1 is the program outside the grid, point p of the grid is p + 2) and the op, never 0.
struct Access {
  uint32_t point = 0;
  uint32_t op = 0;

  uint64_t packed() const { return uint64_t(point) << 32 | op; }
  static Access unpack(uint64_t word) { return {uint32_t(word >> 32), uint32_t(word)}; }
};

enum class ConflictKind : uint8_t { unwritten, writeWrite, readWrite };

/// The first cell of a run that may not be touched so, and the access it conflicts with.
struct AccessConflict {
  ConflictKind kind = ConflictKind::unwritten;
  int64_t cell = 0;
  Access earlier;
  /// The earlier access was the read.
  bool earlierReads = false;
};

class Shadow {
public:
  /// `mustBeWritten`: reading an unwritten cell is an error (`out`).
  static llvm::Expected<Shadow> create(const HostArray &array, bool mustBeWritten);

  /// Cells `cell + i * step`, i < count; if `mask` is given only those with a nonzero byte.
  std::optional<AccessConflict> read(int64_t cell, int64_t step, int64_t count, const uint8_t *mask,
                                     Access by);
  std::optional<AccessConflict> write(int64_t cell, int64_t step, int64_t count,
                                      const uint8_t *mask, Access by);
  std::optional<AccessConflict> atomic(int64_t cell, Access by);

  /// Whether each element of the array, in index order, was written or met an atomic.
  std::vector<bool> written(const HostArray &array) const;

private:
  using Table = std::shared_ptr<HostMemory>;
  uint64_t *words(const Table &table) const {
    return reinterpret_cast<uint64_t *>(table->data()) - firstCell;
  }
  std::optional<AccessConflict> checkWrite(int64_t cell, Access by) const;
  std::optional<AccessConflict> checkRead(int64_t cell, Access by) const;
  static void note(uint64_t &first, uint64_t &second, Access by);

  int64_t firstCell = 0;
  bool mustBeWritten = false;
  bool hasReads = false, hasAtomics = false;
  Table writer, reader, otherReader, atomicUser, otherAtomicUser;
};

} // namespace tessera::interp

#endif // TESSERA_LIB_INTERPRETER_SHADOW_H
