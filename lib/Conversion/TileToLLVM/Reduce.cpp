// Reductions op by op: terms, what combines two of them, factors of the result.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Boxes.h"
#include "Reducer.h"

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Support/Mutants.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::SmallVector;
using mlir::failed;
using mlir::failure;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::success;

SmallVector<std::pair<int64_t, int64_t>> convert::registersOf(const TileValue &x, unsigned axis,
                                                              llvm::ArrayRef<int64_t> kept) {
  SmallVector<std::pair<int64_t, int64_t>> found;
  for (int64_t reg = 0; reg < x.dist.regs(); ++reg) {
    Coords coords = x.dist.regCoords(reg, x.shape.size());
    int64_t position = coords[axis];
    coords.erase(coords.begin() + axis);
    if (llvm::equal(coords, kept)) {
      found.push_back({position, reg});
    }
  }
  return found;
}

TileValue convert::splitFactors(const TileValue &x, unsigned axis, TileValue &result, bool leaves) {
  TileValue terms = x;
  terms.factors.clear();
  SmallVector<int64_t> map;
  for (int64_t i = 0; i < int64_t(x.shape.size()); ++i) {
    map.push_back(i < axis || !leaves ? i : i == axis ? -1 : i - 1);
  }
  for (const Factor &factor : x.factors) {
    if (factor.axes >> axis & 1) {
      terms.factors.push_back(factor);
      continue;
    }
    result.factors.push_back(renumbered(factor, map));
  }
  return terms;
}

LogicalResult convert::notHeld(Lowering &l, Operation *op, const TileValue &x) {
  return l.error(op, "a reduction over a tile that is held as <" + x.dist.text() +
                         "> has no code: split the axis by powers of two");
}

static LogicalResult lowerReduce(Lowering &l, Operation *op) {
  auto reduce = llvm::cast<tile::ReduceOp>(op);
  unsigned axis = reduce.getAxis();
  TileValue result = l.emptyFor(reduce.getResult());
  TileValue x = splitFactors(l.tile(reduce.getX()), axis, result);
  auto kind = static_cast<ReduceKind>(reduce.getKind());
  mlir::Type from = mlir::getElementTypeOrSelf(reduce.getX().getType());
  mlir::Type to = mlir::getElementTypeOrSelf(reduce.getResult().getType());
  DType given = dtypeOf(from), type = dtypeOf(to);
  bool isFloatSum = llvm::isa<mlir::FloatType>(to) && (reduce.getKind() == tile::ReduceKind::sum ||
                                                       reduce.getKind() == tile::ReduceKind::prod);
  bool isTree = isFloatSum && reduce.getOrder() == tile::ReduceOrder::tree;
  llvm::Expected<llvm::Constant *> identity = l.scalars.identity(kind, type);
  if (!identity) {
    return l.error(op, llvm::toString(identity.takeError()));
  }
  Reducer reducer(l, x, axis, isTree, [&](const State &a, const State &c) -> llvm::Expected<State> {
    auto sum = l.scalars.combine(l.b, kind, type, a[0], c[0]);
    if (!sum) {
      return sum.takeError();
    }
    return State{*sum};
  });
  if (!reducer.readBits()) {
    return notHeld(l, op, x);
  }
  for (int64_t reg = 0; reg < result.dist.regs(); ++reg) {
    std::map<int64_t, State> partials;
    for (auto [position, source] :
         registersOf(x, axis, result.dist.regCoords(reg, result.shape.size()))) {
      llvm::Value *term = x.regs[source];
      if (given != type) {
        term = l.scalars.cast(l.b, term, given, type, Round::rne, Overflow::inf);
      }
      term = l.scalars.prepare(l.b, kind, type, term);
      if (llvm::Value *isThere = l.both(l.present(x, source), l.inside(x, source))) {
        llvm::Value *missing = TESSERA_MUTANT(473, "absent elements are terms",
                                              static_cast<llvm::Value *>(*identity), term);
        term = l.b.CreateSelect(isThere, term, missing);
      }
      partials[position] = {term};
    }
    if (partials.empty()) {
      return notHeld(l, op, x);
    }
    llvm::Expected<State> total = reducer.reduce(std::move(partials));
    if (!total) {
      return l.error(op, llvm::toString(total.takeError()));
    }
    result.regs.push_back(l.scalars.finish(l.b, kind, type, total->front()));
  }
  l.set(reduce.getResult(), std::move(result));
  return success();
}

/// Order of argmin: a is less, or NaN where c is not.
static llvm::Value *ranksBelow(Lowering &l, DType type, llvm::Value *a, llvm::Value *c) {
  llvm::Value *isLess = l.scalars.compare(l.b, CmpPredicate::lt, type, a, c);
  if (!isFloat(type)) {
    return isLess;
  }
  llvm::Value *aIsNan = l.scalars.compare(l.b, CmpPredicate::ne, type, a, a);
  llvm::Value *cIsNan = l.scalars.compare(l.b, CmpPredicate::ne, type, c, c);
  return l.b.CreateOr(isLess, l.b.CreateAnd(aIsNan, l.b.CreateNot(cIsNan)));
}

Combine convert::argCombination(Lowering &l, DType type, bool isMax) {
  // An element goes before another if it ranks above, or is as good and comes first; any goes before none.
  return [&l, type, isMax](const State &a, const State &c) -> llvm::Expected<State> {
    auto &b = l.b;
    llvm::Value *isAbove =
        isMax ? l.scalars.ranksAbove(b, type, c[0], a[0]) : ranksBelow(l, type, c[0], a[0]);
    llvm::Value *isUnder =
        isMax ? l.scalars.ranksAbove(b, type, a[0], c[0]) : ranksBelow(l, type, a[0], c[0]);
    llvm::Value *isEqual = b.CreateNot(b.CreateOr(isAbove, isUnder));
    llvm::Value *isFirst = b.CreateAnd(
        isEqual, b.CreateICmp(TESSERA_MUTANT(474, "the last of equals is found",
                                             llvm::CmpInst::ICMP_SLT, llvm::CmpInst::ICMP_SGT),
                              c[1], a[1]));
    llvm::Value *aNone = b.CreateICmpSLT(a[1], l.i64(0)), *cNone = b.CreateICmpSLT(c[1], l.i64(0));
    llvm::Value *takes =
        b.CreateOr(aNone, b.CreateAnd(b.CreateNot(cNone), b.CreateOr(isAbove, isFirst)));
    return State{b.CreateSelect(takes, c[0], a[0]), b.CreateSelect(takes, c[1], a[1])};
  };
}

/// argmax and argmin: a value with its index; no element is the index -1.
static LogicalResult lowerArg(Lowering &l, Operation *op) {
  bool isMax = llvm::isa<tile::ArgMaxOp>(op);
  unsigned axis = op->getAttrOfType<mlir::IntegerAttr>("axis").getInt();
  TileValue values = l.emptyFor(op->getResult(0)), indices = l.emptyFor(op->getResult(1));
  TileValue x = splitFactors(l.tile(op->getOperand(0)), axis, values);
  indices.factors = values.factors;
  DType type = dtypeOf(mlir::getElementTypeOrSelf(op->getOperand(0).getType()));
  llvm::Expected<llvm::Constant *> identity =
      l.scalars.identity(isMax ? ReduceKind::max : ReduceKind::min, type);
  if (!identity) {
    return l.error(op, llvm::toString(identity.takeError()));
  }
  auto &b = l.b;
  Reducer reducer(l, x, axis, /*isTree=*/false, argCombination(l, type, isMax));
  if (!reducer.readBits()) {
    return notHeld(l, op, x);
  }
  llvm::Value *thread = b.CreateZExt(l.threadCoord(x.dist, axis), b.getInt64Ty());
  for (int64_t reg = 0; reg < values.dist.regs(); ++reg) {
    std::map<int64_t, State> partials;
    for (auto [position, source] :
         registersOf(x, axis, values.dist.regCoords(reg, values.shape.size()))) {
      State term{x.regs[source], b.CreateAdd(thread, l.i64(position))};
      if (llvm::Value *isThere = l.both(l.present(x, source), l.inside(x, source))) {
        term[0] = b.CreateSelect(isThere, term[0], *identity);
        term[1] = b.CreateSelect(isThere, term[1], l.i64(-1));
      }
      partials[position] = std::move(term);
    }
    if (partials.empty()) {
      return notHeld(l, op, x);
    }
    llvm::Expected<State> total = reducer.reduce(std::move(partials));
    if (!total) {
      return l.error(op, llvm::toString(total.takeError()));
    }
    values.regs.push_back((*total)[0]);
    indices.regs.push_back((*total)[1]);
  }
  l.set(op->getResult(0), std::move(values));
  l.set(op->getResult(1), std::move(indices));
  return success();
}

//===- by a region --------------------------------------------------------===//

Combine convert::regionCombination(Lowering &l, mlir::Region &region) {
  return [&l, &region](const State &a, const State &c) -> llvm::Expected<State> {
    mlir::Block &body = region.front();
    l.setScalar(body.getArgument(0), a[0]);
    l.setScalar(body.getArgument(1), c[0]);
    if (failed(l.block(body))) {
      return llvm::createStringError("the region has an op without code for a device");
    }
    llvm::Value *both = l.scalar(body.getTerminator()->getOperand(0));
    // A side that is not there passes the other on.
    llvm::Value *one =
        TESSERA_MUTANT(475, "the side that is missing is passed on",
                       l.b.CreateSelect(a[1], a[0], c[0]), l.b.CreateSelect(a[1], c[0], a[0]));
    return State{l.b.CreateSelect(l.b.CreateAnd(a[1], c[1]), both, one), l.b.CreateOr(a[1], c[1])};
  };
}

static LogicalResult lowerReduceWith(Lowering &l, Operation *op) {
  auto reduce = llvm::cast<tile::ReduceWithOp>(op);
  unsigned axis = reduce.getAxis();
  TileValue result = l.emptyFor(reduce.getResult());
  TileValue x = splitFactors(l.tile(reduce.getX()), axis, result);
  llvm::Value *identity = l.scalar(reduce.getIdentity());
  Reducer reducer(l, x, axis, /*isTree=*/true, regionCombination(l, reduce.getBody()));
  reducer.keepSides();
  if (!reducer.readBits()) {
    return notHeld(l, op, x);
  }
  for (int64_t reg = 0; reg < result.dist.regs(); ++reg) {
    std::map<int64_t, State> partials;
    for (auto [position, source] :
         registersOf(x, axis, result.dist.regCoords(reg, result.shape.size()))) {
      partials[position] = {x.regs[source],
                            l.bit(l.both(l.present(x, source), l.inside(x, source)))};
    }
    if (partials.empty()) {
      return notHeld(l, op, x);
    }
    llvm::Expected<State> total = reducer.reduce(std::move(partials));
    if (!total) {
      return l.error(op, llvm::toString(total.takeError()));
    }
    result.regs.push_back(l.b.CreateSelect((*total)[1], (*total)[0], identity));
  }
  l.set(reduce.getResult(), std::move(result));
  return success();
}

LowerOp convert::reduceOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, LowerOp>(op)
      .Case<tile::ReduceOp>([](auto) { return lowerReduce; })
      .Case<tile::ReduceWithOp>([](auto) { return lowerReduceWith; })
      .Case<tile::ArgMaxOp, tile::ArgMinOp>([](auto) { return lowerArg; })
      .Default([](Operation *) { return nullptr; });
}
