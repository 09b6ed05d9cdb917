// What is elected is done once by the CTA, however many warps it has.
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as np; np.save(r'%t/x.npy', np.arange(300, dtype=np.int32))"
// RUN: tile-run %s --in x=%t/x.npy --in n=%t/x.npy --out n=%t/n.npy --device=sim --schedule=none
// RUN: %python -c "import numpy as np; n = np.load(r'%t/n.npy'); assert n[0] == 1 and n[1] == 2 and n[2] == 2, n"

tile.kernel @once[%N "N"](%x "x": !tile.view<?xi32, in> shape ()[s0] -> (s0),
                          %n "n": !tile.view<?xi32, inout> shape ()[s0] -> (s0)) attributes {tile.warps = 4 : i64}
body {
  %c0 = tile.constant 0 : i64
  %c1 = tile.constant 1 : i64
  %one = tile.constant 1 : i32
  tile.elect {
    tile.atomic add %one, %n[%c0] : i32, !tile.view<?xi32, inout>, i64
    tile.atomic add %one, %n[%c1] : i32, !tile.view<?xi32, inout>, i64
  }
}
