// What the tests of the Check room share.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TEST_UNIT_CHECK_CHECKTESTING_H
#define TESSERA_TEST_UNIT_CHECK_CHECKTESTING_H

#include "tessera/Host/HostArray.h"
#include "tessera/Numeric/Value.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace tessera {

/// `CODE: text`, or empty for success.
inline std::string textOf(llvm::Error error) {
  return error ? llvm::toString(std::move(error)) : std::string();
}

template <typename T> std::string textOf(llvm::Expected<T> value) {
  return value ? std::string() : llvm::toString(value.takeError());
}

/// Fails the test where the value is an error.
template <typename T> T must(llvm::Expected<T> value) {
  if (!value) {
    ADD_FAILURE() << llvm::toString(value.takeError());
    return T();
  }
  return std::move(*value);
}

inline HostArray makeArray(DType dtype, llvm::ArrayRef<int64_t> shape,
                           ArrayOrder order = ArrayOrder::row) {
  return must(HostArray::allocate(dtype, shape, order));
}

/// A vector of elements with the given bits.
inline HostArray fromBits(DType dtype, llvm::ArrayRef<uint64_t> bits) {
  HostArray array = makeArray(dtype, {static_cast<int64_t>(bits.size())});
  for (size_t i = 0; i < bits.size(); ++i) {
    std::memcpy(array.element({static_cast<int64_t>(i)}), &bits[i], byteSize(dtype));
  }
  return array;
}

/// Bits of all elements in index order.
inline std::vector<uint64_t> bitsOf(const HostArray &array) {
  std::vector<uint64_t> bits;
  array.layout().forEach([&](llvm::ArrayRef<int64_t>, int64_t offset) {
    bits.push_back(0);
    std::memcpy(&bits.back(), array.atOffset(offset), array.elementBytes());
  });
  return bits;
}

/// Values of all elements in index order.
inline std::vector<double> valuesOf(const HostArray &array) {
  std::vector<double> values;
  array.layout().forEach([&](llvm::ArrayRef<int64_t>, int64_t offset) {
    values.push_back(toDouble(array.dtype(), array.atOffset(offset)));
  });
  return values;
}

} // namespace tessera

#endif // TESSERA_TEST_UNIT_CHECK_CHECKTESTING_H
