// sections: a loop's body cut into parts that may later get times and roles of their own. Run in order they are the body.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Sections.h"

#include "tessera/Dialect/Tile/Structure.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::SmallVector;
using script::ValueKind;

//===-- Shared -----------------------------------------------------------------------------------------------------===//

bool schedule::isSync(mlir::Operation *op) {
  return llvm::isa<tile::AcquireOp, tile::AwaitOp, tile::BarrierOp, tile::CommitOp, tile::FenceOp,
                   tile::GroupCommitOp, tile::GroupWaitOp, tile::ReleaseOp>(op);
}

llvm::StringRef schedule::roleNameOf(mlir::Operation *op) {
  for (mlir::Operation *at = op; at; at = at->getParentOp()) {
    if (auto section = llvm::dyn_cast<tile::SectionOp>(at); section && section.getRole()) {
      return *section.getRole();
    }
  }
  return "";
}

void schedule::followValues(
    llvm::ArrayRef<std::pair<mlir::Operation *, mlir::Value>> from,
    llvm::function_ref<bool(mlir::Operation *user, mlir::Value value)> visit) {
  llvm::SmallDenseSet<mlir::Value> seen;
  SmallVector<std::pair<mlir::Operation *, mlir::Value>> work(from.begin(), from.end());
  std::reverse(work.begin(), work.end());
  while (!work.empty()) {
    auto [user, value] = work.pop_back_val();
    if (!seen.insert(value).second || !visit(user, value)) {
      continue;
    }
    auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
    mlir::Operation *maker = argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
    auto loop = llvm::dyn_cast_or_null<tile::ForOp>(maker);
    if (loop && (!argument || argument.getArgNumber() > 0)) {
      unsigned number = argument ? argument.getArgNumber() - 1
                                 : llvm::cast<mlir::OpResult>(value).getResultNumber();
      work.push_back({user, loop.getInits()[number]});
      work.push_back({user, loop.getBody().front().getTerminator()->getOperand(number)});
      continue;
    }
    if (argument) {
      continue;
    }
    for (mlir::Value operand : maker->getOperands()) {
      work.push_back({user, operand});
    }
    for (mlir::Region &region : maker->getRegions()) {
      for (mlir::Block &block : region) {
        bool yields = !block.empty() && block.back().getNumOperands() == maker->getNumResults();
        if (yields) {
          unsigned number = llvm::cast<mlir::OpResult>(value).getResultNumber();
          work.push_back({user, block.back().getOperand(number)});
        }
      }
    }
  }
}

SmallVector<std::pair<mlir::Operation *, mlir::Value>> schedule::usesOf(tile::SectionOp section) {
  SmallVector<std::pair<mlir::Operation *, mlir::Value>> uses;
  section.getBody().walk([&](mlir::Operation *op) {
    for (mlir::Value operand : op->getOperands()) {
      if (!section.getBody().isAncestor(operand.getParentRegion())) {
        uses.push_back({op, operand});
      }
    }
  });
  if (auto loop = llvm::dyn_cast<tile::ForOp>(section->getParentOp())) {
    uses.push_back({loop, loop.getLo()});
    uses.push_back({loop, loop.getHi()});
  }
  return uses;
}

std::string schedule::freeName(mlir::Block *block, llvm::StringRef name) {
  std::string free = name.str();
  auto isTaken = [&] {
    return llvm::any_of(block->getOps<tile::SectionOp>(),
                        [&](tile::SectionOp section) { return section.getName() == free; });
  };
  for (unsigned i = 2; isTaken(); ++i) {
    free = (name + llvm::Twine(i)).str();
  }
  return free;
}

tile::SectionOp schedule::makeSection(PrimitiveContext &context, llvm::StringRef name,
                                      llvm::ArrayRef<mlir::Operation *> ops) {
  mlir::RewriterBase &rewriter = context.rewriter();
  auto isInside = [&](mlir::Operation *user) {
    return llvm::any_of(ops, [&](mlir::Operation *op) { return op->isAncestor(user); });
  };
  SmallVector<mlir::Value> results;
  SmallVector<mlir::Type> types;
  for (mlir::Operation *op : ops) {
    for (mlir::Value value : op->getResults()) {
      if (!llvm::all_of(value.getUsers(), isInside)) {
        results.push_back(value);
        types.push_back(value.getType());
      }
    }
  }
  mlir::Location loc = ops.empty() ? rewriter.getUnknownLoc() : ops.front()->getLoc();
  while (auto named = llvm::dyn_cast<mlir::NameLoc>(loc)) {
    loc = named.getChildLoc();
  }
  auto section = tile::SectionOp::create(rewriter, loc, types, name, /*lead=*/0, /*lag=*/0,
                                         mlir::FlatSymbolRefAttr());
  mlir::Block *body =
      section.getBody().empty() ? &section.getBody().emplaceBlock() : &section.getBody().front();
  if (!body->empty()) {
    rewriter.eraseOp(body->getTerminator());
  }
  mlir::OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToEnd(body);
  auto yield = tile::YieldOp::create(rewriter, loc, results);
  for (mlir::Operation *op : ops) {
    rewriter.moveOpBefore(op, yield);
  }
  for (auto [inner, outer] : llvm::zip(results, section.getResults())) {
    rewriter.replaceUsesWithIf(
        inner, outer, [&](mlir::OpOperand &use) { return !section->isAncestor(use.getOwner()); });
  }
  return section;
}

FreeOps schedule::freeOpsOf(mlir::Block *body) {
  FreeOps free;
  bool isLoop = llvm::isa<tile::ForOp>(body->getParentOp());
  for (mlir::Operation &op : body->without_terminator()) {
    bool isFree = true, usesView = false;
    for (mlir::Value operand : op.getOperands()) {
      mlir::Operation *source = operand.getDefiningOp();
      auto argument = llvm::dyn_cast<mlir::BlockArgument>(operand);
      // What is carried is known where the section runs, not beside it.
      bool isCarried =
          argument && isLoop && argument.getOwner() == body && argument.getArgNumber() > 0;
      isFree &= !isCarried && (!source || source->getBlock() != body || free.contains(source));
      usesView |= source && free.views.contains(source);
    }
    if (isFree && isPlain(&op) && !usesView) {
      free.beside.insert(&op);
    } else if (isFree && (tile::isViewPart(&op) || isPlain(&op))) {
      free.views.insert(&op);
    }
  }
  return free;
}

void schedule::moveBesideFirst(PrimitiveContext &context, mlir::Block *body, const FreeOps &free) {
  mlir::Operation *front = &body->front();
  for (mlir::Operation *op : free.beside) {
    if (op != front) {
      context.rewriter().moveOpBefore(op, front);
    } else {
      front = front->getNextNode();
    }
  }
}

void schedule::copyViewsInto(PrimitiveContext &context, tile::SectionOp section,
                             const FreeOps &free) {
  mlir::RewriterBase &rewriter = context.rewriter();
  mlir::OpBuilder::InsertionGuard guard(rewriter);
  llvm::SetVector<mlir::Operation *> needed;
  auto collect = [&](auto &&self, mlir::Operation *user) -> void {
    for (mlir::Value operand : user->getOperands()) {
      mlir::Operation *source = operand.getDefiningOp();
      if (source && free.views.contains(source) && !needed.contains(source)) {
        self(self, source);
        needed.insert(source);
      }
    }
  };
  section.getBody().walk([&](mlir::Operation *op) { collect(collect, op); });
  rewriter.setInsertionPointToStart(&section.getBody().front());
  mlir::IRMapping mapping;
  for (mlir::Operation *op : needed) {
    rewriter.clone(*op, mapping);
  }
  for (mlir::Operation *op : needed) {
    for (mlir::Value value : op->getResults()) {
      rewriter.replaceUsesWithIf(value, mapping.lookup(value), [&](mlir::OpOperand &use) {
        return section->isProperAncestor(use.getOwner());
      });
    }
  }
}

void schedule::eraseUnused(PrimitiveContext &context, const FreeOps &free) {
  for (mlir::Operation *op : llvm::reverse(free.views)) {
    if (op->use_empty()) {
      context.rewriter().eraseOp(op);
    }
  }
}

llvm::Error schedule::checkSwap(PrimitiveContext &context, mlir::Operation *first,
                                mlir::Operation *second, llvm::StringRef code,
                                const std::string &what) {
  mlir::Value needed;
  second->walk([&](mlir::Operation *op) {
    for (mlir::Value operand : op->getOperands()) {
      needed = operand.getDefiningOp() == first ? operand : needed;
    }
  });
  std::vector<std::pair<mlir::Operation *, std::string>> places = {{first, "this comes first"},
                                                                   {second, "this comes second"}};
  if (needed) {
    return context.refuse(
        code, what + ", but " + quoted(context, second) + " uses " + quoted(context, needed),
        "name " + quoted(context, first) +
            " beside it, or the sections in the "
            "other order",
        places);
  }
  mlir::Operation *untold = findUntold(first), *other = findUntold(second);
  SmallVector<MemoryAccess> mine = accessesIn(first), theirs = accessesIn(second);
  bool isOrdered = (untold && other) || (untold && isSync(untold) && !theirs.empty()) ||
                   (other && isSync(other) && !mine.empty());
  if (isOrdered) {
    std::string both = quoted(context, untold ? untold : first) + " and " +
                       quoted(context, other ? other : second);
    Refusal refusal{code.str(), what + ", but " + both + " keep their order",
                    "name the sections in the other order", places};
    if (llvm::Error error = context.require(false, both + " may change their order", refusal)) {
      return error;
    }
  }
  for (const MemoryAccess &a : mine) {
    for (const MemoryAccess &b : theirs) {
      if (!mayConflict(a, b)) {
        continue;
      }
      std::string title = quoted(context, a.op) + " and " + quoted(context, b.op) +
                          " touch different cells in a step";
      Refusal refusal{code.str(),
                      what + ", but " + quoted(context, a.op) + " and " + quoted(context, b.op) +
                          " touch the same memory",
                      "name the sections in the other order",
                      {{a.op, "this comes first"}, {b.op, "this comes second"}}};
      llvm::Error error =
          a.isBuf()
              ? context.require(false, title, refusal)
              : context.prove(apart(context, title, a, b, nullptr, Steps::Same), a.op, refusal);
      if (error) {
        return error;
      }
    }
  }
  return llvm::Error::success();
}

//===-- sections ---------------------------------------------------------------------------------------------------===//

namespace {

/// A part of the body in its new order: a section, or a loop made of sections, which stays beside.
struct Part {
  std::string name; ///< of a section; empty for a loop
  SmallVector<mlir::Operation *> ops;
};

class Cut {
public:
  Cut(PrimitiveContext &context, const HostCall &call) : context(context), call(call) {}
  llvm::Expected<Value> run();

private:
  llvm::Error match();
  llvm::Error matchParts();
  llvm::Error addNamed(const std::string &name, const Value &ops);
  void takeAlong();
  llvm::Error assign();
  llvm::Error checkTurns();
  llvm::Error checkOrder();
  std::string nameOfRank(unsigned rank) const;

  PrimitiveContext &context;
  const HostCall &call;
  mlir::Operation *loop = nullptr;
  mlir::Block *body = nullptr;
  std::vector<Part> parts; ///< sections in the order of the record
  std::optional<unsigned> rest;
  llvm::DenseMap<mlir::Operation *, unsigned> named; ///< part of an op that the record names
  FreeOps free;
  /// 2 * part for ops of a section; for a loop that stays beside it, one more, or `beforeAll`.
  llvm::DenseMap<mlir::Operation *, unsigned> ranks;
  static constexpr unsigned beforeAll = ~0U;
  SmallVector<mlir::Operation *> placed; ///< ops with a rank, in order of the program
};

} // namespace

llvm::Error Cut::match() {
  llvm::Expected<mlir::Operation *> op = context.op(call.arg("loop"));
  if (!op) {
    return op.takeError();
  }
  loop = *op;
  if (!llvm::isa<tile::ForOp, tile::TasksOp>(loop)) {
    return context.refuse("sections_loop",
                          quoted(context, loop) + " is no loop that sections may cut",
                          "give a loop over tiles or indices, or the tasks of `persistent`",
                          {{loop, "it stands here"}});
  }
  body = &loop->getRegion(0).front();
  auto cut = body->getOps<tile::SectionOp>();
  if (!cut.empty()) {
    return context.refuse("sections_twice", quoted(context, loop) + " is cut into sections already",
                          "name all sections in one call", {{*cut.begin(), "this is one of them"}});
  }
  if (auto instr = loop->getParentOfType<tile::ApplyOp>()) {
    return context.refuse("sections_loop", quoted(context, loop) + " is a part of an instruction",
                          "cut it before `replace`", {{instr, "here"}});
  }
  return matchParts();
}

llvm::Error Cut::addNamed(const std::string &name, const Value &value) {
  llvm::Expected<SmallVector<mlir::Operation *>> ops = context.ops(value);
  if (!ops) {
    return ops.takeError();
  }
  for (mlir::Operation *op : *ops) {
    mlir::Operation *inside = inBlock(body, op);
    if (!inside || op == loop || inside->hasTrait<mlir::OpTrait::IsTerminator>()) {
      return context.refuse("sections_outside",
                            quoted(context, op) + " is not in the body of " + quoted(context, loop),
                            "name ops of the loop", {{op, "it stands here"}, {loop, "the loop"}});
    }
    auto [entry, isNew] = named.try_emplace(inside, parts.size() - 1);
    if (!isNew && entry->second != parts.size() - 1) {
      return context.refuse("sections_shared",
                            quoted(context, op) + " is named in the sections `" +
                                parts[entry->second].name + "` and `" + name + "`",
                            "name it once", {{op, "it stands here"}});
    }
  }
  return llvm::Error::success();
}

llvm::Error Cut::matchParts() {
  const auto &fields = *call.arg("parts").getRecord();
  if (fields.empty()) {
    return context.refuse("sections_none", "no section is named",
                          "write `{load: [copies], use: rest}`");
  }
  for (const auto &[name, value] : fields) {
    parts.push_back({name, {}});
    const std::string *word = value.getName() ? value.getName() : value.getString();
    if (!word) {
      if (llvm::Error error = addNamed(name, value)) {
        return error;
      }
      continue;
    }
    if (*word != "rest") {
      return context.refuse("sections_word", "`" + *word + "` names no ops of the loop",
                            "give a list of ops, or `rest` for all others");
    }
    if (rest) {
      return context.refuse("sections_rest",
                            "the sections `" + parts[*rest].name + "` and `" + name +
                                "` would both have all that is not named",
                            "write `rest` once");
    }
    rest = parts.size() - 1;
  }
  return llvm::Error::success();
}

std::string Cut::nameOfRank(unsigned rank) const {
  return rank % 2 == 0 ? "section `" + parts[rank / 2].name + "`" : "the loop beside it";
}

/// Pure ops that only one section needs go with it: constants, casts, what is no access to memory.
void Cut::takeAlong() {
  for (mlir::Operation &op : llvm::reverse(*body)) {
    bool mayMove = !free.contains(&op) && !named.count(&op) && isEffectFree(&op) &&
                   op.getNumRegions() == 0 && op.getNumResults() != 0 && accessesIn(&op).empty();
    std::optional<unsigned> part;
    for (mlir::Operation *user : op.getUsers()) {
      mlir::Operation *inside = inBlock(body, user);
      auto found = named.find(inside);
      mayMove &= found != named.end() && (!part || *part == found->second);
      part = found == named.end() ? part : found->second;
    }
    if (mayMove && part) {
      named[&op] = *part;
    }
  }
}

llvm::Error Cut::assign() {
  unsigned latest = 0; // of the sections that have an op before
  bool any = false;
  for (mlir::Operation &op : body->without_terminator()) {
    auto found = named.find(&op);
    if (free.contains(&op)) {
      continue;
    }
    placed.push_back(&op);
    if (found != named.end()) {
      ranks[&op] = 2 * found->second;
    } else if (tile::isMadeOfSections(&op)) {
      ranks[&op] = any ? 2 * latest + 1 : beforeAll;
      continue;
    } else if (rest) {
      ranks[&op] = 2 * *rest;
    } else {
      return context.refuse("sections_missing", quoted(context, &op) + " is in no section",
                            "name it, or add a section with `rest`", {{&op, "it stands here"}});
    }
    latest = any ? std::max(latest, ranks[&op] / 2) : ranks[&op] / 2;
    any = true;
  }
  for (auto [i, part] : llvm::enumerate(parts)) {
    for (mlir::Operation *op : placed) {
      if (ranks[op] == 2 * i) {
        part.ops.push_back(op);
      }
    }
    if (part.ops.empty()) {
      return context.refuse("sections_empty", "section `" + part.name + "` would have no op",
                            "name ops with effects or on tiles: scalars need no section",
                            {{loop, "the loop is here"}});
    }
  }
  return llvm::Error::success();
}

/// A turn of a ring is in one section.
llvm::Error Cut::checkTurns() {
  for (mlir::Operation *begin : placed) {
    bool isFill = llvm::isa<tile::AcquireOp>(begin);
    if (!isFill && !llvm::isa<tile::AwaitOp>(begin)) {
      continue;
    }
    for (mlir::Operation *end : placed) {
      bool isEnd = isFill ? llvm::isa<tile::CommitOp>(end) : llvm::isa<tile::ReleaseOp>(end);
      if (isEnd && end->getOperand(0) == begin->getOperand(0) && ranks[end] != ranks[begin]) {
        return context.refuse("sections_turn",
                              quoted(context, begin) + " and " + quoted(context, end) +
                                  " are one turn of a ring, and would stand in two sections",
                              "name both in one, or make the `ring` behind `sections`",
                              {{begin, "it begins here"}, {end, "it ends here"}});
      }
    }
  }
  return llvm::Error::success();
}

/// Ops that change places may do so.
llvm::Error Cut::checkOrder() {
  auto order = [&](mlir::Operation *op) {
    return ranks[op] == beforeAll ? -1 : static_cast<int64_t>(ranks[op]);
  };
  for (auto [i, first] : llvm::enumerate(placed)) {
    for (mlir::Operation *second : llvm::ArrayRef(placed).drop_front(i + 1)) {
      if (order(first) <= order(second)) {
        continue;
      }
      std::string what = nameOfRank(ranks[second]) + " comes before " + nameOfRank(ranks[first]);
      if (llvm::Error error = checkSwap(context, first, second, "sections_order", what)) {
        return error;
      }
    }
  }
  return llvm::Error::success();
}

llvm::Expected<Value> Cut::run() {
  if (llvm::Error error = match()) {
    return std::move(error);
  }
  free = freeOpsOf(body);
  takeAlong();
  if (llvm::Error error = assign()) {
    return std::move(error);
  }
  if (llvm::Error error = checkTurns()) {
    return std::move(error);
  }
  if (llvm::Error error = checkOrder()) {
    return std::move(error);
  }
  mlir::RewriterBase &rewriter = context.rewriter();
  moveBesideFirst(context, body, free);
  mlir::Operation *yield = body->getTerminator();
  std::vector<std::pair<std::string, Value>> fields;
  SmallVector<tile::SectionOp> made;
  for (auto [i, part] : llvm::enumerate(parts)) {
    rewriter.setInsertionPoint(yield);
    made.push_back(makeSection(context, part.name, part.ops));
    for (mlir::Operation *op : placed) {
      if (ranks[op] == 2 * i + 1) {
        rewriter.moveOpBefore(op, yield);
      }
    }
  }
  for (tile::SectionOp section : made) {
    copyViewsInto(context, section, free);
    fields.push_back({section.getName().str(), context.cursor(section)});
  }
  eraseUnused(context, free);
  context.note("sections of " + quoted(context, loop) + " in order are its body");
  return PrimitiveContext::record(std::move(fields));
}

static llvm::Expected<Value> runSections(PrimitiveContext &context, const HostCall &call) {
  return Cut(context, call).run();
}

void schedule::addSections(PrimitiveRegistry &registry) {
  script::Signature signature;
  signature.name = "sections";
  signature.params = {parameter("loop", ValueKind::Loop), parameter("parts", ValueKind::Record)};
  signature.result = "{name: section, …}";
  signature.group = "Time and roles";
  signature.doc = "The body of a loop, or of tasks, is cut into named sections, in the order of "
                  "the record; one of them may be `rest`. "
                  "Scalars and spans stay beside the sections, parts of views are made in each "
                  "that uses them, and pure ops that only one "
                  "of them needs go with it. Refused where an op "
                  "is in none or two of them, where a section would have no op, and where ops "
                  "would change places that depend on one "
                  "another, touch the same memory or keep their order.";
  signature.before = "tile.for %k in … {\n  tile.copy …\n  %t = tile.read …\n  %r = tile.mma …\n}";
  signature.after =
      "tile.for %k in … {\n  tile.section @load { tile.copy … }\n"
      "  %s = tile.section @use { %t = tile.read …  %r = tile.mma …  tile.yield %r }\n}";
  registry.add({std::move(signature), runSections});
}
