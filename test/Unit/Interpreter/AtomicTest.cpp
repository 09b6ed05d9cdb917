// Atomics: every kind, order within one op, old values, absence.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InterpreterTesting.h"

using namespace tessera;
using namespace tessera::interptest;

namespace {
/// One atomic of `kind` with operand 12 on three cells that hold `held`.
Values apply(const std::string &kind, const std::string &type, double operand, const Values &held) {
  DType t = dtypeNamed(type);
  HostArray y = arrayOf(t, {int64_t(held.size())}, held);
  std::string n = std::to_string(held.size()) + "x" + type;
  TestKernel kernel;
  RunReport r =
      kernel.inout("y", n, y)
          .scalar("v", t, operand)
          .run("%t = tile.splat %v : " + type + " to tensor<" + n + ">\ntile.atomic " + kind +
               " %t, %y[:] {order_any} : tensor<" + n + ">, !tile.view<" + n + ", inout>");
  EXPECT_TRUE(r.succeeded()) << explain(r);
  return valuesOf(y);
}
} // namespace

TEST(Atomic, Kinds) {
  EXPECT_SAME(apply("add", "i32", 12, {1, -12, 0}), ({13, 0, 12}));
  EXPECT_SAME(apply("add", "f32", 0.5, {1, inf, qnan}), ({1.5, inf, qnan}));
  EXPECT_SAME(apply("max", "i32", 12, {1, 20}), ({12, 20}));
  EXPECT_SAME(apply("min", "ui8", 12, {1, 200}), ({1, 12}));
  EXPECT_SAME(apply("max", "f32", 2, {qnan, 1}), ({qnan, 2}));
  EXPECT_SAME(apply("and", "i32", 12, {10, 3}), ({8, 0}));
  EXPECT_SAME(apply("or", "i32", 12, {10, 3}), ({14, 15}));
  EXPECT_SAME(apply("xor", "i32", 12, {10, 3}), ({6, 15}));
  EXPECT_SAME(apply("xchg", "i64", 12, {10, 3}), ({12, 12}));
}

TEST(Atomic, CompareAndSwapIsByBits) {
  HostArray y = arrayOf(DType::f32, {4}, {1, 2, 0.0, -0.0}), old = outputOf(DType::f32, {4});
  TestKernel kernel;
  RunReport r = kernel.inout("y", "4xf32", y)
                    .in("e", "4xf32", arrayOf(DType::f32, {4}, {1, 1, 0.0, 0.0}))
                    .out("o", "4xf32", old)
                    .run(R"(
    %v = tile.constant 7.0 : f32 tensor<4xf32>
    %x = tile.load %e[:] : !tile.view<4xf32, in> -> tensor<4xf32>
    %p = tile.atomic cas %v expect %x, %y[:] {order_any}
      : tensor<4xf32> expect tensor<4xf32>, !tile.view<4xf32, inout> -> tensor<4xf32>
    tile.store %p, %o[:] : tensor<4xf32>, !tile.view<4xf32, out>)");
  EXPECT_TRUE(r.succeeded()) << explain(r);
  EXPECT_SAME(valuesOf(y), ({7, 2, 7, -0.0}));
  EXPECT_SAME(valuesOf(old), ({1, 2, 0.0, -0.0}));
}

TEST(Atomic, ElementsOfOneOpMeetOneAfterTheOther) {
  HostArray y = arrayOf(DType::i32, {2}, {100, 0}), old = outputOf(DType::i32, {3}),
            p = outputOf(DType::i1, {3});
  TestKernel kernel;
  RunReport r = kernel.inout("y", "?xi32", y)
                    .in("c", "3xi1", arrayOf(DType::i1, {3}, {1, 0, 1}))
                    .out("o", "3xi32", old)
                    .out("p", "3xi1", p)
                    .run(R"(
    %z = tile.constant 0 : i64 tensor<3xi64>
    %i = tile.iota : tensor<3xi64>
    %one = tile.constant 1 : i64 tensor<3xi64>
    %j = tile.add %i, %one : tensor<3xi64>
    %v = tile.cast %j {overflow = #tile.overflow<wrap>} : tensor<3xi64> to tensor<3xi32>
    %c1 = tile.load %c[:] : !tile.view<3xi1, in> -> tensor<3xi1>
    %k = tile.keep_if %v, %c1 over [0] : tensor<3xi32>, tensor<3xi1>
    %q = tile.atomic add %k, %y[%z] {order_any} : tensor<3xi32>, !tile.view<?xi32, inout>, tensor<3xi64> -> tensor<3xi32>
    %f = tile.present %q : tensor<3xi32>
    tile.store %f, %p[:] : tensor<3xi1>, !tile.view<3xi1, out>
    tile.store %q, %o[:] : tensor<3xi32>, !tile.view<3xi32, out>)");
  EXPECT_TRUE(r.succeeded()) << explain(r);
  EXPECT_SAME(valuesOf(y), ({104, 0}));
  EXPECT_SAME(valuesOf(p), ({1, 0, 1}));
  EXPECT_EQ(valuesOf(old)[0], 100);
  EXPECT_EQ(valuesOf(old)[2], 101);
  EXPECT_EQ(r.written[1], (std::vector<bool>{true, false}));
  EXPECT_EQ(r.written[3], (std::vector<bool>{true, false, true}));
}

TEST(Atomic, IndicesAreChecked) {
  HostArray y = arrayOf(DType::i32, {2}, {0, 0});
  TestKernel kernel;
  RunReport r = kernel.inout("y", "?xi32", y).run(R"(
    %i = tile.constant 2 : i64
    %v = tile.constant 1 : i32
    tile.atomic add %v, %y[%i] : i32, !tile.view<?xi32, inout>, i64)");
  EXPECT_EQ(codes(r.errors), std::vector<std::string>{"T0870"});
  EXPECT_SAME(valuesOf(y), ({0, 0}));
}
