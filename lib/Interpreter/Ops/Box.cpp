// From indices to cells, with every index checked before any cell is touched.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Box.h"

#include "../Mutants.h"
#include "Integers.h"

#include "tessera/Dialect/Tile/DTypes.h"

using namespace tessera;
using namespace tessera::interp;

namespace {
/// Wraps where an array without elements has strides beyond 64 bits; its cells are never used.
int64_t advance(int64_t cell, int64_t index, int64_t stride) {
  return int64_t(uint64_t(cell) + uint64_t(index) * uint64_t(stride));
}
} // namespace

BoxPlan::BoxPlan(Compiler &c, mlir::Value viewValue, mlir::ValueRange indices,
                 llvm::ArrayRef<bool> whole)
    : view(c.slot(viewValue).index) {
  auto type = mlir::cast<tile::ViewType>(viewValue.getType());
  unsigned nextIndex = 0, nextAxis = 0;
  for (unsigned i = 0; i < whole.size(); ++i) {
    Axis axis;
    axis.firstAxis = nextAxis;
    if (whole[i]) {
      axis.width = type.getShape()[i];
      axis.numAxes = 1;
    } else {
      mlir::Value index = indices[nextIndex++];
      axis.slot = c.slot(index).index;
      if (auto span = mlir::dyn_cast<tile::SpanType>(index.getType())) {
        axis.kind = Axis::span;
        axis.width = span.getWidth();
        axis.numAxes = 1;
      } else if (mlir::isa<mlir::RankedTensorType>(index.getType())) {
        axis.kind = Axis::table;
        axis.type = &c.type(index.getType());
        axis.dtype = axis.type->dtype;
        axis.width = axis.type->count;
        axis.numAxes = axis.type->rank();
        tables = true;
      } else {
        axis.kind = Axis::scalar;
      }
    }
    nextAxis += axis.numAxes;
    axes.push_back(axis);
  }
}

void BoxPlan::failIndex(Machine &m, int64_t index, unsigned viewAxis) const {
  const ViewValue &value = m.views[view];
  m.fail(RunDiag::run_index_range, index, viewAxis, m.arrays[value.argument].name,
         value.extents[viewAxis]);
}

bool BoxPlan::findTable(Machine &m, const Axis &axis, unsigned viewAxis, BoxAxis &out) const {
  const ViewValue &value = m.views[view];
  const TileValue &indices = m.tiles[axis.slot];
  out.maskMemory = presence(m.pool, indices.factors, axis.type->shape);
  out.mask = out.maskMemory ? out.maskMemory.as<uint8_t>() : nullptr;
  out.tableMemory = m.pool.allocate(axis.width * sizeof(int64_t));
  auto *cells = out.tableMemory.as<int64_t>();
  int64_t extent = value.extents[viewAxis], stride = value.strides[viewAxis];
  for (int64_t i = 0; i < axis.width; ++i) {
    if (out.mask && !out.mask[i]) {
      cells[i] = 0;
      continue;
    }
    Wide index = integerAt(axis.dtype, indices.data.data(), i);
    if (index < 0 || index >= extent) {
      Wide shown = std::min<Wide>(index, INT64_MAX);
      failIndex(m, int64_t(shown), viewAxis);
      return false;
    }
    cells[i] = int64_t(TESSERA_MUTANT(28, "gather reads the next element", index,
                                      index + 1 < extent ? index + 1 : index)) *
               stride;
  }
  out.table = cells;
  return true;
}

bool BoxPlan::find(Machine &m, Box &box) const {
  const ViewValue &value = m.views[view];
  box.argument = value.argument;
  box.origin = value.origin;
  for (unsigned i = 0; i < axes.size(); ++i) {
    const Axis &axis = axes[i];
    int64_t extent = value.extents[i], stride = value.strides[i];
    if (axis.kind == Axis::scalar) {
      if (!m.need(axis.slot, "an index")) {
        return false;
      }
      int64_t index = m.scalar<int64_t>(axis.slot);
      if (index < 0 || index >= extent) {
        failIndex(m, index, i);
        return false;
      }
      box.origin = advance(box.origin, index, stride);
      continue;
    }
    BoxAxis &out = box.axes.emplace_back();
    out.count = out.prefix = axis.width;
    out.step = stride;
    if (axis.kind == Axis::table) {
      if (!findTable(m, axis, i, out)) {
        return false;
      }
    } else if (axis.kind == Axis::span) {
      const SpanValue &span = m.spans[axis.slot];
      out.prefix = span.present(axis.width);
      if (out.prefix > 0) {
        if (span.start < 0 || span.stop > extent) {
          m.fail(RunDiag::run_span_range, span.start, span.stop, i, m.arrays[value.argument].name,
                 extent);
          return false;
        }
        box.origin = advance(box.origin, span.start, stride);
      }
    } else if (axis.width != extent) {
      m.fail(RunDiag::run_whole_extent, i, m.arrays[value.argument].name, axis.width, extent);
      return false;
    }
    box.partial |= out.prefix < out.count || out.mask;
  }
  return true;
}

void BoxPlan::addFactors(Machine &m, Factors &factors, llvm::ArrayRef<int64_t> shape) const {
  for (const Axis &axis : axes) {
    if (axis.kind == Axis::span) {
      int64_t present = m.spans[axis.slot].present(axis.width);
      if (present < axis.width) {
        Ref mask = m.pool.allocateZeroed(axis.width);
        std::memset(mask.data(), 1, present);
        addFactor(m.pool, factors, shape, axisBit(axis.firstAxis), std::move(mask));
      }
    } else if (axis.kind == Axis::table) {
      for (const Factor &factor : m.tiles[axis.slot].factors) {
        addFactor(m.pool, factors, shape, factor.axes << axis.firstAxis, factor.mask);
      }
    }
  }
}

Ref BoxPlan::restrictTo(Machine &m, Box &box, const Factors &factors,
                        llvm::ArrayRef<int64_t> shape) const {
  Factors crossing;
  for (const Factor &factor : factors) {
    unsigned position = 0;
    bool within = false;
    for (const Axis &axis : axes) {
      AxisSet set = axis.numAxes ? (axisBit(axis.numAxes) - 1) << axis.firstAxis : 0;
      // Only factors over all axes of one position fit the axis' mask as they are.
      if (set && factor.axes == set) {
        BoxAxis &out = box.axes[position];
        Ref mask = m.pool.allocate(out.count);
        for (int64_t i = 0; i < out.count; ++i) {
          mask.as<uint8_t>()[i] = factor.mask.as<uint8_t>()[i] && out.present(i);
        }
        auto *bytes = mask.as<uint8_t>();
        auto *gap = static_cast<const uint8_t *>(std::memchr(bytes, 0, out.count));
        out.prefix = gap ? gap - bytes : out.count;
        bool gaps = std::memchr(bytes + out.prefix, 1, out.count - out.prefix) != nullptr;
        if (gaps) {
          out.prefix = out.count;
        }
        out.mask = gaps ? bytes : nullptr;
        out.maskMemory = gaps ? std::move(mask) : Ref();
        box.partial = true;
        within = true;
        break;
      }
      position += axis.numAxes ? 1 : 0;
    }
    if (!within) {
      crossing.push_back(factor);
    }
  }
  return presence(m.pool, crossing, shape);
}

void BoxPlan::mergeAxes(Box &box) {
  auto plain = [](const BoxAxis &axis) { return !axis.table && !axis.mask; };
  auto single = [&](const BoxAxis &axis) {
    return plain(axis) && axis.count == 1 && axis.prefix == 1;
  };
  for (size_t i = box.axes.size(); i-- > 1;) {
    BoxAxis &outer = box.axes[i - 1];
    const BoxAxis &inner = box.axes[i];
    if (single(outer)) {
      box.axes.erase(box.axes.begin() + i - 1);
    } else if (single(inner)) {
      box.axes.erase(box.axes.begin() + i);
    } else if (plain(outer) && plain(inner) && inner.prefix == inner.count &&
               Wide(outer.step) == Wide(inner.step) * inner.count) {
      outer.count *= inner.count;
      outer.prefix *= inner.count;
      outer.step = inner.step;
      box.axes.erase(box.axes.begin() + i);
    }
  }
}
