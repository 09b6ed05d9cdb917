// Folds of elementwise ops, each with the near miss that must stay.
// RUN: tile-opt %s --canonicalize | FileCheck %s

// Constants go through the exact arithmetic of the language.
// CHECK-LABEL: @constants
func.func @constants() -> (f32, tensor<4xbf16>, i8, i1, f32, ui8, i64) {
  // CHECK-DAG: %[[A:.*]] = tile.constant 3.750000e+00 : f32
  %x = tile.constant 1.25 : f32
  %y = tile.constant 2.5 : f32
  %0 = tile.add %x, %y : f32
  // 256 + 1 has no bf16: the tie goes to even.
  // CHECK-DAG: %[[B:.*]] = tile.constant 2.560000e+02 : bf16 tensor<4xbf16>
  %h = tile.constant 256.0 : bf16 tensor<4xbf16>
  %i = tile.constant 1.0 : bf16 tensor<4xbf16>
  %1 = tile.add %h, %i : tensor<4xbf16>
  // CHECK-DAG: %[[C:.*]] = tile.constant -128 : i8
  %m = tile.constant 127 : i8
  %n = tile.constant 1 : i8
  %2 = tile.add %m, %n : i8
  // CHECK-DAG: %[[D:.*]] = tile.constant true
  %nan = tile.constant 0x7FC00000 : f32
  %3 = tile.cmp ne, %nan, %nan : f32
  // CHECK-DAG: %[[E:.*]] = tile.constant 6.250000e+00 : f32
  %5 = tile.constant -0.0 : f32
  %4 = tile.fma %y, %y, %5 : f32
  // CHECK-DAG: %[[F:.*]] = tile.constant 0 : ui8
  %u = tile.constant 7 : ui8
  %v = tile.constant 0 : ui8
  %6 = tile.floordiv %u, %v : ui8
  // CHECK-DAG: %[[G:.*]] = tile.constant -3 : i64
  %p = tile.constant -7 : i64
  %q = tile.constant 3 : i64
  %7 = tile.floordiv %p, %q : i64
  // CHECK: return %[[A]], %[[B]], %[[C]], %[[D]], %[[E]], %[[F]], %[[G]]
  return %0, %1, %2, %3, %4, %6, %7 : f32, tensor<4xbf16>, i8, i1, f32, ui8, i64
}

// CHECK-LABEL: @casts_and_bits
func.func @casts_and_bits() -> (f8E4M3FN, i32, ui16, f32, i1) {
  // CHECK-DAG: %[[A:.*]] = tile.constant 4.480000e+02 : f8E4M3FN
  %x = tile.constant 1000.0 : f32
  %0 = tile.cast %x {overflow = #tile.overflow<sat>} : f32 to f8E4M3FN
  // CHECK-DAG: %[[B:.*]] = tile.constant 1000 : i32
  %1 = tile.cast %x {round = #tile.round<rz>} : f32 to i32
  // CHECK-DAG: %[[C:.*]] = tile.constant 16256 : ui16
  %y = tile.constant 1.0 : bf16
  %2 = tile.bits %y : bf16
  // A payload survives the way there and back.
  // CHECK-DAG: %[[D:.*]] = tile.constant 0x7F800001 : f32
  %z = tile.constant 0x7F800001 : ui32
  %3 = tile.from_bits %z : ui32 to f32
  // CHECK-DAG: %[[E:.*]] = tile.constant true
  %4 = tile.cast %x : f32 to i1
  // CHECK: return %[[A]], %[[B]], %[[C]], %[[D]], %[[E]]
  return %0, %1, %2, %3, %4 : f8E4M3FN, i32, ui16, f32, i1
}

// CHECK-LABEL: @twice
func.func @twice(%x: tensor<4xf32>, %b: i1) -> (tensor<4xf32>, i1, tensor<4xf32>) {
  %0 = tile.neg %x : tensor<4xf32>
  %1 = tile.neg %0 : tensor<4xf32>
  %2 = tile.not %b : i1
  %3 = tile.not %2 : i1
  %4 = tile.cast %x : tensor<4xf32> to tensor<4xf32>
  // CHECK-NEXT: return %arg0, %arg1, %arg0
  return %1, %3, %4 : tensor<4xf32>, i1, tensor<4xf32>
}

// CHECK-LABEL: @integer_identities
func.func @integer_identities(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %zero = tile.constant 0 : i32 tensor<4xi32>
  %one = tile.constant 1 : i32 tensor<4xi32>
  %0 = tile.add %zero, %x : tensor<4xi32>
  %1 = tile.sub %x, %zero : tensor<4xi32>
  %2 = tile.mul %x, %one : tensor<4xi32>
  // CHECK-NOT: tile.add
  // CHECK-NOT: tile.mul
  // CHECK:     %[[S:.*]] = tile.sub %{{.*}}, %arg0
  %3 = tile.sub %zero, %x : tensor<4xi32>
  // CHECK:     return %arg0, %arg0, %arg0, %[[S]]
  return %0, %1, %2, %3 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}

// Floats: -0 + 0 is +0, and arithmetic makes a signalling NaN quiet.
// CHECK-LABEL: @no_float_identities
func.func @no_float_identities(%x: f32) -> (f32, f32, f32) {
  %zero = tile.constant 0.0 : f32
  %one = tile.constant 1.0 : f32
  // CHECK: tile.add %arg0
  // CHECK: tile.sub %arg0
  // CHECK: tile.mul %arg0
  %0 = tile.add %x, %zero : f32
  %1 = tile.sub %x, %zero : f32
  %2 = tile.mul %x, %one : f32
  return %0, %1, %2 : f32, f32, f32
}

// What would lose the factors of x, or its NaN, stays.
// CHECK-LABEL: @no_absorption
func.func @no_absorption(%x: tensor<4xi32>, %f: f32, %b: tensor<4xi1>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi1>, f32, i1, tensor<4xi1>, tensor<4xi32>) {
  %zero = tile.constant 0 : i32 tensor<4xi32>
  %false = tile.constant false tensor<4xi1>
  // CHECK: tile.mul
  %0 = tile.mul %x, %zero : tensor<4xi32>
  // CHECK: tile.sub
  %1 = tile.sub %x, %x : tensor<4xi32>
  // CHECK: tile.cmp eq
  %2 = tile.cmp eq, %x, %x : tensor<4xi32>
  // CHECK: tile.sub
  %3 = tile.sub %f, %f : f32
  // CHECK: tile.cmp eq
  %4 = tile.cmp eq, %f, %f : f32
  // CHECK: tile.and
  %5 = tile.and %b, %false : tensor<4xi1>
  // CHECK: tile.xor
  %6 = tile.xor %x, %x : tensor<4xi32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<4xi32>, tensor<4xi32>, tensor<4xi1>, f32, i1, tensor<4xi1>, tensor<4xi32>
}

// What `fast` gives is known to the target alone.
// CHECK-LABEL: @fast
func.func @fast() -> (f32, f32) {
  %x = tile.constant 0.0 : f32
  // CHECK: tile.exp %{{.*}} {accuracy = #tile.accuracy<fast>}
  // CHECK-NOT: tile.exp
  %0 = tile.exp %x {accuracy = #tile.accuracy<fast>} : f32
  %1 = tile.exp %x : f32
  return %0, %1 : f32, f32
}

// A side, and the condition, may go only where they cannot be absent.
// CHECK-LABEL: @select
func.func @select(%c: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %true = tile.constant true tensor<4xi1>
  %one = tile.constant 1.0 : f32 tensor<4xf32>
  // CHECK-DAG:  %[[T:.*]] = tile.constant true tensor<4xi1>
  // CHECK-DAG:  %[[A:.*]] = tile.select %arg0, %arg1, %arg1
  %0 = tile.select %c, %x, %x : tensor<4xf32>
  // CHECK-DAG:  %[[B:.*]] = tile.select %[[T]], %arg1, %arg2
  %1 = tile.select %true, %x, %y : tensor<4xf32>
  %2 = tile.select %true, %x, %one : tensor<4xf32>
  %3 = tile.present %c : tensor<4xi1>
  %4 = tile.select %3, %x, %x : tensor<4xf32>
  %5 = tile.iota : tensor<4xi64>
  %6 = tile.cmp lt, %5, %5 : tensor<4xi64>
  %7 = tile.select %6, %y, %y : tensor<4xf32>
  // CHECK: return %[[A]], %[[B]], %arg1, %arg1, %arg2
  return %0, %1, %2, %4, %7 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
