// The launch checks: from the shapes of a kernel's arguments to its extents, and from the extents back to the shapes of
// the others; agreement of all axes, sizes, overlap of arguments in memory. The same for every way a kernel is launched.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_REFERENCE_EXTENTS_H
#define TESSERA_REFERENCE_EXTENTS_H

#include "tessera/Host/HostArray.h"
#include "tessera/Reference/CheckedError.h"

#include "mlir/IR/AffineMap.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tessera {

/// An argument that is a view.
struct ViewShape {
  std::string name;
  /// ()[extents] -> (extent of each axis).
  mlir::AffineMap map;
  /// The shape of the array at hand; nothing if one is to be made.
  std::optional<IndexVector> actual;
};

/// What a launch says about extents.
struct LaunchShapes {
  std::string kernel;
  std::vector<std::string> extents;
  std::vector<ViewShape> views;
  /// Extents set by the user.
  std::map<std::string, int64_t> given;
  mlir::Location where;
};

/// The value of every extent. Bare names are taken first, then forms linear in one unknown extent (`2 * H`, `a * H + b`,
/// products whose other factors are known); then every axis of every array is compared with what it should be. An
/// extent under `//` or `%` is only checked, so something else must give it.
/// Errors: T0910 to T0914, T0916, T0919.
llvm::Expected<std::vector<int64_t>> solveExtents(const LaunchShapes &launch);

/// The shape that the extents give a view. Errors: T0912, T0915 (more bytes than can be addressed).
llvm::Expected<IndexVector> shapeOf(const ViewShape &view, llvm::ArrayRef<std::string> extents,
                                    llvm::ArrayRef<int64_t> values, DType dtype,
                                    mlir::Location where);

/// An argument in memory.
struct PlacedArgument {
  std::string name;
  HostArray array;
  bool isWritten = false;
};

/// A written argument shares no byte with another argument, and no two of its elements share an address. Ranges decide
/// for arrays without gaps; where ranges of arrays with gaps meet, the elements decide if there are at most a million,
/// else the arrays count as overlapping. Errors: T0917, T0918.
llvm::Error checkOverlap(llvm::ArrayRef<PlacedArgument> arguments, mlir::Location where);

/// `2 * H`, `M // 4 + 1`: an axis of a shape map with the extents' names.
std::string formatExtent(mlir::AffineExpr expr, llvm::ArrayRef<std::string> extents);

} // namespace tessera

#endif // TESSERA_REFERENCE_EXTENTS_H
