// Index notation, assertions, printing: the text, and the generic form.
// RUN: tile-opt %s --verify-roundtrip | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: @formulas
func.func @formulas(%x: !tile.view<?x?xf32, in>, %m: i64, %n: i64) {
  // CHECK-NEXT: %[[A:.*]] = tile.map (%[[I:.*]] in %{{.*}} to %{{.*}}, %[[J:.*]] in %{{.*}} to %{{.*}}) -> tensor<?x?xf32> {
  // CHECK-NEXT:   tile.at %{{.*}}[%[[I]], %[[J]]] : !tile.view<?x?xf32, in> -> f32
  // GENERIC:      "tile.map"(%{{.*}}) <{operandSegmentSizes = array<i32: 2, 2>}>
  %0 = tile.map (%i in %m to %n, %j in %m to %n) -> tensor<?x?xf32> {
    %e = tile.at %x[%i, %j] : !tile.view<?x?xf32, in> -> f32
    tile.yield %e : f32
  }
  // CHECK:      tile.map (%[[K:.*]] in %{{.*}} to %{{.*}}) self %[[S:.*]] along 0 descending -> tensor<?xi64> {
  // CHECK-NEXT:   tile.fold count %[[T:.*]] in (%{{.*}} to %[[K]]) -> i64 {
  // GENERIC:      "tile.map"(%{{.*}}) <{axis = 0 : i64, descending, operandSegmentSizes = array<i32: 1, 1>, self}>
  // GENERIC:      "tile.fold"(%{{.*}}) <{kind = #tile.fold_kind<count>}>
  %1 = tile.map (%k in %m to %n) self %self along 0 descending -> tensor<?xi64> {
    %c = tile.fold count %t in (%m to %k) -> i64 {
      %v = tile.at %self[%t] : tensor<?xi64> -> i64
      %b = tile.cmp lt, %v, %t : i64
      tile.yield %b : i1
    }
    tile.yield %c : i64
  }
  return
}

// CHECK-LABEL: @messages
func.func @messages(%c: tensor<8xi1>, %x: tensor<8xf32>) {
  // CHECK-NEXT: tile.assert %{{.*}}, "say \22this\22" : tensor<8xi1>
  tile.assert %c, "say \"this\"" : tensor<8xi1>
  // CHECK-NEXT: tile.assume %{{.*}}, "sorted" : tensor<8xi1>
  tile.assume %c, "sorted" : tensor<8xi1>
  // CHECK-NEXT: tile.print "x", %{{.*}} : tensor<8xf32>
  tile.print "x", %x : tensor<8xf32>
  return
}

// None of these is removed for want of a use.
// RUN: tile-opt %s --canonicalize --cse | FileCheck %s --check-prefix=KEPT
// KEPT-LABEL: @messages
// KEPT:       tile.assert
// KEPT:       tile.assume
// KEPT:       tile.print
