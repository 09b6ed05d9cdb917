module {
  tile.kernel @topk_gate[%TOK "TOK"](%s "s": !tile.view<?x72xf32, in> shape ()[s0] -> (s0, 72), %idx "idx": !tile.view<?x6xi32, out> shape ()[s0] -> (s0, 6), %w "w": !tile.view<?x6xf32, out> shape ()[s0] -> (s0, 6)) attributes {instance = {BT = "1", E = "72", K = "6"}}
  body {
    %0 = tile.constant 0 : i64
    tile.grid (%arg0 = tiles(%0 to %TOK by 1)) {
      %1 = tile.load %s[%arg0, :] : !tile.view<?x72xf32, in>, !tile.span<1> -> tensor<1x72xf32>
      %2 = tile.constant 0 : i64
      %3 = tile.constant 6 : i64
      %4 = tile.for %arg1 in range(%2 to %3) carry(%arg2 = %1 : tensor<1x72xf32>) {
        %value, %index = tile.argmax %arg2 along 1 : tensor<1x72xf32> -> tensor<1xf32>, tensor<1xi64>
        %5 = tile.cast %index {overflow = #tile.overflow<wrap>} : tensor<1xi64> to tensor<1xi32>
        tile.store %5, %idx[%arg0, %arg1] : tensor<1xi32>, !tile.view<?x6xi32, out>, !tile.span<1>, i64
        tile.store %value, %w[%arg0, %arg1] : tensor<1xf32>, !tile.view<?x6xf32, out>, !tile.span<1>, i64
        %6 = tile.iota : tensor<72xi64>
        %7 = tile.expand %6 at [0] : tensor<72xi64> to tensor<1x72xi64>
        %8 = tile.expand %index at [1] : tensor<1xi64> to tensor<1x1xi64>
        %9 = tile.broadcast %8 : tensor<1x1xi64> to tensor<1x72xi64>
        %10 = tile.cmp ne, %7, %9 : tensor<1x72xi64>
        %11 = tile.keep_if %arg2, %10 over [0, 1] : tensor<1x72xf32>, tensor<1x72xi1>
        tile.yield %11 : tensor<1x72xf32>
      }
    }
  }
  reference ["rank", "pick", "idx", "w"] {
    %0 = tile.constant 0 : i64
    %1 = tile.constant 0 : i64
    %2 = tile.constant 72 : i64
    %3 = tile.map (%arg0 in %0 to %TOK, %arg1 in %1 to %2) -> tensor<?x?xi64> {
      %16 = tile.constant 0 : i64
      %17 = tile.constant 72 : i64
      %18 = tile.fold count %arg2 in (%16 to %17) -> i64 {
        %19 = tile.at %s[%arg0, %arg2] : !tile.view<?x72xf32, in> -> f32
        %20 = tile.at %s[%arg0, %arg1] : !tile.view<?x72xf32, in> -> f32
        %21 = tile.isnan %19 : f32
        %22 = tile.isnan %20 : f32
        %23 = tile.not %22 : i1
        %24 = tile.and %21, %23 : i1
        %25 = tile.cmp gt, %19, %20 : f32
        %26 = tile.or %24, %25 : i1
        %27 = tile.at %s[%arg0, %arg1] : !tile.view<?x72xf32, in> -> f32
        %28 = tile.at %s[%arg0, %arg2] : !tile.view<?x72xf32, in> -> f32
        %29 = tile.isnan %27 : f32
        %30 = tile.isnan %28 : f32
        %31 = tile.not %30 : i1
        %32 = tile.and %29, %31 : i1
        %33 = tile.cmp gt, %27, %28 : f32
        %34 = tile.or %32, %33 : i1
        %35 = tile.not %34 : i1
        %36 = tile.cmp lt, %arg2, %arg1 : i64
        %37 = tile.and %35, %36 : i1
        %38 = tile.or %26, %37 : i1
        tile.yield %38 : i1
      }
      tile.yield %18 : i64
    }
    %4 = tile.constant 0 : i64
    %5 = tile.constant 0 : i64
    %6 = tile.constant 6 : i64
    %7 = tile.map (%arg0 in %4 to %TOK, %arg1 in %5 to %6) -> tensor<?x?xi64> {
      %16 = tile.constant 0 : i64
      %17 = tile.constant 72 : i64
      %18 = tile.fold first %arg2 in (%16 to %17) -> i64 {
        %19 = tile.at %3[%arg0, %arg2] : tensor<?x?xi64> -> i64
        %20 = tile.cmp eq, %19, %arg1 : i64
        tile.yield %20 : i1
      }
      tile.yield %18 : i64
    }
    %8 = tile.constant 0 : i64
    %9 = tile.constant 0 : i64
    %10 = tile.constant 6 : i64
    %11 = tile.map (%arg0 in %8 to %TOK, %arg1 in %9 to %10) -> tensor<?x?xi32> {
      %16 = tile.at %7[%arg0, %arg1] : tensor<?x?xi64> -> i64
      %17 = tile.cast %16 {overflow = #tile.overflow<wrap>} : i64 to i32
      tile.yield %17 : i32
    }
    %12 = tile.constant 0 : i64
    %13 = tile.constant 0 : i64
    %14 = tile.constant 6 : i64
    %15 = tile.map (%arg0 in %12 to %TOK, %arg1 in %13 to %14) -> tensor<?x?xf32> {
      %16 = tile.at %7[%arg0, %arg1] : tensor<?x?xi64> -> i64
      %17 = tile.at %s[%arg0, %16] : !tile.view<?x72xf32, in> -> f32
      tile.yield %17 : f32
    }
    tile.yield %3, %7, %11, %15 : tensor<?x?xi64>, tensor<?x?xi64>, tensor<?x?xi32>, tensor<?x?xf32>
  }
  tolerance exact
}

