//===- LoopOps.cpp - tile.for, tile.grid, tile.tasks ----------------------===//
//
// Syntax, control flow and rules of the ops that run a body over ranges.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Syntax.h"
#include "Verify.h"

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
  return verifySections(block);
}

//===- GridOp -------------------------------------------------------------===//

/// `(%m = tiles(%lo to %hi by 64), …) grouped 8`, attributes and the body; `grouped` for tasks only.
template <class Op> static ParseResult parseDomain(OpAsmParser &parser, OperationState &result) {
  constexpr bool isTasks = std::is_same_v<Op, TasksOp>;
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
  int64_t grouped = 0;
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseAxis) ||
      (isTasks && succeeded(parser.parseOptionalKeyword("grouped")) &&
       parser.parseInteger(grouped))) {
    return failure();
  }
  if (parser.resolveOperands(lows, i64, result.operands) ||
      parser.resolveOperands(highs, i64, result.operands) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*body, arguments)) {
    return failure();
  }
  if (grouped != 0) {
    result.addAttribute("grouped", b.getI64IntegerAttr(grouped));
  }
  result.addAttribute("widths", b.getDenseI64ArrayAttr(widths));
  int32_t axes = static_cast<int32_t>(lows.size());
  result.addAttribute("operandSegmentSizes", b.getDenseI32ArrayAttr({axes, axes}));
  Op::ensureTerminator(*body, b, result.location);
  return success();
}

template <class Op> static void printDomain(OpAsmPrinter &printer, Op op) {
  printer << " (";
  llvm::interleaveComma(llvm::enumerate(op.getBody().getArguments()), printer, [&](auto pair) {
    unsigned i = pair.index();
    printName(printer, pair.value());
    printer << " = ";
    printRange(printer, op.getLows()[i], op.getHighs()[i], op.getWidths()[i]);
  });
  printer << ")";
}

ParseResult GridOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseDomain<GridOp>(parser, result);
}

void GridOp::print(OpAsmPrinter &printer) {
  printDomain(printer, *this);
  printRest(printer, *this, {"widths", "operandSegmentSizes"});
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/false);
}

/// C1 to C3 of grids and tasks.
template <class Op> static LogicalResult verifyDomain(Op op) {
  ArrayRef<int64_t> widths = op.getWidths();
  Block &block = op.getBody().front();
  // C1
  if (widths.empty()) {
    return op.emitOpError()
           << "expected at least one axis, found none: a kernel that runs once has its ops "
              "directly in the body";
  }
  if (op.getLows().size() != widths.size() || op.getHighs().size() != widths.size() ||
      block.getNumArguments() != widths.size()) {
    return op.emitOpError()
           << "expected one low, high, width and block argument for each axis, found "
           << op.getLows().size() << " lows, " << op.getHighs().size() << " highs, "
           << widths.size() << " widths and " << block.getNumArguments() << " block arguments";
  }
  for (auto [i, width] : llvm::enumerate(widths)) {
    // C2
    if (width < 0) {
      return op.emitOpError() << "expected widths of 0 (indices) or more (tiles), found " << width
                              << " at axis " << i;
    }
    // C3
    Type step = stepType(op.getContext(), width);
    if (block.getArgument(i).getType() != step) {
      return op.emitOpError() << "expected block argument " << i << " of type `" << text(step)
                              << "`, found `" << text(block.getArgument(i).getType()) << "`";
    }
  }
  return success();
}

LogicalResult GridOp::verify() {
  // C1, C2, C3
  if (failed(verifyDomain(*this))) {
    return failure();
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

//===- TasksOp ------------------------------------------------------------===//

ParseResult TasksOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseDomain<TasksOp>(parser, result);
}

void TasksOp::print(OpAsmPrinter &printer) {
  printDomain(printer, *this);
  if (int64_t grouped = getGrouped()) {
    printer << " grouped " << grouped;
  }
  printRest(printer, *this, {"widths", "operandSegmentSizes", "grouped"});
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/false);
}

LogicalResult TasksOp::verify() {
  // C1, C2, C3
  if (failed(verifyDomain(*this))) {
    return failure();
  }
  // C4
  auto kernel = dyn_cast_or_null<KernelOp>((*this)->getParentOp());
  if (!kernel || (*this)->getParentRegion() != &kernel.getBody()) {
    return emitOpError() << "expected to stand directly in the body of a `tile.kernel`";
  }
  for (Operation &other : kernel.getBody().front()) {
    if (&other != getOperation() && isa<TasksOp, GridOp>(other) &&
        (isa<GridOp>(other) || other.isBeforeInBlock(*this))) {
      InFlightDiagnostic error = emitOpError()
                                 << "expected one launch domain in a kernel, found a second one";
      error.attachNote(other.getLoc()) << "the other one is here";
      return error;
    }
  }
  // C5
  int64_t grouped = getGrouped();
  if (grouped < 0 || (grouped > 0 && getWidths().size() != 2)) {
    return emitOpError() << "expected `grouped` to be 0, or positive with two axes, found "
                         << grouped << " with " << getWidths().size() << " axes";
  }
  return success();
}

LogicalResult TasksOp::verifyRegions() { return verifySections(getBody().front()); }

} // namespace tessera::tile
