//===- TileOpsRing.td - bounded queues of slots ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TILE_OPS_RING
#define TESSERA_TILE_OPS_RING

include "TileOpsBase.td"

/// An op that moves a ring on: it waits or tells others, so it is neither removed nor merged.
class Tile_RingOpBase<string opMnemonic> : Tile_Op<opMnemonic, [MemoryEffects<[MemRead, MemWrite]>]>;

def Tile_RingOp : Tile_Op<"ring", [MemoryEffects<[MemAlloc]>]> {
  let summary = "queue over the slots of bufs";
  let description = [{
    Joins bufs of S slots to one queue. `protocol` says how filled and free are told: `cta_sync` by a barrier of the CTA,
    `cp_async` by commit groups and a barrier, `mbarrier` by a pair of barriers per slot, `bulk` by bulk store groups.

    ```mlir
    %a = tile.alloc : !tile.buf<128x32xbf16, shared, slots = 3>
    %b = tile.alloc : !tile.buf<32x128xbf16, shared, slots = 3>
    %0 = tile.ring %a, %b protocol cp_async
      : !tile.buf<128x32xbf16, shared, slots = 3>, !tile.buf<32x128xbf16, shared, slots = 3> -> !tile.ring<3>
    ```

    Rules:

    C1. there is at least one buf, and each has as many slots as the ring.
    C2. a buf is in one ring only, once.
    C3. does not stand in a loop, a branch, a section or another region of a kernel's body, grid or tasks.
  }];
  let arguments = (ins TileArg<Variadic<Tile_BufType>, "bufs">:$bufs,
                       TileArg<Tile_ProtocolAttr, "how slots change hands">:$protocol);
  let results = (outs TileRes<Tile_RingType, "queue">:$result);
  let assemblyFormat = [{
    $bufs `protocol` custom<Word>($protocol) attr-dict `:` qualified(type($bufs)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Tile_AcquireOp : Tile_RingOpBase<"acquire"> {
  let summary = "the next free slot, to be filled";
  let description = [{
    Waits until the slot that is next in turn is released by all of its users.

    ```mlir
    // given %r: !tile.ring<3>
    %0 = tile.acquire %r : !tile.ring<3>
    tile.commit %r : !tile.ring<3>
    ```

    Rules:

    C1. the slot is committed in the same block, before the next acquire of the ring.
  }];
  let arguments = (ins TileArg<Tile_RingType, "queue">:$ring);
  let results = (outs TileRes<Tile_SlotType, "free slot">:$slot);
  let assemblyFormat = "$ring attr-dict `:` qualified(type($ring))";
  let hasVerifier = 1;
}

def Tile_CommitOp : Tile_RingOpBase<"commit"> {
  let summary = "the acquired slot is filled";
  let description = [{
    Ends the filling of the slot acquired last. Asynchronous copies into it, started since, belong to it: it counts as
    filled once they are done.

    ```mlir
    // given %r: !tile.ring<3>
    %0 = tile.acquire %r : !tile.ring<3>
    tile.commit %r : !tile.ring<3>
    ```

    Rules:

    C1. an acquire of the ring stands before it in the same block, without a commit between.
  }];
  let arguments = (ins TileArg<Tile_RingType, "queue">:$ring);
  let assemblyFormat = "$ring attr-dict `:` qualified(type($ring))";
  let hasVerifier = 1;
}

def Tile_AwaitOp : Tile_RingOpBase<"await"> {
  let summary = "the oldest filled slot, to be used";
  let description = [{
    Waits until the slot that is next in turn is filled; what was written to it is then visible.

    ```mlir
    // given %r: !tile.ring<3>
    %0 = tile.await %r : !tile.ring<3>
    tile.release %r : !tile.ring<3>
    ```

    Rules:

    C1. the slot is released in the same block, before the next await of the ring.
  }];
  let arguments = (ins TileArg<Tile_RingType, "queue">:$ring);
  let results = (outs TileRes<Tile_SlotType, "filled slot">:$slot);
  let assemblyFormat = "$ring attr-dict `:` qualified(type($ring))";
  let hasVerifier = 1;
}

def Tile_ReleaseOp : Tile_RingOpBase<"release"> {
  let summary = "the awaited slot is free again";
  let description = [{
    Ends the use of the slot awaited last. In a section with `lag(g)` the slot becomes free g steps later, when the
    asynchronous ops that read it are done.

    ```mlir
    // given %r: !tile.ring<3>
    %0 = tile.await %r : !tile.ring<3>
    tile.release %r : !tile.ring<3>
    ```

    Rules:

    C1. an await of the ring stands before it in the same block, without a release between.
  }];
  let arguments = (ins TileArg<Tile_RingType, "queue">:$ring);
  let assemblyFormat = "$ring attr-dict `:` qualified(type($ring))";
  let hasVerifier = 1;
}

#endif // TESSERA_TILE_OPS_RING
