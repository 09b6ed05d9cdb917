// f32 values that are computed from one bf16 element and constants: what they are for every element of a window of exponents, and
// what that allows.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_CONVERSION_ONEELEMENT_H
#define TESSERA_CONVERSION_ONEELEMENT_H

#include "tessera/Dialect/Tile/TileOps.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <vector>

namespace tessera::convert {

/// Elements of either sign whose magnitude, as a pattern, lies in [first, end).
struct ElementWindow {
  unsigned first = 0, end = 0;
  bool hasZeros = false; ///< what was expected holds of both zeros, too
};

/// Sums and products of bf16 elements and constants: 0, or of a magnitude in [2^least, 2^most).
struct Sizes {
  int least, most;
};
/// Nothing where a value is no such sum, or `windowOf` knows nothing of an element's tile.
std::optional<Sizes>
sizesOf(mlir::Value value,
        llvm::function_ref<std::optional<ElementWindow>(mlir::Value source)> windowOf);

/// Functions of the elements of one bf16 tile. There are so few of them that each is tried.
class OneElement {
public:
  explicit OneElement(mlir::Value source);

  /// The bf16 tile of which the elements of an f32 value are functions, by ops that the exact system computes; null if there is
  /// none or more than one.
  static mlir::Value sourceOf(mlir::Value value);

  /// Of the elements in the window shall hold: the short way of `op`, whose operands are functions of the source, gives what
  /// the op gives. Quotients: true if also without a Newton step.
  bool expectShortWay(mlir::Operation *op);
  /// Quotients by this function of the source, which is positive, may take the short way.
  void expectDivisor(mlir::Value divisor);
  /// The window of all elements around 1 for which everything holds; nothing if some of ordinary size are not in it.
  std::optional<ElementWindow> window() const { return windowOf(good); }

private:
  using Floats = std::vector<float>;
  using Bits = std::vector<bool>; ///< of each element that is tried
  const Floats &of(mlir::Value value);
  Floats compute(mlir::Value value);
  Bits rightQuotients(mlir::Operation *op, bool withNewton);
  static std::optional<ElementWindow> windowOf(const Bits &good);

  mlir::Value source;
  llvm::DenseMap<mlir::Value, Floats> known;
  Bits good;
};

} // namespace tessera::convert

#endif // TESSERA_CONVERSION_ONEELEMENT_H
