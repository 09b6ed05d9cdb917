// set_layout: where the elements of a buf lie.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Layout/Notation.h"
#include "tessera/Schedule/Primitive.h"

using namespace tessera;
using namespace tessera::schedule;
using script::ValueKind;

static llvm::Expected<Value> runSetLayout(PrimitiveContext &context, const HostCall &call) {
  llvm::Expected<tile::AllocOp> alloc = context.opOf<tile::AllocOp>(call.arg("b"), "a buf");
  if (!alloc) {
    return alloc.takeError();
  }
  tile::BufType type = alloc->getResult().getType();
  llvm::Expected<Layout> layout = context.layout(call.arg("layout"), type);
  if (!layout) {
    return layout.takeError();
  }
  std::string text = printLayout(layout->coalesce());
  // Exact: linear algebra over the bits and divisibility of the strides, no search.
  bool isInjective = tessera::isInjective(*layout);
  if (!isInjective) {
    return context.refuse("layout_injective",
                          "`" + call.arg("layout").str() + "` gives two elements of `" +
                              call.arg("b").str() + "` one place",
                          "choose strides without overlap", {{*alloc, "the buf is made here"}});
  }
  context.note("`" + text + "` gives each element of `" + call.arg("b").str() +
               "` a place of its own");
  mlir::RewriterBase &rewriter = context.rewriter();
  tile::BufType next = type.withLayout(rewriter.getStringAttr(printLayout(*layout)));
  rewriter.modifyOpInPlace(*alloc, [&] { alloc->getResult().setType(next); });
  return Value();
}

void schedule::addSetLayout(PrimitiveRegistry &registry) {
  script::Signature signature;
  signature.name = "set_layout";
  signature.params = {parameter("b", ValueKind::Buf), parameter("layout", ValueKind::Layout)};
  signature.group = "Memory";
  signature.doc =
      "The elements of the buf lie as the layout says; without it layout assignment chooses. "
      "Refused "
      "where the layout has another shape than the buf or gives two elements one place.";
  signature.before = "%a = tile.alloc : !tile.buf<128x32xbf16, shared>";
  signature.after =
      "%a = tile.alloc : !tile.buf<128x32xbf16, shared, layout = \"(128,32):(32,1)\">";
  registry.add({std::move(signature), runSetLayout});
}
