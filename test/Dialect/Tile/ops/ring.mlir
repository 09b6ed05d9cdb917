// Rings: the text, and the generic form.
// RUN: tile-opt %s --verify-roundtrip | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: @rings
func.func @rings() {
  %a = tile.alloc : !tile.buf<8xf32, shared, slots = 3>
  %b = tile.alloc : !tile.buf<4xf16, shared, slots = 3>
  %c = tile.alloc : !tile.buf<1xi32, shared>
  %d = tile.alloc : !tile.buf<4xf16, workspace, slots = 2>
  // CHECK: %[[R:.*]] = tile.ring %{{.*}}, %{{.*}} protocol cp_async : !tile.buf<8xf32, shared, slots = 3>, !tile.buf<4xf16, shared, slots = 3> -> !tile.ring<3>
  // GENERIC: "tile.ring"(%{{.*}}, %{{.*}}) <{protocol = #tile.protocol<cp_async>}>
  %r = tile.ring %a, %b protocol cp_async : !tile.buf<8xf32, shared, slots = 3>, !tile.buf<4xf16, shared, slots = 3> -> !tile.ring<3>
  // CHECK-NEXT: %[[T:.*]] = tile.ring %{{.*}} protocol mbarrier {cluster = 2 : i64} : !tile.buf<1xi32, shared> -> !tile.ring<1>
  %t = tile.ring %c protocol mbarrier {cluster = 2 : i64} : !tile.buf<1xi32, shared> -> !tile.ring<1>
  // CHECK-NEXT: tile.ring %{{.*}} protocol bulk : !tile.buf<4xf16, workspace, slots = 2> -> !tile.ring<2>
  %u = tile.ring %d protocol bulk : !tile.buf<4xf16, workspace, slots = 2> -> !tile.ring<2>
  // CHECK-NEXT: %[[S:.*]] = tile.acquire %[[R]] : !tile.ring<3>
  // GENERIC:    "tile.acquire"(%{{.*}}) : (!tile.ring<3>) -> !tile.slot
  %s = tile.acquire %r : !tile.ring<3>
  // Rings do not hold each other up: this pair stands inside of the other.
  // CHECK-NEXT: tile.acquire %[[T]] : !tile.ring<1>
  // CHECK-NEXT: tile.commit %[[T]] : !tile.ring<1>
  %v = tile.acquire %t : !tile.ring<1>
  tile.commit %t : !tile.ring<1>
  // CHECK-NEXT: tile.commit %[[R]] {note} : !tile.ring<3>
  tile.commit %r {note} : !tile.ring<3>
  // CHECK-NEXT: %[[W:.*]] = tile.await %[[R]] : !tile.ring<3>
  %w = tile.await %r : !tile.ring<3>
  // CHECK-NEXT: tile.read %{{.*}} slot %[[W]] span[:]
  %x = tile.read %a slot %w span[:] : !tile.buf<8xf32, shared, slots = 3> -> tensor<8xf32>
  // CHECK-NEXT: tile.release %[[R]] : !tile.ring<3>
  tile.release %r : !tile.ring<3>
  // A second turn.
  // CHECK-NEXT: tile.acquire %[[R]]
  // CHECK-NEXT: tile.commit %[[R]]
  %y = tile.acquire %r : !tile.ring<3>
  tile.commit %r : !tile.ring<3>
  return
}
