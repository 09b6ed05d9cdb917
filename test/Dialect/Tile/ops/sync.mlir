// Barriers, fences, groups: the text, and the generic form.
// RUN: tile-opt %s --verify-roundtrip | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: @syncs
func.func @syncs() {
  // CHECK-NEXT: tile.barrier warp
  // GENERIC:    "tile.barrier"() <{scope = #tile.exec_scope<warp>}> : () -> ()
  tile.barrier warp
  // CHECK-NEXT: tile.barrier wg {id = 3 : i64}
  tile.barrier wg {id = 3 : i64}
  // CHECK-NEXT: tile.barrier cta
  tile.barrier cta
  // CHECK-NEXT: tile.barrier cluster
  tile.barrier cluster
  // CHECK-NEXT: tile.fence
  // GENERIC:    "tile.fence"() : () -> ()
  tile.fence
  // CHECK-NEXT: tile.group_commit cp_async
  // GENERIC:    "tile.group_commit"() <{via = #tile.proxy<cp_async>}> : () -> ()
  tile.group_commit cp_async
  // CHECK-NEXT: tile.group_commit bulk
  tile.group_commit bulk
  // CHECK-NEXT: tile.group_commit wgmma
  tile.group_commit wgmma
  // CHECK-NEXT: tile.group_wait cp_async pending 1
  // GENERIC:    "tile.group_wait"() <{pending = 1 : i64, via = #tile.proxy<cp_async>}> : () -> ()
  tile.group_wait cp_async pending 1
  // CHECK-NEXT: tile.group_wait bulk pending 0
  tile.group_wait bulk pending 0
  return
}
