// reorder: which of several factors, dims or loops is the outer one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Loops.h"
#include "Places.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::schedule;
using script::ValueKind;

/// Factors of one dim in another order: their positions, sorted, are given out anew in the order of the call.
static llvm::Expected<Value> reorderFactors(PrimitiveContext &context, llvm::ArrayRef<Site> sites) {
  mlir::Operation *op = sites.front().op;
  const std::string &dim = sites.front().dim;
  llvm::SmallVector<tile::IterFactor> now = context.factors(op, dim), next = now;
  llvm::SmallVector<unsigned> positions;
  for (const Site &site : sites) {
    positions.push_back(site.factor);
  }
  llvm::SmallVector<unsigned> sorted = positions;
  llvm::sort(sorted);
  llvm::SmallVector<int> kept;
  for (unsigned i = 0; i < now.size(); ++i) {
    kept.push_back(i);
  }
  for (auto [to, from] : llvm::zip(sorted, positions)) {
    next[to] = now[from];
    kept[to] = from;
  }
  if (llvm::Error error = checkFactors(context, op, dim, next)) {
    return std::move(error);
  }
  tile::IterAttr attribute = context.iter(op).withFactors(dim, next);
  // The points that a thread has are others now: what they depended on is asked again.
  if (llvm::Error error = checkPlaces(context, op, attribute, {dim})) {
    return std::move(error);
  }
  context.note("the factors of `" + context.text(op) + "." + context.dimName(op, dim) +
               "` reach the same points in any order");
  context.setFactors(op, dim, next, kept);
  std::vector<Value> cursors;
  for (unsigned position : sorted) {
    cursors.push_back(context.factorCursor(op, dim, position));
  }
  return Value::list(std::move(cursors));
}

/// Dims of one op in another nesting: factors of one place nest in the order of the dims.
static llvm::Expected<Value> reorderDims(PrimitiveContext &context, llvm::ArrayRef<Site> sites) {
  mlir::Operation *op = sites.front().op;
  tile::IterAttr now = context.iter(op);
  llvm::SmallVector<std::string> order, given;
  for (const Site &site : sites) {
    given.push_back(site.dim);
    if (!now.has(site.dim)) {
      return context.refuse("reorder_dim", "`" + site.text + "` has no factors to nest yet",
                            "`split` or `bind` it first", {{op, "here"}});
    }
  }
  unsigned next = 0;
  for (mlir::StringAttr dim : now.getDims()) {
    bool isGiven = llvm::is_contained(given, dim.getValue());
    order.push_back(isGiven ? given[next++] : dim.getValue().str());
  }
  context.note("the dims of `" + context.text(op) + "` reach the same points in any nesting");
  tile::IterAttr nested = tile::IterAttr::getEmpty(context.mlir());
  for (const std::string &dim : order) {
    nested = nested.withFactors(dim, now.getFactors(dim));
  }
  context.setIter(op, nested);
  std::vector<Value> cursors;
  for (const std::string &dim : given) {
    cursors.push_back(context.dimCursor(op, dim));
  }
  return Value::list(std::move(cursors));
}

static llvm::Expected<Value> runReorder(PrimitiveContext &context, const HostCall &call) {
  const std::vector<Value> &rest = *call.arg("rest").getList();
  std::vector<Value> cursors{call.arg("first")};
  cursors.insert(cursors.end(), rest.begin(), rest.end());
  if (cursors.size() < 2) {
    return context.refuse("reorder_count", "one of them alone has no order",
                          "give two or more, the outermost first");
  }
  if (cursors.front().kind() == ValueKind::Loop) {
    return reorderLoops(context, call);
  }
  llvm::SmallVector<Site> sites;
  for (const Value &cursor : cursors) {
    llvm::Expected<Site> site = context.resolve(cursor);
    if (!site) {
      return site.takeError();
    }
    bool isDim = site->kind == ValueKind::Dim || site->kind == ValueKind::Factor;
    if (!isDim || (!sites.empty() && site->op != sites.front().op)) {
      return context.refuse("reorder_kind",
                            "`" + cursor.str() + "` is no dim or factor of the op of the first one",
                            "give factors of one dim, or dims of one op, or loops");
    }
    sites.push_back(std::move(*site));
  }
  auto isFactorOf = [&](const Site &site) {
    return site.kind == ValueKind::Factor && site.dim == sites.front().dim;
  };
  llvm::SmallVector<std::pair<std::string, unsigned>> seen;
  for (const Site &site : sites) {
    std::pair<std::string, unsigned> key{site.dim,
                                         site.kind == ValueKind::Factor ? site.factor + 1 : 0};
    if (llvm::is_contained(seen, key)) {
      return context.refuse("reorder_twice", "`" + site.text + "` is given twice",
                            "give each of them once");
    }
    seen.push_back(key);
  }
  if (hasOrder(sites.front().op)) {
    Refusal refusal{"reorder_order",
                    "`" + context.text(sites.front().op) +
                        "` lets the last of two elements for one cell win",
                    "leave its dims in order, or write `conflict = error` in the kernel",
                    {{sites.front().op, "it writes here"}}};
    if (llvm::Error error =
            context.require(false, "the last of two elements for one cell stays it", refusal)) {
      return std::move(error);
    }
  }
  if (llvm::all_of(sites, isFactorOf)) {
    return reorderFactors(context, sites);
  }
  bool areDims = llvm::all_of(sites, [](const Site &site) { return site.kind == ValueKind::Dim; });
  if (!areDims) {
    return context.refuse("reorder_kind", "they are factors of different dims",
                          "nest the dims (`reorder(x.m, x.n)`), or factors of one dim");
  }
  return reorderDims(context, sites);
}

void schedule::addReorder(PrimitiveRegistry &registry) {
  script::Signature signature;
  signature.name = "reorder";
  signature.params = {parameter("first", ValueKind::Cursor),
                      parameter("rest", ValueKind::Cursor, std::nullopt, {}, /*isVariadic=*/true)};
  signature.result = "list";
  signature.group = "Dims and loops";
  signature.doc =
      "Nests factors of one dim, dims of one op, or loops that are nested without a statement "
      "between, "
      "in the order given, the outermost first. Of an op it always holds: its points are the same. "
      "Refused for loops where a bound of the inner one depends on the outer one, where a value is "
      "carried, and where a step would come before one that it depends on.";
  signature.before = "%t = tile.load %x[%r, %c] {tile.iter = <c = reg 4 * lane 32>}";
  signature.after = "%t = tile.load %x[%r, %c] {tile.iter = <c = lane 32 * reg 4>}";
  registry.add({std::move(signature), runReorder});
}
