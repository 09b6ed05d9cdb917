// split: a dim or a loop in two.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Loops.h"
#include "Places.h"

#include "tessera/Schedule/Dims.h"

using namespace tessera;
using namespace tessera::schedule;
using script::ValueKind;

/// Factors of a dim: `q` points of it become the inner part. A dim without factors has one that is its whole extent.
static llvm::Expected<Value> splitDim(PrimitiveContext &context, const HostCall &call, int64_t q) {
  llvm::Expected<Site> site = context.dim(call.arg("d"));
  if (!site) {
    return site.takeError();
  }
  std::optional<unsigned> dim = findDim(site->op, site->dim);
  if (!dim) {
    return context.refuse("split_dim",
                          "`" + site->text + "` is the axis of a grid, no dim of an op",
                          "change the width of its tiles in the kernel");
  }
  bool isFactor = site->kind == ValueKind::Factor;
  tile::IterFactor whole{tile::Place::open, dimsOf(site->op)[*dim].extent};
  if (isFactor) {
    whole = context.factors(site->op, site->dim)[site->factor];
  }
  // A last part that is not full is absence: points beyond the extent do nothing.
  constexpr int64_t most = int64_t(1) << 31;
  tile::IterFactor outer{whole.place, (whole.steps - 1) / q + 1},
      inner{whole.place, std::min(q, most + 1)};
  llvm::SmallVector<tile::IterFactor> all = context.factors(site->op, site->dim);
  unsigned position = isFactor ? site->factor : 0;
  if (isFactor) {
    all[position] = outer;
    all.insert(all.begin() + position + 1, inner);
  } else {
    all = {outer, inner};
  }
  if (llvm::Error error = checkFactors(context, site->op, site->dim, all)) {
    return std::move(error);
  }
  context.note("`" + site->text + "` in parts of " + llvm::Twine(q) +
               " has the same points, the rest is absent");
  context.splitFactor(site->op, site->dim, position, {outer, inner}, {"outer", "inner"});
  return Value::record({{"outer", context.factorCursor(site->op, site->dim, position)},
                        {"inner", context.factorCursor(site->op, site->dim, position + 1)}});
}

static llvm::Expected<Value> runSplit(PrimitiveContext &context, const HostCall &call) {
  int64_t q = *call.arg("q").getInteger();
  if (q < 1) {
    return context.refuse("split_factor", "the factor " + llvm::Twine(q) + " is not positive",
                          "split by 1 or more");
  }
  ValueKind kind = call.arg("d").kind();
  if (kind == ValueKind::Loop) {
    return splitLoop(context, call, q);
  }
  if (kind != ValueKind::Dim && kind != ValueKind::Factor) {
    return context.refuse("split_kind", call.arg("d").describe() + " cannot be split",
                          "give a dim (`x.m`), a factor or a loop");
  }
  return splitDim(context, call, q);
}

void schedule::addSplit(PrimitiveRegistry &registry) {
  script::Signature signature;
  signature.name = "split";
  signature.params = {parameter("d", ValueKind::Cursor), parameter("q", ValueKind::Int)};
  signature.result = "{outer, inner}";
  signature.group = "Dims and loops";
  signature.doc =
      "Cuts a dim of an op, or one of its factors, into an outer part and an inner part of q "
      "points; "
      "where q does not divide it, the last part is absent beyond the end. Of a loop it makes two: "
      "q "
      "steps of it are one step of the outer one, in the same order, the last one may be shorter. "
      "Refused where q is not positive.";
  signature.before = "%t = tile.load %x[%r, %c]                                  // c: 4096";
  signature.after = "%t = tile.load %x[%r, %c] {tile.iter = <c = open 16 * open 256>}";
  registry.add({std::move(signature), runSplit});
}
