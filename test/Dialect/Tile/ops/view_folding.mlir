// Folds of extents and spans, and what memory effects keep or free.
// RUN: tile-opt %s --canonicalize --cse | FileCheck %s

// CHECK-LABEL: @extents
func.func @extents(%v: !tile.view<?x128xf32, in>) -> (i64, i64) {
  // CHECK-DAG: %[[C:.*]] = tile.constant 128 : i64
  // CHECK-DAG: %[[D:.*]] = tile.dim %arg0, 0
  // CHECK: return %[[D]], %[[C]]
  %0 = tile.dim %v, 0 : !tile.view<?x128xf32, in>
  %1 = tile.dim %v, 1 : !tile.view<?x128xf32, in>
  return %0, %1 : i64, i64
}

// CHECK-LABEL: @starts
func.func @starts(%a: i64, %b: i64, %s: !tile.span<8>) -> (i64, i64) {
  // CHECK-NEXT: %[[S:.*]] = tile.span_start %arg2
  // CHECK-NEXT: return %arg0, %[[S]]
  %0 = tile.span %a, %b : !tile.span<8>
  %1 = tile.span_start %0 : !tile.span<8>
  %2 = tile.span_start %s : !tile.span<8>
  return %1, %2 : i64, i64
}

// Loads from `in` are pure: equal ones are one, unused ones go.
// CHECK-LABEL: @pure_loads
func.func @pure_loads(%v: !tile.view<?xf32, in>, %w: !tile.view<?xf32, out>, %i: i64, %x: f32) -> (f32, f32) {
  // CHECK-NEXT: %[[L:.*]] = tile.load %arg0[%arg2]
  // CHECK-NEXT: tile.store
  // CHECK-NEXT: return %[[L]], %[[L]]
  %0 = tile.load %v[%i] : !tile.view<?xf32, in>, i64 -> f32
  tile.store %x, %w[%i] : f32, !tile.view<?xf32, out>, i64
  %1 = tile.load %v[%i] : !tile.view<?xf32, in>, i64 -> f32
  return %0, %1 : f32, f32
}

// A store between two loads of a view that is written keeps them apart.
// CHECK-LABEL: @effects
func.func @effects(%v: !tile.view<?xf32, inout>, %i: i64, %x: f32) -> (f32, f32) {
  // CHECK-NEXT: %[[A:.*]] = tile.load
  // CHECK-NEXT: tile.store
  // CHECK-NEXT: %[[B:.*]] = tile.load
  // CHECK-NEXT: return %[[A]], %[[B]]
  %0 = tile.load %v[%i] : !tile.view<?xf32, inout>, i64 -> f32
  tile.store %x, %v[%i] : f32, !tile.view<?xf32, inout>, i64
  %1 = tile.load %v[%i] : !tile.view<?xf32, inout>, i64 -> f32
  return %0, %1 : f32, f32
}

// Also where the store goes through a part of the view.
// CHECK-LABEL: @effects_of_parts
func.func @effects_of_parts(%v: !tile.view<?xf32, inout>, %i: i64, %x: f32) -> (f32, f32) {
  // CHECK:      %[[A:.*]] = tile.load
  // CHECK:      tile.store
  // CHECK-NEXT: %[[B:.*]] = tile.load
  // CHECK-NEXT: return %[[A]], %[[B]]
  %p = tile.view_slice %v, 0 from %i to %i : !tile.view<?xf32, inout> -> !tile.view<?xf32, inout>
  %0 = tile.load %v[%i] : !tile.view<?xf32, inout>, i64 -> f32
  tile.store %x, %p[%i] : f32, !tile.view<?xf32, inout>, i64
  %1 = tile.load %v[%i] : !tile.view<?xf32, inout>, i64 -> f32
  return %0, %1 : f32, f32
}

// A load may report an error: it is not moved out of a loop that may have no step.
// RUN: tile-opt %s --loop-invariant-code-motion | FileCheck %s --check-prefix=LICM
// LICM-LABEL: @not_speculated
// LICM:         tile.add
// LICM:         tile.for
// LICM-NEXT:      tile.load
// LICM-NEXT:      tile.span %{{.*}} exact
func.func @not_speculated(%v: !tile.view<?xi64, in>, %w: !tile.view<?xi64, out>, %i: i64) {
  tile.for %k in range(%i to %i) {
    %0 = tile.load %v[%i] : !tile.view<?xi64, in>, i64 -> i64
    %1 = tile.span %i, %i exact : !tile.span<8>
    %2 = tile.add %i, %i : i64
    %3 = tile.span_stop %1 : !tile.span<8>
    tile.store %0, %w[%2] : i64, !tile.view<?xi64, out>, i64
    tile.store %3, %w[%k] : i64, !tile.view<?xi64, out>, i64
  }
  return
}
