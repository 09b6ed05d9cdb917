// What a schedule said of an op's dims, as distributions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Pins.h"

#include "tessera/Layout/Notation.h"
#include "tessera/Support/Mutants.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/IR/SymbolTable.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::SmallVector;
using tile::DistMode;
using tile::Place;

tile::InstrOp schedule::instrOf(tile::ApplyOp apply) {
  return mlir::SymbolTable::lookupNearestSymbolFrom<tile::InstrOp>(apply, apply.getInstrAttr());
}

mlir::Operation *schedule::pointsOf(tile::ApplyOp apply) {
  mlir::Operation *found = nullptr;
  for (mlir::Operation &op : apply.getBody().front()) {
    auto points = llvm::dyn_cast<tile::TileIterOpInterface>(&op);
    if (points && !points.getIterDims().empty()) {
      found = &op;
    }
  }
  return found;
}

llvm::Expected<Dist> schedule::fragmentOf(tile::InstrOp instr, unsigned index) {
  auto info = llvm::cast<mlir::DictionaryAttr>(instr.getOperandInfo()[index]);
  auto text = info.getAs<mlir::StringAttr>("layout");
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(instr.getBody().getArgument(index).getType());
  if (!text || !type) {
    return llvm::createStringError("operand " + std::to_string(index) + " of `" +
                                   instr.getSymName().str() + "` is no fragment");
  }
  llvm::Expected<Layout> map = parseLayout(text.getValue());
  if (!map) {
    return map.takeError();
  }
  SmallVector<int64_t> shape(type.getShape());
  if (shape.size() == 1) {
    shape.push_back(1);
  }
  return Dist::ofFragment(*map, shape);
}

namespace {
/// One factor, with what is below it in its dim.
struct Step {
  Place place;
  int64_t steps;
  int64_t dim;
  int64_t below;
};
} // namespace

/// The factors of all dims; `atom` counts as registers of its own unless `inAtoms`: then strides count atoms.
static SmallVector<Step> stepsOf(mlir::Operation *op, tile::IterAttr iter, bool inAtoms) {
  SmallVector<Step> found;
  for (auto [number, dim] :
       llvm::enumerate(llvm::cast<tile::TileIterOpInterface>(op).getIterDims())) {
    int64_t below = 1;
    SmallVector<tile::IterFactor> factors = iter.getFactors(dim.name);
    for (const tile::IterFactor &factor : llvm::reverse(factors)) {
      if (factor.place == Place::atom && inAtoms) {
        continue;
      }
      found.push_back({factor.place, factor.steps, int64_t(number), below});
      below *= factor.steps;
    }
    if (factors.empty()) {
      found.push_back({Place::open, dim.extent, int64_t(number), 1});
    }
  }
  return found;
}

/// Modes of one place, fastest first: factors of one place nest in the order of the dims, the first dim's outermost.
static void addPlace(llvm::ArrayRef<Step> steps, Place from, Place to,
                     SmallVector<DistMode> &modes) {
  int64_t dims = 0;
  for (const Step &step : steps) {
    dims = std::max(dims, step.dim + 1);
  }
  for (int64_t dim = dims; dim-- > 0;) {
    for (const Step &step : steps) {
      if (step.dim == dim && step.place == from) {
        modes.push_back({to, step.steps, dim, step.below});
      }
    }
  }
}

/// Lanes count in powers of two. The outermost lanes of a dim become so many, and those beyond have no elements; elsewhere there
/// are fewer lanes, and one factor of registers more, outside of all others.
static llvm::Error wholeLanes(SmallVector<Step> &steps) {
  int64_t least = 1; // lanes, each factor rounded down
  for (const Step &step : steps) {
    least *= step.place == Place::lane ? int64_t(llvm::bit_floor(uint64_t(step.steps))) : 1;
  }
  if (least > 32) {
    return llvm::createStringError("the dims have " + std::to_string(least) +
                                   " lanes, a warp has 32: take fewer");
  }
  SmallVector<Step> rest;
  for (Step &step : steps) {
    if (step.place != Place::lane || llvm::isPowerOf2_64(step.steps)) {
      continue;
    }
    bool isOutermost = llvm::none_of(steps, [&](const Step &other) {
      return other.dim == step.dim && other.below > step.below && other.steps > 1;
    });
    if (isOutermost && least * 2 <= 32) {
      step.steps = int64_t(llvm::PowerOf2Ceil(uint64_t(step.steps)));
      least *= 2;
      continue;
    }
    int64_t total = 1, covered = 1;
    for (const Step &other : steps) {
      total *= other.dim == step.dim ? other.steps : 1;
    }
    step.steps = int64_t(llvm::bit_floor(uint64_t(step.steps)));
    for (Step &other : steps) { // innermost first in each dim
      if (other.dim == step.dim) {
        other.below = covered;
        covered *= other.steps;
      }
    }
    rest.push_back({Place::reg, int64_t(llvm::divideCeil(total, covered)), step.dim, covered});
  }
  steps.append(rest);
  return llvm::Error::success();
}

/// `warps` of 0: what is left open stays in registers. `lanes`: those that it may take.
static llvm::Expected<Dist> distOfSteps(SmallVector<Step> steps, int64_t warps,
                                        int64_t lanes = 32) {
  if (llvm::Error error = wholeLanes(steps)) {
    return std::move(error);
  }
  int64_t free = int64_t(llvm::bit_floor(uint64_t(std::max<int64_t>(warps, 1))));
  for (const Step &step : steps) {
    if (step.steps > 1 && (step.place == Place::grid || step.place == Place::cluster)) {
      return llvm::createStringError("`" + tile::stringifyPlace(step.place).str() +
                                     "` factors of an op have no code yet: leave them to the "
                                     "grid of the kernel");
    }
    lanes /= step.place == Place::lane ? step.steps : 1;
    free /= step.place == Place::warp || step.place == Place::wg ? step.steps : 1;
  }
  SmallVector<DistMode> modes;
  for (Step &step : steps) {
    if (step.place == Place::reg || step.place == Place::vec || step.place == Place::seq ||
        step.place == Place::atom) {
      modes.push_back({Place::reg, step.steps, step.dim, step.below});
    }
  }
  addPlace(steps, Place::lane, Place::lane, modes);
  // What is left open: lanes that are left from the last dim, as neighbours; warps that are left from the first; the rest in
  // registers.
  SmallVector<Step *> open;
  for (Step &step : steps) {
    if (step.place == Place::open) {
      open.push_back(&step);
    }
  }
  // The outermost factor of a dim may have more steps than there are; others must not, as those beyond would be elements of their
  // outer neighbours.
  llvm::SmallPtrSet<const Step *, 4> outermost;
  for (const Step *step : open) {
    bool isOutermost = llvm::none_of(steps, [&](const Step &other) {
      return other.dim == step->dim && other.below > step->below && other.steps > 1;
    });
    if (isOutermost) {
      outermost.insert(step);
    }
  }
  auto take = [&](Step &step, Place place, int64_t &left) {
    int64_t most = outermost.contains(&step) ? int64_t(llvm::PowerOf2Ceil(uint64_t(step.steps)))
                                             : step.steps & -step.steps;
    int64_t count = std::min<int64_t>(std::max<int64_t>(left, 1), most);
    left = std::max<int64_t>(left, 1) / count;
    DistMode mode{place, count, step.dim, step.below};
    step.below *= count;
    step.steps = llvm::divideCeil(step.steps, count);
    return mode;
  };
  SmallVector<DistMode> more;
  llvm::sort(open, [](const Step *a, const Step *b) { return a->dim < b->dim; });
  if (warps > 0) {
    for (Step *step : llvm::reverse(open)) {
      modes.push_back(take(*step, Place::lane, lanes));
    }
    for (Step *step : open) {
      more.push_back(take(*step, Place::warp, free));
    }
  }
  for (Step *step : open) {
    modes.push_back({Place::reg, step->steps, step->dim, step->below});
  }
  addPlace(steps, Place::warp, Place::warp, modes);
  modes.append(more);
  bool hasGroups = llvm::any_of(
      steps, [](const Step &step) { return step.place == Place::wg && step.steps > 1; });
  if (hasGroups) {
    int64_t warps = 1;
    for (const Step &step : steps) {
      warps *= step.place == Place::warp ? step.steps : 1;
    }
    modes.push_back({Place::warp, std::max<int64_t>(4 / warps, 1), -1, 0});
    addPlace(steps, Place::wg, Place::warp, modes);
  }
  return Dist::get(modes);
}

llvm::Expected<std::optional<Dist>> schedule::pinnedDims(mlir::Operation *op, int64_t warps) {
  auto iter = op->getAttrOfType<tile::IterAttr>(tile::iterAttrName);
  if (!iter || iter.getPlaces().empty()) {
    return std::optional<Dist>();
  }
  llvm::Expected<Dist> dist = distOfSteps(stepsOf(op, iter, /*inAtoms=*/false), warps);
  if (!dist) {
    return dist.takeError();
  }
  return std::optional<Dist>(*dist);
}

llvm::Expected<Dist> schedule::pieceDist(mlir::Operation *op, llvm::ArrayRef<int64_t> atoms,
                                         int64_t warps, int64_t lanes) {
  auto iter = op->getAttrOfType<tile::IterAttr>(tile::iterAttrName);
  if (iter) {
    return distOfSteps(stepsOf(op, iter, /*inAtoms=*/true), warps, lanes);
  }
  SmallVector<Step> open;
  for (auto [number, dim] :
       llvm::enumerate(llvm::cast<tile::TileIterOpInterface>(op).getIterDims())) {
    open.push_back(
        {Place::open, int64_t(llvm::divideCeil(dim.extent, atoms[number])), int64_t(number), 1});
  }
  return distOfSteps(std::move(open), warps, lanes);
}

bool schedule::bindsThreads(mlir::Operation *op) {
  auto iter = op->getAttrOfType<tile::IterAttr>(tile::iterAttrName);
  for (const tile::IterDim &dim : llvm::cast<tile::TileIterOpInterface>(op).getIterDims()) {
    for (const tile::IterFactor &factor :
         iter ? iter.getFactors(dim.name) : SmallVector<tile::IterFactor>()) {
      if (factor.place == Place::lane || factor.place == Place::warp || factor.place == Place::wg) {
        return true;
      }
    }
  }
  return false;
}

llvm::Expected<ProductDists> schedule::productDists(tile::ApplyOp apply, tile::MmaOp mma) {
  tile::InstrOp instr = instrOf(apply);
  auto iter = mma->getAttrOfType<tile::IterAttr>(tile::iterAttrName);
  if (!iter || instr.getBody().getNumArguments() != 3) {
    return llvm::createStringError("the product has no `tile.iter` that says how `" +
                                   instr.getSymName().str() + "` covers it");
  }
  SmallVector<Step> steps = stepsOf(mma, iter, /*inAtoms=*/true);
  llvm::Expected<Dist> outer = distOfSteps(steps, /*warps=*/0);
  if (!outer) {
    return outer.takeError();
  }
  ProductDists result;
  // Dims m, n, k as axes of each operand.
  const int64_t inB = TESSERA_MUTANT(406, "the right operand is held transposed", 1, 0);
  const int64_t maps[3][3] = {{0, -1, 1}, {-1, inB, 1 - inB}, {0, 1, -1}};
  Dist *dists[3] = {&result.a, &result.b, &result.c};
  for (unsigned i = 0; i < 3; ++i) {
    llvm::Expected<Dist> fragment = fragmentOf(instr, i);
    if (!fragment) {
      return fragment.takeError();
    }
    auto type = llvm::cast<mlir::RankedTensorType>(instr.getBody().getArgument(i).getType());
    *dists[i] = Dist::nest(outer->mapAxes(maps[i]), *fragment, type.getShape());
  }
  return result;
}
