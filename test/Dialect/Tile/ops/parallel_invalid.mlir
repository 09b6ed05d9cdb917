// Each case breaks one rule of parallel steps, tasks, elected threads or applied instructions.
// RUN: tile-opt %s --split-input-file --verify-diagnostics

// RULE: tile.par C1
func.func @f() {
  // expected-error@+1 {{'tile.par' op expected `cluster`, `wg` or `warp`, found `lane`}}
  tile.par lane 32 {
  ^bb0(%i: i64):
  }
  return
}

// -----
// RULE: tile.par C2
func.func @f() {
  // expected-error@+1 {{'tile.par' op expected 1 to 2^31 steps, found 0}}
  tile.par warp 0 {
  ^bb0(%i: i64):
  }
  return
}

// -----
// RULE: tile.par C2
func.func @f() {
  // expected-error@+1 {{'tile.par' op expected 1 to 2^31 steps, found 9223372036854775807}}
  tile.par warp 9223372036854775807 {
  ^bb0(%i: i64):
  }
  return
}

// -----
// RULE: tile.par C3
func.func @f() {
  // expected-error@+1 {{'tile.par' op expected a body with one argument of type `i64` that yields nothing}}
  tile.par warp 2 {
  }
  return
}

// -----
// RULE: tile.par C3
func.func @f() {
  // expected-error@+1 {{'tile.par' op expected a body with one argument of type `i64` that yields nothing}}
  tile.par warp 2 {
  ^bb0(%i: i32):
  }
  return
}

// -----
// RULE: tile.par C3
func.func @f() {
  // expected-error@+1 {{'tile.par' op expected a body with one argument of type `i64` that yields nothing}}
  tile.par warp 2 {
  ^bb0(%i: i64):
    tile.yield %i : i64
  }
  return
}

// -----
// RULE: tile.tasks C1
tile.kernel @k() body {
  // expected-error@+1 {{'tile.tasks' op expected at least one axis, found none: a kernel that runs once has its ops directly in the body}}
  tile.tasks () {}
}

// -----
// RULE: tile.tasks C1
tile.kernel @k[%N "N"]() body {
  // expected-error@+1 {{'tile.tasks' op expected one low, high, width and block argument for each axis, found 1 lows, 2 highs, 1 widths and 1 block arguments}}
  "tile.tasks"(%N, %N, %N) <{operandSegmentSizes = array<i32: 1, 2>, widths = array<i64: 0>}> ({
  ^bb0(%i: i64):
    tile.yield
  }) : (i64, i64, i64) -> ()
}

// -----
// RULE: tile.tasks C2
tile.kernel @k[%N "N"]() body {
  // expected-error@+1 {{'tile.tasks' op expected widths of 0 (indices) or more (tiles), found -8 at axis 0}}
  tile.tasks (%i = tiles(%N to %N by -8)) {}
}

// -----
// RULE: tile.tasks C3
tile.kernel @k[%N "N"]() body {
  // expected-error@+1 {{'tile.tasks' op expected block argument 0 of type `i64`, found `!tile.span<8>`}}
  "tile.tasks"(%N, %N) <{operandSegmentSizes = array<i32: 1, 1>, widths = array<i64: 0>}> ({
  ^bb0(%i: !tile.span<8>):
    tile.yield
  }) : (i64, i64) -> ()
}

// -----
// RULE: tile.tasks C4
func.func @f(%n: i64) {
  // expected-error@+1 {{'tile.tasks' op expected to stand directly in the body of a `tile.kernel`}}
  tile.tasks (%i = range(%n to %n)) {}
  return
}

// -----
// RULE: tile.tasks C4
tile.kernel @k[%N "N"]() body {
  // expected-note@+1 {{the other one is here}}
  tile.tasks (%i = range(%N to %N)) {}
  // expected-error@+1 {{'tile.tasks' op expected one launch domain in a kernel, found a second one}}
  tile.tasks (%i = range(%N to %N)) {}
}

// -----
// RULE: tile.tasks C4
// A grid, before it or after it.
tile.kernel @k[%N "N"]() body {
  // expected-error@+1 {{'tile.tasks' op expected one launch domain in a kernel, found a second one}}
  tile.tasks (%i = range(%N to %N)) {}
  // expected-note@+1 {{the other one is here}}
  tile.grid (%i = range(%N to %N)) {}
}

// -----
// RULE: tile.tasks C5
tile.kernel @k[%N "N"]() body {
  // expected-error@+1 {{'tile.tasks' op expected `grouped` to be 0, or positive with two axes, found 2 with 1 axes}}
  tile.tasks (%i = range(%N to %N)) grouped 2 {}
}

// -----
// RULE: tile.tasks C5
tile.kernel @k[%N "N"]() body {
  // expected-error@+1 {{'tile.tasks' op expected `grouped` to be 0, or positive with two axes, found -1 with 2 axes}}
  tile.tasks (%i = range(%N to %N), %j = range(%N to %N)) grouped -1 {}
}

// -----
// RULE: tile.elect C1
func.func @f() {
  // expected-error@+1 {{'tile.elect' op expected a body without arguments that yields nothing}}
  tile.elect {
  ^bb0(%i: i64):
  }
  return
}

// -----
// RULE: tile.elect C2
func.func @f() {
  // expected-error@+1 {{'tile.elect' op expected no op that threads wait in, found `tile.barrier`: only one thread would reach it}}
  tile.elect {
    // expected-note@+1 {{it is here}}
    tile.barrier warp
    tile.barrier warp
  }
  return
}

// -----
// RULE: tile.elect C2
// Anywhere inside; a fence or a group is the elected thread's own.
func.func @f(%r: !tile.ring<2>, %n: i64) {
  tile.elect {
    tile.fence
    tile.group_commit bulk
    tile.group_wait bulk pending 0
  }
  // expected-error@+1 {{'tile.elect' op expected no op that threads wait in, found `tile.await`}}
  tile.elect {
    tile.for %i in range(%n to %n) {
      // expected-note@+1 {{it is here}}
      %0 = tile.await %r : !tile.ring<2>
      tile.release %r : !tile.ring<2>
    }
  }
  return
}

// -----
// RULE: tile.apply C1
func.func @f() {
  // expected-error@+1 {{'tile.apply' op expected a `tile.instr` of the module, found no `@nothing`}}
  tile.apply @nothing {
  }
  return
}

// -----
// RULE: tile.apply C1
// A symbol, but no instruction.
func.func @f() {
  // expected-error@+1 {{'tile.apply' op expected a `tile.instr` of the module, found no `@f`}}
  tile.apply @f {
  }
  return
}

// -----
// RULE: tile.apply C1
// expected-note@+1 {{it is declared here}}
tile.instr @i on "sm_80" scope warp order exact via cp_async operands [] ptx "" {
}
func.func @f() {
  tile.apply @i via cp_async {
  }
  // expected-error@+1 {{'tile.apply' op expected `via cp_async`, as the instruction has it, found `generic`}}
  tile.apply @i {
  }
  return
}

// -----
// RULE: tile.apply C2
tile.instr @i on "sm_80" scope warp order exact via generic operands [] ptx "" {
}
func.func @f() {
  // expected-error@+1 {{'tile.apply' op expected what an instruction does, found `tile.group_commit`}}
  tile.apply @i {
    // expected-note@+1 {{it is here}}
    tile.group_commit bulk
  }
  return
}

// -----
// RULE: tile.apply C2
tile.instr @i on "sm_80" scope warp order exact via generic operands [] ptx "" {
}
func.func @f(%n: i64) {
  // expected-error@+1 {{'tile.apply' op expected what an instruction does, found `tile.for`}}
  tile.apply @i {
    // expected-note@+1 {{it is here}}
    tile.for %j in range(%n to %n) {}
  }
  return
}

// -----
// RULE: tile.apply C2
tile.instr @i on "sm_80" scope warp order exact via generic operands [] ptx "" {
}
func.func @f(%n: i64) {
  // expected-error@+1 {{'tile.apply' op expected what an instruction does, found `tile.apply`}}
  tile.apply @i {
    // expected-note@+1 {{it is here}}
    tile.apply @i {
    }
  }
  return
}

// -----
// RULE: tile.apply C3
tile.instr @i on "sm_80" scope warp order exact via generic operands [] ptx "" {
}
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{'tile.apply' op expected to yield values of types (tensor<8xf32>), found (tensor<4xf32>)}}
  %0 = tile.apply @i -> tensor<8xf32> {
    tile.yield %x : tensor<4xf32>
  }
  return
}

// -----
// RULE: tile.apply C3
tile.instr @i on "sm_80" scope warp order exact via generic operands [] ptx "" {
}
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{'tile.apply' op expected a body without arguments, found 1}}
  tile.apply @i {
  ^bb0(%j: i64):
  }
  return
}

// -----
// RULE: tile.apply C4
tile.instr @i on "sm_80" scope warp order exact via bulk operands [] ptx "" {
}
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{'tile.apply' op expected no results of an instruction via `bulk`, which writes to memory}}
  %0 = tile.apply @i via bulk -> tensor<4xf32> {
    tile.yield %x : tensor<4xf32>
  }
  return
}
