//===- FoldElementwise.cpp - folds of elementwise ops ---------------------===//
//
// Constants go through the exact number system, so a folded op has the bits that
// the interpreter would give. Beside that only identities that hold for every input
// bit for bit and keep all factors of absence are used:
//
//   neg(neg x), not(not x)          the sign flips twice, NaN included
//   x + 0, x - 0, x * 1 (integers)  not for floats: -0 + 0 is +0, and arithmetic makes a signalling NaN quiet
//
// x * 0, x - x, x == x and their like are not folded: they would lose the factors of x, and NaN.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Dialect/Tile/TileOps.h"
#include "tessera/Numeric/NumberSystem.h"

using namespace mlir;

namespace tessera::tile {

/// One element in native storage; wide and aligned enough for every type.
struct Element {
  alignas(8) unsigned char bytes[8] = {};
};

static std::optional<ScalarOp> scalarOpOf(Operation *op) {
  return scalarOpByMnemonic(op->getName().stripDialect());
}

static tessera::Accuracy accuracyOf(Operation *op) {
  auto accuracy = op->getAttrOfType<AccuracyAttr>("accuracy");
  return accuracy ? static_cast<tessera::Accuracy>(accuracy.getValue()) : tessera::Accuracy::strict;
}

/// The op on constant elements; null if an operand is not constant or there is no kernel.
static Attribute foldConstants(Operation *op, ScalarOp scalar, ArrayRef<Attribute> operands) {
  SmallVector<Element, 3> in(operands.size());
  for (auto [attribute, element] : llvm::zip(operands, in)) {
    if (!elementOf(attribute, element.bytes)) {
      return {};
    }
  }
  DType dtype = dtypeOf(op->getOperand(0).getType());
  tessera::Accuracy accuracy = accuracyOf(op);
  // What `fast` gives is the target's business.
  if (accuracy == tessera::Accuracy::fast) {
    return {};
  }
  Element out;
  if (in.size() == 1) {
    Kernel1 kernel = ExactSystem::unary(scalar, dtype, accuracy);
    if (!kernel) {
      return {};
    }
    kernel(in[0].bytes, out.bytes, 1);
  } else if (in.size() == 2) {
    Kernel2 kernel = ExactSystem::binary(scalar, dtype, accuracy);
    if (!kernel) {
      return {};
    }
    kernel(in[0].bytes, in[1].bytes, out.bytes, 1);
  } else {
    Kernel3 kernel = ExactSystem::ternary(scalar, dtype, accuracy);
    if (!kernel) {
      return {};
    }
    kernel(in[0].bytes, in[1].bytes, in[2].bytes, out.bytes, 1);
  }
  return attributeOf(resultType(scalar, dtype), out.bytes, op->getContext());
}

static bool isInteger(Attribute attribute, int64_t value) {
  auto integer = dyn_cast_or_null<IntegerAttr>(attribute);
  return integer && integer.getType().getIntOrFloatBitWidth() > 1 && integer.getValue() == value;
}

OpFoldResult foldElementwise(Operation *op, ArrayRef<Attribute> operands) {
  std::optional<ScalarOp> scalar = scalarOpOf(op);
  if (!scalar) {
    return {};
  }
  if (Attribute value = foldConstants(op, *scalar, operands)) {
    return value;
  }
  if (isa<NegOp, NotOp>(op)) {
    Operation *inner = op->getOperand(0).getDefiningOp();
    if (inner && inner->getName() == op->getName()) {
      return inner->getOperand(0);
    }
  }
  // Constants of commutative ops stand on the right.
  if (isa<AddOp, SubOp>(op) && isInteger(operands[1], 0)) {
    return op->getOperand(0);
  }
  if (isa<MulOp>(op) && isInteger(operands[1], 1)) {
    return op->getOperand(0);
  }
  return {};
}

OpFoldResult CastOp::fold(FoldAdaptor adaptor) {
  DType from = dtypeOf(getX().getType()), to = dtypeOf(getResult().getType());
  if (from == to) {
    return getX();
  }
  Element in, out;
  if (!elementOf(adaptor.getX(), in.bytes)) {
    return {};
  }
  tessera::Round round =
      getRound() ? static_cast<tessera::Round>(*getRound()) : tessera::Round::rne;
  std::optional<tessera::Overflow> overflow = defaultOverflow(from, to);
  if (getOverflow()) {
    overflow = static_cast<tessera::Overflow>(*getOverflow());
  }
  CastKernel kernel = ExactSystem::cast(from, to, round, overflow.value_or(tessera::Overflow::sat));
  if (!kernel) {
    return {};
  }
  kernel(in.bytes, out.bytes, 1);
  return attributeOf(to, out.bytes, getContext());
}

OpFoldResult CmpOp::fold(FoldAdaptor adaptor) {
  Element lhs, rhs, out;
  if (!elementOf(adaptor.getLhs(), lhs.bytes) || !elementOf(adaptor.getRhs(), rhs.bytes)) {
    return {};
  }
  auto kernel = ExactSystem::compare(static_cast<tessera::CmpPredicate>(getPredicate()),
                                     dtypeOf(getLhs().getType()));
  if (!kernel) {
    return {};
  }
  kernel(lhs.bytes, rhs.bytes, out.bytes, 1);
  return attributeOf(DType::i1, out.bytes, getContext());
}

OpFoldResult BitsOp::fold(FoldAdaptor adaptor) {
  Element element;
  if (!elementOf(adaptor.getX(), element.bytes)) {
    return {};
  }
  return attributeOf(dtypeOf(getResult().getType()), element.bytes, getContext());
}

OpFoldResult FromBitsOp::fold(FoldAdaptor adaptor) {
  Element element;
  if (!elementOf(adaptor.getX(), element.bytes)) {
    return {};
  }
  return attributeOf(dtypeOf(getResult().getType()), element.bytes, getContext());
}

/// Absence is strict: a side may go only if it, and the condition, cannot be absent.
OpFoldResult SelectOp::fold(FoldAdaptor adaptor) {
  if (getA() == getB() && isNeverAbsent(getCondition())) {
    return getA();
  }
  auto condition = dyn_cast_or_null<IntegerAttr>(adaptor.getCondition());
  if (!condition) {
    return {};
  }
  bool isTrue = !condition.getValue().isZero();
  Value chosen = isTrue ? getA() : getB(), other = isTrue ? getB() : getA();
  return isNeverAbsent(other) ? OpFoldResult(chosen) : OpFoldResult();
}

} // namespace tessera::tile
