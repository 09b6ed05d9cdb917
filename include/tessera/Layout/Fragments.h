// Layouts that hardware fixes: operands of matrix instructions, addresses of matrix loads, shared-memory swizzles. Data, derived
// from the tables of the PTX ISA (sections "Matrix fragments for mma.m16n8k16", "ldmatrix", "wgmma register fragments",
// "shared memory layout and swizzling"); facts only. Register dims count elements in the order of the instruction's operand,
// so that element e of 32-bit register q is e + (elements per register) * q.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LAYOUT_FRAGMENTS_H
#define TESSERA_LAYOUT_FRAGMENTS_H

#include "tessera/Layout/Layout.h"

namespace tessera {

/// mma.sync.m16n8k16 with 16-bit A and B and 32-bit C: (register, lane) -> (m, k), (k, n), (m, n).
Layout mmaM16N8K16A();
Layout mmaM16N8K16B();
Layout mmaM16N8K16C();

/// Results of ldmatrix / operands of stmatrix, 16-bit elements, `matrices` = 1, 2 or 4 of 8 x 8: (register, lane) -> (row, col,
/// matrix); transposed: row and col change places. Error: T0981.
llvm::Expected<Layout> ldmatrixFragment(int64_t matrices, bool transposed);
/// Which row the address of each lane is for: lane -> (row, matrix), lanes 8 * matrices and up repeat. Error: T0981.
llvm::Expected<Layout> ldmatrixAddresses(int64_t matrices);

/// wgmma accumulator of 64 x n, 32-bit: (register, lane, warp of the group) -> (m, n). n in 8, 16, …, 256. Error: T0981.
llvm::Expected<Layout> wgmmaD(int64_t n);
/// wgmma A operand in registers, 64 x 16, 16-bit: (register, lane, warp) -> (m, k).
Layout wgmmaA();

/// A tile (row, col) in shared memory as wgmma and tensor maps want it, K-major: panels of `swizzleBytes` (32, 64 or 128; 0
/// for none, panels of 16 bytes) by `rows`, 16-byte chunks XORed with bits of the row. `cols` is a multiple of the panel
/// width, `rows` of 8. (row, col) -> offset in elements. Error: T0981.
llvm::Expected<Layout> swizzledTile(int64_t swizzleBytes, int64_t elementBytes, int64_t rows,
                                    int64_t cols);

} // namespace tessera

#endif // TESSERA_LAYOUT_FRAGMENTS_H
