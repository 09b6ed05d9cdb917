// The printed form of factors, and what isNeverAbsent may and may not say.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DialectTesting.h"

#include "tessera/Analysis/AbsenceAnalysis.h"

using namespace mlir;

namespace tessera {
namespace {

class AbsenceTest : public DialectTest {};

TEST(FactorsText, forms) {
  EXPECT_EQ(factorsText({}), "[]");
  EXPECT_EQ(factorsText({0}), "[[]]");
  EXPECT_EQ(factorsText({1, 2, 3}), "[[0], [1], [0, 1]]");
  EXPECT_EQ(factorsText({AxisSet(1) << 63}), "[[63]]");
}

constexpr char program[] = R"(
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0), %a "a": f32) body {
  %c0 = tile.constant 0 : i64
  %z = tile.constant 1.0 : f32 tensor<4xf32>
  tile.grid (%r = tiles(%c0 to %N by 4), %i = range(%c0 to %N)) {
    %t = tile.load %x[%r] : !tile.view<?xf32, in>, !tile.span<4> -> tensor<4xf32>
    %e = tile.load %x[%i] : !tile.view<?xf32, in>, i64 -> f32
    %s = tile.splat %a : f32 to tensor<4xf32>
    %u = tile.add %s, %z : tensor<4xf32>
    %v = tile.add %u, %t : tensor<4xf32>
    %p = tile.present %v : tensor<4xf32>
    %n = tile.absent : tensor<4xf32>
    %l = tile.for %k in range(%c0 to %N) carry(%c = %z : tensor<4xf32>) {
      %w = tile.add %c, %n : tensor<4xf32>
      tile.yield %w : tensor<4xf32>
    }
  }
})";

TEST_F(AbsenceTest, localFactsAreConservative) {
  OwningOpRef<ModuleOp> module = parse(program);
  ASSERT_TRUE(module);
  auto kernel = first<tile::KernelOp>(*module);
  AbsenceAnalysis analysis(kernel);
  unsigned never = 0, maybe = 0;
  kernel.walk([&](Operation *op) {
    for (Value result : op->getResults()) {
      // What the ops alone say is true in the analysis, too.
      if (tile::isNeverAbsent(result)) {
        EXPECT_TRUE(analysis.isNeverAbsent(result)) << op->getName().getStringRef().str();
        ++never;
      } else {
        ++maybe;
      }
    }
  });
  EXPECT_EQ(never, 5u); // c0, z, s, u, p
  EXPECT_EQ(maybe, 6u); // t, e, v, n, l and w
  auto loop = first<tile::ForOp>(*module);
  EXPECT_TRUE(tile::isNeverAbsent(loop.getStep()));
  EXPECT_FALSE(tile::isNeverAbsent(loop.getRegionIterArgs()[0]));
  EXPECT_EQ(factorsText(analysis.factorsOf(loop->getResult(0))), "[[0]]");
}

TEST_F(AbsenceTest, scheduledFactsAreConservative) {
  OwningOpRef<ModuleOp> module = parse(R"(
tile.instr @i on "sm_80" scope warp order exact via generic operands [{name = "a", kind = "smem", inout}] ptx "" {
^bb0(%a: tensor<4xf32>):
  tile.yield %a : tensor<4xf32>
}
tile.kernel @k[%N "N"]() body {
  %c0 = tile.constant 0 : i64
  %a = tile.alloc : !tile.buf<4xf32, shared>
  tile.tasks (%m = tiles(%c0 to %N by 4), %h = range(%c0 to %N)) {
    tile.section @s {
      tile.par warp 2 {
      ^bb0(%w: i64):
        %i = tile.add %w, %h : i64
      }
      %t = tile.read %a span[:] : !tile.buf<4xf32, shared> -> tensor<4xf32>
      %u = tile.read %a span[%m] : !tile.buf<4xf32, shared>, !tile.span<4> -> tensor<4xf32>
      %v:2 = tile.apply @i -> tensor<4xf32>, tensor<4xf32> {
        tile.yield %t, %u : tensor<4xf32>, tensor<4xf32>
      }
    }
  }
})");
  ASSERT_TRUE(module);
  AbsenceAnalysis analysis(*module);
  auto apply = first<tile::ApplyOp>(*module);
  auto sum = first<tile::AddOp>(*module);
  for (Value value : {Value(sum.getResult()), apply.getResult(0), sum->getOperand(1)}) {
    EXPECT_TRUE(tile::isNeverAbsent(value));
    EXPECT_TRUE(analysis.isNeverAbsent(value));
  }
  EXPECT_FALSE(tile::isNeverAbsent(apply.getResult(1)));
  EXPECT_EQ(factorsText(analysis.factorsOf(apply.getResult(1))), "[[0]]");
  // What an instruction is used on may lack any element.
  Value argument = first<tile::InstrOp>(*module).getBody().getArgument(0);
  EXPECT_FALSE(tile::isNeverAbsent(argument));
  EXPECT_EQ(factorsText(analysis.factorsOf(argument)), "[[0]]");
  // A body that is still being built says nothing.
  apply.getBody().front().back().erase();
  EXPECT_FALSE(tile::isNeverAbsent(apply.getResult(0)));
  apply.getBody().front().erase();
  EXPECT_FALSE(tile::isNeverAbsent(apply.getResult(0)));
}

TEST_F(AbsenceTest, deepChainsEnd) {
  std::string text = "func.func @f(%x: f32) {\n  %v0 = tile.constant 1.0 : f32\n";
  for (int i = 1; i < 5000; ++i) {
    text += "  %v" + std::to_string(i) + " = tile.neg %v" + std::to_string(i - 1) + " : f32\n";
  }
  OwningOpRef<ModuleOp> module = parse(text + "  return\n}\n");
  ASSERT_TRUE(module);
  Operation *last = first<func::FuncOp>(*module).getBody().front().getTerminator()->getPrevNode();
  // Too deep to say, which is not an error.
  EXPECT_FALSE(tile::isNeverAbsent(last->getResult(0)));
  EXPECT_TRUE(AbsenceAnalysis(*module).isNeverAbsent(last->getResult(0)));
}

} // namespace
} // namespace tessera
