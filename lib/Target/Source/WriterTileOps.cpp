//===- WriterTileOps.cpp - shapes, reductions, products -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Writer.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tessera::source {

static bool isConstant(Value value) { return value.getDefiningOp<tile::ConstantOp>() != nullptr; }

static std::string axisText(int64_t axis) { return "axis = " + std::to_string(axis); }

Text Writer::expand(tile::ExpandOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  SmallVector<std::string> indices(type.getRank(), ":");
  for (int64_t axis : op.getAxes()) {
    indices[axis] = "_";
  }
  return primary(use(op.getX(), LiteralType::Settled).at(Primary) + "[" +
                 llvm::join(indices, ", ") + "]");
}

/// Ranges along the axes that are cut; where none is, along the first one, so that the op stays.
Text Writer::slice(tile::SliceOp op) {
  ArrayRef<int64_t> from = op.getX().getType().getShape(), to = op.getType().getShape();
  SmallVector<std::string> indices(to.size(), ":");
  bool any = false;
  for (auto [i, offset] : llvm::enumerate(op.getOffsets())) {
    bool isLast = i + 1 == to.size();
    if (to[i] != from[i] || (isLast && !any)) {
      indices[i] = std::to_string(offset) + ".." + std::to_string(offset + to[i]);
      any = true;
    }
  }
  return primary(use(op.getX()).at(Primary) + "[" + llvm::join(indices, ", ") + "]");
}

Text Writer::keepIf(tile::KeepIfOp op) {
  bool isScalar = !isa<RankedTensorType>(op.getType());
  Text condition = use(op.getCondition());
  if (isConstant(op.getCondition()) && isScalar) {
    condition = hidden(condition);
  }
  SmallVector<std::string> arguments{use(op.getX()).whole(), condition.whole()};
  ArrayRef<int64_t> extents = tile::shapeOf(op.getCondition().getType());
  // Which axes of extent 1 are `_` is not in the IR: they are named.
  bool plain = op.getAxes().size() == extents.size() && !llvm::is_contained(extents, 1);
  if (!isScalar && !plain) {
    arguments.push_back("axes = " + listText(op.getAxes()));
  }
  return primary(call("keep_if", arguments));
}

std::optional<Text> Writer::shapeOp(Operation &op) {
  auto shapeOf = [](Value value) {
    return listText(cast<RankedTensorType>(value.getType()).getShape());
  };
  return TypeSwitch<Operation *, std::optional<Text>>(&op)
      .Case([&](tile::SplatOp splat) {
        Text x = isConstant(splat.getX()) ? hidden(use(splat.getX())) : use(splat.getX());
        return primary(call("splat", {x.whole(), shapeOf(splat.getResult())}));
      })
      .Case([&](tile::BroadcastOp broadcast) {
        return primary(
            call("broadcast", {use(broadcast.getX()).whole(), shapeOf(broadcast.getResult())}));
      })
      .Case([&](tile::ExpandOp expand) { return this->expand(expand); })
      .Case([&](tile::SqueezeOp squeeze) {
        return primary(call(
            "squeeze", {use(squeeze.getX()).whole(), "axes = " + listText(squeeze.getAxes())}));
      })
      .Case([&](tile::PermuteOp permute) {
        return primary(
            call("permute", {use(permute.getX()).whole(), listText(permute.getPermutation())}));
      })
      .Case([&](tile::ReshapeOp reshape) {
        return primary(
            call("reshape", {use(reshape.getX()).whole(), shapeOf(reshape.getResult())}));
      })
      .Case([&](tile::SliceOp slice) { return this->slice(slice); })
      .Case([&](tile::CatOp cat) {
        SmallVector<std::string> arguments;
        for (Value part : cat.getParts()) {
          arguments.push_back(use(part).whole());
        }
        arguments.push_back(axisText(cat.getAxis()));
        return primary(call("cat", arguments));
      })
      .Case([&](tile::FlipOp flip) {
        return primary(call("flip", {use(flip.getX()).whole(), axisText(flip.getAxis())}));
      })
      .Case([&](tile::IotaOp iota) {
        return primary(
            call("iota", {std::to_string(cast<RankedTensorType>(iota.getType()).getDimSize(0))}));
      })
      .Case([&](tile::KeepIfOp keep) { return keepIf(keep); })
      .Default([](Operation *) { return std::nullopt; });
}

static StringRef reductionName(tile::ReduceKind kind) {
  switch (kind) {
  case tile::ReduceKind::and_:
    return "bit_and";
  case tile::ReduceKind::or_:
    return "bit_or";
  case tile::ReduceKind::xor_:
    return "bit_xor";
  default:
    return stringifyReduceKind(kind);
  }
}

std::optional<Text> Writer::reduceOp(Operation &op) {
  return TypeSwitch<Operation *, std::optional<Text>>(&op)
      .Case([&](tile::ReduceOp reduce) {
        SmallVector<std::string> arguments{use(reduce.getX()).whole(), axisText(reduce.getAxis())};
        if (reduce.getOrder() == tile::ReduceOrder::any) {
          arguments.push_back("order = any");
        }
        return primary(call(reductionName(reduce.getKind()), arguments));
      })
      .Case<tile::ArgMaxOp, tile::ArgMinOp>([&](auto extremum) {
        StringRef name = isa<tile::ArgMaxOp>(op) ? "argmax" : "argmin";
        return primary(call(name, {use(extremum.getX()).whole(), axisText(extremum.getAxis())}));
      })
      .Case([&](tile::TopKOp topk) {
        return primary(call("topk", {use(topk.getX()).whole(), std::to_string(topk.getK()),
                                     axisText(topk.getAxis())}));
      })
      .Case([&](tile::ScanOp scan) {
        SmallVector<std::string> arguments{use(scan.getX()).whole(), axisText(scan.getAxis())};
        if (scan.getReverse()) {
          arguments.push_back("reverse = true");
        }
        if (scan.getExclusive()) {
          arguments.push_back("exclusive = true");
        }
        return primary(call(("cum" + stringifyReduceKind(scan.getKind())).str(), arguments));
      })
      .Case([&](tile::HistogramOp histogram) {
        int64_t bins = cast<RankedTensorType>(histogram.getType()).getDimSize(0);
        return primary(call("histogram", {use(histogram.getX()).whole(), std::to_string(bins)}));
      })
      .Case([&](tile::MmaOp mma) {
        SmallVector<std::string> arguments{use(mma.getA()).whole(), use(mma.getB()).whole(),
                                           use(mma.getAcc()).whole()};
        if (mma.getPrecision() != tile::MmaPrecision::ieee) {
          arguments.push_back(("precision = " + stringifyMmaPrecision(mma.getPrecision())).str());
        }
        return primary(call("mma", arguments));
      })
      .Case([&](tile::PhiloxOp philox) {
        return primary(
            call("philox", {use(philox.getSeed()).whole(), use(philox.getOffset()).whole(),
                            use(philox.getIndex()).whole()}));
      })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace tessera::source
