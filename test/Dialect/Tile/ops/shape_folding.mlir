// Folds and patterns of index maps and absence, each with the near miss that must stay.
// RUN: tile-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: @of_constants
func.func @of_constants() -> (tensor<4x8xf32>, tensor<8x4xf32>, tensor<32xf32>, tensor<1x4xf32>, tensor<2xf32>) {
  // CHECK-DAG: %[[A:.*]] = tile.constant 2.000000e+00 : f32 tensor<4x8xf32>
  // CHECK-DAG: %[[B:.*]] = tile.constant 2.000000e+00 : f32 tensor<8x4xf32>
  // CHECK-DAG: %[[C:.*]] = tile.constant 2.000000e+00 : f32 tensor<32xf32>
  // CHECK-DAG: %[[D:.*]] = tile.constant 2.000000e+00 : f32 tensor<1x4xf32>
  // CHECK-DAG: %[[E:.*]] = tile.constant 2.000000e+00 : f32 tensor<2xf32>
  // CHECK:     return %[[A]], %[[B]], %[[C]], %[[D]], %[[E]]
  %two = tile.constant 2.0 : f32
  %0 = tile.splat %two : f32 to tensor<4x1xf32>
  %1 = tile.broadcast %0 : tensor<4x1xf32> to tensor<4x8xf32>
  %2 = tile.permute %1, [1, 0] : tensor<4x8xf32> to tensor<8x4xf32>
  %3 = tile.reshape %2 : tensor<8x4xf32> to tensor<32xf32>
  %4 = tile.squeeze %0 at [1] : tensor<4x1xf32> to tensor<4xf32>
  %5 = tile.expand %4 at [0] : tensor<4xf32> to tensor<1x4xf32>
  %6 = tile.flip %4 along 0 : tensor<4xf32>
  %7 = tile.slice %6 from [1] : tensor<4xf32> to tensor<2xf32>
  return %1, %2, %3, %5, %7 : tensor<4x8xf32>, tensor<8x4xf32>, tensor<32xf32>, tensor<1x4xf32>, tensor<2xf32>
}

// CHECK-LABEL: @same_type
func.func @same_type(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = tile.broadcast %x : tensor<4x4xf32> to tensor<4x4xf32>
  %1 = tile.reshape %x : tensor<4x4xf32> to tensor<4x4xf32>
  %2 = tile.slice %x from [0, 0] : tensor<4x4xf32> to tensor<4x4xf32>
  %3 = tile.permute %x, [0, 1] : tensor<4x4xf32> to tensor<4x4xf32>
  // The type alone does not make a transposition nothing.
  // CHECK-NEXT: %[[T:.*]] = tile.permute %arg0, [1, 0]
  %4 = tile.permute %x, [1, 0] : tensor<4x4xf32> to tensor<4x4xf32>
  // CHECK-NEXT: return %arg0, %arg0, %arg0, %arg0, %[[T]]
  return %0, %1, %2, %3, %4 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// CHECK-LABEL: @two_permutes
func.func @two_permutes(%x: tensor<2x3x4xf32>) -> (tensor<4x2x3xf32>, tensor<2x3x4xf32>) {
  // CHECK-NEXT: %[[P:.*]] = tile.permute %arg0, [2, 0, 1] : tensor<2x3x4xf32> to tensor<4x2x3xf32>
  // CHECK-NEXT: return %[[P]], %arg0
  %0 = tile.permute %x, [0, 2, 1] : tensor<2x3x4xf32> to tensor<2x4x3xf32>
  %1 = tile.permute %0, [1, 0, 2] : tensor<2x4x3xf32> to tensor<4x2x3xf32>
  %2 = tile.permute %1, [1, 2, 0] : tensor<4x2x3xf32> to tensor<2x3x4xf32>
  return %1, %2 : tensor<4x2x3xf32>, tensor<2x3x4xf32>
}

// The first reshape may merge factors; a reduction sees the difference.
// CHECK-LABEL: @two_reshapes
func.func @two_reshapes(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK-NEXT: tile.reshape
  // CHECK-NEXT: tile.reshape
  %0 = tile.reshape %x : tensor<4x8xf32> to tensor<32xf32>
  %1 = tile.reshape %0 : tensor<32xf32> to tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// CHECK-LABEL: @squeeze_of_expand
func.func @squeeze_of_expand(%x: tensor<4xf32>, %y: tensor<1x4xf32>) -> (tensor<4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) {
  %0 = tile.expand %x at [1] : tensor<4xf32> to tensor<4x1xf32>
  %1 = tile.squeeze %0 at [1] : tensor<4x1xf32> to tensor<4xf32>
  // Another axis than the one put in.
  // CHECK-NEXT: %[[E:.*]] = tile.expand %arg1 at [0]
  // CHECK-NEXT: %[[S:.*]] = tile.squeeze %[[E]] at [1]
  %2 = tile.expand %y at [0] : tensor<1x4xf32> to tensor<1x1x4xf32>
  %3 = tile.squeeze %2 at [1] : tensor<1x1x4xf32> to tensor<1x4xf32>
  // The other order: squeeze drops its axis from the factors.
  // CHECK-NEXT: %[[T:.*]] = tile.squeeze %arg1 at [0]
  // CHECK-NEXT: %[[F:.*]] = tile.expand %[[T]] at [0]
  %4 = tile.squeeze %y at [0] : tensor<1x4xf32> to tensor<4xf32>
  %5 = tile.expand %4 at [0] : tensor<4xf32> to tensor<1x4xf32>
  // CHECK-NEXT: return %arg0, %[[S]], %[[F]]
  return %1, %3, %5 : tensor<4xf32>, tensor<1x4xf32>, tensor<1x4xf32>
}

// CHECK-LABEL: @absence
func.func @absence(%x: tensor<8xf32>, %c: tensor<8xi1>, %z: tensor<8xf32>) -> (tensor<8xi64>, tensor<8xf32>, tensor<8xi1>, tensor<8xi1>) {
  // CHECK-DAG: %[[I:.*]] = tile.iota
  // CHECK-DAG: %[[T:.*]] = tile.constant true tensor<8xi1>
  %0 = tile.iota : tensor<8xi64>
  %1 = tile.fill_absent %0, %0 : tensor<8xi64>
  // CHECK-DAG: %[[F:.*]] = tile.fill_absent %arg0, %arg2
  %2 = tile.fill_absent %x, %z : tensor<8xf32>
  %3 = tile.present %0 : tensor<8xi64>
  // CHECK-DAG: %[[P:.*]] = tile.present %arg0
  %4 = tile.present %x : tensor<8xf32>
  // CHECK: return %[[I]], %[[F]], %[[T]], %[[P]]
  return %1, %2, %3, %4 : tensor<8xi64>, tensor<8xf32>, tensor<8xi1>, tensor<8xi1>
}
