// Distributions: which thread of a CTA holds which elements of a tile, in which register. What `#tile.dist` says, in a normal
// form in which equal functions are equal lists.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_SCHEDULE_DIST_H
#define TESSERA_SCHEDULE_DIST_H

#include "tessera/Dialect/Tile/TileOps.h"
#include "tessera/Layout/Layout.h"

#include <optional>

namespace tessera::schedule {

/// Registers are numbered in row-major order of their coordinates: a register has no meaning beyond what it holds.
class Dist {
public:
  /// Nothing is spread: every thread holds the one element of a scalar.
  Dist() = default;
  /// Modes of each place fastest first. Steps of registers that copy are left out.
  static Dist get(llvm::ArrayRef<tile::DistMode> modes);
  static Dist of(tile::DistAttr attr) { return get(attr.getModes()); }
  tile::DistAttr attr(mlir::MLIRContext *context) const;

  /// Lanes along the last axes, warps along the first, `vec` neighbours of the last axis in a thread, the rest in registers.
  static Dist spread(llvm::ArrayRef<int64_t> shape, int64_t warps, int64_t vec = 1);
  /// All elements in every thread.
  static Dist inRegisters(llvm::ArrayRef<int64_t> shape);
  /// Of a fragment map (lane, value) -> column-major position of a tile of two axes.
  static llvm::Expected<Dist> ofFragment(const Layout &map, llvm::ArrayRef<int64_t> shape);

  llvm::ArrayRef<tile::DistMode> modes() const { return all; }
  llvm::SmallVector<tile::DistMode> modes(tile::Place place) const;
  int64_t size(tile::Place place) const;
  int64_t regs() const { return size(tile::Place::reg); }
  /// One more than the greatest coordinate along an axis.
  int64_t reach(unsigned axis) const;
  /// Whether some thread has coordinates beyond the shape.
  bool exceeds(llvm::ArrayRef<int64_t> shape) const;

  /// The part of the coordinates that a register adds.
  Coords regCoords(int64_t reg, unsigned rank) const;
  /// The register that adds exactly these.
  std::optional<int64_t> regAt(llvm::ArrayRef<int64_t> coords) const;
  /// The part of the coordinates that a lane and a warp give.
  Coords threadCoords(int64_t lane, int64_t warp, unsigned rank) const;

  /// Axes with other numbers; -1 for one that leaves: its threads then hold copies.
  Dist mapAxes(llvm::ArrayRef<int64_t> newAxisOf) const;
  /// Without what is along one axis.
  Dist without(unsigned axis) const;
  /// Only what is along a set of axes, a bit for each.
  Dist along(uint64_t axes, unsigned rank) const;
  /// This distribution repeated: coordinates of `outer` count whole boxes of `inner`'s shape.
  static Dist nest(const Dist &outer, const Dist &inner, llvm::ArrayRef<int64_t> innerShape);

  /// Whether lanes and warps hold what they hold in the other, registers aside.
  bool sameThreads(const Dist &other) const;
  bool operator==(const Dist &other) const { return all == other.all; }
  bool operator!=(const Dist &other) const { return !(*this == other); }
  /// For maps.
  bool operator<(const Dist &other) const;

  /// As a layout of the inputs register, lane, warp and an output for each axis, with counts made whole.
  llvm::Expected<Layout> layout(llvm::ArrayRef<int64_t> shape, int64_t warps) const;
  std::string text() const;

private:
  /// Registers by axis from the last, ascending strides; lanes; warps.
  llvm::SmallVector<tile::DistMode> all;
};

/// Of broadcast, expand, squeeze and permute: the result's axis for each axis of the operand, -1 for one of extent 1 that
/// leaves or is repeated. Nothing for other ops.
std::optional<llvm::SmallVector<int64_t>> renamedAxes(mlir::Operation *op);

/// The distribution that layout assignment gave a result or a carried value.
std::optional<Dist> distOf(mlir::Value value);
/// The same of the points of an op, whether it has results or not.
std::optional<Dist> distOf(mlir::Operation *op);

} // namespace tessera::schedule

#endif // TESSERA_SCHEDULE_DIST_H
