//===- TileOpsKernel.td - kernels, grids, loops ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TILE_OPS_KERNEL
#define TESSERA_TILE_OPS_KERNEL

include "TileOpsBase.td"

//===----------------------------------------------------------------------===//
// ForOp
//===----------------------------------------------------------------------===//

def Tile_ForOp : Tile_Op<"for", [AutomaticAllocationScope, RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"YieldOp">,
    DeclareOpInterfaceMethods<LoopLikeOpInterface, ["getInitsMutable", "getRegionIterArgs", "getYieldedValuesMutable",
                                                    "getLoopResults"]>,
    DeclareOpInterfaceMethods<RegionBranchOpInterface, ["getEntrySuccessorOperands"]>]> {
  let summary = "sequential loop over the tiles or the indices of a range";
  let description = [{
    Runs its body for every step of [lo, hi), in ascending order or, `reversed`, in descending order of the same steps.
    With width W > 0 a step is the span (lo + i*W, hi) of width W; with width 0 it is the index itself as an i64.
    Steps are fixed at entry. A range with hi <= lo has no step. Values carried from step to step start as the inits;
    the results are the last step's yields, or the inits if there is no step.

    ```mlir
    // given %k: i64, %zero: tensor<32xf32>, %x: !tile.view<?xf32, in>
    %c0 = tile.constant 0 : i64
    %sum = tile.for %r in tiles(%c0 to %k by 32) carry(%acc = %zero : tensor<32xf32>) {
      %t = tile.load %x[%r] : !tile.view<?xf32, in>, !tile.span<32> -> tensor<32xf32>
      %next = tile.add %acc, %t : tensor<32xf32>
      tile.yield %next : tensor<32xf32>
    }
    tile.for %j in range(%c0 to %k) reversed {
      tile.print "step", %j : i64
    }
    ```

    Rules:

    C1. the width is 0 (indices) or positive (tiles).
    C2. the first block argument is an i64 for indices and a span of the width for tiles.
    C3. carried block arguments, inits, yields and results have the same types.

    Absence: a carried value has the factors that it was yielded with.
  }];
  let arguments = (ins TileArg<I64, "first index">:$lo, TileArg<I64, "end of the range">:$hi,
                       TileArg<Variadic<AnyType>, "initial carried values">:$inits,
                       TileArg<I64Attr, "width of a step's span, 0 for indices">:$width,
                       TileArg<UnitAttr, "descending order">:$reversed);
  let results = (outs TileRes<Variadic<AnyType>, "carried values after the last step">:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::BlockArgument getStep() { return getBody().getArgument(0); }
    ::mlir::ValueRange getCarried() { return getBody().getArguments().drop_front(); }
  }];
}

//===----------------------------------------------------------------------===//
// GridOp
//===----------------------------------------------------------------------===//

def Tile_GridOp : Tile_Op<"grid", [RecursiveMemoryEffects, AttrSizedOperandSegments,
    SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "launch domain: independent points in tile coordinates";
  let description = [{
    Runs its body once for every point of the product of its axes, in no stated order. An axis with width W > 0 gives
    the spans of width W over [lo, hi); an axis with width 0 gives the indices of [lo, hi).

    Two points must not touch the same element of a view unless both only read it or both use atomics: anything else is
    a checked error, equal values included.

    ```mlir
    tile.kernel @points[%M "M", %H "H"]() body {
      %c0 = tile.constant 0 : i64
      tile.grid (%m = tiles(%c0 to %M by 64), %h = range(%c0 to %H)) {
        %start = tile.span_start %m : !tile.span<64>
        tile.print "point", %start : i64
      }
    }
    ```

    Rules:

    C1. lows, highs, widths and block arguments have the same number, at least one.
    C2. each width is 0 (indices) or positive (tiles).
    C3. a block argument is an i64 for indices and a span of the axis' width for tiles.
    C4. a grid stands directly in the body of a kernel, and only once.
  }];
  let arguments = (ins TileArg<Variadic<I64>, "first index of each axis">:$lows,
                       TileArg<Variadic<I64>, "end of each axis">:$highs,
                       TileArg<DenseI64ArrayAttr, "width of each axis' spans, 0 for indices">:$widths);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// KernelOp
//===----------------------------------------------------------------------===//

def Tile_KernelOp : Tile_Op<"kernel", [IsolatedFromAbove, Symbol, NoTerminator,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "one instance of a kernel: extents, arguments, body and what is right";
  let description = [{
    A kernel with every static value fixed. Its arguments are the named extents (i64), then views and scalars. Four
    regions see the same arguments:

    - `where`: `tile.require` states what holds at launch.
    - `body`: the tile program, usually one `tile.grid`.
    - `reference`: formulas; its `tile.yield` gives the arrays named by `reference_names`. A name that is an `out` or
      `inout` argument is what that view must hold.
    - `tolerance`: sees, after the arguments, the arrays of `reference`; its `tile.yield` gives one bound array for each
      name in `tolerance_names`.

    `shapes` has one entry for each argument after the extents: for a view an affine map from the extents (symbols) to
    its extents, for a scalar a unit attribute. The launcher solves extents from it and checks the rest.

    ```mlir
    tile.kernel @double[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                                %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
    where {
      %c1 = tile.constant 1 : i64
      %0 = tile.cmp ge, %N, %c1 : i64
      tile.require %0, "N >= 1"
    }
    body {
      %c0 = tile.constant 0 : i64
      tile.grid (%r = tiles(%c0 to %N by 64)) {
        %0 = tile.load %x[%r] : !tile.view<?xf32, in>, !tile.span<64> -> tensor<64xf32>
        %1 = tile.add %0, %0 : tensor<64xf32>
        tile.store %1, %y[%r] : tensor<64xf32>, !tile.view<?xf32, out>, !tile.span<64>
      }
    }
    reference ["y"] {
      %c0 = tile.constant 0 : i64
      %twice = tile.map (%i in %c0 to %N) -> tensor<?xf32> {
        %0 = tile.at %x[%i] : !tile.view<?xf32, in> -> f32
        %1 = tile.add %0, %0 : f32
        tile.yield %1 : f32
      }
      tile.yield %twice : tensor<?xf32>
    }
    tolerance exact
    ```

    The text leaves out regions that are empty, `[…]` where there are no extents and `math strict`. A bound is given by
    `tolerance ["y"] (%y_ref: tensor<?xf32>) { … }`, whose arguments are the arrays of `reference`.

    Rules:

    C1. the first `extents` arguments are i64; the others are views or scalars.
    C2. argument names are unique and as many as arguments.
    C3. every region that is not empty has the kernel's arguments; `tolerance` has the reference arrays after them.
    C4. `shapes` has an entry for each argument after the extents: for a view a map with `extents` symbols, no dims and
        the view's rank as results, constant exactly where the view's extent is static; for a scalar a unit attribute.
    C5. `reference_names` are as many as the arrays that `reference` yields, `tolerance_names` as the bounds, and each
        bounded name is a writable argument that `reference` defines.
    C6. a float view that is written has a bound or the kernel is `tolerance_exact`, where it has a reference.
  }];
  let arguments = (ins TileArg<SymbolNameAttr, "name">:$sym_name,
                       TileArg<TypeArrayAttr, "types of all arguments">:$arg_types,
                       TileArg<StrArrayAttr, "names of all arguments">:$arg_names,
                       TileArg<I64Attr, "how many leading arguments are extents">:$extents,
                       TileArg<ArrayAttr, "shape of each argument after the extents">:$shapes,
                       TileArg<DefaultValuedAttr<Tile_MathModeAttr, "::tessera::tile::MathMode::strict">,
                               "freedom of float arithmetic">:$math,
                       TileArg<DefaultValuedAttr<StrArrayAttr, "{}">, "names of the arrays of `reference`">:$reference_names,
                       TileArg<DefaultValuedAttr<StrArrayAttr, "{}">, "names of the bounds of `tolerance`">:$tolerance_names,
                       TileArg<UnitAttr, "outputs equal the reference bit for bit">:$tolerance_exact,
                       TileArg<OptionalAttr<DictionaryAttr>, "static values of the instance, for messages">:$instance,
                       TileArg<OptionalAttr<StrArrayAttr>, "optional arguments this instance is without">:$missing);
  let regions = (region MaxSizedRegion<1>:$where, MaxSizedRegion<1>:$body, MaxSizedRegion<1>:$reference,
                        MaxSizedRegion<1>:$tolerance);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Number of arguments, extents included.
    unsigned getNumArguments() { return getArgTypes().size(); }
    ::llvm::StringRef getArgName(unsigned i) { return ::llvm::cast<::mlir::StringAttr>(getArgNames()[i]).getValue(); }
    ::mlir::Type getArgType(unsigned i) { return ::llvm::cast<::mlir::TypeAttr>(getArgTypes()[i]).getValue(); }
    /// Shape map of argument `i` (>= extents), null for a scalar.
    ::mlir::AffineMap getShapeMap(unsigned i);
    /// Index of the argument called `name`, or -1.
    int64_t findArgument(::llvm::StringRef name);
  }];
}

//===----------------------------------------------------------------------===//
// RequireOp
//===----------------------------------------------------------------------===//

def Tile_RequireOp : Tile_Op<"require"> {
  let summary = "condition that a launch must satisfy";
  let description = [{
    A launch whose condition is false, or absent, is refused with the text before anything runs.

    ```mlir
    tile.kernel @small[%N "N"]() where {
      %limit = tile.constant 16384 : i64
      %0 = tile.cmp le, %N, %limit : i64
      tile.require %0, "N <= 16384"
    }
    ```

    Rules:

    C1. stands directly in a kernel's `where` region.
  }];
  let arguments = (ins TileArg<I1, "what must hold">:$condition, TileArg<StrAttr, "source text">:$text);
  let assemblyFormat = "$condition `,` $text attr-dict";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// YieldOp
//===----------------------------------------------------------------------===//

def Tile_YieldOp : Tile_Op<"yield", [Pure, Terminator, ReturnLike]> {
  let summary = "end of a region, with its values";
  let description = [{
    ```mlir
    // given %x: tensor<4x64xf32>, %zero: f32
    %0 = tile.reduce_with %x, %zero along 1 : tensor<4x64xf32>, f32 -> tensor<4xf32> {
    ^bb0(%a: f32, %b: f32):
      %1 = tile.add %a, %b : f32
      tile.yield %1 : f32
    }
    ```

    Rules:

    C1. stands at the end of a region of an op of this dialect.
  }];
  let arguments = (ins TileArg<Variadic<AnyType>, "values of the region">:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), [{ /* no values */ }]>];
  let hasVerifier = 1;
}

#endif // TESSERA_TILE_OPS_KERNEL
