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

} // namespace tessera

#endif // TESSERA_LAYOUT_DRAWING_H
