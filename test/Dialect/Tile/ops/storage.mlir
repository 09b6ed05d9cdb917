// Bufs, copies, reads and writes: the text, and the generic form.
// RUN: tile-opt %s --verify-roundtrip | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// What is as by default is not written.
// CHECK-LABEL: func.func private @types(!tile.buf<128x32xbf16, shared>, !tile.buf<1xi1, workspace>, !tile.buf<4x4xf8E5M2, shared, slots = 3>,
// CHECK-SAME:    !tile.buf<8xui64, shared, per = wg>, !tile.buf<8xf32, shared, slots = 2, per = warp, layout = "(8):(5)">,
// CHECK-SAME:    !tile.buf<4x8xf32, shared, layout = "(4,8):(8,1)">, !tile.buf<1xi32, shared>, !tile.slot, !tile.ring<1>, !tile.ring<4>)
func.func private @types(!tile.buf<128x32xbf16, shared>, !tile.buf<1xi1, workspace>, !tile.buf<4x4xf8E5M2, shared, slots = 3>,
  !tile.buf<8xui64, shared, per = wg>, !tile.buf<8xf32, shared, layout = "(8):(5)", per = warp, slots = 2>,
  !tile.buf<4x8xf32, shared, layout = "(4,8):(8,1)">, !tile.buf<1xi32, shared, slots = 1, per = cta>, !tile.slot, !tile.ring<1>, !tile.ring<4>)

// Padding counts as bytes of a buf: the last one has 4*32 bytes and takes 16+4 more.
// CHECK-LABEL: @allocs
func.func @allocs() {
  // CHECK-NEXT: %[[A:.*]] = tile.alloc : !tile.buf<4x8xf32, shared>
  // GENERIC:    "tile.alloc"() : () -> !tile.buf<4x8xf32, shared>
  %a = tile.alloc : !tile.buf<4x8xf32, shared>
  // CHECK-NEXT: %[[B:.*]] = tile.alloc : !tile.buf<2xf64, shared>
  %b = tile.alloc : !tile.buf<2xf64, shared>
  // CHECK-NEXT: %[[C:.*]] = tile.alloc over %[[A]], %[[B]] : !tile.buf<16xbf16, shared> over !tile.buf<4x8xf32, shared>, !tile.buf<2xf64, shared>
  // GENERIC:    "tile.alloc"(%{{.*}}, %{{.*}}) : (!tile.buf<4x8xf32, shared>, !tile.buf<2xf64, shared>) -> !tile.buf<16xbf16, shared>
  %c = tile.alloc over %a, %b : !tile.buf<16xbf16, shared> over !tile.buf<4x8xf32, shared>, !tile.buf<2xf64, shared>
  // Over what is itself over others; exactly as many bytes.
  // CHECK-NEXT: tile.alloc over %[[C]] {tag = "x"} : !tile.buf<32xi8, shared> over !tile.buf<16xbf16, shared>
  %d = tile.alloc over %c {tag = "x"} : !tile.buf<32xi8, shared> over !tile.buf<16xbf16, shared>
  // CHECK-NEXT: tile.alloc : !tile.buf<8x8xf32, workspace>
  %e = tile.alloc : !tile.buf<8x8xf32, workspace>
  return
}

// A kernel's body, a grid and tasks are places of memory.
// CHECK-LABEL: tile.kernel @places
tile.kernel @places[%N "N"]() body {
  %a = tile.alloc : !tile.buf<8xf32, shared>
  tile.grid (%i = range(%N to %N)) {
    %b = tile.alloc : !tile.buf<8xf32, shared>
    %r = tile.ring %b protocol cta_sync : !tile.buf<8xf32, shared> -> !tile.ring<1>
  }
}
tile.kernel @places_in_tasks[%N "N"]() body {
  tile.tasks (%i = range(%N to %N)) {
    %b = tile.alloc : !tile.buf<8xf32, shared>
  }
}

// CHECK-LABEL: @copies
func.func @copies(%x: !tile.view<?x?x8xbf16, in>, %v: !tile.view<4x8xf32, inout>, %r: !tile.span<4>, %i: i64, %t: tensor<3xi32>,
    %a: !tile.buf<4x8xbf16, shared>, %b: !tile.buf<4x3x8xbf16, shared, slots = 2>, %c: !tile.buf<4x8xf32, workspace>, %s: !tile.slot) {
  // CHECK-NEXT: tile.copy %{{.*}}[%{{.*}}, %{{.*}}, :] to %{{.*}} fill zero : !tile.view<?x?x8xbf16, in>, !tile.span<4>, i64 to !tile.buf<4x8xbf16, shared>
  // GENERIC:    "tile.copy"(%{{.*}}) <{fill = #tile.fill<zero>, operandSegmentSizes = array<i32: 1, 2, 1, 0>, whole = array<i1: false, false, true>}>
  tile.copy %x[%r, %i, :] to %a fill zero : !tile.view<?x?x8xbf16, in>, !tile.span<4>, i64 to !tile.buf<4x8xbf16, shared>
  // An integer tile gathers.
  // CHECK-NEXT: tile.copy %{{.*}}[%{{.*}}, %{{.*}}, :] to %{{.*}} slot %{{.*}} fill undef {tile.iter = #tile.iter<d2 = lane 8>}
  // CHECK-SAME:   : !tile.view<?x?x8xbf16, in>, !tile.span<4>, tensor<3xi32> to !tile.buf<4x3x8xbf16, shared, slots = 2>
  // GENERIC:    "tile.copy"(%{{.*}}) <{fill = #tile.fill<undef>, operandSegmentSizes = array<i32: 1, 2, 1, 1>, whole = array<i1: false, false, true>}> {tile.iter = #tile.iter<d2 = lane 8>}
  tile.copy %x[%r, %t, :] to %b slot %s fill undef {tile.iter = #tile.iter<d2 = lane 8>}
    : !tile.view<?x?x8xbf16, in>, !tile.span<4>, tensor<3xi32> to !tile.buf<4x3x8xbf16, shared, slots = 2>
  // CHECK-NEXT: tile.copy %{{.*}}[:, :] to %{{.*}} fill zero : !tile.view<4x8xf32, inout> to !tile.buf<4x8xf32, workspace>
  tile.copy %v[:, :] to %c fill zero : !tile.view<4x8xf32, inout> to !tile.buf<4x8xf32, workspace>
  // CHECK-NEXT: tile.copy_out %{{.*}} to %{{.*}}[:, :] : !tile.buf<4x8xf32, workspace> to !tile.view<4x8xf32, inout>
  // GENERIC:    "tile.copy_out"(%{{.*}}) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, whole = array<i1: true, true>}>
  tile.copy_out %c to %v[:, :] : !tile.buf<4x8xf32, workspace> to !tile.view<4x8xf32, inout>
  return
}

// CHECK-LABEL: @copies_out
func.func @copies_out(%y: !tile.view<?x8xbf16, out>, %r: !tile.span<4>, %b: !tile.buf<4x8xbf16, shared, slots = 2>, %s: !tile.slot) {
  // CHECK-NEXT: tile.copy_out %{{.*}} slot %{{.*}} to %{{.*}}[%{{.*}}, :] : !tile.buf<4x8xbf16, shared, slots = 2> to !tile.view<?x8xbf16, out>, !tile.span<4>
  // GENERIC:    "tile.copy_out"(%{{.*}}) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>, whole = array<i1: false, true>}>
  tile.copy_out %b slot %s to %y[%r, :] : !tile.buf<4x8xbf16, shared, slots = 2> to !tile.view<?x8xbf16, out>, !tile.span<4>
  return
}

// CHECK-LABEL: @reads_and_writes
func.func @reads_and_writes(%a: !tile.buf<4x8xf32, shared>, %b: !tile.buf<4x8xf32, shared, slots = 2>, %r: !tile.span<4>, %c: !tile.span<8>, %s: !tile.slot) {
  // CHECK-NEXT: %[[T:.*]] = tile.read %{{.*}} span[%{{.*}}, :] : !tile.buf<4x8xf32, shared>, !tile.span<4> -> tensor<4x8xf32>
  // GENERIC:    "tile.read"(%{{.*}}) <{operandSegmentSizes = array<i32: 1, 0, 1>, whole = array<i1: false, true>}>
  %0 = tile.read %a span[%r, :] : !tile.buf<4x8xf32, shared>, !tile.span<4> -> tensor<4x8xf32>
  // CHECK-NEXT: tile.read %{{.*}} slot %{{.*}} span[%{{.*}}, %{{.*}}] : !tile.buf<4x8xf32, shared, slots = 2>, !tile.span<4>, !tile.span<8> -> tensor<4x8xf32>
  %1 = tile.read %b slot %s span[%r, %c] : !tile.buf<4x8xf32, shared, slots = 2>, !tile.span<4>, !tile.span<8> -> tensor<4x8xf32>
  // CHECK-NEXT: tile.read %{{.*}} span[:, :] : !tile.buf<4x8xf32, shared> -> tensor<4x8xf32>
  %2 = tile.read %a span[:, :] : !tile.buf<4x8xf32, shared> -> tensor<4x8xf32>
  // CHECK-NEXT: tile.write %[[T]] to %{{.*}} : tensor<4x8xf32> to !tile.buf<4x8xf32, shared>
  // GENERIC:    "tile.write"(%{{.*}}, %{{.*}}) : (tensor<4x8xf32>, !tile.buf<4x8xf32, shared>) -> ()
  tile.write %0 to %a : tensor<4x8xf32> to !tile.buf<4x8xf32, shared>
  // CHECK-NEXT: tile.write %[[T]] to %{{.*}} slot %{{.*}} : tensor<4x8xf32> to !tile.buf<4x8xf32, shared, slots = 2>
  tile.write %0 to %b slot %s : tensor<4x8xf32> to !tile.buf<4x8xf32, shared, slots = 2>
  return
}
