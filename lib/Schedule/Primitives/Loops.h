// Edits of written loops, behind the primitives that also act on dims.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_SCHEDULE_PRIMITIVES_LOOPS_H
#define TESSERA_LIB_SCHEDULE_PRIMITIVES_LOOPS_H

#include "tessera/Schedule/Primitive.h"

namespace tessera::schedule {

llvm::Expected<Value> splitLoop(PrimitiveContext &context, const HostCall &call, int64_t q);
llvm::Expected<Value> unrollLoop(PrimitiveContext &context, const HostCall &call);
llvm::Expected<Value> reorderLoops(PrimitiveContext &context, const HostCall &call);
llvm::Expected<Value> bindLoop(PrimitiveContext &context, const HostCall &call, tile::Place place);

/// The loop of a cursor, where it is a `tile.for`.
llvm::Expected<tile::ForOp> loopOf(PrimitiveContext &context, const Value &cursor);
/// The location of an op under another name.
mlir::Location named(mlir::Location loc, llvm::StringRef name);
/// A loop of this form with an empty body; the step is called `name`.
tile::ForOp makeLoop(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value lo, mlir::Value hi,
                     mlir::ValueRange inits, int64_t width, bool reversed, llvm::StringRef name);
/// The value of a step: the index `lo + offset`, or the span of `width` from there up to `hi`.
mlir::Value makeStep(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value lo,
                     mlir::Value offset, mlir::Value hi, int64_t width);
/// An op inside whose order windows do not tell: of rings, barriers, groups, prints; null where there is none.
mlir::Operation *findOrdered(mlir::Operation *root);

} // namespace tessera::schedule

#endif // TESSERA_LIB_SCHEDULE_PRIMITIVES_LOOPS_H
