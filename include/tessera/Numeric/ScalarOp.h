//===- ScalarOp.h - the elementwise ops as an enum ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of the table of elementwise ops as an enum with their properties. Nothing here is written per op: the rows
// come from ScalarOps.def, which the build makes from the dialect's table.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_NUMERIC_SCALAROP_H
#define TESSERA_NUMERIC_SCALAROP_H

#include "tessera/Numeric/DType.h"

namespace tessera {

enum class ScalarOp : uint8_t {
#define TESSERA_SCALAR_OP(ENUM, MNEMONIC, ARITY, DOMAIN, RESULT, SURFACE, ISOP, COMM, ACC,         \
                          SUMMARY)                                                                 \
  ENUM,
#include "tessera/Numeric/ScalarOps.def"
};

/// Which element types an op takes: Float is bf16, f16, f32, f64; Int i8…i64 and ui8…ui64; Num both; IntBool Int and i1.
enum class OpDomain : uint8_t { Float, Int, Num, IntBool };
/// Element type of the result: the operands' or i1.
enum class OpResult : uint8_t { Same, Bool };

struct ScalarOpInfo {
  const char *mnemonic; ///< `tile.<mnemonic>`
  unsigned arity;       ///< 1, 2 or 3
  OpDomain domain;
  OpResult result;
  const char *surface; ///< operator or function name in `.tile` text
  bool isOperator;
  bool commutative;
  bool hasAccuracy; ///< takes accuracy = strict|fast
  const char *summary;
};

inline constexpr ScalarOpInfo scalarOpTable[] = {
#define TESSERA_SCALAR_OP(ENUM, MNEMONIC, ARITY, DOMAIN, RESULT, SURFACE, ISOP, COMM, ACC,         \
                          SUMMARY)                                                                 \
  {MNEMONIC, ARITY, OpDomain::DOMAIN, OpResult::RESULT, SURFACE, ISOP, COMM, ACC, SUMMARY},
#include "tessera/Numeric/ScalarOps.def"
};
inline constexpr unsigned numScalarOps = sizeof(scalarOpTable) / sizeof(scalarOpTable[0]);

constexpr const ScalarOpInfo &info(ScalarOp op) { return scalarOpTable[static_cast<unsigned>(op)]; }
inline llvm::StringRef mnemonic(ScalarOp op) { return info(op).mnemonic; }

/// The op `tile.<mnemonic>`; nothing if the table has none.
std::optional<ScalarOp> scalarOpByMnemonic(llvm::StringRef mnemonic);

/// The op spelt so in `.tile` text. `arity` tells unary from binary `-`.
std::optional<ScalarOp> scalarOpBySurface(llvm::StringRef surface, unsigned arity);

/// Whether the op's domain has this element type (fp8 is in no domain).
constexpr bool accepts(ScalarOp op, DType t) {
  switch (info(op).domain) {
  case OpDomain::Float:
    return isFloat(t) && !isFp8(t);
  case OpDomain::Int:
    return isInteger(t);
  case OpDomain::Num:
    return (isFloat(t) && !isFp8(t)) || isInteger(t);
  case OpDomain::IntBool:
    return isInteger(t) || isBool(t);
  }
  return false;
}

/// Element type of the result for operands of type `t`.
constexpr DType resultType(ScalarOp op, DType t) {
  return info(op).result == OpResult::Bool ? DType::i1 : t;
}

} // namespace tessera

#endif // TESSERA_NUMERIC_SCALAROP_H
