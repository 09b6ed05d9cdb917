// The modes of ops with the defaults put in, as the interpreter reads them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_CONVERSION_SCALARS_OPMODES_H
#define TESSERA_LIB_CONVERSION_SCALARS_OPMODES_H

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Dialect/Tile/TileOps.h"
#include "tessera/Numeric/Modes.h"

namespace tessera::convert {

struct CastModes {
  DType from, to;
  Round round = Round::rne;
  Overflow overflow;

  explicit CastModes(tile::CastOp op)
      : from(dtypeOf(op.getX().getType())), to(dtypeOf(op.getResult().getType())) {
    if (op.getRound()) {
      round = static_cast<Round>(*op.getRound());
    }
    // Where the source must say, exact casts may leave it out.
    overflow = defaultOverflow(from, to).value_or(isInteger(to) ? Overflow::wrap : Overflow::sat);
    if (op.getOverflow()) {
      overflow = static_cast<Overflow>(*op.getOverflow());
    }
  }
};

inline Accuracy accuracyOf(mlir::Operation *op) {
  auto attribute = op->getAttrOfType<tile::AccuracyAttr>("accuracy");
  return attribute ? static_cast<Accuracy>(attribute.getValue()) : Accuracy::strict;
}

} // namespace tessera::convert

#endif // TESSERA_LIB_CONVERSION_SCALARS_OPMODES_H
