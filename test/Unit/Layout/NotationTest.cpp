// The notation: round trips, the functions, and every error with its place.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Layout/Notation.h"

#include "TestLayouts.h"

#include "tessera/Layout/Algebra.h"

using namespace tessera;
using namespace tessera::layouttest;
using testing::HasSubstr;

namespace {
/// `offset: text` of the error.
std::string located(llvm::StringRef text) {
  llvm::Expected<Layout> layout = parseLayout(text);
  if (layout) {
    return "no error";
  }
  std::string found;
  llvm::handleAllErrors(layout.takeError(), [&](const LayoutError &error) {
    found = (error.offset() ? std::to_string(*error.offset()) : "-") + ": " + error.code().str() +
            " " + error.getText().str();
  });
  return found;
}
} // namespace

TEST(LayoutNotation, RoundTripsOfRandomLayouts) {
  Random random(18);
  for (int round = 0; round < 3000; ++round) {
    unsigned numIns = 1 + below(random, 3);
    Layout layout = randomLayout(random, numIns, 1);
    std::string text = printLayout(layout);
    Layout read = parse(text);
    ASSERT_EQ(read.ins().size(), numIns) << text;
    ASSERT_EQ(tableOf(read), tableOf(layout)) << text;
    ASSERT_EQ(tableOf(parse(printLayout(read))), tableOf(layout)) << text;
  }
}

TEST(LayoutNotation, PrintsWhatWasWritten) {
  for (llvm::StringRef text :
       {"8 : 1", "(4, 8) : (8, 1)", "((4, 8), (2, 2, 2)) : ((32, 1), (16, 8, 128))",
        "((2, 2)) : ((1, 4))", "(1, 3) : (0, 2)", "compose(swizzle(3, 4, 3), (8, 128) : (128, 1))",
        "compose(swizzle(2, 0, 2), (4, 4) : (4, 1))", "compose(swizzle(2, 1, -3), 256 : 1)",
        "((2, 2, 2)) : ((^3, ^5, ^6))"}) {
    EXPECT_EQ(printLayout(parse(text)), text);
  }
}

TEST(LayoutNotation, SpacesCommentsAndDepth) {
  EXPECT_EQ(parse(" ( (4,8) ,\n 2 ) # lanes\n : ((2 , 8),1)"), parse("((4, 8), 2) : ((2, 8), 1)"));
  EXPECT_EQ(parse("(((2, 2), 8), 4) : (((1, 2), 4), 32)"),
            parse("((2, 2, 8), 4) : ((1, 2, 4), 32)"));
  EXPECT_EQ(parse("(8, ()) : (1, ())").ins()[1].size(), 1);
}

TEST(LayoutNotation, Functions) {
  EXPECT_EQ(parse("coalesce((2, 4) : (1, 2))").flattenIns("i0").coalesce(), parse("8 : 1"));
  EXPECT_EQ(printLayout(parse("complement(4 : 2, 8)")), "2 : 1");
  EXPECT_EQ(parse("coalesce(divide(16 : 3, 4 : 1))"), parse("(4, 4) : (3, 12)"));
  EXPECT_EQ(parse("product(4 : 1, 3 : 1)"), parse("(4, 3) : (1, 4)"));
  EXPECT_EQ(parse("inverse((4, 8) : (8, 1))"), parse("((8, 4)) : ((4, 1))"));
  EXPECT_EQ(printLayout(parse("right_inverse((4, 2) : (1, 0))")), "4 : 1");
  EXPECT_EQ(parse("left_inverse(4 : 2)"), parse("((2, 4)) : ((0, 1))"));
  EXPECT_EQ(tableOf(parse("swizzle(1, 0, 1)")), (Table{{0}, {1}, {3}, {2}}));
  EXPECT_EQ(tableOf(parse("compose(swizzle(1, 0, 1), swizzle(1, 0, 1))")),
            (Table{{0}, {1}, {2}, {3}}));
}

TEST(LayoutNotation, Names) {
  auto lookup = [](llvm::StringRef name) -> std::optional<Layout> {
    return name == "rows" ? std::optional(parse("(4, 8) : (8, 1)")) : std::nullopt;
  };
  EXPECT_EQ(valueOf(parseLayout("coalesce(rows)", lookup)), parse("(4, 8) : (8, 1)"));
  EXPECT_THAT(
      messageOf(parseLayout("compose(rows, columns)", lookup)),
      HasSubstr("T0975: column 15: no layout is called `columns`; define it before its use"));
}

TEST(LayoutNotation, ErrorsOfTheText) {
  EXPECT_EQ(located(""), "0: T0973 column 1: expected a layout, found the end of the text");
  EXPECT_EQ(located("(4, 8)"),
            "6: T0973 column 7: expected `:` and the strides, found the end of the text");
  EXPECT_EQ(located("(4, 8 : (1, 4)"), "6: T0973 column 7: expected `,` or `)`, found `:`");
  EXPECT_EQ(located("(4, x) : (1, 4)"), "4: T0973 column 5: expected an extent or `(`, found `x`");
  EXPECT_EQ(located("(4, 8) : (1, )"), "13: T0973 column 14: expected a stride or `(`, found `)`");
  EXPECT_EQ(located("(4, ^8) : (1, 4)"), "4: T0973 column 5: expected an extent or `(`, found `^`");
  EXPECT_EQ(located("4 : 1 2"), "6: T0973 column 7: expected the end of the layout, found `2`");
  EXPECT_EQ(located("4 : -1"), "4: T0973 column 5: expected a stride or `(`, found `-`");
  EXPECT_EQ(located("divide(4 : 1)"),
            "12: T0973 column 13: expected `,` and a second layout, found `)`");
  EXPECT_EQ(located("inverse(4 : 1, 2 : 1)"), "13: T0973 column 14: expected `)`, found `,`");
  EXPECT_EQ(located("complement(4 : 1, x)"), "18: T0973 column 19: expected a size, found `x`");
  EXPECT_EQ(located("swizzle(1, 2)"), "12: T0973 column 13: expected `,` and a number, found `)`");
  EXPECT_EQ(located("swizzle(1, x, 2)"),
            "11: T0973 column 12: expected a number of bits, found `x`");
  EXPECT_EQ(located("compose"),
            "0: T0975 column 1: no layout is called `compose`; define it before its use");
  EXPECT_THAT(located("99999999999999999999 : 1"),
              HasSubstr("0: T0976 column 1: 99999999999999999999 is beyond the range"));
}

TEST(LayoutNotation, StridesNestLikeTheShape) {
  EXPECT_EQ(located("(4, 8) : 1"), "9: T0974 column 10: the strides are one number where the shape "
                                   "has 2 parts; give strides nested like the shape");
  EXPECT_THAT(located("(4, 8) : (1, 2, 3)"),
              HasSubstr("the strides are 3 parts where the shape has 2 parts"));
  EXPECT_THAT(located("((4, 2), 8) : ((1, (2)), 3)"),
              HasSubstr("19: T0974 column 20: the strides are 1 parts where"));
  EXPECT_THAT(located("4 : (1)"), HasSubstr("4: T0974"));
}

TEST(LayoutNotation, ErrorsOfOperationsHavePlaces) {
  EXPECT_THAT(located("coalesce(0 : 1)"),
              HasSubstr("9: T0960 column 10: mode 0 of dim `i0`: extent 0"));
  EXPECT_THAT(located("coalesce(compose(8 : 1, 3 : 4))"),
              HasSubstr("9: T0965 column 10: compose: "));
  EXPECT_THAT(located("compose(swizzle(2, 0, 1), 8 : 1)"),
              HasSubstr("8: T0972 column 9: swizzle(2, 0, 1)"));
  EXPECT_THAT(located("4 : ^1"), HasSubstr("0: T0960"));
}

TEST(LayoutNotation, DepthIsBounded) {
  std::string deep(100000, '(');
  EXPECT_THAT(located(deep), HasSubstr("T0976"));
  std::string calls;
  for (int i = 0; i < 1000; ++i) {
    calls += "coalesce(";
  }
  EXPECT_THAT(located(calls), HasSubstr("nested deeper than 64; write it flatter"));
}

TEST(LayoutNotation, AnyBytesAreAnErrorOrALayout) {
  Random random(19);
  const llvm::StringRef pieces[] = {"(",
                                    ")",
                                    ",",
                                    ":",
                                    "^",
                                    "2",
                                    "3",
                                    "16",
                                    "compose(",
                                    "swizzle(1,0,1)",
                                    "-",
                                    " ",
                                    "#",
                                    "\n",
                                    "divide(",
                                    "@",
                                    "inverse(",
                                    "complement(",
                                    "4611686018427387904",
                                    "1152921504606846976",
                                    "1073741823"};
  int read = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (int64_t count = below(random, 12); count > 0; --count) {
      text += pieces[below(random, std::size(pieces))];
    }
    std::string result = located(text);
    ASSERT_EQ(result.rfind("-:", 0), std::string::npos) << text << ": " << result;
    read += result == "no error";
  }
  EXPECT_GT(read, 20);
}
