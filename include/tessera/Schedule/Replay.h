// Runs of refused steps: the kernel before against the kernel after, as a machine would run it that means harm.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_SCHEDULE_REPLAY_H
#define TESSERA_SCHEDULE_REPLAY_H

#include "tessera/Schedule/Primitive.h"

namespace tessera::schedule {

/// Runs both kernels on the sizes of the witness, where it has any, and on sizes about those of the kernel's tiles, with
/// integers and with all kinds of values (infinities, NaN). The kernel before the step runs in order, the one after it under
/// the adversary with several seeds. A size counts only if the kernel before it passes the same runs. Deterministic.
ReplayResult replayUnderAdversary(const ReplayRequest &request);

} // namespace tessera::schedule

#endif // TESSERA_SCHEDULE_REPLAY_H
