//===- KernelText.cpp - assembly of tile.kernel ---------------------------===//
//
// The arguments are written once, in the head; every region that is not empty has
// them as its block arguments, under the same names:
//
//   tile.kernel @n[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0), %a "a": f32) math contract
//   where {…} body {…} reference ["y"] {…} tolerance ["y"] (%y: tensor<?xf32>) {…}
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Syntax.h"

#include "tessera/Dialect/Tile/TileOps.h"

using namespace mlir;

namespace tessera::tile {
namespace {

/// The head of a kernel while it is parsed.
struct Head {
  Arguments arguments;
  SmallVector<Attribute> names;
  SmallVector<Attribute> shapes;
  int64_t extents = 0;
};

ParseResult parseNamed(OpAsmParser &parser, Head &head) {
  std::string name;
  if (parser.parseArgument(head.arguments.emplace_back()) || parser.parseString(&name)) {
    return failure();
  }
  head.names.push_back(parser.getBuilder().getStringAttr(name));
  return success();
}

ParseResult parseHead(OpAsmParser &parser, Head &head) {
  Builder &b = parser.getBuilder();
  auto parseExtent = [&]() -> ParseResult {
    if (parseNamed(parser, head)) {
      return failure();
    }
    head.arguments.back().type = b.getI64Type();
    ++head.extents;
    return success();
  };
  auto parseArgument = [&]() -> ParseResult {
    if (parseNamed(parser, head) || parser.parseColonType(head.arguments.back().type)) {
      return failure();
    }
    Attribute shape = b.getUnitAttr();
    if (succeeded(parser.parseOptionalKeyword("shape"))) {
      AffineMap map;
      if (parser.parseAffineMap(map)) {
        return failure();
      }
      shape = AffineMapAttr::get(map);
    }
    head.shapes.push_back(shape);
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::OptionalSquare, parseExtent)) {
    return failure();
  }
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseArgument);
}

/// A region that is written has a block, even if nothing is in it.
ParseResult parseArguedRegion(OpAsmParser &parser, Region &region,
                              ArrayRef<OpAsmParser::Argument> arguments) {
  if (parser.parseRegion(region, arguments, /*enableNameShadowing=*/true)) {
    return failure();
  }
  if (region.empty()) {
    region.emplaceBlock();
  }
  return success();
}

ParseResult parseNames(OpAsmParser &parser, StringRef attribute, OperationState &result) {
  SMLoc at = parser.getCurrentLocation();
  ArrayAttr names;
  if (parser.parseAttribute(names)) {
    return failure();
  }
  if (!llvm::all_of(names, llvm::IsaPred<StringAttr>)) {
    return parser.emitError(at) << "expected a list of names such as `[\"y\"]`";
  }
  result.addAttribute(attribute, names);
  return success();
}

ParseResult parseTolerance(OpAsmParser &parser, OperationState &result, Region &region,
                           const Head &head) {
  if (succeeded(parser.parseOptionalKeyword("exact"))) {
    result.addAttribute("tolerance_exact", parser.getBuilder().getUnitAttr());
    return success();
  }
  Arguments arguments = head.arguments;
  auto parseArray = [&] {
    return parser.parseArgument(arguments.emplace_back(), /*allowType=*/true);
  };
  if (parseNames(parser, "tolerance_names", result) ||
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::OptionalParen, parseArray)) {
    return failure();
  }
  return parseArguedRegion(parser, region, arguments);
}

} // namespace

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &b = parser.getBuilder();
  StringAttr symbol;
  Head head;
  if (parser.parseSymbolName(symbol, "sym_name", result.attributes) || parseHead(parser, head)) {
    return failure();
  }
  SmallVector<Attribute> types;
  for (const OpAsmParser::Argument &argument : head.arguments) {
    types.push_back(TypeAttr::get(argument.type));
  }
  result.addAttribute("arg_types", b.getArrayAttr(types));
  result.addAttribute("arg_names", b.getArrayAttr(head.names));
  result.addAttribute("extents", b.getI64IntegerAttr(head.extents));
  result.addAttribute("shapes", b.getArrayAttr(head.shapes));
  if (succeeded(parser.parseOptionalKeyword("math"))) {
    SMLoc at = parser.getCurrentLocation();
    StringRef word;
    if (parser.parseKeyword(&word)) {
      return failure();
    }
    std::optional<MathMode> math = symbolizeMathMode(word);
    if (!math) {
      return parser.emitError(at) << "expected `strict`, `contract` or `fast`, found `" << word
                                  << "`";
    }
    result.addAttribute("math", MathModeAttr::get(parser.getContext(), *math));
  }
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes)) {
    return failure();
  }
  Region *where = result.addRegion(), *body = result.addRegion();
  Region *reference = result.addRegion(), *tolerance = result.addRegion();
  if (succeeded(parser.parseOptionalKeyword("where")) &&
      parseArguedRegion(parser, *where, head.arguments)) {
    return failure();
  }
  if (succeeded(parser.parseOptionalKeyword("body")) &&
      parseArguedRegion(parser, *body, head.arguments)) {
    return failure();
  }
  if (succeeded(parser.parseOptionalKeyword("reference")) &&
      (parseNames(parser, "reference_names", result) ||
       parseArguedRegion(parser, *reference, head.arguments))) {
    return failure();
  }
  while (succeeded(parser.parseOptionalKeyword("tolerance"))) {
    if (parseTolerance(parser, result, *tolerance, head)) {
      return failure();
    }
  }
  return success();
}

/// The first region with a block names the arguments; null if all are empty.
static Region *namingRegion(KernelOp kernel) {
  for (Region &region : kernel->getRegions()) {
    if (!region.empty() && region.getNumArguments() >= kernel.getNumArguments()) {
      return &region;
    }
  }
  return nullptr;
}

static void printHead(OpAsmPrinter &printer, KernelOp kernel) {
  Region *naming = namingRegion(kernel);
  unsigned extents = kernel.getExtents();
  auto printArgument = [&](unsigned i) {
    if (naming) {
      printName(printer, naming->getArgument(i));
    } else {
      printer << "%arg" << i;
    }
    printer << " ";
    printer.printString(kernel.getArgName(i));
    if (i < extents) {
      return;
    }
    printer << ": " << kernel.getArgType(i);
    if (AffineMap map = kernel.getShapeMap(i)) {
      printer << " shape " << map;
    }
  };
  if (extents) {
    printer << "[";
    llvm::interleaveComma(llvm::seq(0u, extents), printer, printArgument);
    printer << "]";
  }
  printer << "(";
  llvm::interleaveComma(llvm::seq(extents, kernel.getNumArguments()), printer, printArgument);
  printer << ")";
}

void KernelOp::print(OpAsmPrinter &printer) {
  printer << " ";
  printer.printSymbolName(getSymName());
  printHead(printer, *this);
  if (getMath() != MathMode::strict) {
    printer << " math " << stringifyMathMode(getMath());
  }
  SmallVector<StringRef> shown = {"sym_name", "arg_types", "arg_names",      "extents",
                                  "shapes",   "math",      "tolerance_exact"};
  // Names without their region break a rule; they are still printed, as attributes.
  if (!getReference().empty() || getReferenceNames().empty()) {
    shown.push_back("reference_names");
  }
  if (!getTolerance().empty() || getToleranceNames().empty()) {
    shown.push_back("tolerance_names");
  }
  printRest(printer, *this, shown);
  Region *naming = namingRegion(*this);
  unsigned count = getNumArguments();
  auto printOne = [&](Region &region) {
    if (naming && naming != &region) {
      SmallVector<Value> names(naming->getArguments().take_front(count));
      names.resize(region.getNumArguments());
      printer.shadowRegionArgs(region, names);
    }
  };
  auto printBody = [&](Region &region) {
    printer << " ";
    printer.printRegion(region, /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/true);
  };
  auto printSimple = [&](StringRef keyword, Region &region, ArrayAttr names) {
    if (region.empty()) {
      return;
    }
    printer.printNewline();
    printer << keyword;
    if (names) {
      printer << " " << names;
    }
    printOne(region);
    printBody(region);
  };
  printSimple("where", getWhere(), nullptr);
  printSimple("body", getBody(), nullptr);
  printSimple("reference", getReference(), getReferenceNames());
  if (getToleranceExact()) {
    printer.printNewline();
    printer << "tolerance exact";
  }
  if (!getTolerance().empty()) {
    printer.printNewline();
    printer << "tolerance " << getToleranceNames();
    printOne(getTolerance());
    if (getTolerance().getNumArguments() > count) {
      printer << " (";
      llvm::interleaveComma(getTolerance().getArguments().drop_front(count), printer,
                            [&](BlockArgument argument) { printer.printRegionArgument(argument); });
      printer << ")";
    }
    printBody(getTolerance());
  }
}

void KernelOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  // Also called for a kernel that breaks rules, to print it in the error.
  if (!getProperties().arg_types || !getProperties().arg_names ||
      getArgNames().size() != getArgTypes().size() ||
      !llvm::all_of(getArgNames(), llvm::IsaPred<StringAttr>) ||
      !llvm::all_of(getReferenceNames(), llvm::IsaPred<StringAttr>)) {
    return;
  }
  unsigned count = getNumArguments();
  for (BlockArgument argument : region.getArguments()) {
    unsigned i = argument.getArgNumber();
    if (i < count) {
      setName(argument, getArgName(i));
    } else if (i - count < getReferenceNames().size()) {
      setName(argument, cast<StringAttr>(getReferenceNames()[i - count]).getValue());
    }
  }
}

} // namespace tessera::tile
