// Kernels by hand, plain and scheduled: a copy, a row softmax, the product of two matrices for sm_80 and for sm_90, and
// attention. They are the worked forms of schedules in small.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TEST_UNIT_INTERPRETER_SCHEDULEKERNELS_H
#define TESSERA_TEST_UNIT_INTERPRETER_SCHEDULEKERNELS_H

#include "ScheduleTesting.h"

namespace tessera::interptest {

/// y = x through a buf of a CTA, 4 rows a point; the last point is short.
Schedule plainCopy();
Schedule stagedCopy();

/// Softmax of rows of 12 in tiles of 16: absent columns.
Schedule plainSoftmax();
Schedule stagedSoftmax();

/// d = a b, 24 x 20 x 43 in tiles of 16 x 16 x 8.
Schedule plainGemm();
/// cp.async copies, a ring of 3, a load section that leads by 2, the result staged over the operands.
Schedule pipelinedGemm();
/// Roles, persistent tasks, an mbarrier ring of 4, products that run on for a step, stores out of a bulk ring.
Schedule rolesGemm();

/// One head, 16 queries a point, 40 keys in blocks of 8.
Schedule plainAttention();
/// Rings for keys and values; scores of the next block are made a step ahead and cross to their use.
Schedule pipelinedAttention();

} // namespace tessera::interptest

#endif // TESSERA_TEST_UNIT_INTERPRETER_SCHEDULEKERNELS_H
