// Whether an output is right: bit for bit, within a bound around a reference, or, for the evaluation in f64, up to the
// rounding of f64. Reports the first and the worst wrong element.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_CHECK_COMPARE_H
#define TESSERA_CHECK_COMPARE_H

#include "tessera/Host/HostArray.h"
#include "tessera/Numeric/Modes.h"

#include <optional>
#include <string>

namespace tessera {

/// Per element in index order, one byte each, not 0 for yes.
struct ElementFlags {
  /// The reference has a value here. Empty: everywhere.
  llvm::ArrayRef<uint8_t> present;
  /// The kernel has written here; must agree with `present`. Empty: not known and not checked.
  llvm::ArrayRef<uint8_t> written;
};

struct Mismatch {
  enum Kind : uint8_t {
    /// Bits differ, or the value is outside the accepted interval.
    value,
    /// One of the two is NaN and the other is not.
    nan,
    /// Written where the reference is absent.
    writtenAbsent,
    /// Not written where the reference has a value.
    unwritten,
    /// The bound is negative or NaN where the reference is a number: the tolerance formula is wrong.
    badBound,
  };
  Kind kind = value;
  IndexVector index;
  DType dtype = DType::f64;
  /// Bits of the element found, and of the reference cast to `dtype`, in the low bits.
  uint64_t gotBits = 0, expectedBits = 0;
  /// The element found; the reference and bound; the accepted interval. i64 beyond 2^53 is rounded here, not in the
  /// comparison.
  double got = 0, expected = 0, bound = 0, low = 0, high = 0;
  /// Number of steps between neighbouring values of `dtype` from the expected to the found element; 0 where either is
  /// NaN. For integers the distance.
  uint64_t ulps = 0;

  /// `[3, 17]: got 0.501 (0x3f00), expected 0.5 +- 0.001, accepted 0.499 to 0.501, 12 ulp away`.
  std::string str() const;
};

struct CompareResult {
  int64_t elements = 0;
  /// Elements with a reference.
  int64_t compared = 0;
  int64_t failures = 0;
  /// Elements whose bound is infinite although the reference is finite: there any number of the range passes.
  int64_t unbounded = 0;
  std::optional<Mismatch> first, worst;

  bool passed() const { return failures == 0; }
  /// One or two lines; for a pass, how much was compared.
  std::string str() const;
};

/// Same bits, any NaN equals any NaN, +0 differs from -0. Both arrays have the same element type and shape.
/// Error: T0863, they have not.
llvm::Expected<CompareResult> compareExact(const HostArray &got, const HostArray &expected,
                                           const ElementFlags &flags);

/// With reference r and bound b per element, in index order: passes iff the element lies in
/// [cast(r - b), cast(r + b)], where cast rounds to nearest even to the element type and overflows as told; NaN iff the
/// reference is NaN. For an infinite r the interval is cast(r) alone; an infinite element passes iff the interval
/// reaches that infinity. Where the type has no infinity and overflow gives NaN, an end that overflows admits NaN.
/// -0 equals +0. Sizes of r and b, and of the flags unless empty, are the number of elements. Error: T0863.
llvm::Expected<CompareResult> compareBounded(const HostArray &got, llvm::ArrayRef<double> reference,
                                             llvm::ArrayRef<double> bound, Overflow overflow,
                                             const ElementFlags &flags);

/// The check without tolerance: |y - r| <= 2^-40 (|r| + max |r| of the finite r in its row, the last axis); NaN iff NaN,
/// infinities equal. `got` and `reference` are in index order of `shape`. Error: T0863.
llvm::Expected<CompareResult> compareF64(llvm::ArrayRef<double> got,
                                         llvm::ArrayRef<double> reference,
                                         llvm::ArrayRef<int64_t> shape, const ElementFlags &flags);

enum class CompareKind : uint8_t { exact, bounded, f64 };

/// Success, or the error (T0860 to T0862) that reports the failures of output `name`.
llvm::Error toError(const CompareResult &result, CompareKind kind, llvm::StringRef name);

} // namespace tessera

#endif // TESSERA_CHECK_COMPARE_H
