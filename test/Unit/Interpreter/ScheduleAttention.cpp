// Attention by hand.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScheduleKernels.h"

using namespace tessera;
using namespace tessera::interptest;

static const char *const attentionHead = R"(
    %c0 = tile.constant 0 : i64
    %M = tile.dim %q, 0 : !tile.view<?x8xbf16, in>
    %S = tile.dim %k, 0 : !tile.view<?x8xbf16, in>
    %low = tile.constant -1000.0 : f32 tensor<16xf32>
    %none = tile.constant 0.0 : f32 tensor<16xf32>
    %zero = tile.constant 0.0 : f32 tensor<16x8xf32>
    %lowest = tile.constant 0xFF800000 : f32 tensor<16x8xf32>
)";

/// From the scores %s and the values %vt, with %mx, %l, %o carried: %m1, %l1, %o1.
static const char *const attentionStep = R"(
          %f = tile.fill_absent %s, %lowest : tensor<16x8xf32>
          %b = tile.reduce max %f along 1 : tensor<16x8xf32> -> tensor<16xf32>
          %m1 = tile.max %mx, %b : tensor<16xf32>
          %me = tile.expand %m1 at [1] : tensor<16xf32> to tensor<16x1xf32>
          %mb = tile.broadcast %me : tensor<16x1xf32> to tensor<16x8xf32>
          %t = tile.sub %f, %mb : tensor<16x8xf32>
          %e = tile.exp %t : tensor<16x8xf32>
          %es = tile.reduce sum %e along 1 : tensor<16x8xf32> -> tensor<16xf32>
          %dm = tile.sub %mx, %m1 : tensor<16xf32>
          %g = tile.exp %dm : tensor<16xf32>
          %lg = tile.mul %l, %g : tensor<16xf32>
          %l1 = tile.add %lg, %es : tensor<16xf32>
          %ge = tile.expand %g at [1] : tensor<16xf32> to tensor<16x1xf32>
          %gb = tile.broadcast %ge : tensor<16x1xf32> to tensor<16x8xf32>
          %og = tile.mul %o, %gb : tensor<16x8xf32>
          %p = tile.cast %e : tensor<16x8xf32> to tensor<16x8xbf16>
          %o1 = tile.mma %p, %vt, %og : tensor<16x8xbf16>, tensor<8x8xbf16>, tensor<16x8xf32>
)";

static const char *const attentionTail = R"(
      %le = tile.expand %r#1 at [1] : tensor<16xf32> to tensor<16x1xf32>
      %lb = tile.broadcast %le : tensor<16x1xf32> to tensor<16x8xf32>
      %res = tile.div %r#2, %lb : tensor<16x8xf32>
      tile.store %res, %y[%m, :] : tensor<16x8xf32>, !tile.view<?x8xf32, out>, !tile.span<16>
    })";

Schedule interptest::plainAttention() {
  return {{{"q", "?x8xbf16", arrayOf(DType::bf16, {24, 8}, numbers(24 * 8, 1))},
           {"k", "?x8xbf16", arrayOf(DType::bf16, {37, 8}, numbers(37 * 8, 2))},
           {"v", "?x8xbf16", arrayOf(DType::bf16, {37, 8}, numbers(37 * 8, 3))}},
          {{"y", "?x8xf32", {24, 8}}},
          std::string(attentionHead) + R"(
    tile.grid (%m = tiles(%c0 to %M by 16)) {
      %qt = tile.load %q[%m, :] : !tile.view<?x8xbf16, in>, !tile.span<16> -> tensor<16x8xbf16>
      %r:3 = tile.for %n in tiles(%c0 to %S by 8)
          carry(%mx = %low : tensor<16xf32>, %l = %none : tensor<16xf32>, %o = %zero : tensor<16x8xf32>) {
          %kt = tile.load %k[%n, :] : !tile.view<?x8xbf16, in>, !tile.span<8> -> tensor<8x8xbf16>
          %kp = tile.permute %kt, [1, 0] : tensor<8x8xbf16> to tensor<8x8xbf16>
          %s = tile.mma %qt, %kp, %zero : tensor<16x8xbf16>, tensor<8x8xbf16>, tensor<16x8xf32>
          %vt = tile.load %v[%n, :] : !tile.view<?x8xbf16, in>, !tile.span<8> -> tensor<8x8xbf16>)" +
              attentionStep + R"(
          tile.yield %m1, %l1, %o1 : tensor<16xf32>, tensor<16xf32>, tensor<16x8xf32>
      })" + attentionTail};
}

Schedule interptest::pipelinedAttention() {
  return plainAttention().with(std::string(attentionHead) + R"(
    tile.grid (%m = tiles(%c0 to %M by 16)) {
      %Ks = tile.alloc : !tile.buf<8x8xbf16, shared, slots = 2>
      %Vs = tile.alloc : !tile.buf<8x8xbf16, shared, slots = 3>
      %rk = tile.ring %Ks protocol cp_async : !tile.buf<8x8xbf16, shared, slots = 2> -> !tile.ring<2>
      %rv = tile.ring %Vs protocol cp_async : !tile.buf<8x8xbf16, shared, slots = 3> -> !tile.ring<3>
      %qt = tile.load %q[%m, :] : !tile.view<?x8xbf16, in>, !tile.span<16> -> tensor<16x8xbf16>
      %r:3 = tile.for %n in tiles(%c0 to %S by 8)
          carry(%mx = %low : tensor<16xf32>, %l = %none : tensor<16xf32>, %o = %zero : tensor<16x8xf32>) {
        tile.section @lk lead 2 {
          %i = tile.acquire %rk : !tile.ring<2>
          tile.apply @cp via cp_async {
            tile.copy %k[%n, :] to %Ks slot %i fill zero
                : !tile.view<?x8xbf16, in>, !tile.span<8> to !tile.buf<8x8xbf16, shared, slots = 2>
          }
          tile.commit %rk : !tile.ring<2>
        }
        tile.section @lv lead 2 {
          %i = tile.acquire %rv : !tile.ring<3>
          tile.apply @cp via cp_async {
            tile.copy %v[%n, :] to %Vs slot %i fill zero
                : !tile.view<?x8xbf16, in>, !tile.span<8> to !tile.buf<8x8xbf16, shared, slots = 3>
          }
          tile.commit %rv : !tile.ring<3>
        }
        %s = tile.section @qk lead 1 -> tensor<16x8xf32> {
          %u = tile.await %rk : !tile.ring<2>
          %kt = tile.read %Ks slot %u span[%n, :] : !tile.buf<8x8xbf16, shared, slots = 2>, !tile.span<8> -> tensor<8x8xbf16>
          tile.release %rk : !tile.ring<2>
          %kp = tile.permute %kt, [1, 0] : tensor<8x8xbf16> to tensor<8x8xbf16>
          %sc = tile.mma %qt, %kp, %zero : tensor<16x8xbf16>, tensor<8x8xbf16>, tensor<16x8xf32>
          tile.yield %sc : tensor<16x8xf32>
        }
        %n1, %n2, %n3 = tile.section @pv -> tensor<16xf32>, tensor<16xf32>, tensor<16x8xf32> {
          %u = tile.await %rv : !tile.ring<3>
          %vt = tile.read %Vs slot %u span[%n, :] : !tile.buf<8x8xbf16, shared, slots = 3>, !tile.span<8> -> tensor<8x8xbf16>
          tile.release %rv : !tile.ring<3>)" +
                               attentionStep + R"(
          tile.yield %m1, %l1, %o1 : tensor<16xf32>, tensor<16xf32>, tensor<16x8xf32>
        }
        tile.yield %n1, %n2, %n3 : tensor<16xf32>, tensor<16xf32>, tensor<16x8xf32>
      })" + attentionTail);
}
