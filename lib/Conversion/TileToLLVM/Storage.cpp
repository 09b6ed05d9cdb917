// Shared memory: where bufs lie, reads and writes of them, copies from and to views.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Accesses.h"
#include "Bufs.h"
#include "Rolled.h"

#include "tessera/Dialect/Tile/Structure.h"
#include "tessera/Layout/Notation.h"
#include "tessera/Schedule/Assign.h"
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

//===- where bufs lie -----------------------------------------------------===//

static int64_t bytesOf(Lowering &l, const BufValue &buf) {
  int64_t owners = buf.type.getPer() == tile::ExecScope::warp ? l.warps
                   : buf.type.getPer() == tile::ExecScope::wg ? llvm::divideCeil(l.warps, 4)
                                                              : 1;
  int64_t slots =
      TESSERA_MUTANT(493, "a ring has memory for one slot", int64_t(buf.type.getSlots()), 1);
  return buf.slotBytes * slots * owners;
}

/// The memory that a buf takes over, if that of the others is one piece and large enough.
static std::optional<int64_t> takenOver(Lowering &l, tile::AllocOp alloc, int64_t bytes) {
  SmallVector<std::pair<int64_t, int64_t>> parts;
  for (mlir::Value over : alloc.getOver()) {
    const BufValue &other = l.bufs.at(over);
    parts.push_back({other.offset, other.offset + bytesOf(l, other)});
  }
  llvm::sort(parts);
  int64_t end = parts.empty() ? 0 : parts.front().first;
  for (auto [first, last] : parts) {
    if (first > int64_t(llvm::alignTo(end, 128))) {
      return std::nullopt;
    }
    end = std::max(end, last);
  }
  if (parts.empty() || end - parts.front().first < bytes) {
    return std::nullopt;
  }
  return parts.front().first;
}

static LogicalResult lowerAlloc(Lowering &l, Operation *op) {
  auto alloc = llvm::cast<tile::AllocOp>(op);
  BufValue buf;
  buf.type = alloc.getResult().getType();
  if (buf.type.getStorage() != tile::Storage::shared) {
    return l.error(op, "memory of a workspace has no code yet: keep it in shared memory");
  }
  int64_t elements = buf.type.getNumElements();
  if (mlir::StringAttr text = buf.type.getLayout(); text && !text.getValue().empty()) {
    llvm::Expected<Layout> layout = parseLayout(text.getValue());
    if (!layout) {
      return l.error(op, llvm::toString(layout.takeError()));
    }
    elements = std::max(elements, layout->outs().front().size);
    buf.layout = std::make_shared<Layout>(std::move(*layout));
  }
  buf.slotBytes = llvm::alignTo(elements * l.elementBytes(buf.type.getElementType()), 128);
  int64_t bytes = bytesOf(l, buf);
  if (std::optional<int64_t> first = takenOver(l, alloc, bytes)) {
    buf.offset = *first;
  } else {
    buf.offset = llvm::alignTo(l.sharedBytes, buf.layout ? 1024 : 128);
    l.sharedBytes = buf.offset + bytes;
  }
  l.bufs[alloc.getResult()] = buf;
  return success();
}

//===- reads and writes ---------------------------------------------------===//

SmallVector<Factor, 2> convert::factorsOf(Lowering &l, tile::ReadOp read) {
  SmallVector<Factor, 2> factors;
  unsigned next = 0;
  for (auto [axis, isWhole] : llvm::enumerate(read.getWhole())) {
    mlir::Value span = isWhole ? mlir::Value() : read.getSpans()[next++];
    if (span && !l.isWhole(span)) {
      factors.push_back(l.spanFactor(axis, span));
    }
  }
  return factors;
}

/// A bit for each byte of a vector that belongs to a present element; null where all do if the first does.
static llvm::Value *usedBytes(Lowering &l, const TileValue &tile, const Piece &piece,
                              int64_t bytes) {
  bool dependsOnLast = llvm::any_of(tile.factors, [&](const Factor &factor) {
    return (factor.axes >> (tile.shape.size() - 1) & 1) != 0;
  });
  if (piece.regs.size() == 1 || !dependsOnLast) {
    return nullptr;
  }
  llvm::Value *used = l.i32(0);
  for (auto [number, reg] : llvm::enumerate(piece.regs)) {
    auto mask = int64_t((uint64_t(1) << bytes) - 1) << (int64_t(number) * bytes);
    used = l.b.CreateOr(used, l.b.CreateSelect(l.bit(l.present(tile, reg)), l.i32(mask), l.i32(0)));
  }
  return used;
}

static LogicalResult lowerRead(Lowering &l, Operation *op) {
  auto read = llvm::cast<tile::ReadOp>(op);
  TileValue made = l.emptyFor(read.getResult());
  unsigned rank = made.shape.size();
  made.factors = factorsOf(l, read);
  SmallVector<llvm::Value *, 4> thread = threadOf(l, made.dist, rank);
  BufAddress address(l, read.getBuf(), read.getSlot(), thread, made.dist);
  llvm::Type *element = l.registerOf(read.getResult().getType());
  int64_t bytes = l.elementBytes(read.getBuf().getType().getElementType());
  made.regs.assign(made.dist.regs(), nullptr);
  int64_t width = widthFor(made.dist, made.shape, vectorIn(l.bufs.at(read.getBuf())));
  std::vector<Piece> pieces = piecesOf(made.dist, rank, width);
  l.access = noteBuf(l, {"read of", made.dist, made.shape, pieces, bytes}, read.getBuf());
  for (const Piece &piece : pieces) {
    int64_t offset = 0;
    llvm::Value *at = address.at(piece.coords, offset);
    llvm::Type *type = device::accessType(l.module, bytes * piece.regs.size());
    // Absent cells may never have been written. Where the first of a vector is absent, all are.
    llvm::Value *isPresent = l.present(made, piece.regs.front());
    llvm::Value *isThere = l.both(l.inside(made, piece.regs.front()),
                                  TESSERA_MUTANT(494, "cells that nobody wrote are read", isPresent,
                                                 static_cast<llvm::Value *>(nullptr)));
    SmallVector<llvm::Value *> arguments{at, l.i64(offset), l.bit(isThere),
                                         llvm::Constant::getNullValue(type)};
    llvm::Value *used = usedBytes(l, made, piece, bytes);
    if (used) {
      arguments.push_back(used);
    }
    llvm::Value *packed = l.marker(
        (used ? "ld.shared.part." : "ld.shared.") + device::accessName(type), type, arguments);
    for (auto [reg, value] : llvm::zip(piece.regs, l.unpack(packed, element, piece.regs.size()))) {
      made.regs[reg] = value;
    }
  }
  l.set(read.getResult(), std::move(made));
  return success();
}

/// Neighbours along the last axis that are all present if the first is. Beyond a loop factors have lost their span: it is the
/// one of the boxes that the buf is copied to.
static int64_t presentTogether(Lowering &l, tile::WriteOp write, const TileValue &value) {
  constexpr int64_t most = 16;
  unsigned last = value.shape.empty() ? 0 : value.shape.size() - 1;
  bool dependsOnLast = llvm::any_of(
      value.factors, [&](const Factor &factor) { return (factor.axes >> last & 1) != 0; });
  if (!dependsOnLast) {
    return most;
  }
  bool isAlone = llvm::all_of(value.factors, [&](const Factor &factor) {
    return factor.axes == AxisSet(1) << last || (factor.axes >> last & 1) == 0;
  });
  int64_t together = isAlone ? most : 1;
  bool isCopied = false;
  for (Operation *user : write.getBuf().getUsers()) {
    auto copy = llvm::dyn_cast<tile::CopyOutOp>(user);
    if (!copy) {
      continue;
    }
    mlir::Value span = copy.getIndices().empty() ? mlir::Value() : copy.getIndices().back();
    bool isSame = span && !copy.getWhole().back() && llvm::isa<tile::SpanType>(span.getType()) &&
                  l.isImplied(write.getValue(), last, span);
    together = isSame ? std::min(together, l.alignment.spanDivisor(span)) : 1;
    isCopied = true;
  }
  return isCopied ? together : 1;
}

static LogicalResult lowerWrite(Lowering &l, Operation *op) {
  auto write = llvm::cast<tile::WriteOp>(op);
  const TileValue &value = l.tile(write.getValue());
  unsigned rank = value.shape.size();
  SmallVector<llvm::Value *, 4> thread = threadOf(l, value.dist, rank);
  BufAddress address(l, write.getBuf(), write.getSlot(), thread, value.dist);
  llvm::Value *acts = l.owner(value.dist);
  bool isWhole = isWrittenWhole(write.getBuf());
  int64_t known = vectorIn(l.bufs.at(write.getBuf()));
  known = isWhole ? known : std::min(known, presentTogether(l, write, value));
  std::vector<Piece> pieces = piecesOf(value.dist, rank, widthFor(value.dist, value.shape, known));
  Touch touch{"write to", value.dist, value.shape, pieces, 0, true, /*isOwned=*/true};
  touch.elementBytes = l.elementBytes(write.getBuf().getType().getElementType());
  l.access = noteBuf(l, touch, write.getBuf());
  for (const Piece &piece : pieces) {
    Registers elements;
    for (int64_t reg : piece.regs) {
      elements.push_back(value.regs[reg]);
    }
    int64_t offset = 0;
    llvm::Value *at = address.at(piece.coords, offset);
    llvm::Value *packed = l.pack(elements);
    llvm::Value *isThere =
        l.both(l.inside(value, piece.regs.front()),
               TESSERA_MUTANT(409, "cells of absent elements stay as they were", isWhole, false)
                   ? nullptr
                   : l.present(value, piece.regs.front()));
    l.marker("st.shared." + device::accessName(packed->getType()), l.b.getVoidTy(),
             {at, l.i64(offset), packed,
              l.bit(l.both(TESSERA_MUTANT(495, "every copy of an element is written", acts,
                                          static_cast<llvm::Value *>(nullptr)),
                           isThere))});
  }
  return success();
}

//===- copies -------------------------------------------------------------===//

namespace {
/// A copy between a view and a buf: how wide its pieces are, and what each thread does of a part of its registers.
template <class Op> class Copy {
public:
  Copy(Lowering &l, Op op, const Dist &dist) : l(l), op(op), dist(dist) {
    llvm::append_range(shape, op.getBuf().getType().getShape());
    int64_t known =
        std::min(l.alignment.vectorOf(op.getView(), op.getIndices(), op.getWhole(), shape.back()),
                 vectorIn(l.bufs.at(op.getBuf())));
    width = widthFor(dist, shape, known);
  }

  LogicalResult run() {
    return inParts(l, dist, shape, width, [&](const Dist &part) {
      TileValue points;
      points.shape = shape;
      points.dist = part;
      unsigned rank = shape.size();
      Box box(l, op.getView(), op.getIndices(), op.getWhole(), dist, shape);
      points.factors = box.factors;
      // The whole distribution: which bits of an address registers and threads share depends on it.
      BufAddress address(l, op.getBuf(), op.getSlot(), threadOf(l, dist, rank), dist);
      move(points, box, address, piecesOf(part, rank, width));
      return success();
    });
  }

private:
  void move(const TileValue &points, Box &box, BufAddress &address, ArrayRef<Piece> pieces);

  Lowering &l;
  Op op;
  const Dist &dist;
  SmallVector<int64_t, 4> shape;
  int64_t width = 1;
};
} // namespace

template <>
void Copy<tile::CopyOp>::move(const TileValue &points, Box &box, BufAddress &address,
                              ArrayRef<Piece> pieces) {
  llvm::Value *acts = l.owner(points.dist);
  bool fills = op.getFill() == tile::Fill::zero || isReadWhole(op.getBuf());
  struct Moved {
    llvm::Value *value, *at, *isThere;
    int64_t offset;
  };
  // All loads before all stores: none waits for another.
  std::vector<Moved> all;
  Touch touch{"copy from", points.dist, points.shape, pieces, box.bytes, false, /*isOwned=*/true};
  l.access = noteView(l, touch, op.getView(), op.getIndices(), op.getWhole());
  for (const Piece &piece : pieces) {
    int64_t from = 0, to = 0;
    llvm::Value *row = box.rowOf(piece.coords, from);
    llvm::Value *inside = l.both(acts, l.inside(points, piece.regs.front()));
    llvm::Value *isThere = l.both(inside, l.present(points, piece.regs.front()));
    llvm::Type *type = device::accessType(l.module, box.bytes * piece.regs.size());
    llvm::Value *value =
        l.marker("ld.global." + device::accessName(type), type,
                 {row, l.i64(from), l.bit(isThere), llvm::Constant::getNullValue(type)});
    llvm::Value *at = address.at(piece.coords, to);
    all.push_back(
        {value, at,
         TESSERA_MUTANT(492, "copies do not write zeros", fills, false) ? inside : isThere, to});
  }
  touch.verb = "copy to";
  touch.isWrite = true;
  l.access = noteBuf(l, touch, op.getBuf());
  for (const Moved &each : all) {
    l.marker("st.shared." + device::accessName(each.value->getType()), l.b.getVoidTy(),
             {each.at, l.i64(each.offset), each.value, l.bit(each.isThere)});
  }
}

LogicalResult convert::lowerPlainCopy(Lowering &l, tile::CopyOp copy, const Dist &dist) {
  return Copy<tile::CopyOp>(l, copy, dist).run();
}

static LogicalResult lowerCopy(Lowering &l, Operation *op) {
  std::optional<Dist> dist = schedule::distOf(op);
  if (!dist) {
    return l.error(op, "the copy has no distribution: run layout assignment before this");
  }
  return lowerPlainCopy(l, llvm::cast<tile::CopyOp>(op), *dist);
}

template <>
void Copy<tile::CopyOutOp>::move(const TileValue &points, Box &box, BufAddress &address,
                                 ArrayRef<Piece> pieces) {
  llvm::Value *acts = l.owner(points.dist);
  Touch read{"copy from", points.dist, points.shape, pieces, box.bytes, false, /*isOwned=*/true};
  Touch written{"copy to", points.dist, points.shape, pieces, box.bytes, true, /*isOwned=*/true};
  llvm::MDNode *source = noteBuf(l, read, op.getBuf());
  llvm::MDNode *target = noteView(l, written, op.getView(), op.getIndices(), op.getWhole());
  for (const Piece &piece : pieces) {
    int64_t from = 0, to = 0;
    llvm::Value *at = address.at(piece.coords, from);
    llvm::Value *isPresent = l.present(points, piece.regs.front());
    llvm::Value *isThere = l.both(l.both(acts, l.inside(points, piece.regs.front())),
                                  TESSERA_MUTANT(496, "a buf is copied beyond the view", isPresent,
                                                 static_cast<llvm::Value *>(nullptr)));
    llvm::Type *type = device::accessType(l.module, box.bytes * piece.regs.size());
    l.access = source;
    llvm::Value *value =
        l.marker("ld.shared." + device::accessName(type), type,
                 {at, l.i64(from), l.bit(isThere), llvm::Constant::getNullValue(type)});
    llvm::Value *row = box.rowOf(piece.coords, to);
    l.access = target;
    l.marker("st.global." + device::accessName(type), l.b.getVoidTy(),
             {row, l.i64(to), value, l.bit(isThere)});
  }
}

static LogicalResult lowerCopyOut(Lowering &l, Operation *op) {
  std::optional<Dist> dist = schedule::distOf(op);
  if (!dist) {
    return l.error(op, "the copy has no distribution: run layout assignment before this");
  }
  return Copy<tile::CopyOutOp>(l, llvm::cast<tile::CopyOutOp>(op), *dist).run();
}

LowerOp convert::storageOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, LowerOp>(op)
      .Case<tile::AllocOp>([](auto) { return lowerAlloc; })
      .Case<tile::ReadOp>([](auto) { return lowerRead; })
      .Case<tile::WriteOp>([](auto) { return lowerWrite; })
      .Case<tile::CopyOp>([](auto) { return lowerCopy; })
      .Case<tile::CopyOutOp>([](auto) { return lowerCopyOut; })
      .Default([](Operation *) { return nullptr; });
}
