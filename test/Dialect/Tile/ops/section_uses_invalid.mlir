// What sections may not use, and roles that are none; beside it is the nearest that they may.
// RUN: tile-opt %s --split-input-file --verify-diagnostics

// RULE: tile.section C6
func.func @f(%n: i64) {
  tile.for %i in range(%n to %n) {
    %0 = tile.section @a lead 1 -> i64 {
      tile.yield %i : i64
    }
    // expected-error@+1 {{'tile.section' op expected to run no further ahead than section `@a` (lead 1), whose result it uses; found lead 2}}
    tile.section @b lead 2 {
      // expected-note@+1 {{it is used here}}
      tile.print "x", %0 : i64
    }
  }
  return
}

// -----
// RULE: tile.section C6
// Through an op beside the sections, used in a region within.
func.func @f(%n: i64, %c: i1) {
  tile.for %i in range(%n to %n) {
    %0 = tile.section @a -> i64 {
      tile.yield %i : i64
    }
    %1 = tile.add %0, %i : i64
    // expected-error@+1 {{'tile.section' op expected to run no further ahead than section `@a` (lead 0), whose result it uses; found lead 1}}
    tile.section @b lead 1 {
      scf.if %c {
        // expected-note@+1 {{it is used here}}
        tile.print "x", %1 : i64
      }
    }
  }
  return
}

// -----
// RULE: tile.section C6
func.func @f(%n: i64, %t: tensor<4xf32>) {
  %0 = tile.for %i in range(%n to %n) carry(%c = %t : tensor<4xf32>) {
    tile.section @good {
      tile.print "x", %c : tensor<4xf32>
    }
    // expected-error@+1 {{'tile.section' op expected no use of a carried value in a section that runs 1 steps ahead: it is not made yet}}
    tile.section @a lead 1 {
      // expected-note@+1 {{it is used here}}
      tile.print "x", %c : tensor<4xf32>
    }
    tile.yield %c : tensor<4xf32>
  }
  return
}

// -----
// RULE: tile.section C6
// Of a loop beside it.
func.func @f(%n: i64) {
  tile.for %i in range(%n to %n) {
    %0 = tile.for %j in range(%n to %n) carry(%c = %n : i64) {
      %1 = tile.section @a -> i64 {
        tile.yield %j : i64
      }
      tile.yield %1 : i64
    }
    // expected-error@+1 {{'tile.section' op expected no use of a result of a loop beside it in a section that runs 1 steps ahead: it is not made yet}}
    tile.section @b lead 1 {
      // expected-note@+1 {{it is used here}}
      tile.print "x", %0 : i64
    }
  }
  return
}

// -----
// RULE: tile.section C7
tile.kernel @k[%N "N"](%t "t": f32) attributes {tile.roles = {p = {warps = 4 : i64}, q = {warps = 4 : i64}}} body {
  %0 = tile.splat %t : f32 to tensor<4xf32>
  tile.for %i in range(%N to %N) {
    %1 = tile.section @a role @p -> tensor<4xf32> {
      tile.yield %0 : tensor<4xf32>
    }
    tile.section @b role @p {
      tile.print "x", %1 : tensor<4xf32>
    }
    // expected-error@+1 {{'tile.section' op expected values of its own role `@q` only, found one of `@p`: pass it through a ring}}
    tile.section @c role @q {
      // expected-note@+1 {{it is used here}}
      tile.print "x", %1 : tensor<4xf32>
    }
  }
}

// -----
// RULE: tile.section C7
// A scalar, through an op beside the sections.
tile.kernel @k[%N "N"]() attributes {tile.roles = {p = {warps = 4 : i64}, q = {warps = 4 : i64}}} body {
  tile.for %i in range(%N to %N) {
    %1 = tile.section @a role @p -> i64 {
      tile.yield %i : i64
    }
    %2 = tile.add %1, %i : i64
    // expected-error@+1 {{'tile.section' op expected values of its own role `@q` only, found one of `@p`: pass it through a ring}}
    tile.section @c role @q {
      // expected-note@+1 {{it is used here}}
      tile.print "x", %2 : i64
    }
  }
}

// -----
// RULE: tile.section C7
// Carried: what the step before yielded, not the init.
tile.kernel @k[%N "N"](%t "t": f32) attributes {tile.roles = {p = {warps = 4 : i64}, q = {warps = 4 : i64}}} body {
  %0 = tile.splat %t : f32 to tensor<4xf32>
  %r:2 = tile.for %i in range(%N to %N) carry(%c = %0 : tensor<4xf32>, %d = %0 : tensor<4xf32>) {
    %1 = tile.section @a role @p -> tensor<4xf32> {
      %2 = tile.add %d, %d : tensor<4xf32>
      tile.yield %2 : tensor<4xf32>
    }
    // expected-error@+1 {{'tile.section' op expected values of its own role `@q` only, found one of `@p`: pass it through a ring}}
    %3 = tile.section @b role @q -> tensor<4xf32> {
      // expected-note@+1 {{it is used here}}
      %4 = tile.add %c, %d : tensor<4xf32>
      tile.yield %4 : tensor<4xf32>
    }
    tile.yield %3, %1 : tensor<4xf32>, tensor<4xf32>
  }
}

// -----
// RULE: tile.section C7
// The result of a loop made of sections, beside a section; through a branch.
tile.kernel @k[%N "N"](%b "b": i1) attributes {tile.roles = {p = {warps = 4 : i64}, q = {warps = 4 : i64}}} body {
  tile.tasks (%m = range(%N to %N)) {
    %0 = tile.for %i in range(%N to %N) carry(%c = %N : i64) {
      %1 = tile.section @a role @p -> i64 {
        tile.yield %i : i64
      }
      tile.yield %1 : i64
    }
    tile.section @good role @p {
      tile.print "x", %0 : i64
    }
    // expected-error@+1 {{'tile.section' op expected values of its own role `@q` only, found one of `@p`: pass it through a ring}}
    tile.section @b role @q {
      // expected-note@+1 {{it is used here}}
      tile.print "x", %0 : i64
    }
  }
}

// -----
// RULE: tile.section C7
// How often the section runs.
tile.kernel @k[%N "N"]() attributes {tile.roles = {p = {warps = 4 : i64}, q = {warps = 4 : i64}}} body {
  tile.tasks (%m = range(%N to %N)) {
    %0 = tile.section @a role @p -> i64 {
      tile.yield %m : i64
    }
    // expected-note@+1 {{it is used here}}
    tile.for %i in range(%N to %0) {
      // expected-error@+1 {{'tile.section' op expected values of its own role `@q` only, found one of `@p`: pass it through a ring}}
      tile.section @b role @q {
      }
    }
  }
}

// -----
// RULE: tile.section C8
tile.kernel @k[%N "N"]() attributes {tile.roles = {p = {warps = 4 : i64}}} body {
  tile.for %i in range(%N to %N) {
    // expected-error@+1 {{'tile.section' op expected a role of the kernel's `tile.roles`, found `@q`}}
    tile.section @a role @q {
    }
  }
}

// -----
// RULE: tile.section C8
func.func @f(%n: i64) {
  tile.for %i in range(%n to %n) {
    // expected-error@+1 {{'tile.section' op expected a role of the kernel's `tile.roles`, found `@p`}}
    tile.section @a role @p {
    }
  }
  return
}

// -----
// RULE: tile.section C8
tile.kernel @k[%N "N"]() attributes {tile.roles = {p = {warps = 4 : i64}}} body {
  tile.for %i in range(%N to %N) {
    // expected-note@+1 {{this one has one}}
    tile.section @a role @p {
    }
    // expected-error@+1 {{'tile.section' op expected all sections of a body to have a role, or none}}
    tile.section @b {
    }
  }
}

// -----
// RULE: tile.section C8
tile.kernel @k[%N "N"]() attributes {tile.roles = {p = {warps = 4 : i64}, q = {warps = 4 : i64}}} body {
  tile.for %i in range(%N to %N) {
    // expected-note@+1 {{the section around is here}}
    tile.section @a role @p {
      tile.for %j in range(%N to %N) {
        // expected-error@+1 {{'tile.section' op expected the role `@p` of the section around, found `@q`, whose threads never come here}}
        tile.section @b role @q {
        }
      }
    }
  }
}
