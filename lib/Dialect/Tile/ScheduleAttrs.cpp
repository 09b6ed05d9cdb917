//===- ScheduleAttrs.cpp - factors of dims, layouts, attributes of kernels ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tile/ClusterAttrs.h"
#include "tessera/Dialect/Tile/TileOps.h"
#include "tessera/Layout/Notation.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/IR/DialectImplementation.h"

#include <limits>

using namespace mlir;

namespace tessera::tile {

//===- IterAttr -----------------------------------------------------------===//

namespace {
constexpr int64_t mostSteps = int64_t(1) << 31;

/// One dim: `m = warp 2 * atom 16`.
ParseResult parseDim(AsmParser &parser, SmallVectorImpl<StringAttr> &dims,
                     SmallVectorImpl<int64_t> &counts, SmallVectorImpl<Place> &places,
                     SmallVectorImpl<int64_t> &steps) {
  std::string name;
  if (parser.parseKeywordOrString(&name) || parser.parseEqual()) {
    return failure();
  }
  dims.push_back(parser.getBuilder().getStringAttr(name));
  int64_t count = 0;
  do {
    StringRef word;
    SMLoc at = parser.getCurrentLocation();
    if (parser.parseKeyword(&word)) {
      return failure();
    }
    std::optional<Place> place = symbolizePlace(word);
    if (!place) {
      return parser.emitError(at) << "expected a place (`grid`, `cluster`, `wg`, `warp`, `lane`, "
                                     "`reg`, `vec`, `seq`, `atom` or `open`), found `"
                                  << word << "`";
    }
    if (parser.parseInteger(steps.emplace_back())) {
      return failure();
    }
    places.push_back(*place);
    ++count;
  } while (succeeded(parser.parseOptionalStar()));
  counts.push_back(count);
  return success();
}
} // namespace

Attribute IterAttr::parse(AsmParser &parser, Type) {
  SmallVector<StringAttr> dims;
  SmallVector<int64_t> counts, steps;
  SmallVector<Place> places;
  auto at = [&] { return mlir::emitError(parser.getEncodedSourceLoc(parser.getNameLoc())); };
  if (parser.parseLess()) {
    return {};
  }
  if (failed(parser.parseOptionalGreater())) {
    auto one = [&] { return parseDim(parser, dims, counts, places, steps); };
    if (parser.parseCommaSeparatedList(one) || parser.parseGreater()) {
      return {};
    }
  }
  return IterAttr::getChecked(llvm::function_ref<InFlightDiagnostic()>(at), parser.getContext(),
                              ArrayRef<StringAttr>(dims), ArrayRef<int64_t>(counts),
                              ArrayRef<Place>(places), ArrayRef<int64_t>(steps));
}

void IterAttr::print(AsmPrinter &printer) const {
  printer << "<";
  llvm::interleaveComma(getDims(), printer, [&](StringAttr dim) {
    printer.printKeywordOrString(dim.getValue());
    printer << " = ";
    llvm::interleave(
        getFactors(dim.getValue()), printer,
        [&](IterFactor factor) { printer << stringifyPlace(factor.place) << " " << factor.steps; },
        " * ");
  });
  printer << ">";
}

LogicalResult IterAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<StringAttr> dims, ArrayRef<int64_t> counts,
                               ArrayRef<Place> places, ArrayRef<int64_t> steps) {
  llvm::StringSet<> names;
  size_t next = 0;
  if (counts.size() != dims.size() || places.size() != steps.size()) {
    return emitError() << "expected a count for each dim and as many places as steps";
  }
  for (auto [dim, count] : llvm::zip(dims, counts)) {
    // C1
    if (!names.insert(dim.getValue()).second) {
      return emitError() << "expected each dim once, found `" << dim.getValue() << "` twice";
    }
    if (count < 1 || next + count > places.size()) {
      return emitError() << "expected at least one factor for dim `" << dim.getValue() << "`";
    }
    int64_t product = 1;
    unsigned last = 0; // 1 after a `vec`, 2 after an `atom`
    for (int64_t i = 0; i < count; ++i, ++next) {
      // C2
      if (steps[next] < 1 || steps[next] > mostSteps / product) {
        return emitError() << "expected 1 to 2^31 steps along dim `" << dim.getValue()
                           << "`, found a factor of " << steps[next];
      }
      product *= steps[next];
      // C3
      unsigned rank = places[next] == Place::atom ? 2 : places[next] == Place::vec ? 1 : 0;
      if (rank < last) {
        return emitError() << "expected `vec` and then `atom` as the innermost factors of dim `"
                           << dim.getValue() << "`, found `" << stringifyPlace(places[next])
                           << "` inside of them";
      }
      last = rank;
    }
  }
  if (next != places.size()) {
    return emitError() << "expected " << next << " factors, as the counts say, found "
                       << places.size();
  }
  return success();
}

SmallVector<IterFactor> IterAttr::getFactors(StringRef dim) const {
  SmallVector<IterFactor> factors;
  size_t next = 0;
  for (auto [name, count] : llvm::zip(getDims(), getCounts())) {
    for (int64_t i = 0; i < count && name.getValue() == dim; ++i) {
      factors.push_back({getPlaces()[next + i], getSteps()[next + i]});
    }
    next += count;
  }
  return factors;
}

int64_t IterAttr::getSteps(Place place) const {
  int64_t product = 1;
  for (auto [where, steps] : llvm::zip(getPlaces(), getSteps())) {
    // Each dim is limited, several dims together are not.
    if (where == place && llvm::MulOverflow(product, steps, product)) {
      return std::numeric_limits<int64_t>::max();
    }
  }
  return product;
}

IterAttr IterAttr::withFactors(StringRef dim, ArrayRef<IterFactor> factors) const {
  SmallVector<StringAttr> dims;
  SmallVector<int64_t> counts, steps;
  SmallVector<Place> places;
  auto add = [&](StringAttr name, ArrayRef<IterFactor> of) {
    if (of.empty()) {
      return;
    }
    dims.push_back(name);
    counts.push_back(of.size());
    for (const IterFactor &factor : of) {
      places.push_back(factor.place);
      steps.push_back(factor.steps);
    }
  };
  bool found = false;
  for (StringAttr name : getDims()) {
    bool isDim = name.getValue() == dim;
    found |= isDim;
    add(name, isDim ? SmallVector<IterFactor>(factors) : getFactors(name.getValue()));
  }
  if (!found) {
    add(StringAttr::get(getContext(), dim), factors);
  }
  return IterAttr::get(getContext(), dims, counts, places, steps);
}

IterAttr IterAttr::getEmpty(MLIRContext *context) { return IterAttr::get(context, {}, {}, {}, {}); }

std::string IterAttr::text(ArrayRef<IterFactor> factors) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      factors, os,
      [&](const IterFactor &factor) { os << stringifyPlace(factor.place) << " " << factor.steps; },
      " * ");
  return text;
}

//===- LayoutAttr ---------------------------------------------------------===//

LogicalResult LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringRef text) {
  // C1
  llvm::Expected<Layout> layout = parseLayout(text);
  if (!layout) {
    return emitError() << "expected a layout, found `" << text
                       << "`: " << llvm::toString(layout.takeError());
  }
  return success();
}

//===- DistAttr -----------------------------------------------------------===//

namespace {
/// One mode: `lane 4 d1 2` or `warp 4 copy`.
ParseResult parseMode(AsmParser &parser, SmallVectorImpl<DistMode> &modes) {
  StringRef word, axis;
  SMLoc at = parser.getCurrentLocation();
  DistMode &mode = modes.emplace_back();
  if (parser.parseKeyword(&word)) {
    return failure();
  }
  std::optional<Place> place = symbolizePlace(word);
  if (!place) {
    return parser.emitError(at) << "expected `reg`, `lane` or `warp`, found `" << word << "`";
  }
  mode.place = *place;
  if (parser.parseInteger(mode.extent)) {
    return failure();
  }
  at = parser.getCurrentLocation();
  if (parser.parseKeyword(&axis)) {
    return failure();
  }
  if (axis == "copy") {
    return success();
  }
  if (!axis.consume_front("d") || axis.getAsInteger(10, mode.axis)) {
    return parser.emitError(at) << "expected an axis, as `d0`, or `copy`";
  }
  return parser.parseInteger(mode.stride);
}
} // namespace

Attribute DistAttr::parse(AsmParser &parser, Type) {
  SmallVector<DistMode> modes;
  auto at = [&] { return mlir::emitError(parser.getEncodedSourceLoc(parser.getNameLoc())); };
  if (parser.parseLess()) {
    return {};
  }
  if (failed(parser.parseOptionalGreater())) {
    auto one = [&] { return parseMode(parser, modes); };
    if (parser.parseCommaSeparatedList(one) || parser.parseGreater()) {
      return {};
    }
  }
  return DistAttr::getChecked(llvm::function_ref<InFlightDiagnostic()>(at), parser.getContext(),
                              ArrayRef<DistMode>(modes));
}

void DistAttr::print(AsmPrinter &printer) const {
  printer << "<";
  llvm::interleaveComma(getModes(), printer, [&](const DistMode &mode) {
    printer << stringifyPlace(mode.place) << " " << mode.extent << " ";
    if (mode.axis < 0) {
      printer << "copy";
    } else {
      printer << "d" << mode.axis << " " << mode.stride;
    }
  });
  printer << ">";
}

LogicalResult DistAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<DistMode> modes) {
  int64_t lanes = 1;
  for (const DistMode &mode : modes) {
    // C1
    if (mode.place != Place::reg && mode.place != Place::lane && mode.place != Place::warp) {
      return emitError() << "expected `reg`, `lane` or `warp`, found `"
                         << stringifyPlace(mode.place) << "`";
    }
    // C2
    if (mode.extent < 2 || mode.extent > mostSteps) {
      return emitError() << "expected 2 to 2^31 steps, found " << mode.extent;
    }
    if (mode.place == Place::lane) {
      lanes *= mode.extent;
      if (lanes > 32 || 32 % lanes != 0) {
        return emitError() << "expected lanes to divide 32, found " << lanes;
      }
    }
    // C3
    if ((mode.axis < 0) != (mode.stride == 0) || mode.stride < 0) {
      return emitError() << "expected a stride of at least 1 along an axis, found " << mode.stride;
    }
  }
  return success();
}

//===- attributes of a schedule on ops of any kind ------------------------===//

namespace {
LogicalResult verifyIter(Operation *op, Attribute attribute) {
  auto iter = dyn_cast<IterAttr>(attribute);
  if (!iter) {
    return op->emitOpError() << "expected `tile.iter` to be a `#tile.iter`, found `" << attribute
                             << "`";
  }
  auto points = dyn_cast<TileIterOpInterface>(op);
  if (!points) {
    return op->emitOpError() << "expected `tile.iter` on an op with dims only";
  }
  // Attributes are looked at before the op itself is; only a sound op can tell its dims.
  if (failed(op->getName().getRegisteredInfo()->verifyInvariants(op))) {
    return failure();
  }
  SmallVector<IterDim> dims = points.getIterDims();
  for (StringAttr name : iter.getDims()) {
    auto dim = llvm::find_if(dims, [&](const IterDim &dim) { return dim.name == name.getValue(); });
    if (dim == dims.end()) {
      InFlightDiagnostic error = op->emitOpError()
                                 << "expected `tile.iter` to name dims of the op (";
      llvm::interleaveComma(dims, error, [&](const IterDim &dim) { error << dim.name; });
      return error << (dims.empty() ? "none" : "") << "), found `" << name.getValue() << "`";
    }
    int64_t product = 1;
    for (const IterFactor &factor : iter.getFactors(name.getValue())) {
      product *= factor.steps;
    }
    if (product < dim->extent) {
      return op->emitOpError() << "expected factors that cover the " << dim->extent
                               << " points of dim `" << dim->name << "`, found "
                               << IterAttr::text(iter.getFactors(name.getValue())) << ", which is "
                               << product;
    }
  }
  return success();
}

/// The number of an i64 attribute.
std::optional<int64_t> numberOf(Attribute attribute) {
  auto number = dyn_cast_or_null<IntegerAttr>(attribute);
  return number && number.getType().isSignlessInteger(64) ? std::optional<int64_t>(number.getInt())
                                                          : std::nullopt;
}

LogicalResult verifyCount(Operation *op, NamedAttribute named) {
  std::optional<int64_t> count = numberOf(named.getValue());
  if (!isa<KernelOp>(op) || !count || *count < 1 || *count > mostSteps) {
    return op->emitOpError() << "expected `" << named.getName().getValue()
                             << "` to be an i64 of 1 to 2^31 on a kernel";
  }
  return success();
}

LogicalResult verifyClusterAxis(Operation *op, Attribute attribute) {
  std::optional<int64_t> axis = numberOf(attribute);
  if (!isa<KernelOp>(op) || !op->hasAttr(clusterAttrName) || !axis || *axis < 0) {
    return op->emitOpError() << "expected `tile.cluster_axis` to be an i64 of at least 0 on a "
                                "kernel with `tile.cluster`";
  }
  return success();
}

LogicalResult verifyMulticast(Operation *op, Attribute attribute) {
  auto kernel = op->getParentOfType<KernelOp>();
  std::optional<int64_t> ctas = numberOf(attribute);
  std::optional<int64_t> all = numberOf(kernel ? kernel->getAttr(clusterAttrName) : Attribute());
  if (!isa<CopyOp>(op) || !ctas || *ctas < 2 || ctas != all) {
    return op->emitOpError()
           << "expected `tile.multicast` to be the i64 of `tile.cluster`, at least 2, on a copy";
  }
  return success();
}

LogicalResult verifyRoles(Operation *op, Attribute attribute) {
  auto roles = dyn_cast<DictionaryAttr>(attribute);
  if (!isa<KernelOp>(op) || !roles) {
    return op->emitOpError() << "expected `tile.roles` to be a dictionary of roles on a kernel";
  }
  int64_t sum = 0;
  for (NamedAttribute role : roles) {
    auto entry = dyn_cast<DictionaryAttr>(role.getValue());
    std::optional<int64_t> warps = numberOf(entry ? entry.get("warps") : Attribute());
    if (!warps || *warps < 1 || *warps > mostSteps) {
      return op->emitOpError() << "expected role `" << role.getName().getValue()
                               << "` to have `warps`, an i64 of 1 to 2^31";
    }
    for (NamedAttribute named : entry) {
      if (named.getName() != "warps" && named.getName() != "regs") {
        return op->emitOpError() << "expected role `" << role.getName().getValue()
                                 << "` to have `warps` and `regs` only, found `"
                                 << named.getName().getValue() << "`";
      }
    }
    if (auto regs = entry.get("regs")) {
      std::optional<int64_t> count = numberOf(regs);
      if (!count || *count < 24 || *count > 256 || *count % 8 != 0) {
        return op->emitOpError() << "expected `regs` of role `" << role.getName().getValue()
                                 << "` to be an i64, a multiple of 8 from 24 to 256";
      }
    }
    sum += *warps;
  }
  std::optional<int64_t> warps = numberOf(op->getAttr(warpsAttrName));
  if (warps && *warps != sum) {
    return op->emitOpError() << "expected roles of " << *warps << " warps together, found " << sum;
  }
  return success();
}
} // namespace

LogicalResult TileDialect::verifyOperationAttribute(Operation *op, NamedAttribute named) {
  StringRef name = named.getName().getValue();
  if (name == iterAttrName) {
    return verifyIter(op, named.getValue());
  }
  if (name == warpsAttrName || name == clusterAttrName) {
    return verifyCount(op, named);
  }
  if (name == rolesAttrName) {
    return verifyRoles(op, named.getValue());
  }
  if (name == clusterAxisAttrName) {
    return verifyClusterAxis(op, named.getValue());
  }
  if (name == multicastAttrName) {
    return verifyMulticast(op, named.getValue());
  }
  return success();
}

} // namespace tessera::tile
