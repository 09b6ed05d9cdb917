// Predicting sectors of global memory: what is known of strides and of where a box begins.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AccessCounts.h"

#include "llvm/IR/Constants.h"
#include "llvm/Support/MathExtras.h"

#include <map>

using namespace tessera;
using namespace tessera::convert;
using llvm::ArrayRef;
using llvm::MDNode;
using llvm::SmallVector;
using llvm::StringRef;

static constexpr int64_t sectorBytes = 32;
static constexpr int64_t anything = int64_t(1) << 30;

/// Numbers of which two have a product.
static int64_t capped(int64_t value) { return std::min(anything, value); }

static int64_t powerIn(int64_t value) { return value == 0 ? anything : capped(value & -value); }

/// A power of two that divides the first index of a span in a tile without absent elements.
static int64_t startDivisor(Lowering &l, mlir::Value span) {
  if (auto made = span.getDefiningOp<tile::SpanOp>()) {
    return l.alignment.divisor(made.getStart());
  }
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(span);
  mlir::Operation *parent = argument ? argument.getOwner()->getParentOp() : nullptr;
  mlir::Value lo;
  if (auto loop = llvm::dyn_cast_or_null<tile::ForOp>(parent)) {
    lo = loop.getLo();
  } else if (auto grid = llvm::dyn_cast_or_null<tile::GridOp>(parent)) {
    lo = grid.getLows()[argument.getArgNumber()];
  } else if (auto tasks = llvm::dyn_cast_or_null<tile::TasksOp>(parent)) {
    lo = tasks.getLows()[argument.getArgNumber()];
  }
  int64_t width = llvm::cast<tile::SpanType>(span.getType()).getWidth();
  return lo ? std::min(l.alignment.divisor(lo), powerIn(width)) : 1;
}

/// The stride of an axis where it is a number.
static std::optional<int64_t> strideOf(const ViewValue &view, unsigned axis) {
  auto *number = llvm::dyn_cast<llvm::ConstantInt>(view.strides[axis]);
  return number ? std::optional<int64_t>(number->getSExtValue()) : std::nullopt;
}

/// A power of two that divides the elements by which a view begins behind the beginning of one of an array's rows.
static int64_t baseDivisor(Lowering &l, mlir::Value view) {
  mlir::Operation *maker = view.getDefiningOp();
  if (auto slice = llvm::dyn_cast_or_null<tile::ViewSliceOp>(maker)) {
    std::optional<int64_t> stride = strideOf(l.views.at(slice.getView()), slice.getAxis());
    int64_t before = baseDivisor(l, slice.getView());
    return stride ? std::min(before, capped(l.alignment.divisor(slice.getLo())) * powerIn(*stride))
                  : before;
  }
  if (auto split = llvm::dyn_cast_or_null<tile::ViewSplitOp>(maker)) {
    std::optional<int64_t> stride = strideOf(l.views.at(split.getView()), split.getAxis());
    int64_t before = baseDivisor(l, split.getView());
    bool isFirst = llvm::cast<mlir::OpResult>(view).getResultNumber() == 0;
    if (!stride || isFirst) {
      return before;
    }
    int64_t extent = llvm::cast<tile::ViewType>(view.getType()).getShape()[split.getAxis()];
    int64_t part = mlir::ShapedType::isDynamic(extent) ? 1 : powerIn(extent);
    return std::min(before, part * powerIn(*stride));
  }
  bool keeps = llvm::isa_and_nonnull<tile::ViewPermuteOp, tile::ViewGroupOp>(maker);
  return keeps ? baseDivisor(l, maker->getOperand(0)) : maker ? 1 : anything;
}

static std::string nameOf(Lowering &l, mlir::Value view) {
  while (mlir::Operation *maker = view.getDefiningOp()) {
    view = maker->getOperand(0);
  }
  return l.kernel.getArgName(llvm::cast<mlir::BlockArgument>(view).getArgNumber()).str();
}

namespace {
/// How an axis of the box moves the address.
struct BoxAxis {
  unsigned viewAxis = 0;
  std::optional<int64_t> stride; ///< nothing: another row
};

/// A box of a view as far as it is known without running anything.
struct KnownBox {
  SmallVector<BoxAxis, 4> axes;
  int64_t divisor = anything; ///< of the elements from the beginning of a row to the box
  std::string unknown;
  std::optional<unsigned> stepped; ///< of `axes`: whose step is a number of the launch
  bool isOpen = false;             ///< what is unknown leaves everything open
};
} // namespace

static KnownBox boxOf(Lowering &l, mlir::Value value, mlir::ValueRange indices,
                      ArrayRef<bool> whole) {
  const ViewValue &view = l.views.at(value);
  KnownBox box;
  box.divisor = baseDivisor(l, value);
  bool hasUnit = false;
  for (unsigned axis = 0; axis < view.strides.size(); ++axis) {
    hasUnit |= strideOf(view, axis) == 1;
  }
  unsigned last = view.strides.size() - 1, next = 0;
  for (auto [axis, isWhole] : llvm::enumerate(whole)) {
    std::optional<int64_t> stride = strideOf(view, axis);
    if (!hasUnit && axis == last) {
      box.isOpen = value.getDefiningOp() != nullptr;
      box.unknown = box.isOpen ? "depends on the steps of a part of `" + nameOf(l, value) + "`"
                               : "depends on the step of `" + nameOf(l, value) + "` along axis " +
                                     std::to_string(axis);
      stride = 1;
    }
    bool isStepped = !hasUnit && axis == last;
    mlir::Value index = isWhole ? mlir::Value() : indices[next++];
    bool isSpan = index && llvm::isa<tile::SpanType>(index.getType());
    if (index && llvm::isa<mlir::RankedTensorType>(index.getType())) {
      box.unknown = "depends on the indices along axis " + std::to_string(axis) + " of `" +
                    nameOf(l, value) + "`, which are data";
      box.isOpen = true;
      return box;
    }
    if (!index || isSpan) {
      if (isStepped) {
        box.stepped = unsigned(box.axes.size());
      }
      box.axes.push_back({unsigned(axis), stride});
    }
    if (index && stride) {
      int64_t start = isSpan ? startDivisor(l, index) : l.alignment.divisor(index);
      box.divisor = std::min(box.divisor, capped(start) * powerIn(*stride));
    }
  }
  return box;
}

/// Counts for a box that begins `shift` bytes behind a sector.
static AccessCounts countViews(Lowering &l, const Touch &touch, const KnownBox &box,
                               int64_t shift) {
  Actors actors(l, touch);
  // Rows are as far apart as nothing else is.
  std::map<Coords, int64_t> rows;
  auto first = [&](const Coords &coords) {
    Coords row;
    int64_t elements = 0;
    for (auto [at, axis] : llvm::zip(coords, box.axes)) {
      if (axis.stride) {
        elements += at * *axis.stride;
      } else {
        row.push_back(at);
      }
    }
    int64_t number = rows.try_emplace(row, int64_t(rows.size())).first->second;
    return number * anything + shift + elements * touch.elementBytes;
  };
  return countAll(l, int64_t(touch.pieces.size()), /*isShared=*/false,
                  [&](int64_t lane, int64_t warp, int64_t i) {
                    const Piece &piece = touch.pieces[i];
                    LaneAccess access{std::nullopt,
                                      int64_t(piece.regs.size()) * touch.elementBytes};
                    if (std::optional<Coords> coords = actors.at(lane, warp, piece)) {
                      access.first = first(*coords);
                    }
                    return access;
                  });
}

/// Where a box may begin anywhere in a sector all places must give the same.
static void countBox(Lowering &l, const Touch &touch, const KnownBox &box, StringRef name,
                     AccessCost &access) {
  // Vectors are aligned, wherever the tile begins.
  int64_t step =
      std::max(access.laneBytes, std::min(sectorBytes, box.divisor * touch.elementBytes));
  for (int64_t shift = 0; shift < sectorBytes; shift += step) {
    AccessCounts counts = countViews(l, touch, box, shift);
    if (access.counts && access.counts->sectors != counts.sectors) {
      access.counts.reset();
      access.unknown = "depends on where in a sector the tile begins: at multiples of " +
                       std::to_string(step) + " bytes in the rows of `" + name.str() + "`";
      return;
    }
    access.counts = counts;
  }
}

/// Whether lanes of one instruction have different coordinates along an axis.
static bool stepMatters(Lowering &l, const Touch &touch, unsigned axis) {
  Actors actors(l, touch);
  for (const Piece &piece : touch.pieces) {
    for (int64_t warp = 0; warp < l.warps; ++warp) {
      std::optional<int64_t> seen;
      for (int64_t lane = 0; lane < 32; ++lane) {
        std::optional<Coords> coords = actors.at(lane, warp, piece);
        if (coords && seen.value_or((*coords)[axis]) != (*coords)[axis]) {
          return true;
        }
        seen = coords ? (*coords)[axis] : seen;
      }
    }
  }
  return false;
}

MDNode *convert::noteView(Lowering &l, const Touch &touch, mlir::Value view,
                          mlir::ValueRange indices, ArrayRef<bool> whole) {
  if (!l.report) {
    return nullptr;
  }
  std::string name = nameOf(l, view);
  AccessCost access = accessOf(touch, "`" + name + "`", /*isShared=*/false);
  KnownBox box = boxOf(l, view, indices, whole);
  if (!box.isOpen) {
    countBox(l, touch, box, name, access);
  }
  // What was counted is for step 1.
  if (box.isOpen || (box.stepped && stepMatters(l, touch, *box.stepped))) {
    // Both begin with `depends`.
    StringRef more = access.unknown;
    access.unknown = box.unknown + (more.consume_front("depends") ? ", and" + more.str() : "");
  }
  return number(l, std::move(access));
}

MDNode *convert::noteOpenView(Lowering &l, const Touch &touch, mlir::Value view,
                              StringRef unknown) {
  if (!l.report) {
    return nullptr;
  }
  AccessCost access = accessOf(touch, "`" + nameOf(l, view) + "`", /*isShared=*/false);
  access.unknown = unknown.str();
  return number(l, std::move(access));
}
