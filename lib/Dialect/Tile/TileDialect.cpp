//===- TileDialect.cpp - registration, types and type helpers -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tile/TileDialect.h"

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Dialect/Tile/TileOps.h"
#include "tessera/Dialect/Tile/TypeText.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

#include "tessera/Dialect/Tile/TileDialect.cpp.inc"
#include "tessera/Dialect/Tile/TileInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tessera/Dialect/Tile/TileAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "tessera/Dialect/Tile/TileTypes.cpp.inc"

using namespace mlir;

namespace tessera::tile {

void TileDialect::initialize() {
  registerTileDialectOperations(this);
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tessera/Dialect/Tile/TileAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "tessera/Dialect/Tile/TileTypes.cpp.inc"
      >();
}

Operation *TileDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                            Location loc) {
  auto typed = dyn_cast<TypedAttr>(value);
  if (!typed || !isElementType(typed.getType()) || typed.getType() != elementTypeOf(type)) {
    return nullptr;
  }
  return ConstantOp::create(builder, loc, type, typed);
}

//===- types --------------------------------------------------------------===//

Type ViewType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type element;
  StringRef word;
  SMLoc at;
  if (parser.parseLess() || parser.parseDimensionList(shape) || parser.parseType(element) ||
      parser.parseComma()) {
    return {};
  }
  at = parser.getCurrentLocation();
  if (parser.parseKeyword(&word)) {
    return {};
  }
  std::optional<AccessMode> mode = symbolizeAccessMode(word);
  if (!mode) {
    parser.emitError(at) << "expected `in`, `out` or `inout`, found `" << word << "`";
    return {};
  }
  if (parser.parseGreater()) {
    return {};
  }
  return parser.getChecked<ViewType>(parser.getContext(), shape, element, *mode);
}

void ViewType::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printDimensionList(getShape());
  printer << "x" << getElementType() << ", " << stringifyAccessMode(getMode()) << ">";
}

LogicalResult ViewType::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<int64_t> shape, Type element, AccessMode mode) {
  // C3
  if (shape.empty()) {
    return emitError()
           << "expected a view of rank 1 or more, found rank 0: write a single element as a "
              "view of extent 1";
  }
  for (int64_t extent : shape) {
    // C1
    if (extent < 0 && extent != ShapedType::kDynamic) {
      return emitError() << "expected extents of 0 or more, or `?`, found " << extent;
    }
  }
  // C2
  if (!isElementType(element)) {
    return emitError()
           << "expected an element type of the dialect (i1, i8 to i64, ui8 to ui64, bf16, f16, "
              "f32, f64, f8E4M3FN, f8E5M2), found `"
           << text(element) << "`";
  }
  return success();
}

LogicalResult SpanType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t width) {
  // C1
  if (width < 1) {
    return emitError() << "expected a span of width 1 or more, found " << width;
  }
  return success();
}

//===- helpers ------------------------------------------------------------===//

bool isTileShape(ArrayRef<int64_t> shape) {
  constexpr int64_t most = int64_t(1) << 40;
  int64_t left = most;
  for (int64_t extent : shape) {
    if (extent < 1 || extent > left) {
      return false;
    }
    left /= extent;
  }
  return !shape.empty() && shape.size() <= 64;
}

Type elementTypeOf(Type type) {
  if (auto tensor = dyn_cast_or_null<RankedTensorType>(type)) {
    return tensor.getElementType();
  }
  if (auto view = dyn_cast_or_null<ViewType>(type)) {
    return view.getElementType();
  }
  return isElementType(type) ? type : Type();
}

ArrayRef<int64_t> shapeOf(Type type) {
  if (auto tensor = dyn_cast_or_null<RankedTensorType>(type)) {
    return tensor.getShape();
  }
  return {};
}

Type withElementType(Type type, Type element) {
  if (auto tensor = dyn_cast_or_null<RankedTensorType>(type)) {
    return RankedTensorType::get(tensor.getShape(), element);
  }
  return element;
}

Type scalarOrTile(ArrayRef<int64_t> shape, Type element) {
  return shape.empty() ? element : Type(RankedTensorType::get(shape, element));
}

Type bitsType(Type type) {
  std::optional<DType> dtype = dtypeIfAny(type);
  if (!dtype) {
    return type;
  }
  return withElementType(type, typeOf(tessera::bitsType(*dtype), type.getContext()));
}

bool isSignedInteger(Type type) {
  std::optional<DType> dtype = dtypeIfAny(type);
  return dtype && isInteger(*dtype) && isSigned(*dtype);
}

Type accumulatorType(Type element) {
  std::optional<DType> dtype = dtypeIfAny(element);
  if (!dtype) {
    return element;
  }
  MLIRContext *context = element.getContext();
  switch (*dtype) {
  case DType::bf16:
  case DType::f16:
    return typeOf(DType::f32, context);
  case DType::i8:
  case DType::i16:
    return typeOf(DType::i32, context);
  case DType::ui8:
  case DType::ui16:
    return typeOf(DType::ui32, context);
  default:
    return element;
  }
}

Type reductionType(ReduceKind kind, Type element) {
  switch (kind) {
  case ReduceKind::sum:
  case ReduceKind::prod:
    return accumulatorType(element);
  case ReduceKind::count:
    return typeOf(DType::i64, element.getContext());
  default:
    return element;
  }
}

SmallVector<std::pair<unsigned, unsigned>> keptAxes(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  SmallVector<std::pair<unsigned, unsigned>> kept;
  size_t i = 0, j = 0;
  // Walk both shapes; whenever the products so far agree, a group ends. A group of one axis each is kept. Axes of
  // extent 1 are passed over: they may belong to any group.
  while (i < from.size() && j < to.size()) {
    if (from[i] == to[j]) {
      kept.emplace_back(i++, j++);
      continue;
    }
    if (from[i] == 1 || to[j] == 1) {
      from[i] == 1 ? ++i : ++j;
      continue;
    }
    int64_t left = from[i++], right = to[j++];
    while (left != right) {
      if (left < right) {
        left *= from[i++];
      } else {
        right *= to[j++];
      }
    }
  }
  return kept;
}

} // namespace tessera::tile
