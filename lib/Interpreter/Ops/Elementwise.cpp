// The elementwise family: one case for every row of the table, and the five ops with modes or two types. The number
// system gives the arithmetic; absence is the union of the operands' factors throughout.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Compiler.h"
#include "../Mutants.h"

#include "tessera/Dialect/Tile/DTypes.h"

using namespace tessera;
using namespace tessera::interp;

namespace {
/// Makes the result with the factors of the operands; returns where its elements go.
template <size_t N>
std::byte *begin(Machine &m, TileSlot result, const std::array<unsigned, N> &operands) {
  std::byte *out = m.make(result.index, *result.type);
  Factors &factors = m.tiles[result.index].factors;
  for (size_t i = 0; i < N; ++i) {
    const Factors &more = m.tiles[operands[i]].factors;
    if (!more.empty() && !(N > 1 && i == 1 &&
                           TESSERA_MUTANT(6, "the right operand lends no absence", false, true))) {
      addFactors(m.pool, factors, result.type->shape, more);
    }
  }
  return out;
}

Accuracy accuracyOf(mlir::Operation *op) {
  auto attr = mlir::dyn_cast_or_null<tile::AccuracyAttr>(op->getAttr("accuracy"));
  return attr ? static_cast<Accuracy>(attr.getValue()) : Accuracy::strict;
}

StepFn compileRow(Compiler &c, mlir::Operation *op, ScalarOp row) {
  DType dtype = dtypeOf(op->getOperand(0).getType());
  TileSlot result = c.tile(op->getResult(0));
  size_t n = result.type->count;
  unsigned a = c.slot(op->getOperand(0)).index;
  if (info(row).arity == 1) {
    Kernel1 kernel = c.system().unary(row, dtype, accuracyOf(op));
    if (!kernel) {
      return c.undefined(op, dtype);
    }
    return [=](Machine &m) {
      std::byte *out = begin<1>(m, result, {a});
      kernel(m.data(a), out, n);
    };
  }
  unsigned b = c.slot(op->getOperand(1)).index;
  if (info(row).arity == 2) {
    Kernel2 kernel = c.system().binary(row, dtype, accuracyOf(op));
    if (!kernel) {
      return c.undefined(op, dtype);
    }
    return [=](Machine &m) {
      std::byte *out = begin<2>(m, result, {a, b});
      kernel(m.data(a), m.data(b), out, n);
    };
  }
  unsigned third = c.slot(op->getOperand(2)).index;
  Kernel3 kernel = c.system().ternary(row, dtype, accuracyOf(op));
  if (!kernel) {
    return c.undefined(op, dtype);
  }
  return [=](Machine &m) {
    std::byte *out = begin<3>(m, result, {a, b, third});
    kernel(m.data(a), m.data(b), m.data(third), out, n);
  };
}

StepFn compileCast(Compiler &c, tile::CastOp op) {
  DType from = dtypeOf(op.getX().getType()), to = dtypeOf(op.getResult().getType());
  Round round = op.getRound() ? static_cast<Round>(*op.getRound()) : Round::rne;
  Overflow overflow =
      defaultOverflow(from, to).value_or(isInteger(to) ? Overflow::wrap : Overflow::sat);
  if (op.getOverflow()) {
    overflow = static_cast<Overflow>(*op.getOverflow());
  }
  CastKernel kernel = c.system().cast(from, to, round, overflow);
  if (!kernel) {
    return c.undefined(op, to);
  }
  TileSlot result = c.tile(op.getResult());
  unsigned x = c.slot(op.getX()).index;
  return [=](Machine &m) {
    std::byte *out = begin<1>(m, result, {x});
    kernel(m.data(x), out, result.type->count);
  };
}

StepFn compileUnaryKernel(Compiler &c, mlir::Operation *op, Kernel1 kernel, DType dtype) {
  if (!kernel) {
    return c.undefined(op, dtype);
  }
  TileSlot result = c.tile(op->getResult(0));
  unsigned x = c.slot(op->getOperand(0)).index;
  return [=](Machine &m) {
    std::byte *out = begin<1>(m, result, {x});
    kernel(m.data(x), out, result.type->count);
  };
}

StepFn compileBits(Compiler &c, tile::BitsOp op) {
  DType dtype = dtypeOf(op.getX().getType());
  return compileUnaryKernel(c, op, c.system().bits(dtype), dtype);
}

StepFn compileFromBits(Compiler &c, tile::FromBitsOp op) {
  DType dtype = dtypeOf(op.getResult().getType());
  return compileUnaryKernel(c, op, c.system().fromBits(dtype), dtype);
}

StepFn compileCmp(Compiler &c, tile::CmpOp op) {
  DType dtype = dtypeOf(op.getLhs().getType());
  Kernel2 kernel = c.system().compare(static_cast<CmpPredicate>(op.getPredicate()), dtype);
  if (!kernel) {
    return c.undefined(op, dtype);
  }
  TileSlot result = c.tile(op.getResult());
  unsigned a = c.slot(op.getLhs()).index, b = c.slot(op.getRhs()).index;
  return [=](Machine &m) {
    std::byte *out = begin<2>(m, result, {a, b});
    kernel(m.data(a), m.data(b), out, result.type->count);
  };
}

StepFn compileSelect(Compiler &c, tile::SelectOp op) {
  DType dtype = dtypeOf(op.getResult().getType());
  SelectKernel kernel = c.system().select(dtype);
  if (!kernel) {
    return c.undefined(op, dtype);
  }
  TileSlot result = c.tile(op.getResult());
  unsigned condition = c.slot(op.getCondition()).index;
  unsigned a = c.slot(op.getA()).index, b = c.slot(op.getB()).index;
  return [=](Machine &m) {
    std::byte *out = TESSERA_MUTANT(7, "select ignores the side's absence",
                                    (begin<3>(m, result, {condition, a, b})),
                                    (begin<1>(m, result, {condition})));
    kernel(m.tiles[condition].data.as<uint8_t>(), m.data(a), m.data(b), out, result.type->count);
  };
}
} // namespace

void tessera::interp::addElementwiseCases(OpCases &cases) {
  for (unsigned row = 0; row < numScalarOps; ++row) {
    auto scalarOp = static_cast<ScalarOp>(row);
    cases.add(("tile." + mnemonic(scalarOp)).str(),
              [scalarOp](Compiler &c, mlir::Operation *op) { return compileRow(c, op, scalarOp); });
  }
  cases.add<tile::CastOp>(compileCast);
  cases.add<tile::BitsOp>(compileBits);
  cases.add<tile::FromBitsOp>(compileFromBits);
  cases.add<tile::CmpOp>(compileCmp);
  cases.add<tile::SelectOp>(compileSelect);
}
