// Reductions along an axis, in the fixed tree order: element i is combined with element i + w/2, w the next power of two
// of the extent, and so on; an absent side passes the other on. Absent elements behind the last present one are the same
// as a smaller extent, so the common ragged tile takes the dense path.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Mutants.h"
#include "Lanes.h"
#include "Parts.h"

#include "tessera/Dialect/Tile/DTypes.h"

#include "llvm/Support/MathExtras.h"

#include <memory>
#include <numeric>

using namespace tessera;
using namespace tessera::interp;

namespace {
/// What the number system gives for one kind of reduction: operand type -> term type -> total.
struct Reduction {
  DType term = DType::f32;
  size_t size = 4; ///< bytes of a term
  CastKernel cast; ///< none where operand and term have one type
  Kernel1 prepare = nullptr;
  Kernel2 combine = nullptr;
  Kernel1 finish = nullptr;
  std::byte identity[16] = {};

  /// Null-safe: false if the system lacks a part.
  static std::optional<Reduction> get(const SystemTable &system, ReduceKind kind, DType operand,
                                      DType term) {
    Reduction r;
    r.term = term;
    r.size = system.elementSize(term);
    if (operand != term) {
      r.cast =
          system.cast(operand, term, Round::rne, isFloat(term) ? Overflow::inf : Overflow::wrap);
    }
    r.prepare = TESSERA_MUTANT(14, "absmax without abs", system.prepare(kind, term), nullptr);
    r.combine = system.combine(kind, term);
    r.finish = TESSERA_MUTANT(15, "a sum may be -0", system.finish(kind, term), nullptr);
    if (!r.combine || (operand != term && !r.cast) || r.size > sizeof(r.identity) ||
        !system.identity(kind, term, r.identity)) {
      return std::nullopt;
    }
    if (TESSERA_MUTANT(16, "identity of max is 0", false, kind == ReduceKind::max)) {
      std::memset(r.identity, 0, sizeof(r.identity));
    }
    return r;
  }
};

void fill(std::byte *out, const std::byte *element, int64_t count, size_t size) {
  for (int64_t i = 0; i < count; ++i) {
    std::memcpy(out + i * size, element, size);
  }
}

/// Combines `rows` rows of `inner` elements; `work` may be `source`. The total is in the first row of `work`.
void denseTree(const Reduction &r, const std::byte *source, std::byte *work, int64_t rows,
               int64_t inner) {
  int64_t rowBytes = inner * r.size;
  if (TESSERA_MUTANT(17, "sequential instead of tree", false, true)) {
    std::memmove(work, source, rows * rowBytes);
    for (int64_t i = 1; i < rows; ++i) {
      r.combine(work, work + i * rowBytes, work, inner);
    }
    return;
  }
  if (rows == 1) {
    std::memmove(work, source, rowBytes);
    return;
  }
  int64_t half = int64_t(llvm::PowerOf2Ceil(rows)) / 2;
  // The first level moves to `work`; the rows without a partner pass.
  r.combine(source, source + half * rowBytes, work, (rows - half) * inner);
  if (work != source) {
    std::memcpy(work + (rows - half) * rowBytes, source + (rows - half) * rowBytes,
                (2 * half - rows) * rowBytes);
  }
  for (half /= 2; half >= 1; half /= 2) {
    r.combine(work, work + half * rowBytes, work, half * inner);
  }
}

template <class T>
void mergeTyped(std::byte *into, const std::byte *both, const std::byte *other, uint8_t *mask,
                const uint8_t *otherMask, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    if (!otherMask[i]) {
      continue;
    }
    reinterpret_cast<T *>(into)[i] = reinterpret_cast<const T *>(mask[i] ? both : other)[i];
    mask[i] = 1;
  }
}

/// into = both where both sides are terms, other where only the other is.
void merge(std::byte *into, const std::byte *both, const std::byte *other, uint8_t *mask,
           const uint8_t *otherMask, int64_t count, size_t size) {
  switch (size) {
  case 1:
    return mergeTyped<uint8_t>(into, both, other, mask, otherMask, count);
  case 2:
    return mergeTyped<uint16_t>(into, both, other, mask, otherMask, count);
  case 4:
    return mergeTyped<uint32_t>(into, both, other, mask, otherMask, count);
  case 8:
    return mergeTyped<uint64_t>(into, both, other, mask, otherMask, count);
  default:
    for (int64_t i = 0; i < count; ++i) {
      if (otherMask[i]) {
        std::memcpy(into + i * size, (mask[i] ? both : other) + i * size, size);
        mask[i] = 1;
      }
    }
  }
}

/// The tree where single elements are missing. `work` and `mask` are changed; the mask of the first row says which
/// totals have a term.
void sparseTree(Machine &m, const Reduction &r, std::byte *work, uint8_t *mask, int64_t rows,
                int64_t inner) {
  int64_t rowBytes = inner * r.size;
  std::byte *both = m.scratch(1, std::max<int64_t>(rows, 1) * rowBytes);
  for (int64_t half = int64_t(llvm::PowerOf2Ceil(rows)) / 2; half >= 1; half /= 2) {
    int64_t pairs = rows - half;
    r.combine(work, work + half * rowBytes, both, pairs * inner);
    merge(work, both, work + half * rowBytes, mask, mask + half * inner, pairs * inner, r.size);
    rows = half;
  }
}

void reduceSparse(Machine &m, const Reduction &r, const Terms &terms, const Lanes &lanes,
                  const std::byte *source, std::byte *out) {
  int64_t block = lanes.extent * lanes.inner, outBytes = lanes.inner * r.size;
  std::byte *work = m.scratch(0, block * r.size);
  auto *mask = reinterpret_cast<uint8_t *>(m.scratch(2, block));
  for (int64_t o = 0; o < lanes.outer; ++o) {
    std::memcpy(work, source + o * block * r.size, block * r.size);
    std::memcpy(mask, terms.mask.as<uint8_t>() + o * block, block);
    sparseTree(m, r, work, mask, lanes.extent, lanes.inner);
    std::memcpy(out + o * outBytes, work, outBytes);
    for (int64_t i = 0; i < lanes.inner; ++i) {
      if (!mask[i]) {
        std::memcpy(out + o * outBytes + i * r.size, r.identity, r.size);
      }
    }
  }
}

/// Terms in the term type, prepared: the operand itself or a fresh buffer.
Ref prepared(Machine &m, const Reduction &r, const TileSlot &x) {
  if (!r.cast && !r.prepare) {
    return m.tiles[x.index].data;
  }
  Ref terms = m.pool.allocate(x.type->count * r.size);
  const std::byte *from = m.data(x.index);
  if (r.cast) {
    r.cast(from, terms.data(), x.type->count);
    from = terms.data();
  }
  if (r.prepare) {
    r.prepare(from, terms.data(), x.type->count);
  }
  return terms;
}

/// The terms that this CTA has.
Terms withoutOthers(Machine &m, const Terms &terms, const Lanes &lanes, const Ref &own) {
  int64_t block = lanes.extent * lanes.inner;
  Terms left{lanes.extent, m.pool.allocate(std::max<int64_t>(lanes.outer * block, 1))};
  for (int64_t element = 0; element < lanes.outer * block; ++element) {
    int64_t i = element % block / lanes.inner;
    left.mask.as<uint8_t>()[element] = terms.has(i, element) && own.as<uint8_t>()[i];
  }
  return left;
}

/// As the parts are put together, one total after the other.
void reduceParts(Machine &m, const Reduction &r, const PartsOfSum &parts, const Terms &terms,
                 const Lanes &lanes, const std::byte *source, std::byte *out) {
  std::byte *values = m.scratch(0, parts.points() * r.size);
  auto *mask = reinterpret_cast<uint8_t *>(m.scratch(2, parts.points()));
  for (int64_t total = 0; total < lanes.outer * lanes.inner; ++total) {
    int64_t first = total / lanes.inner * lanes.extent * lanes.inner + total % lanes.inner;
    for (int64_t i = 0; i < parts.points(); ++i) {
      int64_t element = first + i * lanes.inner;
      mask[i] = i < lanes.extent && terms.has(i, element);
      if (mask[i]) {
        std::memcpy(values + i * r.size, source + element * r.size, r.size);
      }
    }
    parts.combine(r.combine, values, mask, r.size);
    std::memcpy(out + total * r.size, mask[0] ? values : r.identity, r.size);
  }
}

/// Whether the instruction at work is declared to combine in an order that the tree is not.
bool combinesAnyhow(Machine &m, bool isTree) {
  if (!m.adversary || !isTree) {
    return false;
  }
  std::optional<tile::OrderClass> order = m.adversary->context().order;
  return order && *order != tile::OrderClass::tree && *order != tile::OrderClass::exact;
}

/// The terms along the axis in an order of the adversary's choice.
Ref shuffled(Machine &m, const Ref &source, const Lanes &lanes, size_t size) {
  std::vector<int64_t> order(lanes.extent);
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[m.adversary->random.below(i)]);
  }
  size_t row = lanes.inner * size;
  Ref moved = m.pool.allocate(lanes.outer * lanes.extent * row);
  for (int64_t to = 0; to < lanes.outer * lanes.extent; ++to) {
    int64_t from = to / lanes.extent * lanes.extent + order[to % lanes.extent];
    std::memcpy(moved.data() + to * row, source.data() + from * row, row);
  }
  return moved;
}

StepFn compileReduce(Compiler &c, tile::ReduceOp op) {
  TileSlot x = c.tile(op.getX()), result = c.tile(op.getResult());
  auto kind = static_cast<ReduceKind>(op.getKind());
  std::optional<Reduction> found =
      Reduction::get(c.system(), kind, x.type->dtype, result.type->dtype);
  if (!found) {
    return c.undefined(op, x.type->dtype);
  }
  Lanes lanes = Lanes::of(x.type->shape, op.getAxis());
  PartsOfSum parts(op);
  bool isTree = isFloat(result.type->dtype) && op.getOrder() == tile::ReduceOrder::tree &&
                (op.getKind() == tile::ReduceKind::sum || op.getKind() == tile::ReduceKind::prod);
  return [=, r = *found](Machine &m) {
    Terms terms = termsAlong(m.pool, m.tiles[x.index].factors, *x.type, lanes);
    if (Ref own = m.adversary ? parts.ownPoints(m) : Ref()) {
      terms = withoutOthers(m, terms, lanes, own);
    }
    Ref source = prepared(m, r, x);
    if (!terms.mask && terms.prefix == lanes.extent && combinesAnyhow(m, isTree)) {
      source = shuffled(m, source, lanes, r.size);
    }
    std::byte *out = m.make(result.index, *result.type);
    int64_t block = lanes.extent * lanes.inner * r.size, outBytes = lanes.inner * r.size;
    if (m.adversary && parts.isOther()) {
      reduceParts(m, r, parts, terms, lanes, source.data(), out);
    } else if (terms.mask) {
      reduceSparse(m, r, terms, lanes, source.data(), out);
    } else if (terms.prefix == 0) {
      fill(out, r.identity, result.type->count, r.size);
    } else {
      std::byte *work = m.scratch(0, std::max<int64_t>(block, 1));
      for (int64_t o = 0; o < lanes.outer; ++o) {
        denseTree(r, source.data() + o * block, work, terms.prefix, lanes.inner);
        std::memcpy(out + o * outBytes, work, outBytes);
      }
    }
    if (r.finish) {
      r.finish(out, out, result.type->count);
    }
    keepOtherFactors(m, x.index, result, lanes.axis, true);
  };
}

/// One lane of a reduction by a region: elements gathered, combined in the tree order.
void reduceLane(Machine &m, const ScalarRegion &combine, std::byte *work, uint8_t *mask,
                int64_t extent, size_t size) {
  for (int64_t half = int64_t(llvm::PowerOf2Ceil(extent)) / 2; half >= 1; half /= 2) {
    for (int64_t i = 0; i + half < extent; ++i) {
      std::byte *left = work + i * size, *right = work + (i + half) * size;
      if (!mask[i + half]) {
        continue;
      }
      if (!mask[i]) {
        std::memcpy(left, right, size);
        mask[i] = 1;
      } else {
        mask[i] = combine(m, left, right, left);
      }
      if (m.stopped()) {
        return;
      }
    }
    extent = half;
  }
}

StepFn compileReduceWith(Compiler &c, tile::ReduceWithOp op) {
  TileSlot x = c.tile(op.getX()), result = c.tile(op.getResult());
  unsigned identity = c.slot(op.getIdentity()).index;
  auto combine =
      std::make_shared<ScalarRegion>(c, op.getBody(), c.type(op.getIdentity().getType()));
  Lanes lanes = Lanes::of(x.type->shape, op.getAxis());
  return [=](Machine &m) {
    if (!m.need(identity, "the identity of `tile.reduce_with`")) {
      return;
    }
    size_t size = x.type->elementSize;
    Terms terms = termsAlong(m.pool, m.tiles[x.index].factors, *x.type, lanes);
    Ref source = m.tiles[x.index].data, start = m.tiles[identity].data;
    Ref work = m.pool.allocate(lanes.extent * size), mask = m.pool.allocate(lanes.extent);
    std::byte *out = m.make(result.index, *result.type);
    for (int64_t lane = 0; lane < lanes.outer * lanes.inner; ++lane) {
      int64_t first = lane / lanes.inner * lanes.extent * lanes.inner + lane % lanes.inner;
      copyRow(source.data() + first * size, lanes.inner, work.data(), 1, lanes.extent, size);
      for (int64_t i = 0; i < lanes.extent; ++i) {
        mask.as<uint8_t>()[i] = terms.has(i, first + i * lanes.inner);
      }
      reduceLane(m, *combine, work.data(), mask.as<uint8_t>(), lanes.extent, size);
      if (m.stopped()) {
        return;
      }
      bool any = lanes.extent > 0 && mask.as<uint8_t>()[0];
      std::memcpy(out + lane * size, any ? work.data() : start.data(), size);
    }
    keepOtherFactors(m, x.index, result, lanes.axis, true);
  };
}
} // namespace

void tessera::interp::addReduceCases(OpCases &cases) {
  cases.add<tile::ReduceOp>(compileReduce);
  cases.add<tile::ReduceWithOp>(compileReduceWith);
}
