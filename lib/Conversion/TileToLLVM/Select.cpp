// The greatest elements along an axis, counts of bins.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Control.h"
#include "Exchange.h"
#include "Reducer.h"

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Support/Mutants.h"

#include "mlir/IR/TypeUtilities.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::SmallVector;
using mlir::failure;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::success;

namespace {
/// What is chosen from the elements that differ in the axis only.
struct Row {
  SmallVector<std::pair<int64_t, int64_t>> sources; ///< position, register
  Registers left;                                   ///< variables: not chosen yet
  Registers values, indices;                        ///< variables, by rank
};

/// As many rounds of argmax as elements are wanted; each round takes its winner out.
class TopK {
public:
  TopK(Lowering &l, tile::TopKOp op)
      : l(l), op(op), axis(op.getAxis()), k(op.getK()), values(l.emptyFor(op.getValues())),
        indices(l.emptyFor(op.getIndices())),
        x(splitFactors(l.tile(op.getX()), axis, values, /*leaves=*/false)),
        type(dtypeOf(mlir::getElementTypeOrSelf(op.getX().getType()))),
        reducer(l, x, axis, /*isTree=*/false, argCombination(l, type, /*isMax=*/true)) {}

  LogicalResult run();

private:
  bool collect();
  LogicalResult round(llvm::Value *number);

  Lowering &l;
  tile::TopKOp op;
  unsigned axis;
  int64_t k;
  TileValue values, indices, x;
  DType type;
  Reducer reducer;
  llvm::Value *none = nullptr;
  std::map<std::vector<int64_t>, Row> rows; ///< by the other coordinates
};
} // namespace

static std::vector<int64_t> withoutAxis(Coords coords, unsigned axis) {
  coords.erase(coords.begin() + axis);
  return std::vector<int64_t>(coords.begin(), coords.end());
}

bool TopK::collect() {
  unsigned rank = x.shape.size();
  bool isHeld = reducer.readBits() && values.dist == indices.dist &&
                values.dist.without(axis).sameThreads(x.dist.without(axis)) &&
                values.dist.sameThreads(values.dist.without(axis));
  for (int64_t reg = 0; reg < values.dist.regs(); ++reg) {
    rows[withoutAxis(values.dist.regCoords(reg, rank), axis)];
  }
  for (auto &[kept, row] : rows) {
    row.sources = registersOf(x, axis, kept);
    isHeld &= !row.sources.empty();
    for (auto [position, reg] : row.sources) {
      row.left.push_back(l.variable(l.b.getInt1Ty()));
      l.b.CreateStore(l.bit(l.both(l.present(x, reg), l.inside(x, reg))), row.left.back());
    }
    for (int64_t i = 0; i < k; ++i) {
      row.values.push_back(l.variable(none->getType()));
      row.indices.push_back(l.variable(l.b.getInt64Ty()));
      l.b.CreateStore(none, row.values.back());
      l.b.CreateStore(l.i64(-1), row.indices.back());
    }
  }
  return isHeld;
}

LogicalResult TopK::round(llvm::Value *number) {
  auto &b = l.b;
  llvm::Value *thread = b.CreateZExt(l.threadCoord(x.dist, axis), b.getInt64Ty());
  for (auto &[kept, row] : rows) {
    std::map<int64_t, State> partials;
    SmallVector<llvm::Value *> left, numbers;
    for (auto [source, variable] : llvm::zip(row.sources, row.left)) {
      left.push_back(b.CreateLoad(b.getInt1Ty(), variable));
      numbers.push_back(b.CreateAdd(thread, l.i64(source.first)));
      partials[source.first] = {b.CreateSelect(left.back(), x.regs[source.second], none),
                                b.CreateSelect(left.back(), numbers.back(), l.i64(-1))};
    }
    llvm::Expected<State> best = reducer.reduce(std::move(partials));
    if (!best) {
      return l.error(op, llvm::toString(best.takeError()));
    }
    for (auto [variable, isLeft, at] : llvm::zip(row.left, left, numbers)) {
      llvm::Value *isOther = b.CreateICmpNE(at, (*best)[1]);
      b.CreateStore(
          TESSERA_MUTANT(522, "the greatest is chosen again", b.CreateAnd(isLeft, isOther), isLeft),
          variable);
    }
    for (int64_t i = 0; i < k; ++i) {
      llvm::Value *isNow = b.CreateICmpEQ(number, l.i64(i));
      auto take = [&](llvm::Value *variable, llvm::Value *chosen) {
        llvm::Value *before = b.CreateLoad(chosen->getType(), variable);
        b.CreateStore(b.CreateSelect(isNow, chosen, before), variable);
      };
      take(row.values[i], (*best)[0]);
      take(row.indices[i], (*best)[1]);
    }
  }
  return success();
}

LogicalResult TopK::run() {
  llvm::Expected<llvm::Constant *> identity = l.scalars.identity(ReduceKind::max, type);
  if (!identity) {
    return l.error(op, llvm::toString(identity.takeError()));
  }
  none = *identity;
  if (!collect()) {
    return notHeld(l, op, x);
  }
  if (failed(
          countedLoop(l, l.i64(0), l.i64(k), [&](llvm::Value *number) { return round(number); }))) {
    return failure();
  }
  for (int64_t reg = 0; reg < values.dist.regs(); ++reg) {
    Coords coords = values.dist.regCoords(reg, x.shape.size());
    int64_t rank = std::min<int64_t>(coords[axis], k - 1); // beyond k nobody looks
    Row &row = rows[withoutAxis(coords, axis)];
    values.regs.push_back(l.b.CreateLoad(none->getType(), row.values[rank]));
    indices.regs.push_back(l.b.CreateLoad(l.b.getInt64Ty(), row.indices[rank]));
  }
  indices.factors = values.factors;
  l.set(op.getValues(), std::move(values));
  l.set(op.getIndices(), std::move(indices));
  return success();
}

static LogicalResult lowerTopK(Lowering &l, Operation *op) {
  return TopK(l, llvm::cast<tile::TopKOp>(op)).run();
}

//===- histogram ----------------------------------------------------------===//

/// Bin numbers lie in scratch memory, -1 for those that count nowhere; whoever holds a bin looks at all of them.
static LogicalResult lowerHistogram(Lowering &l, Operation *op) {
  auto histogram = llvm::cast<tile::HistogramOp>(op);
  const TileValue x = l.tile(histogram.getX());
  TileValue result = l.emptyFor(histogram.getResult()), numbers;
  bool isUnsigned = histogram.getX().getType().getElementType().isUnsignedInteger();
  auto &b = l.b;
  numbers.dist = x.dist;
  numbers.shape = x.shape;
  for (int64_t reg = 0; reg < x.dist.regs(); ++reg) {
    llvm::Value *number = isUnsigned ? b.CreateZExt(x.regs[reg], b.getInt64Ty())
                                     : b.CreateSExt(x.regs[reg], b.getInt64Ty());
    llvm::Value *isThere = l.present(x, reg);
    llvm::Value *counts = l.both(b.CreateICmpULT(number, l.i64(result.shape[0])),
                                 TESSERA_MUTANT(523, "absent elements are counted", isThere,
                                                static_cast<llvm::Value *>(nullptr)));
    numbers.regs.push_back(
        b.CreateSelect(counts, b.CreateTrunc(number, b.getInt32Ty()), l.i32(-1)));
  }
  int64_t elements = elementsOf(x.shape);
  Exchange exchange(l, elements, b.getInt32Ty());
  exchange.write(numbers, Placing::rows(x.shape));
  exchange.ready();
  Registers counts, bins;
  for (int64_t reg = 0; reg < result.dist.regs(); ++reg) {
    counts.push_back(l.variable(b.getInt64Ty()));
    b.CreateStore(l.i64(0), counts.back());
    bins.push_back(
        b.CreateAdd(l.threadCoord(result.dist, 0), l.i32(result.dist.regCoords(reg, 1)[0])));
  }
  LogicalResult done = countedLoop(l, l.i64(0), l.i64(elements), [&](llvm::Value *i) {
    llvm::Value *number = exchange.readAt(b.CreateTrunc(i, b.getInt32Ty()));
    for (auto [count, bin] : llvm::zip(counts, bins)) {
      llvm::Value *one = b.CreateZExt(b.CreateICmpEQ(number, bin), b.getInt64Ty());
      b.CreateStore(b.CreateAdd(b.CreateLoad(b.getInt64Ty(), count), one), count);
    }
    return success();
  });
  for (llvm::Value *count : counts) {
    result.regs.push_back(b.CreateLoad(b.getInt64Ty(), count));
  }
  l.set(histogram.getResult(), std::move(result));
  return done;
}

LowerOp convert::selectOp(Operation *op) {
  if (llvm::isa<tile::TopKOp>(op)) {
    return lowerTopK;
  }
  return llvm::isa<tile::HistogramOp>(op) ? lowerHistogram : nullptr;
}
