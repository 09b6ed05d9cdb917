// The library's fragment maps, addresses and storage layouts against the formulas of the PTX ISA manual, written out anew:
// "Matrix fragments for mma.m16n8k16", "… m16n8k32", "ldmatrix", "stmatrix", "Register fragments for wgmma",
// "Swizzling modes". Nothing here uses the layout library but to evaluate.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InstrTesting.h"

#include "tessera/Layout/Access.h"
#include "tessera/Layout/Algebra.h"

#include "llvm/Support/MemoryBuffer.h"

#include <map>

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
/// m16n8k8 of 16 bits, m16n8k16 of 8 bits: the manual's figures for half the k.
Point mmaAK8(int64_t lane, int64_t i) { return {(lane >> 2) + 8 * (i / 2), lane % 4 * 2 + i % 2}; }
Point mmaBK8(int64_t lane, int64_t i) { return {lane % 4 * 2 + i, lane >> 2}; }
Point mmaA8K16(int64_t lane, int64_t i) {
  return {(lane >> 2) + 8 * (i / 4), lane % 4 * 4 + i % 4};
}
Point mmaB8K16(int64_t lane, int64_t i) { return {lane % 4 * 4 + i, lane >> 2}; }
/// Accumulator of wgmma: warp of the group, then as the manual's figure: two columns, eight rows on, eight columns on.
Point wgmmaD(int64_t thread, int64_t i) {
  int64_t warp = thread / 32, lane = thread % 32;
  return {16 * warp + lane / 4 + 8 * (i / 2 % 2), 8 * (i / 4) + 2 * (lane % 4) + i % 2};
}

/// How many (lane, value) of a fragment are elsewhere than the formula says.
int64_t misplaced(const instr::Operand &operand, Formula formula) {
  int64_t rows = operand.shape[0], count = 0;
  for (int64_t lane = 0; lane < operand.layout->inSize("lane"); ++lane) {
    for (int64_t i = 0; i < operand.layout->inSize("register"); ++i) {
      auto [row, col] = formula(lane, i);
      int64_t coords[] = {lane, i};
      count += operand.layout->evaluate(coords)[0] != row + rows * col;
    }
  }
  return count;
}

void expectFragment(const instr::Operand *operand, Formula formula) {
  ASSERT_TRUE(operand && operand->layout);
  ASSERT_EQ(operand->layout->size(), operand->elements());
  EXPECT_EQ(misplaced(*operand, formula), 0) << operand->name;
}

/// What ldmatrix does: matrix m has its row r at the address of lane 8m + r; register m of lane l gets elements 2(l % 4)
/// and the next of row l / 4, transposed: of column l / 4. How many are elsewhere than the fragment says.
int64_t misloaded(const instr::Instruction &instruction, llvm::StringRef fragment,
                  llvm::StringRef memory, int64_t matrices, bool transposed) {
  const instr::Operand *frag = instruction.find(fragment), *smem = instruction.find(memory);
  if (!frag || !smem || !smem->address) {
    return -1;
  }
  int64_t rows = frag->shape[0], count = 0;
  for (int64_t lane = 0; lane < 32; ++lane) {
    for (int64_t i = 0; i < 2 * matrices; ++i) {
      int64_t inRow = 2 * (lane % 4) + i % 2, row = lane / 4;
      if (transposed) {
        std::swap(inRow, row);
      }
      llvm::SmallVector<int64_t> address = smem->address.compose({8 * (i / 2) + row});
      int64_t coords[] = {lane, i};
      count += frag->layout->evaluate(coords)[0] != address[0] + rows * (address[1] + inRow);
    }
  }
  return count;
}

/// The library's text as the program, with one piece replaced.
std::string changed(llvm::StringRef from, llvm::StringRef to) {
  auto buffer =
      llvm::MemoryBuffer::getFile(std::string(TESSERA_SOURCE_DIR) + "/lib/Std/instructions.tile");
  std::string text = buffer ? (*buffer)->getBuffer().str() : "";
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from.str();
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}
} // namespace

TEST(InstrTables, MmaOfWarps) {
  Library library;
  struct Row {
    const char *name;
    Formula a, b;
  };
  const Row rows[] = {{"mma_m16n8k16_bf16", mmaA, mmaB},      {"mma_m16n8k16_f16", mmaA, mmaB},
                      {"mma_m16n8k32_s8", mmaA8, mmaB8},      {"mma_m16n8k32_u8", mmaA8, mmaB8},
                      {"mma_m16n8k32_e4m3", mmaA8, mmaB8},    {"mma_m16n8k32_e5m2", mmaA8, mmaB8},
                      {"mma_m16n8k8_bf16", mmaAK8, mmaBK8},   {"mma_m16n8k8_f16", mmaAK8, mmaBK8},
                      {"mma_m16n8k16_s8", mmaA8K16, mmaB8K16}};
  std::vector<std::string> names = library.instructions.names();
  EXPECT_EQ(
      size_t(llvm::count_if(names, [](llvm::StringRef name) { return name.starts_with("mma_"); })),
      std::size(rows));
  for (const Row &row : rows) {
    std::optional<instr::Instruction> mma = library.lower(row.name, {});
    ASSERT_TRUE(mma) << library.errors();
    expectFragment(mma->find("a"), row.a);
    expectFragment(mma->find("b"), row.b);
    expectFragment(mma->find("c"), mmaC);
  }
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
        Row{"ldmatrix_x2", 2, false, mmaC}, Row{"ldmatrix_x2_trans", 2, true, mmaB},
        Row{"ldmatrix_x1", 1, false, mmaAK8}, Row{"ldmatrix_x1_trans", 1, true, mmaBK8}}) {
    for (const char *type : {"bf16", "f16"}) {
      std::optional<instr::Instruction> load = library.lower(row.name, {{"T", type}});
      ASSERT_TRUE(load) << library.errors();
      EXPECT_EQ(misloaded(*load, "dst", "src", row.matrices, row.transposed), 0) << row.name;
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
  EXPECT_EQ(misloaded(*store, "src", "dst", 4, false), 0);
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

/// Maps and addresses that are bijections too, but not those of the hardware, are told by these tables.
TEST(InstrTables, OtherBijectionsAreSeen) {
  Library swapped(changed("layout mma_b = ((4, 8), (2, 2)) : ((2, 16), (1, 8))",
                          "layout mma_b = ((4, 8), (2, 2)) : ((2, 16), (8, 1))"));
  std::optional<instr::Instruction> mma = swapped.lower("mma_m16n8k16_bf16", {});
  ASSERT_TRUE(mma) << swapped.errors();
  EXPECT_EQ(misplaced(*mma->find("a"), mmaA), 0);
  EXPECT_EQ(misplaced(*mma->find("b"), mmaB), 64);
  Library turned(changed("address src at (lane % 16, 8 * (lane // 16))",
                         "address src at (8 * (lane // 16) + lane % 8, 8 * (lane // 8 % 2))"));
  std::optional<instr::Instruction> load = turned.lower("ldmatrix_x4", {});
  ASSERT_TRUE(load) << turned.errors();
  EXPECT_EQ(misloaded(*load, "dst", "src", 4, false), 128);
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

/// How many of eight rows of 16 bytes at one column of chunks, as ldmatrix reads them, meet in the same banks; the worst.
static int64_t bankDegree(const Layout &layout, int64_t rows, int64_t chunks, int64_t bytes) {
  int64_t degree = 0;
  for (int64_t first = 0; first < rows; first += 8) {
    for (int64_t chunk = 0; chunk < chunks; ++chunk) {
      std::map<int64_t, int64_t> banks;
      for (int64_t r = first; r < first + 8; ++r) {
        int64_t coords[] = {r, chunk * (16 / bytes)};
        int64_t address = layout.evaluate(coords)[0] * bytes;
        EXPECT_EQ(address % 16, 0);
        degree = std::max(degree, ++banks[address % 128]);
      }
    }
  }
  return degree;
}

TEST(InstrTables, ChunksXoredWithRows) {
  Library library;
  for (int64_t chunks : {2, 4, 8, 16, 32}) {
    for (int64_t c = 2; c <= chunks; c *= 2) {
      for (int64_t bytes : {1, 2, 4}) {
        int64_t inChunk = 16 / bytes, rows = 64, cols = chunks * inChunk;
        std::optional<Layout> layout = library.instructions.layout(
            "xor16", {c}, instr::Place{rows, cols, bytes}, SourceRange());
        ASSERT_TRUE(layout) << library.errors();
        for (int64_t r = 0; r < rows; ++r) {
          for (int64_t col = 0; col < cols; ++col) {
            int64_t j = col / inChunk;
            int64_t moved = j / c * c + (j % c ^ r % c);
            int64_t coords[] = {r, col};
            ASSERT_EQ(layout->evaluate(coords)[0], r * cols + moved * inChunk + col % inChunk);
          }
        }
        EXPECT_EQ(bankDegree(*layout, rows, chunks, bytes) == 1, c >= 8) << c << " of " << chunks;
      }
    }
  }
  for (int64_t panel : {128, 64, 32}) {
    std::optional<Layout> layout = library.instructions.layout(
        "sw" + std::to_string(panel), {}, instr::Place{64, panel / 2, 2}, SourceRange());
    ASSERT_TRUE(layout) << library.errors();
    EXPECT_EQ(bankDegree(*layout, 64, panel / 16, 2), 1) << panel;
  }
}

} // namespace tessera::testing
