// ring: bufs get slots and a queue, so that a step's fill need not wait for the last step's use.
//
//   section load            section load lead S-1              section use              section use
//     copy x to buf    →      acquire; copy x to buf slot;       read buf          →      await; read buf slot; release
//                             commit
//
// In order of the program a ring is a queue of at most one element, and a slot holds what was written to it in the same
// step: so each step must fill all that it reads, and nothing may pass from step to step. How far fills run ahead is the
// queue rule.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Sections.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::SmallVector;
using script::ValueKind;

namespace {

/// Fills or uses of all bufs: in one block, once a step.
struct Side {
  SmallVector<MemoryAccess> accesses;
  tile::SectionOp section; ///< of the loop; null where the loop is not cut
  mlir::Block *block = nullptr;
  mlir::Operation *first = nullptr, *last = nullptr; ///< ops of the block
};

class MakeRing {
public:
  MakeRing(PrimitiveContext &context, const HostCall &call) : context(context), call(call) {}
  llvm::Expected<Value> run();

private:
  llvm::Error match();
  llvm::Error matchBuf(mlir::Operation *op);
  llvm::Error matchRate(mlir::Value buf, llvm::ArrayRef<MemoryAccess> accesses);
  llvm::Error matchLoop();
  llvm::Error matchSide(Side &side, const char *what);
  llvm::Error checkAccesses();
  llvm::Error checkBulk();
  llvm::Error matchProtocol();
  llvm::Error checkTime();
  tile::RingOp edit();
  std::string names() const { return bufNames; }

  PrimitiveContext &context;
  const HostCall &call;
  SmallVector<tile::AllocOp> allocs;
  SmallVector<mlir::Value> bufs;
  std::string bufNames;
  int64_t slots = 1;
  tile::Protocol protocol = tile::Protocol::cta_sync;
  mlir::Operation *loop = nullptr;
  Side fills, uses;
  int64_t lead = 0;
};

} // namespace

//===-- Match ------------------------------------------------------------------------------------------------------===//

llvm::Error MakeRing::matchBuf(mlir::Operation *op) {
  auto alloc = llvm::dyn_cast<tile::AllocOp>(op);
  if (!alloc) {
    return context.refuse("ring_buf", quoted(context, op) + " is no buf",
                          "give the `buf` that `stage` returned", {{op, "it stands here"}});
  }
  std::string name = quoted(context, op);
  tile::BufType type = alloc.getResult().getType();
  if (tile::RingOp other = tile::ringOf(alloc.getResult())) {
    return context.refuse("ring_twice", name + " is in a ring already",
                          "name all bufs of a queue in one call", {{other, "the ring is here"}});
  }
  if (!allocs.empty() && alloc->getBlock() != allocs.front()->getBlock()) {
    return context.refuse("ring_blocks",
                          name + " and " + quoted(context, allocs.front().getOperation()) +
                              " live in different blocks",
                          "make a ring of each",
                          {{alloc, "one is here"}, {allocs.front(), "the other one is here"}});
  }
  int64_t bytes = type.withSlots(slots).getBytes(), room = 0;
  for (mlir::Value over : alloc.getOver()) {
    room += llvm::cast<tile::BufType>(over.getType()).getBytes();
  }
  if (!alloc.getOver().empty() && bytes > room) {
    return context.refuse("ring_over",
                          name + " would take " + llvm::Twine(bytes) +
                              " bytes of the memory that it lies over, which has " +
                              llvm::Twine(room),
                          "use fewer slots, or `ring` before `overlay`", {{alloc, "here"}});
  }
  int64_t smem = context.target().smem;
  if (type.getStorage() == tile::Storage::shared && bytes > smem) {
    return context.refuse("ring_bytes",
                          name + " would take " + llvm::Twine(bytes) + " bytes, `" +
                              context.target().arch + "` has " + llvm::Twine(smem) +
                              " bytes of shared memory for a CTA",
                          "use fewer slots or a smaller tile", {{alloc, "here"}});
  }
  allocs.push_back(alloc);
  bufs.push_back(alloc.getResult());
  bufNames += (bufNames.empty() ? "" : ", ") + context.text(op);
  return llvm::Error::success();
}

/// One fill a step. What has no fill or no use is no queue.
llvm::Error MakeRing::matchRate(mlir::Value buf, llvm::ArrayRef<MemoryAccess> accesses) {
  size_t writes = llvm::count_if(accesses, [](auto &access) { return access.isWrite(); });
  std::string name = quoted(context, buf.getDefiningOp());
  std::vector<std::pair<mlir::Operation *, std::string>> places;
  for (const MemoryAccess &access : accesses) {
    places.push_back({access.op, access.isWrite() ? "it is written here" : "it is read here"});
  }
  if (writes == 0 || writes == accesses.size()) {
    return context.refuse("ring_side", name + " is never " + (writes == 0 ? "written" : "read"),
                          "a ring passes what one op fills to another one", places);
  }
  return context.require(writes == 1, name + " is filled by one op",
                         {"ring_rate", name + " is written by " + std::to_string(writes) + " ops",
                          "a ring is filled once and used in each step", places});
}

llvm::Error MakeRing::match() {
  slots = *call.arg("slots").getInteger();
  constexpr int64_t most = 1024;
  if (slots < 1 || slots > most) {
    return context.refuse("ring_slots", "a ring of " + llvm::Twine(slots) + " slots",
                          "give a number from 1 to " + llvm::Twine(most));
  }
  llvm::Expected<SmallVector<mlir::Operation *>> ops = context.ops(call.arg("bufs"));
  if (!ops) {
    return ops.takeError();
  }
  if (ops->empty()) {
    return context.refuse("ring_none", "a ring of no buf", "name the bufs that it joins");
  }
  for (mlir::Operation *op : *ops) {
    if (llvm::Error error = matchBuf(op)) {
      return error;
    }
  }
  for (mlir::Value buf : bufs) {
    SmallVector<MemoryAccess> accesses = accessesTo(buf);
    if (llvm::Error error = matchRate(buf, accesses)) {
      return error;
    }
    for (const MemoryAccess &access : accesses) {
      (access.isWrite() ? fills : uses).accesses.push_back(access);
    }
  }
  return matchLoop();
}

/// The part of the loop's body that an op stands in: a section of the loop, or null.
static tile::SectionOp partOf(mlir::Operation *op, mlir::Operation *loop) {
  mlir::Operation *at = op;
  while (at->getParentOp() != loop) {
    at = at->getParentOp();
  }
  return llvm::dyn_cast<tile::SectionOp>(at);
}

llvm::Error MakeRing::matchLoop() {
  SmallVector<mlir::Operation *> all;
  for (Side *side : {&fills, &uses}) {
    for (const MemoryAccess &access : side->accesses) {
      all.push_back(access.op);
    }
  }
  loop = loopAround(all.front());
  auto holdsAll = [&] {
    return llvm::all_of(all, [&](mlir::Operation *op) { return loop->isProperAncestor(op); });
  };
  while (loop && !holdsAll()) {
    loop = loopAround(loop);
  }
  if (!loop || !llvm::isa<tile::ForOp, tile::TasksOp>(loop)) {
    return context.refuse("ring_loop",
                          "no loop holds both the fill and the uses of `" + names() + "`",
                          "a ring passes data from fill to use in each step of one loop",
                          {{fills.accesses.front().op, "it is filled here"},
                           {uses.accesses.front().op, "it is used here"}});
  }
  if (llvm::Error error = matchSide(fills, "filled")) {
    return error;
  }
  return matchSide(uses, "used");
}

llvm::Error MakeRing::matchSide(Side &side, const char *what) {
  mlir::Operation *sample = side.accesses.front().op;
  if (auto elect = loop->getParentOfType<tile::ElectOp>()) {
    return context.refuse("ring_elect",
                          quoted(context, loop) +
                              " is run by one thread, and all threads of the CTA wait in a ring",
                          "elect the copies in the loop, not the loop",
                          {{elect, "it is elected here"}, {sample, "touches the buf"}});
  }
  side.section = partOf(sample, loop);
  side.block = side.section ? &side.section.getBody().front() : &loop->getRegion(0).front();
  for (const MemoryAccess &access : side.accesses) {
    mlir::Operation *at = inBlock(side.block, access.op);
    if (!at) {
      return context.refuse("ring_sections",
                            "`" + names() + "` would be " + what + " in two sections",
                            "use them in one section, or make a ring of each buf",
                            {{sample, "one is here"}, {access.op, "another one is here"}});
    }
    side.first = !side.first || at->isBeforeInBlock(side.first) ? at : side.first;
    side.last = !side.last || side.last->isBeforeInBlock(at) ? at : side.last;
    for (mlir::Operation *around = access.op->getParentOp(); around != side.block->getParentOp();
         around = around->getParentOp()) {
      if (!access.isWrite() || llvm::isa<tile::ApplyOp, tile::ElectOp>(around)) {
        continue;
      }
      Refusal refusal{"ring_rate",
                      quoted(context, access.op) + " stands in " + quoted(context, around) +
                          ", which may run it more than once in a step, or not at all",
                      "fill a ring once in each step",
                      {{access.op, "it is filled here"}, {around, "in this"}}};
      if (llvm::Error error = context.require(
              false, quoted(context, access.op) + " runs once in each step", refusal)) {
        return error;
      }
    }
  }
  return llvm::Error::success();
}

//===-- Conditions -------------------------------------------------------------------------------------------------===//

/// Each step reads only what it filled.
llvm::Error MakeRing::checkAccesses() {
  bool isOneBlock = fills.block == uses.block;
  for (const MemoryAccess &use : uses.accesses) {
    auto fill = llvm::find_if(
        fills.accesses, [&](const MemoryAccess &access) { return access.memory == use.memory; });
    std::vector<std::pair<mlir::Operation *, std::string>> places = {
        {use.op, "it is read here"}, {fill->op, "it is filled here"}};
    Refusal carried{"ring_carried",
                    quoted(context, use.op) + " reads " +
                        quoted(context, use.memory.getDefiningOp()) +
                        " before the step fills it: what the step before left would be in another "
                        "slot",
                    "a ring carries nothing from step to step: fill before use", places};
    if (llvm::Error error = context.require(
            standsBefore(fill->op, use.op),
            quoted(context, use.op) + " comes after the fill of its step", carried)) {
      return error;
    }
    Refusal refusal{"ring_carried",
                    quoted(context, use.op) + " may read cells of " +
                        quoted(context, use.memory.getDefiningOp()) + " that " +
                        quoted(context, fill->op) +
                        " leaves as they were: what another step wrote to the slot",
                    "fill by the spans that are read, or with `fill zero`", places};
    if (llvm::Error error = context.require(fillCovers(context, fill->op, use.op),
                                            quoted(context, use.op) + " reads what " +
                                                quoted(context, fill->op) + " of its step wrote",
                                            refusal)) {
      return error;
    }
  }
  Refusal mixed{"ring_order",
                "`" + names() + "` would be used before all of them are filled",
                "make a ring of each buf, or fill them together",
                {{uses.first, "this is the first use"}, {fills.last, "the last fill"}}};
  return context.require(!isOneBlock || fills.last->isBeforeInBlock(uses.first),
                         "all of `" + names() + "` are filled before one is used", mixed);
}

static bool isVia(const MemoryAccess &access, tile::Proxy via) { return access.window.via == via; }

/// Slots are free when the bulk stores out of them are done: nobody waits for a filled one.
llvm::Error MakeRing::checkBulk() {
  bool isDrained = fills.block == uses.block && llvm::all_of(uses.accesses, [](auto &use) {
                     return llvm::isa<tile::CopyOutOp>(use.op) && isVia(use, tile::Proxy::bulk);
                   });
  if (isDrained) {
    return llvm::Error::success();
  }
  return context.refuse("ring_protocol",
                        "the protocol `bulk` tells when bulk stores out of a slot are done, and "
                        "not all uses of `" +
                            names() + "` are such stores beside the fill",
                        "do them by an instruction via `bulk` first, or leave `protocol` out",
                        {{uses.accesses.front().op, "it is used here"}});
}

static std::string threadsOf(llvm::StringRef role) {
  return role.empty() ? "all threads" : "role `" + role.str() + "`";
}

llvm::Error MakeRing::matchProtocol() {
  auto anyFill = [&](tile::Proxy via) {
    return llvm::any_of(fills.accesses, [&](auto &fill) { return isVia(fill, via); });
  };
  const Value &asked = call.arg("protocol");
  llvm::StringRef filler = roleNameOf(fills.first), user = roleNameOf(uses.first);
  if (asked.getName()) {
    protocol = *tile::symbolizeProtocol(*asked.getName());
  } else {
    bool drains = fills.block == uses.block && llvm::all_of(uses.accesses, [](auto &use) {
                    return isVia(use, tile::Proxy::bulk);
                  });
    bool isTold = anyFill(tile::Proxy::tma) || filler != user;
    protocol = isTold                           ? tile::Protocol::mbarrier
               : anyFill(tile::Proxy::cp_async) ? tile::Protocol::cp_async
               : drains                         ? tile::Protocol::bulk
                                                : tile::Protocol::cta_sync;
  }
  std::string name = tile::stringifyProtocol(protocol).str();
  Refusal byBarrier{"ring_protocol",
                    "the protocol `" + name + "` hands slots over by a barrier of the CTA, and `" +
                        names() + "` would pass from " + threadsOf(filler) + " to " +
                        threadsOf(user),
                    "make the ring with `protocol = mbarrier`",
                    {{fills.first, "it is filled here"}, {uses.first, "it is used here"}}};
  if (llvm::Error error = context.require(
          !isByBarrier(protocol) || filler == user,
          "`" + name + "` tells all threads that touch `" + names() + "`", byBarrier)) {
    return error;
  }
  for (const MemoryAccess &fill : fills.accesses) {
    bool isTold = isVia(fill, tile::Proxy::generic) ||
                  (isVia(fill, tile::Proxy::cp_async) && (protocol == tile::Protocol::cp_async ||
                                                          protocol == tile::Protocol::mbarrier)) ||
                  (isVia(fill, tile::Proxy::tma) && protocol == tile::Protocol::mbarrier);
    Refusal untold{"ring_protocol",
                   "the protocol `" + name + "` cannot tell when " + quoted(context, fill.op) +
                       " via `" + tile::stringifyProxy(fill.window.via).str() + "` is done",
                   "leave `protocol` out: it follows from how the bufs are filled",
                   {{fill.op, "it is filled here"}, {uses.first, "it is used here"}}};
    if (llvm::Error error = context.require(
            isTold, "`" + name + "` tells when " + quoted(context, fill.op) + " is done", untold)) {
      return error;
    }
  }
  return protocol == tile::Protocol::bulk ? checkBulk() : llvm::Error::success();
}

/// The lead of the filling section, and the queue rule.
llvm::Error MakeRing::checkTime() {
  auto forOp = llvm::dyn_cast<tile::ForOp>(loop);
  bool mayLead = fills.section && fills.section != uses.section && forOp && !forOp.getReversed();
  QueueRule rule{"the ring of `" + names() + "`", slots, 0, 0, 0, fills.first, uses.first};
  rule.useLead = uses.section ? uses.section.getLead() : 0;
  rule.lag = uses.section ? uses.section.getLag() : 0;
  tile::SectionOp outer = uses.section ? tile::SectionOp() : sectionOf(uses.first);
  if (outer && outer.getLag() > 0) {
    rule.lag = outer.getLag();
    if (llvm::Error error = checkLagLoop(context, outer, rule)) {
      return error;
    }
  }
  int64_t now = fills.section ? fills.section.getLead() : 0;
  lead = now;
  const int64_t *asked = call.arg("lead").getInteger();
  if (asked && *asked != now && (!mayLead || *asked < 0)) {
    return context.refuse("ring_lead",
                          "the fill of `" + names() + "` cannot run " + llvm::Twine(*asked) +
                              " steps ahead",
                          "only a section of its own, of a loop that goes upwards, has a lead",
                          {{fills.first, "it is filled here"}});
  }
  // A section that already serves a ring keeps its time unless it is told.
  bool isFree = mayLead && queueRules(context, fills.section).empty();
  if (asked) {
    lead = *asked;
  } else if (isFree) {
    lead = std::max(rule.useLead + slots - 1 - rule.lag, std::max<int64_t>(rule.useLead, now));
  }
  rule.fillLead = lead;
  if (protocol == tile::Protocol::bulk) {
    context.note("the slots of `" + names() + "` are freed by the stores out of them");
    return llvm::Error::success();
  }
  if (llvm::Error error = checkQueue(context, rule)) {
    return error;
  }
  return lead == now ? llvm::Error::success() : checkLead(context, fills.section, lead, bufs);
}

//===-- Edit -------------------------------------------------------------------------------------------------------===//

static void setSlot(mlir::RewriterBase &rewriter, mlir::Operation *op, mlir::Value slot) {
  rewriter.modifyOpInPlace(op, [&] {
    llvm::TypeSwitch<mlir::Operation *>(op)
        .Case<tile::CopyOp, tile::CopyOutOp, tile::ReadOp, tile::WriteOp>(
            [&](auto access) { access.getSlotMutable().assign(slot); });
  });
}

tile::RingOp MakeRing::edit() {
  mlir::RewriterBase &rewriter = context.rewriter();
  tile::AllocOp last = allocs.front();
  for (tile::AllocOp alloc : allocs) {
    auto type = alloc.getResult().getType().withSlots(slots);
    rewriter.modifyOpInPlace(alloc, [&] { alloc.getResult().setType(type); });
    last = last->isBeforeInBlock(alloc) ? alloc : last;
  }
  rewriter.setInsertionPointAfter(last);
  auto ring = tile::RingOp::create(rewriter, last.getLoc(),
                                   tile::RingType::get(context.mlir(), slots), bufs, protocol);
  bool isBulk = protocol == tile::Protocol::bulk;
  rewriter.setInsertionPoint(fills.first);
  auto acquired =
      tile::AcquireOp::create(rewriter, fills.first->getLoc(), ring.getResult()).getSlot();
  mlir::Operation *end = isBulk ? uses.last : fills.last;
  rewriter.setInsertionPointAfter(end);
  tile::CommitOp::create(rewriter, end->getLoc(), ring.getResult());
  mlir::Value awaited = acquired;
  if (!isBulk) {
    rewriter.setInsertionPoint(uses.first);
    awaited = tile::AwaitOp::create(rewriter, uses.first->getLoc(), ring.getResult()).getSlot();
    rewriter.setInsertionPointAfter(uses.last);
    tile::ReleaseOp::create(rewriter, uses.last->getLoc(), ring.getResult());
  }
  for (const MemoryAccess &fill : fills.accesses) {
    setSlot(rewriter, fill.op, acquired);
  }
  for (const MemoryAccess &use : uses.accesses) {
    setSlot(rewriter, use.op, awaited);
  }
  if (fills.section && static_cast<int64_t>(fills.section.getLead()) != lead) {
    rewriter.modifyOpInPlace(fills.section, [&] { fills.section.setLead(lead); });
  }
  return ring;
}

llvm::Expected<Value> MakeRing::run() {
  if (llvm::Error error = match()) {
    return std::move(error);
  }
  if (llvm::Error error = checkAccesses()) {
    return std::move(error);
  }
  if (llvm::Error error = matchProtocol()) {
    return std::move(error);
  }
  if (llvm::Error error = checkTime()) {
    return std::move(error);
  }
  tile::RingOp ring = edit();
  context.open("ring", "slots of `" + names() + "` are touched in their turn by all threads",
               "the protocol `" + tile::stringifyProtocol(protocol) + "`");
  return context.cursor(ring, ValueKind::Ring, "ring of " + names());
}

static llvm::Expected<Value> runRing(PrimitiveContext &context, const HostCall &call) {
  return MakeRing(context, call).run();
}

void schedule::addRing(PrimitiveRegistry &registry) {
  script::Signature signature;
  signature.name = "ring";
  signature.params = {
      parameter("bufs", ValueKind::Any), parameter("slots", ValueKind::Int),
      parameter("protocol", ValueKind::Name, Value(), {"cp_async", "cta_sync", "mbarrier", "bulk"}),
      parameter("lead", ValueKind::Int, Value())};
  signature.result = "ring";
  signature.group = "Time and roles";
  signature.doc = "Bufs get slots, and a queue that tells when a slot is filled and when it is "
                  "free. Each step of a loop fills them "
                  "once and then uses them; release comes right after the last use. A section that "
                  "fills them gets the lead that the "
                  "slots allow, slots - 1 - lag ahead of the use, unless `lead` says another or it "
                  "serves a ring already. The protocol "
                  "follows from how the bufs are filled, and is `mbarrier` from role to role. "
                  "Refused where a buf carries a value from "
                  "step to step, where it is not filled "
                  "once a step, where the protocol cannot tell when a fill is done, and where "
                  "slots > lead(fill) - lead(use) + lag "
                  "does not hold.";
  signature.before = "%b = tile.alloc\ntile.section @load { tile.copy %x[%k] to %b }\n"
                     "tile.section @use { tile.read %b }";
  signature.after =
      "%b = tile.alloc slots = 3\n%q = tile.ring %b\n"
      "tile.section @load lead 2 { %s = tile.acquire %q  tile.copy %x[%k] to %b slot %s  "
      "tile.commit %q }\n"
      "tile.section @use { %u = tile.await %q  tile.read %b slot %u  tile.release %q }";
  registry.add({std::move(signature), runRing});
}
