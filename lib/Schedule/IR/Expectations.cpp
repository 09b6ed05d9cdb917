// Demands on registers, shared memory and banks, from the script's line to where the numbers are known.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/Expectations.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::StringRef;
using script::BinaryOp;
using script::Fact;

/// The same comparison with its sides exchanged; nothing for other operators.
static std::optional<BinaryOp> mirrored(BinaryOp op) {
  switch (op) {
  case BinaryOp::Eq:
  case BinaryOp::Ne:
    return op;
  case BinaryOp::Lt:
    return BinaryOp::Gt;
  case BinaryOp::Le:
    return BinaryOp::Ge;
  case BinaryOp::Gt:
    return BinaryOp::Lt;
  case BinaryOp::Ge:
    return BinaryOp::Le;
  default:
    return std::nullopt;
  }
}

bool LayoutExpectation::holds(int64_t value) const {
  switch (compare) {
  case BinaryOp::Eq:
    return value == bound;
  case BinaryOp::Ne:
    return value != bound;
  case BinaryOp::Lt:
    return value < bound;
  case BinaryOp::Le:
    return value <= bound;
  case BinaryOp::Gt:
    return value > bound;
  default:
    return value >= bound;
  }
}

std::optional<LayoutExpectation> schedule::comparisonIn(const Fact &fact) {
  std::optional<BinaryOp> back =
      fact.kind == Fact::Kind::Binary ? mirrored(fact.binary) : std::nullopt;
  if (!back) {
    return std::nullopt;
  }
  bool isMirrored = fact.lhs->kind == Fact::Kind::Integer;
  const Fact &leaf = isMirrored ? *fact.rhs : *fact.lhs,
             &bound = isMirrored ? *fact.lhs : *fact.rhs;
  if (leaf.kind != Fact::Kind::Leaf || bound.kind != Fact::Kind::Integer) {
    return std::nullopt;
  }
  LayoutExpectation made;
  made.compare = isMirrored ? *back : fact.binary;
  made.bound = bound.integer;
  made.text = script::str(fact);
  return made;
}

void schedule::addExpectation(mlir::Operation *op, const LayoutExpectation &expectation) {
  mlir::Builder builder(op->getContext());
  llvm::SmallVector<mlir::Attribute> all;
  if (auto known = op->getAttrOfType<mlir::ArrayAttr>(expectsAttrName)) {
    all.append(known.begin(), known.end());
  }
  all.push_back(builder.getDictionaryAttr(
      {builder.getNamedAttr("what", builder.getStringAttr(expectation.what)),
       builder.getNamedAttr("compare", builder.getI64IntegerAttr(int64_t(expectation.compare))),
       builder.getNamedAttr("bound", builder.getI64IntegerAttr(expectation.bound)),
       builder.getNamedAttr("text", builder.getStringAttr(expectation.text)),
       builder.getNamedAttr("at", expectation.at)}));
  op->setAttr(expectsAttrName, builder.getArrayAttr(all));
}

llvm::SmallVector<LayoutExpectation> schedule::expectationsOf(mlir::Operation *op, StringRef what) {
  llvm::SmallVector<LayoutExpectation> found;
  auto all = op->getAttrOfType<mlir::ArrayAttr>(expectsAttrName);
  for (mlir::Attribute each : all ? all.getValue() : llvm::ArrayRef<mlir::Attribute>()) {
    auto entry = llvm::dyn_cast<mlir::DictionaryAttr>(each);
    auto name = entry ? entry.getAs<mlir::StringAttr>("what") : mlir::StringAttr();
    auto compare = entry ? entry.getAs<mlir::IntegerAttr>("compare") : mlir::IntegerAttr();
    auto bound = entry ? entry.getAs<mlir::IntegerAttr>("bound") : mlir::IntegerAttr();
    auto text = entry ? entry.getAs<mlir::StringAttr>("text") : mlir::StringAttr();
    auto at = entry ? entry.getAs<mlir::LocationAttr>("at") : mlir::LocationAttr();
    if (name && compare && bound && text && at && name.getValue() == what) {
      found.push_back({what.str(), BinaryOp(compare.getInt()), bound.getInt(), text.str(), at});
    }
  }
  return found;
}

mlir::LogicalResult schedule::checkExpectations(llvm::ArrayRef<LayoutExpectation> expectations,
                                                int64_t value, const llvm::Twine &detail) {
  bool areMet = true;
  for (const LayoutExpectation &each : expectations) {
    if (!each.holds(value)) {
      mlir::emitError(each.at) << "`" << each.text << "` does not hold: " << detail;
      areMet = false;
    }
  }
  return mlir::success(areMet);
}
