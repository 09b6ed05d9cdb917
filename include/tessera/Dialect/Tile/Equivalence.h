//===- Equivalence.h - whether two kernels are the same program -*- C++ -*-===//
//
// Structural equality of kernels, for everything that prints and reads them
// again: two kernels that are equivalent have the same meaning.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_TILE_EQUIVALENCE_H
#define TESSERA_DIALECT_TILE_EQUIVALENCE_H

#include "tessera/Dialect/Tile/TileOps.h"

#include <optional>
#include <string>

namespace tessera::tile {

/// The first place where two kernels differ. The ops are those that were compared there: null where one kernel has no
/// op, the kernels themselves for a difference in their heads.
struct KernelDifference {
  std::string text; ///< what differs, one line
  mlir::Operation *first = nullptr;
  mlir::Operation *second = nullptr;

  /// The text, then both ops without their regions, three lines.
  void print(llvm::raw_ostream &os) const;
};

/// Compares two kernels of one context op by op, in order. Nothing means that they are equivalent. Not compared are
///
///  - locations, names of values, `instance`, `missing`, and discardable attributes (`tile.exact`) but those of a schedule
///    (`tile.iter`, `tile.warps`, `tile.cluster`, `tile.roles`);
///  - where a constant stands and how often: constants are equal if type and bits are;
///  - in `where`, `reference` and `tolerance`, where a scalar op stands that depends on the launch alone (extents, scalar
///    arguments, constants): such values are equal if the expressions are;
///  - the order of the extents among each other (they are known by name; all other arguments by name and position);
///  - the text of `tile.require`, which only repeats the source, and a condition of `where` that is stated again;
///  - an `else` without an op against none.
///
/// Linear in the size of the kernels; expressions of the launch that share parts are compared once per pair.
std::optional<KernelDifference> findDifference(KernelOp first, KernelOp second);

inline bool areEquivalent(KernelOp first, KernelOp second) {
  return !findDifference(first, second);
}

} // namespace tessera::tile

#endif // TESSERA_DIALECT_TILE_EQUIVALENCE_H
