// Drawings: every cell is there with the right words, and what cannot be drawn is refused.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Layout/Drawing.h"

#include "TestLayouts.h"

#include "tessera/Layout/Fragments.h"

using namespace tessera;
using namespace tessera::layouttest;
using testing::HasSubstr;
using testing::Not;

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

TEST(LayoutDrawing, InstructionFragment) {
  Layout map = parse("((4, 8), (2, 2)) : ((32, 1), (16, 8))");
  std::string svg = valueOf(drawFragment(map, {16, 8}, {"c <16 x 8>", "m", "n", 2}));
  EXPECT_EQ(occurrences(svg, ">T13 v"), 4u);
  EXPECT_EQ(occurrences(svg, " v3</text>"), 32u);
  EXPECT_EQ(occurrences(svg, "<path"), 32u); // a colour for each lane
  EXPECT_THAT(svg, HasSubstr("<title>c &lt;16 x 8&gt;</title>"));
  EXPECT_THAT(svg, HasSubstr(">m \u2193<"));
  EXPECT_THAT(svg, HasSubstr(">n \u2192<"));
  // Lane 5 has its value 2 in row 9, column 2.
  EXPECT_THAT(svg, HasSubstr("<text x=\"172\" y=\"252\">T5 v2</text>"));
  EXPECT_THAT(svg,
              HasSubstr("lane 5 of 32, its value 1 of 4; register r holds values 2r to 2r + 1."));
  EXPECT_THAT(valueOf(drawFragment(map, {16, 8}, {"c", "m", "n", 4})),
              HasSubstr("register r holds value r."));
}

TEST(LayoutDrawing, Addresses) {
  std::vector<Coords> origins;
  for (int64_t lane = 0; lane < 32; ++lane) {
    origins.push_back({lane % 8, lane / 8 % 2 * 8});
  }
  std::string svg = valueOf(drawAddresses(origins, 8, {8, 16}, {"src", "row", "column", 2}));
  EXPECT_EQ(occurrences(svg, "<path"), 16u);
  EXPECT_THAT(svg, HasSubstr(">T9, T25</text>"));
  EXPECT_THAT(svg, HasSubstr("the row of 16 bytes"));
  EXPECT_THAT(svg, HasSubstr("lanes behind a comma repeat the address"));
  origins.resize(16);
  EXPECT_THAT(valueOf(drawAddresses(origins, 8, {8, 16}, {"src", "row", "column", 2})),
              Not(HasSubstr("behind a comma")));
}

TEST(LayoutDrawing, FragmentRefusals) {
  Layout map = parse("((4, 8), (2, 2)) : ((32, 1), (16, 8))");
  EXPECT_THAT(messageOf(drawFragment(map, {16, 16}, {})), HasSubstr("T0983"));
  EXPECT_THAT(messageOf(drawFragment(map, {4, 4, 8}, {})), HasSubstr("3 axes"));
  EXPECT_THAT(messageOf(drawFragment(parse("(64, 65) : (65, 1)"), {64, 65}, {})),
              HasSubstr("T0982: drawing: 64 x 65 cells, at most 4096"));
  EXPECT_EQ(messageOf(drawFragment(parse("(64, 64) : (64, 1)"), {64, 64}, {})), "no error");
  Coords origin{0, 9};
  EXPECT_THAT(messageOf(drawAddresses(origin, 8, {8, 16}, {})), HasSubstr("T0983"));
  Coords last{0, 8};
  EXPECT_EQ(messageOf(drawAddresses(last, 8, {8, 16}, {})), "no error");
  Coords below{8, 0};
  EXPECT_THAT(messageOf(drawAddresses(below, 8, {8, 16}, {})), HasSubstr("address of lane 0"));
}
