// Each case breaks one rule of sections; beside it is the nearest that keeps it.
// RUN: tile-opt %s --split-input-file --verify-diagnostics

// RULE: tile.section C1
func.func @f() {
  // expected-error@+1 {{'tile.section' op expected to stand directly in the body of `tile.for` or `tile.tasks`}}
  tile.section @a {
  }
  return
}

// -----
// RULE: tile.section C1
func.func @f(%n: i64, %c: i1) {
  tile.for %i in range(%n to %n) {
    scf.if %c {
      // expected-error@+1 {{'tile.section' op expected to stand directly in the body of `tile.for` or `tile.tasks`}}
      tile.section @a {
      }
    }
  }
  return
}

// -----
// RULE: tile.section C2
// An effect before it; behind it; a tile; a region.
func.func @f(%n: i64) {
  tile.for %i in range(%n to %n) {
    // expected-note@+1 {{it is here}}
    tile.print "i", %i : i64
    // expected-error@+1 {{'tile.section' op expected beside sections only ops without memory effects on scalars and spans, found `tile.print`: put it into a section}}
    tile.section @a {
    }
  }
  return
}

// -----
// RULE: tile.section C2
func.func @f(%n: i64) {
  tile.for %i in range(%n to %n) {
    // expected-error@+1 {{found `tile.barrier`: put it into a section}}
    tile.section @a {
    }
    tile.section @b {
    }
    // expected-note@+1 {{it is here}}
    tile.barrier cta
  }
  return
}

// -----
// RULE: tile.section C2
func.func @f(%n: i64) {
  tile.for %i in range(%n to %n) {
    %s = tile.span %n, %i : !tile.span<8>
    // expected-note@+1 {{it is here}}
    %t = tile.span_index %s : !tile.span<8> -> tensor<8xi64>
    // expected-error@+1 {{found `tile.span_index`: put it into a section}}
    tile.section @a {
    }
  }
  return
}

// -----
// RULE: tile.section C2
// A loop without sections; one with sections may stand there.
func.func @f(%n: i64) {
  tile.for %i in range(%n to %n) {
    tile.for %j in range(%n to %n) {
      tile.section @b {
      }
    }
    // expected-note@+1 {{it is here}}
    tile.for %j in range(%n to %n) {
    }
    // expected-error@+1 {{found `tile.for`: put it into a section}}
    tile.section @a {
    }
  }
  return
}

// -----
// RULE: tile.section C3
func.func @f(%n: i64) {
  tile.for %i in range(%n to %n) {
    // expected-note@+1 {{the first one is here}}
    tile.section @a {
    }
    tile.section @b {
    }
    // expected-error@+1 {{'tile.section' op expected sections of different names, found `@a` twice}}
    tile.section @a {
    }
  }
  return
}

// -----
// RULE: tile.section C4
func.func @f(%n: i64) {
  tile.for %i in range(%n to %n) {
    // expected-error@+1 {{'tile.section' op expected a lead and a lag of 0 to 2^31, found -1 and 0}}
    tile.section @a lead -1 {
    }
  }
  return
}

// -----
// RULE: tile.section C4
func.func @f(%n: i64) {
  tile.for %i in range(%n to %n) {
    tile.section @good lead 2147483648 lag 2147483648 {
    }
    // expected-error@+1 {{'tile.section' op expected a lead and a lag of 0 to 2^31, found 0 and 2147483649}}
    tile.section @a lag 2147483649 {
    }
  }
  return
}

// -----
// RULE: tile.section C4
func.func @f(%n: i64) {
  tile.for %i in range(%n to %n) reversed {
    // expected-error@+1 {{'tile.section' op expected no lead in a loop that goes downwards, found 1}}
    tile.section @a lead 1 {
    }
  }
  return
}

// -----
// RULE: tile.section C4
tile.kernel @k[%N "N"]() body {
  tile.tasks (%i = range(%N to %N)) {
    // expected-error@+1 {{'tile.section' op expected no lead in tasks, found 1}}
    tile.section @a lead 1 {
    }
  }
}

// -----
// RULE: tile.section C5
func.func @f(%n: i64) {
  tile.for %i in range(%n to %n) {
    // expected-error@+1 {{'tile.section' op expected to yield values of types (i64), found ()}}
    %0 = tile.section @a -> i64 {
      tile.yield
    }
  }
  return
}

// -----
// RULE: tile.section C5
func.func @f(%n: i64) {
  tile.for %i in range(%n to %n) {
    // expected-error@+1 {{'tile.section' op expected a body without arguments, found 1}}
    tile.section @a {
    ^bb0(%j: i64):
    }
  }
  return
}
