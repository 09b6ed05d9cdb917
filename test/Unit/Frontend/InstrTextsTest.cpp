// The library's instructions as the PTX ISA manual writes them: opcode with all its modifiers, order of the operands, bytes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InstrTesting.h"

#include "llvm/Support/MemoryBuffer.h"

#include <map>
#include <regex>

namespace tessera::testing {

namespace {
/// "cp.async", "ldmatrix", "stmatrix", "mma" (d, a, b, c: the sum comes in and goes out in one place), "ld", "st".
const std::map<std::string, std::string> texts = {
    {"cp_async_16", "cp.async.cg.shared.global [{dst}], [{src}], 16, {present_bytes(src)};"},
    {"cp_async_8", "cp.async.ca.shared.global [{dst}], [{src}], 8, {present_bytes(src)};"},
    {"cp_async_4", "cp.async.ca.shared.global [{dst}], [{src}], 4, {present_bytes(src)};"},
    {"ldmatrix_x4", "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {dst}, [{src}];"},
    {"ldmatrix_x4_trans", "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {dst}, [{src}];"},
    {"ldmatrix_x2", "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {dst}, [{src}];"},
    {"ldmatrix_x2_trans", "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {dst}, [{src}];"},
    {"stmatrix_x4", "stmatrix.sync.aligned.m8n8.x4.shared.b16 [{dst}], {src};"},
    {"mma_m16n8k16_bf16",
     "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {c}, {a}, {b}, {c};"},
    {"mma_m16n8k16_f16", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {c}, {a}, {b}, {c};"},
    {"mma_m16n8k32_s8", "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {c}, {a}, {b}, {c};"},
    {"ldmatrix_x1", "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {{{dst}}}, [{src}];"},
    {"ldmatrix_x1_trans", "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {{{dst}}}, [{src}];"},
    {"mma_m16n8k32_u8", "mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {c}, {a}, {b}, {c};"},
    {"mma_m16n8k32_e4m3",
     "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {c}, {a}, {b}, {c};"},
    {"mma_m16n8k32_e5m2",
     "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32 {c}, {a}, {b}, {c};"},
    {"mma_m16n8k8_bf16",
     "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {c}, {a}, {{{b}}}, {c};"},
    {"mma_m16n8k8_f16", "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {c}, {a}, {{{b}}}, {c};"},
    {"mma_m16n8k16_s8", "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {c}, {a}, {{{b}}}, {c};"},
    {"ld_global_16", "ld.global.v4.b32 {dst}, [{src}];"},
    {"ld_global_8", "ld.global.v2.b32 {dst}, [{src}];"},
    {"ld_global_4", "ld.global.b32 {dst}, [{src}];"},
    {"st_global_16", "st.global.v4.b32 [{dst}], {src};"},
    {"st_global_8", "st.global.v2.b32 [{dst}], {src};"},
    {"st_global_4", "st.global.b32 [{dst}], {src};"},
    {"ld_shared_16", "ld.shared.v4.b32 {dst}, [{src}];"},
    {"ld_shared_8", "ld.shared.v2.b32 {dst}, [{src}];"},
    {"ld_shared_4", "ld.shared.b32 {dst}, [{src}];"},
    {"st_shared_16", "st.shared.v4.b32 [{dst}], {src};"},
    {"st_shared_8", "st.shared.v2.b32 [{dst}], {src};"},
    {"st_shared_4", "st.shared.b32 [{dst}], {src};"}};
} // namespace

TEST(InstrTexts, OfTheLibrary) {
  Library library;
  for (const auto &[name, text] : texts) {
    std::optional<instr::Instruction> instruction = library.lower(name, {});
    ASSERT_TRUE(instruction) << library.errors();
    EXPECT_EQ(instruction->ptx, text) << name;
  }
}

/// Every declaration with a text stands in the table.
TEST(InstrTexts, TableIsWhole) {
  auto buffer =
      llvm::MemoryBuffer::getFile(std::string(TESSERA_SOURCE_DIR) + "/lib/Std/instructions.tile");
  ASSERT_TRUE(bool(buffer));
  std::string source = (*buffer)->getBuffer().str(), name;
  const std::regex words("(^|\n)instr ([a-z0-9_]+)|\n    ptx \"");
  size_t found = 0;
  for (std::sregex_iterator at(source.begin(), source.end(), words), end; at != end; ++at) {
    if ((*at)[2].matched) {
      name = (*at)[2];
      continue;
    }
    EXPECT_EQ(texts.count(name), 1u) << name;
    ++found;
  }
  EXPECT_EQ(found, texts.size());
}

} // namespace tessera::testing
