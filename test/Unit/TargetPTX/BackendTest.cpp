// Passes of the backend that are left out: what they would make of a module is not in its text.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PTXTesting.h"

using namespace tessera::ptx;
using namespace tessera::ptx::testing;

namespace {
/// Stores `%n` at multiples of a stride behind one another: strength reduction would make each address of the one before.
TEST(Backend, MultiplesOfAStrideAreNoChain) {
  std::string body;
  for (int factor : {3, 5, 7}) {
    std::string number = std::to_string(factor);
    body += "%m" + number + " = mul i32 %i, " + number + "\n%s" + number + " = add i32 %j, %m" +
            number + "\nstore volatile i32 %s" + number + ", ptr addrspace(1) %g\n";
  }
  std::string text = emitByLLVM(kernel("%j = load volatile i32, ptr addrspace(1) %c\n" + body));
  for (std::string factor : {"3", "5", "7"}) {
    EXPECT_TRUE(hasInOrder(text, {"m(ul|ad)\\.lo\\.s32 .*, " + factor + "[,;]"}));
  }
}

/// What a step of a loop multiplies it multiplies: one register for the step, none for each of its multiples.
TEST(Backend, MultiplesOfAStepAreNotCarried) {
  std::string text =
      emitByLLVM(kernel("br label %loop\nloop:\n%k = phi i32 [ 0, %0 ], [ %k1, %loop ]\n"
                        "%m = mul i32 %k, %i\nstore volatile i32 %m, ptr addrspace(1) %g\n"
                        "%k1 = add i32 %k, 1\n%more = icmp slt i32 %k1, %i\n"
                        "br i1 %more, label %loop, label %done\ndone:"));
  EXPECT_TRUE(hasInOrder(text, {"BB0_[0-9]+:", "mul\\.lo\\.s32", "st\\.", "bra"}));
}

/// Layouts say how wide an access is.
TEST(Backend, NeighboursAreNotJoined) {
  std::string text = emitByLLVM(kernel("%second = getelementptr i8, ptr addrspace(1) %g, i64 4\n"
                                       "store i32 %i, ptr addrspace(1) %g, align 8\n"
                                       "store i32 %i, ptr addrspace(1) %second, align 4\n"));
  EXPECT_TRUE(hasInOrder(text, {"st\\.global\\.b32", "st\\.global\\.b32"}));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr(".v2")));
}
} // namespace
