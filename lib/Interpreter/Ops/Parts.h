// What the factors of an op's dims do to it where they run: only the adversary asks. In order of the program an op is done
// as a whole, whatever its factors are.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_INTERPRETER_OPS_PARTS_H
#define TESSERA_LIB_INTERPRETER_OPS_PARTS_H

#include "../Adversary.h"
#include "Lanes.h"

#include "tessera/Dialect/Tile/TileOps.h"

namespace tessera::interp {

/// A factor of a dim. Point p of the dim is at its step p / below % steps.
struct DimFactor {
  tile::Place place = tile::Place::open;
  int64_t steps = 1, below = 1;

  int64_t at(int64_t point) const { return point / below % steps; }
  /// Several threads, or groups of them, have its steps.
  bool isSpread() const;
};

/// The dim along which an op reduces or scans, or the k of a product: its factors, outermost first. Empty where it has none.
class ReducedDim {
public:
  explicit ReducedDim(mlir::Operation *op);

  /// Points that are not in this CTA, nothing combines with those that are: which it has is chosen at random. Null where
  /// CTAs do not share the dim.
  Ref ownPoints(Machine &m) const;
  /// Where a scan begins anew, because another thread has the point before (`reverse`: behind). Empty where none does.
  std::vector<uint8_t> scanStarts(bool reverse) const;

protected:
  llvm::SmallVector<DimFactor, 4> factors;
  int64_t extent = 1;
  bool isTree = false; ///< the order of the sum is fixed
};

/// How the parts of a sum in the order of the tree are put together, where that is another tree: by the plan of the op, else
/// by its factors, outermost first. What one thread has it combines as the tree does. A plan of fewer points leaves elements
/// out.
class PartsOfSum : public ReducedDim {
public:
  explicit PartsOfSum(tile::ReduceOp op);

  bool isOther() const { return !steps.empty(); }
  int64_t points() const { return count; }
  /// Combines `values`, as many as `points()` of `size` bytes, those with a nonzero byte in `mask`; the total is the first.
  void combine(Kernel2 combine, std::byte *values, uint8_t *mask, size_t size) const;

private:
  bool readPlan(mlir::ArrayAttr plan);
  bool readFactors();

  struct Step {
    DimFactor factor;
    bool inOrder = false; ///< one after the other
  };
  llvm::SmallVector<Step, 4> steps; ///< in the order in which they are combined
  int64_t count = 1;
};

/// In which order the points of an op are done: those of one thread as the dims nest, threads in any order.
class PointOrder {
public:
  explicit PointOrder(mlir::Operation *op);
  /// Row-major numbers of all points.
  std::vector<int64_t> choose(Random &random) const;

private:
  struct Digit {
    unsigned dim = 0;
    DimFactor factor;
  };
  llvm::SmallVector<Digit, 6> digits; ///< outermost first
  Shape shape;
};

} // namespace tessera::interp

#endif // TESSERA_LIB_INTERPRETER_OPS_PARTS_H
