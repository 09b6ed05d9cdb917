// What meets in a loop, a branch or a recurrence takes the union.
// RUN: tile-opt %s --tile-print-absence --verify-diagnostics

tile.kernel @loops[%N "N"](%x "x": !tile.view<?x?xf32, in> shape ()[s0] -> (s0, s0)) body {
  // expected-remark@+1 {{absent []}}
  %c0 = tile.constant 0 : i64
  // expected-remark@+1 {{absent []}}
  %z = tile.constant 0.0 : f32 tensor<4x8xf32>
  // Two rounds are needed: the second value reaches the first only through the first step.
  // expected-remark@+6 {{carried 0: absent [[0], [1]]}}
  // expected-remark@+5 {{carried 1: absent [[0], [1]]}}
  // expected-remark@+4 {{carried 2: absent []}}
  // expected-remark@+3 {{result 0: absent [[0], [1]]}}
  // expected-remark@+2 {{result 1: absent [[0], [1]]}}
  // expected-remark@+1 {{result 2: absent []}}
  %r:3 = tile.for %k in tiles(%c0 to %N by 4) carry(%a = %z : tensor<4x8xf32>, %b = %z : tensor<4x8xf32>, %c = %z : tensor<4x8xf32>) {
    %s = tile.span %c0, %N : !tile.span<8>
    // expected-remark@+1 {{absent [[0], [1]]}}
    %t = tile.load %x[%k, %s] : !tile.view<?x?xf32, in>, !tile.span<4>, !tile.span<8> -> tensor<4x8xf32>
    // expected-remark@+1 {{absent []}}
    %f = tile.fill_absent %b, %c : tensor<4x8xf32>
    tile.yield %b, %t, %f : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
  }
}

tile.kernel @branches[%N "N"](%x "x": !tile.view<?x?xf32, in> shape ()[s0] -> (s0, s0), %p "p": i1) body {
  // expected-remark@+1 {{absent []}}
  %z = tile.constant 0.0 : f32 tensor<4xf32>
  // expected-remark@+1 {{absent []}}
  %i = tile.constant 0 : i64
  %s = tile.span %i, %N : !tile.span<4>
  // expected-remark@+1 {{absent [[0]]}}
  %0 = scf.if %p -> tensor<4xf32> {
    // expected-remark@+1 {{absent [[0]]}}
    %t = tile.load %x[%i, %s] : !tile.view<?x?xf32, in>, i64, !tile.span<4> -> tensor<4xf32>
    scf.yield %t : tensor<4xf32>
  } else {
    scf.yield %z : tensor<4xf32>
  }
  // expected-remark@+1 {{absent []}}
  %1 = scf.if %p -> tensor<4xf32> {
    scf.yield %z : tensor<4xf32>
  } else {
    scf.yield %z : tensor<4xf32>
  }
  // What the loop is left with is what its condition hands on.
  // expected-remark@+1 {{absent [[0]]}}
  %2 = scf.while (%a = %z) : (tensor<4xf32>) -> tensor<4xf32> {
    scf.condition(%p) %a : tensor<4xf32>
  } do {
  ^bb0(%b: tensor<4xf32>):
    // expected-remark@+1 {{absent [[0]]}}
    %n = tile.add %b, %0 : tensor<4xf32>
    scf.yield %n : tensor<4xf32>
  }
}

tile.kernel @formulas[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0), %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
reference ["all", "some", "y"] {
  // expected-remark@+1 {{absent []}}
  %c0 = tile.constant 0 : i64
  // expected-remark@+1 {{absent []}}
  %c1 = tile.constant 1 : i64
  // expected-remark@+1 {{absent []}}
  %all = tile.map (%i in %c0 to %N) -> tensor<?xf32> {
    // expected-remark@+1 {{absent []}}
    %e = tile.at %x[%i] : !tile.view<?xf32, in> -> f32
    tile.yield %e : f32
  }
  // Elements before the first index are absent.
  // expected-remark@+1 {{absent [[0]]}}
  %some = tile.map (%i in %c1 to %N) -> tensor<?xf32> {
    // expected-remark@+1 {{absent []}}
    %e = tile.at %x[%i] : !tile.view<?xf32, in> -> f32
    tile.yield %e : f32
  }
  // Absent terms are skipped by a fold, and nothing is absent of its result.
  // expected-remark@+1 {{absent [[0]]}}
  %y_ref = tile.map (%i in %c0 to %N) -> tensor<?xf32> {
    // expected-remark@+1 {{absent []}}
    %f = tile.fold sum %k in (%c0 to %N) -> f32 {
      // expected-remark@+1 {{absent [[]]}}
      %e = tile.at %some[%k] : tensor<?xf32> -> f32
      tile.yield %e : f32
    }
    // expected-remark@+1 {{absent [[]]}}
    %g = tile.at %some[%i] : tensor<?xf32> -> f32
    // expected-remark@+1 {{absent [[]]}}
    %h = tile.add %f, %g : f32
    tile.yield %h : f32
  }
  tile.yield %all, %some, %y_ref : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
tolerance ["y"] (%all: tensor<?xf32>, %some: tensor<?xf32>, %y_ref: tensor<?xf32>) {
  // expected-remark@+1 {{absent []}}
  %c0 = tile.constant 0 : i64
  // expected-remark@+1 {{absent [[0]]}}
  %b = tile.map (%i in %c0 to %N) -> tensor<?xf64> {
    // expected-remark@+1 {{absent []}}
    %d = tile.at %all[%i] : tensor<?xf32> -> f32
    // expected-remark@+1 {{absent [[]]}}
    %e = tile.at %y_ref[%i] : tensor<?xf32> -> f32
    // expected-remark@+1 {{absent [[]]}}
    %g = tile.cast %e : f32 to f64
    tile.yield %g : f64
  }
  tile.yield %b : tensor<?xf64>
}

// A recurrence that starts from an absent element is absent from there on.
tile.kernel @recurrence[%N "N"]() reference ["a"] {
  // expected-remark@+1 {{absent []}}
  %c0 = tile.constant 0 : i64
  // expected-remark@+1 {{absent [[0]]}}
  %a = tile.map (%i in %c0 to %N) self %self along 0 -> tensor<?xf32> {
    // expected-remark@+1 {{absent [[]]}}
    %e = tile.at %self[%c0] : tensor<?xf32> -> f32
    // expected-remark@+1 {{absent [[]]}}
    %n = tile.absent : f32
    // expected-remark@+1 {{absent [[]]}}
    %s = tile.add %e, %n : f32
    tile.yield %s : f32
  }
  tile.yield %a : tensor<?xf32>
}
