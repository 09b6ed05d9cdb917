//===- TileOpsStorage.td - bufs and what moves data to and from them ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TILE_OPS_STORAGE
#define TESSERA_TILE_OPS_STORAGE

include "TileOpsBase.td"

/// Shared wording of accesses to bufs.
defvar bufRules = [{
    An access covers one slot of the buf whole. A buf with several slots is accessed in the slot that an
    `acquire` or `await` of its ring gave; a buf with one slot that is in no ring is accessed without.
}];

//===----------------------------------------------------------------------===//
// AllocOp
//===----------------------------------------------------------------------===//

def Tile_AllocOp : Tile_Op<"alloc", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "memory for a tile, for the life of a CTA";
  let description = [{
    Makes a buf with unspecified contents. `over` names bufs that it shares memory with: who of them is written takes
    the memory, and what the others held is lost. Every access to what is lost, by any thread and any asynchronous op,
    must be over before that write.

    ```mlir
    %a = tile.alloc : !tile.buf<128x32xbf16, shared, slots = 3>
    %b = tile.alloc : !tile.buf<32x128xbf16, shared, slots = 3>
    %c = tile.alloc over %a, %b : !tile.buf<128x128xbf16, shared>
      over !tile.buf<128x32xbf16, shared, slots = 3>, !tile.buf<32x128xbf16, shared, slots = 3>
    ```

    Rules:

    C1. does not stand in a loop, a branch, a section or another region of a kernel's body, grid or tasks.
    C2. the bufs of `over` have the storage and owner of the result, and no two of them share memory.
    C3. the result's bytes are at most those of `over` together.
  }];
  let arguments = (ins TileArg<Variadic<Tile_BufType>, "bufs whose memory it takes">:$over);
  let results = (outs TileRes<Tile_BufType, "memory">:$result);
  let assemblyFormat = "(`over` $over^)? attr-dict `:` qualified(type($result)) (`over` qualified(type($over))^)?";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// CopyOp, CopyOutOp
//===----------------------------------------------------------------------===//

def Tile_CopyOp : Tile_PointsOp<"copy", [AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "box of a view to a buf";
  let description = "\n" # bufRules # [{
    The box is that of `tile.load`. Present elements are copied. `fill zero` writes 0 for every absent one, so that the
    whole slot is written; `fill undef` leaves those cells as they are, whatever they held.

    ```mlir
    // given %x: !tile.view<?x?xbf16, in>, %r: !tile.span<128>, %c: !tile.span<32>, %s: !tile.slot
    // given %a: !tile.buf<128x32xbf16, shared>, %b: !tile.buf<128x32xbf16, shared, slots = 3>
    tile.copy %x[%r, %c] to %a fill undef : !tile.view<?x?xbf16, in>, !tile.span<128>, !tile.span<32>
      to !tile.buf<128x32xbf16, shared>
    tile.copy %x[%r, %c] to %b slot %s fill zero : !tile.view<?x?xbf16, in>, !tile.span<128>, !tile.span<32>
      to !tile.buf<128x32xbf16, shared, slots = 3>
    ```

    Rules:

    C1. there is an index for each axis that is not whole, and `:` stands only at static extents.
    C2. the box has the buf's extents and the view its element type.
    C3. a slot is given iff the buf has several slots or is in a ring, and is of that ring.
  }];
  let arguments = (ins TileArg<Tile_ViewType, "memory">:$view, TileArg<Variadic<Tile_Index>, "indices">:$indices,
                       TileArg<Tile_BufType, "target">:$buf, TileArg<Optional<Tile_SlotType>, "slot of the target">:$slot,
                       TileArg<DenseBoolArrayAttr, "axes indexed by `:`">:$whole,
                       TileArg<Tile_FillAttr, "what absent elements leave">:$fill);
  let assemblyFormat = [{
    $view `` custom<Index>($indices, $whole) `to` $buf (`slot` $slot^)? `fill` custom<Word>($fill) attr-dict
    `:` qualified(type($view)) (`,` type($indices)^)? `to` qualified(type($buf))
  }];
  let hasVerifier = 1;
}

def Tile_CopyOutOp : Tile_PointsOp<"copy_out", [AttrSizedOperandSegments,
                                               DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "buf to a box of a view";
  let description = "\n" # bufRules # [{
    The box is that of `tile.store`; its present elements are written, as a store of the slot's tile would write them.

    ```mlir
    // given %c: !tile.buf<128x32xbf16, shared>, %y: !tile.view<?x?xbf16, out>, %m: !tile.span<128>, %n: !tile.span<32>
    tile.copy_out %c to %y[%m, %n] : !tile.buf<128x32xbf16, shared> to !tile.view<?x?xbf16, out>, !tile.span<128>, !tile.span<32>
    ```

    Rules:

    C1. the view is `out` or `inout`.
    C2. there is an index for each axis that is not whole, and `:` stands only at static extents.
    C3. the box has the buf's extents and the view its element type.
    C4. a slot is given iff the buf has several slots or is in a ring, and is of that ring.
  }];
  let arguments = (ins TileArg<Tile_BufType, "source">:$buf, TileArg<Optional<Tile_SlotType>, "slot of the source">:$slot,
                       TileArg<Tile_ViewType, "memory">:$view, TileArg<Variadic<Tile_Index>, "indices">:$indices,
                       TileArg<DenseBoolArrayAttr, "axes indexed by `:`">:$whole);
  let assemblyFormat = [{
    $buf (`slot` $slot^)? `to` $view `` custom<Index>($indices, $whole) attr-dict
    `:` qualified(type($buf)) `to` qualified(type($view)) (`,` type($indices)^)?
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// ReadOp
//===----------------------------------------------------------------------===//

def Tile_ReadOp : Tile_PointsOp<"read", [AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "tile from a buf";
  let description = "\n" # bufRules # [{
    Memory forgets absence; the spans restate it. Along an axis with a span the result has its factor, along one with `:`
    every element is present. Reading a cell that is present and was never written is a checked error.

    ```mlir
    // given %a: !tile.buf<128x32xbf16, shared>, %r: !tile.span<128>
    %0 = tile.read %a span[%r, :] : !tile.buf<128x32xbf16, shared>, !tile.span<128> -> tensor<128x32xbf16>
    ```

    Rules:

    C1. there is a span for each axis that is not whole, of the axis' extent.
    C2. the result is the buf's tile.
    C3. a slot is given iff the buf has several slots or is in a ring, and is of that ring.
  }];
  let arguments = (ins TileArg<Tile_BufType, "memory">:$buf, TileArg<Optional<Tile_SlotType>, "slot">:$slot,
                       TileArg<Variadic<Tile_SpanType>, "spans">:$spans,
                       TileArg<DenseBoolArrayAttr, "axes read whole">:$whole);
  let results = (outs TileRes<Tile_Tile, "elements">:$result);
  let assemblyFormat = [{
    $buf (`slot` $slot^)? `span` `` custom<Index>($spans, $whole) attr-dict
    `:` qualified(type($buf)) (`,` qualified(type($spans))^)? `->` type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// WriteOp
//===----------------------------------------------------------------------===//

def Tile_WriteOp : Tile_PointsOp<"write", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "tile to a buf";
  let description = "\n" # bufRules # [{
    Present elements are written; the cells of absent ones stay as they are.

    ```mlir
    // given %t: tensor<128x32xbf16>, %a: !tile.buf<128x32xbf16, shared>
    tile.write %t to %a : tensor<128x32xbf16> to !tile.buf<128x32xbf16, shared>
    ```

    Rules:

    C1. the value is the buf's tile.
    C2. a slot is given iff the buf has several slots or is in a ring, and is of that ring.
  }];
  let arguments = (ins TileArg<Tile_Tile, "elements">:$value, TileArg<Tile_BufType, "memory">:$buf,
                       TileArg<Optional<Tile_SlotType>, "slot">:$slot);
  let assemblyFormat = "$value `to` $buf (`slot` $slot^)? attr-dict `:` type($value) `to` qualified(type($buf))";
  let hasVerifier = 1;
}

#endif // TESSERA_TILE_OPS_STORAGE
