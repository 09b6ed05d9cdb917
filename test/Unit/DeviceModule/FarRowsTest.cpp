// Rows so far apart that their distance in bytes does not fit into 32 bits.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceModuleTesting.h"

#include "tessera/Simulator/Simulator.h"

#include <sys/mman.h>

using namespace tessera;
using namespace tessera::testing;

namespace {
/// Addresses without memory behind them until they are touched.
class FarArray {
public:
  explicit FarArray(size_t bytes) : bytes(bytes) {
    base = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                -1, 0);
  }
  ~FarArray() {
    if (isThere()) {
      munmap(base, bytes);
    }
  }
  bool isThere() const { return base != MAP_FAILED; }
  double *data() const { return static_cast<double *>(base); }

private:
  void *base;
  size_t bytes;
};

/// Rows of the array are 4 GiB and 64 bytes apart.
constexpr int64_t rows = 3, columns = 5, pitch = (int64_t(1) << 29) + 8;

void simulate(KernelCode &code, const FarArray &far, double *near, bool isFarWritten) {
  runtime::Argument x = runtime::Argument::dense(uint64_t(far.data()), {rows, columns});
  x.strides = {pitch, 1};
  runtime::Argument y = runtime::Argument::dense(uint64_t(near), {rows, columns});
  runtime::Result<runtime::LaunchPlan> plan = planLaunch(code.record(), {x, y});
  ASSERT_TRUE(bool(plan)) << plan.error().message();
  sim::SimLaunch launch;
  launch.grid = plan->grid;
  for (const std::array<uint8_t, 8> &parameter : plan->parameters) {
    uint64_t word = 0;
    std::memcpy(&word, parameter.data(), sizeof(word));
    launch.arguments.push_back(word);
  }
  auto mode = [](bool isWritten) { return isWritten ? sim::RegionMode::out : sim::RegionMode::in; };
  launch.regions = {
      {"far", far.data(), sizeof(double), {rows, columns}, {pitch, 1}, mode(isFarWritten)},
      {"near", near, sizeof(double), {rows, columns}, {columns, 1}, mode(!isFarWritten)}};
  std::string symbol = code.record().versions[plan->version].symbol;
  auto simulator = sim::Simulator::create(std::move(code.code.code), code.code.context);
  ASSERT_TRUE(bool(simulator)) << llvm::toString(simulator.takeError());
  llvm::Expected<sim::SimReport> report = (*simulator)->run(symbol, launch);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  EXPECT_TRUE(report->clean()) << (report->errors.empty() ? "" : report->errors.front().message);
}
} // namespace

TEST(FarRowsTest, LoadsAndStores) {
  FarArray far(size_t(rows * pitch) * sizeof(double));
  if (!far.isThere()) {
    GTEST_SKIP() << "no addresses for rows that are 4 GiB apart";
  }
  double near[rows * columns] = {};
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      far.data()[row * pitch + column] = double(10 * row + column);
    }
  }
  // The far rows are those of the tile, and those of the grid.
  KernelCode tile("taken", R"(
kernel taken(x: in view<[M, N], f64>, y: out view<[M, N], f64>) {
    let r = whole(M, width = 4)
    let c = whole(N, width = 8)
    y[r, c] = x[r, c]
})");
  simulate(tile, far, near, /*isFarWritten=*/false);
  EXPECT_EQ(near[2 * columns + 4], 24.0);
  KernelCode grid("given", R"(
kernel given(x: out view<[M, N], f64>, y: in view<[M, N], f64>) {
    grid r in M
    let c = whole(N, width = 8)
    x[r, c] = y[r, c] + 1.0
})");
  simulate(grid, far, near, /*isFarWritten=*/true);
  EXPECT_EQ(far.data()[2 * pitch + 4], 25.0);
}
