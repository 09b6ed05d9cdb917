//===- DType.cpp - spellings of types, ops and modes ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of the enums of this room and their inverses, and which cast modes fit which pair of types.
//
//===----------------------------------------------------------------------===//

#include "Formats.h"

#include "tessera/Numeric/Modes.h"
#include "tessera/Numeric/ScalarOp.h"

using llvm::StringRef;

namespace tessera {

static constexpr const char *surfaceNames[numDTypes] = {"bool", "i8",   "i16",  "i32",    "i64",
                                                        "ui8",  "ui16", "ui32", "ui64",   "bf16",
                                                        "f16",  "f32",  "f64",  "f8e4m3", "f8e5m2"};
static constexpr const char *irNames[numDTypes] = {"i1",  "i8",   "i16",  "i32",      "i64",
                                                   "ui8", "ui16", "ui32", "ui64",     "bf16",
                                                   "f16", "f32",  "f64",  "f8E4M3FN", "f8E5M2"};
static constexpr const char *roundNames[] = {"rne", "rz", "ru", "rd", "away"};
static constexpr const char *overflowNames[] = {"inf", "sat", "nan", "wrap"};
static constexpr const char *accuracyNames[] = {"strict", "fast"};
static constexpr const char *predicateNames[] = {"eq", "ne", "lt", "le", "gt", "ge"};
static constexpr const char *reduceNames[numReduceKinds] = {
    "sum", "prod", "max", "min", "max_num", "min_num", "absmax",
    "any", "all",  "and", "or",  "xor",     "count"};
static constexpr const char *orderNames[] = {"tree", "any"};
static constexpr const char *precisionNames[] = {"ieee", "tf32", "tf32x3", "bf16x3", "bf16x6"};

template <class E, size_t N>
static std::optional<E> find(const char *const (&names)[N], StringRef text) {
  for (size_t i = 0; i < N; ++i) {
    if (text == names[i]) {
      return static_cast<E>(i);
    }
  }
  return std::nullopt;
}

StringRef name(DType t) { return surfaceNames[static_cast<unsigned>(t)]; }
StringRef irName(DType t) { return irNames[static_cast<unsigned>(t)]; }
StringRef name(Round m) { return roundNames[static_cast<unsigned>(m)]; }
StringRef name(Overflow m) { return overflowNames[static_cast<unsigned>(m)]; }
StringRef name(Accuracy m) { return accuracyNames[static_cast<unsigned>(m)]; }
StringRef name(CmpPredicate m) { return predicateNames[static_cast<unsigned>(m)]; }
StringRef name(ReduceKind m) { return reduceNames[static_cast<unsigned>(m)]; }
StringRef name(ReduceOrder m) { return orderNames[static_cast<unsigned>(m)]; }
StringRef name(MmaPrecision m) { return precisionNames[static_cast<unsigned>(m)]; }

std::optional<DType> parseDType(StringRef text) {
  std::optional<DType> t = find<DType>(surfaceNames, text);
  return t ? t : find<DType>(irNames, text);
}
std::optional<Round> parseRound(StringRef text) { return find<Round>(roundNames, text); }
std::optional<Overflow> parseOverflow(StringRef text) {
  return find<Overflow>(overflowNames, text);
}
std::optional<Accuracy> parseAccuracy(StringRef text) {
  return find<Accuracy>(accuracyNames, text);
}
std::optional<CmpPredicate> parseCmpPredicate(StringRef text) {
  return find<CmpPredicate>(predicateNames, text);
}
std::optional<ReduceKind> parseReduceKind(StringRef text) {
  return find<ReduceKind>(reduceNames, text);
}
std::optional<ReduceOrder> parseReduceOrder(StringRef text) {
  return find<ReduceOrder>(orderNames, text);
}
std::optional<MmaPrecision> parseMmaPrecision(StringRef text) {
  return find<MmaPrecision>(precisionNames, text);
}

std::optional<ScalarOp> scalarOpByMnemonic(StringRef mnemonic) {
  for (unsigned i = 0; i < numScalarOps; ++i) {
    if (mnemonic == scalarOpTable[i].mnemonic) {
      return static_cast<ScalarOp>(i);
    }
  }
  return std::nullopt;
}

std::optional<ScalarOp> scalarOpBySurface(StringRef surface, unsigned arity) {
  for (unsigned i = 0; i < numScalarOps; ++i) {
    if (surface == scalarOpTable[i].surface && arity == scalarOpTable[i].arity) {
      return static_cast<ScalarOp>(i);
    }
  }
  return std::nullopt;
}

bool castIsExact(DType from, DType to) {
  if (from == to || isBool(from) || isBool(to)) {
    return true;
  }
  if (isInteger(from)) {
    unsigned bits = bitWidth(from) - (isSigned(from) ? 1 : 0);
    if (isInteger(to)) {
      return (isSigned(to) || !isSigned(from)) && bits <= bitWidth(to) - (isSigned(to) ? 1 : 0);
    }
    // Every integer of `bits` bits needs that much mantissa; a signed type's least value is a power of two.
    numeric::FloatFormat f = numeric::formatOf(to);
    int topExponent = (1 << f.exponentBits) - 1 - f.bias - (f.inf ? 1 : 0);
    return bits <= f.mantissaBits + 1 && int(bits) <= topExponent;
  }
  if (!isFloat(to)) {
    return false;
  }
  numeric::FloatFormat a = numeric::formatOf(from), b = numeric::formatOf(to);
  return a.mantissaBits <= b.mantissaBits && a.bias <= b.bias && b.inf != 0;
}

bool castAccepts(DType from, DType to, Overflow overflow) {
  if (castIsExact(from, to)) {
    return true;
  }
  if (!isFloat(to)) {
    return overflow == Overflow::sat || overflow == Overflow::wrap;
  }
  return overflow == Overflow::sat || overflow == Overflow::nan ||
         (overflow == Overflow::inf && to != DType::f8E4M3FN);
}

std::optional<Overflow> defaultOverflow(DType from, DType to) {
  if (castIsExact(from, to)) {
    return Overflow::inf;
  }
  if (isFloat(to)) {
    return to == DType::f8E4M3FN ? std::nullopt : std::optional(Overflow::inf);
  }
  return isFloat(from) ? std::optional(Overflow::sat) : std::nullopt;
}

} // namespace tessera
