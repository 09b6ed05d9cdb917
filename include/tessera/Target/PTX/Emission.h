// PTX of entries that are made one after another: each is compiled on a thread while the next ones are made.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TARGET_PTX_EMISSION_H
#define TESSERA_TARGET_PTX_EMISSION_H

#include "tessera/Target/PTX/EmitPTX.h"

#include <memory>

namespace llvm {
class LLVMContext;
} // namespace llvm

namespace tessera::ptx {

/// What `emitPTX` makes of a module with all these entries, without that module: nothing has to be taken apart. One at a time
/// may exist, and no `emitPTX` may run beside it: what the code generator says to the process is caught for its life.
class Emission {
public:
  explicit Emission(const TargetOptions &options);
  /// What has not been begun is dropped, what has is waited for.
  ~Emission();
  Emission(const Emission &) = delete;
  Emission &operator=(const Emission &) = delete;

  /// The next module, in a context of its own. Its text begins at once where `options.threads` leaves a thread for it.
  void add(std::unique_ptr<llvm::LLVMContext> context, std::unique_ptr<llvm::Module> module);
  /// The text of all, in the order in which they were added, or the error of the first that has one. The caller's thread
  /// takes part. To be called once.
  llvm::Expected<std::string> finish(EmitTimes *times = nullptr);

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace tessera::ptx

#endif // TESSERA_TARGET_PTX_EMISSION_H
