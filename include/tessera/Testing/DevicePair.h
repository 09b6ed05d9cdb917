// Device code of a kernel beside the interpreter: made once, run on the simulator for launches of any extents, compared bit for
// bit where the kernel leaves nothing open.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TESTING_DEVICEPAIR_H
#define TESSERA_TESTING_DEVICEPAIR_H

#include "tessera/Interpreter/KernelRun.h"

#include "mlir/IR/BuiltinOps.h"

#include <functional>
#include <memory>

namespace llvm {
class Module;
} // namespace llvm

namespace tessera {

struct DevicePairOptions {
  std::string target = "sm_80";
  /// Kernels that have no schedule get the library's.
  bool scheduleByDefault = true;
  /// Changes the code before it runs: tests plant errors.
  std::function<void(llvm::Module &)> edit;
};

/// What a launch showed.
struct DeviceOutcome {
  enum Kind : uint8_t {
    same,    ///< of what can be compared
    skipped, ///< the source has an error of its own here, or the shapes are too large
    refused, ///< the launch record does not take the arguments
    differs, ///< other bits
    faults   ///< the simulator has seen an error
  };
  Kind kind = same;
  std::string text;                ///< what differs, what was seen, why not
  unsigned compared = 0, open = 0; ///< outputs: compared, and such whose class is open
  bool isWrong() const { return kind == differs || kind == faults; }
};

class DevicePair {
public:
  /// `source` is what the interpreter runs; `module` has the kernel of that name that becomes device code: the source's own, or a
  /// scheduled one with its versions. Both must outlive the pair. Null with the reason in `problem` where no code can be made.
  static std::unique_ptr<DevicePair> make(tile::KernelOp source, mlir::ModuleOp module,
                                          const DevicePairOptions &options, std::string &problem);
  ~DevicePair();

  DeviceOutcome compare(const std::map<std::string, int64_t> &extents, uint64_t seed,
                        RunContents contents = RunContents::any);

private:
  struct Impl;
  explicit DevicePair(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace tessera

#endif // TESSERA_TESTING_DEVICEPAIR_H
