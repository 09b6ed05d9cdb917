// RUN: tile-opt %s --tile-print-absence --verify-diagnostics -o %t
// The pass changes nothing.
// RUN: tile-opt %s | diff - %t

tile.kernel @index_maps[%N "N"](%x "x": !tile.view<?x8xf32, in> shape ()[s0] -> (s0, 8)) body {
  // expected-remark@+1 {{absent []}}
  %c0 = tile.constant 0 : i64
  tile.grid (%r = tiles(%c0 to %N by 4)) {
    %s = tile.span %c0, %N : !tile.span<8>
    // expected-remark@+1 {{absent [[0]]}}
    %t = tile.load %x[%r, :] : !tile.view<?x8xf32, in>, !tile.span<4> -> tensor<4x8xf32>
    // expected-remark@+1 {{absent [[0], [1]]}}
    %u = tile.load %x[%r, %s] : !tile.view<?x8xf32, in>, !tile.span<4>, !tile.span<8> -> tensor<4x8xf32>
    // expected-remark@+1 {{absent [[0], [1]]}}
    %sum = tile.add %t, %u : tensor<4x8xf32>
    // expected-remark@+1 {{absent [[0], [1]]}}
    %p = tile.permute %u, [1, 0] : tensor<4x8xf32> to tensor<8x4xf32>
    // expected-remark@+1 {{absent [[1]]}}
    %q = tile.permute %t, [1, 0] : tensor<4x8xf32> to tensor<8x4xf32>
    // expected-remark@+1 {{absent [[1]]}}
    %e = tile.expand %t at [0] : tensor<4x8xf32> to tensor<1x4x8xf32>
    // The repeated axis leaves its factors, the other stays.
    // expected-remark@+1 {{absent [[1]]}}
    %b = tile.broadcast %e : tensor<1x4x8xf32> to tensor<2x4x8xf32>
    // expected-remark@+1 {{absent [[0]]}}
    %z = tile.squeeze %e at [0] : tensor<1x4x8xf32> to tensor<4x8xf32>
    // A reshape keeps the factor of an axis that it keeps, and merges the others.
    // expected-remark@+1 {{absent [[0]]}}
    %f = tile.reshape %t : tensor<4x8xf32> to tensor<4x2x4xf32>
    // expected-remark@+1 {{absent [[0, 1]]}}
    %g = tile.reshape %t : tensor<4x8xf32> to tensor<2x16xf32>
    // expected-remark@+1 {{absent [[0], [0, 1, 2]]}}
    %h = tile.reshape %u : tensor<4x8xf32> to tensor<4x2x4xf32>
    // expected-remark@+1 {{absent [[0], [1]]}}
    %i = tile.slice %u from [0, 0] : tensor<4x8xf32> to tensor<2x2xf32>
    // expected-remark@+1 {{absent [[0]]}}
    %j = tile.flip %t along 0 : tensor<4x8xf32>
    // expected-remark@+1 {{absent [[0, 1]]}}
    %k = tile.cat %t, %t along 1 : tensor<4x8xf32>, tensor<4x8xf32> to tensor<4x16xf32>
    // expected-remark@+1 {{absent [[0]]}}
    %l = tile.span_index %r : !tile.span<4> -> tensor<4xi64>
  }
}

tile.kernel @conditions(%x "x": !tile.view<4x8xf32, in> shape () -> (4, 8), %i "i": !tile.view<8xi64, in> shape () -> (8)) body {
  // expected-remark@+1 {{absent []}}
  %t = tile.load %x[:, :] : !tile.view<4x8xf32, in> -> tensor<4x8xf32>
  // expected-remark@+1 {{absent []}}
  %c = tile.constant true tensor<1x8xi1>
  // expected-remark@+1 {{absent [[1]]}}
  %k = tile.keep_if %t, %c over [1] : tensor<4x8xf32>, tensor<1x8xi1>
  // expected-remark@+1 {{absent []}}
  %d = tile.constant true tensor<4x8xi1>
  // expected-remark@+1 {{absent [[1], [0, 1]]}}
  %m = tile.keep_if %k, %d over [0, 1] : tensor<4x8xf32>, tensor<4x8xi1>
  // The condition of a select counts.
  // expected-remark@+1 {{absent [[1], [0, 1]]}}
  %e = tile.cmp lt, %m, %t : tensor<4x8xf32>
  // expected-remark@+1 {{absent [[1], [0, 1]]}}
  %s = tile.select %e, %t, %t : tensor<4x8xf32>
  // expected-remark@+1 {{absent []}}
  %p = tile.present %m : tensor<4x8xf32>
  // expected-remark@+1 {{absent []}}
  %f = tile.fill_absent %m, %t : tensor<4x8xf32>
  // expected-remark@+1 {{absent [[0, 1]]}}
  %g = tile.fill_absent %t, %k : tensor<4x8xf32>
  // A factor over no axis is that of a scalar.
  // expected-remark@+1 {{absent [[]]}}
  %a = tile.absent : f32
  // expected-remark@+1 {{absent [[0]]}}
  %b = tile.splat %a : f32 to tensor<8xf32>
  // expected-remark@+1 {{absent [[0, 1]]}}
  %n = tile.absent : tensor<4x8xf32>
  // An absent index is an absent element, on the axes that take the index' place.
  // expected-remark@+1 {{absent []}}
  %v = tile.load %i[:] : !tile.view<8xi64, in> -> tensor<8xi64>
  // expected-remark@+1 {{absent []}}
  %w = tile.constant true tensor<8xi1>
  // expected-remark@+1 {{absent [[0]]}}
  %o = tile.keep_if %v, %w over [0] : tensor<8xi64>, tensor<8xi1>
  // expected-remark@+1 {{absent [[1]]}}
  %q = tile.load %x[:, %o] : !tile.view<4x8xf32, in>, tensor<8xi64> -> tensor<4x8xf32>
}

tile.kernel @reductions[%N "N"](%x "x": !tile.view<?x?xf32, in> shape ()[s0] -> (s0, s0)) body {
  // expected-remark@+1 {{absent []}}
  %c0 = tile.constant 0 : i64
  %r = tile.span %c0, %N : !tile.span<4>
  %s = tile.span %c0, %N : !tile.span<8>
  // expected-remark@+1 {{absent [[0], [1]]}}
  %t = tile.load %x[%r, %s] : !tile.view<?x?xf32, in>, !tile.span<4>, !tile.span<8> -> tensor<4x8xf32>
  // The factor of the reduced axis says which terms exist; the other stays, renumbered.
  // expected-remark@+1 {{absent [[0]]}}
  %0 = tile.reduce sum %t along 1 : tensor<4x8xf32> -> tensor<4xf32>
  // expected-remark@+1 {{absent [[0]]}}
  %1 = tile.reduce sum %t along 0 : tensor<4x8xf32> -> tensor<8xf32>
  // expected-remark@+1 {{absent []}}
  %2 = tile.reduce sum %0 along 0 : tensor<4xf32> -> f32
  // expected-remark@+2 {{result 0: absent [[0]]}}
  // expected-remark@+1 {{result 1: absent [[0]]}}
  %3:2 = tile.argmax %t along 1 : tensor<4x8xf32> -> tensor<4xf32>, tensor<4xi64>
  // expected-remark@+2 {{result 0: absent [[1]]}}
  // expected-remark@+1 {{result 1: absent [[1]]}}
  %4:2 = tile.topk 2 of %t along 0 : tensor<4x8xf32> -> tensor<2x8xf32>, tensor<2x8xi64>
  // expected-remark@+1 {{absent [[0], [1]]}}
  %5 = tile.scan sum %t along 1 : tensor<4x8xf32> -> tensor<4x8xf32>
  // A factor over both axes names the reduced one.
  // expected-remark@+1 {{absent []}}
  %d = tile.constant true tensor<4x8xi1>
  // expected-remark@+1 {{absent [[0], [1], [0, 1]]}}
  %6 = tile.keep_if %t, %d over [0, 1] : tensor<4x8xf32>, tensor<4x8xi1>
  // expected-remark@+1 {{absent [[0]]}}
  %7 = tile.reduce max %6 along 1 : tensor<4x8xf32> -> tensor<4xf32>
  // expected-remark@+1 {{absent []}}
  %i = tile.constant 1 : i32 tensor<8xi32>
  // expected-remark@+1 {{absent []}}
  %8 = tile.histogram %i : tensor<8xi32> -> tensor<4xi64>
  // Rows of the left operand and columns of the right one; what names k is skipped or zero.
  // expected-remark@+1 {{absent [[0], [1]]}}
  %u = tile.permute %t, [1, 0] : tensor<4x8xf32> to tensor<8x4xf32>
  // expected-remark@+1 {{absent []}}
  %z = tile.constant 0.0 : f32 tensor<4x4xf32>
  // expected-remark@+1 {{absent [[0], [1]]}}
  %9 = tile.mma %t, %u, %z : tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x4xf32>
  // expected-remark@+1 {{absent []}}
  %k = tile.constant 0.0 : f32 tensor<8x4xf32>
  // expected-remark@+1 {{absent [[0]]}}
  %10 = tile.mma %6, %k, %z : tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x4xf32>
}
