// drop_fill, explicit_pads: what lanes of absent elements hold, said or left unsaid.
//
// A fill is a promise about lanes and a change of the value: its elements are present. Taking one away asks for both: that
// no result of the kernel sees the elements, and that every user of the lanes still finds what adds nothing there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FillFlow.h"
#include "Memory.h"

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Schedule/Dims.h"
#include "tessera/Schedule/KernelCopy.h"
#include "tessera/Support/Mutants.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace tessera;
using namespace tessera::schedule;
using llvm::SmallVector;
using script::ValueKind;

static std::string numberText(double value) {
  return std::isinf(value) ? (value < 0 ? "-inf" : "inf") : llvm::formatv("{0:F0}", value).str();
}

static std::string needText(PrimitiveContext &context, const PadNeed &need, mlir::Operation *at) {
  std::optional<unsigned> dim = dimOfOperandAxis(at, need.operand, need.axis);
  std::string name = dim ? context.dimName(at, dimsOf(at)[*dim].name) : std::to_string(need.axis);
  return "`" + context.text(at) + "` needs " + numberText(need.wanted) +
         " in lanes of absent elements along `" + name + "`, and they would hold " + need.found;
}

/// The op of the kernel that was copied; null for one that is new in the copy.
static mlir::Operation *inOriginal(const mlir::IRMapping &mapping, tile::KernelOp kernel,
                                   mlir::Operation *copy) {
  mlir::Operation *original = nullptr;
  kernel->walk(
      [&](mlir::Operation *op) { original = mapping.lookupOrNull(op) == copy ? op : original; });
  return original;
}

/// The edit on a copy leaves no user of lanes without what it had.
static llvm::Error checkLanes(PrimitiveContext &context, tile::KernelOp kernel, KernelTrial &trial,
                              mlir::Operation *edited) {
  std::vector<PadNeed> after = unmetNeeds(trial.kernel, context.solver()), before;
  if (!after.empty()) {
    before = unmetNeeds(kernel, context.solver());
  }
  for (const PadNeed &need : after) {
    bool wasUnmet = llvm::any_of(before, [&](const PadNeed &old) {
      return trial.mapping.lookup(old.op) == need.op && old.operand == need.operand;
    });
    if (TESSERA_MUTANT(111, "a fill is needed by nobody", wasUnmet, true)) {
      continue;
    }
    mlir::Operation *original = inOriginal(trial.mapping, kernel, need.op);
    return context.require(false, "lanes of absent elements hold what their users need",
                           {"drop_fill_lanes",
                            needText(context, need, original),
                            "keep the fill, or let the copy fill with zeros",
                            {{edited, "the fill"}, {original, "uses the lanes"}}});
  }
  context.note("lanes of absent elements hold what their users need without it");
  return llvm::Error::success();
}

//===-- drop_fill --------------------------------------------------------------------------------------------------===//

static llvm::Error dropFill(PrimitiveContext &context, tile::KernelOp kernel,
                            tile::FillAbsentOp fill) {
  if (std::optional<FillSeen> seen = findFillSeen(kernel, fill, context.solver())) {
    if (llvm::Error error =
            context.require(false, "no result of the kernel sees the filled elements",
                            {"drop_fill_seen",
                             "`" + context.text(fill) + "` is seen in the results: " + seen->why,
                             "keep it",
                             {{fill, "the fill"}, {seen->at, "sees its elements"}}})) {
      return error;
    }
  } else {
    context.note("no result of the kernel sees the filled elements");
  }
  KernelTrial trial(kernel);
  auto copy = llvm::cast<tile::FillAbsentOp>(trial.mapping.lookup(fill.getOperation()));
  copy.replaceAllUsesWith(copy.getX());
  copy.erase();
  if (llvm::Error error = checkLanes(context, kernel, trial, fill)) {
    return error;
  }
  context.rewriter().replaceOp(fill, fill.getX());
  return llvm::Error::success();
}

/// A copy leaves absent cells as they are.
static llvm::Error weakenCopy(PrimitiveContext &context, tile::KernelOp kernel, tile::CopyOp copy) {
  if (copy.getFill() == tile::Fill::undef) {
    return context.refuse("drop_fill_none", "`" + context.text(copy) + "` fills nothing",
                          "leave it", {{copy, "here"}});
  }
  for (const PresenceFactor &factor :
       presenceOfBox(copy, copy.getIndices(), copy.getWhole()).factors) {
    for (const MemoryAccess &access : accessesTo(copy.getBuf())) {
      bool isHidden = access.isWrite() || (factor.span && restates(access.op, factor));
      if (isHidden) {
        continue;
      }
      Refusal refusal{"drop_fill_seen",
                      "`" + context.text(access.op) +
                          "` reads cells that the copy fills as if they were present",
                      "read them with the spans of the copy",
                      {{copy, "fills them"}, {access.op, "reads them"}}};
      if (llvm::Error error =
              context.require(false, "no reader sees the zeros of the copy", refusal)) {
        return error;
      }
    }
  }
  context.note("no reader sees the zeros of the copy");
  KernelTrial trial(kernel);
  llvm::cast<tile::CopyOp>(trial.mapping.lookup(copy.getOperation())).setFill(tile::Fill::undef);
  if (llvm::Error error = checkLanes(context, kernel, trial, copy)) {
    return error;
  }
  context.rewriter().modifyOpInPlace(copy, [&] { copy.setFill(tile::Fill::undef); });
  return llvm::Error::success();
}

static llvm::Expected<Value> runDropFill(PrimitiveContext &context, const HostCall &call) {
  llvm::Expected<mlir::Operation *> op = context.op(call.arg("op"));
  if (!op) {
    return op.takeError();
  }
  auto kernel = (*op)->getParentOfType<tile::KernelOp>();
  auto fill = llvm::dyn_cast<tile::FillAbsentOp>(*op);
  auto copy = llvm::dyn_cast<tile::CopyOp>(*op);
  if (!fill && !copy) {
    return context.refuse("drop_fill_kind", "`" + context.text(*op) + "` fills nothing",
                          "give a `fill_absent` or a copy", {{*op, "here"}});
  }
  if (copy && copy->getParentOfType<tile::ApplyOp>()) {
    return context.refuse("drop_fill_done",
                          "`" + context.text(copy) + "` is done by an instruction, which fills",
                          "leave it", {{copy, "here"}});
  }
  llvm::Error error = fill ? dropFill(context, kernel, fill) : weakenCopy(context, kernel, copy);
  if (error) {
    return std::move(error);
  }
  return Value();
}

//===-- explicit_pads ----------------------------------------------------------------------------------------------===//

/// The op that the fill of an operand stands before: its user; the instruction around it, which finds its operands filled;
/// the loop around a reduction to a scalar that stands beside sections, where a tile may not. Null where the operand is
/// made later than that.
static mlir::Operation *placeOfFill(const PadNeed &need) {
  auto apply = need.op->getParentOfType<tile::ApplyOp>();
  mlir::Operation *at = apply ? apply.getOperation() : need.op;
  while (!llvm::isa<tile::SectionOp>(at) && !at->getBlock()->getOps<tile::SectionOp>().empty()) {
    at = at->getParentOp();
  }
  mlir::Value tile = need.op->getOperand(need.operand);
  mlir::Operation *inside = tile.getParentBlock()->findAncestorOpInBlock(*at);
  mlir::Operation *maker = tile.getDefiningOp();
  return inside && (!maker || maker->isBeforeInBlock(inside)) ? at : nullptr;
}

/// The fill of an operand, before its user.
static tile::FillAbsentOp insertFill(mlir::OpBuilder &builder, const PadNeed &need) {
  mlir::Value tile = need.op->getOperand(need.operand);
  mlir::Type type = tile.getType(), element = tile::elementTypeOf(type);
  mlir::TypedAttr number;
  if (auto real = llvm::dyn_cast<mlir::FloatType>(element)) {
    number = mlir::FloatAttr::get(real, need.wanted);
  } else {
    auto integer = llvm::cast<mlir::IntegerType>(element);
    llvm::APInt value(integer.getWidth(), static_cast<uint64_t>(static_cast<int64_t>(need.wanted)),
                      /*isSigned=*/true, /*implicitTrunc=*/true);
    number = mlir::IntegerAttr::get(integer, value);
  }
  builder.setInsertionPoint(placeOfFill(need));
  mlir::Location loc = need.op->getLoc();
  mlir::Value constant = tile::ConstantOp::create(builder, loc, type, number);
  auto fill = tile::FillAbsentOp::create(builder, loc, type, tile, constant);
  need.op->setOperand(need.operand, fill);
  return fill;
}

/// A tile that has elements where the other operand of a product has none cannot be filled there.
static bool canBeFilled(mlir::Value tile, unsigned axis) {
  PresenceTrace trace([](tile::ForOp) { return false; });
  return llvm::any_of(trace.of(tile).factors,
                      [&](const PresenceFactor &factor) { return factor.axes >> axis & 1; });
}

static llvm::Expected<Value> runExplicitPads(PrimitiveContext &context, const HostCall &) {
  tile::KernelOp kernel = context.kernel();
  mlir::Operation *scope = context.scope();
  std::vector<PadNeed> needs = unmetNeeds(kernel, context.solver());
  llvm::erase_if(needs, [&](const PadNeed &need) { return !scope->isAncestor(need.op); });
  KernelTrial trial(kernel);
  mlir::OpBuilder builder(context.mlir());
  for (const PadNeed &need : needs) {
    auto apply = need.op->getParentOfType<tile::ApplyOp>();
    mlir::Operation *source = need.op->getOperand(need.operand).getDefiningOp();
    if (apply && source && apply->isAncestor(source)) {
      return context.refuse(
          "explicit_pads_instr",
          needText(context, need, need.op) + "; the instruction loads them itself",
          "put the pads before `replace`, or let the copy fill with zeros", {{need.op, "here"}});
    }
    if (!placeOfFill(need)) {
      return context.refuse("explicit_pads_beside",
                            needText(context, need, need.op) +
                                "; its fill would stand beside sections, each of which runs in its "
                                "own time",
                            "put the pads before `sections`", {{need.op, "here"}});
    }
    if (!canBeFilled(need.op->getOperand(need.operand), need.axis)) {
      return context.refuse("explicit_pads_other",
                            needText(context, need, need.op) +
                                "; they belong to elements that are there, where only the other "
                                "operand has none",
                            "index both operands by one span", {{need.op, "here"}});
    }
  }
  for (const PadNeed &need : needs) {
    PadNeed copy = need;
    copy.op = trial.mapping.lookup(need.op);
    tile::FillAbsentOp fill = insertFill(builder, copy);
    if (std::optional<FillSeen> seen = findFillSeen(trial.kernel, fill, context.solver())) {
      mlir::Operation *at = inOriginal(trial.mapping, kernel, seen->at);
      Refusal refusal{"explicit_pads_seen",
                      "a fill before `" + context.text(need.op) +
                          "` would be seen in the results: " + seen->why,
                      "fill in the source where it is meant",
                      {{need.op, "needs it"}, {at ? at : need.op, "sees its elements"}}};
      if (llvm::Error error =
              context.require(false, "no result of the kernel sees the filled elements", refusal)) {
        return std::move(error);
      }
    }
  }
  SmallVector<mlir::Operation *> fills;
  for (const PadNeed &need : needs) {
    context.note(needText(context, need, need.op) + "; filled");
    context.rewriter().modifyOpInPlace(
        need.op, [&] { fills.push_back(insertFill(context.rewriter(), need)); });
  }
  return context.opsCursor(fills);
}

//===-- Calls ------------------------------------------------------------------------------------------------------===//

void schedule::addDropFill(PrimitiveRegistry &registry) {
  script::Signature drop;
  drop.name = "drop_fill";
  drop.params = {parameter("op", ValueKind::Op)};
  drop.group = "Absence";
  drop.doc =
      "Takes a `fill_absent` away, or lets a copy leave absent cells as they are. Refused where a "
      "result of the "
      "kernel would see it (an element stored, a term of a reduction that is not neutral), and "
      "where a product or "
      "reduction would find something else in lanes of absent elements than what adds nothing.";
  drop.before = "%1 = tile.fill_absent %0, %least ; %2 = tile.reduce max %1 along 1";
  drop.after = "%2 = tile.reduce max %0 along 1";
  registry.add({std::move(drop), runDropFill});
  script::Signature pads;
  pads.name = "explicit_pads";
  pads.takesScope = true;
  pads.result = "ops";
  pads.group = "Absence";
  pads.doc = "Puts a `fill_absent` before every product and reduction of the scope that uses lanes "
             "of absent elements which do not hold what adds nothing; spans that are whole have no "
             "such lanes. The results stay. Refused where a fill would be seen, and where a "
             "product has elements on "
             "one side only.";
  pads.before = "%1 = tile.reduce max %0 along 1";
  pads.after = "%f = tile.fill_absent %0, %least ; %1 = tile.reduce max %f along 1";
  registry.add({std::move(pads), runExplicitPads});
}
