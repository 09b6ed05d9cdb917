// Tasks: points of a launch domain that CTAs take one after the other. In order of the program one CTA takes them all;
// the adversary says how many CTAs there are, and each has its memory, its rings, and what stands around the tasks.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Adversary.h"
#include "Domain.h"
#include "Loop.h"

#include <memory>

using namespace tessera;
using namespace tessera::interp;

namespace {
struct TasksPlan {
  DomainPlan domain;
  mlir::Operation *op;
  uint64_t grouped;
  bool roles;
  std::vector<mlir::Operation *> sections;

  TasksPlan(Compiler &c, tile::TasksOp op)
      : domain(c, op.getLows(), op.getHighs(), op.getWidths(), op.getBody().front()), op(op),
        grouped(op.getGrouped()), roles(hasRoles(op.getBody().front())) {
    for (auto section : op.getBody().front().getOps<tile::SectionOp>()) {
      sections.push_back(section);
    }
  }

  /// Row-major number of the i-th task.
  uint64_t pointOf(const Machine &m, uint64_t i) const;
  void runInOrder(Machine &m, uint64_t points) const;
  void runCtas(Machine &m, uint64_t points) const;
  /// Tasks `first`, `first + ctas`, …
  void runCta(Machine &m, uint64_t first, uint64_t ctas, uint64_t points) const;
};

uint64_t TasksPlan::pointOf(const Machine &m, uint64_t i) const {
  if (grouped == 0) {
    return i;
  }
  uint64_t rows = m.grid[0].count, columns = m.grid[1].count;
  uint64_t group = i / (grouped * columns), rest = i % (grouped * columns);
  uint64_t height = std::min(grouped, rows - group * grouped);
  return (group * grouped + rest % height) * columns + rest / height;
}

void TasksPlan::runInOrder(Machine &m, uint64_t points) const {
  Shuffle shuffle(points, m.options.seed);
  bool failed = false;
  for (uint64_t i = 0; i < points && !m.finished(); ++i) {
    ++m.report.counters.points;
    domain.runPoint(m, pointOf(m, pointAt(m.options, shuffle, i, points)));
    failed |= m.stopped();
    m.clearStop();
  }
  m.point = 1;
  if (failed) {
    m.stopAll();
  }
}

void TasksPlan::runCta(Machine &m, uint64_t first, uint64_t ctas, uint64_t points) const {
  auto tasks = [&] {
    for (uint64_t i = first; i < points && !m.stopped(); i += ctas) {
      m.report.counters.points += m.adversary->isFirstFlow();
      domain.runPoint(m, pointOf(m, i));
    }
    if (!m.stopped()) {
      m.adversary->endSections(sections);
    }
  };
  if (roles) {
    m.adversary->fork(tasks, {});
  } else {
    tasks();
  }
  m.point = 1;
}

void TasksPlan::runCtas(Machine &m, uint64_t points) const {
  Random &random = m.adversary->random;
  uint64_t ctas = 1 + random.below(std::clamp<uint64_t>(points, 1, 8));
  Shuffle order(ctas, random.next());
  bool failed = false;
  for (uint64_t i = 0; i < ctas && !m.finished(); ++i) {
    // The first CTA has what stands before the tasks already, the last one goes on to what stands after them.
    if (i > 0) {
      m.clearStop();
      m.beginCta();
      m.runBefore(*m.body, op);
    }
    if (!m.stopped()) {
      runCta(m, order(i), ctas, points);
    }
    if (i + 1 < ctas && !m.stopped()) {
      m.runAfter(*m.body, op);
      m.endCta();
    }
    failed |= m.stopped();
  }
  if (failed) {
    m.stopAll();
  }
}

StepFn compileTasks(Compiler &c, tile::TasksOp op) {
  auto plan = std::make_shared<TasksPlan>(c, op);
  return [plan](Machine &m) {
    std::optional<uint64_t> points = plan->domain.enter(m);
    if (!points) {
      return;
    }
    if (m.adversary) {
      plan->runCtas(m, *points);
    } else {
      plan->runInOrder(m, *points);
    }
  };
}
} // namespace

void tessera::interp::addTasksCases(OpCases &cases) { cases.add<tile::TasksOp>(compileTasks); }
