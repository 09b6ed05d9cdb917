// Conflicts between grid points and reads of unwritten cells.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Shadow.h"

#include "Mutants.h"

#include <algorithm>

using namespace tessera;
using namespace tessera::interp;

llvm::Expected<Shadow> Shadow::create(const HostArray &array, bool mustBeWritten) {
  Shadow shadow;
  shadow.mustBeWritten = mustBeWritten;
  Int128 cells = 1;
  if (array.layout().hasElements()) {
    OffsetSpan span = array.layout().span();
    shadow.firstCell = static_cast<int64_t>(span.first);
    cells = span.last - span.first + 1;
  }
  for (Table *table : {&shadow.writer, &shadow.reader, &shadow.otherReader, &shadow.atomicUser,
                       &shadow.otherAtomicUser}) {
    llvm::Expected<Table> memory = HostMemory::reserve(uint64_t(cells) * sizeof(uint64_t));
    if (!memory) {
      return memory.takeError();
    }
    *table = std::move(*memory);
  }
  return shadow;
}

namespace {
bool allZero(const uint64_t *words, int64_t count) {
  uint64_t any = 0;
  for (int64_t i = 0; i < count; ++i) {
    any |= words[i];
  }
  return any == 0;
}

bool byOther(uint64_t word, Access by) { return word && Access::unpack(word).point != by.point; }
} // namespace

std::optional<AccessConflict> Shadow::checkRead(int64_t cell, Access by) const {
  uint64_t wrote = words(writer)[cell];
  if (TESSERA_MUTANT(1, "reads after writes conflict no more", byOther(wrote, by), false)) {
    return AccessConflict{ConflictKind::readWrite, cell, Access::unpack(wrote), false};
  }
  bool touched = wrote;
  if (hasAtomics) {
    for (const Table *table : {&atomicUser, &otherAtomicUser}) {
      uint64_t used = words(*table)[cell];
      touched |= used != 0;
      if (byOther(used, by)) {
        return AccessConflict{ConflictKind::readWrite, cell, Access::unpack(used), false};
      }
    }
  }
  if (mustBeWritten && !TESSERA_MUTANT(2, "unwritten elements may be read", touched, true)) {
    return AccessConflict{ConflictKind::unwritten, cell, {}, false};
  }
  return std::nullopt;
}

std::optional<AccessConflict> Shadow::checkWrite(int64_t cell, Access by) const {
  uint64_t wrote = words(writer)[cell];
  if (TESSERA_MUTANT(3, "writes after writes conflict no more", byOther(wrote, by), false)) {
    return AccessConflict{ConflictKind::writeWrite, cell, Access::unpack(wrote), false};
  }
  if (hasReads) {
    for (const Table *table : {&reader, &otherReader}) {
      uint64_t read = words(*table)[cell];
      if (TESSERA_MUTANT(4, "writes after reads conflict no more", byOther(read, by), false)) {
        return AccessConflict{ConflictKind::readWrite, cell, Access::unpack(read), true};
      }
    }
  }
  return std::nullopt;
}

void Shadow::note(uint64_t &first, uint64_t &second, Access by) {
  if (!first) {
    first = by.packed();
  } else if (!second && byOther(first, by)) {
    second = TESSERA_MUTANT(5, "the second point is forgotten", by.packed(), second);
  }
}

std::optional<AccessConflict> Shadow::read(int64_t cell, int64_t step, int64_t count,
                                           const uint8_t *mask, Access by) {
  hasReads = true;
  uint64_t *first = words(reader), *second = words(otherReader);
  for (int64_t i = 0; i < count; ++i, cell += step) {
    if (mask && !mask[i]) {
      continue;
    }
    if (auto conflict = checkRead(cell, by)) {
      return conflict;
    }
    note(first[cell], second[cell], by);
  }
  return std::nullopt;
}

std::optional<AccessConflict> Shadow::write(int64_t cell, int64_t step, int64_t count,
                                            const uint8_t *mask, Access by) {
  uint64_t *wrote = words(writer);
  bool simple = !hasReads && !hasAtomics;
  if (simple && !mask && step == 1 && allZero(wrote + cell, count)) {
    std::fill_n(wrote + cell, count, by.packed());
    return std::nullopt;
  }
  for (int64_t i = 0; i < count; ++i, cell += step) {
    if (mask && !mask[i]) {
      continue;
    }
    if (!simple || wrote[cell]) {
      if (auto conflict = checkWrite(cell, by)) {
        return conflict;
      }
      if (hasAtomics) {
        for (const Table *table : {&atomicUser, &otherAtomicUser}) {
          uint64_t used = words(*table)[cell];
          if (byOther(used, by)) {
            return AccessConflict{ConflictKind::writeWrite, cell, Access::unpack(used), false};
          }
        }
      }
    }
    wrote[cell] = by.packed();
  }
  return std::nullopt;
}

std::optional<AccessConflict> Shadow::atomic(int64_t cell, Access by) {
  if (auto conflict = checkWrite(cell, by)) {
    return conflict;
  }
  hasAtomics = true;
  note(words(atomicUser)[cell], words(otherAtomicUser)[cell], by);
  return std::nullopt;
}

std::vector<bool> Shadow::written(const HostArray &array) const {
  std::vector<bool> result;
  if (!array.layout().hasElements()) {
    return result;
  }
  result.assign(array.numElements(), false);
  const uint64_t *wrote = words(writer), *used = words(atomicUser);
  size_t position = 0;
  array.layout().forEachRow([&](int64_t offset, int64_t stride, int64_t count) {
    for (int64_t i = 0; i < count; ++i, offset += stride, ++position) {
      if (wrote[offset] || (hasAtomics && used[offset])) {
        result[position] = true;
      }
    }
  });
  return result;
}
