//===- TileOpsSync.td - barriers, fences, groups of asynchronous ops ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TILE_OPS_SYNC
#define TESSERA_TILE_OPS_SYNC

include "TileOpsBase.td"

class Tile_SyncOp<string opMnemonic> : Tile_Op<opMnemonic, [MemoryEffects<[MemRead, MemWrite]>]>;

def Tile_BarrierOp : Tile_SyncOp<"barrier"> {
  let summary = "threads of a scope wait for each other";
  let description = [{
    No thread of the scope goes on before all have come, and what they wrote before is visible to all after. In a section
    with a role, `cta` stands for the threads of that role. All threads of the scope must reach it equally often.

    ```mlir
    tile.barrier cta
    ```

    Rules:

    C1. the scope is `warp`, `wg`, `cta` or `cluster`.
  }];
  let arguments = (ins TileArg<Tile_ExecScopeAttr, "threads that wait">:$scope);
  let assemblyFormat = "custom<Word>($scope) attr-dict";
  let hasVerifier = 1;
}

def Tile_FenceOp : Tile_SyncOp<"fence"> {
  let summary = "generic writes become visible to asynchronous ops";
  let description = [{
    What a thread wrote before in the generic way is visible to asynchronous ops (`tma`, `bulk`, `wgmma`) that start
    after it, once the threads are ordered by a barrier or a ring.

    ```mlir
    tile.fence
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Tile_GroupCommitOp : Tile_SyncOp<"group_commit"> {
  let summary = "ends a group of asynchronous ops";
  let description = [{
    Asynchronous ops started since the last commit form a group, possibly an empty one. Groups of one kind complete in
    the order in which they were committed.

    ```mlir
    tile.group_commit cp_async
    ```

    Rules:

    C1. the kind is `cp_async`, `bulk` or `wgmma`.
  }];
  let arguments = (ins TileArg<Tile_ProxyAttr, "kind of the ops">:$via);
  let assemblyFormat = "custom<Word>($via) attr-dict";
  let hasVerifier = 1;
}

def Tile_GroupWaitOp : Tile_SyncOp<"group_wait"> {
  let summary = "waits for groups of asynchronous ops";
  let description = [{
    Waits until at most `pending` of the groups committed last are not complete. Each thread waits for its own ops only:
    others see what they wrote after a barrier.

    ```mlir
    tile.group_wait cp_async pending 1
    ```

    Rules:

    C1. the kind is `cp_async`, `bulk` or `wgmma`.
    C2. `pending` is at least 0.
  }];
  let arguments = (ins TileArg<Tile_ProxyAttr, "kind of the ops">:$via,
                       TileArg<I64Attr, "groups that may be left">:$pending);
  let assemblyFormat = "custom<Word>($via) `pending` $pending attr-dict";
  let hasVerifier = 1;
}

#endif // TESSERA_TILE_OPS_SYNC
