// reduce_plan: how a reduction is put together: which factors of the reduced dim are combined first, and where.
//
// The tree pairs element i with i + w/2: high bits of the position first. A plan for it combines the factors from the
// outermost to the innermost, each a power of two. Other classes may take any order, cheapest first.
//
// What it costs, for one row: a factor in a thread's registers is free. With v values in each lane a step across lanes
// exchanges v/2 of them, so that each lane has v/2 left, and bits of the position that were in registers are in lanes
// afterwards and cost a step each; with one value a step is one shuffle. A factor across warps writes what is left through
// shared memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Places.h"

#include "tessera/Schedule/Dims.h"
#include "tessera/Support/Mutants.h"

#include "llvm/Support/MathExtras.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::SmallVector;
using llvm::Twine;
using script::ValueKind;
using tile::IterKind;
using tile::Place;

namespace {

struct PlanCost {
  int64_t shuffles = 0;
  int64_t sharedValues = 0; ///< of a warp, for one row
  int64_t sharedBytes = 0;  ///< of all warps, for one row
};

class Planner {
public:
  Planner(PrimitiveContext &context, tile::ReduceOp op)
      : context(context), op(op), dim(dimsOf(op).back()), text("`" + context.text(op) + "`") {}

  llvm::Error read(const Value &plan);
  llvm::Error check();
  PlanCost cost() const;
  mlir::ArrayAttr attribute();

private:
  llvm::Error checkTree();
  llvm::Error requireTree(const Twine &message, const Twine &help);
  llvm::Error checkFactors();
  llvm::Error refuse(llvm::StringRef code, const Twine &message, const Twine &help) {
    return context.refuse(code, message, help, {{op, "here"}});
  }

  PrimitiveContext &context;
  tile::ReduceOp op;
  tile::IterDim dim;
  std::string text;
  SmallVector<tile::IterFactor> steps; ///< in the order in which they are combined
  bool isOther = false;                ///< the plan is trusted to give what the op gives
};

} // namespace

/// A record of places and numbers of steps, or a list of such records where a place comes twice.
llvm::Error Planner::read(const Value &plan) {
  std::vector<Value> records;
  if (const auto *list = plan.getList()) {
    records = *list;
  } else {
    records = {plan};
  }
  for (const Value &record : records) {
    const auto *fields = record.getRecord();
    if (!fields) {
      return refuse("plan_form", record.describe() + " is no plan",
                    "write `{reg: 16, lane: 32, vec: 8}`, what is combined first in front");
    }
    for (const auto &[name, value] : *fields) {
      std::optional<Place> place = tile::symbolizePlace(name);
      const int64_t *count = value.getInteger();
      constexpr int64_t most = int64_t(1) << 31;
      if (!place || !count || *count < 1 || *count > most) {
        return refuse(
            "plan_form", "`" + name + ": " + value.str() + "` is no step of a plan",
            "places are `reg`, `lane`, `vec`, `warp`, `wg`, `seq`, with a number of steps");
      }
      if (*place == Place::open || *place == Place::grid || *place == Place::atom ||
          *place == Place::cluster) {
        return refuse("plan_place", "parts at `" + name + "` cannot be combined by a reduction",
                      "use `reg`, `lane`, `vec`, `warp`, `wg` or `seq`");
      }
      steps.push_back({*place, *count});
    }
  }
  return llvm::Error::success();
}

/// The factors in the plan are those of the op, where it has some.
llvm::Error Planner::checkFactors() {
  int64_t product = 1, lanes = 1, warps = 1;
  for (const tile::IterFactor &step : steps) {
    lanes = step.place == Place::lane ? std::min(lanes * step.steps, int64_t(1) << 31) : lanes;
    warps = step.place == Place::warp ? std::min(warps * step.steps, int64_t(1) << 31) : warps;
  }
  constexpr int64_t mostLanes = 32, mostWarps = 32;
  if (lanes > mostLanes || warps > mostWarps) {
    return refuse("plan_place",
                  "the plan takes " + Twine(lanes) + " lanes and " + Twine(warps) +
                      " warps; a warp has 32 lanes, a CTA at most 32 warps",
                  "combine more in registers");
  }
  for (const tile::IterFactor &step : steps) {
    if (product > (int64_t(1) << 31) / step.steps) {
      return refuse("plan_form", "the plan has more than 2^31 points", "give fewer steps");
    }
    product *= step.steps;
  }
  if (product < dim.extent) {
    isOther = true;
    if (llvm::Error error =
            context.require(false, "the plan combines all elements of " + text,
                            {"plan_cover",
                             "the plan combines " + std::to_string(product) + " of the " +
                                 std::to_string(dim.extent) + " elements of " + text,
                             "the product of its steps is the extent, or more",
                             {{op, "it is reduced here"}}})) {
      return error;
    }
  }
  SmallVector<tile::IterFactor> factors = context.factors(op, dim.name);
  if (factors.empty()) {
    return llvm::Error::success();
  }
  auto order = [](const tile::IterFactor &a, const tile::IterFactor &b) {
    return std::pair(a.place, a.steps) < std::pair(b.place, b.steps);
  };
  SmallVector<tile::IterFactor> mine = steps, theirs = factors;
  llvm::sort(mine, order);
  llvm::sort(theirs, order);
  std::string all = "the factors of `" + context.text(op) + "." + context.dimName(op, dim.name) +
                    "`, " + tile::IterAttr::text(factors);
  if (mine != theirs) {
    return refuse("plan_factors", "the plan is not made of " + all, "name these factors");
  }
  if (dim.kind == IterKind::tree && steps != factors) {
    return requireTree("the plan does not combine " + all +
                           ", from the outermost to the innermost, as the tree has it",
                       "name them in their order");
  }
  return llvm::Error::success();
}

llvm::Error Planner::checkTree() {
  for (const tile::IterFactor &step : steps) {
    if (step.place == Place::seq) {
      return requireTree(
          text + " sums in the order of the tree, and a loop over parts sums one after the other",
          "use `reg`, or write `order = any` in the kernel");
    }
    if (!TESSERA_MUTANT(142, "plans of a tree by any number", llvm::isPowerOf2_64(step.steps),
                        true)) {
      return requireTree(
          text + " sums in the order of the tree, which pairs by bits of the position; " +
              Twine(step.steps) + " parts at `" + tile::stringifyPlace(step.place) +
              "` have no bits of their own",
          "spread it by powers of two, or write `order = any` in the kernel");
    }
  }
  return llvm::Error::success();
}

/// The plan combines another tree.
llvm::Error Planner::requireTree(const Twine &message, const Twine &help) {
  isOther = true;
  return context.require(false, "the plan pairs high bits first, as the tree of " + text,
                         {"plan_class", message.str(), help.str(), {{op, "it is summed here"}}});
}

llvm::Error Planner::check() {
  if (dim.kind == IterKind::tree) {
    if (llvm::Error error = checkTree()) {
      return error;
    }
  }
  if (llvm::Error error = checkFactors()) {
    return error;
  }
  if (isOther) {
    return llvm::Error::success();
  }
  context.note(dim.kind == IterKind::tree ? "the plan pairs high bits first, as the tree of " + text
               : dim.kind == IterKind::any ? text + " may be combined in any order"
                                           : text + " is exact: every order gives the same bits");
  return llvm::Error::success();
}

PlanCost Planner::cost() const {
  PlanCost cost;
  int64_t values = 1; // that a lane has of a row, before a step
  for (const tile::IterFactor &step : steps) {
    bool isOwn = step.place == Place::reg || step.place == Place::vec || step.place == Place::seq;
    values *= isOwn ? step.steps : 1;
  }
  int64_t lanes = 1, moved = 0; // moved: bits of the position that went from registers to lanes
  for (const tile::IterFactor &step : steps) {
    lanes *= step.place == Place::lane ? step.steps : 1;
  }
  for (const tile::IterFactor &step : steps) {
    if (step.place == Place::lane) {
      for (unsigned bit = 0; bit < llvm::Log2_64_Ceil(step.steps); ++bit) {
        cost.shuffles += std::max<int64_t>(values / 2, 1);
        moved += values > 1 ? 1 : 0;
        values = std::max<int64_t>(values / 2, 1);
      }
      lanes = std::max<int64_t>(lanes / step.steps, 1);
    } else if (step.place == Place::warp || step.place == Place::wg) {
      int64_t left = values * lanes;
      cost.sharedValues += std::max<int64_t>(left / step.steps, 1);
      cost.sharedBytes +=
          std::max<int64_t>(left, step.steps) *
          ((tile::elementTypeOf(op->getResult(0).getType()).getIntOrFloatBitWidth() + 7) / 8);
      values = std::max<int64_t>(values / step.steps, 1);
    } else {
      for (unsigned bit = 0; bit < llvm::Log2_64_Ceil(step.steps); ++bit) {
        if (moved > 0) {
          --moved; // it is in lanes now
          ++cost.shuffles;
        } else {
          values = std::max<int64_t>(values / 2, 1);
        }
      }
    }
  }
  return cost;
}

mlir::ArrayAttr Planner::attribute() {
  mlir::Builder b(context.mlir());
  SmallVector<mlir::Attribute> list;
  for (const tile::IterFactor &step : steps) {
    list.push_back(b.getDictionaryAttr(
        {b.getNamedAttr("place", tile::PlaceAttr::get(context.mlir(), step.place)),
         b.getNamedAttr("steps", b.getI64IntegerAttr(step.steps))}));
  }
  return b.getArrayAttr(list);
}

static llvm::Expected<Value> runReducePlan(PrimitiveContext &context, const HostCall &call) {
  llvm::Expected<tile::ReduceOp> op =
      context.opOf<tile::ReduceOp>(call.arg("op"), "a reduction `reduce`");
  if (!op) {
    return op.takeError();
  }
  Planner planner(context, *op);
  if (llvm::Error error = planner.read(call.arg("plan"))) {
    return std::move(error);
  }
  if (llvm::Error error = planner.check()) {
    return std::move(error);
  }
  PlanCost cost = planner.cost();
  context.note("for one row: " + Twine(cost.shuffles) + " shuffles, " + Twine(cost.sharedValues) +
               " values of a warp and " + Twine(cost.sharedBytes) + " bytes through shared memory");
  context.rewriter().modifyOpInPlace(*op,
                                     [&] { (*op)->setAttr("tile.plan", planner.attribute()); });
  return PrimitiveContext::record(
      {{"shuffles", Value::integer(cost.shuffles)}, {"shared", Value::integer(cost.sharedBytes)}});
}

void schedule::addReducePlan(PrimitiveRegistry &registry) {
  script::Signature signature;
  signature.name = "reduce_plan";
  signature.params = {parameter("op", ValueKind::Op), parameter("plan", ValueKind::Any)};
  signature.result = "{shuffles, shared}";
  signature.group = "Dims and loops";
  signature.doc = "In which order the parts of a reduction are combined, and where: a record of "
                  "places and steps, what is combined "
                  "first in front. A plan for a sum in the order of the tree has powers of two, "
                  "from the outermost factor to the "
                  "innermost; others may have any order. Gives what one row costs. Refused for "
                  "`seq` and other factors of the tree, "
                  "for plans that leave elements out, and where the op has other factors.";
  signature.before =
      "%l = tile.reduce sum %e along 1 {tile.iter = #tile.iter<r = reg 16 * lane 32 * vec 8>}";
  signature.after =
      "%l = tile.reduce sum %e along 1 {tile.plan = [{place = #tile.place<reg>, steps = 16}, …]}";
  registry.add({std::move(signature), runReducePlan});
}
