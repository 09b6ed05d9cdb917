//===- TileEnums.cpp - words that tile ops are qualified with -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tile/TileEnums.h"

#include "tessera/Numeric/Modes.h"

#include "tessera/Dialect/Tile/TileEnums.cpp.inc"

namespace tessera::tile {

// The modes that exist twice, once for rooms without MLIR, are cast into each other by value.
template <class Ours, class Numeric> constexpr bool same(Ours ours, Numeric numeric) {
  return static_cast<unsigned>(ours) == static_cast<unsigned>(numeric);
}
static_assert(same(Round::rne, tessera::Round::rne) && same(Round::rz, tessera::Round::rz) &&
              same(Round::ru, tessera::Round::ru) && same(Round::rd, tessera::Round::rd) &&
              same(Round::away, tessera::Round::away));
static_assert(same(Overflow::inf, tessera::Overflow::inf) &&
              same(Overflow::sat, tessera::Overflow::sat) &&
              same(Overflow::nan, tessera::Overflow::nan) &&
              same(Overflow::wrap, tessera::Overflow::wrap));
static_assert(same(Accuracy::strict, tessera::Accuracy::strict) &&
              same(Accuracy::fast, tessera::Accuracy::fast));
static_assert(same(CmpPredicate::eq, tessera::CmpPredicate::eq) &&
              same(CmpPredicate::ne, tessera::CmpPredicate::ne) &&
              same(CmpPredicate::lt, tessera::CmpPredicate::lt) &&
              same(CmpPredicate::le, tessera::CmpPredicate::le) &&
              same(CmpPredicate::gt, tessera::CmpPredicate::gt) &&
              same(CmpPredicate::ge, tessera::CmpPredicate::ge));
static_assert(same(ReduceKind::sum, tessera::ReduceKind::sum) &&
              same(ReduceKind::prod, tessera::ReduceKind::prod) &&
              same(ReduceKind::max, tessera::ReduceKind::max) &&
              same(ReduceKind::min, tessera::ReduceKind::min) &&
              same(ReduceKind::max_num, tessera::ReduceKind::max_num) &&
              same(ReduceKind::min_num, tessera::ReduceKind::min_num) &&
              same(ReduceKind::absmax, tessera::ReduceKind::absmax) &&
              same(ReduceKind::any, tessera::ReduceKind::any) &&
              same(ReduceKind::all, tessera::ReduceKind::all) &&
              same(ReduceKind::and_, tessera::ReduceKind::and_) &&
              same(ReduceKind::or_, tessera::ReduceKind::or_) &&
              same(ReduceKind::xor_, tessera::ReduceKind::xor_) &&
              same(ReduceKind::count, tessera::ReduceKind::count));
static_assert(same(ReduceOrder::tree, tessera::ReduceOrder::tree) &&
              same(ReduceOrder::any, tessera::ReduceOrder::any));
static_assert(same(MmaPrecision::ieee, tessera::MmaPrecision::ieee) &&
              same(MmaPrecision::tf32, tessera::MmaPrecision::tf32) &&
              same(MmaPrecision::tf32x3, tessera::MmaPrecision::tf32x3) &&
              same(MmaPrecision::bf16x3, tessera::MmaPrecision::bf16x3) &&
              same(MmaPrecision::bf16x6, tessera::MmaPrecision::bf16x6));

} // namespace tessera::tile
