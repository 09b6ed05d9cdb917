//===- DTypes.h - element types as MLIR types -------------------*- C++ -*-===//
//
// The one place where the element types of the language (tessera/Numeric/DType.h)
// meet the types of the IR, and single elements meet attributes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_TILE_DTYPES_H
#define TESSERA_DIALECT_TILE_DTYPES_H

#include "tessera/Numeric/DType.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Types.h"

#include <optional>

namespace tessera {

/// Whether `type` is one of the language's element types.
bool isElementType(mlir::Type type);

/// Element type of a scalar, tile, array or view. The type must have one: `dtypeIfAny` asks.
DType dtypeOf(mlir::Type type);
std::optional<DType> dtypeIfAny(mlir::Type type);

/// The scalar type of the IR.
mlir::Type typeOf(DType dtype, mlir::MLIRContext *context);

/// Writes the element of a float or integer attribute in native storage (DType.h, at most 8 bytes). False if the
/// attribute is of no element type.
bool elementOf(mlir::Attribute value, void *element);

/// The float or integer attribute of an element in native storage.
mlir::TypedAttr attributeOf(DType dtype, const void *element, mlir::MLIRContext *context);

} // namespace tessera

#endif // TESSERA_DIALECT_TILE_DTYPES_H
