// Copies between a dense block and elements at regular distances.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Strided.h"

#include <cstring>

using namespace tessera::interp;

Shape tessera::interp::denseStrides(llvm::ArrayRef<int64_t> shape) {
  Shape strides(shape.size(), 1);
  for (int64_t axis = int64_t(shape.size()) - 2; axis >= 0; --axis) {
    strides[axis] = strides[axis + 1] * shape[axis + 1];
  }
  return strides;
}

namespace {
template <class T>
void copyTyped(const std::byte *source, int64_t sourceStep, std::byte *target, int64_t targetStep,
               int64_t count) {
  auto *from = reinterpret_cast<const T *>(source);
  auto *to = reinterpret_cast<T *>(target);
  for (int64_t i = 0; i < count; ++i) {
    to[i * targetStep] = from[i * sourceStep];
  }
}
} // namespace

void tessera::interp::copyRow(const std::byte *source, int64_t sourceStep, std::byte *target,
                              int64_t targetStep, int64_t count, size_t size) {
  if (sourceStep == 1 && targetStep == 1) {
    std::memcpy(target, source, count * size);
    return;
  }
  switch (size) {
  case 1:
    return copyTyped<uint8_t>(source, sourceStep, target, targetStep, count);
  case 2:
    return copyTyped<uint16_t>(source, sourceStep, target, targetStep, count);
  case 4:
    return copyTyped<uint32_t>(source, sourceStep, target, targetStep, count);
  case 8:
    return copyTyped<uint64_t>(source, sourceStep, target, targetStep, count);
  default:
    for (int64_t i = 0; i < count; ++i) {
      std::memcpy(target + i * targetStep * int64_t(size), source + i * sourceStep * int64_t(size),
                  size);
    }
  }
}

StridedCopy::StridedCopy(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> strides,
                         int64_t origin, size_t elementSize)
    : origin(origin), size(elementSize), empty(false) {
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    empty |= shape[axis] == 0;
    if (shape[axis] == 1) {
      continue;
    }
    if (!extents.empty() && steps.back() == strides[axis] * shape[axis]) {
      extents.back() *= shape[axis];
      steps.back() = strides[axis];
      continue;
    }
    extents.push_back(shape[axis]);
    steps.push_back(strides[axis]);
  }
  if (extents.empty()) {
    extents.push_back(1);
    steps.push_back(1);
  }
}

template <class RowFn> void StridedCopy::forEachRow(RowFn row) const {
  if (empty) {
    return;
  }
  size_t outer = extents.size() - 1;
  Shape index(outer, 0);
  int64_t position = origin;
  for (int64_t target = 0;; target += extents.back()) {
    row(position, target);
    size_t axis = outer;
    while (axis > 0) {
      --axis;
      position += steps[axis];
      if (++index[axis] < extents[axis]) {
        break;
      }
      position -= steps[axis] * extents[axis];
      index[axis] = 0;
      if (axis == 0) {
        return;
      }
    }
    if (outer == 0) {
      return;
    }
  }
}

void StridedCopy::operator()(const void *source, void *target) const {
  auto *from = static_cast<const std::byte *>(source);
  auto *to = static_cast<std::byte *>(target);
  forEachRow([&](int64_t position, int64_t dense) {
    copyRow(from + position * int64_t(size), steps.back(), to + dense * int64_t(size), 1,
            extents.back(), size);
  });
}

void StridedCopy::andInto(const uint8_t *source, uint8_t *target) const {
  forEachRow([&](int64_t position, int64_t dense) {
    const uint8_t *from = source + position;
    uint8_t *to = target + dense;
    int64_t step = steps.back();
    if (step == 0) {
      if (!*from) {
        std::memset(to, 0, extents.back());
      }
      return;
    }
    for (int64_t i = 0; i < extents.back(); ++i) {
      to[i] &= from[i * step];
    }
  });
}
