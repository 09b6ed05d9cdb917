// roles: sections are run by warps of their own. What stands beside them in tasks becomes sections of the role that has
// `rest`. From role to role only rings carry data: a role does not know how far another one is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Sections.h"

#include "tessera/Dialect/Tile/Structure.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::SmallVector;
using script::ValueKind;

namespace {

constexpr int64_t lanes = 32;

struct Role {
  std::string name;
  int64_t warps = 0;
  std::optional<int64_t> regs;
};

class MakeRoles {
public:
  MakeRoles(PrimitiveContext &context, const HostCall &call) : context(context), call(call) {}
  llvm::Expected<Value> run();

private:
  llvm::Error match();
  llvm::Error matchRole(const std::string &name, const Value &value);
  llvm::Error matchNumbers();
  llvm::Error checkBudget();
  llvm::Error matchBodies();
  llvm::Error matchBody(mlir::Block *body);
  llvm::Error checkValues();
  llvm::Error checkValue(unsigned role, mlir::Operation *user, mlir::Value value);
  llvm::Error checkBarriers();
  llvm::Error checkRings();
  llvm::Error checkPlaces();
  llvm::Error checkMemory();
  llvm::Error checkPair(const MemoryAccess &a, const MemoryAccess &b);
  std::optional<unsigned> roleOf(mlir::Operation *op);
  std::string placeOf(mlir::Operation *op);
  Value edit();
  void wrap(mlir::Block *body, std::vector<std::pair<std::string, Value>> &made);

  PrimitiveContext &context;
  const HostCall &call;
  tile::KernelOp kernel;
  std::vector<Role> roles;
  std::optional<unsigned> rest;
  llvm::DenseMap<mlir::Operation *, unsigned> roleOfSection;
  SmallVector<tile::SectionOp> sections;
  SmallVector<mlir::Block *>
      bodies; ///< with loops made of sections and other ops beside, the innermost first
};

} // namespace

//===-- Match ------------------------------------------------------------------------------------------------------===//

llvm::Error MakeRoles::matchRole(const std::string &name, const Value &value) {
  unsigned number = roles.size();
  roles.push_back({name, 0, std::nullopt});
  const std::string *word = value.getName() ? value.getName() : value.getString();
  if (word && *word == "rest") {
    if (rest) {
      return context.refuse("roles_rest",
                            "the roles `" + roles[*rest].name + "` and `" + name +
                                "` would both have all that is not named",
                            "write `rest` once");
    }
    rest = number;
    return llvm::Error::success();
  }
  std::vector<Value> named = value.getList() ? *value.getList() : std::vector<Value>{value};
  for (const Value &one : named) {
    llvm::Expected<tile::SectionOp> section = sectionNamed(context, one);
    if (!section) {
      return section.takeError();
    }
    auto [entry, isNew] = roleOfSection.try_emplace(*section, number);
    if (!isNew && entry->second != number) {
      return context.refuse("roles_shared",
                            quoted(context, section->getOperation()) + " is named in the roles `" +
                                roles[entry->second].name + "` and `" + name + "`",
                            "name it once", {{*section, "it stands here"}});
    }
  }
  return llvm::Error::success();
}

llvm::Error MakeRoles::match() {
  kernel = context.kernel();
  if (kernel->hasAttr(tile::rolesAttrName)) {
    return context.refuse("roles_twice",
                          quoted(context, kernel.getOperation()) + " has roles already",
                          "name all roles in one call", {{kernel, "the kernel"}});
  }
  kernel.getBody().walk<mlir::WalkOrder::PreOrder>(
      [&](tile::SectionOp section) { sections.push_back(section); });
  if (sections.empty()) {
    return context.refuse("roles_sections",
                          quoted(context, kernel.getOperation()) + " has no sections",
                          "cut a loop with `sections` first", {{kernel, "the kernel"}});
  }
  for (const auto &[name, value] : *call.arg("parts").getRecord()) {
    if (llvm::Error error = matchRole(name, value)) {
      return error;
    }
  }
  for (tile::SectionOp section : sections) {
    // Only the threads of the section around come to one: it has their role, said or not.
    auto outer = section->getParentOfType<tile::SectionOp>();
    bool isNamed = roleOfSection.count(section);
    if (outer && isNamed && roleOfSection[section] != roleOfSection[outer]) {
      return context.refuse("roles_nested",
                            quoted(context, section.getOperation()) + " of role `" +
                                roles[roleOfSection[section]].name + "` stands in " +
                                quoted(context, outer.getOperation()) + " of role `" +
                                roles[roleOfSection[outer]].name +
                                "`, and its threads never come there",
                            "name both in one role, or do not cut the loop around",
                            {{section, "the inner one"}, {outer, "the outer one"}});
    }
    if (outer && !isNamed) {
      roleOfSection[section] = roleOfSection[outer];
      continue;
    }
    if (isNamed) {
      continue;
    }
    if (!rest) {
      return context.refuse("roles_missing",
                            quoted(context, section.getOperation()) + " is in no role",
                            "name it, or give a role `rest`", {{section, "it stands here"}});
    }
    roleOfSection[section] = *rest;
  }
  return matchNumbers();
}

llvm::Error MakeRoles::matchNumbers() {
  const Value &warps = call.arg("warps"), &regs = call.arg("regs");
  for (const Value *record : {&warps, &regs}) {
    if (record->isNone()) {
      continue;
    }
    const char *what = record == &warps ? "warps" : "regs";
    for (const auto &[name, value] : *record->getRecord()) {
      bool isRole =
          llvm::any_of(roles, [&, role = name](const Role &known) { return known.name == role; });
      if (!isRole || !value.getInteger()) {
        return context.refuse("roles_number",
                              "`" + llvm::Twine(what) + "` says `" + name + ": " + value.str() +
                                  "`" + (isRole ? "" : ", and there is no such role"),
                              "give an integer for each role");
      }
    }
  }
  for (Role &role : roles) {
    const Value *count = warps.getField(role.name);
    const Value *registers = regs.isNone() ? nullptr : regs.getField(role.name);
    if (!count || *count->getInteger() < 1) {
      return context.refuse("roles_number",
                            "role `" + role.name + "` has " +
                                (count ? llvm::Twine(*count->getInteger()) : llvm::Twine("no")) +
                                " warps",
                            "give `warps` at least 1 for each role");
    }
    role.warps = *count->getInteger();
    if (registers) {
      role.regs = *registers->getInteger();
    }
  }
  return checkBudget();
}

llvm::Error MakeRoles::checkBudget() {
  const TargetRecord &target = context.target();
  constexpr int64_t least = 24, most = 256, unit = 8, group = 4;
  int64_t threads = 0, registers = 0;
  bool hasRegs = false;
  std::string sum;
  for (const Role &role : roles) {
    threads += role.warps * lanes;
    if (role.regs && (*role.regs < least || *role.regs > most || *role.regs % unit != 0)) {
      return context.refuse("roles_regs",
                            "role `" + role.name + "` would have " + llvm::Twine(*role.regs) +
                                " registers a thread",
                            "give a multiple of 8 from 24 to 256");
    }
    if (role.regs && (role.warps % group != 0 || target.version < 90)) {
      return context.refuse("roles_regs",
                            target.version < 90
                                ? "`" + target.arch + "` cannot give roles registers of their own"
                                : "role `" + role.name + "` has " + llvm::Twine(role.warps) +
                                      " warps, and registers are given to whole groups of 4",
                            target.version < 90 ? "leave `regs` out" : "give it a multiple of 4");
    }
    hasRegs |= role.regs.has_value();
    int64_t each = role.regs.value_or(least);
    registers += role.warps * lanes * each;
    sum += (sum.empty() ? "" : " + ") + std::to_string(role.warps) + "*32*" + std::to_string(each);
  }
  if (threads > target.threads) {
    return context.refuse("roles_threads",
                          "the roles have " + llvm::Twine(threads) + " threads, a CTA of `" +
                              target.arch + "` at most " + llvm::Twine(target.threads),
                          "give them fewer warps");
  }
  if (hasRegs && registers > target.registers) {
    return context.refuse("roles_registers",
                          "the roles need " + sum + " = " + llvm::Twine(registers) +
                              " registers, there are " + llvm::Twine(target.registers),
                          "give them fewer registers or warps");
  }
  if (hasRegs) {
    context.note("registers of the roles: " + sum + " = " + llvm::Twine(registers) + ", of " +
                 llvm::Twine(target.registers));
  }
  return llvm::Error::success();
}

//===-- Bodies -----------------------------------------------------------------------------------------------------===//

/// Memory, rings and scalars belong to the CTA, not to a role.
static bool needsNoRole(mlir::Operation *op) {
  return isPlain(op) || llvm::isa<tile::AllocOp, tile::RingOp, tile::TasksOp>(op) ||
         op->hasTrait<mlir::OpTrait::IsTerminator>();
}

/// Whether roles run the op, or what is in it, without being told so.
static bool isForRoles(mlir::Operation *op) {
  return needsNoRole(op) || llvm::isa<tile::SectionOp>(op) || tile::isMadeOfSections(op);
}

/// A loop around loops made of sections, with nothing beside them that could become a section of its own: it would itself
/// be one, of one role, and the other roles would never come to their sections in it.
static bool isBareAround(mlir::Operation *op) {
  auto loop = llvm::dyn_cast<tile::ForOp>(op);
  bool holdsSections =
      loop && loop.getBody()
                  .walk([](tile::SectionOp) { return mlir::WalkResult::interrupt(); })
                  .wasInterrupted();
  return holdsSections && !tile::isMadeOfSections(op) &&
         llvm::all_of(loop.getBody().front(),
                      [](mlir::Operation &inner) { return isForRoles(&inner); });
}

/// What stands beside loops made of sections has a role, too, or can have one.
llvm::Error MakeRoles::matchBody(mlir::Block *body) {
  mlir::Operation *parent = body->getParentOp();
  bool mayBeCut = llvm::isa<tile::ForOp, tile::TasksOp>(parent);
  for (mlir::Operation &op : *body) {
    if (isBareAround(&op)) {
      return context.refuse(
          "roles_around",
          quoted(context, &op) + " is around the loop that is cut, and has no sections of its own",
          "cut a loop that stands in tasks or in the grid itself", {{&op, "it stands here"}});
    }
    if (isForRoles(&op) || (mayBeCut && rest)) {
      continue;
    }
    return context.refuse("roles_beside",
                          quoted(context, &op) + " stands in " + quoted(context, parent) +
                              " beside the sections, and would be run by all roles",
                          mayBeCut ? "give a role `rest`"
                                   : "make the kernel `persistent` first: in tasks it becomes a "
                                     "section of the role that has `rest`",
                          {{&op, "it stands here"}});
  }
  return llvm::Error::success();
}

llvm::Error MakeRoles::matchBodies() {
  for (tile::SectionOp section : sections) {
    for (mlir::Operation *at = section->getParentOp(); at != kernel.getOperation();
         at = at->getParentOp()) {
      mlir::Block *body = at->getBlock();
      // What stands in a section is run by that section's role.
      if (llvm::isa<tile::SectionOp>(body->getParentOp()) || llvm::is_contained(bodies, body)) {
        break;
      }
      if (!llvm::isa<tile::ForOp, tile::TasksOp, tile::GridOp>(at)) {
        return context.refuse("roles_place",
                              "the sections stand in " + quoted(context, at) +
                                  ", which roles do not run alike",
                              "roles are for loops of a grid or of tasks", {{at, "it is here"}});
      }
      bodies.push_back(body);
      if (llvm::Error error = matchBody(body)) {
        return error;
      }
    }
  }
  return llvm::Error::success();
}

//===-- Conditions -------------------------------------------------------------------------------------------------===//

std::optional<unsigned> MakeRoles::roleOf(mlir::Operation *op) {
  // The innermost section counts; beside sections it is the role that has the rest.
  for (mlir::Operation *at = op; at != kernel.getOperation(); at = at->getParentOp()) {
    auto found = roleOfSection.find(at);
    if (found != roleOfSection.end()) {
      return found->second;
    }
  }
  return needsNoRole(op) || tile::isMadeOfSections(op) ? std::nullopt : rest;
}

std::string MakeRoles::placeOf(mlir::Operation *op) {
  tile::SectionOp section = sectionOf(op);
  return section ? quoted(context, section.getOperation())
                 : quoted(context, op) + " beside the sections";
}

/// A value that a role uses is its own, or made by all.
llvm::Error MakeRoles::checkValue(unsigned role, mlir::Operation *user, mlir::Value value) {
  mlir::Operation *maker = value.getDefiningOp();
  std::optional<unsigned> theirs = maker ? roleOf(maker) : std::nullopt;
  if (!theirs || *theirs == role) {
    return llvm::Error::success();
  }
  bool isTile = llvm::isa<mlir::RankedTensorType>(value.getType());
  return context.refuse("roles_value",
                        quoted(context, value) + " would pass from role `" + roles[*theirs].name +
                            "` (" + placeOf(maker) + ") to role `" + roles[role].name + "` (" +
                            placeOf(user) + ") in registers",
                        isTile ? "pass it through a buf in a ring: `stage` it, then `ring`"
                               : "compute it in both roles, or name both sections in one role",
                        {{user, "it is used here"}, {maker, "it is made here"}});
}

llvm::Error MakeRoles::checkValues() {
  llvm::Error error = llvm::Error::success();
  auto check = [&](unsigned role, llvm::ArrayRef<std::pair<mlir::Operation *, mlir::Value>> uses) {
    followValues(uses, [&](mlir::Operation *user, mlir::Value value) {
      mlir::Operation *maker = value.getDefiningOp();
      if (!error) {
        error = checkValue(role, user, value);
      }
      // Whoever has a role was made with what its own role has; the rest is looked through.
      return !error && !(maker && roleOf(maker));
    });
  };
  for (tile::SectionOp section : sections) {
    check(roleOfSection[section], usesOf(section));
  }
  for (mlir::Block *body : bodies) {
    for (mlir::Operation &op : *body) {
      std::optional<unsigned> role = llvm::isa<tile::SectionOp>(op) ? std::nullopt : roleOf(&op);
      SmallVector<std::pair<mlir::Operation *, mlir::Value>> uses;
      op.walk([&](mlir::Operation *inner) {
        for (mlir::Value operand : inner->getOperands()) {
          if (role && !op.isAncestor(operand.getParentBlock()->getParentOp())) {
            uses.push_back({inner, operand});
          }
        }
      });
      if (role) {
        check(*role, uses);
      }
    }
  }
  return error;
}

llvm::Error MakeRoles::checkBarriers() {
  llvm::Error error = llvm::Error::success();
  kernel.getBody().walk([&](tile::BarrierOp barrier) {
    if (!error && barrier.getScope() >= tile::ExecScope::cta) {
      std::optional<unsigned> role = roleOf(barrier);
      std::string scope = tile::stringifyExecScope(barrier.getScope()).str();
      error = context.require(false, "the barrier of the " + scope + " is for one role",
                              {"roles_barrier",
                               "a barrier of the " + scope + " would stand in role `" +
                                   (role ? roles[*role].name : std::string("?")) +
                                   "`, whose threads alone reach it",
                               "remove it, and let `auto_sync` order the threads of the role",
                               {{barrier, "it stands here"}}});
    }
  });
  return error;
}

/// A ring between two roles tells them by barriers in memory.
llvm::Error MakeRoles::checkRings() {
  llvm::Error error = llvm::Error::success();
  auto check = [&](tile::RingOp ring, mlir::Operation *fill, mlir::Operation *use) {
    std::optional<unsigned> filler = roleOf(fill), user = roleOf(use);
    if (error || !filler || !user || *filler == *user) {
      return;
    }
    std::string name = quoted(context, ring.getOperation());
    error = context.require(
        false, "the protocol of " + name + " tells both roles",
        {"roles_protocol",
         name + " would be filled by role `" + roles[*filler].name + "` (" + placeOf(fill) +
             ") and used by role `" + roles[*user].name + "` (" + placeOf(use) +
             "), and its protocol `" + tile::stringifyProtocol(ring.getProtocol()).str() +
             "` hands slots over by a barrier of the CTA, which in a role stands for the role's "
             "own threads only",
         "make the ring with `protocol = mbarrier`",
         {{ring, "the ring is made here"}, {fill, "it is filled here"}, {use, "it is used here"}}});
  };
  kernel.getBody().walk([&](tile::RingOp ring) {
    if (!isByBarrier(ring.getProtocol())) {
      return;
    }
    for (mlir::Operation *fill : ring->getUsers()) {
      for (mlir::Operation *use : ring->getUsers()) {
        if (llvm::isa<tile::AcquireOp>(fill) && llvm::isa<tile::AwaitOp>(use)) {
          check(ring, fill, use);
        }
      }
    }
  });
  return error;
}

/// Ops that are bound to warps fit into their role.
llvm::Error MakeRoles::checkPlaces() {
  llvm::Error error = llvm::Error::success();
  kernel.getBody().walk([&](mlir::Operation *op) {
    auto iter = op->getAttrOfType<tile::IterAttr>(tile::iterAttrName);
    std::optional<unsigned> role = iter ? roleOf(op) : std::nullopt;
    if (error || !role) {
      return;
    }
    int64_t groups = iter.getSteps(tile::Place::wg), warps = iter.getSteps(tile::Place::warp);
    int64_t needed = groups > 1 ? groups * std::max<int64_t>(warps, 4) : warps;
    if (needed > roles[*role].warps) {
      error = context.require(
          false, "role `" + roles[*role].name + "` has the warps of " + quoted(context, op),
          {"roles_warps",
           quoted(context, op) + " is spread over " + std::to_string(needed) +
               " warps, and role `" + roles[*role].name + "` has " +
               std::to_string(roles[*role].warps),
           "give the role as many",
           {{op, "it stands here"}}});
    }
  });
  return error;
}

llvm::Error MakeRoles::checkPair(const MemoryAccess &a, const MemoryAccess &b) {
  std::optional<unsigned> mine = roleOf(a.op), theirs = roleOf(b.op);
  bool isQueued = a.isBuf() && a.memory == b.memory && tile::ringOf(a.memory);
  if (!mine || !theirs || *mine == *theirs || !mayConflict(a, b) || isQueued) {
    return llvm::Error::success();
  }
  std::string memory = quoted(context, a.memory);
  Refusal refusal{"roles_memory",
                  "roles `" + roles[*mine].name + "` and `" + roles[*theirs].name +
                      "` would both touch " + memory + ", in " + placeOf(a.op) + " and " +
                      placeOf(b.op) + ", and neither waits for the other",
                  a.isBuf() ? "make a ring of it first" : "touch it in one role only",
                  {{a.op, "it is touched here"}, {b.op, "and here"}}};
  std::string title = quoted(context, a.op) + " and " + quoted(context, b.op) +
                      " of two roles touch different cells";
  if (a.isBuf()) {
    return context.require(false, title, refusal);
  }
  // Roles go through all loops and tasks on their own.
  mlir::Operation *outer = nullptr;
  for (mlir::Operation *at = loopAround(a.op); at; at = loopAround(at)) {
    outer = at->isProperAncestor(b.op) ? at : outer;
  }
  return context.prove(apart(context, title, a, b, outer, Steps::Any), a.op, refusal);
}

llvm::Error MakeRoles::checkMemory() {
  SmallVector<MemoryAccess> all = accessesIn(kernel);
  llvm::erase_if(all, [&](const MemoryAccess &access) {
    return !kernel.getBody().isAncestor(access.op->getParentRegion());
  });
  for (auto [i, a] : llvm::enumerate(all)) {
    for (const MemoryAccess &b : llvm::ArrayRef(all).drop_front(i + 1)) {
      if (llvm::Error error = checkPair(a, b)) {
        return error;
      }
    }
  }
  return llvm::Error::success();
}

//===-- Edit -------------------------------------------------------------------------------------------------------===//

/// Runs of ops between sections and loops made of sections become sections.
void MakeRoles::wrap(mlir::Block *body, std::vector<std::pair<std::string, Value>> &made) {
  FreeOps free = freeOpsOf(body);
  moveBesideFirst(context, body, free);
  SmallVector<mlir::Operation *> all, open;
  for (mlir::Operation &op : *body) {
    all.push_back(&op);
  }
  bool isFirst = true;
  for (mlir::Operation *op : all) {
    bool isEnd = llvm::isa<tile::SectionOp>(op) || tile::isMadeOfSections(op) ||
                 op->hasTrait<mlir::OpTrait::IsTerminator>();
    if (!isEnd && !free.contains(op)) {
      open.push_back(op);
    }
    if (!isEnd) {
      continue;
    }
    if (!open.empty()) {
      context.rewriter().setInsertionPoint(op);
      std::string name = freeName(body, isFirst ? "prologue" : "epilogue");
      tile::SectionOp section = makeSection(context, name, open);
      roleOfSection[section] = *rest;
      sections.push_back(section);
      made.push_back({name, context.cursor(section)});
      open.clear();
    }
    isFirst = false;
  }
  for (tile::SectionOp section : sections) {
    if (body->getParentOp()->isProperAncestor(section)) {
      copyViewsInto(context, section, free);
    }
  }
  eraseUnused(context, free);
}

Value MakeRoles::edit() {
  mlir::RewriterBase &rewriter = context.rewriter();
  std::vector<std::pair<std::string, Value>> made;
  for (mlir::Block *body : bodies) {
    if (llvm::isa<tile::ForOp, tile::TasksOp>(body->getParentOp()) && rest) {
      wrap(body, made);
    }
  }
  mlir::Builder builder(context.mlir());
  SmallVector<mlir::NamedAttribute> entries;
  int64_t warps = 0;
  for (const Role &role : roles) {
    SmallVector<mlir::NamedAttribute> numbers{
        builder.getNamedAttr("warps", builder.getI64IntegerAttr(role.warps))};
    if (role.regs) {
      numbers.push_back(builder.getNamedAttr("regs", builder.getI64IntegerAttr(*role.regs)));
    }
    entries.push_back(builder.getNamedAttr(role.name, builder.getDictionaryAttr(numbers)));
    warps += role.warps;
  }
  rewriter.modifyOpInPlace(kernel, [&] {
    kernel->setAttr(tile::rolesAttrName, builder.getDictionaryAttr(entries));
    kernel->setAttr(tile::warpsAttrName, builder.getI64IntegerAttr(warps));
  });
  for (tile::SectionOp section : sections) {
    auto role = mlir::FlatSymbolRefAttr::get(context.mlir(), roles[roleOfSection[section]].name);
    rewriter.modifyOpInPlace(section, [&] { section.setRoleAttr(role); });
  }
  context.note("tiles stay in their role, data between roles passes through rings");
  return PrimitiveContext::record(std::move(made));
}

llvm::Expected<Value> MakeRoles::run() {
  using Check = llvm::Error (MakeRoles::*)();
  for (Check check : {&MakeRoles::match, &MakeRoles::matchBodies, &MakeRoles::checkValues,
                      &MakeRoles::checkBarriers, &MakeRoles::checkRings, &MakeRoles::checkPlaces,
                      &MakeRoles::checkMemory}) {
    if (llvm::Error error = (this->*check)()) {
      return std::move(error);
    }
  }
  return edit();
}

static llvm::Expected<Value> runRoles(PrimitiveContext &context, const HostCall &call) {
  return MakeRoles(context, call).run();
}

void schedule::addRoles(PrimitiveRegistry &registry) {
  script::Signature signature;
  signature.name = "roles";
  signature.params = {parameter("parts", ValueKind::Record), parameter("warps", ValueKind::Record),
                      parameter("regs", ValueKind::Record, Value())};
  signature.takesScope = true;
  signature.result = "{name: section, …}";
  signature.group = "Time and roles";
  signature.doc =
      "Sections are run by warps of their own: each role names sections, by cursor or "
      "name, one of them `rest`. What "
      "stands beside the sections in tasks becomes sections of that role, `prologue` "
      "and `epilogue`, which the record has; one in a section has that section's role. "
      "Refused where a tile would pass from role to role, where two roles touch one "
      "memory without a ring, where a ring between roles has a protocol that a barrier of the "
      "CTA serves (`mbarrier` has none), where a barrier "
      "of the CTA stands in a role, where a section of another role is around, and where "
      "warps or registers exceed the target's.";
  signature.before = "tile.section @load { … }\ntile.section @use { … }";
  signature.after =
      "tile.section @load role @producer { … }\ntile.section @use role @consumer { … }";
  registry.add({std::move(signature), runRoles});
}
