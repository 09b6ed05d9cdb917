// Spans, and views made of views: arithmetic on bounds and strides.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Compiler.h"
#include "../Mutants.h"

using namespace tessera;
using namespace tessera::interp;

namespace {
StepFn compileDim(Compiler &c, tile::DimOp op) {
  unsigned view = c.slot(op.getView()).index, result = c.slot(op.getResult()).index;
  unsigned axis = op.getAxis();
  return [=](Machine &m) { m.setIndex(result, m.views[view].extents[axis]); };
}

StepFn compileSpan(Compiler &c, tile::SpanOp op) {
  unsigned start = c.slot(op.getStart()).index, limit = c.slot(op.getLimit()).index;
  unsigned result = c.slot(op.getResult()).index;
  int64_t width = mlir::cast<tile::SpanType>(op.getResult().getType()).getWidth();
  bool exact = op.getExact();
  return [=](Machine &m) {
    if (!m.need(start, "the start of a span") || !m.need(limit, "the limit of a span")) {
      return;
    }
    int64_t from = m.scalar<int64_t>(start), to = m.scalar<int64_t>(limit);
    if (exact && Wide(to) > Wide(from) + width) {
      Wide length = Wide(to) - from;
      m.fail(RunDiag::run_exact_span, from, to, width, uint64_t(length));
      return;
    }
    m.spans[result] = {from,
                       TESSERA_MUTANT(27, "a span's stop is not limited", spanStop(from, width, to),
                                      int64_t(uint64_t(from) + width))};
  };
}

StepFn compileSpanStart(Compiler &c, tile::SpanStartOp op) {
  unsigned span = c.slot(op.getSpan()).index, result = c.slot(op.getResult()).index;
  return [=](Machine &m) { m.setIndex(result, m.spans[span].start); };
}

StepFn compileSpanStop(Compiler &c, tile::SpanStopOp op) {
  unsigned span = c.slot(op.getSpan()).index, result = c.slot(op.getResult()).index;
  return [=](Machine &m) { m.setIndex(result, m.spans[span].stop); };
}

StepFn compileSpanIndex(Compiler &c, tile::SpanIndexOp op) {
  unsigned span = c.slot(op.getSpan()).index;
  TileSlot result = c.tile(op.getResult());
  return [=](Machine &m) {
    const SpanValue &value = m.spans[span];
    int64_t width = result.type->count, present = value.present(width);
    auto *out = reinterpret_cast<uint64_t *>(m.make(result.index, *result.type));
    for (int64_t i = 0; i < width; ++i) {
      out[i] = uint64_t(value.start) + uint64_t(i);
    }
    if (present < width) {
      Ref mask = m.pool.allocateZeroed(width);
      std::memset(mask.data(), 1, present);
      addFactor(m.pool, m.tiles[result.index].factors, result.type->shape, 1, std::move(mask));
    }
  };
}

StepFn compileSplit(Compiler &c, tile::ViewSplitOp op) {
  unsigned view = c.slot(op.getView()).index, axis = op.getAxis();
  llvm::SmallVector<unsigned, 4> parts;
  for (mlir::Value part : op.getParts()) {
    parts.push_back(c.slot(part).index);
  }
  return [=](Machine &m) {
    const ViewValue whole = m.views[view];
    int64_t extent = whole.extents[axis], count = parts.size();
    if (extent % count != 0) {
      m.fail(RunDiag::run_view_split, axis, extent, count);
      return;
    }
    int64_t length = extent / count;
    for (int64_t i = 0; i < count; ++i) {
      ViewValue &part = m.views[parts[i]];
      part = whole;
      part.extents[axis] = length;
      // An empty view may have any strides: its origin is never used.
      part.origin =
          int64_t(uint64_t(whole.origin) + uint64_t(i) * length * uint64_t(whole.strides[axis]));
    }
  };
}

StepFn compileGroup(Compiler &c, tile::ViewGroupOp op) {
  unsigned view = c.slot(op.getView()).index, result = c.slot(op.getResult()).index;
  unsigned axis = op.getAxis();
  int64_t size = op.getSize();
  return [=](Machine &m) {
    ViewValue grouped = m.views[view];
    int64_t extent = grouped.extents[axis], stride = grouped.strides[axis];
    if (extent % size != 0) {
      m.fail(RunDiag::run_view_group, axis, extent, size);
      return;
    }
    grouped.extents[axis] = extent / size;
    grouped.extents.insert(grouped.extents.begin() + axis + 1, size);
    grouped.strides[axis] = int64_t(uint64_t(stride) * uint64_t(size));
    grouped.strides.insert(grouped.strides.begin() + axis + 1, stride);
    m.views[result] = std::move(grouped);
  };
}

StepFn compilePermute(Compiler &c, tile::ViewPermuteOp op) {
  unsigned view = c.slot(op.getView()).index, result = c.slot(op.getResult()).index;
  Shape permutation(op.getPermutation().begin(), op.getPermutation().end());
  return [=](Machine &m) {
    ViewValue permuted = m.views[view];
    const ViewValue &source = m.views[view];
    for (unsigned axis = 0; axis < permutation.size(); ++axis) {
      permuted.extents[axis] = source.extents[permutation[axis]];
      permuted.strides[axis] = source.strides[permutation[axis]];
    }
    m.views[result] = std::move(permuted);
  };
}

StepFn compileSlice(Compiler &c, tile::ViewSliceOp op) {
  unsigned view = c.slot(op.getView()).index, result = c.slot(op.getResult()).index;
  unsigned lo = c.slot(op.getLo()).index, hi = c.slot(op.getHi()).index, axis = op.getAxis();
  return [=](Machine &m) {
    if (!m.need(lo, "the first index of a part of a view") ||
        !m.need(hi, "the end of a part of a view")) {
      return;
    }
    int64_t first = m.scalar<int64_t>(lo), end = m.scalar<int64_t>(hi);
    ViewValue part = m.views[view];
    if (first < 0 || end < first || end > part.extents[axis]) {
      m.fail(RunDiag::run_view_slice, first, end, axis, part.extents[axis]);
      return;
    }
    part.origin = int64_t(uint64_t(part.origin) + uint64_t(first) * uint64_t(part.strides[axis]));
    part.extents[axis] = end - first;
    m.views[result] = std::move(part);
  };
}
} // namespace

void tessera::interp::addViewCases(OpCases &cases) {
  cases.add<tile::DimOp>(compileDim);
  cases.add<tile::SpanOp>(compileSpan);
  cases.add<tile::SpanStartOp>(compileSpanStart);
  cases.add<tile::SpanStopOp>(compileSpanStop);
  cases.add<tile::SpanIndexOp>(compileSpanIndex);
  cases.add<tile::ViewSplitOp>(compileSplit);
  cases.add<tile::ViewGroupOp>(compileGroup);
  cases.add<tile::ViewPermuteOp>(compilePermute);
  cases.add<tile::ViewSliceOp>(compileSlice);
}
