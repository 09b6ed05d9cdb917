// What the fuzzer of schedules must notice: primitives that are wrong on purpose.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/Primitive.h"
#include "tessera/Testing/ScheduleFuzz.h"

#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::schedule;

namespace {

template <class Op> Op firstOf(PrimitiveContext &context) {
  Op found;
  context.kernel().walk([&](Op op) { found = found ? found : op; });
  return found;
}

/// Another value: a product becomes a sum.
llvm::Expected<Value> spoil(PrimitiveContext &context, const HostCall &) {
  auto product = firstOf<tile::MulOp>(context);
  if (!product) {
    return context.refuse("none", "nothing to spoil", "");
  }
  mlir::RewriterBase &rewriter = context.rewriter();
  rewriter.setInsertionPoint(product);
  auto sum = tile::AddOp::create(rewriter, product.getLoc(), product.getType(),
                                 product->getOperand(0), product->getOperand(1));
  context.derive(sum, product);
  rewriter.replaceOp(product, sum->getResults());
  return Value();
}

/// Edits, and refuses then.
llvm::Expected<Value> leak(PrimitiveContext &context, const HostCall &) {
  tile::KernelOp kernel = context.kernel();
  context.rewriter().modifyOpInPlace(
      kernel, [&] { kernel->setAttr("tile.leaked", context.rewriter().getUnitAttr()); });
  return context.refuse("late", "too late", "");
}

/// Makes what the verifier refuses: a terminator is gone.
llvm::Expected<Value> breakIt(PrimitiveContext &context, const HostCall &) {
  auto loop = firstOf<tile::GridOp>(context);
  if (!loop || loop->getRegion(0).front().empty()) {
    return context.refuse("none", "nothing to break", "");
  }
  mlir::Operation *last = &loop->getRegion(0).front().back();
  context.rewriter().eraseOp(last);
  return Value();
}

/// Refuses what is right: nothing at all is edited under trust.
llvm::Expected<Value> shy(PrimitiveContext &context, const HostCall &) {
  Refusal refusal;
  refusal.code = "shy";
  refusal.message = "it is not known to hold";
  if (llvm::Error error = context.require(false, "nothing", refusal)) {
    return std::move(error);
  }
  return Value();
}

llvm::Expected<Value> idle(PrimitiveContext &context, const HostCall &) {
  context.note("nothing");
  return Value();
}

void add(PrimitiveRegistry &registry, const char *name,
         llvm::Expected<Value> (*run)(PrimitiveContext &, const HostCall &)) {
  script::Signature signature;
  signature.name = name;
  signature.takesScope = true;
  registry.add({std::move(signature), run});
}

const ScheduleKernel &scaled() { return scheduleKernels().front(); }

ScheduleTrial replay(const char *script, const char *name,
                     llvm::Expected<Value> (*run)(PrimitiveContext &, const HostCall &),
                     ScheduleCounts *counts = nullptr) {
  PrimitiveRegistry registry;
  add(registry, name, run);
  ScheduleFuzzOptions options;
  options.registry = &registry;
  ScheduleFuzzer fuzzer(scaled(), options);
  EXPECT_EQ(fuzzer.unusable(), "");
  ScheduleTrial trial = fuzzer.replay(script);
  if (counts) {
    *counts = fuzzer.counts();
  }
  return trial;
}

} // namespace

TEST(ScheduleOracle, SeesOtherBits) {
  ScheduleTrial trial = replay("schedule s on sm_80 { spoil() }", "spoil", spoil);
  EXPECT_EQ(trial.problem.rfind("bits: ", 0), 0u) << trial.problem;
  EXPECT_NE(trial.problem.find("at `spoil`"), std::string::npos) << trial.problem;
}

TEST(ScheduleOracle, SeesWhatARefusedCallLeavesBehind) {
  ScheduleTrial trial = replay("schedule s on sm_80 { try { leak() } else e { } }", "leak", leak);
  EXPECT_EQ(trial.problem.rfind("changed: a refused call changed the IR", 0), 0u) << trial.problem;
}

TEST(ScheduleOracle, SeesInvalidIR) {
  ScheduleTrial trial =
      replay("schedule s on sm_80 { try { break_it() } else e { } }", "break_it", breakIt);
  EXPECT_EQ(trial.problem.rfind("invalid: ", 0), 0u) << trial.problem;
}

TEST(ScheduleOracle, CountsNeedlessRefusals) {
  ScheduleCounts counts;
  ScheduleTrial trial =
      replay("schedule s on sm_80 { try { shy() } else e { } }", "shy", shy, &counts);
  EXPECT_EQ(trial.problem, "");
  EXPECT_EQ(counts.primitives["shy"].refused, 1u);
  EXPECT_EQ(counts.primitives["shy"].probed, 1u);
  EXPECT_EQ(counts.primitives["shy"].needless, 1u);
  EXPECT_NE(counts.table().find("shy"), std::string::npos);
}

TEST(ScheduleOracle, SaysWhereAScriptStops) {
  ScheduleTrial trial = replay("schedule s on sm_80 { idle(); nonsense() }", "idle", idle);
  EXPECT_EQ(trial.problem.rfind("script: ", 0), 0u) << trial.problem;
  EXPECT_EQ(replay("schedule s on sm_80 { idle() }", "idle", idle).problem, "");
}

TEST(ScheduleOracle, ShrinksToTheCallThatIsWrong) {
  PrimitiveRegistry registry;
  for (const char *name : {"idle", "still", "quiet", "calm"}) {
    add(registry, name, idle);
  }
  add(registry, "spoil", spoil);
  ScheduleFuzzOptions options;
  options.registry = &registry;
  ScheduleFuzzer fuzzer(scaled(), options);
  ScheduleTrial trial;
  bool isLong = false;
  for (uint64_t seed = 0; seed < 64 && !isLong; ++seed) {
    trial = fuzzer.run(seed);
    isLong = !trial.problem.empty() && llvm::StringRef(trial.script).count('\n') > 4;
  }
  ASSERT_TRUE(isLong) << "no seed spoils after other calls";
  ScheduleTrial least = fuzzer.shrink(trial);
  EXPECT_EQ(least.script, "schedule scaled on sm_80 {\n  spoil()\n}\n");
  EXPECT_EQ(least.problem.rfind("bits: ", 0), 0u) << least.problem;
}
