//===- LoopOps.cpp - tile.for and tile.grid -------------------------------===//
//
// Syntax, control flow and rules of the two ops that run a body over a range.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Syntax.h"

#include "tessera/Dialect/Tile/TileOps.h"
#include "tessera/Dialect/Tile/TypeText.h"

using namespace mlir;

namespace tessera::tile {

//===- shared syntax ------------------------------------------------------===//

ParseResult parseRange(OpAsmParser &parser, RangeText &range) {
  StringRef word;
  SMLoc at = parser.getCurrentLocation();
  if (parser.parseKeyword(&word)) {
    return failure();
  }
  if (word != "tiles" && word != "range") {
    return parser.emitError(at) << "expected `tiles` or `range`, found `" << word << "`";
  }
  if (parser.parseLParen() || parser.parseOperand(range.lo) || parser.parseKeyword("to") ||
      parser.parseOperand(range.hi)) {
    return failure();
  }
  if (word == "tiles" && (parser.parseKeyword("by") || parser.parseInteger(range.width))) {
    return failure();
  }
  return parser.parseRParen();
}

void printRange(OpAsmPrinter &printer, Value lo, Value hi, int64_t width) {
  printer << (width == 0 ? "range(" : "tiles(") << lo << " to " << hi;
  if (width != 0) {
    printer << " by " << width;
  }
  printer << ")";
}

Type stepType(MLIRContext *context, int64_t width) {
  // A width that breaks a rule still needs some type: the verifier speaks about the width.
  return width >= 1 ? Type(SpanType::get(context, width)) : Type(IntegerType::get(context, 64));
}

void printName(OpAsmPrinter &printer, BlockArgument argument) {
  printer.printRegionArgument(argument, /*argAttrs=*/{}, /*omitType=*/true);
}

void printRest(OpAsmPrinter &printer, Operation *op, ArrayRef<StringRef> shown) {
  printer.printOptionalAttrDictWithKeyword(op->getAttrs(), shown);
}

//===- ForOp --------------------------------------------------------------===//

ParseResult ForOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &b = parser.getBuilder();
  Arguments arguments(1);
  RangeText range;
  if (parser.parseArgument(arguments[0]) || parser.parseKeyword("in") ||
      parseRange(parser, range)) {
    return failure();
  }
  arguments[0].type = stepType(parser.getContext(), range.width);
  if (succeeded(parser.parseOptionalKeyword("reversed"))) {
    result.addAttribute("reversed", b.getUnitAttr());
  }
  Operands inits;
  SmallVector<Type> types;
  SMLoc initsAt = parser.getCurrentLocation();
  auto parseCarried = [&]() -> ParseResult {
    OpAsmParser::Argument &argument = arguments.emplace_back();
    if (parser.parseArgument(argument) || parser.parseEqual() ||
        parser.parseOperand(inits.emplace_back()) || parser.parseColonType(argument.type)) {
      return failure();
    }
    types.push_back(argument.type);
    return success();
  };
  if (succeeded(parser.parseOptionalKeyword("carry")) &&
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseCarried)) {
    return failure();
  }
  Type i64 = b.getI64Type();
  if (parser.resolveOperand(range.lo, i64, result.operands) ||
      parser.resolveOperand(range.hi, i64, result.operands) ||
      parser.resolveOperands(inits, types, initsAt, result.operands)) {
    return failure();
  }
  result.addAttribute("width", b.getI64IntegerAttr(range.width));
  result.addTypes(types);
  Region *body = result.addRegion();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*body, arguments)) {
    return failure();
  }
  ensureTerminator(*body, b, result.location);
  return success();
}

void ForOp::print(OpAsmPrinter &printer) {
  printer << " ";
  printName(printer, getStep());
  printer << " in ";
  printRange(printer, getLo(), getHi(), getWidth());
  if (getReversed()) {
    printer << " reversed";
  }
  if (!getInits().empty()) {
    printer << " carry(";
    llvm::interleaveComma(llvm::zip(getRegionIterArgs(), getInits()), printer, [&](auto pair) {
      auto [argument, init] = pair;
      printName(printer, argument);
      printer << " = " << init << " : " << init.getType();
    });
    printer << ")";
  }
  printRest(printer, *this, {"width", "reversed"});
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/!getInits().empty());
}

SmallVector<Region *> ForOp::getLoopRegions() { return {&getBody()}; }

Block::BlockArgListType ForOp::getRegionIterArgs() {
  // Interfaces are verified before the rules of the op: the step may still be missing.
  unsigned count = getBody().getNumArguments();
  return getBody().getArguments().take_back(count ? count - 1 : 0);
}

std::optional<MutableArrayRef<OpOperand>> ForOp::getYieldedValuesMutable() {
  return getBody().front().getTerminator()->getOpOperands();
}

std::optional<ResultRange> ForOp::getLoopResults() { return getOperation()->getResults(); }

OperandRange ForOp::getEntrySuccessorOperands(RegionSuccessor successor) { return getInits(); }

void ForOp::getSuccessorRegions(RegionBranchPoint point,
                                SmallVectorImpl<RegionSuccessor> &regions) {
  regions.push_back(RegionSuccessor(&getBody(), getRegionIterArgs()));
  regions.push_back(RegionSuccessor(getOperation(), getOperation()->getResults()));
}

LogicalResult ForOp::verifyRegions() {
  int64_t width = getWidth();
  // C1
  if (width < 0) {
    return emitOpError() << "expected a width of 0 (indices) or more (tiles), found " << width;
  }
  // C2
  Block &block = getBody().front();
  Type step = stepType(getContext(), width);
  if (block.getNumArguments() == 0 || block.getArgument(0).getType() != step) {
    auto error = emitOpError() << "expected a first block argument of type `" << text(step)
                               << "` for " << (width == 0 ? "indices" : "tiles of its width")
                               << ", found ";
    if (block.getNumArguments() == 0) {
      return error << "no block argument";
    }
    return error << "`" << text(block.getArgument(0).getType()) << "`";
  }
  // C3 is verified by LoopLikeOpInterface.
  return success();
}

//===- GridOp -------------------------------------------------------------===//

ParseResult GridOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &b = parser.getBuilder();
  Arguments arguments;
  Operands lows, highs;
  SmallVector<int64_t> widths;
  auto parseAxis = [&]() -> ParseResult {
    RangeText range;
    OpAsmParser::Argument &argument = arguments.emplace_back();
    if (parser.parseArgument(argument) || parser.parseEqual() || parseRange(parser, range)) {
      return failure();
    }
    argument.type = stepType(parser.getContext(), range.width);
    lows.push_back(range.lo);
    highs.push_back(range.hi);
    widths.push_back(range.width);
    return success();
  };
  Type i64 = b.getI64Type();
  Region *body = result.addRegion();
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseAxis) ||
      parser.resolveOperands(lows, i64, result.operands) ||
      parser.resolveOperands(highs, i64, result.operands) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*body, arguments)) {
    return failure();
  }
  result.addAttribute("widths", b.getDenseI64ArrayAttr(widths));
  int32_t axes = static_cast<int32_t>(lows.size());
  result.addAttribute("operandSegmentSizes", b.getDenseI32ArrayAttr({axes, axes}));
  ensureTerminator(*body, b, result.location);
  return success();
}

void GridOp::print(OpAsmPrinter &printer) {
  printer << " (";
  llvm::interleaveComma(llvm::enumerate(getBody().getArguments()), printer, [&](auto pair) {
    unsigned i = pair.index();
    printName(printer, pair.value());
    printer << " = ";
    printRange(printer, getLows()[i], getHighs()[i], getWidths()[i]);
  });
  printer << ")";
  printRest(printer, *this, {"widths", "operandSegmentSizes"});
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/false);
}

LogicalResult GridOp::verify() {
  ArrayRef<int64_t> widths = getWidths();
  Block &block = getBody().front();
  // C1
  if (widths.empty()) {
    return emitOpError()
           << "expected at least one axis, found none: a kernel that runs once has its ops "
              "directly in the body";
  }
  if (getLows().size() != widths.size() || getHighs().size() != widths.size() ||
      block.getNumArguments() != widths.size()) {
    return emitOpError() << "expected one low, high, width and block argument for each axis, found "
                         << getLows().size() << " lows, " << getHighs().size() << " highs, "
                         << widths.size() << " widths and " << block.getNumArguments()
                         << " block arguments";
  }
  for (auto [i, width] : llvm::enumerate(widths)) {
    // C2
    if (width < 0) {
      return emitOpError() << "expected widths of 0 (indices) or more (tiles), found " << width
                           << " at axis " << i;
    }
    // C3
    Type step = stepType(getContext(), width);
    if (block.getArgument(i).getType() != step) {
      return emitOpError() << "expected block argument " << i << " of type `" << text(step)
                           << "`, found `" << text(block.getArgument(i).getType()) << "`";
    }
  }
  // C4
  auto kernel = dyn_cast_or_null<KernelOp>((*this)->getParentOp());
  if (!kernel || (*this)->getParentRegion() != &kernel.getBody()) {
    return emitOpError()
           << "expected to stand directly in the body of a `tile.kernel`: launch the kernel "
              "for a second grid, or use `tile.for` inside one";
  }
  for (auto other : kernel.getBody().front().getOps<GridOp>()) {
    if (other != *this && other->isBeforeInBlock(*this)) {
      InFlightDiagnostic error =
          emitOpError()
          << "expected one grid in a kernel, found a second one: make it one grid, or two "
             "kernels";
      error.attachNote(other.getLoc()) << "the first grid is here";
      return error;
    }
  }
  return success();
}

} // namespace tessera::tile
