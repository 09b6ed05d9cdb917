// Parts of the prediction of accesses: which threads act, sums over instructions, numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_CONVERSION_TILETOLLVM_ACCESSCOUNTS_H
#define TESSERA_LIB_CONVERSION_TILETOLLVM_ACCESSCOUNTS_H

#include "Accesses.h"

#include "tessera/Conversion/Accesses.h"
#include "tessera/Layout/Access.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tessera::convert {

/// Appends to the report.
llvm::MDNode *number(Lowering &l, AccessCost access);
/// Widths and number of instructions filled in.
AccessCost accessOf(const Touch &touch, const llvm::Twine &memory, bool isShared);

class Actors {
public:
  Actors(Lowering &l, const Touch &touch);

  /// Whether every thread acts in every instruction.
  bool areAll() const;
  /// The coordinates of a thread's piece; nothing for a thread that does not act there.
  std::optional<Coords> at(int64_t lane, int64_t warp, const Piece &piece) const;

private:
  Lowering &l;
  const Touch &touch;
  bool isElected = false;
};

/// A lane in one instruction: the first byte, nothing where it does not act.
struct LaneAccess {
  std::optional<int64_t> first;
  int64_t bytes = 1;
};
AccessCounts countAll(Lowering &l, int64_t instructions, bool isShared,
                      llvm::function_ref<LaneAccess(int64_t lane, int64_t warp, int64_t i)> access);

} // namespace tessera::convert

#endif // TESSERA_LIB_CONVERSION_TILETOLLVM_ACCESSCOUNTS_H
