// Only what carries a variable's name.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-print-absence{named-only}))' -o %t 2>&1 | FileCheck %s

// CHECK-COUNT-1: k.tile:2:3: remark: absent {{\[\[}}0]]
// CHECK-NOT:     remark
tile.kernel @named() body {
  %0 = tile.absent : tensor<4xf32> loc("t"("k.tile":2:3))
  %1 = tile.absent : tensor<4xf32> loc("k.tile":3:3)
}
