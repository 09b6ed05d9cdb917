// From a kernel with distributions to one thread's LLVM module.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_CONVERSION_TILETOLLVM_H
#define TESSERA_CONVERSION_TILETOLLVM_H

#include "tessera/Conversion/Accesses.h"
#include "tessera/Dialect/Tile/TileOps.h"

#include "llvm/IR/Module.h"

#include <memory>

namespace tessera::convert {

/// What lowering found out about a kernel.
struct LoweredKernel {
  std::string symbol; ///< of the entry function
  int64_t threads = 0;
  int64_t sharedBytes = 0;
  /// Of these, behind the bufs: what ops use to move elements between threads, and the op that uses most.
  int64_t scratchBytes = 0;
  std::optional<mlir::Location> scratchAt;
};

/// The name of a kernel's entry: `rows.yes` is `rows$yes`.
std::string entryName(llvm::StringRef kernel);

/// Whether ops of this kind have code. One of them may still be refused: a type, a place.
bool hasDeviceCode(mlir::Operation *op);

/// Adds the entry function of a kernel to a module; errors are emitted at the op that has no code, and the function is then
/// left out. ABI: extents (i64); for each view its base (ptr addrspace(1)) and its strides in elements (i64 each); scalars by
/// value, i1 as i8. What the device does beyond arithmetic are markers (tessera/Device/Markers.h). With a report, what the
/// accesses cost is appended to it, and the markers carry its numbers.
mlir::FailureOr<LoweredKernel> lowerKernel(tile::KernelOp kernel, llvm::Module &module,
                                           AccessReport *report = nullptr);

} // namespace tessera::convert

#endif // TESSERA_CONVERSION_TILETOLLVM_H
