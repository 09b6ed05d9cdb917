// The checks of a run: outputs against the reference within the tolerance, and the body in f64 against the reference,
// where no tolerance hides a wrong algorithm.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_RUNNER_VERIFICATION_H
#define TESSERA_LIB_RUNNER_VERIFICATION_H

#include "Launch.h"

#include "tessera/Check/Compare.h"

namespace tessera {

/// How one output compares.
struct OutputCheck {
  std::string name;
  CompareKind kind = CompareKind::exact;
  CompareResult result;
  /// Where the body writes it, if it does.
  std::optional<mlir::Location> where;
};

class Verification {
public:
  explicit Verification(Launch &launch) : launch(launch) {}

  /// Evaluates reference and tolerance; to be called before the run, which may change what they read.
  llvm::Error prepare();

  /// Compares the outputs after a run without errors.
  llvm::Error compare(const RunReport &run);

  /// Runs the body in f64 and compares; `run` receives its report. Nothing is done where `f64Excuse` says why not.
  llvm::Error compareWide(const RunOptions &options, RunReport &run);

  /// Why there is no check in f64, empty if there is one.
  std::string f64Excuse() const;

  /// What was compared so far, passed or not.
  const std::vector<OutputCheck> &checks() const { return outputs; }
  bool passed() const;
  /// The bound that the kernel's tolerance gives an output, once prepared; null for `exact`.
  const FormulaArray *boundOf(llvm::StringRef output) const { return tolerance.find(output); }
  /// Elements of the arrays of the reference.
  uint64_t referenceElements() const;

private:
  llvm::Error compareOutput(unsigned index, llvm::ArrayRef<uint8_t> written);
  llvm::Error compareWideOutput(unsigned index, const HostArray &got,
                                llvm::ArrayRef<uint8_t> written, const FormulaResult &expected);
  llvm::Expected<HostArray> wideArray(const LaunchArgument &argument) const;
  std::vector<uint8_t> writtenFlags(unsigned index, const RunReport &run,
                                    const FormulaArray *reference) const;

  Launch &launch;
  FormulaResult reference, tolerance;
  /// The reference with all floats as f64, where that is another one.
  std::optional<FormulaResult> wideReference;
  /// Arrays for the run in f64, one per written argument.
  std::vector<HostArray> wide;
  std::vector<OutputCheck> outputs;
};

/// Reports an output that is wrong: how much of it, where it is written, its first and its worst element.
void reportCheck(const OutputCheck &check, const Launch &launch, Reporter &reporter);

/// What becomes of values out of range in the last cast before the stores to an argument.
Overflow finalOverflow(tile::KernelOp kernel, const LaunchArgument &argument);

/// All elements in index order.
std::vector<double> toDoubles(const HostArray &array);

/// Where the body stores to an argument first; nothing if it never does.
std::optional<mlir::Location> storeLocation(tile::KernelOp kernel, llvm::StringRef argument);

} // namespace tessera

#endif // TESSERA_LIB_RUNNER_VERIFICATION_H
