// Attributes of clusters of CTAs, beside `tile.cluster`.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_DIALECT_TILE_CLUSTERATTRS_H
#define TESSERA_DIALECT_TILE_CLUSTERATTRS_H

#include "llvm/ADT/StringRef.h"

namespace tessera::tile {

/// On a kernel with a cluster: the number of the axis of the grid or the tasks along which its CTAs are neighbours (i64,
/// from 0).
inline constexpr llvm::StringLiteral clusterAxisAttrName = "tile.cluster_axis";
/// On a copy: the CTAs of the cluster whose slots it fills, all of them (i64, at least 2).
inline constexpr llvm::StringLiteral multicastAttrName = "tile.multicast";

} // namespace tessera::tile

#endif // TESSERA_DIALECT_TILE_CLUSTERATTRS_H
