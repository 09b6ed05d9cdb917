tile.instr @mma on "sm_80" scope warp order dot via generic operands [
    {name = "a", kind = "frag", layout = "(2,2):(1,2)"}, {name = "b", kind = "smem", align = 16 : i64, families = ["kmajor(sw128)"], rows = 2 : i64},
    {name = "c", kind = "frag", layout = "(4,1):(1,4)", inout}, {name = "s", kind = "scalar"}, {name = "p", kind = "predicate"}] ptx "mma {a};" {
^bb0(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>, %c: tensor<2x2xf32>, %s: f32, %p: i1):
  %0 = tile.mma %a, %b, %c : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
  tile.yield %0 : tensor<2x2xf32>
}
tile.kernel @k(%x "x": !tile.view<2x2xf32, in> shape () -> (2, 2), %y "y": !tile.view<2x2xf32, out> shape () -> (2, 2)) body {
  %z = tile.constant 0.0 : f32 tensor<2x2xf32>
  %0 = tile.load %x[:, :] : !tile.view<2x2xf32, in> -> tensor<2x2xf32>
  %1 = tile.apply @mma -> tensor<2x2xf32> {
    %2 = tile.mma %0, %0, %z {tile.iter = #tile.iter<m = atom 2, n = reg 1 * atom 2, k = open 1 * atom 2>} : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
    tile.yield %2 : tensor<2x2xf32>
  }
  tile.store %1, %y[:, :] : tensor<2x2xf32>, !tile.view<2x2xf32, out>
}
