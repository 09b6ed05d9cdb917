// Loads and stores of boxes. Rows of adjacent cells go through the number system's conversion directly; others through a
// row of native elements.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Adversary.h"
#include "../Mutants.h"
#include "Box.h"
#include "Parts.h"

#include "tessera/Dialect/Tile/DTypes.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace tessera;
using namespace tessera::interp;

namespace {
/// target[i] = memory[table[i]] for the present positions; zero bytes elsewhere.
void gatherRow(const std::byte *memory, const BoxAxis &row, std::byte *target, size_t size) {
  if (!row.table && !row.mask) {
    copyRow(memory, row.step, target, 1, row.prefix, size);
    return;
  }
  for (int64_t i = 0; i < row.prefix; ++i) {
    if (row.mask && !row.mask[i]) {
      std::memset(target + i * size, 0, size);
    } else {
      std::memcpy(target + i * size, memory + row.cell(i) * int64_t(size), size);
    }
  }
}

/// memory[table[i]] = source[i] for the positions present in the row and in `more`.
void scatterRow(const std::byte *source, const BoxAxis &row, const uint8_t *more, std::byte *memory,
                size_t size) {
  if (!row.table && !row.mask && !more) {
    copyRow(source, 1, memory, row.step, row.prefix, size);
    return;
  }
  for (int64_t i = 0; i < row.prefix; ++i) {
    if ((!row.mask || row.mask[i]) && (!more || more[i])) {
      std::memcpy(memory + row.cell(i) * int64_t(size), source + i * size, size);
    }
  }
}

/// Runs an access check over a row of cells. `check(cell, step, count, mask)`.
template <class Check>
std::optional<AccessConflict> overRow(const BoxAxis &row, int64_t cell, const uint8_t *more,
                                      Check check) {
  if (!row.table && !(row.mask && more)) {
    return check(cell, row.step, row.prefix, row.mask ? row.mask : more);
  }
  for (int64_t i = 0; i < row.prefix; ++i) {
    if ((row.mask && !row.mask[i]) || (more && !more[i])) {
      continue;
    }
    if (auto conflict = check(cell + row.cell(i), 1, 1, nullptr)) {
      return conflict;
    }
  }
  return std::nullopt;
}

/// What the adversary does to a load: who reads what, and garbage where nothing is read.
std::byte *adversarialTarget(Machine &m, const Box &box, uint32_t number, const TileSlot &result) {
  AgentAccess access(*m.adversary, number, result.type->count);
  if (!access.readView(box)) {
    return nullptr;
  }
  std::byte *out = m.make(result.index, *result.type);
  if (box.partial) {
    m.adversary->random.fill(*result.type, out, result.type->count);
  }
  return out;
}

StepFn compileLoad(Compiler &c, tile::LoadOp op) {
  BoxPlan plan(c, op.getView(), op.getIndices(), op.getWhole());
  TileSlot result = c.tile(op.getResult());
  uint32_t number = c.memoryOp(op);
  return [=](Machine &m) {
    Box box;
    if (!plan.find(m, box)) {
      return;
    }
    std::byte *out = m.adversary   ? adversarialTarget(m, box, number, result)
                     : box.partial ? m.makeZeroed(result.index, *result.type)
                                   : m.make(result.index, *result.type);
    if (!out) {
      return;
    }
    plan.addFactors(m, m.tiles[result.index].factors, result.type->shape);
    BoxPlan::mergeAxes(box);
    loadBox(m, box, number, out, result.type->elementSize);
  };
}

/// Whether two present elements of the box meet one cell; the cell is given.
std::optional<int64_t> duplicateCell(Machine &m, const Box &box, const Ref &more) {
  std::vector<int64_t> cells;
  forEachRow(box, [&](int64_t position, int64_t cell, const BoxAxis &row) {
    for (int64_t i = 0; i < row.prefix; ++i) {
      if (row.present(i) && (!more || more.as<uint8_t>()[position + i])) {
        cells.push_back(cell + row.cell(i));
      }
    }
  });
  llvm::sort(cells);
  auto same = std::adjacent_find(cells.begin(), cells.end());
  return same == cells.end() ? std::nullopt : std::optional(*same);
}

/// A cheap test that settles most stores: the present indices of every table differ. Elements of an array that does not
/// overlap itself can only meet where two indices of one table are equal.
bool tablesAreDistinct(const Box &box) {
  llvm::SmallVector<int64_t, 64> cells;
  for (const BoxAxis &axis : box.axes) {
    if (!axis.table) {
      continue;
    }
    cells.clear();
    for (int64_t i = 0; i < axis.count; ++i) {
      if (axis.present(i)) {
        cells.push_back(axis.table[i]);
      }
    }
    llvm::sort(cells);
    if (std::adjacent_find(cells.begin(), cells.end()) != cells.end()) {
      return false;
    }
  }
  return true;
}

bool checkDuplicates(Machine &m, const Box &box, const Ref &more) {
  const ArrayState &array = m.arrays[box.argument];
  if (TESSERA_MUTANT(29, "duplicates in a store are not noticed", false, true)) {
    return true;
  }
  if (!array.overlapsItself && tablesAreDistinct(box)) {
    return true;
  }
  std::optional<int64_t> cell = duplicateCell(m, box, more);
  if (!cell) {
    return true;
  }
  std::vector<int64_t> index = indexOfCell(array.array->layout(), *cell);
  if (RunError *error = m.fail(RunDiag::run_duplicate_store, describeIndex(index), array.name)) {
    error->index = std::move(index);
  }
  return false;
}

/// Of the elements that meet in a cell the last one, in the order in which the op's points are done.
Ref lastOfEach(Machine &m, const Box &box, const Ref &more, const PointOrder &points,
               int64_t count) {
  constexpr int64_t absent = std::numeric_limits<int64_t>::min();
  std::vector<int64_t> cells(count, absent);
  forEachRow(box, [&](int64_t position, int64_t cell, const BoxAxis &row) {
    for (int64_t i = 0; i < row.prefix; ++i) {
      if (row.present(i) && (!more || more.as<uint8_t>()[position + i])) {
        cells[position + i] = cell + row.cell(i);
      }
    }
  });
  std::map<int64_t, int64_t> last; // by cell
  for (int64_t position : points.choose(m.adversary->random)) {
    if (cells[position] != absent) {
      last[cells[position]] = position;
    }
  }
  Ref mask = m.pool.allocateZeroed(std::max<int64_t>(count, 1));
  for (auto [cell, position] : last) {
    mask.as<uint8_t>()[position] = 1;
  }
  return mask;
}

/// Data of a store by an asynchronous instruction goes to memory when it comes to it.
void storeLater(Machine &m, AgentAccess &access, const Box &box, const Ref &more, uint32_t number,
                const TileValue &value, size_t size) {
  access.start(
      nullptr,
      [=, &m, data = value.data] {
        storeBox(m, box, more, number, data.data(), size, BoxPass::move);
      },
      nullptr);
}

StepFn compileStore(Compiler &c, tile::StoreOp op) {
  BoxPlan plan(c, op.getView(), op.getIndices(), op.getWhole());
  TileSlot value = c.tile(op.getValue());
  uint32_t number = c.memoryOp(op);
  bool refuseDuplicates = plan.hasTables() && op.getConflict() == tile::Conflict::error;
  bool lastWins = plan.hasTables() && op.getConflict() == tile::Conflict::last;
  PointOrder points(op);
  return [=](Machine &m) {
    Box box;
    if (!plan.find(m, box)) {
      return;
    }
    Ref more;
    if (TESSERA_MUTANT(30, "a store writes absent elements", true, false)) {
      more = plan.restrictTo(m, box, m.tiles[value.index].factors, value.type->shape);
    }
    if (refuseDuplicates && !checkDuplicates(m, box, more)) {
      return;
    }
    size_t size = value.type->elementSize;
    if (m.adversary && lastWins) {
      more = lastOfEach(m, box, more, points, value.type->count);
    }
    if (m.adversary) {
      AgentAccess access(*m.adversary, number, value.type->count);
      if (!access.writeView(box, more ? more.as<uint8_t>() : nullptr)) {
        return;
      }
      if (access.isAsync()) {
        if (storeBox(m, box, more, number, nullptr, size, BoxPass::check)) {
          storeLater(m, access, box, more, number, m.tiles[value.index], size);
        }
        return;
      }
    }
    BoxPlan::mergeAxes(box);
    storeBox(m, box, more, number, m.data(value.index), size);
  };
}
} // namespace

bool tessera::interp::loadBox(Machine &m, const Box &box, uint32_t op, std::byte *out, size_t size,
                              BoxPass pass) {
  ArrayState &array = m.arrays[box.argument];
  std::byte *memory = array.array->data();
  size_t bytes = array.elementBytes;
  bool good = true;
  forEachRow(box, [&](int64_t position, int64_t cell, const BoxAxis &row) {
    if (!good || row.prefix == 0) {
      return;
    }
    if (array.shadow && pass != BoxPass::move) {
      auto check = [&](int64_t first, int64_t step, int64_t count, const uint8_t *mask) {
        return array.shadow->read(first, step, count, mask, m.access(op));
      };
      if (auto conflict = overRow(row, cell, nullptr, check)) {
        m.failConflict(box.argument, *conflict);
        good = false;
        return;
      }
    }
    if (pass == BoxPass::check) {
      return;
    }
    const std::byte *from = memory + cell * int64_t(bytes);
    if (!row.table && !row.mask && row.step == 1) {
      array.load(from, out + position * size, row.prefix);
      return;
    }
    std::byte *native = m.scratch(0, row.count * bytes);
    gatherRow(from, row, native, bytes);
    if (!row.mask) {
      array.load(native, out + position * size, row.prefix);
      return;
    }
    std::byte *loaded = m.scratch(1, row.count * size);
    array.load(native, loaded, row.prefix);
    for (int64_t i = 0; i < row.prefix; ++i) {
      if (row.mask[i]) {
        std::memcpy(out + (position + i) * size, loaded + i * size, size);
      }
    }
  });
  return good;
}

bool tessera::interp::storeBox(Machine &m, const Box &box, const Ref &more, uint32_t op,
                               const std::byte *elements, size_t size, BoxPass pass) {
  ArrayState &array = m.arrays[box.argument];
  std::byte *memory = array.array->data();
  size_t bytes = array.elementBytes;
  bool good = true;
  forEachRow(box, [&](int64_t position, int64_t cell, const BoxAxis &row) {
    if (!good || row.prefix == 0) {
      return;
    }
    const uint8_t *present = more ? more.as<uint8_t>() + position : nullptr;
    if (pass != BoxPass::move) {
      auto check = [&](int64_t first, int64_t step, int64_t count, const uint8_t *mask) {
        return array.shadow->write(first, step, count, mask, m.access(op));
      };
      if (auto conflict = overRow(row, cell, present, check)) {
        m.failConflict(box.argument, *conflict);
        good = false;
        return;
      }
    }
    if (pass == BoxPass::check) {
      return;
    }
    std::byte *to = memory + cell * int64_t(bytes);
    if (!row.table && !row.mask && !present && row.step == 1) {
      array.store(elements + position * size, to, row.prefix);
      return;
    }
    std::byte *native = m.scratch(0, row.count * bytes);
    array.store(elements + position * size, native, row.prefix);
    scatterRow(native, row, present, to, bytes);
  });
  return good;
}

Ref tessera::interp::presentMask(Machine &m, const Box &box, int64_t count) {
  if (!box.partial) {
    return Ref();
  }
  Ref mask = m.pool.allocateZeroed(count);
  forEachRow(box, [&](int64_t position, int64_t cell, const BoxAxis &row) {
    for (int64_t i = 0; i < row.prefix; ++i) {
      mask.as<uint8_t>()[position + i] = row.present(i);
    }
  });
  return mask;
}

void tessera::interp::addMemoryCases(OpCases &cases) {
  cases.add<tile::LoadOp>(compileLoad);
  cases.add<tile::StoreOp>(compileStore);
}
