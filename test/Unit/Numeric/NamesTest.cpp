//===- NamesTest.cpp - spellings, tables, modes -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of types, ops and modes read back to themselves; domains of ops; which modes fit which cast.
//
//===----------------------------------------------------------------------===//

#include "NumericTesting.h"

#include "tessera/Numeric/Accuracy.h"

#include <gtest/gtest.h>

using namespace tessera;

TEST(Names, TypesReadBack) {
  for (DType t : allDTypes) {
    EXPECT_EQ(parseDType(name(t)), t);
    EXPECT_EQ(parseDType(irName(t)), t);
  }
  EXPECT_EQ(name(DType::i1), "bool");
  EXPECT_EQ(name(DType::f8E4M3FN), "f8e4m3");
  EXPECT_EQ(irName(DType::f8E4M3FN), "f8E4M3FN");
  EXPECT_FALSE(parseDType("f8"));
  EXPECT_FALSE(parseDType(""));
}

TEST(Names, WidthsAndClasses) {
  for (DType t : allDTypes) {
    EXPECT_EQ(byteSize(t), t == DType::i1 ? 1 : bitWidth(t) / 8);
    EXPECT_EQ(isFloat(t) + isInteger(t) + isBool(t), 1) << name(t).str();
    EXPECT_EQ(byteSize(bitsType(t)), byteSize(t));
    EXPECT_FALSE(isFloat(bitsType(t)) || isSigned(bitsType(t)));
  }
  EXPECT_TRUE(isSigned(DType::bf16) && isSigned(DType::i64) && !isSigned(DType::ui8) &&
              !isSigned(DType::i1));
  EXPECT_TRUE(isFp8(DType::f8E5M2) && !isFp8(DType::f16));
}

TEST(Names, OpsReadBack) {
  for (unsigned i = 0; i < numScalarOps; ++i) {
    ScalarOp op = ScalarOp(i);
    EXPECT_EQ(scalarOpByMnemonic(mnemonic(op)), op);
    EXPECT_EQ(scalarOpBySurface(info(op).surface, info(op).arity), op);
  }
  EXPECT_EQ(scalarOpBySurface("-", 1), ScalarOp::Neg);
  EXPECT_EQ(scalarOpBySurface("-", 2), ScalarOp::Sub);
  EXPECT_FALSE(scalarOpByMnemonic("frobnicate"));
}

TEST(Names, EveryAcceptedOpHasAKernelAndNoOther) {
  for (unsigned i = 0; i < numScalarOps; ++i) {
    ScalarOp op = ScalarOp(i);
    for (DType t : allDTypes) {
      bool unary = ExactSystem::unary(op, t), binary = ExactSystem::binary(op, t),
           ternary = ExactSystem::ternary(op, t);
      bool expected = accepts(op, t);
      EXPECT_EQ(unary, expected && info(op).arity == 1)
          << mnemonic(op).str() << " " << name(t).str();
      EXPECT_EQ(binary, expected && info(op).arity == 2)
          << mnemonic(op).str() << " " << name(t).str();
      EXPECT_EQ(ternary, expected && info(op).arity == 3)
          << mnemonic(op).str() << " " << name(t).str();
      EXPECT_EQ(bool(maxUlp(op, t)), expected && info(op).hasAccuracy)
          << mnemonic(op).str() << " " << name(t).str();
    }
  }
}

TEST(Names, ModesReadBack) {
  for (Round m : {Round::rne, Round::rz, Round::ru, Round::rd, Round::away}) {
    EXPECT_EQ(parseRound(name(m)), m);
  }
  for (Overflow m : {Overflow::inf, Overflow::sat, Overflow::nan, Overflow::wrap}) {
    EXPECT_EQ(parseOverflow(name(m)), m);
  }
  for (unsigned i = 0; i < numReduceKinds; ++i) {
    EXPECT_EQ(parseReduceKind(name(ReduceKind(i))), ReduceKind(i));
  }
  for (CmpPredicate m : {CmpPredicate::eq, CmpPredicate::ne, CmpPredicate::lt, CmpPredicate::le,
                         CmpPredicate::gt, CmpPredicate::ge}) {
    EXPECT_EQ(parseCmpPredicate(name(m)), m);
  }
  EXPECT_EQ(parseAccuracy("fast"), Accuracy::fast);
  EXPECT_EQ(parseReduceOrder("any"), ReduceOrder::any);
  EXPECT_EQ(parseMmaPrecision("tf32x3"), MmaPrecision::tf32x3);
  EXPECT_EQ(name(ReduceKind::and_), "and");
  EXPECT_FALSE(parseRound("nearest"));
}

TEST(Names, CastModes) {
  EXPECT_TRUE(castIsExact(DType::bf16, DType::f32));
  EXPECT_TRUE(castIsExact(DType::f8E4M3FN, DType::f16));
  EXPECT_TRUE(castIsExact(DType::f8E4M3FN, DType::bf16));
  EXPECT_FALSE(castIsExact(DType::bf16, DType::f16));
  EXPECT_FALSE(castIsExact(DType::f8E4M3FN, DType::f8E5M2));
  EXPECT_TRUE(castIsExact(DType::i8, DType::bf16)) << "7 bits and a power of two";
  EXPECT_TRUE(castIsExact(DType::ui8, DType::bf16));
  EXPECT_FALSE(castIsExact(DType::i16, DType::bf16));
  EXPECT_FALSE(castIsExact(DType::i16, DType::f16));
  EXPECT_TRUE(castIsExact(DType::i32, DType::f64));
  EXPECT_FALSE(castIsExact(DType::i64, DType::f64));
  EXPECT_TRUE(castIsExact(DType::ui8, DType::i16));
  EXPECT_FALSE(castIsExact(DType::ui8, DType::i8));
  EXPECT_FALSE(castIsExact(DType::i8, DType::ui64));
  EXPECT_TRUE(castIsExact(DType::i1, DType::f8E4M3FN));
  EXPECT_FALSE(castAccepts(DType::f32, DType::f8E4M3FN, Overflow::inf));
  EXPECT_TRUE(castAccepts(DType::f32, DType::f8E5M2, Overflow::inf));
  EXPECT_FALSE(castAccepts(DType::f32, DType::bf16, Overflow::wrap));
  EXPECT_FALSE(castAccepts(DType::i32, DType::i8, Overflow::inf));
  EXPECT_EQ(defaultOverflow(DType::f32, DType::f8E4M3FN), std::nullopt);
  EXPECT_EQ(defaultOverflow(DType::i64, DType::i32), std::nullopt);
  EXPECT_EQ(defaultOverflow(DType::f32, DType::bf16), Overflow::inf);
  EXPECT_EQ(defaultOverflow(DType::f32, DType::i32), Overflow::sat);
  for (DType from : allDTypes) {
    for (DType to : allDTypes) {
      std::optional<Overflow> o = defaultOverflow(from, to);
      EXPECT_TRUE(!o || castAccepts(from, to, *o)) << name(from).str() << " to " << name(to).str();
    }
  }
}
