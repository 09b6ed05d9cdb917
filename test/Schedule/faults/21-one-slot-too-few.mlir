// Two steps ahead with two slots: the load overwrites what is read.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.instr @cp_async_16 on "sm_80" scope thread order exact via cp_async operands [
    {name = "dst", kind = "smem", out}, {name = "src", kind = "view"}] ptx "cp.async.cg.shared.global [{dst}], [{src}], 16;" {
^bb0(%dst: tensor<4xf32>, %src: tensor<4xf32>):
  %zero = tile.constant 0.0 : f32 tensor<4xf32>
  %0 = tile.fill_absent %src, %zero : tensor<4xf32>
  tile.yield %0 : tensor<4xf32>
}

tile.kernel @one_slot_too_few[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) body {
  %c0 = tile.constant 0 : i64
  %c1 = tile.constant 1 : i64
  tile.grid (%m = range(%c0 to %c1)) {
    %a = tile.alloc : !tile.buf<32xf32, shared, slots = 2>
    %r = tile.ring %a protocol cp_async : !tile.buf<32xf32, shared, slots = 2> -> !tile.ring<2>
    tile.for %k in tiles(%c0 to %N by 32) {
      tile.section @load lead 2 {
        // expected-error@+2 {{T1220: a ring of 2 slots is too short: 2 > 2 - 0 + 0 does not hold}}
        // expected-note@+1 {{missing: a free slot when the fill of step 2 starts}}
        %s = tile.acquire %r : !tile.ring<2>
        tile.apply @cp_async_16 via cp_async {
          tile.copy %x[%k] to %a slot %s fill zero : !tile.view<?xf32, in>, !tile.span<32>
            to !tile.buf<32xf32, shared, slots = 2>
        }
        tile.commit %r : !tile.ring<2>
      }
      tile.section @use {
        // expected-note@+1 {{`tile.await` is here}}
        %s = tile.await %r : !tile.ring<2>
        %u = tile.read %a slot %s span[%k] : !tile.buf<32xf32, shared, slots = 2>, !tile.span<32> -> tensor<32xf32>
        tile.store %u, %y[%k] : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
        tile.release %r : !tile.ring<2>
      }
    }
  }
}
