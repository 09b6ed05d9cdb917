// pin: how an op is spread over threads is final.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Places.h"

#include "tessera/Schedule/Dims.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::StringRef;
using script::ValueKind;
using tile::Place;

/// What is open, or has no factors yet, runs in registers.
static tile::IterAttr closed(PrimitiveContext &context, mlir::Operation *op) {
  tile::IterAttr next = context.iter(op);
  for (const tile::IterDim &dim : dimsOf(op)) {
    llvm::SmallVector<tile::IterFactor> factors = next.getFactors(dim.name);
    if (factors.empty()) {
      factors.push_back({Place::reg, dim.extent});
    }
    for (tile::IterFactor &factor : factors) {
      factor.place = factor.place == Place::open ? Place::reg : factor.place;
    }
    next = next.withFactors(dim.name, factors);
  }
  return next;
}

/// The factors of another op, dim by dim, by the names of the script; where the op knows none of the other's names, by
/// position.
static llvm::Expected<tile::IterAttr> alike(PrimitiveContext &context, mlir::Operation *op,
                                            mlir::Operation *like) {
  tile::IterAttr from = context.iter(like), next = context.iter(op);
  if (from.getDims().empty()) {
    return context.refuse("pin_like", "`" + context.text(like) + "` is not scheduled itself",
                          "bind its dims first", {{like, "here"}});
  }
  auto dims = dimsOf(op), others = dimsOf(like);
  llvm::SmallVector<std::string> names = dimNames(op), otherNames = dimNames(like);
  for (auto [i, dim] : llvm::enumerate(dims)) {
    auto found = llvm::find(otherNames, names[i]);
    bool isKnown = found != otherNames.end();
    if (!isKnown) {
      return context.refuse("pin_dims",
                            "`" + context.text(op) + "." + names[i] + "` has no counterpart in `" +
                                context.text(like) + "`",
                            "bind its dims one by one", {{op, "here"}, {like, "and here"}});
    }
    const tile::IterDim &other = others[found - otherNames.begin()];
    if (other.extent != dim.extent) {
      return context.refuse("pin_dims",
                            "`" + context.text(op) + "." + names[i] + "` has " +
                                llvm::Twine(dim.extent) + " points, that of `" +
                                context.text(like) + "` " + llvm::Twine(other.extent),
                            "bind its dims one by one", {{op, "here"}, {like, "and here"}});
    }
    llvm::SmallVector<tile::IterFactor> factors = from.getFactors(other.name);
    for (tile::IterFactor &factor : factors) {
      // An instruction is done by an op, not by its neighbours.
      factor.place = factor.place == Place::atom ? Place::reg : factor.place;
    }
    if (llvm::Error error = checkFactors(context, op, dim.name, factors)) {
      return std::move(error);
    }
    next = next.withFactors(dim.name, factors);
  }
  return next;
}

static llvm::Expected<Value> runPin(PrimitiveContext &context, const HostCall &call) {
  llvm::Expected<mlir::Operation *> op = context.op(call.arg("op"));
  if (!op) {
    return op.takeError();
  }
  if (dimsOf(*op).empty()) {
    return context.refuse("pin_op", "`" + context.text(*op) + "` has no dims", "pin an op on tiles",
                          {{*op, "here"}});
  }
  tile::IterAttr next;
  if (call.arg("like").isNone()) {
    next = closed(context, *op);
  } else {
    llvm::Expected<mlir::Operation *> like = context.op(call.arg("like"));
    if (!like) {
      return like.takeError();
    }
    llvm::Expected<tile::IterAttr> found = alike(context, *op, *like);
    if (!found) {
      return found.takeError();
    }
    next = *found;
  }
  std::vector<std::string> dims;
  for (const tile::IterDim &dim : dimsOf(*op)) {
    if (next.getFactors(dim.name) != context.factors(*op, dim.name)) {
      dims.push_back(dim.name);
    }
  }
  if (llvm::Error error = checkPlaces(context, *op, next, dims)) {
    return std::move(error);
  }
  for (const std::string &dim : dims) {
    llvm::SmallVector<tile::IterFactor> now = context.factors(*op, dim),
                                        then = next.getFactors(dim);
    llvm::SmallVector<int> kept;
    bool isSameCut = now.size() == then.size();
    for (unsigned i = 0; i < then.size(); ++i) {
      isSameCut = isSameCut && now[i].steps == then[i].steps;
    }
    for (unsigned i = 0; i < then.size(); ++i) {
      kept.push_back(isSameCut ? static_cast<int>(i) : -1);
    }
    context.setFactors(*op, dim, then, kept);
  }
  growWarps(context, *op);
  return Value();
}

void schedule::addPin(PrimitiveRegistry &registry) {
  script::Signature signature;
  signature.name = "pin";
  signature.params = {parameter("op", ValueKind::Op), parameter("like", ValueKind::Op, Value())};
  signature.group = "Places";
  signature.doc =
      "The op's spread over threads is as it stands: what is still open runs in registers, and "
      "layout "
      "assignment keeps it. `like` gives it the spread of another op with dims of the same names. "
      "Refused where the other has other dims, and where `bind` would be.";
  signature.before =
      "%t = tile.load %x[%r, %c] {tile.iter = <r = warp 4, c = open 16 * lane 32 * vec 8>}";
  signature.after =
      "%t = tile.load %x[%r, %c] {tile.iter = <r = warp 4, c = reg 16 * lane 32 * vec 8>}";
  registry.add({std::move(signature), runPin});
}
