// RUN: tile-opt %s --split-input-file --verify-diagnostics

// RULE: tile.for C1
func.func @f(%n: i64) {
  // expected-error@+1 {{'tile.for' op expected a width of 0 (indices) or more (tiles), found -4}}
  tile.for %i in tiles(%n to %n by -4) {}
  return
}

// -----
// RULE: tile.for C2
func.func @f(%n: i64) {
  // expected-error@+1 {{'tile.for' op expected a first block argument of type `!tile.span<4>` for tiles of its width, found `i64`}}
  "tile.for"(%n, %n) <{width = 4 : i64}> ({
  ^bb0(%i: i64):
    tile.yield
  }) : (i64, i64) -> ()
  return
}

// -----
// RULE: tile.for C2
func.func @f(%n: i64) {
  // expected-error@+1 {{'tile.for' op expected a first block argument of type `i64` for indices, found no block argument}}
  "tile.for"(%n, %n) <{width = 0 : i64}> ({
    tile.yield
  }) : (i64, i64) -> ()
  return
}

// -----
// RULE: tile.for C3
func.func @f(%n: i64, %x: f32) {
  // expected-error@+1 {{'tile.for' op 0-th region iter_arg and 0-th yielded value have different type: 'f32' != 'i64'}}
  tile.for %i in range(%n to %n) carry(%c = %x : f32) {
    tile.yield %i : i64
  }
  return
}

// -----
// RULE: tile.for C3
func.func @f(%n: i64, %x: f32) {
  // expected-error@+1 {{'tile.for' op 0-th region iter_arg and 0-th loop result have different type: 'f32' != 'f64'}}
  %0 = "tile.for"(%n, %n, %x) <{width = 0 : i64}> ({
  ^bb0(%i: i64, %c: f32):
    tile.yield %c : f32
  }) : (i64, i64, f32) -> f64
  return
}

// -----
// RULE: tile.for C3
func.func @f(%n: i64, %x: f32) {
  // expected-error@+1 {{'tile.for' op different number of inits and region iter_args: 1 != 0}}
  %0 = "tile.for"(%n, %n, %x) <{width = 0 : i64}> ({
  ^bb0(%i: i64):
    tile.yield %x : f32
  }) : (i64, i64, f32) -> f32
  return
}

// -----
func.func @f(%n: i64) {
  // expected-error@+1 {{custom op 'tile.for' expected `tiles` or `range`, found `steps`}}
  tile.for %i in steps(%n to %n) {}
  return
}

// -----
// RULE: tile.grid C1
tile.kernel @k() body {
  // expected-error@+1 {{'tile.grid' op expected at least one axis, found none: a kernel that runs once has its ops directly in the body}}
  tile.grid () {}
}

// -----
// RULE: tile.grid C1
tile.kernel @k[%N "N"]() body {
  // expected-error@+1 {{'tile.grid' op expected one low, high, width and block argument for each axis, found 1 lows, 1 highs, 2 widths and 1 block arguments}}
  "tile.grid"(%N, %N) <{operandSegmentSizes = array<i32: 1, 1>, widths = array<i64: 0, 0>}> ({
  ^bb0(%i: i64):
    tile.yield
  }) : (i64, i64) -> ()
}

// -----
// RULE: tile.grid C2
tile.kernel @k[%N "N"]() body {
  // expected-error@+1 {{'tile.grid' op expected widths of 0 (indices) or more (tiles), found -1 at axis 0}}
  tile.grid (%i = tiles(%N to %N by -1)) {}
}

// -----
// RULE: tile.grid C3
tile.kernel @k[%N "N"]() body {
  // expected-error@+1 {{'tile.grid' op expected block argument 0 of type `!tile.span<8>`, found `i64`}}
  "tile.grid"(%N, %N) <{operandSegmentSizes = array<i32: 1, 1>, widths = array<i64: 8>}> ({
  ^bb0(%i: i64):
    tile.yield
  }) : (i64, i64) -> ()
}

// -----
// RULE: tile.grid C4
tile.kernel @k[%N "N"]() body {
  tile.for %i in range(%N to %N) {
    // expected-error@+1 {{'tile.grid' op expected to stand directly in the body of a `tile.kernel`: launch the kernel for a second grid, or use `tile.for` inside one}}
    tile.grid (%j = range(%N to %N)) {}
  }
}

// -----
// RULE: tile.grid C4
tile.kernel @k[%N "N"]() body {
  // expected-note@+1 {{the first grid is here}}
  tile.grid (%i = range(%N to %N)) {}
  // expected-error@+1 {{'tile.grid' op expected one grid in a kernel, found a second one: make it one grid, or two kernels}}
  tile.grid (%j = range(%N to %N)) {}
}

// -----
// RULE: tile.kernel C1
// expected-error@+1 {{'tile.kernel' op expected argument `x` to be a view or a scalar, found `tensor<4xf32>`}}
tile.kernel @k(%x "x": tensor<4xf32>)

// -----
// RULE: tile.kernel C1
// expected-error@+1 {{'tile.kernel' op expected extent `a` of type `i64`, found `i32`}}
"tile.kernel"() <{arg_names = ["a"], arg_types = [i32], extents = 1 : i64, shapes = [], sym_name = "k"}> ({}, {}, {}, {}) : () -> ()

// -----
// RULE: tile.kernel C1
// expected-error@+1 {{'tile.kernel' op expected 0 to 1 extents among 1 arguments, found 2}}
"tile.kernel"() <{arg_names = ["a"], arg_types = [i64], extents = 2 : i64, shapes = [], sym_name = "k"}> ({}, {}, {}, {}) : () -> ()

// -----
// RULE: tile.kernel C2
// expected-error@+1 {{'tile.kernel' op expected unique argument names, found `n` twice: rename one}}
tile.kernel @k[%a "n"](%b "n": f32)

// -----
// RULE: tile.kernel C2
// expected-error@+1 {{'tile.kernel' op expected a name for each of 1 arguments, found 0}}
"tile.kernel"() <{arg_names = [], arg_types = [i64], extents = 1 : i64, shapes = [], sym_name = "k"}> ({}, {}, {}, {}) : () -> ()

// -----
// RULE: tile.kernel C3
// expected-error@+1 {{'tile.kernel' op expected region `body` to have arguments (i64), found (i32)}}
"tile.kernel"() <{arg_names = ["N"], arg_types = [i64], extents = 1 : i64, shapes = [], sym_name = "k"}> ({}, {
^bb0(%a: i32):
}, {}, {}) : () -> ()

// -----
// RULE: tile.kernel C3
// expected-error@+1 {{'tile.kernel' op expected region `tolerance` to have arguments (i64, !tile.view<?xi32, out>, tensor<?xi32>), found (i64, !tile.view<?xi32, out>, tensor<?xf32>)}}
tile.kernel @k[%N "N"](%y "y": !tile.view<?xi32, out> shape ()[s0] -> (s0))
reference ["y"] {
  %0 = tile.map (%i in %N to %N) -> tensor<?xi32> {
    %c = tile.constant 0 : i32
    tile.yield %c : i32
  }
  tile.yield %0 : tensor<?xi32>
}
tolerance ["y"] (%r: tensor<?xf32>) {
  tile.yield %r : tensor<?xf32>
}

// -----
// RULE: tile.kernel C4
// expected-error@+1 {{'tile.kernel' op expected a shape of no dims, 1 symbols and 2 results for view `x`, found `affine_map<()[s0] -> (s0)>`}}
tile.kernel @k[%N "N"](%x "x": !tile.view<?x4xf32, in> shape ()[s0] -> (s0))

// -----
// RULE: tile.kernel C4
// expected-error@+1 {{'tile.kernel' op expected the constant 4 at axis 1 of the shape of view `x`, as in its type, found `affine_map<()[s0] -> (s0, s0)>`}}
tile.kernel @k[%N "N"](%x "x": !tile.view<?x4xf32, in> shape ()[s0] -> (s0, s0))

// -----
// RULE: tile.kernel C4
// expected-error@+1 {{'tile.kernel' op expected no constant at axis 1 of the shape of view `x`, where its type has `?`, found 4: write that extent in the type}}
tile.kernel @k[%N "N"](%x "x": !tile.view<?x?xf32, in> shape ()[s0] -> (s0, 4))

// -----
// RULE: tile.kernel C4
// expected-error@+1 {{'tile.kernel' op expected an affine map from the extents as the shape of view `x`, found none: write `shape ()[s0] -> (s0)` after its type}}
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in>)

// -----
// RULE: tile.kernel C4
// expected-error@+1 {{'tile.kernel' op expected no shape for scalar `x`, found `affine_map<()[s0] -> (s0)>`}}
tile.kernel @k[%N "N"](%x "x": f32 shape ()[s0] -> (s0))

// -----
// RULE: tile.kernel C4
// expected-error@+1 {{'tile.kernel' op expected a shape for each of the 1 arguments after the extents, found 0}}
"tile.kernel"() <{arg_names = ["a"], arg_types = [i64], extents = 0 : i64, shapes = [], sym_name = "k"}> ({}, {}, {}, {}) : () -> ()

// -----
// RULE: tile.kernel C5
// expected-error@+1 {{'tile.kernel' op expected region `reference` to end with the `tile.yield` of its arrays}}
tile.kernel @k() reference ["y"] {
}

// -----
// RULE: tile.kernel C5
// expected-error@+1 {{'tile.kernel' op expected as many names as region `reference` yields arrays (0), found 1}}
tile.kernel @k() reference ["y"] {
  tile.yield
}

// -----
// RULE: tile.kernel C5
// expected-error@+1 {{'tile.kernel' op expected region `reference` to yield arrays, found `f32`}}
tile.kernel @k(%a "a": f32) reference ["y"] {
  tile.yield %a : f32
}

// -----
// RULE: tile.kernel C5
// expected-error@+1 {{'tile.kernel' op expected no names of `reference` without that region, found ["y"]}}
tile.kernel @k() attributes {reference_names = ["y"]}

// -----
// RULE: tile.kernel C5
// expected-error@+1 {{'tile.kernel' op expected the bounded name "x" to be an `out` or `inout` argument of the kernel}}
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0))
tolerance ["x"] {
  %0 = tile.map (%i in %N to %N) -> tensor<?xf64> {
    %c = tile.constant 0.0 : f64
    tile.yield %c : f64
  }
  tile.yield %0 : tensor<?xf64>
}

// -----
// RULE: tile.kernel C5
// expected-error@+1 {{'tile.kernel' op expected the bounded name "y" among the arrays of `reference`, found only []}}
tile.kernel @k[%N "N"](%y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
tolerance ["y"] {
  %0 = tile.map (%i in %N to %N) -> tensor<?xf64> {
    %c = tile.constant 0.0 : f64
    tile.yield %c : f64
  }
  tile.yield %0 : tensor<?xf64>
}

// -----
// RULE: tile.kernel C6
// expected-error@+1 {{'tile.kernel' op expected a bound for the float output `y`, found none: add one to `tolerance`, or say `tolerance exact`}}
tile.kernel @k[%N "N"](%y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
reference ["y"] {
  %0 = tile.map (%i in %N to %N) -> tensor<?xf32> {
    %c = tile.constant 0.0 : f32
    tile.yield %c : f32
  }
  tile.yield %0 : tensor<?xf32>
}

// -----
// RULE: tile.kernel C6
// expected-error@+1 {{'tile.kernel' op expected `tolerance exact` or bounds, found both: remove one}}
tile.kernel @k() tolerance exact tolerance [] {
  tile.yield
}

// -----
// expected-error@+1 {{custom op 'tile.kernel' expected `strict`, `contract` or `fast`, found `loose`}}
tile.kernel @k() math loose

// -----
// expected-error@+1 {{custom op 'tile.kernel' expected a list of names such as `["y"]`}}
tile.kernel @k() reference [4] {}

// -----
// RULE: tile.require C1
tile.kernel @k(%c "c": i1) body {
  // expected-error@+1 {{'tile.require' op expected to stand directly in the `where` region of a `tile.kernel`: use `tile.assert` elsewhere}}
  tile.require %c, "c"
}

// -----
// RULE: tile.yield C1
func.func @f() {
  // expected-error@+1 {{'tile.yield' op expected to end a region of an op of the tile dialect, found `func.func` around it}}
  tile.yield
}

// -----
// RULE: tile.for C3
func.func @f(%n: i64, %x: f32) {
  // expected-error@+1 {{'tile.for' op different number of region iter_args and yielded values: 1 != 2}}
  %0 = tile.for %i in range(%n to %n) carry(%c = %x : f32) {
    tile.yield %c, %c : f32, f32
  }
  return
}
