// Views and spans at run time. A view is a set of cells of one argument's array: cell numbers are element offsets from
// the array's element with all indices 0, so views made by splitting and permuting are arithmetic on strides.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_INTERPRETER_VIEW_H
#define TESSERA_LIB_INTERPRETER_VIEW_H

#include "Strided.h"

#include <algorithm>

namespace tessera::interp {

using Wide = __int128;

struct ViewValue {
  unsigned argument = 0;
  int64_t origin = 0; ///< cell of the element with all indices 0
  Shape extents, strides;
};

struct SpanValue {
  int64_t start = 0, stop = 0; ///< stop is min(start + width, limit) and may lie before start

  /// Number of present positions; they come first.
  int64_t present(int64_t width) const {
    Wide length = Wide(stop) - start;
    return int64_t(std::clamp<Wide>(length, 0, width));
  }
};

inline int64_t spanStop(int64_t start, int64_t width, int64_t limit) {
  Wide end = Wide(start) + width;
  return end < limit ? int64_t(end) : limit;
}

} // namespace tessera::interp

#endif // TESSERA_LIB_INTERPRETER_VIEW_H
