// One operand is cut at K, the other one at K - 1. Repaired.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.instr @mma on "sm_80" scope warp order dot via generic operands [
    {name = "a", kind = "frag", layout = "(16,16):(1,16)"}, {name = "b", kind = "frag", layout = "(16,16):(1,16)"}, {name = "c", kind = "frag", layout = "(16,16):(1,16)", inout}] ptx "" {
^bb0(%a: tensor<16x16xbf16>, %b: tensor<16x16xbf16>, %c: tensor<16x16xf32>):
  %0 = tile.mma %a, %b, %c : tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<16x16xf32>
  tile.yield %0 : tensor<16x16xf32>
}

tile.kernel @absent_in_different_parts[%M "M", %N "N", %K "K"](%x "x": !tile.view<?x?xbf16, in> shape ()[s0, s1, s2] -> (s0, s2),
    %w "w": !tile.view<?x?xbf16, in> shape ()[s0, s1, s2] -> (s2, s1),
    %y "y": !tile.view<?x?xf32, out> shape ()[s0, s1, s2] -> (s0, s1)) body {
  %c0 = tile.constant 0 : i64
  tile.grid (%m = tiles(%c0 to %M by 16), %n = tiles(%c0 to %N by 16)) {
    %a = tile.alloc : !tile.buf<16x16xbf16, shared>
    %b = tile.alloc : !tile.buf<16x16xbf16, shared>
    %zero = tile.constant 0.0 : f32 tensor<16x16xf32>
    %c1 = tile.constant 1 : i64
    %acc = tile.for %k in tiles(%c0 to %K by 16) carry(%c = %zero : tensor<16x16xf32>) {
      %start = tile.span_start %k : !tile.span<16>
      %stop = tile.span_stop %k : !tile.span<16>
      %less = tile.sub %stop, %c1 : i64
      %j = tile.span %start, %less : !tile.span<16>
      tile.copy %x[%m, %j] to %a fill zero : !tile.view<?x?xbf16, in>, !tile.span<16>, !tile.span<16> to !tile.buf<16x16xbf16, shared>
      tile.copy %w[%j, %n] to %b fill zero : !tile.view<?x?xbf16, in>, !tile.span<16>, !tile.span<16> to !tile.buf<16x16xbf16, shared>
      tile.barrier cta
      %at = tile.read %a span[%m, %j] : !tile.buf<16x16xbf16, shared>, !tile.span<16>, !tile.span<16> -> tensor<16x16xbf16>
      %bt = tile.read %b span[%j, %n] : !tile.buf<16x16xbf16, shared>, !tile.span<16>, !tile.span<16> -> tensor<16x16xbf16>
      %next = tile.apply @mma -> tensor<16x16xf32> {
        %0 = tile.mma %at, %bt, %c : tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<16x16xf32>
        tile.yield %0 : tensor<16x16xf32>
      }
      tile.barrier cta
      tile.yield %next : tensor<16x16xf32>
    }
    tile.store %acc, %y[%m, %n] : tensor<16x16xf32>, !tile.view<?x?xf32, out>, !tile.span<16>, !tile.span<16>
  }
}
