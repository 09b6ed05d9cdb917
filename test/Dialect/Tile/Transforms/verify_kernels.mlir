// RUN: tile-opt %s --split-input-file --tile-verify-kernels --verify-diagnostics --allow-unregistered-dialect

// What belongs there is let pass.
tile.kernel @good[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0), %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
where {
  %c1 = tile.constant 1 : i64
  %0 = tile.cmp ge, %N, %c1 : i64
  tile.require %0, "N >= 1"
}
body {
  %c0 = tile.constant 0 : i64
  tile.grid (%r = tiles(%c0 to %N by 4)) {
    %t = tile.load %x[%r] : !tile.view<?xf32, in>, !tile.span<4> -> tensor<4xf32>
    %start = tile.span_start %r : !tile.span<4>
    %p = tile.cmp lt, %start, %N : i64
    scf.if %p {
      tile.store %t, %y[%r] : tensor<4xf32>, !tile.view<?xf32, out>, !tile.span<4>
    }
  }
}
reference ["y"] {
  %c0 = tile.constant 0 : i64
  %0 = tile.map (%i in %c0 to %N) -> tensor<?xf32> {
    %e = tile.at %x[%i] : !tile.view<?xf32, in> -> f32
    tile.yield %e : f32
  }
  tile.yield %0 : tensor<?xf32>
}
tolerance exact

// -----
tile.kernel @k() body {
  // expected-error@+1 {{expected no `test.op` in `body`: a kernel is made of tile ops, `scf.if` and `scf.while`}}
  "test.op"() : () -> ()
}

// -----
tile.kernel @k[%N "N"](%p "p": i1) where {
  // expected-error@+1 {{expected no `tile.fold` in `where`: a launch is checked by scalars alone}}
  %0 = tile.fold any %i in (%N to %N) -> i1 {
    tile.yield %p : i1
  }
  tile.require %0, "p"
}

// -----
tile.kernel @k() where {
  // expected-error@+1 {{'tile.iota' op expected no tile in `where`, found `tensor<4xi64>`: formulas work on scalars}}
  %0 = tile.iota : tensor<4xi64>
}

// -----
tile.kernel @k[%N "N"]() body {
  // expected-error@+1 {{expected no `tile.fold` in `body`: formulas belong in `reference` and `tolerance`; load and reduce tiles instead}}
  %0 = tile.fold sum %i in (%N to %N) -> i64 {
    tile.yield %i : i64
  }
}

// -----
// All violations are named at once.
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0))
body {
  // expected-error@+1 {{expected no `test.array` in `body`: a kernel is made of tile ops, `scf.if` and `scf.while`}}
  %a = "test.array"() : () -> tensor<?xf32>
}
reference [] {
  // expected-error@+1 {{expected no `tile.load` in `reference`: formulas do not touch memory; read elements with `tile.at`}}
  %0 = tile.load %x[%N] : !tile.view<?xf32, in>, i64 -> f32
  // expected-error@+1 {{expected no `tile.span` in `reference`: spans and parts of views belong in `body`}}
  %1 = tile.span %N, %N : !tile.span<4>
  // expected-error@+1 {{expected no `tile.for` in `reference`: formulas have no loops; use `tile.fold` or a recurrence}}
  tile.for %i in range(%N to %N) {}
  // expected-error@+1 {{'tile.splat' op expected no tile in `reference`, found `tensor<4xf32>`: formulas work on scalars}}
  %2 = tile.splat %0 : f32 to tensor<4xf32>
  // expected-error@+1 {{expected no `tile.print` in `reference`: formulas do not touch memory; read elements with `tile.at`}}
  tile.print "x", %0 : f32
  tile.yield
}

// -----
tile.kernel @k[%N "N"](%p "p": i1) body {
  // expected-error@+1 {{'scf.if' op expected no array in `body`, found `tensor<?xf32>`: tensors with `?` extents belong in `reference` and `tolerance`}}
  %a = scf.if %p -> tensor<?xf32> {
    // expected-error@+1 {{expected no `test.array` in `body`: a kernel is made of tile ops, `scf.if` and `scf.while`}}
    %0 = "test.array"() : () -> tensor<?xf32>
    // expected-error@+1 {{'scf.yield' op expected no array in `body`, found `tensor<?xf32>`: tensors with `?` extents belong in `reference` and `tolerance`}}
    scf.yield %0 : tensor<?xf32>
  } else {
    // expected-error@+1 {{expected no `test.array` in `body`: a kernel is made of tile ops, `scf.if` and `scf.while`}}
    %0 = "test.array"() : () -> tensor<?xf32>
    // expected-error@+1 {{'scf.yield' op expected no array in `body`, found `tensor<?xf32>`: tensors with `?` extents belong in `reference` and `tolerance`}}
    scf.yield %0 : tensor<?xf32>
  }
}

// -----
// What a schedule makes stands in `body` only.
tile.kernel @scheduled[%N "N"]() body {
  %a = tile.alloc : !tile.buf<4xf32, shared>
  tile.tasks (%i = range(%N to %N)) {
    tile.barrier cta
  }
}
tile.kernel @k(%x "x": !tile.view<4xf32, in> shape () -> (4))
where {
  // expected-error@+1 {{expected no `tile.barrier` in `where`: what a schedule makes belongs in `body`}}
  tile.barrier cta
}
reference [] {
  // expected-error@+1 {{expected no `tile.alloc` in `reference`: what a schedule makes belongs in `body`}}
  %a = tile.alloc : !tile.buf<4xf32, shared>
  // expected-error@+1 {{expected no `tile.copy` in `reference`: what a schedule makes belongs in `body`}}
  tile.copy %x[:] to %a fill zero : !tile.view<4xf32, in> to !tile.buf<4xf32, shared>
  tile.yield
}
