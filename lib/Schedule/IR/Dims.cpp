// Names of dims, axes and operands.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/Dims.h"

#include "tessera/Dialect/Tile/Structure.h"
#include "tessera/Schedule/SymbolicValues.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::SmallVector;

SmallVector<tile::IterDim> schedule::dimsOf(mlir::Operation *op) {
  auto points = llvm::dyn_cast<tile::TileIterOpInterface>(op);
  return points ? points.getIterDims() : SmallVector<tile::IterDim>();
}

std::optional<unsigned> schedule::findDim(mlir::Operation *op, llvm::StringRef dim) {
  for (auto [i, found] : llvm::enumerate(dimsOf(op))) {
    if (found.name == dim) {
      return i;
    }
  }
  return std::nullopt;
}

//===-- Dims and axes ----------------------------------------------------------------------------------------------===//

/// The dim whose range an axis has, point by point. Asked of the interface: a box that is one point in every dim is moved
/// along one dim at a time; the axis lies along the dim that moves it by as much.
template <class BoxOf>
static std::optional<unsigned> dimOfAxis(llvm::ArrayRef<tile::IterDim> dims, unsigned axis,
                                         BoxOf boxOf) {
  tile::IterBox whole;
  for (const tile::IterDim &dim : dims) {
    whole.push_back({0, dim.extent});
  }
  std::optional<unsigned> found;
  tile::IterBox all = boxOf(whole);
  for (unsigned i = 0; i < dims.size(); ++i) {
    // What has another extent than the axis does not lie along it.
    if (axis >= all.size() || all[axis].size != dims[i].extent) {
      continue;
    }
    tile::IterBox one = whole;
    one[i] = {0, 1};
    tile::IterBox at = boxOf(one);
    if (axis >= at.size() || at[axis].size != 1) {
      continue;
    }
    if (dims[i].extent > 1) {
      one[i] = {dims[i].extent - 1, 1};
      tile::IterBox last = boxOf(one);
      if (last[axis].size != 1 || last[axis].offset - at[axis].offset != dims[i].extent - 1) {
        continue;
      }
    } else if (found) {
      continue; // axes of one element lie along any dim of one point: the first
    }
    found = i;
    if (dims[i].extent > 1) {
      break;
    }
  }
  return found;
}

std::optional<unsigned> schedule::dimOfOperandAxis(mlir::Operation *op, unsigned operand,
                                                   unsigned axis) {
  auto points = llvm::dyn_cast<tile::TileIterOpInterface>(op);
  if (!points) {
    return std::nullopt;
  }
  return dimOfAxis(points.getIterDims(), axis,
                   [&](const tile::IterBox &box) { return points.getOperandBox(operand, box); });
}

std::optional<unsigned> schedule::dimOfResultAxis(mlir::Operation *op, unsigned result,
                                                  unsigned axis) {
  auto points = llvm::dyn_cast<tile::TileIterOpInterface>(op);
  if (!points) {
    return std::nullopt;
  }
  return dimOfAxis(points.getIterDims(), axis,
                   [&](const tile::IterBox &box) { return points.getResultBox(result, box); });
}

//===-- Names of axes ----------------------------------------------------------------------------------------------===//

namespace {

/// Looks through the ops between a tile and the loads that it is made from.
class Namer {
public:
  SmallVector<std::string> axes(mlir::Value tile);
  /// By position of the dim; empty where no source name is known.
  SmallVector<std::string> dims(mlir::Operation *op);

private:
  SmallVector<std::string> ofArgument(mlir::BlockArgument argument);
  static std::optional<SmallVector<std::string>> ofWindows(mlir::Operation *op, size_t rank);

  llvm::DenseMap<mlir::Value, SmallVector<std::string>> known;
  unsigned depth = 0;
};

} // namespace

/// Of loads, stores, copies: the spans they are indexed by.
std::optional<SmallVector<std::string>> Namer::ofWindows(mlir::Operation *op, size_t rank) {
  auto points = llvm::dyn_cast<tile::TileIterOpInterface>(op);
  SmallVector<tile::Window> windows = points ? points.getWindows() : SmallVector<tile::Window>();
  for (const tile::Window &window : windows) {
    SmallVector<std::string> names;
    bool isView = llvm::isa<tile::ViewType>(window.view.getType());
    for (auto [i, axis] : llvm::enumerate(window.axes)) {
      switch (axis.kind) {
      case tile::WindowAxis::span:
        names.push_back(SymbolicValues::sourceName(axis.index));
        break;
      case tile::WindowAxis::whole:
        names.emplace_back();
        break;
      case tile::WindowAxis::gather: {
        SmallVector<std::string> inner = axisNames(axis.index);
        names.append(inner.begin(), inner.end());
        break;
      }
      case tile::WindowAxis::scalar:
        break;
      }
    }
    // A copy has a window of a view and one of a buf: the view's names count.
    if (names.size() == rank && (isView || windows.size() == 1)) {
      return names;
    }
  }
  return std::nullopt;
}

SmallVector<std::string> Namer::ofArgument(mlir::BlockArgument argument) {
  auto loop = llvm::dyn_cast<mlir::LoopLikeOpInterface>(argument.getOwner()->getParentOp());
  if (loop) {
    for (auto [inside, init] : llvm::zip(loop.getRegionIterArgs(), loop.getInits())) {
      if (inside == argument) {
        return axes(init);
      }
    }
  }
  return {};
}

SmallVector<std::string> Namer::axes(mlir::Value tile) {
  size_t rank = tile::shapeOf(tile.getType()).size();
  auto found = known.find(tile);
  if (found != known.end()) {
    return found->second;
  }
  known[tile] = SmallVector<std::string>(rank); // what comes back to it adds nothing
  constexpr unsigned deepest = 200;
  SmallVector<std::string> names;
  if (++depth <= deepest) {
    mlir::Operation *op = tile.getDefiningOp();
    if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(tile)) {
      names = ofArgument(argument);
    } else if (auto loop = llvm::dyn_cast<tile::ForOp>(op)) {
      unsigned number = llvm::cast<mlir::OpResult>(tile).getResultNumber();
      names = axes(loop.getBody().front().getTerminator()->getOperand(number));
    } else if (llvm::isa<tile::SectionOp, tile::ApplyOp>(op)) {
      unsigned number = llvm::cast<mlir::OpResult>(tile).getResultNumber();
      names = axes(op->getRegion(0).front().getTerminator()->getOperand(number));
    } else if (llvm::isa<tile::SpanIndexOp>(op)) {
      names = {SymbolicValues::sourceName(op->getOperand(0))};
    } else {
      SmallVector<std::string> ofDims = dims(op);
      unsigned number = llvm::cast<mlir::OpResult>(tile).getResultNumber();
      for (unsigned axis = 0; axis < rank; ++axis) {
        std::optional<unsigned> dim = dimOfResultAxis(op, number, axis);
        names.push_back(dim && *dim < ofDims.size() ? ofDims[*dim] : "");
      }
    }
  }
  --depth;
  names.resize(rank);
  return known[tile] = names;
}

SmallVector<std::string> Namer::dims(mlir::Operation *op) {
  size_t count = dimsOf(op).size();
  if (std::optional<SmallVector<std::string>> names = ofWindows(op, count)) {
    return *names;
  }
  SmallVector<std::string> names(count);
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    size_t rank = tile::shapeOf(operand.getType()).size();
    for (unsigned axis = 0; axis < rank; ++axis) {
      std::optional<unsigned> dim = dimOfOperandAxis(op, number, axis);
      if (dim && names[*dim].empty()) {
        names[*dim] = axes(operand)[axis];
      }
    }
  }
  return names;
}

SmallVector<std::string> schedule::axisNames(mlir::Value tile) { return Namer().axes(tile); }

SmallVector<std::string> schedule::dimNames(mlir::Operation *op) {
  SmallVector<tile::IterDim> dims = dimsOf(op);
  SmallVector<std::string> names =
      llvm::isa<tile::MmaOp>(op) ? SmallVector<std::string>(dims.size()) : Namer().dims(op);
  llvm::StringMap<unsigned> count;
  for (const std::string &name : names) {
    ++count[name];
  }
  for (auto [name, dim] : llvm::zip(names, dims)) {
    if (name.empty() || count[name] > 1) {
      name = dim.name;
    }
  }
  return names;
}

std::optional<unsigned> schedule::dimNamed(mlir::Operation *op, llvm::StringRef name) {
  SmallVector<std::string> names = dimNames(op);
  for (auto [i, found] : llvm::enumerate(names)) {
    if (found == name) {
      return i;
    }
  }
  return findDim(op, name);
}

//===-- Operands ---------------------------------------------------------------------------------------------------===//

std::string schedule::operandName(mlir::Operation *op, unsigned index) {
  using Names = llvm::ArrayRef<const char *>;
  auto at = [&](Names names) -> std::string { return index < names.size() ? names[index] : ""; };
  return llvm::TypeSwitch<mlir::Operation *, std::string>(op)
      .Case<tile::MmaOp, tile::FmaOp, tile::ClampOp>([&](auto) { return at({"a", "b", "c"}); })
      .Case([&](tile::SelectOp) { return at({"condition", "a", "b"}); })
      .Case<tile::StoreOp, tile::AtomicOp, tile::WriteOp>([&](auto) { return at({"value"}); })
      .Case<tile::LoadOp, tile::CopyOp>([&](auto) { return at({"view"}); })
      .Case<tile::ReadOp, tile::CopyOutOp>([&](auto) { return at({"buf"}); })
      .Case<tile::FillAbsentOp, tile::KeepIfOp>([&](auto) { return at({"x", "y"}); })
      .Default([&](mlir::Operation *other) -> std::string {
        if (!llvm::isa<tile::TileIterOpInterface>(other)) {
          return "";
        }
        return other->getNumOperands() == 2 ? at({"lhs", "rhs"}) : at({"x"});
      });
}

//===-- Views ------------------------------------------------------------------------------------------------------===//

mlir::BlockArgument schedule::rootView(mlir::Value view) {
  auto argument =
      llvm::dyn_cast_or_null<mlir::BlockArgument>(view ? tile::viewBase(view) : mlir::Value());
  bool isOfKernel =
      argument && llvm::isa_and_nonnull<tile::KernelOp>(argument.getOwner()->getParentOp());
  return isOfKernel ? argument : mlir::BlockArgument();
}

std::optional<unsigned> schedule::rootAxis(mlir::Value view, unsigned axis) {
  while (mlir::Operation *op = view.getDefiningOp()) {
    if (auto permute = llvm::dyn_cast<tile::ViewPermuteOp>(op)) {
      axis = permute.getPermutation()[axis];
    } else if (auto group = llvm::dyn_cast<tile::ViewGroupOp>(op)) {
      // The second of the two axes walks along the group; the first steps from group to group.
      unsigned cut = group.getAxis();
      if (axis == cut) {
        return std::nullopt;
      }
      axis -= axis > cut ? 1 : 0;
    }
    if (!tile::isViewPart(op)) {
      return std::nullopt;
    }
    view = op->getOperand(0);
  }
  return axis;
}
