//===- TileOpsReduce.td - reductions, scans, selection, products ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TILE_OPS_REDUCE
#define TESSERA_TILE_OPS_REDUCE

include "TileOpsBase.td"

defvar reduceAbsence = [{
    Absence: factors that do not name the axis stay, renumbered; the others say which terms exist. Where no term exists
    the result is the identity and present.
}];

class ArgExtremum<string mnemonic, string what, string how> : Tile_PureOp<mnemonic> {
  let summary = what # " element along an axis, with its index";
  let description = [{
    }] # how # [{ NaN counts as greater than every number, -0 equals +0, ties go to the smaller index. With no term the
    value is the identity and the index -1.
    }] # reduceAbsence # [{

    ```mlir
    // given %x: tensor<4x64xf32>
    %value, %index = tile.}] # mnemonic # [{ %x along 1 : tensor<4x64xf32> -> tensor<4xf32>, tensor<4xi64>
    ```

    Rules:

    C1. the axis is less than the rank.
    C2. the value has the operand's element type and its shape without the axis; the index is i64 of that shape.
  }];
  let arguments = (ins TileArg<Tile_NumTile, "operand">:$x, TileArg<I64Attr, "axis">:$axis);
  let results = (outs TileRes<Tile_AnyNum, "the element">:$value, TileRes<Tile_AnyInt, "its index">:$index);
  let assemblyFormat = "$x `along` $axis attr-dict `:` type($x) `->` type($value) `,` type($index)";
  let hasVerifier = 1;
}

def Tile_ArgMaxOp : ArgExtremum<"argmax", "greatest", "The greatest element.">;
def Tile_ArgMinOp : ArgExtremum<"argmin", "least",
    "The least element; as in `argmax` a NaN is chosen before any number, the first one.">;

def Tile_HistogramOp : Tile_PureOp<"histogram"> {
  let summary = "how often each bin's number occurs";
  let description = [{
    Bin b counts the present elements equal to b; elements outside [0, bins) are dropped. Nothing of the result is absent.

    ```mlir
    // given %x: tensor<64xi32>
    %0 = tile.histogram %x : tensor<64xi32> -> tensor<16xi64>
    ```

    Rules:

    C1. the result is `tensor<Bxi64>`.
  }];
  let arguments = (ins TileArg<Tile_IntTile, "bin numbers">:$x);
  let results = (outs TileRes<Tile_I64Tile, "counts">:$result);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_MmaOp : Tile_PureOp<"mma", [AllTypesMatch<["acc", "result"]>]> {
  let summary = "matrix product added to an accumulator";
  let description = [{
    result[m, n] = acc[m, n] + sum over k of a[m, k] * b[k, n]. The interpreter uses fma with k ascending; elsewhere the
    order within one op is free, and neither rounding inside nor the sign of zero is promised. Integer products wrap.

    Absence: an index k outside the {k} factor of either operand is skipped. Any other absent element is replaced by +0
    and then multiplied, so 0 * NaN is NaN; the interpreter warns when that happens. Absent rows of `a` (factors over m
    alone) and columns of `b` (over n alone) are factors of the result, with those of the accumulator.

    ```mlir
    // given %a: tensor<64x32xbf16>, %b: tensor<32x96xbf16>, %c: tensor<64x96xf32>
    %d = tile.mma %a, %b, %c : tensor<64x32xbf16>, tensor<32x96xbf16>, tensor<64x96xf32>
    ```

    Rules:

    C1. operands have rank 2 and agree: MxK, KxN, MxN.
    C2. `a` and `b` have one element type: bf16, f16, an 8-bit float, f32 with an f32 accumulator; f64 with f64; i8 with i32;
        ui8 with i32.
    C3. `precision` other than `ieee` is for f32 operands.
  }];
  let arguments = (ins TileArg<Tile_Tile, "left matrix">:$a, TileArg<Tile_Tile, "right matrix">:$b,
                       TileArg<Tile_Tile, "accumulator">:$acc,
                       TileArg<DefaultValuedAttr<Tile_MmaPrecisionAttr, "::tessera::tile::MmaPrecision::ieee">,
                               "use of f32 operands">:$precision);
  let results = (outs TileRes<Tile_Tile, "sum">:$result);
  let assemblyFormat = "$a `,` $b `,` $acc attr-dict `:` type($a) `,` type($b) `,` type($acc)";
  let hasVerifier = 1;
}

def Tile_PhiloxOp : Tile_PureOp<"philox", [AllTypesMatch<["r0", "r1", "r2", "r3"]>]> {
  let summary = "four random words for each index";
  let description = [{
    philox4x32-10 (Salmon et al., SC 2011): counter words (low and high half of index, low and high half of offset), key
    words (low and high half of seed). The same everywhere, and independent of how a range is cut into tiles.

    ```mlir
    // given %seed: ui64, %offset: ui64, %i: tensor<8xi64>
    %r0, %r1, %r2, %r3 = tile.philox %seed, %offset, %i : tensor<8xi64> -> tensor<8xui32>
    ```

    Rules:

    C1. seed and offset are ui64 scalars; results are ui32 with the shape of the index.
  }];
  let arguments = (ins TileArg<UI64, "seed">:$seed, TileArg<UI64, "offset">:$offset,
                       TileArg<Tile_Of<I64, "i64">, "index">:$index);
  let results = (outs TileRes<Tile_Of<UI32, "ui32">, "word 0">:$r0, TileRes<Tile_Of<UI32, "ui32">, "word 1">:$r1,
                      TileRes<Tile_Of<UI32, "ui32">, "word 2">:$r2, TileRes<Tile_Of<UI32, "ui32">, "word 3">:$r3);
  let assemblyFormat = "$seed `,` $offset `,` $index attr-dict `:` type($index) `->` type($r0)";
  let hasVerifier = 1;
}

def Tile_ReduceOp : Tile_PureOp<"reduce"> {
  let summary = "elements along an axis combined into one";
  let description = [{
    Kinds and identities: sum 0, prod 1, max and min (NaN wins; the least or greatest value), max_num and min_num (NaN
    loses), absmax 0 (of absolute values, NaN wins), any false, all true, and all ones, or 0, xor 0, count 0 (of true
    elements).

    Result elements: sum and prod of bf16 and f16 are f32, of i8 and i16 i32, of ui8 and ui16 ui32; count is i64; all
    others keep the operand's type.

    Float sum and prod have an order. `tree`: element i is paired with i + w/2, w the next power of two of the extent,
    recursively; an absent side passes the other on; a sum then adds +0.0. So the result does not depend on layout or
    padded width. `any` leaves the order open. All other kinds are exact.
    }] # reduceAbsence # [{
    ```mlir
    // given %x: tensor<4x64xf32>
    %0 = tile.reduce sum %x along 1 : tensor<4x64xf32> -> tensor<4xf32>
    %1 = tile.reduce sum %x along 0 {order = #tile.reduce_order<any>} : tensor<4x64xf32> -> tensor<64xf32>
    ```

    Rules:

    C1. the axis is less than the rank.
    C2. the kind accepts the element type: any, all and count take i1; and, or, xor integers or i1; max_num and min_num
        floats; the others numbers.
    C3. the result has the shape without the axis (a scalar for rank 1) and the element type above.
    C4. `order = any` is for sum and prod.
  }];
  let arguments = (ins TileArg<Tile_ReduceKindAttr, "kind">:$kind, TileArg<Tile_Tile, "operand">:$x,
                       TileArg<I64Attr, "axis">:$axis,
                       TileArg<DefaultValuedAttr<Tile_ReduceOrderAttr, "::tessera::tile::ReduceOrder::tree">,
                               "order of float sums and products">:$order);
  let results = (outs TileRes<Tile_Any, "combined">:$result);
  let assemblyFormat = "custom<Word>($kind) $x `along` $axis attr-dict `:` type($x) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_ReduceWithOp : Tile_PointsOp<"reduce_with", [RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "elements along an axis combined by a region";
  let description = [{
    The region combines two scalars; it is taken to be associative. The order is that of `tree`; an absent side passes
    the other on, no term gives the identity.
    }] # reduceAbsence # [{
    ```mlir
    // given %x: tensor<4x64xf32>, %one: f32
    %0 = tile.reduce_with %x, %one along 1 : tensor<4x64xf32>, f32 -> tensor<4xf32> {
    ^bb0(%a: f32, %b: f32):
      %1 = tile.mul %a, %b : f32
      tile.yield %1 : f32
    }
    ```

    Rules:

    C1. the axis is less than the rank; the identity has the operand's element type.
    C2. the region takes two scalars of the element type and yields one.
    C3. the result has the operand's element type and its shape without the axis.
  }];
  let arguments = (ins TileArg<Tile_Tile, "operand">:$x, TileArg<Tile_Element, "identity">:$identity,
                       TileArg<I64Attr, "axis">:$axis);
  let results = (outs TileRes<Tile_Any, "combined">:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$x `,` $identity `along` $axis attr-dict `:` type($x) `,` type($identity) `->` type($result) $body";
  let hasRegionVerifier = 1;
}

def Tile_ScanOp : Tile_PureOp<"scan"> {
  let summary = "running combination along an axis";
  let description = [{
    Element i combines the present elements 0 … i, or 0 … i-1 if `exclusive`; from the other end if `reverse`. Kinds: sum,
    prod, max, min. The interpreter goes element by element; float association is unspecified elsewhere. Absence: the
    result keeps all factors; absent terms are skipped. Element types as in `tile.reduce`.

    ```mlir
    // given %x: tensor<4x64xf32>
    %0 = tile.scan sum %x along 1 : tensor<4x64xf32> -> tensor<4x64xf32>
    %1 = tile.scan max %x along 0 {reverse, exclusive} : tensor<4x64xf32> -> tensor<4x64xf32>
    ```

    Rules:

    C1. the axis is less than the rank.
    C2. the kind is sum, prod, max or min, of numbers.
    C3. the result has the operand's shape and the element type of the reduction.
  }];
  let arguments = (ins TileArg<Tile_ReduceKindAttr, "kind">:$kind, TileArg<Tile_NumTile, "operand">:$x,
                       TileArg<I64Attr, "axis">:$axis, TileArg<UnitAttr, "from the far end">:$reverse,
                       TileArg<UnitAttr, "without the element itself">:$exclusive);
  let results = (outs TileRes<Tile_NumTile, "running values">:$result);
  let assemblyFormat = "custom<Word>($kind) $x `along` $axis attr-dict `:` type($x) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_ScanWithOp : Tile_PointsOp<"scan_with", [RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "running combination along an axis by a region";
  let description = [{
    As `tile.scan`, with a region that combines the value so far (first argument) with the next element.

    ```mlir
    // given %x: tensor<4x64xf32>, %one: f32
    %0 = tile.scan_with %x, %one along 1 {reverse} : tensor<4x64xf32>, f32 -> tensor<4x64xf32> {
    ^bb0(%so_far: f32, %element: f32):
      %1 = tile.mul %so_far, %element : f32
      tile.yield %1 : f32
    }
    ```

    Rules:

    C1. the axis is less than the rank; the identity has the operand's element type.
    C2. the region takes two scalars of the element type and yields one.
    C3. operand and result have one type.
  }];
  let arguments = (ins TileArg<Tile_Tile, "operand">:$x, TileArg<Tile_Element, "identity">:$identity,
                       TileArg<I64Attr, "axis">:$axis, TileArg<UnitAttr, "from the far end">:$reverse,
                       TileArg<UnitAttr, "without the element itself">:$exclusive);
  let results = (outs TileRes<Tile_Tile, "running values">:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$x `,` $identity `along` $axis attr-dict `:` type($x) `,` type($identity) `->` type($result) $body";
  let hasRegionVerifier = 1;
}

def Tile_TopKOp : Tile_PureOp<"topk"> {
  let summary = "the k greatest elements along an axis, descending";
  let description = [{
    NaN counts as greatest, -0 equals +0, ties go to the smaller index. Absent elements come last: positions past the
    number of present ones hold the identity of max and the index -1.
    }] # reduceAbsence # [{
    ```mlir
    // given %x: tensor<4x64xf32>
    %values, %indices = tile.topk 8 of %x along 1 : tensor<4x64xf32> -> tensor<4x8xf32>, tensor<4x8xi64>
    ```

    Rules:

    C1. the axis is less than the rank, and 1 <= k <= the extent.
    C2. values have the operand's element type, indices are i64; both have extent k at the axis.
  }];
  let arguments = (ins TileArg<Tile_NumTile, "operand">:$x, TileArg<I64Attr, "how many">:$k, TileArg<I64Attr, "axis">:$axis);
  let results = (outs TileRes<Tile_NumTile, "elements">:$values, TileRes<Tile_I64Tile, "indices">:$indices);
  let assemblyFormat = "$k `of` $x `along` $axis attr-dict `:` type($x) `->` type($values) `,` type($indices)";
  let hasVerifier = 1;
}

#endif // TESSERA_TILE_OPS_REDUCE
