// A tile seen along one axis: [outer][extent][inner], and which of its elements are terms of a reduction or scan.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_INTERPRETER_OPS_LANES_H
#define TESSERA_LIB_INTERPRETER_OPS_LANES_H

#include "../Compiler.h"

namespace tessera::interp {

struct Lanes {
  unsigned axis = 0;
  int64_t outer = 1, extent = 1, inner = 1;

  static Lanes of(llvm::ArrayRef<int64_t> shape, unsigned axis);
};

/// The first `prefix` positions of every lane are terms, or, where `mask` is given, the elements that it marks.
struct Terms {
  int64_t prefix = 0;
  Ref mask; ///< over the whole tile

  bool has(int64_t position, int64_t element) const {
    return mask ? mask.as<uint8_t>()[element] : position < prefix;
  }
};

/// Which elements the factors over the axis leave.
Terms termsAlong(BufferPool &pool, const Factors &factors, const TileType &type,
                 const Lanes &lanes);

/// Factors that do not name the axis, renumbered for a result without it (`drop`) or with it.
void keepOtherFactors(Machine &m, unsigned from, const TileSlot &result, unsigned axis, bool drop);

/// A region that combines two scalars, compiled: reductions and scans by a region.
struct ScalarRegion {
  Code code;
  unsigned a = 0, b = 0, yielded = 0;
  const TileType *type = nullptr;

  ScalarRegion(Compiler &c, mlir::Region &region, const TileType &type);
  /// Writes the combination; false if it is absent or the run has stopped.
  bool operator()(Machine &m, const std::byte *left, const std::byte *right, std::byte *out) const;
};

} // namespace tessera::interp

#endif // TESSERA_LIB_INTERPRETER_OPS_LANES_H
