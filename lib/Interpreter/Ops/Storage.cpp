// Bufs, and what moves data to and from them. A buf is an array without absence: its elements are those of the number
// system, dense, slot after slot; what a cell holds is checked where it is read.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Adversary.h"
#include "../Mutants.h"
#include "Box.h"
#include "BufAccess.h"

using namespace tessera;
using namespace tessera::interp;

namespace {
StepFn compileAlloc(Compiler &c, tile::AllocOp op) {
  auto type = mlir::cast<tile::BufType>(op.getResult().getType());
  const TileType &slot = c.type(type.getTileType());
  if (c.refusesSize(type, Wide(slot.count) * type.getSlots() * slot.elementSize, op.getLoc())) {
    return nullptr;
  }
  unsigned buf = c.machine.storage.bufs.size();
  BufState &state = c.machine.storage.bufs.emplace_back();
  state.op = op;
  state.name = nameOf(op.getResult(), "buf");
  state.type = slot;
  state.slots = type.getSlots();
  state.per = type.getPer();
  for (mlir::Value over : op.getOver()) {
    auto found = c.bufs.find(over);
    if (found != c.bufs.end()) {
      state.over.push_back(found->second);
    }
  }
  c.bufs[op.getResult()] = buf;
  return [=](Machine &m) { m.storage.renew(buf); };
}

const uint8_t *bytesOf(const Ref &mask) { return mask ? mask.as<uint8_t>() : nullptr; }

/// target[i] = source[i] for the elements with a nonzero byte (all if `mask` is null).
void copyMasked(const std::byte *source, std::byte *target, const uint8_t *mask,
                const TileType &type) {
  if (!mask) {
    std::memcpy(target, source, type.bytes());
    return;
  }
  for (int64_t i = 0; i < type.count; ++i) {
    if (mask[i]) {
      std::memcpy(target + i * type.elementSize, source + i * type.elementSize, type.elementSize);
    }
  }
}

//===- view to buf --------------------------------------------------------===//

/// Cells that a copy does not write have no value: the next user must not count on what was there.
void markCopied(Machine &m, const BufSlot &to, const Ref &mask, bool zero) {
  if (TESSERA_MUTANT(52, "cells that a copy leaves keep their values", mask && !zero, false)) {
    BufPlan::mark(m, to, bytesOf(mask), CellState::left, /*where=*/false);
  }
  BufPlan::mark(m, to, zero ? nullptr : bytesOf(mask), CellState::held);
}

/// Whether the adversary lets the copy run now; if it has taken it on itself, `isLater` is set.
bool adversarialCopy(Machine &m, const Box &box, uint32_t number, const BufSlot &to,
                     const Ref &mask, bool zero, bool &isLater) {
  AgentAccess access(*m.adversary, number, to.type->count);
  Ref written = zero ? Ref() : mask;
  if (!access.readView(box) || !access.writeBuf(to, bytesOf(written))) {
    return false;
  }
  isLater = access.isAsync();
  if (!isLater) {
    return true;
  }
  size_t size = to.type->elementSize;
  if (!loadBox(m, box, number, nullptr, size, BoxPass::check)) {
    return false;
  }
  // Until it is waited for the target is poison.
  m.adversary->random.fill(*to.type, to.data, written ? 0 : to.type->count);
  Ref staged = m.pool.allocateZeroed(to.type->bytes());
  auto fetch = [=, &m] { loadBox(m, box, number, staged.data(), size, BoxPass::move); };
  auto land = [=] { copyMasked(staged.data(), to.data, bytesOf(written), *to.type); };
  access.start(fetch, land, [=, &m] { markCopied(m, to, mask, zero); });
  return true;
}

StepFn compileCopy(Compiler &c, tile::CopyOp op) {
  std::optional<BufPlan> buf = BufPlan::make(c, op, op.getBuf(), op.getSlot());
  if (!buf) {
    return nullptr;
  }
  BoxPlan plan(c, op.getView(), op.getIndices(), op.getWhole());
  uint32_t number = c.memoryOp(op);
  bool zero = op.getFill() == tile::Fill::zero;
  return [=](Machine &m) {
    Box box;
    BufSlot to;
    if (!plan.find(m, box) || !buf->find(m, /*write=*/true, to)) {
      return;
    }
    Ref mask = presentMask(m, box, to.type->count);
    bool isLater = false;
    if (m.adversary && (!adversarialCopy(m, box, number, to, mask, zero, isLater) || isLater)) {
      return;
    }
    if (mask && zero) {
      std::memset(to.data, 0, to.type->bytes());
    }
    BoxPlan::mergeAxes(box);
    if (loadBox(m, box, number, to.data, to.type->elementSize)) {
      markCopied(m, to, mask, zero);
    }
  };
}

//===- buf to view --------------------------------------------------------===//

bool adversarialCopyOut(Machine &m, const Box &box, uint32_t number, const BufSlot &from,
                        const Ref &mask, bool &isLater) {
  AgentAccess access(*m.adversary, number, from.type->count);
  if (!access.readBuf(from, bytesOf(mask)) || !access.writeView(box, nullptr)) {
    return false;
  }
  isLater = access.isAsync();
  if (!isLater) {
    return true;
  }
  size_t size = from.type->elementSize;
  if (!storeBox(m, box, Ref(), number, nullptr, size, BoxPass::check)) {
    return false;
  }
  Ref staged = m.pool.allocate(from.type->bytes());
  auto fetch = [=] { std::memcpy(staged.data(), from.data, from.type->bytes()); };
  auto land = [=, &m] { storeBox(m, box, Ref(), number, staged.data(), size, BoxPass::move); };
  access.start(fetch, land, nullptr);
  return true;
}

StepFn compileCopyOut(Compiler &c, tile::CopyOutOp op) {
  std::optional<BufPlan> buf = BufPlan::make(c, op, op.getBuf(), op.getSlot());
  if (!buf) {
    return nullptr;
  }
  BoxPlan plan(c, op.getView(), op.getIndices(), op.getWhole());
  uint32_t number = c.memoryOp(op);
  return [=](Machine &m) {
    Box box;
    BufSlot from;
    if (!plan.find(m, box) || !buf->find(m, /*write=*/false, from)) {
      return;
    }
    Ref mask = presentMask(m, box, from.type->count);
    bool isLater = false;
    // In flight comes before empty: cells that a copy is on its way to hold nothing yet.
    if (m.adversary && (!adversarialCopyOut(m, box, number, from, mask, isLater) || isLater)) {
      if (isLater) {
        BufPlan::checkHeld(m, from, bytesOf(mask));
      }
      return;
    }
    if (!BufPlan::checkHeld(m, from, bytesOf(mask))) {
      return;
    }
    BoxPlan::mergeAxes(box);
    storeBox(m, box, Ref(), number, from.data, from.type->elementSize);
  };
}

//===- buf to tile, tile to buf -------------------------------------------===//

/// The spans of a read, by axis of the buf.
struct ReadSpans {
  llvm::SmallVector<std::optional<unsigned>, 4> slots;
  Shape shape;

  ReadSpans(Compiler &c, tile::ReadOp op, const TileType &type) : shape(type.shape) {
    unsigned next = 0;
    for (bool whole : op.getWhole()) {
      slots.push_back(whole ? std::nullopt : std::optional(c.slot(op.getSpans()[next++]).index));
    }
  }

  /// Adds a factor for each span that is short.
  void addFactors(Machine &m, Factors &factors) const {
    for (unsigned axis = 0; axis < slots.size(); ++axis) {
      int64_t width = shape[axis];
      int64_t present = slots[axis] ? m.spans[*slots[axis]].present(width) : width;
      if (present < width) {
        Ref mask = m.pool.allocateZeroed(width);
        std::memset(mask.data(), 1, present);
        addFactor(m.pool, factors, shape, axisBit(axis), std::move(mask));
      }
    }
  }
};

/// The cells of a slot that hold a value.
Ref heldCells(Machine &m, const BufSlot &slot) {
  Ref held = m.pool.allocate(std::max<int64_t>(slot.type->count, 1));
  for (int64_t i = 0; i < slot.type->count; ++i) {
    held.as<uint8_t>()[i] = slot.states(m)[i] == CellState::held;
  }
  return held;
}

StepFn compileRead(Compiler &c, tile::ReadOp op) {
  std::optional<BufPlan> buf = BufPlan::make(c, op, op.getBuf(), op.getSlot());
  if (!buf) {
    return nullptr;
  }
  ReadSpans spans(c, op, buf->type());
  TileSlot result = c.tile(op.getResult());
  uint32_t number = c.memoryOp(op);
  return [=](Machine &m) {
    BufSlot from;
    if (!buf->find(m, /*write=*/false, from)) {
      return;
    }
    Factors factors;
    spans.addFactors(m, factors);
    Ref mask = presence(m.pool, factors, result.type->shape);
    if (m.adversary) {
      AgentAccess access(*m.adversary, number, result.type->count);
      if (!access.readBuf(from, bytesOf(mask))) {
        return;
      }
      if (access.isAsync()) {
        access.start();
      }
    }
    if (!BufPlan::checkHeld(m, from, bytesOf(mask))) {
      return;
    }
    std::byte *out = m.make(result.index, *result.type);
    if (mask && m.adversary) {
      // Lanes of absent elements get what stands there: zeros of a copy, or anything.
      m.adversary->random.fill(*result.type, out, result.type->count);
      Ref held = heldCells(m, from);
      copyMasked(from.data, out, bytesOf(held), *result.type);
    } else if (mask) {
      std::memset(out, 0, result.type->bytes());
    }
    copyMasked(from.data, out, bytesOf(mask), *result.type);
    m.tiles[result.index].factors = std::move(factors);
  };
}

StepFn compileWrite(Compiler &c, tile::WriteOp op) {
  std::optional<BufPlan> buf = BufPlan::make(c, op, op.getBuf(), op.getSlot());
  if (!buf) {
    return nullptr;
  }
  TileSlot value = c.tile(op.getValue());
  uint32_t number = c.memoryOp(op);
  return [=](Machine &m) {
    BufSlot to;
    if (!buf->find(m, /*write=*/true, to)) {
      return;
    }
    Ref mask = presence(m.pool, m.tiles[value.index].factors, value.type->shape);
    Ref data = m.tiles[value.index].data;
    auto land = [=] { copyMasked(data.data(), to.data, bytesOf(mask), *to.type); };
    // An instruction writes its pieces whole, the lanes of absent elements included.
    bool isInstr = m.adversary && m.adversary->context().order && mask;
    auto done = [=, &m] {
      if (isInstr) {
        BufPlan::mark(m, to, bytesOf(mask), CellState::lanes, /*where=*/false);
      }
      BufPlan::mark(m, to, bytesOf(mask), CellState::held);
    };
    if (m.adversary) {
      AgentAccess access(*m.adversary, number, value.type->count);
      if (!access.writeBuf(to, bytesOf(mask))) {
        return;
      }
      if (access.isAsync()) {
        access.start(nullptr, land, done);
        return;
      }
    }
    land();
    done();
  };
}
} // namespace

void tessera::interp::addStorageCases(OpCases &cases) {
  cases.add<tile::AllocOp>(compileAlloc);
  cases.add<tile::CopyOp>(compileCopy);
  cases.add<tile::CopyOutOp>(compileCopyOut);
  cases.add<tile::ReadOp>(compileRead);
  cases.add<tile::WriteOp>(compileWrite);
}
