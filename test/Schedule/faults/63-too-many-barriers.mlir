// 17 roles with a barrier each.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.kernel @too_many_barriers[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) attributes {tile.roles = {r0 = {warps = 1 : i64}, r1 = {warps = 1 : i64}, r2 = {warps = 1 : i64}, r3 = {warps = 1 : i64}, r4 = {warps = 1 : i64}, r5 = {warps = 1 : i64}, r6 = {warps = 1 : i64}, r7 = {warps = 1 : i64}, r8 = {warps = 1 : i64}, r9 = {warps = 1 : i64}, r10 = {warps = 1 : i64}, r11 = {warps = 1 : i64}, r12 = {warps = 1 : i64}, r13 = {warps = 1 : i64}, r14 = {warps = 1 : i64}, r15 = {warps = 1 : i64}, r16 = {warps = 1 : i64}}} body {
  %c0 = tile.constant 0 : i64
  tile.tasks (%q = tiles(%c0 to %N by 32)) {
    tile.section @s0 role @r0 {
      tile.barrier cta
    }
    tile.section @s1 role @r1 {
      tile.barrier cta
    }
    tile.section @s2 role @r2 {
      tile.barrier cta
    }
    tile.section @s3 role @r3 {
      tile.barrier cta
    }
    tile.section @s4 role @r4 {
      tile.barrier cta
    }
    tile.section @s5 role @r5 {
      tile.barrier cta
    }
    tile.section @s6 role @r6 {
      tile.barrier cta
    }
    tile.section @s7 role @r7 {
      tile.barrier cta
    }
    tile.section @s8 role @r8 {
      tile.barrier cta
    }
    tile.section @s9 role @r9 {
      tile.barrier cta
    }
    tile.section @s10 role @r10 {
      tile.barrier cta
    }
    tile.section @s11 role @r11 {
      tile.barrier cta
    }
    tile.section @s12 role @r12 {
      tile.barrier cta
    }
    tile.section @s13 role @r13 {
      tile.barrier cta
    }
    tile.section @s14 role @r14 {
      tile.barrier cta
    }
    tile.section @s15 role @r15 {
      tile.barrier cta
    }
    tile.section @s16 role @r16 {
      // expected-error@+2 {{T1252: the kernel needs 17 named barriers, a CTA has 16}}
      // expected-note@+1 {{missing: 1 barriers}}
      tile.barrier cta
    }
  }
}
