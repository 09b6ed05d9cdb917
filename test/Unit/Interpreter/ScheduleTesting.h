// Scheduled kernels for tests: the same arrays for a plain kernel and its scheduled form, in order and under seeds.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TEST_UNIT_INTERPRETER_SCHEDULETESTING_H
#define TESSERA_TEST_UNIT_INTERPRETER_SCHEDULETESTING_H

#include "InterpreterTesting.h"

#include "tessera/Interpreter/Adversarial.h"

namespace tessera::interptest {

/// Instructions `@cp`, `@tma`, `@bulk` and `@wgmma`, each via its own way to memory.
extern const char *const instructions;

struct Schedule {
  struct In {
    std::string name, type;
    HostArray array;
  };
  struct Out {
    std::string name, type;
    Extents shape;
    std::string mode = "out";
  };
  std::vector<In> inputs;
  std::vector<Out> outputs; ///< begin as zeros where `inout`
  std::string body;
  std::string attributes = "";

  Schedule with(const std::string &newBody) const {
    Schedule other = *this;
    other.body = newBody;
    return other;
  }
  Schedule warps(const std::string &text) const {
    Schedule other = *this;
    other.attributes = text;
    return other;
  }
};

struct Outcome {
  RunReport report;
  Values values; ///< of all outputs
};

Outcome run(const Schedule &schedule, std::optional<uint64_t> seed = std::nullopt);
/// The scheduled form gives the bits of the plain one, in order and under `seeds` seeds.
void expectAgrees(const Schedule &scheduled, const Schedule &plain, uint64_t seeds = 50);
/// How many of `seeds` seeds end with an error of this code and no other.
unsigned timesFound(const Schedule &schedule, const std::string &code, uint64_t seeds = 20);

/// The text with a part replaced, which must be there exactly once.
std::string edit(std::string text, const std::string &part, const std::string &with);
/// Small numbers of no pattern, exact in bf16.
Values numbers(int64_t count, unsigned seed = 1);

} // namespace tessera::interptest

#endif // TESSERA_TEST_UNIT_INTERPRETER_SCHEDULETESTING_H
