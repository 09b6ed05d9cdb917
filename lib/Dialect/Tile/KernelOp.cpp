//===- KernelOp.cpp - rules of kernels, requirements and yields -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Dialect/Tile/TileOps.h"
#include "tessera/Dialect/Tile/TypeText.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace tessera::tile {

AffineMap KernelOp::getShapeMap(unsigned i) {
  unsigned extents = getExtents();
  if (i < extents || i - extents >= getShapes().size()) {
    return {};
  }
  auto map = dyn_cast<AffineMapAttr>(getShapes()[i - extents]);
  return map ? map.getValue() : AffineMap();
}

int64_t KernelOp::findArgument(StringRef name) {
  for (unsigned i = 0; i < getNumArguments(); ++i) {
    if (getArgName(i) == name) {
      return i;
    }
  }
  return -1;
}

static LogicalResult verifyArguments(KernelOp kernel) {
  int64_t extents = kernel.getExtents();
  unsigned count = kernel.getNumArguments();
  // C1
  if (extents < 0 || extents > count) {
    return kernel.emitOpError() << "expected 0 to " << count << " extents among " << count
                                << " arguments, found " << extents;
  }
  // C2
  if (kernel.getArgNames().size() != count) {
    return kernel.emitOpError() << "expected a name for each of " << count << " arguments, found "
                                << kernel.getArgNames().size();
  }
  llvm::StringSet<> names;
  for (unsigned i = 0; i < count; ++i) {
    Type type = kernel.getArgType(i);
    if (i < extents && !type.isSignlessInteger(64)) {
      return kernel.emitOpError() << "expected extent `" << kernel.getArgName(i)
                                  << "` of type `i64`, found `" << text(type) << "`";
    }
    if (!isa<ViewType>(type) && !isElementType(type)) {
      return kernel.emitOpError() << "expected argument `" << kernel.getArgName(i)
                                  << "` to be a view or a scalar, found `" << text(type) << "`";
    }
    if (!names.insert(kernel.getArgName(i)).second) {
      return kernel.emitOpError() << "expected unique argument names, found `"
                                  << kernel.getArgName(i) << "` twice: rename one";
    }
  }
  return success();
}

/// C4 for the view argument `i` with shape map `map`.
static LogicalResult verifyShapeMap(KernelOp kernel, unsigned i, AffineMap map) {
  auto view = cast<ViewType>(kernel.getArgType(i));
  if (map.getNumDims() != 0 || map.getNumSymbols() != kernel.getExtents() ||
      map.getNumResults() != view.getRank()) {
    return kernel.emitOpError() << "expected a shape of no dims, " << kernel.getExtents()
                                << " symbols and " << view.getRank() << " results for view `"
                                << kernel.getArgName(i) << "`, found `" << AffineMapAttr::get(map)
                                << "`";
  }
  for (auto [axis, extent] : llvm::enumerate(view.getShape())) {
    auto constant = dyn_cast<AffineConstantExpr>(map.getResult(axis));
    if (ShapedType::isDynamic(extent)) {
      if (constant) {
        return kernel.emitOpError()
               << "expected no constant at axis " << axis << " of the shape of view `"
               << kernel.getArgName(i) << "`, where its type has `?`, found " << constant.getValue()
               << ": write that extent in the type";
      }
      continue;
    }
    if (!constant || constant.getValue() != extent) {
      return kernel.emitOpError() << "expected the constant " << extent << " at axis " << axis
                                  << " of the shape of view `" << kernel.getArgName(i)
                                  << "`, as in its type, found `" << AffineMapAttr::get(map) << "`";
    }
  }
  return success();
}

LogicalResult KernelOp::verify() {
  if (failed(verifyArguments(*this))) {
    return failure();
  }
  // C4
  unsigned extents = getExtents();
  if (getShapes().size() != getNumArguments() - extents) {
    return emitOpError() << "expected a shape for each of the " << getNumArguments() - extents
                         << " arguments after the extents, found " << getShapes().size();
  }
  for (unsigned i = extents; i < getNumArguments(); ++i) {
    Attribute shape = getShapes()[i - extents];
    if (isa<ViewType>(getArgType(i))) {
      auto map = dyn_cast<AffineMapAttr>(shape);
      if (!map) {
        return emitOpError() << "expected an affine map from the extents as the shape of view `"
                             << getArgName(i)
                             << "`, found none: write `shape ()[s0] -> (s0)` after its type";
      }
      if (failed(verifyShapeMap(*this, i, map.getValue()))) {
        return failure();
      }
    } else if (!isa<UnitAttr>(shape)) {
      return emitOpError() << "expected no shape for scalar `" << getArgName(i) << "`, found `"
                           << shape << "`";
    }
  }
  return success();
}

/// C3: the arguments of one region, after which `extra` follow.
static LogicalResult verifyRegionArguments(KernelOp kernel, StringRef name, Region &region,
                                           TypeRange extra) {
  if (region.empty()) {
    return success();
  }
  SmallVector<Type> wanted;
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
    wanted.push_back(kernel.getArgType(i));
  }
  llvm::append_range(wanted, extra);
  if (TypeRange(region.getArgumentTypes()) == TypeRange(wanted)) {
    return success();
  }
  return kernel.emitOpError() << "expected region `" << name << "` to have arguments ("
                              << text(TypeRange(wanted)) << "), found ("
                              << text(TypeRange(region.getArgumentTypes())) << ")";
}

/// The yield that ends `reference` or `tolerance`; null, with an error, if there is none.
static YieldOp yieldOf(KernelOp kernel, StringRef name, Region &region) {
  Block &block = region.front();
  auto yield = block.empty() ? YieldOp() : dyn_cast<YieldOp>(block.back());
  if (!yield) {
    kernel.emitOpError() << "expected region `" << name
                         << "` to end with the `tile.yield` of its arrays";
  }
  return yield;
}

/// C5 for one of the two lists of names.
static LogicalResult verifyNames(KernelOp kernel, StringRef name, Region &region, ArrayAttr names,
                                 TypeRange &yielded) {
  if (region.empty()) {
    if (names.empty()) {
      return success();
    }
    return kernel.emitOpError() << "expected no names of `" << name
                                << "` without that region, found " << names;
  }
  YieldOp yield = yieldOf(kernel, name, region);
  if (!yield) {
    return failure();
  }
  yielded = yield.getValues().getTypes();
  for (Type type : yielded) {
    if (!isa<RankedTensorType>(type)) {
      return kernel.emitOpError() << "expected region `" << name << "` to yield arrays, found `"
                                  << text(type) << "`";
    }
  }
  if (names.size() != yielded.size()) {
    return kernel.emitOpError() << "expected as many names as region `" << name
                                << "` yields arrays (" << yielded.size() << "), found "
                                << names.size();
  }
  return success();
}

static LogicalResult verifyBoundedNames(KernelOp kernel) {
  for (auto name : kernel.getToleranceNames().getAsRange<StringAttr>()) {
    int64_t i = kernel.findArgument(name.getValue());
    auto view = i < 0 ? ViewType() : dyn_cast<ViewType>(kernel.getArgType(i));
    if (!view || !view.isWritable()) {
      return kernel.emitOpError() << "expected the bounded name " << name
                                  << " to be an `out` or `inout` argument of the kernel";
    }
    if (!llvm::is_contained(kernel.getReferenceNames(), Attribute(name))) {
      return kernel.emitOpError() << "expected the bounded name " << name
                                  << " among the arrays of `reference`, found only "
                                  << kernel.getReferenceNames();
    }
  }
  return success();
}

/// C6
static LogicalResult verifyBounds(KernelOp kernel) {
  if (kernel.getToleranceExact() && !kernel.getTolerance().empty()) {
    return kernel.emitOpError() << "expected `tolerance exact` or bounds, found both: remove one";
  }
  if (kernel.getReference().empty() || kernel.getToleranceExact()) {
    return success();
  }
  for (unsigned i = kernel.getExtents(); i < kernel.getNumArguments(); ++i) {
    auto view = dyn_cast<ViewType>(kernel.getArgType(i));
    StringRef name = kernel.getArgName(i);
    auto isNamed = [&](ArrayAttr names) {
      return llvm::any_of(names.getAsRange<StringAttr>(),
                          [&](StringAttr n) { return n.getValue() == name; });
    };
    if (view && view.isWritable() && isa<FloatType>(view.getElementType()) &&
        isNamed(kernel.getReferenceNames()) && !isNamed(kernel.getToleranceNames())) {
      return kernel.emitOpError()
             << "expected a bound for the float output `" << name
             << "`, found none: add one to `tolerance`, or say `tolerance exact`";
    }
  }
  return success();
}

LogicalResult KernelOp::verifyRegions() {
  TypeRange arrays, bounds;
  // C5
  if (failed(verifyNames(*this, "reference", getReference(), getReferenceNames(), arrays)) ||
      failed(verifyNames(*this, "tolerance", getTolerance(), getToleranceNames(), bounds)) ||
      failed(verifyBoundedNames(*this))) {
    return failure();
  }
  // C3
  if (failed(verifyRegionArguments(*this, "where", getWhere(), {})) ||
      failed(verifyRegionArguments(*this, "body", getBody(), {})) ||
      failed(verifyRegionArguments(*this, "reference", getReference(), {})) ||
      failed(verifyRegionArguments(*this, "tolerance", getTolerance(), arrays))) {
    return failure();
  }
  return verifyBounds(*this);
}

LogicalResult RequireOp::verify() {
  auto kernel = dyn_cast_or_null<KernelOp>((*this)->getParentOp());
  // C1
  if (!kernel || (*this)->getParentRegion() != &kernel.getWhere()) {
    return emitOpError()
           << "expected to stand directly in the `where` region of a `tile.kernel`: use "
              "`tile.assert` elsewhere";
  }
  return success();
}

LogicalResult YieldOp::verify() {
  Operation *parent = (*this)->getParentOp();
  // C1
  if (!parent || parent->getName().getDialectNamespace() != TileDialect::getDialectNamespace()) {
    return emitOpError() << "expected to end a region of an op of the tile dialect, found `"
                         << (parent ? parent->getName().getStringRef() : StringRef("no op"))
                         << "` around it";
  }
  return success();
}

} // namespace tessera::tile
