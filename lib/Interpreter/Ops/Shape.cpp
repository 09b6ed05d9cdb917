// Constants and index maps: ops that move elements, and their absence with them, without arithmetic. Maps that keep the
// row-major order share the operand's memory.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Compiler.h"
#include "../Mutants.h"

#include "tessera/Dialect/Tile/DTypes.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::interp;

namespace {
StepFn compileConstant(Compiler &c, tile::ConstantOp op) {
  TileSlot result = c.tile(op.getResult());
  DType dtype = result.type->dtype;
  alignas(8) std::byte native[8] = {};
  Kernel1 load = c.system().load(dtype);
  if (!elementOf(op.getValue(), native)) {
    return c.unknown(op, ": its value is neither a float nor an integer");
  }
  if (!load) {
    return c.undefined(op, dtype);
  }
  Ref data = c.machine.pool.allocate(result.type->bytes() + result.type->elementSize);
  load(native, data.data(), 1);
  if (auto exact = op->getAttrOfType<mlir::FloatAttr>("tile.exact");
      exact && c.system().holdsFloatsAlike()) {
    // The literal before it was rounded to the constant's type: nothing is rounded in this system.
    const double value = exact.getValueAsDouble();
    c.system().load(DType::f64)(&value, data.data(), 1);
  }
  size_t size = result.type->elementSize;
  for (int64_t i = 1; i < result.type->count; ++i) {
    std::memcpy(data.data() + i * size, data.data(), size);
  }
  return [result, data](Machine &m) {
    m.tiles[result.index].factors.clear();
    m.tiles[result.index].data = data;
  };
}

StepFn compileIota(Compiler &c, tile::IotaOp op) {
  TileSlot result = c.tile(op.getResult());
  Ref data = c.machine.pool.allocate(result.type->bytes());
  for (int64_t i = 0; i < result.type->count; ++i) {
    data.as<int64_t>()[i] = i;
  }
  return [result, data](Machine &m) {
    m.tiles[result.index].factors.clear();
    m.tiles[result.index].data = data;
  };
}

StepFn compileSplat(Compiler &c, tile::SplatOp op) {
  TileSlot result = c.tile(op.getResult());
  unsigned x = c.slot(op.getX()).index;
  StridedCopy copy(result.type->shape, Shape(result.type->rank(), 0), 0, result.type->elementSize);
  return [=](Machine &m) {
    copy(m.data(x), m.make(result.index, *result.type));
    if (!m.tiles[x].factors.empty()) {
      Ref mask = m.pool.allocateZeroed(result.type->count);
      addFactor(m.pool, m.tiles[result.index].factors, result.type->shape, result.type->allAxes(),
                std::move(mask));
    }
  };
}

StepFn compileBroadcast(Compiler &c, tile::BroadcastOp op) {
  TileSlot x = c.tile(op.getX()), result = c.tile(op.getResult());
  const Shape &from = x.type->shape, &to = result.type->shape;
  Shape strides = denseStrides(from);
  AxisSet repeated = 0;
  for (unsigned axis = 0; axis < to.size(); ++axis) {
    if (from[axis] != to[axis]) {
      repeated |= axisBit(axis);
      strides[axis] = 0;
    }
  }
  StridedCopy copy(to, strides, 0, x.type->elementSize);
  return [=](Machine &m) {
    copy(m.data(x.index), m.make(result.index, *result.type));
    for (const Factor &factor : m.tiles[x.index].factors) {
      // A repeated axis has extent 1: the mask is the same without it.
      addFactor(m.pool, m.tiles[result.index].factors, result.type->shape, factor.axes & ~repeated,
                factor.mask);
    }
  };
}

/// The operand's memory under another shape, its factors renumbered by `newAxisOf`; -1 for an axis that leaves.
StepFn reshaped(TileSlot x, TileSlot result, Shape newAxisOf) {
  return [=](Machine &m) {
    TileValue &out = m.tiles[result.index];
    const TileValue &in = m.tiles[x.index];
    out.data = in.data;
    out.factors.clear();
    for (const Factor &factor : in.factors) {
      AxisSet axes = 0;
      for (unsigned axis = 0; axis < newAxisOf.size(); ++axis) {
        if (contains(factor.axes, axis) && newAxisOf[axis] >= 0) {
          axes |= axisBit(newAxisOf[axis]);
        }
      }
      addFactor(m.pool, out.factors, result.type->shape, axes, factor.mask);
    }
  };
}

/// Where an element lies is no part of its value.
StepFn compileConvert(Compiler &c, tile::ConvertOp op) {
  TileSlot x = c.tile(op.getX()), result = c.tile(op.getResult());
  Shape newAxisOf;
  for (unsigned axis = 0; axis < result.type->rank(); ++axis) {
    newAxisOf.push_back(axis);
  }
  return reshaped(x, result, newAxisOf);
}

StepFn compileExpand(Compiler &c, tile::ExpandOp op) {
  TileSlot x = c.tile(op.getX()), result = c.tile(op.getResult());
  Shape newAxisOf;
  for (unsigned axis = 0; axis < result.type->rank(); ++axis) {
    if (!llvm::is_contained(op.getAxes(), int64_t(axis))) {
      newAxisOf.push_back(axis);
    }
  }
  return reshaped(x, result, newAxisOf);
}

StepFn compileSqueeze(Compiler &c, tile::SqueezeOp op) {
  TileSlot x = c.tile(op.getX()), result = c.tile(op.getResult());
  Shape newAxisOf;
  int64_t next = 0;
  for (unsigned axis = 0; axis < x.type->rank(); ++axis) {
    newAxisOf.push_back(llvm::is_contained(op.getAxes(), int64_t(axis)) ? -1 : next++);
  }
  return reshaped(x, result, newAxisOf);
}

StepFn compileReshape(Compiler &c, tile::ReshapeOp op) {
  TileSlot x = c.tile(op.getX()), result = c.tile(op.getResult());
  Shape kept(x.type->rank(), -1);
  AxisSet whole = 0;
  for (auto [from, to] : tile::keptAxes(x.type->shape, result.type->shape)) {
    kept[from] = to;
    whole |= axisBit(from);
  }
  return [=](Machine &m) {
    TileValue &out = m.tiles[result.index];
    const TileValue &in = m.tiles[x.index];
    out.data = in.data;
    out.factors.clear();
    Factors merged;
    for (const Factor &factor : in.factors) {
      if ((factor.axes & ~whole) == 0) {
        addFactor(m.pool, out.factors, result.type->shape, renumber(factor.axes, kept),
                  factor.mask);
      } else {
        merged.push_back(factor);
      }
    }
    if (Ref mask = presence(m.pool, merged, x.type->shape)) {
      addFactor(m.pool, out.factors, result.type->shape, result.type->allAxes(), std::move(mask));
    }
  };
}

StepFn compilePermute(Compiler &c, tile::PermuteOp op) {
  TileSlot x = c.tile(op.getX()), result = c.tile(op.getResult());
  Shape dense = denseStrides(x.type->shape), strides, newAxisOf(x.type->rank(), 0);
  for (auto [axis, source] : llvm::enumerate(op.getPermutation())) {
    strides.push_back(dense[source]);
    newAxisOf[source] = axis;
  }
  StridedCopy copy(result.type->shape, strides, 0, x.type->elementSize);
  return [=](Machine &m) {
    copy(m.data(x.index), m.make(result.index, *result.type));
    for (const Factor &factor : m.tiles[x.index].factors) {
      addFactor(m.pool, m.tiles[result.index].factors, result.type->shape,
                TESSERA_MUTANT(8, "permute forgets to renumber", renumber(factor.axes, newAxisOf),
                               factor.axes),
                permuteMask(m.pool, factor, x.type->shape, newAxisOf));
    }
  };
}

/// Result element (i, j, …) is the operand's at offsets + signs * index, axis by axis; factors likewise.
StepFn movedAlong(TileSlot x, TileSlot result, Shape offsets, Shape signs) {
  Shape strides = denseStrides(x.type->shape);
  int64_t origin = 0;
  for (unsigned axis = 0; axis < strides.size(); ++axis) {
    origin += offsets[axis] * strides[axis];
    strides[axis] *= signs[axis];
  }
  StridedCopy copy(result.type->shape, strides, origin, x.type->elementSize);
  return [=](Machine &m) {
    copy(m.data(x.index), m.make(result.index, *result.type));
    for (const Factor &factor : m.tiles[x.index].factors) {
      Shape extents, steps, from = maskStrides(x.type->shape, factor.axes);
      int64_t first = 0;
      for (unsigned axis = 0; axis < from.size(); ++axis) {
        if (contains(factor.axes, axis)) {
          extents.push_back(result.type->shape[axis]);
          steps.push_back(from[axis] * signs[axis]);
          first += offsets[axis] * from[axis];
        }
      }
      Ref mask = m.pool.allocate(pointsOf(result.type->shape, factor.axes));
      StridedCopy(extents, steps, first, 1)(factor.mask.data(), mask.data());
      addFactor(m.pool, m.tiles[result.index].factors, result.type->shape, factor.axes,
                TESSERA_MUTANT(9, "absence does not move with the elements", std::move(mask),
                               Ref(factor.mask)));
    }
  };
}

StepFn compileFlip(Compiler &c, tile::FlipOp op) {
  TileSlot x = c.tile(op.getX()), result = c.tile(op.getResult());
  Shape offsets(x.type->rank(), 0), signs(x.type->rank(), 1);
  offsets[op.getAxis()] = x.type->shape[op.getAxis()] - 1;
  signs[op.getAxis()] = -1;
  return movedAlong(x, result, offsets, signs);
}

StepFn compileSlice(Compiler &c, tile::SliceOp op) {
  TileSlot x = c.tile(op.getX()), result = c.tile(op.getResult());
  Shape offsets(op.getOffsets().begin(), op.getOffsets().end());
  return movedAlong(x, result, offsets, Shape(x.type->rank(), 1));
}

StepFn compileCat(Compiler &c, tile::CatOp op) {
  TileSlot result = c.tile(op.getResult());
  llvm::SmallVector<TileSlot, 4> parts;
  for (mlir::Value part : op.getParts()) {
    parts.push_back(c.tile(part));
  }
  unsigned axis = op.getAxis();
  int64_t inner = 1, outer = 1;
  for (unsigned i = 0; i < result.type->rank(); ++i) {
    (i < axis ? outer : inner) *= i == axis ? 1 : result.type->shape[i];
  }
  int64_t row = inner * result.type->shape[axis];
  return [=](Machine &m) {
    std::byte *out = m.make(result.index, *result.type);
    bool partial = llvm::any_of(
        parts, [&](const TileSlot &part) { return !m.tiles[part.index].factors.empty(); });
    Ref mask = partial ? m.pool.allocate(result.type->count) : Ref();
    if (partial) {
      std::memset(mask.data(), 1, result.type->count);
    }
    int64_t size = result.type->elementSize, at = 0;
    for (const TileSlot &part : parts) {
      int64_t piece = inner * part.type->shape[axis];
      Ref present = presence(m.pool, m.tiles[part.index].factors, part.type->shape);
      for (int64_t o = 0; o < outer; ++o) {
        std::memcpy(out + (o * row + at) * size, m.data(part.index) + o * piece * size,
                    piece * size);
        if (present) {
          std::memcpy(mask.data() + o * row + at, present.data() + o * piece, piece);
        }
      }
      at += piece;
    }
    if (partial) {
      addFactor(m.pool, m.tiles[result.index].factors, result.type->shape, result.type->allAxes(),
                std::move(mask));
    }
  };
}
} // namespace

void tessera::interp::addShapeCases(OpCases &cases) {
  cases.add<tile::ConstantOp>(compileConstant);
  cases.add<tile::IotaOp>(compileIota);
  cases.add<tile::SplatOp>(compileSplat);
  cases.add<tile::BroadcastOp>(compileBroadcast);
  cases.add<tile::ExpandOp>(compileExpand);
  cases.add<tile::ConvertOp>(compileConvert);
  cases.add<tile::SqueezeOp>(compileSqueeze);
  cases.add<tile::ReshapeOp>(compileReshape);
  cases.add<tile::PermuteOp>(compilePermute);
  cases.add<tile::FlipOp>(compileFlip);
  cases.add<tile::SliceOp>(compileSlice);
  cases.add<tile::CatOp>(compileCat);
}
