//===- Verify.h - checks that several verifiers share -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_DIALECT_TILE_VERIFY_H
#define TESSERA_LIB_DIALECT_TILE_VERIFY_H

#include "tessera/Dialect/Tile/TileDialect.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace tessera::tile {

/// 0 <= axis < rank.
mlir::LogicalResult verifyAxis(mlir::Operation *op, int64_t axis, int64_t rank);

/// Ascending and in [0, rank).
mlir::LogicalResult verifyAxes(mlir::Operation *op, llvm::ArrayRef<int64_t> axes, int64_t rank);

/// A permutation of [0, rank).
mlir::LogicalResult verifyPermutation(mlir::Operation *op, llvm::ArrayRef<int64_t> permutation,
                                      int64_t rank);

/// `found` is `wanted`; `what` names the value ("a result").
mlir::LogicalResult verifyType(mlir::Operation *op, llvm::StringRef what, mlir::Type found,
                               mlir::Type wanted);

/// The rule on indices that loads, stores, atomics and copies share. Gives the box's shape.
mlir::FailureOr<llvm::SmallVector<int64_t>> verifyIndex(mlir::Operation *op, ViewType view,
                                                        mlir::ValueRange indices,
                                                        llvm::ArrayRef<bool> whole);

/// The rules on the sections of a body, its loops or tasks being verified: what stands beside them, their names, roles and
/// what they use (SectionOp C2, C3, C6 to C8).
mlir::LogicalResult verifySections(mlir::Block &body);

/// Operand and result have one element type.
mlir::LogicalResult verifySameElements(mlir::Operation *op, mlir::Type operand, mlir::Type result);

/// The shape without, or with another extent at, one axis.
llvm::SmallVector<int64_t> withoutAxis(llvm::ArrayRef<int64_t> shape, int64_t axis);
llvm::SmallVector<int64_t> withExtent(llvm::ArrayRef<int64_t> shape, int64_t axis, int64_t extent);

} // namespace tessera::tile

#endif // TESSERA_LIB_DIALECT_TILE_VERIFY_H
