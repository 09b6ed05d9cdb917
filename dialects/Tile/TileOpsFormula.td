//===- TileOpsFormula.td - index notation, assertions ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TILE_OPS_FORMULA
#define TESSERA_TILE_OPS_FORMULA

include "TileOpsBase.td"

def Tile_AtOp : Tile_Op<"at", [NoMemoryEffect]> {
  let summary = "element of an array or view in a formula";
  let description = [{
    An index out of [0, extent) is a checked error; an absent index gives an absent element.

    ```mlir
    // given %x: !tile.view<?x?xf32, in>, %i: i64, %j: i64
    %0 = tile.at %x[%i, %j] : !tile.view<?x?xf32, in> -> f32
    ```

    Rules:

    C1. there is an i64 index for each axis.
    C2. the result is a scalar of the element type.
    C3. stands in a formula: in `reference`, `tolerance` or `where`.
  }];
  let arguments = (ins TileArg<AnyTypeOf<[Tile_ViewType, Tile_Array]>, "array">:$array,
                       TileArg<Variadic<I64>, "indices">:$indices);
  let results = (outs TileRes<Tile_Element, "element">:$result);
  let assemblyFormat = "$array `[` $indices `]` attr-dict `:` type($array) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_FoldOp : Tile_Op<"fold", [RecursiveMemoryEffects, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "elements of a formula combined over an index";
  let description = [{
    Combines the region's values for k in [lo, hi), ascending. Absent terms are skipped. sum, prod, max and min work in
    the type written, with the identities of `tile.reduce`; count counts the true terms (i64); any and all combine truth
    values; first is the least k whose term is true (i64), -1 if there is none.

    ```mlir
    // given %x: !tile.view<?xf32, in>, %n: i64
    %c0 = tile.constant 0 : i64
    %sum = tile.fold sum %k in (%c0 to %n) -> f32 {
      %0 = tile.at %x[%k] : !tile.view<?xf32, in> -> f32
      tile.yield %0 : f32
    }
    ```

    Rules:

    C1. the region has one i64 argument and yields one scalar.
    C2. count, any, all and first yield i1; the result is i64 for count and first, else the yielded type.
    C3. sum, prod, max and min yield numbers.
  }];
  let arguments = (ins TileArg<Tile_FoldKindAttr, "kind">:$kind, TileArg<I64, "first index">:$lo,
                       TileArg<I64, "end">:$hi);
  let results = (outs TileRes<Tile_Element, "combined">:$result);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

def Tile_MapOp : Tile_Op<"map", [RecursiveMemoryEffects, SingleBlockImplicitTerminator<"YieldOp">,
                                 AttrSizedOperandSegments]> {
  let summary = "array given by a formula of its indices";
  let description = [{
    Element (i, j, …) is the region's value. Extents are the ends of the ranges; elements before a range's start are
    absent. With `self` the region's last argument is the array itself, and element i reads elements that come earlier
    along `axis` (later, if `descending`): a recurrence.

    ```mlir
    // given %x: !tile.view<?x?xf32, in>, %m: i64, %n: i64
    %c0 = tile.constant 0 : i64
    %0 = tile.map (%i in %c0 to %m, %j in %c0 to %n) -> tensor<?x?xf32> {
      %1 = tile.at %x[%i, %j] : !tile.view<?x?xf32, in> -> f32
      tile.yield %1 : f32
    }
    %2 = tile.map (%i in %c0 to %m) self %before along 0 -> tensor<?xf32> {
      %one = tile.constant 1 : i64
      %last = tile.sub %i, %one : i64
      %3 = tile.at %before[%last] : tensor<?xf32> -> f32
      tile.yield %3 : f32
    }
    ```

    Rules:

    C1. there are as many lows as highs as axes of the result, at least one; every extent of the result is `?`.
    C2. the region has an i64 argument for each axis and, with `self`, the result's type after them.
    C3. the region yields one scalar of the result's element type.
    C4. `self` comes with an axis less than the rank; the array itself is used by `tile.at` only.
    C5. stands in `reference` or `tolerance`.
  }];
  let arguments = (ins TileArg<Variadic<I64>, "first index of each axis">:$lows,
                       TileArg<Variadic<I64>, "end of each axis">:$highs,
                       TileArg<UnitAttr, "the region reads the array itself">:$self,
                       TileArg<OptionalAttr<I64Attr>, "axis of the recurrence">:$axis,
                       TileArg<UnitAttr, "the recurrence runs down">:$descending);
  let results = (outs TileRes<Tile_Array, "array">:$result);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

//===- assertions and printing --------------------------------------------===//

def Tile_AssertOp : Tile_Op<"assert"> {
  let summary = "condition that must hold for every present element";
  let description = [{
    A present element that is false is a checked error with the text and the element's index.

    ```mlir
    // given %c: tensor<8xi1>
    tile.assert %c, "in range" : tensor<8xi1>
    ```
  }];
  let arguments = (ins TileArg<Tile_AnyBool, "condition">:$condition, TileArg<StrAttr, "text">:$text);
  let assemblyFormat = "$condition `,` $text attr-dict `:` type($condition)";
}

def Tile_AssumeOp : Tile_Op<"assume"> {
  let summary = "condition that the author promises";
  let description = [{
    Checked by the interpreter and the simulator exactly as `tile.assert`; generated code may rely on it.

    ```mlir
    // given %c: tensor<8xi1>
    tile.assume %c, "sorted" : tensor<8xi1>
    ```
  }];
  let arguments = (ins TileArg<Tile_AnyBool, "condition">:$condition, TileArg<StrAttr, "text">:$text);
  let assemblyFormat = "$condition `,` $text attr-dict `:` type($condition)";
}

def Tile_PrintOp : Tile_Op<"print"> {
  let summary = "prints a value with its coordinates";
  let description = [{
    Writes the text and every element; absent elements are printed as `absent`. Output of different grid points is not
    ordered.

    ```mlir
    // given %x: tensor<8xf32>
    tile.print "x", %x : tensor<8xf32>
    ```
  }];
  let arguments = (ins TileArg<Tile_Any, "value">:$value, TileArg<StrAttr, "text">:$text);
  let assemblyFormat = "$text `,` $value attr-dict `:` type($value)";
}

#endif // TESSERA_TILE_OPS_FORMULA
