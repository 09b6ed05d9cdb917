// Products, and instructions applied to copies, reads of shared memory and products.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Accesses.h"
#include "Bufs.h"
#include "Instructions.h"

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Support/Mutants.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/TypeUtilities.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::success;

/// Of a result with axes m and n: rows absent in the left operand, columns absent in the right one, and the accumulator's.
static void productFactors(const TileValue &a, const TileValue &b, const TileValue &c,
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

/// The element as a factor of a product: 0 where it is absent.
static llvm::Value *factorOf(Lowering &l, const TileValue &tile, int64_t reg) {
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
      llvm::Value *x = factorOf(l, tile, reg);
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

/// Whether absent elements of an operand are zero in memory: all copies into the buf it is read from fill with zeros.
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
  if (!read) {
    return false;
  }
  for (Operation *user : read.getBuf().getUsers()) {
    auto copy = llvm::dyn_cast<tile::CopyOp>(user);
    if (llvm::isa<tile::WriteOp>(user) || (copy && copy.getFill() != tile::Fill::zero)) {
      return false;
    }
  }
  return true;
}

/// Operands whose absent elements are not zero in their registers yet: those that memory did not fill.
static TileValue zeroed(Lowering &l, mlir::Value value) {
  TileValue tile = l.tile(value);
  if (tile.factors.empty() || isFilled(value)) {
    return tile;
  }
  for (int64_t reg = 0; reg < tile.dist.regs(); ++reg) {
    tile.regs[reg] = factorOf(l, tile, reg);
  }
  return tile;
}

LogicalResult convert::applyProduct(Lowering &l, tile::ApplyOp apply, const Instr &instr,
                                    tile::MmaOp mma) {
  TileValue a = zeroed(l, mma.getA()), b = zeroed(l, mma.getB());
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
  llvm::Type *element = l.registerOf(mma.getResult().getType());
  made.regs = TESSERA_MUTANT(500, "sums begin at zero in each step", c.regs,
                             Registers(c.regs.size(), llvm::Constant::getNullValue(element)));
  int64_t depth = instr.operands[0].shape[1];
  for (int64_t k = 0; k < a.shape[1]; k += depth) {
    for (const Coords &at : originsOf(made.dist, instr.operands[2].shape)) {
      llvm::Expected<llvm::Value *> left = gatherFragment(
          l, a, fragments[0],
          {at[0], TESSERA_MUTANT(501, "the first columns of the left operand come again", k, 0)});
      llvm::Expected<llvm::Value *> right = gatherFragment(l, b, fragments[1], {k, at[1]});
      llvm::Expected<llvm::Value *> sum = gatherFragment(l, made, fragments[2], at);
      llvm::Error error =
          llvm::joinErrors(left ? llvm::Error::success() : left.takeError(),
                           llvm::joinErrors(right ? llvm::Error::success() : right.takeError(),
                                            sum ? llvm::Error::success() : sum.takeError()));
      if (error) {
        return l.error(apply, llvm::toString(std::move(error)));
      }
      llvm::Value *result =
          callInstr(l, instr, wordsType(l, fragments[2]), {*left, *right, *sum, l.b.getTrue()});
      if (llvm::Error failed = scatterFragment(l, result, made, fragments[2], at, element)) {
        return l.error(apply, llvm::toString(std::move(failed)));
      }
    }
  }
  productFactors(l.tile(mma.getA()), l.tile(mma.getB()), c, made);
  l.set(apply.getResult(0), std::move(made));
  return success();
}

//===- copies -------------------------------------------------------------===//

/// Elements of a piece that are present: a count along the last axis, all or none along the others.
static llvm::Value *presentBytes(Lowering &l, const TileValue &points, const Coords &coords,
                                 int64_t elements, int64_t bytes) {
  llvm::Value *count = l.i64(elements);
  unsigned last = points.shape.size() - 1;
  for (const Factor &factor : points.factors) {
    if (factor.count && factor.axes == AxisSet(1) << last) {
      llvm::Value *thread = l.b.CreateZExt(l.threadCoord(points.dist, last), l.b.getInt64Ty());
      llvm::Value *left = l.b.CreateSub(l.b.CreateSub(factor.count, thread), l.i64(coords[last]));
      left = l.b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, left, l.i64(0));
      llvm::Value *cut = l.b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, count, left);
      count = TESSERA_MUTANT(490, "copies take whole vectors", cut, count);
      continue;
    }
    llvm::Value *holds = l.holds(factor, points.dist, coords);
    count = l.b.CreateSelect(TESSERA_MUTANT(491, "copies take rows beyond the view", holds,
                                            static_cast<llvm::Value *>(l.b.getTrue())),
                             count, l.i64(0));
  }
  return l.b.CreateTrunc(l.b.CreateMul(count, l.i64(bytes)), l.b.getInt32Ty());
}

LogicalResult convert::applyCopy(Lowering &l, tile::ApplyOp apply, const Instr &instr,
                                 tile::CopyOp copy) {
  std::optional<Dist> dist = schedule::distOf(copy.getOperation());
  if (!dist || instr.op.getScope() != tile::ExecScope::thread || instr.operands.size() != 2) {
    return l.error(apply, "`" + instr.op.getSymName() +
                              "` copies for more than a thread, for which there is no code yet");
  }
  TileValue points;
  points.shape.assign(copy.getBuf().getType().getShape().begin(),
                      copy.getBuf().getType().getShape().end());
  points.dist = *dist;
  unsigned rank = points.shape.size();
  Box box(l, copy.getView(), copy.getIndices(), copy.getWhole(), points.dist, points.shape);
  points.factors = box.factors;
  int64_t elements = instr.operands[0].shape.back();
  if (vectorIn(l.bufs.at(copy.getBuf())) < elements ||
      widthFor(points.dist, points.shape, elements) < elements) {
    return l.error(apply, "the memory or the threads do not keep " + llvm::Twine(elements) +
                              " neighbours together, as `" + instr.op.getSymName() + "` wants");
  }
  BufAddress address(l, copy.getBuf(), copy.getSlot(), threadOf(l, points.dist, rank), points.dist);
  llvm::Value *acts = l.owner(points.dist);
  std::vector<Piece> pieces = piecesOf(points.dist, rank, elements);
  Touch read{"asynchronous copy from", points.dist, points.shape, pieces, box.bytes, false, true};
  Touch written{"asynchronous copy to", points.dist, points.shape, pieces, box.bytes, true, true};
  llvm::MDNode *global = noteView(l, read, copy.getView(), copy.getIndices(), copy.getWhole());
  llvm::MDNode *shared = noteBuf(l, written, copy.getBuf());
  bool isTargetFirst = instr.operands.front().kind == "smem";
  l.access = isTargetFirst ? together(l, shared, global) : together(l, global, shared);
  for (const Piece &piece : pieces) {
    if (int64_t(piece.regs.size()) != elements) {
      return l.error(apply, "a thread holds less than the " + llvm::Twine(elements) +
                                " neighbours that `" + instr.op.getSymName() + "` takes");
    }
    int64_t from = 0, to = 0;
    llvm::Value *row = box.rowOf(piece.coords, from);
    llvm::Value *at = address.at(piece.coords, to);
    llvm::Value *source = l.b.CreateConstGEP1_64(l.b.getInt8Ty(), row, from);
    llvm::Value *target = l.b.CreateConstGEP1_64(l.b.getInt8Ty(), at, to);
    llvm::Value *bytes = presentBytes(l, points, piece.coords, elements, box.bytes);
    llvm::Value *isIn = l.both(acts, l.inside(points, piece.regs.front()));
    callInstr(l, instr, l.b.getVoidTy(), {target, source, bytes, l.bit(isIn)});
  }
  return success();
}

//===- matrix loads -------------------------------------------------------===//

/// An affine expression of the lane.
static llvm::Value *ofLane(Lowering &l, mlir::AffineExpr expr) {
  if (auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(expr)) {
    return l.i32(constant.getValue());
  }
  if (llvm::isa<mlir::AffineDimExpr, mlir::AffineSymbolExpr>(expr)) {
    return l.lane();
  }
  auto both = llvm::cast<mlir::AffineBinaryOpExpr>(expr);
  llvm::Value *a = ofLane(l, both.getLHS()), *b = ofLane(l, both.getRHS());
  switch (expr.getKind()) {
  case mlir::AffineExprKind::Add:
    return l.b.CreateAdd(a, b);
  case mlir::AffineExprKind::Mul:
    return l.b.CreateMul(a, b);
  case mlir::AffineExprKind::Mod:
    return l.b.CreateURem(a, b);
  default:
    return l.b.CreateUDiv(a, b);
  }
}

/// Rows that lanes address, `(lane % 16, 8 * (lane // 16))`, as modes, where every bit of the lane goes to one axis.
static Dist rowsDist(mlir::AffineMap map, const Dist &warps) {
  SmallVector<tile::DistMode> modes;
  auto at = [&](int64_t lane, unsigned axis) {
    mlir::MLIRContext *context = map.getContext();
    SmallVector<mlir::Attribute> result;
    mlir::Attribute number = mlir::IntegerAttr::get(mlir::IndexType::get(context), lane);
    if (failed(
            map.constantFold(SmallVector<mlir::Attribute>(map.getNumInputs(), number), result))) {
      return int64_t(0);
    }
    return llvm::cast<mlir::IntegerAttr>(result[axis]).getInt();
  };
  for (int64_t bit = 1; bit < 32; bit *= 2) {
    tile::DistMode mode{tile::Place::lane, 2, -1, 0};
    for (unsigned axis = 0; axis < map.getNumResults(); ++axis) {
      if (int64_t step = at(bit, axis)) {
        mode.axis = axis;
        mode.stride = TESSERA_MUTANT(503, "lanes give addresses of other rows", step,
                                     (axis == 0 && step < 8 ? 4 / step : step));
      }
    }
    modes.push_back(mode);
  }
  modes.append(warps.modes().begin(), warps.modes().end());
  return Dist::get(modes);
}

/// The distribution with the fragment's modes taken out: where pieces begin, by warp and register. Null where the lanes are
/// others.
static std::optional<Dist> piecesWithin(const Dist &dist, const Fragment &fragment) {
  if (dist.modes(tile::Place::lane) != fragment.dist.modes(tile::Place::lane)) {
    return std::nullopt;
  }
  SmallVector<tile::DistMode> warps = dist.modes(tile::Place::warp);
  return Dist::get(warps);
}

LogicalResult convert::applyRead(Lowering &l, tile::ApplyOp apply, const Instr &instr,
                                 tile::ReadOp read) {
  TileValue made = l.emptyFor(apply.getResult(0));
  auto source = llvm::find_if(instr.operands,
                              [](const InstrOperand &operand) { return operand.kind == "smem"; });
  auto target = llvm::find_if(instr.operands,
                              [](const InstrOperand &operand) { return operand.kind == "frag"; });
  if (source == instr.operands.end() || target == instr.operands.end() ||
      instr.operands.size() != 2) {
    return l.error(apply, "a read's instruction has memory and a fragment");
  }
  llvm::Expected<Fragment> fragment = fragmentOf(l, *target);
  if (!fragment) {
    return l.error(apply, llvm::toString(fragment.takeError()));
  }
  auto map = source->info.getAs<mlir::AffineMapAttr>("address");
  std::optional<Dist> warps = piecesWithin(made.dist, *fragment);
  if (!map || !warps) {
    return l.error(apply, "the user of what `" + instr.op.getSymName() +
                              "` reads wants it in other lanes: <" + made.dist.text() + ">");
  }
  unsigned rank = made.shape.size();
  made.factors = factorsOf(l, read);
  SmallVector<llvm::Value *, 4> thread;
  for (unsigned axis = 0; axis < rank; ++axis) {
    thread.push_back(
        l.b.CreateAdd(ofLane(l, map.getValue().getResult(axis)), l.threadCoord(*warps, axis)));
  }
  // The lane's row, as a distribution of addresses, so that swizzles fold.
  Dist rows = rowsDist(map.getValue(), *warps);
  BufAddress address(l, read.getBuf(), read.getSlot(), thread, rows);
  llvm::Type *element = l.registerOf(read.getResult().getType());
  made.regs.assign(made.dist.regs(), llvm::PoisonValue::get(element));
  SmallVector<Coords> origins = originsOf(made.dist, target->shape);
  auto inRow = source->info.getAs<mlir::IntegerAttr>("rows");
  int64_t rowElements = inRow ? inRow.getInt() : source->shape.back();
  int64_t all = 1;
  for (int64_t extent : source->shape) {
    all *= extent;
  }
  l.access = noteMatrix(l, read.getBuf(), map.getValue(), *warps, origins, all / rowElements,
                        rowElements * l.elementBytes(mlir::getElementTypeOrSelf(source->type)));
  for (const Coords &origin : origins) {
    int64_t constant = 0;
    llvm::Value *at = address.at(origin, constant);
    llvm::Value *from = l.b.CreateConstGEP1_64(l.b.getInt8Ty(), at, constant);
    llvm::Value *packed = callInstr(l, instr, wordsType(l, *fragment), {from, l.b.getTrue()});
    if (llvm::Error failed = scatterFragment(l, packed, made, *fragment, origin, element)) {
      return l.error(apply, llvm::toString(std::move(failed)));
    }
  }
  l.set(apply.getResult(0), std::move(made));
  return success();
}
