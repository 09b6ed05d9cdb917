//===- IntegerTest.cpp - integer and bool ops -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every integer op against its definition in wide arithmetic: all pairs of 8-bit values, chosen and random pairs of the
// wider types.
//
//===----------------------------------------------------------------------===//

#include "NumericTesting.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::testing;

using Wide = __int128;

/// The value of a pattern, and the pattern of a value, of an integer type.
static Wide valueOfInteger(DType t, uint64_t bits) {
  unsigned w = bitWidth(t);
  Wide v = w == 64 ? Wide(bits) : Wide(bits & ((uint64_t(1) << w) - 1));
  return isSigned(t) && (v >> (w - 1)) != 0 ? v - (Wide(1) << w) : v;
}
static uint64_t pattern(DType t, Wide v) {
  unsigned w = bitWidth(t);
  return w == 64 ? uint64_t(v) : uint64_t(v) & ((uint64_t(1) << w) - 1);
}

static Wide floorQuotient(Wide a, Wide b) {
  Wide q = a / b;
  return q * b != a && ((a < 0) != (b < 0)) ? q - 1 : q;
}

/// The definition of a binary op on exact values; the result wraps afterwards.
static Wide define(ScalarOp op, DType t, Wide a, Wide b) {
  unsigned w = bitWidth(t);
  Wide amount = Wide(pattern(t, b));
  switch (op) {
  case ScalarOp::Add:
    return a + b;
  case ScalarOp::Sub:
    return a - b;
  case ScalarOp::Mul:
    return Wide(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b));
  case ScalarOp::FloorDiv:
    return b == 0 ? 0 : floorQuotient(a, b);
  case ScalarOp::Mod:
    return b == 0 ? a : a - floorQuotient(a, b) * b;
  case ScalarOp::DivTrunc:
    return b == 0 ? 0 : a / b;
  case ScalarOp::RemTrunc:
    return b == 0 ? a : a % b;
  case ScalarOp::Min:
    return std::min(a, b);
  case ScalarOp::Max:
    return std::max(a, b);
  case ScalarOp::And:
    return a & b;
  case ScalarOp::Or:
    return a | b;
  case ScalarOp::Xor:
    return a ^ b;
  case ScalarOp::Shl:
    return amount >= w ? 0 : Wide(pattern(t, a)) << amount;
  case ScalarOp::Shr:
    return a >> std::min(amount, Wide(100));
  case ScalarOp::MulHi:
    // Both factors split in halves of 32 bits, so that nothing overflows for 64-bit types.
    if (w == 64 && !isSigned(t)) {
      return Wide((static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b)) >> 64);
    }
    return (a * b) >> w;
  default:
    ADD_FAILURE() << "no definition of " << mnemonic(op).str();
    return 0;
  }
}

static Wide define(ScalarOp op, DType t, Wide a) {
  unsigned w = bitWidth(t);
  uint64_t bits = pattern(t, a), r = 0;
  switch (op) {
  case ScalarOp::Neg:
    return -a;
  case ScalarOp::Abs:
    return a < 0 ? -a : a;
  case ScalarOp::Sign:
    return a < 0 ? -1 : a > 0;
  case ScalarOp::Not:
    return t == DType::i1 ? !bits : ~a;
  case ScalarOp::Popcount:
    for (unsigned i = 0; i < w; ++i) {
      r += (bits >> i) & 1;
    }
    return r;
  case ScalarOp::Clz:
    while (r < w && !((bits >> (w - 1 - r)) & 1)) {
      ++r;
    }
    return r;
  case ScalarOp::Ctz:
    while (r < w && !((bits >> r) & 1)) {
      ++r;
    }
    return r;
  case ScalarOp::Brev:
    for (unsigned i = 0; i < w; ++i) {
      r |= ((bits >> i) & 1) << (w - 1 - i);
    }
    return r;
  default:
    ADD_FAILURE() << "no definition of " << mnemonic(op).str();
    return 0;
  }
}

/// All values of 8-bit types, else edges and random ones.
static std::vector<Wide> values(DType t) {
  std::vector<Wide> r;
  unsigned w = bitWidth(t);
  if (w == 1) {
    return {0, 1};
  }
  if (w == 8) {
    for (unsigned i = 0; i < 256; ++i) {
      r.push_back(valueOfInteger(t, i));
    }
    return r;
  }
  for (uint64_t bits :
       {uint64_t(0), uint64_t(1), uint64_t(2), uint64_t(3), uint64_t(7), ~uint64_t(0), ~uint64_t(1),
        uint64_t(w - 1), uint64_t(w), uint64_t(w + 1), uint64_t(1) << (w - 1),
        (uint64_t(1) << (w - 1)) - 1, (uint64_t(1) << (w - 1)) + 1, uint64_t(0x55555555aaaaaaaa),
        uint64_t(64), uint64_t(255)}) {
    r.push_back(valueOfInteger(t, bits));
  }
  Random random(w);
  for (int i = 0; i < 240; ++i) {
    r.push_back(valueOfInteger(t, random.next() >> (random.next() % w)));
  }
  return r;
}

/// Native storage of values.
static std::vector<char> stored(DType t, const std::vector<Wide> &v) {
  std::vector<char> r(v.size() * byteSize(t));
  for (size_t i = 0; i < v.size(); ++i) {
    uint64_t bits = pattern(t, v[i]);
    std::memcpy(&r[i * byteSize(t)], &bits, byteSize(t));
  }
  return r;
}

static std::vector<DType> integersAndBool() {
  return {DType::i1,  DType::i8,   DType::i16,  DType::i32, DType::i64,
          DType::ui8, DType::ui16, DType::ui32, DType::ui64};
}

TEST(Integer, EveryOpMeetsItsDefinition) {
  unsigned checked = 0;
  for (DType t : integersAndBool()) {
    std::vector<Wide> base = values(t), a, b;
    for (Wide x : base) {
      for (Wide y : base) {
        a.push_back(x);
        b.push_back(y);
      }
    }
    std::vector<char> x = stored(t, a), y = stored(t, b), r(x.size());
    for (unsigned i = 0; i < numScalarOps; ++i) {
      ScalarOp op = ScalarOp(i);
      if (!accepts(op, t) || info(op).arity == 3) {
        continue;
      }
      bool unary = info(op).arity == 1;
      if (unary) {
        ASSERT_TRUE(ExactSystem::unary(op, t)) << mnemonic(op).str();
        ExactSystem::unary(op, t)(x.data(), r.data(), a.size());
      } else {
        ASSERT_TRUE(ExactSystem::binary(op, t)) << mnemonic(op).str();
        ExactSystem::binary(op, t)(x.data(), y.data(), r.data(), a.size());
      }
      ++checked;
      for (size_t j = 0; j < a.size(); ++j) {
        uint64_t expected = pattern(t, unary ? define(op, t, a[j]) : define(op, t, a[j], b[j]));
        ASSERT_EQ(expected, patternOf(t, &r[j * byteSize(t)]))
            << mnemonic(op).str() << " " << name(t).str() << " " << int64_t(a[j]) << ", "
            << int64_t(b[j]);
      }
    }
  }
  EXPECT_EQ(checked, 8u * 23 + 4) << "23 ops on each integer type, 4 on bool";
}

TEST(Integer, ClampAndComparisons) {
  for (DType t : integersAndBool()) {
    std::vector<Wide> base = values(t), a, b, c;
    base.resize(std::min<size_t>(base.size(), 40));
    for (Wide x : base) {
      for (Wide y : base) {
        a.push_back(x);
        b.push_back(y);
        c.push_back(base[(a.size() * 7) % base.size()]);
      }
    }
    std::vector<char> x = stored(t, a), y = stored(t, b), z = stored(t, c), r(x.size());
    if (accepts(ScalarOp::Clamp, t)) {
      ExactSystem::ternary(ScalarOp::Clamp, t)(x.data(), y.data(), z.data(), r.data(), a.size());
      for (size_t j = 0; j < a.size(); ++j) {
        ASSERT_EQ(pattern(t, std::min(std::max(a[j], b[j]), c[j])),
                  patternOf(t, &r[j * byteSize(t)]));
      }
    }
    for (CmpPredicate p : {CmpPredicate::eq, CmpPredicate::ne, CmpPredicate::lt, CmpPredicate::le,
                           CmpPredicate::gt, CmpPredicate::ge}) {
      std::vector<uint8_t> truth(a.size());
      ExactSystem::compare(p, t)(x.data(), y.data(), truth.data(), a.size());
      for (size_t j = 0; j < a.size(); ++j) {
        bool expected = p == CmpPredicate::eq   ? a[j] == b[j]
                        : p == CmpPredicate::ne ? a[j] != b[j]
                        : p == CmpPredicate::lt ? a[j] < b[j]
                        : p == CmpPredicate::le ? a[j] <= b[j]
                        : p == CmpPredicate::gt ? a[j] > b[j]
                                                : a[j] >= b[j];
        ASSERT_EQ(truth[j], expected) << name(p).str() << " " << name(t).str();
      }
    }
  }
}

TEST(Integer, BoolHasNoArithmetic) {
  EXPECT_EQ(ExactSystem::binary(ScalarOp::Add, DType::i1), nullptr);
  EXPECT_EQ(ExactSystem::binary(ScalarOp::Shl, DType::i1), nullptr);
  EXPECT_EQ(ExactSystem::unary(ScalarOp::Neg, DType::i1), nullptr);
  EXPECT_EQ(ExactSystem::binary(ScalarOp::FloorDiv, DType::f32), nullptr);
}
