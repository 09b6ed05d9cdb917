//===- IterSamples.h - one of every op, for IterTest ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TEST_ITERSAMPLES_H
#define TESSERA_TEST_ITERSAMPLES_H

#include "llvm/ADT/StringRef.h"

#include <map>

namespace tessera {

/// Ops without the interface, and why.
inline const std::map<llvm::StringRef, llvm::StringRef> without = {
    {"tile.acquire", "moves a queue on"},
    {"tile.alloc", "makes memory, no points"},
    {"tile.apply", "its body has the points"},
    {"tile.at", "a scalar of a formula"},
    {"tile.assert", "a statement: split by splitting its condition"},
    {"tile.assume", "a statement: split by splitting its condition"},
    {"tile.await", "moves a queue on"},
    {"tile.barrier", "a statement of threads"},
    {"tile.commit", "moves a queue on"},
    {"tile.dim", "a scalar"},
    {"tile.elect", "control flow, its body has the points"},
    {"tile.fence", "a statement of threads"},
    {"tile.fold", "a scalar of a formula"},
    {"tile.for", "control flow, split by its range"},
    {"tile.grid", "control flow, split by its axes"},
    {"tile.group_commit", "a statement of threads"},
    {"tile.group_wait", "a statement of threads"},
    {"tile.instr", "a declaration"},
    {"tile.kernel", "no points of its own"},
    {"tile.map", "an array of a formula, never scheduled"},
    {"tile.par", "control flow, split by its steps"},
    {"tile.print", "a statement: its text is one"},
    {"tile.release", "moves a queue on"},
    {"tile.require", "a scalar condition"},
    {"tile.ring", "joins memory, no points"},
    {"tile.section", "control flow, its body has the points"},
    {"tile.span", "makes no tile"},
    {"tile.span_start", "a scalar"},
    {"tile.span_stop", "a scalar"},
    {"tile.tasks", "control flow, split by its axes"},
    {"tile.view_group", "moves no data"},
    {"tile.view_permute", "moves no data"},
    {"tile.view_slice", "moves no data"},
    {"tile.view_split", "moves no data"},
    {"tile.yield", "ends a region"},
};

/// At least one of every op that has the interface, beside the rows of the elementwise table.
inline constexpr char samples[] = R"(
func.func @samples(%f: tensor<4x8xf32>, %h: tensor<4x8xbf16>, %g: tensor<8x6xbf16>, %i: tensor<4x8xi32>, %b: tensor<4x8xi1>,
    %one: tensor<4x1xf32>, %cond: tensor<4x1xi1>, %u: tensor<4x8xui16>, %s: f32, %acc: tensor<4x6xf32>, %seed: ui64,
    %n: i64, %r: !tile.span<4>, %c: !tile.span<8>, %x: !tile.view<?x8x?xf32, inout>, %v: !tile.view<?x?xf32, inout>,
    %w: !tile.view<?x?xi32, inout>, %t: tensor<3x2xi64>, %k: tensor<4x3x2xf32>,
    %m: !tile.buf<4x8xf32, shared, slots = 2>, %slot: !tile.slot, %ws: !tile.buf<4x3x2xf32, workspace>) {
  %0 = tile.bits %h : tensor<4x8xbf16>
  %1 = tile.from_bits %u : tensor<4x8xui16> to tensor<4x8xbf16>
  %2 = tile.cast %h : tensor<4x8xbf16> to tensor<4x8xf32>
  %3 = tile.cmp lt, %f, %f : tensor<4x8xf32>
  %4 = tile.select %b, %f, %f : tensor<4x8xf32>
  %5 = tile.fill_absent %f, %f : tensor<4x8xf32>
  %6 = tile.present %f : tensor<4x8xf32>
  %7 = tile.iota : tensor<8xi64>
  %8:4 = tile.philox %seed, %seed, %7 : tensor<8xi64> -> tensor<8xui32>
  %9 = tile.absent : tensor<4x8xf32>
  %10 = tile.constant 1.0 : f32 tensor<4x8xf32>
  %11 = tile.splat %s : f32 to tensor<4x8xf32>
  %12 = tile.broadcast %one : tensor<4x1xf32> to tensor<4x8xf32>
  %13 = tile.cat %f, %one, %f along 1 : tensor<4x8xf32>, tensor<4x1xf32>, tensor<4x8xf32> to tensor<4x17xf32>
  %14 = tile.expand %f at [1, 3] : tensor<4x8xf32> to tensor<4x1x8x1xf32>
  %15 = tile.squeeze %14 at [1, 3] : tensor<4x1x8x1xf32> to tensor<4x8xf32>
  %moved = tile.convert %f : tensor<4x8xf32>
  %16 = tile.flip %f along 1 : tensor<4x8xf32>
  %17 = tile.keep_if %f, %cond over [0] : tensor<4x8xf32>, tensor<4x1xi1>
  %18 = tile.permute %k, [2, 0, 1] : tensor<4x3x2xf32> to tensor<2x4x3xf32>
  %19 = tile.reshape %f : tensor<4x8xf32> to tensor<4x2x4xf32>
  %20 = tile.reshape %f : tensor<4x8xf32> to tensor<32xf32>
  %21 = tile.slice %f from [1, 2] : tensor<4x8xf32> to tensor<2x5xf32>
  %22 = tile.reduce sum %f along 0 : tensor<4x8xf32> -> tensor<8xf32>
  %23:2 = tile.argmax %f along 0 : tensor<4x8xf32> -> tensor<8xf32>, tensor<8xi64>
  %24:2 = tile.argmin %f along 1 : tensor<4x8xf32> -> tensor<4xf32>, tensor<4xi64>
  %25 = tile.histogram %i : tensor<4x8xi32> -> tensor<16xi64>
  %26 = tile.mma %h, %g, %acc : tensor<4x8xbf16>, tensor<8x6xbf16>, tensor<4x6xf32>
  %27 = tile.scan sum %f along 1 : tensor<4x8xf32> -> tensor<4x8xf32>
  %28 = tile.scan sum %f along 0 {reverse, exclusive} : tensor<4x8xf32> -> tensor<4x8xf32>
  %29:2 = tile.topk 2 of %f along 1 : tensor<4x8xf32> -> tensor<4x2xf32>, tensor<4x2xi64>
  %30 = tile.reduce_with %f, %s along 1 : tensor<4x8xf32>, f32 -> tensor<4xf32> {
  ^bb0(%p: f32, %q: f32):
    tile.yield %p : f32
  }
  %31 = tile.scan_with %f, %s along 1 : tensor<4x8xf32>, f32 -> tensor<4x8xf32> {
  ^bb0(%p: f32, %q: f32):
    tile.yield %p : f32
  }
  %32 = tile.span_index %c : !tile.span<8> -> tensor<8xi64>
  %33 = tile.load %x[%r, :, %n] : !tile.view<?x8x?xf32, inout>, !tile.span<4>, i64 -> tensor<4x8xf32>
  %34 = tile.load %v[%r, %t] : !tile.view<?x?xf32, inout>, !tile.span<4>, tensor<3x2xi64> -> tensor<4x3x2xf32>
  tile.store %f, %x[%r, :, %n] : tensor<4x8xf32>, !tile.view<?x8x?xf32, inout>, !tile.span<4>, i64
  tile.store %k, %v[%r, %t] {conflict = #tile.conflict<last>}
    : tensor<4x3x2xf32>, !tile.view<?x?xf32, inout>, !tile.span<4>, tensor<3x2xi64>
  tile.atomic add %i, %w[%r, %c] : tensor<4x8xi32>, !tile.view<?x?xi32, inout>, !tile.span<4>, !tile.span<8>
  %35 = tile.atomic cas %i expect %i, %w[%r, %c] {order_any} : tensor<4x8xi32> expect tensor<4x8xi32>,
    !tile.view<?x?xi32, inout>, !tile.span<4>, !tile.span<8> -> tensor<4x8xi32>
  %36 = tile.reduce sum %22 along 0 : tensor<8xf32> -> f32
  %37 = tile.absent : f32
  tile.copy %x[%r, :, %n] to %m slot %slot fill zero
    : !tile.view<?x8x?xf32, inout>, !tile.span<4>, i64 to !tile.buf<4x8xf32, shared, slots = 2>
  tile.copy %v[%r, %t] to %ws fill undef
    : !tile.view<?x?xf32, inout>, !tile.span<4>, tensor<3x2xi64> to !tile.buf<4x3x2xf32, workspace>
  tile.copy_out %m slot %slot to %v[%r, %c]
    : !tile.buf<4x8xf32, shared, slots = 2> to !tile.view<?x?xf32, inout>, !tile.span<4>, !tile.span<8>
  %38 = tile.read %m slot %slot span[%r, :] : !tile.buf<4x8xf32, shared, slots = 2>, !tile.span<4> -> tensor<4x8xf32>
  tile.write %38 to %m slot %slot : tensor<4x8xf32> to !tile.buf<4x8xf32, shared, slots = 2>
  return
}
)";

} // namespace tessera

#endif // TESSERA_TEST_ITERSAMPLES_H
