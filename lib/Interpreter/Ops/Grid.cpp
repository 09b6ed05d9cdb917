// The launch domain: every point once, one after the other, in the order asked for.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Mutants.h"
#include "Domain.h"

#include <memory>

using namespace tessera;
using namespace tessera::interp;

uint64_t Shuffle::once(uint64_t x) const {
  uint64_t mask = (uint64_t(1) << half) - 1, left = x >> half, right = x & mask;
  for (uint64_t round = 0; round < 6; ++round) {
    uint64_t next = left ^ (mixBits(right ^ mixBits(seed + round * 0x632BE59BD9B4E019u)) & mask);
    left = right;
    right = next;
  }
  return left << half | right;
}

uint64_t tessera::interp::pointAt(const RunOptions &options, const Shuffle &shuffle, uint64_t i,
                                  uint64_t count) {
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

static std::string axisName(mlir::BlockArgument argument) {
  if (auto named = mlir::dyn_cast<mlir::NameLoc>(argument.getLoc())) {
    return named.getName().str();
  }
  return "axis" + std::to_string(argument.getArgNumber());
}

DomainPlan::DomainPlan(Compiler &c, mlir::ValueRange lows, mlir::ValueRange highs,
                       llvm::ArrayRef<int64_t> widths, mlir::Block &block)
    : widths(widths.begin(), widths.end()) {
  for (unsigned axis = 0; axis < widths.size(); ++axis) {
    this->lows.push_back(c.slot(lows[axis]).index);
    this->highs.push_back(c.slot(highs[axis]).index);
    steps.push_back(c.slot(block.getArgument(axis)).index);
    names.push_back(axisName(block.getArgument(axis)));
  }
  c.compile(block, code);
}

std::optional<uint64_t> DomainPlan::enter(Machine &m) const {
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

void DomainPlan::setSteps(Machine &m, uint64_t point) const {
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

bool DomainPlan::runPoint(Machine &m, uint64_t point) const {
  m.point = TESSERA_MUTANT(33, "all grid points count as one", uint32_t(point + 2), 2u);
  setSteps(m, point);
  m.count();
  m.run(code);
  if (m.stopped()) {
    return false;
  }
  m.finish(code);
  return true;
}

namespace {
StepFn compileGrid(Compiler &c, tile::GridOp op) {
  auto plan = std::make_shared<DomainPlan>(c, op.getLows(), op.getHighs(), op.getWidths(),
                                           op.getBody().front());
  return [plan](Machine &m) {
    std::optional<uint64_t> points = plan->enter(m);
    if (!points) {
      return;
    }
    Shuffle shuffle(*points, m.options.seed);
    bool failed = false;
    for (uint64_t i = 0; i < *points && !m.finished(); ++i) {
      ++m.report.counters.points;
      // A point is a CTA, with memory of its own.
      if (m.hasCtas()) {
        m.beginCta();
      }
      if (plan->runPoint(m, pointAt(m.options, shuffle, i, *points)) && m.hasCtas()) {
        m.endCta();
      }
      failed |= m.stopped();
      m.clearStop();
    }
    m.point = 1;
    if (failed) {
      m.stopAll();
    }
  };
}
} // namespace

void tessera::interp::addGridCases(OpCases &cases) { cases.add<tile::GridOp>(compileGrid); }
