// Kernels in generic form that lack what the printer needs: reported, not crashed on.
// RUN: tile-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{'tile.kernel' op requires attribute 'arg_names'}}
"tile.kernel"() <{sym_name = "k"}> ({
^bb0(%a: i64):
}, {}, {}, {}) : () -> ()

// -----
// expected-error@+1 {{'tile.kernel' op attribute 'arg_names' failed to satisfy constraint: string array attribute}}
"tile.kernel"() <{arg_names = [4], arg_types = [i64], extents = 1 : i64, shapes = [], sym_name = "k"}> ({
^bb0(%a: i64):
}, {}, {}, {}) : () -> ()

// -----
// expected-error@+1 {{'tile.kernel' op expected a name for each of 1 arguments, found 0}}
"tile.kernel"() <{arg_names = [], arg_types = [i64], extents = 1 : i64, shapes = [], sym_name = "k"}> ({
^bb0(%a: i64):
}, {}, {}, {}) : () -> ()

// -----
// expected-error@+1 {{'tile.kernel' op attribute 'reference_names' failed to satisfy constraint: string array attribute}}
"tile.kernel"() <{arg_names = ["a"], arg_types = [i64], extents = 1 : i64, reference_names = [4], shapes = [], sym_name = "k"}> ({}, {}, {
^bb0(%a: i64):
  tile.yield
}, {}) : () -> ()

// -----
func.func @f(%n: i64) {
  // expected-error@+1 {{'tile.for' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
  "tile.for"(%n, %n) <{width = 0 : i64}> ({
  }) : (i64, i64) -> ()
  return
}

// -----
func.func @f(%n: i64) {
  "tile.for"(%n, %n) <{width = 0 : i64}> ({
  ^bb0(%i: i64):
    // expected-error@+1 {{block with no terminator, has "tile.print"(%arg1) <{text = "x"}> : (i64) -> ()}}
    "tile.print"(%i) <{text = "x"}> : (i64) -> ()
  }) : (i64, i64) -> ()
  return
}

// -----
func.func @f(%n: i64) {
  // expected-error@+1 {{'tile.for' op expected a first block argument of type `i64` for indices, found no block argument}}
  "tile.for"(%n, %n) <{width = 0 : i64}> ({
    tile.yield
  }) : (i64, i64) -> ()
  return
}

// -----
func.func @f(%n: i64) {
  // expected-error@+1 {{'tile.map' op operand count (2) does not match with the total size (3) specified in attribute 'operandSegmentSizes'}}
  "tile.map"(%n, %n) <{operandSegmentSizes = array<i32: 2, 1>}> ({
  ^bb0(%i: i64):
    tile.yield %i : i64
  }) : (i64, i64) -> tensor<?xi64>
  return
}
