// Strides of the orders, spans, overlap and the walks, each against the plain definition.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Host/HostLayout.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

using namespace tessera;

namespace {
HostLayout make(IndexVector shape, IndexVector strides) {
  return {std::move(shape), std::move(strides)};
}

std::vector<int64_t> offsetsByDefinition(const HostLayout &layout) {
  std::vector<int64_t> offsets;
  int64_t count = static_cast<int64_t>(layout.numElements());
  for (int64_t position = 0; position < count; ++position) {
    offsets.push_back(layout.offsetOf(indexOfPosition(layout.shape, position)));
  }
  return offsets;
}

/// Random small layouts: nested, interleaved, overlapping, negative, with extents of 0 and 1.
HostLayout randomLayout(std::mt19937 &random) {
  HostLayout layout;
  unsigned rank = random() % 5;
  for (unsigned axis = 0; axis < rank; ++axis) {
    layout.shape.push_back(random() % 8 == 0 ? 0 : 1 + random() % 4);
    layout.strides.push_back(static_cast<int64_t>(random() % 41) - 20);
  }
  return layout;
}
} // namespace

TEST(HostLayout, StridesOfOrders) {
  EXPECT_EQ(HostLayout::get({2, 3, 4}, ArrayOrder::row)->strides, (IndexVector{12, 4, 1}));
  EXPECT_EQ(HostLayout::get({2, 3, 4}, ArrayOrder::col)->strides, (IndexVector{1, 2, 6}));
  EXPECT_EQ(HostLayout::get({2, 3, 4}, ArrayOrder::offset)->strides, (IndexVector{12, 4, 1}));
  EXPECT_EQ(HostLayout::get({2, 3, 4}, ArrayOrder::padded)->strides, (IndexVector{27, 9, 1}));
  EXPECT_EQ(HostLayout::get({0, 3}, ArrayOrder::row)->strides, (IndexVector{3, 1}));
  EXPECT_EQ(HostLayout::get({3, 0}, ArrayOrder::row)->strides, (IndexVector{1, 1}));
  EXPECT_TRUE(HostLayout::get({}, ArrayOrder::huge)->strides.empty());
  for (IndexVector shape :
       {IndexVector{3, 5}, IndexVector{1, 2}, IndexVector{4096, 2}, IndexVector{2}}) {
    HostLayout huge = *HostLayout::get(shape, ArrayOrder::huge);
    EXPECT_GT(huge.span().last, Int128(1) << 31);
    EXPECT_FALSE(huge.overlapsItself());
  }
}

TEST(HostLayout, StridesBeyond64BitsAreRefusedUnlessThereIsNothing) {
  int64_t large = int64_t(1) << 62;
  EXPECT_FALSE(HostLayout::get({4, large}, ArrayOrder::row).has_value());
  EXPECT_FALSE(HostLayout::get({large, 4}, ArrayOrder::col).has_value());
  EXPECT_TRUE(HostLayout::get({0, large, large, large}, ArrayOrder::row).has_value());
}

TEST(HostLayout, SpanKeepsItsSignWhereExtentsAreAbsurd) {
  int64_t large = INT64_MAX;
  HostLayout layout = make(IndexVector(40, large), IndexVector(40, large));
  EXPECT_GT(layout.span().last, Int128(1) << 100);
  EXPECT_GT(layout.numElements(), Int128(1) << 90);
  layout = make(IndexVector(40, large), IndexVector(40, INT64_MIN));
  EXPECT_LT(layout.span().first, -(Int128(1) << 100));
}

TEST(HostLayout, WalksVisitEveryElementInOrder) {
  std::mt19937 random(1);
  for (unsigned round = 0; round < 3000; ++round) {
    HostLayout layout = randomLayout(random);
    std::vector<int64_t> expected = offsetsByDefinition(layout);
    std::vector<int64_t> byElement, byRow, byRun;
    layout.forEach([&](llvm::ArrayRef<int64_t> index, int64_t offset) {
      EXPECT_EQ(layout.offsetOf(index), offset);
      byElement.push_back(offset);
    });
    layout.forEachRow([&](int64_t offset, int64_t stride, int64_t count) {
      for (int64_t i = 0; i < count; ++i) {
        byRow.push_back(offset + i * stride);
      }
    });
    layout.forEachRunByOffset([&](int64_t offset, int64_t count) {
      for (int64_t i = 0; i < count; ++i) {
        byRun.push_back(offset + i);
      }
    });
    ASSERT_EQ(byElement, expected);
    ASSERT_EQ(byRow, expected);
    std::set<int64_t> unique(expected.begin(), expected.end());
    ASSERT_EQ(byRun, std::vector<int64_t>(unique.begin(), unique.end()));
    ASSERT_EQ(layout.overlapsItself(), unique.size() < expected.size());
    if (!expected.empty()) {
      ASSERT_EQ(layout.span().first, *unique.begin());
      ASSERT_EQ(layout.span().last, *unique.rbegin());
    }
  }
}

TEST(HostLayout, ContiguousMeansIndexOrderWithoutGaps) {
  EXPECT_TRUE(make({2, 3}, {3, 1}).isContiguous());
  EXPECT_TRUE(make({1, 3}, {77, 1}).isContiguous());
  EXPECT_TRUE(make({}, {}).isContiguous());
  EXPECT_TRUE(make({0, 3}, {5, 5}).isContiguous());
  EXPECT_FALSE(make({2, 3}, {4, 1}).isContiguous());
  EXPECT_FALSE(make({2, 3}, {1, 2}).isContiguous());
  EXPECT_FALSE(make({2}, {-1}).isContiguous());
}

TEST(HostLayout, OverlapOfLargeLayoutsIsFoundWithoutListing) {
  int64_t large = int64_t(1) << 40;
  EXPECT_FALSE(make({large, 4}, {4, 1}).overlapsItself());
  EXPECT_TRUE(make({large, 4}, {1, 1}).overlapsItself());
  EXPECT_TRUE(make({large, 4}, {0, 1}).overlapsItself());
  EXPECT_FALSE(make({0, large}, {0, 0}).overlapsItself());
}

TEST(HostLayout, PrintsAllOfInt128) {
  EXPECT_EQ(printDecimal(0), "0");
  EXPECT_EQ(printDecimal(-17), "-17");
  EXPECT_EQ(printDecimal(Int128(1) << 100), "1267650600228229401496703205376");
}
