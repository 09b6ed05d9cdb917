// Scheduled kernels for tests.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScheduleTesting.h"

using namespace tessera;
using namespace tessera::interptest;

static std::string instruction(const std::string &name, const std::string &via) {
  return "tile.instr @" + name + " on \"sm_80\" scope thread order exact via " + via +
         R"( operands [
    {name = "dst", kind = "smem", out, align = 16 : i64, contiguous},
    {name = "src", kind = "view", align = 16 : i64, contiguous}] ptx "" {
  ^bb0(%dst: tensor<8xbf16>, %src: tensor<8xbf16>):
    %zero = tile.constant 0.0 : bf16 tensor<8xbf16>
    %0 = tile.fill_absent %src, %zero : tensor<8xbf16>
    tile.yield %0 : tensor<8xbf16>
  }
)";
}

static const std::string allInstructions =
    instruction("cp", "cp_async") + instruction("tma", "tma") + instruction("bulk", "bulk") +
    instruction("wgmma", "wgmma") + instruction("plain", "generic");
const char *const interptest::instructions = allInstructions.c_str();

Outcome interptest::run(const Schedule &schedule, std::optional<uint64_t> seed) {
  TestKernel kernel;
  kernel.before(instructions).attributes(schedule.attributes);
  RunOptions options;
  options.adversarial = seed;
  kernel.with(options);
  for (const Schedule::In &in : schedule.inputs) {
    kernel.in(in.name, in.type, in.array);
  }
  std::vector<HostArray> outputs;
  for (const Schedule::Out &out : schedule.outputs) {
    DType dtype = dtypeNamed(llvm::StringRef(out.type).rsplit('x').second);
    if (out.mode == "inout") {
      outputs.push_back(llvm::cantFail(HostArray::allocate(dtype, out.shape)));
      kernel.inout(out.name, out.type, outputs.back());
    } else {
      outputs.push_back(outputOf(dtype, out.shape));
      kernel.out(out.name, out.type, outputs.back());
    }
  }
  Outcome outcome;
  outcome.report = kernel.run(schedule.body);
  for (const HostArray &array : outputs) {
    Values values = valuesOf(array);
    outcome.values.insert(outcome.values.end(), values.begin(), values.end());
  }
  return outcome;
}

void interptest::expectAgrees(const Schedule &scheduled, const Schedule &plain, uint64_t seeds) {
  Outcome expected = run(plain);
  ASSERT_TRUE(expected.report.succeeded()) << explain(expected.report);
  Outcome inOrder = run(scheduled);
  ASSERT_TRUE(inOrder.report.succeeded()) << "in order: " << explain(inOrder.report);
  EXPECT_TRUE(same(inOrder.values, expected.values)) << "in order";
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Outcome found = run(scheduled, seed);
    ASSERT_TRUE(found.report.succeeded()) << "seed " << seed << ": " << explain(found.report);
    ASSERT_TRUE(same(found.values, expected.values)) << "seed " << seed;
  }
}

unsigned interptest::timesFound(const Schedule &schedule, const std::string &code, uint64_t seeds) {
  unsigned times = 0;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Outcome outcome = run(schedule, seed);
    bool only = !outcome.report.errors.empty();
    for (const std::string &other : codes(outcome.report.errors)) {
      only &= other == code;
    }
    EXPECT_TRUE(only || outcome.report.succeeded()) << explain(outcome.report);
    times += only;
  }
  return times;
}

std::string interptest::edit(std::string text, const std::string &part, const std::string &with) {
  size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  EXPECT_EQ(text.find(part, at + 1), std::string::npos) << part << " is there twice";
  return at == std::string::npos ? text : text.replace(at, part.size(), with);
}

Values interptest::numbers(int64_t count, unsigned seed) {
  Values values;
  uint64_t state = seed * 2654435761u + 1;
  for (int64_t i = 0; i < count; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    values.push_back(double(int(state >> 33) % 64) / 8.0);
  }
  return values;
}
