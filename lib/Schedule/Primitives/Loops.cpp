// Splitting and unrolling written loops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Loops.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::StringRef;

llvm::Expected<tile::ForOp> schedule::loopOf(PrimitiveContext &context, const Value &cursor) {
  return context.opOf<tile::ForOp>(cursor, "a loop `for … in …`");
}

mlir::Location schedule::named(mlir::Location loc, StringRef name) {
  while (auto old = llvm::dyn_cast<mlir::NameLoc>(loc)) {
    loc = old.getChildLoc();
  }
  return name.empty() ? loc
                      : mlir::NameLoc::get(mlir::StringAttr::get(loc.getContext(), name), loc);
}

tile::ForOp schedule::makeLoop(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value lo,
                               mlir::Value hi, mlir::ValueRange inits, int64_t width, bool reversed,
                               StringRef name) {
  auto loop = tile::ForOp::create(builder, loc, inits.getTypes(), lo, hi, inits, width, reversed);
  mlir::Block &body = loop.getBody().emplaceBlock();
  mlir::Type step = builder.getI64Type();
  if (width) {
    step = tile::SpanType::get(builder.getContext(), width);
  }
  body.addArgument(step, named(loc, name));
  for (mlir::Value init : inits) {
    body.addArgument(init.getType(), init.getLoc());
  }
  return loop;
}

static mlir::Value constant(mlir::OpBuilder &builder, mlir::Location loc, int64_t number) {
  return tile::ConstantOp::create(builder, loc, builder.getI64Type(),
                                  builder.getI64IntegerAttr(number));
}

mlir::Value schedule::makeStep(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value lo,
                               mlir::Value offset, mlir::Value hi, int64_t width) {
  mlir::Value start = tile::AddOp::create(builder, loc, lo, offset);
  if (!width) {
    return start;
  }
  return tile::SpanOp::create(builder, loc, tile::SpanType::get(builder.getContext(), width), start,
                              hi);
}

mlir::Operation *schedule::findOrdered(mlir::Operation *root) {
  mlir::Operation *found = nullptr;
  root->walk([&](mlir::Operation *op) {
    bool isOrdered = llvm::isa<tile::RingOp, tile::AcquireOp, tile::CommitOp, tile::AwaitOp,
                               tile::ReleaseOp, tile::BarrierOp, tile::FenceOp, tile::GroupCommitOp,
                               tile::GroupWaitOp, tile::PrintOp, tile::SectionOp>(op);
    if (isOrdered && op != root) {
      found = op;
      return mlir::WalkResult::interrupt();
    }
    return mlir::WalkResult::advance();
  });
  return found;
}

//===-- Split ------------------------------------------------------------------------------------------------------===//

llvm::Expected<Value> schedule::splitLoop(PrimitiveContext &context, const HostCall &call,
                                          int64_t q) {
  llvm::Expected<tile::ForOp> found = loopOf(context, call.arg("d"));
  if (!found) {
    return found.takeError();
  }
  tile::ForOp old = *found;
  int64_t width = static_cast<int64_t>(old.getWidth());
  int64_t step = std::max<int64_t>(width, 1);
  if (q > (int64_t(1) << 31) / step) {
    return context.refuse("split_factor", "the factor " + llvm::Twine(q) + " is too large",
                          "a step of the outer loop has at most 2^31 indices", {{old, "the loop"}});
  }
  for (mlir::Operation &op : old.getBody().front()) {
    if (llvm::isa<tile::SectionOp>(op)) {
      return context.refuse("split_sections", "`" + context.text(old) + "` is cut into sections",
                            "split it before `sections`", {{&op, "a section"}});
    }
  }
  context.note(llvm::Twine(q) + " steps of `" + context.text(old) +
               "` at a time are the same steps in the same order");
  mlir::RewriterBase &rewriter = context.rewriter();
  mlir::OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(old);
  std::string name = SymbolicValues::sourceName(old.getStep());
  mlir::Location loc = old.getLoc();
  tile::ForOp outer = makeLoop(rewriter, loc, old.getLo(), old.getHi(), old.getInits(), step * q,
                               old.getReversed(), name.empty() ? "" : name + ".outer");
  rewriter.setInsertionPointToEnd(&outer.getBody().front());
  mlir::Value start =
      tile::SpanStartOp::create(rewriter, loc, rewriter.getI64Type(), outer.getStep());
  mlir::Value stop =
      tile::SpanStopOp::create(rewriter, loc, rewriter.getI64Type(), outer.getStep());
  tile::ForOp inner =
      makeLoop(rewriter, loc, start, stop, outer.getCarried(), width, old.getReversed(), name);
  tile::YieldOp::create(rewriter, loc, inner.getResults());
  rewriter.mergeBlocks(&old.getBody().front(), &inner.getBody().front(),
                       inner.getBody().getArguments());
  context.derive(outer, old, "outer");
  context.derive(inner, old, "inner");
  rewriter.replaceOp(old, outer.getResults());
  return Value::record({{"outer", context.cursor(outer, script::ValueKind::Loop)},
                        {"inner", context.cursor(inner, script::ValueKind::Loop)}});
}

//===-- Unroll -----------------------------------------------------------------------------------------------------===//

/// Cursors into the body go over to its copies.
static void deriveCopies(PrimitiveContext &context, tile::ForOp loop,
                         const mlir::IRMapping &mapping, StringRef role) {
  loop.getBody().walk([&](mlir::Operation *op) {
    if (mlir::Operation *copy = mapping.lookupOrNull(op)) {
      context.derive(copy, op, role);
    }
  });
}

llvm::Expected<Value> schedule::unrollLoop(PrimitiveContext &context, const HostCall &call) {
  llvm::Expected<tile::ForOp> found = loopOf(context, call.arg("l"));
  if (!found) {
    return found.takeError();
  }
  tile::ForOp loop = *found;
  solver::Axis steps = context.values().axis(loop);
  std::optional<solver::Int> trips = (steps.hi - steps.lo).constant();
  if (!trips) {
    return context.refuse("unroll_trips",
                          "`" + context.text(loop) + "` has " + (steps.hi - steps.lo).str() +
                              " steps, which is no constant",
                          "`split` it and unroll the inner loop, or fix the extent",
                          {{loop, "the loop"}});
  }
  auto sections = loop.getBody().front().getOps<tile::SectionOp>();
  if (!sections.empty()) {
    return context.refuse(
        "unroll_sections",
        "`" + context.text(loop) + "` is cut into sections, which stand in a loop of their own",
        "unroll it before `sections`", {{*sections.begin(), "one is here"}, {loop, "the loop"}});
  }
  int64_t ops = 0, count = std::max<int64_t>(static_cast<int64_t>(*trips), 0);
  loop.getBody().walk([&](mlir::Operation *) { ++ops; });
  constexpr int64_t most = 4096;
  if (count > most || ops * count > most) {
    return context.refuse("unroll_size",
                          llvm::Twine(count) + " copies of " + llvm::Twine(ops) +
                              " ops are more than " + llvm::Twine(most),
                          "`split` it and unroll the inner loop", {{loop, "the loop"}});
  }
  context.note("`" + context.text(loop) + "` has " + llvm::Twine(count) +
               " steps, done in their order");
  mlir::RewriterBase &rewriter = context.rewriter();
  mlir::OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(loop);
  std::string name = SymbolicValues::sourceName(loop.getStep());
  mlir::Location loc = named(loop.getStep().getLoc(), name);
  int64_t width = static_cast<int64_t>(loop.getWidth());
  llvm::SmallVector<mlir::Value> carried(loop.getInits());
  for (int64_t i = 0; i < count; ++i) {
    int64_t number = loop.getReversed() ? count - 1 - i : i;
    mlir::Value offset = constant(rewriter, loop.getLoc(), number * std::max<int64_t>(width, 1));
    mlir::IRMapping mapping;
    mapping.map(loop.getStep(), makeStep(rewriter, loc, loop.getLo(), offset, loop.getHi(), width));
    for (auto [argument, value] : llvm::zip(loop.getCarried(), carried)) {
      mapping.map(argument, value);
    }
    for (mlir::Operation &op : loop.getBody().front().without_terminator()) {
      rewriter.clone(op, mapping);
    }
    mlir::Operation *yield = loop.getBody().front().getTerminator();
    for (auto [value, yielded] : llvm::zip(carried, yield->getOperands())) {
      value = mapping.lookupOrDefault(yielded);
    }
    deriveCopies(context, loop, mapping, std::to_string(i));
  }
  rewriter.replaceOp(loop, carried);
  return Value();
}
