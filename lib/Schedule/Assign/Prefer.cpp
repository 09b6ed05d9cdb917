// The distribution that a value has by itself: from anchors forwards, through loops also from the step's end to its begin.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Prefer.h"

#include "tessera/Dialect/Tile/Structure.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::SmallVector;
using mlir::Operation;
using mlir::Value;

static llvm::ArrayRef<int64_t> shapeOf(mlir::Type type) {
  auto tile = llvm::dyn_cast<mlir::RankedTensorType>(type);
  return tile ? tile.getShape() : llvm::ArrayRef<int64_t>();
}

bool schedule::isPointwise(Operation *op) {
  return tile::isElementwise(op) ||
         llvm::isa<tile::FillAbsentOp, tile::KeepIfOp, tile::PresentOp, tile::ConvertOp>(op);
}

Dist Preferences::fallback(mlir::Type type, int64_t vec) const {
  return Dist::spread(shapeOf(type), warps, vec);
}

/// One thread does the op alone.
static bool isElected(Operation *op) { return bool(op->getParentOfType<tile::ElectOp>()); }

std::optional<Dist> Preferences::pin(Operation *op) {
  llvm::Expected<std::optional<Dist>> pinned = pinnedDims(op, warps);
  bool isShared = pinned && *pinned && llvm::any_of((*pinned)->modes(), [](auto &mode) {
                    return mode.place != tile::Place::reg && mode.axis >= 0;
                  });
  if (pinned && !(isShared && isElected(op))) {
    return *pinned;
  }
  std::string text = pinned ? "lanes or warps share out what one thread does alone: give no "
                              "factors to dims of ops inside `elect`, or take the op out of it"
                            : llvm::toString(pinned.takeError());
  if (!error) {
    error.emplace(op, text);
  }
  return std::nullopt;
}

/// Neighbours along the last axis that an access of shared memory takes at once; the layout of a swizzle keeps 16 bytes together.
static int64_t bufVector(tile::BufType type) {
  int64_t bytes = std::max<int64_t>(type.getElementType().getIntOrFloatBitWidth() / 8, 1);
  int64_t last = type.getShape().back();
  return std::min<int64_t>(16 / bytes, last & -last);
}

Dist Preferences::access(Operation *op) {
  int64_t vec = 1;
  mlir::Type type;
  auto boxed = [&](auto access, mlir::Type boxType) {
    type = boxType;
    llvm::ArrayRef<int64_t> shape = shapeOf(type);
    if (!shape.empty()) {
      vec = facts.vectorOf(access.getView(), access.getIndices(), access.getWhole(), shape.back());
    }
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](tile::LoadOp load) { boxed(load, load.getResult().getType()); })
      .Case([&](tile::StoreOp store) { boxed(store, store.getValue().getType()); })
      .Case([&](tile::AtomicOp atomic) { type = atomic.getValue().getType(); })
      .Case([&](tile::CopyOp copy) { boxed(copy, copy.getBuf().getType().getTileType()); })
      .Case([&](tile::CopyOutOp copy) { boxed(copy, copy.getBuf().getType().getTileType()); })
      .Case([&](tile::ReadOp read) {
        type = read.getResult().getType();
        vec = bufVector(read.getBuf().getType());
      })
      .Case([&](tile::WriteOp write) {
        type = write.getValue().getType();
        vec = bufVector(write.getBuf().getType());
      });
  if (isElected(op)) {
    SmallVector<tile::DistMode> modes;
    llvm::ArrayRef<int64_t> shape = shapeOf(type);
    for (size_t axis = shape.size(); axis-- > 0;) {
      modes.push_back({tile::Place::reg, shape[axis], int64_t(axis), 1});
    }
    return Dist::get(modes);
  }
  // A vector that leaves threads without work is no gain.
  int64_t elements = 1;
  for (int64_t extent : shapeOf(type)) {
    elements *= extent;
  }
  while (vec > 1 && elements / vec < 32 * warps) {
    vec /= 2;
  }
  return fallback(type, vec);
}

std::optional<Dist> Preferences::firstOf(mlir::ValueRange values) {
  for (Value value : values) {
    if (shapeOf(value.getType()).empty()) {
      continue;
    }
    if (std::optional<Dist> found = of(value)) {
      return found;
    }
  }
  return std::nullopt;
}

std::optional<Dist> Preferences::of(Value value) {
  if (!llvm::isa<mlir::RankedTensorType>(value.getType())) {
    return std::nullopt;
  }
  auto found = known.find(value);
  if (found != known.end()) {
    return found->second;
  }
  if (!open.insert(value).second) {
    isTainted = true;
    return std::nullopt;
  }
  bool before = isTainted;
  isTainted = false;
  std::optional<Dist> result = compute(value);
  open.erase(value);
  if (result || !isTainted || open.empty()) {
    known[value] = result;
  }
  isTainted |= before;
  return result;
}

std::optional<Dist> Preferences::compute(Value value) {
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
    return ofArgument(argument);
  }
  auto result = llvm::cast<mlir::OpResult>(value);
  return ofOp(result.getOwner(), result.getResultNumber());
}

std::optional<Dist> Preferences::ofArgument(mlir::BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  unsigned number = argument.getArgNumber();
  if (auto loop = llvm::dyn_cast<tile::ForOp>(parent)) {
    Value init = loop.getInits()[number - 1];
    if (std::optional<Dist> found = of(init)) {
      return found;
    }
    Operation *end = loop.getBody().front().getTerminator();
    if (std::optional<Dist> found = of(end->getOperand(number - 1))) {
      return found;
    }
    return fallback(argument.getType());
  }
  if (auto loop = llvm::dyn_cast<mlir::scf::WhileOp>(parent)) {
    if (std::optional<Dist> found = of(loop.getInits()[number])) {
      return found;
    }
    return fallback(argument.getType());
  }
  return std::nullopt;
}

std::optional<Dist> Preferences::ofRegion(Operation *op, unsigned result) {
  return llvm::TypeSwitch<Operation *, std::optional<Dist>>(op)
      .Case([&](tile::ForOp loop) { return of(loop.getBody().getArgument(result + 1)); })
      .Case([&](mlir::scf::WhileOp loop) { return of(loop.getBefore().getArgument(result)); })
      .Case([&](tile::SectionOp section) {
        return of(section.getBody().front().getTerminator()->getOperand(result));
      })
      .Case([&](mlir::scf::IfOp branch) -> std::optional<Dist> {
        for (mlir::Region *region : branch.getRegions()) {
          if (region->empty()) {
            continue;
          }
          if (auto found = of(region->front().getTerminator()->getOperand(result))) {
            return found;
          }
        }
        return fallback(op->getResult(result).getType());
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// The axis that an op combines, as attribute of all of them.
static int64_t axisOf(Operation *op) {
  return op->getAttrOfType<mlir::IntegerAttr>("axis").getInt();
}

/// Whether the lanes and warps along an axis count in bits, by powers of two: as combinations over threads go.
static bool isInBits(const Dist &dist, int64_t axis) {
  for (tile::Place place : {tile::Place::lane, tile::Place::warp}) {
    int64_t below = 1;
    for (const tile::DistMode &mode : dist.modes(place)) {
      bool isBits = llvm::isPowerOf2_64(mode.extent) && llvm::isPowerOf2_64(below) &&
                    llvm::isPowerOf2_64(mode.stride);
      if (mode.axis == axis && !isBits) {
        return false;
      }
      below *= mode.extent;
    }
  }
  return true;
}

Dist Preferences::terms(Operation *op) {
  Value operand = op->getOperand(0);
  int64_t axis = axisOf(op), rank = int64_t(shapeOf(operand.getType()).size());
  if (std::optional<Dist> pinned = pin(op)) {
    // Dims are the other axes, then the one that is combined.
    SmallVector<int64_t> axisOfDim;
    for (int64_t i = 0; i < rank; ++i) {
      axisOfDim.push_back(i + 1 == rank ? axis : i < axis ? i : i + 1);
    }
    Dist dist = pinned->mapAxes(axisOfDim);
    if (isInBits(dist, axis)) {
      return dist;
    }
  }
  std::optional<Dist> from = of(operand);
  from = from ? from : natural(operand);
  return from && isInBits(*from, axis) ? *from : fallback(operand.getType());
}

/// The threads of the operand, where the axes along which elements move lie in registers.
std::optional<Dist> Preferences::rearranged(Operation *op) {
  std::optional<Dist> from = of(op->getOperand(0));
  if (!from) {
    return std::nullopt;
  }
  llvm::ArrayRef<int64_t> given = shapeOf(op->getOperand(0).getType());
  llvm::ArrayRef<int64_t> made = shapeOf(op->getResult(0).getType());
  SmallVector<tile::DistMode> modes(from->modes());
  for (int64_t axis = 0; axis < int64_t(made.size()); ++axis) {
    bool stays = llvm::isa<tile::SliceOp>(op) ? made[axis] == given[axis] : axis != axisOf(op);
    if (stays) {
      continue;
    }
    if (from->without(axis).modes(tile::Place::lane) != from->modes(tile::Place::lane) ||
        from->without(axis).modes(tile::Place::warp) != from->modes(tile::Place::warp)) {
      return std::nullopt;
    }
    llvm::erase_if(modes, [&](const tile::DistMode &mode) { return mode.axis == axis; });
    modes.push_back({tile::Place::reg, made[axis], axis, 1});
  }
  return Dist::get(modes);
}

std::optional<Dist> Preferences::ofOp(Operation *op, unsigned result) {
  if (op->getNumRegions() > 0 &&
      !llvm::isa<tile::ApplyOp, tile::ReduceWithOp, tile::ScanWithOp>(op)) {
    return ofRegion(op, result);
  }
  if (auto apply = llvm::dyn_cast<tile::ApplyOp>(op)) {
    return ofApply(apply, result);
  }
  if (isPointwise(op)) {
    if (std::optional<Dist> pinned = pin(op)) {
      return pinned;
    }
    return firstOf(op->getOperands());
  }
  return llvm::TypeSwitch<Operation *, std::optional<Dist>>(op)
      .Case<tile::LoadOp>([&](auto) {
        std::optional<Dist> pinned = pin(op);
        return pinned ? *pinned : access(op);
      })
      .Case<tile::ReadOp>([&](auto) { return pin(op); })
      .Case<tile::ExpandOp, tile::SqueezeOp, tile::PermuteOp>([&](auto) {
        std::optional<Dist> from = of(op->getOperand(0));
        return from ? std::optional<Dist>(from->mapAxes(*renamedAxes(op))) : std::nullopt;
      })
      .Case<tile::ReduceOp, tile::ReduceWithOp, tile::ArgMaxOp, tile::ArgMinOp>([&](auto reduce) {
        SmallVector<int64_t> map;
        int64_t axis = reduce.getAxis();
        for (int64_t i = 0; i < int64_t(shapeOf(reduce.getX().getType()).size()); ++i) {
          map.push_back(i < axis ? i : i == axis ? -1 : i - 1);
        }
        return std::optional<Dist>(terms(op).mapAxes(map));
      })
      .Case<tile::ScanOp, tile::ScanWithOp>([&](auto) { return std::optional<Dist>(terms(op)); })
      .Case([&](tile::TopKOp topk) {
        // Every thread of a row has all that are chosen.
        SmallVector<tile::DistMode> modes(terms(op).without(topk.getAxis()).modes());
        modes.push_back({tile::Place::reg, int64_t(topk.getK()), int64_t(topk.getAxis()), 1});
        return std::optional<Dist>(Dist::get(modes));
      })
      .Case([&](tile::MmaOp mma) {
        if (std::optional<Dist> pinned = pin(op)) {
          return std::optional<Dist>(pinned->without(2));
        }
        return std::optional<Dist>(fallback(mma.getResult().getType()));
      })
      .Case<tile::CatOp, tile::FlipOp, tile::SliceOp>([&](auto) {
        std::optional<Dist> kept = rearranged(op);
        return kept ? kept : std::optional<Dist>(fallback(op->getResult(result).getType()));
      })
      .Case<tile::HistogramOp, tile::ReshapeOp, tile::AtomicOp>(
          [&](auto) { return std::optional<Dist>(fallback(op->getResult(result).getType())); })
      .Default([](Operation *) { return std::nullopt; });
}
