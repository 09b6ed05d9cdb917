//===- WriterFormula.cpp - arrays and folds in index notation -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Writer.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tessera::source {

std::string Writer::rangeText(Value lo, Value hi) {
  std::string end = use(hi).whole();
  return matchPattern(lo, m_Zero()) ? end : use(lo).whole() + ".." + end;
}

Text Writer::foldText(Scope &scope, tile::FoldOp fold) {
  Block &block = fold.getBody().front();
  std::string range = rangeText(fold.getLo(), fold.getHi());
  size_t mark = names.mark();
  StringRef wish = nameOf(block.getArgument(0).getLoc());
  std::string index = wish.empty() ? names.freshIndex() : names.fresh(wish);
  texts[block.getArgument(0)] = primary(index);
  Text term = blockText(block, block.getTerminator()->getOperands(), false);
  names.release(mark);
  return primary(
      (stringifyFoldKind(fold.getKind()) + "(" + index + " in " + range + ": " + term.text + ")")
          .str());
}

Writer::ArrayText Writer::mapText(tile::MapOp map, StringRef self) {
  Block &block = map.getBody().front();
  ArrayText array;
  SmallVector<std::string> ranges;
  for (auto [lo, hi] : llvm::zip(map.getLows(), map.getHighs())) {
    ranges.push_back(rangeText(lo, hi));
  }
  unsigned rank = map.getLows().size();
  for (unsigned axis = 0; axis < rank; ++axis) {
    StringRef wish = nameOf(block.getArgument(axis).getLoc());
    array.indices.push_back(wish.empty() ? names.freshIndex() : names.fresh(wish));
    array.ranges.push_back(array.indices.back() + " in " + ranges[axis]);
    texts[block.getArgument(axis)] = primary(array.indices.back());
  }
  if (map.getSelf()) {
    texts[block.getArgument(rank)] = primary(self);
  }
  array.value = blockText(block, block.getTerminator()->getOperands(), false);
  return array;
}

std::string Writer::arrayLet(StringRef name, const ArrayText &array) {
  return ("let " + name + "[" + llvm::join(array.ranges, ", ") + "] = " + array.value.text).str();
}

/// Whether the array runs over exactly the view's elements, as `y[i, j] = …` does.
bool Writer::coversView(tile::MapOp map, unsigned argument) {
  AffineMap shape = kernel.getShapeMap(argument);
  if (!shape || shape.getNumResults() != map.getHighs().size()) {
    return false;
  }
  for (auto [i, high] : llvm::enumerate(map.getHighs())) {
    AffineExpr extent = extents.of(high);
    if (!matchPattern(map.getLows()[i], m_Zero()) || extent != shape.getResult(i)) {
      return false;
    }
  }
  return true;
}

/// `y[i, j] = …` where that is the array, else `y = { let …; array }`.
std::string Writer::outputText(tile::MapOp map, StringRef name, int64_t argument,
                               ArrayRef<tile::MapOp> helpers) {
  auto type = cast<tile::ViewType>(kernel.getArgType(argument));
  bool readsItself = map.getSelf() && type.getMode() == tile::AccessMode::inout;
  if (helpers.empty() && !readsItself && coversView(map, argument)) {
    ArrayText array = mapText(map, name);
    return (name + "[" + llvm::join(array.indices, ", ") + "] = " + array.value.text).str();
  }
  std::string text = (name + " = {\n").str(), inner;
  for (tile::MapOp helper : helpers) {
    inner = names.fresh(nameOf(helper.getLoc()));
    texts[helper.getResult()] = primary(inner);
    text += arrayLet(inner, mapText(helper, inner)) + "\n";
  }
  inner = names.fresh();
  return text + arrayLet(inner, mapText(map, inner)) + "\n" + inner + "\n}";
}

/// The argument that the reference's array `name` defines; -1 where it is none. Fails where it may not.
int64_t Writer::outputOf(StringRef name) {
  int64_t argument = kernel.findArgument(name);
  auto view =
      argument < 0 ? tile::ViewType() : dyn_cast<tile::ViewType>(kernel.getArgType(argument));
  if (argument >= 0 && (!view || !view.isWritable())) {
    fail(kernel, "`" + name + "` is the name of an argument that is not written");
  }
  return argument;
}

/// One array by its name; `helpers` are arrays before it that only it reads.
std::string Writer::definition(tile::MapOp map, StringRef name, ArrayRef<tile::MapOp> helpers) {
  size_t mark = names.mark();
  int64_t argument = outputOf(name);
  std::string text;
  if (argument >= 0 && !failed) {
    text = outputText(map, name, argument, helpers);
    hiddenViews.insert(kernel.getReference().getArgument(argument));
  } else if (!helpers.empty()) {
    fail(helpers.front(), "an array that the reference does not name belongs to an output");
  } else if (!failed) {
    text = arrayLet(name, mapText(map, name));
  }
  names.release(mark);
  texts[map.getResult()] = primary(name);
  return text + "\n";
}

std::string Writer::reference() {
  if (kernel.getReference().empty() || kernel.getReference().front().empty()) {
    return "";
  }
  Block &block = kernel.getReference().front();
  bindArguments(kernel.getReference());
  inFormula = true;
  Operation *yield = block.getTerminator();
  std::string text = "reference {\n";
  unsigned next = 0, count = yield->getNumOperands();
  auto nextName = [&] { return cast<StringAttr>(kernel.getReferenceNames()[next]).getValue(); };
  SmallVector<tile::MapOp> helpers;
  for (tile::MapOp map : block.getOps<tile::MapOp>()) {
    if (next == count || yield->getOperand(next) != map.getResult()) {
      helpers.push_back(map);
      continue;
    }
    text += definition(map, nextName(), helpers);
    helpers.clear();
    // Outputs that are the same array as one before.
    for (++next; next < count && texts.count(yield->getOperand(next)); ++next) {
      StringRef name = nextName();
      int64_t argument = outputOf(name);
      if (argument < 0) {
        fail(yield, "`" + name + "` is another name of an array; only outputs have such");
        break;
      }
      text += (name + " = " + texts[yield->getOperand(next)].text + "\n").str();
      hiddenViews.insert(block.getArgument(argument));
    }
  }
  if (!helpers.empty() || next != count) {
    fail(yield, "the arrays of a reference are yielded in their order");
  }
  inFormula = false;
  return text + "}\n";
}

std::string Writer::tolerance() {
  if (kernel.getToleranceExact()) {
    return "tolerance exact\n";
  }
  if (kernel.getTolerance().empty() || kernel.getTolerance().front().empty()) {
    return "";
  }
  Block &block = kernel.getTolerance().front();
  bindArguments(kernel.getTolerance());
  hiddenViews.clear();
  for (auto [i, attribute] : llvm::enumerate(kernel.getReferenceNames())) {
    StringRef name = cast<StringAttr>(attribute).getValue();
    texts[block.getArgument(kernel.getNumArguments() + i)] = primary(name);
    if (int64_t argument = kernel.findArgument(name); argument >= 0) {
      hiddenViews.insert(block.getArgument(argument));
    }
  }
  inFormula = true;
  Operation *yield = block.getTerminator();
  SmallVector<std::string> bounds;
  for (tile::MapOp map : block.getOps<tile::MapOp>()) {
    size_t at = bounds.size();
    if (at >= yield->getNumOperands() || yield->getOperand(at) != map.getResult()) {
      fail(map, "the arrays of a tolerance are its bounds, once, in their order");
      break;
    }
    StringRef name = cast<StringAttr>(kernel.getToleranceNames()[at]).getValue();
    int64_t argument = kernel.findArgument(name);
    if (argument < 0 || map.getSelf() || !coversView(map, argument)) {
      fail(map, "a bound runs over the elements of its output, and does not read itself");
      break;
    }
    size_t mark = names.mark();
    ArrayText array = mapText(map, name);
    names.release(mark);
    bounds.push_back(
        (name + "[" + llvm::join(array.indices, ", ") + "] <= " + array.value.at(Shift)).str());
  }
  inFormula = false;
  hiddenViews.clear();
  return "tolerance " + llvm::join(bounds, ", ") + "\n";
}

} // namespace tessera::source
