// Conflicts between grid points, and reads of what nobody wrote. Every case names both places and both points.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InterpreterTesting.h"

using namespace tessera;
using namespace tessera::interptest;

namespace {
/// A grid of `points` points %i over an array y of 4 elements (zeros), inside the grid `body`.
RunReport grid(const std::string &mode, int64_t points, const std::string &body,
               GridOrder order = GridOrder::rowMajor) {
  HostArray y = mode == "out" ? outputOf(DType::i32, {4}) : arrayOf(DType::i32, {4}, {0, 0, 0, 0});
  TestKernel kernel;
  RunOptions options;
  options.order = order;
  kernel.with(options);
  mode == "out" ? kernel.out("y", "?xi32", y) : kernel.inout("y", "?xi32", y);
  std::string text = R"(
    %c0 = tile.constant 0 : i64
    %c1 = tile.constant 1 : i64
    %c2 = tile.constant 2 : i64
    %n = tile.constant )" +
                     std::to_string(points) + R"( : i64
    %v = tile.constant 1 : i32
    tile.grid (%i = range(%c0 to %n)) {
)" + body + "\n}";
  return kernel.run(text);
}
std::string store(const std::string &index) {
  return "tile.store %v, %y[%" + index + "] : i32, !tile.view<?xi32, MODE>, i64\n";
}
std::string load(const std::string &index) {
  return "%l" + index + " = tile.load %y[%" + index + "] : !tile.view<?xi32, MODE>, i64 -> i32\n";
}
std::string atomic(const std::string &index) {
  return "tile.atomic add %v, %y[%" + index + "] : i32, !tile.view<?xi32, MODE>, i64\n";
}
std::string as(const std::string &mode, std::string text) {
  for (size_t at; (at = text.find("MODE")) != std::string::npos;) {
    text.replace(at, 4, mode);
  }
  return text;
}
/// `if %i == which { body }`
std::string onlyAt(int which, const std::string &body) {
  std::string w = std::to_string(which);
  return "%w" + w + " = tile.constant " + w + " : i64\n%e" + w + " = tile.cmp eq, %i, %w" + w +
         " : i64\nscf.if %e" + w + " {\n" + body + "}\n";
}
void expectConflict(const RunReport &r, const std::string &code, const std::string &first,
                    const std::string &second) {
  ASSERT_EQ(codes(r.errors), std::vector<std::string>{code}) << explain(r);
  const RunError &error = r.errors[0];
  EXPECT_NE(error.message.find("axis0 = " + first), std::string::npos) << error.message;
  EXPECT_NE(error.message.find("axis0 = " + second), std::string::npos) << error.message;
  ASSERT_EQ(error.notes.size(), 1u);
  EXPECT_NE(lineOf(error.where), 0u);
  EXPECT_NE(lineOf(error.notes[0].where), 0u);
  EXPECT_EQ(error.index, std::vector<int64_t>{0});
}
} // namespace

TEST(Conflict, EachPointItsOwnElements) {
  EXPECT_TRUE(grid("out", 4, as("out", store("i") + store("i") + load("i"))).succeeded());
  EXPECT_TRUE(grid("inout", 4, as("inout", load("i") + store("i"))).succeeded());
}

TEST(Conflict, TwoWritersEvenOfEqualValues) {
  RunReport r = grid("out", 3, as("out", store("c0")));
  expectConflict(r, "T0876", "0", "1");
  ASSERT_FALSE(HasFatalFailure());
  EXPECT_EQ(r.errors[0].gridPoint, std::vector<int64_t>{1});
  EXPECT_EQ(r.errors[0].values.back(), (std::pair<std::string, std::string>{"axis0", "1"}));
  expectConflict(grid("out", 2, as("out", store("c0")), GridOrder::reverse), "T0876", "1", "0");
}

TEST(Conflict, NotesNameTheOtherOp) {
  RunReport r = grid("out", 2, as("out", onlyAt(0, store("c0")) + onlyAt(1, store("c0"))));
  expectConflict(r, "T0876", "0", "1");
  ASSERT_FALSE(HasFatalFailure());
  EXPECT_LT(lineOf(r.errors[0].notes[0].where), lineOf(r.errors[0].where));
  EXPECT_NE(r.errors[0].notes[0].text.find("written here"), std::string::npos);
}

TEST(Conflict, ReadAfterWriteAndWriteAfterRead) {
  RunReport r = grid("inout", 2, as("inout", onlyAt(0, store("c0")) + onlyAt(1, load("c0"))));
  expectConflict(r, "T0877", "1", "0");
  ASSERT_FALSE(HasFatalFailure());
  EXPECT_NE(r.errors[0].message.find("read by grid point (axis0 = 1)"), std::string::npos);
  r = grid("inout", 2, as("inout", onlyAt(0, load("c0")) + onlyAt(1, store("c0"))));
  expectConflict(r, "T0877", "0", "1");
  ASSERT_FALSE(HasFatalFailure());
  EXPECT_NE(r.errors[0].message.find("read by grid point (axis0 = 0)"), std::string::npos);
  EXPECT_NE(r.errors[0].notes[0].text.find("read here"), std::string::npos);
}

TEST(Conflict, EveryEarlierReaderCounts) {
  expectConflict(grid("inout", 2, as("inout", load("c0") + onlyAt(1, store("c0")))), "T0877", "0",
                 "1");
  expectConflict(
      grid("inout", 2, as("inout", load("c0") + onlyAt(0, store("c0"))), GridOrder::reverse),
      "T0877", "1", "0");
  expectConflict(
      grid("inout", 3,
           as("inout", onlyAt(0, load("c0")) + onlyAt(1, load("c0")) + onlyAt(2, store("c0")))),
      "T0877", "0", "2");
}

TEST(Conflict, TheProgramAroundTheGridIsAPointToo) {
  // It reads first, a grid point reads, and then it writes: the first reader is itself.
  HostArray y = arrayOf(DType::i32, {1}, {0});
  TestKernel kernel;
  RunReport r = kernel.inout("y", "?xi32", y).run(R"(
    %c0 = tile.constant 0 : i64
    %c1 = tile.constant 1 : i64
    %a = tile.load %y[%c0] : !tile.view<?xi32, inout>, i64 -> i32
    tile.grid (%i = range(%c0 to %c1)) {
      %b = tile.load %y[%c0] : !tile.view<?xi32, inout>, i64 -> i32
    }
    tile.store %a, %y[%c0] : i32, !tile.view<?xi32, inout>, i64)");
  ASSERT_EQ(codes(r.errors), std::vector<std::string>{"T0877"});
  EXPECT_NE(r.errors[0].message.find("written by grid point (outside the grid)"), std::string::npos)
      << r.errors[0].message;
}

TEST(Conflict, AtomicsAmongThemselvesOnly) {
  EXPECT_TRUE(grid("inout", 4, as("inout", atomic("c0"))).succeeded());
  EXPECT_TRUE(grid("inout", 1, as("inout", atomic("c0") + load("c0") + store("c0"))).succeeded());
  expectConflict(grid("inout", 2, as("inout", onlyAt(0, atomic("c0")) + onlyAt(1, store("c0")))),
                 "T0876", "0", "1");
  expectConflict(grid("inout", 2, as("inout", onlyAt(0, store("c0")) + onlyAt(1, atomic("c0")))),
                 "T0876", "0", "1");
  expectConflict(grid("inout", 2, as("inout", onlyAt(0, atomic("c0")) + onlyAt(1, load("c0")))),
                 "T0877", "1", "0");
  expectConflict(grid("inout", 2, as("inout", onlyAt(0, load("c0")) + onlyAt(1, atomic("c0")))),
                 "T0877", "0", "1");
  // The second of two users is remembered when the first one writes.
  expectConflict(grid("inout", 3, as("inout", atomic("c0") + onlyAt(2, store("c0")))), "T0876", "0",
                 "2");
}

TEST(Conflict, UnwrittenReads) {
  RunReport r = grid("out", 1, as("out", load("c0")));
  ASSERT_EQ(codes(r.errors), std::vector<std::string>{"T0875"});
  EXPECT_EQ(r.errors[0].index, std::vector<int64_t>{0});
  EXPECT_TRUE(r.errors[0].notes.empty());
  EXPECT_TRUE(grid("inout", 1, as("inout", load("c0"))).succeeded());
}

TEST(Conflict, TilesNameTheElement) {
  HostArray y = outputOf(DType::f32, {3, 4}, ArrayOrder::huge);
  TestKernel kernel;
  RunReport r = kernel.out("y", "?x?xf32", y).run(R"(
    %c0 = tile.constant 0 : i64
    %c3 = tile.constant 3 : i64
    %c4 = tile.constant 4 : i64
    %t = tile.constant 1.0 : f32 tensor<2x2xf32>
    tile.grid (%m = tiles(%c0 to %c3 by 2), %n = tiles(%c0 to %c3 by 2)) {
      %lo = tile.span_start %n : !tile.span<2>
      %one = tile.constant 1 : i64
      %next = tile.add %lo, %one : i64
      %s = tile.span %next, %c4 : !tile.span<2>
      %u = tile.constant 1.0 : f32 tensor<2x2xf32>
      tile.store %t, %y[%m, %n] : tensor<2x2xf32>, !tile.view<?x?xf32, out>, !tile.span<2>, !tile.span<2>
      tile.store %u, %y[%m, %s] : tensor<2x2xf32>, !tile.view<?x?xf32, out>, !tile.span<2>, !tile.span<2>
    })");
  ASSERT_EQ(codes(r.errors), std::vector<std::string>{"T0876"});
  EXPECT_EQ(r.errors[0].index, (std::vector<int64_t>{0, 2}));
  EXPECT_EQ(r.errors[0].gridPoint, (std::vector<int64_t>{0, 2}));
  EXPECT_NE(r.errors[0].message.find("(axis0 = 0..2, axis1 = 0..2)"), std::string::npos)
      << r.errors[0].message;
}

TEST(Conflict, OverlappingElementsOfAnInoutAreOneCell) {
  HostArray memory = arrayOf(DType::i32, {4}, {0, 0, 0, 0});
  HostArray y = llvm::cantFail(
      HostArray::view(memory.memory(), DType::i32, {2, 2}, {0, 1}, memory.byteOffset()));
  TestKernel kernel;
  RunReport r = kernel.inout("y", "2x2xi32", y).run(R"(
    %c0 = tile.constant 0 : i64
    %c2 = tile.constant 2 : i64
    %v = tile.constant 1 : i32
    tile.grid (%i = range(%c0 to %c2)) {
      tile.store %v, %y[%i, %c0] : i32, !tile.view<2x2xi32, inout>, i64, i64
    })");
  EXPECT_EQ(codes(r.errors), std::vector<std::string>{"T0876"});
}

TEST(Conflict, GatheredStoresAndLoads) {
  RunReport r = grid("inout", 2, as("inout", R"(
    %a = tile.iota : tensor<2xi64>
    %t = tile.load %y[%a] : !tile.view<?xi32, inout>, tensor<2xi64> -> tensor<2xi32>
    tile.store %t, %y[%a] : tensor<2xi32>, !tile.view<?xi32, inout>, tensor<2xi64>)"));
  expectConflict(r, "T0877", "1", "0");
}
