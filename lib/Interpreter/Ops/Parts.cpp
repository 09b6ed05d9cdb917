// Factors of dims where they run.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Parts.h"

#include "tessera/Dialect/Tile/Iter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tessera;
using namespace tessera::interp;
using tile::Place;

bool DimFactor::isSpread() const {
  return steps > 1 && (place == Place::lane || place == Place::warp || place == Place::wg ||
                       place == Place::cluster || place == Place::grid);
}

/// Factors with the number of points below each.
static llvm::SmallVector<DimFactor, 4> withPoints(llvm::ArrayRef<tile::IterFactor> factors) {
  llvm::SmallVector<DimFactor, 4> found;
  int64_t below = 1;
  for (const tile::IterFactor &factor : llvm::reverse(factors)) {
    found.push_back({factor.place, factor.steps, below});
    below *= factor.steps;
  }
  std::reverse(found.begin(), found.end());
  return found;
}

//===- the dim that is reduced --------------------------------------------===//

ReducedDim::ReducedDim(mlir::Operation *op) {
  auto iter = op->getAttrOfType<tile::IterAttr>(tile::iterAttrName);
  for (const tile::IterDim &dim : mlir::cast<tile::TileIterOpInterface>(op).getIterDims()) {
    if (dim.kind == tile::IterKind::parallel) {
      continue;
    }
    extent = dim.extent;
    isTree = dim.kind == tile::IterKind::tree;
    if (iter) {
      factors = withPoints(iter.getFactors(dim.name));
    }
  }
}

Ref ReducedDim::ownPoints(Machine &m) const {
  Ref mask;
  for (const DimFactor &factor : factors) {
    if (factor.place != Place::cluster || factor.steps == 1) {
      continue;
    }
    if (!mask) {
      mask = m.pool.allocate(std::max<int64_t>(extent, 1));
      std::memset(mask.data(), 1, extent);
    }
    int64_t mine = int64_t(m.adversary->random.below(uint64_t(factor.steps)));
    for (int64_t i = 0; i < extent; ++i) {
      mask.as<uint8_t>()[i] &= factor.at(i) == mine;
    }
  }
  return mask;
}

std::vector<uint8_t> ReducedDim::scanStarts(bool reverse) const {
  std::vector<uint8_t> starts;
  for (const DimFactor &factor : factors) {
    if (!factor.isSpread()) {
      continue;
    }
    starts.resize(extent, 0);
    for (int64_t i = 1; i < extent; ++i) {
      if (factor.at(i) != factor.at(i - 1)) {
        starts[reverse ? i - 1 : i] = 1;
      }
    }
  }
  return starts;
}

//===- sums ---------------------------------------------------------------===//

PartsOfSum::PartsOfSum(tile::ReduceOp op) : ReducedDim(op) {
  constexpr int64_t most = 1 << 16;
  auto plan = op->getAttrOfType<mlir::ArrayAttr>("tile.plan");
  if (!(plan ? readPlan(plan) : isTree && readFactors())) {
    steps.clear();
    return;
  }
  // The tree pairs high bits first; the outermost factor may have any number of steps.
  bool isSame = true;
  int64_t above = std::numeric_limits<int64_t>::max();
  for (const auto &[i, step] : llvm::enumerate(steps)) {
    isSame &= !step.inOrder && step.factor.below < above &&
              (i == 0 || llvm::isPowerOf2_64(step.factor.steps));
    above = step.factor.below;
    count = count > most ? count : count * step.factor.steps; // more than that is enough to know
  }
  // Other classes may be put together anyhow; but a plan may leave elements out.
  bool isWhole = count >= extent;
  if (count > most || (isWhole && (isSame || !isTree))) {
    steps.clear();
  }
}

/// The steps of a plan: factors of the dim, or what stands for them.
bool PartsOfSum::readPlan(mlir::ArrayAttr plan) {
  llvm::SmallVector<tile::IterFactor> named;
  for (mlir::Attribute each : plan) {
    auto entry = mlir::dyn_cast<mlir::DictionaryAttr>(each);
    auto place = entry ? entry.getAs<tile::PlaceAttr>("place") : tile::PlaceAttr();
    auto number = entry ? entry.getAs<mlir::IntegerAttr>("steps") : mlir::IntegerAttr();
    if (!place || !number) {
      return false;
    }
    named.push_back({place.getValue(), number.getInt()});
  }
  llvm::SmallVector<DimFactor, 4> left = factors.empty() ? withPoints(named) : factors;
  for (const tile::IterFactor &wanted : named) {
    auto found = llvm::find_if(left, [&](const DimFactor &factor) {
      return factor.place == wanted.place && factor.steps == wanted.steps;
    });
    if (found == left.end()) {
      return false;
    }
    steps.push_back({*found, wanted.place == Place::seq});
    left.erase(found);
  }
  return left.empty();
}

/// Neighbouring factors of one thread are one.
bool PartsOfSum::readFactors() {
  for (const DimFactor &factor : factors) {
    bool isOwn = !factor.isSpread();
    if (isOwn && !steps.empty() && !steps.back().factor.isSpread()) {
      steps.back().factor.steps *= factor.steps;
      steps.back().factor.below = factor.below;
      continue;
    }
    steps.push_back({factor, false});
  }
  return true;
}

void PartsOfSum::combine(Kernel2 combine, std::byte *values, uint8_t *mask, size_t size) const {
  auto merge = [&](int64_t into, int64_t from) {
    if (!mask[from]) {
      return;
    }
    std::byte *left = values + into * size, *right = values + from * size;
    if (mask[into]) {
      combine(left, right, left, 1);
    } else {
      std::memcpy(left, right, size);
    }
    mask[into] = 1;
  };
  for (size_t done = 0; done < steps.size(); ++done) {
    const DimFactor &factor = steps[done].factor;
    for (int64_t first = 0; first < count; ++first) {
      bool isLeft = llvm::all_of(llvm::ArrayRef(steps).take_front(done + 1),
                                 [&](const Step &step) { return step.factor.at(first) == 0; });
      if (!isLeft) {
        continue;
      }
      for (int64_t i = 1; steps[done].inOrder && i < factor.steps; ++i) {
        merge(first, first + i * factor.below);
      }
      int64_t rows = steps[done].inOrder ? 1 : factor.steps;
      for (int64_t half = int64_t(llvm::PowerOf2Ceil(rows)) / 2; half >= 1; half /= 2) {
        for (int64_t i = 0; i + half < rows; ++i) {
          merge(first + i * factor.below, first + (i + half) * factor.below);
        }
        rows = half;
      }
    }
  }
}

//===- points -------------------------------------------------------------===//

PointOrder::PointOrder(mlir::Operation *op) {
  auto iter = op->getAttrOfType<tile::IterAttr>(tile::iterAttrName);
  llvm::SmallVector<tile::IterDim> dims = mlir::cast<tile::TileIterOpInterface>(op).getIterDims();
  llvm::SmallVector<unsigned> nesting;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    shape.push_back(dim.extent);
    nesting.push_back(i);
  }
  bool nests = iter && llvm::all_of(dims, [&](const tile::IterDim &dim) {
                 return dim.extent == 1 || iter.has(dim.name);
               });
  if (nests) {
    auto rank = [&](unsigned dim) {
      size_t at = 0;
      for (mlir::StringAttr name : iter.getDims()) {
        if (name.getValue() == dims[dim].name) {
          return at;
        }
        ++at;
      }
      return at;
    };
    llvm::sort(nesting, [&](unsigned a, unsigned b) {
      return std::pair(rank(a), a) < std::pair(rank(b), b);
    });
  }
  for (unsigned dim : nesting) {
    llvm::SmallVector<tile::IterFactor> factors;
    if (iter) {
      factors = iter.getFactors(dims[dim].name);
    }
    if (factors.empty()) {
      factors.push_back({Place::open, dims[dim].extent});
    }
    for (const DimFactor &factor : withPoints(factors)) {
      digits.push_back({dim, factor});
    }
  }
}

std::vector<int64_t> PointOrder::choose(Random &random) const {
  int64_t count = 1;
  for (int64_t extent : shape) {
    count *= extent;
  }
  uint64_t seed = random.next();
  std::vector<std::pair<uint64_t, uint64_t>> keys; // of the thread, in the thread
  std::vector<int64_t> order;
  for (int64_t i = 0; i < count; ++i) {
    IndexVector index = indexOfPosition(shape, i);
    uint64_t thread = 0, own = 0;
    for (const Digit &digit : digits) {
      uint64_t &number = digit.factor.isSpread() ? thread : own;
      uint64_t steps = uint64_t(std::min(digit.factor.steps, shape[digit.dim]));
      number = number * steps + uint64_t(digit.factor.at(index[digit.dim]));
    }
    keys.push_back({thread ? mixBits(seed ^ thread) : seed, own});
    order.push_back(i);
  }
  llvm::sort(order,
             [&](int64_t a, int64_t b) { return std::pair(keys[a], a) < std::pair(keys[b], b); });
  return order;
}
