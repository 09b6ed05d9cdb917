// Every op of the tile dialect has code for a device, or stands here with the reason why not.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gtest/gtest.h"

#include "tessera/Conversion/TileToLLVM.h"

#include "mlir/IR/MLIRContext.h"

#include <map>

using namespace tessera;

namespace {

const std::map<llvm::StringRef, llvm::StringRef> without = {
    {"tile.at", "stands in formulas, which a host evaluates"},
    {"tile.fence", "orders what `tma`, `bulk` and `wgmma` see, which have no code yet"},
    {"tile.fold", "stands in formulas"},
    {"tile.instr", "declares an instruction; ops are applied to it"},
    {"tile.kernel", "is the function itself"},
    {"tile.map", "stands in formulas"},
    {"tile.require", "is checked by the launch"},
};

TEST(EveryOpLowersTest, OrSaysWhyNot) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect>();
  size_t ops = 0;
  for (mlir::RegisteredOperationName name : context.getRegisteredOperationsByDialect("tile")) {
    mlir::OperationState state(mlir::UnknownLoc::get(&context), name);
    // Never verified: only its kind is asked.
    mlir::Operation *op = mlir::Operation::create(state);
    EXPECT_NE(convert::hasDeviceCode(op), without.count(name.getStringRef()) == 1)
        << name.getStringRef().str();
    op->destroy();
    ++ops;
  }
  EXPECT_GT(ops, 90u);
}

TEST(EveryOpLowersTest, ReasonsAreOfOpsThatExist) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect>();
  for (auto [name, reason] : without) {
    EXPECT_TRUE(mlir::RegisteredOperationName::lookup(name, &context)) << name.str();
    EXPECT_FALSE(reason.empty());
  }
}

} // namespace
