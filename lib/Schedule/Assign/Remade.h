// Values that are made once more rather than moved between threads.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_SCHEDULE_ASSIGN_REMADE_H
#define TESSERA_LIB_SCHEDULE_ASSIGN_REMADE_H

#include "Prefer.h"

namespace tessera::schedule {

/// The distribution an operand must have for the result to have `want`; null where the op does not say.
std::optional<Dist> operandFor(mlir::Operation *op, unsigned operand, const Dist &want);

/// Whether a value is to be made once more in a distribution rather than moved to it from the one that it has by itself.
bool isCheaperToMake(Preferences &prefer, mlir::Value value, const Dist &want);

} // namespace tessera::schedule

#endif // TESSERA_LIB_SCHEDULE_ASSIGN_REMADE_H
