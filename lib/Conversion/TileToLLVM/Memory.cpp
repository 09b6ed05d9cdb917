// Loads, stores and atomics of views: a box of elements, as wide as neighbours in registers are neighbours in memory.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Accesses.h"

#include "tessera/Support/Mutants.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::success;

//===- boxes --------------------------------------------------------------===//

Box::Box(Lowering &l, mlir::Value viewValue, mlir::ValueRange indices, ArrayRef<bool> whole,
         const Dist &dist, ArrayRef<int64_t>)
    : bytes(l.elementBytes(llvm::cast<tile::ViewType>(viewValue.getType()).getElementType())), l(l),
      view(l.views.at(viewValue)) {
  unsigned next = 0, axis = 0;
  for (auto [viewAxis, isWhole] : llvm::enumerate(whole)) {
    Axis made;
    made.stride = view.strides[viewAxis];
    made.first = axis;
    if (isWhole) {
      made.axes = 1;
    } else {
      mlir::Value index = indices[next++];
      if (llvm::isa<tile::SpanType>(index.getType())) {
        made.axes = 1;
        made.start = l.spans.at(index).start;
        if (!l.isWhole(index)) {
          factors.push_back(l.spanFactor(axis, index));
        }
      } else if (llvm::isa<mlir::RankedTensorType>(index.getType())) {
        made.table = &l.tile(index);
        made.axes = made.table->shape.size();
        made.isUnsigned = llvm::cast<mlir::RankedTensorType>(index.getType())
                              .getElementType()
                              .isUnsignedInteger();
        SmallVector<int64_t> map;
        for (unsigned i = 0; i < made.axes; ++i) {
          map.push_back(axis + i);
        }
        ArrayRef<Factor> missing = TESSERA_MUTANT(448, "absent numbers of rows are read",
                                                  made.table->factors, ArrayRef<Factor>());
        for (const Factor &factor : missing) {
          factors.push_back(renumbered(factor, map));
        }
      } else {
        made.start = l.b.CreateSExtOrTrunc(l.scalar(index), l.b.getInt64Ty());
        addFactors(factors, l.tile(index).factors);
      }
    }
    axis += made.axes;
    axes.push_back(made);
  }
  base = view.base;
  llvm::Value *offset = l.i64(0);
  for (const Axis &each : axes) {
    llvm::Value *index = each.start ? each.start : l.i64(0);
    if (each.axes == 1 && !each.table) {
      llvm::Value *thread = l.threadCoord(dist, each.first);
      index = l.b.CreateAdd(index, l.b.CreateZExt(thread, l.b.getInt64Ty()));
    }
    if (!each.table) {
      offset = l.b.CreateAdd(offset, l.b.CreateMul(index, each.stride));
    }
  }
  llvm::Value *moved = l.b.CreateMul(offset, l.i64(bytes));
  base = l.b.CreateGEP(
      l.b.getInt8Ty(), base,
      TESSERA_MUTANT(447, "offsets have 32 bits", moved,
                     l.b.CreateSExt(l.b.CreateTrunc(moved, l.b.getInt32Ty()), l.b.getInt64Ty())));
}

llvm::Value *Box::tableOffset(ArrayRef<int64_t> coords) {
  llvm::Value *moved = nullptr;
  for (const Axis &axis : axes) {
    if (axis.table) {
      SmallVector<int64_t> own(coords.begin() + axis.first,
                               coords.begin() + axis.first + axis.axes);
      std::optional<int64_t> reg = axis.table->dist.regAt(own);
      llvm::Value *index = axis.table->regs[reg.value_or(0)];
      index = TESSERA_MUTANT(446, "unsigned numbers of rows have a sign", axis.isUnsigned, false)
                  ? l.b.CreateZExt(index, l.b.getInt64Ty())
                  : l.b.CreateSExt(index, l.b.getInt64Ty());
      llvm::Value *part = l.b.CreateMul(index, axis.stride);
      moved = moved ? l.b.CreateAdd(moved, part) : part;
    }
  }
  return moved;
}

AxisSet Box::tableAxes() const {
  AxisSet found = 0;
  for (const Axis &axis : axes) {
    for (unsigned i = 0; axis.table && i < axis.axes; ++i) {
      found |= AxisSet(1) << (axis.first + i);
    }
  }
  return found;
}

llvm::Value *Box::rowOf(ArrayRef<int64_t> coords, int64_t &constant) {
  constant = 0;
  llvm::Value *moved = tableOffset(coords);
  for (const Axis &axis : axes) {
    if (axis.table || axis.axes == 0 || coords[axis.first] == 0) {
      continue;
    }
    if (auto *unit = llvm::dyn_cast<llvm::ConstantInt>(axis.stride)) {
      constant += coords[axis.first] * unit->getSExtValue() * bytes;
      continue;
    }
    llvm::Value *part = l.b.CreateMul(axis.stride, l.i64(coords[axis.first]));
    moved = moved ? l.b.CreateAdd(moved, part) : part;
  }
  return moved ? l.b.CreateGEP(l.b.getInt8Ty(), base, l.b.CreateMul(moved, l.i64(bytes))) : base;
}

std::vector<Piece> convert::piecesOf(const Dist &dist, unsigned rank, int64_t most) {
  std::vector<Piece> pieces;
  std::vector<bool> isTaken(dist.regs(), false);
  for (int64_t reg = 0; reg < dist.regs(); ++reg) {
    if (isTaken[reg]) {
      continue;
    }
    Piece piece;
    piece.coords = dist.regCoords(reg, rank);
    int64_t width = rank == 0 || piece.coords.back() % most != 0 ? 1 : most;
    for (; width > 1; width /= 2) {
      Coords at = piece.coords;
      piece.regs.clear();
      for (int64_t i = 0; i < width; ++i, ++at.back()) {
        if (std::optional<int64_t> found = dist.regAt(at)) {
          piece.regs.push_back(*found);
        }
      }
      if (int64_t(piece.regs.size()) == width) {
        break;
      }
    }
    if (width <= 1) {
      piece.regs.assign(1, reg);
    }
    for (int64_t each : piece.regs) {
      isTaken[each] = true;
    }
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

/// Elements of one access: what is known of the memory, and threads that begin at multiples.
int64_t convert::widthFor(const Dist &dist, ArrayRef<int64_t> shape, int64_t known) {
  if (shape.empty()) {
    return 1;
  }
  int64_t width = std::min(known, shape.back() & -shape.back());
  int64_t axis = int64_t(shape.size()) - 1;
  for (const tile::DistMode &mode : dist.modes()) {
    if (mode.axis == axis && mode.place != tile::Place::reg) {
      width = std::min(width, mode.stride & -mode.stride);
    }
  }
  return width;
}

//===- loads and stores ---------------------------------------------------===//

static LogicalResult lowerLoad(Lowering &l, Operation *op) {
  auto load = llvm::cast<tile::LoadOp>(op);
  TileValue made = l.emptyFor(load.getResult());
  Box box(l, load.getView(), load.getIndices(), load.getWhole(), made.dist, made.shape);
  made.factors = box.factors;
  llvm::Type *element = l.registerOf(load.getResult().getType());
  int64_t known = made.shape.empty() ? 1
                                     : l.alignment.vectorOf(load.getView(), load.getIndices(),
                                                            load.getWhole(), made.shape.back());
  made.regs.assign(made.dist.regs(), nullptr);
  std::vector<Piece> pieces =
      piecesOf(made.dist, made.shape.size(), widthFor(made.dist, made.shape, known));
  l.access = noteView(l, {"load of", made.dist, made.shape, pieces, box.bytes}, load.getView(),
                      load.getIndices(), load.getWhole());
  for (const Piece &piece : pieces) {
    int64_t offset = 0;
    llvm::Value *row = box.rowOf(piece.coords, offset);
    llvm::Value *isPresent = l.present(made, piece.regs.front());
    llvm::Value *isThere = l.both(
        TESSERA_MUTANT(449, "loads have no guard", isPresent, static_cast<llvm::Value *>(nullptr)),
        l.inside(made, piece.regs.front()));
    llvm::Type *type = device::accessType(l.module, box.bytes * piece.regs.size());
    llvm::Value *read =
        l.marker("ld.global." + device::accessName(type), type,
                 {row, l.i64(offset), l.bit(isThere), llvm::Constant::getNullValue(type)});
    for (auto [reg, value] : llvm::zip(piece.regs, l.unpack(read, element, piece.regs.size()))) {
      made.regs[reg] = value;
    }
  }
  l.set(load.getResult(), std::move(made));
  return success();
}

void convert::addValueFactors(Lowering &l, mlir::Value value, ArrayRef<Factor> more,
                              llvm::SmallVectorImpl<Factor> &factors) {
  SmallVector<Factor> own(factors.begin(), factors.end());
  for (const Factor &factor : more) {
    bool isSaid = llvm::any_of(own, [&](const Factor &other) {
      return other.axes == factor.axes && other.span &&
             (other.span == factor.span ||
              l.isImplied(value, llvm::countr_zero(factor.axes), other.span));
    });
    if (!isSaid) {
      addFactors(factors, {factor});
    }
  }
}

static LogicalResult lowerStore(Lowering &l, Operation *op) {
  auto store = llvm::cast<tile::StoreOp>(op);
  const TileValue &value = l.tile(store.getValue());
  Box box(l, store.getView(), store.getIndices(), store.getWhole(), value.dist, value.shape);
  TileValue target = value;
  target.factors = box.factors;
  if (TESSERA_MUTANT(443, "stores look at their box only", true, false)) {
    addValueFactors(l, store.getValue(), value.factors, target.factors);
  }
  int64_t known = value.shape.empty() ? 1
                                      : l.alignment.vectorOf(store.getView(), store.getIndices(),
                                                             store.getWhole(), value.shape.back());
  // A vector is present as a whole only where nothing but the box says what is.
  if (TESSERA_MUTANT(444, "a vector is stored as its first element is",
                     target.factors.size() != box.factors.size(), false)) {
    known = 1;
  }
  llvm::Value *acts = l.owner(value.dist);
  Registers isLast;
  if (store.getConflict() == tile::Conflict::last && box.tableAxes() != 0) {
    isLast = lastOfCells(l, box, target);
    known = 1;
  }
  std::vector<Piece> pieces =
      piecesOf(value.dist, value.shape.size(), widthFor(value.dist, value.shape, known));
  Touch touch{"store to", value.dist, value.shape, pieces, box.bytes, true, /*isOwned=*/true};
  l.access = noteView(l, touch, store.getView(), store.getIndices(), store.getWhole());
  for (const Piece &piece : pieces) {
    int64_t offset = 0;
    llvm::Value *row = box.rowOf(piece.coords, offset);
    llvm::Value *isThere =
        l.both(l.present(target, piece.regs.front()), l.inside(target, piece.regs.front()));
    if (!isLast.empty()) {
      isThere = l.both(isThere, isLast[piece.regs.front()]);
    }
    Registers elements;
    for (int64_t reg : piece.regs) {
      elements.push_back(value.regs[reg]);
    }
    llvm::Value *packed = l.pack(elements);
    l.marker("st.global." + device::accessName(packed->getType()), l.b.getVoidTy(),
             {row, l.i64(offset), packed,
              l.bit(l.both(TESSERA_MUTANT(445, "every copy of an element is stored", acts,
                                          static_cast<llvm::Value *>(nullptr)),
                           isThere))});
  }
  return success();
}

LowerOp convert::memoryOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, LowerOp>(op)
      .Case<tile::LoadOp>([](auto) { return lowerLoad; })
      .Case<tile::StoreOp>([](auto) { return lowerStore; })
      .Default([](Operation *) { return nullptr; });
}
