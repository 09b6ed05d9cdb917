//===- TilePasses.td - passes on the tile dialect -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TILE_PASSES
#define TESSERA_TILE_PASSES

include "mlir/Pass/PassBase.td"

def PrintAbsence : Pass<"tile-print-absence", "::tessera::tile::KernelOp"> {
  let summary = "remark which factors of absence each value may have";
  let description = [{
    Emits a remark `absent [[0], [0, 1]]` for every value of a kernel that has elements: the sets of axes over which
    factors may exist, `[]` where no element can be absent. Carried values and results of loops and branches are
    remarked at their op. The IR does not change.

    - Input: any kernel. Refuses nothing.
    - Complexity: the size of the kernel times the depth of its loops.
  }];
  let options = [Option<"namedOnly", "named-only", "bool", /*default=*/"false",
                        "only values that carry the name of a variable">];
}

def VerifyKernels : Pass<"tile-verify-kernels", "::tessera::tile::KernelOp"> {
  let summary = "check that each region of a kernel holds only what belongs there";
  let description = [{
    The boundary between levels, run after the frontend and before anything relies on it. The IR does not change; every
    violation is an error at its op.

    - `where`: scalar ops, `tile.dim` and `tile.require`.
    - `body`: tiles, views and control flow; no formulas (`map`, `fold`, `at`), and no tensor with a `?` extent.
    - `reference`, `tolerance`: formulas of scalars: `map`, `fold`, `at`, scalar ops; arrays with `?` extents, no tiles,
      no loads or stores.
    - No op of another dialect but `scf.if`, `scf.while` and their terminators.

    - Input: a kernel that the verifier accepts.
    - Complexity: the size of the kernel.
  }];
}

#endif // TESSERA_TILE_PASSES
