// Pictures of layouts: one self-contained SVG, a cell for each element of the tile.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LAYOUT_DRAWING_H
#define TESSERA_LAYOUT_DRAWING_H

#include "tessera/Layout/Layout.h"

namespace tessera {

/// A distributed layout (an input `register`, `lane`, `warp` or `block`; one or two outputs): each cell names the first
/// thread and register that hold it, `+n` where n more do, coloured by lane. A memory layout (one or two inputs, one output):
/// each cell has its offset and bank, coloured by bank; `elementBytes` is 1 to 16. The first axis goes down. Errors: T0982,
/// T0983.
llvm::Expected<std::string> drawLayout(const Layout &layout, llvm::StringRef title,
                                       int64_t elementBytes = 4);

/// What a picture of a fragment says around its cells.
struct FragmentCaption {
  std::string title, rowAxis, colAxis;
  int64_t elementBytes = 4; ///< values share registers of 4 bytes
};

/// A fragment map, (lane, register) to position of a tile of one or two axes, the first axis fastest: each cell names lane
/// and value, `T5 v3`; the eight groups of four lanes have a hue each. Errors: T0982, T0983.
llvm::Expected<std::string> drawFragment(const Layout &map, llvm::ArrayRef<int64_t> shape,
                                         const FragmentCaption &caption);

/// The rows of a tile in memory whose addresses lanes give: `origins[lane]` is (row, first column), `width` elements of a
/// row lie behind an address. Lanes that repeat an address are named beside the first. Errors: T0982, T0983.
llvm::Expected<std::string> drawAddresses(llvm::ArrayRef<Coords> origins, int64_t width,
                                          llvm::ArrayRef<int64_t> shape,
                                          const FragmentCaption &caption);

} // namespace tessera

#endif // TESSERA_LAYOUT_DRAWING_H
