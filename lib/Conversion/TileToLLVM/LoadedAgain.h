// Elements that may be loaded a second time instead of being held.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_CONVERSION_TILETOLLVM_LOADEDAGAIN_H
#define TESSERA_LIB_CONVERSION_TILETOLLVM_LOADEDAGAIN_H

#include "Lowering.h"

#include <functional>

namespace tessera::convert {

/// What loads element i of these registers, which a launch does not write, by its number, an i32; null where they are not loads
/// without a guard from places that follow from the bits of i.
std::function<llvm::Value *(llvm::Value *number)> loadedAgain(Lowering &l,
                                                              llvm::ArrayRef<llvm::Value *> regs);

} // namespace tessera::convert

#endif // TESSERA_LIB_CONVERSION_TILETOLLVM_LOADEDAGAIN_H
