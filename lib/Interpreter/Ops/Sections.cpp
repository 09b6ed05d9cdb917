// Sections. In order of the program they are the body that they cut up. Under the adversary a section with a lead runs
// some steps ahead of the others, as far as its lead allows, and a flow runs the sections of its role alone.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Adversary.h"
#include "../Mutants.h"
#include "Loop.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <deque>

using namespace tessera;
using namespace tessera::interp;

bool tessera::interp::hasRoles(mlir::Block &body) {
  return llvm::any_of(body.getOps<tile::SectionOp>(),
                      [](tile::SectionOp section) { return section.getRole().has_value(); });
}

namespace {
StepFn compileSection(Compiler &c, tile::SectionOp op) {
  auto body = std::make_shared<Body>();
  mlir::Block &block = op.getBody().front();
  c.compile(block, body->code);
  body->yield = c.transfer(block.getTerminator()->getOperands(), op.getResults());
  std::string role = op.getRole().value_or("").str();
  uint64_t lag = op.getLag();
  mlir::Operation *section = op;
  return [=](Machine &m) {
    Adversary *adversary = m.adversary;
    if (!adversary) {
      (*body)(m);
      return;
    }
    if (adversary->skips(role)) {
      return;
    }
    adversary->enterSection(section, lag);
    (*body)(m);
    adversary->leaveSection();
  };
}

//===- a loop with sections, under the adversary --------------------------===//

/// Values of slots, kept aside.
struct KeptValues {
  std::vector<TileValue> tiles;
  std::vector<SpanValue> spans;
  std::vector<ViewValue> views;

  static KeptValues of(const Machine &m, llvm::ArrayRef<SlotRef> slots) {
    KeptValues kept;
    for (SlotRef slot : slots) {
      slot.kind == SlotRef::tile   ? kept.tiles.push_back(m.tiles[slot.index])
      : slot.kind == SlotRef::span ? kept.spans.push_back(m.spans[slot.index])
                                   : kept.views.push_back(m.views[slot.index]);
    }
    return kept;
  }
  void giveBack(Machine &m, llvm::ArrayRef<SlotRef> slots) const {
    size_t tile = 0, span = 0, view = 0;
    for (SlotRef slot : slots) {
      if (slot.kind == SlotRef::tile) {
        m.tiles[slot.index] = tiles[tile++];
      } else if (slot.kind == SlotRef::span) {
        m.spans[slot.index] = spans[span++];
      } else {
        m.views[slot.index] = views[view++];
      }
    }
  }
};

/// A section, or a loop made of sections: what has effects in the body.
struct Part {
  unsigned step = 0; ///< in the body's code
  uint64_t lead = 0;
  unsigned level = 0; ///< of its lead among the leads of the body, ascending
  llvm::SmallVector<SlotRef, 2> results;
  /// Plain ops of the body whose results it needs, in order.
  llvm::SmallVector<unsigned, 4> before;
};

struct SectionedLoop {
  LoopPlan loop;
  std::vector<Part> parts;
  std::vector<uint64_t> leads; ///< ascending, without repetition; 0 is the first
  /// Plain ops that the yields need.
  llvm::SmallVector<unsigned, 4> beforeYield;
  std::vector<mlir::Operation *> sections;
  bool roles = false;
  /// Results, each with the role that makes it.
  std::vector<std::pair<SlotRef, std::string>> results;

  void run(Machine &m) const;
  /// All steps, in the order of one flow of control.
  void runFlow(Machine &m) const;
};

/// How far ahead each level runs. Steps between neighbouring levels only grow: that keeps every distance between two
/// sections at most what their leads say.
class Leads {
public:
  Leads(const std::vector<uint64_t> &leads, uint64_t steps, Random &random)
      : leads(leads), steps(steps), random(random) {
    // The full lead is what a target does, and where most faults are; any smaller one is allowed.
    bool full = random.oneIn(2);
    for (size_t level = 1; level < leads.size(); ++level) {
      uint64_t most = leads[level] - leads[level - 1];
      gaps.push_back(full ? most : random.below(most + 1));
    }
  }

  uint64_t at(unsigned level) const {
    uint64_t lead = 0;
    for (unsigned i = 0; i < level; ++i) {
      lead += gaps[i];
    }
    return TESSERA_MUTANT(53, "nothing leads", std::min(lead, steps), 0);
  }
  uint64_t largest() const { return at(gaps.size()); }
  /// Perhaps the levels from some one on run a step further ahead; then that one, else nothing.
  std::optional<unsigned> grow() {
    if (gaps.empty()) {
      return std::nullopt;
    }
    size_t level = random.below(gaps.size());
    if (gaps[level] == leads[level + 1] - leads[level] || random.oneIn(2)) {
      return std::nullopt;
    }
    ++gaps[level];
    return level + 1;
  }

private:
  const std::vector<uint64_t> &leads;
  uint64_t steps; ///< of the loop: more ahead than all of them is no difference
  Random &random;
  std::vector<uint64_t> gaps;
};

/// One run of a loop by one flow.
class LeadingRun {
public:
  LeadingRun(Machine &m, const SectionedLoop &plan, const LoopPlan::Range &range)
      : m(m), plan(plan), range(range), leads(plan.leads, range.steps, m.adversary->random),
        next(plan.parts.size(), 0), kept(plan.parts.size()) {}

  void run();

private:
  void runPart(unsigned part);
  /// One step of each part of at least that level, in the order of the body.
  void runParts(int64_t pass, unsigned fromLevel);
  void yield(uint64_t step);
  void runPlain(llvm::ArrayRef<unsigned> steps) {
    for (unsigned step : steps) {
      if (!m.stopped()) {
        m.runStep(plan.loop.body->code.steps[step]);
      }
    }
  }
  /// Results that a step has already.
  void giveBack(uint64_t step) {
    for (size_t part = 0; part < plan.parts.size(); ++part) {
      if (step >= done && step - done < kept[part].size()) {
        kept[part][step - done].giveBack(m, plan.parts[part].results);
      }
    }
  }

  Machine &m;
  const SectionedLoop &plan;
  const LoopPlan::Range &range;
  Leads leads;
  std::vector<uint64_t> next; ///< by part: the step that it runs next
  /// By part: results of the steps from `done` on.
  std::vector<std::deque<KeptValues>> kept;
  uint64_t done = 0;
};

void LeadingRun::runPart(unsigned number) {
  const Part &part = plan.parts[number];
  uint64_t step = next[number]++;
  plan.loop.setStep(m, range, step);
  giveBack(step);
  runPlain(part.before);
  if (m.stopped()) {
    return;
  }
  m.runStep(plan.loop.body->code.steps[part.step]);
  kept[number].push_back(KeptValues::of(m, part.results));
}

void LeadingRun::yield(uint64_t step) {
  plan.loop.setStep(m, range, step);
  giveBack(step);
  runPlain(plan.beforeYield);
  if (m.stopped()) {
    return;
  }
  plan.loop.body->yield(m);
  for (std::deque<KeptValues> &values : kept) {
    values.pop_front();
  }
  ++done;
}

void LeadingRun::runParts(int64_t pass, unsigned fromLevel) {
  for (unsigned part = 0; part < plan.parts.size() && !m.stopped(); ++part) {
    unsigned level = plan.parts[part].level;
    bool hasBegun = pass + int64_t(leads.at(level)) >= 0;
    if (level >= fromLevel && hasBegun && next[part] < range.steps) {
      runPart(part);
    }
  }
}

void LeadingRun::run() {
  // Pass t runs step t of what has no lead, and step t + e of what runs e ahead; before the first step there are passes
  // of what leads alone, as in the prologue of a pipelined loop. Where something gets further ahead, all that leads it
  // does so too, in a pass of their own: so no distance is ever larger than the leads have it.
  int64_t steps = int64_t(range.steps), first = -int64_t(leads.largest());
  for (int64_t pass = first; pass < steps && !m.stopped(); ++pass) {
    m.count();
    if (pass > 0) {
      if (std::optional<unsigned> level = leads.grow()) {
        runParts(pass, *level);
      }
    }
    runParts(pass, 0);
    if (pass >= 0 && !m.stopped()) {
      yield(uint64_t(pass));
    }
  }
}

void SectionedLoop::runFlow(Machine &m) const {
  std::optional<LoopPlan::Range> range = loop.range(m);
  if (!range) {
    return;
  }
  loop.enter(m);
  if (loop.reversed) {
    // Nothing leads in a loop that goes downwards.
    loop.run(m);
  } else {
    LeadingRun(m, *this, *range).run();
  }
  if (m.stopped()) {
    return;
  }
  m.adversary->endSections(sections);
  loop.leave(m);
}

void SectionedLoop::run(Machine &m) const {
  if (!m.adversary) {
    loop.run(m);
  } else if (roles && !m.adversary->isForked()) {
    m.adversary->fork([&] { runFlow(m); }, results);
  } else {
    runFlow(m);
  }
}

//===- compiling ----------------------------------------------------------===//

/// Finds what the parts and the yield need of the plain ops beside them.
class SectionAnalysis {
public:
  SectionAnalysis(Compiler &c, tile::ForOp op, SectionedLoop &out)
      : c(c), block(op.getBody().front()), out(out) {
    for (auto [i, step] : llvm::enumerate(out.loop.body->code.steps)) {
      stepOf[step.op] = i;
    }
  }

  /// Null if the loop can be run; else the section that needs a value too early.
  mlir::Operation *run();

private:
  static bool isPart(mlir::Operation &op) {
    return mlir::isa<tile::SectionOp>(op) || !mlir::isMemoryEffectFree(&op) ||
           op.getNumRegions() > 0;
  }
  /// Plain ops of the block behind the values, in order; sets `usesCarried` where one comes from the step before.
  llvm::SmallVector<unsigned, 4> slice(llvm::ArrayRef<mlir::Value> values, bool &usesCarried);
  llvm::SmallVector<mlir::Value, 8> usedBy(mlir::Operation &op);

  Compiler &c;
  mlir::Block &block;
  SectionedLoop &out;
  llvm::DenseMap<mlir::Operation *, unsigned> stepOf;
};

llvm::SmallVector<mlir::Value, 8> SectionAnalysis::usedBy(mlir::Operation &op) {
  llvm::SmallVector<mlir::Value, 8> values;
  op.walk([&](mlir::Operation *user) {
    for (mlir::Value operand : user->getOperands()) {
      if (operand.getParentBlock() == &block) {
        values.push_back(operand);
      }
    }
  });
  return values;
}

llvm::SmallVector<unsigned, 4> SectionAnalysis::slice(llvm::ArrayRef<mlir::Value> values,
                                                      bool &usesCarried) {
  llvm::SetVector<unsigned> steps;
  llvm::SmallVector<mlir::Value, 8> open(values.begin(), values.end());
  while (!open.empty()) {
    mlir::Value value = open.pop_back_val();
    mlir::Operation *maker = value.getDefiningOp();
    if (!maker) {
      usesCarried |= value.getParentBlock() == &block &&
                     mlir::cast<mlir::BlockArgument>(value).getArgNumber() > 0;
      continue;
    }
    if (maker->getBlock() != &block || isPart(*maker) || !stepOf.count(maker) ||
        !steps.insert(stepOf[maker])) {
      continue;
    }
    llvm::append_range(open, maker->getOperands());
  }
  llvm::SmallVector<unsigned, 4> sorted(steps.begin(), steps.end());
  llvm::sort(sorted);
  return sorted;
}

mlir::Operation *SectionAnalysis::run() {
  out.leads = {0};
  for (mlir::Operation &op : block.without_terminator()) {
    if (!isPart(op) || !stepOf.count(&op)) {
      continue;
    }
    Part part;
    part.step = stepOf[&op];
    if (auto section = mlir::dyn_cast<tile::SectionOp>(op)) {
      part.lead = section.getLead();
      out.sections.push_back(section);
    }
    bool usesCarried = false;
    part.before = slice(usedBy(op), usesCarried);
    if (usesCarried && part.lead > 0) {
      return &op;
    }
    for (mlir::Value result : op.getResults()) {
      part.results.push_back(c.slot(result));
    }
    out.leads.push_back(part.lead);
    out.parts.push_back(std::move(part));
  }
  llvm::sort(out.leads);
  out.leads.erase(std::unique(out.leads.begin(), out.leads.end()), out.leads.end());
  for (Part &part : out.parts) {
    part.level = llvm::find(out.leads, part.lead) - out.leads.begin();
  }
  bool ignored = false;
  out.beforeYield =
      slice(llvm::SmallVector<mlir::Value>(block.getTerminator()->getOperands()), ignored);
  return nullptr;
}

/// The role whose flow has the value after a loop; empty if all have it.
std::string roleOf(mlir::Value value) {
  if (auto section = value.getDefiningOp<tile::SectionOp>()) {
    return section.getRole().value_or("").str();
  }
  auto loop = value.getDefiningOp<tile::ForOp>();
  if (!loop) {
    return "";
  }
  unsigned number = mlir::cast<mlir::OpResult>(value).getResultNumber();
  return roleOf(loop.getBody().front().getTerminator()->getOperand(number));
}
} // namespace

StepFn tessera::interp::compileSectionedFor(Compiler &c, tile::ForOp op) {
  auto plan = std::make_shared<SectionedLoop>();
  plan->loop = LoopPlan::make(c, op);
  plan->roles = hasRoles(op.getBody().front());
  if (SectionAnalysis(c, op, *plan).run()) {
    return c.unknown(op, " with a section that leads and needs a carried value");
  }
  mlir::Operation *yield = op.getBody().front().getTerminator();
  for (auto [result, value] : llvm::zip_equal(op.getResults(), yield->getOperands())) {
    plan->results.push_back({c.slot(result), roleOf(value)});
  }
  return [plan](Machine &m) { plan->run(m); };
}

void tessera::interp::addSectionCases(OpCases &cases) {
  cases.add<tile::SectionOp>(compileSection);
}
