// vectorize: a factor as one access.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Places.h"

using namespace tessera;
using namespace tessera::schedule;
using script::ValueKind;

static llvm::Expected<Value> runVectorize(PrimitiveContext &context, const HostCall &call) {
  return placeFactor(context, call.arg("f"), tile::Place::vec);
}

void schedule::addVectorize(PrimitiveRegistry &registry) {
  script::Signature signature;
  signature.name = "vectorize";
  signature.params = {parameter("f", ValueKind::Dim)};
  signature.result = "factor";
  signature.group = "Places";
  signature.doc =
      "The points of the factor are one vector: of an op on memory, one access. Refused where the "
      "factor is not the innermost one of its dim, where an access would have other than 1, 2, 4, "
      "8 or "
      "16 bytes, where its elements are no neighbours, where its address may be no multiple of its "
      "size, and where a part of it may be absent.";
  signature.before = "%t = tile.load %x[%r, %c] {tile.iter = <c = open 512 * open 8>}";
  signature.after = "%t = tile.load %x[%r, %c] {tile.iter = <c = open 512 * vec 8>}";
  registry.add({std::move(signature), runVectorize});
}
