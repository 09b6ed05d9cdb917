// Scalars as kernels for a device, with what the exact system gives for their operands.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TEST_SCALARPROBE_H
#define TESSERA_TEST_SCALARPROBE_H

#include "ScalarTesting.h"

#include <functional>

namespace tessera::testing {

struct ProbeRow {
  std::string name;   ///< of the kernel: `add_f32`
  std::string module; ///< rows of one module are compiled together
  llvm::SmallVector<DType> in;
  DType out;
  std::function<llvm::Expected<llvm::Value *>(convert::ScalarLowering &, llvm::IRBuilderBase &,
                                              llvm::ArrayRef<llvm::Value *>)>
      emit;
  std::function<void(llvm::ArrayRef<Elements> in, Elements &out)> exact;

  /// Rows of the same types and arity share their operands.
  std::string inputs() const { return std::to_string(in.size()) + "_" + irName(in[0]).str(); }
};

/// Rows of the elementwise table (functions strict), comparisons, casts in every mode, steps of reductions.
std::vector<ProbeRow> probeRows();

/// The operands of `arity` columns of a type. Of 16 bits and less a single column has every pattern.
std::vector<Elements> probeInputs(DType type, unsigned arity);

/// One number for each `hashChunk` results, in which every bit and its place count and any NaN is any other.
constexpr size_t hashChunk = 1024;
std::vector<uint64_t> hashes(const Elements &results);

} // namespace tessera::testing

#endif // TESSERA_TEST_SCALARPROBE_H
