//===- DTypes.cpp - element types as MLIR types ---------------------------===//
//
// The table between DType and the types of the IR, and elements as attributes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tile/DTypes.h"

#include "tessera/Dialect/Tile/TileDialect.h"

#include "mlir/IR/Builders.h"

#include <cstring>

using namespace mlir;

namespace tessera {

static std::optional<DType> scalarDType(Type type) {
  if (auto integer = dyn_cast_or_null<IntegerType>(type)) {
    bool isUnsigned = integer.isUnsigned();
    if (integer.isSigned()) {
      return std::nullopt;
    }
    switch (integer.getWidth()) {
    case 1:
      return isUnsigned ? std::nullopt : std::optional(DType::i1);
    case 8:
      return isUnsigned ? DType::ui8 : DType::i8;
    case 16:
      return isUnsigned ? DType::ui16 : DType::i16;
    case 32:
      return isUnsigned ? DType::ui32 : DType::i32;
    case 64:
      return isUnsigned ? DType::ui64 : DType::i64;
    default:
      return std::nullopt;
    }
  }
  if (isa_and_nonnull<BFloat16Type>(type)) {
    return DType::bf16;
  }
  if (isa_and_nonnull<Float16Type>(type)) {
    return DType::f16;
  }
  if (isa_and_nonnull<Float32Type>(type)) {
    return DType::f32;
  }
  if (isa_and_nonnull<Float64Type>(type)) {
    return DType::f64;
  }
  if (isa_and_nonnull<Float8E4M3FNType>(type)) {
    return DType::f8E4M3FN;
  }
  if (isa_and_nonnull<Float8E5M2Type>(type)) {
    return DType::f8E5M2;
  }
  return std::nullopt;
}

bool isElementType(Type type) { return scalarDType(type).has_value(); }

std::optional<DType> dtypeIfAny(Type type) { return scalarDType(tile::elementTypeOf(type)); }

DType dtypeOf(Type type) {
  std::optional<DType> dtype = dtypeIfAny(type);
  assert(dtype && "the type has no element type of the language");
  return *dtype;
}

Type typeOf(DType dtype, MLIRContext *context) {
  Builder b(context);
  switch (dtype) {
  case DType::bf16:
    return b.getBF16Type();
  case DType::f16:
    return b.getF16Type();
  case DType::f32:
    return b.getF32Type();
  case DType::f64:
    return b.getF64Type();
  case DType::f8E4M3FN:
    return Float8E4M3FNType::get(context);
  case DType::f8E5M2:
    return Float8E5M2Type::get(context);
  default:
    return IntegerType::get(context, bitWidth(dtype),
                            isInteger(dtype) && !isSigned(dtype) ? IntegerType::Unsigned
                                                                 : IntegerType::Signless);
  }
}

bool elementOf(Attribute value, void *element) {
  auto typed = dyn_cast_or_null<TypedAttr>(value);
  std::optional<DType> dtype = typed ? scalarDType(typed.getType()) : std::nullopt;
  if (!dtype) {
    return false;
  }
  APInt bits;
  if (auto number = dyn_cast<FloatAttr>(value)) {
    bits = number.getValue().bitcastToAPInt();
  } else if (auto integer = dyn_cast<IntegerAttr>(value)) {
    bits = integer.getValue();
  } else {
    return false;
  }
  uint64_t word = bits.getZExtValue();
  std::memcpy(element, &word, byteSize(*dtype));
  return true;
}

TypedAttr attributeOf(DType dtype, const void *element, MLIRContext *context) {
  uint64_t word = 0;
  std::memcpy(&word, element, byteSize(dtype));
  Type type = typeOf(dtype, context);
  APInt bits(bitWidth(dtype), word, /*isSigned=*/false, /*implicitTrunc=*/true);
  if (auto number = dyn_cast<FloatType>(type)) {
    return FloatAttr::get(type, APFloat(number.getFloatSemantics(), bits));
  }
  return IntegerAttr::get(type, bits);
}

} // namespace tessera
