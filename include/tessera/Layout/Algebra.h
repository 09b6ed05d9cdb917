// Operations that make layouts from layouts. Every result is exact, point by point; what no layout can express is refused.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LAYOUT_ALGEBRA_H
#define TESSERA_LAYOUT_ALGEBRA_H

#include "tessera/Layout/Layout.h"

namespace tessera {

/// x -> outer(inner(x)). The outputs of `inner` are matched with the inputs of `outer` by name; an inner layout with one
/// output also fits any outer layout, whose inputs are then flattened (first fastest). The result has the inputs of
/// `inner` and the outputs of `outer`. Errors: T0963 (names), T0965 (inner reaches beyond outer), T0966 (uneven steps),
/// T0967 (XORed bits meet an odd extent), T0962.
llvm::Expected<Layout> compose(const Layout &outer, const Layout &inner);

/// compose(swizzle(bits, base, shift), layout) with a swizzle as large as the layout needs. One output.
llvm::Expected<Layout> swizzled(const Layout &layout, int64_t bits, int64_t base, int64_t shift);

/// The layout of the gaps: input `rest` -> outputs of `layout`, so that (layout, rest) reaches every value below the sizes
/// of the outputs exactly once. Its values ascend for layouts with one output. Errors: T0968 (not injective), T0970
/// (strides or sizes do not divide), T0971.
llvm::Expected<Layout> complement(const Layout &layout, llvm::StringRef rest = "rest");
/// The same with the sizes of the outputs replaced.
llvm::Expected<Layout> complement(const Layout &layout, llvm::ArrayRef<int64_t> sizes,
                                  llvm::StringRef rest = "rest");

/// The inputs of both, side by side. Values are XORed below the larger atom of the two and added above. Outputs are matched
/// by name, sizes are the larger ones. Errors: T0963 (an input in both, other outputs), T0962.
llvm::Expected<Layout> concat(const Layout &a, const Layout &b);

/// Logical division: `layout` seen as tiles. `tiler` has one output, a position among the points of `layout`. The result
/// has inputs `tile` (points of the tiler, flattened) and `rest` (which tile): compose(layout, (tiler, complement)).
llvm::Expected<Layout> logicalDivide(const Layout &layout, const Layout &tiler);

/// Logical product: `layout` repeated. Inputs `tile` (points of `layout`) and `rest` (points of `tiler`): the tile number
/// tiler(r) of the copies of `layout` that fill its gaps, ascending. One output each.
llvm::Expected<Layout> logicalProduct(const Layout &layout, const Layout &tiler);

/// Outputs -> inputs with layout(result(y)) = y for every y below the sizes. Errors: T0969 (not surjective), T0971, T0962.
llvm::Expected<Layout> rightInverse(const Layout &layout);
/// Outputs -> inputs with result(layout(x)) = x for every x; gaps map anywhere. Errors as of `complement`, T0971.
llvm::Expected<Layout> leftInverse(const Layout &layout);
/// Both at once; the layout is bijective onto its sizes.
llvm::Expected<Layout> inverse(const Layout &layout);

/// Tensor product: a tile of `b` whose elements are tiles of `a`. Inputs and outputs of the same name are nested (a's
/// digits fastest, b's values scaled by a's sizes), others stand side by side. Error: T0961, T0962.
llvm::Expected<Layout> tensorProduct(const Layout &a, const Layout &b);

/// All outputs as one position, the first output fastest.
llvm::Expected<Layout> flattenOuts(const Layout &layout, llvm::StringRef name);
/// A position as coordinates, the first output fastest. `layout` has one output. Error: T0965 for too small a box.
llvm::Expected<Layout> unflattenOut(const Layout &layout, llvm::ArrayRef<OutDim> outs);

/// `layout` with some inputs fixed: value = combine(rest(x)).
struct Slice {
  Layout rest;
  /// The values of the fixed inputs.
  Coords base;
  /// Bits of each output that are XORed with the base; the part above is added.
  llvm::SmallVector<unsigned, 2> atomBits;

  Coords combine(llvm::ArrayRef<int64_t> values) const;
};

/// Fixes input `name` at `coord`. Error: T0963 for an unknown name or a coordinate out of range.
llvm::Expected<Slice> slice(const Layout &layout, llvm::StringRef name, int64_t coord);

/// Only the named inputs, the others at 0; names that the layout lacks are an error (T0963).
llvm::Expected<Layout> restrictIns(const Layout &layout, llvm::ArrayRef<llvm::StringRef> names);
/// Only the named outputs.
llvm::Expected<Layout> restrictOuts(const Layout &layout, llvm::ArrayRef<llvm::StringRef> names);

} // namespace tessera

#endif // TESSERA_LAYOUT_ALGEBRA_H
