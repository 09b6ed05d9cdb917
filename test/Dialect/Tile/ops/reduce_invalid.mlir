// RUN: tile-opt %s --split-input-file --verify-diagnostics

// RULE: tile.argmax C1
func.func @f(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{'tile.argmax' op expected an axis in 0 to 1, found 2}}
  %0, %1 = tile.argmax %x along 2 : tensor<4x8xf32> -> tensor<4xf32>, tensor<4xi64>
  return
}

// -----
// RULE: tile.argmax C2
func.func @f(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{'tile.argmax' op expected a value of type `tensor<4xf32>`, found `tensor<8xf32>`}}
  %0, %1 = tile.argmax %x along 1 : tensor<4x8xf32> -> tensor<8xf32>, tensor<4xi64>
  return
}

// -----
// RULE: tile.argmin C1
func.func @f(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{'tile.argmin' op expected an axis in 0 to 1, found -1}}
  %0, %1 = tile.argmin %x along -1 : tensor<4x8xf32> -> tensor<4xf32>, tensor<4xi64>
  return
}

// -----
// RULE: tile.argmin C2
func.func @f(%x: tensor<8xf32>) {
  // expected-error@+1 {{'tile.argmin' op expected an index of type `i64`, found `i32`}}
  %0, %1 = tile.argmin %x along 0 : tensor<8xf32> -> f32, i32
  return
}

// -----
// RULE: tile.histogram C1
func.func @f(%x: tensor<8xi32>) {
  // expected-error@+1 {{'tile.histogram' op expected a result of rank 1, one element for each bin, found rank 2}}
  %0 = tile.histogram %x : tensor<8xi32> -> tensor<4x4xi64>
  return
}

// -----
// RULE: tile.mma C1
func.func @f(%a: tensor<4x8xbf16>, %b: tensor<4x16xbf16>, %c: tensor<4x16xf32>) {
  // expected-error@+1 {{'tile.mma' op expected operands of shapes MxK, KxN and MxN, found `tensor<4x8xbf16>`, `tensor<4x16xbf16>` and `tensor<4x16xf32>`}}
  %0 = tile.mma %a, %b, %c : tensor<4x8xbf16>, tensor<4x16xbf16>, tensor<4x16xf32>
  return
}

// -----
// RULE: tile.mma C2
func.func @f(%a: tensor<4x8xbf16>, %b: tensor<8x16xf16>, %c: tensor<4x16xf32>) {
  // expected-error@+1 {{'tile.mma' op expected `a` and `b` of one element type, found `bf16` and `f16`: cast one}}
  %0 = tile.mma %a, %b, %c : tensor<4x8xbf16>, tensor<8x16xf16>, tensor<4x16xf32>
  return
}

// -----
// RULE: tile.mma C2
func.func @f(%a: tensor<4x8xbf16>, %b: tensor<8x16xbf16>, %c: tensor<4x16xbf16>) {
  // expected-error@+1 {{'tile.mma' op expected an accumulator of element type `f32` for operands of `bf16`, found `bf16`}}
  %0 = tile.mma %a, %b, %c : tensor<4x8xbf16>, tensor<8x16xbf16>, tensor<4x16xbf16>
  return
}

// -----
// RULE: tile.mma C2
func.func @f(%a: tensor<4x8xi16>, %b: tensor<8x16xi16>, %c: tensor<4x16xi32>) {
  // expected-error@+1 {{'tile.mma' op expected operands of a float type, `i8` or `ui8`, found `i16`}}
  %0 = tile.mma %a, %b, %c : tensor<4x8xi16>, tensor<8x16xi16>, tensor<4x16xi32>
  return
}

// -----
// RULE: tile.mma C3
func.func @f(%a: tensor<4x8xbf16>, %b: tensor<8x16xbf16>, %c: tensor<4x16xf32>) {
  // expected-error@+1 {{'tile.mma' op expected precision `ieee` for operands of `bf16`, found `tf32`: the others are for `f32`}}
  %0 = tile.mma %a, %b, %c {precision = #tile.mma_precision<tf32>} : tensor<4x8xbf16>, tensor<8x16xbf16>, tensor<4x16xf32>
  return
}

// -----
// RULE: tile.philox C1
func.func @f(%s: ui64, %i: tensor<4xi64>) {
  // expected-error@+1 {{'tile.philox' op expected results of type `tensor<4xui32>`, found `tensor<8xui32>`}}
  %0:4 = tile.philox %s, %s, %i : tensor<4xi64> -> tensor<8xui32>
  return
}

// -----
// RULE: tile.reduce C1
func.func @f(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{'tile.reduce' op expected an axis in 0 to 1, found 2}}
  %0 = tile.reduce sum %x along 2 : tensor<4x8xf32> -> tensor<4xf32>
  return
}

// -----
// RULE: tile.reduce C2
func.func @f(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{'tile.reduce' op expected truth values (`i1`) for `any`, found `f32`}}
  %0 = tile.reduce any %x along 1 : tensor<4x8xf32> -> tensor<4xf32>
  return
}

// -----
// RULE: tile.reduce C2
func.func @f(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{'tile.reduce' op expected integers or truth values for `xor`, found `f32`}}
  %0 = tile.reduce xor %x along 1 : tensor<4x8xf32> -> tensor<4xf32>
  return
}

// -----
// RULE: tile.reduce C2
func.func @f(%x: tensor<4x8xi32>) {
  // expected-error@+1 {{'tile.reduce' op expected floats with arithmetic for `max_num`, found `i32`}}
  %0 = tile.reduce max_num %x along 1 : tensor<4x8xi32> -> tensor<4xi32>
  return
}

// -----
// RULE: tile.reduce C2
func.func @f(%x: tensor<4x8xf8E5M2>) {
  // expected-error@+1 {{'tile.reduce' op expected numbers for `max`, found `f8E5M2`}}
  %0 = tile.reduce max %x along 1 : tensor<4x8xf8E5M2> -> tensor<4xf8E5M2>
  return
}

// -----
// RULE: tile.reduce C3
func.func @f(%x: tensor<4x8xbf16>) {
  // expected-error@+1 {{'tile.reduce' op expected a result of type `tensor<4xf32>`, found `tensor<4xbf16>`}}
  %0 = tile.reduce sum %x along 1 : tensor<4x8xbf16> -> tensor<4xbf16>
  return
}

// -----
// RULE: tile.reduce C4
func.func @f(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{'tile.reduce' op expected `order = any` only for `sum` and `prod`, found it for `max`, which no order changes}}
  %0 = tile.reduce max %x along 1 {order = #tile.reduce_order<any>} : tensor<4x8xf32> -> tensor<4xf32>
  return
}

// -----
// RULE: tile.reduce_with C1
func.func @f(%x: tensor<8xf32>, %z: f32) {
  // expected-error@+1 {{'tile.reduce_with' op expected an axis in 0 to 0, found 1}}
  %0 = tile.reduce_with %x, %z along 1 : tensor<8xf32>, f32 -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----
// RULE: tile.reduce_with C1
func.func @f(%x: tensor<8xf32>, %z: f64) {
  // expected-error@+1 {{'tile.reduce_with' op expected an identity of type `f32`, found `f64`}}
  %0 = tile.reduce_with %x, %z along 0 : tensor<8xf32>, f64 -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----
// RULE: tile.reduce_with C2
func.func @f(%x: tensor<8xf32>, %z: f32) {
  // expected-error@+1 {{'tile.reduce_with' op expected a region from (f32, f32) to (f32), found one from (f32) to (f32)}}
  %0 = tile.reduce_with %x, %z along 0 : tensor<8xf32>, f32 -> f32 {
  ^bb0(%a: f32):
    tile.yield %a : f32
  }
  return
}

// -----
// RULE: tile.reduce_with C3
func.func @f(%x: tensor<8xf32>, %z: f32) {
  // expected-error@+1 {{'tile.reduce_with' op expected a result of type `f32`, found `f64`}}
  %0 = tile.reduce_with %x, %z along 0 : tensor<8xf32>, f32 -> f64 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----
// RULE: tile.scan C1
func.func @f(%x: tensor<8xf32>) {
  // expected-error@+1 {{'tile.scan' op expected an axis in 0 to 0, found 1}}
  %0 = tile.scan sum %x along 1 : tensor<8xf32> -> tensor<8xf32>
  return
}

// -----
// RULE: tile.scan C2
func.func @f(%x: tensor<8xf32>) {
  // expected-error@+1 {{'tile.scan' op expected `sum`, `prod`, `max` or `min`, found `absmax`: `tile.scan_with` takes a region}}
  %0 = tile.scan absmax %x along 0 : tensor<8xf32> -> tensor<8xf32>
  return
}

// -----
// RULE: tile.scan C3
func.func @f(%x: tensor<8xf16>) {
  // expected-error@+1 {{'tile.scan' op expected a result of type `tensor<8xf32>`, found `tensor<8xf16>`}}
  %0 = tile.scan sum %x along 0 : tensor<8xf16> -> tensor<8xf16>
  return
}

// -----
// RULE: tile.scan_with C1
func.func @f(%x: tensor<8xf32>, %z: f32) {
  // expected-error@+1 {{'tile.scan_with' op expected an axis in 0 to 0, found -1}}
  %0 = tile.scan_with %x, %z along -1 : tensor<8xf32>, f32 -> tensor<8xf32> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----
// RULE: tile.scan_with C2
func.func @f(%x: tensor<8xf32>, %z: f32) {
  // expected-error@+1 {{'tile.scan_with' op expected a region from (f32, f32) to (f32), found one from (f32, f32) to ()}}
  %0 = tile.scan_with %x, %z along 0 : tensor<8xf32>, f32 -> tensor<8xf32> {
  ^bb0(%a: f32, %b: f32):
    tile.yield
  }
  return
}

// -----
// RULE: tile.scan_with C3
func.func @f(%x: tensor<8xf32>, %z: f32) {
  // expected-error@+1 {{'tile.scan_with' op expected a result of type `tensor<8xf32>`, found `tensor<4xf32>`}}
  %0 = tile.scan_with %x, %z along 0 : tensor<8xf32>, f32 -> tensor<4xf32> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----
// RULE: tile.topk C1
func.func @f(%x: tensor<8xf32>) {
  // expected-error@+1 {{'tile.topk' op expected an axis in 0 to 0, found 1}}
  %0, %1 = tile.topk 4 of %x along 1 : tensor<8xf32> -> tensor<4xf32>, tensor<4xi64>
  return
}

// -----
// RULE: tile.topk C1
func.func @f(%x: tensor<8xf32>) {
  // expected-error@+1 {{'tile.topk' op expected 1 to 8 elements of the axis, found 9}}
  %0, %1 = tile.topk 9 of %x along 0 : tensor<8xf32> -> tensor<9xf32>, tensor<9xi64>
  return
}

// -----
// RULE: tile.topk C2
func.func @f(%x: tensor<8xf32>) {
  // expected-error@+1 {{'tile.topk' op expected indices of type `tensor<4xi64>`, found `tensor<8xi64>`}}
  %0, %1 = tile.topk 4 of %x along 0 : tensor<8xf32> -> tensor<4xf32>, tensor<8xi64>
  return
}
