// Random schedules: sequences of calls of primitives on small kernels, and what must hold after every one of them.
//
//   accepted    the kernel in order gives the source kernel's bits; the verifier passes (the host asks it)
//   refused     IR, ledger and cursors are as they were
//   sealed      runs under the adversary have no error and give the same bits
//
// A sequence is a script: what goes wrong is replayed from its text, and shrunk by leaving calls out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_TESTING_SCHEDULEFUZZ_H
#define TESSERA_TESTING_SCHEDULEFUZZ_H

#include "tessera/Interpreter/KernelRun.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tessera {

namespace schedule {
class PrimitiveRegistry;
} // namespace schedule

/// A kernel that schedules are tried on.
struct ScheduleKernel {
  std::string name, text;
  /// Extents of launches. Those with no extent above 8 judge whether a refusal was needed.
  std::vector<std::map<std::string, int64_t>> sizes;
  /// Integers where the source leaves an order open: then every order is exact.
  RunContents contents = RunContents::any;
};

/// Elementwise, normalised rows, products with a loop, two products in a loop, reductions, update in place, scan, transposed
/// copy, columns by a loop, filled rows.
const std::vector<ScheduleKernel> &scheduleKernels();
/// A generated kernel: a product, a chain of products or rows with sizes of its own, or any (KernelGenerator.h) with the
/// extents that it is made for.
ScheduleKernel generatedScheduleKernel(uint64_t seed);

/// What became of the calls of one primitive.
struct PrimitiveCounts {
  unsigned accepted = 0;
  unsigned refused = 0; ///< a condition does not hold
  unsigned gone = 0;    ///< a cursor is dead, ambiguous, or finds nothing
  unsigned probed = 0;  ///< of the refused: done under `trust`, on the side
  /// Of the probed: no run, in order or under the adversary, showed a difference.
  unsigned needless = 0;
  std::map<std::string, unsigned> codes; ///< of the refused: which condition
};

struct ScheduleCounts {
  std::map<std::string, PrimitiveCounts> primitives;
  unsigned sequences = 0, sealed = 0, unsealed = 0;
  /// Of the unsealed: nothing was found by the adversary.
  unsigned quiet = 0;
  unsigned runs = 0, adversarialRuns = 0;

  void add(const ScheduleCounts &other);
  /// One line for each primitive, and the sums.
  std::string table() const;
  /// One line for each condition that refused something.
  std::string conditions() const;
};

struct ScheduleFuzzOptions {
  unsigned maxCalls = 12;
  /// Of the refusals of a sequence so many are probed under `trust`.
  unsigned maxProbes = 2;
  unsigned adversarialSeeds = 4;
  /// Expressions and statements that a replayed script may evaluate.
  uint64_t maxScriptSteps = 4u << 20;
  /// Every size after every call, as replays do.
  bool allSizes = false;
  std::string target = "sm_80";
  /// What scripts may call; null: all primitives.
  const schedule::PrimitiveRegistry *registry = nullptr;
  /// Gets the text of each call before it is made: what a crash was about.
  std::function<void(llvm::StringRef)> onCall;
};

/// One sequence and what it showed.
struct ScheduleTrial {
  /// Empty: nothing. Else a word (`bits`, `errors`, `invalid`, `changed`, `sealed`, `script`), a colon, and the rest.
  std::string problem;
  std::string script; ///< a whole `.sched` file
  std::string result; ///< the module at the end, as text
};

/// Tries schedules on one kernel.
class ScheduleFuzzer {
public:
  ScheduleFuzzer(ScheduleKernel kernel, ScheduleFuzzOptions options = {});
  ~ScheduleFuzzer();

  /// Why the kernel cannot be used: it does not compile, or its runs fail. Empty if it can.
  const std::string &unusable() const;
  /// The sequence of a seed.
  ScheduleTrial run(uint64_t seed);
  /// A script, judged after each of its calls. `problem` begins with `script` where the script itself stops.
  ScheduleTrial replay(llvm::StringRef script);
  /// The least script found that shows a problem of the same first word.
  ScheduleTrial shrink(const ScheduleTrial &trial);
  const ScheduleCounts &counts() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tessera

#endif // TESSERA_TESTING_SCHEDULEFUZZ_H
