// Arithmetic on shapes and strides.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Host/HostLayout.h"

#include "tessera/Host/HostError.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

using namespace tessera;

namespace {
constexpr Int128 maxInt64 = std::numeric_limits<int64_t>::max();
/// An odd number of elements, so that padded rows start at every alignment.
constexpr int64_t paddingElements = 5;
constexpr int64_t hugeSpan = (int64_t(1) << 31) + 1;

constexpr const char *orderNames[numArrayOrders] = {"row", "col", "padded", "offset", "huge"};

Int128 absolute(Int128 value) { return value < 0 ? -value : value; }

/// Axes with more than one element, those of the smaller stride first.
llvm::SmallVector<unsigned, 4> axesByStride(const HostLayout &layout) {
  llvm::SmallVector<unsigned, 4> axes;
  for (unsigned axis = 0; axis < layout.rank(); ++axis) {
    if (layout.shape[axis] > 1) {
      axes.push_back(axis);
    }
  }
  auto size = [&](unsigned axis) { return absolute(layout.strides[axis]); };
  llvm::sort(
      axes, [&](unsigned a, unsigned b) { return size(a) != size(b) ? size(a) < size(b) : a < b; });
  return axes;
}

/// Whether each stride exceeds all offsets of the smaller ones, so that offsets are unique and nested loops by stride
/// visit them in order.
bool nests(const HostLayout &layout, llvm::ArrayRef<unsigned> axes) {
  Int128 reach = 0;
  for (unsigned axis : axes) {
    Int128 stride = absolute(layout.strides[axis]);
    if (stride <= reach) {
      return false;
    }
    reach += stride * (layout.shape[axis] - 1);
  }
  return true;
}

std::vector<int64_t> sortedOffsets(const HostLayout &layout) {
  std::vector<int64_t> offsets;
  offsets.reserve(static_cast<size_t>(layout.numElements()));
  layout.forEach([&](llvm::ArrayRef<int64_t>, int64_t offset) { offsets.push_back(offset); });
  llvm::sort(offsets);
  return offsets;
}

void visitSorted(const HostLayout &layout, llvm::function_ref<void(int64_t, int64_t)> visit) {
  std::vector<int64_t> offsets = sortedOffsets(layout);
  offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
  for (size_t first = 0; first < offsets.size();) {
    size_t last = first + 1;
    while (last < offsets.size() && offsets[last] == offsets[last - 1] + 1) {
      ++last;
    }
    visit(offsets[first], last - first);
    first = last;
  }
}
} // namespace

llvm::StringRef tessera::arrayOrderName(ArrayOrder order) {
  return orderNames[static_cast<unsigned>(order)];
}

llvm::Expected<ArrayOrder> tessera::parseArrayOrder(llvm::StringRef name) {
  for (unsigned order = 0; order < numArrayOrders; ++order) {
    if (name == orderNames[order]) {
      return static_cast<ArrayOrder>(order);
    }
  }
  return hostError(HostDiag::spec_unknown_order, name);
}

std::optional<HostLayout> HostLayout::get(llvm::ArrayRef<int64_t> shape, ArrayOrder order) {
  HostLayout layout;
  layout.shape.assign(shape.begin(), shape.end());
  layout.strides.assign(shape.size(), 1);
  unsigned rank = shape.size();
  // Extents of 0 count as 1, so that strides stay those of the neighbours that have elements.
  Int128 stride = 1;
  for (unsigned step = 0; step < rank; ++step) {
    unsigned axis = order == ArrayOrder::col ? step : rank - 1 - step;
    layout.strides[axis] = static_cast<int64_t>(stride);
    stride *= std::max<int64_t>(shape[axis], 1);
    if (order == ArrayOrder::padded && step == 0) {
      stride += paddingElements;
    }
    if (stride > maxInt64) {
      if (layout.hasElements()) {
        return std::nullopt;
      }
      stride = maxInt64;
    }
  }
  if (order == ArrayOrder::huge) {
    auto outer = llvm::find_if(shape, [](int64_t extent) { return extent > 1; });
    if (outer != shape.end()) {
      int64_t least = hugeSpan / (*outer - 1) + 1;
      int64_t &outerStride = layout.strides[outer - shape.begin()];
      outerStride = std::max(outerStride, least);
    }
  }
  return layout;
}

Int128 HostLayout::numElements() const {
  if (!hasElements()) {
    return 0;
  }
  // Far above any memory the product stops growing, so that 128 bits suffice for any rank.
  constexpr Int128 most = Int128(1) << 100;
  Int128 count = 1;
  for (int64_t extent : shape) {
    count = count > most / extent ? most : count * extent;
  }
  return count;
}

OffsetSpan HostLayout::span() const {
  OffsetSpan span;
  for (auto [extent, stride] : llvm::zip_equal(shape, strides)) {
    Int128 reach = static_cast<Int128>(stride) * (extent - 1);
    constexpr Int128 most = Int128(1) << 120;
    // A sum of more than 2^6 reaches of at most 2^126 could overflow; beyond 2^120 only its size matters.
    if (reach < 0) {
      span.first = std::max(span.first + std::max(reach, -most), -most);
    } else {
      span.last = std::min(span.last + std::min(reach, most), most);
    }
  }
  return span;
}

int64_t HostLayout::offsetOf(llvm::ArrayRef<int64_t> index) const {
  int64_t offset = 0;
  for (auto [i, stride] : llvm::zip_equal(index, strides)) {
    offset += i * stride;
  }
  return offset;
}

bool HostLayout::isContiguous() const {
  if (!hasElements()) {
    return true;
  }
  Int128 expected = 1;
  for (unsigned axis = rank(); axis-- > 0;) {
    if (shape[axis] > 1 && strides[axis] != expected) {
      return false;
    }
    expected *= shape[axis];
  }
  return true;
}

bool HostLayout::overlapsItself() const {
  if (!hasElements() || nests(*this, axesByStride(*this))) {
    return false;
  }
  for (auto [extent, stride] : llvm::zip_equal(shape, strides)) {
    if (extent > 1 && stride == 0) {
      return true;
    }
  }
  OffsetSpan range = span();
  // More elements than offsets: some offset is shared, and no need to list them.
  if (numElements() > range.last - range.first + 1) {
    return true;
  }
  std::vector<int64_t> offsets = sortedOffsets(*this);
  return std::adjacent_find(offsets.begin(), offsets.end()) != offsets.end();
}

void HostLayout::forEach(llvm::function_ref<void(llvm::ArrayRef<int64_t>, int64_t)> visit) const {
  if (!hasElements()) {
    return;
  }
  IndexVector index(rank(), 0);
  int64_t offset = 0;
  while (true) {
    visit(index, offset);
    unsigned axis = rank();
    while (axis > 0) {
      --axis;
      if (++index[axis] < shape[axis]) {
        offset += strides[axis];
        break;
      }
      offset -= strides[axis] * (shape[axis] - 1);
      index[axis] = 0;
      if (axis == 0) {
        return;
      }
    }
    if (rank() == 0) {
      return;
    }
  }
}

void HostLayout::forEachRow(llvm::function_ref<void(int64_t, int64_t, int64_t)> visit) const {
  if (rank() == 0) {
    visit(0, 1, 1);
    return;
  }
  if (!hasElements()) {
    return;
  }
  HostLayout outer;
  outer.shape.assign(shape.begin(), shape.end() - 1);
  outer.strides.assign(strides.begin(), strides.end() - 1);
  outer.forEach([&](llvm::ArrayRef<int64_t>, int64_t offset) {
    visit(offset, strides.back(), shape.back());
  });
}

void HostLayout::forEachRunByOffset(llvm::function_ref<void(int64_t, int64_t)> visit) const {
  if (!hasElements()) {
    return;
  }
  llvm::SmallVector<unsigned, 4> axes = axesByStride(*this);
  if (!nests(*this, axes)) {
    visitSorted(*this, visit);
    return;
  }
  // Axes that continue each other without a gap form one run.
  int64_t run = 1;
  unsigned inner = 0;
  while (inner < axes.size() && absolute(strides[axes[inner]]) == run) {
    run *= shape[axes[inner++]];
  }
  HostLayout outer;
  for (unsigned axis : llvm::reverse(llvm::drop_begin(axes, inner))) {
    outer.shape.push_back(shape[axis]);
    outer.strides.push_back(std::abs(strides[axis]));
  }
  int64_t first = static_cast<int64_t>(span().first);
  outer.forEach([&](llvm::ArrayRef<int64_t>, int64_t offset) { visit(first + offset, run); });
}

std::string tessera::printDecimal(Int128 value) {
  if (value < 0) {
    return "-" + printDecimal(-value);
  }
  std::string digits;
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
    value /= 10;
  } while (value > 0);
  return digits;
}

IndexVector tessera::indexOfPosition(llvm::ArrayRef<int64_t> shape, int64_t position) {
  IndexVector index(shape.size(), 0);
  for (unsigned axis = shape.size(); axis-- > 0;) {
    if (shape[axis] > 0) {
      index[axis] = position % shape[axis];
      position /= shape[axis];
    }
  }
  return index;
}
