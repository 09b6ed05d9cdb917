//===- TileOpsShape.td - constants, index maps, absence -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TILE_OPS_SHAPE
#define TESSERA_TILE_OPS_SHAPE

include "TileOpsBase.td"

def Tile_AbsentOp : Tile_PureOp<"absent"> {
  let summary = "value with no element present";
  let description = [{
    Carries one factor over all its axes that is false everywhere. Made for an element of a missing argument and by
    `absent` in formulas.

    ```mlir
    %0 = tile.absent : tensor<8xf32>
    ```
  }];
  let arguments = (ins);
  let results = (outs TileRes<Tile_Any, "absent value">:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Tile_BroadcastOp : Tile_PureOp<"broadcast"> {
  let summary = "tile repeated along axes of extent 1";
  let description = [{
    Absence: factors keep their axes, except that a repeated axis leaves them.

    ```mlir
    // given %x: tensor<4x1xf32>
    %0 = tile.broadcast %x : tensor<4x1xf32> to tensor<4x64xf32>
    ```

    Rules:

    C1. operand and result have one rank and element type.
    C2. each extent of the operand is 1 or the result's.
  }];
  let arguments = (ins TileArg<Tile_Tile, "operand">:$x);
  let results = (outs TileRes<Tile_Tile, "repeated">:$result);
  let assemblyFormat = "$x attr-dict `:` type($x) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_CatOp : Tile_PureOp<"cat"> {
  let summary = "tiles joined along an axis";
  let description = [{
    Absence: the factors of the parts become one factor over all axes, unless no part has any.

    ```mlir
    // given %a: tensor<4x16xf32>, %b: tensor<4x48xf32>
    %0 = tile.cat %a, %b along 1 : tensor<4x16xf32>, tensor<4x48xf32> to tensor<4x64xf32>
    ```

    Rules:

    C1. there is at least one operand, and the axis is less than the rank.
    C2. operands and result have one element type and the same extents but along the axis, where the result has their sum.
  }];
  let arguments = (ins TileArg<Variadic<Tile_Tile>, "parts">:$parts, TileArg<I64Attr, "axis">:$axis);
  let results = (outs TileRes<Tile_Tile, "joined">:$result);
  let assemblyFormat = "$parts `along` $axis attr-dict `:` type($parts) `to` type($result)";
  let hasVerifier = 1;
}

def Tile_ConstantOp : Tile_PureOp<"constant", [ConstantLike]> {
  let summary = "scalar constant, or a tile of it";
  let description = [{
    Every element has the given value; none is absent.

    ```mlir
    %0 = tile.constant 1.0 : f32
    %1 = tile.constant 0xFF800000 : f32 tensor<8x4xf32>
    ```

    Rules:

    C1. the value is a float or integer attribute of the result's element type.
  }];
  let arguments = (ins TileArg<TypedAttrInterface, "the element">:$value);
  let results = (outs TileRes<Tile_Any, "constant">:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_ConvertOp : Tile_PureOp<"convert", [SameOperandsAndResultType]> {
  let summary = "the same tile in other threads";
  let description = [{
    Layout assignment puts it where an element is needed by another thread than the one that holds it; `tile.dist` says
    who holds the result. Elements and absence are the operand's.

    ```mlir
    // given %x: tensor<4x64xf32>
    %0 = tile.convert %x {tile.dist = [#tile.dist<reg 2 d1 1, lane 32 d1 2, warp 4 d0 1>]} : tensor<4x64xf32>
    ```

    Rules:

    C1. operand and result have one type.
  }];
  let arguments = (ins TileArg<Tile_Tile, "operand">:$x);
  let results = (outs TileRes<Tile_Tile, "the same elements">:$result);
  let assemblyFormat = "$x attr-dict `:` type($result)";
}

def Tile_ExpandOp : Tile_PureOp<"expand"> {
  let summary = "tile or scalar with axes of extent 1 put in";
  let description = [{
    `axes` are positions in the result. Absence: factors are renumbered.

    ```mlir
    // given %x: tensor<8xf32>
    %0 = tile.expand %x at [1] : tensor<8xf32> to tensor<8x1xf32>
    ```

    Rules:

    C1. `axes` are ascending, less than the result's rank, and as many as the ranks differ, at least one.
    C2. element types are one; the result has extent 1 at `axes` and the operand's extents elsewhere.
  }];
  let arguments = (ins TileArg<Tile_Any, "operand">:$x, TileArg<DenseI64ArrayAttr, "new axes">:$axes);
  let results = (outs TileRes<Tile_Tile, "with more axes">:$result);
  let assemblyFormat = "$x `at` $axes attr-dict `:` type($x) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_FillAbsentOp : Tile_PureOp<"fill_absent", [SameOperandsAndResultType]> {
  let summary = "tile whose absent elements take another tile's";
  let description = [{
    Element: the first operand's where it is present, else the second's. Absence: the first operand's factors are
    dropped; if the second has factors, the result has one factor over all axes: either is present.

    ```mlir
    // given %x: tensor<8xf32>
    %zero = tile.constant 0.0 : f32 tensor<8xf32>
    %0 = tile.fill_absent %x, %zero : tensor<8xf32>
    ```

    Rules:

    C1. operands and result have one type.
  }];
  let arguments = (ins TileArg<Tile_Any, "operand">:$x, TileArg<Tile_Any, "what takes the place of absent">:$fill);
  let results = (outs TileRes<Tile_Any, "filled">:$result);
  let assemblyFormat = "$x `,` $fill attr-dict `:` type($result)";
  let hasFolder = 1;
}

def Tile_FlipOp : Tile_PureOp<"flip", [SameOperandsAndResultType]> {
  let summary = "tile with an axis reversed";
  let description = [{
    Element i along the axis is the operand's element extent - 1 - i. Absence moves with the elements.

    ```mlir
    // given %x: tensor<4x8xf32>
    %0 = tile.flip %x along 1 : tensor<4x8xf32>
    ```

    Rules:

    C1. the axis is less than the rank.
  }];
  let arguments = (ins TileArg<Tile_Tile, "operand">:$x, TileArg<I64Attr, "axis">:$axis);
  let results = (outs TileRes<Tile_Tile, "reversed">:$result);
  let assemblyFormat = "$x `along` $axis attr-dict `:` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_IotaOp : Tile_PureOp<"iota"> {
  let summary = "0, 1, 2, … as an i64 tile";
  let description = [{
    ```mlir
    %0 = tile.iota : tensor<8xi64>
    ```

    Rules:

    C1. the result has rank 1.
  }];
  let arguments = (ins);
  let results = (outs TileRes<Tile_I64Tile, "indices">:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_KeepIfOp : Tile_PureOp<"keep_if", [AllTypesMatch<["x", "result"]>]> {
  let summary = "tile with elements made absent by a condition";
  let description = [{
    Adds a factor over `axes` that holds where the condition is true and present; the condition's own factors are added
    too. Elements keep their values.

    ```mlir
    // given %x: tensor<8x4xf32>, %c: tensor<8x1xi1>
    %0 = tile.keep_if %x, %c over [0] : tensor<8x4xf32>, tensor<8x1xi1>
    ```

    Rules:

    C1. operand and condition have one rank.
    C2. `axes` are ascending and less than the rank.
    C3. the condition's extent is the operand's at `axes` and 1 elsewhere.
  }];
  let arguments = (ins TileArg<Tile_Any, "operand">:$x, TileArg<Tile_AnyBool, "which elements stay">:$condition,
                       TileArg<DenseI64ArrayAttr, "axes of the factor">:$axes);
  let results = (outs TileRes<Tile_Any, "with a factor more">:$result);
  let assemblyFormat = "$x `,` $condition `over` $axes attr-dict `:` type($x) `,` type($condition)";
  let hasVerifier = 1;
}

def Tile_PermuteOp : Tile_PureOp<"permute"> {
  let summary = "tile with its axes in another order";
  let description = [{
    Axis i of the result is axis permutation[i] of the operand. Absence: factors are renumbered.

    ```mlir
    // given %x: tensor<4x8xf32>
    %0 = tile.permute %x, [1, 0] : tensor<4x8xf32> to tensor<8x4xf32>
    ```

    Rules:

    C1. the permutation is one of the operand's axes.
    C2. the result has the operand's element type and permuted extents.
  }];
  let arguments = (ins TileArg<Tile_Tile, "operand">:$x, TileArg<DenseI64ArrayAttr, "order">:$permutation);
  let results = (outs TileRes<Tile_Tile, "permuted">:$result);
  let assemblyFormat = "$x `,` $permutation attr-dict `:` type($x) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_PresentOp : Tile_PureOp<"present", [
    TypesMatchWith<"the result has the operand's shape", "x", "result",
                   "::tessera::tile::withElementType($_self, ::mlir::IntegerType::get($_self.getContext(), 1))">]> {
  let summary = "whether an element is present";
  let description = [{
    The result is present everywhere.

    ```mlir
    // given %x: tensor<8xf32>
    %0 = tile.present %x : tensor<8xf32>
    ```
  }];
  let arguments = (ins TileArg<Tile_Any, "operand">:$x);
  let results = (outs TileRes<Tile_AnyBool, "truth values">:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
  let hasFolder = 1;
}

def Tile_ReshapeOp : Tile_PureOp<"reshape"> {
  let summary = "the same elements, row by row, in another shape";
  let description = [{
    Absence: a factor whose axes are kept whole by the reshape is renumbered; the others become one factor over all axes.

    ```mlir
    // given %x: tensor<4x8xf32>
    %0 = tile.reshape %x : tensor<4x8xf32> to tensor<32xf32>
    ```

    Rules:

    C1. operand and result have one element type and the same number of elements.
  }];
  let arguments = (ins TileArg<Tile_Tile, "operand">:$x);
  let results = (outs TileRes<Tile_Tile, "reshaped">:$result);
  let assemblyFormat = "$x attr-dict `:` type($x) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_SliceOp : Tile_PureOp<"slice"> {
  let summary = "part of a tile at constant offsets";
  let description = [{
    Elements [offset, offset + extent) along each axis, extents from the result's type. Absence moves with the elements.

    ```mlir
    // given %x: tensor<4x8xf32>
    %0 = tile.slice %x from [0, 2] : tensor<4x8xf32> to tensor<4x4xf32>
    ```

    Rules:

    C1. there is an offset for each axis; operand and result have one rank and element type.
    C2. each part lies inside the operand.
  }];
  let arguments = (ins TileArg<Tile_Tile, "operand">:$x, TileArg<DenseI64ArrayAttr, "first elements">:$offsets);
  let results = (outs TileRes<Tile_Tile, "part">:$result);
  let assemblyFormat = "$x `from` $offsets attr-dict `:` type($x) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_SplatOp : Tile_PureOp<"splat"> {
  let summary = "tile whose elements are one scalar";
  let description = [{
    Absence: an absent scalar gives one factor over all axes.

    ```mlir
    // given %x: f32
    %0 = tile.splat %x : f32 to tensor<8xf32>
    ```

    Rules:

    C1. the scalar has the result's element type.
  }];
  let arguments = (ins TileArg<Tile_Element, "scalar">:$x);
  let results = (outs TileRes<Tile_Tile, "tile">:$result);
  let assemblyFormat = "$x attr-dict `:` type($x) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_SqueezeOp : Tile_PureOp<"squeeze"> {
  let summary = "tile without some axes of extent 1";
  let description = [{
    The inverse of `tile.expand`. Absence: factors are renumbered; a squeezed axis leaves them.

    ```mlir
    // given %x: tensor<8x1xf32>
    %0 = tile.squeeze %x at [1] : tensor<8x1xf32> to tensor<8xf32>
    ```

    Rules:

    C1. `axes` are ascending, at least one, less than the operand's rank, and the operand's extents there are 1.
    C2. the result has the other extents: a scalar if none is left.
  }];
  let arguments = (ins TileArg<Tile_Tile, "operand">:$x, TileArg<DenseI64ArrayAttr, "axes to drop">:$axes);
  let results = (outs TileRes<Tile_Any, "with fewer axes">:$result);
  let assemblyFormat = "$x `at` $axes attr-dict `:` type($x) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

#endif // TESSERA_TILE_OPS_SHAPE
