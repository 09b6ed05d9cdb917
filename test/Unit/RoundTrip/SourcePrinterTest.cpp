// IR written by hand, as no frontend would write it: what has text compiles back to the same kernel.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HandWritten.h"

using namespace tessera;
using namespace tessera::roundtriptest;

namespace {

class HandWritten : public testing::TestWithParam<Text> {};

} // namespace

TEST_P(HandWritten, GoesAround) {
  std::string problems, text = kernelWith(GetParam().body);
  Module module = parse(text, problems);
  ASSERT_TRUE(module) << problems << text;
  std::string source = printedSource(*module, problems);
  ASSERT_NE(source, "") << problems;
  Module again = compile(source, "k", {}, problems);
  ASSERT_TRUE(again) << problems << source;
  auto difference = tile::findDifference(kernelOf(module), kernelOf(again));
  std::string shown;
  llvm::raw_string_ostream os(shown);
  if (difference) {
    difference->print(os);
  }
  EXPECT_FALSE(difference) << shown << source;
}

INSTANTIATE_TEST_SUITE_P(
    Constants, HandWritten,
    testing::Values(Text{"AllKnown", R"(%a = tile.constant 2 : i32
          %c = tile.constant 3 : i32
          %d = tile.add %a, %c : i32
          tile.print "d", %d : i32)"},
                    Text{"KnownComparison", R"(%a = tile.constant 2.5 : f32
          %d = tile.cmp lt, %a, %a : f32
          %e = tile.select %d, %a, %a : f32
          tile.print "e", %e : f32)"},
                    Text{"KnownUnary", R"(%a = tile.constant 2.5 : f64
          %d = tile.neg %a : f64
          %e = tile.sqrt %d {accuracy = #tile.accuracy<fast>} : f64
          tile.print "e", %e : f64)"},
                    Text{"KnownCast", R"(%a = tile.constant 2 : i32
          %d = tile.cast %a : i32 to i64
          %e = tile.bits %d : i64
          %h = tile.from_bits %e : ui64 to f64
          tile.print "e", %h : f64)"},
                    Text{"KnownCondition", R"(%a = tile.constant true
          scf.if %a { tile.print "u", %u : ui8 }
          %c = tile.constant false
          %d = tile.and %c, %a : i1
          %e = tile.fill_absent %d, %a : i1
          tile.print "e", %e : i1)"},
                    Text{"Literals", R"(%a = tile.constant 0x7FC00001 : f32
          %c = tile.constant 0xFF800000 : f32 tensor<4x8xf32>
          %d = tile.constant -0.0 : f32 tensor<4x8xf32>
          %e = tile.add %t, %c : tensor<4x8xf32>
          %h = tile.mul %d, %e : tensor<4x8xf32>
          tile.print "a", %a : f32
          tile.print "h", %h : tensor<4x8xf32>
          %i = tile.constant -128 : i8
          tile.print "i", %i : i8
          %j = tile.constant 18446744073709551615 : ui64
          tile.print "j", %j : ui64
          %k = tile.constant 0.1 : bf16 tensor<2xbf16>
          tile.print "k", %k : tensor<2xbf16>)"},
                    Text{"StoredConstants", R"(%a = tile.constant 1.5 : f32 tensor<4x8xf32>
          tile.store %a, %y[%g, :] : tensor<4x8xf32>, !tile.view<?x8xf32, inout>, !tile.span<4>
          %c = tile.constant 0x7FC00000 : f32 tensor<4x8xf32>
          tile.store %c, %y[%g, :] : tensor<4x8xf32>, !tile.view<?x8xf32, inout>, !tile.span<4>)"},
                    Text{"BothSidesKnown", R"(%a = tile.constant 1.0 : f32 tensor<4x8xf32>
          %c = tile.constant 2.0 : f32 tensor<4x8xf32>
          %z = tile.constant 0.0 : f32 tensor<4x8xf32>
          %d = tile.cmp gt, %t, %z : tensor<4x8xf32>
          %e = tile.select %d, %a, %c : tensor<4x8xf32>
          %h = tile.add %a, %c : tensor<4x8xf32>
          tile.print "e", %e : tensor<4x8xf32>
          tile.print "h", %h : tensor<4x8xf32>)"}),
    nameOfText);

INSTANTIATE_TEST_SUITE_P(
    Ops, HandWritten,
    testing::Values(
        Text{"UnsignedNegation", R"(%a = tile.neg %u : ui8
          tile.print "a", %a : ui8)"},
        Text{"CastsThatChangeNothing", R"(%a = tile.cast %f : f32 to f32
          %c = tile.cast %u {overflow = #tile.overflow<sat>} : ui8 to i32
          %d = tile.cast %c {overflow = #tile.overflow<wrap>} : i32 to i1
          tile.print "a", %a : f32
          tile.print "d", %d : i1)"},
        Text{"BroadcastOfNothing", R"(%a = tile.broadcast %t : tensor<4x8xf32> to tensor<4x8xf32>
          %c = tile.slice %a from [0, 0] : tensor<4x8xf32> to tensor<4x8xf32>
          %d = tile.reshape %c : tensor<4x8xf32> to tensor<4x8xf32>
          %e = tile.permute %d, [0, 1] : tensor<4x8xf32> to tensor<4x8xf32>
          tile.print "e", %e : tensor<4x8xf32>)"},
        Text{"SplatOfKnown", R"(%a = tile.constant 1.0 : f32
          %c = tile.splat %a : f32 to tensor<4x8xf32>
          %d = tile.expand %a at [0] : f32 to tensor<1xf32>
          %e = tile.squeeze %d at [0] : tensor<1xf32> to f32
          tile.print "c", %c : tensor<4x8xf32>
          tile.print "e", %e : f32)"},
        Text{"AbsenceWrittenOut", R"(%a = tile.absent : tensor<4x8xf32>
          %c = tile.present %a : tensor<4x8xf32>
          %d = tile.slice %c from [0, 0] : tensor<4x8xi1> to tensor<1x8xi1>
          %e = tile.keep_if %t, %d over [1] : tensor<4x8xf32>, tensor<1x8xi1>
          %h = tile.fill_absent %e, %t : tensor<4x8xf32>
          %i = tile.absent : i64
          tile.print "h", %h : tensor<4x8xf32>
          tile.print "i", %i : i64)"},
        Text{"Spans", R"(%a = tile.span %n, %N : !tile.span<4>
          %c = tile.span %c0, %M exact : !tile.span<16>
          %d = tile.span_start %c : !tile.span<16>
          %e = tile.span_stop %a : !tile.span<4>
          %h = tile.load %b[%c] : !tile.view<?xi8, in>, !tile.span<16> -> tensor<16xi8>
          %i = tile.load %x[%a, :] : !tile.view<?x8xf32, in>, !tile.span<4> -> tensor<4x8xf32>
          tile.print "d", %d : i64
          tile.print "e", %e : i64
          tile.print "h", %h : tensor<16xi8>
          tile.print "i", %i : tensor<4x8xf32>)"},
        // M is no extent of axis 0 of x, and `where` says nothing about it: the text must not add a condition.
        Text{"SpanOfOtherExtent", R"(%a = tile.span %c0, %M : !tile.span<4>
          %c = tile.load %x[%a, :] : !tile.view<?x8xf32, in>, !tile.span<4> -> tensor<4x8xf32>
          tile.print "c", %c : tensor<4x8xf32>)"},
        Text{"Dim", R"(%a = tile.dim %x, 0 : !tile.view<?x8xf32, in>
          tile.print "a", %a : i64)"},
        Text{"IndexOutOfRange", R"(%a = tile.constant 99 : i64
          %c = tile.load %x[%a, %a] : !tile.view<?x8xf32, in>, i64, i64 -> f32
          tile.print "c", %c : f32)"},
        Text{"ViewParts",
             R"(%a, %c = tile.view_split %x, 1
            : !tile.view<?x8xf32, in> -> !tile.view<?x4xf32, in>, !tile.view<?x4xf32, in>
          %d = tile.view_group %c, 1 by 2 : !tile.view<?x4xf32, in> -> !tile.view<?x2x2xf32, in>
          %e = tile.view_permute %d, [1, 0, 2] : !tile.view<?x2x2xf32, in> -> !tile.view<2x?x2xf32, in>
          %two = tile.constant 2 : i64
          %h = tile.view_slice %a, 1 from %c0 to %two : !tile.view<?x4xf32, in> -> !tile.view<?x?xf32, in>
          %i = tile.load %e[:, %g, :] : !tile.view<2x?x2xf32, in>, !tile.span<4> -> tensor<2x4x2xf32>
          %j = tile.load %h[%c0, %c0] : !tile.view<?x?xf32, in>, i64, i64 -> f32
          tile.print "i", %i : tensor<2x4x2xf32>
          tile.print "j", %j : f32)"},
        Text{"StoreLast", R"(%i = tile.iota : tensor<4xi64>
          tile.store %t, %y[%i, :] {conflict = #tile.conflict<last>}
            : tensor<4x8xf32>, !tile.view<?x8xf32, inout>, tensor<4xi64>)"},
        Text{"Atomics", R"(%a = tile.constant 1.0 : f32
          %o = tile.atomic add %a, %y[%c0, %c0] {order_any, scope = #tile.scope<sys>,
            order = #tile.memory_order<acq_rel>} : f32, !tile.view<?x8xf32, inout>, i64, i64 -> f32
          %p = tile.atomic cas %a expect %o, %y[%c0, %c0] {order_any}
            : f32 expect f32, !tile.view<?x8xf32, inout>, i64, i64 -> f32
          tile.print "p", %p : f32)"},
        Text{"Regions", R"(%a = tile.constant 0.0 : f32
          %c = tile.reduce_with %t, %a along 1 : tensor<4x8xf32>, f32 -> tensor<4xf32> {
          ^bb0(%p: f32, %q: f32):
            %h = tile.sub %p, %q : f32
            %k = tile.mul %h, %h : f32
            tile.yield %k : f32
          }
          %d = tile.scan_with %t, %a along 0 {reverse, exclusive} : tensor<4x8xf32>, f32 -> tensor<4x8xf32> {
          ^bb0(%p: f32, %q: f32):
            tile.yield %q : f32
          }
          tile.print "c", %c : tensor<4xf32>
          tile.print "d", %d : tensor<4x8xf32>)"}),
    nameOfText);

INSTANTIATE_TEST_SUITE_P(
    Control, HandWritten,
    testing::Values(
        Text{"YieldsPermuted", R"(%a = tile.add %t, %t : tensor<4x8xf32>
          %r:3 = tile.for %i in range(%c0 to %n) reversed carry(%p = %t : tensor<4x8xf32>,
             %q = %a : tensor<4x8xf32>, %s = %n : i64) {
            %w = tile.add %s, %i : i64
            tile.yield %q, %p, %w : tensor<4x8xf32>, tensor<4x8xf32>, i64
          }
          tile.print "r", %r#0 : tensor<4x8xf32>
          tile.print "s", %r#2 : i64)"},
        Text{"YieldsSum",
             R"(%r:2 = tile.for %i in range(%c0 to %n) carry(%p = %n : i64, %q = %c0 : i64) {
            %w = tile.add %p, %i : i64
            tile.yield %w, %p : i64, i64
          }
          tile.print "r", %r#1 : i64)"},
        Text{"CarriedSpan", R"(%r = tile.for %i in range(%c0 to %n) carry(%p = %g : !tile.span<4>) {
            %a = tile.span %i, %N : !tile.span<4>
            tile.yield %a : !tile.span<4>
          }
          %l = tile.load %x[%r, :] : !tile.view<?x8xf32, in>, !tile.span<4> -> tensor<4x8xf32>
          tile.print "l", %l : tensor<4x8xf32>)"},
        Text{"WhilePassesOn", R"(%r:2 = scf.while (%p = %n, %q = %f) : (i64, f32) -> (i64, f32) {
            %c = tile.cmp gt, %p, %c0 : i64
            %h = tile.mul %q, %q : f32
            scf.condition(%c) %p, %h : i64, f32
          } do {
          ^bb0(%p: i64, %q: f32):
            %one = tile.constant 1 : i64
            %w = tile.sub %p, %one : i64
            scf.yield %w, %q : i64, f32
          }
          tile.print "r", %r#1 : f32)"},
        Text{"Nested", R"(%z = tile.constant 0.0 : f32
          %r = tile.for %i in tiles(%c0 to %M by 3) carry(%p = %f : f32) {
            %c = tile.cmp lt, %p, %z : f32
            %v:2 = scf.if %c -> (f32, i64) {
              %s = tile.for %j in range(%c0 to %n) carry(%w = %p : f32) {
                %e = tile.add %w, %f : f32
                tile.yield %e : f32
              }
              scf.yield %s, %n : f32, i64
            } else {
              scf.yield %z, %c0 : f32, i64
            }
            tile.yield %v#0 : f32
          }
          tile.print "r", %r : f32)"}),
    nameOfText);
