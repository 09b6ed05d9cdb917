// Read-modify-write of single cells, in the row-major order of the value.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Adversary.h"
#include "../Mutants.h"
#include "Box.h"

#include "tessera/Dialect/Tile/DTypes.h"

using namespace tessera;
using namespace tessera::interp;

namespace {
std::optional<ScalarOp> combinationOf(tile::AtomicKind kind) {
  switch (kind) {
  case tile::AtomicKind::add:
    return scalarOpByMnemonic("add");
  case tile::AtomicKind::max:
    return scalarOpByMnemonic("max");
  case tile::AtomicKind::min:
    return scalarOpByMnemonic("min");
  case tile::AtomicKind::and_:
    return scalarOpByMnemonic("and");
  case tile::AtomicKind::or_:
    return scalarOpByMnemonic("or");
  case tile::AtomicKind::xor_:
    return scalarOpByMnemonic("xor");
  case tile::AtomicKind::xchg:
  case tile::AtomicKind::cas:
    break;
  }
  return std::nullopt;
}

struct AtomicPlan {
  tile::AtomicKind kind;
  Kernel2 combine = nullptr; ///< none for `xchg` and `cas`
  size_t size = 4;

  /// The cell's next content; null if it stays.
  const std::byte *next(const std::byte *held, const std::byte *value, const std::byte *expected,
                        std::byte *room) const {
    if (kind == tile::AtomicKind::cas) {
      return std::memcmp(held, expected, size) == 0 ? value : nullptr;
    }
    if (!combine) {
      return value;
    }
    combine(held, value, room, 1);
    return room;
  }
};

StepFn compileAtomic(Compiler &c, tile::AtomicOp op) {
  BoxPlan plan(c, op.getView(), op.getIndices(), op.getWhole());
  TileSlot value = c.tile(op.getValue());
  std::optional<TileSlot> expected, old;
  if (op.getCompare()) {
    expected = c.tile(op.getCompare());
  }
  if (op.getOld()) {
    old = c.tile(op.getOld());
  }
  AtomicPlan atomic{op.getKind(), nullptr, value.type->elementSize};
  if (std::optional<ScalarOp> row = combinationOf(op.getKind())) {
    atomic.combine = c.system().binary(*row, value.type->dtype, Accuracy::strict);
    if (!atomic.combine) {
      return c.undefined(op, value.type->dtype);
    }
  }
  uint32_t number = c.memoryOp(op);
  return [=](Machine &m) {
    Box box;
    if (!plan.find(m, box)) {
      return;
    }
    ArrayState &array = m.arrays[box.argument];
    Factors factors = m.tiles[value.index].factors;
    if (expected) {
      addFactors(m.pool, factors, value.type->shape, m.tiles[expected->index].factors);
    }
    Ref more = presence(m.pool, factors, value.type->shape);
    if (m.adversary && !AgentAccess(*m.adversary, number, value.type->count)
                            .atomicView(box, more ? more.as<uint8_t>() : nullptr)) {
      return;
    }
    std::byte *oldData = nullptr;
    if (old) {
      oldData = m.makeZeroed(old->index, *old->type);
      plan.addFactors(m, factors, value.type->shape);
      m.tiles[old->index].factors = factors;
    }
    alignas(16) std::byte held[16], room[16];
    size_t size = atomic.size, bytes = array.elementBytes;
    forEachRow(box, [&](int64_t position, int64_t cell, const BoxAxis &row) {
      for (int64_t i = 0; i < row.count && !m.stopped(); ++i) {
        int64_t element = position + i;
        if (!row.present(i) || (more && !more.as<uint8_t>()[element])) {
          continue;
        }
        int64_t at = cell + row.cell(i);
        if (auto conflict = array.shadow->atomic(at, m.access(number))) {
          m.failConflict(box.argument, *conflict);
          return;
        }
        std::byte *memory = array.array->data() + at * int64_t(bytes);
        array.load(memory, held, 1);
        const std::byte *next =
            atomic.next(held, m.data(value.index) + element * size,
                        expected ? m.data(expected->index) + element * size : nullptr, room);
        if (oldData) {
          std::memcpy(
              oldData + element * size,
              TESSERA_MUTANT(31, "an atomic returns the new element", held, next ? next : held),
              size);
        }
        if (next) {
          array.store(next, memory, 1);
        }
      }
    });
  };
}
} // namespace

void tessera::interp::addAtomicCases(OpCases &cases) { cases.add<tile::AtomicOp>(compileAtomic); }
