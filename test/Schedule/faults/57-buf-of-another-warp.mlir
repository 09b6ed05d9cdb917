// Each warp has its own copy; read outside the steps, which is meant?
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.kernel @buf_of_another_warp[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) attributes {tile.warps = 4 : i64} body {
  %c0 = tile.constant 0 : i64
  tile.grid (%m = tiles(%c0 to %N by 32)) {
    // expected-note@+1 {{`tile.alloc` is here}}
    %b = tile.alloc : !tile.buf<8xf32, shared, per = warp>
    %c8 = tile.constant 8 : i64
    %start = tile.span_start %m : !tile.span<32>
    %stop = tile.span_stop %m : !tile.span<32>
    tile.par warp 4 {
    ^bb0(%w: i64):
      %off = tile.mul %w, %c8 : i64
      %from = tile.add %start, %off : i64
      %s = tile.span %from, %stop : !tile.span<8>
      %t = tile.load %x[%s] : !tile.view<?xf32, in>, !tile.span<8> -> tensor<8xf32>
      %none = tile.constant 0.0 : f32 tensor<8xf32>
      %all = tile.fill_absent %t, %none : tensor<8xf32>
      tile.write %all to %b : tensor<8xf32> to !tile.buf<8xf32, shared, per = warp>
    }
    tile.barrier cta
    %s0 = tile.span %start, %stop : !tile.span<8>
    // expected-error@+2 {{T1242: `tile.read` accesses a buf per warp outside `tile.par warp`: each warp has another}}
    // expected-note@+1 {{missing: one warp that the value is of}}
    %u = tile.read %b span[%s0] : !tile.buf<8xf32, shared, per = warp>, !tile.span<8> -> tensor<8xf32>
    tile.print "mine", %u : tensor<8xf32>
  }
}
