// Kernels as schedules leave them: made once, run with every extent from 1 to 130, with the interpreter's bits.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ExtentsTesting.h"

#include "tessera/Testing/DevicePair.h"

using namespace tessera;
using namespace tessera::extents;

namespace {

class ScheduledOpsTest : public ExtentsTest {};

TEST_F(ScheduledOpsTest, EveryExtentWithOnePieceOfCode) {
  for (const std::string &file : files(".mlir")) {
    mlir::OwningOpRef<mlir::ModuleOp> module = parse(file);
    ASSERT_TRUE(module);
    for (auto kernel : module->getOps<tile::KernelOp>()) {
      std::string problem;
      std::unique_ptr<DevicePair> pair = DevicePair::make(kernel, *module, {}, problem);
      ASSERT_TRUE(pair) << file << ": " << problem;
      for (int64_t extent = 1; extent <= 130; ++extent) {
        DeviceOutcome outcome = pair->compare({{"N", extent}}, uint64_t(extent));
        EXPECT_EQ(outcome.kind, DeviceOutcome::same)
            << kernel.getSymName().str() << ", N = " << extent << ": " << outcome.text;
        EXPECT_GT(outcome.compared, 0u) << kernel.getSymName().str();
      }
    }
  }
}

} // namespace
