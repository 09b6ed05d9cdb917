// The draw itself, loops, instructions, facts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Fitting.h"

#include "tessera/Dialect/Tile/Structure.h"
#include "tessera/Schedule/Dims.h"

using namespace tessera;
using namespace tessera::schedulefuzz;
using llvm::StringRef;
using script::Value;
using script::ValueKind;

//===-- Places -----------------------------------------------------------------------------------------------------===//

mlir::Operation *schedulefuzz::around(mlir::Operation *op) {
  mlir::Operation *parent = op->getParentOp();
  while (llvm::isa_and_nonnull<tile::ApplyOp, tile::ElectOp>(parent)) {
    parent = parent->getParentOp();
  }
  return parent;
}

bool schedulefuzz::isInInstruction(mlir::Operation *op) {
  return op->getParentOfType<tile::ApplyOp>() != nullptr;
}

Written schedulefuzz::recordOf(std::vector<std::pair<std::string, Written>> fields) {
  Written made;
  std::vector<std::pair<std::string, Value>> values;
  for (auto &[name, field] : fields) {
    made.text += (values.empty() ? "" : ", ") + name + ": " + field.text;
    made.uses.insert(field.uses.begin(), field.uses.end());
    values.push_back({name, field.value});
  }
  made.text = "{" + made.text + "}";
  made.value = Value::record(std::move(values));
  return made;
}

std::vector<const Place *> Fitting::all(Test fits) {
  std::vector<const Place *> found;
  for (const Place &place : places) {
    if (place.op && fits(place)) {
      found.push_back(&place);
    }
  }
  return found;
}

const Place *Fitting::pick(Test fits) {
  std::vector<const Place *> found = all(fits);
  return found.empty() ? nullptr : found[random.below(found.size())];
}

std::vector<const Place *> Fitting::ops(llvm::function_ref<bool(mlir::Operation *)> fits) {
  llvm::DenseSet<mlir::Operation *> seen;
  return all([&](const Place &place) {
    bool isOp = place.kind == ValueKind::Op || place.kind == ValueKind::Loop ||
                place.kind == ValueKind::Buf;
    return isOp && fits(place.op) && seen.insert(place.op).second;
  });
}

const Place *Fitting::op(llvm::function_ref<bool(mlir::Operation *)> fits) {
  std::vector<const Place *> found = ops(fits);
  return found.empty() ? nullptr : found[random.below(found.size())];
}

std::optional<Written> Fitting::named(StringRef word) {
  std::optional<Value> value = host.resolveName(word);
  return value ? std::optional<Written>(Written{*value, word.str(), {}}) : std::nullopt;
}

//===-- Loops ------------------------------------------------------------------------------------------------------===//

std::optional<Written> Fitting::order(mlir::Operation *op) {
  bool isPlane = false;
  op->walk([&](mlir::Operation *inner) {
    if (auto grid = llvm::dyn_cast<tile::GridOp>(inner)) {
      isPlane |= grid.getLows().size() == 2;
    } else if (auto tasks = llvm::dyn_cast<tile::TasksOp>(inner)) {
      isPlane |= tasks.getLows().size() == 2;
    }
  });
  if (!isPlane || chance(30)) {
    return named("row_major");
  }
  int64_t steps = 1 + random.below(4);
  std::optional<Value> made = look(host, "grouped", Value(), {Value::integer(steps)});
  return made ? std::optional<Written>(Written{*made, "grouped(" + std::to_string(steps) + ")", {}})
              : std::nullopt;
}

static bool hasTasks(mlir::Operation *kernel) {
  return kernel->walk([](tile::TasksOp) { return mlir::WalkResult::interrupt(); }).wasInterrupted();
}

Fitting::Found Fitting::persistent(StringRef) {
  const Place *kernel = pick(
      [](const Place &place) { return place.kind == ValueKind::Kernel && !hasTasks(place.op); });
  if (!kernel) {
    return std::nullopt;
  }
  Chosen chosen{{"kernel", *kernel}};
  std::optional<Written> steps = chance(50) ? order(kernel->op) : std::nullopt;
  if (steps) {
    chosen["order"] = *steps;
  }
  return chosen;
}

Fitting::Found Fitting::orderTiles(StringRef) {
  const Place *kernel = pick(
      [](const Place &place) { return place.kind == ValueKind::Kernel && hasTasks(place.op); });
  std::optional<Written> steps = kernel ? order(kernel->op) : std::nullopt;
  return steps ? Found({{"kernel", *kernel}, {"order", *steps}}) : std::nullopt;
}

Fitting::Found Fitting::cluster(StringRef hint) {
  const Place *axis = pick([](const Place &place) {
    return place.kind == ValueKind::Dim && llvm::isa<tile::GridOp, tile::TasksOp>(place.op);
  });
  int64_t most = host.getOptions().target.cluster;
  int64_t ctas = most == 1        ? 1
                 : hint == "some" ? int64_t(2) << random.below(2)
                                  : int64_t(1) << random.below(4);
  return axis ? Found({{"axis", *axis}, {"ctas", number(ctas)}}) : std::nullopt;
}

static bool isUsedIn(mlir::Operation *op, mlir::Operation *loop) {
  return llvm::any_of(op->getUsers(),
                      [&](mlir::Operation *user) { return loop->isProperAncestor(user); });
}

/// Values that may be made elsewhere.
static bool isMovable(mlir::Operation *op) {
  bool isPure = mlir::isMemoryEffectFree(op) || llvm::isa<tile::LoadOp>(op);
  return isPure && op->getNumRegions() == 0 && op->getNumResults() == 1 && !isInInstruction(op) &&
         !llvm::isa<tile::AllocOp, tile::RingOp, tile::ConstantOp>(op);
}

Fitting::Found Fitting::computeAt(StringRef) {
  std::vector<std::pair<const Place *, const Place *>> pairs;
  for (const Place *producer : ops(isMovable)) {
    for (const Place *loop : ops([](mlir::Operation *op) {
           return llvm::isa<tile::ForOp, tile::ParOp, tile::TasksOp>(op);
         })) {
      bool isOutside = !loop->op->isAncestor(producer->op) && isUsedIn(producer->op, loop->op);
      if (isOutside && loop->kind == ValueKind::Loop) {
        pairs.push_back({producer, loop});
      }
    }
  }
  if (pairs.empty()) {
    return std::nullopt;
  }
  auto [producer, loop] = pairs[random.below(pairs.size())];
  return Found({{"p", *producer}, {chance(75) ? "l" : "before", *loop}});
}

Fitting::Found Fitting::hoist(StringRef) {
  std::vector<std::pair<const Place *, const Place *>> pairs;
  for (const Place *loop : ops([](mlir::Operation *op) { return llvm::isa<tile::ForOp>(op); })) {
    for (const Place *moved : ops([&](mlir::Operation *op) {
           bool isIn = loop->op->isProperAncestor(op) && !llvm::isa<tile::SectionOp>(op);
           return isIn && llvm::all_of(op->getOperands(), [&](mlir::Value operand) {
                    return !loop->op->isAncestor(operand.getParentBlock()->getParentOp());
                  });
         })) {
      pairs.push_back({moved, loop});
    }
  }
  if (pairs.empty()) {
    return std::nullopt;
  }
  auto [moved, loop] = pairs[random.below(pairs.size())];
  return Found({{"ops", *moved}, {"loop", *loop}});
}

Fitting::Found Fitting::peel(StringRef hint) {
  const Place *loop = op([](mlir::Operation *op) {
    auto loop = llvm::dyn_cast<tile::ForOp>(op);
    return loop && !loop.getReversed();
  });
  if (!loop) {
    return std::nullopt;
  }
  bool hasMask =
      loop->op->walk([](tile::KeepIfOp) { return mlir::WalkResult::interrupt(); }).wasInterrupted();
  if (hint.empty() && chance(30)) {
    return Found({{"l", *loop}, {"first", number(1 + random.below(3))}});
  }
  bool isMask = hint == "keep_if" || (hint.empty() && hasMask && chance(70));
  return Found({{"l", *loop}, {"what", wordOf(isMask ? "keep_if" : "edge")}});
}

/// Two loops of one block that go by steps of one width.
Fitting::Found Fitting::fuse(StringRef) {
  std::vector<const Place *> loops =
      ops([](mlir::Operation *op) { return llvm::isa<tile::ForOp>(op); });
  std::vector<std::pair<const Place *, const Place *>> pairs;
  for (const Place *first : loops) {
    for (const Place *second : loops) {
      auto a = llvm::cast<tile::ForOp>(first->op), b = llvm::cast<tile::ForOp>(second->op);
      bool isPair = a != b && a->getBlock() == b->getBlock() && a->isBeforeInBlock(b) &&
                    a.getWidth() == b.getWidth() && a.getReversed() == b.getReversed();
      if (isPair) {
        pairs.push_back({first, second});
      }
    }
  }
  if (pairs.empty()) {
    return std::nullopt;
  }
  auto [first, second] = pairs[random.below(pairs.size())];
  return Found({{"first", *first}, {"second", *second}});
}

Fitting::Found Fitting::unroll(StringRef) {
  const Place *place = pick([](const Place &place) {
    auto loop = llvm::dyn_cast<tile::ForOp>(place.op);
    bool isLoop = place.kind == ValueKind::Loop && loop &&
                  loop.getLo().getDefiningOp<tile::ConstantOp>() &&
                  loop.getHi().getDefiningOp<tile::ConstantOp>();
    return isLoop || place.kind == ValueKind::Factor;
  });
  return place ? Found({{"l", *place}}) : std::nullopt;
}

bool schedulefuzz::hasFactors(const Place &place) {
  auto iter = place.op->getAttrOfType<tile::IterAttr>(tile::iterAttrName);
  return iter && iter.has(place.dim);
}

Fitting::Found Fitting::realize(StringRef) {
  const Place *place = pick([](const Place &place) {
    bool isPart = place.kind == ValueKind::Factor || place.kind == ValueKind::Dim;
    return isPart && place.factor == 0 && hasFactors(place) && !isInInstruction(place.op);
  });
  return place ? Found({{"f", *place}}) : std::nullopt;
}

/// Factors of one dim, or dims of one op, in a random order.
Fitting::Found Fitting::reorder(StringRef) {
  auto isOf = [](const Place &a, const Place &b) {
    return a.kind == b.kind && a.op == b.op && (a.kind == ValueKind::Dim || a.dim == b.dim);
  };
  const Place *one = pick([&](const Place &place) {
    bool isPart = place.kind == ValueKind::Dim || place.kind == ValueKind::Factor;
    return isPart &&
           llvm::count_if(places, [&](const Place &other) { return isOf(place, other); }) > 1;
  });
  if (!one) {
    return std::nullopt;
  }
  std::vector<Written> group;
  for (const Place *place : all([&](const Place &other) { return isOf(*one, other); })) {
    group.push_back(*place);
  }
  for (size_t i = group.size(); i > 1; --i) {
    std::swap(group[i - 1], group[random.below(i)]);
  }
  Written first = group.front();
  group.erase(group.begin());
  Written rest = listOf(std::move(group));
  rest.text = rest.text.substr(1, rest.text.size() - 2);
  return Found({{"first", first}, {"rest", rest}});
}

//===-- Instructions and facts -------------------------------------------------------------------------------------===//

static mlir::Type elementOf(mlir::Operation *op) {
  for (mlir::Type type : op->getOperandTypes()) {
    if (auto view = llvm::dyn_cast<tile::ViewType>(type)) {
      return view.getElementType();
    }
    if (auto buf = llvm::dyn_cast<tile::BufType>(type)) {
      return buf.getElementType();
    }
    if (auto tile = llvm::dyn_cast<mlir::RankedTensorType>(type)) {
      return tile.getElementType();
    }
  }
  return {};
}

/// Names of library instructions that do what the op does, whatever the target has.
std::vector<std::string> Fitting::instructionsFor(mlir::Operation *op, StringRef hint) {
  std::vector<std::string> names;
  auto add = [&](std::initializer_list<const char *> more) {
    for (const char *name : more) {
      if (StringRef(name).starts_with(hint)) {
        names.push_back(name);
      }
    }
  };
  mlir::Type element = elementOf(op);
  bool isHalf = element && element.getIntOrFloatBitWidth() == 16;
  bool isNew = host.getOptions().target.version >= 90;
  if (llvm::isa<tile::MmaOp>(op)) {
    add({element && element.isF16() ? "mma_m16n8k16_f16" : "mma_m16n8k16_bf16"});
  } else if (llvm::isa<tile::CopyOp>(op)) {
    add({"cp_async_16", "cp_async_8", "cp_async_4"});
    isNew ? add({"tma_load_2d"}) : void();
  } else if (llvm::isa<tile::CopyOutOp>(op)) {
    add({"tma_store_2d"});
  } else if (llvm::isa<tile::ReadOp>(op)) {
    isHalf ? add({"ldmatrix_x4", "ldmatrix_x4_trans", "ldmatrix_x2", "ldmatrix_x2_trans"}) : void();
    add({"ld_shared_16", "ld_shared_8", "ld_shared_4"});
  } else if (llvm::isa<tile::WriteOp>(op)) {
    isHalf &&isNew ? add({"stmatrix_x4"}) : void();
    add({"st_shared_16", "st_shared_8", "st_shared_4"});
  } else if (llvm::isa<tile::LoadOp>(op)) {
    add({"ld_global_16", "ld_global_8", "ld_global_4"});
  } else if (llvm::isa<tile::StoreOp>(op)) {
    add({"st_global_16", "st_global_8", "st_global_4"});
  }
  return names;
}

Fitting::Found Fitting::replace(StringRef hint) {
  const Place *replaced = op([&](mlir::Operation *op) {
    return !isInInstruction(op) && !instructionsFor(op, hint).empty();
  });
  if (!replaced) {
    return std::nullopt;
  }
  std::vector<std::string> names = instructionsFor(replaced->op, hint);
  std::optional<Written> instr = named(names[random.below(names.size())]);
  return instr ? Found({{"ops", *replaced}, {"instr", *instr}}) : std::nullopt;
}

static script::FactPtr binary(script::BinaryOp op, script::FactPtr a, script::FactPtr b) {
  auto fact = std::make_shared<script::Fact>();
  fact->kind = script::Fact::Kind::Binary;
  fact->binary = op;
  fact->size = a->size + b->size + 1;
  fact->lhs = std::move(a);
  fact->rhs = std::move(b);
  return fact;
}

static Written factOf(script::FactPtr fact) {
  std::string text = script::str(*fact);
  return {Value::fact(std::move(fact)), text, {}};
}

/// A condition that no launch can meet.
Fitting::Found Fitting::never(llvm::ArrayRef<std::string> extents) {
  std::optional<Value> extent =
      extents.empty() ? std::nullopt : host.resolveName(extents[random.below(extents.size())]);
  if (!extent || !extent->getFact()) {
    return std::nullopt;
  }
  script::FactPtr least = script::asFact(Value::integer(-1));
  return Found({{"pred", factOf(binary(script::BinaryOp::Le, extent->getFactPtr(), least))}});
}

Fitting::Found Fitting::versions(StringRef hint) {
  // Each version doubles what every later step has to be judged for.
  if (host.kernels().size() > 1) {
    return std::nullopt;
  }
  std::vector<std::string> views, extents;
  for (tile::KernelOp kernel : host.kernels()) {
    for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
      bool isView = llvm::isa<tile::ViewType>(kernel.getArgType(i));
      bool isExtent = i < kernel.getExtents();
      (isView ? views : extents).push_back(kernel.getArgName(i).str());
      if (!isView && !isExtent) {
        extents.pop_back();
      }
    }
  }
  if (!views.empty() && hint.empty() && chance(25)) {
    return never(extents);
  }
  if (!views.empty() && (hint == "aligned" || extents.empty() || chance(50))) {
    std::string view = views[random.below(views.size())];
    std::optional<Value> made =
        look(host, "aligned", Value(), {Value::name(view), Value::integer(16)});
    return made ? Found({{"pred", {*made, "aligned(" + view + ", 16)", {}}}}) : std::nullopt;
  }
  std::optional<Value> extent =
      extents.empty() ? std::nullopt : host.resolveName(extents[random.below(extents.size())]);
  if (!extent || !extent->getFact()) {
    return std::nullopt;
  }
  script::FactPtr step = script::asFact(Value::integer(int64_t(4) << random.below(3)));
  script::FactPtr rest = binary(script::BinaryOp::Mod, extent->getFactPtr(), step);
  script::FactPtr none = script::asFact(Value::integer(0));
  return Found({{"pred", factOf(binary(script::BinaryOp::Eq, rest, none))}});
}

Fitting::Found Fitting::kernel(StringRef) {
  const Place *kernel = pick([](const Place &place) { return place.kind == ValueKind::Kernel; });
  return kernel ? Found({{"kernel", *kernel}}) : std::nullopt;
}

//===-- Calls ------------------------------------------------------------------------------------------------------===//

std::optional<std::vector<Written>> Fitting::forCall(const script::Signature &signature,
                                                     StringRef hint) {
  using Maker = Found (Fitting::*)(StringRef);
  static const std::map<std::string, Maker> makers = {{"auto_sync", &Fitting::kernel},
                                                      {"bind", &Fitting::bind},
                                                      {"cluster", &Fitting::cluster},
                                                      {"compute_at", &Fitting::computeAt},
                                                      {"drop_fill", &Fitting::dropFill},
                                                      {"elect", &Fitting::elect},
                                                      {"fuse", &Fitting::fuse},
                                                      {"multicast", &Fitting::multicast},
                                                      {"hoist", &Fitting::hoist},
                                                      {"insert_barrier", &Fitting::insertBarrier},
                                                      {"order_tiles", &Fitting::orderTiles},
                                                      {"overlay", &Fitting::overlay},
                                                      {"peel", &Fitting::peel},
                                                      {"persistent", &Fitting::persistent},
                                                      {"pin", &Fitting::pin},
                                                      {"realize", &Fitting::realize},
                                                      {"reduce_plan", &Fitting::reducePlan},
                                                      {"reorder", &Fitting::reorder},
                                                      {"replace", &Fitting::replace},
                                                      {"ring", &Fitting::ring},
                                                      {"roles", &Fitting::roles},
                                                      {"seal", &Fitting::kernel},
                                                      {"sections", &Fitting::sections},
                                                      {"set_lag", &Fitting::setLag},
                                                      {"set_layout", &Fitting::setLayout},
                                                      {"set_lead", &Fitting::setLead},
                                                      {"split", &Fitting::split},
                                                      {"stage", &Fitting::stage},
                                                      {"unroll", &Fitting::unroll},
                                                      {"vectorize", &Fitting::vectorize},
                                                      {"versions", &Fitting::versions}};
  auto maker = makers.find(signature.name);
  Found chosen = maker == makers.end() ? Found() : (this->*maker->second)(hint);
  if (!chosen && maker != makers.end()) {
    return std::nullopt;
  }
  std::vector<Written> made;
  for (const script::Parameter &parameter : signature.params) {
    auto found = chosen ? chosen->find(parameter.name) : Chosen::iterator();
    if (chosen && found != chosen->end()) {
      if (!script::accepts(parameter.kind, found->second.value) && !parameter.isVariadic) {
        return std::nullopt;
      }
      made.push_back(found->second);
    } else if (parameter.isVariadic) {
      made.push_back({Value::list({}), "", {}});
    } else if (parameter.fallback) {
      made.push_back({*parameter.fallback, "", {}});
    } else {
      return std::nullopt;
    }
  }
  return made;
}
