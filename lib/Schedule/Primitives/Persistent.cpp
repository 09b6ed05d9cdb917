// persistent and order_tiles: a CTA takes several points of the grid, one after the other, in an order that is stated.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Memory.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::SmallVector;
using script::ValueKind;

//===-- Orders -----------------------------------------------------------------------------------------------------===//

/// `row_major`, which also is a layout, or what `grouped(g)` gave: 0 or g.
static llvm::Expected<int64_t> orderOf(PrimitiveContext &context, const Value &order) {
  std::string text = order.str();
  if (order.isNone() || text == "row_major") {
    return 0;
  }
  llvm::StringRef number = text;
  int64_t group = 0;
  if (number.consume_front("grouped(") && number.consume_back(")") &&
      !number.getAsInteger(10, group) && group >= 1) {
    return group;
  }
  return context.refuse("order_word", order.describe() + " is no order of tiles",
                        "write `row_major` or `grouped(8)`");
}

static llvm::Expected<Value> runGrouped(PrimitiveContext &context, const HostCall &call) {
  int64_t group = *call.arg("steps").getInteger();
  if (group < 1) {
    return context.refuse("order_word", "groups of " + llvm::Twine(group) + " steps",
                          "give at least 1");
  }
  return Value::name("grouped(" + std::to_string(group) + ")");
}

static llvm::Error checkAxes(PrimitiveContext &context, mlir::Operation *op, size_t axes,
                             int64_t grouped) {
  if (grouped == 0 || axes == 2) {
    return llvm::Error::success();
  }
  return context.refuse("order_axes",
                        "`grouped` numbers the tiles of two axes, " + quoted(context, op) +
                            " has " + llvm::Twine(axes),
                        "use `row_major`", {{op, "it stands here"}});
}

static void noteOrder(PrimitiveContext &context, int64_t grouped) {
  context.note(grouped ? "groups of " + llvm::Twine(grouped) +
                             " steps number each tile once, the last group being shorter"
                       : llvm::Twine("row-major order numbers each tile once"));
}

//===-- persistent -------------------------------------------------------------------------------------------------===//

/// Ops before the grid that may stay in the kernel's body, and memory of the grid that moves there.
static llvm::Error matchMemory(PrimitiveContext &context, tile::GridOp grid,
                               llvm::SmallVectorImpl<mlir::Operation *> &memory) {
  mlir::Block *body = &grid.getBody().front();
  for (mlir::Operation &op : body->without_terminator()) {
    if (!llvm::isa<tile::AllocOp, tile::RingOp>(op)) {
      continue;
    }
    memory.push_back(&op);
    auto alloc = llvm::dyn_cast<tile::AllocOp>(op);
    if (!alloc) {
      continue;
    }
    // A point finds nothing of the one before: it has to write what it reads, as it had to.
    for (const MemoryAccess &read : accessesTo(alloc.getResult())) {
      SmallVector<MemoryAccess> all = accessesTo(alloc.getResult());
      bool isWritten = read.isWrite() || llvm::any_of(all, [&](const MemoryAccess &write) {
                         return write.isWrite() && standsBefore(write.op, read.op);
                       });
      Refusal refusal{"persistent_memory",
                      quoted(context, read.op) + " reads " + quoted(context, alloc.getOperation()) +
                          " before the point writes it",
                      "write it in each point",
                      {{read.op, "it is read here"}}};
      if (llvm::Error error = context.require(
              isWritten, "each point writes what " + quoted(context, read.op) + " reads",
              refusal)) {
        return error;
      }
    }
  }
  return llvm::Error::success();
}

static llvm::Expected<tile::GridOp> gridOf(PrimitiveContext &context) {
  tile::KernelOp kernel = context.kernel();
  tile::GridOp grid;
  for (auto found : kernel.getBody().front().getOps<tile::GridOp>()) {
    grid = found;
  }
  for (auto tasks : kernel.getBody().front().getOps<tile::TasksOp>()) {
    return context.refuse("persistent_twice",
                          quoted(context, kernel.getOperation()) + " is persistent already",
                          "change the order with `order_tiles`", {{tasks, "its tasks are here"}});
  }
  if (!grid) {
    return context.refuse("persistent_grid",
                          quoted(context, kernel.getOperation()) + " has no grid",
                          "only the points of a grid become tasks", {{kernel, "the kernel"}});
  }
  for (mlir::Operation &op : kernel.getBody().front()) {
    bool mayStay = &op == grid.getOperation() || isEffectFree(&op) ||
                   llvm::isa<tile::AllocOp, tile::RingOp>(op);
    if (mayStay) {
      continue;
    }
    Refusal refusal{"persistent_beside",
                    quoted(context, &op) + " stands beside the grid, and each CTA would run it",
                    "move it into the grid",
                    {{&op, "it stands here"}, {grid, "the grid"}}};
    if (llvm::Error error =
            context.require(false, "only memory and values stand beside the grid", refusal)) {
      return std::move(error);
    }
  }
  return grid;
}

static llvm::Expected<Value> runPersistent(PrimitiveContext &context, const HostCall &call) {
  llvm::Expected<tile::GridOp> grid = gridOf(context);
  if (!grid) {
    return grid.takeError();
  }
  llvm::Expected<int64_t> grouped = orderOf(context, call.arg("order"));
  if (!grouped) {
    return grouped.takeError();
  }
  SmallVector<mlir::Operation *> memory;
  size_t axes = grid->getLows().size();
  if (llvm::Error error = checkAxes(context, *grid, axes, *grouped)) {
    return std::move(error);
  }
  if (llvm::Error error = matchMemory(context, *grid, memory)) {
    return std::move(error);
  }
  mlir::RewriterBase &rewriter = context.rewriter();
  rewriter.setInsertionPoint(*grid);
  for (mlir::Operation *op : memory) {
    rewriter.moveOpBefore(op, *grid);
  }
  auto tasks = tile::TasksOp::create(rewriter, grid->getLoc(), grid->getLows(), grid->getHighs(),
                                     grid->getWidths(), *grouped);
  rewriter.inlineRegionBefore(grid->getBody(), tasks.getBody(), tasks.getBody().end());
  context.derive(tasks, *grid, "");
  rewriter.eraseOp(*grid);
  context.values().changed();
  noteOrder(context, *grouped);
  context.note("points touch different cells, so one after the other they do what they did side "
               "by side");
  if (!memory.empty()) {
    context.open("war", "memory of a CTA is over when its next task writes it",
                 "a barrier or a ring between tasks");
  }
  return context.cursor(tasks, ValueKind::Loop);
}

//===-- order_tiles ------------------------------------------------------------------------------------------------===//

static llvm::Expected<Value> runOrderTiles(PrimitiveContext &context, const HostCall &call) {
  tile::KernelOp kernel = context.kernel();
  tile::TasksOp tasks;
  for (auto found : kernel.getBody().front().getOps<tile::TasksOp>()) {
    tasks = found;
  }
  if (!tasks) {
    return context.refuse("order_grid",
                          "the points of a grid run in no order: " +
                              quoted(context, kernel.getOperation()) + " has no tasks",
                          "make it `persistent` first", {{kernel, "the kernel"}});
  }
  llvm::Expected<int64_t> grouped = orderOf(context, call.arg("order"));
  if (!grouped) {
    return grouped.takeError();
  }
  if (llvm::Error error = checkAxes(context, tasks, tasks.getLows().size(), *grouped)) {
    return std::move(error);
  }
  context.rewriter().modifyOpInPlace(tasks, [&] { tasks.setGrouped(*grouped); });
  noteOrder(context, *grouped);
  return Value();
}

void schedule::addPersistent(PrimitiveRegistry &registry) {
  script::Signature grouped;
  grouped.name = "grouped";
  grouped.params = {parameter("steps", ValueKind::Int)};
  grouped.isPure = true;
  grouped.result = "order";
  grouped.group = "Loops";
  grouped.doc = "An order of tiles for `persistent` and `order_tiles`: so many steps of the first "
                "axis come together, for "
                "each step of the second.";
  registry.add({std::move(grouped), runGrouped});

  script::Signature persistent;
  persistent.name = "persistent";
  persistent.params = {parameter("kernel", ValueKind::Kernel),
                       parameter("order", ValueKind::Any, Value())};
  persistent.result = "loop";
  persistent.group = "Loops";
  persistent.doc = "The points of the grid become tasks that CTAs take one after the other, in "
                   "row-major order or `grouped(g)`; memory "
                   "and rings belong to the CTA. Refused where something with an effect stands "
                   "beside the grid, and where a point reads "
                   "memory before it writes it.";
  persistent.before = "tile.grid (%m = …, %n = …) {\n  %b = tile.alloc …\n}";
  persistent.after = "%b = tile.alloc\ntile.tasks (%m = …, %n = …) grouped 8 { … }";
  registry.add({std::move(persistent), runPersistent});

  script::Signature order;
  order.name = "order_tiles";
  order.params = {parameter("kernel", ValueKind::Kernel), parameter("order", ValueKind::Any)};
  order.group = "Loops";
  order.doc = "Another order of the tasks: `row_major` or `grouped(g)`. Refused for a grid, whose "
              "points have no order.";
  order.before = "tile.tasks (%m = …, %n = …) { … }";
  order.after = "tile.tasks (%m = …, %n = …) grouped 8 { … }";
  registry.add({std::move(order), runOrderTiles});
}
