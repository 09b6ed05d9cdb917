// Kernels, grids, loops: every part of the text, and the generic form.
// RUN: tile-opt %s --verify-roundtrip | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// GENERIC: #map = affine_map<()[s0, s1] -> (s0, s1 floordiv 4)>
// GENERIC: #map1 = affine_map<()[s0, s1] -> (s0)>
// CHECK-LABEL: tile.kernel @whole[%N "N", %K "K"](%x "x": !tile.view<?x?xf32, in> shape ()[s0, s1] -> (s0, s1 floordiv 4),
// CHECK-SAME:    %y "y": !tile.view<?xf32, out> shape ()[s0, s1] -> (s0), %scale "scale": f32) math contract
// CHECK-SAME:    attributes {instance = {BM = 8 : i64}, missing = ["mask"]}
// GENERIC:      "tile.kernel"() <{arg_names = ["N", "K", "x", "y", "scale"],
// GENERIC-SAME:   arg_types = [i64, i64, !tile.view<?x?xf32, in>, !tile.view<?xf32, out>, f32], extents = 2 : i64,
// GENERIC-SAME:   instance = {BM = 8 : i64}, math = #tile.math<contract>, missing = ["mask"], reference_names = ["y"],
// GENERIC-SAME:   shapes = [#map, #map1, unit],
// GENERIC-SAME:   sym_name = "whole", tolerance_names = ["y"]}>
tile.kernel @whole[%N "N", %K "K"](%x "x": !tile.view<?x?xf32, in> shape ()[s0, s1] -> (s0, s1 floordiv 4),
                                   %y "y": !tile.view<?xf32, out> shape ()[s0, s1] -> (s0), %scale "scale": f32)
math contract attributes {instance = {BM = 8 : i64}, missing = ["mask"]}
// CHECK-NEXT: where {
// CHECK:        %[[C:.*]] = tile.cmp ge, %N, %{{.*}} : i64
// CHECK:        tile.require %[[C]], "N >= 1"
where {
  %c1 = tile.constant 1 : i64
  %c = tile.cmp ge, %N, %c1 : i64
  tile.require %c, "N >= 1"
}
// CHECK:      body {
// CHECK:        tile.grid (%[[M:.*]] = tiles(%{{.*}} to %N by 8), %{{.*}} = range(%{{.*}} to %K)) {
// GENERIC:      "tile.grid"(%{{.*}}) <{operandSegmentSizes = array<i32: 2, 2>, widths = array<i64: 8, 0>}>
// GENERIC-NEXT: ^bb0(%{{.*}}: !tile.span<8>, %{{.*}}: i64)
// CHECK:          %[[S:.*]]:2 = tile.for %[[R:.*]] in tiles(%{{.*}} to %K by 16) reversed
// CHECK-SAME:       carry(%[[A:.*]] = %{{.*}} : tensor<8xf32>, %[[B:.*]] = %{{.*}} : i64) {
// CHECK:            tile.load %x[%[[M]], %[[R]]]
// CHECK:            tile.yield %{{.*}}, %[[B]] : tensor<8xf32>, i64
// GENERIC:        "tile.for"(%{{.*}}) <{reversed, width = 16 : i64}>
// CHECK:          tile.for %[[J:.*]] in range(%{{.*}} to %K) {
// CHECK-NEXT:       tile.print "j", %[[J]] : i64
// CHECK-NEXT:     }
// CHECK-NEXT:     tile.store %[[S]]#0, %y[%[[M]]]
body {
  %c0 = tile.constant 0 : i64
  tile.grid (%m = tiles(%c0 to %N by 8), %h = range(%c0 to %K)) {
    %zero = tile.constant 0.0 : f32 tensor<8xf32>
    %s:2 = tile.for %k in tiles(%c0 to %K by 16) reversed carry(%acc = %zero : tensor<8xf32>, %n = %c0 : i64) {
      %t = tile.load %x[%m, %k] : !tile.view<?x?xf32, in>, !tile.span<8>, !tile.span<16> -> tensor<8x16xf32>
      %p = tile.reduce sum %t along 1 : tensor<8x16xf32> -> tensor<8xf32>
      %q = tile.add %acc, %p : tensor<8xf32>
      tile.yield %q, %n : tensor<8xf32>, i64
    }
    tile.for %j in range(%c0 to %K) {
      tile.print "j", %j : i64
    }
    tile.store %s#0, %y[%m] : tensor<8xf32>, !tile.view<?xf32, out>, !tile.span<8>
  }
}
// CHECK:      reference ["y"] {
// CHECK:        tile.map
// CHECK:        tile.yield %{{.*}} : tensor<?xf32>
reference ["y"] {
  %c0 = tile.constant 0 : i64
  %r = tile.map (%i in %c0 to %N) -> tensor<?xf32> {
    tile.yield %scale : f32
  }
  tile.yield %r : tensor<?xf32>
}
// CHECK:      tolerance ["y"] (%[[Y:.*]]: tensor<?xf32>) {
// CHECK:        tile.at %[[Y]][%{{.*}}] : tensor<?xf32> -> f32
tolerance ["y"] (%r: tensor<?xf32>) {
  %c0 = tile.constant 0 : i64
  %b = tile.map (%i in %c0 to %N) -> tensor<?xf64> {
    %e = tile.at %r[%i] : tensor<?xf32> -> f32
    %d = tile.cast %e : f32 to f64
    tile.yield %d : f64
  }
  tile.yield %b : tensor<?xf64>
}

// Everything that can be left out is.
// CHECK-LABEL: tile.kernel @bare()
// CHECK-NOT:   math
// CHECK-NOT:   where
// CHECK:       tile.kernel @named[%arg0 "N"](%arg1 "x": f32)
tile.kernel @bare()
tile.kernel @named[%N "N"](%x "x": f32)

// A region without ops is not the same as no region.
// CHECK-LABEL: tile.kernel @empty(%x "x": f32)
// CHECK-NEXT:  body {
// CHECK-NEXT:  }
// CHECK-NEXT:  tolerance exact
// CHECK-LABEL: tile.kernel @no_arguments()
// CHECK-NEXT:  body {
// CHECK-NEXT:  }
tile.kernel @empty(%x "x": f32) body {} tolerance exact
tile.kernel @no_arguments() body {}
