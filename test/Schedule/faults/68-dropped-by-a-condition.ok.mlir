// What a condition over both axes makes absent still holds numbers: the instruction multiplies them. Repaired.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.instr @mma on "sm_80" scope warp order dot via generic operands [
    {name = "a", kind = "frag", layout = "(16,16):(1,16)"}, {name = "b", kind = "frag", layout = "(16,16):(1,16)"}, {name = "c", kind = "frag", layout = "(16,16):(1,16)", inout}] ptx "" {
^bb0(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>, %c: tensor<16x16xf32>):
  %0 = tile.mma %a, %b, %c : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
  tile.yield %0 : tensor<16x16xf32>
}

tile.kernel @dropped_by_a_condition[%K "K"](%x "x": !tile.view<16x?xf32, in> shape ()[s0] -> (16, s0),
    %w "w": !tile.view<?x16xf32, in> shape ()[s0] -> (s0, 16),
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
    %limit = tile.constant 1.0 : f32 tensor<16x16xf32>
    %small = tile.cmp lt, %at, %limit : tensor<16x16xf32>
    %kept = tile.keep_if %at, %small over [0, 1] : tensor<16x16xf32>, tensor<16x16xi1>
    %none = tile.constant 0.0 : f32 tensor<16x16xf32>
    %filled = tile.fill_absent %kept, %none : tensor<16x16xf32>
    %zero = tile.constant 0.0 : f32 tensor<16x16xf32>
    %sum = tile.apply @mma -> tensor<16x16xf32> {
      %0 = tile.mma %filled, %bt, %zero : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
      tile.yield %0 : tensor<16x16xf32>
    }
    tile.store %sum, %y[:, :] : tensor<16x16xf32>, !tile.view<16x16xf32, out>
  }
}
