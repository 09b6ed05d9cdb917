// Random kernels for tests: well-typed `.tile` text from a seed, the same on every machine. A generated kernel runs
// without a checked error on any contents of its arguments.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TESTING_KERNELGENERATOR_H
#define TESSERA_TESTING_KERNELGENERATOR_H

#include <cstdint>
#include <map>
#include <string>

namespace tessera {

struct GeneratedKernel {
  std::string text; ///< a whole file with one kernel
  std::string name;
  std::map<std::string, int64_t> extents; ///< of a launch, 0 to 70
};

/// What a kernel has is drawn from: views of ranks 1 to 3 and all element types, grids of spans and indices, loops
/// (ascending, descending, carried), branches on scalars, `while`, all elementwise functions, casts with all modes,
/// reductions, scans, argmax, topk, products, gathers, scatters, atomics, absence, shapes, functions, structs,
/// references with folds.
GeneratedKernel generateKernel(uint64_t seed);

} // namespace tessera

#endif // TESSERA_TESTING_KERNELGENERATOR_H
