// Each case breaks one rule of rings.
// RUN: tile-opt %s --split-input-file --verify-diagnostics

// RULE: tile.ring C1
func.func @f() {
  // expected-error@+1 {{'tile.ring' op expected at least one buf, found none}}
  %0 = "tile.ring"() <{protocol = #tile.protocol<cta_sync>}> : () -> !tile.ring<3>
  return
}

// -----
// RULE: tile.ring C1
func.func @f(%a: !tile.buf<8xf32, shared, slots = 3>, %b: !tile.buf<8xf32, shared, slots = 2>) {
  // expected-error@+1 {{'tile.ring' op expected bufs of 3 slots, as the ring has, found `!tile.buf<8xf32, shared, slots = 2>`}}
  %0 = tile.ring %a, %b protocol cta_sync : !tile.buf<8xf32, shared, slots = 3>, !tile.buf<8xf32, shared, slots = 2> -> !tile.ring<3>
  return
}

// -----
// RULE: tile.ring C2
func.func @f(%a: !tile.buf<8xf32, shared>) {
  // expected-error@+1 {{'tile.ring' op expected each buf once, found one twice}}
  %0 = tile.ring %a, %a protocol cta_sync : !tile.buf<8xf32, shared>, !tile.buf<8xf32, shared> -> !tile.ring<1>
  return
}

// -----
// RULE: tile.ring C2
func.func @f(%a: !tile.buf<8xf32, shared>, %b: !tile.buf<8xf32, shared>) {
  // expected-error@+1 {{'tile.ring' op expected bufs that are in no other ring: one queue tells when their slots are free}}
  %0 = tile.ring %a protocol cta_sync : !tile.buf<8xf32, shared> -> !tile.ring<1>
  // expected-note@+1 {{the other ring is here}}
  %1 = tile.ring %b, %a protocol cta_sync : !tile.buf<8xf32, shared>, !tile.buf<8xf32, shared> -> !tile.ring<1>
  return
}

// -----
// RULE: tile.ring C3
func.func @f(%n: i64, %a: !tile.buf<8xf32, shared>, %b: !tile.buf<8xf32, shared>) {
  %good = tile.ring %b protocol cta_sync : !tile.buf<8xf32, shared> -> !tile.ring<1>
  tile.for %i in range(%n to %n) {
    // expected-error@+1 {{'tile.ring' op expected to stand directly in the body of a kernel, a grid or tasks, found it in `tile.for`: move it out}}
    %0 = tile.ring %a protocol cta_sync : !tile.buf<8xf32, shared> -> !tile.ring<1>
  }
  return
}

// -----
// RULE: tile.acquire C1
func.func @f(%r: !tile.ring<3>) {
  // expected-error@+1 {{'tile.acquire' op expected `tile.commit` of the ring after it in the same block}}
  %0 = tile.acquire %r : !tile.ring<3>
  return
}

// -----
// RULE: tile.acquire C1
func.func @f(%r: !tile.ring<3>) {
  // expected-error@+1 {{'tile.acquire' op expected `tile.commit` of the ring after it in the same block, found another `tile.acquire` first}}
  %0 = tile.acquire %r : !tile.ring<3>
  // expected-note@+1 {{it is here}}
  %1 = tile.acquire %r : !tile.ring<3>
  tile.commit %r : !tile.ring<3>
  return
}

// -----
// RULE: tile.acquire C1
// The commit of another ring, and one in another block, do not count.
func.func @f(%r: !tile.ring<3>, %q: !tile.ring<3>) {
  %0 = tile.acquire %q : !tile.ring<3>
  // expected-error@+1 {{'tile.acquire' op expected `tile.commit` of the ring after it in the same block}}
  %1 = tile.acquire %r : !tile.ring<3>
  tile.commit %q : !tile.ring<3>
  tile.par warp 2 {
  ^bb0(%i: i64):
    tile.commit %r : !tile.ring<3>
  }
  return
}

// -----
// RULE: tile.commit C1
func.func @f(%r: !tile.ring<3>) {
  // expected-error@+1 {{'tile.commit' op expected `tile.acquire` of the ring before it in the same block}}
  tile.commit %r : !tile.ring<3>
  return
}

// -----
// RULE: tile.commit C1
func.func @f(%r: !tile.ring<3>) {
  %0 = tile.acquire %r : !tile.ring<3>
  // expected-note@+1 {{it is here}}
  tile.commit %r : !tile.ring<3>
  // expected-error@+1 {{'tile.commit' op expected `tile.acquire` of the ring before it in the same block, found another `tile.commit` first}}
  tile.commit %r : !tile.ring<3>
  return
}

// -----
// RULE: tile.await C1
func.func @f(%r: !tile.ring<3>) {
  // expected-error@+1 {{'tile.await' op expected `tile.release` of the ring after it in the same block, found another `tile.await` first}}
  %0 = tile.await %r : !tile.ring<3>
  // expected-note@+1 {{it is here}}
  %1 = tile.await %r : !tile.ring<3>
  tile.release %r : !tile.ring<3>
  return
}

// -----
// RULE: tile.release C1
// An acquire is no await.
func.func @f(%r: !tile.ring<3>) {
  %0 = tile.acquire %r : !tile.ring<3>
  // expected-error@+1 {{'tile.release' op expected `tile.await` of the ring before it in the same block}}
  tile.release %r : !tile.ring<3>
  tile.commit %r : !tile.ring<3>
  return
}

// -----
func.func @f(%a: !tile.buf<8xf32, shared>) {
  // expected-error@+1 {{custom op 'tile.ring' expected one of [cta_sync, cp_async, mbarrier, bulk] for how a ring tells that a slot is filled or free, got: tma}}
  %0 = tile.ring %a protocol tma : !tile.buf<8xf32, shared> -> !tile.ring<1>
  return
}
