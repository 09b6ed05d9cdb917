// The box of cells that an indexed access means: for each axis of the view, where its positions lie and which of them are
// present. Loads, stores and atomics walk it row by row.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_INTERPRETER_OPS_BOX_H
#define TESSERA_LIB_INTERPRETER_OPS_BOX_H

#include "../Compiler.h"

namespace tessera::interp {

/// The positions along one axis of the view. Either cells `i * step` of which the first `prefix` are present, or cells
/// `table[i]`; `mask`, if given, says which positions are present.
struct BoxAxis {
  int64_t count = 1;
  int64_t prefix = 1;
  int64_t step = 0;
  const int64_t *table = nullptr;
  const uint8_t *mask = nullptr;
  Ref tableMemory, maskMemory;

  bool present(int64_t i) const { return i < prefix && (!mask || mask[i]); }
  int64_t cell(int64_t i) const { return table ? table[i] : i * step; }
};

struct Box {
  unsigned argument = 0;
  int64_t origin = 0;
  llvm::SmallVector<BoxAxis, 4> axes; ///< the last is the row
  bool partial = false;               ///< some position is absent
};

/// The static half of an indexed access.
class BoxPlan {
public:
  BoxPlan(Compiler &c, mlir::Value view, mlir::ValueRange indices, llvm::ArrayRef<bool> whole);

  /// Finds the box; false, with an error reported, if it leaves the view.
  bool find(Machine &m, Box &box) const;
  /// Adds the box' factors to a value of its shape.
  void addFactors(Machine &m, Factors &factors, llvm::ArrayRef<int64_t> shape) const;
  /// Restricts the box to the present elements of a value of its shape. Returns the presence of single elements where
  /// it is not a product over axes, else null.
  Ref restrictTo(Machine &m, Box &box, const Factors &factors, llvm::ArrayRef<int64_t> shape) const;
  /// Joins axes that continue each other. Positions in the dense value stay what they are.
  static void mergeAxes(Box &box);

  bool hasTables() const { return tables; }
  unsigned argumentOf(const Machine &m) const { return m.views[view].argument; }

private:
  struct Axis {
    enum Kind : uint8_t { scalar, span, whole, table } kind = whole;
    unsigned slot = 0;
    int64_t width = 1;              ///< positions
    DType dtype = DType::i64;       ///< of a table
    const TileType *type = nullptr; ///< of a table
    unsigned firstAxis = 0;         ///< of the box's value
    unsigned numAxes = 0;
  };
  bool findTable(Machine &m, const Axis &axis, unsigned viewAxis, BoxAxis &out) const;
  void failIndex(Machine &m, int64_t index, unsigned viewAxis) const;

  unsigned view;
  bool tables = false;
  llvm::SmallVector<Axis, 4> axes;
};

/// Half of a load or store: the record of accesses, or the data.
enum class BoxPass : uint8_t { both, check, move };

/// Loads the present elements of a box into the dense block `out`; the others stay. False, with an error, on a conflict.
/// Axes may be merged.
bool loadBox(Machine &m, const Box &box, uint32_t op, std::byte *out, size_t elementSize,
             BoxPass pass = BoxPass::both);
/// Stores the elements of a dense block that are present in the box and in `more`, if given.
bool storeBox(Machine &m, const Box &box, const Ref &more, uint32_t op, const std::byte *elements,
              size_t elementSize, BoxPass pass = BoxPass::both);
/// Presence of each of the box' `count` positions; null if all are present.
Ref presentMask(Machine &m, const Box &box, int64_t count);

/// Calls `row(position, cell, axis)` for every row with outer positions present: position of its first element in the
/// dense value, cell of its position 0 (before `axis.cell`), and the axis that it runs along.
template <class RowFn> void forEachRow(const Box &box, RowFn row) {
  static const BoxAxis single;
  const BoxAxis &inner = box.axes.empty() ? single : box.axes.back();
  size_t outer = box.axes.empty() ? 0 : box.axes.size() - 1;
  for (const BoxAxis &axis : box.axes) {
    if (axis.count == 0) {
      return;
    }
  }
  llvm::SmallVector<int64_t, 4> index(outer, 0);
  int64_t position = 0;
  while (true) {
    int64_t cell = box.origin;
    bool present = true;
    for (size_t axis = 0; axis < outer; ++axis) {
      present &= box.axes[axis].present(index[axis]);
      cell += present ? box.axes[axis].cell(index[axis]) : 0;
    }
    if (present) {
      row(position, cell, inner);
    }
    position += inner.count;
    size_t axis = outer;
    while (axis > 0 && ++index[axis - 1] == box.axes[axis - 1].count) {
      index[--axis] = 0;
    }
    if (axis == 0) {
      return;
    }
  }
}

} // namespace tessera::interp

#endif // TESSERA_LIB_INTERPRETER_OPS_BOX_H
