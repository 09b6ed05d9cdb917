// Stores through integer tiles in which elements may meet: the one with the greatest row-major position is stored.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Boxes.h"
#include "Control.h"
#include "Exchange.h"

#include "tessera/Support/Mutants.h"

using namespace tessera;
using namespace tessera::convert;
using mlir::success;

namespace {
/// Positions among the elements that differ in the axes of integer tiles only.
struct Tables {
  AxisSet axes;
  llvm::SmallVector<int64_t, 4> shape;   ///< of the box
  llvm::SmallVector<int64_t, 4> strides; ///< of the position, 0 for other axes
  int64_t positions = 1;

  Tables(AxisSet axes, llvm::ArrayRef<int64_t> shape) : axes(axes), shape(shape) {
    strides.assign(shape.size(), 0);
    for (size_t axis = shape.size(); axis-- > 0;) {
      if (axes >> axis & 1) {
        strides[axis] = positions;
        positions *= shape[axis];
      }
    }
  }
  /// Of the element in the row of all elements, from its position.
  llvm::Value *numberOf(Lowering &l, llvm::Value *position, const Placing &rows) const {
    llvm::Value *sum = l.i32(0);
    for (auto [axis, extent] : llvm::enumerate(shape)) {
      if (axes >> axis & 1) {
        llvm::Value *index =
            l.b.CreateURem(l.b.CreateUDiv(position, l.i32(strides[axis])), l.i32(extent));
        sum = l.b.CreateAdd(sum, l.b.CreateMul(index, l.i32(rows.strides[axis])));
      }
    }
    return sum;
  }
};
} // namespace

/// Sum of coordinates times strides, the thread's part included (i32).
static llvm::Value *weighted(Lowering &l, const TileValue &tile, llvm::ArrayRef<int64_t> coords,
                             llvm::ArrayRef<int64_t> strides) {
  llvm::Value *sum = l.i32(0);
  for (auto [axis, stride] : llvm::enumerate(strides)) {
    llvm::Value *at = l.b.CreateAdd(l.threadCoord(tile.dist, axis), l.i32(coords[axis]));
    sum = l.b.CreateAdd(sum, l.b.CreateMul(at, l.i32(stride)));
  }
  return sum;
}

Registers convert::lastOfCells(Lowering &l, Box &box, const TileValue &target) {
  auto &b = l.b;
  Tables tables(box.tableAxes(), target.shape);
  Placing rows = Placing::rows(target.shape);
  // What is not stored meets no cell: a number that is no offset.
  llvm::Value *nowhere = b.getInt64(uint64_t(1) << 63);
  TileValue cells;
  cells.dist = target.dist;
  cells.shape = target.shape;
  Registers positions, origins, isLast;
  Placing others = rows;
  for (auto [axis, stride] : llvm::enumerate(others.strides)) {
    stride = tables.axes >> axis & 1 ? 0 : stride;
  }
  for (int64_t reg = 0; reg < target.dist.regs(); ++reg) {
    Coords coords = target.dist.regCoords(reg, target.shape.size());
    llvm::Value *cell = box.tableOffset(coords), *isThere = l.present(target, reg);
    cells.regs.push_back(isThere ? b.CreateSelect(isThere, cell, nowhere) : cell);
    positions.push_back(weighted(l, target, coords, tables.strides));
    // Beyond the shape any element is as good: nothing is stored there.
    llvm::Value *origin = weighted(l, target, coords, others.strides);
    llvm::Value *isInside = l.inside(target, reg);
    origins.push_back(isInside ? b.CreateSelect(isInside, origin, l.i32(0)) : origin);
    isLast.push_back(l.variable(b.getInt1Ty()));
    b.CreateStore(b.getTrue(), isLast.back());
  }
  Exchange exchange(l, elementsOf(target.shape), b.getInt64Ty());
  exchange.write(cells, rows);
  exchange.ready();
  (void)countedLoop(l, l.i64(0), l.i64(tables.positions), [&](llvm::Value *number) {
    llvm::Value *position = b.CreateTrunc(number, b.getInt32Ty());
    llvm::Value *moved = tables.numberOf(l, position, rows);
    for (size_t reg = 0; reg < positions.size(); ++reg) {
      llvm::Value *other = exchange.readAt(b.CreateAdd(origins[reg], moved));
      llvm::Value *isBeaten =
          b.CreateAnd(b.CreateICmp(TESSERA_MUTANT(513, "the first of several stores wins",
                                                  llvm::CmpInst::ICMP_SGT, llvm::CmpInst::ICMP_SLT),
                                   position, positions[reg]),
                      b.CreateICmpEQ(other, cells.regs[reg]));
      llvm::Value *was = b.CreateLoad(b.getInt1Ty(), isLast[reg]);
      b.CreateStore(b.CreateAnd(was, b.CreateNot(isBeaten)), isLast[reg]);
    }
    return success();
  });
  Registers result;
  for (llvm::Value *variable : isLast) {
    result.push_back(b.CreateLoad(b.getInt1Ty(), variable));
  }
  return result;
}
