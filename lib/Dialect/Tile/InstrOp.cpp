//===- InstrOp.cpp - rules of declared instructions -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tile/TileOps.h"
#include "tessera/Dialect/Tile/TypeText.h"
#include "tessera/Layout/Notation.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace tessera::tile {
namespace {

/// C3: lanes and values to positions, each held once.
LogicalResult verifyFragment(InstrOp instr, StringRef name, DictionaryAttr info, Type type) {
  auto text = info.getAs<StringAttr>("layout");
  if (!text) {
    return instr.emitOpError() << "expected fragment `" << name << "` to have a `layout`";
  }
  llvm::Expected<Layout> layout = parseLayout(text.getValue());
  if (!layout) {
    return instr.emitOpError() << "expected fragment `" << name << "` to have a layout, found `"
                               << text.getValue() << "`: " << llvm::toString(layout.takeError());
  }
  int64_t positions = 1;
  for (int64_t extent : shapeOf(type)) {
    positions *= extent;
  }
  if (layout->outs().size() != 1 || layout->size() != positions || layout->outSize() != positions ||
      !isInjective(*layout)) {
    return instr.emitOpError() << "expected a bijection from lanes and values to the " << positions
                               << " positions of fragment `" << name << "`, found `"
                               << text.getValue() << "`, " << layout->size() << " values to "
                               << layout->outSize() << " positions";
  }
  return success();
}

/// C2 for one operand.
LogicalResult verifyOperand(InstrOp instr, unsigned i, llvm::StringSet<> &names) {
  auto info = dyn_cast<DictionaryAttr>(instr.getOperandInfo()[i]);
  auto name = info ? info.getAs<StringAttr>("name") : StringAttr();
  auto kind = info ? info.getAs<StringAttr>("kind") : StringAttr();
  if (!name || !kind) {
    return instr.emitOpError() << "expected a dictionary with `name` and `kind` for operand " << i;
  }
  if (!names.insert(name.getValue()).second) {
    return instr.emitOpError() << "expected operands of different names, found `" << name.getValue()
                               << "` twice";
  }
  constexpr StringRef kinds[] = {"frag", "smem", "view", "scalar", "predicate"};
  if (!llvm::is_contained(kinds, kind.getValue())) {
    return instr.emitOpError() << "expected operand `" << name.getValue()
                               << "` to be `frag`, `smem`, `view`, `scalar` or `predicate`, found `"
                               << kind.getValue() << "`";
  }
  if (kind.getValue() != "frag") {
    return success();
  }
  return verifyFragment(instr, name.getValue(), info,
                        instr.getBody().front().getArgument(i).getType());
}

/// Whether an instruction of class `order` may do what `op` does.
bool allows(OrderClass order, Operation *op) {
  if (isa<MmaOp>(op)) {
    return order == OrderClass::dot || order == OrderClass::any;
  }
  if (auto reduce = dyn_cast<ReduceOp>(op)) {
    bool isSum = reduce.getKind() == ReduceKind::sum || reduce.getKind() == ReduceKind::prod;
    if (isSum && isa<FloatType>(elementTypeOf(reduce.getX().getType()))) {
      return order == OrderClass::any ||
             (order == OrderClass::tree && reduce.getOrder() == ReduceOrder::tree);
    }
  }
  if (isa<ScanOp, ScanWithOp>(op)) {
    return order == OrderClass::scan || order == OrderClass::any;
  }
  return true;
}

} // namespace

LogicalResult InstrOp::verify() {
  // C1
  if (!isa_and_nonnull<ModuleOp>((*this)->getParentOp())) {
    return emitOpError() << "expected to stand directly in a module";
  }
  return success();
}

LogicalResult InstrOp::verifyRegions() {
  Block &body = getBody().front();
  // C2
  if (getOperandInfo().size() != body.getNumArguments()) {
    return emitOpError() << "expected a dictionary for each of " << body.getNumArguments()
                         << " arguments of the body, found " << getOperandInfo().size();
  }
  llvm::StringSet<> names;
  SmallVector<Type> written;
  for (unsigned i = 0; i < body.getNumArguments(); ++i) {
    // C2, C3
    if (failed(verifyOperand(*this, i, names))) {
      return failure();
    }
    auto info = cast<DictionaryAttr>(getOperandInfo()[i]);
    if (info.contains("inout") || info.contains("out")) {
      written.push_back(body.getArgument(i).getType());
    }
  }
  for (Operation &op : body) {
    // C4
    if (!op.hasTrait<OpTrait::IsTerminator>() && !isMemoryEffectFree(&op)) {
      return emitOpError() << "expected a body without memory effects, found `" << op.getName()
                           << "`";
    }
    // C5
    if (!allows(getOrder(), &op)) {
      return emitOpError() << "expected an `order` that covers `" << op.getName() << "`, found `"
                           << stringifyOrderClass(getOrder()) << "`";
    }
  }
  // C4
  Operation *yield = body.getTerminator();
  if (yield->getOperandTypes() != TypeRange(written)) {
    return emitOpError() << "expected to yield values of types (" << text(TypeRange(written))
                         << ") for the operands that are written, found ("
                         << text(yield->getOperandTypes()) << ")";
  }
  return success();
}

} // namespace tessera::tile
