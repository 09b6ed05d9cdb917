// Operations of kernels: counted once for loops that do the same in each step, step by step for others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Analysis/Work.h"

#include "DialectTesting.h"

using namespace mlir;

namespace tessera {
namespace {

TEST(Polynomial, SumsOfProductsOfNames) {
  Polynomial m = Polynomial::of("M"), k = Polynomial::of("K");
  EXPECT_EQ((Polynomial(2) * m * k + Polynomial(8)).text(), "2 * K * M + 8");
  EXPECT_EQ((k * m - m * k).text(), "0");
  EXPECT_EQ((k * m - m * k).number(), 0);
  EXPECT_EQ((m + Polynomial(1)).number(), std::nullopt);
  EXPECT_EQ((m * m).text(), "M * M");
  EXPECT_EQ((Polynomial(1) + Polynomial(2)).number(), 3);
  EXPECT_EQ(floorDiv(Polynomial(-7), Polynomial(2)).number(), -4);
  EXPECT_EQ(floorDiv(Polynomial(-7), Polynomial(0)).number(), 0);
  EXPECT_EQ((m * floorDiv(k + Polynomial(1), Polynomial(2))).text(), "(K + 1 // 2) * M");
}

class WorkTest : public DialectTest {
protected:
  /// The operations of a body, as text: `bf16: 2 * M | f32: 8`, `least` before them; the reason where they are not known.
  std::string workOf(const std::string &body) {
    OwningOpRef<ModuleOp> module = parse(
        "tile.kernel @k[%M \"M\", %N \"N\"](%x \"x\": !tile.view<?x?xf32, in> shape ()[s0, s1] -> "
        "(s0, s1), %h \"h\": !tile.view<?x?xbf16, in> shape ()[s0, s1] -> (s0, s1)) body {\n"
        "%c0 = tile.constant 0 : i64\n%c100 = tile.constant 100 : i64\n" +
        body + "}");
    if (!module) {
      return "no module";
    }
    std::string reason;
    std::optional<Work> work = tessera::workOf(first<tile::KernelOp>(*module), reason);
    if (!work) {
      return reason;
    }
    std::string text = work->isLeast ? "least" : "";
    for (const auto *amounts : {&work->products, &work->others}) {
      for (const auto &[type, amount] : *amounts) {
        text += (text.empty() ? "" : " | ") + type + ": " + amount.text();
      }
    }
    return text;
  }

  static std::string tiles(const std::string &end, const std::string &body) {
    return "tile.grid (%m = tiles(%c0 to " + end + " by 32)) {\n" + body + "}\n";
  }
  static constexpr const char *load =
      "%t = tile.load %x[%m, %m] : !tile.view<?x?xf32, in>, !tile.span<32>, !tile.span<32> -> "
      "tensor<32x32xf32>\n";
};

TEST_F(WorkTest, TilesCountAsFarAsTheyAreInTheirRange) {
  const std::string body = std::string(load) + "%s = tile.add %t, %t : tensor<32x32xf32>\n";
  EXPECT_EQ(workOf(tiles("%M", body)), "f32: 32 * M");
  EXPECT_EQ(workOf(tiles("%c100", body)), "f32: 3200");
  EXPECT_EQ(workOf(tiles("%c0", body)), "");
}

TEST_F(WorkTest, ProductsBySourceType) {
  const char *body = R"(
    %a = tile.load %h[%m, %m] : !tile.view<?x?xbf16, in>, !tile.span<32>, !tile.span<32> -> tensor<32x32xbf16>
    %zero = tile.constant 0.0 : f32 tensor<32x32xf32>
    %r = tile.for %k in tiles(%c0 to %N by 16) carry(%acc = %zero : tensor<32x32xf32>) {
      %p = tile.mma %a, %a, %acc : tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xf32>
      tile.yield %p : tensor<32x32xf32>
    }
)";
  EXPECT_EQ(workOf(tiles("%M", body)), "bf16: 128 * M * N");
}

TEST_F(WorkTest, ReductionsAndFunctionsButNoCastsChoicesOrIntegers) {
  EXPECT_EQ(workOf(tiles("%M", std::string(load) + R"(
    %e = tile.exp %t : tensor<32x32xf32>
    %s = tile.reduce sum %e along 1 : tensor<32x32xf32> -> tensor<32xf32>
    %b = tile.cast %e : tensor<32x32xf32> to tensor<32x32xbf16>
    %n = tile.neg %b : tensor<32x32xbf16>
    %c = tile.cmp lt, %t, %e : tensor<32x32xf32>
    %d = tile.select %c, %t, %e : tensor<32x32xf32>
    %i = tile.cast %t {round = #tile.round<rz>} : tensor<32x32xf32> to tensor<32x32xi32>
    %j = tile.add %i, %i : tensor<32x32xi32>
    %f = tile.constant 2.0 : f32
    %g = tile.mul %f, %f : f32
)")),
            "f32: 96 * M");
}

TEST_F(WorkTest, RegionsThatCombine) {
  EXPECT_EQ(workOf(tiles("%M", std::string(load) + R"(
    %one = tile.constant 1.0 : f32
    %s = tile.reduce_with %t, %one along 1 : tensor<32x32xf32>, f32 -> tensor<32xf32> {
    ^bb0(%a: f32, %b: f32):
      %u = tile.mul %a, %b : f32
      %v = tile.add %u, %b : f32
      tile.yield %v : f32
    }
)")),
            "f32: 64 * M");
}

constexpr const char *triangle = R"(
    %end = tile.span_stop %m : !tile.span<32>
    tile.for %k in tiles(%c0 to %end by 32) {
      %t = tile.load %x[%m, %k] : !tile.view<?x?xf32, in>, !tile.span<32>, !tile.span<32> -> tensor<32x32xf32>
      %n = tile.neg %t : tensor<32x32xf32>
    }
)";

TEST_F(WorkTest, LoopsThatEndElsewhereInEachStepAreFollowed) {
  // Rows of 32, 32, 32 and 4 elements with ends at 32, 64, 96, 100.
  EXPECT_EQ(workOf(tiles("%c100", triangle)), "f32: 6544");
  EXPECT_EQ(workOf(tiles("%M", triangle)), "a loop ends at what other loops or data say");
}

TEST_F(WorkTest, QuotientsAndWhatIsCutOff) {
  const std::string body = std::string(load) + "%s = tile.neg %t : tensor<32x32xf32>\n",
                    two = "%c2 = tile.constant 2 : i64\n%c64 = tile.constant 64 : i64\n";
  EXPECT_EQ(workOf(two + "%e = tile.floordiv %M, %c2 : i64\n" + tiles("%e", body)),
            "f32: 32 * (M // 2)");
  EXPECT_EQ(workOf(two + "%e = tile.floordiv %c100, %c2 : i64\n" + tiles("%e", body)), "f32: 1600");
  EXPECT_EQ(workOf(two + "%e = tile.min %c100, %c64 : i64\n" + tiles("%e", body)), "f32: 2048");
  EXPECT_EQ(workOf(two + "%e = tile.max %c100, %c64 : i64\n" + tiles("%e", body)), "f32: 3200");
  EXPECT_EQ(workOf(two + "%e = tile.mod %c100, %c64 : i64\n" + tiles("%e", body)), "f32: 1152");
  EXPECT_EQ(workOf(two + "%e = tile.min %M, %c64 : i64\n" + tiles("%e", body)),
            "a loop ends at what other loops or data say");
}

TEST_F(WorkTest, TooManyStepsAreRefused) {
  EXPECT_EQ(workOf("%c9 = tile.constant 900000000 : i64\n" + tiles("%c9", triangle)),
            "there are too many steps to follow");
}

TEST_F(WorkTest, ConditionsAreLeftOut) {
  EXPECT_EQ(workOf(tiles("%M", std::string(load) + R"(
    %s = tile.neg %t : tensor<32x32xf32>
    %c = tile.cmp lt, %M, %N : i64
    scf.if %c {
      %u = tile.neg %s : tensor<32x32xf32>
    }
)")),
            "least | f32: 32 * M");
}

} // namespace
} // namespace tessera
