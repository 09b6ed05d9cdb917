// RUN: tile-opt %s --split-input-file --verify-diagnostics

// RULE: tile.broadcast C1
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{'tile.broadcast' op expected a result of the operand's rank 1, found rank 2: put axes in with `tile.expand`}}
  %0 = tile.broadcast %x : tensor<4xf32> to tensor<4x8xf32>
  return
}

// -----
// RULE: tile.broadcast C1
func.func @f(%x: tensor<1xf32>) {
  // expected-error@+1 {{'tile.broadcast' op expected a result of the operand's element type `f32`, found `bf16`: convert with `tile.cast`}}
  %0 = tile.broadcast %x : tensor<1xf32> to tensor<4xbf16>
  return
}

// -----
// RULE: tile.broadcast C2
func.func @f(%x: tensor<2x4xf32>) {
  // expected-error@+1 {{'tile.broadcast' op expected extent 1 or 8 at axis 0 of the operand, found 2: only axes of extent 1 are repeated}}
  %0 = tile.broadcast %x : tensor<2x4xf32> to tensor<8x4xf32>
  return
}

// -----
// RULE: tile.cat C1
func.func @f() {
  // expected-error@+1 {{'tile.cat' op expected at least one part, found none}}
  %0 = "tile.cat"() <{axis = 0 : i64}> : () -> tensor<4xf32>
  return
}

// -----
// RULE: tile.cat C1
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{'tile.cat' op expected an axis in 0 to 0, found 1}}
  %0 = tile.cat %x along 1 : tensor<4xf32> to tensor<4xf32>
  return
}

// -----
// RULE: tile.cat C2
func.func @f(%x: tensor<4x2xf32>, %y: tensor<4x3xf32>) {
  // expected-error@+1 {{'tile.cat' op expected part 1 like the result `tensor<8x2xf32>` but for the extent at axis 0, found `tensor<4x3xf32>`}}
  %0 = tile.cat %x, %y along 0 : tensor<4x2xf32>, tensor<4x3xf32> to tensor<8x2xf32>
  return
}

// -----
// RULE: tile.cat C2
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{'tile.cat' op expected the sum 8 of the parts' extents at axis 0 of the result, found 9}}
  %0 = tile.cat %x, %x along 0 : tensor<4xf32>, tensor<4xf32> to tensor<9xf32>
  return
}

// -----
// RULE: tile.constant C1
func.func @f() {
  // expected-error@+1 {{'tile.constant' op expected a number of the element type `bf16`, found `1.000000e+00 : f32`}}
  %0 = tile.constant 1.0 : f32 tensor<4xbf16>
  return
}

// -----
// RULE: tile.constant C1
func.func @f() {
  // expected-error@+1 {{'tile.constant' op expected a number of the element type `f32`, found `dense<1.000000e+00> : tensor<4xf32>`}}
  %0 = "tile.constant"() <{value = dense<1.0> : tensor<4xf32>}> : () -> tensor<4xf32>
  return
}

// -----
func.func @f() {
  // expected-error@+1 {{custom op 'tile.constant' expected an element with its type such as `1.0 : f32`, found `"text"`}}
  %0 = tile.constant "text"
  return
}

// -----
// RULE: tile.expand C1
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{'tile.expand' op expected ascending axes in 0 to 1, found [2]}}
  %0 = tile.expand %x at [2] : tensor<4xf32> to tensor<4x1xf32>
  return
}

// -----
// RULE: tile.expand C1
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{'tile.expand' op expected as many axes as the ranks differ (3), at least one, found 2}}
  %0 = tile.expand %x at [1, 2] : tensor<4xf32> to tensor<4x1x1x1xf32>
  return
}

// -----
// RULE: tile.expand C1
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{'tile.expand' op expected as many axes as the ranks differ (0), at least one, found 0}}
  %0 = tile.expand %x at [] : tensor<4xf32> to tensor<4xf32>
  return
}

// -----
// RULE: tile.expand C2
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{'tile.expand' op expected a result of type `tensor<4x1xf32>`, found `tensor<4x2xf32>`}}
  %0 = tile.expand %x at [1] : tensor<4xf32> to tensor<4x2xf32>
  return
}

// -----
// RULE: tile.expand C2
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{'tile.expand' op expected a result of the operand's element type `f32`, found `f64`: convert with `tile.cast`}}
  %0 = tile.expand %x at [1] : tensor<4xf32> to tensor<4x1xf64>
  return
}

// -----
// RULE: tile.fill_absent C1
func.func @f(%x: tensor<4xf32>, %y: tensor<8xf32>) {
  // expected-error@+1 {{'tile.fill_absent' op requires the same type for all operands and results}}
  %0 = "tile.fill_absent"(%x, %y) : (tensor<4xf32>, tensor<8xf32>) -> tensor<4xf32>
  return
}

// -----
// RULE: tile.flip C1
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{'tile.flip' op expected an axis in 0 to 0, found 1}}
  %0 = tile.flip %x along 1 : tensor<4xf32>
  return
}

// -----
// RULE: tile.iota C1
func.func @f() {
  // expected-error@+1 {{'tile.iota' op expected a result of rank 1, found rank 2: expand and broadcast a tile of rank 1}}
  %0 = tile.iota : tensor<4x4xi64>
  return
}

// -----
// RULE: tile.keep_if C1
func.func @f(%x: tensor<4x8xf32>, %c: tensor<4xi1>) {
  // expected-error@+1 {{'tile.keep_if' op expected a condition of the operand's rank 2, found rank 1}}
  %0 = tile.keep_if %x, %c over [0] : tensor<4x8xf32>, tensor<4xi1>
  return
}

// -----
// RULE: tile.keep_if C2
func.func @f(%x: tensor<4x8xf32>, %c: tensor<4x8xi1>) {
  // expected-error@+1 {{'tile.keep_if' op expected ascending axes in 0 to 1, found [1, 0]}}
  %0 = tile.keep_if %x, %c over [1, 0] : tensor<4x8xf32>, tensor<4x8xi1>
  return
}

// -----
// RULE: tile.keep_if C3
func.func @f(%x: tensor<4x8xf32>, %c: tensor<4x8xi1>) {
  // expected-error@+1 {{'tile.keep_if' op expected extent 1 at axis 1 of the condition, found 8}}
  %0 = tile.keep_if %x, %c over [0] : tensor<4x8xf32>, tensor<4x8xi1>
  return
}

// -----
// RULE: tile.permute C1
func.func @f(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{'tile.permute' op expected a permutation of the axes 0 to 1, found [0]}}
  %0 = tile.permute %x, [0] : tensor<4x8xf32> to tensor<4x8xf32>
  return
}

// -----
// RULE: tile.permute C2
func.func @f(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{'tile.permute' op expected a result of type `tensor<8x4xf32>`, found `tensor<4x8xf32>`}}
  %0 = tile.permute %x, [1, 0] : tensor<4x8xf32> to tensor<4x8xf32>
  return
}

// -----
// RULE: tile.reshape C1
func.func @f(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{'tile.reshape' op expected a result of 32 elements, found 33}}
  %0 = tile.reshape %x : tensor<4x8xf32> to tensor<33xf32>
  return
}

// -----
// RULE: tile.reshape C1
func.func @f(%x: tensor<4x8xi32>) {
  // expected-error@+1 {{'tile.reshape' op expected a result of the operand's element type `i32`, found `ui32`: convert with `tile.cast`}}
  %0 = tile.reshape %x : tensor<4x8xi32> to tensor<32xui32>
  return
}

// -----
// RULE: tile.slice C1
func.func @f(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{'tile.slice' op expected an offset for each axis and operand and result of one rank, found 1 offsets and ranks 2 and 2}}
  %0 = tile.slice %x from [0] : tensor<4x8xf32> to tensor<4x8xf32>
  return
}

// -----
// RULE: tile.slice C2
func.func @f(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{'tile.slice' op expected a part inside the operand's extent 8 at axis 1, found 4 elements from 5}}
  %0 = tile.slice %x from [0, 5] : tensor<4x8xf32> to tensor<4x4xf32>
  return
}

// -----
// RULE: tile.slice C2
func.func @f(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{'tile.slice' op expected a part inside the operand's extent 4 at axis 0, found 4 elements from -1}}
  %0 = tile.slice %x from [-1, 0] : tensor<4x8xf32> to tensor<4x8xf32>
  return
}

// -----
// RULE: tile.splat C1
func.func @f(%x: f32) {
  // expected-error@+1 {{'tile.splat' op expected a result of the operand's element type `f32`, found `bf16`: convert with `tile.cast`}}
  %0 = tile.splat %x : f32 to tensor<4xbf16>
  return
}

// -----
// RULE: tile.squeeze C1
func.func @f(%x: tensor<4x1xf32>) {
  // expected-error@+1 {{'tile.squeeze' op expected extent 1 at axis 0, found 4: reduce or slice the axis first}}
  %0 = tile.squeeze %x at [0] : tensor<4x1xf32> to tensor<1xf32>
  return
}

// -----
// RULE: tile.squeeze C1
func.func @f(%x: tensor<4x1xf32>) {
  // expected-error@+1 {{'tile.squeeze' op expected at least one axis to drop, found none}}
  %0 = tile.squeeze %x at [] : tensor<4x1xf32> to tensor<4x1xf32>
  return
}

// -----
// RULE: tile.squeeze C2
func.func @f(%x: tensor<4x1xf32>) {
  // expected-error@+1 {{'tile.squeeze' op expected a result of type `tensor<4xf32>`, found `tensor<4x1xf32>`}}
  %0 = tile.squeeze %x at [1] : tensor<4x1xf32> to tensor<4x1xf32>
  return
}

// -----
// A tile has at least one axis and one element.
func.func @f(%x: tensor<0x4xf32>) {
  // expected-error@+1 {{'tile.flip' op operand #0 must be tile of any element type, 1 to 64 axes, extents at least 1, at most 2^40 elements, but got 'tensor<0x4xf32>'}}
  %0 = tile.flip %x along 0 : tensor<0x4xf32>
  return
}

// -----
// The number of elements must not overflow.
func.func @f(%x: tensor<4294967296x4294967296x4xf32>) {
  // expected-error@+1 {{'tile.flip' op operand #0 must be tile of any element type, 1 to 64 axes, extents at least 1, at most 2^40 elements, but got 'tensor<4294967296x4294967296x4xf32>'}}
  %0 = tile.flip %x along 0 : tensor<4294967296x4294967296x4xf32>
  return
}

// -----
// RULE: tile.convert C1
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{'tile.convert' op requires the same type for all operands and results}}
  %0 = "tile.convert"(%x) : (tensor<4xf32>) -> tensor<8xf32>
  return
}
