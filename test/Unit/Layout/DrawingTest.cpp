// Drawings: every cell is there with the right words, and what cannot be drawn is refused.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Layout/Drawing.h"

#include "TestLayouts.h"

#include "tessera/Layout/Fragments.h"

using namespace tessera;
using namespace tessera::layouttest;
using testing::HasSubstr;

namespace {
size_t occurrences(llvm::StringRef text, llvm::StringRef word) { return text.count(word); }
} // namespace

TEST(LayoutDrawing, Fragment) {
  std::string svg = valueOf(drawLayout(mmaM16N8K16C(), "C <16 x 8>"));
  EXPECT_EQ(occurrences(svg, "<rect"), 128u);
  EXPECT_EQ(occurrences(svg, ">l13<"), 4u);
  EXPECT_EQ(occurrences(svg, ">r3<"), 32u);
  EXPECT_THAT(svg, HasSubstr("<title>C &lt;16 x 8&gt;</title>"));
  EXPECT_THAT(svg, HasSubstr(">m / n<"));
  EXPECT_EQ(svg.rfind("<svg xmlns=", 0), 0u);
  EXPECT_THAT(svg, testing::EndsWith("</svg>\n"));
}

TEST(LayoutDrawing, RepeatedElementsAndWarps) {
  Layout repeated =
      valueOf(parse("(2, 4, 2) : (1, 0, 2)").withInNames({"register", "lane", "warp"}));
  std::string svg = valueOf(drawLayout(repeated, "repeated"));
  EXPECT_EQ(occurrences(svg, "<rect"), 4u);
  EXPECT_THAT(svg, HasSubstr(">l0 w1<"));
  EXPECT_THAT(svg, HasSubstr(">r1 +3<"));
}

TEST(LayoutDrawing, Memory) {
  std::string svg = valueOf(drawLayout(valueOf(swizzledTile(128, 2, 8, 64)), "swizzled", 2));
  EXPECT_EQ(occurrences(svg, "<rect"), 512u);
  EXPECT_EQ(occurrences(svg, ">511<"), 1u);
  EXPECT_EQ(occurrences(svg, ">b7<"), 16u); // 8 rows of two elements a word
}

TEST(LayoutDrawing, Refusals) {
  EXPECT_THAT(messageOf(drawLayout(parse("(2, 2, 2) : (1, 2, 4)"), "t")),
              HasSubstr("T0983: drawing: the layout has 3 inputs and 1 outputs"));
  EXPECT_THAT(messageOf(drawLayout(valueOf(ldmatrixFragment(4, false)), "t")), HasSubstr("T0983"));
  EXPECT_THAT(messageOf(drawLayout(parse("(128, 129) : (129, 1)"), "t")),
              HasSubstr("T0982: drawing: 128 x 129 cells, at most 16384"));
  EXPECT_EQ(messageOf(drawLayout(parse("(128, 128) : (128, 1)"), "t")), "no error");
  EXPECT_THAT(messageOf(drawLayout(parse("2 : 1"), "t", 3)), HasSubstr("T0981"));
}
