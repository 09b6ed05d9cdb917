// An asynchronous store reads what was written in the generic way. Repaired.
// RUN: tile-opt %s --tile-seal=target=sm_90 --verify-diagnostics -o /dev/null

tile.instr @bulk_store on "sm_90" scope thread order exact via bulk operands [
    {name = "dst", kind = "view", out}, {name = "src", kind = "smem"}] ptx "" {
^bb0(%dst: tensor<32xf32>, %src: tensor<32xf32>):
  tile.yield %src : tensor<32xf32>
}

tile.kernel @missing_fence[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) body {
  %c0 = tile.constant 0 : i64
  tile.grid (%m = tiles(%c0 to %N by 32)) {
    %a = tile.alloc : !tile.buf<32xf32, shared>
    %t = tile.load %x[%m] : !tile.view<?xf32, in>, !tile.span<32> -> tensor<32xf32>
    tile.write %t to %a : tensor<32xf32> to !tile.buf<32xf32, shared>
    tile.fence
    tile.barrier cta
    tile.apply @bulk_store via bulk {
      tile.copy_out %a to %y[%m] : !tile.buf<32xf32, shared> to !tile.view<?xf32, out>, !tile.span<32>
    }
    tile.group_commit bulk
    tile.group_wait bulk pending 0
  }
}
