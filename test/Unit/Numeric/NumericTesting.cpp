//===- NumericTesting.cpp - references and samples for numeric tests --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See NumericTesting.h.
//
//===----------------------------------------------------------------------===//

#include "NumericTesting.h"

#include <algorithm>
#include <cstdlib>

namespace tessera::testing {

bool fullRun() {
  const char *full = std::getenv("TESSERA_FULL");
  return full && std::string(full) == "1";
}

size_t samples(size_t usual, size_t full) { return fullRun() ? full : usual; }

uint64_t Random::next() {
  // splitmix64 (Steele, Lea, Flood 2014)
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

Format format(DType t) {
  switch (t) {
  case DType::bf16:
    return {8, 7, 127, true};
  case DType::f16:
    return {5, 10, 15, true};
  case DType::f8E4M3FN:
    return {4, 3, 7, false};
  case DType::f8E5M2:
    return {5, 2, 15, true};
  case DType::f64:
    return {11, 52, 1023, true};
  default:
    return {8, 23, 127, true};
  }
}

double valueOf(DType t, uint64_t bits) {
  Format f = format(t);
  uint64_t fraction = bits & ((uint64_t(1) << f.fractionBits) - 1);
  int field = int(bits >> f.fractionBits) & ((1 << f.exponentBits) - 1);
  bool negative = (bits >> (f.fractionBits + f.exponentBits)) & 1;
  int top = (1 << f.exponentBits) - 1;
  double r;
  if (f.infinities && field == top) {
    r = fraction == 0 ? infinity : quietNaN;
  } else if (!f.infinities && field == top && fraction == (uint64_t(1) << f.fractionBits) - 1) {
    r = quietNaN;
  } else if (field == 0) {
    r = std::ldexp(double(fraction), 1 - f.bias - f.fractionBits);
  } else {
    r = std::ldexp(1.0 + std::ldexp(double(fraction), -f.fractionBits), field - f.bias);
  }
  return negative ? -r : r;
}

uint64_t patternOf(DType t, const void *element) {
  uint64_t bits = 0;
  std::memcpy(&bits, element, byteSize(t));
  return bits;
}

ValueTable::ValueTable(DType t) : infinities(format(t).infinities) {
  for (uint64_t bits = 0;; ++bits) {
    double v = valueOf(t, bits);
    if (!(v < infinity)) {
      break;
    }
    finite.push_back(v);
  }
  beyond = finite.back() + (finite.back() - finite[finite.size() - 2]);
}

double ValueTable::round(double x, Round round, Overflow overflow) const {
  if (x != x) {
    return x;
  }
  double a = std::fabs(x);
  bool negative = std::signbit(x);
  double edge = finite.back();
  double result;
  if (a == infinity) {
    result = overflow == Overflow::sat ? edge : infinities ? infinity : quietNaN;
  } else {
    size_t above = std::upper_bound(finite.begin(), finite.end(), a) - finite.begin();
    double low = finite[above - 1], high = above < finite.size() ? finite[above] : beyond;
    double middle = low + (high - low) / 2;
    bool lowIsEven = (above - 1) % 2 == 0;
    bool up = false;
    if (a != low) {
      switch (round) {
      case Round::rne:
        up = a > middle || (a == middle && !lowIsEven);
        break;
      case Round::away:
        up = a >= middle;
        break;
      case Round::rz:
        break;
      case Round::ru:
        up = !negative;
        break;
      case Round::rd:
        up = negative;
        break;
      }
    }
    result = up ? high : low;
    if (a >= beyond || result > edge) {
      bool inward = round == Round::rz || (round == Round::ru && negative) ||
                    (round == Round::rd && !negative);
      result = overflow == Overflow::sat   ? edge
               : overflow == Overflow::nan ? quietNaN
               : inward                    ? edge
                                           : infinity;
    }
  }
  return negative ? -result : result;
}

MpfrFormat::MpfrFormat(DType t) {
  Format f = format(t);
  precision = f.fractionBits + 1;
  mpfr_set_emin(1 - f.bias - f.fractionBits + 1);
  mpfr_set_emax(f.bias + 1);
}

MpfrFormat::~MpfrFormat() {
  mpfr_set_emin(mpfr_get_emin_min());
  mpfr_set_emax(mpfr_get_emax_max());
}

double MpfrFormat::finish(mpfr_t x, int ternary, mpfr_rnd_t mode) const {
  ternary = mpfr_check_range(x, ternary, mode);
  mpfr_subnormalize(x, ternary, mode);
  return mpfr_get_d(x, MPFR_RNDN);
}

bool same(double a, double b) {
  if (a != a || b != b) {
    return a != a && b != b;
  }
  return a == b && std::signbit(a) == std::signbit(b);
}

std::vector<uint64_t> partners(DType t, size_t spread) {
  Format f = format(t);
  unsigned width = unsigned(bitWidth(t));
  uint64_t sign = uint64_t(1) << (width - 1);
  uint64_t top = ((uint64_t(1) << f.exponentBits) - 1) << f.fractionBits;
  uint64_t one = uint64_t(f.bias) << f.fractionBits;
  std::vector<uint64_t> r = {0,
                             1,
                             2,
                             (uint64_t(1) << f.fractionBits) - 1,
                             uint64_t(1) << f.fractionBits,
                             one - 1,
                             one,
                             one + 1,
                             top - 1,
                             top,
                             top + 1};
  for (size_t i = 0, n = r.size(); i < n; ++i) {
    r.push_back(r[i] | sign);
  }
  Random random(width);
  for (size_t i = 0; i < spread; ++i) {
    uint64_t stride = (uint64_t(1) << width) / spread;
    r.push_back(i * stride + random.next() % stride);
  }
  return r;
}

template <class F, class U> static std::vector<F> stratified(size_t count, uint64_t seed) {
  std::vector<F> r(count);
  Random random(seed);
  U stride = U(~U(0)) / U(count);
  for (size_t i = 0; i < count; ++i) {
    U bits = U(i) * stride + U(random.next()) % stride;
    std::memcpy(&r[i], &bits, sizeof(F));
  }
  for (double x : specialValues(sizeof(F) == 4 ? DType::f32 : DType::f64)) {
    r.push_back(F(x));
  }
  return r;
}

std::vector<float> floatSamples(size_t count, uint64_t seed) {
  return stratified<float, uint32_t>(count, seed);
}
std::vector<double> doubleSamples(size_t count, uint64_t seed) {
  return stratified<double, uint64_t>(count, seed);
}

std::vector<double> specialValues(DType t) {
  double least = minPositive(t), most = maxFinite(t);
  double normal = std::ldexp(least, format(t).fractionBits);
  std::vector<double> r;
  for (double x : {0.0, least, 3 * least, normal - least, normal, 0.25, 0.5, 1.0, 1.5, 2.0, 2.5,
                   3.0, 7.0, most / 2, most, infinity, quietNaN}) {
    r.push_back(x);
    r.push_back(-x);
  }
  return r;
}

} // namespace tessera::testing
