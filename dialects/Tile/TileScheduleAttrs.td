//===- TileScheduleAttrs.td - where and how scheduled ops run -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TILE_SCHEDULE_ATTRS
#define TESSERA_TILE_SCHEDULE_ATTRS

include "TileEnums.td"
include "mlir/IR/AttrTypeBase.td"

class Tile_Attr<string className, string attrMnemonic> : AttrDef<Tile_Dialect, className> {
  let mnemonic = attrMnemonic;
}

def Tile_IterAttr : Tile_Attr<"Iter", "iter"> {
  let summary = "how the points of an op's dims are spread over places";
  let description = [{
    For dims of an op, by name, their factors from the outermost to the innermost: a place and how many steps there.

    ```mlir
    #tile.iter<m = warp 2 * reg 4 * atom 16, n = warp 4 * reg 4 * atom 8>
    ```

    Places: `grid` (CTAs), `cluster` (CTAs of a cluster), `wg` (warpgroups), `warp`, `lane`, `reg` (one after the other,
    unrolled), `vec` (one vector access), `seq` (a loop, where operands are in memory), `atom` (inside one instruction),
    `open` (split off, its place not chosen yet: layout assignment chooses).
    The index of a point along a dim is mixed-radix in its factors; the product may exceed the dim's extent, and points
    beyond it do nothing. Factors of one place nest in the order of the dims: the first dim's is the outer one.
    A dim that is not named is not scheduled yet. The attribute stands on an op as `tile.iter`.

    Rules:

    C1. dims are named once, each with at least one factor.
    C2. each factor has at least one step, and at most 2^31 in all of a dim.
    C3. `atom` and `vec` stand after all other places of a dim, `vec` before `atom`.
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::StringAttr", "names of the dims">:$dims,
                        ArrayRefParameter<"int64_t", "number of factors of each dim">:$counts,
                        ArrayRefParameter<"::tessera::tile::Place", "places, dim after dim">:$places,
                        ArrayRefParameter<"int64_t", "steps, dim after dim">:$steps);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Factors of a dim, outermost first; empty where the dim is not named.
    ::llvm::SmallVector<::tessera::tile::IterFactor> getFactors(::llvm::StringRef dim) const;
    bool has(::llvm::StringRef dim) const { return !getFactors(dim).empty(); }
    /// Steps of all factors of a place, over all dims; 1 where there is none.
    int64_t getSteps(::tessera::tile::Place place) const;
    /// The attribute with the factors of one dim set (appended if new) or, if there are none, removed.
    IterAttr withFactors(::llvm::StringRef dim, ::llvm::ArrayRef<::tessera::tile::IterFactor> factors) const;
    static IterAttr getEmpty(::mlir::MLIRContext *context);
    /// `warp 2 * reg 4 * atom 16`
    static std::string text(::llvm::ArrayRef<::tessera::tile::IterFactor> factors);
  }];
}

def Tile_LayoutAttr : Tile_Attr<"Layout", "layout"> {
  let summary = "where in memory the elements of a buf lie";
  let description = [{
    A layout in the notation of the layout library, from coordinates to the element's offset.

    ```mlir
    #tile.layout<"(128,32):(32,1)">
    ```

    Rules:

    C1. the text is a layout.
  }];
  let parameters = (ins StringRefParameter<"notation">:$text);
  let assemblyFormat = "`<` $text `>`";
  let genVerifyDecl = 1;
}

def Tile_DistAttr : Tile_Attr<"Dist", "dist"> {
  let summary = "which thread holds which elements of a tile";
  let description = [{
    A list of modes, for each place the fastest first: a place (`reg`, `lane` or `warp`), how many steps there, and what a
    step is along an axis of the tile, or `copy` where all steps hold the same.

    ```mlir
    #tile.dist<reg 2 d1 1, reg 2 d0 8, lane 4 d1 2, lane 8 d0 1, warp 4 copy>
    ```

    The coordinate along an axis is the sum of step times stride over the modes that name it; the step in a mode is what
    mixed-radix counting of the place's number gives. Coordinates beyond the tile are held by nobody's element. Steps of a
    place beyond the product of its modes count anew: those threads hold copies.

    Rules:

    C1. the place is `reg`, `lane` or `warp`.
    C2. extents are 2 to 2^31, the lanes' together at most 32 and a divisor of it.
    C3. strides are at least 1, and 0 exactly for `copy`.
  }];
  let parameters = (ins ArrayRefParameter<"::tessera::tile::DistMode", "fastest first in each place">:$modes);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // TESSERA_TILE_SCHEDULE_ATTRS
