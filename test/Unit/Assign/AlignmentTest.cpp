// What is known of divisors, whole spans and vectors; for each kind of fact a near miss.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Schedule/Alignment.h"

#include "gtest/gtest.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

using namespace tessera;
using namespace tessera::schedule;

namespace {
class AlignmentTest : public testing::Test {
protected:
  AlignmentTest() { context.loadDialect<tile::TileDialect, mlir::scf::SCFDialect>(); }

  /// Elements of the widest access of the first load of a kernel of bf16 with the given conditions and span.
  int64_t vector(const std::string &attributes, const std::string &span, int64_t width) {
    std::string w = std::to_string(width);
    module = mlir::parseSourceString<mlir::ModuleOp>(
        "tile.kernel @k[%N \"N\"](%x \"x\": !tile.view<?x?xbf16, in> shape ()[s0] -> (s0, s0)) "
        "attributes {" +
            attributes + "} body {\n%c0 = tile.constant 0 : i64\n%c3 = tile.constant 3 : i64\n" +
            "%c64 = tile.constant 64 : i64\n%s = " + span + " : !tile.span<" + w + ">\n" +
            "%t = tile.load %x[%c3, %s] : !tile.view<?x?xbf16, in>, i64, !tile.span<" + w +
            "> -> tensor<" + w + "xbf16>\n}",
        &context);
    EXPECT_TRUE(module);
    tile::LoadOp load;
    module->walk([&](tile::LoadOp op) { load = op; });
    Alignment facts(*module->getOps<tile::KernelOp>().begin());
    return facts.vectorOf(load.getView(), load.getIndices(), load.getWhole(), width);
  }

  /// Of each loop, in the order of the text, whether its spans are whole.
  std::vector<bool> wholeSteps(const char *text) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    if (!module) {
      return {};
    }
    Alignment facts(*module->getOps<tile::KernelOp>().begin());
    std::vector<bool> found;
    module->walk([&](tile::ForOp loop) { found.push_back(facts.isWhole(loop.getStep())); });
    return found;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

const char *whole = "tile.span %c0, %N";
} // namespace

TEST_F(AlignmentTest, RowsAndExtentsThatVersionsCheckMakeVectors) {
  EXPECT_EQ(vector("tile.when = [\"((N % 8) == 0) and aligned(x, 16)\"]", whole, 64), 8);
  EXPECT_EQ(vector("tile.when = [\"(N % 8) == 0\", \"aligned(x, 16)\"]", whole, 64), 8);
}

TEST_F(AlignmentTest, NearMisses) {
  EXPECT_EQ(vector("", whole, 64), 1);
  EXPECT_EQ(vector("tile.when = [\"aligned(x, 16)\"]", whole, 64), 1); // the end may cut a vector
  EXPECT_EQ(vector("tile.when = [\"(N % 8) == 0\"]", whole, 64), 1);   // rows may begin anywhere
  EXPECT_EQ(vector("tile.when = [\"((N % 8) == 1) and aligned(x, 16)\"]", whole, 64), 1);
  EXPECT_EQ(vector("tile.when = [\"((N % 8) == 0) or aligned(x, 16)\"]", whole, 64), 1);
  EXPECT_EQ(vector("tile.when = [\"((N % 4) == 0) and aligned(x, 16)\"]", whole, 64), 4);
  EXPECT_EQ(vector("tile.when = [\"((N % 8) == 0) and aligned(x, 8)\"]", whole, 64), 4);
  EXPECT_EQ(vector("tile.when = [\"((N % 8) == 0) and aligned(x, 16)\"]", "tile.span %c3, %N", 64),
            1);
  EXPECT_EQ(vector("tile.when = [\"((N % 8) == 0) and aligned(x, 16)\"]", whole, 20),
            4); // the tile's own width
}

TEST_F(AlignmentTest, ConstantsSpeakForThemselves) {
  EXPECT_EQ(vector("tile.when = [\"aligned(x, 16)\"]", "tile.span %c0, %c64", 64), 8);
}

/// Of a loop over indices only the first step is where the range begins.
TEST_F(AlignmentTest, StepsOfIndexLoopsAreAnyNumber) {
  module = mlir::parseSourceString<mlir::ModuleOp>(R"mlir(
    tile.kernel @k[%N "N"](%x "x": !tile.view<?xbf16, in> shape ()[s0] -> (s0))
        attributes {tile.when = ["((N % 8) == 0) and aligned(x, 16)"]} body {
      %c0 = tile.constant 0 : i64
      %c8 = tile.constant 8 : i64
      tile.for %i in range(%c0 to %c8) {
        %far = tile.mul %i, %c8 : i64
        %s = tile.span %i, %N : !tile.span<64>
        %a = tile.load %x[%s] : !tile.view<?xbf16, in>, !tile.span<64> -> tensor<64xbf16>
        %t = tile.span %far, %N : !tile.span<64>
        %b = tile.load %x[%t] : !tile.view<?xbf16, in>, !tile.span<64> -> tensor<64xbf16>
      }
    })mlir",
                                                   &context);
  ASSERT_TRUE(module);
  Alignment facts(*module->getOps<tile::KernelOp>().begin());
  std::vector<int64_t> vectors;
  module->walk([&](tile::LoadOp load) {
    vectors.push_back(facts.vectorOf(load.getView(), load.getIndices(), load.getWhole(), 64));
  });
  EXPECT_EQ(vectors, (std::vector<int64_t>{1, 8}));
}

TEST_F(AlignmentTest, SpansOfLoopsAreWholeWhereTheRangeIsAMultiple) {
  std::vector<bool> whole = wholeSteps(R"(
    tile.kernel @k[%N "N"]() body {
      %c0 = tile.constant 0 : i64
      %c32 = tile.constant 32 : i64
      %n = tile.floordiv %N, %c32 : i64
      %hi = tile.mul %n, %c32 : i64
      tile.for %a in tiles(%c0 to %hi by 32) { %s = tile.span_start %a : !tile.span<32> tile.print "a", %s : i64 }
      tile.for %b in tiles(%c0 to %N by 32) { %s = tile.span_start %b : !tile.span<32> tile.print "b", %s : i64 }
      tile.for %c in tiles(%hi to %N by 32) { %s = tile.span_start %c : !tile.span<32> tile.print "c", %s : i64 }
      tile.for %d in tiles(%c32 to %hi by 64) { %s = tile.span_start %d : !tile.span<64> tile.print "d", %s : i64 }
    })");
  EXPECT_EQ(whole, (std::vector<bool>{true, false, false, false}));
}

// What `peel` makes: a loop up to the last whole step, where a mask may end it before. The last three end at the range itself,
// at a cut of another range, and at a cut for another width.
TEST_F(AlignmentTest, SpansBeforeACutAreWhole) {
  std::vector<bool> whole = wholeSteps(R"(
    tile.kernel @k[%N "N"](%m "m": i64) body {
      %c0 = tile.constant 0 : i64
      %c32 = tile.constant 32 : i64
      %end = tile.min %N, %m : i64
      %length = tile.sub %end, %c0 : i64
      %floor = tile.floordiv %length, %c32 : i64
      %steps = tile.max %floor, %c0 : i64
      %bytes = tile.mul %steps, %c32 : i64
      %cut = tile.add %c0, %bytes : i64
      %masked = tile.mul %m, %c32 : i64
      %both = tile.min %masked, %cut : i64
      %a = tile.min %cut, %end : i64
      %b = tile.min %both, %end : i64
      %c = tile.min %both, %N : i64
      tile.for %i in tiles(%c0 to %a by 32) { %s = tile.span_start %i : !tile.span<32> tile.print "a", %s : i64 }
      tile.for %i in tiles(%c0 to %b by 32) { %s = tile.span_start %i : !tile.span<32> tile.print "b", %s : i64 }
      tile.for %i in tiles(%c0 to %end by 32) { %s = tile.span_start %i : !tile.span<32> tile.print "c", %s : i64 }
      tile.for %i in tiles(%c0 to %c by 32) { %s = tile.span_start %i : !tile.span<32> tile.print "d", %s : i64 }
      tile.for %i in tiles(%c0 to %a by 64) { %s = tile.span_start %i : !tile.span<64> tile.print "e", %s : i64 }
    })");
  EXPECT_EQ(whole, (std::vector<bool>{true, true, false, false, false}));
}

namespace {
/// Bytes that divide the places where rows of %v begin, which `op` makes of %x; -1 where its last axis has no step 1.
int64_t rowsOf(mlir::MLIRContext &context, const std::string &type, const std::string &op,
               const std::string &more = "") {
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      "tile.kernel @k[%N \"N\"](%x \"x\": " + type + " shape " +
          (type.find("?x?") != std::string::npos ? "()[s0] -> (s0, s0)"
                                                 : "()[s0] -> (s0, " + type.substr(13, 2) + ")") +
          ") attributes {tile.when = [\"aligned(x, 16)\"" + more +
          "]} body {\n%c0 = tile.constant 0 : i64\n" +
          "%c4 = tile.constant 4 : i64\n%c8 = tile.constant 8 : i64\n%c16 = tile.constant 16 : "
          "i64\n" +
          op + "\n}",
      &context);
  EXPECT_TRUE(module) << op;
  mlir::Value last;
  module->walk([&](mlir::Operation *made) {
    if (made->getNumResults() > 0 && llvm::isa<tile::ViewType>(made->getResult(0).getType())) {
      last = made->getResults().back();
    }
  });
  Alignment facts(*module->getOps<tile::KernelOp>().begin());
  return facts.isContiguous(last) ? facts.rowBytes(last) : -1;
}
} // namespace

// Rows of parts, groups and permuted views of rows that begin at multiples of 16 bytes.
TEST_F(AlignmentTest, RowsOfViewsOfViews) {
  std::string x = "!tile.view<?x48xbf16, in>", free = "!tile.view<?x?xbf16, in>";
  auto split = [&](const std::string &type, const std::string &axis, const std::string &part) {
    return "%v:2 = tile.view_split %x, " + axis + " : " + type + " -> " + part + ", " + part;
  };
  EXPECT_EQ(rowsOf(context, x, split(x, "1", "!tile.view<?x24xbf16, in>")), 16);
  EXPECT_EQ(rowsOf(context, x, split(x, "0", x)), 16);
  EXPECT_EQ(rowsOf(context, free, split(free, "1", free)), 2); // half of N may be odd
  EXPECT_EQ(rowsOf(context, free, split(free, "1", free), ", \"N % 8 == 0\""), 8);
  std::string other = "!tile.view<?x24xbf16, in>";
  EXPECT_EQ(rowsOf(context, other, split(other, "1", "!tile.view<?x12xbf16, in>")), 8);

  auto group = [&](const std::string &axis, const std::string &size, const std::string &to) {
    return "%v = tile.view_group %x, " + axis + " by " + size + " : " + x + " -> " + to;
  };
  EXPECT_EQ(rowsOf(context, x, group("1", "8", "!tile.view<?x6x8xbf16, in>")), 16);
  EXPECT_EQ(rowsOf(context, x, group("1", "4", "!tile.view<?x12x4xbf16, in>")), 8);
  EXPECT_EQ(rowsOf(context, x, group("0", "3", "!tile.view<?x3x48xbf16, in>")), 16);

  auto slice = [&](const std::string &axis, const std::string &lo, const std::string &to) {
    return "%v = tile.view_slice %x, " + axis + " from " + lo + " to %c16 : " + x + " -> " + to;
  };
  EXPECT_EQ(rowsOf(context, x, slice("1", "%c8", "!tile.view<?x8xbf16, in>")), 16);
  EXPECT_EQ(rowsOf(context, x, slice("1", "%c4", "!tile.view<?x12xbf16, in>")), 8);
  EXPECT_EQ(rowsOf(context, x, slice("1", "%N", "!tile.view<?x?xbf16, in>")), 2);
  EXPECT_EQ(rowsOf(context, x, slice("0", "%c4", "!tile.view<?x48xbf16, in>")), 16);

  EXPECT_EQ(rowsOf(context, x,
                   "%v = tile.view_permute %x, [1, 0] : " + x + " -> !tile.view<48x?xbf16, in>"),
            -1);
  EXPECT_EQ(rowsOf(context, x,
                   group("1", "8", "!tile.view<?x6x8xbf16, in>") +
                       "\n%w = tile.view_permute %v, [1, 0, 2] : !tile.view<?x6x8xbf16, in> -> "
                       "!tile.view<6x?x8xbf16, in>"),
            16);
}
