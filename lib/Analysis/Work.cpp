// Counting operations. A loop whose body does the same in each step counts once, times the steps; else its steps are followed,
// which takes ends that are numbers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Analysis/Work.h"

#include "tessera/Dialect/Tile/DTypes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace tessera;
using mlir::Operation;
using mlir::Value;

void Work::add(const Work &more, const Polynomial &times) {
  for (const auto &[type, amount] : more.products) {
    products[type] = products[type] + amount * times;
  }
  for (const auto &[type, amount] : more.others) {
    others[type] = others[type] + amount * times;
  }
  isLeast |= more.isLeast;
}

namespace {

struct SpanEnds {
  Polynomial start, stop;
};

/// One axis of a grid, or a loop.
struct Axis {
  Value low, high, step; ///< `step`: the block argument
  int64_t width;
};

class Counter {
public:
  explicit Counter(std::string &reason) : reason(reason) {}
  std::optional<Work> block(mlir::Block &block);
  void bind(Value value, Polynomial amount) { known[value] = std::move(amount); }

private:
  std::string &reason;
  llvm::DenseMap<Value, Polynomial> known;
  llvm::DenseMap<Value, SpanEnds> spans;
  int64_t budget = 1 << 18; ///< steps that are followed one by one

  std::optional<Polynomial> value(Value scalar);
  std::optional<Polynomial> arithmetic(Operation *op);
  std::optional<Work> op(Operation *op);
  std::optional<Work> loops(llvm::ArrayRef<Axis> axes, mlir::Block &body);
  std::optional<Work> eachStep(llvm::ArrayRef<Axis> axes, double low, double high,
                               mlir::Block &body);
};
} // namespace

//===- ends of loops ------------------------------------------------------===//

std::optional<Polynomial> Counter::arithmetic(Operation *op) {
  std::optional<Polynomial> a = value(op->getOperand(0)), b = value(op->getOperand(1));
  if (!a || !b) {
    return std::nullopt;
  }
  if (llvm::isa<tile::AddOp>(op)) {
    return *a + *b;
  }
  if (llvm::isa<tile::SubOp>(op)) {
    return *a - *b;
  }
  if (llvm::isa<tile::MulOp>(op)) {
    return *a * *b;
  }
  if (llvm::isa<tile::FloorDivOp>(op)) {
    return floorDiv(*a, *b);
  }
  std::optional<double> x = a->number(), y = b->number();
  if (!x || !y) {
    return std::nullopt;
  }
  return llvm::TypeSwitch<Operation *, std::optional<Polynomial>>(op)
      .Case([&](tile::MinOp) { return Polynomial(std::min(*x, *y)); })
      .Case([&](tile::MaxOp) { return Polynomial(std::max(*x, *y)); })
      .Case([&](tile::ModOp) { return *a - *b * floorDiv(*a, *b); })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<Polynomial> Counter::value(Value scalar) {
  if (auto found = known.find(scalar); found != known.end()) {
    return found->second;
  }
  Operation *op = scalar.getDefiningOp();
  if (auto constant = llvm::dyn_cast_or_null<tile::ConstantOp>(op)) {
    auto number = llvm::dyn_cast<mlir::IntegerAttr>(constant.getValue());
    return number ? std::optional<Polynomial>(Polynomial(double(number.getInt()))) : std::nullopt;
  }
  if (llvm::isa_and_nonnull<tile::SpanStartOp, tile::SpanStopOp>(op)) {
    auto span = spans.find(op->getOperand(0));
    if (span == spans.end()) {
      return std::nullopt;
    }
    return llvm::isa<tile::SpanStartOp>(op) ? span->second.start : span->second.stop;
  }
  return op && op->getNumOperands() == 2 ? arithmetic(op) : std::nullopt;
}

//===- loops --------------------------------------------------------------===//

std::optional<Work> Counter::eachStep(llvm::ArrayRef<Axis> axes, double low, double high,
                                      mlir::Block &body) {
  const Axis &axis = axes.front();
  double width = axis.width == 0 ? 1 : double(axis.width);
  Work sum;
  for (double at = low; at < high; at += width) {
    if (--budget < 0) {
      reason = "there are too many steps to follow";
      return std::nullopt;
    }
    double stop = std::min(at + width, high);
    if (axis.width == 0) {
      known[axis.step] = Polynomial(at);
    } else {
      spans[axis.step] = {Polynomial(at), Polynomial(stop)};
    }
    std::optional<Work> one = loops(axes.drop_front(), body);
    if (!one) {
      return std::nullopt;
    }
    sum.add(*one, Polynomial((stop - at) / width));
  }
  known.erase(axis.step);
  spans.erase(axis.step);
  return sum;
}

std::optional<Work> Counter::loops(llvm::ArrayRef<Axis> axes, mlir::Block &body) {
  if (axes.empty()) {
    return block(body);
  }
  const Axis &axis = axes.front();
  std::optional<Polynomial> low = value(axis.low), high = value(axis.high);
  if (!low || !high) {
    reason = "a loop ends at what other loops or data say";
    return std::nullopt;
  }
  std::optional<double> first = low->number(), last = high->number();
  if (first && last && *last <= *first) {
    return Work();
  }
  if (std::optional<Work> same = loops(axes.drop_front(), body)) {
    Work sum;
    double width = axis.width == 0 ? 1 : double(axis.width);
    sum.add(*same, (*high - *low) * Polynomial(1 / width));
    return sum;
  }
  return first && last ? eachStep(axes, *first, *last, body) : std::nullopt;
}

//===- ops ----------------------------------------------------------------===//

/// 16-bit floats and smaller ones are computed in f32.
static std::string computedIn(mlir::Type type) {
  auto element = llvm::cast<mlir::FloatType>(mlir::getElementTypeOrSelf(type));
  return element.getWidth() < 32 ? "f32" : name(dtypeOf(element)).str();
}

static double elementsOf(Value tile) {
  double elements = 1;
  for (int64_t extent : llvm::cast<mlir::RankedTensorType>(tile.getType()).getShape()) {
    elements *= double(extent);
  }
  return elements;
}

/// Ops of the table in a combining region.
static double scalarOpsIn(Operation *op) {
  double number = 0;
  op->walk(
      [&](Operation *inner) { number += inner != op && inner->hasTrait<tile::ElementwiseRow>(); });
  return number;
}

std::optional<Work> Counter::op(Operation *op) {
  Work work;
  if (auto loop = llvm::dyn_cast<tile::ForOp>(op)) {
    return loops(Axis{loop.getLo(), loop.getHi(), loop.getStep(), int64_t(loop.getWidth())},
                 loop.getBody().front());
  }
  if (auto grid = llvm::dyn_cast<tile::GridOp>(op)) {
    llvm::SmallVector<Axis> axes;
    for (auto [low, high, step, width] : llvm::zip(
             grid.getLows(), grid.getHighs(), grid.getBody().getArguments(), grid.getWidths())) {
      axes.push_back({low, high, step, width});
    }
    return loops(axes, grid.getBody().front());
  }
  if (auto mma = llvm::dyn_cast<tile::MmaOp>(op)) {
    double depth = double(mma.getA().getType().getShape()[1]);
    bool isPlain = mma.getPrecision() == tile::MmaPrecision::ieee;
    llvm::StringRef type = isPlain ? name(dtypeOf(mma.getA().getType().getElementType()))
                                   : tile::stringifyMmaPrecision(mma.getPrecision());
    work.products[type.str()] = Polynomial(2 * depth * elementsOf(mma.getResult()));
    return work;
  }
  bool combines = llvm::isa<tile::ReduceOp, tile::ReduceWithOp, tile::ScanOp, tile::ScanWithOp>(op);
  if (combines || op->hasTrait<tile::ElementwiseRow>()) {
    Value counted = combines ? op->getOperand(0) : op->getResult(0);
    bool isTile = llvm::isa<mlir::RankedTensorType>(counted.getType());
    if (isTile && llvm::isa<mlir::FloatType>(mlir::getElementTypeOrSelf(counted.getType()))) {
      double each = op->getNumRegions() == 0 ? 1 : scalarOpsIn(op);
      work.others[computedIn(counted.getType())] = Polynomial(each * elementsOf(counted));
    }
    return work;
  }
  work.isLeast = llvm::isa<mlir::scf::IfOp, mlir::scf::WhileOp>(op);
  return work;
}

std::optional<Work> Counter::block(mlir::Block &block) {
  Work sum;
  for (Operation &each : block) {
    std::optional<Work> one = op(&each);
    if (!one) {
      return std::nullopt;
    }
    sum.add(*one, Polynomial(1));
  }
  return sum;
}

std::optional<Work> tessera::workOf(tile::KernelOp kernel, std::string &reason) {
  Counter counter(reason);
  mlir::Block &body = kernel.getBody().front();
  for (mlir::BlockArgument argument : body.getArguments()) {
    if (argument.getType().isInteger(64)) {
      counter.bind(argument, Polynomial::of(kernel.getArgName(argument.getArgNumber()).str()));
    }
  }
  return counter.block(body);
}
