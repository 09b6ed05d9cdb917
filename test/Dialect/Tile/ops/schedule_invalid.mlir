// Types and attributes of schedules that break a rule.
// RUN: tile-opt %s --split-input-file --verify-diagnostics

// RULE: tile.iter C1
// expected-error@+1 {{expected each dim once, found `m` twice}}
func.func private @f() attributes {a = #tile.iter<m = warp 2, n = warp 2, m = reg 2>}

// -----
// RULE: tile.iter C1
// expected-error@+1 {{expected valid keyword}}
func.func private @f() attributes {a = #tile.iter<m = >}

// -----
// RULE: tile.iter C2
// expected-error@+1 {{expected 1 to 2^31 steps along dim `m`, found a factor of 0}}
func.func private @f() attributes {a = #tile.iter<m = warp 2 * reg 0>}

// -----
// RULE: tile.iter C2
// expected-error@+1 {{expected 1 to 2^31 steps along dim `m`, found a factor of -1}}
func.func private @f() attributes {a = #tile.iter<m = warp -1>}

// -----
// RULE: tile.iter C2
// One more than there may be, and no overflow on the way.
// expected-error@+1 {{expected 1 to 2^31 steps along dim `m`, found a factor of 2147483649}}
func.func private @f() attributes {a = #tile.iter<m = warp 2147483649>}

// -----
// RULE: tile.iter C2
// expected-error@+1 {{expected 1 to 2^31 steps along dim `m`, found a factor of 9223372036854775807}}
func.func private @f() attributes {a = #tile.iter<m = warp 2 * reg 9223372036854775807>}

// -----
// RULE: tile.iter C3
// expected-error@+1 {{expected `vec` and then `atom` as the innermost factors of dim `m`, found `vec` inside of them}}
func.func private @f() attributes {a = #tile.iter<m = atom 2 * vec 2>}

// -----
// RULE: tile.iter C3
// expected-error@+1 {{expected `vec` and then `atom` as the innermost factors of dim `n`, found `reg` inside of them}}
func.func private @f() attributes {a = #tile.iter<m = vec 2 * atom 2, n = vec 2 * reg 2>}

// -----
// expected-error@+1 {{expected a place (`grid`, `cluster`, `wg`, `warp`, `lane`, `reg`, `vec`, `seq`, `atom` or `open`), found `thread`}}
func.func private @f() attributes {a = #tile.iter<m = thread 2>}

// -----
// RULE: tile.layout C1
// expected-error@+1 {{expected a layout, found `(4,8):(1`: }}
func.func private @f() attributes {a = #tile.layout<"(4,8):(1">}

// -----
// RULE: tile.buf C1
// expected-error@+1 {{expected 1 to 64 axes of extents of at least 1, and at most 2^40 elements over all slots}}
func.func private @f(!tile.buf<4x0xf32, shared>)

// -----
// RULE: tile.buf C1
// expected-error@+1 {{expected 1 to 64 axes of extents of at least 1}}
func.func private @f(!tile.buf<f32, shared>)

// -----
// RULE: tile.buf C1
func.func private @most(!tile.buf<1048576x524288xi8, shared, slots = 2>)
// expected-error@+1 {{at most 2^40 elements over all slots}}
func.func private @f(!tile.buf<1048576x524288xi8, shared, slots = 3>)

// -----
// RULE: tile.buf C1
// expected-error@+1 {{at most 2^40 elements over all slots}}
func.func private @f(!tile.buf<1xi8, shared, slots = 9223372036854775807>)

// -----
// RULE: tile.buf C1
// expected-error@+1 {{expected static shape}}
func.func private @f(!tile.buf<?xf32, shared>)

// -----
// RULE: tile.buf C2
// expected-error@+1 {{expected an element type of the dialect, found `index`}}
func.func private @f(!tile.buf<4xindex, shared>)

// -----
// RULE: tile.buf C3
// expected-error@+1 {{expected a buf of at least one slot, found 0}}
func.func private @f(!tile.buf<4xf32, shared, slots = 0>)

// -----
// RULE: tile.buf C4
func.func private @good(!tile.buf<4xf32, workspace, per = cta>)
// expected-error@+1 {{expected a workspace per `cta`, found `warp`}}
func.func private @f(!tile.buf<4xf32, workspace, per = warp>)

// -----
// RULE: tile.buf C4
// expected-error@+1 {{expected `cta`, `wg` or `warp`, found `cluster`}}
func.func private @f(!tile.buf<4xf32, shared, per = cluster>)

// -----
// RULE: tile.buf C4
// expected-error@+1 {{expected `cta`, `wg` or `warp`, found `lane`}}
func.func private @f(!tile.buf<4xf32, shared, per = lane>)

// -----
// RULE: tile.buf C5
// expected-error@+1 {{expected a layout, found `4,8`: }}
func.func private @f(!tile.buf<4x8xf32, shared, layout = "4,8">)

// -----
// RULE: tile.buf C5
// As many elements, other axes.
// expected-error@+1 {{expected a layout with the buf's extents as its shape, found `(8,4):(1,8)`}}
func.func private @f(!tile.buf<4x8xf32, shared, layout = "(8,4):(1,8)">)

// -----
// RULE: tile.buf C5
// An axis may be nested; two elements may not meet.
func.func private @good(!tile.buf<4x8xf32, shared, layout = "((2,2),8):((1,16),2)">)
// expected-error@+1 {{expected a layout that gives each element a place of its own, found `(4,8):(1,3)`, where two meet}}
func.func private @f(!tile.buf<4x8xf32, shared, layout = "(4,8):(1,3)">)

// -----
// RULE: tile.buf C5
// Whether sums of these strides meet is not searched for ever.
// expected-error@+1 {{where too many overlap to tell whether two elements meet}}
func.func private @f(!tile.buf<2x2x2x2x2x2x2x2x2x2x2x2x2x2x2xf32, shared, layout = "(2,2,2,2,2,2,2,2,2,2,2,2,2,2,2):(1009,1013,1019,1021,1031,1033,1039,1049,1051,1061,1063,1069,1087,1091,1093)">)

// -----
// expected-error@+1 {{expected `shared` or `workspace`, found `global`}}
func.func private @f(!tile.buf<4xf32, global>)

// -----
// expected-error@+1 {{expected `slots`, `per` or `layout`, found `align`}}
func.func private @f(!tile.buf<4xf32, shared, align = 16>)

// -----
// expected-error@+1 {{expected `slots` once, found it twice}}
func.func private @f(!tile.buf<4xf32, shared, slots = 2, slots = 3>)

// -----
// RULE: !tile.ring C1
// expected-error@+1 {{expected a ring of at least one slot, found 0}}
func.func private @f(!tile.ring<0>)

// -----
// Factors on ops.
// expected-error@+1 {{'func.func' op expected `tile.iter` on an op with dims only}}
func.func private @f() attributes {tile.iter = #tile.iter<d0 = warp 2>}

// -----
func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{'tile.neg' op expected `tile.iter` to be a `#tile.iter`, found `4 : i64`}}
  %0 = tile.neg %a {tile.iter = 4 : i64} : tensor<4xf32>
  return
}

// -----
func.func @f(%a: tensor<4x8xf32>) {
  %good = tile.neg %a {tile.iter = #tile.iter<d1 = warp 2 * lane 4>} : tensor<4x8xf32>
  // expected-error@+1 {{'tile.neg' op expected `tile.iter` to name dims of the op (d0, d1), found `m`}}
  %0 = tile.neg %a {tile.iter = #tile.iter<m = warp 8>} : tensor<4x8xf32>
  return
}

// -----
func.func @f(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{'tile.neg' op expected factors that cover the 8 points of dim `d1`, found warp 7, which is 7}}
  %0 = tile.neg %a {tile.iter = #tile.iter<d1 = warp 7>} : tensor<4x8xf32>
  return
}

// -----
// A scalar has no dims.
func.func @f(%a: f32) {
  // expected-error@+1 {{'tile.neg' op expected `tile.iter` to name dims of the op (none), found `d0`}}
  %0 = tile.neg %a {tile.iter = #tile.iter<d0 = warp 8>} : f32
  return
}

// -----
// Warps, clusters and roles of kernels.
// expected-error@+1 {{'tile.kernel' op expected `tile.warps` to be an i64 of 1 to 2^31 on a kernel}}
tile.kernel @k() attributes {tile.warps = 0 : i64} body {}

// -----
// expected-error@+1 {{'tile.kernel' op expected `tile.warps` to be an i64 of 1 to 2^31 on a kernel}}
tile.kernel @k() attributes {tile.warps = 4 : i32} body {}

// -----
// expected-error@+1 {{'tile.kernel' op expected `tile.cluster` to be an i64 of 1 to 2^31 on a kernel}}
tile.kernel @k() attributes {tile.cluster = "2"} body {}

// -----
// expected-error@+1 {{'tile.kernel' op expected `tile.cluster_axis` to be an i64 of at least 0 on a kernel with `tile.cluster`}}
tile.kernel @k() attributes {tile.cluster_axis = 0 : i64} body {}

// -----
// expected-error@+1 {{'tile.kernel' op expected `tile.cluster_axis` to be an i64 of at least 0 on a kernel with `tile.cluster`}}
tile.kernel @k() attributes {tile.cluster = 2 : i64, tile.cluster_axis = -1 : i64} body {}

// -----
tile.kernel @k(%x "x": !tile.view<8xf32, in> shape () -> (8)) attributes {tile.cluster = 2 : i64} body {
  %a = tile.alloc : !tile.buf<8xf32, shared>
  // expected-error@+1 {{'tile.copy' op expected `tile.multicast` to be the i64 of `tile.cluster`, at least 2, on a copy}}
  tile.copy %x[] to %a fill undef {tile.multicast = 4 : i64} : !tile.view<8xf32, in> to !tile.buf<8xf32, shared>
}

// -----
tile.kernel @k() attributes {tile.cluster = 2 : i64} body {
  // expected-error@+1 {{'tile.alloc' op expected `tile.multicast` to be the i64 of `tile.cluster`, at least 2, on a copy}}
  %a = tile.alloc {tile.multicast = 2 : i64} : !tile.buf<8xf32, shared>
}

// -----
// expected-error@+1 {{'func.func' op expected `tile.warps` to be an i64 of 1 to 2^31 on a kernel}}
func.func private @f() attributes {tile.warps = 4 : i64}

// -----
// expected-error@+1 {{'tile.kernel' op expected `tile.roles` to be a dictionary of roles on a kernel}}
tile.kernel @k() attributes {tile.roles = ["load"]} body {}

// -----
// expected-error@+1 {{'tile.kernel' op expected role `load` to have `warps`, an i64 of 1 to 2^31}}
tile.kernel @k() attributes {tile.roles = {load = 4 : i64}} body {}

// -----
// expected-error@+1 {{'tile.kernel' op expected role `load` to have `warps`, an i64 of 1 to 2^31}}
tile.kernel @k() attributes {tile.roles = {load = {warps = 0 : i64}}} body {}

// -----
// expected-error@+1 {{'tile.kernel' op expected role `load` to have `warps` and `regs` only, found `registers`}}
tile.kernel @k() attributes {tile.roles = {load = {warps = 4 : i64, registers = 40 : i64}}} body {}

// -----
// expected-error@+1 {{'tile.kernel' op expected `regs` of role `load` to be an i64, a multiple of 8 from 24 to 256}}
tile.kernel @k() attributes {tile.roles = {load = {warps = 4 : i64, regs = 36 : i64}}} body {}

// -----
// expected-error@+1 {{'tile.kernel' op expected roles of 8 warps together, found 12}}
tile.kernel @k() attributes {tile.warps = 8 : i64, tile.roles = {load = {warps = 4 : i64}, use = {warps = 8 : i64}}} body {}

// -----
// RULE: tile.dist C1
// expected-error@+1 {{expected `reg`, `lane` or `warp`, found `grid`}}
func.func private @f() attributes {a = #tile.dist<grid 2 d0 1>}

// -----
// RULE: tile.dist C1
// expected-error@+1 {{expected `reg`, `lane` or `warp`, found `thread`}}
func.func private @f() attributes {a = #tile.dist<thread 2 d0 1>}

// -----
// RULE: tile.dist C2
// expected-error@+1 {{expected 2 to 2^31 steps, found 1}}
func.func private @f() attributes {a = #tile.dist<reg 1 d0 1>}

// -----
// RULE: tile.dist C2
// expected-error@+1 {{expected lanes to divide 32, found 3}}
func.func private @f() attributes {a = #tile.dist<lane 3 d0 1>}

// -----
// RULE: tile.dist C2
// expected-error@+1 {{expected lanes to divide 32, found 64}}
func.func private @f() attributes {a = #tile.dist<lane 8 d0 1, lane 8 d1 1>}

// -----
// RULE: tile.dist C3
// expected-error@+1 {{expected a stride of at least 1 along an axis, found 0}}
func.func private @f() attributes {a = #tile.dist<reg 2 d0 0>}

// -----
// RULE: tile.dist C3
// expected-error@+1 {{expected an axis, as `d0`, or `copy`}}
func.func private @f() attributes {a = #tile.dist<reg 2 all>}
