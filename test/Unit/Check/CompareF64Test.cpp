// The check without tolerance, on the evaluation in f64.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckTesting.h"

#include "tessera/Check/Compare.h"

#include <cmath>
#include <limits>

using namespace tessera;

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
const double notANumber = std::nan("");

int64_t failures(std::vector<double> got, std::vector<double> reference,
                 std::vector<int64_t> shape) {
  return must(compareF64(got, reference, shape, {})).failures;
}
} // namespace

TEST(CompareF64, TheBoundIsOfTheElementAndItsRow) {
  EXPECT_EQ(failures({1 + 0x1p-40}, {1}, {1}), 0);
  EXPECT_EQ(failures({1 + 0x1p-39}, {1}, {1}), 0);
  EXPECT_EQ(failures({1 + 0x1.1p-39}, {1}, {1}), 1);
  // Small elements may err as much as the largest of their row, but not of another row.
  EXPECT_EQ(failures({0x1p-40, 1}, {0, 1}, {2}), 0);
  EXPECT_EQ(failures({0x1p-40, 1}, {0, 1}, {2, 1}), 1);
  EXPECT_EQ(failures({0x1p-40, 1, 0x1p-40, 0}, {0, 1, 0, 0}, {2, 2}), 1);
  EXPECT_EQ(failures({2}, {2}, {}), 0);
  EXPECT_EQ(failures({3}, {2}, {}), 1);
  EXPECT_EQ(failures({}, {}, {0, 4}), 0);
  EXPECT_EQ(failures({}, {}, {4, 0}), 0);
}

TEST(CompareF64, NaNAndInfinities) {
  EXPECT_EQ(failures({notANumber}, {notANumber}, {1}), 0);
  EXPECT_EQ(failures({notANumber}, {1}, {1}), 1);
  EXPECT_EQ(failures({1}, {notANumber}, {1}), 1);
  EXPECT_EQ(failures({infinity, -infinity}, {infinity, -infinity}, {2}), 0);
  EXPECT_EQ(failures({infinity}, {-infinity}, {1}), 1);
  EXPECT_EQ(failures({infinity}, {std::numeric_limits<double>::max()}, {1}), 1);
  EXPECT_EQ(failures({std::numeric_limits<double>::max()}, {infinity}, {1}), 1);
  // An infinity or NaN in the row gives the others no freedom.
  EXPECT_EQ(failures({infinity, 1.5}, {infinity, 1}, {2}), 1);
  EXPECT_EQ(failures({notANumber, 1.5}, {notANumber, 1}, {2}), 1);
  double max = std::numeric_limits<double>::max();
  EXPECT_EQ(failures({max, max * (1 - 0x1p-41)}, {max, max}, {2}), 0);
  EXPECT_EQ(failures({0.0}, {-0.0}, {1}), 0);
}

TEST(CompareF64, PresenceAndSizes) {
  std::vector<uint8_t> present = {1, 0}, written = {1, 0};
  // The absent element's value neither counts nor widens the bound.
  CompareResult result = must(compareF64({0x1p-30, 5}, {0, 1e30}, {2}, {present, written}));
  EXPECT_EQ(result.failures, 1);
  EXPECT_EQ(result.compared, 1);
  EXPECT_EQ(textOf(toError(result, CompareKind::f64, "y")).substr(0, 12), "T0862: `y`: ");
  EXPECT_EQ(textOf(compareF64({1}, {1, 2}, {2}, {})).substr(0, 5), "T0863");
  EXPECT_EQ(textOf(compareF64({1, 2}, {1}, {2}, {})).substr(0, 5), "T0863");
  EXPECT_EQ(
      textOf(compareF64({1, 2}, {1, 2}, {2}, {{}, llvm::ArrayRef<uint8_t>(present).take_front(1)}))
          .substr(0, 5),
      "T0863");
  EXPECT_EQ(textOf(compareF64({}, {}, {INT64_MAX, INT64_MAX}, {})).substr(0, 5), "T0863");
}
