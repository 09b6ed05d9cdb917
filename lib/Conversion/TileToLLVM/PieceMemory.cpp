// Memory operands of declared instructions: addresses and presence of pieces.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PieceMemory.h"

#include "tessera/Support/Mutants.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::ArrayRef;
using llvm::SmallVector;
using tile::DistMode;
using tile::Place;

static int64_t elementsOf(ArrayRef<int64_t> shape) {
  int64_t elements = 1;
  for (int64_t extent : shape) {
    elements *= extent;
  }
  return elements;
}

PieceMemory::PieceMemory(Lowering &l, const Instr &instr, const schedule::Placement &placement,
                         unsigned index, const Dist &pieces)
    : l(l), operand(instr.operands[index]), placement(placement), placed(placement.operands[index]),
      access(placed.access) {
  points.dist = placement.held(index, pieces);
  fillsAbsent = instr.op.getPtx().contains(("present_bytes(" + operand.name + ")").str());
  auto boxed = [&](mlir::Type tile) { llvm::append_range(points.shape, tile::shapeOf(tile)); };
  llvm::TypeSwitch<mlir::Operation *>(access)
      .Case([&](tile::ReadOp read) {
        boxed(read.getResult().getType());
        buf = read.getBuf();
        slot = read.getSlot();
      })
      .Case([&](tile::WriteOp write) {
        boxed(write.getValue().getType());
        buf = write.getBuf();
        slot = write.getSlot();
      })
      .Case([&](tile::LoadOp load) { boxed(load.getResult().getType()); })
      .Case([&](tile::StoreOp store) { boxed(store.getValue().getType()); })
      .Case<tile::CopyOp, tile::CopyOutOp>([&](auto copy) {
        boxed(copy.getBuf().getType().getTileType());
        buf = isView() ? mlir::Value() : copy.getBuf();
        slot = copy.getSlot();
      });
}

//===- what the memory must be --------------------------------------------===//

/// In shared memory: elements that the instruction takes as neighbours are, and begin where it wants them to.
llvm::Error PieceMemory::checkRuns() const {
  const BufValue &held = l.bufs.at(buf);
  auto rows = operand.info.getAs<mlir::IntegerAttr>("rows");
  auto align = operand.info.getAs<mlir::IntegerAttr>("align");
  int64_t run = rows                                  ? rows.getInt()
                : operand.info.contains("contiguous") ? operand.shape.back()
                                                      : 1;
  int64_t bytes = l.elementBytes(held.type.getElementType());
  int64_t step = align ? std::max<int64_t>(align.getInt() / bytes, 1) : 1;
  if (keepsRuns(held, placed.axes.back(), run, step)) {
    return llvm::Error::success();
  }
  return llvm::createStringError("shared memory does not keep " + std::to_string(run) +
                                 " neighbours together at multiples of " + std::to_string(step) +
                                 ", as operand `" + operand.name.str() +
                                 "` wants: choose another layout of the buf");
}

//===- addresses ----------------------------------------------------------===//

llvm::Error PieceMemory::makeAddresses() {
  lanes = points.dist;
  if (auto map = operand.info.getAs<mlir::AffineMapAttr>("address");
      map && placement.instr.getScope() != tile::ExecScope::thread) {
    std::optional<SmallVector<Coords, 5>> bits = addressBits(map.getValue());
    if (!bits) {
      return llvm::createStringError("the address of operand `" + operand.name.str() +
                                     "` is no sum over the bits of `lane`");
    }
    SmallVector<DistMode> modes;
    for (const Coords &bit : *bits) {
      DistMode mode{Place::lane, 2, -1, 0};
      for (auto [axis, step] : llvm::enumerate(bit)) {
        if (step != 0 && mode.axis >= 0) {
          return llvm::createStringError("a bit of `lane` moves the address of operand `" +
                                         operand.name.str() + "` along two axes");
        }
        if (step != 0) {
          mode.axis = placed.axes[axis];
          mode.stride = TESSERA_MUTANT(503, "lanes give addresses of other rows", step,
                                       (axis == 0 && step < 8 ? 4 / step : step));
        }
      }
      modes.push_back(mode);
    }
    modes.append(points.dist.modes().begin(), points.dist.modes().end());
    lanes = Dist::get(modes);
  }
  if (buf) {
    address =
        std::make_unique<BufAddress>(l, buf, slot, threadOf(l, lanes, points.shape.size()), lanes);
    return llvm::Error::success();
  }
  auto boxed = [&](auto op) {
    box =
        std::make_unique<Box>(l, op.getView(), op.getIndices(), op.getWhole(), lanes, points.shape);
  };
  llvm::TypeSwitch<mlir::Operation *>(access)
      .Case<tile::LoadOp, tile::StoreOp, tile::CopyOp, tile::CopyOutOp>(boxed);
  points.factors = box->factors;
  auto store = llvm::dyn_cast<tile::StoreOp>(access);
  if (store && store.getConflict() == tile::Conflict::last && box->tableAxes() != 0) {
    return llvm::createStringError("`conflict = last` has no code in an instruction");
  }
  return llvm::Error::success();
}

llvm::Error PieceMemory::prepare() {
  if (buf) {
    if (llvm::Error error = checkRuns()) {
      return error;
    }
  }
  if (llvm::Error error = makeAddresses()) {
    return error;
  }
  if (auto read = llvm::dyn_cast<tile::ReadOp>(access)) {
    points.factors = factorsOf(l, read);
    areCellsThere = isFilledBuf(buf) || isWrittenWhole(buf);
  }
  return llvm::Error::success();
}

llvm::Error PieceMemory::addStored(mlir::Value value, ArrayRef<Factor> more) {
  if (!isView()) {
    return llvm::Error::success(); // all cells of a piece are written, and absent ones are not read
  }
  addValueFactors(l, value, more, points.factors);
  bool hasBits = llvm::any_of(points.factors, [](const Factor &factor) { return !factor.count; });
  if (hasBits && placement.instr.getScope() != tile::ExecScope::thread) {
    return llvm::createStringError("elements that are absent one by one are stored piece by piece "
                                   "by a group of threads: use an instruction of a thread");
  }
  return llvm::Error::success();
}

llvm::Value *PieceMemory::addressOf(ArrayRef<int64_t> origin) {
  int64_t constant = 0;
  llvm::Value *at = box ? box->rowOf(origin, constant) : address->at(origin, constant);
  return constant == 0 ? at : l.b.CreateConstGEP1_64(l.b.getInt8Ty(), at, constant);
}

//===- presence -----------------------------------------------------------===//

/// A count along the last axis, all or none along the others.
llvm::Value *PieceMemory::presentBytes(ArrayRef<int64_t> origin) {
  int64_t elements = elementsOf(placed.piece);
  llvm::Value *count = l.i64(elements);
  unsigned last = points.shape.size() - 1;
  bool isRow = !points.shape.empty() && placed.piece.back() == elements;
  for (const Factor &factor : points.factors) {
    if (isRow && factor.count && factor.axes == AxisSet(1) << last) {
      llvm::Value *thread = l.b.CreateZExt(l.threadCoord(points.dist, last), l.b.getInt64Ty());
      llvm::Value *left = l.b.CreateSub(l.b.CreateSub(factor.count, thread), l.i64(origin[last]));
      left = l.b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, left, l.i64(0));
      llvm::Value *cut = l.b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, count, left);
      count = TESSERA_MUTANT(490, "copies take whole vectors", cut, count);
      continue;
    }
    llvm::Value *holds = l.holds(factor, points.dist, origin);
    count = l.b.CreateSelect(TESSERA_MUTANT(491, "copies take rows beyond the view", holds,
                                            static_cast<llvm::Value *>(l.b.getTrue())),
                             count, l.i64(0));
  }
  int64_t bytes = l.elementBytes(mlir::getElementTypeOrSelf(operand.type));
  return l.b.CreateTrunc(l.b.CreateMul(count, l.i64(bytes)), l.b.getInt32Ty());
}

llvm::Value *PieceMemory::isThere(ArrayRef<int64_t> origin) {
  llvm::Value *all = nullptr;
  for (auto [axis, extent] : llvm::enumerate(points.shape)) {
    if (points.dist.reach(axis) > extent) {
      llvm::Value *at = l.b.CreateAdd(l.threadCoord(points.dist, axis), l.i32(origin[axis]));
      all = l.both(all, l.b.CreateICmpULT(at, l.i32(extent)));
    }
  }
  // What is absent is a zero that can be read: no branch around the instruction for it.
  if (fillsAbsent || areCellsThere) {
    return all;
  }
  for (const Factor &factor : points.factors) {
    all = l.both(all, l.holds(factor, points.dist, origin));
  }
  return all;
}
