//===- FormulaOps.cpp - tile.map, tile.fold, tile.at ----------------------===//
//
// Syntax and rules of index notation.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Syntax.h"

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Dialect/Tile/TileOps.h"
#include "tessera/Dialect/Tile/TypeText.h"

using namespace mlir;

namespace tessera::tile {

/// The region of the enclosing kernel that `op` lies in, and whether that region holds formulas. Ops outside a kernel
/// are let pass: they have not been placed yet.
static bool standsIn(Operation *op, bool withWhere) {
  auto kernel = op->getParentOfType<KernelOp>();
  if (!kernel) {
    return true;
  }
  auto inside = [&](Region &region) { return region.isAncestor(op->getParentRegion()); };
  return inside(kernel.getReference()) || inside(kernel.getTolerance()) ||
         (withWhere && inside(kernel.getWhere()));
}

//===- AtOp ---------------------------------------------------------------===//

LogicalResult AtOp::verify() {
  Type array = getArray().getType();
  int64_t rank = isa<ViewType>(array) ? cast<ViewType>(array).getRank()
                                      : cast<RankedTensorType>(array).getRank();
  // C1
  if (static_cast<int64_t>(getIndices().size()) != rank) {
    return emitOpError() << "expected an index for each of " << rank << " axes, found "
                         << getIndices().size();
  }
  // C2
  if (getResult().getType() != elementTypeOf(array)) {
    return emitOpError() << "expected a result of the element type `" << text(elementTypeOf(array))
                         << "`, found `" << text(getResult().getType()) << "`";
  }
  // C3
  if (!standsIn(*this, /*withWhere=*/true)) {
    return emitOpError()
           << "expected to stand in `reference`, `tolerance` or `where`: use `tile.load` in the "
              "body of a kernel";
  }
  return success();
}

//===- FoldOp -------------------------------------------------------------===//

ParseResult FoldOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &b = parser.getBuilder();
  SMLoc at = parser.getCurrentLocation();
  StringRef word;
  OpAsmParser::Argument index;
  OpAsmParser::UnresolvedOperand lo, hi;
  if (parser.parseKeyword(&word)) {
    return failure();
  }
  std::optional<FoldKind> kind = symbolizeFoldKind(word);
  if (!kind) {
    return parser.emitError(at)
           << "expected `sum`, `prod`, `max`, `min`, `count`, `any`, `all` or `first`, "
              "found `"
           << word << "`";
  }
  index.type = b.getI64Type();
  Region *body = result.addRegion();
  if (parser.parseArgument(index) || parser.parseKeyword("in") || parser.parseLParen() ||
      parser.parseOperand(lo) || parser.parseKeyword("to") || parser.parseOperand(hi) ||
      parser.parseRParen() || parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseArrowTypeList(result.types) ||
      parser.resolveOperands({lo, hi}, b.getI64Type(), result.operands) ||
      parser.parseRegion(*body, {index})) {
    return failure();
  }
  result.addAttribute("kind", FoldKindAttr::get(parser.getContext(), *kind));
  ensureTerminator(*body, b, result.location);
  return success();
}

void FoldOp::print(OpAsmPrinter &printer) {
  printer << " " << stringifyFoldKind(getKind()) << " ";
  printName(printer, getBody().getArgument(0));
  printer << " in (" << getLo() << " to " << getHi() << ")";
  printRest(printer, *this, {"kind"});
  printer << " -> " << getResult().getType() << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult FoldOp::verifyRegions() {
  Block &block = getBody().front();
  // C1
  if (block.getNumArguments() != 1 || !block.getArgument(0).getType().isSignlessInteger(64)) {
    return emitOpError() << "expected a region with one `i64` argument, found ("
                         << text(TypeRange(block.getArgumentTypes())) << ")";
  }
  TypeRange yielded = block.getTerminator()->getOperandTypes();
  if (yielded.size() != 1 || !isElementType(yielded[0])) {
    return emitOpError() << "expected the region to yield one scalar, found (" << text(yielded)
                         << ")";
  }
  FoldKind kind = getKind();
  Type type = getResult().getType();
  switch (kind) {
  case FoldKind::count:
  case FoldKind::any:
  case FoldKind::all:
  case FoldKind::first: {
    // C2
    if (!yielded[0].isSignlessInteger(1)) {
      return emitOpError() << "expected `" << stringifyFoldKind(kind)
                           << "` to combine truth values (`i1`), found `" << text(yielded[0])
                           << "`";
    }
    bool isIndex = kind == FoldKind::count || kind == FoldKind::first;
    Type wanted = isIndex ? IntegerType::get(getContext(), 64) : yielded[0];
    if (type != wanted) {
      return emitOpError() << "expected a result of type `" << text(wanted) << "` for `"
                           << stringifyFoldKind(kind) << "`, found `" << text(type) << "`";
    }
    return success();
  }
  default: {
    // C3
    DType dtype = dtypeOf(yielded[0]);
    if (isBool(dtype) || isFp8(dtype)) {
      return emitOpError() << "expected `" << stringifyFoldKind(kind)
                           << "` to combine numbers, found `" << text(yielded[0])
                           << "`: cast the terms to a number type";
    }
    if (type != yielded[0]) {
      return emitOpError() << "expected a result of the yielded type `" << text(yielded[0])
                           << "`, found `" << text(type) << "`";
    }
    return success();
  }
  }
}

//===- MapOp --------------------------------------------------------------===//

ParseResult MapOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &b = parser.getBuilder();
  Arguments arguments;
  Operands lows, highs;
  auto parseAxis = [&]() -> ParseResult {
    arguments.emplace_back().type = b.getI64Type();
    return failure(parser.parseArgument(arguments.back()) || parser.parseKeyword("in") ||
                   parser.parseOperand(lows.emplace_back()) || parser.parseKeyword("to") ||
                   parser.parseOperand(highs.emplace_back()));
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseAxis)) {
    return failure();
  }
  bool hasSelf = succeeded(parser.parseOptionalKeyword("self"));
  if (hasSelf) {
    int64_t axis = 0;
    if (parser.parseArgument(arguments.emplace_back()) || parser.parseKeyword("along") ||
        parser.parseInteger(axis)) {
      return failure();
    }
    result.addAttribute("self", b.getUnitAttr());
    result.addAttribute("axis", b.getI64IntegerAttr(axis));
    if (succeeded(parser.parseOptionalKeyword("descending"))) {
      result.addAttribute("descending", b.getUnitAttr());
    }
  }
  Type type;
  Region *body = result.addRegion();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) || parser.parseArrow() ||
      parser.parseType(type) || parser.resolveOperands(lows, b.getI64Type(), result.operands) ||
      parser.resolveOperands(highs, b.getI64Type(), result.operands)) {
    return failure();
  }
  if (hasSelf) {
    arguments.back().type = type;
  }
  result.addTypes(type);
  int32_t axes = static_cast<int32_t>(lows.size());
  result.addAttribute("operandSegmentSizes", b.getDenseI32ArrayAttr({axes, axes}));
  if (parser.parseRegion(*body, arguments)) {
    return failure();
  }
  ensureTerminator(*body, b, result.location);
  return success();
}

void MapOp::print(OpAsmPrinter &printer) {
  printer << " (";
  unsigned axes = getLows().size();
  llvm::interleaveComma(llvm::seq(0u, axes), printer, [&](unsigned i) {
    printName(printer, getBody().getArgument(i));
    printer << " in " << getLows()[i] << " to " << getHighs()[i];
  });
  printer << ")";
  if (getSelf()) {
    printer << " self ";
    printName(printer, getBody().getArgument(axes));
    printer << " along " << getAxis().value_or(0);
    if (getDescending()) {
      printer << " descending";
    }
  }
  SmallVector<StringRef> shown = {"operandSegmentSizes", "self"};
  if (getSelf()) {
    shown.append({"axis", "descending"});
  }
  printRest(printer, *this, shown);
  printer << " -> " << getResult().getType() << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

/// C4
static LogicalResult verifyRecurrence(MapOp map) {
  std::optional<uint64_t> axis = map.getAxis();
  if (!map.getSelf()) {
    if (axis || map.getDescending()) {
      return map.emitOpError()
             << "expected `axis` and `descending` only with `self`: without it there is no "
                "recurrence";
    }
    return success();
  }
  int64_t rank = cast<RankedTensorType>(map.getResult().getType()).getRank();
  if (!axis || static_cast<int64_t>(*axis) < 0 || static_cast<int64_t>(*axis) >= rank) {
    return map.emitOpError() << "expected the axis of the recurrence in 0 to " << rank - 1
                             << ", found "
                             << (axis ? std::to_string(static_cast<int64_t>(*axis)) : "none");
  }
  for (Operation *user : map.getBody().getArguments().back().getUsers()) {
    if (!isa<AtOp>(user)) {
      InFlightDiagnostic error =
          map.emitOpError() << "expected the array itself to be read by `tile.at` only, found `"
                            << user->getName() << "`";
      error.attachNote(user->getLoc()) << "used here";
      return error;
    }
  }
  return success();
}

LogicalResult MapOp::verifyRegions() {
  auto type = cast<RankedTensorType>(getResult().getType());
  int64_t rank = type.getRank();
  // C1
  if (static_cast<int64_t>(getLows().size()) != rank ||
      static_cast<int64_t>(getHighs().size()) != rank) {
    return emitOpError() << "expected " << rank
                         << " lows and highs, one of each for each axis of the result, "
                         << "found " << getLows().size() << " and " << getHighs().size();
  }
  // C2
  SmallVector<Type> wanted(rank, IntegerType::get(getContext(), 64));
  if (getSelf()) {
    wanted.push_back(type);
  }
  Block &block = getBody().front();
  if (TypeRange(block.getArgumentTypes()) != TypeRange(wanted)) {
    return emitOpError() << "expected a region with arguments (" << text(TypeRange(wanted))
                         << "), found (" << text(TypeRange(block.getArgumentTypes())) << ")";
  }
  // C3
  TypeRange yielded = block.getTerminator()->getOperandTypes();
  if (yielded.size() != 1 || yielded[0] != type.getElementType()) {
    return emitOpError() << "expected the region to yield one `" << text(type.getElementType())
                         << "`, found (" << text(yielded) << ")";
  }
  if (failed(verifyRecurrence(*this))) {
    return failure();
  }
  // C5
  if (!standsIn(*this, /*withWhere=*/false)) {
    return emitOpError()
           << "expected to stand in `reference` or `tolerance`: the body of a kernel works on "
              "tiles";
  }
  return success();
}

} // namespace tessera::tile
