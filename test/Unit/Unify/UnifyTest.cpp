// Unifier: matches and their bindings, and the reasons where there is none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/Unify.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

using namespace tessera;
using namespace tessera::schedule;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

/// An instruction with registers of a thread, and a function to look at.
class Unifying {
public:
  /// `operands` are `name kind mode` with a type; the text of the body; the text of the function.
  Unifying(const std::string &instr, const std::string &function) {
    context.loadDialect<tile::TileDialect, mlir::func::FuncDialect>();
    module = mlir::parseSourceString<mlir::ModuleOp>(instr + function, &context);
    EXPECT_TRUE(module) << instr << function;
  }

  std::vector<UnifyMatch> run(llvm::ArrayRef<mlir::Operation *> ops) {
    return unify(*module->getOps<tile::InstrOp>().begin(), ops, why);
  }
  /// The op that carries the attribute `name`.
  mlir::Operation *op(llvm::StringRef name) {
    mlir::Operation *found = nullptr;
    module->walk([&](mlir::Operation *op) {
      auto mark = op->getAttrOfType<mlir::StringAttr>("tile.mark");
      found = mark && mark.getValue() == name ? op : found;
    });
    EXPECT_TRUE(found) << name.str();
    return found;
  }
  UnifyMatch only(llvm::ArrayRef<mlir::Operation *> ops) {
    std::vector<UnifyMatch> matches = run(ops);
    EXPECT_FALSE(matches.empty()) << why.message;
    return matches.empty() ? UnifyMatch() : matches.front();
  }
  std::string refused(llvm::ArrayRef<mlir::Operation *> ops) {
    EXPECT_TRUE(run(ops).empty());
    return why.code + ": " + why.message;
  }

  Mismatch why;

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

std::string frag(const std::string &name, const std::string &mode = "") {
  return "{name = \"" + name + "\", kind = \"frag\"" + (mode.empty() ? "" : ", " + mode) +
         ", layout = \"(1,2):(0,1)\"}";
}
std::string thread(const std::string &operands, const std::string &body) {
  return "tile.instr @i on \"sm_80\" scope thread order exact via generic operands [" + operands +
         "] ptx \"i;\" {\n" + body + "}\n";
}

const char *const kFma =
    "func.func @f(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>) -> tensor<8x4xbf16> {\n"
    "  %p = tile.mul %x, %y {tile.mark = \"p\"} : tensor<8x4xf32>\n"
    "  %q = tile.fma %y, %x, %p {tile.mark = \"q\"} : tensor<8x4xf32>\n"
    "  %r = tile.cast %q {tile.mark = \"r\"} : tensor<8x4xf32> to tensor<8x4xbf16>\n"
    "  return %r : tensor<8x4xbf16>\n}\n";

} // namespace

TEST(Unify, AxesOfTheInstructionAreTheLastOnesFirst) {
  Unifying u(thread(frag("d", "out") + "," + frag("a") + "," + frag("b"),
                    "^bb0(%d: tensor<2xf32>, %a: tensor<2xf32>, %b: tensor<2xf32>):\n"
                    "  %0 = tile.mul %a, %b : tensor<2xf32>\n  tile.yield %0 : tensor<2xf32>\n"),
             kFma);
  std::vector<UnifyMatch> matches = u.run({u.op("p")});
  ASSERT_EQ(matches.size(), 2u);
  EXPECT_THAT(matches[0].pieces, ElementsAre(1, 2));
  EXPECT_THAT(matches[1].pieces, ElementsAre(2, 1));
  EXPECT_EQ(matches[0].root, u.op("p"));
  EXPECT_EQ(matches[0].operands[1].value, u.op("p")->getOperand(0));
  EXPECT_EQ(matches[0].operands[2].value, u.op("p")->getOperand(1));
  EXPECT_FALSE(matches[0].operands[0].isBound());
}

TEST(Unify, ABodyOfTwoOpsTakesTheOpsBefore) {
  Unifying u(
      thread("{name = \"d\", kind = \"frag\", out, layout = \"(1,2):(0,1)\"}," + frag("a") + "," +
                 frag("b") + "," + frag("c"),
             "^bb0(%d: tensor<2xbf16>, %a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<2xf32>):\n"
             "  %0 = tile.fma %a, %b, %c : tensor<2xf32>\n"
             "  %1 = tile.cast %0 : tensor<2xf32> to tensor<2xbf16>\n  tile.yield %1 : "
             "tensor<2xbf16>\n"),
      kFma);
  UnifyMatch match = u.only({u.op("r")});
  EXPECT_THAT(match.ops, ElementsAre(u.op("q"), u.op("r")));
  EXPECT_EQ(match.operands[3].value, u.op("p")->getResult(0));
  EXPECT_THAT(u.refused({u.op("p"), u.op("r")}), HasSubstr("replace_results"));
  EXPECT_THAT(u.refused({u.op("p"), u.op("q"), u.op("r")}), HasSubstr("replace_left"));
  EXPECT_THAT(u.refused({u.op("q")}), HasSubstr("`tile.cast` where the kernel does `tile.fma`"));
}

TEST(Unify, FactorsCommuteAndOperandsAgree) {
  // c * a + a * b: the product of the kernel has its factors the other way round.
  std::string instr =
      thread(frag("d", "out") + "," + frag("a") + "," + frag("b"),
             "^bb0(%d: tensor<2xf32>, %a: tensor<2xf32>, %b: tensor<2xf32>):\n"
             "  %0 = tile.mul %a, %b : tensor<2xf32>\n  %1 = tile.sub %0, %a : tensor<2xf32>\n"
             "  tile.yield %1 : tensor<2xf32>\n");
  Unifying u(instr, "func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) {\n"
                    "  %p = tile.mul %y, %x : tensor<4xf32>\n"
                    "  %q = tile.sub %p, %x {tile.mark = \"q\"} : tensor<4xf32>\n"
                    "  %r = tile.sub %x, %p {tile.mark = \"r\"} : tensor<4xf32>\n"
                    "  %z = tile.mul %y, %y : tensor<4xf32>\n"
                    "  %s = tile.sub %z, %x {tile.mark = \"s\"} : tensor<4xf32>\n  return\n}\n");
  UnifyMatch match = u.only({u.op("q")});
  EXPECT_EQ(match.operands[1].value, u.op("q")->getOperand(1));
  EXPECT_THAT(u.refused({u.op("r")}), HasSubstr("replace_body")) << "a difference does not commute";
  EXPECT_THAT(u.refused({u.op("s")}), HasSubstr("replace_twice"));
}

TEST(Unify, ConstantsAndAttributes) {
  std::string instr =
      thread(frag("d", "out") + "," + frag("a"),
             "^bb0(%d: tensor<2xf32>, %a: tensor<2xf32>):\n"
             "  %c = tile.constant 2.0 : f32 tensor<2xf32>\n"
             "  %0 = tile.mul %a, %c : tensor<2xf32>\n"
             "  %1 = tile.exp2 %0 {accuracy = #tile.accuracy<fast>} : tensor<2xf32>\n"
             "  tile.yield %1 : tensor<2xf32>\n");
  Unifying u(instr, "func.func @f(%x: tensor<4xf32>) {\n  %two = tile.constant 2.0 : f32\n"
                    "  %c = tile.splat %two : f32 to tensor<4xf32>\n"
                    "  %d = tile.constant 3.0 : f32 tensor<4xf32>\n"
                    "  %0 = tile.mul %c, %x : tensor<4xf32>\n"
                    "  %1 = tile.exp2 %0 {tile.mark = \"fast\", accuracy = #tile.accuracy<fast>} : "
                    "tensor<4xf32>\n"
                    "  %2 = tile.exp2 %0 {tile.mark = \"strict\"} : tensor<4xf32>\n"
                    "  %3 = tile.mul %x, %d : tensor<4xf32>\n"
                    "  %4 = tile.exp2 %3 {tile.mark = \"three\", accuracy = #tile.accuracy<fast>} "
                    ": tensor<4xf32>\n"
                    "  return\n}\n");
  UnifyMatch match = u.only({u.op("fast")});
  EXPECT_TRUE(llvm::isa<mlir::BlockArgument>(match.operands[1].value))
      << "the factor that is no constant";
  EXPECT_THAT(u.refused({u.op("strict")}), HasSubstr("another `accuracy`"));
  EXPECT_THAT(u.refused({u.op("three")}), HasSubstr("replace_constant"));
}

TEST(Unify, ReductionsPairTheirOwnDim) {
  std::string instr = "tile.instr @i on \"sm_80\" scope thread order exact via generic operands ["
                      "{name = \"d\", kind = \"frag\", out, layout = \"(1,1):(0,1)\"}, "
                      "{name = \"a\", kind = \"frag\", layout = \"(1,8):(0,1)\"}] ptx \"i;\" {\n"
                      "^bb0(%d: tensor<1xf32>, %a: tensor<1x8xf32>):\n"
                      "  %0 = tile.reduce max %a along 1 : tensor<1x8xf32> -> tensor<1xf32>\n  "
                      "tile.yield %0 : tensor<1xf32>\n}\n";
  Unifying u(instr, "func.func @f(%x: tensor<4x8xf32>) {\n"
                    "  %0 = tile.reduce max %x along 1 {tile.mark = \"rows\"} : tensor<4x8xf32> -> "
                    "tensor<4xf32>\n"
                    "  %1 = tile.reduce max %x along 0 {tile.mark = \"columns\"} : tensor<4x8xf32> "
                    "-> tensor<8xf32>\n"
                    "  %2 = tile.reduce min %x along 1 {tile.mark = \"least\"} : tensor<4x8xf32> "
                    "-> tensor<4xf32>\n"
                    "  return\n}\n");
  UnifyMatch rows = u.only({u.op("rows")});
  EXPECT_THAT(rows.pieces, ElementsAre(1, 8));
  EXPECT_THAT(rows.operands[1].axes, ElementsAre(0, 1));
  UnifyMatch columns = u.only({u.op("columns")});
  EXPECT_THAT(columns.operands[1].axes, ElementsAre(1, 0))
      << "the reduced axis is the first one here";
  EXPECT_THAT(u.refused({u.op("least")}), HasSubstr("another `kind`"));
}

TEST(Unify, MemoryIsAbsorbed) {
  std::string instr =
      "tile.instr @i on \"sm_80\" scope thread order exact via generic operands ["
      "{name = \"d\", kind = \"frag\", out, layout = \"(1,8):(0,1)\"}, {name = \"s\", kind = "
      "\"smem\"}] ptx \"i;\" {\n"
      "^bb0(%d: tensor<2x4xf32>, %s: tensor<2x4xf32>):\n  tile.yield %s : tensor<2x4xf32>\n}\n";
  Unifying u(
      instr,
      "func.func @f(%a: !tile.buf<8x16xf32, shared>, %w: !tile.buf<8x16xf32, workspace>, %x: "
      "tensor<8x16xf32>) {\n"
      "  %0 = tile.read %a span[:, :] {tile.mark = \"read\"} : !tile.buf<8x16xf32, shared> -> "
      "tensor<8x16xf32>\n"
      "  %1 = tile.permute %0, [1, 0] {tile.mark = \"turned\"} : tensor<8x16xf32> to "
      "tensor<16x8xf32>\n"
      "  %2 = tile.read %w span[:, :] {tile.mark = \"work\"} : !tile.buf<8x16xf32, workspace> -> "
      "tensor<8x16xf32>\n"
      "  %3 = tile.neg %x {tile.mark = \"neg\"} : tensor<8x16xf32>\n  return\n}\n");
  UnifyMatch read = u.only({u.op("read")});
  EXPECT_EQ(read.operands[1].access, u.op("read"));
  EXPECT_THAT(read.pieces, ElementsAre(2, 4));
  UnifyMatch turned = u.only({u.op("turned")});
  EXPECT_THAT(turned.ops, ElementsAre(u.op("read"), u.op("turned")));
  EXPECT_THAT(turned.operands[1].axes, ElementsAre(1, 0));
  EXPECT_THAT(u.refused({u.op("work")}), HasSubstr("a workspace"));
  EXPECT_THAT(u.refused({u.op("neg")}),
              HasSubstr("is in shared memory, and here it is what `tile.neg` gives"));
}

TEST(Unify, ACopyIsALoadAFillAndAWrite) {
  auto copying = [](const std::string &body) {
    return "tile.instr @i on \"sm_80\" scope thread order exact via cp_async operands ["
           "{name = \"d\", kind = \"smem\", out}, {name = \"s\", kind = \"view\"}] ptx \"i;\" {\n"
           "^bb0(%d: tensor<8xbf16>, %s: tensor<8xbf16>):\n" +
           body + "}\n";
  };
  std::string zero =
      "  %c = tile.constant 0.0 : bf16 tensor<8xbf16>\n"
      "  %0 = tile.fill_absent %s, %c : tensor<8xbf16>\n  tile.yield %0 : tensor<8xbf16>\n";
  std::string plain = "  tile.yield %s : tensor<8xbf16>\n";
  std::string one =
      "  %c = tile.constant 1.0 : bf16 tensor<8xbf16>\n"
      "  %0 = tile.fill_absent %s, %c : tensor<8xbf16>\n  tile.yield %0 : tensor<8xbf16>\n";
  std::string function = "func.func @f(%x: !tile.view<?x?xbf16, in>, %r: !tile.span<4>, %c: "
                         "!tile.span<16>, %a: !tile.buf<4x16xbf16, shared>) {\n"
                         "  tile.copy %x[%r, %c] to %a fill zero {tile.mark = \"zero\"} : "
                         "!tile.view<?x?xbf16, in>, !tile.span<4>, !tile.span<16>"
                         " to !tile.buf<4x16xbf16, shared>\n"
                         "  tile.copy %x[%r, %c] to %a fill undef {tile.mark = \"undef\"} : "
                         "!tile.view<?x?xbf16, in>, !tile.span<4>, "
                         "!tile.span<16> to !tile.buf<4x16xbf16, shared>\n  return\n}\n";
  Unifying fills(copying(zero), function);
  UnifyMatch match = fills.only({fills.op("zero")});
  EXPECT_EQ(match.operands[0].access, fills.op("zero"));
  EXPECT_EQ(match.operands[1].access, fills.op("zero"));
  EXPECT_THAT(match.pieces, ElementsAre(1, 8));
  EXPECT_EQ(match.widened, nullptr);
  EXPECT_EQ(fills.only({fills.op("undef")}).widened, fills.op("undef"));
  Unifying moves(copying(plain), function);
  EXPECT_EQ(moves.only({moves.op("undef")}).widened, nullptr);
  EXPECT_THAT(moves.refused({moves.op("zero")}), HasSubstr("replace_absence"));
  Unifying ones(copying(one), function);
  EXPECT_THAT(ones.refused({ones.op("zero")}), HasSubstr("not with zeros"));
}

TEST(Unify, IdentitiesAreLookedThrough) {
  Unifying u(thread(frag("d", "out") + "," + frag("a"),
                    "^bb0(%d: tensor<2xf32>, %a: tensor<2xf32>):\n"
                    "  %0 = tile.neg %a : tensor<2xf32>\n  %1 = tile.abs %0 : tensor<2xf32>\n"
                    "  tile.yield %1 : tensor<2xf32>\n"),
             "func.func @f(%x: tensor<4xf32>) {\n  %0 = tile.neg %x {tile.mark = \"neg\"} : "
             "tensor<4xf32>\n"
             "  %1 = tile.cast %0 {tile.mark = \"same\"} : tensor<4xf32> to tensor<4xf32>\n"
             "  %2 = tile.abs %1 {tile.mark = \"abs\"} : tensor<4xf32>\n  return\n}\n");
  EXPECT_THAT(u.only({u.op("abs")}).ops, ElementsAre(u.op("neg"), u.op("same"), u.op("abs")));
}
