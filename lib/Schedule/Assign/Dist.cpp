// Distributions: normal form, coordinates, axes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Schedule/Dist.h"

#include "tessera/Support/Mutants.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <tuple>

using namespace tessera;
using namespace tessera::schedule;
using llvm::ArrayRef;
using llvm::SmallVector;
using tile::DistMode;
using tile::Place;

/// Neighbours that count on are one mode; so are copies side by side.
static void append(llvm::SmallVectorImpl<DistMode> &modes, DistMode mode) {
  if (mode.extent == 1) {
    return;
  }
  if (!modes.empty()) {
    DistMode &last = modes.back();
    bool goesOn = last.place == mode.place && last.axis == mode.axis &&
                  (mode.axis < 0 || TESSERA_MUTANT(405, "a gap between lanes is closed",
                                                   mode.stride == last.stride * last.extent,
                                                   mode.stride > last.stride));
    if (goesOn) {
      last.extent *= mode.extent;
      return;
    }
  }
  modes.push_back(mode);
}

Dist Dist::get(ArrayRef<DistMode> modes) {
  Dist dist;
  SmallVector<DistMode> regs;
  llvm::copy_if(modes, std::back_inserter(regs),
                [](const DistMode &mode) { return mode.place == Place::reg && mode.axis >= 0; });
  llvm::sort(regs, [](const DistMode &a, const DistMode &b) {
    return std::make_tuple(-a.axis, a.stride) < std::make_tuple(-b.axis, b.stride);
  });
  for (const DistMode &mode : regs) {
    append(dist.all, mode);
  }
  for (Place place : {Place::lane, Place::warp}) {
    size_t first = dist.all.size();
    for (const DistMode &mode : modes) {
      if (mode.place == place) {
        append(dist.all, mode);
      }
    }
    // Counting begins anew: copies at the slow end say nothing.
    while (dist.all.size() > first && dist.all.back().axis < 0) {
      dist.all.pop_back();
    }
  }
  return dist;
}

tile::DistAttr Dist::attr(mlir::MLIRContext *context) const {
  return tile::DistAttr::get(context, all);
}

Dist Dist::inRegisters(ArrayRef<int64_t> shape) {
  SmallVector<DistMode> modes;
  for (auto [axis, extent] : llvm::enumerate(shape)) {
    modes.push_back({Place::reg, extent, int64_t(axis), 1});
  }
  return get(modes);
}

Dist Dist::spread(ArrayRef<int64_t> shape, int64_t warps, int64_t vec) {
  SmallVector<DistMode> modes, warpModes;
  SmallVector<int64_t> left(shape), below(shape.size(), 1);
  if (!shape.empty() && vec > 1) {
    modes.push_back({Place::reg, vec, int64_t(shape.size()) - 1, 1});
    left.back() = llvm::divideCeil(left.back(), vec);
    below.back() = vec;
  }
  auto take = [&](Place place, size_t axis, int64_t &free) {
    int64_t steps = std::min<int64_t>(free, llvm::PowerOf2Ceil(static_cast<uint64_t>(left[axis])));
    if (steps > 1) {
      (place == Place::warp ? warpModes : modes)
          .push_back({place, steps, int64_t(axis), below[axis]});
      below[axis] *= steps;
      left[axis] = TESSERA_MUTANT(404, "the last steps of an axis have no thread",
                                  int64_t(llvm::divideCeil(left[axis], steps)), left[axis] / steps);
      free /= steps;
    }
  };
  int64_t lanes = 32, wide = llvm::bit_floor(static_cast<uint64_t>(std::max<int64_t>(warps, 1)));
  for (size_t axis = shape.size(); axis-- > 0;) {
    take(Place::lane, axis, lanes);
  }
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    take(Place::warp, axis, wide);
  }
  modes.append(warpModes);
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    modes.push_back({Place::reg, left[axis], int64_t(axis), below[axis]});
  }
  return get(modes);
}

llvm::Expected<Dist> Dist::ofFragment(const Layout &map, ArrayRef<int64_t> shape) {
  SmallVector<DistMode> modes;
  int64_t rows = shape.front();
  for (unsigned in = 0; in < std::min<size_t>(map.ins().size(), 2); ++in) {
    Place place = in == 0 ? Place::lane : Place::reg;
    int64_t lanes = 1;
    for (const Mode &mode : map.ins()[in].modes) {
      int64_t stride = mode.strides.front().value, extent = mode.extent;
      // A mode may run over the end of a column: rows first, then columns.
      int64_t inRows = stride == 0 || stride >= rows ? 1 : std::min(extent, rows / stride);
      if (mode.strides.front().isXor || (stride < rows && stride > 0 && rows % stride != 0) ||
          extent % inRows != 0 || (stride >= rows && stride % rows != 0)) {
        return llvm::createStringError("a fragment map of this form has no distribution");
      }
      auto add = [&](int64_t steps, int64_t axis, int64_t along) {
        if (steps == 1) {
          return;
        }
        if (place == Place::lane && lanes * steps > 32) { // lanes of the next warps
          modes.push_back({Place::warp, steps, axis, along});
          return;
        }
        lanes *= steps;
        modes.push_back({place, steps, along == 0 ? -1 : axis, along});
      };
      add(inRows, 0, stride);
      add(extent / inRows, 1, stride == 0 ? 0 : std::max<int64_t>(stride * inRows / rows, 1));
    }
  }
  return get(modes);
}

SmallVector<DistMode> Dist::modes(Place place) const {
  SmallVector<DistMode> found;
  llvm::copy_if(all, std::back_inserter(found),
                [&](const DistMode &mode) { return mode.place == place; });
  return found;
}

int64_t Dist::size(Place place) const {
  int64_t product = 1;
  for (const DistMode &mode : all) {
    product *= mode.place == place ? mode.extent : 1;
  }
  return product;
}

int64_t Dist::reach(unsigned axis) const {
  int64_t most = 0;
  for (const DistMode &mode : all) {
    most += mode.axis == axis ? (mode.extent - 1) * mode.stride : 0;
  }
  return most + 1;
}

bool Dist::exceeds(ArrayRef<int64_t> shape) const {
  for (auto [axis, extent] : llvm::enumerate(shape)) {
    if (reach(axis) > extent) {
      return true;
    }
  }
  return false;
}

/// Adds what counting up to `number` in the modes of a place gives.
static void count(ArrayRef<DistMode> modes, Place place, int64_t number, Coords &coords) {
  for (const DistMode &mode : modes) {
    if (mode.place != place) {
      continue;
    }
    if (mode.axis >= 0) {
      coords[mode.axis] += number % mode.extent * mode.stride;
    }
    number /= mode.extent;
  }
}

Coords Dist::regCoords(int64_t reg, unsigned rank) const {
  Coords coords(rank, 0);
  count(all, Place::reg, reg, coords);
  return coords;
}

Coords Dist::threadCoords(int64_t lane, int64_t warp, unsigned rank) const {
  Coords coords(rank, 0);
  count(all, Place::lane, lane, coords);
  count(all, Place::warp, warp, coords);
  return coords;
}

std::optional<int64_t> Dist::regAt(ArrayRef<int64_t> coords) const {
  SmallVector<int64_t> left(coords);
  SmallVector<DistMode> regs = modes(Place::reg);
  SmallVector<int64_t> digits(regs.size(), 0);
  // From the greatest stride of each axis down.
  for (size_t i = regs.size(); i-- > 0;) {
    const DistMode &mode = regs[i];
    digits[i] = std::min(left[mode.axis] / mode.stride, mode.extent - 1);
    left[mode.axis] -= digits[i] * mode.stride;
  }
  if (llvm::any_of(left, [](int64_t rest) { return rest != 0; })) {
    return std::nullopt;
  }
  int64_t reg = 0;
  for (size_t i = regs.size(); i-- > 0;) {
    reg = reg * regs[i].extent + digits[i];
  }
  return reg;
}

Dist Dist::mapAxes(ArrayRef<int64_t> newAxisOf) const {
  SmallVector<DistMode> modes;
  for (DistMode mode : all) {
    if (mode.axis >= 0) {
      mode.axis = newAxisOf[mode.axis];
      mode.stride = mode.axis < 0 ? 0 : mode.stride;
    }
    modes.push_back(mode);
  }
  return get(modes);
}

Dist Dist::without(unsigned axis) const {
  SmallVector<DistMode> modes(all);
  for (DistMode &mode : modes) {
    if (mode.axis == axis) {
      mode.axis = -1;
      mode.stride = 0;
    }
  }
  return get(modes);
}

Dist Dist::along(uint64_t axes, unsigned rank) const {
  Dist result = *this;
  for (unsigned axis = 0; axis < rank; ++axis) {
    if (!(axes >> axis & 1)) {
      result = result.without(axis);
    }
  }
  return result;
}

Dist Dist::nest(const Dist &outer, const Dist &inner, ArrayRef<int64_t> innerShape) {
  SmallVector<DistMode> modes(inner.all);
  for (DistMode mode : outer.all) {
    if (mode.axis >= 0) {
      mode.stride *= innerShape[mode.axis];
    }
    modes.push_back(mode);
  }
  return get(modes);
}

bool Dist::sameThreads(const Dist &other) const {
  return modes(Place::lane) == other.modes(Place::lane) &&
         modes(Place::warp) == other.modes(Place::warp);
}

bool Dist::operator<(const Dist &other) const {
  auto key = [](const DistMode &mode) {
    return std::make_tuple(mode.place, mode.extent, mode.axis, mode.stride);
  };
  return std::lexicographical_compare(
      all.begin(), all.end(), other.all.begin(), other.all.end(),
      [&](const DistMode &a, const DistMode &b) { return key(a) < key(b); });
}

llvm::Expected<Layout> Dist::layout(ArrayRef<int64_t> shape, int64_t warps) const {
  SmallVector<InDim, 3> ins{{dims::reg.str(), {}}, {dims::lane.str(), {}}, {dims::warp.str(), {}}};
  auto add = [&](unsigned in, const DistMode &mode) {
    Mode made;
    made.extent = mode.extent;
    made.strides.assign(shape.size(), Stride{});
    if (mode.axis >= 0) {
      made.strides[mode.axis].value = mode.stride;
    }
    ins[in].modes.push_back(made);
  };
  for (const DistMode &mode : all) {
    add(mode.place == Place::reg ? 0 : mode.place == Place::lane ? 1 : 2, mode);
  }
  if (int64_t lanes = size(Place::lane); lanes < 32) {
    add(1, {Place::lane, 32 / lanes, -1, 0});
  }
  int64_t used = size(Place::warp);
  if (warps % used != 0) {
    return llvm::createStringError(std::to_string(warps) + " warps are no multiple of " +
                                   std::to_string(used));
  }
  if (used < warps) {
    add(2, {Place::warp, warps / used, -1, 0});
  }
  SmallVector<OutDim, 4> outs;
  for (auto [axis, extent] : llvm::enumerate(shape)) {
    outs.push_back({"d" + std::to_string(axis), std::max(extent, reach(axis))});
  }
  return Layout::get(ins, outs);
}

std::string Dist::text() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      all, os,
      [&](const DistMode &mode) {
        os << tile::stringifyPlace(mode.place) << " " << mode.extent;
        if (mode.axis < 0) {
          os << " copy";
        } else {
          os << " d" << mode.axis << " " << mode.stride;
        }
      },
      ", ");
  return text;
}

std::optional<SmallVector<int64_t>> schedule::renamedAxes(mlir::Operation *op) {
  SmallVector<int64_t> map;
  if (auto broadcast = llvm::dyn_cast<tile::BroadcastOp>(op)) {
    for (auto [axis, extent] : llvm::enumerate(broadcast.getX().getType().getShape())) {
      map.push_back(extent == 1 ? -1 : int64_t(axis));
    }
  } else if (auto expand = llvm::dyn_cast<tile::ExpandOp>(op)) {
    for (int64_t axis = 0; axis < expand.getResult().getType().getRank(); ++axis) {
      if (!llvm::is_contained(expand.getAxes(), axis)) {
        map.push_back(axis);
      }
    }
  } else if (auto squeeze = llvm::dyn_cast<tile::SqueezeOp>(op)) {
    int64_t next = 0;
    for (int64_t axis = 0; axis < squeeze.getX().getType().getRank(); ++axis) {
      map.push_back(llvm::is_contained(squeeze.getAxes(), axis) ? -1 : next++);
    }
  } else if (auto permute = llvm::dyn_cast<tile::PermuteOp>(op)) {
    map.resize(permute.getPermutation().size());
    for (auto [to, axis] : llvm::enumerate(permute.getPermutation())) {
      map[axis] = int64_t(to);
    }
  } else {
    return std::nullopt;
  }
  return map;
}

static std::optional<Dist> entry(mlir::Operation *op, unsigned number) {
  auto dists = op ? op->getAttrOfType<mlir::ArrayAttr>(tile::distAttrName) : mlir::ArrayAttr();
  if (!dists || number >= dists.size()) {
    return std::nullopt;
  }
  auto dist = llvm::dyn_cast<tile::DistAttr>(dists[number]);
  return dist ? std::optional<Dist>(Dist::of(dist)) : std::nullopt;
}

std::optional<Dist> schedule::distOf(mlir::Operation *op) { return entry(op, 0); }

std::optional<Dist> schedule::distOf(mlir::Value value) {
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
    mlir::Operation *parent = argument.getOwner()->getParentOp();
    if (llvm::isa<tile::ForOp>(parent)) {
      return argument.getArgNumber() == 0 ? std::nullopt
                                          : entry(parent, argument.getArgNumber() - 1);
    }
    return entry(parent, argument.getArgNumber());
  }
  auto result = llvm::cast<mlir::OpResult>(value);
  return entry(result.getOwner(), result.getResultNumber());
}
