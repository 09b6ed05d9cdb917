// Factors of dims as an attribute: asked for, set, taken away, as text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DialectTesting.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"

#include <limits>

using namespace mlir;
using namespace tessera::tile;

namespace tessera {
namespace {

using Factors = SmallVector<IterFactor>;

class IterAttrTest : public DialectTest {
protected:
  IterAttr iter(StringRef text) {
    auto attr = llvm::dyn_cast_or_null<IterAttr>(
        parseAttribute(("#tile.iter<" + text + ">").str(), &context));
    EXPECT_TRUE(attr) << text.str();
    return attr;
  }

  /// The message of counts, places and steps that do not fit.
  std::string refusal(ArrayRef<int64_t> counts, ArrayRef<Place> places, ArrayRef<int64_t> steps) {
    std::string message;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      message = diagnostic.str();
      return success();
    });
    auto emit = [&] { return emitError(UnknownLoc::get(&context)); };
    auto m = StringAttr::get(&context, "m");
    EXPECT_FALSE(
        IterAttr::getChecked(emit, &context, ArrayRef<StringAttr>(m), counts, places, steps));
    return message;
  }
};

TEST_F(IterAttrTest, factorsByName) {
  IterAttr attr = iter("m = warp 2 * reg 4 * atom 16, n = warp 4 * atom 8");
  EXPECT_EQ(attr.getFactors("m"), (Factors{{Place::warp, 2}, {Place::reg, 4}, {Place::atom, 16}}));
  EXPECT_EQ(attr.getFactors("n"), (Factors{{Place::warp, 4}, {Place::atom, 8}}));
  EXPECT_TRUE(attr.getFactors("k").empty());
  EXPECT_TRUE(attr.has("m"));
  EXPECT_FALSE(attr.has("k"));
  EXPECT_FALSE(attr.has(""));
}

TEST_F(IterAttrTest, stepsOfAPlace) {
  IterAttr attr = iter("m = warp 2 * warp 3 * atom 16, n = warp 4 * atom 8");
  EXPECT_EQ(attr.getSteps(Place::warp), 24);
  EXPECT_EQ(attr.getSteps(Place::atom), 128);
  EXPECT_EQ(attr.getSteps(Place::lane), 1);
  // Dims are limited one by one: three of them are more than any number, and stay it.
  IterAttr many = iter("a = reg 2147483648, b = reg 2147483648, c = reg 2147483648, d = warp 2");
  EXPECT_EQ(many.getSteps(Place::reg), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(many.getSteps(Place::warp), 2);
}

TEST_F(IterAttrTest, factorsAreSet) {
  IterAttr attr = iter("m = warp 2, n = lane 4");
  // Replaced in place, added at the end, removed.
  EXPECT_EQ(attr.withFactors("m", {{Place::warp, 2}, {Place::reg, 3}}),
            iter("m = warp 2 * reg 3, n = lane 4"));
  EXPECT_EQ(attr.withFactors("k", {{Place::seq, 8}}), iter("m = warp 2, n = lane 4, k = seq 8"));
  EXPECT_EQ(attr.withFactors("m", {}), iter("n = lane 4"));
  EXPECT_EQ(attr.withFactors("n", {}), iter("m = warp 2"));
  EXPECT_EQ(attr.withFactors("m", {}).withFactors("n", {}), IterAttr::getEmpty(&context));
  EXPECT_EQ(attr.withFactors("k", {}), attr);
  EXPECT_EQ(IterAttr::getEmpty(&context).withFactors("m", {{Place::open, 5}}), iter("m = open 5"));
}

TEST_F(IterAttrTest, text) {
  EXPECT_EQ(IterAttr::text({}), "");
  EXPECT_EQ(IterAttr::text({{Place::warp, 2}}), "warp 2");
  EXPECT_EQ(IterAttr::text(iter("m = grid 2 * wg 3 * vec 4 * atom 5").getFactors("m")),
            "grid 2 * wg 3 * vec 4 * atom 5");
  std::string printed;
  llvm::raw_string_ostream(printed) << iter("m=warp 2*reg 4,\"a b\"=atom 8");
  EXPECT_EQ(printed, "#tile.iter<m = warp 2 * reg 4, \"a b\" = atom 8>");
}

// RULE: tile.iter C1
TEST_F(IterAttrTest, countsThatDoNotFit) {
  EXPECT_EQ(refusal({0}, {}, {}), "expected at least one factor for dim `m`");
  EXPECT_EQ(refusal({2}, {Place::warp}, {2}), "expected at least one factor for dim `m`");
  EXPECT_EQ(refusal({}, {}, {}), "expected a count for each dim and as many places as steps");
  EXPECT_EQ(refusal({1}, {Place::warp}, {}),
            "expected a count for each dim and as many places as steps");
  EXPECT_EQ(refusal({1}, {Place::warp, Place::reg}, {2, 2}),
            "expected 1 factors, as the counts say, found 2");
}

} // namespace
} // namespace tessera
