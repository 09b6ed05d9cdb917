// realize: a factor of an op's dim becomes a loop (`open`, `seq`), steps side by side (`warp`, `wg`, `cluster`), or copies
// of the op one after the other (`reg`).
//
// Copies work on slices, which are cut at constant places. A loop has no such place: what the op takes is made again for
// each step, down to loads of smaller spans; and what it gives must go to memory or be carried from step to step.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Loops.h"
#include "Memory.h"
#include "Places.h"
#include "Presence.h"
#include "Recut.h"

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Dialect/Tile/Structure.h"
#include "tessera/Numeric/NumberSystem.h"
#include "tessera/Schedule/Dims.h"
#include "tessera/Support/Mutants.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::SmallVector;
using llvm::Twine;
using script::ValueKind;
using tile::IterKind;
using tile::Place;

namespace {

class Realizer {
public:
  Realizer(PrimitiveContext &context, mlir::Operation *op, unsigned dim, unsigned position)
      : context(context), op(op), dim(dim), position(position), dims(dimsOf(op)),
        factors(context.factors(op, dims[dim].name)),
        text("`" + context.text(op) + "." + context.dimName(op, dims[dim].name) + "`") {}

  /// The loop or the steps; the ops, where they are copies.
  llvm::Expected<Value> run();
  /// The op of a step.
  mlir::Operation *stepOp() const { return inner; }

private:
  llvm::Error checkFactor();
  llvm::Error checkClass();
  llvm::Error checkJoin();
  llvm::Expected<Value> unroll();
  llvm::Expected<Value> loop();
  llvm::Expected<Value> par();
  mlir::Value combine(mlir::Value a, mlir::Value b);
  mlir::Value identity();
  mlir::Operation *part(int64_t step, mlir::Value acc);
  void setRest(mlir::Operation *copy);
  mlir::Operation *makeStep(Recutter &recut, mlir::Value acc);
  llvm::Error refuse(llvm::StringRef code, const Twine &message, const Twine &help) {
    return context.refuse(code, message, help, {{op, "here"}});
  }

  PrimitiveContext &context;
  mlir::Operation *op;
  unsigned dim, position;
  SmallVector<tile::IterDim> dims;
  SmallVector<tile::IterFactor> factors;
  std::string text;
  int64_t steps = 1, size = 1; ///< of the factor; points of a step
  mlir::Operation *inner = nullptr;
};

} // namespace

//===-- Checks -----------------------------------------------------------------------------------------------------===//

llvm::Error Realizer::checkFactor() {
  if (factors.empty()) {
    return refuse("realize_factor", text + " has no factors", "`split` it first");
  }
  steps = factors[position].steps;
  for (unsigned i = 0; i < position; ++i) {
    if (factors[i].steps > 1) {
      return refuse("realize_outer",
                    text + " is `" + tile::IterAttr::text(factors) +
                        "`: a step of the inner factor has points all over the dim",
                    "realize the outer factors first");
    }
  }
  for (unsigned i = position + 1; i < factors.size(); ++i) {
    size *= factors[i].steps;
  }
  // Points beyond the dim are absent: a step has at most all of it.
  size = std::min(size, dims[dim].extent);
  if (op->getParentOfType<tile::ApplyOp>()) {
    return refuse("realize_done", "`" + context.text(op) + "` is done by an instruction",
                  "realize the factor before `replace`");
  }
  if (llvm::isa<tile::CopyOp, tile::CopyOutOp, tile::ReadOp, tile::WriteOp>(op)) {
    return refuse("realize_slot",
                  "`" + context.text(op) + "` covers a slot of its buf whole, as one statement",
                  "bind its factors: they say who does which part");
  }
  switch (factors[position].place) {
  case Place::grid:
  case Place::lane:
  case Place::vec:
  case Place::atom:
    return refuse("realize_place",
                  "a factor at `" + Twine(tile::stringifyPlace(factors[position].place)) +
                      "` is part of one instruction or of its registers; there is no loop over it",
                  "leave it to layout assignment");
  default:
    return llvm::Error::success();
  }
}

/// Parts of a reduction are put together in another order than its points.
llvm::Error Realizer::checkClass() {
  const tile::IterDim &at = dims[dim];
  if (at.kind == IterKind::parallel || steps == 1) {
    return llvm::Error::success();
  }
  if (isParallel(factors[position].place)) {
    return refuse("realize_parallel",
                  text + " is reduced, and steps side by side have no value to put together",
                  "leave the factor to `reduce_plan`, or use `open`, a loop");
  }
  if (!llvm::isa<tile::MmaOp, tile::ReduceOp>(op)) {
    return refuse("realize_parts",
                  "parts of `" + context.text(op) + "` along " + text + " cannot be combined",
                  "leave it in registers");
  }
  if (TESSERA_MUTANT(140, "tree sums in a loop", at.kind == IterKind::tree, false)) {
    return context.require(
        false, "parts along " + text + " give the sum",
        {"realize_class",
         text + " is summed in the order of the tree, which no sum over parts has",
         "leave the factor in registers, or write `order = any` in the kernel",
         {{op, "it is summed here"}}});
  }
  context.note(at.kind == IterKind::dot
                   ? "the accumulator of " + text + " goes from step to step in order"
                   : "parts along " + text + " may be combined in any order");
  return llvm::Error::success();
}

//===-- Parts ------------------------------------------------------------------------------------------------------===//

void Realizer::setRest(mlir::Operation *copy) {
  tile::IterAttr iter = context.iter(op).withFactors(
      dims[dim].name, llvm::ArrayRef(factors).drop_front(position + 1));
  if (!iter.getDims().empty()) {
    copy->setAttr(tile::iterAttrName, iter);
  } else {
    copy->removeAttr(tile::iterAttrName);
  }
}

static mlir::Value make(mlir::RewriterBase &rewriter, llvm::StringRef name, mlir::Location loc,
                        mlir::Value a, mlir::Value b) {
  mlir::OperationState state(loc, name, {a, b}, {a.getType()});
  return rewriter.create(state)->getResult(0);
}

mlir::Value Realizer::combine(mlir::Value a, mlir::Value b) {
  using tile::ReduceKind;
  llvm::StringRef name = "tile.add";
  switch (llvm::cast<tile::ReduceOp>(op).getKind()) {
  case ReduceKind::sum:
  case ReduceKind::count:
    break;
  case ReduceKind::prod:
    name = "tile.mul";
    break;
  case ReduceKind::max:
  case ReduceKind::absmax:
    name = "tile.max";
    break;
  case ReduceKind::min:
    name = "tile.min";
    break;
  case ReduceKind::max_num:
    name = tile::MaxNumOp::getOperationName();
    break;
  case ReduceKind::min_num:
    name = tile::MinNumOp::getOperationName();
    break;
  case ReduceKind::any:
  case ReduceKind::or_:
    name = "tile.or";
    break;
  case ReduceKind::all:
  case ReduceKind::and_:
    name = "tile.and";
    break;
  case ReduceKind::xor_:
    name = "tile.xor";
    break;
  }
  return make(context.rewriter(), name, op->getLoc(), a, b);
}

/// What a reduction gives without terms.
mlir::Value Realizer::identity() {
  auto reduce = llvm::cast<tile::ReduceOp>(op);
  mlir::Type type = reduce.getResult().getType();
  DType dtype = dtypeOf(type);
  alignas(8) unsigned char element[8] = {};
  // The tables of enums are in one order (TileEnums.cpp).
  ExactSystem::identity(static_cast<tessera::ReduceKind>(reduce.getKind()), dtype, element);
  return tile::ConstantOp::create(context.rewriter(), op->getLoc(), type,
                                  attributeOf(dtype, element, context.mlir()));
}

/// One of the copies: the op on slices.
mlir::Operation *Realizer::part(int64_t step, mlir::Value acc) {
  mlir::RewriterBase &rewriter = context.rewriter();
  auto points = llvm::cast<tile::TileIterOpInterface>(op);
  tile::IterBox box;
  for (const tile::IterDim &each : dims) {
    box.push_back({0, each.extent});
  }
  box[dim] = {step * size, std::min(size, dims[dim].extent - step * size)};
  SmallVector<mlir::Value> operands = slicedOperands(rewriter, op, box);
  if (acc && llvm::isa<tile::MmaOp>(op)) {
    operands[2] = acc;
  }
  mlir::Operation *copy = points.cloneAt(rewriter, op->getLoc(), operands, box);
  setRest(copy);
  return copy;
}

//===-- Copies -----------------------------------------------------------------------------------------------------===//

/// Ops whose cut is the op itself, so that what is left of the factors can stand on it.
static bool canBeCut(mlir::Operation *op) {
  return !llvm::isa<tile::ScanOp, tile::ScanWithOp, tile::TopKOp, tile::ArgMaxOp, tile::ArgMinOp,
                    tile::HistogramOp, tile::ReshapeOp, tile::CatOp, tile::IotaOp, tile::FlipOp,
                    tile::AtomicOp>(op) &&
         op->getNumResults() <= 1;
}

/// The first user, of the value or of what is computed from it element by element, that asks along which axes elements are
/// absent and not only which ones are.
static mlir::Operation *findByAxis(mlir::Value value, llvm::DenseSet<mlir::Operation *> &seen) {
  for (mlir::Operation *user : value.getUsers()) {
    if (llvm::isa<tile::StoreOp, tile::WriteOp, tile::FillAbsentOp>(user) ||
        !seen.insert(user).second) {
      continue;
    }
    bool isFollowed = tile::isElementwise(user) && user->getNumResults() == 1;
    mlir::Operation *found = isFollowed ? findByAxis(user->getResult(0), seen) : user;
    if (found) {
      return found;
    }
  }
  return nullptr;
}

/// Parts that are joined have one factor of absence over all axes (`tile.cat`): what reduces one of them would take away
/// that a row has no elements at all.
llvm::Error Realizer::checkJoin() {
  mlir::Value result = op->getResult(0);
  PresenceTrace trace([&](tile::ForOp loop) { return surelyRuns(context, loop); });
  Presence presence = trace.of(result);
  if (tile::shapeOf(result.getType()).size() < 2 ||
      (presence.isExact && presence.factors.empty())) {
    return llvm::Error::success();
  }
  llvm::DenseSet<mlir::Operation *> seen;
  mlir::Operation *user = findByAxis(result, seen);
  std::string title = "no user of the parts of " + text + " asks along which axes they are absent";
  Refusal refusal{"realize_absence",
                  "elements of `" + context.text(op) +
                      "` may be absent, and the joined parts do not say along which axes",
                  "leave the factor in registers, or fill what is absent before",
                  {{op, "parts of this are joined"}}};
  if (user) {
    refusal.places.push_back({user, "this asks for it"});
  }
  return context.require(!user, title, refusal);
}

llvm::Expected<Value> Realizer::unroll() {
  constexpr int64_t most = 256;
  int64_t count = (dims[dim].extent + size - 1) / size;
  if (!canBeCut(op) || count > most) {
    return refuse(count > most ? "realize_size" : "realize_op",
                  count > most ? Twine(count) + " copies are more than " + Twine(most)
                               : "`" + context.text(op) + "` cannot be cut into parts of itself",
                  "leave the factor in registers");
  }
  bool reduces = dims[dim].kind != IterKind::parallel;
  std::optional<unsigned> axis;
  if (op->getNumResults() && !reduces) {
    for (unsigned i = 0; i < tile::shapeOf(op->getResult(0).getType()).size(); ++i) {
      axis = dimOfResultAxis(op, 0, i) == dim ? i : axis;
    }
    if (!axis) {
      return refuse("realize_op",
                    "the result of `" + context.text(op) + "` does not lie along " + text,
                    "leave the factor in registers");
    }
  }
  if (axis && count > 1) {
    if (llvm::Error error = checkJoin()) {
      return std::move(error);
    }
  }
  context.note("parts along " + text + " are done in their order");
  mlir::RewriterBase &rewriter = context.rewriter();
  rewriter.setInsertionPoint(op);
  SmallVector<mlir::Value> values;
  SmallVector<mlir::Operation *> copies;
  for (int64_t step = 0; step < count; ++step) {
    mlir::Operation *copy = part(step, reduces && step ? values.back() : mlir::Value());
    copies.push_back(copy);
    context.derive(copy, op, std::to_string(step));
    if (copy->getNumResults()) {
      bool isSum = reduces && step && llvm::isa<tile::ReduceOp>(op);
      values.push_back(isSum ? combine(values.back(), copy->getResult(0)) : copy->getResult(0));
    }
  }
  if (!op->getNumResults()) {
    rewriter.eraseOp(op);
  } else if (reduces || values.size() == 1) {
    rewriter.replaceOp(op, values.back());
  } else {
    rewriter.replaceOp(
        op, tile::CatOp::create(rewriter, op->getLoc(), op->getResult(0).getType(), values, *axis));
  }
  return context.opsCursor(copies);
}

//===-- Loops ------------------------------------------------------------------------------------------------------===//

mlir::Operation *Realizer::makeStep(Recutter &recut, mlir::Value acc) {
  mlir::Operation *copy = recut.makeOp(op, dim);
  if (acc && llvm::isa<tile::MmaOp>(op)) {
    context.rewriter().modifyOpInPlace(copy, [&] { copy->setOperand(2, acc); });
  }
  setRest(copy);
  return inner = copy;
}

llvm::Expected<Value> Realizer::loop() {
  bool reduces = dims[dim].kind != IterKind::parallel;
  if (!reduces && !llvm::isa<tile::StoreOp>(op)) {
    return refuse("realize_register",
                  "parts of `" + context.text(op) +
                      "` lie in registers, at a place that only the loop knows",
                  "bind the factor to `reg`, which is unrolled, or realize the dim of the store "
                  "that writes the tile");
  }
  Recutter recut(context, size, "realize");
  if (llvm::Error error = recut.checkOp(op, dim)) {
    return std::move(error);
  }
  context.note("steps along " + text + " are done in their order, each on its own points");
  mlir::RewriterBase &rewriter = context.rewriter();
  mlir::Location loc = op->getLoc();
  rewriter.setInsertionPoint(op);
  SmallVector<mlir::Value> inits;
  if (reduces) {
    auto mma = llvm::dyn_cast<tile::MmaOp>(op);
    inits.push_back(mma ? mma.getAcc() : identity());
  }
  // Where one span decides, its parts are the loop's own steps; parts past its end are left out.
  bool isSpan = recut.spans().size() == 1 && !recut.needsOffset();
  std::string name = context.dimName(op, dims[dim].name);
  tile::ForOp made;
  if (isSpan) {
    mlir::Value span = recut.spans().front();
    mlir::Value lo = tile::SpanStartOp::create(rewriter, loc, rewriter.getI64Type(), span);
    mlir::Value hi = tile::SpanStopOp::create(rewriter, loc, rewriter.getI64Type(), span);
    made = makeLoop(rewriter, loc, lo, hi, inits, size, /*reversed=*/false, name);
    recut.setPart(span, made.getStep());
    rewriter.setInsertionPointToEnd(&made.getBody().front());
  } else {
    auto number = [&](int64_t value) -> mlir::Value {
      return tile::ConstantOp::create(rewriter, loc, rewriter.getI64Type(),
                                      rewriter.getI64IntegerAttr(value));
    };
    int64_t count = (dims[dim].extent + size - 1) / size;
    mlir::Value lo = number(0), hi = number(count), each = number(size);
    made = makeLoop(rewriter, loc, lo, hi, inits, 0, /*reversed=*/false, name);
    rewriter.setInsertionPointToEnd(&made.getBody().front());
    recut.setOffset(tile::MulOp::create(rewriter, loc, made.getStep(), each));
  }
  mlir::Value acc = reduces ? made.getCarried().front() : mlir::Value();
  mlir::Operation *copy = makeStep(recut, acc);
  SmallVector<mlir::Value> yielded;
  if (reduces) {
    yielded.push_back(llvm::isa<tile::MmaOp>(op) ? copy->getResult(0)
                                                 : combine(acc, copy->getResult(0)));
  }
  tile::YieldOp::create(rewriter, loc, yielded);
  context.derive(copy, op, "");
  rewriter.replaceOp(op, made.getResults());
  eraseUnused(context, recut.ops());
  return context.cursor(made, ValueKind::Loop, "loop " + name);
}

/// Steps in warps, warpgroups, CTAs of a cluster.
llvm::Expected<Value> Realizer::par() {
  auto store = llvm::dyn_cast<tile::StoreOp>(op);
  if (!store) {
    return refuse(
        "realize_register",
        "steps side by side give no value, and `" + context.text(op) + "` is one",
        "realize the dim of the store that writes the tile, or leave the factor where it is");
  }
  if (store.getConflict() == tile::Conflict::last) {
    Refusal refusal{"realize_order",
                    "of two elements for one cell the last wins; side by side there is no last one",
                    "make a loop of it",
                    {{op, "it writes here"}}};
    if (llvm::Error error =
            context.require(false, "the last of two elements for one cell wins", refusal)) {
      return std::move(error);
    }
  }
  Recutter recut(context, size, "realize");
  if (llvm::Error error = recut.checkOp(op, dim)) {
    return std::move(error);
  }
  context.note("steps along " + text + " write different elements of one store");
  Place place = factors[position].place;
  mlir::RewriterBase &rewriter = context.rewriter();
  mlir::Location loc = op->getLoc();
  rewriter.setInsertionPoint(op);
  auto made = tile::ParOp::create(rewriter, loc, place, steps);
  mlir::Block *body = rewriter.createBlock(&made.getBody(), {}, {rewriter.getI64Type()}, {loc});
  mlir::Value each = tile::ConstantOp::create(rewriter, loc, rewriter.getI64Type(),
                                              rewriter.getI64IntegerAttr(size));
  recut.setOffset(tile::MulOp::create(rewriter, loc, body->getArgument(0), each));
  mlir::Operation *copy = makeStep(recut, {});
  tile::YieldOp::create(rewriter, loc);
  context.derive(copy, op, "");
  auto kernel = op->getParentOfType<tile::KernelOp>();
  rewriter.eraseOp(op);
  eraseUnused(context, recut.ops());
  // As many warps as the steps take.
  int64_t count = place == Place::wg ? steps * 4 : steps;
  llvm::StringRef name = place == Place::cluster ? tile::clusterAttrName : tile::warpsAttrName;
  auto known = kernel->getAttrOfType<mlir::IntegerAttr>(name);
  if (!known || known.getInt() < count) {
    rewriter.modifyOpInPlace(kernel,
                             [&] { kernel->setAttr(name, rewriter.getI64IntegerAttr(count)); });
  }
  return context.cursor(made, ValueKind::Loop);
}

llvm::Expected<Value> Realizer::run() {
  if (llvm::Error error = checkFactor()) {
    return std::move(error);
  }
  if (llvm::Error error = checkClass()) {
    return std::move(error);
  }
  if (isParallel(factors[position].place)) {
    return par();
  }
  return factors[position].place == Place::reg ? unroll() : loop();
}

//===-- Calls ------------------------------------------------------------------------------------------------------===//

/// A factor, or what `split` gave: then its outer factor, and the inner one comes back beside the loop.
static llvm::Expected<Value> runRealize(PrimitiveContext &context, const HostCall &call) {
  const Value &argument = call.arg("f");
  const Value *outer = argument.getField("outer");
  llvm::Expected<Site> site = context.dim(outer ? *outer : argument);
  if (!site) {
    return site.takeError();
  }
  std::optional<unsigned> dim = findDim(site->op, site->dim);
  if (!dim) {
    return context.refuse("realize_factor", "`" + argument.str() + "` is no factor of a dim",
                          "give what `split` returned");
  }
  std::string name = site->dim;
  Realizer realizer(context, site->op, *dim, site->factor);
  llvm::Expected<Value> made = realizer.run();
  if (!made || !outer) {
    return made;
  }
  mlir::Operation *step = realizer.stepOp();
  bool hasInner = step && !context.factors(step, name).empty();
  Value inner = hasInner ? context.factorCursor(step, name, 0)
                : step   ? context.dimCursor(step, name)
                         : *made;
  return PrimitiveContext::record({{"outer", *made}, {"inner", inner}});
}

void schedule::addRealize(PrimitiveRegistry &registry) {
  script::Signature signature;
  signature.name = "realize";
  signature.params = {parameter("f", ValueKind::Any)};
  signature.result =
      "loop, ops where the factor is unrolled; {outer, inner} for what `split` returned";
  signature.group = "Dims and loops";
  signature.doc =
      "A factor becomes statements: a loop where its place is open or `seq`, `par` at "
      "`warp`, `wg`, `cluster`, copies at "
      "`reg`. A loop makes what the op takes again for each step, down to loads of "
      "smaller spans. Refused for inner factors "
      "while outer ones are there, for `grid`, `lane`, `vec` and `atom`, along sums in "
      "the order of the tree and scans, and "
      "where a loop would cut a tile in registers; of copies, where elements may be absent and "
      "a user of the joined parts asks along which axes.";
  signature.before = "%a = tile.load %x[%m, %k] ; %b = tile.load %y[%k, %n] ; %r = tile.mma %a, "
                     "%b, %c {tile.iter = "
                     "#tile.iter<k = open 8 * open 32>}";
  signature.after = "%r = tile.for %k1 in tiles(%lo to %hi by 32) carry(%acc = %c) { … tile.mma "
                    "%a1, %b1, %acc {tile.iter = "
                    "#tile.iter<k = open 32>} }";
  registry.add({std::move(signature), runRealize});
}
