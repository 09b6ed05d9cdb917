// RUN: tile-opt %s --split-input-file --verify-diagnostics

// RULE: tile.exp C1
func.func @f(%x: tensor<4xi32>) {
  // expected-error@+1 {{'tile.exp' op operand #0 must be scalar or tile of floats with arithmetic, but got 'tensor<4xi32>'}}
  %0 = tile.exp %x : tensor<4xi32>
  return
}

// -----
// RULE: tile.exp C1
func.func @f(%x: tensor<4xf8E4M3FN>) {
  // expected-error@+1 {{'tile.exp' op operand #0 must be scalar or tile of floats with arithmetic, but got 'tensor<4xf8E4M3FN>'}}
  %0 = tile.exp %x : tensor<4xf8E4M3FN>
  return
}

// -----
// RULE: tile.popcount C1
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{'tile.popcount' op operand #0 must be scalar or tile of integers, but got 'tensor<4xf32>'}}
  %0 = tile.popcount %x : tensor<4xf32>
  return
}

// -----
// RULE: tile.add C1
func.func @f(%x: tensor<4xi1>) {
  // expected-error@+1 {{'tile.add' op operand #0 must be scalar or tile of numbers, but got 'tensor<4xi1>'}}
  %0 = tile.add %x, %x : tensor<4xi1>
  return
}

// -----
// RULE: tile.and C1
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{'tile.and' op operand #0 must be scalar or tile of integers or truth values, but got 'tensor<4xf32>'}}
  %0 = tile.and %x, %x : tensor<4xf32>
  return
}

// -----
// RULE: tile.add C2
func.func @f(%x: tensor<4xf32>, %y: tensor<1xf32>) {
  // expected-error@+1 {{'tile.add' op requires the same type for all operands and results}}
  %0 = "tile.add"(%x, %y) : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return
}

// -----
// RULE: tile.add C2
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{'tile.add' op requires the same type for all operands and results}}
  %0 = "tile.add"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf64>
  return
}

// -----
// RULE: tile.isnan C2
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{'tile.isnan' op result #0 must be scalar or tile of truth values, but got 'tensor<4xf32>'}}
  %0 = "tile.isnan"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
// RULE: tile.bits C1
func.func @f(%x: tensor<4xi1>) {
  // expected-error@+1 {{custom op 'tile.bits' 'x' must be scalar or tile of floats or integers, but got 'tensor<4xi1>'}}
  %0 = tile.bits %x : tensor<4xi1>
  return
}

// -----
// RULE: tile.bits C2
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{'tile.bits' op failed to verify that the result is unsigned of the operand's width}}
  %0 = "tile.bits"(%x) : (tensor<4xf32>) -> tensor<4xui16>
  return
}

// -----
// RULE: tile.cast C1
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{'tile.cast' op expected a result of type `tensor<4xf64>`, found `tensor<2x2xf64>`}}
  %0 = tile.cast %x : tensor<4xf32> to tensor<2x2xf64>
  return
}

// -----
// RULE: tile.cast C2
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{'tile.cast' op expected `round` when `tensor<4xf32>` becomes an integer, found none: `rz` truncates, `rne` rounds to nearest even}}
  %0 = tile.cast %x : tensor<4xf32> to tensor<4xi32>
  return
}

// -----
// RULE: tile.cast C2
func.func @f(%x: tensor<4xi32>) {
  // expected-error@+1 {{'tile.cast' op expected no `round` from `i32` to `i64`, where nothing is rounded, found `rz`}}
  %0 = tile.cast %x {round = #tile.round<rz>} : tensor<4xi32> to tensor<4xi64>
  return
}

// -----
// RULE: tile.cast C3
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{'tile.cast' op expected `overflow` of `sat` or `nan` from `f32` to `f8E4M3FN`, found none: say what becomes of a value out of range}}
  %0 = tile.cast %x : tensor<4xf32> to tensor<4xf8E4M3FN>
  return
}

// -----
// RULE: tile.cast C3
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{'tile.cast' op expected `overflow` of `sat` or `nan` from `f32` to `f8E4M3FN`, found `inf`}}
  %0 = tile.cast %x {overflow = #tile.overflow<inf>} : tensor<4xf32> to tensor<4xf8E4M3FN>
  return
}

// -----
// RULE: tile.cast C3
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{'tile.cast' op expected `overflow` of `sat` or `inf` from `f32` to `f8E5M2`, found `nan`}}
  %0 = tile.cast %x {overflow = #tile.overflow<nan>} : tensor<4xf32> to tensor<4xf8E5M2>
  return
}

// -----
// RULE: tile.cast C3
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{'tile.cast' op expected `overflow` of `sat` or `inf`, or none, from `f32` to `bf16`, found `wrap`}}
  %0 = tile.cast %x {overflow = #tile.overflow<wrap>} : tensor<4xf32> to tensor<4xbf16>
  return
}

// -----
// RULE: tile.cast C4
func.func @f(%x: tensor<4xi64>) {
  // expected-error@+1 {{'tile.cast' op expected `overflow` of `sat` or `wrap` from `i64` to `i32`, found none: say what becomes of a value out of range}}
  %0 = tile.cast %x : tensor<4xi64> to tensor<4xi32>
  return
}

// -----
// RULE: tile.cast C4
func.func @f(%x: tensor<4xi32>) {
  // expected-error@+1 {{'tile.cast' op expected `overflow` of `sat` or `wrap` from `i32` to `ui32`, found `inf`}}
  %0 = tile.cast %x {overflow = #tile.overflow<inf>} : tensor<4xi32> to tensor<4xui32>
  return
}

// -----
// RULE: tile.cast C4
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{'tile.cast' op expected `overflow` of `sat` or `wrap`, or none, from `f32` to `i32`, found `nan`}}
  %0 = tile.cast %x {round = #tile.round<rz>, overflow = #tile.overflow<nan>} : tensor<4xf32> to tensor<4xi32>
  return
}

// -----
// RULE: tile.cmp C1
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf64>) {
  // expected-error@+1 {{'tile.cmp' op requires all operands to have the same type}}
  %0 = "tile.cmp"(%x, %y) <{predicate = #tile.cmp_predicate<lt>}> : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xi1>
  return
}

// -----
// RULE: tile.from_bits C1
func.func @f(%x: tensor<4xui16>) {
  // expected-error@+1 {{'tile.from_bits' op expected an operand of type `tensor<4xui32>`, found `tensor<4xui16>`}}
  %0 = tile.from_bits %x : tensor<4xui16> to tensor<4xf32>
  return
}

// -----
// RULE: tile.from_bits C2
func.func @f(%x: tensor<4xi16>) {
  // expected-error@+1 {{'tile.from_bits' op operand #0 must be scalar or tile of unsigned integers, but got 'tensor<4xi16>'}}
  %0 = tile.from_bits %x : tensor<4xi16> to tensor<4xf16>
  return
}

// -----
// RULE: tile.select C1
func.func @f(%c: tensor<4xi1>, %x: tensor<8xf32>) {
  // expected-error@+1 {{'tile.select' op failed to verify that the condition has the operands' shape}}
  %0 = "tile.select"(%c, %x, %x) : (tensor<4xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----
// RULE: tile.select C1
func.func @f(%c: tensor<8xi1>, %x: tensor<8xf32>, %y: tensor<8xbf16>) {
  // expected-error@+1 {{'tile.select' op failed to verify that all of {a, b, result} have same type}}
  %0 = "tile.select"(%c, %x, %y) : (tensor<8xi1>, tensor<8xf32>, tensor<8xbf16>) -> tensor<8xf32>
  return
}
