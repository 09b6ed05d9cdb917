// A bounded run over random kernels, and planted errors that are found and reduced.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Testing/DeviceFuzz.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tessera;
using ::testing::HasSubstr;
using ::testing::StartsWith;

namespace {

/// Every instruction of one kind becomes another.
std::function<void(llvm::Module &)> planting(llvm::Instruction::BinaryOps from,
                                             llvm::Instruction::BinaryOps to) {
  return [=](llvm::Module &module) {
    llvm::SmallVector<llvm::BinaryOperator *> found;
    for (llvm::Function &function : module) {
      for (llvm::Instruction &instruction : llvm::instructions(function)) {
        auto *binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
        if (binary && binary->getOpcode() == from && binary->getType()->isIntegerTy(32)) {
          found.push_back(binary);
        }
      }
    }
    for (llvm::BinaryOperator *binary : found) {
      auto *other = llvm::BinaryOperator::Create(to, binary->getOperand(0), binary->getOperand(1),
                                                 "planted", binary->getIterator());
      binary->replaceAllUsesWith(other);
      binary->eraseFromParent();
    }
  };
}

size_t linesOf(const std::string &text) { return llvm::StringRef(text).count('\n'); }

TEST(DeviceFuzzTest, RandomKernelsHaveTheInterpretersBits) {
  DeviceFuzzer fuzzer;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    DeviceTrial trial = fuzzer.run(seed);
    EXPECT_EQ(trial.problem, "") << "seed " << seed << "\n" << trial.subject.text();
  }
  const DeviceCounts &counts = fuzzer.counts();
  // A run that looked at nothing would find nothing.
  EXPECT_GT(counts.launches, 60u) << counts.table();
  EXPECT_GT(counts.compared, 60u) << counts.table();
  EXPECT_LT(counts.noCode, 20u) << counts.table();
}

TEST(DeviceFuzzTest, PlantedErrorsAreFoundAndReduced) {
  DeviceFuzzOptions options;
  options.edit = planting(llvm::Instruction::Mul, llvm::Instruction::Add);
  DeviceFuzzer wrong(options);
  DeviceTrial found;
  for (uint64_t seed = 0; seed < 100 && found.problem.empty(); ++seed) {
    found = wrong.run(seed);
  }
  ASSERT_THAT(found.problem, ::testing::AnyOf(StartsWith("bits: "), StartsWith("fault: ")));
  DeviceTrial least = wrong.reduce(found);
  EXPECT_EQ(llvm::StringRef(least.problem).split(':').first,
            llvm::StringRef(found.problem).split(':').first);
  std::string text = least.subject.text();
  EXPECT_LT(linesOf(text), linesOf(found.subject.text()));
  EXPECT_LE(linesOf(text), 20u) << text;
  EXPECT_THAT(text, HasSubstr("kernel "));
  // It still shows the error, and nothing where there is none.
  EXPECT_NE(wrong.judge(least.subject).problem, "");
  EXPECT_EQ(DeviceFuzzer().judge(least.subject).problem, "") << text;
}

TEST(DeviceFuzzTest, ReductionKeepsWhatShowsNothing) {
  DeviceFuzzer fuzzer;
  DeviceTrial trial = fuzzer.run(0);
  ASSERT_EQ(trial.problem, "");
  EXPECT_EQ(fuzzer.reduce(trial).subject.kernel, trial.subject.kernel);
}

} // namespace
