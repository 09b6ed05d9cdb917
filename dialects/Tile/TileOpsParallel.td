//===- TileOpsParallel.td - sections, parallel loops, tasks, instructions -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TILE_OPS_PARALLEL
#define TESSERA_TILE_OPS_PARALLEL

include "TileOpsBase.td"

//===----------------------------------------------------------------------===//
// SectionOp
//===----------------------------------------------------------------------===//

def Tile_SectionOp : Tile_Op<"section", [RecursiveMemoryEffects, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "part of a loop's body with its own time and role";
  let description = [{
    Run in order, sections are the body that they cut up: that is their meaning. On the machine a section with `lead` d
    runs up to d steps of the loop ahead of those with lead 0, a section of a `role` runs in the threads of that role
    only, and `lag` g says that what it releases becomes free g steps later. Values pass from section to section of one
    role; from role to role only rings carry data.

    ```mlir
    // given %n: i64, %r: !tile.ring<3>, %x: !tile.view<?xbf16, in>
    // given %a: !tile.buf<32xbf16, shared, slots = 3>, %zero: tensor<32xbf16>
    %c0 = tile.constant 0 : i64
    %0 = tile.for %k in tiles(%c0 to %n by 32) carry(%acc = %zero : tensor<32xbf16>) {
      tile.section @load lead 2 {
        %s = tile.acquire %r : !tile.ring<3>
        tile.copy %x[%k] to %a slot %s fill zero : !tile.view<?xbf16, in>, !tile.span<32> to !tile.buf<32xbf16, shared, slots = 3>
        tile.commit %r : !tile.ring<3>
      }
      %1 = tile.section @use -> tensor<32xbf16> {
        %u = tile.await %r : !tile.ring<3>
        %t = tile.read %a slot %u span[%k] : !tile.buf<32xbf16, shared, slots = 3>, !tile.span<32> -> tensor<32xbf16>
        tile.release %r : !tile.ring<3>
        %2 = tile.add %acc, %t : tensor<32xbf16>
        tile.yield %2 : tensor<32xbf16>
      }
      tile.yield %1 : tensor<32xbf16>
    }
    ```

    Rules:

    C1. stands directly in the body of a loop or tasks.
    C2. beside sections, and loops made of sections, the body has only ops without memory effects, on scalars and spans.
    C3. sections of one body have different names.
    C4. lead and lag are 0 to 2^31; only a section of a loop that goes upwards has a lead.
    C5. yields have the results' types.
    C6. a section does not use results of a section with a smaller lead, and, with a lead, no carried value of the loop
        and no result of a loop beside it.
    C7. values do not pass between sections of different roles, carried ones included; what stands beside sections is
        computed by all.
    C8. each role is one of the kernel's `tile.roles`, and either all sections of a body have a role or none.
  }];
  let arguments = (ins TileArg<FlatSymbolRefAttr, "name">:$name,
                       TileArg<DefaultValuedAttr<I64Attr, "0">, "steps ahead">:$lead,
                       TileArg<DefaultValuedAttr<I64Attr, "0">, "steps until what it releases is free">:$lag,
                       TileArg<OptionalAttr<FlatSymbolRefAttr>, "threads that run it">:$role);
  let results = (outs TileRes<Variadic<AnyType>, "values for later sections">:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $name (`lead` $lead^)? (`lag` $lag^)? (`role` $role^)? (`->` type($results)^)? attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

//===----------------------------------------------------------------------===//
// ParOp
//===----------------------------------------------------------------------===//

def Tile_ParOp : Tile_Op<"par", [RecursiveMemoryEffects, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "steps that run side by side at a place";
  let description = [{
    Runs its body once for each index in [0, steps), in no stated order, each in its own warp, warpgroup or CTA of the
    cluster. Two steps must not touch one cell unless both only read it.

    ```mlir
    tile.par warp 8 {
    ^bb0(%w: i64):
      tile.print "warp", %w : i64
    }
    ```

    Rules:

    C1. the place is `cluster`, `wg` or `warp`.
    C2. there are 1 to 2^31 steps.
    C3. the body has one argument, the index, an i64, and yields nothing.
  }];
  let arguments = (ins TileArg<Tile_PlaceAttr, "where the steps run">:$place, TileArg<I64Attr, "number of steps">:$steps);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "custom<Word>($place) $steps attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// TasksOp
//===----------------------------------------------------------------------===//

def Tile_TasksOp : Tile_Op<"tasks", [RecursiveMemoryEffects, AttrSizedOperandSegments,
    SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "launch domain whose points CTAs take one after the other";
  let description = [{
    As `tile.grid`, but memory, rings and what stands before it in the kernel's body belong to a CTA, and each CTA runs
    several points: with G CTAs, CTA b runs the points b, b + G, … in the stated order. With `grouped g`, points are
    numbered so that g steps of the first axis come together, for each step of the second.

    ```mlir
    tile.kernel @tasks[%M "M", %N "N"]() body {
      %c0 = tile.constant 0 : i64
      tile.tasks (%m = tiles(%c0 to %M by 128), %n = tiles(%c0 to %N by 256)) grouped 8 {
        %start = tile.span_start %m : !tile.span<128>
        tile.print "task", %start : i64
      }
    }
    ```

    Rules:

    C1. lows, highs, widths and block arguments have the same number, at least one.
    C2. each width is 0 (indices) or positive (tiles).
    C3. a block argument is an i64 for indices and a span of the axis' width for tiles.
    C4. tasks stand directly in the body of a kernel, once, and not beside a grid.
    C5. `grouped` is 0 (row-major order) or positive and there are two axes.
  }];
  let arguments = (ins TileArg<Variadic<I64>, "first index of each axis">:$lows,
                       TileArg<Variadic<I64>, "end of each axis">:$highs,
                       TileArg<DenseI64ArrayAttr, "width of each axis' spans, 0 for indices">:$widths,
                       TileArg<DefaultValuedAttr<I64Attr, "0">, "steps of the first axis that come together">:$grouped);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

//===----------------------------------------------------------------------===//
// ElectOp
//===----------------------------------------------------------------------===//

def Tile_ElectOp : Tile_Op<"elect", [RecursiveMemoryEffects, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "one thread does it for all";
  let description = [{
    The body is run by one thread of those that reach it: as collective instructions want that one thread starts.

    ```mlir
    tile.elect {
      %c0 = tile.constant 0 : i64
      tile.print "elected", %c0 : i64
    }
    ```

    Rules:

    C1. the body has no arguments and yields nothing.
    C2. the body has no barrier and no op of a ring.
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// InstrOp
//===----------------------------------------------------------------------===//

def Tile_InstrOp : Tile_Op<"instr", [IsolatedFromAbove, Symbol, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "declaration of an instruction of a target";
  let description = [{
    What one execution does, as a tile program over the pieces that its operands name, and what it asks for: the group of
    threads that runs it, the order in which it combines, the way it takes to memory. `operands` has a dictionary for
    each argument of the body: `name`, `kind` (`frag`, `smem`, `view`, `scalar`, `predicate`), and, as the kind has it,
    `layout` (fragment map), `inout` or `out`, `whole` (absent elements are written, too), `align` (bytes), `contiguous`,
    `rows`, `families` (names of storage layouts), `address`. Results are the `inout` and `out` operands in their order.

    ```mlir
    tile.instr @copy_8 on "sm_80" scope thread order exact via cp_async operands [
        {name = "dst", kind = "smem", out, align = 16 : i64, contiguous},
        {name = "src", kind = "view", align = 16 : i64, contiguous} ] ptx "cp.async.cg.shared.global [{dst} ], [{src} ], 16;" {
    ^bb0(%dst: tensor<8xbf16>, %src: tensor<8xbf16>):
      %zero = tile.constant 0.0 : bf16 tensor<8xbf16>
      %0 = tile.fill_absent %src, %zero : tensor<8xbf16>
      tile.yield %0 : tensor<8xbf16>
    }
    ```

    Rules:

    C1. stands directly in a module.
    C2. `operands` is as long as the body's arguments, each a dictionary with a `name` (unique) and a `kind`; the argument
        of a `scalar` is an element, of a `predicate` an i1, of all others a tile.
    C3. each `frag` operand has a `layout`, a bijection from lanes and values to the positions of its tile.
    C4. the body has pure ops only, and yields a value of its tile for each `inout` and `out` operand.
    C5. `order` is not stronger than what the body's ops promise: a body with `tile.mma` is `dot` or `any`.
    C6. an operand is said nothing else of; `align` and `rows` are positive, `inout` excludes `out`.
  }];
  let arguments = (ins TileArg<SymbolNameAttr, "name">:$sym_name, TileArg<StrAttr, "least target">:$arch,
                       TileArg<Tile_ExecScopeAttr, "threads that run it together">:$scope,
                       TileArg<Tile_OrderClassAttr, "order of combination">:$order,
                       TileArg<Tile_ProxyAttr, "way to memory">:$via,
                       TileArg<ArrayAttr, "a dictionary for each operand">:$operand_info,
                       TileArg<StrAttr, "text of the instruction">:$ptx);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `on` $arch `scope` custom<Word>($scope) `order` custom<Word>($order) `via` custom<Word>($via)
    `operands` $operand_info `ptx` $ptx attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

//===----------------------------------------------------------------------===//
// ApplyOp
//===----------------------------------------------------------------------===//

def Tile_ApplyOp : Tile_Op<"apply", [RecursiveMemoryEffects, SingleBlockImplicitTerminator<"YieldOp">,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "ops that are done by an instruction";
  let description = [{
    The body is what is to be done, on whole tiles; `instr` names the instruction that does it piece by piece, as the
    `tile.iter` of its last op with dims says. `via` is the instruction's way to memory: unless it is `generic` the op
    is asynchronous. Its accesses then happen at some time after it starts and before its completion is waited for: by
    the ring whose slot it fills or reads, or by `tile.group_wait`.

    ```mlir
    // given %x: !tile.view<?xbf16, in>, %k: !tile.span<32>, %a: !tile.buf<32xbf16, shared, slots = 3>, %s: !tile.slot
    tile.apply @copy_8 via cp_async {
      tile.copy %x[%k] to %a slot %s fill zero {tile.iter = #tile.iter<d0 = lane 4 * atom 8>}
        : !tile.view<?xbf16, in>, !tile.span<32> to !tile.buf<32xbf16, shared, slots = 3>
    }
    ```

    Rules:

    C1. `instr` is a `tile.instr` of the module, and `via` is its own.
    C2. the body has no ring ops, barriers, loops, `elect` or further instructions.
    C3. yields have the results' types.
    C4. only `wgmma` has results among those that are not `generic`.
  }];
  let arguments = (ins TileArg<FlatSymbolRefAttr, "instruction">:$instr,
                       TileArg<DefaultValuedAttr<Tile_ProxyAttr, "::tessera::tile::Proxy::generic">,
                               "way to memory">:$via);
  let results = (outs TileRes<Variadic<AnyType>, "values made">:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$instr (`via` custom<Word>($via)^)? (`->` type($results)^)? attr-dict-with-keyword $body";
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

#endif // TESSERA_TILE_OPS_PARALLEL
