//===- Values.cpp - what is read of a buf was written ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory keeps no absence: a read states by spans which elements are there, and the last write, whichever it may be, must
// have written them. Cells that it left out hold what an earlier step, or another slot, left there.
//
//===----------------------------------------------------------------------===//

#include "Values.h"

#include "tessera/Support/Mutants.h"

using namespace mlir;
using namespace tessera::tile;

namespace tessera::sealing {

Presence leftOut(const PresenceAnalysis &presence, Operation *write) {
  if (auto copy = dyn_cast<CopyOp>(write)) {
    return TESSERA_MUTANT(118, "every copy fills", copy.getFill() == Fill::zero, true)
               ? Presence()
               : presence.ofBox(copy.getIndices(), copy.getWhole());
  }
  if (auto plain = dyn_cast<WriteOp>(write)) {
    return presence.of(plain.getValue());
  }
  return {PresenceFactor()};
}

Presence restated(const PresenceAnalysis &presence, Operation *read) {
  if (auto plain = dyn_cast<ReadOp>(read)) {
    return presence.ofBox(plain.getSpans(), plain.getWhole());
  }
  if (auto copy = dyn_cast<CopyOutOp>(read)) {
    return presence.ofBox(copy.getIndices(), copy.getWhole());
  }
  return {};
}

namespace {
class ValueCheck {
public:
  explicit ValueCheck(Sealer &sealer)
      : sealer(sealer), presence(sealer.presence()), writes(sealer) {}

  void run();

private:
  void checkRead(const Access &access);
  void checkCovered(const Access &access, const Definition &write);
  Expr length(const PresenceFactor &factor, const solver::Substitution &other);
  Expr cover(const Access &access, const Definition &write, solver::Substitution &other);

  Sealer &sealer;
  PresenceAnalysis presence;
  ReachingWrites writes;
};
} // namespace

void ValueCheck::run() {
  for (const Access &access : sealer.accesses) {
    if (access.isBuf && !access.isWrite()) {
      checkRead(access);
    }
  }
}

void ValueCheck::checkRead(const Access &access) {
  std::string buf = memoryName(sealer.kernel, access.memory);
  for (const Definition &definition : writes.of(access.op)) {
    std::string title =
        "`" + nameOf(access) + "` (" + fileLine(access.op) + ") reads what was written";
    if (definition.kind == Definition::write) {
      checkCovered(access, definition);
      continue;
    }
    bool isFill =
        access.window.slot && isa_and_nonnull<AcquireOp>(access.window.slot.getDefiningOp());
    if (definition.kind == Definition::clobber) {
      sealer.refuse(SealKind::values, title,
                    {SealDiag::seal_clobbered,
                     {nameOf(access), buf, "`" + nameOf(definition.op) + "`"},
                     "a write to it after its memory was taken",
                     "write it again, or give the other buf memory of its own"},
                    access.op, definition.op);
    } else if (isFill) {
      sealer.refuse(SealKind::values, title,
                    {SealDiag::seal_carried,
                     {nameOf(access)},
                     "a write in the same turn of the ring",
                     "keep what is carried in a buf of its own, outside the ring",
                     "step 1 gets another slot than step 0"},
                    access.op, access.window.slot.getDefiningOp());
    } else {
      sealer.refuse(
          SealKind::values, title,
          {SealDiag::seal_unwritten,
           {nameOf(access), buf},
           "a write that every way to the read passes",
           "write the buf before, also where a loop has no step or a branch is not taken"},
          access.op);
    }
  }
}

/// Elements of the axis that are present: they are the first ones.
Expr ValueCheck::length(const PresenceFactor &factor, const solver::Substitution &other) {
  SpanTerms span = sealer.model.span(factor.span);
  return solver::substitute(span.stop - span.start - factor.offset, other);
}

/// That the read's elements are among the write's, null where the write's are not known. `other` renames what has another
/// value where the write was made.
Expr ValueCheck::cover(const Access &access, const Definition &write, solver::Substitution &other) {
  Presence left = leftOut(presence, write.op), read = restated(presence, access.op);
  ArrayRef<int64_t> shape = cast<BufType>(access.memory.getType()).getShape();
  IndexModel &model = sealer.model;
  SmallVector<Expr> claims;
  for (const PresenceFactor &factor : left) {
    if (!factor.span || factor.axis < 0) {
      return Expr();
    }
    (void)length(factor, solver::Substitution()); // its symbols exist before any is renamed
  }
  (void)model.factsAt(write.op);
  for (Operation *loop : write.crossed) {
    for (auto &[symbol, renamed] : model.otherInstance(loop)) {
      other[symbol] = renamed;
    }
  }
  if (auto loops = writes.sameSteps(access.op)) {
    other[model.step(loops->first).raw()] = model.step(loops->second);
  }
  for (const PresenceFactor &factor : left) {
    Expr written = length(factor, other);
    // Of several spans along one axis the read has only what all of them have.
    SmallVector<Expr> wanted = {model.context().constant(shape[factor.axis])};
    for (const PresenceFactor &mine : read) {
      if (mine.span && mine.axis == factor.axis) {
        wanted.push_back(length(mine, solver::Substitution()));
      }
    }
    Expr least = wanted.front();
    for (Expr one : ArrayRef(wanted).drop_front()) {
      least = solver::min(least, one);
    }
    claims.push_back(TESSERA_MUTANT(103, "a write may leave out what is read",
                                    least <= written || least <= 0, model.context().boolean(true)));
  }
  return model.context().conjunction(claims);
}

void ValueCheck::checkCovered(const Access &access, const Definition &write) {
  std::string title = "`" + nameOf(access) + "` (" + fileLine(access.op) + ") reads what `" +
                      nameOf(write.op) + "` (" + fileLine(write.op) + ") wrote";
  Refusal refusal{SealDiag::seal_partial,
                  {nameOf(access), memoryName(sealer.kernel, access.memory), nameOf(write.op)},
                  "",
                  isa<CopyOp>(write.op)
                      ? "let the copy `fill zero`, or read the spans that it copies"
                      : "fill what is absent before the write, or read its spans"};
  solver::Substitution other;
  Expr goal = cover(access, write, other);
  if (goal.isNull()) {
    refusal.missing = "which elements were written is not told by spans";
    refusal.witness = "an element that is absent where it is written";
    sealer.refuse(SealKind::values, title, refusal, access.op, write.op);
    return;
  }
  refusal.missing = "a write to every cell that is read: " + goal.str();
  std::vector<Fact> facts = sealer.model.factsAt(access.op);
  for (Fact &fact : sealer.model.factsAt(write.op)) {
    facts.push_back({solver::substitute(fact.condition, other), fact.name, fact.provenance});
  }
  sealer.conclude(SealKind::values, title, sealer.ask(title, std::move(facts), goal), refusal,
                  access.op, write.op);
}

void checkValues(Sealer &sealer) { ValueCheck(sealer).run(); }

} // namespace tessera::sealing
