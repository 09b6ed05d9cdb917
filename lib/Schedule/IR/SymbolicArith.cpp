// Arithmetic of kernels as terms.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/Comparison.h"
#include "tessera/Schedule/SymbolicValues.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace tessera;
using namespace tessera::schedule;
using solver::Expr;
using solver::Int;

/// A divisor that the solver can divide by.
static std::optional<Int> positive(Expr divisor) {
  std::optional<Int> constant = divisor.constant();
  return constant && *constant > 0 ? constant : std::nullopt;
}

/// Division that rounds towards zero is the floored one where the number is not negative.
static bool isNatural(Expr number) {
  solver::Range range = number.range();
  return range.lo && *range.lo >= 0;
}

Expr SymbolicValues::computeArith(mlir::Operation *op) {
  auto divided = [&](auto division, bool isQuotient, bool isFloored) -> Expr {
    Expr number = value(division.getLhs());
    std::optional<Int> by = positive(value(division.getRhs()));
    if (!by || (!isFloored && !isNatural(number))) {
      return Expr();
    }
    return isQuotient ? floorDiv(number, *by) : mod(number, *by);
  };
  return llvm::TypeSwitch<mlir::Operation *, Expr>(op)
      .Case([&](tile::ConstantOp constant) -> Expr {
        auto number = llvm::dyn_cast<mlir::IntegerAttr>(constant.getValue());
        return number ? terms->constant(number.getValue().getSExtValue()) : Expr();
      })
      .Case([&](tile::AddOp add) { return value(add.getLhs()) + value(add.getRhs()); })
      .Case([&](tile::SubOp sub) { return value(sub.getLhs()) - value(sub.getRhs()); })
      .Case([&](tile::MulOp mul) { return value(mul.getLhs()) * value(mul.getRhs()); })
      .Case([&](tile::NegOp neg) { return -value(neg.getX()); })
      .Case([&](tile::AbsOp abs) { return max(value(abs.getX()), -value(abs.getX())); })
      .Case([&](tile::MinOp low) { return min(value(low.getLhs()), value(low.getRhs())); })
      .Case([&](tile::MaxOp high) { return max(value(high.getLhs()), value(high.getRhs())); })
      .Case([&](tile::FloorDivOp division) { return divided(division, true, true); })
      .Case([&](tile::ModOp division) { return divided(division, false, true); })
      .Case([&](tile::DivTruncOp division) { return divided(division, true, false); })
      .Case([&](tile::RemTruncOp division) { return divided(division, false, false); })
      .Case([&](tile::SelectOp select) -> Expr {
        if (!select.getCondition().getType().isInteger(1)) {
          return Expr();
        }
        return solver::select(value(select.getCondition()), value(select.getA()),
                              value(select.getB()));
      })
      .Case([&](tile::SpanStartOp start) { return span(start.getSpan()).start; })
      .Case([&](tile::SpanStopOp stop) { return span(stop.getSpan()).stop; })
      .Case([&](tile::DimOp dim) { return extent(dim.getView(), dim.getAxis()); })
      .Default([](mlir::Operation *) { return Expr(); });
}

Expr SymbolicValues::computeBool(mlir::Operation *op) {
  return llvm::TypeSwitch<mlir::Operation *, Expr>(op)
      .Case([&](tile::ConstantOp constant) -> Expr {
        auto truth = llvm::dyn_cast<mlir::IntegerAttr>(constant.getValue());
        return truth ? terms->boolean(!truth.getValue().isZero()) : Expr();
      })
      .Case([&](tile::CmpOp cmp) -> Expr {
        // Narrower integers are compared as they are, but nothing is known about them; floats and truths are opaque.
        bool isNumber = cmp.getLhs().getType().isInteger(64);
        return isNumber ? compare(cmp.getPredicate(), value(cmp.getLhs()), value(cmp.getRhs()))
                        : Expr();
      })
      .Case([&](tile::AndOp both) { return value(both.getLhs()) && value(both.getRhs()); })
      .Case([&](tile::OrOp either) { return value(either.getLhs()) || value(either.getRhs()); })
      .Case([&](tile::XorOp differ) {
        Expr a = value(differ.getLhs()), b = value(differ.getRhs());
        return (a && !b) || (!a && b);
      })
      .Case([&](tile::NotOp inverse) { return !value(inverse.getX()); })
      .Default([](mlir::Operation *) { return Expr(); });
}
