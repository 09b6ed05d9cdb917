// Predicting accesses of shared memory from distributions and layouts, and numbering all accesses.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Accesses.h"

#include "AccessCounts.h"
#include "Bufs.h"

#include "tessera/Device/Access.h"
#include "tessera/Layout/Algebra.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::ArrayRef;
using llvm::MDNode;
using llvm::SmallVector;
using llvm::StringRef;
using tile::Place;

//===- numbers ------------------------------------------------------------===//

MDNode *convert::number(Lowering &l, AccessCost access) {
  access.entry = l.function->getName().str();
  access.place = l.placeText();
  access.isElected = l.isElected;
  auto number = uint32_t(l.report->size());
  l.report->push_back(std::move(access));
  return device::accessNumbers(l.module.getContext(), {number});
}

MDNode *convert::together(Lowering &l, MDNode *first, MDNode *second) {
  return l.report ? MDNode::concatenate(first, second) : nullptr;
}

AccessCost convert::accessOf(const Touch &touch, const llvm::Twine &memory, bool isShared) {
  AccessCost access;
  access.what = (touch.verb + " " + memory).str();
  access.isShared = isShared;
  access.isWrite = touch.isWrite;
  for (const Piece &piece : touch.pieces) {
    access.laneBytes = std::max(access.laneBytes, int64_t(piece.regs.size()) * touch.elementBytes);
  }
  access.instructions = int64_t(touch.pieces.size());
  return access;
}

//===- who acts -----------------------------------------------------------===//

Actors::Actors(Lowering &l, const Touch &touch) : l(l), touch(touch) { isElected = l.isElected; }

bool Actors::areAll() const {
  if (isElected || touch.dist.exceeds(touch.shape)) {
    return false;
  }
  bool hasCopies =
      touch.dist.size(Place::lane) < 32 || touch.dist.size(Place::warp) < l.warps ||
      llvm::any_of(touch.dist.modes(), [](const tile::DistMode &mode) { return mode.axis < 0; });
  return !touch.isOwned || !hasCopies;
}

/// Whether a number of a place is the first of those that hold the same.
static bool isOwner(const Dist &dist, Place place, int64_t number) {
  for (const tile::DistMode &mode : dist.modes(place)) {
    if (mode.axis < 0 && number % mode.extent != 0) {
      return false;
    }
    number /= mode.extent;
  }
  return number == 0;
}

std::optional<Coords> Actors::at(int64_t lane, int64_t warp, const Piece &piece) const {
  if (isElected && (lane != 0 || warp != 0)) {
    return std::nullopt;
  }
  if (touch.isOwned &&
      !(isOwner(touch.dist, Place::lane, lane) && isOwner(touch.dist, Place::warp, warp))) {
    return std::nullopt;
  }
  Coords coords = touch.dist.threadCoords(lane, warp, touch.shape.size());
  for (auto [sum, more, extent] : llvm::zip(coords, piece.coords, touch.shape)) {
    sum += more;
    if (sum >= extent) {
      return std::nullopt;
    }
  }
  return coords;
}

AccessCounts
convert::countAll(Lowering &l, int64_t instructions, bool isShared,
                  llvm::function_ref<LaneAccess(int64_t lane, int64_t warp, int64_t i)> access) {
  AccessCounts counts;
  for (int64_t i = 0; i < instructions; ++i) {
    for (int64_t warp = 0; warp < l.warps; ++warp) {
      SmallVector<std::optional<int64_t>, 32> lanes;
      int64_t bytes = 1, acting = 0;
      for (int64_t lane = 0; lane < 32; ++lane) {
        LaneAccess one = access(lane, warp, i);
        lanes.push_back(one.first);
        bytes = one.bytes;
        acting += one.first.has_value();
      }
      counts.warpInstructions += acting > 0;
      counts.bytes += acting * bytes;
      if (isShared) {
        BankReport banks = bankConflicts(LaneBytes(lanes), bytes);
        counts.wavefronts += banks.wavefronts;
        counts.idealWavefronts += banks.phases;
        counts.degree = std::max(counts.degree, banks.degree);
      } else {
        SectorReport sectors = globalSectors(LaneBytes(lanes), bytes);
        counts.sectors += sectors.sectors;
        counts.idealSectors += sectors.ideal;
      }
    }
  }
  return counts;
}

//===- shared memory ------------------------------------------------------===//

/// Coordinates d0, d1, … to offsets, as a layout.
static llvm::Expected<Layout> memoryOf(const BufValue &buf) {
  SmallVector<std::string> names;
  for (int64_t axis = 0; axis < buf.type.getRank(); ++axis) {
    names.push_back("d" + std::to_string(axis));
  }
  if (buf.layout) {
    SmallVector<StringRef> given(names.begin(), names.end());
    return buf.layout->withInNames(given);
  }
  SmallVector<InDim, 4> ins;
  int64_t stride = 1;
  for (int64_t axis = buf.type.getRank(); axis-- > 0;) {
    int64_t extent = buf.type.getShape()[axis];
    ins.insert(ins.begin(), InDim{names[axis], {Mode{extent, {Stride{stride, false}}}}});
    stride *= extent;
  }
  return Layout::get(ins, OutDim{dims::offset.str(), 0});
}

/// Where all threads act and all markers are equally wide, the number of wavefronts is a matter of ranks.
static std::optional<AccessCounts> byAlgebra(Lowering &l, const Touch &touch, const BufValue &buf) {
  size_t width = touch.pieces.front().regs.size();
  bool areEqual =
      llvm::all_of(touch.pieces, [&](const Piece &piece) { return piece.regs.size() == width; });
  if (!areEqual || !Actors(l, touch).areAll()) {
    return std::nullopt;
  }
  llvm::Expected<Layout> memory = memoryOf(buf), tile = touch.dist.layout(touch.shape, l.warps);
  llvm::Expected<BankReport> banks = [&]() -> llvm::Expected<BankReport> {
    if (!memory || !tile) {
      return llvm::joinErrors(memory.takeError(), tile.takeError());
    }
    llvm::Expected<Layout> access = compose(*memory, *tile);
    if (!access) {
      return access.takeError();
    }
    return bankConflicts(*access, {touch.elementBytes, int64_t(width) * touch.elementBytes});
  }();
  if (!banks) {
    llvm::consumeError(banks.takeError()); // no layout says it: instruction by instruction
    return std::nullopt;
  }
  AccessCounts counts;
  counts.warpInstructions = banks->instructions;
  counts.bytes = banks->instructions * 32 * int64_t(width) * touch.elementBytes;
  counts.wavefronts = banks->total;
  counts.idealWavefronts = banks->instructions * banks->phases;
  counts.degree = banks->degree;
  return counts;
}

static AccessCounts countShared(Lowering &l, const Touch &touch,
                                llvm::function_ref<int64_t(ArrayRef<int64_t>)> offset) {
  Actors actors(l, touch);
  return countAll(l, int64_t(touch.pieces.size()), /*isShared=*/true,
                  [&](int64_t lane, int64_t warp, int64_t i) {
                    const Piece &piece = touch.pieces[i];
                    LaneAccess access{std::nullopt,
                                      int64_t(piece.regs.size()) * touch.elementBytes};
                    if (std::optional<Coords> coords = actors.at(lane, warp, piece)) {
                      access.first = offset(*coords) * touch.elementBytes;
                    }
                    return access;
                  });
}

/// What fills or takes a buf names it.
static std::string nameOf(Lowering &l, mlir::Value buf) {
  for (mlir::Operation *user : buf.getUsers()) {
    mlir::Value view;
    if (auto copy = llvm::dyn_cast<tile::CopyOp>(user)) {
      view = copy.getView();
    } else if (auto copy = llvm::dyn_cast<tile::CopyOutOp>(user)) {
      view = copy.getView();
    }
    auto argument = llvm::dyn_cast_or_null<mlir::BlockArgument>(view);
    if (argument && argument.getOwner()->getParentOp() == l.kernel.getOperation()) {
      return "shared `" + l.kernel.getArgName(argument.getArgNumber()).str() + "`";
    }
  }
  std::string shape;
  for (int64_t extent : l.bufs.at(buf).type.getShape()) {
    shape += (shape.empty() ? "" : "x") + std::to_string(extent);
  }
  return "shared " + shape;
}

MDNode *convert::noteBuf(Lowering &l, const Touch &touch, mlir::Value value) {
  if (!l.report) {
    return nullptr;
  }
  const BufValue &buf = l.bufs.at(value);
  AccessCost access = accessOf(touch, nameOf(l, value), /*isShared=*/true);
  access.alloc = value.getDefiningOp();
  access.counts = byAlgebra(l, touch, buf);
  if (!access.counts) {
    // Slots and owners of bufs begin at multiples of 128 bytes, so they make no difference.
    access.counts = countShared(l, touch, [&](ArrayRef<int64_t> at) { return offsetIn(buf, at); });
  }
  return number(l, std::move(access));
}

MDNode *convert::noteMatrix(Lowering &l, StringRef verb, mlir::Value value, const Dist &lanes,
                            ArrayRef<Coords> origins, int64_t count, int64_t bytes, bool isWrite) {
  if (!l.report) {
    return nullptr;
  }
  const BufValue &buf = l.bufs.at(value);
  int64_t elementBytes = l.elementBytes(buf.type.getElementType());
  AccessCost access;
  access.what = (verb + " " + nameOf(l, value)).str();
  access.alloc = value.getDefiningOp();
  access.isShared = true;
  access.isWrite = isWrite;
  access.laneBytes = bytes;
  access.instructions = int64_t(origins.size());
  access.counts = countAll(l, access.instructions, /*isShared=*/true,
                           [&](int64_t lane, int64_t warp, int64_t i) {
                             if (lane >= count) {
                               return LaneAccess{std::nullopt, bytes};
                             }
                             Coords coords = lanes.threadCoords(lane, warp, origins[i].size());
                             for (auto [sum, more] : llvm::zip(coords, origins[i])) {
                               sum += more;
                             }
                             return LaneAccess{offsetIn(buf, coords) * elementBytes, bytes};
                           });
  return number(l, std::move(access));
}

//===- scratch memory -----------------------------------------------------===//

MDNode *convert::noteRow(Lowering &l, const Touch &touch, const Placing &placing) {
  if (!l.report) {
    return nullptr;
  }
  AccessCost access = accessOf(touch, "scratch", /*isShared=*/true);
  access.counts = countShared(l, touch, [&](ArrayRef<int64_t> at) { return placing.at(at); });
  return number(l, std::move(access));
}

MDNode *convert::noteThreads(Lowering &l, StringRef verb, int64_t bytes, bool isWrite) {
  if (!l.report) {
    return nullptr;
  }
  AccessCost access;
  access.what = (verb + " scratch").str();
  access.isShared = true;
  access.isWrite = isWrite;
  access.laneBytes = bytes;
  access.instructions = 1;
  access.counts = countAll(l, 1, /*isShared=*/true, [&](int64_t lane, int64_t warp, int64_t) {
    return LaneAccess{(warp * 32 + lane) * bytes, bytes};
  });
  return number(l, std::move(access));
}

MDNode *convert::noteComputed(Lowering &l, StringRef verb, int64_t bytes) {
  if (!l.report) {
    return nullptr;
  }
  AccessCost access;
  access.what = (verb + " scratch").str();
  access.isShared = true;
  access.laneBytes = bytes;
  access.instructions = 1;
  access.unknown = "depends on the numbers of the elements, which are data";
  return number(l, std::move(access));
}
