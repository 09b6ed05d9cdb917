//===- ScheduleTypes.cpp - bufs and rings ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Dialect/Tile/TileOps.h"
#include "tessera/Dialect/Tile/TypeText.h"
#include "tessera/Layout/Notation.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;

namespace tessera::tile {
namespace {

constexpr int64_t mostElements = int64_t(1) << 40;

/// A word of an enum, or an error that lists the words.
template <class Enum>
FailureOr<Enum> parseCase(AsmParser &parser, std::optional<Enum> (*symbolize)(StringRef),
                          StringRef words) {
  StringRef word;
  SMLoc at = parser.getCurrentLocation();
  if (parser.parseKeyword(&word)) {
    return failure();
  }
  if (std::optional<Enum> value = symbolize(word)) {
    return *value;
  }
  return parser.emitError(at) << "expected " << words << ", found `" << word << "`";
}

struct BufText {
  SmallVector<int64_t> shape;
  Type element;
  Storage storage = Storage::shared;
  int64_t slots = 1;
  ExecScope per = ExecScope::cta;
  StringAttr layout;
  SmallVector<StringRef> given; ///< the options so far
};

/// `, slots = 3`, `, per = warp`, `, layout = "…"`.
ParseResult parseBufOption(AsmParser &parser, BufText &buf) {
  StringRef word;
  SMLoc at = parser.getCurrentLocation();
  if (parser.parseKeyword(&word) || parser.parseEqual()) {
    return failure();
  }
  if (llvm::is_contained(buf.given, word)) {
    return parser.emitError(at) << "expected `" << word << "` once, found it twice";
  }
  buf.given.push_back(word);
  if (word == "slots") {
    return parser.parseInteger(buf.slots);
  }
  if (word == "layout") {
    std::string layout;
    if (parser.parseString(&layout)) {
      return failure();
    }
    buf.layout = parser.getBuilder().getStringAttr(layout);
    return success();
  }
  if (word == "per") {
    FailureOr<ExecScope> per =
        parseCase<ExecScope>(parser, symbolizeExecScope, "`cta`, `wg` or `warp`");
    if (succeeded(per)) {
      buf.per = *per;
    }
    return failure(failed(per));
  }
  return parser.emitError(at) << "expected `slots`, `per` or `layout`, found `" << word << "`";
}

} // namespace

Type BufType::parse(AsmParser &parser) {
  BufText buf;
  SMLoc at = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseDimensionList(buf.shape, /*allowDynamic=*/false) ||
      parser.parseType(buf.element) || parser.parseComma()) {
    return {};
  }
  FailureOr<Storage> storage =
      parseCase<Storage>(parser, symbolizeStorage, "`shared` or `workspace`");
  if (failed(storage)) {
    return {};
  }
  while (succeeded(parser.parseOptionalComma())) {
    if (parseBufOption(parser, buf)) {
      return {};
    }
  }
  if (parser.parseGreater()) {
    return {};
  }
  auto error = [&] { return parser.emitError(at); };
  return BufType::getChecked(llvm::function_ref<InFlightDiagnostic()>(error), parser.getContext(),
                             ArrayRef<int64_t>(buf.shape), buf.element, *storage, buf.slots,
                             buf.per, buf.layout);
}

void BufType::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printDimensionList(getShape());
  printer << "x" << getElementType() << ", " << stringifyStorage(getStorage());
  if (getSlots() != 1) {
    printer << ", slots = " << getSlots();
  }
  if (getPer() != ExecScope::cta) {
    printer << ", per = " << stringifyExecScope(getPer());
  }
  if (getLayout()) {
    printer << ", layout = " << getLayout();
  }
  printer << ">";
}

/// C5
static LogicalResult verifyLayout(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayRef<int64_t> shape, StringAttr text) {
  llvm::Expected<Layout> layout = parseLayout(text.getValue());
  if (!layout) {
    return emitError() << "expected a layout, found `" << text.getValue()
                       << "`: " << llvm::toString(layout.takeError());
  }
  SmallVector<int64_t> extents;
  for (const InDim &dim : layout->ins()) {
    extents.push_back(dim.size());
  }
  if (ArrayRef<int64_t>(extents) != shape || layout->outs().size() != 1) {
    return emitError() << "expected a layout with the buf's extents as its shape, found `"
                       << text.getValue() << "`";
  }
  if (!isInjectiveDecidedSoon(*layout)) {
    return emitError() << "expected a layout whose strides nest, found `" << text.getValue()
                       << "`, where too many overlap to tell whether two elements meet";
  }
  if (!isInjective(*layout)) {
    return emitError() << "expected a layout that gives each element a place of its own, found `"
                       << text.getValue() << "`, where two meet";
  }
  return success();
}

LogicalResult BufType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape,
                              Type element, Storage storage, int64_t slots, ExecScope per,
                              StringAttr layout) {
  // C3
  if (slots < 1) {
    return emitError() << "expected a buf of at least one slot, found " << slots;
  }
  // C1
  int64_t room = mostElements;
  if (isTileShape(shape)) {
    for (int64_t extent : shape) {
      room /= extent;
    }
  }
  if (!isTileShape(shape) || slots > room) {
    return emitError()
           << "expected 1 to 64 axes of extents of at least 1, and at most 2^40 elements over all "
              "slots";
  }
  // C2
  if (!isElementType(element)) {
    return emitError() << "expected an element type of the dialect, found `" << text(element)
                       << "`";
  }
  // C4
  bool isPart = per == ExecScope::wg || per == ExecScope::warp;
  if ((per != ExecScope::cta && !isPart) || (isPart && storage == Storage::workspace)) {
    return emitError() << "expected "
                       << (isPart ? "a workspace per `cta`" : "`cta`, `wg` or `warp`")
                       << ", found `" << stringifyExecScope(per) << "`";
  }
  return layout ? verifyLayout(emitError, shape, layout) : success();
}

int64_t BufType::getNumElements() const {
  int64_t count = 1;
  for (int64_t extent : getShape()) {
    count *= extent;
  }
  return count;
}

int64_t BufType::getBytes() const {
  int64_t bytes = static_cast<int64_t>(byteSize(dtypeOf(getElementType())));
  int64_t elements = getNumElements();
  if (getLayout()) {
    // A layout may leave gaps: padding counts.
    if (llvm::Expected<Layout> layout = parseLayout(getLayout().getValue())) {
      elements = layout->outSize();
    } else {
      llvm::consumeError(layout.takeError());
    }
  }
  return getSlots() * elements * bytes;
}

RankedTensorType BufType::getTileType() const {
  return RankedTensorType::get(getShape(), getElementType());
}

BufType BufType::withSlots(int64_t slots) const {
  return BufType::get(getContext(), getShape(), getElementType(), getStorage(), slots, getPer(),
                      getLayout());
}

BufType BufType::withLayout(StringAttr layout) const {
  return BufType::get(getContext(), getShape(), getElementType(), getStorage(), getSlots(),
                      getPer(), layout);
}

LogicalResult RingType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t slots) {
  // C1
  if (slots < 1) {
    return emitError() << "expected a ring of at least one slot, found " << slots;
  }
  return success();
}

} // namespace tessera::tile
