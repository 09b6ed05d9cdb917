// Formulas of a launch record: conditions and sizes over extents, integer scalars, strides and alignment of arguments.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_RUNTIME_EXPR_H
#define TESSERA_RUNTIME_EXPR_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tessera::runtime {

/// What leaves of a formula stand for in one launch. Indices are those of the record.
class Facts {
public:
  virtual ~Facts() = default;
  virtual int64_t extent(unsigned index) const = 0;
  virtual int64_t scalar(unsigned argument) const = 0;
  /// A float scalar; every type's values are doubles.
  virtual double real(unsigned argument) const = 0;
  virtual int64_t size(unsigned argument, unsigned axis) const = 0;
  virtual int64_t stride(unsigned argument, unsigned axis) const = 0;
  virtual bool aligned(unsigned argument, uint64_t bytes) const = 0;
};

/// Values are i64 and wrap; x // 0 = 0, x % 0 = x, division rounds down; comparisons give 0 or 1, and every value but 0 is
/// true. `select` gives its second operand where the first is true, else the third. Floats appear as operands of the
/// comparisons feq to fge alone, as the bits of a double.
class Expr {
public:
  enum class Kind : uint8_t {
    constant, ///< `first` is the value
    extent,   ///< `first` is the extent's index
    scalar,   ///< `first` is the argument's index
    real,     ///< the same for a float; the bits of its value as a double
    size,     ///< elements along axis `second` of argument `first`, as it was passed
    stride,   ///< in elements, the same
    aligned, ///< argument `first`: base address and all strides but the last are multiples of `second` bytes, the last is 1
    add,
    sub,
    mul,
    floordiv,
    mod,
    min,
    max,
    neg,
    eq,
    ne,
    lt,
    le,
    gt,
    ge,
    and_,
    or_,
    not_,
    select,
    feq,
    fne,
    flt,
    fle,
    fgt,
    fge
  };

  Kind kind = Kind::constant;
  int64_t first = 0, second = 0;
  std::vector<Expr> operands;

  static Expr constant(int64_t value) { return {Kind::constant, value, 0, {}}; }
  static Expr extent(unsigned index) { return {Kind::extent, index, 0, {}}; }
  static Expr scalar(unsigned argument) { return {Kind::scalar, argument, 0, {}}; }
  static Expr real(unsigned argument) { return {Kind::real, argument, 0, {}}; }
  /// A float, for the comparisons of floats.
  static Expr realConstant(double value);
  static Expr size(unsigned argument, unsigned axis) { return {Kind::size, argument, axis, {}}; }
  static Expr stride(unsigned argument, unsigned axis) {
    return {Kind::stride, argument, axis, {}};
  }
  static Expr aligned(unsigned argument, int64_t bytes) {
    return {Kind::aligned, argument, bytes, {}};
  }
  /// Any kind with operands.
  static Expr make(Kind kind, std::vector<Expr> operands) {
    return {kind, 0, 0, std::move(operands)};
  }

  int64_t evaluate(const Facts &facts) const;
  bool operator==(const Expr &other) const;
};

inline Expr operator+(Expr a, Expr b) { return Expr::make(Expr::Kind::add, {a, b}); }
inline Expr operator-(Expr a, Expr b) { return Expr::make(Expr::Kind::sub, {a, b}); }
inline Expr operator*(Expr a, Expr b) { return Expr::make(Expr::Kind::mul, {a, b}); }

/// The word in texts, and the number of operands; leaves have none.
const char *word(Expr::Kind kind);
unsigned operandCount(Expr::Kind kind);

inline constexpr Expr::Kind lastKind = Expr::Kind::fge;

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_EXPR_H
