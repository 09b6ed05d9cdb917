//===- ViewIndex.cpp - indexing of views ----------------------------------===//
//
// The text `[%r, :, %i]` and the shape of the box that it cuts out of a view.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tile/TileOps.h"

using namespace mlir;

namespace tessera::tile {

ParseResult parseIndex(OpAsmParser &parser,
                       SmallVectorImpl<OpAsmParser::UnresolvedOperand> &indices,
                       DenseBoolArrayAttr &whole) {
  SmallVector<bool> flags;
  auto parseOne = [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalColon())) {
      flags.push_back(true);
      return success();
    }
    flags.push_back(false);
    return parser.parseOperand(indices.emplace_back());
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, parseOne)) {
    return failure();
  }
  whole = parser.getBuilder().getDenseBoolArrayAttr(flags);
  return success();
}

void printIndex(OpAsmPrinter &printer, Operation *op, OperandRange indices,
                DenseBoolArrayAttr whole) {
  printer << "[";
  unsigned next = 0;
  llvm::interleaveComma(whole.asArrayRef(), printer, [&](bool isWhole) {
    if (isWhole) {
      printer << ":";
    } else if (next < indices.size()) {
      printer << indices[next++];
    }
  });
  printer << "]";
}

std::optional<SmallVector<int64_t>> boxShape(ViewType view, ValueRange indices,
                                             ArrayRef<bool> whole) {
  SmallVector<int64_t> shape;
  if (static_cast<int64_t>(whole.size()) != view.getRank()) {
    return std::nullopt;
  }
  size_t next = 0;
  for (auto [extent, isWhole] : llvm::zip(view.getShape(), whole)) {
    if (isWhole) {
      if (ShapedType::isDynamic(extent)) {
        return std::nullopt;
      }
      shape.push_back(extent);
      continue;
    }
    if (next == indices.size()) {
      return std::nullopt;
    }
    Type index = indices[next++].getType();
    if (auto span = dyn_cast<SpanType>(index)) {
      shape.push_back(span.getWidth());
    } else {
      llvm::append_range(shape, shapeOf(index));
    }
  }
  if (next != indices.size()) {
    return std::nullopt;
  }
  return shape;
}

} // namespace tessera::tile
