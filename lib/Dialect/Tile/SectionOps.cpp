//===- SectionOps.cpp - rules of sections, parallel steps, elect ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tile/TileOps.h"
#include "tessera/Dialect/Tile/TypeText.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace tessera::tile {

//===- which role makes a value -------------------------------------------===//

namespace {
/// Follows a value through loops made of sections to the section that makes it.
class RoleFinder {
public:
  /// The role's name; null for a value that no section with a role makes.
  FlatSymbolRefAttr roleOf(Value value) {
    if (!seen.insert(value).second) {
      return {};
    }
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast<ForOp>(argument.getOwner()->getParentOp());
      return loop && argument.getArgNumber() > 0 ? carried(loop, argument.getArgNumber() - 1)
                                                 : FlatSymbolRefAttr();
    }
    auto result = cast<OpResult>(value);
    if (auto section = dyn_cast<SectionOp>(result.getOwner())) {
      return section.getRoleAttr();
    }
    if (auto loop = dyn_cast<ForOp>(result.getOwner())) {
      return carried(loop, result.getResultNumber());
    }
    return {};
  }

private:
  FlatSymbolRefAttr carried(ForOp loop, unsigned i) {
    Operation *yield = loop.getBody().front().getTerminator();
    if (i < yield->getNumOperands()) {
      if (FlatSymbolRefAttr role = roleOf(yield->getOperand(i))) {
        return role;
      }
    }
    return i < loop.getInits().size() ? roleOf(loop.getInits()[i]) : FlatSymbolRefAttr();
  }

  llvm::SmallDenseSet<Value> seen;
};

bool isMadeOfSections(Operation &op) {
  auto loop = dyn_cast<ForOp>(op);
  return loop && !loop.getBody().front().getOps<SectionOp>().empty();
}

bool isScalarOrSpan(Type type) { return !isa<RankedTensorType, ViewType, BufType>(type); }

/// C2: what else stands in a body that sections cut up.
LogicalResult verifyBeside(SectionOp section) {
  for (Operation &op : *section->getBlock()) {
    if (isa<SectionOp>(op) || op.hasTrait<OpTrait::IsTerminator>() || isMadeOfSections(op)) {
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

/// C3, and roles for all or none (C8).
LogicalResult verifySiblings(SectionOp section) {
  for (auto other : section->getBlock()->getOps<SectionOp>()) {
    if (other == section) {
      break;
    }
    if (other.getName() == section.getName()) {
      InFlightDiagnostic error = section.emitOpError()
                                 << "expected sections of different names, found `@"
                                 << section.getName() << "` twice";
      error.attachNote(other.getLoc()) << "the first one is here";
      return error;
    }
    if (other.getRole().has_value() != section.getRole().has_value()) {
      InFlightDiagnostic error = section.emitOpError()
                                 << "expected all sections of a body to have a role, or none";
      error.attachNote(other.getLoc()) << "this one " << (other.getRole() ? "has" : "has none");
      return error;
    }
  }
  return success();
}

LogicalResult verifyTime(SectionOp section) {
  // C4
  int64_t lead = section.getLead(), lag = section.getLag();
  if (lead < 0 || lag < 0) {
    return section.emitOpError() << "expected a lead and a lag of 0 or more, found " << lead
                                 << " and " << lag;
  }
  auto loop = dyn_cast<ForOp>(section->getParentOp());
  if (lead > 0 && (!loop || loop.getReversed())) {
    return section.emitOpError() << "expected no lead "
                                 << (loop ? "in a loop that goes downwards" : "in tasks")
                                 << ", found " << lead;
  }
  return success();
}

LogicalResult verifyRole(SectionOp section) {
  // C8
  if (!section.getRole()) {
    return success();
  }
  auto kernel = section->getParentOfType<KernelOp>();
  auto roles = kernel ? kernel->getAttrOfType<DictionaryAttr>(rolesAttrName) : DictionaryAttr();
  if (!roles || !roles.contains(*section.getRole())) {
    return section.emitOpError() << "expected a role of the kernel's `tile.roles`, found `@"
                                 << *section.getRole() << "`";
  }
  return success();
}

/// C6 and C7, for one value that the section uses from outside.
LogicalResult verifyUse(SectionOp section, Operation *user, Value value) {
  auto maker = value.getDefiningOp<SectionOp>();
  if (maker && maker->getBlock() == section->getBlock() && maker.getLead() < section.getLead()) {
    InFlightDiagnostic error = section.emitOpError()
                               << "expected to run no further ahead than section `@"
                               << maker.getName() << "` (lead " << maker.getLead()
                               << "), whose result it uses; found lead " << section.getLead();
    error.attachNote(user->getLoc()) << "it is used here";
    return error;
  }
  auto argument = dyn_cast<BlockArgument>(value);
  bool isCarried = argument && argument.getOwner() == section->getBlock() &&
                   argument.getArgNumber() > 0 && isa<ForOp>(section->getParentOp());
  if (isCarried && section.getLead() > 0) {
    InFlightDiagnostic error = section.emitOpError()
                               << "expected no use of a carried value in a section that runs "
                               << section.getLead() << " steps ahead: it is not made yet";
    error.attachNote(user->getLoc()) << "it is used here";
    return error;
  }
  FlatSymbolRefAttr role =
      isa<RankedTensorType>(value.getType()) ? RoleFinder().roleOf(value) : FlatSymbolRefAttr();
  if (role && section.getRole() && role.getValue() != *section.getRole()) {
    InFlightDiagnostic error = section.emitOpError()
                               << "expected tiles of its own role `@" << *section.getRole()
                               << "` only, found one of `@" << role.getValue()
                               << "`: pass it through a ring";
    error.attachNote(user->getLoc()) << "it is used here";
    return error;
  }
  return success();
}
} // namespace

//===- SectionOp ----------------------------------------------------------===//

LogicalResult SectionOp::verify() {
  // C1
  if (!isa_and_nonnull<ForOp, TasksOp>((*this)->getParentOp())) {
    return emitOpError() << "expected to stand directly in the body of `tile.for` or `tile.tasks`";
  }
  if (failed(verifyBeside(*this)) || failed(verifySiblings(*this)) || failed(verifyTime(*this))) {
    return failure();
  }
  return verifyRole(*this);
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
  // C5
  if (failed(verifyYield(*this, getBody()))) {
    return failure();
  }
  LogicalResult uses = success();
  getBody().walk([&](Operation *op) {
    for (Value operand : op->getOperands()) {
      if (succeeded(uses) && !getBody().isAncestor(operand.getParentRegion())) {
        uses = verifyUse(*this, op, operand);
      }
    }
  });
  return uses;
}

//===- ParOp, ElectOp -----------------------------------------------------===//

LogicalResult ParOp::verify() {
  // C1
  if (getPlace() != Place::cluster && getPlace() != Place::wg && getPlace() != Place::warp) {
    return emitOpError() << "expected `cluster`, `wg` or `warp`, found `"
                         << stringifyPlace(getPlace()) << "`";
  }
  // C2
  int64_t steps = getSteps();
  if (steps < 1) {
    return emitOpError() << "expected at least one step, found " << steps;
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
  Operation *found = nullptr;
  getBody().walk([&](Operation *op) {
    if (isa<BarrierOp, AcquireOp, CommitOp, AwaitOp, ReleaseOp>(op)) {
      found = op;
    }
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
  Operation *found = nullptr;
  getBody().walk([&](Operation *op) {
    if (isa<AcquireOp, CommitOp, AwaitOp, ReleaseOp, BarrierOp, FenceOp, GroupCommitOp, GroupWaitOp,
            ApplyOp, LoopLikeOpInterface>(op)) {
      found = op;
    }
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
