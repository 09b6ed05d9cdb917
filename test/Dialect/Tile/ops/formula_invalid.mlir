// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// RULE: tile.at C1
func.func @f(%x: !tile.view<?x?xf32, in>, %i: i64) {
  // expected-error@+1 {{'tile.at' op expected an index for each of 2 axes, found 1}}
  %0 = tile.at %x[%i] : !tile.view<?x?xf32, in> -> f32
  return
}

// -----
// RULE: tile.at C2
func.func @f(%x: tensor<?xf32>, %i: i64) {
  // expected-error@+1 {{'tile.at' op expected a result of the element type `f32`, found `f64`}}
  %0 = tile.at %x[%i] : tensor<?xf32> -> f64
  return
}

// -----
// RULE: tile.at C3
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0)) body {
  // expected-error@+1 {{'tile.at' op expected to stand in `reference`, `tolerance` or `where`: use `tile.load` in the body of a kernel}}
  %0 = tile.at %x[%N] : !tile.view<?xf32, in> -> f32
}

// -----
// RULE: tile.fold C1
func.func @f(%n: i64) {
  // expected-error@+1 {{'tile.fold' op expected a region with one `i64` argument, found ()}}
  %0 = "tile.fold"(%n, %n) <{kind = #tile.fold_kind<sum>}> ({
    tile.yield %n : i64
  }) : (i64, i64) -> i64
  return
}

// -----
// RULE: tile.fold C1
func.func @f(%n: i64) {
  // expected-error@+1 {{'tile.fold' op expected the region to yield one scalar, found (i64, i64)}}
  %0 = tile.fold sum %k in (%n to %n) -> i64 {
    tile.yield %k, %k : i64, i64
  }
  return
}

// -----
// RULE: tile.fold C2
func.func @f(%n: i64) {
  // expected-error@+1 {{'tile.fold' op expected `count` to combine truth values (`i1`), found `i64`}}
  %0 = tile.fold count %k in (%n to %n) -> i64 {
    tile.yield %k : i64
  }
  return
}

// -----
// RULE: tile.fold C2
func.func @f(%n: i64, %b: i1) {
  // expected-error@+1 {{'tile.fold' op expected a result of type `i64` for `first`, found `i1`}}
  %0 = tile.fold first %k in (%n to %n) -> i1 {
    tile.yield %b : i1
  }
  return
}

// -----
// RULE: tile.fold C2
func.func @f(%n: i64, %b: i1) {
  // expected-error@+1 {{'tile.fold' op expected a result of type `i1` for `any`, found `i64`}}
  %0 = tile.fold any %k in (%n to %n) -> i64 {
    tile.yield %b : i1
  }
  return
}

// -----
// RULE: tile.fold C3
func.func @f(%n: i64, %b: i1) {
  // expected-error@+1 {{'tile.fold' op expected `sum` to combine numbers, found `i1`: cast the terms to a number type}}
  %0 = tile.fold sum %k in (%n to %n) -> i1 {
    tile.yield %b : i1
  }
  return
}

// -----
// RULE: tile.fold C3
func.func @f(%n: i64, %b: f32) {
  // expected-error@+1 {{'tile.fold' op expected a result of the yielded type `f32`, found `f64`}}
  %0 = tile.fold sum %k in (%n to %n) -> f64 {
    tile.yield %b : f32
  }
  return
}

// -----
func.func @f(%n: i64, %b: f32) {
  // expected-error@+1 {{custom op 'tile.fold' expected `sum`, `prod`, `max`, `min`, `count`, `any`, `all` or `first`, found `mean`}}
  %0 = tile.fold mean %k in (%n to %n) -> f64 {
    tile.yield %b : f32
  }
  return
}

// -----
// RULE: tile.map C1
func.func @f(%n: i64, %b: f32) {
  // expected-error@+1 {{'tile.map' op expected 2 lows and highs, one of each for each axis of the result, found 1 and 1}}
  %0 = tile.map (%i in %n to %n) -> tensor<?x?xf32> {
    tile.yield %b : f32
  }
  return
}

// -----
// RULE: tile.map C1
func.func @f(%n: i64, %b: f32) {
  // expected-error@+1 {{'tile.map' op result #0 must be array of a formula, every extent `?`, but got 'tensor<8xf32>'}}
  %0 = tile.map (%i in %n to %n) -> tensor<8xf32> {
    tile.yield %b : f32
  }
  return
}

// -----
// RULE: tile.map C2
func.func @f(%n: i64, %b: f32) {
  // expected-error@+1 {{'tile.map' op expected a region with arguments (i64), found ()}}
  %0 = "tile.map"(%n, %n) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    tile.yield %b : f32
  }) : (i64, i64) -> tensor<?xf32>
  return
}

// -----
// RULE: tile.map C3
func.func @f(%n: i64, %b: f32) {
  // expected-error@+1 {{'tile.map' op expected the region to yield one `f64`, found (f32)}}
  %0 = tile.map (%i in %n to %n) -> tensor<?xf64> {
    tile.yield %b : f32
  }
  return
}

// -----
// RULE: tile.map C4
func.func @f(%n: i64, %b: f32) {
  // expected-error@+1 {{'tile.map' op expected the axis of the recurrence in 0 to 0, found 1}}
  %0 = tile.map (%i in %n to %n) self %me along 1 -> tensor<?xf32> {
    tile.yield %b : f32
  }
  return
}

// -----
// RULE: tile.map C4
func.func @f(%n: i64, %b: f32) {
  // expected-error@+1 {{'tile.map' op expected `axis` and `descending` only with `self`: without it there is no recurrence}}
  %0 = tile.map (%i in %n to %n) attributes {axis = 0 : i64} -> tensor<?xf32> {
    tile.yield %b : f32
  }
  return
}

// -----
// RULE: tile.map C4
func.func @f(%n: i64, %b: f32) {
  // expected-error@+1 {{'tile.map' op expected the array itself to be read by `tile.at` only, found `test.use`}}
  %0 = tile.map (%i in %n to %n) self %me along 0 -> tensor<?xf32> {
    "tile.map"(%n, %n) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%j: i64):
      // expected-note@+1 {{used here}}
      "test.use"(%me) : (tensor<?xf32>) -> ()
      tile.yield %b : f32
    }) : (i64, i64) -> tensor<?xf32>
    tile.yield %b : f32
  }
  return
}

// -----
// RULE: tile.map C5
tile.kernel @k[%N "N"](%b "b": f32) body {
  // expected-error@+1 {{'tile.map' op expected to stand in `reference` or `tolerance`: the body of a kernel works on tiles}}
  %0 = tile.map (%i in %N to %N) -> tensor<?xf32> {
    tile.yield %b : f32
  }
}
