//===- Range.cpp - 128-bit integers and ranges of them --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Range.h.
//
//===----------------------------------------------------------------------===//

#include "tessera/Solver/Range.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace tessera::solver {

static constexpr Int span = Int(1) << 120;

bool fits(Int value) { return -span <= value && value <= span; }

std::optional<Int> checkedAdd(Int a, Int b) {
  Int result;
  if (__builtin_add_overflow(a, b, &result) || !fits(result)) {
    return std::nullopt;
  }
  return result;
}

std::optional<Int> checkedMul(Int a, Int b) {
  Int result;
  if (__builtin_mul_overflow(a, b, &result) || !fits(result)) {
    return std::nullopt;
  }
  return result;
}

Int floorDiv(Int a, Int c) { return a / c - (a % c < 0 ? 1 : 0); }

Int floorMod(Int a, Int c) {
  Int r = a % c;
  return r < 0 ? r + c : r;
}

Int gcd(Int a, Int b) {
  a = a < 0 ? -a : a;
  b = b < 0 ? -b : b;
  while (b != 0) {
    Int r = a % b;
    a = b;
    b = r;
  }
  return a;
}

std::string toString(Int value) {
  if (value == 0) {
    return "0";
  }
  bool negative = value < 0;
  unsigned __int128 magnitude = negative ? -static_cast<unsigned __int128>(value) : value;
  std::string digits;
  for (; magnitude != 0; magnitude /= 10) {
    digits.push_back(static_cast<char>('0' + static_cast<int>(magnitude % 10)));
  }
  if (negative) {
    digits.push_back('-');
  }
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::optional<Int> parseInt(llvm::StringRef text) {
  bool negative = text.consume_front("-");
  if (text.empty()) {
    return std::nullopt;
  }
  Int value = 0;
  for (char c : text) {
    if (c < '0' || c > '9') {
      return std::nullopt;
    }
    std::optional<Int> shifted = checkedMul(value, 10);
    std::optional<Int> next = shifted ? checkedAdd(*shifted, c - '0') : std::nullopt;
    if (!next) {
      return std::nullopt;
    }
    value = *next;
  }
  return negative ? -value : value;
}

Range operator+(Range a, Range b) {
  Range result;
  if (a.lo && b.lo) {
    result.lo = checkedAdd(*a.lo, *b.lo);
  }
  if (a.hi && b.hi) {
    result.hi = checkedAdd(*a.hi, *b.hi);
  }
  return result;
}

Range operator*(Range a, Int factor) {
  if (factor == 0) {
    return Range::exactly(0);
  }
  Range result;
  if (a.lo) {
    result.lo = checkedMul(*a.lo, factor);
  }
  if (a.hi) {
    result.hi = checkedMul(*a.hi, factor);
  }
  if (factor < 0) {
    std::swap(result.lo, result.hi);
  }
  return result;
}

Range operator*(Range a, Range b) {
  auto pinned = [](Range r) { return r.lo && r.hi && *r.lo == *r.hi; };
  if (pinned(a)) {
    return b * *a.lo;
  }
  if (pinned(b)) {
    return a * *b.lo;
  }
  if (a.lo && a.hi && b.lo && b.hi) {
    std::optional<Int> ends[] = {checkedMul(*a.lo, *b.lo), checkedMul(*a.lo, *b.hi),
                                 checkedMul(*a.hi, *b.lo), checkedMul(*a.hi, *b.hi)};
    if (llvm::any_of(ends, [](const std::optional<Int> &end) { return !end; })) {
      return Range::all();
    }
    return {**std::min_element(ends, ends + 4), **std::max_element(ends, ends + 4)};
  }
  if (a.lo && b.lo && *a.lo >= 0 && *b.lo >= 0) {
    return {checkedMul(*a.lo, *b.lo), std::nullopt};
  }
  return Range::all();
}

Range floorDiv(Range a, Int c) {
  Range result;
  if (a.lo) {
    result.lo = floorDiv(*a.lo, c);
  }
  if (a.hi) {
    result.hi = floorDiv(*a.hi, c);
  }
  return result;
}

Range floorMod(Range a, Int c) {
  if (a.lo && a.hi && floorDiv(*a.lo, c) == floorDiv(*a.hi, c)) {
    return {floorMod(*a.lo, c), floorMod(*a.hi, c)};
  }
  return {0, c - 1};
}

static std::optional<Int> tightest(std::optional<Int> a, std::optional<Int> b, bool larger) {
  if (!a || !b) {
    return a ? a : b;
  }
  return larger ? std::max(*a, *b) : std::min(*a, *b);
}

static std::optional<Int> loosest(std::optional<Int> a, std::optional<Int> b, bool larger) {
  if (!a || !b) {
    return std::nullopt;
  }
  return larger ? std::max(*a, *b) : std::min(*a, *b);
}

Range minimum(Range a, Range b) {
  return {loosest(a.lo, b.lo, false), tightest(a.hi, b.hi, false)};
}

Range maximum(Range a, Range b) { return {tightest(a.lo, b.lo, true), loosest(a.hi, b.hi, true)}; }

Range hull(Range a, Range b) { return {loosest(a.lo, b.lo, false), loosest(a.hi, b.hi, true)}; }

Range intersect(Range a, Range b) {
  return {tightest(a.lo, b.lo, true), tightest(a.hi, b.hi, false)};
}

} // namespace tessera::solver
