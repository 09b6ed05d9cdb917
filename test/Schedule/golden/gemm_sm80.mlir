// Matrix product in tiles of 128x128x32: asynchronous copies two steps ahead in a ring of 3 slots, fragments by
// ldmatrix, the result through the memory of the operands.
// RUN: tile-opt %s --tile-seal=report -o %t | FileCheck %s

// CHECK:      seal `gemm`: sealed
// CHECK:        1 bounds            6        0        0        0
// CHECK-NEXT:   2 values            11       0        0        0
// CHECK-NEXT:   3 order             9        0        0        0
// CHECK-NEXT:   4 rings             6        0        0        0
// CHECK-NEXT:   5 uniformity        6        0        0        0
// CHECK-NEXT:   6 instances         1        0        0        0
// CHECK-NEXT:   7 outputs
// CHECK-NEXT:   8 resources         6        0        0        0
tile.instr @cp_async_16 on "sm_80" scope thread order exact via cp_async operands [
    {name = "dst", kind = "smem", out, align = 16 : i64, contiguous, whole}, {name = "src", kind = "view", align = 16 : i64, contiguous}]
    ptx "cp.async.cg.shared.global [{dst}], [{src}], 16, {present_bytes(src)};" {
^bb0(%dst: tensor<8xbf16>, %src: tensor<8xbf16>):
  %zero = tile.constant 0.0 : bf16 tensor<8xbf16>
  %0 = tile.fill_absent %src, %zero : tensor<8xbf16>
  tile.yield %0 : tensor<8xbf16>
}
tile.instr @ldmatrix_x4 on "sm_75" scope warp order exact via generic operands [
    {name = "dst", kind = "frag", layout = "((4,8),(2,2,2)):((32,1),(16,8,128))", out}, {name = "src", kind = "smem", rows = 8 : i64, align = 16 : i64}]
    ptx "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {dst}, [{src}];" attributes {converged} {
^bb0(%dst: tensor<16x16xbf16>, %src: tensor<16x16xbf16>):
  tile.yield %src : tensor<16x16xbf16>
}
tile.instr @mma_m16n8k16 on "sm_80" scope warp order dot via generic operands [
    {name = "a", kind = "frag", layout = "((4,8),(2,2,2)):((32,1),(16,8,128))"}, {name = "b", kind = "frag", layout = "((4,8),(2,2)):((16,1),(8,64))"},
    {name = "c", kind = "frag", layout = "((4,8),(2,2)):((32,1),(16,8))", inout}]
    ptx "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {c}, {a}, {b}, {c};" attributes {converged} {
^bb0(%a: tensor<16x16xbf16>, %b: tensor<16x8xbf16>, %c: tensor<16x8xf32>):
  %0 = tile.mma %a, %b, %c : tensor<16x16xbf16>, tensor<16x8xbf16>, tensor<16x8xf32>
  tile.yield %0 : tensor<16x8xf32>
}

tile.kernel @gemm[%M "M", %N "N", %K "K"](%a "a": !tile.view<?x?xbf16, in> shape ()[s0, s1, s2] -> (s0, s2),
    %b "b": !tile.view<?x?xbf16, in> shape ()[s0, s1, s2] -> (s2, s1), %d "d": !tile.view<?x?xbf16, out> shape ()[s0, s1, s2] -> (s0, s1))
    attributes {tile.warps = 8 : i64}
where {
  %c0 = tile.constant 0 : i64
  %c8 = tile.constant 8 : i64
  %0 = tile.mod %K, %c8 : i64
  %1 = tile.cmp eq, %0, %c0 : i64
  tile.require %1, "K % 8 == 0"
  %2 = tile.mod %N, %c8 : i64
  %3 = tile.cmp eq, %2, %c0 : i64
  tile.require %3, "N % 8 == 0"
}
body {
  %c0 = tile.constant 0 : i64
  %zero = tile.constant 0.0 : f32 tensor<128x128xf32>
  tile.grid (%m = tiles(%c0 to %M by 128), %n = tiles(%c0 to %N by 128)) {
    %As = tile.alloc : !tile.buf<128x32xbf16, shared, slots = 3>
    %Bs = tile.alloc : !tile.buf<32x128xbf16, shared, slots = 3>
    %Cs = tile.alloc over %As, %Bs : !tile.buf<128x128xbf16, shared>
      over !tile.buf<128x32xbf16, shared, slots = 3>, !tile.buf<32x128xbf16, shared, slots = 3>
    %rg = tile.ring %As, %Bs protocol cp_async : !tile.buf<128x32xbf16, shared, slots = 3>, !tile.buf<32x128xbf16, shared, slots = 3> -> !tile.ring<3>
    %acc = tile.for %k in tiles(%c0 to %K by 32) carry(%c = %zero : tensor<128x128xf32>) {
      tile.section @load lead 2 {
        %s = tile.acquire %rg : !tile.ring<3>
        tile.apply @cp_async_16 via cp_async {
          tile.copy %a[%m, %k] to %As slot %s fill zero {tile.iter = #tile.iter<d0 = reg 2 * warp 8 * lane 8, d1 = lane 4 * atom 8>}
            : !tile.view<?x?xbf16, in>, !tile.span<128>, !tile.span<32> to !tile.buf<128x32xbf16, shared, slots = 3>
        }
        tile.apply @cp_async_16 via cp_async {
          tile.copy %b[%k, %n] to %Bs slot %s fill zero {tile.iter = #tile.iter<d0 = reg 2 * warp 8 * lane 2, d1 = lane 16 * atom 8>}
            : !tile.view<?x?xbf16, in>, !tile.span<32>, !tile.span<128> to !tile.buf<32x128xbf16, shared, slots = 3>
        }
        tile.commit %rg : !tile.ring<3>
      }
      %r = tile.section @use -> tensor<128x128xf32> {
        %u = tile.await %rg : !tile.ring<3>
        %af = tile.apply @ldmatrix_x4 -> tensor<128x32xbf16> {
          %0 = tile.read %As slot %u span[%m, %k] : !tile.buf<128x32xbf16, shared, slots = 3>, !tile.span<128>, !tile.span<32> -> tensor<128x32xbf16>
          tile.yield %0 : tensor<128x32xbf16>
        }
        %bf = tile.apply @ldmatrix_x4 -> tensor<32x128xbf16> {
          %0 = tile.read %Bs slot %u span[%k, %n] : !tile.buf<32x128xbf16, shared, slots = 3>, !tile.span<32>, !tile.span<128> -> tensor<32x128xbf16>
          tile.yield %0 : tensor<32x128xbf16>
        }
        %next = tile.apply @mma_m16n8k16 -> tensor<128x128xf32> {
          %0 = tile.mma %af, %bf, %c {tile.iter = #tile.iter<m = warp 2 * reg 4 * atom 16, n = warp 4 * reg 4 * atom 8, k = reg 2 * atom 16>}
            : tensor<128x32xbf16>, tensor<32x128xbf16>, tensor<128x128xf32>
          tile.yield %0 : tensor<128x128xf32>
        }
        tile.release %rg : !tile.ring<3>
        tile.yield %next : tensor<128x128xf32>
      }
      tile.yield %r : tensor<128x128xf32>
    }
    tile.group_wait cp_async pending 0
    tile.barrier cta
    %out = tile.cast %acc : tensor<128x128xf32> to tensor<128x128xbf16>
    tile.write %out to %Cs : tensor<128x128xbf16> to !tile.buf<128x128xbf16, shared>
    tile.barrier cta
    %o = tile.read %Cs span[%m, %n] : !tile.buf<128x128xbf16, shared>, !tile.span<128>, !tile.span<128> -> tensor<128x128xbf16>
    tile.store %o, %d[%m, %n] {tile.iter = #tile.iter<d0 = reg 8 * warp 8 * lane 2, d1 = lane 16 * vec 8>}
      : tensor<128x128xbf16>, !tile.view<?x?xbf16, out>, !tile.span<128>, !tile.span<128>
  }
}
