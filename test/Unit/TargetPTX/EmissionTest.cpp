// Entries that come one by one: the text is that of a module with all of them, on any number of threads.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Target/PTX/Emission.h"

#include "PTXTesting.h"

using namespace tessera::ptx;
using namespace tessera::ptx::testing;

namespace {
const std::string shared = "@tessera.smem = external addrspace(3) global [0 x i8], align 1024\n";

/// An entry that stores multiples of its argument.
std::string entry(const std::string &name, int factors, const std::string &more = "") {
  std::string text = "define void @" + name +
                     "(ptr addrspace(1) %g, i32 %i) \"tessera.threads\"=\"32\" {\n" + more;
  for (int k = 1; k <= factors; ++k) {
    std::string n = std::to_string(k);
    text += "%m" + n + " = mul i32 %i, " + std::to_string(2 * k + 1) + "\nstore i32 %m" + n +
            ", ptr addrspace(1) %g\n%a" + n +
            " = getelementptr i32, ptr addrspace(3) @tessera.smem, i32 %m" + n +
            "\nstore i32 %i, ptr addrspace(3) %a" + n + "\n";
  }
  return text + "ret void\n}\n";
}

void add(Emission &emission, const std::string &ir) {
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> module = parseModule(*context, ir);
  emission.add(std::move(context), std::move(module));
}

std::string textOf(llvm::Expected<std::string> text) {
  return text ? *text : "error: " + llvm::toString(text.takeError());
}
} // namespace

TEST(Emission, TextIsThatOfOneModule) {
  std::vector<std::string> entries;
  std::string whole = shared;
  for (int k : {3, 20, 1, 7, 12}) {
    entries.push_back(entry("e" + std::to_string(k), k));
    whole += entries.back();
  }
  std::string expected = emitText(whole, Arch::sm_80);
  EXPECT_EQ(expected.find("error"), std::string::npos);
  for (unsigned threads : {0, 1, 2, 3, 9}) {
    TargetOptions options;
    options.threads = threads;
    Emission emission(options);
    for (const std::string &each : entries) {
      add(emission, shared + each);
    }
    EXPECT_EQ(textOf(emission.finish()), expected) << threads;
  }
}

TEST(Emission, ErrorIsThatOfTheFirstEntryThatHasOne) {
  for (unsigned threads : {1, 4}) {
    TargetOptions options;
    options.threads = threads;
    Emission emission(options);
    add(emission, shared + entry("good", 30));
    add(emission, shared + "declare void @tessera.first()\n" +
                      entry("bad", 1, "call void @tessera.first()\n"));
    add(emission, shared + "declare void @tessera.second()\n" +
                      entry("worse", 1, "call void @tessera.second()\n"));
    EXPECT_THAT(textOf(emission.finish()), ::testing::HasSubstr("`tessera.first` is not known"));
  }
}

/// Products of 8-bit floats need a version that the other entries do not; it holds wherever the entry stands.
TEST(Emission, VersionIsTheHighest) {
  std::string late =
      "declare <4 x i32> @tessera.i.x(<4 x i32>, <2 x i32>, <4 x i32>, i1) #0\nattributes #0 = { "
      "convergent nounwind willreturn "
      "\"tessera.ptx\"=\"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 "
      "{c}, {a}, {b}, {c};\" "
      "\"tessera.operands\"=\"a:frag:in:16:f8E4M3FN,b:frag:in:8:f8E4M3FN,c:frag:inout:4:f32\" "
      "\"tessera.scope\"=\"warp\" }\n" +
      entry("late", 1,
            "%v = call <4 x i32> @tessera.i.x(<4 x i32> <i32 1, i32 2, i32 3, i32 4>, <2 x i32> "
            "<i32 5, i32 6>, "
            "<4 x i32> zeroinitializer, i1 true)\nstore <4 x i32> %v, ptr addrspace(1) %g, align "
            "16\n");
  for (bool isFirst : {false, true}) {
    TargetOptions options;
    options.arch = Arch::sm_90a;
    Emission emission(options);
    add(emission, shared + (isFirst ? late : entry("early", 2)));
    add(emission, shared + (isFirst ? entry("early", 2) : late));
    EXPECT_THAT(textOf(emission.finish()), ::testing::HasSubstr(".version 8.4")) << isFirst;
  }
}

/// Somebody who meets an error of their own goes without a text; reasons of entries that had begun go with them.
TEST(Emission, WhatIsNotFinishedIsDropped) {
  for (unsigned threads : {1, 2}) {
    TargetOptions options;
    options.threads = threads;
    Emission emission(options);
    add(emission, shared + "declare void @tessera.first()\n" +
                      entry("bad", 1, "call void @tessera.first()\n"));
    add(emission, shared + entry("good", 3));
  }
}
