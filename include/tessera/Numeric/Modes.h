//===- Modes.h - rounding, overflow and other modes of ops --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The enumerated attributes of arithmetic: how a cast rounds, what it does beyond the range, comparison predicates,
// reduction kinds and precisions of the matrix product; with their spelling and the pairs of types they fit.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_NUMERIC_MODES_H
#define TESSERA_NUMERIC_MODES_H

#include "tessera/Numeric/DType.h"

namespace tessera {

/// To nearest even, towards zero, up, down, to nearest with ties away from zero.
enum class Round : uint8_t { rne, rz, ru, rd, away };
/// Beyond the range: infinity (as IEEE for the rounding mode), largest finite value, NaN, or modulo 2^width.
enum class Overflow : uint8_t { inf, sat, nan, wrap };
enum class Accuracy : uint8_t { strict, fast };
enum class CmpPredicate : uint8_t { eq, ne, lt, le, gt, ge };
enum class ReduceKind : uint8_t {
  sum,
  prod,
  max,
  min,
  max_num,
  min_num,
  absmax,
  any,
  all,
  and_,
  or_,
  xor_,
  count
};
enum class ReduceOrder : uint8_t { tree, any };
enum class MmaPrecision : uint8_t { ieee, tf32, tf32x3, bf16x3, bf16x6 };

inline constexpr unsigned numReduceKinds = 13;

llvm::StringRef name(Round m);
llvm::StringRef name(Overflow m);
llvm::StringRef name(Accuracy m);
llvm::StringRef name(CmpPredicate m);
llvm::StringRef name(ReduceKind m); ///< `and`, `or`, `xor` without the underscore
llvm::StringRef name(ReduceOrder m);
llvm::StringRef name(MmaPrecision m);

std::optional<Round> parseRound(llvm::StringRef text);
std::optional<Overflow> parseOverflow(llvm::StringRef text);
std::optional<Accuracy> parseAccuracy(llvm::StringRef text);
std::optional<CmpPredicate> parseCmpPredicate(llvm::StringRef text);
std::optional<ReduceKind> parseReduceKind(llvm::StringRef text);
std::optional<ReduceOrder> parseReduceOrder(llvm::StringRef text);
std::optional<MmaPrecision> parseMmaPrecision(llvm::StringRef text);

/// Whether every value of `from` is a value of `to` (NaN and infinities included), so that no mode matters.
bool castIsExact(DType from, DType to);

/// Whether a cast may carry this overflow mode. Exact casts and casts to or from `bool` take any mode. Otherwise:
/// to a float with infinities inf, sat or nan; to f8E4M3FN, which has none, sat or nan; to an integer sat or wrap.
bool castAccepts(DType from, DType to, Overflow overflow);

/// The overflow mode of a cast written without one: inf for floats with infinities, sat from float to integer; nothing
/// where the source must say (to f8E4M3FN from a wider type, to a narrower or differently signed integer).
std::optional<Overflow> defaultOverflow(DType from, DType to);

} // namespace tessera

#endif // TESSERA_NUMERIC_MODES_H
