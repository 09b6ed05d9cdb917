//===- TileOps2.cpp - generated op definitions, part 3 of 4 --------------===//
//
// The generated definitions are large: four files compile side by side.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tile/TileOps.h"

#define GET_OP_DEFS_2
#include "tessera/Dialect/Tile/TileOps.cpp.inc"
