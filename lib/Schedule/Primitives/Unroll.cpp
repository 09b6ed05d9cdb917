// unroll: the steps of a factor or of a loop one after the other, without a loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Loops.h"
#include "Places.h"

using namespace tessera;
using namespace tessera::schedule;
using script::ValueKind;

static llvm::Expected<Value> runUnroll(PrimitiveContext &context, const HostCall &call) {
  ValueKind kind = call.arg("l").kind();
  if (kind == ValueKind::Loop) {
    return unrollLoop(context, call);
  }
  if (kind != ValueKind::Dim && kind != ValueKind::Factor) {
    return context.refuse("unroll_kind", call.arg("l").describe() + " cannot be unrolled",
                          "give a loop, or a factor of a dim");
  }
  return placeFactor(context, call.arg("l"), tile::Place::reg);
}

void schedule::addUnroll(PrimitiveRegistry &registry) {
  script::Signature signature;
  signature.name = "unroll";
  signature.params = {parameter("l", ValueKind::Cursor)};
  signature.result = "factor, or {first, …} of a loop's copies";
  signature.group = "Dims and loops";
  signature.doc = "A factor runs in registers, unrolled. A loop becomes as many copies of its body "
                  "as it has steps; "
                  "a cursor into the body is ambiguous afterwards between the copies `0`, `1`, …. "
                  "Refused where the "
                  "number of steps is no constant, or the copies are more than 4096 ops, and for a "
                  "loop that is cut into sections.";
  signature.before = "%0 = tile.for %k in range(%c0 to %c2) carry(%a = %z) { … }";
  signature.after = "… ; …";
  registry.add({std::move(signature), runUnroll});
}
