// What is read out of ptxas' log: resources, messages, places.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "tessera/Target/PTX/Ptxas.h"

#include <random>

using namespace tessera::ptx;

namespace {
TEST(PtxasLog, Resources) {
  PtxasLog log = parsePtxasLog(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'add' for 'sm_90a'\n"
      "ptxas info    : Function properties for add\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 22 registers, used 0 barriers, 384 bytes cmem[0]\n"
      "ptxas info    : Compile time = 33.559 ms\n"
      "ptxas info    : Compiling entry function 'big' for 'sm_90a'\n"
      "ptxas info    : Function properties for big\n"
      "    96 bytes stack frame, 104 bytes spill stores, 112 bytes spill loads\n"
      "ptxas info    : Used 168 registers, used 3 barriers, 96 bytes cumulative stack size, "
      "49152 bytes smem\n");
  ASSERT_EQ(log.kernels.size(), 2u);
  EXPECT_TRUE(log.messages.empty());
  const KernelResources *add = log.kernel("add"), *big = log.kernel("big");
  ASSERT_TRUE(add && big);
  EXPECT_EQ(add->registers, 22u);
  EXPECT_FALSE(add->spills());
  EXPECT_EQ(big->registers, 168u);
  EXPECT_EQ(big->barriers, 3u);
  EXPECT_EQ(big->sharedBytes, 49152u);
  EXPECT_EQ(big->stackBytes, 96u);
  EXPECT_EQ(big->spillStoreBytes, 104u);
  EXPECT_EQ(big->spillLoadBytes, 112u);
  EXPECT_EQ(
      log.report(),
      "kernel add: 22 registers, 0 barriers, 0 bytes static shared memory, no spills, 0 bytes "
      "stack\n"
      "kernel big: 168 registers, 3 barriers, 49152 bytes static shared memory, 104 bytes spill "
      "stores, 112 bytes spill loads, 96 bytes stack\n");
  EXPECT_EQ(log.kernel("none"), nullptr);
}

TEST(PtxasLog, Errors) {
  PtxasLog log = parsePtxasLog(
      "ptxas /x/b, line 3.ptx, line 12; error   : Illegal operand type to instruction 'ld'\n"
      "ptxas b.ptx, line 15; fatal   : Parsing error near '}': syntax error\n"
      "ptxas fatal   : Ptx assembly aborted due to errors\n"
      "ptxas warning : Unresolved extern variable 'x'\n");
  ASSERT_EQ(log.messages.size(), 4u);
  EXPECT_EQ(log.messages[0].severity, PtxasMessage::error);
  EXPECT_EQ(log.messages[0].ptxLine, 12u);
  EXPECT_EQ(log.messages[0].text, "Illegal operand type to instruction 'ld'");
  EXPECT_EQ(log.messages[1].severity, PtxasMessage::fatal);
  EXPECT_EQ(log.messages[1].ptxLine, 15u);
  EXPECT_EQ(log.messages[1].text, "Parsing error near '}': syntax error");
  EXPECT_EQ(log.messages[2].severity, PtxasMessage::fatal);
  EXPECT_EQ(log.messages[2].ptxLine, 0u);
  EXPECT_EQ(log.messages[3].severity, PtxasMessage::warning);
}

TEST(PtxasLog, BrokenPromises) {
  PtxasLog log = parsePtxasLog(
      "ptxas info    : (C7508) Potential Performance Loss: 'setmaxnreg' ignored; unable to "
      "determine "
      "register count at entry.\n"
      "ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are "
      "serialized "
      "due to wgmma pipeline crossing function boundary at a function call in the function 'k'\n"
      "ptxas info    : Potential Performance Loss: wgmma.mma_async instructions are serialized due "
      "to x\n"
      "ptxas info    : (C7602) register target of 154 or higher\n"
      "ptxas info    : (C7509) something else\n"
      "ptxas info    : (C7520) something else\n"
      "ptxas info    : a note\n");
  ASSERT_EQ(log.messages.size(), 7u);
  EXPECT_EQ(log.messages[1].code, "C7510");
  for (size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(log.messages[i].breaksPromise(), i < 4) << log.messages[i].text;
  }
}

const char *ptx = ".version 8.0\n"                                     // 1
                  ".visible .entry a()\n"                              // 2
                  "{\n"                                                // 3
                  "\t.loc\t1 7 3\n"                                    // 4
                  "\tret;\n"                                           // 5
                  "\t.loc 2 9 0, function_name $x, inlined_at 1 7 3\n" // 6
                  "\tret;\n"                                           // 7
                  "}\n"                                                // 8
                  ".visible .entry b()\n"                              // 9
                  "{\n"                                                // 10
                  "\tret;\n"                                           // 11
                  "}\n"
                  "\t.file\t1 \"/src/k.tile\"\n"
                  "\t.file\t2 \"/src/math.tile\"\n";

TEST(PtxasLog, SourceOfALine) {
  EXPECT_EQ(sourceOfPtxLine(ptx, 5).text(), "/src/k.tile:7:3");
  EXPECT_EQ(sourceOfPtxLine(ptx, 4).text(), "/src/k.tile:7:3");
  EXPECT_EQ(sourceOfPtxLine(ptx, 7).text(), "/src/math.tile:9:0");
  EXPECT_EQ(sourceOfPtxLine(ptx, 3).text(), "");
  EXPECT_EQ(sourceOfPtxLine(ptx, 11).text(), "") << "of another kernel";
  EXPECT_EQ(sourceOfPtxLine(ptx, 0).text(), "");
  EXPECT_EQ(sourceOfPtxLine("", 5).text(), "");
}

/// Whatever a later ptxas prints, reading it ends.
TEST(PtxasLog, AnyTextIsRead) {
  std::mt19937 random(1);
  const char *pieces[] = {"ptxas ", "info    : ", " : ",
                          "(C75",   ")",          ", line ",
                          ";",      "12",         "error",
                          "Used ",  " registers", "bytes stack frame",
                          "\n",     "'",          "Function properties for "};
  for (int run = 0; run < 2000; ++run) {
    std::string text;
    for (int i = 0; i < 12; ++i) {
      text += pieces[random() % std::size(pieces)];
    }
    PtxasLog log = parsePtxasLog(text);
    EXPECT_LE(log.messages.size(), 13u);
    sourceOfPtxLine(text, random() % 20);
  }
}
} // namespace
