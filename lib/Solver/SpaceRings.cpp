//===- SpaceRings.cpp - obligations about loops, divisions and rings ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Space.h. Numbers of steps stay symbolic everywhere; slots are constant where a remainder by them is taken.
//
//===----------------------------------------------------------------------===//

#include "tessera/Solver/Space.h"

#include "llvm/ADT/StringExtras.h"

namespace tessera::solver {

Expr SpaceBuilder::trips(Expr lo, Expr hi, Int step) {
  return max(context.constant(0), ceilDiv(hi - lo, step));
}

Obligation SpaceBuilder::equalTrips(llvm::StringRef title, Expr lo1, Expr hi1, Int step1, Expr lo2,
                                    Expr hi2, Int step2) {
  return {title.str(), {}, eq(trips(lo1, hi1, step1), trips(lo2, hi2, step2))};
}

Obligation SpaceBuilder::equalBounds(llvm::StringRef title, Expr lo1, Expr hi1, Expr lo2,
                                     Expr hi2) {
  return {title.str(), {}, eq(lo1, lo2) && eq(hi1, hi2)};
}

Obligation SpaceBuilder::cutInside(llvm::StringRef title, Expr lo, Expr at, Expr hi) {
  return {title.str(), {}, lo <= at && at <= hi};
}

SpaceBuilder::Split SpaceBuilder::split(Expr extent, Int factor) {
  return {floorDiv(extent, factor), mod(extent, factor), ceilDiv(extent, factor)};
}

Obligation SpaceBuilder::splitExact(llvm::StringRef title, Expr extent, Int factor) {
  return {title.str(), {}, eq(mod(extent, factor), 0)};
}

Obligation SpaceBuilder::splitCovers(llvm::StringRef title, Expr extent, Int factor, Expr outer) {
  Axis i{context.local("i"), context.constant(0), extent};
  Expr io = floorDiv(i.variable, factor);
  Obligation obligation{title.str(), {}, Expr()};
  addFacts(obligation, IndexBox{{i}}, "an iteration before the split");
  obligation.goal = 0 <= io && io < outer && eq(io * factor + mod(i.variable, factor), i.variable);
  return obligation;
}

Obligation SpaceBuilder::aligned(llvm::StringRef title, Expr value, Int modulus, Int residue) {
  return {title.str(), {}, eq(mod(value - residue, modulus), 0)};
}

SpaceBuilder::SymbolicDivision SpaceBuilder::divideBySymbol(Expr number, Expr divisor) {
  SymbolicDivision result;
  if (number.isNull() || divisor.isNull()) {
    result.quotient = result.remainder = context.invalid("a term is missing");
    return result;
  }
  // The names say what is divided, so that the same division has the same symbols and no other one has.
  std::string name = number.str().substr(0, 40) + "//" + divisor.str().substr(0, 40) + "@" +
                     llvm::utohexstr(number.raw()->hash ^ (divisor.raw()->hash * 3));
  result.quotient = context.local("div:" + name);
  result.remainder = context.local("mod:" + name);
  Expr whole = divisor * result.quotient + result.remainder;
  std::string of = number.str() + " by " + divisor.str();
  result.facts.push_back({divisor >= 1, "the divisor of " + of + " is positive", ""});
  result.facts.push_back({eq(whole, number), "quotient and remainder of " + of, ""});
  result.facts.push_back(
      {0 <= result.remainder && result.remainder < divisor, "range of the remainder of " + of, ""});
  return result;
}

Obligation SpaceBuilder::queueRule(llvm::StringRef title, Expr slots, Expr lead, Expr lag) {
  return {title.str(), {}, slots > lead + lag};
}

Obligation SpaceBuilder::slotExclusive(llvm::StringRef title, Expr steps, Int slots, Expr behind) {
  Expr writer = context.local("kp"), reader = context.local("kc");
  Expr zero = context.constant(0);
  Obligation obligation{title.str(), {}, Expr()};
  addFacts(obligation, IndexBox{{{writer, zero, steps}, {reader, zero, steps}}},
           "steps of the ring");
  obligation.facts.push_back(
      {eq(mod(writer - reader, slots), 0), "both use one slot", "the ring's slots"});
  // Either the reader waits for this very token or a later one, or the writer waits for the reader.
  obligation.goal = writer <= reader || reader <= writer - behind;
  return obligation;
}

Obligation SpaceBuilder::ringLive(llvm::StringRef title, Expr steps, Expr slots, Expr lag) {
  Expr zero = context.constant(0);
  Expr written = context.local("kp", Range::atLeast(0)),
       read = context.local("kc", Range::atLeast(0));
  Expr released = max(zero, read - lag);
  Obligation obligation{title.str(), {}, Expr()};
  obligation.facts.push_back({read <= written && written <= steps, "a state of the ring", ""});
  obligation.facts.push_back({lag >= 0 && slots >= 1, "lag and slots", ""});
  Expr writerWaits = written < steps && written - released >= slots;
  Expr readerWaits = read < steps && read >= written;
  obligation.goal = !(writerWaits && readerWaits);
  return obligation;
}

Obligation SpaceBuilder::parityUnambiguous(llvm::StringRef title, Expr steps, Int slots,
                                           Expr lead) {
  Expr reader = context.local("k", Range::atLeast(0));
  Expr written = context.local("kp", Range::atLeast(0));
  Obligation obligation{title.str(), {}, Expr()};
  obligation.facts.push_back({reader < steps && written <= steps, "a state of the ring", ""});
  obligation.facts.push_back(
      {reader <= written && written <= reader + lead, "how far the writer is ahead", ""});
  // Phases of the reader's slot that are complete after `written` tokens.
  Expr complete = ceilDiv(written - mod(reader, slots), slots);
  Expr phase = floorDiv(reader, slots);
  obligation.goal = phase <= complete && complete <= phase + 1;
  return obligation;
}

} // namespace tessera::solver
