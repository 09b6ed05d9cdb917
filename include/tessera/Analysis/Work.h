// How many operations a kernel does in a launch.
//
// Counted are multiplications and additions of `tile.mma`, and one operation for each element that an op of the elementwise
// table, a reduction or a scan makes or takes, of floats in tiles. Functions (`exp`) are one operation; casts, choices,
// comparisons, scalars and integers outside of products are none. Tiles that reach beyond an extent count as far as they are
// in it. What stands under conditions or in `while` is data, and left out: then the amount is a lower bound.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_ANALYSIS_WORK_H
#define TESSERA_ANALYSIS_WORK_H

#include "tessera/Analysis/Polynomial.h"
#include "tessera/Dialect/Tile/TileOps.h"

namespace tessera {

struct Work {
  /// Operations by element type: of products by that of the left operand or the precision, of other ops by that of the
  /// result, 16-bit floats as "f32", in which they are computed.
  std::map<std::string, Polynomial> products, others;
  bool isLeast = false; ///< something was left out

  void add(const Work &more, const Polynomial &times);
};

/// Of a kernel as it is written, before schedules. Nothing, and the reason, where loops end at what depends on the steps of
/// others and an extent that is open, or there are too many steps to follow.
std::optional<Work> workOf(tile::KernelOp kernel, std::string &reason);

} // namespace tessera

#endif // TESSERA_ANALYSIS_WORK_H
