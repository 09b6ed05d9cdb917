// Sections, parallel steps, tasks, elected threads, instructions: the text, and the generic form.
// RUN: tile-opt %s --verify-roundtrip | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: tile.instr @copy_8 on "sm_80" scope thread order exact via cp_async operands
// CHECK-SAME:    [{align = 16 : i64, contiguous, kind = "smem", name = "dst", out, whole}, {kind = "view", name = "src"}] ptx "cp {dst};" {
// CHECK-NEXT:  ^bb0(%[[D:.*]]: tensor<8xbf16>, %[[S:.*]]: tensor<8xbf16>):
// CHECK:         tile.yield %{{.*}} : tensor<8xbf16>
// GENERIC:     "tile.instr"() <{arch = "sm_80", operand_info = [{align = 16 : i64, contiguous, kind = "smem", name = "dst", out, whole}, {kind = "view", name = "src"}],
// GENERIC-SAME:  order = #tile.order_class<exact>, ptx = "cp {dst};", scope = #tile.exec_scope<thread>, sym_name = "copy_8", via = #tile.proxy<cp_async>}>
tile.instr @copy_8 on "sm_80" scope thread order exact via cp_async operands [
    {name = "dst", kind = "smem", out, align = 16 : i64, contiguous, whole}, {name = "src", kind = "view"}] ptx "cp {dst};" {
^bb0(%dst: tensor<8xbf16>, %src: tensor<8xbf16>):
  %zero = tile.constant 0.0 : bf16 tensor<8xbf16>
  %0 = tile.fill_absent %src, %zero : tensor<8xbf16>
  tile.yield %0 : tensor<8xbf16>
}

// Every kind of operand and of entry.
// CHECK-LABEL: tile.instr @every on "sm_90a" scope wg order any via wgmma operands
// CHECK-SAME:    ptx "" attributes {converged, hook = "mma"} {
tile.instr @every on "sm_90a" scope wg order any via wgmma operands [
    {name = "a", kind = "smem", rows = 8 : i64, families = ["kmajor(sw128)"], address = affine_map<(d0) -> (d0 mod 16, d0 floordiv 16)>},
    {name = "b", kind = "frag", layout = "((4,8),(2,2)):((32,1),(16,8))"}, {name = "c", kind = "frag", layout = "(4,8):(1,4)", inout},
    {name = "s", kind = "scalar"}, {name = "p", kind = "predicate"} ] ptx "" attributes {converged, hook = "mma"} {
^bb0(%a: tensor<8x16xf16>, %b: tensor<16x8xf16>, %c: tensor<8x4xf32>, %s: f32, %p: i1):
  tile.yield %c : tensor<8x4xf32>
}

// CHECK-LABEL: tile.instr @add_4 on "sm_70" scope warp order dot via generic operands
tile.instr @add_4 on "sm_70" scope warp order dot via generic operands [
    {name = "a", kind = "frag", layout = "(2,2):(1,2)"}, {name = "b", kind = "frag", layout = "(2,2):(1,2)"},
    {name = "c", kind = "frag", layout = "(4):(1)", inout}] ptx "add" {
^bb0(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>, %c: tensor<2x2xf32>):
  %0 = tile.mma %a, %b, %c : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
  tile.yield %0 : tensor<2x2xf32>
}

// CHECK-LABEL: @applies
func.func @applies(%x: !tile.view<?xbf16, in>, %k: !tile.span<32>, %a: !tile.buf<32xbf16, shared, slots = 3>, %s: !tile.slot,
    %f: tensor<2x2xf32>) {
  // CHECK-NEXT: tile.apply @copy_8 via cp_async {
  // CHECK-NEXT:   tile.copy
  // CHECK-NEXT: {{^  }$}}
  // GENERIC:    "tile.apply"() <{instr = @copy_8, via = #tile.proxy<cp_async>}> ({
  // GENERIC:      "tile.yield"() : () -> ()
  tile.apply @copy_8 via cp_async {
    tile.copy %x[%k] to %a slot %s fill zero {tile.iter = #tile.iter<d0 = lane 4 * atom 8>}
      : !tile.view<?xbf16, in>, !tile.span<32> to !tile.buf<32xbf16, shared, slots = 3>
  }
  // The generic way is not written.
  // CHECK-NEXT: %[[R:.*]] = tile.apply @add_4 -> tensor<2x2xf32> attributes {tag = 1 : i64} {
  // CHECK-NEXT:   %[[M:.*]] = tile.mma
  // CHECK-NEXT:   tile.yield %[[M]] : tensor<2x2xf32>
  // CHECK-NEXT: }
  %0 = tile.apply @add_4 via generic -> tensor<2x2xf32> attributes {tag = 1 : i64} {
    %1 = tile.mma %f, %f, %f : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
    tile.yield %1 : tensor<2x2xf32>
  }
  // An asynchronous product gives its value; two results.
  // CHECK-NEXT: %{{.*}}:2 = tile.apply @every via wgmma -> tensor<2x2xf32>, tensor<2x2xf32> {
  %2:2 = tile.apply @every via wgmma -> tensor<2x2xf32>, tensor<2x2xf32> {
    tile.yield %f, %0 : tensor<2x2xf32>, tensor<2x2xf32>
  }
  return
}

// CHECK-LABEL: @pars
func.func @pars() {
  // CHECK-NEXT: tile.par cluster 2 {
  // CHECK-NEXT: ^bb0(%{{.*}}: i64):
  // CHECK-NEXT:   tile.par wg 1 attributes {tag = 1 : i64} {
  // CHECK-NEXT:   ^bb0(%[[I:.*]]: i64):
  // CHECK-NEXT:     tile.elect {
  // CHECK-NEXT:       tile.print "i", %[[I]] : i64
  // CHECK-NEXT:     }
  // GENERIC:    "tile.par"() <{place = #tile.place<cluster>, steps = 2 : i64}> ({
  // GENERIC:    "tile.elect"() ({
  tile.par cluster 2 {
  ^bb0(%c: i64):
    tile.par wg 1 attributes {tag = 1 : i64} {
    ^bb0(%i: i64):
      tile.elect {
        tile.print "i", %i : i64
      }
    }
  }
  return
}

// Everything that a section may say; what is between sections; loops made of sections beside them.
// CHECK-LABEL: tile.kernel @sections
tile.kernel @sections[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0), %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
    attributes {tile.roles = {use = {warps = 4 : i64}, load = {warps = 1 : i64}}} body {
  %c0 = tile.constant 0 : i64
  %c1 = tile.constant 1 : i64
  %zero = tile.constant 0.0 : f32 tensor<8xf32>
  %a = tile.alloc : !tile.buf<8xf32, shared, slots = 3>
  %r = tile.ring %a protocol mbarrier : !tile.buf<8xf32, shared, slots = 3> -> !tile.ring<3>
  // CHECK:      tile.tasks (%[[M:.*]] = tiles(%{{.*}} to %N by 8), %[[H:.*]] = range(%{{.*}} to %N)) grouped 4 attributes {tag = 1 : i64} {
  // GENERIC:    "tile.tasks"(%{{.*}}) <{grouped = 4 : i64, operandSegmentSizes = array<i32: 2, 2>, widths = array<i64: 8, 0>}>
  tile.tasks (%m = tiles(%c0 to %N by 8), %h = range(%c0 to %N)) grouped 4 attributes {tag = 1 : i64} {
    // CHECK-NEXT: %[[S:.*]] = tile.span_start
    %start = tile.span_start %m : !tile.span<8>
    // CHECK-NEXT: %[[L:.*]]:2 = tile.for
    %sum:2 = tile.for %k in tiles(%start to %N by 8) carry(%acc = %zero : tensor<8xf32>, %n = %c0 : i64) {
      // CHECK-NEXT: tile.section @load lead 2 role @load {
      // GENERIC:    "tile.section"() <{lag = 0 : i64, lead = 2 : i64, name = @load, role = @load}> ({
      tile.section @load lead 2 role @load {
        %s = tile.acquire %r : !tile.ring<3>
        tile.copy %x[%k] to %a slot %s fill zero : !tile.view<?xf32, in>, !tile.span<8> to !tile.buf<8xf32, shared, slots = 3>
        tile.commit %r : !tile.ring<3>
      }
      // CHECK: tile.add %{{.*}}, %{{.*}} : i64
      %next = tile.add %n, %c1 : i64
      // CHECK: %[[U:.*]] = tile.section @use lag 1 role @use -> tensor<8xf32> attributes {tag = 2 : i64} {
      %use = tile.section @use lag 1 role @use -> tensor<8xf32> attributes {tag = 2 : i64} {
        %s = tile.await %r : !tile.ring<3>
        %t = tile.read %a slot %s span[%k] : !tile.buf<8xf32, shared, slots = 3>, !tile.span<8> -> tensor<8xf32>
        tile.release %r : !tile.ring<3>
        %p = tile.add %acc, %t : tensor<8xf32>
        // CHECK: tile.yield %{{.*}} : tensor<8xf32>
        tile.yield %p : tensor<8xf32>
      }
      // CHECK: tile.yield %[[U]], %{{.*}} : tensor<8xf32>, i64
      tile.yield %use, %next : tensor<8xf32>, i64
    }
    // CHECK: tile.section @out role @use {
    // CHECK-NEXT: tile.store %[[L]]#0,
    tile.section @out role @use {
      tile.store %sum#0, %y[%m] : tensor<8xf32>, !tile.view<?xf32, out>, !tile.span<8>
    }
  }
}

// A section with a lead may use a section that runs as far ahead or further, whatever is pure beside them, and what is
// carried by a loop around its own; sections without a role, downwards, in an order without groups.
// CHECK-LABEL: tile.kernel @leads
tile.kernel @leads[%N "N"]() body {
  %c0 = tile.constant 0 : i64
  // CHECK: tile.tasks (%{{.*}} = range(%{{.*}} to %N)) {
  tile.tasks (%i = range(%c0 to %N)) {
    %o = tile.for %j in range(%c0 to %N) carry(%c = %c0 : i64) {
      %q = tile.for %k in range(%c0 to %N) carry(%d = %c : i64) {
        // CHECK: tile.section @a lead 2 -> i64 {
        %a = tile.section @a lead 2 -> i64 {
          tile.yield %c : i64
        }
        %b = tile.add %a, %k : i64
        // CHECK: tile.section @b lead 2 -> i64 {
        %e = tile.section @b lead 2 -> i64 {
          tile.yield %b : i64
        }
        // CHECK: tile.section @c -> i64 {
        %f = tile.section @c -> i64 {
          %g = tile.add %e, %d : i64
          tile.yield %g : i64
        }
        tile.yield %f : i64
      }
      tile.section @after {
        tile.print "q", %q : i64
      }
      tile.yield %q : i64
    }
    tile.for %j in range(%c0 to %N) reversed {
      // CHECK: tile.section @down lag 3 {
      tile.section @down lag 3 {
      }
    }
  }
}
