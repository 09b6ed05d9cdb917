// -inf less a base that is -inf is NaN, not 0, in lanes that the product takes for 0.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.instr @mma on "sm_80" scope warp order dot via generic operands [
    {name = "a", kind = "frag", layout = "(16,16):(1,16)"}, {name = "b", kind = "frag", layout = "(16,16):(1,16)"}, {name = "c", kind = "frag", layout = "(16,16):(1,16)", inout}] ptx "" {
^bb0(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>, %c: tensor<16x16xf32>):
  %0 = tile.mma %a, %b, %c : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
  tile.yield %0 : tensor<16x16xf32>
}

tile.kernel @row_of_no_base[%K "K"](%x "x": !tile.view<16x?xf32, in> shape ()[s0] -> (16, s0),
    %w "w": !tile.view<?x16xf32, in> shape ()[s0] -> (s0, 16),
    %r "r": !tile.view<16xf32, in> shape ()[s0] -> (16),
    %y "y": !tile.view<16x16xf32, out> shape ()[s0] -> (16, 16)) body {
  %c0 = tile.constant 0 : i64
  %c1 = tile.constant 1 : i64
  %c16 = tile.constant 16 : i64
  %stop = tile.min %K, %c16 : i64
  tile.grid (%p = range(%c0 to %c1)) {
    %k = tile.span %c0, %stop : !tile.span<16>
    %a = tile.alloc : !tile.buf<16x16xf32, shared>
    %b = tile.alloc : !tile.buf<16x16xf32, shared>
    tile.copy %x[:, %k] to %a fill zero : !tile.view<16x?xf32, in>, !tile.span<16> to !tile.buf<16x16xf32, shared>
    tile.copy %w[%k, :] to %b fill zero : !tile.view<?x16xf32, in>, !tile.span<16> to !tile.buf<16x16xf32, shared>
    tile.barrier cta
    %at = tile.read %a span[:, %k] : !tile.buf<16x16xf32, shared>, !tile.span<16> -> tensor<16x16xf32>
    %bt = tile.read %b span[%k, :] : !tile.buf<16x16xf32, shared>, !tile.span<16> -> tensor<16x16xf32>
    %row = tile.load %r[:] : !tile.view<16xf32, in> -> tensor<16xf32>
    %column = tile.expand %row at [1] : tensor<16xf32> to tensor<16x1xf32>
    %bases = tile.broadcast %column : tensor<16x1xf32> to tensor<16x16xf32>
    %least = tile.constant 0xFF800000 : f32 tensor<16x16xf32>
    %terms = tile.fill_absent %at, %least : tensor<16x16xf32>
    %apart = tile.sub %terms, %bases : tensor<16x16xf32>
    // expected-note@+1 {{`tile.exp2` is here}}
    %powers = tile.exp2 %apart : tensor<16x16xf32>
    %zero = tile.constant 0.0 : f32 tensor<16x16xf32>
    %sum = tile.apply @mma -> tensor<16x16xf32> {
      // expected-error@+2 {{T1205: `@mma` uses the absent lanes of its left operand along `k`, which are not neutral there}}
      // expected-note@+1 {{missing: absent lanes of its left operand must hold 0, and hold the row's element}}
      %0 = tile.mma %powers, %bt, %zero : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
      tile.yield %0 : tensor<16x16xf32>
    }
    tile.store %sum, %y[:, :] : tensor<16x16xf32>, !tile.view<16x16xf32, out>
  }
}
