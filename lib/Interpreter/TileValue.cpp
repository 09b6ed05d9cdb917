// Factors of absence: joining them, and the presence they add up to.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TileValue.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>

using namespace tessera::interp;

AxisSet tessera::interp::withoutAxis(AxisSet set, unsigned axis) {
  AxisSet below = axisBit(axis) - 1;
  AxisSet above = axis == 63 ? 0 : set >> (axis + 1);
  return (set & below) | above << axis;
}

int64_t tessera::interp::pointsOf(llvm::ArrayRef<int64_t> shape, AxisSet axes) {
  int64_t points = 1;
  for (unsigned axis = 0; axis < shape.size(); ++axis) {
    points *= contains(axes, axis) ? shape[axis] : 1;
  }
  return points;
}

Shape tessera::interp::extentsOf(llvm::ArrayRef<int64_t> shape, AxisSet axes) {
  Shape extents;
  for (unsigned axis = 0; axis < shape.size(); ++axis) {
    if (contains(axes, axis)) {
      extents.push_back(shape[axis]);
    }
  }
  return extents;
}

Shape tessera::interp::maskStrides(llvm::ArrayRef<int64_t> shape, AxisSet axes) {
  Shape strides(shape.size(), 0);
  int64_t stride = 1;
  for (unsigned axis = shape.size(); axis-- > 0;) {
    if (contains(axes, axis)) {
      strides[axis] = stride;
      stride *= shape[axis];
    }
  }
  return strides;
}

bool tessera::interp::allOnes(const uint8_t *mask, int64_t count) {
  return count == 0 || std::memchr(mask, 0, count) == nullptr;
}

void tessera::interp::addFactor(BufferPool &pool, Factors &factors, llvm::ArrayRef<int64_t> shape,
                                AxisSet axes, Ref mask) {
  int64_t points = pointsOf(shape, axes);
  if (allOnes(mask.as<uint8_t>(), points)) {
    return;
  }
  for (Factor &have : factors) {
    if (have.axes != axes) {
      continue;
    }
    if (have.mask == mask) {
      return;
    }
    Ref both = pool.allocate(points);
    auto *a = have.mask.as<uint8_t>();
    auto *b = mask.as<uint8_t>();
    auto *out = both.as<uint8_t>();
    for (int64_t i = 0; i < points; ++i) {
      out[i] = a[i] & b[i];
    }
    have.mask = std::move(both);
    return;
  }
  factors.push_back({axes, std::move(mask)});
}

void tessera::interp::addFactors(BufferPool &pool, Factors &factors, llvm::ArrayRef<int64_t> shape,
                                 const Factors &more) {
  for (const Factor &factor : more) {
    addFactor(pool, factors, shape, factor.axes, factor.mask);
  }
}

Ref tessera::interp::presence(BufferPool &pool, const Factors &factors,
                              llvm::ArrayRef<int64_t> shape) {
  if (factors.empty()) {
    return Ref();
  }
  AxisSet all = shape.size() == 64 ? ~AxisSet(0) : axisBit(shape.size()) - 1;
  if (factors.size() == 1 && factors[0].axes == all) {
    return factors[0].mask;
  }
  int64_t points = pointsOf(shape, all);
  Ref mask = pool.allocate(points);
  std::memset(mask.data(), 1, points);
  for (const Factor &factor : factors) {
    StridedCopy(shape, maskStrides(shape, factor.axes), 0, 1)
        .andInto(factor.mask.as<uint8_t>(), mask.as<uint8_t>());
  }
  return mask;
}

AxisSet tessera::interp::renumber(AxisSet axes, llvm::ArrayRef<int64_t> newAxisOf) {
  AxisSet renumbered = 0;
  for (unsigned axis = 0; axis < newAxisOf.size(); ++axis) {
    if (contains(axes, axis)) {
      renumbered |= axisBit(newAxisOf[axis]);
    }
  }
  return renumbered;
}

Ref tessera::interp::permuteMask(BufferPool &pool, const Factor &factor,
                                 llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> newAxisOf) {
  Shape strides = maskStrides(shape, factor.axes);
  llvm::SmallVector<std::pair<int64_t, unsigned>, 4> order;
  for (unsigned axis = 0; axis < shape.size(); ++axis) {
    if (contains(factor.axes, axis)) {
      order.push_back({newAxisOf[axis], axis});
    }
  }
  if (llvm::is_sorted(order)) {
    return factor.mask;
  }
  llvm::sort(order);
  Shape newShape, newStrides;
  for (auto [_, axis] : order) {
    newShape.push_back(shape[axis]);
    newStrides.push_back(strides[axis]);
  }
  Ref mask = pool.allocate(pointsOf(shape, factor.axes));
  StridedCopy(newShape, newStrides, 0, 1)(factor.mask.data(), mask.data());
  return mask;
}
