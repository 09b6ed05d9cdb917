// The three comparisons and their reports.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Check/Compare.h"

#include "tessera/Check/TestValue.h"
#include "tessera/Host/HostError.h"
#include "tessera/Numeric/Value.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

using namespace tessera;

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();

uint64_t loadBits(DType dtype, const void *element) {
  uint64_t bits = 0;
  std::memcpy(&bits, element, byteSize(dtype));
  return bits;
}

/// Maps elements to integers in the order of their values, one step per neighbouring value. Both zeros map to 0.
Int128 ordinal(DType dtype, uint64_t bits) {
  unsigned width = bitWidth(dtype);
  uint64_t sign = uint64_t(1) << (width - 1);
  if (isFloat(dtype)) {
    auto magnitude = static_cast<Int128>(bits & (sign - 1));
    return bits & sign ? -magnitude : magnitude;
  }
  bool negative = isSigned(dtype) && bits & sign;
  return static_cast<Int128>(bits) - (negative ? Int128(1) << width : 0);
}

bool isNaN(DType dtype, uint64_t bits) { return isFloat(dtype) && isNaNElement(dtype, &bits); }

uint64_t distance(DType dtype, uint64_t a, uint64_t b) {
  if (isNaN(dtype, a) || isNaN(dtype, b)) {
    return 0;
  }
  Int128 difference = ordinal(dtype, a) - ordinal(dtype, b);
  return static_cast<uint64_t>(difference < 0 ? -difference : difference);
}

std::string print(double value) { return TestValue(value).str(); }

std::string printElement(DType dtype, uint64_t bits, double value) {
  if (isBool(dtype)) {
    return bits == 0 ? "false" : bits == 1 ? "true" : "byte " + std::to_string(bits);
  }
  if (!isFloat(dtype)) {
    return printDecimal(ordinal(dtype, bits));
  }
  return print(value) + " (0x" + llvm::utohexstr(bits, /*LowerCase=*/true, bitWidth(dtype) / 4) +
         ")";
}

/// Collects mismatches; the worst is the one with the greatest badness, the first of equals.
class Collector {
public:
  Collector(llvm::ArrayRef<int64_t> shape, const ElementFlags &flags)
      : shape(shape), flags(flags) {}

  CompareResult result;

  /// Whether the element at `position` has a value to compare; reports it where writing and presence disagree.
  bool wantsValue(int64_t position, const Mismatch &found) {
    ++result.elements;
    bool present = flags.present.empty() || flags.present[position];
    bool written = flags.written.empty() ? present : flags.written[position] != 0;
    if (present) {
      ++result.compared;
    }
    if (present != written) {
      Mismatch mismatch = found;
      mismatch.kind = present ? Mismatch::unwritten : Mismatch::writtenAbsent;
      add(position, std::move(mismatch), infinity);
    }
    return present && written;
  }

  /// For an element known to be right: counts it if there is a value to compare, else leaves it to wantsValue.
  bool countRight(int64_t position) {
    bool present = flags.present.empty() || flags.present[position];
    bool written = flags.written.empty() || flags.written[position];
    result.elements += present && written;
    result.compared += present && written;
    return present && written;
  }

  void add(int64_t position, Mismatch mismatch, double badness) {
    ++result.failures;
    bool isWorst = !result.worst || badness > worstBadness;
    if (!isWorst && result.first) {
      return;
    }
    mismatch.index = indexOfPosition(shape, position);
    if (!result.first) {
      result.first = mismatch;
    }
    if (isWorst) {
      worstBadness = badness;
      result.worst = std::move(mismatch);
    }
  }

private:
  llvm::ArrayRef<int64_t> shape;
  const ElementFlags &flags;
  double worstBadness = 0;
};

llvm::Error checkFlags(const ElementFlags &flags, int64_t count) {
  for (auto [list, what] :
       {std::pair(flags.present, "present"), std::pair(flags.written, "written")}) {
    if (!list.empty() && static_cast<int64_t>(list.size()) != count) {
      return hostError(HostDiag::check_shape, what, llvm::formatv("{0} flags", count).str(),
                       list.size());
    }
  }
  return llvm::Error::success();
}

llvm::Error checkCount(llvm::StringRef what, size_t found, int64_t wanted) {
  if (static_cast<int64_t>(found) == wanted) {
    return llvm::Error::success();
  }
  return hostError(HostDiag::check_shape, what, llvm::formatv("{0} elements", wanted).str(), found);
}

/// Calls `visit(position, element)` in index order.
template <typename Visit> void forEachElement(const HostArray &array, Visit visit) {
  int64_t position = 0;
  array.layout().forEachRow([&](int64_t offset, int64_t stride, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      visit(position++, array.atOffset(offset + i * stride));
    }
  });
}

/// One end of the interval or the reference itself as an element. Integers saturate whatever the mode: an interval that
/// wraps would accept nonsense.
uint64_t castTo(DType dtype, double value, Overflow overflow) {
  uint64_t bits = 0;
  if (!fromDouble(dtype, value, Round::rne, isFloat(dtype) ? overflow : Overflow::sat, &bits)) {
    // The type has no infinity, so overflow by `inf` means NaN there.
    fromDouble(dtype, value, Round::rne, Overflow::nan, &bits);
  }
  return bits;
}

/// What the bounded comparison accepts for one element.
struct Interval {
  uint64_t lowBits, highBits;
  bool lowNaN, highNaN;
  /// No number is in the interval.
  bool onlyNaN;

  Interval(DType dtype, double reference, double bound, Overflow overflow) {
    // For an infinite reference r - b may be inf - inf; the interval is the one value.
    bool point = std::isinf(reference) || std::isnan(reference);
    double low = point ? reference : reference - bound;
    double high = point ? reference : reference + bound;
    lowBits = castTo(dtype, low, overflow);
    highBits = castTo(dtype, high, overflow);
    lowNaN = isNaN(dtype, lowBits);
    highNaN = isNaN(dtype, highBits);
    // Ends that overflow on different sides have all numbers between them.
    onlyNaN =
        lowNaN && highNaN && (std::isnan(reference) || std::signbit(low) == std::signbit(high));
  }

  bool admitsNaN() const { return lowNaN || highNaN; }

  /// `bits` is not NaN.
  bool contains(DType dtype, uint64_t bits) const {
    Int128 place = ordinal(dtype, bits);
    return !onlyNaN && (lowNaN || ordinal(dtype, lowBits) <= place) &&
           (highNaN || place <= ordinal(dtype, highBits));
  }
};

/// How far beyond its bound an element is, relative to the bound where there is one.
double badnessOf(const Mismatch &mismatch) {
  double difference = std::abs(mismatch.got - mismatch.expected);
  if (mismatch.kind != Mismatch::value || std::isnan(difference)) {
    return infinity;
  }
  return mismatch.bound > 0 ? difference / mismatch.bound
                            : std::max(difference, 0x1p-1000) * 0x1p600;
}
} // namespace

llvm::Expected<CompareResult> tessera::compareExact(const HostArray &got, const HostArray &expected,
                                                    const ElementFlags &flags) {
  if (got.dtype() != expected.dtype() || got.shape() != expected.shape()) {
    auto describe = [](const HostArray &array) {
      return name(array.dtype()).str() + " [" + joinNumbers(array.shape()) + "]";
    };
    return hostError(HostDiag::check_shape, "output", describe(expected), describe(got));
  }
  if (llvm::Error error = checkFlags(flags, got.numElements())) {
    return error;
  }
  DType dtype = got.dtype();
  Collector collector(got.shape(), flags);
  std::vector<std::byte> wanted(expected.numElements() * expected.elementBytes());
  expected.copyTo(wanted.data());
  forEachElement(got, [&](int64_t position, const std::byte *element) {
    const std::byte *other = wanted.data() + position * expected.elementBytes();
    bool same = sameElement(dtype, element, other);
    if (same && collector.countRight(position)) {
      return;
    }
    Mismatch found;
    found.dtype = dtype;
    found.gotBits = loadBits(dtype, element);
    found.expectedBits = loadBits(dtype, other);
    found.got = toDouble(dtype, element);
    found.expected = found.low = found.high = toDouble(dtype, other);
    if (!collector.wantsValue(position, found) || same) {
      return;
    }
    bool gotNaN = isNaN(dtype, found.gotBits), wantedNaN = isNaN(dtype, found.expectedBits);
    found.kind = gotNaN != wantedNaN ? Mismatch::nan : Mismatch::value;
    found.ulps = distance(dtype, found.gotBits, found.expectedBits);
    collector.add(position, found,
                  found.kind == Mismatch::nan ? infinity : static_cast<double>(found.ulps));
  });
  return collector.result;
}

llvm::Expected<CompareResult> tessera::compareBounded(const HostArray &got,
                                                      llvm::ArrayRef<double> reference,
                                                      llvm::ArrayRef<double> bound,
                                                      Overflow overflow,
                                                      const ElementFlags &flags) {
  int64_t count = got.numElements();
  if (llvm::Error error = checkCount("reference", reference.size(), count)) {
    return error;
  }
  if (llvm::Error error = checkCount("bound", bound.size(), count)) {
    return error;
  }
  if (llvm::Error error = checkFlags(flags, count)) {
    return error;
  }
  DType dtype = got.dtype();
  Collector collector(got.shape(), flags);
  forEachElement(got, [&](int64_t position, const std::byte *element) {
    double r = reference[position], b = bound[position], y = toDouble(dtype, element);
    // Rounding is monotonic and keeps y, so what lies between the ends lies between the rounded ends.
    bool inside = isFloat(dtype) && std::isfinite(y) && std::isfinite(b) && b >= 0 && r - b <= y &&
                  y <= r + b;
    if (inside && collector.countRight(position)) {
      return;
    }
    Mismatch found;
    found.dtype = dtype;
    found.gotBits = loadBits(dtype, element);
    found.got = y;
    found.expected = r;
    found.bound = b;
    if (!collector.wantsValue(position, found)) {
      return;
    }
    if (std::isfinite(r) && !(b >= 0)) {
      found.kind = Mismatch::badBound;
      collector.add(position, found, infinity);
      return;
    }
    collector.result.unbounded += std::isfinite(r) && std::isinf(b);
    Interval accepted(dtype, r, b, overflow);
    bool gotNaN = isNaN(dtype, found.gotBits);
    if (gotNaN ? accepted.admitsNaN() : accepted.contains(dtype, found.gotBits)) {
      return;
    }
    found.expectedBits = castTo(dtype, r, overflow);
    found.low = toDouble(dtype, &accepted.lowBits);
    found.high = toDouble(dtype, &accepted.highBits);
    found.kind = gotNaN != isNaN(dtype, found.expectedBits) ? Mismatch::nan : Mismatch::value;
    found.ulps = distance(dtype, found.gotBits, found.expectedBits);
    collector.add(position, found, badnessOf(found));
  });
  return collector.result;
}

llvm::Expected<CompareResult> tessera::compareF64(llvm::ArrayRef<double> got,
                                                  llvm::ArrayRef<double> reference,
                                                  llvm::ArrayRef<int64_t> shape,
                                                  const ElementFlags &flags) {
  HostLayout layout;
  layout.shape.assign(shape.begin(), shape.end());
  Int128 total = layout.numElements();
  int64_t count = total > std::numeric_limits<int64_t>::max() ? -1 : static_cast<int64_t>(total);
  if (llvm::Error error = checkCount("reference", reference.size(), count)) {
    return error;
  }
  if (llvm::Error error = checkCount("output", got.size(), count)) {
    return error;
  }
  if (llvm::Error error = checkFlags(flags, count)) {
    return error;
  }
  int64_t width = shape.empty() ? 1 : shape.back();
  Collector collector(shape, flags);
  for (int64_t start = 0; start < count; start += width) {
    double greatest = 0;
    for (int64_t position = start; position < start + width; ++position) {
      bool present = flags.present.empty() || flags.present[position];
      if (present && std::isfinite(reference[position])) {
        greatest = std::max(greatest, std::abs(reference[position]));
      }
    }
    for (int64_t position = start; position < start + width; ++position) {
      double y = got[position], r = reference[position];
      Mismatch found;
      found.got = y;
      found.expected = r;
      std::memcpy(&found.gotBits, &y, sizeof y);
      std::memcpy(&found.expectedBits, &r, sizeof r);
      // Scaled before the sum, which could overflow.
      found.bound = std::isfinite(r) ? 0x1p-40 * std::abs(r) + 0x1p-40 * greatest : 0;
      found.low = r - found.bound;
      found.high = r + found.bound;
      if (!collector.wantsValue(position, found)) {
        continue;
      }
      bool same = y == r || (std::isnan(y) && std::isnan(r)) ||
                  (std::isfinite(r) && std::abs(y - r) <= found.bound);
      if (!same) {
        found.kind = std::isnan(y) != std::isnan(r) ? Mismatch::nan : Mismatch::value;
        found.ulps = distance(DType::f64, found.gotBits, found.expectedBits);
        collector.add(position, found, badnessOf(found));
      }
    }
  }
  return collector.result;
}

std::string Mismatch::str() const {
  std::string place = "[" + joinNumbers(index) + "]: ";
  std::string found = printElement(dtype, gotBits, got);
  std::string wanted =
      isFloat(dtype) || bound != 0 ? print(expected) : printDecimal(ordinal(dtype, expectedBits));
  switch (kind) {
  case writtenAbsent:
    return place + "was written (" + found + "), the reference is absent there";
  case unwritten:
    return place + "was not written, the reference is " + wanted;
  case badBound:
    return place + "the bound is " + print(bound) + " where the reference is " + wanted +
           "; a bound must be 0 or more";
  case value:
  case nan:
    break;
  }
  std::string text = place + "got " + found + ", expected " + wanted;
  if (bound != 0) {
    text += " +- " + print(bound) + ", accepted " + print(low) + " to " + print(high);
  } else if (isFloat(dtype)) {
    text += " (0x" + llvm::utohexstr(expectedBits, /*LowerCase=*/true, bitWidth(dtype) / 4) + ")";
  }
  if (kind == value) {
    text += llvm::formatv(isFloat(dtype) ? ", {0} ulp away" : ", {0} away", ulps).str();
  }
  return text;
}

std::string CompareResult::str() const {
  if (passed()) {
    std::string text = llvm::formatv("{0} elements compared", compared);
    if (compared < elements) {
      text += llvm::formatv(", {0} absent", elements - compared).str();
    }
    if (unbounded) {
      text += llvm::formatv(", {0} with an infinite bound", unbounded).str();
    }
    return text;
  }
  std::string text =
      llvm::formatv("{0} of {1} elements wrong, first {2}", failures, elements, first->str());
  if (worst->index != first->index) {
    text += "; worst " + worst->str();
  }
  return text;
}

llvm::Error tessera::toError(const CompareResult &result, CompareKind kind, llvm::StringRef name) {
  if (result.passed()) {
    return llvm::Error::success();
  }
  switch (kind) {
  case CompareKind::exact:
    return hostError(HostDiag::check_exact, name, result.str());
  case CompareKind::bounded:
    return hostError(HostDiag::check_bounded, name, result.str());
  case CompareKind::f64:
    break;
  }
  return hostError(HostDiag::check_f64, name, result.str());
}
