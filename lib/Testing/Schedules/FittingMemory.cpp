// Bufs, rings, sections, roles; factors, vectors, plans, fills.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Fitting.h"

#include "tessera/Dialect/Tile/Structure.h"
#include "tessera/Schedule/Dims.h"

using namespace tessera;
using namespace tessera::schedulefuzz;
using llvm::StringRef;
using script::Value;
using script::ValueKind;

//===-- Memory -----------------------------------------------------------------------------------------------------===//

/// A load by spans, or one that is turned.
static bool isLoaded(mlir::Value value) {
  if (auto turned = value.getDefiningOp<tile::PermuteOp>()) {
    value = turned.getX();
  }
  return value.getDefiningOp<tile::LoadOp>() != nullptr;
}

Fitting::Found Fitting::stage(StringRef hint) {
  const Place *operand = pick([&](const Place &place) {
    if (place.kind != ValueKind::Operand || isInInstruction(place.op)) {
      return false;
    }
    mlir::Value value = place.op->getOperand(place.operand);
    bool isStored = llvm::isa<tile::StoreOp>(place.op);
    bool isTile =
        llvm::isa<mlir::RankedTensorType>(value.getType()) && !value.getDefiningOp<tile::ReadOp>();
    if (hint == "store" || hint == "product" || hint == "fill") {
      return isTile &&
             (hint == "store"  ? isStored
              : hint == "fill" ? llvm::isa<tile::FillAbsentOp>(place.op) && isLoaded(value)
                               : llvm::isa<tile::MmaOp>(place.op) && isLoaded(value));
    }
    return isTile && (isStored ? place.operand == 0 : isLoaded(value));
  });
  if (!operand) {
    return std::nullopt;
  }
  Chosen chosen{{"operand", *operand}, {"home", wordOf(chance(90) ? "shared" : "workspace")}};
  std::optional<Written> layout;
  if (hint == "bulk") {
    // Of rows of so many bytes.
    auto tile =
        llvm::cast<mlir::RankedTensorType>(operand->op->getOperand(operand->operand).getType());
    int64_t bytes = tile.getShape().back() * tile.getElementType().getIntOrFloatBitWidth() / 8;
    layout = named("sw" + std::to_string(bytes));
  } else if (hint == "product" ? chance(70) : chance(25)) {
    layout = named(chance(80) ? "row_major" : "col_major");
  }
  if (layout) {
    chosen["layout"] = *layout;
  }
  return chosen;
}

namespace {
/// A buf with its accesses, as the ops say them.
struct Filled {
  const Place *buf = nullptr;
  llvm::SmallVector<mlir::Operation *> fills, uses;
};
} // namespace

static mlir::Operation *loopOf(mlir::Operation *op) {
  mlir::Operation *loop = op->getParentOp();
  while (loop && !llvm::isa<tile::ForOp, tile::TasksOp>(loop)) {
    loop = loop->getParentOp();
  }
  return loop;
}

static std::vector<Filled> filledOf(llvm::ArrayRef<const Place *> bufs) {
  std::vector<Filled> found;
  for (const Place *place : bufs) {
    Filled filled;
    filled.buf = place;
    mlir::Value buf = place->op->getResult(0);
    for (mlir::Operation *user : buf.getUsers()) {
      if (llvm::isa<tile::CopyOp, tile::WriteOp>(user)) {
        filled.fills.push_back(user);
      } else if (llvm::isa<tile::ReadOp, tile::CopyOutOp>(user)) {
        filled.uses.push_back(user);
      }
    }
    found.push_back(std::move(filled));
  }
  return found;
}

Fitting::Found Fitting::ring(StringRef hint) {
  std::vector<Filled> open;
  for (Filled &filled : filledOf(ops([](mlir::Operation *op) {
         return llvm::isa<tile::AllocOp>(op) && !tile::ringOf(op->getResult(0));
       }))) {
    bool isQueue = filled.fills.size() == 1 && !filled.uses.empty() && loopOf(filled.fills[0]) &&
                   loopOf(filled.fills[0]) == loopOf(filled.uses[0]);
    if (isQueue && filled.buf->kind == ValueKind::Buf) {
      open.push_back(std::move(filled));
    }
  }
  if (open.empty()) {
    return std::nullopt;
  }
  const Filled &one = open[random.below(open.size())];
  std::vector<Written> bufs;
  bool isAlone = chance(25);
  for (const Filled &other : open) {
    bool isBeside = around(other.fills[0]) == around(one.fills[0]) &&
                    around(other.uses[0]) == around(one.uses[0]);
    if (isAlone ? &other == &one : isBeside) {
      bufs.push_back(*other.buf);
    }
  }
  auto section = llvm::dyn_cast<tile::SectionOp>(around(one.fills[0]));
  int64_t slots = (section ? section.getLead() : 0) + 1 + random.below(3);
  Chosen chosen{{"bufs", listOf(std::move(bufs))}, {"slots", number(slots)}};
  static constexpr const char *protocols[] = {"mbarrier", "mbarrier", "cta_sync", "cp_async"};
  if (!hint.empty()) {
    chosen["protocol"] = wordOf(hint);
  } else if (chance(35)) {
    chosen["protocol"] = wordOf(protocols[random.below(std::size(protocols))]);
  }
  return chosen;
}

/// Bufs that are over when another one is first touched, in the order of the text.
Fitting::Found Fitting::overlay(StringRef) {
  std::vector<Filled> bufs =
      filledOf(ops([](mlir::Operation *op) { return llvm::isa<tile::AllocOp>(op); }));
  llvm::DenseMap<mlir::Operation *, int64_t> order;
  host.getModule()->walk<mlir::WalkOrder::PreOrder>(
      [&](mlir::Operation *op) { order[op] = order.size(); });
  auto range = [&](const Filled &filled) {
    int64_t first = INT64_MAX, last = -1;
    for (const auto *side : {&filled.fills, &filled.uses}) {
      for (mlir::Operation *op : *side) {
        first = std::min(first, order[op]);
        last = std::max(last, order[op]);
      }
    }
    return std::make_pair(first, last);
  };
  auto bytes = [](const Filled &filled) {
    return llvm::cast<tile::BufType>(filled.buf->op->getResult(0).getType()).getBytes();
  };
  std::vector<std::pair<const Filled *, std::vector<Written>>> pairs;
  for (const Filled &taker : bufs) {
    if (!llvm::cast<tile::AllocOp>(taker.buf->op).getOver().empty()) {
      continue;
    }
    std::vector<Written> over;
    int64_t room = 0;
    for (const Filled &old : bufs) {
      bool isOver = &old != &taker && old.buf->op->getBlock() == taker.buf->op->getBlock() &&
                    range(old).second < range(taker).first;
      if (isOver && (room < bytes(taker) || chance(30))) {
        over.push_back(*old.buf);
        room += bytes(old);
      }
    }
    if (!over.empty() && room >= bytes(taker)) {
      pairs.push_back({&taker, std::move(over)});
    }
  }
  if (pairs.empty()) {
    return std::nullopt;
  }
  auto &[taker, over] = pairs[random.below(pairs.size())];
  Written list = listOf(std::move(over));
  list.text = list.text.substr(1, list.text.size() - 2);
  return Found({{"buf", *taker->buf}, {"over", list}});
}

Fitting::Found Fitting::setLayout(StringRef) {
  const Place *buf = pick([](const Place &place) { return place.kind == ValueKind::Buf; });
  static constexpr const char *names[] = {"row_major", "row_major", "col_major", "sw128", "sw64"};
  std::optional<Written> layout = named(names[random.below(std::size(names))]);
  return buf && layout ? Found({{"b", *buf}, {"layout", *layout}}) : std::nullopt;
}

//===-- Time and roles ---------------------------------------------------------------------------------------------===//

Fitting::Found Fitting::sections(StringRef hint) {
  const Place *loop = op([](mlir::Operation *op) {
    bool isLoop = llvm::isa<tile::ForOp, tile::TasksOp>(op) && !isInInstruction(op);
    return isLoop && op->getRegion(0).front().getOps<tile::SectionOp>().empty();
  });
  if (!loop) {
    return std::nullopt;
  }
  auto inLoop = [&](mlir::Operation *op) { return around(op) == loop->op; };
  std::vector<Written> copies, loads, stores;
  for (const Place *place : ops(inLoop)) {
    (llvm::isa<tile::CopyOp>(place->op)                     ? copies
     : llvm::isa<tile::LoadOp>(place->op)                   ? loads
     : llvm::isa<tile::StoreOp, tile::CopyOutOp>(place->op) ? stores
                                                            : copies)
        .push_back(*place);
    if (!llvm::isa<tile::CopyOp, tile::LoadOp, tile::StoreOp, tile::CopyOutOp>(place->op)) {
      copies.pop_back();
    }
  }
  std::vector<Written> &in = copies.empty() ? loads : copies;
  Written rest = wordOf("rest");
  std::vector<std::pair<std::string, Written>> parts;
  if (in.size() > 1 && hint != "one" && chance(25)) {
    parts = {{"first", listOf({in[0]})}, {"second", listOf({in[1]})}, {"use", rest}};
  } else if (!in.empty()) {
    parts = {{"load", listOf(std::move(in))}, {"use", rest}};
  } else {
    parts = {{"use", rest}};
  }
  if (!stores.empty() && chance(30)) {
    parts.push_back({"out", listOf(std::move(stores))});
  }
  return Found({{"loop", *loop}, {"parts", recordOf(std::move(parts))}});
}

static bool holds(mlir::Operation *section, llvm::function_ref<bool(mlir::Operation *)> fits) {
  return section
      ->walk([&](mlir::Operation *op) {
        return fits(op) ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// What brings data in may run ahead.
Fitting::Found Fitting::setLead(StringRef) {
  const Place *section = op([](mlir::Operation *op) {
    auto section = llvm::dyn_cast<tile::SectionOp>(op);
    auto loop = section ? llvm::dyn_cast<tile::ForOp>(op->getParentOp()) : tile::ForOp();
    return loop && !loop.getReversed() && holds(op, [](mlir::Operation *op) {
             return llvm::isa<tile::AcquireOp, tile::LoadOp>(op);
           });
  });
  return section ? Found({{"section", *section}, {"steps", number(random.below(3))}})
                 : std::nullopt;
}

Fitting::Found Fitting::setLag(StringRef) {
  const Place *section = op([](mlir::Operation *op) {
    return llvm::isa<tile::SectionOp>(op) &&
           holds(op, [](mlir::Operation *op) { return llvm::isa<tile::ReleaseOp>(op); });
  });
  return section ? Found({{"section", *section}, {"steps", number(random.below(2))}})
                 : std::nullopt;
}

/// What fills rings is one role, the rest another.
Fitting::Found Fitting::roles(StringRef) {
  bool hasTasks = host.getModule()
                      ->walk([](tile::TasksOp) { return mlir::WalkResult::interrupt(); })
                      .wasInterrupted();
  if (!hasTasks && chance(60)) {
    return std::nullopt; // what stands behind the loop would be run by all roles
  }
  std::vector<Written> fillers;
  for (const Place *place : ops([](mlir::Operation *op) {
         return llvm::isa<tile::SectionOp>(op) &&
                holds(op, [](mlir::Operation *op) { return llvm::isa<tile::AcquireOp>(op); });
       })) {
    fillers.push_back(*place);
  }
  if (fillers.empty()) {
    return std::nullopt;
  }
  Written parts =
      recordOf({{"producer", listOf(std::move(fillers))}, {"consumer", wordOf("rest")}});
  Written warps = recordOf(
      {{"producer", number(chance(50) ? 1 : 4)}, {"consumer", number(chance(50) ? 4 : 8)}});
  Chosen chosen{{"parts", parts}, {"warps", warps}};
  if (host.getOptions().target.version >= 90 && chance(30)) {
    chosen["warps"] = recordOf({{"producer", number(4)}, {"consumer", number(8)}});
    chosen["regs"] = recordOf({{"producer", number(40)}, {"consumer", number(232)}});
  }
  return chosen;
}

Fitting::Found Fitting::elect(StringRef) {
  const Place *one = op([](mlir::Operation *op) {
    return llvm::isa<tile::CopyOp, tile::CopyOutOp>(op) && !op->getParentOfType<tile::ElectOp>();
  });
  return one ? Found({{"ops", *one}}) : std::nullopt;
}

/// A bulk copy into a ring.
Fitting::Found Fitting::multicast(StringRef) {
  const Place *one = op([](mlir::Operation *op) {
    auto copy = llvm::dyn_cast<tile::CopyOp>(op);
    auto apply = op->getParentOfType<tile::ApplyOp>();
    return copy && apply && apply.getInstr().starts_with("tma") && tile::ringOf(copy.getBuf());
  });
  return one ? Found({{"copy", *one}}) : std::nullopt;
}

/// In the grid, and now and then where sections or nothing but the kernel is around.
Fitting::Found Fitting::insertBarrier(StringRef) {
  bool isOdd = chance(15);
  const Place *gap = pick([&](const Place &place) {
    bool isOutside =
        !place.op->getParentOfType<tile::GridOp>() && !place.op->getParentOfType<tile::TasksOp>();
    return place.kind == ValueKind::Gap &&
           (isOutside || llvm::isa<tile::SectionOp>(place.op)) == isOdd;
  });
  return gap ? Found({{"gap", *gap}, {"scope", wordOf(chance(80) ? "cta" : "warp")}})
             : std::nullopt;
}

//===-- Places of points -------------------------------------------------------------------------------------------===//

/// Points of a dim, or steps of one of its factors; 0 where it is none.
static int64_t stepsOf(const Place &place) {
  if (place.kind != ValueKind::Dim && place.kind != ValueKind::Factor) {
    return 0;
  }
  std::optional<unsigned> dim = schedule::findDim(place.op, place.dim);
  if (!dim) {
    return 0;
  }
  auto iter = place.op->getAttrOfType<tile::IterAttr>(tile::iterAttrName);
  llvm::SmallVector<tile::IterFactor> factors;
  if (iter) {
    factors = iter.getFactors(place.dim);
  }
  if (place.kind == ValueKind::Factor) {
    return place.factor < factors.size() ? factors[place.factor].steps : 0;
  }
  return factors.empty() ? schedule::dimsOf(place.op)[*dim].extent : 0;
}

static bool isInnermost(const Place &place) {
  auto iter = place.op->getAttrOfType<tile::IterAttr>(tile::iterAttrName);
  return place.kind == ValueKind::Dim || !iter ||
         place.factor + 1 == iter.getFactors(place.dim).size();
}

Fitting::Found Fitting::split(StringRef hint) {
  const Place *place = pick([&](const Place &place) {
    bool isMemory = llvm::isa<tile::LoadOp, tile::StoreOp, tile::CopyOp, tile::ReadOp>(place.op);
    bool isReduce = llvm::isa<tile::ReduceOp>(place.op);
    return stepsOf(place) > 1 && !isInInstruction(place.op) &&
           (hint == "memory"   ? isMemory
            : hint == "reduce" ? isReduce
                               : true);
  });
  if (!place) {
    return std::nullopt;
  }
  int64_t q = int64_t(1) << (1 + random.below(3));
  return Found({{"d", *place}, {"q", number(std::min(q, stepsOf(*place)))}});
}

Fitting::Found Fitting::bind(StringRef hint) {
  const Place *place = pick([](const Place &place) {
    int64_t steps = stepsOf(place);
    return steps > 1 && steps <= 32 && !isInInstruction(place.op);
  });
  static constexpr const char *names[] = {"warp", "lane", "reg", "lane", "reg", "seq"};
  StringRef where = hint.empty() ? StringRef(names[random.below(std::size(names))]) : hint;
  return place ? Found({{"f", *place}, {"place", wordOf(where)}}) : std::nullopt;
}

Fitting::Found Fitting::vectorize(StringRef) {
  const Place *place = pick([](const Place &place) {
    int64_t steps = stepsOf(place);
    bool isPower = steps > 0 && (steps & (steps - 1)) == 0 && steps <= 8;
    return isPower && isInnermost(place) && !isInInstruction(place.op);
  });
  return place ? Found({{"f", *place}}) : std::nullopt;
}

Fitting::Found Fitting::pin(StringRef) {
  const Place *one = op([](mlir::Operation *op) {
    return op->hasAttr(tile::iterAttrName) && !schedule::dimsOf(op).empty();
  });
  one = one ? one : op([](mlir::Operation *op) { return !schedule::dimsOf(op).empty(); });
  return one ? Found({{"op", *one}}) : std::nullopt;
}

std::optional<Written> schedulefuzz::planOf(mlir::Operation *op, Random &random) {
  if (!llvm::isa_and_nonnull<tile::ReduceOp>(op)) {
    return std::nullopt;
  }
  tile::IterDim dim = schedule::dimsOf(op).back();
  auto iter = op->getAttrOfType<tile::IterAttr>(tile::iterAttrName);
  llvm::SmallVector<tile::IterFactor> factors;
  if (iter && random.below(100) < 80) {
    factors = iter.getFactors(dim.name);
  }
  if (factors.empty()) {
    int64_t inner = int64_t(1) << random.below(6);
    factors = {{tile::Place::reg, (dim.extent + inner - 1) / inner}, {tile::Place::lane, inner}};
  }
  std::vector<std::pair<std::string, Written>> fields;
  for (const tile::IterFactor &factor : factors) {
    std::string place = tile::stringifyPlace(factor.place).str();
    bool isThere = llvm::any_of(fields, [&](auto &field) { return field.first == place; });
    if (!isThere) {
      fields.push_back({place, number(factor.steps)});
    }
  }
  return recordOf(std::move(fields));
}

Fitting::Found Fitting::reducePlan(StringRef) {
  const Place *one = op([](mlir::Operation *op) { return llvm::isa<tile::ReduceOp>(op); });
  std::optional<Written> plan = one ? planOf(one->op, random) : std::nullopt;
  return plan ? Found({{"op", *one}, {"plan", *plan}}) : std::nullopt;
}

Fitting::Found Fitting::dropFill(StringRef) {
  const Place *one = op([](mlir::Operation *op) {
    auto copy = llvm::dyn_cast<tile::CopyOp>(op);
    return llvm::isa<tile::FillAbsentOp>(op) ||
           (copy && copy.getFill() == tile::Fill::zero && !isInInstruction(op));
  });
  return one ? Found({{"op", *one}}) : std::nullopt;
}
