// Conditions of `replace` that need no solver: how pieces fill the dims, who runs the instruction, what it may combine in
// which order, what moves with it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Memory.h"
#include "Replace.h"

#include "tessera/Schedule/Dims.h"
#include "tessera/Support/Mutants.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::SmallVector;
using tile::ExecScope;
using tile::Place;

//===-- Dims -------------------------------------------------------------------------------------------------------===//

static int64_t ceilDivide(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// Factors that the script has not given to threads: pieces are made of them.
static bool isFree(Place place) {
  return place == Place::open || place == Place::reg || place == Place::vec;
}

/// Threads that one execution takes: their places are the instruction's own.
static bool isInside(ExecScope scope, Place place) {
  switch (place) {
  case Place::lane:
    return scope != ExecScope::thread;
  case Place::warp:
    return scope == ExecScope::wg || scope == ExecScope::cta || scope == ExecScope::cluster;
  case Place::wg:
    return scope == ExecScope::cta || scope == ExecScope::cluster;
  case Place::cluster:
    return scope == ExecScope::cluster;
  default:
    return false;
  }
}

static llvm::Error cutDim(ReplaceStep &step, CutDim &cut, Place residue) {
  SmallVector<tile::IterFactor> now = step.context.factors(step.match.root, cut.dim.name);
  std::string dim = step.context.text(step.match.root) + "." +
                    step.context.dimName(step.match.root, cut.dim.name);
  int64_t bound = 1, total = 1;
  for (const tile::IterFactor &factor : now) {
    if (factor.place == Place::atom) {
      return step.refuse("replace_done", "`" + dim + "` is cut for an instruction already",
                         "give the op of another place");
    }
    bound *= isFree(factor.place) ? 1 : factor.steps;
    total *= factor.steps;
  }
  if (now.empty() || (bound == 1 && total % cut.piece != 0)) {
    int64_t steps = ceilDivide(std::max(total, cut.dim.extent), cut.piece);
    if (cut.piece == 1 && now.empty()) {
      return llvm::Error::success(); // nothing to say: layout assignment chooses
    }
    cut.factors = steps > 1
                      ? SmallVector<tile::IterFactor>{{residue, steps}, {Place::atom, cut.piece}}
                      : SmallVector<tile::IterFactor>{{Place::atom, cut.piece}};
    cut.kept.assign(cut.factors.size(), -1);
    cut.isChanged = true;
    return llvm::Error::success();
  }
  // The innermost factors that pieces fill.
  int64_t inner = 1;
  size_t from = now.size();
  while (inner % cut.piece != 0 && from > 0 && isFree(now[from - 1].place)) {
    inner *= now[--from].steps;
  }
  if (inner % cut.piece != 0) {
    return step.refuse("replace_pieces",
                       step.name() + " takes " + llvm::Twine(cut.piece) + " points of `" + dim +
                           "` at a time, and it is `" + tile::IterAttr::text(now) + "`, with " +
                           llvm::Twine(inner) + " points in one thread's turn",
                       "split the dim by a multiple of " + llvm::Twine(cut.piece));
  }
  for (size_t i = 0; i < from; ++i) {
    bool isOpen = now[i].place == Place::open;
    cut.factors.push_back({isOpen ? residue : now[i].place, now[i].steps});
    cut.kept.push_back(i);
  }
  if (inner > cut.piece) {
    cut.factors.push_back({residue, inner / cut.piece});
    cut.kept.push_back(-1);
  }
  if (cut.piece > 1) {
    cut.factors.push_back({Place::atom, cut.piece});
    cut.kept.push_back(-1);
  }
  cut.isChanged = cut.factors != now;
  return llvm::Error::success();
}

llvm::Error schedule::cutDims(ReplaceStep &step) {
  ExecScope scope = step.instr.getScope();
  // Where each thread runs the instruction for itself, which thread does which piece is not chosen yet.
  Place residue = scope == ExecScope::thread ? Place::open : Place::reg;
  for (auto [dim, piece] : llvm::zip(dimsOf(step.match.root), step.match.pieces)) {
    CutDim cut;
    cut.dim = dim;
    cut.piece = piece;
    if (llvm::Error error = cutDim(step, cut, residue)) {
      return error;
    }
    for (const tile::IterFactor &factor : cut.factors) {
      if (factor.steps > 1 && isInside(scope, factor.place)) {
        return step.refuse("replace_scope",
                           step.name() + " is run by a whole `" + tile::stringifyExecScope(scope) +
                               "`, and `" + tile::IterAttr::text(cut.factors) +
                               "` spreads its points over `" + tile::stringifyPlace(factor.place) +
                               "`",
                           "bind the dim to a place outside of it");
      }
    }
    step.dims.push_back(std::move(cut));
  }
  return llvm::Error::success();
}

//===-- Tails ------------------------------------------------------------------------------------------------------===//

/// Pieces past the end: in registers they are absent points; in memory there is something else.
static llvm::Error checkTails(ReplaceStep &step) {
  mlir::Block &body = step.instr.getBody().front();
  for (auto [index, bound] : llvm::enumerate(step.match.operands)) {
    if (!bound.access) {
      continue;
    }
    SmallVector<tile::IterDim> box = dimsOf(bound.access);
    for (auto [axis, piece] :
         llvm::zip(bound.axes, tile::shapeOf(body.getArgument(index).getType()))) {
      if (box[axis].extent % piece == 0) {
        continue;
      }
      if (llvm::Error error = step.require(
              false, "pieces fill " + step.operandText(index), "replace_tail",
              "pieces of " + llvm::Twine(piece) + " do not fill the " +
                  llvm::Twine(box[axis].extent) + " points that " + step.operandText(index) +
                  " has here: the last one would reach past the tile in memory",
              "choose a block size that is a multiple of " + llvm::Twine(piece), bound.access)) {
        return error;
      }
    }
  }
  for (const CutDim &cut : step.dims) {
    if (cut.hasTail() && cut.dim.kind != tile::IterKind::parallel) {
      step.open("pads",
                "points past the " + llvm::Twine(cut.dim.extent) + " of `" +
                    step.context.text(step.match.root) + "." + cut.dim.name +
                    "` are zeros on both sides of " + step.name(),
                "layout assignment");
    }
  }
  return llvm::Error::success();
}

/// A sum in several pieces goes on from what was there, by the instruction's own accumulator; and nothing else is done to
/// it before the last piece.
static llvm::Error checkParts(ReplaceStep &step) {
  mlir::Operation *yield = step.instr.getBody().front().getTerminator();
  for (const UnifiedOp &unified : step.match.unified) {
    for (auto [dim, piece] : llvm::zip(dimsOf(unified.op), unified.pieces)) {
      if (dim.kind == tile::IterKind::parallel || piece >= dim.extent) {
        continue;
      }
      auto mma = llvm::dyn_cast<tile::MmaOp>(unified.body);
      auto carried =
          mma ? llvm::dyn_cast<mlir::BlockArgument>(mma.getAcc()) : mlir::BlockArgument();
      unsigned output = 0;
      bool goesOn = false;
      for (unsigned i = 0; i < step.match.operands.size(); ++i) {
        if (isWrittenOperand(step.instr, i)) {
          goesOn |= carried && carried.getArgNumber() == i &&
                    yield->getOperand(output) == unified.body->getResult(0);
          ++output;
        }
      }
      if (!goesOn) {
        return step.refuse(
            "replace_partial",
            step.name() + " combines " + llvm::Twine(piece) + " of the " + llvm::Twine(dim.extent) +
                " terms along `" + step.context.dimName(unified.op, dim.name) +
                "` and does not go on from the part before",
            "use an instruction with an accumulator, or a block of " + llvm::Twine(piece),
            unified.op);
      }
    }
  }
  return llvm::Error::success();
}

//===-- Order ------------------------------------------------------------------------------------------------------===//

/// Whether an instruction that combines in `order` gives what the class of a dim promises.
static bool keeps(tile::OrderClass order, tile::IterKind kind) {
  using tile::IterKind;
  using tile::OrderClass;
  switch (kind) {
  case IterKind::parallel:
    return true;
  case IterKind::exact:
    return true; // integers, max: every order gives the same bits
  case IterKind::tree:
    return TESSERA_MUTANT(141, "instructions may sum a tree anyhow",
                          order == OrderClass::tree || order == OrderClass::exact, true);
  case IterKind::any:
    return order != OrderClass::scan;
  case IterKind::dot:
    return order == OrderClass::dot || order == OrderClass::exact;
  case IterKind::scan:
    return order == OrderClass::scan || order == OrderClass::exact;
  }
  return false;
}

static llvm::Error checkOrder(ReplaceStep &step) {
  tile::OrderClass order = step.instr.getOrder();
  bool combines = false;
  for (const UnifiedOp &unified : step.match.unified) {
    for (const tile::IterDim &dim : dimsOf(unified.op)) {
      combines |= dim.kind != tile::IterKind::parallel;
      if (keeps(order, dim.kind)) {
        continue;
      }
      if (llvm::Error error = step.require(
              false, step.name() + " keeps the order of " + step.text(), "replace_order",
              step.name() + " is declared `order " + tile::stringifyOrderClass(order) +
                  "`, which is weaker than the class of `" + step.context.text(unified.op) + "." +
                  step.context.dimName(unified.op, dim.name) + "`",
              "use an instruction that keeps the order, or give the source a weaker class",
              unified.op)) {
        return error;
      }
    }
  }
  if (!combines && order != tile::OrderClass::exact) {
    return step.refuse("replace_order",
                       step.name() + " is declared `order " + tile::stringifyOrderClass(order) +
                           "`, and nothing is combined here: elementwise ops are exact",
                       "declare the instruction `order exact`, if it is");
  }
  step.context.note("`order " + llvm::Twine(tile::stringifyOrderClass(order)) + "` of " +
                    step.name() + " keeps the class of " + step.text());
  return llvm::Error::success();
}

//===-- Threads ----------------------------------------------------------------------------------------------------===//

static unsigned rankOf(ExecScope scope) { return static_cast<unsigned>(scope); }

static ExecScope scopeOf(Place place) {
  return place == Place::warp ? ExecScope::warp
         : place == Place::wg ? ExecScope::wg
                              : ExecScope::cta;
}

static llvm::Error checkThreads(ReplaceStep &step) {
  ExecScope scope = step.instr.getScope();
  std::string word = tile::stringifyExecScope(scope).str();
  for (mlir::Operation *around = step.match.root->getParentOp();
       around && !llvm::isa<tile::KernelOp>(around); around = around->getParentOp()) {
    auto par = llvm::dyn_cast<tile::ParOp>(around);
    bool isCut = par && rankOf(scope) > rankOf(scopeOf(par.getPlace()));
    if (!isCut && (!llvm::isa<tile::ElectOp>(around) || scope == ExecScope::thread)) {
      continue;
    }
    Refusal refusal{
        "replace_group",
        step.name() + " is run by a whole `" + word + "`, and only part of one comes here",
        "move it out",
        {{step.match.root, "it is to be done here"}, {around, "only some threads run this"}}};
    if (llvm::Error error = step.context.require(
            false, "a whole `" + word + "` comes to " + step.name(), refusal)) {
      return error;
    }
  }
  auto kernel = step.match.root->getParentOfType<tile::KernelOp>();
  auto warps = kernel->getAttrOfType<mlir::IntegerAttr>(tile::warpsAttrName);
  int64_t group = scope == ExecScope::wg ? 4 : 1;
  if (warps && warps.getInt() % group != 0) {
    if (llvm::Error error =
            step.require(false, "the kernel has whole warpgroups", "replace_group",
                         step.name() + " is run by a warpgroup, and the kernel has " +
                             llvm::Twine(warps.getInt()) + " warps, no multiple of 4",
                         "give the kernel whole warpgroups")) {
      return error;
    }
  }
  if (scope != ExecScope::thread) {
    step.context.note("whole groups of `" + word + "` reach " + step.name() + " together");
  }
  return llvm::Error::success();
}

//===-- The place in the block -------------------------------------------------------------------------------------===//

bool schedule::isReadAgain(const ReplaceStep &step, mlir::Operation *op) {
  bool isAccess = llvm::any_of(step.match.operands, [&](const BoundOperand &bound) {
    return bound.access == op && op != step.match.root;
  });
  bool isMap =
      llvm::isa<tile::PermuteOp, tile::CastOp, tile::ReshapeOp, tile::BroadcastOp, tile::SliceOp>(
          op) &&
      llvm::none_of(step.match.unified, [&](const UnifiedOp &unified) { return unified.op == op; });
  if ((!isAccess && !isMap) || op == step.match.root) {
    return false;
  }
  return llvm::any_of(op->getUsers(), [&](mlir::Operation *user) {
    return !llvm::is_contained(step.match.ops, user);
  });
}

/// A value that is made on the way and used by others too.
static llvm::Error checkEscapes(ReplaceStep &step) {
  mlir::Block *block = step.match.root->getBlock();
  for (mlir::Operation *op : step.match.ops) {
    if (isReadAgain(step, op)) {
      continue;
    }
    bool isResult = llvm::any_of(op->getResults(), [&](mlir::Value value) {
      return llvm::is_contained(step.match.results, value);
    });
    for (mlir::Operation *user : op->getUsers()) {
      mlir::Operation *at = block->findAncestorOpInBlock(*user);
      bool isLater = at && step.match.root->isBeforeInBlock(at);
      if (llvm::is_contained(step.match.ops, user) || (isResult && isLater)) {
        continue;
      }
      return step.context.refuse("replace_escapes",
                                 "`" + step.context.text(op) + "` is a step inside of " +
                                     step.name() + ", and something else uses it",
                                 "make it twice in the source, or use an instruction that gives it",
                                 {{op, "is made here"}, {user, "is used here"}});
    }
  }
  return llvm::Error::success();
}

/// All ops are done where the last one stands: what they move past must not mind.
static llvm::Error checkMoves(ReplaceStep &step) {
  for (mlir::Operation *op : step.match.ops) {
    SmallVector<MemoryAccess> mine = accessesIn(op);
    if (op == step.match.root || mine.empty()) {
      continue;
    }
    for (mlir::Operation *other = op->getNextNode(); other != step.match.root;
         other = other->getNextNode()) {
      if (llvm::is_contained(step.match.ops, other)) {
        continue;
      }
      mlir::Operation *untold = findUntold(other);
      for (const MemoryAccess &a : mine) {
        for (const MemoryAccess &b : accessesIn(other)) {
          untold = untold || !mayConflict(a, b) ? untold : b.op;
        }
      }
      if (!untold) {
        continue;
      }
      Refusal refusal{"replace_moved",
                      "`" + step.context.text(op) +
                          "` would be done later, past what changes or frees its memory",
                      "move it next to " + step.text(),
                      {{op, "is done here now"}, {untold, "stands between"}}};
      if (llvm::Error error = step.context.require(
              false, "`" + step.context.text(op) + "` may be done later", refusal)) {
        return error;
      }
    }
  }
  return llvm::Error::success();
}

llvm::Error schedule::checkForm(ReplaceStep &step) {
  for (auto check : {checkThreads, checkOrder, checkParts, checkTails, checkEscapes, checkMoves}) {
    if (llvm::Error error = check(step)) {
      return error;
    }
  }
  return llvm::Error::success();
}
