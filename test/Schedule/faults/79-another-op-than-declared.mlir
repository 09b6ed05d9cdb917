// The instruction cuts off at 0 from below, the ops in its apply from above.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

// expected-note@below {{`tile.instr` is here}}
tile.instr @relu on "sm_80" scope thread order exact via generic operands [
    {name = "d", kind = "frag", layout = "(1,2):(0,1)", out}, {name = "a", kind = "frag", layout = "(1,2):(0,1)"}] ptx "" {
^bb0(%d: tensor<2xf32>, %a: tensor<2xf32>):
  %zero = tile.constant 0.0 : f32 tensor<2xf32>
  %0 = tile.max %a, %zero : tensor<2xf32>
  tile.yield %0 : tensor<2xf32>
}

tile.kernel @another_op_than_declared[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) body {
  %c0 = tile.constant 0 : i64
  tile.grid (%n = tiles(%c0 to %N by 64)) {
    %zero = tile.constant 0.0 : f32 tensor<64xf32>
    %t = tile.load %x[%n] : !tile.view<?xf32, in>, !tile.span<64> -> tensor<64xf32>
    // expected-error@+2 {{T1207: `@relu` is not what stands in its `tile.apply`: `relu` does `tile.max` where the kernel does `tile.min`}}
    // expected-note@+1 {{missing: ops that are the body of the instruction}}
    %u = tile.apply @relu -> tensor<64xf32> {
      %0 = tile.min %t, %zero {tile.iter = #tile.iter<d0 = open 32 * atom 2>} : tensor<64xf32>
      tile.yield %0 : tensor<64xf32>
    }
    tile.store %u, %y[%n] : tensor<64xf32>, !tile.view<?xf32, out>, !tile.span<64>
  }
}
