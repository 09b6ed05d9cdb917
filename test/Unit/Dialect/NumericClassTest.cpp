// How far outputs are determined: what brings freedom in, and the ways it takes to an output.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Analysis/NumericClass.h"

#include "DialectTesting.h"

using namespace mlir;

namespace tessera {
namespace {

class NumericClassTest : public DialectTest {
protected:
  /// The class of `y` in a kernel whose body begins with loads of `%t` (f32) and `%i` (i32), eight elements each.
  NumericClass classOf(const std::string &body, const std::string &attributes = "") {
    OwningOpRef<ModuleOp> module = parse(
        "tile.kernel @k(%x \"x\": !tile.view<8xf32, in> shape ()[] -> (8), %n \"n\": "
        "!tile.view<8xi32, in> shape ()[] -> (8), %y \"y\": !tile.view<8xf32, inout> shape ()[] -> "
        "(8), %z \"z\": !tile.view<8xi32, inout> shape ()[] -> (8))" +
        attributes + R"( body {
                %c0 = tile.constant 0 : i64
                %zero = tile.constant 0.0 : f32
                %t = tile.load %x[:] : !tile.view<8xf32, in> -> tensor<8xf32>
                %i = tile.load %n[:] : !tile.view<8xi32, in> -> tensor<8xi32>
              )" +
        body + "}");
    if (!module) {
      return NumericClass::loose;
    }
    auto kernel = first<tile::KernelOp>(*module);
    NumericClassAnalysis analysis(kernel);
    ClassAndCause found = analysis.ofArgument("y");
    EXPECT_EQ(found.cause != nullptr, found.numericClass != NumericClass::exact);
    EXPECT_EQ(analysis.ofArgument("x").numericClass, NumericClass::exact);
    return found.numericClass;
  }
  static std::string store(const std::string &value) {
    return "tile.store " + value + ", %y[:] : tensor<8xf32>, !tile.view<8xf32, inout>\n";
  }
  static std::string sum(const std::string &order) {
    return "%s = tile.reduce sum %t along 0 {order = #tile.reduce_order<" + order +
           ">} : tensor<8xf32> -> f32\n";
  }
};

constexpr const char *spread = "%u = tile.splat %s : f32 to tensor<8xf32>\n";

TEST_F(NumericClassTest, OpsThatLeaveSomethingOpen) {
  EXPECT_EQ(classOf(store("%t")), NumericClass::exact);
  EXPECT_EQ(classOf(sum("tree") + spread + store("%u")), NumericClass::tree);
  EXPECT_EQ(classOf(sum("any") + spread + store("%u")), NumericClass::any);
  EXPECT_EQ(classOf("%s = tile.reduce max %t along 0 : tensor<8xf32> -> f32\n" +
                    std::string(spread) + store("%u")),
            NumericClass::exact);
  EXPECT_EQ(
      classOf("%u = tile.scan sum %t along 0 : tensor<8xf32> -> tensor<8xf32>\n" + store("%u")),
      NumericClass::scan);
  EXPECT_EQ(
      classOf("%u = tile.scan max %t along 0 : tensor<8xf32> -> tensor<8xf32>\n" + store("%u")),
      NumericClass::exact);
  EXPECT_EQ(
      classOf("%u = tile.exp %t {accuracy = #tile.accuracy<fast>} : tensor<8xf32>\n" + store("%u")),
      NumericClass::loose);
  EXPECT_EQ(classOf("%u = tile.exp %t : tensor<8xf32>\n" + store("%u")), NumericClass::exact);
}

TEST_F(NumericClassTest, ModesOfTheKernel) {
  std::string add = "%u = tile.add %t, %t : tensor<8xf32>\n" + store("%u");
  EXPECT_EQ(classOf(add), NumericClass::exact);
  EXPECT_EQ(classOf(add, " math contract"), NumericClass::loose);
  EXPECT_EQ(classOf(sum("tree") + spread + store("%u"), " math fast"), NumericClass::any);
  EXPECT_EQ(classOf("%u = tile.exp %t : tensor<8xf32>\n" + store("%u"), " math contract"),
            NumericClass::exact);
  EXPECT_EQ(classOf("%u = tile.exp %t : tensor<8xf32>\n" + store("%u"), " math fast"),
            NumericClass::loose);
}

TEST_F(NumericClassTest, WaysToAnOutput) {
  std::string cast = "%b = tile.cmp lt, %s, %zero : f32\n";
  // A condition decides whether there is a store, what a branch gives, which elements are present.
  EXPECT_EQ(classOf(sum("any") + cast + "scf.if %b {\n" + store("%t") + "}\n"), NumericClass::any);
  EXPECT_EQ(classOf(sum("any") + cast +
                    "%u = scf.if %b -> tensor<8xf32> {\n scf.yield %t : tensor<8xf32>\n} else {\n"
                    " %v = tile.neg %t : tensor<8xf32>\n scf.yield %v : tensor<8xf32>\n}\n" +
                    store("%u")),
            NumericClass::any);
  // The same beside a store that it has nothing to do with.
  EXPECT_EQ(classOf(sum("any") + spread + store("%t")), NumericClass::exact);
  // Carried by a loop.
  EXPECT_EQ(classOf(R"(
    %c4 = tile.constant 4 : i64
    %u = tile.for %k in range(%c0 to %c4) carry(%c = %t : tensor<8xf32>) {
      %d = tile.scan sum %c along 0 : tensor<8xf32> -> tensor<8xf32>
      tile.yield %d : tensor<8xf32>
    }
  )" + store("%u")),
            NumericClass::scan);
  // Through memory, whatever the order in the text.
  EXPECT_EQ(classOf(sum("any") + spread + R"(
    %m = tile.alloc : !tile.buf<8xf32, shared>
    tile.write %u to %m : tensor<8xf32> to !tile.buf<8xf32, shared>
    %v = tile.read %m span[:] : !tile.buf<8xf32, shared> -> tensor<8xf32>
  )" + store("%v")),
            NumericClass::any);
}

TEST_F(NumericClassTest, AtomicsAndProducts) {
  std::string at = "%p = tile.iota : tensor<8xi64>\n";
  EXPECT_EQ(classOf(at + "tile.atomic add %t, %y[%p] {order_any} : tensor<8xf32>, "
                         "!tile.view<8xf32, inout>, tensor<8xi64>\n"),
            NumericClass::any);
  EXPECT_EQ(classOf(at + "tile.atomic max %t, %y[%p] {order_any} : tensor<8xf32>, "
                         "!tile.view<8xf32, inout>, tensor<8xi64>\n"),
            NumericClass::exact);
  // Which numbers come back depends on who comes first.
  EXPECT_EQ(classOf(at +
                    "%o = tile.atomic add %i, %z[%p] {order_any} : tensor<8xi32>, "
                    "!tile.view<8xi32, inout>, tensor<8xi64> -> tensor<8xi32>\n"
                    "%f = tile.cast %o : tensor<8xi32> to tensor<8xf32>\n" +
                    store("%f")),
            NumericClass::any);
  std::string square =
      "%a = tile.constant 1.0 : f32 tensor<8x8xf32>\n"
      "%d = tile.mma %a, %a, %a : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>\n"
      "%u = tile.reduce max %d along 0 : tensor<8x8xf32> -> tensor<8xf32>\n";
  EXPECT_EQ(classOf(square + store("%u")), NumericClass::dot);
}

} // namespace
} // namespace tessera
