// set_layout: where the elements of a buf lie.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Memory.h"

#include "tessera/Layout/Access.h"
#include "tessera/Layout/Notation.h"
#include "tessera/Schedule/Dims.h"

using namespace tessera;
using namespace tessera::schedule;
using script::ValueKind;

llvm::Error schedule::checkNeighbours(PrimitiveContext &context, mlir::Operation *access,
                                      const Layout &layout, const Neighbours &wanted) {
  llvm::Expected<int64_t> run = contiguousRun(layout, "i" + std::to_string(wanted.axis));
  if (!run) {
    return run.takeError();
  }
  std::string count = std::to_string(wanted.count);
  Refusal refusal{
      wanted.code,
      wanted.what + " accesses " + count + " neighbours at once, and in the layout `" +
          printLayout(layout) + "` there are " + std::to_string(*run) + " along axis " +
          std::to_string(wanted.axis),
      "choose a layout whose rows run along that axis, before `replace` and `vectorize`",
      {{access, "it is accessed here"}}};
  return context.require(*run % wanted.count == 0,
                         wanted.what + " finds " + count + " neighbours side by side", refusal);
}

/// How many neighbours along the last axis an instruction accesses at once; 0 where it wants one of a few layouts.
static int64_t neighboursOf(tile::ApplyOp apply, mlir::Operation *access, mlir::Type element) {
  auto instr =
      mlir::SymbolTable::lookupNearestSymbolFrom<tile::InstrOp>(apply, apply.getInstrAttr());
  int64_t count = 1;
  for (mlir::Attribute operand : instr ? instr.getOperandInfo() : mlir::ArrayAttr()) {
    auto info = llvm::cast<mlir::DictionaryAttr>(operand);
    if (info.getAs<mlir::StringAttr>("kind").getValue() != "smem") {
      continue;
    }
    if (info.contains("families")) {
      return 0;
    }
    if (auto rows = info.getAs<mlir::IntegerAttr>("rows")) {
      count = std::max(count, rows.getInt());
    } else if (auto iter = access->getAttrOfType<tile::IterAttr>(tile::iterAttrName);
               iter && info.contains("contiguous")) {
      for (const tile::IterFactor &factor : iter.getFactors(dimsOf(access).back().name)) {
        count = std::max(count, factor.place == tile::Place::atom ? factor.steps : 1);
      }
    }
    if (auto align = info.getAs<mlir::IntegerAttr>("align")) {
      int64_t bytes = (element.getIntOrFloatBitWidth() + 7) / 8;
      count = std::max(count, align.getInt() / bytes);
    }
  }
  return count;
}

/// What is accessed in vectors, or by instructions, finds its elements where it expects them.
static llvm::Error checkAccesses(PrimitiveContext &context, tile::AllocOp alloc,
                                 const Layout &layout) {
  tile::BufType type = alloc.getResult().getType();
  for (const MemoryAccess &access : accessesTo(alloc.getResult())) {
    auto iter = access.op->getAttrOfType<tile::IterAttr>(tile::iterAttrName);
    for (auto [axis, dim] : llvm::enumerate(dimsOf(access.op))) {
      int64_t count = 1;
      if (iter && iter.has(dim.name)) {
        for (const tile::IterFactor &factor : iter.getFactors(dim.name)) {
          count *= factor.place == tile::Place::vec ? factor.steps : 1;
        }
      }
      Neighbours wanted{static_cast<unsigned>(axis), count, quoted(context, access.op),
                        "layout_vector"};
      if (llvm::Error error = count > 1 ? checkNeighbours(context, access.op, layout, wanted)
                                        : llvm::Error::success()) {
        return error;
      }
    }
    auto apply = access.op->getParentOfType<tile::ApplyOp>();
    int64_t count = apply ? neighboursOf(apply, access.op, type.getElementType()) : 1;
    if (count == 0 && type.getLayout() && type.getLayout().getValue() != printLayout(layout)) {
      return context.require(false, "the instruction has this layout, too",
                             {"layout_family",
                              quoted(context, access.op) + " is done by `" +
                                  apply.getInstr().str() +
                                  "`, which was fitted to the layout that the buf has",
                              "set the layout before `replace`",
                              {{access.op, "here"}}});
    }
    Neighbours wanted{type.getShape().empty() ? 0 : unsigned(type.getShape().size() - 1), count,
                      apply ? "`" + apply.getInstr().str() + "`" : "", "layout_instr"};
    if (llvm::Error error = count > 1 ? checkNeighbours(context, access.op, layout, wanted)
                                      : llvm::Error::success()) {
      return error;
    }
  }
  return llvm::Error::success();
}

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
  if (llvm::Error error = checkAccesses(context, *alloc, *layout)) {
    return std::move(error);
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
      "where the layout has another shape than the buf or gives two elements one place, and where "
      "vectors or instructions that access the buf find no neighbours in it.";
  signature.before = "%a = tile.alloc : !tile.buf<128x32xbf16, shared>";
  signature.after =
      "%a = tile.alloc : !tile.buf<128x32xbf16, shared, layout = \"(128,32):(32,1)\">";
  registry.add({std::move(signature), runSetLayout});
}
