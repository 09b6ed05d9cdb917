// Arguments that share memory.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "tessera/Reference/Extents.h"

#include "mlir/IR/MLIRContext.h"

using namespace tessera;
using ::testing::HasSubstr;

namespace {
class OverlapTest : public ::testing::Test {
protected:
  HostArray at(IndexVector shape, IndexVector strides, uint64_t element) {
    return llvm::cantFail(
        HostArray::view(memory, DType::f32, shape, strides, element * sizeof(float)));
  }
  std::string check(const HostArray &a, bool aWritten, const HostArray &b, bool bWritten) {
    llvm::Error error =
        checkOverlap({{"a", a, aWritten}, {"b", b, bWritten}}, mlir::UnknownLoc::get(&context));
    return error ? llvm::toString(std::move(error)) : "no error";
  }

  mlir::MLIRContext context;
  std::vector<float> storage = std::vector<float>(1000);
  std::shared_ptr<HostMemory> memory =
      HostMemory::borrow(storage.data(), storage.size() * sizeof(float));
};
} // namespace

TEST_F(OverlapTest, Dense) {
  EXPECT_EQ(check(at({10}, {1}, 0), false, at({10}, {1}, 10), true), "no error");
  EXPECT_THAT(check(at({10}, {1}, 0), false, at({10}, {1}, 9), true),
              HasSubstr("T0917: `a` and `b` share memory, and `b` is written"));
}

TEST_F(OverlapTest, TwoReadersMayShare) {
  EXPECT_EQ(check(at({10}, {1}, 0), false, at({10}, {1}, 0), false), "no error");
}

TEST_F(OverlapTest, GapsAreNotElements) {
  // The even and the odd elements of one range; the columns of a matrix.
  EXPECT_EQ(check(at({10}, {2}, 0), true, at({10}, {2}, 1), true), "no error");
  EXPECT_THAT(check(at({10}, {2}, 0), true, at({10}, {3}, 1), true), HasSubstr("T0917"));
  EXPECT_EQ(check(at({5, 4}, {10, 1}, 0), true, at({5, 6}, {10, 1}, 4), true), "no error");
  EXPECT_THAT(check(at({5, 5}, {10, 1}, 0), true, at({5, 6}, {10, 1}, 4), true),
              HasSubstr("T0917"));
  EXPECT_THAT(check(at({10}, {-1}, 9), true, at({3}, {1}, 9), false), HasSubstr("T0917"));
}

TEST_F(OverlapTest, EmptyArraysShareNothing) {
  EXPECT_EQ(check(at({0}, {1}, 0), true, at({10}, {1}, 0), true), "no error");
}

TEST_F(OverlapTest, WrittenWithItself) {
  EXPECT_THAT(check(at({10}, {0}, 0), true, at({10}, {1}, 20), false),
              HasSubstr("T0918: `a` is written, but some of its elements share an address"));
  EXPECT_EQ(check(at({10}, {0}, 0), false, at({10}, {1}, 20), true), "no error");
}
