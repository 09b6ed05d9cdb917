// Planning launches: extents, every check with its message, the choice of versions, grids, and the parameters' bytes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RuntimeTesting.h"

#include <cmath>
#include <cstring>
#include <tuple>

using namespace tessera::runtime;
using namespace tessera::runtime::testing;
using K = Expr::Kind;

namespace {
constexpr uint64_t second = uint64_t(1) << 30, third = uint64_t(1) << 31;

std::vector<Argument> arrays(int64_t n, uint64_t address = 4096) {
  return {Argument::dense(address, {n}), Argument::dense(second, {n}), Argument::dense(third, {n})};
}

uint64_t number(const std::array<uint8_t, 8> &bytes) {
  uint64_t value;
  std::memcpy(&value, bytes.data(), 8);
  return value;
}

std::string refusal(const LaunchRecord &record, const std::vector<Argument> &arguments) {
  Result<LaunchPlan> plan = planLaunch(record, arguments);
  return plan ? "planned" : plan.error().message();
}

TEST(Plan, ParametersInTheOrderOfTheEntry) {
  std::vector<Argument> arguments = arrays(1000);
  arguments[1].strides = {3};
  Result<LaunchPlan> plan = planLaunch(addition(), arguments);
  ASSERT_TRUE(bool(plan)) << plan.error().message();
  EXPECT_EQ(plan->extents, std::vector<int64_t>{1000});
  EXPECT_EQ(plan->grid, 2u);
  EXPECT_EQ(plan->bytes, 12000);
  std::vector<uint64_t> values;
  for (const auto &parameter : plan->parameters) {
    values.push_back(number(parameter));
  }
  EXPECT_EQ(values, (std::vector<uint64_t>{1000, 4096, 1, second, 3, third, 1}));
}

TEST(Plan, VersionsInOrder) {
  EXPECT_EQ(planLaunch(addition(), arrays(1000))->version, 0u);
  EXPECT_EQ(planLaunch(addition(), arrays(1001))->version, 1u);
  EXPECT_EQ(planLaunch(addition(), arrays(1000, 4096 + 4))->version, 1u);
  LaunchRecord only = addition();
  only.versions.pop_back();
  EXPECT_EQ(refusal(only, arrays(1001)),
            "kernel `add`: no version fits (N = 1001); `add_fast` needs "
            "`N % 4 == 0`; compile a version without conditions, too");
}

TEST(Plan, Checks) {
  LaunchRecord record = addition();
  std::vector<Argument> arguments = arrays(8);
  arguments[1] = Argument::dense(8192, {9});
  EXPECT_EQ(refusal(record, arguments),
            "kernel `add`: argument `b`, axis 0: has 9 elements; (extent N) is 8 (N = 8)");
  EXPECT_EQ(refusal(record, arrays(1000000)),
            "kernel `add`: `N < 1000000` does not hold (N = 1000000)");
  EXPECT_EQ(refusal(record, arrays(8, 4098)),
            "kernel `add`: argument `a` lies at an address that is no "
            "multiple of its 4 bytes; copy it to an aligned one");
  arguments.pop_back();
  EXPECT_EQ(refusal(record, arguments), "kernel `add`: takes 3 arguments, not 2");
  arguments = arrays(8);
  arguments[0] = Argument::dense(4096, {4, 2});
  EXPECT_EQ(refusal(record, arguments),
            "kernel `add`: argument `a` has 2 axes and 2 strides; it needs 1");
  record.extents[0].from = Expr::size(0, 0) - Expr::constant(10);
  EXPECT_EQ(refusal(record, arrays(8)), "kernel `add`: extent `N` is -2");
  record = addition();
  record.versions[0].grid = Expr::extent(5);
  EXPECT_THAT(refusal(record, arrays(8)),
              ::testing::HasSubstr("an extent that is not known there"));
}

template <typename T> std::string refusalOf(const char *dtype, T bits) {
  LaunchRecord record = addition();
  record.arguments.push_back({"s", false, dtype, Mode::in, {}});
  record.checks = {{Expr::make(K::fgt, {Expr::real(3), Expr::realConstant(0.25)}), "s > 0.25"}};
  std::vector<Argument> arguments = arrays(8);
  arguments.push_back(Argument::ofScalar(bits));
  return refusal(record, arguments);
}

/// Patterns just above, at and below the bound, NaN, infinity, of every float type; a scalar that is none is refused.
TEST(Plan, ChecksOfFloats) {
  const std::string wrong = "kernel `add`: `s > 0.25` does not hold (N = 8)";
  EXPECT_EQ(refusalOf("f32", 0.2500001f), "planned");
  EXPECT_EQ(refusalOf("f32", 0.25f), wrong);
  EXPECT_EQ(refusalOf("f32", -1.0f), wrong);
  EXPECT_EQ(refusalOf("f32", INFINITY), "planned");
  EXPECT_EQ(refusalOf("f32", NAN), wrong);
  EXPECT_EQ(refusalOf("f32", 1e-45f), wrong);
  EXPECT_EQ(refusalOf("f64", 0.25000000000000006), "planned");
  EXPECT_EQ(refusalOf("f64", 0.25), wrong);
  for (auto [dtype, at, infinity] :
       {std::tuple("bf16", 0x3e80, 0x7f80), std::tuple("f16", 0x3400, 0x7c00)}) {
    EXPECT_EQ(refusalOf(dtype, uint16_t(at + 1)), "planned");
    EXPECT_EQ(refusalOf(dtype, uint16_t(at)), wrong);
    EXPECT_EQ(refusalOf(dtype, uint16_t(infinity)), "planned");
    EXPECT_EQ(refusalOf(dtype, uint16_t(infinity + 1)), wrong);
    EXPECT_EQ(refusalOf(dtype, uint16_t(1)), wrong);
  }
  for (auto [dtype, at, greatest, next] :
       {std::tuple("f8e4m3", 0x28, 0x7e, 0x7f), std::tuple("f8E5M2", 0x34, 0x7c, 0x7d)}) {
    EXPECT_EQ(refusalOf(dtype, uint8_t(at + 1)), "planned");
    EXPECT_EQ(refusalOf(dtype, uint8_t(at)), wrong);
    EXPECT_EQ(refusalOf(dtype, uint8_t(greatest)), "planned");
    EXPECT_EQ(refusalOf(dtype, uint8_t(next)), wrong) << "NaN";
  }
  EXPECT_THAT(refusalOf("i32", 1), ::testing::HasSubstr("reads `s`, which is no float scalar"));
}

TEST(Plan, Overlaps) {
  std::vector<Argument> arguments = arrays(1000);
  arguments[2].address = 4096 + 3996;
  EXPECT_EQ(refusal(addition(), arguments), "kernel `add`: arguments `a` and `y` lie on the same "
                                            "memory, and one of them is written; give "
                                            "one of them memory of its own");
  arguments[2].address = 4096 + 4000;
  arguments[1].address = 4096;
  EXPECT_EQ(refusal(addition(), arguments), "planned") << "side by side; inputs may be one";
  arguments[2].address = 4096 + 3996 + 3996;
  arguments[2].strides = {-1};
  EXPECT_THAT(refusal(addition(), arguments), ::testing::HasSubstr("lie on the same memory"));
  arguments[2].strides = {-2};
  EXPECT_EQ(refusal(addition(), arguments), "planned") << "between the elements of one another";
}

TEST(Plan, Grids) {
  LaunchRecord record = addition();
  EXPECT_EQ(planLaunch(record, arrays(0))->grid, 0u);
  for (int64_t grid : {int64_t(-1), int64_t(1) << 31}) {
    record.versions[0].grid = Expr::constant(grid);
    EXPECT_EQ(refusal(record, arrays(8)),
              "kernel `add`: version `add_fast` needs a grid of " + std::to_string(grid) +
                  " CTAs (N = 8); a grid has at most 2147483647: give less "
                  "work to one launch");
  }
  record.versions[0].grid = Expr::constant(0x7fffffff);
  EXPECT_EQ(planLaunch(record, arrays(8))->grid, 0x7fffffffu);
}

/// Where all outputs are empty the kernel is not run, whatever its grid.
TEST(Plan, EmptyOutputs) {
  LaunchRecord record = addition();
  record.versions[0].grid = Expr::constant(7);
  EXPECT_EQ(planLaunch(record, arrays(0))->grid, 0u) << "nor do empty arrays lie on one another";
  record.arguments.push_back({"z", true, "f32", Mode::inout, {}});
  std::vector<Argument> arguments = arrays(0);
  arguments.push_back(Argument::dense(4096, {}));
  EXPECT_EQ(planLaunch(record, arguments)->grid, 7u);
}

bool aligned(Argument argument, const std::string &dtype, int64_t bytes) {
  LaunchRecord record = addition();
  ArgumentRecord stated{"m", true, dtype, Mode::in, {}};
  for (int64_t size : argument.shape) {
    stated.shape.push_back(Expr::constant(size));
  }
  record.arguments.push_back(stated);
  record.versions[0].conditions = {{Expr::aligned(3, bytes), "aligned"}};
  std::vector<Argument> arguments = arrays(8);
  arguments.push_back(std::move(argument));
  return planLaunch(record, arguments)->version == 0;
}

TEST(Plan, Alignment) {
  Argument m = Argument::dense(4096, {4, 8});
  EXPECT_TRUE(aligned(m, "f32", 16));
  EXPECT_TRUE(aligned(m, "bf16", 16));
  EXPECT_FALSE(aligned(m, "i8", 16)) << "rows of 8 bytes";
  EXPECT_TRUE(aligned(m, "i8", 8));
  m.address = 4100;
  EXPECT_FALSE(aligned(m, "f32", 16));
  EXPECT_TRUE(aligned(m, "f32", 4));
  m = Argument::dense(4096, {4, 8});
  m.strides = {1, 4};
  EXPECT_FALSE(aligned(m, "f32", 4)) << "the last axis has gaps";
  m.shape = {4, 1};
  m.strides = {8, 5};
  EXPECT_TRUE(aligned(m, "f32", 16)) << "of one element no gap is seen";
  m.strides = {-8, 1};
  EXPECT_TRUE(aligned(m, "f32", 16)) << "backwards";
  EXPECT_TRUE(aligned(Argument::dense(4096, {}), "f32", 16));
}

TEST(Plan, Scalars) {
  const std::tuple<const char *, int64_t, int64_t> rows[] = {
      {"i32", -5, -5},        {"i8", -1, -1},           {"ui8", 255, 255},
      {"ui16", 65535, 65535}, {"ui32", -1, 0xffffffff}, {"i64", INT64_MIN, INT64_MIN},
      {"bool", 1, 1}};
  for (auto [dtype, value, seen] : rows) {
    LaunchRecord record = addition();
    record.arguments.push_back({"s", false, dtype, Mode::in, {}});
    record.versions[0].conditions = {
        {Expr::make(K::eq, {Expr::scalar(3), Expr::constant(seen)}), "s"}};
    std::vector<Argument> arguments = arrays(8);
    arguments.push_back(Argument::ofScalar(value));
    Result<LaunchPlan> plan = planLaunch(record, arguments);
    EXPECT_EQ(plan->version, 0u) << dtype;
    EXPECT_EQ(number(plan->parameters.back()), uint64_t(value));
  }
}

/// Extents that inputs give serve outputs that are not made yet.
TEST(Plan, ShapesOfOutputs) {
  std::vector<Argument> arguments = arrays(8);
  arguments[2].shape = {-1};
  EXPECT_EQ(*shapeOf(addition(), arguments, 2), std::vector<int64_t>{8});
  EXPECT_EQ(*solveExtents(addition(), arguments), std::vector<int64_t>{8});
}
} // namespace
