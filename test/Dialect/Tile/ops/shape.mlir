// Constants, index maps, absence: the text, and the generic form.
// RUN: tile-opt %s --verify-roundtrip | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: @constants
func.func @constants() {
  // CHECK-NEXT: tile.constant 3 : i64
  %0 = tile.constant 3 : i64
  // CHECK-NEXT: tile.constant 255 : ui8 tensor<4xui8>
  // GENERIC:    "tile.constant"() <{value = 255 : ui8}> : () -> tensor<4xui8>
  %1 = tile.constant 255 : ui8 tensor<4xui8>
  // CHECK-NEXT: tile.constant true tensor<4xi1>
  %2 = tile.constant true tensor<4xi1>
  // A NaN keeps its payload.
  // CHECK-NEXT: tile.constant 0x7FC00001 : f32
  %3 = tile.constant 0x7FC00001 : f32
  // CHECK-NEXT: tile.constant 0xFC00 : f16 tensor<2x2xf16>
  %4 = tile.constant 0xFC00 : f16 tensor<2x2xf16>
  // CHECK-NEXT: tile.constant -0.000000e+00 : f8E4M3FN
  %5 = tile.constant -0.0 : f8E4M3FN
  // CHECK-NEXT: tile.constant 1.500000e+00 : bf16 tensor<4xbf16> {note = "kept"}
  %6 = tile.constant 1.5 : bf16 tensor<4xbf16> {note = "kept"}
  // CHECK-NEXT: tile.iota : tensor<8xi64>
  %7 = tile.iota : tensor<8xi64>
  // CHECK-NEXT: tile.absent : f32
  %8 = tile.absent : f32
  return
}

// CHECK-LABEL: @index_maps
func.func @index_maps(%x: tensor<4x1xf32>, %s: f32) {
  // CHECK-NEXT: %[[B:.*]] = tile.broadcast %{{.*}} : tensor<4x1xf32> to tensor<4x8xf32>
  %b = tile.broadcast %x : tensor<4x1xf32> to tensor<4x8xf32>
  // CHECK-NEXT: tile.cat %[[B]], %{{.*}} along 1 : tensor<4x8xf32>, tensor<4x1xf32> to tensor<4x9xf32>
  %0 = tile.cat %b, %x along 1 : tensor<4x8xf32>, tensor<4x1xf32> to tensor<4x9xf32>
  // CHECK-NEXT: tile.expand %[[B]] at [0, 2] : tensor<4x8xf32> to tensor<1x4x1x8xf32>
  // GENERIC:    "tile.expand"(%{{.*}}) <{axes = array<i64: 0, 2>}>
  %1 = tile.expand %b at [0, 2] : tensor<4x8xf32> to tensor<1x4x1x8xf32>
  // CHECK-NEXT: tile.expand %{{.*}} at [0] : f32 to tensor<1xf32>
  %2 = tile.expand %s at [0] : f32 to tensor<1xf32>
  // CHECK-NEXT: tile.flip %[[B]] along 1 : tensor<4x8xf32>
  %3 = tile.flip %b along 1 : tensor<4x8xf32>
  // CHECK-NEXT: tile.permute %[[B]], [1, 0] : tensor<4x8xf32> to tensor<8x4xf32>
  %4 = tile.permute %b, [1, 0] : tensor<4x8xf32> to tensor<8x4xf32>
  // CHECK-NEXT: tile.reshape %[[B]] : tensor<4x8xf32> to tensor<2x16xf32>
  %5 = tile.reshape %b : tensor<4x8xf32> to tensor<2x16xf32>
  // CHECK-NEXT: tile.slice %[[B]] from [1, 4] : tensor<4x8xf32> to tensor<2x4xf32>
  %6 = tile.slice %b from [1, 4] : tensor<4x8xf32> to tensor<2x4xf32>
  // CHECK-NEXT: tile.splat %{{.*}} : f32 to tensor<4xf32>
  %7 = tile.splat %s : f32 to tensor<4xf32>
  // CHECK-NEXT: tile.squeeze %{{.*}} at [1] : tensor<4x1xf32> to tensor<4xf32>
  %8 = tile.squeeze %x at [1] : tensor<4x1xf32> to tensor<4xf32>
  return
}

// CHECK-LABEL: @to_scalar
func.func @to_scalar(%x: tensor<1x1xf32>) {
  // CHECK-NEXT: tile.squeeze %{{.*}} at [0, 1] : tensor<1x1xf32> to f32
  %0 = tile.squeeze %x at [0, 1] : tensor<1x1xf32> to f32
  return
}

// CHECK-LABEL: @absence
func.func @absence(%x: tensor<4x8xf32>, %c: tensor<4x1xi1>, %s: f32, %b: i1) {
  // CHECK-NEXT: %[[K:.*]] = tile.keep_if %{{.*}}, %{{.*}} over [0] : tensor<4x8xf32>, tensor<4x1xi1>
  %0 = tile.keep_if %x, %c over [0] : tensor<4x8xf32>, tensor<4x1xi1>
  // CHECK-NEXT: tile.keep_if %{{.*}}, %{{.*}} over [] : f32, i1
  %1 = tile.keep_if %s, %b over [] : f32, i1
  // CHECK-NEXT: tile.fill_absent %[[K]], %{{.*}} : tensor<4x8xf32>
  %2 = tile.fill_absent %0, %x : tensor<4x8xf32>
  // CHECK-NEXT: tile.present %[[K]] : tensor<4x8xf32>
  // GENERIC:    "tile.present"(%{{.*}}) : (tensor<4x8xf32>) -> tensor<4x8xi1>
  %3 = tile.present %0 : tensor<4x8xf32>
  return
}
