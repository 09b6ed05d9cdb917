// Launch records of kernels: extents, grids, conditions, shared memory, each by the launch that they lead to.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceModuleTesting.h"

#include "tessera/Device/Markers.h"

#include "llvm/IR/Module.h"

using namespace tessera;
using namespace tessera::testing;
using runtime::Argument;
using ::testing::HasSubstr;

namespace {
/// Two arrays of one shape at addresses that are multiples of 4096, or beyond them.
std::vector<Argument> arrays(std::vector<int64_t> shape, uint64_t beyond = 0) {
  return {Argument::dense(4096 + beyond, shape), Argument::dense(uint64_t(1) << 30, shape)};
}
} // namespace

TEST(LaunchRecordTest, PartsOfStepsAreGridPoints) {
  KernelCode code("copied", R"(
kernel copied(x: in view<[M, N], f64>, y: out view<[M, N], f64>)
    where M >= 2
{
    grid r in tiles(M, 3), c in tiles(N, 8)
    y[r, c] = x[r, c]
})");
  EXPECT_EQ(code.planned(arrays({7, 17})), "copied 9");
  EXPECT_EQ(code.planned(arrays({6, 16})), "copied 4");
  EXPECT_EQ(code.planned(arrays({2, 0})), "copied 0");
  EXPECT_THAT(code.planned(arrays({1, 17})), HasSubstr("M >= 2"));
}

TEST(LaunchRecordTest, ExtentsAreAxesOfTheirOwn) {
  KernelCode code("turned", R"(
kernel turned(x: in view<[M, N], f64>, y: out view<[N, M], f64>) {
    grid c in tiles(N, 8)
    let r = whole(M, width = 4)
    y[c, r] = x[r, c].T
})");
  std::vector<Argument> arguments = {Argument::dense(4096, {3, 17}),
                                     Argument::dense(1 << 20, {17, 3})};
  runtime::Result<std::vector<int64_t>> extents = solveExtents(code.record(), arguments);
  ASSERT_TRUE(bool(extents));
  EXPECT_EQ(*extents, (std::vector<int64_t>{3, 17}));
  EXPECT_EQ(code.planned(arguments), "turned 3");
}

TEST(LaunchRecordTest, VersionsOfAlignedRows) {
  KernelCode code("doubled", R"(
kernel doubled(x: in view<[N], f32>, y: out view<[N], f32>) {
    grid r in tiles(N, 1024)
    y[r] = x[r] + x[r]
})",
                  /*isScheduled=*/true);
  ASSERT_EQ(code.record().versions.size(), 2u);
  EXPECT_THAT(code.planned(arrays({4096})), HasSubstr("doubled$"));
  // Each of the conditions by itself is too little.
  EXPECT_THAT(code.planned(arrays({4097})), HasSubstr("doubled "));
  EXPECT_THAT(code.planned(arrays({4096}, 4)), HasSubstr("doubled "));
  EXPECT_THAT(code.planned(arrays({4096}, 8)), HasSubstr("doubled "));
  std::vector<Argument> strided = arrays({4096});
  strided[0].strides = {4};
  EXPECT_THAT(code.planned(strided), HasSubstr("doubled "));
}

/// The launch asks for what the code says that it takes, and that is enough for what it exchanges: a word of each warp.
TEST(LaunchRecordTest, SharedMemory) {
  KernelCode code("total", R"(
kernel total(x: in view<[M, N], f32>, y: out view<[M], f32>) {
    grid r in tiles(M, 1)
    let c = whole(N, width = 4096)
    y[r] = sum(x[r, c], axis = 1)
})");
  const runtime::VersionRecord &version = code.record().versions.front();
  const llvm::Function *entry = code.code.code->getFunction(version.symbol);
  ASSERT_TRUE(entry);
  uint64_t bytes = 0;
  EXPECT_FALSE(
      entry->getFnAttribute(device::sharedBytesAttr).getValueAsString().getAsInteger(10, bytes));
  EXPECT_GT(version.threads, 32u);
  EXPECT_GE(version.sharedBytes, version.threads / 32 * sizeof(float));
  EXPECT_EQ(version.sharedBytes, bytes);
}
