// One element of an elementwise op as LLVM instructions: what the language's arithmetic is in a thread's registers. Bit for
// bit what the exact number system gives, any NaN for any NaN, on every target; `accuracy = fast` excepted.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_CONVERSION_SCALARS_H
#define TESSERA_CONVERSION_SCALARS_H

#include "tessera/Dialect/Tile/TileEnums.h"
#include "tessera/Numeric/DType.h"
#include "tessera/Numeric/Modes.h"
#include "tessera/Numeric/ScalarOp.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/Types.h"

#include <array>
#include <vector>

namespace llvm {
class Constant;
class Function;
class IRBuilderBase;
class LLVMContext;
class Module;
class Type;
class Value;
} // namespace llvm
namespace mlir {
class MLIRContext;
class Operation;
} // namespace mlir

namespace tessera::convert {

/// How a register holds an element: i1; iN for integers; float; double; the bits as i16 for bf16 and f16, as i8 for 8-bit
/// floats. Of a tile, view or scalar type: its element's.
llvm::Type *registerType(llvm::LLVMContext &context, DType element);
llvm::Type *registerType(llvm::LLVMContext &context, mlir::Type element);

/// Emits scalars into one module. What no instruction gives (the strict functions, rare casts) becomes an internal function
/// `tessera.fn.*` of the module, always inlined, made when it is first asked for.
///
/// Elements that are absent flow through like others: no operand of any row traps, and none makes poison.
///
/// accuracy = fast, on f32 and, rounded once, on bf16 and f16:
///
///   sqrt rsqrt rcp sin cos tanh   the marker of the name
///   exp2, log2                    ex2(x), lg2(x)
///   exp, log                      ex2(x * log2 e), lg2(x) * ln 2
///   tan                           sin(x) * rcp(cos(x))
///   expm1 log1p erf erfc pow      the strict function: a short form would lose what they exist for
class ScalarLowering {
public:
  using Values = llvm::SmallVector<llvm::Value *>;

  /// `math contract` marks + - * of f32 and f64 as ones that may become fma; `math fast` also takes accuracy = fast for all
  /// functions. The strict functions' own code is never contracted.
  explicit ScalarLowering(llvm::Module &module, tile::MathMode math = tile::MathMode::strict);
  ScalarLowering(llvm::Module &module, mlir::MLIRContext &, tile::MathMode math)
      : ScalarLowering(module, math) {}

  /// The results of an op on one element of each operand: the rows of the elementwise table, cast, cmp, select, bits,
  /// from_bits, constant, philox.
  llvm::Expected<Values> lower(llvm::IRBuilderBase &builder, mlir::Operation *op,
                               llvm::ArrayRef<llvm::Value *> operands);

  /// The same for several elements: `operands[i]` are those of element i. The builder may go on in another block.
  llvm::Expected<std::vector<Values>> lowerAll(llvm::IRBuilderBase &builder, mlir::Operation *op,
                                               llvm::ArrayRef<Values> operands);

  llvm::Expected<llvm::Value *> row(llvm::IRBuilderBase &builder, ScalarOp op, DType type,
                                    llvm::ArrayRef<llvm::Value *> operands,
                                    Accuracy accuracy = Accuracy::strict);
  /// Whether elements of a row may take a shorter way to the same bits together: strict exp and exp2, and quotients, where the
  /// type computes in f32.
  bool hasShortWay(ScalarOp op, DType type, Accuracy accuracy = Accuracy::strict) const;
  /// The row on 2 to `groupSize` elements: the short way where all of them are of ordinary size, else a loop over them.
  llvm::Expected<Values> group(llvm::IRBuilderBase &builder, ScalarOp op, DType type,
                               llvm::ArrayRef<Values> operands);
  static constexpr unsigned groupSize = 4;
  /// The modes must satisfy castAccepts.
  llvm::Value *cast(llvm::IRBuilderBase &builder, llvm::Value *x, DType from, DType to, Round round,
                    Overflow overflow);
  llvm::Value *compare(llvm::IRBuilderBase &builder, CmpPredicate predicate, DType type,
                       llvm::Value *a, llvm::Value *b);
  /// Order of argmax and topk: a is greater, or NaN where b is not.
  llvm::Value *ranksAbove(llvm::IRBuilderBase &builder, DType type, llvm::Value *a, llvm::Value *b);

  /// A float or integer attribute as an element; null if `value` is not of the type.
  llvm::Constant *constant(mlir::Attribute value, mlir::Type element);
  /// An element in native storage (DType.h).
  llvm::Constant *constant(DType type, const void *element);

  /// Reductions as the exact system defines them. `type` is that of the terms after the cast to the accumulator's: f32 for
  /// the sum of bf16, i64 for count. Errors where the kind does not take the type.
  llvm::Expected<llvm::Value *> combine(llvm::IRBuilderBase &builder, ReduceKind kind, DType type,
                                        llvm::Value *a, llvm::Value *b);
  llvm::Expected<llvm::Constant *> identity(ReduceKind kind, DType type);
  /// Each term before it is combined (absmax: its absolute value), and the total at the end (float sums: + 0.0).
  llvm::Value *prepare(llvm::IRBuilderBase &builder, ReduceKind kind, DType type,
                       llvm::Value *term);
  llvm::Value *finish(llvm::IRBuilderBase &builder, ReduceKind kind, DType type,
                      llvm::Value *total);

private:
  llvm::Expected<llvm::Value *> function(llvm::IRBuilderBase &builder, ScalarOp op, DType type,
                                         llvm::ArrayRef<llvm::Value *> operands, Accuracy accuracy);
  llvm::Expected<llvm::Value *> strict(llvm::IRBuilderBase &builder, ScalarOp op,
                                       llvm::ArrayRef<llvm::Value *> operands);

  llvm::Module &module;
  tile::MathMode math;
  /// Of each function: operands and results of a group on the long way, `[groupSize x float]`.
  llvm::DenseMap<llvm::Function *, std::array<llvm::Value *, 2>> longWay;
};

} // namespace tessera::convert

#endif // TESSERA_CONVERSION_SCALARS_H
