//===- TileOpsView.td - views, spans, loads, stores, atomics --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TILE_OPS_VIEW
#define TESSERA_TILE_OPS_VIEW

include "TileOpsBase.td"

/// Shared wording of indexing; `whole` marks the axes indexed by `:`.
defvar indexRules = [{
    The box has, axis by axis: nothing for an i64, the width for a span, the static extent for `:`, the tile's axes for
    an integer tile. A span adds a factor over its axis of the box: element i is present iff start + i < stop. `:` adds
    none. An absent element of an integer tile is an absent element of the box; a present one must be in [0, extent).
    A span must end at or before the extent and start at or after 0 unless it is empty. Anything else is a checked error.
}];

//===----------------------------------------------------------------------===//
// AtomicOp
//===----------------------------------------------------------------------===//

def Tile_AtomicOp : Tile_PointsOp<"atomic", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "read-modify-write of the elements of a box of a view";
  let description = "\n" # indexRules # [{
    Every present element of the value is combined with memory as one step; elements of one op that meet the same cell
    are combined one after the other. Absent elements touch nothing. The optional result is what each cell held before;
    it is absent where the value is.

    ```mlir
    // given %t: tensor<8xi32>, %v: !tile.view<?xi32, inout>, %i: tensor<8xi64>
    tile.atomic add %t, %v[%i] : tensor<8xi32>, !tile.view<?xi32, inout>, tensor<8xi64>
    %old = tile.atomic cas %t expect %t, %v[%i] {order_any, scope = #tile.scope<sys>}
      : tensor<8xi32> expect tensor<8xi32>, !tile.view<?xi32, inout>, tensor<8xi64> -> tensor<8xi32>
    ```

    Rules:

    C1. the view is `inout`.
    C2. there is an index for each axis that is not whole, and `:` stands only at static extents.
    C3. the value's type is the box's; the result's too.
    C4. `cas` has a compare operand of the value's type, no other kind has.
    C5. `and`, `or`, `xor` take integers.
    C6. `add`, `max`, `min` take numbers.
    C7. an atomic on floats, and any that returns what was there, is marked `order_any`.
  }];
  let arguments = (ins TileArg<Tile_AtomicKindAttr, "operation">:$kind, TileArg<Tile_Any, "operand">:$value,
                       TileArg<Optional<Tile_Any>, "expected value of `cas`">:$compare,
                       TileArg<Tile_ViewType, "memory">:$view, TileArg<Variadic<Tile_Index>, "indices">:$indices,
                       TileArg<DenseBoolArrayAttr, "axes indexed by `:`">:$whole,
                       TileArg<DefaultValuedAttr<Tile_MemoryOrderAttr, "::tessera::tile::MemoryOrder::relaxed">,
                               "memory order">:$order,
                       TileArg<DefaultValuedAttr<Tile_ScopeAttr, "::tessera::tile::Scope::gpu">, "scope">:$scope,
                       TileArg<UnitAttr, "the source allows any order of combination">:$order_any);
  let results = (outs TileRes<Optional<Tile_Any>, "previous elements">:$old);
  let assemblyFormat = [{
    custom<Word>($kind) $value (`expect` $compare^)? `,` $view `` custom<Index>($indices, $whole) attr-dict
    `:` type($value) (`expect` type($compare)^)? `,` qualified(type($view)) (`,` type($indices)^)? (`->` type($old)^)?
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// DimOp
//===----------------------------------------------------------------------===//

def Tile_DimOp : Tile_Op<"dim", [Pure]> {
  let summary = "extent of a view's axis";
  let description = [{
    ```mlir
    // given %x: !tile.view<?x64xf32, in>
    %0 = tile.dim %x, 0 : !tile.view<?x64xf32, in>
    ```

    Rules:

    C1. the axis is less than the rank.
  }];
  let arguments = (ins TileArg<Tile_ViewType, "view">:$view, TileArg<I64Attr, "axis">:$axis);
  let results = (outs TileRes<I64, "extent">:$result);
  let assemblyFormat = "$view `,` $axis attr-dict `:` qualified(type($view))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// LoadOp
//===----------------------------------------------------------------------===//

def Tile_LoadOp : Tile_PointsOp<"load", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "elements of a box of a view as a tile";
  let description = "\n" # indexRules # [{
    No absent element is read. A load from an `in` view is pure. Reading an element of an `out` view that no point has
    written is a checked error: `inout` is the mode for reading what was there before the launch.

    ```mlir
    // given %x: !tile.view<?x64x?xbf16, in>, %r: !tile.span<4>, %i: i64
    %t = tile.load %x[%r, :, %i] : !tile.view<?x64x?xbf16, in>, !tile.span<4>, i64 -> tensor<4x64xbf16>
    ```

    Rules:

    C1. there is an index for each axis that is not whole, and `:` stands only at static extents.
    C2. the result's type is the box's: a scalar if the box has no axis.
  }];
  let arguments = (ins TileArg<Tile_ViewType, "memory">:$view, TileArg<Variadic<Tile_Index>, "indices">:$indices,
                       TileArg<DenseBoolArrayAttr, "axes indexed by `:`">:$whole);
  let results = (outs TileRes<Tile_Any, "the box">:$result);
  let assemblyFormat = [{
    $view `` custom<Index>($indices, $whole) attr-dict `:` qualified(type($view)) (`,` type($indices)^)? `->` type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// SpanOp, SpanStartOp, SpanStopOp, SpanIndexOp
//===----------------------------------------------------------------------===//

def Tile_SpanOp : Tile_Op<"span", [NoMemoryEffect, DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  let summary = "span from a start and a limit";
  let description = [{
    A span whose stop is min(start + width, limit). `exact` spans, made by `whole`, hold the checked error that the
    limit may not exceed start + width; only spans without it are speculatable.

    ```mlir
    // given %n: i64
    %c0 = tile.constant 0 : i64
    %0 = tile.span %c0, %n : !tile.span<64>
    %1 = tile.span %c0, %n exact : !tile.span<4096>
    ```
  }];
  let arguments = (ins TileArg<I64, "first index">:$start, TileArg<I64, "limit">:$limit,
                       TileArg<UnitAttr, "the range must fit the width">:$exact);
  let results = (outs TileRes<Tile_SpanType, "span">:$result);
  let assemblyFormat = "$start `,` $limit (`exact` $exact^)? attr-dict `:` qualified(type($result))";
}

def Tile_SpanStartOp : Tile_Op<"span_start", [Pure]> {
  let summary = "first index of a span";
  let description = [{
    Also the start of an empty span.

    ```mlir
    // given %s: !tile.span<64>
    %0 = tile.span_start %s : !tile.span<64>
    ```
  }];
  let arguments = (ins TileArg<Tile_SpanType, "span">:$span);
  let results = (outs TileRes<I64, "start">:$result);
  let assemblyFormat = "$span attr-dict `:` qualified(type($span))";
  let hasFolder = 1;
}

def Tile_SpanStopOp : Tile_Op<"span_stop", [Pure]> {
  let summary = "end of the present part of a span";
  let description = [{
    min(start + width, limit).

    ```mlir
    // given %s: !tile.span<64>
    %0 = tile.span_stop %s : !tile.span<64>
    ```
  }];
  let arguments = (ins TileArg<Tile_SpanType, "span">:$span);
  let results = (outs TileRes<I64, "stop">:$result);
  let assemblyFormat = "$span attr-dict `:` qualified(type($span))";
}

def Tile_SpanIndexOp : Tile_PureOp<"span_index"> {
  let summary = "indices of a span as a tile";
  let description = [{
    Element i is start + i, absent past stop.

    ```mlir
    // given %s: !tile.span<64>
    %0 = tile.span_index %s : !tile.span<64> -> tensor<64xi64>
    ```

    Rules:

    C1. the result is `tensor<Wxi64>` for a span of width W.
  }];
  let arguments = (ins TileArg<Tile_SpanType, "span">:$span);
  let results = (outs TileRes<Tile_I64Tile, "indices">:$result);
  let assemblyFormat = "$span attr-dict `:` qualified(type($span)) `->` type($result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// StoreOp
//===----------------------------------------------------------------------===//

def Tile_StoreOp : Tile_PointsOp<"store", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "writes the present elements of a tile to a box of a view";
  let description = "\n" # indexRules # [{
    An element is written iff it is present in the value and in the box. With integer tiles, two elements of one op that
    meet the same cell are a checked error under `conflict = error` and resolved under `last`: the one with the greater
    row-major position wins.

    ```mlir
    // given %t: tensor<4x64xf32>, %y: !tile.view<?x?xf32, out>, %r: !tile.span<4>, %c: !tile.span<64>
    tile.store %t, %y[%r, %c] : tensor<4x64xf32>, !tile.view<?x?xf32, out>, !tile.span<4>, !tile.span<64>
    ```

    Rules:

    C1. the view is `out` or `inout`.
    C2. there is an index for each axis that is not whole, and `:` stands only at static extents.
    C3. the value's type is the box's.
  }];
  let arguments = (ins TileArg<Tile_Any, "elements">:$value, TileArg<Tile_ViewType, "memory">:$view,
                       TileArg<Variadic<Tile_Index>, "indices">:$indices,
                       TileArg<DenseBoolArrayAttr, "axes indexed by `:`">:$whole,
                       TileArg<DefaultValuedAttr<Tile_ConflictAttr, "::tessera::tile::Conflict::error">,
                               "duplicates in an index tile">:$conflict);
  let assemblyFormat = [{
    $value `,` $view `` custom<Index>($indices, $whole) attr-dict
    `:` type($value) `,` qualified(type($view)) (`,` type($indices)^)?
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// ViewGroupOp, ViewPermuteOp, ViewSliceOp, ViewSplitOp
//===----------------------------------------------------------------------===//

def Tile_ViewGroupOp : Tile_Op<"view_group", [NoMemoryEffect]> {
  let summary = "view with an axis cut into groups";
  let description = [{
    Axis of extent e becomes two axes of extents e // size and size. The size must divide e: else a checked error.

    ```mlir
    // given %x: !tile.view<?x128xf32, in>
    %0 = tile.view_group %x, 1 by 32 : !tile.view<?x128xf32, in> -> !tile.view<?x4x32xf32, in>
    ```

    Rules:

    C1. the axis is less than the rank; the size is at least 1 and divides a static extent.
    C2. the result has the operand's element type and mode, and its extents with the axis replaced by the two.
  }];
  let arguments = (ins TileArg<Tile_ViewType, "view">:$view, TileArg<I64Attr, "axis">:$axis,
                       TileArg<I64Attr, "elements in a group">:$size);
  let results = (outs TileRes<Tile_ViewType, "grouped view">:$result);
  let assemblyFormat = "$view `,` $axis `by` $size attr-dict `:` qualified(type($view)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def Tile_ViewPermuteOp : Tile_Op<"view_permute", [Pure]> {
  let summary = "view with its axes in another order";
  let description = [{
    Axis i of the result is axis permutation[i] of the operand.

    ```mlir
    // given %x: !tile.view<?x128xf32, in>
    %0 = tile.view_permute %x, [1, 0] : !tile.view<?x128xf32, in> -> !tile.view<128x?xf32, in>
    ```

    Rules:

    C1. the permutation is one of the view's axes.
    C2. the result has the operand's element type, mode and permuted extents.
  }];
  let arguments = (ins TileArg<Tile_ViewType, "view">:$view, TileArg<DenseI64ArrayAttr, "order">:$permutation);
  let results = (outs TileRes<Tile_ViewType, "permuted view">:$result);
  let assemblyFormat = "$view `,` $permutation attr-dict `:` qualified(type($view)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def Tile_ViewSliceOp : Tile_Op<"view_slice", [NoMemoryEffect]> {
  let summary = "part of a view along an axis";
  let description = [{
    Elements [lo, hi) of the axis; 0 <= lo <= hi <= extent, else a checked error.

    ```mlir
    // given %x: !tile.view<?x128xf32, in>, %lo: i64, %hi: i64
    %0 = tile.view_slice %x, 0 from %lo to %hi : !tile.view<?x128xf32, in> -> !tile.view<?x128xf32, in>
    ```

    Rules:

    C1. the axis is less than the rank.
    C2. the result has the operand's element type, mode and extents, with `?` or the static difference at the axis.
  }];
  let arguments = (ins TileArg<Tile_ViewType, "view">:$view, TileArg<I64, "first">:$lo, TileArg<I64, "end">:$hi,
                       TileArg<I64Attr, "axis">:$axis);
  let results = (outs TileRes<Tile_ViewType, "part">:$result);
  let assemblyFormat = "$view `,` $axis `from` $lo `to` $hi attr-dict `:` qualified(type($view)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def Tile_ViewSplitOp : Tile_Op<"view_split", [NoMemoryEffect]> {
  let summary = "equal parts of a view along an axis";
  let description = [{
    Part i holds elements [i*e/n, (i+1)*e/n) of the axis of extent e; the number n of parts must divide e: else a
    checked error. No data moves.

    ```mlir
    // given %x: !tile.view<?x128xf32, in>
    %0:2 = tile.view_split %x, 1 : !tile.view<?x128xf32, in> -> !tile.view<?x64xf32, in>, !tile.view<?x64xf32, in>
    ```

    Rules:

    C1. the axis is less than the rank.
    C2. there is at least one result, their number divides a static extent, and each has the operand's element type,
        mode and extents, with `?` or the static quotient at the axis.
  }];
  let arguments = (ins TileArg<Tile_ViewType, "view">:$view, TileArg<I64Attr, "axis">:$axis);
  let results = (outs TileRes<Variadic<Tile_ViewType>, "parts">:$parts);
  let assemblyFormat = "$view `,` $axis attr-dict `:` qualified(type($view)) `->` type($parts)";
  let hasVerifier = 1;
}

#endif // TESSERA_TILE_OPS_VIEW
