// Loads and stores of boxes. Rows of adjacent cells go through the number system's conversion directly; others through a
// row of native elements.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Mutants.h"
#include "Box.h"

#include "tessera/Dialect/Tile/DTypes.h"

#include "llvm/ADT/STLExtras.h"

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

StepFn compileLoad(Compiler &c, tile::LoadOp op) {
  BoxPlan plan(c, op.getView(), op.getIndices(), op.getWhole());
  TileSlot result = c.tile(op.getResult());
  uint32_t number = c.memoryOp(op);
  return [=](Machine &m) {
    Box box;
    if (!plan.find(m, box)) {
      return;
    }
    ArrayState &array = m.arrays[box.argument];
    std::byte *out =
        box.partial ? m.makeZeroed(result.index, *result.type) : m.make(result.index, *result.type);
    plan.addFactors(m, m.tiles[result.index].factors, result.type->shape);
    BoxPlan::mergeAxes(box);
    std::byte *memory = array.array->data();
    size_t bytes = array.elementBytes, size = result.type->elementSize;
    forEachRow(box, [&](int64_t position, int64_t cell, const BoxAxis &row) {
      if (m.stopped() || row.prefix == 0) {
        return;
      }
      if (array.shadow) {
        auto check = [&](int64_t first, int64_t step, int64_t count, const uint8_t *mask) {
          return array.shadow->read(first, step, count, mask, m.access(number));
        };
        if (auto conflict = overRow(row, cell, nullptr, check)) {
          m.failConflict(box.argument, *conflict);
          return;
        }
      }
      const std::byte *from = memory + cell * int64_t(bytes);
      if (row.table || row.mask || row.step != 1) {
        std::byte *native = m.scratch(0, row.count * bytes);
        gatherRow(from, row, native, bytes);
        from = native;
      }
      array.load(from, out + position * size, row.prefix);
    });
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

StepFn compileStore(Compiler &c, tile::StoreOp op) {
  BoxPlan plan(c, op.getView(), op.getIndices(), op.getWhole());
  TileSlot value = c.tile(op.getValue());
  uint32_t number = c.memoryOp(op);
  bool refuseDuplicates = plan.hasTables() && op.getConflict() == tile::Conflict::error;
  return [=](Machine &m) {
    Box box;
    if (!plan.find(m, box)) {
      return;
    }
    ArrayState &array = m.arrays[box.argument];
    Ref more;
    if (TESSERA_MUTANT(30, "a store writes absent elements", true, false)) {
      more = plan.restrictTo(m, box, m.tiles[value.index].factors, value.type->shape);
    }
    if (refuseDuplicates && !checkDuplicates(m, box, more)) {
      return;
    }
    BoxPlan::mergeAxes(box);
    const std::byte *elements = m.data(value.index);
    std::byte *memory = array.array->data();
    size_t bytes = array.elementBytes, size = value.type->elementSize;
    forEachRow(box, [&](int64_t position, int64_t cell, const BoxAxis &row) {
      if (m.stopped() || row.prefix == 0) {
        return;
      }
      const uint8_t *present = more ? more.as<uint8_t>() + position : nullptr;
      auto check = [&](int64_t first, int64_t step, int64_t count, const uint8_t *mask) {
        return array.shadow->write(first, step, count, mask, m.access(number));
      };
      if (auto conflict = overRow(row, cell, present, check)) {
        m.failConflict(box.argument, *conflict);
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
  };
}
} // namespace

void tessera::interp::addMemoryCases(OpCases &cases) {
  cases.add<tile::LoadOp>(compileLoad);
  cases.add<tile::StoreOp>(compileStore);
}
