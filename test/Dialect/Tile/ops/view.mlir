// Views, spans, loads, stores, atomics: the text, and the generic form.
// RUN: tile-opt %s --verify-roundtrip | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: func.func private @types(!tile.view<?x128xbf16, in>, !tile.view<0xi1, out>, !tile.view<4x?x2xf8E5M2, inout>, !tile.span<1>)
func.func private @types(!tile.view<?x128xbf16, in>, !tile.view<0xi1, out>, !tile.view<4x?x2xf8E5M2, inout>, !tile.span<1>)

// CHECK-LABEL: @loads
func.func @loads(%x: !tile.view<?x64x?xf32, in>, %r: !tile.span<4>, %i: i64, %t: tensor<2x3xi32>) {
  // CHECK-NEXT: tile.load %{{.*}}[%{{.*}}, :, %{{.*}}] : !tile.view<?x64x?xf32, in>, !tile.span<4>, i64 -> tensor<4x64xf32>
  // GENERIC:    "tile.load"(%{{.*}}) <{whole = array<i1: false, true, false>}>
  %0 = tile.load %x[%r, :, %i] : !tile.view<?x64x?xf32, in>, !tile.span<4>, i64 -> tensor<4x64xf32>
  // CHECK-NEXT: tile.load %{{.*}}[%{{.*}}, :, %{{.*}}] : !tile.view<?x64x?xf32, in>, tensor<2x3xi32>, i64 -> tensor<2x3x64xf32>
  %1 = tile.load %x[%t, :, %i] : !tile.view<?x64x?xf32, in>, tensor<2x3xi32>, i64 -> tensor<2x3x64xf32>
  // CHECK-NEXT: tile.load %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] : !tile.view<?x64x?xf32, in>, i64, i64, i64 -> f32
  %2 = tile.load %x[%i, %i, %i] : !tile.view<?x64x?xf32, in>, i64, i64, i64 -> f32
  return
}

// CHECK-LABEL: @only_whole
func.func @only_whole(%x: !tile.view<2x3xf32, inout>) {
  // CHECK-NEXT: %[[T:.*]] = tile.load %{{.*}}[:, :] : !tile.view<2x3xf32, inout> -> tensor<2x3xf32>
  // CHECK-NEXT: tile.store %[[T]], %{{.*}}[:, :] : tensor<2x3xf32>, !tile.view<2x3xf32, inout>
  %0 = tile.load %x[:, :] : !tile.view<2x3xf32, inout> -> tensor<2x3xf32>
  tile.store %0, %x[:, :] : tensor<2x3xf32>, !tile.view<2x3xf32, inout>
  return
}

// CHECK-LABEL: @stores
func.func @stores(%y: !tile.view<?xf32, out>, %t: tensor<8xf32>, %i: tensor<8xi64>) {
  // CHECK-NEXT: tile.store %{{.*}}, %{{.*}}[%{{.*}}] {conflict = #tile.conflict<last>} : tensor<8xf32>, !tile.view<?xf32, out>, tensor<8xi64>
  tile.store %t, %y[%i] {conflict = #tile.conflict<last>} : tensor<8xf32>, !tile.view<?xf32, out>, tensor<8xi64>
  // The default is not written.
  // CHECK-NEXT: tile.store %{{.*}}, %{{.*}}[%{{.*}}] : tensor<8xf32>, !tile.view<?xf32, out>, tensor<8xi64>
  tile.store %t, %y[%i] {conflict = #tile.conflict<error>} : tensor<8xf32>, !tile.view<?xf32, out>, tensor<8xi64>
  return
}

// CHECK-LABEL: @atomics
func.func @atomics(%v: !tile.view<?xi32, inout>, %t: tensor<8xi32>, %r: !tile.span<8>) {
  // CHECK-NEXT: tile.atomic add %{{.*}}, %{{.*}}[%{{.*}}] : tensor<8xi32>, !tile.view<?xi32, inout>, !tile.span<8>
  tile.atomic add %t, %v[%r] : tensor<8xi32>, !tile.view<?xi32, inout>, !tile.span<8>
  // CHECK-NEXT: tile.atomic and %{{.*}}, %{{.*}}[%{{.*}}] {order = #tile.memory_order<acq_rel>, scope = #tile.scope<sys>}
  tile.atomic and %t, %v[%r] {order = #tile.memory_order<acq_rel>, scope = #tile.scope<sys>} : tensor<8xi32>, !tile.view<?xi32, inout>, !tile.span<8>
  // CHECK-NEXT: %{{.*}} = tile.atomic cas %{{.*}} expect %{{.*}}, %{{.*}}[%{{.*}}] {order_any} : tensor<8xi32> expect tensor<8xi32>, !tile.view<?xi32, inout>, !tile.span<8> -> tensor<8xi32>
  // GENERIC:    "tile.atomic"(%{{.*}}) <{kind = #tile.atomic_kind<cas>, operandSegmentSizes = array<i32: 1, 1, 1, 1>, order = #tile.memory_order<relaxed>, order_any, scope = #tile.scope<gpu>, whole = array<i1: false>}>
  %0 = tile.atomic cas %t expect %t, %v[%r] {order_any} : tensor<8xi32> expect tensor<8xi32>, !tile.view<?xi32, inout>, !tile.span<8> -> tensor<8xi32>
  return
}

// CHECK-LABEL: @spans
func.func @spans(%n: i64, %v: !tile.view<?x8xf32, in>) {
  // CHECK-NEXT: tile.dim %{{.*}}, 0 : !tile.view<?x8xf32, in>
  %d = tile.dim %v, 0 : !tile.view<?x8xf32, in>
  // CHECK-NEXT: %[[S:.*]] = tile.span %{{.*}}, %{{.*}} : !tile.span<64>
  %0 = tile.span %n, %d : !tile.span<64>
  // CHECK-NEXT: tile.span %{{.*}}, %{{.*}} exact : !tile.span<128>
  %1 = tile.span %n, %d exact : !tile.span<128>
  // CHECK-NEXT: tile.span_start %[[S]] : !tile.span<64>
  %2 = tile.span_start %0 : !tile.span<64>
  // CHECK-NEXT: tile.span_stop %[[S]] : !tile.span<64>
  %3 = tile.span_stop %0 : !tile.span<64>
  // CHECK-NEXT: tile.span_index %[[S]] : !tile.span<64> -> tensor<64xi64>
  %4 = tile.span_index %0 : !tile.span<64> -> tensor<64xi64>
  return
}

// CHECK-LABEL: @parts
func.func @parts(%v: !tile.view<?x8xf32, in>, %i: i64) {
  // CHECK-NEXT: tile.view_group %{{.*}}, 0 by 4 : !tile.view<?x8xf32, in> -> !tile.view<?x4x8xf32, in>
  %0 = tile.view_group %v, 0 by 4 : !tile.view<?x8xf32, in> -> !tile.view<?x4x8xf32, in>
  // CHECK-NEXT: tile.view_permute %{{.*}}, [1, 0] : !tile.view<?x8xf32, in> -> !tile.view<8x?xf32, in>
  %1 = tile.view_permute %v, [1, 0] : !tile.view<?x8xf32, in> -> !tile.view<8x?xf32, in>
  // CHECK-NEXT: tile.view_slice %{{.*}}, 1 from %{{.*}} to %{{.*}} : !tile.view<?x8xf32, in> -> !tile.view<?x?xf32, in>
  %2 = tile.view_slice %v, 1 from %i to %i : !tile.view<?x8xf32, in> -> !tile.view<?x?xf32, in>
  // CHECK-NEXT: %{{.*}}:2 = tile.view_split %{{.*}}, 1 : !tile.view<?x8xf32, in> -> !tile.view<?x4xf32, in>, !tile.view<?x?xf32, in>
  %3:2 = tile.view_split %v, 1 : !tile.view<?x8xf32, in> -> !tile.view<?x4xf32, in>, !tile.view<?x?xf32, in>
  return
}
