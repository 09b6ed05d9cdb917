//===- WriterViews.cpp - views, spans, loads, stores, atomics -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Writer.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tessera::source {

static std::string axisText(int64_t axis) { return "axis = " + std::to_string(axis); }

/// `x[r, :, 3]`; `whole` is empty for an element of a formula.
Text Writer::indexed(Value view, ValueRange indices, ArrayRef<bool> whole) {
  std::string base = use(view).at(Primary);
  SmallVector<bool> colons(whole);
  colons.resize(std::max(whole.size(), indices.size()), false);
  auto type = dyn_cast<tile::ViewType>(view.getType());
  SmallVector<std::string> list;
  size_t next = 0;
  for (auto [axis, isWhole] : llvm::enumerate(colons)) {
    if (isWhole) {
      list.push_back(":");
      continue;
    }
    Value index = indices[next++];
    Text text = use(index);
    auto constant = index.getDefiningOp<tile::ConstantOp>();
    if (constant && type && index.getType().isSignlessInteger(64)) {
      // An index that is known to be out of range would be an error of the checker.
      int64_t value = cast<IntegerAttr>(constant.getValue()).getInt();
      int64_t extent = axis < type.getShape().size() ? type.getShape()[axis] : ShapedType::kDynamic;
      if (value < 0 || (!ShapedType::isDynamic(extent) && value >= extent)) {
        text = hidden(text);
      }
    }
    list.push_back(text.whole());
  }
  return primary(base + "[" + llvm::join(list, ", ") + "]");
}

Text Writer::spanOp(tile::SpanOp op) {
  auto isStart = [](Operation *user) { return isa<tile::SpanStartOp>(user); };
  auto startConstant = op.getStart().getDefiningOp<tile::ConstantOp>();
  // The checker folds the start of a span where it knows it.
  bool hideStart = startConstant && llvm::any_of(op.getResult().getUsers(), isStart);
  Text start = hideStart ? hidden(use(op.getStart())) : use(op.getStart());
  Text limit = extents.needsOpaqueLimit(op.getResult(), op.getLimit()) ? opaque(op.getLimit())
                                                                       : use(op.getLimit());
  std::string width = "width = " + std::to_string(op.getType().getWidth());
  SmallVector<std::string> arguments{start.whole(), limit.whole(), width};
  if (!op.getExact()) {
    return primary(call("span", arguments));
  }
  auto limitConstant = op.getLimit().getDefiningOp<tile::ConstantOp>();
  bool fits = !limitConstant ||
              cast<IntegerAttr>(limitConstant.getValue()).getInt() <= op.getType().getWidth();
  if (!hideStart && startConstant && cast<IntegerAttr>(startConstant.getValue()).getInt() == 0 &&
      fits) {
    return primary(call("whole", {limit.whole(), width}));
  }
  arguments.push_back("exact = true");
  return primary(call("span", arguments));
}

Text Writer::viewSlice(tile::ViewSliceOp op) {
  // A type that says `?` where the checker would know the difference.
  bool isDynamic = ShapedType::isDynamic(
      cast<tile::ViewType>(op.getResult().getType()).getShape()[op.getAxis()]);
  AffineExpr lo = extents.of(op.getLo()), hi = extents.of(op.getHi());
  auto difference = lo && hi ? dyn_cast<AffineConstantExpr>(hi - lo) : AffineConstantExpr();
  bool hide = isDynamic && difference;
  auto first = op.getLo().getDefiningOp<tile::ConstantOp>();
  bool negative = first && cast<IntegerAttr>(first.getValue()).getInt() < 0;
  Text from = hide || negative ? opaque(op.getLo()) : use(op.getLo());
  Text to = hide ? opaque(op.getHi()) : use(op.getHi());
  return primary(
      use(op.getView()).at(Primary) +
      call(".slice", {axisText(op.getAxis()), "lo = " + from.whole(), "hi = " + to.whole()}));
}

/// What is stored: a number stands for a whole tile of it, other constants are written as tiles.
Text Writer::stored(Value value) {
  auto constant = value.getDefiningOp<tile::ConstantOp>();
  bool bare = constant && isBareNumber(constant);
  return use(value, bare ? LiteralType::FromPlace : LiteralType::Settled);
}

Text Writer::atomic(tile::AtomicOp op) {
  Text place = indexed(op.getView(), op.getIndices(), op.getWhole());
  SmallVector<std::string> arguments{place.text};
  if (op.getCompare()) {
    arguments.push_back("value = " + stored(op.getValue()).whole());
    arguments.push_back("expected = " + stored(op.getCompare()).whole());
  } else {
    arguments.push_back(stored(op.getValue()).whole());
  }
  if (op.getOrderAny()) {
    arguments.push_back("order = any");
  }
  if (op.getOrder() != tile::MemoryOrder::relaxed) {
    arguments.push_back(("memory = " + stringifyMemoryOrder(op.getOrder())).str());
  }
  if (op.getScope() != tile::Scope::gpu) {
    arguments.push_back(("scope = " + stringifyScope(op.getScope())).str());
  }
  if (op.getOld()) {
    arguments.push_back("old = true");
  }
  return primary(call(("atomic_" + stringifyAtomicKind(op.getKind())).str(), arguments));
}

std::optional<Text> Writer::viewOp(Operation &op) {
  auto method = [&](Value view, StringRef name, ArrayRef<std::string> arguments) {
    return primary(use(view).at(Primary) + "." + call(name, arguments));
  };
  return TypeSwitch<Operation *, std::optional<Text>>(&op)
      .Case([&](tile::LoadOp load) {
        return indexed(load.getView(), load.getIndices(), load.getWhole());
      })
      .Case([&](tile::StoreOp store) {
        Text value = stored(store.getValue());
        Text place = indexed(store.getView(), store.getIndices(), store.getWhole());
        if (store.getConflict() == tile::Conflict::last) {
          return primary(call("store", {place.text, value.whole(), "conflict = last"}));
        }
        return primary(place.text + " = " + value.text);
      })
      .Case([&](tile::AtomicOp atomic) { return this->atomic(atomic); })
      .Case([&](tile::DimOp dim) {
        return method(dim.getView(), "dim", {axisText(dim.getAxis()), "dynamic = true"});
      })
      .Case([&](tile::SpanOp span) { return spanOp(span); })
      .Case([&](tile::SpanStartOp start) {
        return primary(use(start.getSpan()).at(Primary) + ".start");
      })
      .Case(
          [&](tile::SpanStopOp stop) { return primary(use(stop.getSpan()).at(Primary) + ".stop"); })
      .Case([&](tile::SpanIndexOp index) {
        return primary(use(index.getSpan()).at(Primary) + ".index");
      })
      .Case([&](tile::ViewGroupOp group) {
        return method(group.getView(), "group",
                      {axisText(group.getAxis()), "size = " + std::to_string(group.getSize())});
      })
      .Case([&](tile::ViewPermuteOp permute) {
        return method(permute.getView(), "permute", {listText(permute.getPermutation())});
      })
      .Case([&](tile::ViewSplitOp split) {
        return method(
            split.getView(), "split",
            {axisText(split.getAxis()), "parts = " + std::to_string(split.getNumResults())});
      })
      .Case([&](tile::ViewSliceOp slice) { return viewSlice(slice); })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace tessera::source
