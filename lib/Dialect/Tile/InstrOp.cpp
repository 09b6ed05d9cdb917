//===- InstrOp.cpp - rules of declared instructions -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Dialect/Tile/TileOps.h"
#include "tessera/Dialect/Tile/TypeText.h"
#include "tessera/Layout/Notation.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

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
  int64_t positions = cast<RankedTensorType>(type).getNumElements();
  // As many values as positions: each is held once if each is held at all.
  if (layout->outs().size() != 1 || layout->size() != positions || layout->outSize() != positions ||
      !isSurjective(*layout)) {
    return instr.emitOpError() << "expected a bijection from lanes and values to the " << positions
                               << " positions of fragment `" << name << "`, found `"
                               << text.getValue() << "`, " << layout->size() << " values to "
                               << layout->outSize() << " positions";
  }
  return success();
}

/// C2: the argument's type is what the kind says.
LogicalResult verifyArgument(InstrOp instr, StringRef name, StringRef kind, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  bool isTile = tensor && isTileShape(tensor.getShape()) && isElementType(tensor.getElementType());
  bool isGood = kind == "scalar"      ? isElementType(type)
                : kind == "predicate" ? type.isSignlessInteger(1)
                                      : isTile;
  if (!isGood) {
    return instr.emitOpError() << "expected "
                               << (kind == "scalar"      ? "an element type"
                                   : kind == "predicate" ? "`i1`"
                                                         : "a tile")
                               << " for operand `" << name << "`, a `" << kind << "`, found `"
                               << text(type) << "`";
  }
  return success();
}

/// C6: what else is said of an operand.
LogicalResult verifyEntries(InstrOp instr, StringRef name, DictionaryAttr info) {
  auto isCount = [](Attribute value) {
    auto number = dyn_cast<IntegerAttr>(value);
    return number && number.getType().isSignlessInteger(64) && number.getInt() >= 1;
  };
  for (NamedAttribute named : info) {
    StringRef key = named.getName().getValue();
    Attribute value = named.getValue();
    StringRef wanted = llvm::StringSwitch<StringRef>(key)
                           .Cases({"align", "rows"}, "an i64 of at least 1")
                           .Cases({"contiguous", "inout", "out", "whole"}, "a unit attribute")
                           .Case("families", "a list of names")
                           .Cases({"kind", "layout", "name"}, "a string")
                           .Case("address", "an affine map")
                           .Default("");
    bool isGood = key == "align" || key == "rows" ? isCount(value)
                  : wanted == "a unit attribute"  ? isa<UnitAttr>(value)
                  : wanted == "a string"          ? isa<StringAttr>(value)
                  : key == "address"              ? isa<AffineMapAttr>(value)
                  : key == "families"
                      ? isa<ArrayAttr>(value) &&
                            llvm::all_of(cast<ArrayAttr>(value), llvm::IsaPred<StringAttr>)
                      : false;
    if (wanted.empty()) {
      return instr.emitOpError() << "expected no entry `" << key << "` of operand `" << name
                                 << "`: there is none of this name";
    }
    if (!isGood) {
      return instr.emitOpError() << "expected `" << key << "` of operand `" << name << "` to be "
                                 << wanted << ", found `" << value << "`";
    }
  }
  if (info.contains("inout") && info.contains("out")) {
    return instr.emitOpError() << "expected operand `" << name << "` to be `inout` or `out`, found "
                               << "both";
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
  Type type = instr.getBody().front().getArgument(i).getType();
  if (failed(verifyArgument(instr, name.getValue(), kind.getValue(), type)) ||
      failed(verifyEntries(instr, name.getValue(), info))) {
    return failure();
  }
  return kind.getValue() == "frag" ? verifyFragment(instr, name.getValue(), info, type) : success();
}

/// Whether an instruction of class `order` may combine as a dim of an op does.
bool allows(OrderClass order, IterKind kind) {
  switch (kind) {
  case IterKind::parallel:
  case IterKind::exact:
    return true;
  case IterKind::tree:
    return order == OrderClass::tree || order == OrderClass::any;
  case IterKind::any:
    return order == OrderClass::any;
  case IterKind::dot:
    return order == OrderClass::dot || order == OrderClass::any;
  case IterKind::scan:
    return order == OrderClass::scan || order == OrderClass::any;
  }
  return false;
}

bool allows(OrderClass order, Operation *op) {
  auto points = dyn_cast<TileIterOpInterface>(op);
  return !points || llvm::all_of(points.getIterDims(),
                                 [&](const IterDim &dim) { return allows(order, dim.kind); });
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
  WalkResult walked = getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    // C4
    if (!op->hasTrait<OpTrait::IsTerminator>() && !isMemoryEffectFree(op)) {
      emitOpError() << "expected a body without memory effects, found `" << op->getName() << "`";
      return WalkResult::interrupt();
    }
    // C5
    if (!allows(getOrder(), op)) {
      emitOpError() << "expected an `order` that covers `" << op->getName() << "`, found `"
                    << stringifyOrderClass(getOrder()) << "`";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  if (walked.wasInterrupted()) {
    return failure();
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
