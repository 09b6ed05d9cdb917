// set_lead and set_lag: how many steps a section runs ahead, and how many later what it releases is free.
//
// A section with lead d does the work of step j while the others are still at a step i >= j - d. It may do so if it needs
// nothing of those steps: no carried value, no result of a section that is behind, no cell that an earlier step of a
// section behind has still to read or write. Slots of rings are told apart by their queue: S > lead(fill) - lead(use) + lag.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Sections.h"

#include "tessera/Support/Mutants.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::SmallVector;
using script::ValueKind;

//===-- The queue rule ---------------------------------------------------------------------------------------------===//

llvm::Error schedule::checkQueue(PrimitiveContext &context, const QueueRule &rule) {
  std::vector<std::pair<mlir::Operation *, std::string>> places = {{rule.fill, "it is filled here"},
                                                                   {rule.use, "it is used here"}};
  auto number = [](int64_t n) { return std::to_string(n); };
  Refusal useFirst{"queue_use_first",
                   rule.ring + " would be used " + number(rule.useLead - rule.fillLead) +
                       " steps before it is filled: lead(use) is " + number(rule.useLead) +
                       ", lead(fill) is " + number(rule.fillLead),
                   "give the section that fills it at least the lead of the one that uses it",
                   places};
  if (llvm::Error error = context.require(rule.useLead <= rule.fillLead,
                                          rule.ring + " is filled before it is used", useFirst)) {
    return error;
  }
  solver::ExprContext &terms = context.terms();
  solver::Obligation obligation = context.space().queueRule(
      "the slots of " + rule.ring + " suffice", terms.constant(rule.slots),
      TESSERA_MUTANT(130, "a lead takes no slots", terms.constant(rule.fillLead - rule.useLead),
                     terms.constant(0)),
      terms.constant(rule.lag));
  int64_t needed = rule.fillLead - rule.useLead + rule.lag + 1;
  Refusal tooShort{"queue_slots",
                   rule.ring + " is too short: slots > lead(fill) - lead(use) + lag, here " +
                       number(rule.slots) + " > " + number(rule.fillLead) + " - " +
                       number(rule.useLead) + " + " + number(rule.lag),
                   "give it " + number(needed) + " slots, or a lead of at most " +
                       number(std::max<int64_t>(rule.slots - 1 - rule.lag + rule.useLead, 0)),
                   places};
  return context.prove(std::move(obligation), rule.fill ? rule.fill : context.kernel(), tooShort);
}

SmallVector<QueueRule> schedule::queueRules(PrimitiveContext &context, tile::SectionOp section) {
  SmallVector<QueueRule> rules;
  llvm::SmallPtrSet<mlir::Operation *, 4> seen;
  section.walk([&](mlir::Operation *op) {
    if (!llvm::isa<tile::AcquireOp, tile::AwaitOp>(op)) {
      return;
    }
    auto ring = op->getOperand(0).getDefiningOp<tile::RingOp>();
    if (!ring || !seen.insert(ring).second) {
      return;
    }
    QueueRule rule;
    rule.ring = quoted(context, ring.getOperation());
    rule.slots = ring.getResult().getType().getSlots();
    for (mlir::Operation *user : ring.getResult().getUsers()) {
      tile::SectionOp its = sectionOf(user);
      if (llvm::isa<tile::AcquireOp>(user)) {
        rule.fill = user;
        rule.fillLead = its ? its.getLead() : 0;
      } else if (llvm::isa<tile::AwaitOp>(user)) {
        rule.use = user;
        rule.useLead = its ? its.getLead() : 0;
        rule.lag = its ? its.getLag() : 0;
      }
    }
    if (rule.fill && rule.use) {
      rules.push_back(rule);
    }
  });
  return rules;
}

//===-- Lead -------------------------------------------------------------------------------------------------------===//

namespace {

class LeadCheck {
public:
  LeadCheck(PrimitiveContext &context, tile::SectionOp section, int64_t lead,
            llvm::ArrayRef<mlir::Value> except)
      : context(context), section(section), lead(lead), except(except),
        text(quoted(context, section.getOperation())) {}

  llvm::Error run();

private:
  llvm::Error checkLoop();
  llvm::Error checkValue(mlir::Operation *user, mlir::Value value);
  llvm::Error checkValues();
  llvm::Error checkEffects();
  llvm::Error checkMemory(mlir::Operation *other, int64_t otherLead);
  llvm::Error checkPair(const MemoryAccess &mine, const MemoryAccess &other, int64_t otherLead);
  llvm::Error checkRings();
  std::string number() const { return std::to_string(lead); }

  PrimitiveContext &context;
  tile::SectionOp section;
  int64_t lead;
  llvm::ArrayRef<mlir::Value> except;
  std::string text;
  tile::ForOp loop;
};

} // namespace

llvm::Error LeadCheck::checkLoop() {
  loop = llvm::dyn_cast<tile::ForOp>(section->getParentOp());
  if (lead == 0 || (loop && !loop.getReversed())) {
    return llvm::Error::success();
  }
  return context.refuse("lead_loop",
                        text + (loop ? " stands in a loop that goes downwards"
                                     : " stands in tasks, which have no steps to run ahead of"),
                        "only a section of a loop that goes upwards has a lead",
                        {{section, "it stands here"}});
}

/// What the section is made from is there so many steps ahead.
llvm::Error LeadCheck::checkValue(mlir::Operation *user, mlir::Value value) {
  std::string ahead = text + " would run " + number() + " steps ahead, but it uses ";
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
  bool isCarried =
      argument && loop && argument.getOwner() == section->getBlock() && argument.getArgNumber() > 0;
  if (isCarried && lead > 0) {
    return context.refuse("lead_carried",
                          ahead + quoted(context, value) +
                              ", which the step before makes: it is not made yet",
                          "move what uses it to a section without lead",
                          {{user, "it is used here"}, {section, "the section"}});
  }
  mlir::Operation *maker = value.getDefiningOp();
  if (!maker || maker->getBlock() != section->getBlock()) {
    return llvm::Error::success();
  }
  auto other = llvm::dyn_cast<tile::SectionOp>(maker);
  bool isBehind = other && static_cast<int64_t>(other.getLead()) < lead;
  bool isLoop = llvm::isa<tile::ForOp>(maker) && lead > 0;
  if (!isBehind && !isLoop) {
    return llvm::Error::success();
  }
  std::string what = isLoop ? "a result of " + quoted(context, maker) + " beside it"
                            : "a result of " + quoted(context, maker) + ", whose lead is " +
                                  std::to_string(other.getLead());
  return context.refuse("lead_value", ahead + what,
                        isLoop ? "move what uses it to a section without lead"
                               : "give that section the same lead, or move the op",
                        {{user, "it is used here"}, {maker, "it is made here"}});
}

llvm::Error LeadCheck::checkValues() {
  llvm::Error error = llvm::Error::success();
  followValues(usesOf(section), [&](mlir::Operation *user, mlir::Value value) {
    if (!error) {
      error = checkValue(user, value);
    }
    return !error && !value.getDefiningOp<tile::SectionOp>();
  });
  // Sections that use what this one makes must not be further ahead.
  for (auto other : section->getBlock()->getOps<tile::SectionOp>()) {
    if (error || static_cast<int64_t>(other.getLead()) <= lead) {
      continue;
    }
    followValues(usesOf(other), [&](mlir::Operation *user, mlir::Value value) {
      if (!error && value.getDefiningOp() == section.getOperation()) {
        error = context.refuse("lead_value",
                               quoted(context, other.getOperation()) + " runs " +
                                   llvm::Twine(other.getLead()) +
                                   " steps ahead and uses a result of " + text,
                               "give it a lead of at most " + number() + " first",
                               {{user, "it is used here"}, {section, "it is made here"}});
      }
      return !error && !value.getDefiningOp<tile::SectionOp>();
    });
  }
  return error;
}

llvm::Error LeadCheck::checkEffects() {
  llvm::Error error = llvm::Error::success();
  section.getBody().walk([&](mlir::Operation *op) {
    bool isTold = llvm::isa<tile::AssertOp, tile::AssumeOp>(op) || isSync(op) ||
                  op->getNumRegions() != 0 || !findUntold(op);
    if (!error && lead > 0 && !isTold) {
      error = context.require(false, quoted(context, op) + " may be early",
                              {"lead_effect",
                               text + " would run " + number() + " steps ahead, and " +
                                   quoted(context, op) + " with it",
                               "move it to a section without lead",
                               {{op, "it stands here"}}});
    }
  });
  return error;
}

/// One access of the section against one of what runs beside it at another time.
llvm::Error LeadCheck::checkPair(const MemoryAccess &mine, const MemoryAccess &other,
                                 int64_t otherLead) {
  if (!mayConflict(mine, other)) {
    return llvm::Error::success();
  }
  bool isExempt = TESSERA_MUTANT(
      131, "sections ahead may touch any buf",
      mine.memory == other.memory && llvm::is_contained(except, mine.memory), mine.isBuf());
  bool isQueued = mine.isBuf() && mine.memory == other.memory && tile::ringOf(mine.memory);
  if (isExempt || isQueued) {
    return llvm::Error::success();
  }
  std::string memory = quoted(context, mine.memory);
  Refusal refusal{"lead_memory",
                  text + " would run " + std::to_string(lead) + " steps ahead and " +
                      quoted(context, other.op) + " " + std::to_string(otherLead) + ", and both " +
                      "touch " + memory,
                  mine.isBuf()
                      ? "put " + memory +
                            " into the same ring, or make a ring of it first, with `lead = 0`"
                      : "leave them at the same lead",
                  {{mine.op, "it is touched here"}, {other.op, "and here"}}};
  std::string title = quoted(context, mine.op) + " of a later step and " +
                      quoted(context, other.op) + " touch different cells";
  if (mine.isBuf()) {
    return context.require(false, title, refusal);
  }
  bool isAhead = lead > otherLead;
  return context.prove(isAhead ? apart(context, title, mine, other, loop, Steps::Later)
                               : apart(context, title, other, mine, loop, Steps::Later),
                       isAhead ? mine.op : other.op, refusal);
}

llvm::Error LeadCheck::checkMemory(mlir::Operation *other, int64_t otherLead) {
  if (lead == otherLead) {
    return llvm::Error::success();
  }
  for (const MemoryAccess &mine : accessesIn(section)) {
    for (const MemoryAccess &theirs : accessesIn(other)) {
      if (llvm::Error error = checkPair(mine, theirs, otherLead)) {
        return error;
      }
    }
  }
  return llvm::Error::success();
}

llvm::Error LeadCheck::checkRings() {
  for (QueueRule rule : queueRules(context, section)) {
    rule.fillLead = section->isAncestor(rule.fill) ? lead : rule.fillLead;
    rule.useLead = section->isAncestor(rule.use) ? lead : rule.useLead;
    if (llvm::Error error = checkQueue(context, rule)) {
      return error;
    }
  }
  return llvm::Error::success();
}

llvm::Error LeadCheck::run() {
  if (llvm::Error error = checkLoop()) {
    return error;
  }
  if (llvm::Error error = checkValues()) {
    return error;
  }
  if (llvm::Error error = checkEffects()) {
    return error;
  }
  for (mlir::Operation &other : section->getBlock()->without_terminator()) {
    auto sibling = llvm::dyn_cast<tile::SectionOp>(other);
    if (&other == section.getOperation()) {
      continue;
    }
    if (llvm::Error error = checkMemory(&other, sibling ? sibling.getLead() : 0)) {
      return error;
    }
  }
  return checkRings();
}

llvm::Error schedule::checkLead(PrimitiveContext &context, tile::SectionOp section, int64_t lead,
                                llvm::ArrayRef<mlir::Value> except) {
  return LeadCheck(context, section, lead, except).run();
}

//===-- Primitives -------------------------------------------------------------------------------------------------===//

static llvm::Expected<int64_t> matchSteps(PrimitiveContext &context, const HostCall &call) {
  int64_t steps = *call.arg("steps").getInteger();
  constexpr int64_t most = 1 << 20;
  if (steps >= 0 && steps <= most) {
    return steps;
  }
  return context.refuse("section_steps", llvm::Twine(steps) + " is no number of steps",
                        "give a number from 0 to " + llvm::Twine(most));
}

static llvm::Expected<Value> runSetLead(PrimitiveContext &context, const HostCall &call) {
  llvm::Expected<tile::SectionOp> section = sectionNamed(context, call.arg("section"));
  if (!section) {
    return section.takeError();
  }
  llvm::Expected<int64_t> steps = matchSteps(context, call);
  if (!steps) {
    return steps.takeError();
  }
  if (llvm::Error error = checkLead(context, *section, *steps)) {
    return std::move(error);
  }
  context.rewriter().modifyOpInPlace(*section, [&] { section->setLead(*steps); });
  return Value();
}

llvm::Error schedule::checkLagLoop(PrimitiveContext &context, tile::SectionOp section,
                                   const QueueRule &rule) {
  mlir::Operation *loop = loopAround(rule.use);
  bool isInside = loop && section->isProperAncestor(loop);
  Refusal refusal{
      "lag_loop",
      quoted(context, loop ? loop : rule.use) + " in " + quoted(context, section.getOperation()) +
          " uses a slot of " + rule.ring +
          " in each of its steps, and a lag counts those of the loop around the section: with a "
          "lag of " +
          std::to_string(rule.lag) + " none of them would be free before it ends",
      "cut " + quoted(context, loop ? loop : rule.use) +
          " into sections, and give the lag to one of them",
      {{section, "the section"}, {rule.use, "it is used here"}}};
  return context.require(!isInside, "a lag counts the steps that " + rule.ring + " has", refusal);
}

static llvm::Expected<Value> runSetLag(PrimitiveContext &context, const HostCall &call) {
  llvm::Expected<tile::SectionOp> section = sectionNamed(context, call.arg("section"));
  if (!section) {
    return section.takeError();
  }
  llvm::Expected<int64_t> steps = matchSteps(context, call);
  if (!steps) {
    return steps.takeError();
  }
  for (QueueRule rule : queueRules(context, *section)) {
    if (!(*section)->isAncestor(rule.use)) {
      continue;
    }
    rule.lag = *steps;
    if (*steps > 0) {
      if (llvm::Error error = checkLagLoop(context, *section, rule)) {
        return std::move(error);
      }
    }
    if (llvm::Error error = checkQueue(context, rule)) {
      return std::move(error);
    }
  }
  context.rewriter().modifyOpInPlace(*section, [&] { section->setLag(*steps); });
  return Value();
}

void schedule::addSectionTime(PrimitiveRegistry &registry) {
  script::Signature lead;
  lead.name = "set_lead";
  lead.params = {parameter("section", ValueKind::Any), parameter("steps", ValueKind::Int)};
  lead.group = "Time and roles";
  lead.doc = "A section, given by cursor or name, runs up to `steps` steps of its loop ahead. "
             "Refused where it uses a carried "
             "value or a result of a section that is behind, where it prints, where a step that is "
             "behind touches the same "
             "memory without a ring, and where a ring would be too short.";
  lead.before = "tile.section @load { tile.copy … }";
  lead.after = "tile.section @load lead 2 { tile.copy … }";
  registry.add({std::move(lead), runSetLead});

  script::Signature lag;
  lag.name = "set_lag";
  lag.params = {parameter("section", ValueKind::Any), parameter("steps", ValueKind::Int)};
  lag.group = "Time and roles";
  lag.doc = "What a section releases becomes free `steps` steps later, when the asynchronous ops "
            "that read it are done. "
            "Refused where a ring that it uses would be too short.";
  lag.before = "tile.section @use { … tile.release %ring }";
  lag.after = "tile.section @use lag 1 { … tile.release %ring }";
  registry.add({std::move(lag), runSetLag});
}
