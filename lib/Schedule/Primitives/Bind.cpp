// bind: where the steps of a factor or of a loop run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Loops.h"
#include "Places.h"

#include "tessera/Schedule/Dims.h"

#include "llvm/ADT/StringSwitch.h"

using namespace tessera;
using namespace tessera::schedule;
using script::ValueKind;
using tile::Place;

static Place placeNamed(llvm::StringRef word) {
  return llvm::StringSwitch<Place>(word)
      .Case("grid", Place::grid)
      .Case("cluster", Place::cluster)
      .Cases({"wg", "warpgroup"}, Place::wg)
      .Case("warp", Place::warp)
      .Case("lane", Place::lane)
      .Case("vec", Place::vec)
      .Case("seq", Place::seq)
      .Default(Place::reg);
}

llvm::Expected<Value> schedule::placeFactor(PrimitiveContext &context, const Value &cursor,
                                            Place place) {
  llvm::Expected<Site> site = context.dim(cursor);
  if (!site) {
    return site.takeError();
  }
  std::optional<unsigned> dim = findDim(site->op, site->dim);
  if (!dim) {
    return context.refuse("bind_dim", "`" + site->text + "` is the axis of a grid, no dim of an op",
                          "a grid runs on CTAs already");
  }
  bool isFactor = site->kind == ValueKind::Factor;
  llvm::SmallVector<tile::IterFactor> factors = context.factors(site->op, site->dim);
  if (factors.empty()) {
    factors.push_back({Place::open, dimsOf(site->op)[*dim].extent});
  }
  unsigned position = isFactor ? site->factor : 0;
  if (factors[position].place == Place::atom) {
    return context.refuse("bind_atom", "`" + cursor.str() + "` runs inside one instruction",
                          "bind another factor of the dim", {{site->op, "here"}});
  }
  factors[position].place = place;
  if (llvm::Error error = checkFactors(context, site->op, site->dim, factors)) {
    return std::move(error);
  }
  tile::IterAttr next = context.iter(site->op).withFactors(site->dim, factors);
  if (llvm::Error error = checkPlaces(context, site->op, next, {site->dim})) {
    return std::move(error);
  }
  llvm::SmallVector<int> kept;
  for (unsigned i = 0; i < factors.size(); ++i) {
    kept.push_back(isFactor ? static_cast<int>(i) : -1);
  }
  context.setFactors(site->op, site->dim, factors, kept);
  growWarps(context, site->op);
  return context.factorCursor(site->op, site->dim, position);
}

static llvm::Expected<Value> runBind(PrimitiveContext &context, const HostCall &call) {
  Place place = placeNamed(*call.arg("place").getName());
  ValueKind kind = call.arg("f").kind();
  if (kind == ValueKind::Loop) {
    return bindLoop(context, call, place);
  }
  if (kind != ValueKind::Dim && kind != ValueKind::Factor) {
    return context.refuse("bind_kind", call.arg("f").describe() + " cannot be bound to a place",
                          "give a dim (`x.m`), a factor or a loop");
  }
  return placeFactor(context, call.arg("f"), place);
}

void schedule::addBind(PrimitiveRegistry &registry) {
  script::Signature signature;
  signature.name = "bind";
  signature.params = {
      parameter("f", ValueKind::Cursor),
      parameter("place", ValueKind::Name, std::nullopt,
                {"grid", "cluster", "wg", "warpgroup", "warp", "lane", "reg", "vec", "seq"})};
  signature.result = "factor";
  signature.group = "Places";
  signature.doc = "Runs the points of a factor (of a dim without factors: all of them) at a place; "
                  "of a loop, its "
                  "steps side by side. Refused where two instances would write one cell, where a "
                  "reduction's class "
                  "does not allow its parts there, where there are not so many threads, and for "
                  "loops that carry "
                  "a value.";
  signature.before = "%t = tile.load %x[%r, %c]                                  // r: 4";
  signature.after = "%t = tile.load %x[%r, %c] {tile.iter = <r = warp 4>}";
  registry.add({std::move(signature), runBind});
}
