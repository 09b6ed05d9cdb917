// How many CTAs of a kernel an SM has at a time, where that is known before the assembler has counted registers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_CONVERSION_DEVICEMODULE_RESIDENT_H
#define TESSERA_CONVERSION_DEVICEMODULE_RESIDENT_H

#include "tessera/Conversion/TileToLLVM.h"

namespace tessera::convert {

/// Where shared memory leaves room for one CTA alone, registers that a thread does without serve nobody. The assembler does not
/// know what a launch asks for: it holds code of chained products to three quarters of the registers, and then computes all
/// exponentials of a step before the second product begins. Told that one CTA is enough, it interleaves the two.
void stateResident(tile::KernelOp kernel, const LoweredKernel &code, llvm::Module &module,
                   llvm::StringRef target);

} // namespace tessera::convert

#endif // TESSERA_CONVERSION_DEVICEMODULE_RESIDENT_H
