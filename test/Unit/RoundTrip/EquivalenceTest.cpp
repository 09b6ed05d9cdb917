// Two kernels that are the same program, and near misses: one word of the text changed.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RoundTripTesting.h"

using namespace tessera;
using namespace tessera::roundtriptest;

namespace {

/// Something of everything.
constexpr llvm::StringLiteral base = R"(
tile.kernel @k[%M "M", %N "N"](%x "x": !tile.view<?x?xf32, in> shape ()[s0, s1] -> (s0, s1 * 2),
                               %s "s": f32, %q "q": i8, %y "y": !tile.view<?xf32, out> shape ()[s0, s1] -> (s0))
where {
  %c8 = tile.constant 8 : i64
  %0 = tile.cmp le, %N, %c8 : i64
  tile.require %0, "N <= 8"
}
body {
  %c0 = tile.constant 0 : i64
  tile.grid (%m = tiles(%c0 to %M by 4)) {
    %zero = tile.constant 0.0 : f32 tensor<4xf32>
    %one = tile.constant 1.0 : f32 tensor<4xf32>
    %r:2 = tile.for %k in tiles(%c0 to %N by 8) carry(%a = %zero : tensor<4xf32>, %b = %one : tensor<4xf32>) {
      %t = tile.load %x[%m, %k] : !tile.view<?x?xf32, in>, !tile.span<4>, !tile.span<8> -> tensor<4x8xf32>
      %u = tile.reduce sum %t along 1 : tensor<4x8xf32> -> tensor<4xf32>
      %v = tile.sub %a, %u : tensor<4xf32>
      tile.yield %v, %b : tensor<4xf32>, tensor<4xf32>
    }
    %c = tile.cmp lt, %s, %s : f32
    %w = scf.if %c -> (tensor<4xf32>) {
      scf.yield %r#0 : tensor<4xf32>
    } else {
      %e = tile.exp %r#1 : tensor<4xf32>
      scf.yield %e : tensor<4xf32>
    }
    scf.if %c {
      tile.print "w", %w : tensor<4xf32>
    }
    tile.store %w, %y[%m] : tensor<4xf32>, !tile.view<?xf32, out>, !tile.span<4>
  }
}
reference ["y"] {
  %c0 = tile.constant 0 : i64
  %c2 = tile.constant 2 : i64
  %end = tile.mul %N, %c2 : i64
  %y0 = tile.map (%i in %c0 to %M) -> tensor<?xf64> {
    %f = tile.fold sum %j in (%c0 to %end) -> f64 {
      %e = tile.at %x[%i, %j] : !tile.view<?x?xf32, in> -> f32
      %d = tile.cast %e : f32 to f64
      tile.yield %d : f64
    }
    tile.yield %f : f64
  }
  tile.yield %y0 : tensor<?xf64>
}
tolerance ["y"] (%r: tensor<?xf64>) {
  %c0 = tile.constant 0 : i64
  %b = tile.map (%i in %c0 to %M) -> tensor<?xf64> {
    %e = tile.at %r[%i] : tensor<?xf64> -> f64
    tile.yield %e : f64
  }
  tile.yield %b : tensor<?xf64>
})";

struct Change {
  const char *name;
  const char *from, *to;
  /// Part of the difference's text; null where the kernels stay equivalent.
  const char *expected;
};

std::string changed(const Change &change) {
  std::string text = base.str();
  size_t at = text.find(change.from);
  EXPECT_NE(at, std::string::npos) << change.from;
  return at == std::string::npos ? text : text.replace(at, std::strlen(change.from), change.to);
}

class EquivalenceTest : public testing::TestWithParam<Change> {};

std::string nameOfChange(const testing::TestParamInfo<Change> &info) { return info.param.name; }

} // namespace

TEST_P(EquivalenceTest, ComparesWithBase) {
  std::string problems, text = changed(GetParam());
  Module first = parse(base, problems), second = parse(text, problems);
  ASSERT_TRUE(first && second) << problems << text;
  for (bool swapped : {false, true}) {
    auto difference = tile::findDifference(kernelOf(swapped ? second : first),
                                           kernelOf(swapped ? first : second));
    if (!GetParam().expected) {
      EXPECT_FALSE(difference) << difference->text;
      continue;
    }
    ASSERT_TRUE(difference);
    EXPECT_NE(difference->text.find(GetParam().expected), std::string::npos) << difference->text;
    EXPECT_TRUE(difference->first || difference->second);
    std::string shown;
    llvm::raw_string_ostream os(shown);
    difference->print(os);
    EXPECT_NE(shown.find("  first: "), std::string::npos);
    EXPECT_NE(shown.find("  second: "), std::string::npos);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Same, EquivalenceTest,
    testing::Values(Change{"Itself", "tile.sub", "tile.sub", nullptr},
                    Change{"ValueNames", "%zero = tile.constant 0.0 : f32 tensor<4xf32>\n",
                           "%spare = tile.constant 7.0 : f32 tensor<4xf32>\n    %zero = "
                           "tile.constant 0.0 : f32 tensor<4xf32>\n",
                           nullptr},
                    Change{"RequireText", "\"N <= 8\"", "\"at most eight\"", nullptr},
                    Change{"ConditionTwice", "  tile.require %0, \"N <= 8\"\n",
                           "  tile.require %0, \"N <= 8\"\n  %c9 = tile.constant 8 : i64\n  %1 = "
                           "tile.cmp le, %N, %c9 : i64\n"
                           "  tile.require %1, \"again\"\n",
                           nullptr},
                    Change{"DiscardableAttribute",
                           "tile.exp %r#1 :", "tile.exp %r#1 {note = 3 : i64} :", nullptr},
                    Change{"EmptyElse", "      tile.print \"w\", %w : tensor<4xf32>\n    }",
                           "      tile.print \"w\", %w : tensor<4xf32>\n    } else {\n    }",
                           nullptr},
                    Change{"ConstantElsewhere",
                           "    %one = tile.constant 1.0 : f32 tensor<4xf32>\n    %r:2",
                           "    %unused = tile.constant 3 : i64\n    %one = tile.constant 1.0 : "
                           "f32 tensor<4xf32>\n    %r:2",
                           nullptr},
                    Change{"LaunchValueInside", "    %f = tile.fold sum %j in (%c0 to %end)",
                           "    %two = tile.constant 2 : i64\n    %own = tile.mul %N, %two : i64\n"
                           "    %f = tile.fold sum %j in (%c0 to %own)",
                           nullptr}),
    nameOfChange);

INSTANTIATE_TEST_SUITE_P(
    NearMiss, EquivalenceTest,
    testing::Values(
        Change{"Symbol", "@k[", "@l[", "called"},
        Change{"ArgumentName", "%q \"q\"", "%q \"p\"", "argument"},
        Change{"ArgumentType", "%q \"q\": i8", "%q \"q\": ui8", "argument"},
        Change{"Shape", "s1 * 2", "s1 * 3", "shape"},
        Change{"Math", "-> (s0))\nwhere", "-> (s0)) math fast\nwhere", "math"},
        Change{"WhereConstant", "tile.constant 8 : i64", "tile.constant 9 : i64", "condition 0"},
        Change{"WherePredicate", "tile.cmp le, %N", "tile.cmp lt, %N", "condition 0"},
        Change{"GridAxis", "%M by 4))", "%M by 4), %z = range(%c0 to %M))", ""},
        Change{"GridBound", "tiles(%c0 to %M by", "tiles(%c0 to %N by", "operand 1"},
        Change{"ForOrder", "by 8) carry", "by 8) reversed carry", "attributes"},
        Change{"InitSwapped", "%a = %zero :", "%a = %one :", "operand 2"},
        Change{"InitValue", "constant 1.0 : f32 tensor", "constant 1.5 : f32 tensor", "operand 3"},
        Change{"OperandsSwapped", "tile.sub %a, %u", "tile.sub %u, %a", "operand 0"},
        Change{"OtherOp", "tile.sub %a", "tile.add %a", "` against `tile."},
        Change{"YieldSwapped", "tile.yield %v, %b", "tile.yield %b, %v", "operand 0"},
        Change{"ReduceKind", "tile.reduce sum", "tile.reduce prod", "attributes"},
        Change{"ReduceOrder", "along 1 : tensor<4x8xf32>",
               "along 1 {order = #tile.reduce_order<any>} : tensor<4x8xf32>", "attributes"},
        Change{"Accuracy", "tile.exp %r#1 :", "tile.exp %r#1 {accuracy = #tile.accuracy<fast>} :",
               "attributes"},
        Change{"LoopResult", "tile.exp %r#1", "tile.exp %r#0", "operand 0"},
        Change{"Branches", "      scf.yield %r#0 : tensor<4xf32>",
               "      scf.yield %r#1 : tensor<4xf32>", "operand 0"},
        Change{"ElseOp", "tile.print \"w\", %w : tensor<4xf32>\n    }",
               "tile.print \"w\", %w : tensor<4xf32>\n    } else {\n      tile.print \"v\", %w : "
               "tensor<4xf32>\n    }",
               "else"},
        Change{"PrintText", "tile.print \"w\"", "tile.print \"v\"", "attributes"},
        Change{"OpMore", "    tile.store %w",
               "    tile.print \"z\", %w : tensor<4xf32>\n    tile.store %w", ""},
        Change{"Stored", "tile.store %w, %y", "tile.store %r#0, %y", "operand 0"},
        Change{"DeadOp", "    %c = tile.cmp lt",
               "    %dead = tile.neg %s : f32\n    %c = tile.cmp lt", ""},
        Change{"FoldKind", "tile.fold sum", "tile.fold prod", "attributes"},
        Change{"FoldBound", "%end = tile.mul %N, %c2", "%end = tile.mul %M, %c2", "operand 1"},
        Change{"FoldOp", "%end = tile.mul %N, %c2", "%end = tile.add %N, %c2", "operand 1"},
        Change{"Index", "tile.at %x[%i, %j]", "tile.at %x[%j, %i]", "operand 1"},
        Change{"ToleranceBody", "    tile.yield %e : f64\n  }\n  tile.yield %b",
               "    %n = tile.abs %e : f64\n    tile.yield %n : f64\n  }\n  tile.yield %b",
               "` against `tile."}),
    nameOfChange);

TEST(EquivalenceNames, ExtentsAreKnownByName) {
  std::string problems;
  constexpr llvm::StringLiteral first = R"(
tile.kernel @k[%M "M", %N "N"](%x "x": !tile.view<?x?xf32, in> shape ()[s0, s1] -> (s0, s1)) body {
  tile.print "m", %M : i64
})",
                                second = R"(
tile.kernel @k[%N "N", %M "M"](%x "x": !tile.view<?x?xf32, in> shape ()[s0, s1] -> (s1, s0)) body {
  tile.print "m", %M : i64
})",
                                third = R"(
tile.kernel @k[%N "N", %M "M"](%x "x": !tile.view<?x?xf32, in> shape ()[s0, s1] -> (s0, s1)) body {
  tile.print "m", %M : i64
})";
  Module a = parse(first, problems), b = parse(second, problems), c = parse(third, problems);
  ASSERT_TRUE(a && b && c) << problems;
  EXPECT_TRUE(tile::areEquivalent(kernelOf(a), kernelOf(b)));
  EXPECT_FALSE(tile::areEquivalent(kernelOf(a), kernelOf(c)));
}

TEST(EquivalenceNames, ConstantsByBits) {
  std::string problems;
  auto with = [&](const char *value) {
    return parse((llvm::Twine("tile.kernel @k() body {\n  %c = tile.constant ") + value +
                  " : f32\n  tile.print \"c\", %c : f32\n}")
                     .str(),
                 problems);
  };
  Module zero = with("0.0"), negative = with("-0.0"), nan = with("0x7FC00000"),
         payload = with("0x7FC00001");
  ASSERT_TRUE(zero && negative && nan && payload) << problems;
  EXPECT_FALSE(tile::areEquivalent(kernelOf(zero), kernelOf(negative)));
  EXPECT_FALSE(tile::areEquivalent(kernelOf(nan), kernelOf(payload)));
  EXPECT_TRUE(tile::areEquivalent(kernelOf(nan), kernelOf(with("0x7FC00000"))));
}
