// RUN: tile-opt %s --split-input-file --verify-diagnostics

// RULE: tile.view C2
// expected-error@+1 {{expected an element type of the dialect (i1, i8 to i64, ui8 to ui64, bf16, f16, f32, f64, f8E4M3FN, f8E5M2), found `i4`}}
func.func private @f(!tile.view<4xi4, in>)

// -----
// RULE: tile.view C3
// expected-error@+1 {{expected a view of rank 1 or more, found rank 0: write a single element as a view of extent 1}}
func.func private @f(!tile.view<f32, in>)

// -----
// expected-error@+1 {{expected `in`, `out` or `inout`, found `readwrite`}}
func.func private @f(!tile.view<4xf32, readwrite>)

// -----
// RULE: !tile.span C1
// expected-error@+1 {{expected a span of width 1 or more, found 0}}
func.func private @f(!tile.span<0>)

// -----
// RULE: tile.atomic C1
func.func @f(%t: tensor<8xi32>, %v: !tile.view<?xi32, out>, %i: tensor<8xi64>) {
  // expected-error@+1 {{'tile.atomic' op expected an `inout` view, found `out`: an atomic reads and writes}}
  tile.atomic add %t, %v[%i] : tensor<8xi32>, !tile.view<?xi32, out>, tensor<8xi64>
  return
}

// -----
// RULE: tile.atomic C2
func.func @f(%t: tensor<8xi32>, %v: !tile.view<?x8xi32, inout>, %i: tensor<8xi64>) {
  // expected-error@+1 {{'tile.atomic' op expected an index or `:` for each of 2 axes, found 1}}
  tile.atomic add %t, %v[%i] : tensor<8xi32>, !tile.view<?x8xi32, inout>, tensor<8xi64>
  return
}

// -----
// RULE: tile.atomic C3
func.func @f(%t: tensor<4xi32>, %v: !tile.view<?xi32, inout>, %i: tensor<8xi64>) {
  // expected-error@+1 {{'tile.atomic' op expected a value of type `tensor<8xi32>`, found `tensor<4xi32>`}}
  tile.atomic add %t, %v[%i] : tensor<4xi32>, !tile.view<?xi32, inout>, tensor<8xi64>
  return
}

// -----
// RULE: tile.atomic C3
func.func @f(%t: tensor<8xi32>, %v: !tile.view<?xi32, inout>, %i: tensor<8xi64>) {
  // expected-error@+1 {{'tile.atomic' op expected a result of type `tensor<8xi32>`, found `tensor<4xi32>`}}
  %0 = tile.atomic add %t, %v[%i] {order_any} : tensor<8xi32>, !tile.view<?xi32, inout>, tensor<8xi64> -> tensor<4xi32>
  return
}

// -----
// RULE: tile.atomic C4
func.func @f(%t: i32, %v: !tile.view<?xi32, inout>, %i: i64) {
  // expected-error@+1 {{'tile.atomic' op expected a value to compare with for `cas`, found no `expect` on `cas`}}
  tile.atomic cas %t, %v[%i] : i32, !tile.view<?xi32, inout>, i64
  return
}

// -----
// RULE: tile.atomic C4
func.func @f(%t: i32, %v: !tile.view<?xi32, inout>, %i: i64) {
  // expected-error@+1 {{'tile.atomic' op expected a value to compare with only for `cas`, found `expect` on `add`}}
  tile.atomic add %t expect %t, %v[%i] : i32 expect i32, !tile.view<?xi32, inout>, i64
  return
}

// -----
// RULE: tile.atomic C5
func.func @f(%t: f32, %v: !tile.view<?xf32, inout>, %i: i64) {
  // expected-error@+1 {{'tile.atomic' op expected integers for `and`, found `f32`}}
  tile.atomic and %t, %v[%i] : f32, !tile.view<?xf32, inout>, i64
  return
}

// -----
// RULE: tile.atomic C6
func.func @f(%t: i1, %v: !tile.view<?xi1, inout>, %i: i64) {
  // expected-error@+1 {{'tile.atomic' op expected numbers for `add`, found `i1`}}
  tile.atomic add %t, %v[%i] : i1, !tile.view<?xi1, inout>, i64
  return
}

// -----
// RULE: tile.atomic C7
func.func @f(%t: f32, %v: !tile.view<?xf32, inout>, %i: i64) {
  // expected-error@+1 {{'tile.atomic' op expected `order_any` on an atomic that works on floats: its result depends on the order, and the source must allow any}}
  tile.atomic add %t, %v[%i] : f32, !tile.view<?xf32, inout>, i64
  return
}

// -----
// RULE: tile.atomic C7
func.func @f(%t: i32, %v: !tile.view<?xi32, inout>, %i: i64) {
  // expected-error@+1 {{'tile.atomic' op expected `order_any` on an atomic that returns what was there: its result depends on the order, and the source must allow any}}
  %0 = tile.atomic add %t, %v[%i] : i32, !tile.view<?xi32, inout>, i64 -> i32
  return
}

// -----
// RULE: tile.dim C1
func.func @f(%v: !tile.view<?xf32, in>) {
  // expected-error@+1 {{'tile.dim' op expected an axis in 0 to 0, found 1}}
  %0 = tile.dim %v, 1 : !tile.view<?xf32, in>
  return
}

// -----
// RULE: tile.load C1
func.func @f(%v: !tile.view<?x8xf32, in>, %i: i64) {
  // expected-error@+1 {{'tile.load' op expected an index or `:` for each of 2 axes, found 1}}
  %0 = tile.load %v[%i] : !tile.view<?x8xf32, in>, i64 -> f32
  return
}

// -----
// RULE: tile.load C1
func.func @f(%v: !tile.view<?x8xf32, in>, %i: i64) {
  // expected-error@+1 {{'tile.load' op expected a static extent at axis 0 indexed by `:`, found `?`: index it by a span, as `whole` gives one}}
  %0 = tile.load %v[:, %i] : !tile.view<?x8xf32, in>, i64 -> tensor<8xf32>
  return
}

// -----
// RULE: tile.load C1
func.func @f(%v: !tile.view<?x8xf32, in>, %i: i64) {
  // expected-error@+1 {{'tile.load' op expected an index for each of 2 axes that are not `:`, found 1}}
  %0 = "tile.load"(%v, %i) <{whole = array<i1: false, false>}> : (!tile.view<?x8xf32, in>, i64) -> f32
  return
}

// -----
// RULE: tile.load C2
func.func @f(%v: !tile.view<?x8xf32, in>, %r: !tile.span<4>) {
  // expected-error@+1 {{'tile.load' op expected a result of type `tensor<4x8xf32>`, found `tensor<8x4xf32>`}}
  %0 = tile.load %v[%r, :] : !tile.view<?x8xf32, in>, !tile.span<4> -> tensor<8x4xf32>
  return
}

// -----
// RULE: tile.span_index C1
func.func @f(%r: !tile.span<4>) {
  // expected-error@+1 {{'tile.span_index' op expected a result of type `tensor<4xi64>`, found `tensor<8xi64>`}}
  %0 = tile.span_index %r : !tile.span<4> -> tensor<8xi64>
  return
}

// -----
// RULE: tile.store C1
func.func @f(%t: f32, %v: !tile.view<?xf32, in>, %i: i64) {
  // expected-error@+1 {{'tile.store' op expected an `out` or `inout` view, found `in`: declare the argument `out`}}
  tile.store %t, %v[%i] : f32, !tile.view<?xf32, in>, i64
  return
}

// -----
// RULE: tile.store C2
func.func @f(%t: tensor<8xf32>, %v: !tile.view<?xf32, out>) {
  // expected-error@+1 {{'tile.store' op expected a static extent at axis 0 indexed by `:`, found `?`: index it by a span, as `whole` gives one}}
  tile.store %t, %v[:] : tensor<8xf32>, !tile.view<?xf32, out>
  return
}

// -----
// RULE: tile.store C3
func.func @f(%t: tensor<8xbf16>, %v: !tile.view<8xf32, out>) {
  // expected-error@+1 {{'tile.store' op expected a value of type `tensor<8xf32>`, found `tensor<8xbf16>`}}
  tile.store %t, %v[:] : tensor<8xbf16>, !tile.view<8xf32, out>
  return
}

// -----
// RULE: tile.view_group C1
func.func @f(%v: !tile.view<?x8xf32, in>) {
  // expected-error@+1 {{'tile.view_group' op expected an axis in 0 to 1, found 2}}
  %0 = tile.view_group %v, 2 by 4 : !tile.view<?x8xf32, in> -> !tile.view<?x2x4xf32, in>
  return
}

// -----
// RULE: tile.view_group C1
func.func @f(%v: !tile.view<?x8xf32, in>) {
  // expected-error@+1 {{'tile.view_group' op expected groups of at least 1 element, found 0}}
  %0 = tile.view_group %v, 1 by 0 : !tile.view<?x8xf32, in> -> !tile.view<?x2x4xf32, in>
  return
}

// -----
// RULE: tile.view_group C1
func.func @f(%v: !tile.view<?x8xf32, in>) {
  // expected-error@+1 {{'tile.view_group' op expected a group size that divides the extent 8 of axis 1, found 3}}
  %0 = tile.view_group %v, 1 by 3 : !tile.view<?x8xf32, in> -> !tile.view<?x2x3xf32, in>
  return
}

// -----
// RULE: tile.view_group C2
func.func @f(%v: !tile.view<?x8xf32, in>) {
  // expected-error@+1 {{'tile.view_group' op expected a result of type `!tile.view<?x4x8xf32, in>`, found `!tile.view<?x2x4xf32, in>`}}
  %0 = tile.view_group %v, 0 by 4 : !tile.view<?x8xf32, in> -> !tile.view<?x2x4xf32, in>
  return
}

// -----
// RULE: tile.view_permute C1
func.func @f(%v: !tile.view<?x8xf32, in>) {
  // expected-error@+1 {{'tile.view_permute' op expected a permutation of the axes 0 to 1, found [0, 0]}}
  %0 = tile.view_permute %v, [0, 0] : !tile.view<?x8xf32, in> -> !tile.view<?x8xf32, in>
  return
}

// -----
// RULE: tile.view_permute C2
func.func @f(%v: !tile.view<?x8xf32, in>) {
  // expected-error@+1 {{'tile.view_permute' op expected a result of type `!tile.view<8x?xf32, in>`, found `!tile.view<8x?xf32, out>`}}
  %0 = tile.view_permute %v, [1, 0] : !tile.view<?x8xf32, in> -> !tile.view<8x?xf32, out>
  return
}

// -----
// RULE: tile.view_slice C1
func.func @f(%v: !tile.view<?x8xf32, in>, %i: i64) {
  // expected-error@+1 {{'tile.view_slice' op expected an axis in 0 to 1, found 2}}
  %0 = tile.view_slice %v, 2 from %i to %i : !tile.view<?x8xf32, in> -> !tile.view<?x8xf32, in>
  return
}

// -----
// RULE: tile.view_slice C2
func.func @f(%v: !tile.view<?x8xf32, in>) {
  %c2 = tile.constant 2 : i64
  %c6 = tile.constant 6 : i64
  %0 = tile.view_slice %v, 1 from %c2 to %c6 : !tile.view<?x8xf32, in> -> !tile.view<?x4xf32, in>
  // expected-error@+1 {{'tile.view_slice' op expected a result like `!tile.view<?x8xf32, in>` with `?` or 4 at axis 1, found `!tile.view<?x5xf32, in>`}}
  %1 = tile.view_slice %v, 1 from %c2 to %c6 : !tile.view<?x8xf32, in> -> !tile.view<?x5xf32, in>
  return
}

// -----
// RULE: tile.view_split C1
func.func @f(%v: !tile.view<?x8xf32, in>) {
  // expected-error@+1 {{'tile.view_split' op expected an axis in 0 to 1, found 2}}
  %0 = tile.view_split %v, 2 : !tile.view<?x8xf32, in> -> !tile.view<?x8xf32, in>
  return
}

// -----
// RULE: tile.view_split C2
func.func @f(%v: !tile.view<?x8xf32, in>) {
  // expected-error@+1 {{'tile.view_split' op expected at least one part, found none}}
  "tile.view_split"(%v) <{axis = 1 : i64}> : (!tile.view<?x8xf32, in>) -> ()
  return
}

// -----
// RULE: tile.view_split C2
func.func @f(%v: !tile.view<?x8xf32, in>) {
  // expected-error@+1 {{'tile.view_split' op expected a number of parts that divides the extent 8 of axis 1, found 3}}
  %0:3 = tile.view_split %v, 1 : !tile.view<?x8xf32, in> -> !tile.view<?x2xf32, in>, !tile.view<?x3xf32, in>, !tile.view<?x3xf32, in>
  return
}

// -----
// RULE: tile.view_split C2
func.func @f(%v: !tile.view<?x8xf32, in>) {
  // expected-error@+1 {{'tile.view_split' op expected a result like `!tile.view<?x8xf32, in>` with `?` or 4 at axis 1, found `!tile.view<?x5xf32, in>`}}
  %0:2 = tile.view_split %v, 1 : !tile.view<?x8xf32, in> -> !tile.view<?x4xf32, in>, !tile.view<?x5xf32, in>
  return
}
