// The launch domain: every point once, one after the other, in the order asked for.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Compiler.h"
#include "../Mutants.h"

#include "llvm/Support/MathExtras.h"

#include <memory>

using namespace tessera;
using namespace tessera::interp;

namespace {
uint64_t mix(uint64_t x) { // splitmix64: Steele, Lea, Flood, OOPSLA 2014
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

/// A permutation of 0 … count-1 without a table: a Feistel network over the next even number of bits, walked until it
/// falls into the range (Black, Rogaway, CT-RSA 2002).
class Shuffle {
public:
  Shuffle(uint64_t count, uint64_t seed)
      : count(count), seed(seed), half((llvm::Log2_64_Ceil(std::max<uint64_t>(count, 2)) + 1) / 2) {
  }

  uint64_t operator()(uint64_t x) const {
    do {
      x = once(x);
    } while (x >= count);
    return x;
  }

private:
  uint64_t once(uint64_t x) const {
    uint64_t mask = (uint64_t(1) << half) - 1, left = x >> half, right = x & mask;
    for (uint64_t round = 0; round < 6; ++round) {
      uint64_t next = left ^ (mix(right ^ mix(seed + round * 0x632BE59BD9B4E019u)) & mask);
      left = right;
      right = next;
    }
    return left << half | right;
  }

  uint64_t count, seed, half;
};

uint64_t pointAt(const RunOptions &options, const Shuffle &shuffle, uint64_t i, uint64_t count) {
  switch (options.order) {
  case GridOrder::rowMajor:
    return i;
  case GridOrder::reverse:
    return count - 1 - i;
  case GridOrder::shuffle:
    return shuffle(i);
  }
  return i;
}

std::string axisName(mlir::BlockArgument argument) {
  if (auto named = mlir::dyn_cast<mlir::NameLoc>(argument.getLoc())) {
    return named.getName().str();
  }
  return "axis" + std::to_string(argument.getArgNumber());
}

struct GridPlan {
  llvm::SmallVector<unsigned, 4> lows, highs, steps;
  llvm::SmallVector<int64_t, 4> widths;
  std::vector<std::string> names;
  Code code;

  /// Fills the machine's axes; the number of points, or nothing if the grid cannot be run.
  std::optional<uint64_t> enter(Machine &m) const;
  void setSteps(Machine &m, uint64_t point) const;
};

std::optional<uint64_t> GridPlan::enter(Machine &m) const {
  m.grid.clear();
  Wide points = 1;
  std::vector<GridAxis> axes;
  for (size_t axis = 0; axis < widths.size(); ++axis) {
    if (!m.need(lows[axis], "the first index of a grid axis") ||
        !m.need(highs[axis], "the end of a grid axis")) {
      return std::nullopt;
    }
    GridAxis on{names[axis], m.scalar<int64_t>(lows[axis]), m.scalar<int64_t>(highs[axis]),
                widths[axis], 0};
    int64_t stride = std::max<int64_t>(on.width, 1);
    Wide length = std::max<Wide>(Wide(on.hi) - on.lo, 0);
    on.count = uint64_t((length + stride - 1) / stride);
    axes.push_back(on);
  }
  // An axis without steps empties the grid, however long the others are.
  for (const GridAxis &axis : axes) {
    points = axis.count == 0 ? 0 : points;
  }
  for (const GridAxis &axis : axes) {
    points = std::min<Wide>(points * axis.count, Wide(1) << 63);
  }
  if (points > maxGridPoints) {
    m.fail(RunDiag::run_grid_size, uint64_t(points), maxGridPoints);
    return std::nullopt;
  }
  m.grid = std::move(axes);
  return uint64_t(points);
}

void GridPlan::setSteps(Machine &m, uint64_t point) const {
  for (size_t axis = widths.size(); axis-- > 0;) {
    const GridAxis &on = m.grid[axis];
    uint64_t number = point % on.count;
    point /= on.count;
    int64_t at = int64_t(on.lo + Wide(number) * std::max<int64_t>(on.width, 1));
    if (on.width) {
      m.spans[steps[axis]] = {at, spanStop(at, on.width, on.hi)};
    } else {
      m.setIndex(steps[axis], at);
    }
  }
}

StepFn compileGrid(Compiler &c, tile::GridOp op) {
  auto plan = std::make_shared<GridPlan>();
  mlir::Block &block = op.getBody().front();
  for (unsigned axis = 0; axis < op.getWidths().size(); ++axis) {
    plan->lows.push_back(c.slot(op.getLows()[axis]).index);
    plan->highs.push_back(c.slot(op.getHighs()[axis]).index);
    plan->widths.push_back(op.getWidths()[axis]);
    plan->steps.push_back(c.slot(block.getArgument(axis)).index);
    plan->names.push_back(axisName(block.getArgument(axis)));
  }
  c.compile(block, plan->code);
  return [plan](Machine &m) {
    std::optional<uint64_t> points = plan->enter(m);
    if (!points) {
      return;
    }
    Shuffle shuffle(*points, m.options.seed);
    bool failed = false;
    for (uint64_t i = 0; i < *points && !m.finished(); ++i) {
      uint64_t point = pointAt(m.options, shuffle, i, *points);
      m.point = TESSERA_MUTANT(33, "all grid points count as one", uint32_t(point + 2), 2u);
      plan->setSteps(m, point);
      ++m.report.counters.points;
      m.count();
      m.run(plan->code);
      if (m.stopped()) {
        failed = true;
        m.clearStop();
      } else {
        m.finish(plan->code);
      }
    }
    m.point = 1;
    if (failed) {
      m.stopAll();
    }
  };
}
} // namespace

void tessera::interp::addGridCases(OpCases &cases) { cases.add<tile::GridOp>(compileGrid); }
