//===- TileTypes.td - views, spans, bufs, rings ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TILE_TYPES
#define TESSERA_TILE_TYPES

include "TileDialect.td"
include "TileEnums.td"
include "TileScheduleAttrs.td"
include "mlir/IR/AttrTypeBase.td"

class Tile_Type<string className, string typeMnemonic> : TypeDef<Tile_Dialect, className> {
  let mnemonic = typeMnemonic;
}

def Tile_ViewType : Tile_Type<"View", "view"> {
  let summary = "an array in memory that knows its bounds";
  let description = [{
    A base address, one extent and one stride per axis, an element type and what the kernel may do with it: read it
    (`in`), write it (`out`) or both (`inout`). Extents are static numbers or `?`; strides are never in the type.

    ```mlir
    !tile.view<?x128xbf16, in>
    ```

    Rules:

    C1. each static extent is at least 0.
    C2. the element type is one of the dialect's element types.
    C3. the rank is at least 1.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t", "extents; kDynamic is `?`">:$shape, "::mlir::Type":$elementType,
                        EnumParameter<Tile_AccessMode>:$mode);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getShape().size(); }
    bool isReadOnly() const { return getMode() == AccessMode::in; }
    bool isWritable() const { return getMode() != AccessMode::in; }
  }];
}

def Tile_SpanType : Tile_Type<"Span", "span"> {
  let summary = "a range of an extent with a static width";
  let description = [{
    A pair (start, limit) with a static width W. Its stop is min(start + W, limit); position i of the span is the index
    start + i and is present iff start + i < stop.

    ```
    start          stop          start + W
      |■■■■■■■■■■■■■■|······absent····|        W = width
    ```

    ```mlir
    !tile.span<64>
    ```

    Rules:

    C1. the width is at least 1.
  }];
  let parameters = (ins "int64_t":$width);
  let assemblyFormat = "`<` $width `>`";
  let genVerifyDecl = 1;
}

def Tile_BufType : Tile_Type<"Buf", "buf"> {
  let summary = "memory that a schedule makes, inside a kernel";
  let description = [{
    A tile's worth of memory with identity, `slots` times: `shared` memory of a CTA, or a `workspace` in global memory.
    `per` tells whose it is: each CTA has its own, or each warpgroup or warp of the CTA. Memory keeps no absence. The
    layout, once a schedule has chosen it, gives each element its place in a slot.

    ```mlir
    !tile.buf<128x32xbf16, shared, slots = 3, layout = "(128,32):(32,1)">
    ```

    Rules:

    C1. extents are at least 1 and at most 2^40 elements in all, over all slots.
    C2. the element type is one of the dialect's element types.
    C3. there is at least one slot.
    C4. `per` is `cta`, `wg` or `warp`; a workspace is per `cta`.
    C5. the layout's shape has the buf's extents, and two elements never have one place.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t", "extents">:$shape, "::mlir::Type":$elementType,
                        EnumParameter<Tile_Storage>:$storage, "int64_t":$slots,
                        EnumParameter<Tile_ExecScope>:$per, "::mlir::StringAttr":$layout);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getShape().size(); }
    /// Of one slot.
    int64_t getNumElements() const;
    /// Of all slots, elements as they lie in memory.
    int64_t getBytes() const;
    ::mlir::RankedTensorType getTileType() const;
    BufType withSlots(int64_t slots) const;
    BufType withLayout(::mlir::StringAttr layout) const;
  }];
}

def Tile_RingType : Tile_Type<"Ring", "ring"> {
  let summary = "bounded queue of slots";
  let description = [{
    A queue whose elements are the slots of one or several bufs. Fillers `acquire` a free slot and `commit` it; users
    `await` the oldest filled one and `release` it. The n-th acquire gives the slot that the n-th await gives.

    ```mlir
    !tile.ring<3>
    ```

    Rules:

    C1. there is at least one slot.
  }];
  let parameters = (ins "int64_t":$slots);
  let assemblyFormat = "`<` $slots `>`";
  let genVerifyDecl = 1;
}

def Tile_SlotType : Tile_Type<"Slot", "slot"> {
  let summary = "one slot of a ring's bufs";
  let description = [{
    What `tile.acquire` and `tile.await` give; accesses to a buf with several slots name one.

    ```mlir
    !tile.slot
    ```
  }];
  let parameters = (ins);
  let builderCall = "$_builder.getType<::tessera::tile::SlotType>()";
}

/// What may index an axis of a view, besides `:`.
def Tile_Index : AnyTypeOf<[I64, Tile_SpanType, Tile_IntTile], "index: i64, span or integer tile">;

#endif // TESSERA_TILE_TYPES
