// Memory forgets absence, reads restate it by their spans; sections and instructions give what they yield.
// RUN: tile-opt %s --tile-print-absence --verify-diagnostics

tile.instr @add on "sm_80" scope warp order exact via generic operands [{name = "a", kind = "smem", inout}] ptx "" {
^bb0(%a: tensor<4xf32>):
  tile.yield %a : tensor<4xf32>
}

tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0), %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) body {
  // expected-remark@+1 {{absent []}}
  %c0 = tile.constant 0 : i64
  // expected-remark@+1 {{absent []}}
  %z = tile.constant 0.0 : f32 tensor<4x8xf32>
  %a = tile.alloc : !tile.buf<4x8xf32, shared, slots = 2>
  %b = tile.alloc : !tile.buf<4xf32, shared>
  %q = tile.ring %a protocol cp_async : !tile.buf<4x8xf32, shared, slots = 2> -> !tile.ring<2>
  tile.tasks (%m = tiles(%c0 to %N by 4), %i = range(%c0 to %N)) {
    // expected-remark@+1 {{absent []}}
    %start = tile.span_start %m : !tile.span<4>
    // expected-remark@+2 {{carried 0: absent [[0], [1]]}}
    // expected-remark@+1 {{absent [[0], [1]]}}
    %sum = tile.for %k in tiles(%start to %N by 8) carry(%acc = %z : tensor<4x8xf32>) {
      tile.section @fill lead 1 {
        %s = tile.acquire %q : !tile.ring<2>
        tile.commit %q : !tile.ring<2>
      }
      // Each result has its own.
      // expected-remark@+3 {{result 0: absent [[0], [1]]}}
      // expected-remark@+2 {{result 1: absent []}}
      // expected-remark@+1 {{result 2: absent [[1]]}}
      %r:3 = tile.section @use -> tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32> {
        %s = tile.await %q : !tile.ring<2>
        // expected-remark@+1 {{absent [[0], [1]]}}
        %t = tile.read %a slot %s span[%m, %k] : !tile.buf<4x8xf32, shared, slots = 2>, !tile.span<4>, !tile.span<8> -> tensor<4x8xf32>
        // expected-remark@+1 {{absent []}}
        %u = tile.read %a slot %s span[:, :] : !tile.buf<4x8xf32, shared, slots = 2> -> tensor<4x8xf32>
        // expected-remark@+1 {{absent [[1]]}}
        %v = tile.read %a slot %s span[:, %k] : !tile.buf<4x8xf32, shared, slots = 2>, !tile.span<8> -> tensor<4x8xf32>
        tile.release %q : !tile.ring<2>
        tile.yield %t, %u, %v : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
      }
      tile.yield %r#0 : tensor<4x8xf32>
    }
    tile.section @out {
      // expected-remark@+1 {{absent [[0]]}}
      %p = tile.reduce sum %sum along 1 : tensor<4x8xf32> -> tensor<4xf32>
      tile.write %p to %b : tensor<4xf32> to !tile.buf<4xf32, shared>
      // What was absent is read as if it were there.
      // expected-remark@+1 {{absent []}}
      %d = tile.read %b span[:] : !tile.buf<4xf32, shared> -> tensor<4xf32>
      // expected-remark@+2 {{result 0: absent [[0]]}}
      // expected-remark@+1 {{result 1: absent []}}
      %e:2 = tile.apply @add -> tensor<4xf32>, tensor<4xf32> {
        // expected-remark@+1 {{absent [[0]]}}
        %f = tile.add %p, %d : tensor<4xf32>
        tile.yield %f, %d : tensor<4xf32>, tensor<4xf32>
      }
      tile.par warp 4 {
      ^bb0(%w: i64):
        // expected-remark@+1 {{absent []}}
        %g = tile.add %w, %i : i64
      }
    }
  }
}
