// Operands of a declared instruction in a kernel, and how the dims of what it does lie along their axes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Schedule/Placement.h"

#include "Pins.h"

#include "tessera/Schedule/Dims.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::SmallVector;
using mlir::Operation;
using mlir::Value;
using tile::DistMode;
using tile::Place;

using AxisDims = SmallVector<int64_t>;

//===- dims along axes ----------------------------------------------------===//

namespace {
/// For the values of an apply's body the dim of the op that is done last along each axis, found from there backwards.
class DimFlow {
public:
  DimFlow(mlir::Block &block, Operation *root) {
    AxisDims own;
    for (unsigned dim = 0; dim < dimsOf(root).size(); ++dim) {
      own.push_back(dim);
    }
    flow(root, own);
    for (Operation &op : llvm::reverse(block.without_terminator())) {
      auto found = op.getNumResults() == 1 ? axes.find(op.getResult(0)) : axes.end();
      if (&op != root && found != axes.end()) {
        flow(&op, dimsBehind(&op, found->second));
      }
    }
  }

  /// Axes of a value; -1 where nothing is known of one.
  AxisDims of(Value value) const {
    auto found = axes.find(value);
    return found != axes.end() ? found->second
                               : AxisDims(tile::shapeOf(value.getType()).size(), -1);
  }

private:
  llvm::DenseMap<Value, AxisDims> axes;

  /// The op's own dims, from what its result's axes lie along.
  static AxisDims dimsBehind(Operation *op, const AxisDims &ofResult) {
    AxisDims dims(dimsOf(op).size(), -1);
    for (auto [axis, dim] : llvm::enumerate(ofResult)) {
      if (std::optional<unsigned> own = dimOfResultAxis(op, 0, axis)) {
        dims[*own] = dim;
      }
    }
    return dims;
  }

  void flow(Operation *op, const AxisDims &dims) {
    auto along = [&](std::optional<unsigned> dim) { return dim ? dims[*dim] : -1; };
    for (auto [number, result] : llvm::enumerate(op->getResults())) {
      AxisDims made;
      for (unsigned axis = 0; axis < tile::shapeOf(result.getType()).size(); ++axis) {
        made.push_back(along(dimOfResultAxis(op, number, axis)));
      }
      axes.try_emplace(result, made);
    }
    for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
      if (!llvm::isa<mlir::RankedTensorType>(operand.getType())) {
        continue;
      }
      AxisDims made;
      for (unsigned axis = 0; axis < tile::shapeOf(operand.getType()).size(); ++axis) {
        made.push_back(along(dimOfOperandAxis(op, number, axis)));
      }
      axes.try_emplace(operand, made);
    }
  }
};
} // namespace

//===- operands -----------------------------------------------------------===//

static llvm::Error place(PlacedOperand &placed, tile::InstrOp instr, unsigned index,
                         const BoundOperand &bound, Value shaped, const DimFlow &flow) {
  placed.access = bound.access;
  placed.axes = bound.axes;
  llvm::StringRef kind = operandKind(instr, index);
  bool isMemory = kind == "smem" || kind == "view";
  placed.value = isMemory ? Value() : bound.value;
  if (kind == "scalar" || kind == "predicate") {
    return llvm::Error::success();
  }
  if (isMemory && bound.access->getNumResults() == 0) {
    // The box of a store, write or copy: axes are its dims.
    for (unsigned dim = 0; dim < dimsOf(bound.access).size(); ++dim) {
      placed.dims.push_back(dim);
    }
  } else {
    placed.dims = flow.of(isMemory ? bound.access->getResult(0) : shaped);
  }
  placed.piece.assign(placed.dims.size(), 1);
  auto type = llvm::cast<mlir::RankedTensorType>(instr.getBody().getArgument(index).getType());
  for (auto [axis, extent] : llvm::zip(bound.axes, type.getShape())) {
    placed.piece[axis] = extent;
  }
  if (isMemory) {
    return llvm::Error::success();
  }
  llvm::Expected<Dist> fragment = fragmentOf(instr, index);
  if (!fragment) {
    return fragment.takeError();
  }
  SmallVector<int64_t> axes(bound.axes.begin(), bound.axes.end());
  axes.resize(std::max<size_t>(axes.size(), 2), -1);
  placed.fragment = fragment->mapAxes(axes);
  return llvm::Error::success();
}

llvm::Expected<Placement> schedule::placementOf(tile::ApplyOp apply) {
  Placement placement;
  placement.instr = instrOf(apply);
  std::string name = "`" + placement.instr.getSymName().str() + "`";
  llvm::Expected<UnifyMatch> match = unifyApplied(apply);
  if (!match) {
    return llvm::createStringError(
        name + " is not what stands in its apply: " + llvm::toString(match.takeError()));
  }
  // An op of which nothing is said is cut as the instruction wants it.
  bool isCut = match->root->hasAttr(tile::iterAttrName);
  if (isCut && !llvm::equal(atomsOf(match->root), match->pieces)) {
    return llvm::createStringError("the factors of `" +
                                   match->root->getName().getStringRef().str() +
                                   "` do not say the pieces of " + name + " as `atom`");
  }
  for (Operation &op : apply.getBody().front().without_terminator()) {
    if (!llvm::is_contained(match->ops, &op)) {
      return llvm::createStringError("`" + op.getName().getStringRef().str() +
                                     "` is no part of what " + name + " does: move it out");
    }
  }
  placement.root = match->root;
  placement.atoms = match->pieces;
  DimFlow flow(apply.getBody().front(), match->root);
  unsigned output = 0;
  for (auto [index, bound] : llvm::enumerate(match->operands)) {
    bool isWritten = isWrittenOperand(placement.instr, index);
    Value result = isWritten ? match->results[output++] : Value();
    placement.written.push_back(result);
    // Several results have the axes of the one that is made last.
    Value shaped = !result                            ? bound.value
                   : match->root->getNumResults() > 0 ? match->root->getResult(0)
                                                      : result;
    placement.operands.emplace_back();
    if (llvm::Error error =
            place(placement.operands.back(), placement.instr, index, bound, shaped, flow)) {
      return std::move(error);
    }
  }
  for (Value value : apply.getBody().front().getTerminator()->getOperands()) {
    auto found = llvm::find(placement.written, value);
    if (found == placement.written.end()) {
      return llvm::createStringError("the apply of " + name +
                                     " gives what the instruction does not");
    }
    placement.results.push_back(unsigned(found - placement.written.begin()));
  }
  return placement;
}

bool schedule::isPlainProduct(tile::ApplyOp apply) {
  Operation *points = pointsOf(apply);
  mlir::Block &body = apply.getBody().front();
  tile::InstrOp instr = instrOf(apply);
  bool isFragments = instr.getOperandInfo().size() == 3;
  for (unsigned i = 0; i < instr.getOperandInfo().size(); ++i) {
    isFragments &= operandKind(instr, i) == "frag";
  }
  return llvm::isa_and_nonnull<tile::MmaOp>(points) && isFragments &&
         llvm::hasSingleElement(body.without_terminator());
}

//===- pieces -------------------------------------------------------------===//

Dist Placement::held(unsigned operand, const Dist &pieces) const {
  const PlacedOperand &placed = operands[operand];
  SmallVector<int64_t> axisOf(dimsOf(root).size(), -1);
  for (auto [axis, dim] : llvm::enumerate(placed.dims)) {
    if (dim >= 0) {
      axisOf[dim] = int64_t(axis);
    }
  }
  return Dist::nest(pieces.mapAxes(axisOf), placed.fragment.value_or(Dist()), placed.piece);
}

std::optional<Dist> Placement::piecesFor(unsigned operand, const Dist &held) const {
  const PlacedOperand &placed = operands[operand];
  bool isAlone = instr.getScope() == tile::ExecScope::thread;
  SmallVector<DistMode> modes;
  for (DistMode mode : held.modes()) {
    if (mode.place == Place::lane && !isAlone) {
      continue; // those of the fragment, which is compared in the end
    }
    if (mode.axis >= 0) {
      int64_t piece = placed.piece[mode.axis];
      if (mode.stride % piece == 0) {
        mode.stride /= piece;
      } else if (mode.place == Place::reg && piece % mode.stride == 0) {
        int64_t inside = std::min(mode.extent, piece / mode.stride);
        if (mode.extent % inside != 0) {
          return std::nullopt;
        }
        mode.extent /= inside;
        mode.stride = 1;
      } else {
        return std::nullopt;
      }
      mode.axis = placed.dims[mode.axis];
      if (mode.axis < 0 && mode.extent > 1) {
        return std::nullopt;
      }
    }
    modes.push_back(mode);
  }
  Dist pieces = Dist::get(modes);
  if (this->held(operand, pieces) != held) {
    return std::nullopt;
  }
  for (auto [number, dim, atom] : llvm::enumerate(dimsOf(root), atoms)) {
    if (pieces.reach(number) * atom < dim.extent) {
      return std::nullopt;
    }
  }
  return pieces;
}

bool Placement::isFree() const {
  bool readsShared = false;
  for (auto [index, placed] : llvm::enumerate(operands)) {
    bool isWritten = isWrittenOperand(instr, index);
    if (placed.access) {
      readsShared |= llvm::isa<tile::ReadOp>(placed.access);
      if (isWritten || !llvm::isa<tile::ReadOp>(placed.access)) {
        return false;
      }
    } else if (placed.value) {
      return false;
    }
  }
  return readsShared && results.size() == 1;
}
