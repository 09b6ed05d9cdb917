// Allocation in the orders of test blocks, copies, and guards around outputs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Host/HostArray.h"

#include "tessera/Host/HostError.h"
#include "tessera/Numeric/Value.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cstring>
#include <vector>

using namespace tessera;

namespace {
/// User address space of the machines we run on.
constexpr Int128 maxSpanBytes = Int128(1) << 46;
constexpr uint64_t alignment = 64;
/// Up to this size gaps are filled whole, beyond it only where the elements are dense.
constexpr uint64_t denseBytes = uint64_t(64) << 20;
/// In a sparse array so many bytes around each run of elements carry the pattern, rounded to pages.
constexpr uint64_t nearBytes = 512;

llvm::Error checkShape(llvm::ArrayRef<int64_t> shape) {
  for (auto [axis, extent] : llvm::enumerate(shape)) {
    if (extent < 0) {
      return hostError(HostDiag::array_negative_extent, extent, axis);
    }
  }
  return llvm::Error::success();
}

/// Bytes between the first and past the last element.
Int128 spanBytes(DType dtype, const HostLayout &layout) {
  if (!layout.hasElements()) {
    return 0;
  }
  OffsetSpan span = layout.span();
  return (span.last - span.first + 1) * static_cast<Int128>(byteSize(dtype));
}

llvm::Error tooLarge(DType dtype, llvm::ArrayRef<int64_t> shape, llvm::StringRef strides,
                     Int128 bytes) {
  return hostError(HostDiag::array_too_large, name(dtype), joinNumbers(shape), strides,
                   printDecimal(bytes), printDecimal(maxSpanBytes));
}

/// First byte in [first, last) that differs from `expected`, or `last`.
uint64_t findOther(const std::byte *data, uint64_t first, uint64_t last, std::byte expected) {
  return std::find_if(data + first, data + last, [&](std::byte byte) { return byte != expected; }) -
         data;
}
} // namespace

llvm::Expected<HostArray> HostArray::allocateAt(DType dtype, HostLayout layout, bool misalign) {
  Int128 bytes = spanBytes(dtype, layout);
  // More elements than offsets (strides of 0) are fine for inputs, but must be countable.
  if (bytes > maxSpanBytes || layout.numElements() > maxSpanBytes) {
    return tooLarge(dtype, layout.shape, joinNumbers(layout.strides), bytes);
  }
  HostArray array;
  array.type = dtype;
  uint64_t before = 0;
  if (layout.hasElements()) {
    before = static_cast<uint64_t>(-layout.span().first) * byteSize(dtype);
  }
  array.baseOffset = (guardBytes + before + alignment - 1) / alignment * alignment;
  array.baseOffset += misalign ? byteSize(dtype) : 0;
  uint64_t total = array.baseOffset - before + static_cast<uint64_t>(bytes) + guardBytes;
  llvm::Expected<std::shared_ptr<HostMemory>> memory = HostMemory::reserve(total);
  if (!memory) {
    return hostError(HostDiag::array_no_memory, total, name(dtype), joinNumbers(layout.shape),
                     llvm::toString(memory.takeError()));
  }
  array.storage = std::move(*memory);
  array.place = std::move(layout);
  return array;
}

llvm::Expected<HostArray> HostArray::allocate(DType dtype, llvm::ArrayRef<int64_t> shape,
                                              ArrayOrder order) {
  if (llvm::Error error = checkShape(shape)) {
    return error;
  }
  std::optional<HostLayout> layout = HostLayout::get(shape, order);
  if (!layout) {
    HostLayout dense;
    dense.shape.assign(shape.begin(), shape.end());
    return tooLarge(dtype, shape, arrayOrderName(order),
                    dense.numElements() * static_cast<Int128>(byteSize(dtype)));
  }
  return allocateAt(dtype, std::move(*layout), order == ArrayOrder::offset);
}

llvm::Expected<HostArray> HostArray::allocateStrided(DType dtype, llvm::ArrayRef<int64_t> shape,
                                                     llvm::ArrayRef<int64_t> strides) {
  if (shape.size() != strides.size()) {
    return hostError(HostDiag::array_rank, strides.size(), shape.size());
  }
  if (llvm::Error error = checkShape(shape)) {
    return error;
  }
  HostLayout layout;
  layout.shape.assign(shape.begin(), shape.end());
  layout.strides.assign(strides.begin(), strides.end());
  return allocateAt(dtype, std::move(layout), false);
}

llvm::Expected<HostArray> HostArray::allocateOutput(DType dtype, llvm::ArrayRef<int64_t> shape,
                                                    ArrayOrder order) {
  return guard(allocate(dtype, shape, order));
}

llvm::Expected<HostArray> HostArray::allocateOutputStrided(DType dtype,
                                                           llvm::ArrayRef<int64_t> shape,
                                                           llvm::ArrayRef<int64_t> strides) {
  return guard(allocateStrided(dtype, shape, strides));
}

llvm::Expected<HostArray> HostArray::guard(llvm::Expected<HostArray> array) {
  if (!array) {
    return array;
  }
  if (array->place.overlapsItself()) {
    return hostError(HostDiag::array_self_overlap, joinNumbers(array->shape()),
                     joinNumbers(array->strides()));
  }
  array->guarded = true;
  uint64_t payload = array->numElements() * array->elementBytes();
  array->sparse = array->storage->size() > denseBytes && payload < array->storage->size() / 4;
  array->fillGuards();
  array->fillUnwritten();
  return array;
}

llvm::Expected<HostArray> HostArray::view(std::shared_ptr<HostMemory> memory, DType dtype,
                                          llvm::ArrayRef<int64_t> shape,
                                          llvm::ArrayRef<int64_t> strides, uint64_t byteOffset) {
  if (shape.size() != strides.size()) {
    return hostError(HostDiag::array_rank, strides.size(), shape.size());
  }
  if (llvm::Error error = checkShape(shape)) {
    return error;
  }
  HostArray array;
  array.type = dtype;
  array.place.shape.assign(shape.begin(), shape.end());
  array.place.strides.assign(strides.begin(), strides.end());
  OffsetSpan span = array.place.span();
  Int128 size = byteSize(dtype);
  bool fits =
      !array.place.hasElements() || (byteOffset + span.first * size >= 0 &&
                                     byteOffset + (span.last + 1) * size <= Int128(memory->size()));
  if (!fits || byteOffset > memory->size() || array.place.numElements() > maxSpanBytes) {
    return hostError(HostDiag::array_out_of_buffer, name(dtype), joinNumbers(shape),
                     joinNumbers(strides), byteOffset, memory->size());
  }
  array.storage = std::move(memory);
  array.baseOffset = byteOffset;
  return array;
}

double HostArray::loadDouble(llvm::ArrayRef<int64_t> index) const {
  return toDouble(type, element(index));
}

void HostArray::copyTo(void *destination) const {
  auto *out = static_cast<std::byte *>(destination);
  uint64_t size = elementBytes();
  place.forEachRow([&](int64_t offset, int64_t stride, int64_t count) {
    if (stride == 1) {
      std::memcpy(out, atOffset(offset), count * size);
      out += count * size;
      return;
    }
    for (int64_t i = 0; i < count; ++i, out += size) {
      std::memcpy(out, atOffset(offset + i * stride), size);
    }
  });
}

void HostArray::copyFrom(const void *source) const {
  const auto *in = static_cast<const std::byte *>(source);
  uint64_t size = elementBytes();
  place.forEachRow([&](int64_t offset, int64_t stride, int64_t count) {
    if (stride == 1) {
      std::memcpy(atOffset(offset), in, count * size);
      in += count * size;
      return;
    }
    for (int64_t i = 0; i < count; ++i, in += size) {
      std::memcpy(atOffset(offset + i * stride), in, size);
    }
  });
}

void HostArray::fillUnwritten() const {
  place.forEachRunByOffset([&](int64_t offset, int64_t count) {
    std::memset(atOffset(offset), std::to_integer<int>(unwrittenByte), count * elementBytes());
  });
}

bool HostArray::looksUnwritten(llvm::ArrayRef<int64_t> index) const {
  const std::byte *bytes = element(index);
  return std::all_of(bytes, bytes + elementBytes(),
                     [](std::byte byte) { return byte == unwrittenByte; });
}

/// The ranges of bytes of the memory that belong to no element, ascending.
void HostArray::forEachGap(llvm::function_ref<void(uint64_t, uint64_t)> visit) const {
  uint64_t position = 0;
  place.forEachRunByOffset([&](int64_t offset, int64_t count) {
    uint64_t first = baseOffset + offset * static_cast<int64_t>(elementBytes());
    if (first > position) {
      visit(position, first);
    }
    position = first + count * elementBytes();
  });
  if (position < storage->size()) {
    visit(position, storage->size());
  }
}

namespace {
/// A gap as the guards see it: [first, nearEnd) and [farEnd, last) carry the pattern, what is between stays zero.
struct GuardedGap {
  uint64_t nearEnd, farEnd;

  GuardedGap(uint64_t first, uint64_t last, bool sparse) : nearEnd(last), farEnd(last) {
    if (!sparse) {
      return;
    }
    uint64_t page = HostMemory::pageSize();
    nearEnd = std::min(last, (first + nearBytes + page - 1) / page * page);
    farEnd = std::max(nearEnd, last < nearBytes ? 0 : (last - nearBytes) / page * page);
  }
};
} // namespace

void HostArray::fillGuards() const {
  forEachGap([&](uint64_t first, uint64_t last) {
    GuardedGap gap(first, last, sparse);
    std::memset(storage->data() + first, std::to_integer<int>(guardByte), gap.nearEnd - first);
    std::memset(storage->data() + gap.farEnd, std::to_integer<int>(guardByte), last - gap.farEnd);
  });
}

llvm::Error HostArray::checkGuards(llvm::StringRef name) const {
  if (!guarded) {
    return llvm::Error::success();
  }
  std::vector<std::pair<uint64_t, uint64_t>> touched;
  if (sparse) {
    storage->forEachTouched(
        [&](uint64_t first, uint64_t last) { touched.emplace_back(first, last); });
  }
  const std::byte *data = storage->data();
  auto range = touched.begin();
  uint64_t stray = storage->size();
  std::byte expected = guardByte;
  auto check = [&](uint64_t first, uint64_t last, std::byte wanted) {
    uint64_t found = stray < storage->size() ? last : findOther(data, first, last, wanted);
    if (found < last) {
      stray = found;
      expected = wanted;
    }
  };
  forEachGap([&](uint64_t first, uint64_t last) {
    GuardedGap gap(first, last, sparse);
    check(first, gap.nearEnd, guardByte);
    while (range != touched.end() && range->second <= gap.nearEnd) {
      ++range;
    }
    for (auto it = range; it != touched.end() && it->first < gap.farEnd; ++it) {
      check(std::max(it->first, gap.nearEnd), std::min(it->second, gap.farEnd), std::byte(0));
    }
    check(gap.farEnd, last, guardByte);
  });
  return stray < storage->size() ? strayWrite(name, stray, expected) : llvm::Error::success();
}

/// Says where a stray byte lies relative to the nearest element before it, else the first one.
llvm::Error HostArray::strayWrite(llvm::StringRef name, uint64_t position,
                                  std::byte expected) const {
  uint64_t nearest = UINT64_MAX, first = UINT64_MAX;
  IndexVector nearestIndex, firstIndex;
  place.forEach([&](llvm::ArrayRef<int64_t> index, int64_t offset) {
    uint64_t start = baseOffset + offset * static_cast<int64_t>(elementBytes());
    if (start < first) {
      first = start;
      firstIndex.assign(index.begin(), index.end());
    }
    if (start <= position && position - start < nearest) {
      nearest = position - start;
      nearestIndex.assign(index.begin(), index.end());
    }
  });
  uint64_t distance = position - baseOffset;
  std::string where = "after the start of the array, which has no elements";
  if (nearest != UINT64_MAX) {
    distance = nearest - elementBytes() + 1;
    where = "past the end of element [" + joinNumbers(nearestIndex) + "]";
  } else if (first != UINT64_MAX) {
    distance = first - position;
    where = "before element [" + joinNumbers(firstIndex) + "], the first in memory";
  } else if (position < baseOffset) {
    distance = baseOffset - position;
    where = "before the start of the array, which has no elements";
  }
  auto hex = [](std::byte byte) {
    return llvm::utohexstr(std::to_integer<unsigned>(byte), /*LowerCase=*/true, 2);
  };
  return hostError(HostDiag::stray_write, name, distance, where, hex(expected),
                   hex(storage->data()[position]));
}

bool HostArray::sharesRange(const HostArray &other) const {
  if (!place.hasElements() || !other.place.hasElements()) {
    return false;
  }
  auto range = [](const HostArray &array) {
    OffsetSpan span = array.place.span();
    return std::pair(array.atOffset(static_cast<int64_t>(span.first)),
                     array.atOffset(static_cast<int64_t>(span.last) + 1));
  };
  auto [first, last] = range(*this);
  auto [otherFirst, otherLast] = range(other);
  return std::less<>()(first, otherLast) && std::less<>()(otherFirst, last);
}
