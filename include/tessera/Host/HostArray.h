// An array in memory as the host sees it: element type, shape, strides in elements, and the place of the element with
// all indices 0 in a region of memory. A handle: copies share the memory. Arrays made for outputs surround their
// elements with a pattern, so that stores outside the array are seen afterwards.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_HOST_HOSTARRAY_H
#define TESSERA_HOST_HOSTARRAY_H

#include "tessera/Host/HostLayout.h"
#include "tessera/Host/HostMemory.h"
#include "tessera/Numeric/DType.h"

#include <cstddef>
#include <memory>

namespace tessera {

class HostArray {
public:
  /// What the bytes of an element that was never written hold; in a bool it is no value.
  static constexpr std::byte unwrittenByte{0xCB};
  /// What the bytes around the elements of an output hold.
  static constexpr std::byte guardByte{0xB6};
  /// Bytes before the first and after the last element of allocated arrays.
  static constexpr uint64_t guardBytes = 4096;

  /// An array of no elements.
  HostArray() = default;

  /// Zeroed memory in the given order. Memory is committed page by page when written. Errors: T0830, T0831, T0832.
  static llvm::Expected<HostArray> allocate(DType dtype, llvm::ArrayRef<int64_t> shape,
                                            ArrayOrder order = ArrayOrder::row);

  /// The same with strides of one's own (elements, any sign). Further error: T0834.
  static llvm::Expected<HostArray> allocateStrided(DType dtype, llvm::ArrayRef<int64_t> shape,
                                                   llvm::ArrayRef<int64_t> strides);

  /// An array to be written: elements hold `unwrittenByte`, their surroundings `guardByte`. Where the array is spread
  /// so thinly that filling the gaps would commit them, far gaps stay untouched zeros. Further error: T0833, two
  /// elements share an address.
  static llvm::Expected<HostArray> allocateOutput(DType dtype, llvm::ArrayRef<int64_t> shape,
                                                  ArrayOrder order = ArrayOrder::row);
  static llvm::Expected<HostArray> allocateOutputStrided(DType dtype, llvm::ArrayRef<int64_t> shape,
                                                         llvm::ArrayRef<int64_t> strides);

  /// An array in existing memory; `byteOffset` is the place of the element with all indices 0. Errors: T0830, T0834,
  /// T0836.
  static llvm::Expected<HostArray> view(std::shared_ptr<HostMemory> memory, DType dtype,
                                        llvm::ArrayRef<int64_t> shape,
                                        llvm::ArrayRef<int64_t> strides, uint64_t byteOffset = 0);

  DType dtype() const { return type; }
  const HostLayout &layout() const { return place; }
  llvm::ArrayRef<int64_t> shape() const { return place.shape; }
  llvm::ArrayRef<int64_t> strides() const { return place.strides; }
  unsigned rank() const { return place.rank(); }
  int64_t numElements() const { return static_cast<int64_t>(place.numElements()); }
  uint64_t elementBytes() const { return byteSize(type); }
  const std::shared_ptr<HostMemory> &memory() const { return storage; }
  uint64_t byteOffset() const { return baseOffset; }

  /// Address of the element with all indices 0; without elements, not to be read.
  std::byte *data() const { return storage ? storage->data() + baseOffset : nullptr; }
  /// Address of an element; the index must be in range.
  std::byte *element(llvm::ArrayRef<int64_t> index) const {
    return atOffset(place.offsetOf(index));
  }
  /// Address of the element at an offset in elements, as the walks of HostLayout give them.
  std::byte *atOffset(int64_t offset) const {
    return data() + offset * static_cast<int64_t>(elementBytes());
  }

  /// The element's value as Numeric's toDouble gives it.
  double loadDouble(llvm::ArrayRef<int64_t> index) const;

  /// Copies all elements, index order (last axis fastest), to or from `numElements() * elementBytes()` adjacent bytes.
  void copyTo(void *destination) const;
  void copyFrom(const void *source) const;

  /// Writes `unwrittenByte` to all elements.
  void fillUnwritten() const;
  /// Whether all bytes of an element still are `unwrittenByte`. A hint for reports: a value can look the same.
  bool looksUnwritten(llvm::ArrayRef<int64_t> index) const;

  bool isGuarded() const { return guarded; }
  /// Whether every byte around the elements is as allocateOutput left it. Success where the array is not guarded.
  /// Error: T0835, which names the array and the nearest element.
  llvm::Error checkGuards(llvm::StringRef name) const;

  /// Whether the address ranges of two arrays, gaps included, have a byte in common.
  bool sharesRange(const HostArray &other) const;

private:
  DType type = DType::i8;
  HostLayout place{{0}, {1}};
  std::shared_ptr<HostMemory> storage;
  uint64_t baseOffset = 0;
  bool guarded = false;
  /// Gaps far from elements were left as zero pages.
  bool sparse = false;

  static llvm::Expected<HostArray> allocateAt(DType dtype, HostLayout layout, bool misalign);
  static llvm::Expected<HostArray> guard(llvm::Expected<HostArray> array);
  void forEachGap(llvm::function_ref<void(uint64_t, uint64_t)> visit) const;
  void fillGuards() const;
  llvm::Error strayWrite(llvm::StringRef name, uint64_t position, std::byte expected) const;
};

} // namespace tessera

#endif // TESSERA_HOST_HOSTARRAY_H
