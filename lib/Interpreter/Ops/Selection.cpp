// The greatest and least elements along an axis, with their indices. NaN ranks above every number (for `argmin` too it is
// chosen first), -0 and +0 are equal, ties go to the smaller index, and where there is no term the index is -1.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Mutants.h"
#include "Lanes.h"

#include "tessera/Dialect/Tile/DTypes.h"

#include <algorithm>

using namespace tessera;
using namespace tessera::interp;

namespace {
/// better[i] = whether a[i] is chosen before b[i].
struct Ranking {
  Kernel2 above = nullptr;              ///< argmax, topk
  Kernel2 less = nullptr, ne = nullptr; ///< argmin
  std::byte identity[16] = {};
  size_t size = 4;

  static std::optional<Ranking> get(const SystemTable &system, DType dtype, bool least) {
    Ranking r;
    r.size = system.elementSize(dtype);
    if (least) {
      r.less = system.compare(CmpPredicate::lt, dtype);
      r.ne = system.compare(CmpPredicate::ne, dtype);
    } else {
      r.above = TESSERA_MUTANT(20, "a NaN does not rank above numbers", system.ranksAbove(dtype),
                               system.compare(CmpPredicate::gt, dtype));
    }
    bool whole = least ? r.less && r.ne : r.above != nullptr;
    if (!whole || r.size > sizeof(r.identity) ||
        !system.identity(least ? ReduceKind::min : ReduceKind::max, dtype, r.identity)) {
      return std::nullopt;
    }
    return r;
  }

  bool better(const std::byte *a, const std::byte *b) const {
    uint8_t yes = 0;
    if (above) {
      above(a, b, &yes, 1);
      return yes;
    }
    uint8_t aIsNan = 0, bIsNan = 0;
    less(a, b, &yes, 1);
    ne(a, a, &aIsNan, 1);
    ne(b, b, &bIsNan, 1);
    return yes || (aIsNan && !bIsNan);
  }
};

template <class Op> StepFn compileArg(Compiler &c, Op op, bool least) {
  TileSlot x = c.tile(op.getX()), value = c.tile(op.getValue()), index = c.tile(op.getIndex());
  std::optional<Ranking> found = Ranking::get(c.system(), x.type->dtype, least);
  if (!found) {
    return c.undefined(op, x.type->dtype);
  }
  Lanes lanes = Lanes::of(x.type->shape, op.getAxis());
  return [=, rank = *found](Machine &m) {
    Terms terms = termsAlong(m.pool, m.tiles[x.index].factors, *x.type, lanes);
    Ref source = m.tiles[x.index].data;
    std::byte *values = m.make(value.index, *value.type);
    auto *indices = reinterpret_cast<int64_t *>(m.make(index.index, *index.type));
    size_t size = rank.size;
    for (int64_t lane = 0; lane < lanes.outer * lanes.inner; ++lane) {
      int64_t first = lane / lanes.inner * lanes.extent * lanes.inner + lane % lanes.inner;
      const std::byte *best = nullptr;
      indices[lane] = -1;
      for (int64_t i = 0; i < lanes.extent; ++i) {
        int64_t element = first + i * lanes.inner;
        if (!terms.has(i, element)) {
          continue;
        }
        const std::byte *candidate = source.data() + element * size;
        if (!best || TESSERA_MUTANT(21, "ties go to the larger index", rank.better(candidate, best),
                                    !rank.better(best, candidate))) {
          best = candidate;
          indices[lane] = i;
        }
      }
      std::memcpy(values + lane * size, best ? best : rank.identity, size);
    }
    keepOtherFactors(m, x.index, value, lanes.axis, true);
    m.tiles[index.index].factors = m.tiles[value.index].factors;
  };
}

StepFn compileArgMax(Compiler &c, tile::ArgMaxOp op) { return compileArg(c, op, false); }
StepFn compileArgMin(Compiler &c, tile::ArgMinOp op) { return compileArg(c, op, true); }

StepFn compileTopK(Compiler &c, tile::TopKOp op) {
  TileSlot x = c.tile(op.getX()), values = c.tile(op.getValues()),
           indices = c.tile(op.getIndices());
  std::optional<Ranking> found = Ranking::get(c.system(), x.type->dtype, false);
  if (!found) {
    return c.undefined(op, x.type->dtype);
  }
  Lanes lanes = Lanes::of(x.type->shape, op.getAxis());
  int64_t k = op.getK();
  return [=, rank = *found](Machine &m) {
    Terms terms = termsAlong(m.pool, m.tiles[x.index].factors, *x.type, lanes);
    Ref source = m.tiles[x.index].data;
    std::byte *out = m.make(values.index, *values.type);
    auto *chosen = reinterpret_cast<int64_t *>(m.make(indices.index, *indices.type));
    size_t size = rank.size;
    llvm::SmallVector<int64_t> order;
    for (int64_t lane = 0; lane < lanes.outer * lanes.inner; ++lane) {
      int64_t block = lane / lanes.inner, column = lane % lanes.inner;
      int64_t first = block * lanes.extent * lanes.inner + column;
      order.clear();
      for (int64_t i = 0; i < lanes.extent; ++i) {
        if (terms.has(i, first + i * lanes.inner)) {
          order.push_back(i);
        }
      }
      auto at = [&](int64_t i) { return source.data() + (first + i * lanes.inner) * size; };
      size_t taken = std::min<size_t>(order.size(), k);
      std::partial_sort(order.begin(), order.begin() + taken, order.end(),
                        [&](int64_t a, int64_t b) {
                          if (rank.better(at(a), at(b))) {
                            return true;
                          }
                          return !rank.better(at(b), at(a)) &&
                                 TESSERA_MUTANT(22, "topk ties to the larger index", a<b, a> b);
                        });
      for (int64_t j = 0; j < k; ++j) {
        int64_t target = (block * k + j) * lanes.inner + column;
        bool some = size_t(j) < taken;
        std::memcpy(out + target * size, some ? at(order[j]) : rank.identity, size);
        chosen[target] = some ? order[j] : -1;
      }
    }
    keepOtherFactors(m, x.index, values, lanes.axis, false);
    m.tiles[indices.index].factors = m.tiles[values.index].factors;
  };
}
} // namespace

void tessera::interp::addSelectionCases(OpCases &cases) {
  cases.add<tile::ArgMaxOp>(compileArgMax);
  cases.add<tile::ArgMinOp>(compileArgMin);
  cases.add<tile::TopKOp>(compileTopK);
}
