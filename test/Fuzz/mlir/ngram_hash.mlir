module {
  tile.kernel @ngram_hash[%TOK "TOK"](%ids "ids": !tile.view<?x3xi32, in> shape ()[s0] -> (s0, 3), %mult "mult": !tile.view<3xi64, in> shape ()[s0] -> (3), %vocab "vocab": !tile.view<2x8xi32, in> shape ()[s0] -> (2, 8), %offset "offset": !tile.view<2x8xi32, in> shape ()[s0] -> (2, 8), %slot "slot": !tile.view<?x2x8xi32, out> shape ()[s0] -> (s0, 2, 8)) attributes {instance = {BT = "32", G = "3", TAB = "8"}}
  body {
    %0 = tile.constant 0 : i64
    tile.grid (%arg0 = tiles(%0 to %TOK by 32)) {
      %1 = tile.constant 0 : i64
      %2 = tile.load %ids[%arg0, %1] : !tile.view<?x3xi32, in>, !tile.span<32>, i64 -> tensor<32xi32>
      %3 = tile.cast %2 : tensor<32xi32> to tensor<32xi64>
      %4 = tile.constant 0 : i64
      %5 = tile.load %mult[%4] : !tile.view<3xi64, in>, i64 -> i64
      %6 = tile.splat %5 : i64 to tensor<32xi64>
      %7 = tile.mul %3, %6 : tensor<32xi64>
      %8 = tile.constant 1 : i64
      %9 = tile.constant 3 : i64
      %10 = tile.for %arg1 in range(%8 to %9) carry(%arg2 = %7 : tensor<32xi64>) {
        %11 = tile.load %ids[%arg0, %arg1] : !tile.view<?x3xi32, in>, !tile.span<32>, i64 -> tensor<32xi32>
        %12 = tile.cast %11 : tensor<32xi32> to tensor<32xi64>
        %13 = tile.load %mult[%arg1] : !tile.view<3xi64, in>, i64 -> i64
        %14 = tile.splat %13 : i64 to tensor<32xi64>
        %15 = tile.mul %12, %14 : tensor<32xi64>
        %16 = tile.xor %arg2, %15 : tensor<32xi64>
        %17 = tile.expand %16 at [1] : tensor<32xi64> to tensor<32x1xi64>
        %18 = tile.constant 1 : i64
        %19 = tile.sub %arg1, %18 : i64
        %20 = tile.load %vocab[%19, :] : !tile.view<2x8xi32, in>, i64 -> tensor<8xi32>
        %21 = tile.cast %20 : tensor<8xi32> to tensor<8xi64>
        %22 = tile.expand %21 at [0] : tensor<8xi64> to tensor<1x8xi64>
        %23 = tile.broadcast %17 : tensor<32x1xi64> to tensor<32x8xi64>
        %24 = tile.broadcast %22 : tensor<1x8xi64> to tensor<32x8xi64>
        %25 = tile.mod %23, %24 : tensor<32x8xi64>
        %26 = tile.cast %25 {overflow = #tile.overflow<wrap>} : tensor<32x8xi64> to tensor<32x8xi32>
        %27 = tile.constant 1 : i64
        %28 = tile.sub %arg1, %27 : i64
        %29 = tile.load %offset[%28, :] : !tile.view<2x8xi32, in>, i64 -> tensor<8xi32>
        %30 = tile.expand %29 at [0] : tensor<8xi32> to tensor<1x8xi32>
        %31 = tile.broadcast %30 : tensor<1x8xi32> to tensor<32x8xi32>
        %32 = tile.add %26, %31 : tensor<32x8xi32>
        %33 = tile.constant 1 : i64
        %34 = tile.sub %arg1, %33 : i64
        tile.store %32, %slot[%arg0, %34, :] : tensor<32x8xi32>, !tile.view<?x2x8xi32, out>, !tile.span<32>, i64
        tile.yield %16 : tensor<32xi64>
      }
    }
  }
  reference ["h", "slot"] {
    %0 = tile.constant 0 : i64
    %1 = tile.constant 0 : i64
    %2 = tile.constant 3 : i64
    %3 = tile.map (%arg0 in %0 to %TOK, %arg1 in %1 to %2) self %arg2 along 1 -> tensor<?x?xi64> {
      %10 = tile.constant 0 : i64
      %11 = tile.cmp gt, %arg1, %10 : i64
      %12 = scf.if %11 -> (i64) {
        %18 = tile.constant 1 : i64
        %19 = tile.sub %arg1, %18 : i64
        %20 = tile.at %arg2[%arg0, %19] : tensor<?x?xi64> -> i64
        scf.yield %20 : i64
      } else {
        %18 = tile.constant 0 : i64
        scf.yield %18 : i64
      }
      %13 = tile.at %ids[%arg0, %arg1] : !tile.view<?x3xi32, in> -> i32
      %14 = tile.cast %13 : i32 to i64
      %15 = tile.at %mult[%arg1] : !tile.view<3xi64, in> -> i64
      %16 = tile.mul %14, %15 : i64
      %17 = tile.xor %12, %16 : i64
      tile.yield %17 : i64
    }
    %4 = tile.constant 0 : i64
    %5 = tile.constant 0 : i64
    %6 = tile.constant 2 : i64
    %7 = tile.constant 0 : i64
    %8 = tile.constant 8 : i64
    %9 = tile.map (%arg0 in %4 to %TOK, %arg1 in %5 to %6, %arg2 in %7 to %8) -> tensor<?x?x?xi32> {
      %10 = tile.constant 1 : i64
      %11 = tile.add %arg1, %10 : i64
      %12 = tile.at %3[%arg0, %11] : tensor<?x?xi64> -> i64
      %13 = tile.at %vocab[%arg1, %arg2] : !tile.view<2x8xi32, in> -> i32
      %14 = tile.cast %13 : i32 to i64
      %15 = tile.mod %12, %14 : i64
      %16 = tile.cast %15 {overflow = #tile.overflow<wrap>} : i64 to i32
      %17 = tile.at %offset[%arg1, %arg2] : !tile.view<2x8xi32, in> -> i32
      %18 = tile.add %16, %17 : i32
      tile.yield %18 : i32
    }
    tile.yield %3, %9 : tensor<?x?xi64>, tensor<?x?x?xi32>
  }
  tolerance exact
}

