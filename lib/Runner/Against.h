// Outputs of device code against those of the interpreter: bit for bit where the kernel leaves nothing open, else within the
// written bound.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_RUNNER_AGAINST_H
#define TESSERA_LIB_RUNNER_AGAINST_H

#include "Verification.h"

#include "tessera/Analysis/NumericClass.h"

namespace tessera {

/// How one output compares with the interpreter's.
struct AgainstCheck {
  OutputCheck output;
  ClassAndCause numericClass;
  /// Why nothing was compared; empty if something was.
  std::string excuse;

  /// `bit for bit (tree)`, `within its bound (dot at x.tile:3:7)`, `not compared (any at x.tile:3:7): …`.
  std::string how() const;
};

class Against {
public:
  /// `verification`, where it has been prepared, knows what the kernel promises.
  Against(Launch &launch, const Verification &verification)
      : launch(launch), verification(verification) {}

  /// Interprets the launch on copies of what is written; to be called before the run.
  llvm::Expected<RunReport> interpretFirst(RunOptions order);

  /// Compares the outputs after the run.
  llvm::Error compare(const RunReport &run);

  const std::vector<AgainstCheck> &checks() const { return outputs; }
  bool passed() const;
  /// Reports what differs.
  void report(Reporter &reporter) const;
  /// How each output was compared, as one line: `x, y bit for bit (tree); z within its bound (any at …)`.
  std::string summary() const;

private:
  llvm::Expected<CompareResult> compareOutput(const LaunchArgument &argument,
                                              const HostArray &expected, const FormulaArray *bound,
                                              const ElementFlags &flags) const;

  Launch &launch;
  const Verification &verification;
  std::vector<HostArray> copies; ///< one per written argument
  std::vector<std::vector<bool>> written;
  std::vector<AgainstCheck> outputs;
};

} // namespace tessera

#endif // TESSERA_LIB_RUNNER_AGAINST_H
