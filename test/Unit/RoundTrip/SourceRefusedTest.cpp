// IR that the language cannot say is refused with the reason; names are kept where they are free.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HandWritten.h"

using namespace tessera;
using namespace tessera::roundtriptest;

namespace {
class Refused : public testing::TestWithParam<std::pair<Text, const char *>> {};
} // namespace

TEST_P(Refused, NamesTheReason) {
  std::string problems, text = kernelWith(GetParam().first.body);
  Module module = parse(text, problems);
  ASSERT_TRUE(module) << problems << text;
  EXPECT_EQ(printedSource(*module, problems), "");
  EXPECT_NE(problems.find("has no `.tile` text: "), std::string::npos) << problems;
  EXPECT_NE(problems.find(GetParam().second), std::string::npos) << problems;
}

INSTANTIATE_TEST_SUITE_P(
    Bodies, Refused,
    testing::Values(
        std::make_pair(
            Text{"Captured",
                 R"(%c = tile.reduce_with %t, %f along 1 : tensor<4x8xf32>, f32 -> tensor<4xf32> {
          ^bb0(%p: f32, %q: f32):
            %h = tile.add %p, %f : f32
            tile.yield %h : f32
          }
          tile.print "c", %c : tensor<4xf32>)"},
            "uses values from outside"),
        std::make_pair(Text{"WhileDrops",
                            R"(%r = scf.while (%p = %n, %q = %f) : (i64, f32) -> (i64) {
            %c = tile.cmp gt, %p, %c0 : i64
            scf.condition(%c) %p : i64
          } do {
          ^bb0(%p: i64):
            scf.yield %p, %f : i64, f32
          }
          tile.print "r", %r : i64)"},
                       "exactly the variables"),
        std::make_pair(Text{"BehindGrid", R"(}
          %q = tile.cmp eq, %n, %n : i64
          scf.if %q {)"},
                       "belongs to the grid"),
        std::make_pair(Text{"Buf", "%a = tile.alloc : !tile.buf<8xf32, shared>"},
                       "it is of a scheduled kernel"),
        std::make_pair(Text{"Barrier",
                            "%q = tile.cmp eq, %n, %n : i64\n scf.if %q {\n tile.barrier cta\n }"},
                       "it is of a scheduled kernel"),
        std::make_pair(Text{"Section",
                            "tile.for %i in range(%n to %n) {\n tile.section @a {\n }\n }"},
                       "it is of a scheduled kernel"),
        // The op has a text, its factors have none.
        std::make_pair(Text{"Factors", "%e = tile.exp %t {tile.iter = #tile.iter<d0 = warp 4>} : "
                                       "tensor<4x8xf32>\n tile.print \"e\", %e : tensor<4x8xf32>"},
                       "it is of a scheduled kernel")),
    [](const testing::TestParamInfo<std::pair<Text, const char *>> &info) {
      return std::string(info.param.first.name);
    });

TEST(SourcePrinterNames, HeadsThatHaveNoText) {
  auto reason = [](const char *head) {
    std::string problems;
    Module module = parse(std::string("tile.kernel ") + head + " body {\n}\n", problems);
    EXPECT_TRUE(module) << problems;
    EXPECT_EQ(printedSource(*module, problems), "");
    return problems;
  };
  EXPECT_NE(reason("@\"a b\"()").find("no name of the language"), std::string::npos);
  EXPECT_NE(reason("@k(%x \"sum\": f32)").find("`sum`"), std::string::npos);
  EXPECT_NE(reason("@k(%x \"let\": f32)").find("`let`"), std::string::npos);
  EXPECT_NE(reason("@k(%x \"x\": f32) attributes {tile.warps = 4 : i64}")
                .find("`tile.warps` is of a scheduled kernel"),
            std::string::npos);
  EXPECT_NE(reason("@k[%N \"N\"](%x \"x\": f32)").find("no view's shape has the extent `N`"),
            std::string::npos);
}

TEST(SourcePrinterNames, FreeNamesAreKept) {
  std::string problems;
  Module module =
      compile("kernel k(x: in view<[N], f32>, y: out view<[N], f32>) {\n grid row in tiles(N, 4)\n"
              " let twice = x[row] + x[row]\n y[row] = twice * twice\n}",
              "k", {}, problems);
  ASSERT_TRUE(module) << problems;
  std::string source = printedSource(*module, problems);
  EXPECT_NE(source.find("let twice = "), std::string::npos) << source;
  EXPECT_NE(source.find("row in tiles(N, 4)"), std::string::npos) << source;
}
