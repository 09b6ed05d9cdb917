// Each case breaks one rule of copies, reads or writes; beside it is the nearest that keeps it.
// RUN: tile-opt %s --split-input-file --verify-diagnostics

// RULE: tile.copy C1
func.func @f(%x: !tile.view<?x8xf32, in>, %r: !tile.span<4>, %a: !tile.buf<4x8xf32, shared>) {
  tile.copy %x[%r, :] to %a fill zero : !tile.view<?x8xf32, in>, !tile.span<4> to !tile.buf<4x8xf32, shared>
  // expected-error@+1 {{'tile.copy' op expected an index or `:` for each of 2 axes, found 1}}
  tile.copy %x[%r] to %a fill zero : !tile.view<?x8xf32, in>, !tile.span<4> to !tile.buf<4x8xf32, shared>
  return
}

// -----
// RULE: tile.copy C1
func.func @f(%x: !tile.view<?x8xf32, in>, %a: !tile.buf<4x8xf32, shared>) {
  // expected-error@+1 {{'tile.copy' op expected a static extent at axis 0 indexed by `:`, found `?`: index it by a span, as `whole` gives one}}
  tile.copy %x[:, :] to %a fill zero : !tile.view<?x8xf32, in> to !tile.buf<4x8xf32, shared>
  return
}

// -----
// RULE: tile.copy C1
func.func @f(%x: !tile.view<?x8xf32, in>, %a: !tile.buf<4x8xf32, shared>) {
  // expected-error@+1 {{'tile.copy' op expected an index for each of 1 axes that are not `:`, found 0}}
  "tile.copy"(%x, %a) <{fill = #tile.fill<zero>, operandSegmentSizes = array<i32: 1, 0, 1, 0>, whole = array<i1: false, true>}>
    : (!tile.view<?x8xf32, in>, !tile.buf<4x8xf32, shared>) -> ()
  return
}

// -----
// RULE: tile.copy C2
func.func @f(%x: !tile.view<?x8xf32, in>, %r: !tile.span<5>, %a: !tile.buf<4x8xf32, shared>) {
  // expected-error@+1 {{'tile.copy' op expected a box of type `tensor<4x8xf32>`, found `tensor<5x8xf32>`}}
  tile.copy %x[%r, :] to %a fill zero : !tile.view<?x8xf32, in>, !tile.span<5> to !tile.buf<4x8xf32, shared>
  return
}

// -----
// RULE: tile.copy C2
func.func @f(%x: !tile.view<?x8xf16, in>, %r: !tile.span<4>, %a: !tile.buf<4x8xf32, shared>) {
  // expected-error@+1 {{'tile.copy' op expected a box of type `tensor<4x8xf32>`, found `tensor<4x8xf16>`}}
  tile.copy %x[%r, :] to %a fill zero : !tile.view<?x8xf16, in>, !tile.span<4> to !tile.buf<4x8xf32, shared>
  return
}

// -----
// RULE: tile.copy C2
// Scalars only: the box is one element, no tile.
func.func @f(%x: !tile.view<?xf32, in>, %i: i64, %a: !tile.buf<1xf32, shared>) {
  // expected-error@+1 {{'tile.copy' op expected a box of type `tensor<1xf32>`, found `f32`}}
  tile.copy %x[%i] to %a fill zero : !tile.view<?xf32, in>, i64 to !tile.buf<1xf32, shared>
  return
}

// -----
// RULE: tile.copy C3
func.func @f(%x: !tile.view<?xf32, in>, %r: !tile.span<4>, %a: !tile.buf<4xf32, shared, slots = 2>) {
  // expected-error@+1 {{'tile.copy' op expected `slot`, as the buf has several slots: take it from `tile.acquire` or `tile.await`}}
  tile.copy %x[%r] to %a fill zero : !tile.view<?xf32, in>, !tile.span<4> to !tile.buf<4xf32, shared, slots = 2>
  return
}

// -----
// RULE: tile.copy C3
// Of one slot, but in a ring.
func.func @f(%x: !tile.view<?xf32, in>, %r: !tile.span<4>) {
  %a = tile.alloc : !tile.buf<4xf32, shared>
  %q = tile.ring %a protocol cta_sync : !tile.buf<4xf32, shared> -> !tile.ring<1>
  // expected-error@+1 {{'tile.copy' op expected `slot`, as the buf is in a ring: take it from `tile.acquire` or `tile.await`}}
  tile.copy %x[%r] to %a fill zero : !tile.view<?xf32, in>, !tile.span<4> to !tile.buf<4xf32, shared>
  return
}

// -----
// RULE: tile.copy C3
func.func @f(%x: !tile.view<?xf32, in>, %r: !tile.span<4>, %a: !tile.buf<4xf32, shared>, %s: !tile.slot) {
  tile.copy %x[%r] to %a fill zero : !tile.view<?xf32, in>, !tile.span<4> to !tile.buf<4xf32, shared>
  // expected-error@+1 {{'tile.copy' op expected no `slot`, as the buf has one slot and is in no ring}}
  tile.copy %x[%r] to %a slot %s fill zero : !tile.view<?xf32, in>, !tile.span<4> to !tile.buf<4xf32, shared>
  return
}

// -----
// RULE: tile.copy C3
func.func @f(%x: !tile.view<?xf32, in>, %r: !tile.span<4>) {
  %a = tile.alloc : !tile.buf<4xf32, shared>
  %b = tile.alloc : !tile.buf<4xf32, shared>
  %p = tile.ring %a protocol cta_sync : !tile.buf<4xf32, shared> -> !tile.ring<1>
  %q = tile.ring %b protocol cta_sync : !tile.buf<4xf32, shared> -> !tile.ring<1>
  // expected-note@+1 {{it is given here}}
  %s = tile.acquire %p : !tile.ring<1>
  tile.copy %x[%r] to %a slot %s fill zero : !tile.view<?xf32, in>, !tile.span<4> to !tile.buf<4xf32, shared>
  // expected-error@+1 {{'tile.copy' op expected a slot of the buf's own ring, found one of another}}
  tile.copy %x[%r] to %b slot %s fill zero : !tile.view<?xf32, in>, !tile.span<4> to !tile.buf<4xf32, shared>
  tile.commit %p : !tile.ring<1>
  return
}

// -----
func.func @f(%x: !tile.view<?xf32, in>, %r: !tile.span<4>, %a: !tile.buf<4xf32, shared>) {
  // expected-error@+1 {{custom op 'tile.copy' expected one of [zero, undef] for what a copy leaves in the cells of absent elements, got: ones}}
  tile.copy %x[%r] to %a fill ones : !tile.view<?xf32, in>, !tile.span<4> to !tile.buf<4xf32, shared>
  return
}

// -----
// RULE: tile.copy_out C1
func.func @f(%y: !tile.view<?xf32, inout>, %x: !tile.view<?xf32, in>, %r: !tile.span<4>, %a: !tile.buf<4xf32, shared>) {
  tile.copy_out %a to %y[%r] : !tile.buf<4xf32, shared> to !tile.view<?xf32, inout>, !tile.span<4>
  // expected-error@+1 {{'tile.copy_out' op expected an `out` or `inout` view, found `in`: declare the argument `out`}}
  tile.copy_out %a to %x[%r] : !tile.buf<4xf32, shared> to !tile.view<?xf32, in>, !tile.span<4>
  return
}

// -----
// RULE: tile.copy_out C2
func.func @f(%y: !tile.view<?x?xf32, out>, %r: !tile.span<4>, %a: !tile.buf<4xf32, shared>) {
  // expected-error@+1 {{'tile.copy_out' op expected an index or `:` for each of 2 axes, found 1}}
  tile.copy_out %a to %y[%r] : !tile.buf<4xf32, shared> to !tile.view<?x?xf32, out>, !tile.span<4>
  return
}

// -----
// RULE: tile.copy_out C3
func.func @f(%y: !tile.view<?x?xf32, out>, %r: !tile.span<4>, %i: i64, %a: !tile.buf<4x1xf32, shared>) {
  // expected-error@+1 {{'tile.copy_out' op expected a box of type `tensor<4x1xf32>`, found `tensor<4xf32>`}}
  tile.copy_out %a to %y[%r, %i] : !tile.buf<4x1xf32, shared> to !tile.view<?x?xf32, out>, !tile.span<4>, i64
  return
}

// -----
// RULE: tile.copy_out C4
func.func @f(%y: !tile.view<?xf32, out>, %r: !tile.span<4>, %a: !tile.buf<4xf32, shared, slots = 2>) {
  // expected-error@+1 {{'tile.copy_out' op expected `slot`, as the buf has several slots}}
  tile.copy_out %a to %y[%r] : !tile.buf<4xf32, shared, slots = 2> to !tile.view<?xf32, out>, !tile.span<4>
  return
}

// -----
// RULE: tile.read C1
func.func @f(%a: !tile.buf<4x8xf32, shared>, %r: !tile.span<4>) {
  // expected-error@+1 {{'tile.read' op expected a span or `:` for each of 2 axes, found 1}}
  %0 = tile.read %a span[%r] : !tile.buf<4x8xf32, shared>, !tile.span<4> -> tensor<4x8xf32>
  return
}

// -----
// RULE: tile.read C1
func.func @f(%a: !tile.buf<4x8xf32, shared>, %r: !tile.span<4>) {
  %good = tile.read %a span[%r, :] : !tile.buf<4x8xf32, shared>, !tile.span<4> -> tensor<4x8xf32>
  // The width of the other axis.
  // expected-error@+1 {{'tile.read' op expected a span of width 8, the axis' extent, found width 4}}
  %0 = tile.read %a span[:, %r] : !tile.buf<4x8xf32, shared>, !tile.span<4> -> tensor<4x8xf32>
  return
}

// -----
// RULE: tile.read C1
func.func @f(%a: !tile.buf<4x8xf32, shared>, %r: !tile.span<4>) {
  // expected-error@+1 {{'tile.read' op expected a span for each of 1 axes that are not `:`, found 2}}
  %0 = "tile.read"(%a, %r, %r) <{operandSegmentSizes = array<i32: 1, 0, 2>, whole = array<i1: false, true>}>
    : (!tile.buf<4x8xf32, shared>, !tile.span<4>, !tile.span<4>) -> tensor<4x8xf32>
  return
}

// -----
// RULE: tile.read C2
func.func @f(%a: !tile.buf<4x8xf32, shared>) {
  // expected-error@+1 {{'tile.read' op expected a result of type `tensor<4x8xf32>`, found `tensor<8x4xf32>`}}
  %0 = tile.read %a span[:, :] : !tile.buf<4x8xf32, shared> -> tensor<8x4xf32>
  return
}

// -----
// RULE: tile.read C3
func.func @f(%a: !tile.buf<4xf32, shared>, %s: !tile.slot) {
  %good = tile.read %a span[:] : !tile.buf<4xf32, shared> -> tensor<4xf32>
  // expected-error@+1 {{'tile.read' op expected no `slot`, as the buf has one slot and is in no ring}}
  %0 = tile.read %a slot %s span[:] : !tile.buf<4xf32, shared> -> tensor<4xf32>
  return
}

// -----
// RULE: tile.write C1
func.func @f(%a: !tile.buf<4xf32, shared>, %t: tensor<4xf32>, %u: tensor<4xf64>) {
  tile.write %t to %a : tensor<4xf32> to !tile.buf<4xf32, shared>
  // expected-error@+1 {{'tile.write' op expected a value of type `tensor<4xf32>`, found `tensor<4xf64>`}}
  tile.write %u to %a : tensor<4xf64> to !tile.buf<4xf32, shared>
  return
}

// -----
// RULE: tile.write C2
func.func @f(%a: !tile.buf<4xf32, shared, slots = 2>, %t: tensor<4xf32>) {
  // expected-error@+1 {{'tile.write' op expected `slot`, as the buf has several slots}}
  tile.write %t to %a : tensor<4xf32> to !tile.buf<4xf32, shared, slots = 2>
  return
}
