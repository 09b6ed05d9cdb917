// Attention over blocks of 64 keys with an online maximum and sum: queries in registers for the whole loop, keys and
// values in rings of their own, a causal mask, the result through the memory of the queries.
// RUN: tile-opt %s --tile-seal=report -o %t | FileCheck %s

// CHECK:      seal `attention`: sealed
// CHECK:        1 bounds           16        0        0        0
// CHECK-NEXT:   2 values            14       0        0        0
// CHECK-NEXT:   3 order             6        0        0        0
// CHECK-NEXT:   4 rings             9        0        0        0
// CHECK-NEXT:   5 uniformity       11        0        0        0
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

tile.kernel @attention[%B "B", %H "H", %SQ "SQ", %SK "SK"](
    %q "q": !tile.view<?x?x?x128xbf16, in> shape ()[s0, s1, s2, s3] -> (s0, s1, s2, 128),
    %k "k": !tile.view<?x?x?x128xbf16, in> shape ()[s0, s1, s2, s3] -> (s0, s1, s3, 128),
    %v "v": !tile.view<?x?x?x128xbf16, in> shape ()[s0, s1, s2, s3] -> (s0, s1, s3, 128), %scale "scale": f32,
    %y "y": !tile.view<?x?x?x128xbf16, out> shape ()[s0, s1, s2, s3] -> (s0, s1, s2, 128)) math contract attributes {tile.warps = 8 : i64} body {
  %c0 = tile.constant 0 : i64
  %zero = tile.constant 0.0 : f32 tensor<128xf32>
  %one = tile.constant 1.0 : f32 tensor<128xf32>
  %low = tile.constant 0xFF800000 : f32 tensor<128xf32>
  %least = tile.constant 0xFF800000 : f32 tensor<128x64xf32>
  %none = tile.constant 0.0 : f32 tensor<128x64xf32>
  %start = tile.constant 0.0 : f32 tensor<128x128xf32>
  %off = tile.sub %SK, %SQ : i64
  tile.grid (%m = tiles(%c0 to %SQ by 128), %h = range(%c0 to %H), %b = range(%c0 to %B)) {
    %Qs = tile.alloc : !tile.buf<128x128xbf16, shared>
    %Ks = tile.alloc : !tile.buf<64x128xbf16, shared, slots = 2>
    %Vs = tile.alloc : !tile.buf<64x128xbf16, shared, slots = 2>
    %Os = tile.alloc over %Qs : !tile.buf<128x128xbf16, shared> over !tile.buf<128x128xbf16, shared>
    %rk = tile.ring %Ks protocol cp_async : !tile.buf<64x128xbf16, shared, slots = 2> -> !tile.ring<2>
    %rv = tile.ring %Vs protocol cp_async : !tile.buf<64x128xbf16, shared, slots = 2> -> !tile.ring<2>
    tile.apply @cp_async_16 via cp_async {
      tile.copy %q[%b, %h, %m, :] to %Qs fill zero : !tile.view<?x?x?x128xbf16, in>, i64, i64, !tile.span<128> to !tile.buf<128x128xbf16, shared>
    }
    tile.group_commit cp_async
    tile.group_wait cp_async pending 0
    tile.barrier cta
    %qf = tile.apply @ldmatrix_x4 -> tensor<128x128xbf16> {
      %0 = tile.read %Qs span[%m, :] : !tile.buf<128x128xbf16, shared>, !tile.span<128> -> tensor<128x128xbf16>
      tile.yield %0 : tensor<128x128xbf16>
    }
    %stop = tile.span_stop %m : !tile.span<128>
    %seen = tile.add %stop, %off : i64
    %last = tile.min %SK, %seen : i64
    %i = tile.span_index %m : !tile.span<128> -> tensor<128xi64>
    %offs = tile.splat %off : i64 to tensor<128xi64>
    %limit = tile.add %i, %offs : tensor<128xi64>
    %limit1 = tile.expand %limit at [1] : tensor<128xi64> to tensor<128x1xi64>
    %limits = tile.broadcast %limit1 : tensor<128x1xi64> to tensor<128x64xi64>
    %factor = tile.splat %scale : f32 to tensor<128x64xf32>
    %mx:3 = tile.for %n in tiles(%c0 to %last by 64) carry(%max = %low : tensor<128xf32>, %l = %zero : tensor<128xf32>, %o = %start : tensor<128x128xf32>) {
      tile.section @keys lead 1 {
        %s = tile.acquire %rk : !tile.ring<2>
        tile.apply @cp_async_16 via cp_async {
          tile.copy %k[%b, %h, %n, :] to %Ks slot %s fill zero : !tile.view<?x?x?x128xbf16, in>, i64, i64, !tile.span<64> to !tile.buf<64x128xbf16, shared, slots = 2>
        }
        tile.commit %rk : !tile.ring<2>
      }
      tile.section @values lead 1 {
        %s = tile.acquire %rv : !tile.ring<2>
        tile.apply @cp_async_16 via cp_async {
          tile.copy %v[%b, %h, %n, :] to %Vs slot %s fill zero : !tile.view<?x?x?x128xbf16, in>, i64, i64, !tile.span<64> to !tile.buf<64x128xbf16, shared, slots = 2>
        }
        tile.commit %rv : !tile.ring<2>
      }
      %next:3 = tile.section @use -> tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32> {
        %uk = tile.await %rk : !tile.ring<2>
        %kf = tile.apply @ldmatrix_x4 -> tensor<64x128xbf16> {
          %0 = tile.read %Ks slot %uk span[%n, :] : !tile.buf<64x128xbf16, shared, slots = 2>, !tile.span<64> -> tensor<64x128xbf16>
          tile.yield %0 : tensor<64x128xbf16>
        }
        %kt = tile.permute %kf, [1, 0] : tensor<64x128xbf16> to tensor<128x64xbf16>
        %s = tile.apply @mma_m16n8k16 -> tensor<128x64xf32> {
          %0 = tile.mma %qf, %kt, %none {tile.iter = #tile.iter<m = warp 8 * atom 16, n = reg 8 * atom 8, k = reg 8 * atom 16>}
            : tensor<128x128xbf16>, tensor<128x64xbf16>, tensor<128x64xf32>
          tile.yield %0 : tensor<128x64xf32>
        }
        tile.release %rk : !tile.ring<2>
        %t = tile.mul %s, %factor : tensor<128x64xf32>
        %j = tile.span_index %n : !tile.span<64> -> tensor<64xi64>
        %j1 = tile.expand %j at [0] : tensor<64xi64> to tensor<1x64xi64>
        %js = tile.broadcast %j1 : tensor<1x64xi64> to tensor<128x64xi64>
        %sees = tile.cmp le, %js, %limits : tensor<128x64xi64>
        %t1 = tile.keep_if %t, %sees over [0, 1] : tensor<128x64xf32>, tensor<128x64xi1>
        %t2 = tile.fill_absent %t1, %least : tensor<128x64xf32>
        %rowmax = tile.reduce max %t2 along 1 : tensor<128x64xf32> -> tensor<128xf32>
        %m1 = tile.max %max, %rowmax : tensor<128xf32>
        %is = tile.cmp eq, %m1, %low : tensor<128xf32>
        %base = tile.select %is, %zero, %m1 : tensor<128xf32>
        %base1 = tile.expand %base at [1] : tensor<128xf32> to tensor<128x1xf32>
        %bases = tile.broadcast %base1 : tensor<128x1xf32> to tensor<128x64xf32>
        %d = tile.sub %t2, %bases : tensor<128x64xf32>
        %p = tile.exp2 %d {accuracy = #tile.accuracy<fast>} : tensor<128x64xf32>
        %fd = tile.sub %max, %base : tensor<128xf32>
        %f = tile.exp2 %fd {accuracy = #tile.accuracy<fast>} : tensor<128xf32>
        %lf = tile.mul %l, %f : tensor<128xf32>
        %sum = tile.reduce sum %p along 1 {order = #tile.reduce_order<any>} : tensor<128x64xf32> -> tensor<128xf32>
        %l1 = tile.add %lf, %sum : tensor<128xf32>
        %f1 = tile.expand %f at [1] : tensor<128xf32> to tensor<128x1xf32>
        %fs = tile.broadcast %f1 : tensor<128x1xf32> to tensor<128x128xf32>
        %of = tile.mul %o, %fs : tensor<128x128xf32>
        %pb = tile.cast %p : tensor<128x64xf32> to tensor<128x64xbf16>
        %uv = tile.await %rv : !tile.ring<2>
        %vf = tile.apply @ldmatrix_x4 -> tensor<64x128xbf16> {
          %0 = tile.read %Vs slot %uv span[%n, :] : !tile.buf<64x128xbf16, shared, slots = 2>, !tile.span<64> -> tensor<64x128xbf16>
          tile.yield %0 : tensor<64x128xbf16>
        }
        %o1 = tile.apply @mma_m16n8k16 -> tensor<128x128xf32> {
          %0 = tile.mma %pb, %vf, %of {tile.iter = #tile.iter<m = warp 8 * atom 16, n = reg 16 * atom 8, k = reg 4 * atom 16>}
            : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
          tile.yield %0 : tensor<128x128xf32>
        }
        tile.release %rv : !tile.ring<2>
        tile.yield %m1, %l1, %o1 : tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>
      }
      tile.yield %next#0, %next#1, %next#2 : tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>
    }
    tile.group_wait cp_async pending 0
    tile.barrier cta
    %empty = tile.cmp eq, %mx#1, %zero : tensor<128xf32>
    %inv = tile.div %one, %mx#1 : tensor<128xf32>
    %scaled = tile.select %empty, %zero, %inv : tensor<128xf32>
    %scaled1 = tile.expand %scaled at [1] : tensor<128xf32> to tensor<128x1xf32>
    %scales = tile.broadcast %scaled1 : tensor<128x1xf32> to tensor<128x128xf32>
    %out = tile.mul %mx#2, %scales : tensor<128x128xf32>
    %ob = tile.cast %out : tensor<128x128xf32> to tensor<128x128xbf16>
    tile.write %ob to %Os : tensor<128x128xbf16> to !tile.buf<128x128xbf16, shared>
    tile.barrier cta
    %res = tile.read %Os span[%m, :] : !tile.buf<128x128xbf16, shared>, !tile.span<128> -> tensor<128x128xbf16>
    tile.store %res, %y[%b, %h, %m, :] : tensor<128x128xbf16>, !tile.view<?x?x?x128xbf16, out>, i64, i64, !tile.span<128>
  }
}
