//===- Effects.cpp - what ops do to memory --------------------------------===//
//
// Memory is named by the value of a view. Arguments of a kernel do not overlap,
// but parts of one view may: until an analysis tells them apart, effects are on the
// view argument that a chain of view ops starts from.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tile/Structure.h"
#include "tessera/Dialect/Tile/TileOps.h"

using namespace mlir;

namespace tessera::tile {

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

/// The effect of `op` on the view that `view` is cut from: a block argument, or the result of an op of another dialect.
template <class Effect> static void addEffect(Effects &effects, Value view) {
  view = viewBase(view);
  if (auto argument = dyn_cast<BlockArgument>(view)) {
    effects.emplace_back(Effect::get(), argument);
  } else {
    effects.emplace_back(Effect::get(), cast<OpResult>(view));
  }
}

void LoadOp::getEffects(Effects &effects) {
  if (!getView().getType().isReadOnly()) {
    addEffect<MemoryEffects::Read>(effects, getView());
  }
}

void StoreOp::getEffects(Effects &effects) { addEffect<MemoryEffects::Write>(effects, getView()); }

void AtomicOp::getEffects(Effects &effects) {
  addEffect<MemoryEffects::Read>(effects, getView());
  addEffect<MemoryEffects::Write>(effects, getView());
}

void AllocOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(), cast<OpResult>(getResult()));
}

void CopyOp::getEffects(Effects &effects) {
  if (!getView().getType().isReadOnly()) {
    addEffect<MemoryEffects::Read>(effects, getView());
  }
  addEffect<MemoryEffects::Write>(effects, getBuf());
}

void CopyOutOp::getEffects(Effects &effects) {
  addEffect<MemoryEffects::Read>(effects, getBuf());
  addEffect<MemoryEffects::Write>(effects, getView());
}

void ReadOp::getEffects(Effects &effects) { addEffect<MemoryEffects::Read>(effects, getBuf()); }

void WriteOp::getEffects(Effects &effects) { addEffect<MemoryEffects::Write>(effects, getBuf()); }

Speculation::Speculatability SpanOp::getSpeculatability() {
  return getExact() ? Speculation::NotSpeculatable : Speculation::Speculatable;
}

} // namespace tessera::tile
