// The library's fragment maps, addresses and storage layouts against the formulas of the PTX ISA manual, written out anew:
// "Matrix fragments for mma.m16n8k16", "… m16n8k32", "ldmatrix", "stmatrix", "Register fragments for wgmma",
// "Swizzling modes". Nothing here uses the layout library but to evaluate.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InstrTesting.h"

#include "tessera/Layout/Access.h"
#include "tessera/Layout/Algebra.h"

#include <set>

namespace tessera::testing {

namespace {
using Point = std::pair<int64_t, int64_t>;
/// (lane, i) -> (row, column), as the manual has it.
using Formula = Point (*)(int64_t lane, int64_t i);

Point mmaA(int64_t lane, int64_t i) {
  int64_t group = lane >> 2, inGroup = lane % 4;
  int64_t row = i < 2 || (4 <= i && i < 6) ? group : group + 8;
  int64_t col = i < 4 ? inGroup * 2 + (i & 1) : inGroup * 2 + (i & 1) + 8;
  return {row, col};
}
Point mmaB(int64_t lane, int64_t i) {
  int64_t row = i < 2 ? lane % 4 * 2 + (i & 1) : lane % 4 * 2 + (i & 1) + 8;
  return {row, lane >> 2};
}
Point mmaC(int64_t lane, int64_t i) {
  return {i < 2 ? lane >> 2 : (lane >> 2) + 8, lane % 4 * 2 + (i & 1)};
}
Point mmaA8(int64_t lane, int64_t i) {
  int64_t row = i < 4 || (8 <= i && i < 12) ? lane >> 2 : (lane >> 2) + 8;
  int64_t col = i < 8 ? lane % 4 * 4 + (i & 3) : lane % 4 * 4 + (i & 3) + 16;
  return {row, col};
}
Point mmaB8(int64_t lane, int64_t i) {
  int64_t row = i < 4 ? lane % 4 * 4 + (i & 3) : lane % 4 * 4 + (i & 3) + 16;
  return {row, lane >> 2};
}
/// Accumulator of wgmma: warp of the group, then as the manual's figure: two columns, eight rows on, eight columns on.
Point wgmmaD(int64_t thread, int64_t i) {
  int64_t warp = thread / 32, lane = thread % 32;
  return {16 * warp + lane / 4 + 8 * (i / 2 % 2), 8 * (i / 4) + 2 * (lane % 4) + i % 2};
}

void expectFragment(const instr::Operand *operand, Formula formula) {
  ASSERT_TRUE(operand && operand->layout);
  int64_t rows = operand->shape[0], threads = operand->layout->inSize("lane");
  int64_t values = operand->layout->inSize("register");
  ASSERT_EQ(threads * values, operand->elements());
  for (int64_t lane = 0; lane < threads; ++lane) {
    for (int64_t i = 0; i < values; ++i) {
      auto [row, col] = formula(lane, i);
      int64_t coords[] = {lane, i};
      ASSERT_EQ(operand->layout->evaluate(coords)[0], row + rows * col)
          << operand->name << " lane " << lane << " value " << i;
    }
  }
}

/// What ldmatrix does: matrix m has its row r at the address of lane 8m + r; register m of lane l gets elements 2(l % 4)
/// and the next of row l / 4, transposed: of column l / 4.
void expectLdmatrix(const instr::Instruction &instruction, llvm::StringRef fragment,
                    llvm::StringRef memory, int64_t matrices, bool transposed) {
  const instr::Operand *frag = instruction.find(fragment), *smem = instruction.find(memory);
  ASSERT_TRUE(frag && smem && smem->address);
  int64_t rows = frag->shape[0];
  for (int64_t lane = 0; lane < 32; ++lane) {
    for (int64_t i = 0; i < 2 * matrices; ++i) {
      int64_t inRow = 2 * (lane % 4) + i % 2, row = lane / 4;
      if (transposed) {
        std::swap(inRow, row);
      }
      llvm::SmallVector<int64_t> address = smem->address.compose({8 * (i / 2) + row});
      int64_t coords[] = {lane, i};
      ASSERT_EQ(frag->layout->evaluate(coords)[0], address[0] + rows * (address[1] + inRow))
          << instruction.name << " lane " << lane << " value " << i;
    }
  }
}
} // namespace

TEST(InstrTables, MmaOfWarps) {
  Library library;
  for (const char *name : {"mma_m16n8k16_bf16", "mma_m16n8k16_f16"}) {
    std::optional<instr::Instruction> mma = library.lower(name, {});
    ASSERT_TRUE(mma) << library.errors();
    expectFragment(mma->find("a"), mmaA);
    expectFragment(mma->find("b"), mmaB);
    expectFragment(mma->find("c"), mmaC);
  }
  std::optional<instr::Instruction> mma = library.lower("mma_m16n8k32_s8", {});
  ASSERT_TRUE(mma) << library.errors();
  expectFragment(mma->find("a"), mmaA8);
  expectFragment(mma->find("b"), mmaB8);
  expectFragment(mma->find("c"), mmaC);
}

TEST(InstrTables, MmaOfWarpgroups) {
  Library library;
  for (const char *n : {"8", "16", "80", "176", "256"}) {
    std::optional<instr::Instruction> mma = library.lower("wgmma_m64k16", {{"N", n}});
    ASSERT_TRUE(mma) << library.errors();
    expectFragment(mma->find("c"), wgmmaD);
  }
}

TEST(InstrTables, Ldmatrix) {
  Library library;
  struct Row {
    const char *name;
    int64_t matrices;
    bool transposed;
    Formula formula;
  };
  for (const Row &row :
       {Row{"ldmatrix_x4", 4, false, mmaA}, Row{"ldmatrix_x4_trans", 4, true, nullptr},
        Row{"ldmatrix_x2", 2, false, mmaC}, Row{"ldmatrix_x2_trans", 2, true, mmaB}}) {
    for (const char *type : {"bf16", "f16"}) {
      std::optional<instr::Instruction> load = library.lower(row.name, {{"T", type}});
      ASSERT_TRUE(load) << library.errors();
      expectLdmatrix(*load, "dst", "src", row.matrices, row.transposed);
      if (row.formula) {
        expectFragment(load->find("dst"), row.formula);
      }
    }
  }
  // Two B operands: the first has the columns below 8.
  std::optional<instr::Instruction> pair = library.lower("ldmatrix_x4_trans", {{"T", "bf16"}});
  expectFragment(pair->find("dst"), [](int64_t lane, int64_t i) {
    auto [row, col] = mmaB(lane, i % 4);
    return Point{row, col + 8 * (i / 4)};
  });
  std::optional<instr::Instruction> store = library.lower("stmatrix_x4", {{"T", "bf16"}});
  ASSERT_TRUE(store) << library.errors();
  expectLdmatrix(*store, "src", "dst", 4, false);
}

/// Two accumulators of m16n8 side by side are the fragment that stmatrix stores and the A of the next product.
TEST(InstrTables, AccumulatorsAreOperands) {
  Library library;
  std::optional<instr::Instruction> store = library.lower("stmatrix_x4", {{"T", "bf16"}});
  ASSERT_TRUE(store) << library.errors();
  expectFragment(store->find("src"), [](int64_t lane, int64_t i) {
    auto [row, col] = mmaC(lane, i % 4);
    return Point{row, col + 8 * (i / 4)};
  });
}

TEST(InstrTables, SwizzledPanels) {
  Library library;
  for (int64_t panelBytes : {32, 64, 128}) {
    for (int64_t bytes : {1, 2, 4, 8}) {
      int64_t panel = panelBytes / bytes, rows = 24, cols = 3 * panel;
      std::optional<Layout> layout = library.instructions.layout(
          "sw" + std::to_string(panelBytes), {}, instr::Place{rows, cols, bytes}, SourceRange());
      ASSERT_TRUE(layout) << library.errors();
      for (int64_t r = 0; r < rows; ++r) {
        for (int64_t c = 0; c < cols; ++c) {
          int64_t address = c / panel * rows * panelBytes + r * panelBytes + c % panel * bytes;
          // Bits 4 and up are XORed with bits 7 and up: one, two or three of them.
          address ^= (address >> 7 & (panelBytes / 16 - 1)) << 4;
          int64_t coords[] = {r, c};
          ASSERT_EQ(layout->evaluate(coords)[0] * bytes, address) << panelBytes << " " << bytes;
        }
      }
    }
  }
}

/// Eight rows of 16 bytes at one column of chunks, as ldmatrix reads them, meet each bank once.
TEST(InstrTables, Xor16IsFreeOfConflicts) {
  Library library;
  for (int64_t chunks : {1, 2, 4, 8, 16, 32}) {
    for (int64_t bytes : {1, 2, 4}) {
      int64_t inChunk = 16 / bytes, rows = 64;
      std::optional<Layout> layout = library.instructions.layout(
          "xor16", {chunks}, instr::Place{rows, std::nullopt, bytes}, SourceRange());
      ASSERT_TRUE(layout) << library.errors();
      ASSERT_EQ(layout->size(), rows * chunks * inChunk);
      EXPECT_TRUE(isInjective(*layout) && isSurjective(*layout));
      for (int64_t first = 0; first < rows; first += 8) {
        for (int64_t chunk = 0; chunk < chunks; ++chunk) {
          std::set<int64_t> banks;
          for (int64_t r = first; r < first + 8; ++r) {
            int64_t coords[] = {r, chunk * inChunk};
            int64_t address = layout->evaluate(coords)[0] * bytes;
            ASSERT_EQ(address % 16, 0);
            banks.insert(address % 128);
          }
          ASSERT_EQ(banks.size(), 8u) << chunks << " chunks, rows from " << first;
        }
      }
    }
  }
}

} // namespace tessera::testing
