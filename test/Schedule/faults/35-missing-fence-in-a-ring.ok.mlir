// The product does not see what was copied in the generic way. Repaired.
// RUN: tile-opt %s --tile-seal=target=sm_90 --verify-diagnostics -o /dev/null

tile.instr @wgmma on "sm_90" scope wg order dot via wgmma operands [
    {name = "a", kind = "smem"}, {name = "b", kind = "smem"}, {name = "c", kind = "frag", layout = "(16,16):(1,16)", inout}] ptx "" {
^bb0(%a: tensor<16x16xbf16>, %b: tensor<16x16xbf16>, %c: tensor<16x16xf32>):
  %0 = tile.mma %a, %b, %c : tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<16x16xf32>
  tile.yield %0 : tensor<16x16xf32>
}

tile.kernel @missing_fence_in_a_ring[%M "M", %N "N", %K "K"](%x "x": !tile.view<?x?xbf16, in> shape ()[s0, s1, s2] -> (s0, s2),
    %w "w": !tile.view<?x?xbf16, in> shape ()[s0, s1, s2] -> (s2, s1),
    %y "y": !tile.view<?x?xf32, out> shape ()[s0, s1, s2] -> (s0, s1)) body {
  %c0 = tile.constant 0 : i64
  tile.grid (%m = tiles(%c0 to %M by 16), %n = tiles(%c0 to %N by 16)) {
    %a = tile.alloc : !tile.buf<16x16xbf16, shared, slots = 2>
    %b = tile.alloc : !tile.buf<16x16xbf16, shared, slots = 2>
    %r = tile.ring %a, %b protocol mbarrier : !tile.buf<16x16xbf16, shared, slots = 2>, !tile.buf<16x16xbf16, shared, slots = 2> -> !tile.ring<2>
    %zero = tile.constant 0.0 : f32 tensor<16x16xf32>
    %acc = tile.for %k in tiles(%c0 to %K by 16) carry(%c = %zero : tensor<16x16xf32>) {
      tile.section @load {
        %s = tile.acquire %r : !tile.ring<2>
        tile.copy %x[%m, %k] to %a slot %s fill zero : !tile.view<?x?xbf16, in>, !tile.span<16>, !tile.span<16> to !tile.buf<16x16xbf16, shared, slots = 2>
        tile.copy %w[%k, %n] to %b slot %s fill zero : !tile.view<?x?xbf16, in>, !tile.span<16>, !tile.span<16> to !tile.buf<16x16xbf16, shared, slots = 2>
        tile.fence
        tile.commit %r : !tile.ring<2>
      }
      %next = tile.section @use lag 1 -> tensor<16x16xf32> {
        %u = tile.await %r : !tile.ring<2>
        %sum = tile.apply @wgmma via wgmma -> tensor<16x16xf32> {
          %at = tile.read %a slot %u span[%m, %k] : !tile.buf<16x16xbf16, shared, slots = 2>, !tile.span<16>, !tile.span<16> -> tensor<16x16xbf16>
          %bt = tile.read %b slot %u span[%k, %n] : !tile.buf<16x16xbf16, shared, slots = 2>, !tile.span<16>, !tile.span<16> -> tensor<16x16xbf16>
          %0 = tile.mma %at, %bt, %c : tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<16x16xf32>
          tile.yield %0 : tensor<16x16xf32>
        }
        tile.release %r : !tile.ring<2>
        tile.yield %sum : tensor<16x16xf32>
      }
      tile.yield %next : tensor<16x16xf32>
    }
    tile.store %acc, %y[%m, %n] : tensor<16x16xf32>, !tile.view<?x?xf32, out>, !tile.span<16>, !tile.span<16>
  }
}
