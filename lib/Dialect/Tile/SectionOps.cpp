//===- SectionOps.cpp - rules of sections, parallel steps, elect ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

#include "tessera/Dialect/Tile/Structure.h"
#include "tessera/Dialect/Tile/TileOps.h"
#include "tessera/Dialect/Tile/TypeText.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace tessera::tile {

bool isScheduleOp(Operation *op) {
  return isa<AcquireOp, AllocOp, ApplyOp, AwaitOp, BarrierOp, CommitOp, CopyOp, CopyOutOp, ElectOp,
             FenceOp, GroupCommitOp, GroupWaitOp, InstrOp, ParOp, ReadOp, ReleaseOp, RingOp,
             SectionOp, TasksOp, WriteOp>(op);
}

constexpr int64_t mostSteps = int64_t(1) << 31;

//===- what a section uses ------------------------------------------------===//

namespace {
/// Follows what a section uses back to the sections and carried values that it comes from: C6 and C7. One for each
/// section, so that a value that many ops use is followed once.
class SectionUses {
public:
  explicit SectionUses(SectionOp section) : section(section) {}

  /// `user` is what the note points to.
  LogicalResult verify(Operation *user, Value value) {
    Sources work{{value, sameStep}};
    while (!work.empty()) {
      Source next = work.pop_back_val();
      if (seen.insert(next).second && failed(follow(user, next, work))) {
        return failure();
      }
    }
    return success();
  }

private:
  /// A value, and whether it is of the step that the section is at: what a loop carries is of an earlier one.
  enum : unsigned { earlierStep, sameStep };
  using Source = std::pair<Value, unsigned>;
  using Sources = SmallVector<Source>;

  InFlightDiagnostic &note(InFlightDiagnostic &error, Operation *user) {
    error.attachNote(user->getLoc()) << "it is used here";
    return error;
  }

  LogicalResult follow(Operation *user, Source source, Sources &work) {
    auto [value, step] = source;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast_or_null<ForOp>(argument.getOwner()->getParentOp());
      if (!loop || argument.getArgNumber() == 0) {
        return success();
      }
      if (argument.getOwner() == section->getBlock() && section.getLead() > 0 && step == sameStep) {
        InFlightDiagnostic error = section.emitOpError()
                                   << "expected no use of a carried value in a section that runs "
                                   << section.getLead() << " steps ahead: it is not made yet";
        return note(error, user);
      }
      followCarried(loop, argument.getArgNumber() - 1, work);
      return success();
    }
    auto result = cast<OpResult>(value);
    Operation *maker = result.getOwner();
    if (auto other = dyn_cast<SectionOp>(maker)) {
      return verifyMaker(user, other, step);
    }
    if (auto loop = dyn_cast<ForOp>(maker)) {
      if (maker->getBlock() == section->getBlock() && section.getLead() > 0 && step == sameStep) {
        InFlightDiagnostic error =
            section.emitOpError()
            << "expected no use of a result of a loop beside it in a section that runs "
            << section.getLead() << " steps ahead: it is not made yet";
        return note(error, user);
      }
      followCarried(loop, result.getResultNumber(), work);
      return success();
    }
    for (Value operand : maker->getOperands()) {
      work.push_back({operand, step});
    }
    for (Region &region : maker->getRegions()) {
      for (Block &block : region) {
        bool ends = !block.empty() && block.back().getNumOperands() == maker->getNumResults();
        if (ends) {
          work.push_back({block.back().getOperand(result.getResultNumber()), step});
        }
      }
    }
    return success();
  }

  /// A carried value is the init, or what the step before yielded.
  void followCarried(ForOp loop, unsigned i, Sources &work) {
    constexpr unsigned bounds = 2; // the operands before the inits
    if (bounds + i < loop->getNumOperands()) {
      work.push_back({loop->getOperand(bounds + i), earlierStep});
    }
    Region &body = loop.getBody();
    if (!body.empty() && !body.front().empty() && i < body.front().back().getNumOperands()) {
      work.push_back({body.front().back().getOperand(i), earlierStep});
    }
  }

  LogicalResult verifyMaker(Operation *user, SectionOp maker, unsigned step) {
    // C6
    if (maker->getBlock() == section->getBlock() && maker.getLead() < section.getLead() &&
        step == sameStep) {
      InFlightDiagnostic error = section.emitOpError()
                                 << "expected to run no further ahead than section `@"
                                 << maker.getName() << "` (lead " << maker.getLead()
                                 << "), whose result it uses; found lead " << section.getLead();
      return note(error, user);
    }
    // C7
    if (section.getRole() && maker.getRole() && *maker.getRole() != *section.getRole()) {
      InFlightDiagnostic error = section.emitOpError()
                                 << "expected values of its own role `@" << *section.getRole()
                                 << "` only, found one of `@" << *maker.getRole()
                                 << "`: pass it through a ring";
      return note(error, user);
    }
    return success();
  }

  SectionOp section;
  llvm::DenseSet<Source> seen;
};

//===- bodies that sections cut up ----------------------------------------===//

bool isScalarOrSpan(Type type) { return !isa<RankedTensorType, ViewType, BufType>(type); }

/// C2: what else stands in a body that sections cut up.
LogicalResult verifyBeside(SectionOp section) {
  for (Operation &op : *section->getBlock()) {
    if (isa<SectionOp>(op) || op.hasTrait<OpTrait::IsTerminator>() || isMadeOfSections(&op)) {
      continue;
    }
    bool isPlain = isMemoryEffectFree(&op) && op.getNumRegions() == 0 &&
                   llvm::all_of(op.getResultTypes(), isScalarOrSpan);
    if (!isPlain) {
      InFlightDiagnostic error =
          section.emitOpError()
          << "expected beside sections only ops without memory effects on scalars and spans, found "
             "`"
          << op.getName() << "`: put it into a section";
      error.attachNote(op.getLoc()) << "it is here";
      return error;
    }
  }
  return success();
}

/// C3, and roles for all or none (C8), against the sections before it.
LogicalResult verifySiblings(SectionOp section, SectionOp first,
                             llvm::StringMap<SectionOp> &names) {
  auto [there, isNew] = names.try_emplace(section.getName(), section);
  if (!isNew) {
    InFlightDiagnostic error = section.emitOpError()
                               << "expected sections of different names, found `@"
                               << section.getName() << "` twice";
    error.attachNote(there->second.getLoc()) << "the first one is here";
    return error;
  }
  if (first.getRole().has_value() != section.getRole().has_value()) {
    InFlightDiagnostic error = section.emitOpError()
                               << "expected all sections of a body to have a role, or none";
    error.attachNote(first.getLoc()) << "this one " << (first.getRole() ? "has one" : "has none");
    return error;
  }
  return success();
}

LogicalResult verifyUses(SectionOp section) {
  SectionUses uses(section);
  LogicalResult result = success();
  section.getBody().walk([&](Operation *op) {
    for (Value operand : op->getOperands()) {
      if (succeeded(result) && !section.getBody().isAncestor(operand.getParentRegion())) {
        result = uses.verify(op, operand);
      }
    }
    return failed(result) ? WalkResult::interrupt() : WalkResult::advance();
  });
  // A section runs as often as the range of its loop says.
  auto loop = dyn_cast<ForOp>(section->getParentOp());
  if (failed(result) || !loop) {
    return result;
  }
  return success(succeeded(uses.verify(loop, loop.getLo())) &&
                 succeeded(uses.verify(loop, loop.getHi())));
}
} // namespace

LogicalResult verifySections(Block &body) {
  llvm::StringMap<SectionOp> names;
  SectionOp first;
  for (auto section : body.getOps<SectionOp>()) {
    first = first ? first : section;
    // C2 is about the body: once.
    if ((section == first && failed(verifyBeside(section))) ||
        failed(verifySiblings(section, first, names)) || failed(verifyUses(section))) {
      return failure();
    }
  }
  return success();
}

//===- SectionOp ----------------------------------------------------------===//

LogicalResult SectionOp::verify() {
  // C1
  if (!isa_and_nonnull<ForOp, TasksOp>((*this)->getParentOp())) {
    return emitOpError() << "expected to stand directly in the body of `tile.for` or `tile.tasks`";
  }
  // C4
  int64_t lead = getLead(), lag = getLag();
  if (lead < 0 || lag < 0 || lead > mostSteps || lag > mostSteps) {
    return emitOpError() << "expected a lead and a lag of 0 to 2^31, found " << lead << " and "
                         << lag;
  }
  auto loop = dyn_cast<ForOp>((*this)->getParentOp());
  if (lead > 0 && (!loop || loop.getReversed())) {
    return emitOpError() << "expected no lead "
                         << (loop ? "in a loop that goes downwards" : "in tasks") << ", found "
                         << lead;
  }
  // C8
  if (!getRole()) {
    return success();
  }
  auto kernel = (*this)->getParentOfType<KernelOp>();
  auto roles = kernel ? kernel->getAttrOfType<DictionaryAttr>(rolesAttrName) : DictionaryAttr();
  if (!roles || !roles.contains(*getRole())) {
    return emitOpError() << "expected a role of the kernel's `tile.roles`, found `@" << *getRole()
                         << "`";
  }
  auto outer = (*this)->getParentOfType<SectionOp>();
  if (outer && outer.getRole() && *outer.getRole() != *getRole()) {
    InFlightDiagnostic error = emitOpError() << "expected the role `@" << *outer.getRole()
                                             << "` of the section around, found `@" << *getRole()
                                             << "`, whose threads never come here";
    error.attachNote(outer.getLoc()) << "the section around is here";
    return error;
  }
  return success();
}

/// C3 of apply, C5 of sections.
static LogicalResult verifyYield(Operation *op, Region &body) {
  Operation *yield = body.front().getTerminator();
  if (yield->getOperandTypes() != op->getResultTypes()) {
    return op->emitOpError() << "expected to yield values of types (" << text(op->getResultTypes())
                             << "), found (" << text(yield->getOperandTypes()) << ")";
  }
  return success();
}

LogicalResult SectionOp::verifyRegions() {
  if (getBody().getNumArguments() != 0) {
    return emitOpError() << "expected a body without arguments, found "
                         << getBody().getNumArguments();
  }
  return verifyYield(*this, getBody()); // C5
}

//===- ParOp, ElectOp -----------------------------------------------------===//

/// The first op of a region, nested ones included, that is of a kind; null if there is none.
static Operation *firstOf(Region &region, function_ref<bool(Operation *)> isOfKind) {
  Operation *found = nullptr;
  region.walk<WalkOrder::PreOrder>([&](Operation *op) {
    found = isOfKind(op) ? op : nullptr;
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

LogicalResult ParOp::verify() {
  // C1
  if (getPlace() != Place::cluster && getPlace() != Place::wg && getPlace() != Place::warp) {
    return emitOpError() << "expected `cluster`, `wg` or `warp`, found `"
                         << stringifyPlace(getPlace()) << "`";
  }
  // C2
  int64_t steps = getSteps();
  if (steps < 1 || steps > mostSteps) {
    return emitOpError() << "expected 1 to 2^31 steps, found " << steps;
  }
  // C3
  Block &body = getBody().front();
  if (body.getNumArguments() != 1 || !body.getArgument(0).getType().isSignlessInteger(64) ||
      body.getTerminator()->getNumOperands() != 0) {
    return emitOpError() << "expected a body with one argument of type `i64` that yields nothing";
  }
  return success();
}

LogicalResult ElectOp::verify() {
  // C1
  Block &body = getBody().front();
  if (body.getNumArguments() != 0 || body.getTerminator()->getNumOperands() != 0) {
    return emitOpError() << "expected a body without arguments that yields nothing";
  }
  // C2
  Operation *found = firstOf(getBody(), [](Operation *op) {
    return isa<BarrierOp, AcquireOp, CommitOp, AwaitOp, ReleaseOp>(op);
  });
  if (found) {
    InFlightDiagnostic error = emitOpError()
                               << "expected no op that threads wait in, found `" << found->getName()
                               << "`: only one thread would reach it";
    error.attachNote(found->getLoc()) << "it is here";
    return error;
  }
  return success();
}

//===- ApplyOp ------------------------------------------------------------===//

LogicalResult ApplyOp::verify() {
  // C4
  if (getNumResults() != 0 && getVia() != Proxy::generic && getVia() != Proxy::wgmma) {
    return emitOpError() << "expected no results of an instruction via `"
                         << stringifyProxy(getVia()) << "`, which writes to memory";
  }
  return success();
}

LogicalResult ApplyOp::verifyRegions() {
  if (getBody().getNumArguments() != 0) {
    return emitOpError() << "expected a body without arguments, found "
                         << getBody().getNumArguments();
  }
  // C2
  Operation *found = firstOf(getBody(), [](Operation *op) {
    return isa<AcquireOp, CommitOp, AwaitOp, ReleaseOp, BarrierOp, FenceOp, GroupCommitOp,
               GroupWaitOp, ApplyOp, ElectOp, LoopLikeOpInterface, ParOp>(op);
  });
  if (found) {
    InFlightDiagnostic error = emitOpError() << "expected what an instruction does, found `"
                                             << found->getName() << "`";
    error.attachNote(found->getLoc()) << "it is here";
    return error;
  }
  // C3
  return verifyYield(*this, getBody());
}

LogicalResult ApplyOp::verifySymbolUses(SymbolTableCollection &symbols) {
  // C1
  auto instr = symbols.lookupNearestSymbolFrom<InstrOp>(*this, getInstrAttr());
  if (!instr) {
    return emitOpError() << "expected a `tile.instr` of the module, found no `@" << getInstr()
                         << "`";
  }
  if (instr.getVia() != getVia()) {
    InFlightDiagnostic error = emitOpError() << "expected `via " << stringifyProxy(instr.getVia())
                                             << "`, as the instruction has it, found `"
                                             << stringifyProxy(getVia()) << "`";
    error.attachNote(instr.getLoc()) << "it is declared here";
    return error;
  }
  return success();
}

} // namespace tessera::tile
