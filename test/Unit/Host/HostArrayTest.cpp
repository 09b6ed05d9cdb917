// Memory of arrays: orders, copies, lazy commitment, guards.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Host/HostArray.h"

#include "HostTesting.h"

#include <cstring>
#include <numeric>
#include <random>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tessera;

namespace {
constexpr ArrayOrder allOrders[] = {ArrayOrder::row, ArrayOrder::col, ArrayOrder::padded,
                                    ArrayOrder::offset, ArrayOrder::huge};

/// Resident memory of this process, in bytes.
uint64_t residentBytes() {
  std::ifstream file("/proc/self/statm");
  uint64_t total = 0, resident = 0;
  file >> total >> resident;
  return resident * HostMemory::pageSize();
}

/// Runs `body` in a child process whose address space is limited, so that reservations fail.
template <typename Body> int inTightChild(Body body) {
  pid_t child = fork();
  if (child == 0) {
    rlimit limit{1 << 20, 1 << 20};
    setrlimit(RLIMIT_AS, &limit);
    _exit(body() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
} // namespace

TEST(HostArray, CopiesRoundTripInEveryOrder) {
  std::vector<uint16_t> source(3 * 4 * 5), back(source.size());
  std::iota(source.begin(), source.end(), 1);
  for (ArrayOrder order : allOrders) {
    HostArray array = must(HostArray::allocate(DType::ui16, {3, 4, 5}, order));
    array.copyFrom(source.data());
    uint16_t value;
    std::memcpy(&value, array.element({2, 1, 3}), 2);
    EXPECT_EQ(value, 1 + 2 * 20 + 5 + 3);
    array.copyTo(back.data());
    EXPECT_EQ(back, source);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(array.data()) % 64,
              order == ArrayOrder::offset ? 2u : 0u);
  }
}

TEST(HostArray, ScalarsAndEmptyArrays) {
  HostArray scalar = must(HostArray::allocateOutput(DType::f64, {}));
  double value = 2.5;
  scalar.copyFrom(&value);
  EXPECT_EQ(scalar.loadDouble({}), 2.5);
  EXPECT_EQ(scalar.numElements(), 1);
  for (ArrayOrder order : allOrders) {
    HostArray empty = must(HostArray::allocateOutput(DType::f32, {4, 0, 7}, order));
    EXPECT_EQ(empty.numElements(), 0);
    empty.copyTo(nullptr);
    EXPECT_EQ(textOf(empty.checkGuards("y")), "");
    *(empty.data() - 3) = std::byte(0);
    EXPECT_EQ(textOf(empty.checkGuards("y")).substr(0, 5), "T0835");
  }
}

TEST(HostArray, HugeStridesCostTouchedPagesOnly) {
  uint64_t before = residentBytes();
  // Three elements over 2^36 bytes.
  HostArray array = must(HostArray::allocateOutputStrided(DType::f32, {3}, {int64_t(1) << 33}));
  EXPECT_GE(array.memory()->size(), uint64_t(1) << 36);
  float value = 1.5f;
  for (int64_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(array.looksUnwritten({i}));
    std::memcpy(array.element({i}), &value, 4);
  }
  EXPECT_EQ(array.loadDouble({2}), 1.5);
  EXPECT_EQ(textOf(array.checkGuards("y")), "");
  EXPECT_LT(residentBytes(), before + (uint64_t(4) << 20));
  // A store far from any element, in a page nobody should touch.
  *array.atOffset((int64_t(1) << 32) + 5) = std::byte(7);
  std::string text = textOf(array.checkGuards("y"));
  EXPECT_NE(text.find("past the end of element [0], expected 0x00, found 0x07"), std::string::npos)
      << text;
  EXPECT_LT(residentBytes(), before + (uint64_t(4) << 20));
}

TEST(HostArray, NegativeStridesStartAtTheEnd) {
  HostArray array = must(HostArray::allocateOutputStrided(DType::i32, {4, 3}, {-3, 1}));
  std::vector<int32_t> source(12), back(12);
  std::iota(source.begin(), source.end(), 0);
  array.copyFrom(source.data());
  array.copyTo(back.data());
  EXPECT_EQ(back, source);
  EXPECT_LT(array.element({3, 0}), array.element({0, 0}));
  EXPECT_EQ(textOf(array.checkGuards("y")), "");
}

TEST(HostArray, SizesBeyondMemoryAreErrorsWithFigures) {
  int64_t large = int64_t(1) << 40;
  EXPECT_EQ(
      textOf(HostArray::allocate(DType::f64, {large, large})),
      "T0831: an array of f64 with shape (1099511627776, 1099511627776) and strides (row) spans "
      "9671406556917033397649408 bytes, at most 70368744177664 bytes can be addressed; use smaller "
      "extents or "
      "strides");
  EXPECT_EQ(textOf(HostArray::allocate(DType::f64, {large, 512})).substr(0, 5), "T0831");
  EXPECT_EQ(textOf(HostArray::allocate(DType::i8, {-1})),
            "T0830: extent -1 of axis 0 is negative, extents are 0 or more");
  EXPECT_EQ(textOf(HostArray::allocateStrided(DType::i8, {-1}, {1})).substr(0, 5), "T0830");
  EXPECT_EQ(textOf(HostArray::allocateStrided(DType::i8, {2, 2}, {1})),
            "T0834: 1 strides for 2 extents; give one stride per axis");
  EXPECT_EQ(textOf(HostArray::allocateStrided(DType::f32, {3}, {INT64_MAX})).substr(0, 5), "T0831");
  EXPECT_EQ(textOf(HostArray::allocateStrided(DType::f32, {3}, {INT64_MIN})).substr(0, 5), "T0831");
  EXPECT_EQ(textOf(HostArray::allocateStrided(DType::f32, {large, large}, {0, 0})).substr(0, 5),
            "T0831");
}

TEST(HostArray, ReservationThatTheSystemRefusesIsAnError) {
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "the sanitizer itself needs the address space that the test takes away";
#endif
  EXPECT_EQ(inTightChild([] {
              std::string text = textOf(HostArray::allocate(DType::f32, {int64_t(1) << 30}));
              return text.find("T0832: cannot reserve 42949") == 0 &&
                     text.find("Cannot allocate memory") != std::string::npos;
            }),
            0);
  TemporaryFolder folder;
  std::string path = folder.write("large.npy", std::string(1 << 22, 'x'));
  EXPECT_EQ(inTightChild([&] { return textOf(HostMemory::mapFile(path)).find("T0803") == 0; }), 0);
}

TEST(HostArray, OutputsNeedAnAddressPerElement) {
  EXPECT_EQ(textOf(HostArray::allocateOutputStrided(DType::f32, {4, 4}, {0, 1})),
            "T0833: shape (4, 4) with strides (0, 1) puts several elements at one address, outputs "
            "need an address per "
            "element; use other strides");
  // An extent of 1 may have any stride, and inputs may overlap.
  EXPECT_EQ(textOf(HostArray::allocateOutputStrided(DType::f32, {1, 4}, {0, 1})), "");
  EXPECT_EQ(textOf(HostArray::allocateStrided(DType::f32, {4, 4}, {0, 1})), "");
}

TEST(HostArray, ViewsMustFitTheirMemory) {
  std::vector<int16_t> buffer = {0, 1, 2, 3, 4, 5, 6, 7};
  auto memory = HostMemory::borrow(buffer.data(), 16);
  HostArray reversed = must(HostArray::view(memory, DType::i16, {8}, {-1}, 14));
  EXPECT_EQ(reversed.loadDouble({0}), 7);
  EXPECT_EQ(reversed.loadDouble({7}), 0);
  EXPECT_EQ(textOf(HostArray::view(memory, DType::i16, {8}, {-1}, 12)),
            "T0836: an array of i16 with shape (8) and strides (-1) at byte 12 does not fit its "
            "buffer of 16 bytes");
  EXPECT_EQ(textOf(HostArray::view(memory, DType::i16, {9}, {1})).substr(0, 5), "T0836");
  EXPECT_EQ(
      textOf(HostArray::view(memory, DType::i16, {2, INT64_MAX}, {1, INT64_MAX})).substr(0, 5),
      "T0836");
  EXPECT_EQ(
      textOf(HostArray::view(memory, DType::i16, {INT64_MAX, INT64_MAX}, {0, 0})).substr(0, 5),
      "T0836");
  EXPECT_EQ(textOf(HostArray::view(memory, DType::i16, {0}, {1}, 17)).substr(0, 5), "T0836");
  EXPECT_EQ(textOf(HostArray::view(memory, DType::i16, {0}, {1}, 16)), "");
  EXPECT_EQ(textOf(HostArray::view(memory, DType::i16, {-2}, {1})).substr(0, 5), "T0830");
  EXPECT_EQ(textOf(HostArray::view(memory, DType::i16, {2}, {})).substr(0, 5), "T0834");
}

TEST(HostArray, SharedRangesAreSeen) {
  std::vector<float> buffer(16);
  auto memory = HostMemory::borrow(buffer.data(), 64);
  HostArray low = must(HostArray::view(memory, DType::f32, {8}, {1}, 0));
  HostArray high = must(HostArray::view(memory, DType::f32, {8}, {1}, 32));
  HostArray middle = must(HostArray::view(memory, DType::f32, {8}, {-1}, 44));
  HostArray none = must(HostArray::view(memory, DType::f32, {0}, {1}, 0));
  EXPECT_FALSE(low.sharesRange(high));
  EXPECT_TRUE(low.sharesRange(middle));
  EXPECT_TRUE(middle.sharesRange(high));
  EXPECT_TRUE(low.sharesRange(low));
  EXPECT_FALSE(low.sharesRange(none));
}

TEST(HostArray, EveryStrayByteIsFound) {
  std::mt19937 random(7);
  for (ArrayOrder order :
       {ArrayOrder::row, ArrayOrder::col, ArrayOrder::padded, ArrayOrder::offset}) {
    HostArray array = must(HostArray::allocateOutput(DType::bf16, {3, 4, 5}, order));
    std::vector<uint16_t> source(60, 0x3F80);
    array.copyFrom(source.data());
    EXPECT_EQ(textOf(array.checkGuards("y")), "");
    std::vector<bool> owned(array.memory()->size());
    array.layout().forEach([&](llvm::ArrayRef<int64_t>, int64_t offset) {
      owned[array.byteOffset() + 2 * offset] = owned[array.byteOffset() + 2 * offset + 1] = true;
    });
    unsigned tried = 0;
    for (uint64_t byte = 0; byte < owned.size(); ++byte) {
      bool close = byte + 8 > array.byteOffset() && byte < array.byteOffset() + 200;
      if (!close && random() % 64 != 0) {
        continue;
      }
      std::byte saved = array.memory()->data()[byte];
      array.memory()->data()[byte] ^= std::byte(1 << (byte % 8));
      EXPECT_EQ(textOf(array.checkGuards("y")).empty(), owned[byte]) << byte;
      array.memory()->data()[byte] = saved;
      ++tried;
    }
    EXPECT_GT(tried, 200u);
  }
}

TEST(HostArray, StrayWritesAreReportedAtTheNearestElement) {
  HostArray array = must(HostArray::allocateOutput(DType::f32, {2, 3}, ArrayOrder::padded));
  *(array.element({0, 2}) + 4) = std::byte(0x11);
  EXPECT_EQ(textOf(array.checkGuards("y")), "T0835: `y`: a byte outside the array was written: 1 "
                                            "bytes past the end of element [0, 2], expected 0xb6, "
                                            "found 0x11; the kernel's code stores out of bounds");
  *(array.element({0, 2}) + 4) = HostArray::guardByte;
  *(array.element({0, 0}) - 4) = std::byte(0x22);
  std::string text = textOf(array.checkGuards("y"));
  EXPECT_NE(text.find("4 bytes before element [0, 0], the first in memory"), std::string::npos)
      << text;
  EXPECT_EQ(textOf(must(HostArray::allocate(DType::f32, {2})).checkGuards("x")), "");
}

TEST(HostArray, SparseGuardsSeeNeighboursOfEveryElement) {
  HostArray array = must(HostArray::allocateOutput(DType::f8E4M3FN, {3, 5}, ArrayOrder::huge));
  EXPECT_EQ(textOf(array.checkGuards("y")), "");
  for (int64_t row = 0; row < 3; ++row) {
    for (int64_t distance : {-1, -100, 5, 300}) {
      std::byte *byte = array.element({row, 0}) + distance;
      EXPECT_EQ(*byte, HostArray::guardByte);
      *byte = std::byte(0);
      EXPECT_EQ(textOf(array.checkGuards("y")).substr(0, 5), "T0835");
      *byte = HostArray::guardByte;
    }
  }
  EXPECT_EQ(textOf(array.checkGuards("y")), "");
}
