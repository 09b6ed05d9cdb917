// Index lists of tiles: `:`, `_` and constant ranges.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emitter.h"

namespace tessera::sema {

namespace {
/// What an index list does to a tile.
struct TileIndex {
  llvm::SmallVector<int64_t> offsets;
  Shape sliced;
  llvm::SmallVector<int64_t> added;
  Shape result;
  bool slices = false;
};
} // namespace

static bool sliceAxis(Emitter &e, TileIndex &at, const ast::Range &range, const Axis &axis) {
  std::optional<int64_t> lo = range.lo ? e.constI64(*range.lo, "a bound of a slice") : 0;
  std::optional<int64_t> hi = e.constI64(*range.hi, "a bound of a slice");
  if (!lo || !hi) {
    return false;
  }
  if (*lo < 0 || *hi > axis.extent || *lo >= *hi) {
    e.error(diag::slice_bounds, range.range, "0 <= lo < hi <= " + std::to_string(axis.extent), *lo,
            *hi);
    return false;
  }
  at.offsets.push_back(*lo);
  bool all = *hi - *lo == axis.extent;
  at.sliced.push_back(all ? axis : Axis{*hi - *lo, false});
  at.slices = true; // also where it takes the whole axis: a range that is written is an op
  return true;
}

Value Emitter::indexTile(Value tile, const ast::Index &index) {
  mlir::Value ssa = materialize(tile, index.base->range);
  if (!ssa) {
    return Value::error();
  }
  if (tile.kind != Value::Kind::Runtime) {
    tile = Value::runtime(ssa, settle(tile, index.range).element());
  }
  size_t axes = llvm::count_if(index.indices,
                               [](const ast::ExprPtr &e) { return !llvm::isa<ast::Wildcard>(*e); });
  if (axes != tile.shape().size()) {
    error(diag::index_count, index.range, "write `:` for every axis that stays; `_` adds an axis",
          tile.shape().size(), axes);
    return Value::error();
  }
  TileIndex at;
  size_t next = 0;
  for (auto [position, expr] : llvm::enumerate(index.indices)) {
    if (llvm::isa<ast::Wildcard>(*expr)) {
      at.added.push_back(position);
      at.result.push_back({1, true});
      continue;
    }
    const Axis &axis = tile.shape()[next++];
    if (const auto *range = llvm::dyn_cast<ast::Range>(expr.get())) {
      if (!sliceAxis(*this, at, *range, axis)) {
        return Value::error();
      }
    } else if (llvm::isa<ast::Colon>(*expr)) {
      at.offsets.push_back(0);
      at.sliced.push_back(axis);
    } else {
      error(diag::tile_index_form, expr->range,
            "a tile is indexed by `:`, `_` and constant ranges: `t[0..1, :]` keeps an axis of "
            "extent 1");
      return Value::error();
    }
    at.result.push_back(at.sliced.back());
  }
  Value result = tile;
  if (at.slices) {
    result = opValue("slice", result.ssa, tile.element(), at.sliced, index.range,
                     attr("offsets", at.offsets));
  }
  if (!at.added.empty()) {
    if (!checkShape(at.result, index.range)) {
      return Value::error();
    }
    result = opValue("expand", result.ssa, tile.element(), at.result, index.range,
                     attr("axes", at.added));
  }
  return result;
}

} // namespace tessera::sema
