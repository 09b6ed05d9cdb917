// overlay: a buf takes the memory of others that are over when it is first written.
//
// In order of the program: every access to the old ones stands before every access to the new one, in the innermost block
// around them all; and where that block is run again, neither side finds what it had left, because each step writes what
// it reads. That all threads and all asynchronous ops are past the old ones is due at `seal`.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Memory.h"

#include "tessera/Support/Mutants.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::SmallVector;
using script::ValueKind;

namespace {

class Overlay {
public:
  Overlay(PrimitiveContext &context, const HostCall &call) : context(context), call(call) {}
  llvm::Expected<Value> run();

private:
  llvm::Error match();
  llvm::Error matchOld(mlir::Operation *op);
  llvm::Error checkUpper();
  llvm::Error checkOrder();
  llvm::Error checkFresh(mlir::Value buf, mlir::Block *block);
  llvm::Error checkRoles();
  void edit();

  PrimitiveContext &context;
  const HostCall &call;
  tile::AllocOp taker;
  SmallVector<tile::AllocOp> old;
  std::string name, oldNames;
};

} // namespace

//===-- Match ------------------------------------------------------------------------------------------------------===//

llvm::Error Overlay::matchOld(mlir::Operation *op) {
  auto alloc = llvm::dyn_cast<tile::AllocOp>(op);
  if (!alloc) {
    return context.refuse("overlay_buf", quoted(context, op) + " is no buf",
                          "give the `buf` that `stage` returned", {{op, "it stands here"}});
  }
  std::string other = quoted(context, op);
  if (alloc == taker) {
    return context.refuse("overlay_self", name + " cannot take its own memory",
                          "name bufs that are over before it is written", {{alloc, "here"}});
  }
  auto mine = taker.getResult().getType(), theirs = alloc.getResult().getType();
  std::vector<std::pair<mlir::Operation *, std::string>> places = {
      {taker, "it is made here"}, {alloc, "the other one is here"}};
  if (mine.getStorage() != theirs.getStorage() || mine.getPer() != theirs.getPer()) {
    auto words = [](tile::BufType type) {
      return "`" + tile::stringifyStorage(type.getStorage()).str() + "` per `" +
             tile::stringifyExecScope(type.getPer()).str() + "`";
    };
    return context.refuse("overlay_home",
                          name + " is " + words(mine) + ", " + other + " is " + words(theirs),
                          "overlay bufs of one home and one owner", places);
  }
  if (alloc->getBlock() != taker->getBlock()) {
    return context.refuse("overlay_block", name + " and " + other + " are made in different blocks",
                          "overlay bufs of one grid point, or of one CTA", places);
  }
  for (tile::AllocOp known : old) {
    if (tile::shareMemory(known.getResult(), alloc.getResult())) {
      return context.refuse("overlay_shared",
                            other + " and " + quoted(context, known.getOperation()) +
                                " share memory already",
                            "name one of them", {{alloc, "one is here"}, {known, "and here"}});
    }
  }
  if (llvm::is_contained(tile::memoryBases(alloc.getResult()), taker.getResult())) {
    return context.refuse("overlay_cycle", other + " lies over " + name + " already",
                          "overlay only one of the two", places);
  }
  old.push_back(alloc);
  oldNames += (oldNames.empty() ? "" : ", ") + context.text(op);
  return llvm::Error::success();
}

llvm::Error Overlay::match() {
  llvm::Expected<tile::AllocOp> found = context.opOf<tile::AllocOp>(call.arg("buf"), "a buf");
  if (!found) {
    return found.takeError();
  }
  taker = *found;
  name = quoted(context, taker.getOperation());
  if (!taker.getOver().empty()) {
    return context.refuse("overlay_twice", name + " lies over other bufs already",
                          "name all of them in one call", {{taker, "it is made here"}});
  }
  llvm::Expected<SmallVector<mlir::Operation *>> ops = context.ops(call.arg("over"));
  if (!ops) {
    return ops.takeError();
  }
  if (ops->empty()) {
    return context.refuse("overlay_none", "no buf is named whose memory " + name + " takes",
                          "write `overlay(new, old, …)`");
  }
  int64_t room = 0;
  for (mlir::Operation *op : *ops) {
    if (llvm::Error error = matchOld(op)) {
      return error;
    }
    room += old.back().getResult().getType().getBytes();
  }
  int64_t bytes = taker.getResult().getType().getBytes();
  if (bytes > room) {
    return context.refuse("overlay_bytes",
                          name + " takes " + llvm::Twine(bytes) + " bytes, `" + oldNames +
                              "` have " + llvm::Twine(room),
                          "name more bufs", {{taker, "it is made here"}});
  }
  return llvm::Error::success();
}

/// A buf that lies over the new one and over an old one would then lie over one memory twice.
llvm::Error Overlay::checkUpper() {
  for (auto upper : taker->getBlock()->getOps<tile::AllocOp>()) {
    llvm::SmallPtrSet<mlir::Value, 4> seen;
    bool isTwice = false;
    for (mlir::Value over : upper.getOver()) {
      for (mlir::Value base : tile::memoryBases(over)) {
        isTwice |= base != taker.getResult() && !seen.insert(base).second;
        for (tile::AllocOp alloc : old) {
          for (mlir::Value below : tile::memoryBases(alloc.getResult())) {
            isTwice |= base == taker.getResult() && !seen.insert(below).second;
          }
        }
      }
    }
    if (isTwice) {
      return context.refuse("overlay_twice_below",
                            quoted(context, upper.getOperation()) + " lies over " + name +
                                " and over `" + oldNames + "` already, which would be one memory",
                            "let it lie over one of them",
                            {{upper, "it is made here"}, {taker, "the one below"}});
    }
  }
  return llvm::Error::success();
}

//===-- Conditions -------------------------------------------------------------------------------------------------===//

/// Each run of the block writes what it reads of the buf.
llvm::Error Overlay::checkFresh(mlir::Value buf, mlir::Block *block) {
  SmallVector<MemoryAccess> accesses = accessesTo(buf);
  for (const MemoryAccess &read : accesses) {
    if (read.isWrite()) {
      continue;
    }
    bool isFresh = llvm::any_of(accesses, [&](const MemoryAccess &fill) {
      // Run before the read, whenever that is: in a block around it, at no condition.
      bool isSure = fill.isWrite() && standsBefore(fill.op, read.op);
      mlir::Operation *at = fill.op;
      while (isSure && at->getBlock() != block &&
             !at->getBlock()->findAncestorOpInBlock(*read.op)) {
        at = at->getParentOp();
        isSure = llvm::isa<tile::SectionOp, tile::ApplyOp, tile::ElectOp>(at);
      }
      return isSure && TESSERA_MUTANT(136, "any fill writes all",
                                      fillCovers(context, fill.op, read.op), true);
    });
    Refusal refusal{"overlay_carried",
                    quoted(context, read.op) + " may read what an earlier step of " +
                        quoted(context, block->getParentOp()) + " left in " +
                        quoted(context, buf.getDefiningOp()) +
                        ", and the other buf is written "
                        "meanwhile",
                    "write all that is read in each step, by the same spans or with `fill zero`",
                    {{read.op, "it is read here"}}};
    if (llvm::Error error = context.require(
            isFresh, "each step writes what " + quoted(context, read.op) + " reads", refusal)) {
      return error;
    }
  }
  return llvm::Error::success();
}

llvm::Error Overlay::checkOrder() {
  SmallVector<MemoryAccess> mine = accessesTo(taker.getResult()), theirs;
  SmallVector<mlir::Operation *> all;
  for (tile::AllocOp alloc : old) {
    llvm::append_range(theirs, accessesTo(alloc.getResult()));
  }
  for (const auto *side : {&mine, &theirs}) {
    for (const MemoryAccess &access : *side) {
      all.push_back(access.op);
    }
  }
  if (mine.empty() || theirs.empty()) {
    context.note("only one of " + name + " and `" + oldNames + "` is used");
    return llvm::Error::success();
  }
  mlir::Block *block = commonBlock(all);
  for (const MemoryAccess &before : theirs) {
    for (const MemoryAccess &after : mine) {
      mlir::Operation *a = inBlock(block, before.op), *b = inBlock(block, after.op);
      if (a != b && TESSERA_MUTANT(135, "memory may be taken while it is used",
                                   a->isBeforeInBlock(b), true)) {
        continue;
      }
      Refusal refusal{
          "overlay_order",
          quoted(context, before.op) + " still uses " +
              quoted(context, before.memory.getDefiningOp()) + " when " +
              quoted(context, after.op) + " touches " + name,
          a == b ? "they stand in one loop or section: overlay only what is over "
                   "before"
                 : "overlay the other way round, or move the op",
          {{before.op, "the old one is used here"}, {after.op, "the new one is touched here"}}};
      return context.require(false, "`" + oldNames + "` are over when " + name + " is touched",
                             refusal);
    }
  }
  // The memory may be older than a run of the block.
  mlir::Operation *parent = block->getParentOp();
  mlir::Operation *repeats =
      llvm::isa<tile::ForOp, tile::TasksOp>(parent) ? parent : loopAround(parent);
  if (!repeats || repeats == loopAround(taker)) {
    return llvm::Error::success();
  }
  if (llvm::Error error = checkFresh(taker.getResult(), block)) {
    return error;
  }
  for (tile::AllocOp alloc : old) {
    if (llvm::Error error = checkFresh(alloc.getResult(), block)) {
      return error;
    }
  }
  return llvm::Error::success();
}

/// Roles run on their own: one would fill the old buf for the next task while another writes the new one.
llvm::Error Overlay::checkRoles() {
  auto roleAt = [](mlir::Operation *op) {
    tile::SectionOp section = sectionOf(op);
    return section && section.getRole() ? *section.getRole() : llvm::StringRef();
  };
  for (const MemoryAccess &mine : accessesTo(taker.getResult())) {
    for (tile::AllocOp alloc : old) {
      for (const MemoryAccess &theirs : accessesTo(alloc.getResult())) {
        if (TESSERA_MUTANT(144, "roles share overlaid memory", roleAt(mine.op) != roleAt(theirs.op),
                           false)) {
          Refusal refusal{
              "overlay_roles",
              (quoted(context, theirs.op) + " of role `" + roleAt(theirs.op) + "` and " +
               quoted(context, mine.op) + " of role `" + roleAt(mine.op) +
               "` do not wait for each other")
                  .str(),
              "overlay bufs of one role",
              {{theirs.op, "the old one is used here"}, {mine.op, "the new one is touched here"}}};
          return context.require(false, "one role has " + name + " and `" + oldNames + "`",
                                 refusal);
        }
      }
    }
  }
  return llvm::Error::success();
}

//===-- Edit -------------------------------------------------------------------------------------------------------===//

void Overlay::edit() {
  mlir::RewriterBase &rewriter = context.rewriter();
  mlir::Operation *last = taker;
  SmallVector<mlir::Value> values;
  for (tile::AllocOp alloc : old) {
    values.push_back(alloc.getResult());
    last = last->isBeforeInBlock(alloc) ? alloc.getOperation() : last;
  }
  // Behind all that it lies over; what lies over it, or joins it in a ring, follows.
  SmallVector<mlir::Operation *> moving{taker};
  for (mlir::Operation &op : llvm::make_range(taker->getIterator(), last->getIterator())) {
    bool usesMoved = llvm::any_of(op.getOperands(), [&](mlir::Value operand) {
      return llvm::is_contained(moving, operand.getDefiningOp());
    });
    if (usesMoved) {
      moving.push_back(&op);
    }
  }
  if (last != taker.getOperation()) {
    for (mlir::Operation *op : llvm::reverse(moving)) {
      rewriter.moveOpAfter(op, last);
    }
  }
  rewriter.modifyOpInPlace(taker, [&] { taker.getOverMutable().assign(values); });
}

llvm::Expected<Value> Overlay::run() {
  if (llvm::Error error = match()) {
    return std::move(error);
  }
  if (llvm::Error error = checkUpper()) {
    return std::move(error);
  }
  if (llvm::Error error = checkOrder()) {
    return std::move(error);
  }
  if (llvm::Error error = checkRoles()) {
    return std::move(error);
  }
  edit();
  context.open("overlay",
               "all threads and all asynchronous ops are past `" + oldNames + "` when " + name +
                   " is written",
               "waits and a barrier between them");
  return context.cursor(taker, ValueKind::Buf);
}

static llvm::Expected<Value> runOverlay(PrimitiveContext &context, const HostCall &call) {
  return Overlay(context, call).run();
}

void schedule::addOverlay(PrimitiveRegistry &registry) {
  script::Signature signature;
  signature.name = "overlay";
  signature.params = {parameter("buf", ValueKind::Buf),
                      parameter("over", ValueKind::Buf, std::nullopt, {}, /*isVariadic=*/true)};
  signature.result = "buf";
  signature.group = "Memory";
  signature.doc =
      "A buf takes the memory of others. Refused where an access to one of those does not come "
      "before all accesses to it, "
      "where a step would find what an earlier one left in memory that was taken, where roles do "
      "not wait for each other, "
      "and where it needs more bytes. Waits for asynchronous ops and a barrier are due at `seal`.";
  signature.before = "%a = tile.alloc\n%b = tile.alloc\n%c = tile.alloc";
  signature.after = "%a = tile.alloc\n%b = tile.alloc\n%c = tile.alloc over %a, %b";
  registry.add({std::move(signature), runOverlay});
}
