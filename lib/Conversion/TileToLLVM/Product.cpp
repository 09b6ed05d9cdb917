// Products, and instructions applied to copies, reads of shared memory and products.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Boxes.h"
#include "Bufs.h"
#include "Instructions.h"

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Support/Mutants.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/IR/TypeUtilities.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::success;

/// Of a result with axes m and n: rows absent in the left operand, columns absent in the right one, and the accumulator's.
void convert::productFactors(const TileValue &a, const TileValue &b, const TileValue &c,
                             TileValue &result) {
  for (const Factor &factor : a.factors) {
    if (factor.axes == 1) {
      addFactors(result.factors, {factor});
    }
  }
  for (const Factor &factor : b.factors) {
    if (factor.axes == 2) {
      addFactors(result.factors, {factor});
    }
  }
  addFactors(result.factors, c.factors);
}

llvm::Value *convert::orZero(Lowering &l, const TileValue &tile, int64_t reg) {
  llvm::Value *isThere = l.both(l.present(tile, reg), l.inside(tile, reg));
  llvm::Value *value = tile.regs[reg];
  return isThere ? l.b.CreateSelect(isThere, value, llvm::Constant::getNullValue(value->getType()))
                 : value;
}

//===- without an instruction ---------------------------------------------===//

static LogicalResult lowerMma(Lowering &l, Operation *op) {
  auto mma = llvm::cast<tile::MmaOp>(op);
  if (mma.getPrecision() != tile::MmaPrecision::ieee) {
    return l.error(op, "a product of this precision has no code without an instruction");
  }
  const TileValue &a = l.tile(mma.getA()), &b = l.tile(mma.getB()), &c = l.tile(mma.getAcc());
  TileValue made = l.emptyFor(mma.getResult());
  DType from = dtypeOf(mma.getA().getType().getElementType());
  DType to = dtypeOf(mma.getAcc().getType().getElementType());
  int64_t depth = a.shape[1];
  auto wide = [&](const TileValue &tile) {
    Registers values;
    for (int64_t reg = 0; reg < tile.dist.regs(); ++reg) {
      llvm::Value *x = orZero(l, tile, reg);
      values.push_back(from == to ? x
                                  : l.scalars.cast(l.b, x, from, to, Round::rne, Overflow::inf));
    }
    return values;
  };
  Registers left = wide(a), right = wide(b);
  // An index k that either operand lacks is no term: 0 times what the other has could be NaN.
  SmallVector<llvm::Value *> isTerm(depth, nullptr);
  for (int64_t k = 0; k < depth; ++k) {
    for (const Factor &factor : a.factors) {
      if (factor.axes == 2) {
        isTerm[k] = l.both(isTerm[k], l.holds(factor, a.dist, {0, k}));
      }
    }
    for (const Factor &factor : b.factors) {
      if (factor.axes == 1) {
        isTerm[k] = l.both(isTerm[k], l.holds(factor, b.dist, {k, 0}));
      }
    }
  }
  for (int64_t reg = 0; reg < made.dist.regs(); ++reg) {
    Coords at = made.dist.regCoords(reg, 2);
    llvm::Value *sum = c.regs[reg];
    for (int64_t k = 0; k < depth; ++k) {
      llvm::Value *x = left[*a.dist.regAt({at[0], k})], *y = right[*b.dist.regAt({k, at[1]})];
      llvm::Value *next =
          sum->getType()->isFloatingPointTy()
              ? l.b.CreateIntrinsic(llvm::Intrinsic::fma, {sum->getType()}, {x, y, sum})
              : l.b.CreateAdd(sum, l.b.CreateMul(x, y));
      sum = TESSERA_MUTANT(499, "zeros times infinities are terms", isTerm[k],
                           static_cast<llvm::Value *>(nullptr))
                ? l.b.CreateSelect(isTerm[k], next, sum)
                : next;
    }
    made.regs.push_back(sum);
  }
  productFactors(a, b, c, made);
  l.set(mma.getResult(), std::move(made));
  return success();
}

LowerOp convert::productOp(Operation *op) {
  return llvm::isa<tile::MmaOp>(op) ? lowerMma : nullptr;
}

//===- with one -----------------------------------------------------------===//

/// Whether absent elements of an operand are zero in the memory that it is read from.
static bool isFilled(mlir::Value value) {
  mlir::Operation *maker = value.getDefiningOp();
  while (maker && llvm::isa<tile::PermuteOp, tile::ApplyOp, tile::ConvertOp>(maker)) {
    mlir::Value from =
        llvm::isa<tile::ApplyOp>(maker)
            ? llvm::cast<tile::ApplyOp>(maker).getBody().front().getTerminator()->getOperand(0)
            : maker->getOperand(0);
    maker = from.getDefiningOp();
  }
  auto read = llvm::dyn_cast_or_null<tile::ReadOp>(maker);
  return read && isFilledBuf(read.getBuf());
}

/// Operands whose absent terms are not zero in their registers yet: those that memory did not fill. Rows of the left one and
/// columns of the right one that are absent as a whole are so in the result, whatever stands there. `depth` is the axis of the
/// terms.
static TileValue zeroed(Lowering &l, mlir::Value value, unsigned depth) {
  const TileValue &given = l.tile(value);
  TileValue terms = given, made = given;
  llvm::erase_if(terms.factors,
                 [&](const Factor &factor) { return (factor.axes >> depth & 1) == 0; });
  if (terms.factors.empty() || isFilled(value)) {
    return made;
  }
  for (int64_t reg = 0; reg < made.dist.regs(); ++reg) {
    made.regs[reg] = orZero(l, terms, reg);
  }
  return made;
}

namespace {
/// Fragments of an operand along one axis of the result, each made once for a step along k.
class Strip {
public:
  Strip(Lowering &l, const TileValue &tile, const Fragment &fragment)
      : l(l), tile(tile), fragment(fragment) {}

  llvm::Expected<llvm::Value *> at(int64_t place, ArrayRef<int64_t> origin) {
    llvm::Value *&known = made[place];
    if (!known) {
      llvm::Expected<llvm::Value *> gathered = gatherFragment(l, tile, fragment, origin);
      if (!gathered) {
        return gathered.takeError();
      }
      known = *gathered;
    }
    return known;
  }

private:
  Lowering &l;
  const TileValue &tile;
  const Fragment &fragment;
  llvm::DenseMap<int64_t, llvm::Value *> made;
};
} // namespace

/// Sums stay what the instruction gives from step to step along k, and become single registers at the end.
static llvm::Error multiply(Lowering &l, const Instr &instr, ArrayRef<Fragment> fragments,
                            const TileValue &a, const TileValue &b, TileValue &made) {
  SmallVector<Coords> origins = originsOf(made.dist, instr.operands[2].shape);
  Registers sums;
  for (const Coords &at : origins) {
    llvm::Expected<llvm::Value *> sum = gatherFragment(l, made, fragments[2], at);
    if (!sum) {
      return sum.takeError();
    }
    sums.push_back(*sum);
  }
  int64_t depth = instr.operands[0].shape[1];
  for (int64_t k = 0; k < a.shape[1]; k += depth) {
    Strip rows(l, a, fragments[0]), columns(l, b, fragments[1]);
    for (auto [at, sum] : llvm::zip(origins, sums)) {
      llvm::Expected<llvm::Value *> left = rows.at(
          at[0],
          {at[0], TESSERA_MUTANT(501, "the first columns of the left operand come again", k, 0)});
      llvm::Expected<llvm::Value *> right = columns.at(at[1], {k, at[1]});
      if (!left || !right) {
        return llvm::joinErrors(left ? llvm::Error::success() : left.takeError(),
                                right ? llvm::Error::success() : right.takeError());
      }
      sum = callInstr(l, instr, wordsType(l, fragments[2]), {*left, *right, sum, l.b.getTrue()});
    }
  }
  llvm::Type *element = made.regs.front()->getType();
  for (auto [at, sum] : llvm::zip(origins, sums)) {
    if (llvm::Error error = scatterFragment(l, sum, made, fragments[2], at, element)) {
      return error;
    }
  }
  return llvm::Error::success();
}

LogicalResult convert::applyProduct(Lowering &l, tile::ApplyOp apply, const Instr &instr,
                                    tile::MmaOp mma) {
  TileValue a = zeroed(l, mma.getA(), 1), b = zeroed(l, mma.getB(), 0);
  const TileValue &c = l.tile(mma.getAcc());
  TileValue made = l.emptyFor(apply.getResult(0));
  SmallVector<Fragment, 3> fragments;
  for (const InstrOperand &operand : instr.operands) {
    llvm::Expected<Fragment> fragment = fragmentOf(l, operand);
    if (!fragment) {
      return l.error(apply, llvm::toString(fragment.takeError()));
    }
    fragments.push_back(std::move(*fragment));
  }
  if (fragments.size() != 3) {
    return l.error(apply, "a product's instruction has three fragments");
  }
  made.regs = TESSERA_MUTANT(
      500, "sums begin at zero in each step", c.regs,
      Registers(c.regs.size(), llvm::Constant::getNullValue(c.regs.front()->getType())));
  if (llvm::Error error = multiply(l, instr, fragments, a, b, made)) {
    return l.error(apply, llvm::toString(std::move(error)));
  }
  productFactors(l.tile(mma.getA()), l.tile(mma.getB()), c, made);
  l.set(apply.getResult(0), std::move(made));
  return success();
}
