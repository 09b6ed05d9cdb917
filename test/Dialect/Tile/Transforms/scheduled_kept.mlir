// What a schedule made stays as it is and where it is: copies, reads around writes, rings, barriers, groups.
// RUN: tile-opt %s --canonicalize --cse --canonicalize | FileCheck %s

tile.instr @copy on "sm_80" scope thread order exact via cp_async operands [{name = "d", kind = "smem", out}, {name = "s", kind = "view"}] ptx "" {
^bb0(%d: tensor<4xf32>, %s: tensor<4xf32>):
  tile.yield %s : tensor<4xf32>
}
tile.instr @add on "sm_80" scope warp order exact via generic operands [{name = "a", kind = "smem", inout}] ptx "" {
^bb0(%a: tensor<4xf32>):
  tile.yield %a : tensor<4xf32>
}

// The same copy twice is two copies: another thread may write between them. So are the same barriers.
// CHECK-LABEL: @twice
func.func @twice(%x: !tile.view<4xf32, in>, %a: !tile.buf<4xf32, shared>) {
  // CHECK-NEXT: tile.copy
  // CHECK-NEXT: tile.copy
  // CHECK-NEXT: tile.barrier cta
  // CHECK-NEXT: tile.barrier cta
  // CHECK-NEXT: tile.fence
  // CHECK-NEXT: tile.fence
  // CHECK-NEXT: tile.group_commit bulk
  // CHECK-NEXT: tile.group_commit bulk
  // CHECK-NEXT: tile.group_wait bulk pending 0
  // CHECK-NEXT: tile.group_wait bulk pending 0
  // CHECK-NEXT: return
  tile.copy %x[:] to %a fill zero : !tile.view<4xf32, in> to !tile.buf<4xf32, shared>
  tile.copy %x[:] to %a fill zero : !tile.view<4xf32, in> to !tile.buf<4xf32, shared>
  tile.barrier cta
  tile.barrier cta
  tile.fence
  tile.fence
  tile.group_commit bulk
  tile.group_commit bulk
  tile.group_wait bulk pending 0
  tile.group_wait bulk pending 0
  return
}

// Allocs are memory of their own; what nobody touches may go, a ring stays.
// CHECK-LABEL: @allocs
func.func @allocs(%t: tensor<4xf32>) {
  // CHECK-NEXT: %[[A:.*]] = tile.alloc : !tile.buf<4xf32, shared>
  // CHECK-NEXT: %[[B:.*]] = tile.alloc : !tile.buf<4xf32, shared>
  // CHECK-NEXT: %[[C:.*]] = tile.alloc : !tile.buf<8xf32, shared>
  // CHECK-NEXT: tile.ring %[[C]]
  // CHECK-NEXT: tile.write %{{.*}} to %[[A]]
  // CHECK-NEXT: tile.write %{{.*}} to %[[B]]
  // CHECK-NEXT: return
  %a = tile.alloc : !tile.buf<4xf32, shared>
  %b = tile.alloc : !tile.buf<4xf32, shared>
  %c = tile.alloc : !tile.buf<8xf32, shared>
  %d = tile.alloc : !tile.buf<16xf32, shared>
  %q = tile.ring %c protocol cta_sync : !tile.buf<8xf32, shared> -> !tile.ring<1>
  tile.write %t to %a : tensor<4xf32> to !tile.buf<4xf32, shared>
  tile.write %t to %b : tensor<4xf32> to !tile.buf<4xf32, shared>
  return
}

// Two reads with nothing between them are one; a write, a barrier or a ring between them is a border.
// CHECK-LABEL: @reads
func.func @reads(%a: !tile.buf<4xf32, shared>, %b: !tile.buf<4xf32, shared>, %y: !tile.view<4xf32, out>, %q: !tile.ring<1>) {
  // CHECK-NEXT: %[[R0:.*]] = tile.read
  // CHECK-NEXT: tile.store %[[R0]]
  // CHECK-NEXT: %[[R1:.*]] = tile.read
  // CHECK-NEXT: %[[S:.*]] = tile.add %[[R1]], %[[R1]]
  // CHECK-NEXT: tile.write %[[S]]
  // CHECK-NEXT: %[[R2:.*]] = tile.read
  // CHECK-NEXT: tile.barrier cta
  // CHECK-NEXT: %[[R3:.*]] = tile.read
  // CHECK-NEXT: tile.await
  // CHECK-NEXT: %[[R4:.*]] = tile.read
  // CHECK-NEXT: tile.release
  // CHECK-NEXT: tile.add %[[R2]], %[[R3]]
  // CHECK-NEXT: tile.add %{{.*}}, %[[R4]]
  // CHECK-NEXT: tile.store
  // CHECK-NEXT: return
  %0 = tile.read %a span[:] : !tile.buf<4xf32, shared> -> tensor<4xf32>
  tile.store %0, %y[:] : tensor<4xf32>, !tile.view<4xf32, out>
  %1 = tile.read %a span[:] : !tile.buf<4xf32, shared> -> tensor<4xf32>
  %2 = tile.read %a span[:] : !tile.buf<4xf32, shared> -> tensor<4xf32>
  %3 = tile.add %1, %2 : tensor<4xf32>
  tile.write %3 to %a : tensor<4xf32> to !tile.buf<4xf32, shared>
  %4 = tile.read %a span[:] : !tile.buf<4xf32, shared> -> tensor<4xf32>
  tile.barrier cta
  %5 = tile.read %a span[:] : !tile.buf<4xf32, shared> -> tensor<4xf32>
  %s = tile.await %q : !tile.ring<1>
  %6 = tile.read %a span[:] : !tile.buf<4xf32, shared> -> tensor<4xf32>
  tile.release %q : !tile.ring<1>
  %7 = tile.add %4, %5 : tensor<4xf32>
  %8 = tile.add %7, %6 : tensor<4xf32>
  tile.store %8, %y[:] : tensor<4xf32>, !tile.view<4xf32, out>
  return
}

// An instruction that writes memory is a border, too, whatever its way; one whose value nobody uses may go.
// CHECK-LABEL: @instructions
func.func @instructions(%x: !tile.view<4xf32, in>, %a: !tile.buf<4xf32, shared>, %t: tensor<4xf32>) {
  // CHECK-NEXT: %[[R0:.*]] = tile.read
  // CHECK-NEXT: tile.apply @copy via cp_async {
  // CHECK-NEXT:   tile.copy
  // CHECK-NEXT: }
  // CHECK-NEXT: tile.elect {
  // CHECK-NEXT:   tile.apply @copy via cp_async {
  // CHECK-NEXT:     tile.copy
  // CHECK-NEXT:   }
  // CHECK-NEXT: }
  // CHECK-NEXT: tile.group_wait cp_async pending 0
  // CHECK-NEXT: %[[R1:.*]] = tile.read
  // CHECK-NEXT: tile.add %[[R0]], %[[R1]]
  %0 = tile.read %a span[:] : !tile.buf<4xf32, shared> -> tensor<4xf32>
  tile.apply @copy via cp_async {
    tile.copy %x[:] to %a fill zero : !tile.view<4xf32, in> to !tile.buf<4xf32, shared>
  }
  tile.elect {
    tile.apply @copy via cp_async {
      tile.copy %x[:] to %a fill zero : !tile.view<4xf32, in> to !tile.buf<4xf32, shared>
    }
  }
  tile.group_wait cp_async pending 0
  %1 = tile.read %a span[:] : !tile.buf<4xf32, shared> -> tensor<4xf32>
  %2 = tile.add %0, %1 : tensor<4xf32>
  // CHECK-NOT: tile.apply
  // CHECK: tile.print
  %3 = tile.apply @add -> tensor<4xf32> {
    %4 = tile.add %t, %t : tensor<4xf32>
    tile.yield %4 : tensor<4xf32>
  }
  tile.print "2", %2 : tensor<4xf32>
  return
}

// A ring's ops are never one, and sections keep what they do, in order.
// CHECK-LABEL: @rings
func.func @rings(%n: i64, %x: !tile.view<?xf32, in>) {
  // CHECK: tile.section @load lead 1 {
  // CHECK-NEXT: tile.acquire
  // CHECK-NEXT: tile.copy
  // CHECK-NEXT: tile.commit
  // CHECK-NEXT: tile.acquire
  // CHECK-NEXT: tile.commit
  // CHECK-NEXT: }
  // CHECK-NEXT: tile.section @use {
  // CHECK-NEXT: tile.await
  // CHECK-NEXT: tile.release
  // CHECK-NEXT: tile.await
  // CHECK-NEXT: tile.release
  // CHECK-NEXT: }
  %a = tile.alloc : !tile.buf<4xf32, shared, slots = 4>
  %q = tile.ring %a protocol cp_async : !tile.buf<4xf32, shared, slots = 4> -> !tile.ring<4>
  tile.for %k in tiles(%n to %n by 4) {
    tile.section @load lead 1 {
      %0 = tile.acquire %q : !tile.ring<4>
      tile.copy %x[%k] to %a slot %0 fill undef : !tile.view<?xf32, in>, !tile.span<4> to !tile.buf<4xf32, shared, slots = 4>
      tile.commit %q : !tile.ring<4>
      %1 = tile.acquire %q : !tile.ring<4>
      tile.commit %q : !tile.ring<4>
    }
    tile.section @use {
      %0 = tile.await %q : !tile.ring<4>
      tile.release %q : !tile.ring<4>
      %1 = tile.await %q : !tile.ring<4>
      tile.release %q : !tile.ring<4>
    }
  }
  return
}

// Presence is known of what is read whole, not of what spans limit.
// CHECK-LABEL: @present
func.func @present(%a: !tile.buf<4xf32, shared>, %r: !tile.span<4>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  // CHECK-DAG: %[[T:.*]] = tile.constant true tensor<4xi1>
  // CHECK-DAG: %[[R:.*]] = tile.read %{{.*}} span[%{{.*}}]
  // CHECK: %[[P:.*]] = tile.present %[[R]]
  // CHECK: return %[[T]], %[[P]], %[[T]]
  %0 = tile.read %a span[:] : !tile.buf<4xf32, shared> -> tensor<4xf32>
  %1 = tile.present %0 : tensor<4xf32>
  %2 = tile.read %a span[%r] : !tile.buf<4xf32, shared>, !tile.span<4> -> tensor<4xf32>
  %3 = tile.present %2 : tensor<4xf32>
  %4 = tile.apply @add -> tensor<4xf32> {
    %5 = tile.add %0, %0 : tensor<4xf32>
    tile.yield %5 : tensor<4xf32>
  }
  %6 = tile.present %4 : tensor<4xf32>
  return %1, %3, %6 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}
