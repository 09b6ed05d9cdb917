// Kernels by hand.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScheduleKernels.h"

using namespace tessera;
using namespace tessera::interptest;

//===- copy ---------------------------------------------------------------===//

Schedule interptest::plainCopy() {
  return {{{"x", "?x8xf32", arrayOf(DType::f32, {14, 8}, numbers(14 * 8))}},
          {{"y", "?x8xf32", {14, 8}}},
          R"(
    %c0 = tile.constant 0 : i64
    %n = tile.dim %x, 0 : !tile.view<?x8xf32, in>
    tile.grid (%m = tiles(%c0 to %n by 4)) {
      %t = tile.load %x[%m, :] : !tile.view<?x8xf32, in>, !tile.span<4> -> tensor<4x8xf32>
      tile.store %t, %y[%m, :] : tensor<4x8xf32>, !tile.view<?x8xf32, out>, !tile.span<4>
    })"};
}

Schedule interptest::stagedCopy() {
  return plainCopy().with(R"(
    %c0 = tile.constant 0 : i64
    %n = tile.dim %x, 0 : !tile.view<?x8xf32, in>
    %a = tile.alloc : !tile.buf<4x8xf32, shared>
    tile.grid (%m = tiles(%c0 to %n by 4)) {
      tile.copy %x[%m, :] to %a fill undef : !tile.view<?x8xf32, in>, !tile.span<4> to !tile.buf<4x8xf32, shared>
      tile.barrier cta
      %t = tile.read %a span[%m, :] : !tile.buf<4x8xf32, shared>, !tile.span<4> -> tensor<4x8xf32>
      tile.store %t, %y[%m, :] : tensor<4x8xf32>, !tile.view<?x8xf32, out>, !tile.span<4>
    })");
}

//===- softmax ------------------------------------------------------------===//

static const char *const softmaxOfT = R"(
      %low = tile.constant 0xFF800000 : f32 tensor<4x16xf32>
      %f = tile.fill_absent %t, %low : tensor<4x16xf32>
      %mx = tile.reduce max %f along 1 : tensor<4x16xf32> -> tensor<4xf32>
      %me = tile.expand %mx at [1] : tensor<4xf32> to tensor<4x1xf32>
      %mb = tile.broadcast %me : tensor<4x1xf32> to tensor<4x16xf32>
      %d = tile.sub %t, %mb : tensor<4x16xf32>
      %e = tile.exp %d : tensor<4x16xf32>
      %l = tile.reduce sum %e along 1 : tensor<4x16xf32> -> tensor<4xf32>
      %le = tile.expand %l at [1] : tensor<4xf32> to tensor<4x1xf32>
      %lb = tile.broadcast %le : tensor<4x1xf32> to tensor<4x16xf32>
      %q = tile.div %e, %lb : tensor<4x16xf32>
)";

Schedule interptest::plainSoftmax() {
  return {{{"x", "?x?xf32", arrayOf(DType::f32, {10, 12}, numbers(10 * 12))}},
          {{"y", "?x?xf32", {10, 12}}},
          std::string(R"(
    %c0 = tile.constant 0 : i64
    %n = tile.dim %x, 0 : !tile.view<?x?xf32, in>
    %w = tile.dim %x, 1 : !tile.view<?x?xf32, in>
    tile.grid (%m = tiles(%c0 to %n by 4)) {
      %c = tile.span %c0, %w exact : !tile.span<16>
      %t = tile.load %x[%m, %c] : !tile.view<?x?xf32, in>, !tile.span<4>, !tile.span<16> -> tensor<4x16xf32>)") +
              softmaxOfT + R"(
      tile.store %q, %y[%m, %c] : tensor<4x16xf32>, !tile.view<?x?xf32, out>, !tile.span<4>, !tile.span<16>
    })"};
}

Schedule interptest::stagedSoftmax() {
  return plainSoftmax().with(std::string(R"(
    %c0 = tile.constant 0 : i64
    %n = tile.dim %x, 0 : !tile.view<?x?xf32, in>
    %w = tile.dim %x, 1 : !tile.view<?x?xf32, in>
    tile.grid (%m = tiles(%c0 to %n by 4)) {
      %a = tile.alloc : !tile.buf<4x16xf32, shared>
      %b = tile.alloc over %a : !tile.buf<4x16xf32, shared> over !tile.buf<4x16xf32, shared>
      %c = tile.span %c0, %w exact : !tile.span<16>
      tile.apply @cp via cp_async {
        tile.copy %x[%m, %c] to %a fill zero
            : !tile.view<?x?xf32, in>, !tile.span<4>, !tile.span<16> to !tile.buf<4x16xf32, shared>
      }
      tile.group_commit cp_async
      tile.group_wait cp_async pending 0
      tile.barrier cta
      %t = tile.read %a span[%m, %c] {tile.iter = #tile.iter<d0 = warp 4, d1 = lane 16>}
        : !tile.buf<4x16xf32, shared>, !tile.span<4>, !tile.span<16> -> tensor<4x16xf32>)") +
                             softmaxOfT + R"(
      tile.barrier cta
      tile.write %q to %b {tile.iter = #tile.iter<d0 = warp 4, d1 = lane 16>} : tensor<4x16xf32> to !tile.buf<4x16xf32, shared>
      tile.copy_out %b to %y[%m, %c] {tile.iter = #tile.iter<d0 = warp 4, d1 = lane 16>}
        : !tile.buf<4x16xf32, shared> to !tile.view<?x?xf32, out>, !tile.span<4>, !tile.span<16>
    })");
}

//===- matrix product -----------------------------------------------------===//

/// Instructions of 16 bytes want rows that begin at multiples of them.
static HostArray alignedRows(const HostArray &dense) {
  constexpr int64_t bytes = 16;
  int64_t unit = bytes / int64_t(dense.elementBytes());
  int64_t rows = dense.shape()[0], columns = dense.shape()[1];
  HostArray array = llvm::cantFail(HostArray::allocateStrided(
      dense.dtype(), {rows, columns}, {(columns + unit - 1) / unit * unit, 1}));
  for (int64_t row = 0; row < rows; ++row) {
    std::memcpy(array.element({row, 0}), dense.element({row, 0}), columns * dense.elementBytes());
  }
  return array;
}

Schedule interptest::plainGemm() {
  return {{{"a", "?x?xbf16", alignedRows(arrayOf(DType::bf16, {24, 43}, numbers(24 * 43, 1)))},
           {"b", "?x?xbf16", alignedRows(arrayOf(DType::bf16, {43, 20}, numbers(43 * 20, 2)))}},
          {{"d", "?x?xf32", {24, 20}}},
          R"(
    %c0 = tile.constant 0 : i64
    %M = tile.dim %a, 0 : !tile.view<?x?xbf16, in>
    %K = tile.dim %a, 1 : !tile.view<?x?xbf16, in>
    %N = tile.dim %b, 1 : !tile.view<?x?xbf16, in>
    %zero = tile.constant 0.0 : f32 tensor<16x16xf32>
    tile.grid (%m = tiles(%c0 to %M by 16), %n = tiles(%c0 to %N by 16)) {
      %acc = tile.for %k in tiles(%c0 to %K by 8) carry(%c = %zero : tensor<16x16xf32>) {
        %at = tile.load %a[%m, %k] : !tile.view<?x?xbf16, in>, !tile.span<16>, !tile.span<8> -> tensor<16x8xbf16>
        %bt = tile.load %b[%k, %n] : !tile.view<?x?xbf16, in>, !tile.span<8>, !tile.span<16> -> tensor<8x16xbf16>
        %r = tile.mma %at, %bt, %c : tensor<16x8xbf16>, tensor<8x16xbf16>, tensor<16x16xf32>
        tile.yield %r : tensor<16x16xf32>
      }
      tile.store %acc, %d[%m, %n] : tensor<16x16xf32>, !tile.view<?x?xf32, out>, !tile.span<16>, !tile.span<16>
    })"};
}

Schedule interptest::pipelinedGemm() {
  return plainGemm().with(R"(
    %c0 = tile.constant 0 : i64
    %M = tile.dim %a, 0 : !tile.view<?x?xbf16, in>
    %K = tile.dim %a, 1 : !tile.view<?x?xbf16, in>
    %N = tile.dim %b, 1 : !tile.view<?x?xbf16, in>
    %zero = tile.constant 0.0 : f32 tensor<16x16xf32>
    tile.grid (%m = tiles(%c0 to %M by 16), %n = tiles(%c0 to %N by 16)) {
      %As = tile.alloc : !tile.buf<16x8xbf16, shared, slots = 3>
      %Bs = tile.alloc : !tile.buf<8x16xbf16, shared, slots = 3>
      %Cs = tile.alloc over %As, %Bs : !tile.buf<16x16xf32, shared>
        over !tile.buf<16x8xbf16, shared, slots = 3>, !tile.buf<8x16xbf16, shared, slots = 3>
      %rg = tile.ring %As, %Bs protocol cp_async
          : !tile.buf<16x8xbf16, shared, slots = 3>, !tile.buf<8x16xbf16, shared, slots = 3> -> !tile.ring<3>
      %acc = tile.for %k in tiles(%c0 to %K by 8) carry(%c = %zero : tensor<16x16xf32>) {
        tile.section @load lead 2 {
          %s = tile.acquire %rg : !tile.ring<3>
          tile.apply @cp via cp_async {
            tile.copy %a[%m, %k] to %As slot %s fill zero {tile.iter = #tile.iter<d0 = warp 4 * lane 4, d1 = lane 1 * atom 8>}
              : !tile.view<?x?xbf16, in>, !tile.span<16>, !tile.span<8> to !tile.buf<16x8xbf16, shared, slots = 3>
          }
          tile.apply @cp via cp_async {
            tile.copy %b[%k, %n] to %Bs slot %s fill zero
              : !tile.view<?x?xbf16, in>, !tile.span<8>, !tile.span<16> to !tile.buf<8x16xbf16, shared, slots = 3>
          }
          tile.commit %rg : !tile.ring<3>
        }
        %r = tile.section @use -> tensor<16x16xf32> {
          %u = tile.await %rg : !tile.ring<3>
          %at = tile.read %As slot %u span[%m, %k]
              : !tile.buf<16x8xbf16, shared, slots = 3>, !tile.span<16>, !tile.span<8> -> tensor<16x8xbf16>
          %bt = tile.read %Bs slot %u span[%k, %n]
              : !tile.buf<8x16xbf16, shared, slots = 3>, !tile.span<8>, !tile.span<16> -> tensor<8x16xbf16>
          %p = tile.mma %at, %bt, %c : tensor<16x8xbf16>, tensor<8x16xbf16>, tensor<16x16xf32>
          tile.release %rg : !tile.ring<3>
          tile.yield %p : tensor<16x16xf32>
        }
        tile.yield %r : tensor<16x16xf32>
      }
      tile.group_wait cp_async pending 0
      tile.barrier cta
      tile.write %acc to %Cs : tensor<16x16xf32> to !tile.buf<16x16xf32, shared>
      tile.barrier cta
      tile.copy_out %Cs to %d[%m, %n]
          : !tile.buf<16x16xf32, shared> to !tile.view<?x?xf32, out>, !tile.span<16>, !tile.span<16>
    })");
}

Schedule interptest::rolesGemm() {
  return plainGemm()
      .warps("{tile.roles = {consumer = {warps = 8 : i64}, producer = {warps = 4 : i64}}}")
      .with(R"(
    %c0 = tile.constant 0 : i64
    %M = tile.dim %a, 0 : !tile.view<?x?xbf16, in>
    %K = tile.dim %a, 1 : !tile.view<?x?xbf16, in>
    %N = tile.dim %b, 1 : !tile.view<?x?xbf16, in>
    %zero = tile.constant 0.0 : f32 tensor<16x16xf32>
    %As = tile.alloc : !tile.buf<16x8xbf16, shared, slots = 4>
    %Bs = tile.alloc : !tile.buf<8x16xbf16, shared, slots = 4>
    %Cs = tile.alloc : !tile.buf<16x16xf32, shared, slots = 2>
    %rg = tile.ring %As, %Bs protocol mbarrier
        : !tile.buf<16x8xbf16, shared, slots = 4>, !tile.buf<8x16xbf16, shared, slots = 4> -> !tile.ring<4>
    %rc = tile.ring %Cs protocol bulk : !tile.buf<16x16xf32, shared, slots = 2> -> !tile.ring<2>
    tile.tasks (%m = tiles(%c0 to %M by 16), %n = tiles(%c0 to %N by 16)) grouped 2 {
      %acc = tile.for %k in tiles(%c0 to %K by 8) carry(%c = %zero : tensor<16x16xf32>) {
        tile.section @load role @producer {
          %s = tile.acquire %rg : !tile.ring<4>
          tile.elect {
            tile.apply @tma via tma {
              tile.copy %a[%m, %k] to %As slot %s fill zero
                : !tile.view<?x?xbf16, in>, !tile.span<16>, !tile.span<8> to !tile.buf<16x8xbf16, shared, slots = 4>
            }
            tile.apply @tma via tma {
              tile.copy %b[%k, %n] to %Bs slot %s fill zero
                : !tile.view<?x?xbf16, in>, !tile.span<8>, !tile.span<16> to !tile.buf<8x16xbf16, shared, slots = 4>
            }
          }
          tile.commit %rg : !tile.ring<4>
        }
        %r = tile.section @use lag 1 role @consumer -> tensor<16x16xf32> {
          %u = tile.await %rg : !tile.ring<4>
          %p = tile.apply @wgmma via wgmma -> tensor<16x16xf32> {
            %at = tile.read %As slot %u span[%m, %k]
                : !tile.buf<16x8xbf16, shared, slots = 4>, !tile.span<16>, !tile.span<8> -> tensor<16x8xbf16>
            %bt = tile.read %Bs slot %u span[%k, %n]
                : !tile.buf<8x16xbf16, shared, slots = 4>, !tile.span<8>, !tile.span<16> -> tensor<8x16xbf16>
            %q = tile.mma %at, %bt, %c {tile.iter = #tile.iter<m = wg 2 * atom 8, n = atom 16, k = atom 8>}
              : tensor<16x8xbf16>, tensor<8x16xbf16>, tensor<16x16xf32>
            tile.yield %q : tensor<16x16xf32>
          }
          tile.release %rg : !tile.ring<4>
          tile.yield %p : tensor<16x16xf32>
        }
        tile.yield %r : tensor<16x16xf32>
      }
      tile.section @epi role @consumer {
        %s = tile.acquire %rc : !tile.ring<2>
        tile.write %acc to %Cs slot %s : tensor<16x16xf32> to !tile.buf<16x16xf32, shared, slots = 2>
        tile.fence
        tile.barrier cta
        tile.elect {
          tile.apply @bulk via bulk {
            tile.copy_out %Cs slot %s to %d[%m, %n]
                : !tile.buf<16x16xf32, shared, slots = 2> to !tile.view<?x?xf32, out>, !tile.span<16>, !tile.span<16>
          }
        }
        tile.commit %rc : !tile.ring<2>
      }
    })");
}
