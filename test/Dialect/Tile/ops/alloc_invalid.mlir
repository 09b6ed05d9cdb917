// Each case breaks one rule of allocs; beside it is the nearest that keeps it.
// RUN: tile-opt %s --split-input-file --verify-diagnostics

// RULE: tile.alloc C1
func.func @f(%n: i64) {
  %good = tile.alloc : !tile.buf<8xf32, shared>
  tile.for %i in range(%n to %n) {
    // expected-error@+1 {{'tile.alloc' op expected to stand directly in the body of a kernel, a grid or tasks, found it in `tile.for`: move it out}}
    %a = tile.alloc : !tile.buf<8xf32, shared>
  }
  return
}

// -----
// RULE: tile.alloc C1
func.func @f(%c: i1) {
  scf.if %c {
    // expected-error@+1 {{found it in `scf.if`: move it out}}
    %a = tile.alloc : !tile.buf<8xf32, shared>
  }
  return
}

// -----
// RULE: tile.alloc C1
func.func @f(%c: i1) {
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    // expected-error@+1 {{found it in `scf.while`: move it out}}
    %a = tile.alloc : !tile.buf<8xf32, shared>
    scf.yield
  }
  return
}

// -----
// RULE: tile.alloc C1
func.func @f() {
  tile.elect {
    // expected-error@+1 {{found it in `tile.elect`: move it out}}
    %a = tile.alloc : !tile.buf<8xf32, shared>
  }
  return
}

// -----
// RULE: tile.alloc C1
func.func @f(%x: tensor<4x8xf32>, %s: f32) {
  %0 = tile.reduce_with %x, %s along 1 : tensor<4x8xf32>, f32 -> tensor<4xf32> {
  ^bb0(%p: f32, %q: f32):
    // expected-error@+1 {{found it in `tile.reduce_with`: move it out}}
    %a = tile.alloc : !tile.buf<8xf32, shared>
    tile.yield %p : f32
  }
  return
}

// -----
// RULE: tile.alloc C2
func.func @f(%a: !tile.buf<8xf32, shared>, %b: !tile.buf<8xf32, workspace>) {
  %good = tile.alloc over %a : !tile.buf<8xf32, shared> over !tile.buf<8xf32, shared>
  // expected-error@+1 {{'tile.alloc' op expected `over` to name `shared` bufs per `cta`, found `!tile.buf<8xf32, workspace>`}}
  %c = tile.alloc over %b : !tile.buf<8xf32, shared> over !tile.buf<8xf32, workspace>
  return
}

// -----
// RULE: tile.alloc C2
func.func @f(%a: !tile.buf<8xf32, shared>) {
  // expected-error@+1 {{'tile.alloc' op expected `over` to name `shared` bufs per `warp`, found `!tile.buf<8xf32, shared>`}}
  %c = tile.alloc over %a : !tile.buf<8xf32, shared, per = warp> over !tile.buf<8xf32, shared>
  return
}

// -----
// RULE: tile.alloc C2
func.func @f() {
  %a = tile.alloc : !tile.buf<8xf32, shared>
  // expected-error@+1 {{'tile.alloc' op expected `over` to name each memory once, found two bufs that share theirs}}
  %c = tile.alloc over %a, %a : !tile.buf<8xf32, shared> over !tile.buf<8xf32, shared>, !tile.buf<8xf32, shared>
  return
}

// -----
// RULE: tile.alloc C2
func.func @f() {
  %a = tile.alloc : !tile.buf<8xf32, shared>
  %b = tile.alloc : !tile.buf<8xf32, shared>
  %over = tile.alloc over %a : !tile.buf<8xf32, shared> over !tile.buf<8xf32, shared>
  %good = tile.alloc over %over, %b : !tile.buf<8xf32, shared> over !tile.buf<8xf32, shared>, !tile.buf<8xf32, shared>
  // One shares the memory of the other, two ops away.
  // expected-error@+1 {{expected `over` to name each memory once, found two bufs that share theirs}}
  %c = tile.alloc over %over, %a : !tile.buf<8xf32, shared> over !tile.buf<8xf32, shared>, !tile.buf<8xf32, shared>
  return
}

// -----
// RULE: tile.alloc C3
func.func @f(%a: !tile.buf<8xf32, shared>) {
  %good = tile.alloc over %a : !tile.buf<32xi8, shared> over !tile.buf<8xf32, shared>
  // expected-error@+1 {{'tile.alloc' op expected a result of at most 32 bytes, as `over` has them, found 33}}
  %c = tile.alloc over %a : !tile.buf<33xi8, shared> over !tile.buf<8xf32, shared>
  return
}

// -----
// RULE: tile.alloc C3
// Slots and padding count: 2 slots of 8 elements that lie 5 apart are 2 * 36 * 4 bytes.
func.func @f(%a: !tile.buf<287xi8, shared>, %b: !tile.buf<288xi8, shared>) {
  %good = tile.alloc over %b : !tile.buf<8xf32, shared, slots = 2, layout = "(8):(5)"> over !tile.buf<288xi8, shared>
  // expected-error@+1 {{'tile.alloc' op expected a result of at most 287 bytes, as `over` has them, found 288}}
  %c = tile.alloc over %a : !tile.buf<8xf32, shared, slots = 2, layout = "(8):(5)"> over !tile.buf<287xi8, shared>
  return
}

