// Matrix product in tiles of 128x256x64 for Hopper: a producer and a consumer role, a ring of 4 slots filled by bulk
// loads and read by asynchronous products, the result in four parts through a ring of bulk stores, tasks one after the
// other on each CTA.
// RUN: tile-opt %s --tile-seal="report target=sm_90" -o %t | FileCheck %s

// CHECK:      seal `gemm`: sealed
// CHECK:        1 bounds           12        0        0        0
// CHECK-NEXT:   2 values            20       0        0        0
// CHECK-NEXT:   3 order            26        0        0        0
// CHECK-NEXT:   4 rings            15        0        0        0
// CHECK-NEXT:   5 uniformity       17        0        0        0
// CHECK-NEXT:   6 instances        10        0        0        0
// CHECK-NEXT:   7 outputs
// CHECK-NEXT:   8 resources         8        0        0        0
tile.instr @tma_load_2d on "sm_90" scope thread order exact via tma operands [
    {name = "dst", kind = "smem", out, whole}, {name = "src", kind = "view"}] ptx "" attributes {hook = "tma_load"} {
^bb0(%dst: tensor<64x64xbf16>, %src: tensor<64x64xbf16>):
  %zero = tile.constant 0.0 : bf16 tensor<64x64xbf16>
  %0 = tile.fill_absent %src, %zero : tensor<64x64xbf16>
  tile.yield %0 : tensor<64x64xbf16>
}
tile.instr @tma_store_2d on "sm_90" scope thread order exact via bulk operands [
    {name = "dst", kind = "view", out}, {name = "src", kind = "smem"}] ptx "" attributes {hook = "tma_store"} {
^bb0(%dst: tensor<64x64xbf16>, %src: tensor<64x64xbf16>):
  tile.yield %src : tensor<64x64xbf16>
}
tile.instr @stmatrix_x4 on "sm_90" scope warp order exact via generic operands [
    {name = "dst", kind = "smem", out}, {name = "src", kind = "frag", layout = "((4,8),(2,2,2)):((32,1),(16,8,128))"}]
    ptx "stmatrix.sync.aligned.m8n8.x4.shared.b16 [{dst}], {src};" attributes {converged} {
^bb0(%dst: tensor<16x16xbf16>, %src: tensor<16x16xbf16>):
  tile.yield %src : tensor<16x16xbf16>
}
tile.instr @wgmma_m64k16 on "sm_90a" scope wg order dot via wgmma operands [
    {name = "a", kind = "smem", families = ["kmajor(sw128)"]}, {name = "b", kind = "smem", families = ["kmajor(sw128)"]},
    {name = "c", kind = "frag", layout = "(64,256):(1,64)", inout}] ptx "" attributes {hook = "wgmma"} {
^bb0(%a: tensor<64x16xbf16>, %b: tensor<16x256xbf16>, %c: tensor<64x256xf32>):
  %0 = tile.mma %a, %b, %c : tensor<64x16xbf16>, tensor<16x256xbf16>, tensor<64x256xf32>
  tile.yield %0 : tensor<64x256xf32>
}

tile.kernel @gemm[%M "M", %N "N", %K "K"](%a "a": !tile.view<?x?xbf16, in> shape ()[s0, s1, s2] -> (s0, s2),
    %b "b": !tile.view<?x?xbf16, in> shape ()[s0, s1, s2] -> (s2, s1), %d "d": !tile.view<?x?xbf16, out> shape ()[s0, s1, s2] -> (s0, s1))
    attributes {tile.warps = 12 : i64, tile.cluster = 2 : i64, tile.cluster_axis = 0 : i64,
      tile.roles = {producer = {warps = 4 : i64, regs = 40 : i64}, consumer = {warps = 8 : i64, regs = 232 : i64}}} body {
  %c0 = tile.constant 0 : i64
  %c64 = tile.constant 64 : i64
  %zero = tile.constant 0.0 : f32 tensor<128x256xf32>
  %As = tile.alloc : !tile.buf<128x64xbf16, shared, slots = 4>
  %Bs = tile.alloc : !tile.buf<64x256xbf16, shared, slots = 4>
  %Cs = tile.alloc : !tile.buf<128x64xbf16, shared, slots = 2>
  %rg = tile.ring %As, %Bs protocol mbarrier : !tile.buf<128x64xbf16, shared, slots = 4>, !tile.buf<64x256xbf16, shared, slots = 4> -> !tile.ring<4>
  %rc = tile.ring %Cs protocol bulk : !tile.buf<128x64xbf16, shared, slots = 2> -> !tile.ring<2>
  tile.tasks (%m = tiles(%c0 to %M by 128), %n = tiles(%c0 to %N by 256)) grouped 8 {
    %n0 = tile.span_start %n : !tile.span<256>
    %end = tile.span_stop %n : !tile.span<256>
    %n1 = tile.add %n0, %c64 : i64
    %n2 = tile.add %n1, %c64 : i64
    %n3 = tile.add %n2, %c64 : i64
    %s0 = tile.span %n0, %end : !tile.span<64>
    %s1 = tile.span %n1, %end : !tile.span<64>
    %s2 = tile.span %n2, %end : !tile.span<64>
    %s3 = tile.span %n3, %end : !tile.span<64>
    %acc = tile.for %k in tiles(%c0 to %K by 64) carry(%c = %zero : tensor<128x256xf32>) {
      tile.section @load role @producer {
        %s = tile.acquire %rg : !tile.ring<4>
        tile.elect {
          tile.apply @tma_load_2d via tma {
            tile.copy %a[%m, %k] to %As slot %s fill zero : !tile.view<?x?xbf16, in>, !tile.span<128>, !tile.span<64> to !tile.buf<128x64xbf16, shared, slots = 4>
          }
          tile.apply @tma_load_2d via tma {
            tile.copy %b[%k, %n] to %Bs slot %s fill zero {tile.multicast = 2 : i64} : !tile.view<?x?xbf16, in>, !tile.span<64>, !tile.span<256> to !tile.buf<64x256xbf16, shared, slots = 4>
          }
        }
        tile.commit %rg : !tile.ring<4>
      }
      %r = tile.section @use lag 1 role @consumer -> tensor<128x256xf32> {
        %u = tile.await %rg : !tile.ring<4>
        %next = tile.apply @wgmma_m64k16 via wgmma -> tensor<128x256xf32> {
          %at = tile.read %As slot %u span[%m, %k] : !tile.buf<128x64xbf16, shared, slots = 4>, !tile.span<128>, !tile.span<64> -> tensor<128x64xbf16>
          %bt = tile.read %Bs slot %u span[%k, %n] : !tile.buf<64x256xbf16, shared, slots = 4>, !tile.span<64>, !tile.span<256> -> tensor<64x256xbf16>
          %0 = tile.mma %at, %bt, %c {tile.iter = #tile.iter<m = wg 2 * atom 64, n = atom 256, k = reg 4 * atom 16>}
            : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
          tile.yield %0 : tensor<128x256xf32>
        }
        tile.release %rg : !tile.ring<4>
        tile.yield %next : tensor<128x256xf32>
      }
      tile.yield %r : tensor<128x256xf32>
    }
    tile.section @epilogue role @consumer {
      %w0 = tile.acquire %rc : !tile.ring<2>
      %part0 = tile.slice %acc from [0, 0] : tensor<128x256xf32> to tensor<128x64xf32>
      %half0 = tile.cast %part0 : tensor<128x64xf32> to tensor<128x64xbf16>
      tile.apply @stmatrix_x4 {
        tile.write %half0 to %Cs slot %w0 : tensor<128x64xbf16> to !tile.buf<128x64xbf16, shared, slots = 2>
      }
      tile.fence
      tile.barrier cta
      tile.elect {
        tile.apply @tma_store_2d via bulk {
          tile.copy_out %Cs slot %w0 to %d[%m, %s0] : !tile.buf<128x64xbf16, shared, slots = 2> to !tile.view<?x?xbf16, out>, !tile.span<128>, !tile.span<64>
        }
      }
      tile.commit %rc : !tile.ring<2>
      %w1 = tile.acquire %rc : !tile.ring<2>
      %part1 = tile.slice %acc from [0, 64] : tensor<128x256xf32> to tensor<128x64xf32>
      %half1 = tile.cast %part1 : tensor<128x64xf32> to tensor<128x64xbf16>
      tile.apply @stmatrix_x4 {
        tile.write %half1 to %Cs slot %w1 : tensor<128x64xbf16> to !tile.buf<128x64xbf16, shared, slots = 2>
      }
      tile.fence
      tile.barrier cta
      tile.elect {
        tile.apply @tma_store_2d via bulk {
          tile.copy_out %Cs slot %w1 to %d[%m, %s1] : !tile.buf<128x64xbf16, shared, slots = 2> to !tile.view<?x?xbf16, out>, !tile.span<128>, !tile.span<64>
        }
      }
      tile.commit %rc : !tile.ring<2>
      %w2 = tile.acquire %rc : !tile.ring<2>
      %part2 = tile.slice %acc from [0, 128] : tensor<128x256xf32> to tensor<128x64xf32>
      %half2 = tile.cast %part2 : tensor<128x64xf32> to tensor<128x64xbf16>
      tile.apply @stmatrix_x4 {
        tile.write %half2 to %Cs slot %w2 : tensor<128x64xbf16> to !tile.buf<128x64xbf16, shared, slots = 2>
      }
      tile.fence
      tile.barrier cta
      tile.elect {
        tile.apply @tma_store_2d via bulk {
          tile.copy_out %Cs slot %w2 to %d[%m, %s2] : !tile.buf<128x64xbf16, shared, slots = 2> to !tile.view<?x?xbf16, out>, !tile.span<128>, !tile.span<64>
        }
      }
      tile.commit %rc : !tile.ring<2>
      %w3 = tile.acquire %rc : !tile.ring<2>
      %part3 = tile.slice %acc from [0, 192] : tensor<128x256xf32> to tensor<128x64xf32>
      %half3 = tile.cast %part3 : tensor<128x64xf32> to tensor<128x64xbf16>
      tile.apply @stmatrix_x4 {
        tile.write %half3 to %Cs slot %w3 : tensor<128x64xbf16> to !tile.buf<128x64xbf16, shared, slots = 2>
      }
      tile.fence
      tile.barrier cta
      tile.elect {
        tile.apply @tma_store_2d via bulk {
          tile.copy_out %Cs slot %w3 to %d[%m, %s3] : !tile.buf<128x64xbf16, shared, slots = 2> to !tile.view<?x?xbf16, out>, !tile.span<128>, !tile.span<64>
        }
      }
      tile.commit %rc : !tile.ring<2>
    }
  }
}
