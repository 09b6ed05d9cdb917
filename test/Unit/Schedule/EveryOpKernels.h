// A small kernel for every op that has points, for EveryOpTest.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_TEST_UNIT_SCHEDULE_EVERYOPKERNELS_H
#define TESSERA_TEST_UNIT_SCHEDULE_EVERYOPKERNELS_H

#include "tessera/Numeric/ScalarOp.h"

#include "llvm/ADT/StringRef.h"

#include <map>
#include <string>
#include <vector>

namespace tessera::testing {

/// Lines that make the values a case uses, by their names.
inline const std::map<std::string, std::string> sources = {
    {"%f", "tile.load %xf[%r, :] : !tile.view<?x8xf32, in>, !tile.span<4> -> tensor<4x8xf32>"},
    {"%g", "tile.load %xg[%r, :] : !tile.view<?x8xf32, in>, !tile.span<4> -> tensor<4x8xf32>"},
    {"%q", "tile.load %xq[%r, :] : !tile.view<?x8xf32, in>, !tile.span<4> -> tensor<4x8xf32>"},
    {"%i", "tile.load %xi[%r, :] : !tile.view<?x8xi32, in>, !tile.span<4> -> tensor<4x8xi32>"},
    {"%j", "tile.load %xj[%r, :] : !tile.view<?x8xi32, in>, !tile.span<4> -> tensor<4x8xi32>"},
    {"%u", "tile.load %xu[%r, :] : !tile.view<?x8xui16, in>, !tile.span<4> -> tensor<4x8xui16>"},
    {"%b", "tile.load %xb[%r, :] : !tile.view<?x8xi1, in>, !tile.span<4> -> tensor<4x8xi1>"},
    {"%p", "tile.load %xp[%r, :] : !tile.view<?x8xi1, in>, !tile.span<4> -> tensor<4x8xi1>"},
    {"%h", "tile.load %xh[%r, :] : !tile.view<?x8xbf16, in>, !tile.span<4> -> tensor<4x8xbf16>"},
    {"%k", "tile.load %xk[:, :] : !tile.view<8x6xbf16, in> -> tensor<8x6xbf16>"},
    {"%acc", "tile.load %xa[%r, :] : !tile.view<?x6xf32, in>, !tile.span<4> -> tensor<4x6xf32>"},
    {"%one", "tile.load %xo[%r, :] : !tile.view<?x1xf32, in>, !tile.span<4> -> tensor<4x1xf32>"},
    {"%cond", "tile.load %xc[%r, :] : !tile.view<?x1xi1, in>, !tile.span<4> -> tensor<4x1xi1>"},
    {"%thin", "tile.load %xt[:, :] : !tile.view<4x1xf32, in> -> tensor<4x1xf32>"},
    {"%whole", "tile.load %xw[:, :] : !tile.view<4x8xf32, in> -> tensor<4x8xf32>"},
    {"%at", "tile.iota : tensor<8xi64>"},
    {"%seed", "tile.constant 7 : ui64"},
    {"%s", "tile.constant 1.5 : f32"},
    {"%n", "tile.constant 1 : i64"},
    {"%m", "tile.alloc : !tile.buf<4x8xf32, shared>"},
};

/// Arguments that these lines, and the cases, read.
inline const std::map<std::string, std::string> arguments = {
    {"%xf", "!tile.view<?x8xf32, in> shape ()[s0] -> (s0, 8)"},
    {"%xg", "!tile.view<?x8xf32, in> shape ()[s0] -> (s0, 8)"},
    {"%xq", "!tile.view<?x8xf32, in> shape ()[s0] -> (s0, 8)"},
    {"%xi", "!tile.view<?x8xi32, in> shape ()[s0] -> (s0, 8)"},
    {"%xj", "!tile.view<?x8xi32, in> shape ()[s0] -> (s0, 8)"},
    {"%xu", "!tile.view<?x8xui16, in> shape ()[s0] -> (s0, 8)"},
    {"%xb", "!tile.view<?x8xi1, in> shape ()[s0] -> (s0, 8)"},
    {"%xp", "!tile.view<?x8xi1, in> shape ()[s0] -> (s0, 8)"},
    {"%xh", "!tile.view<?x8xbf16, in> shape ()[s0] -> (s0, 8)"},
    {"%xk", "!tile.view<8x6xbf16, in> shape ()[s0] -> (8, 6)"},
    {"%xa", "!tile.view<?x6xf32, in> shape ()[s0] -> (s0, 6)"},
    {"%xo", "!tile.view<?x1xf32, in> shape ()[s0] -> (s0, 1)"},
    {"%xc", "!tile.view<?x1xi1, in> shape ()[s0] -> (s0, 1)"},
    {"%xt", "!tile.view<4x1xf32, in> shape ()[s0] -> (4, 1)"},
    {"%xw", "!tile.view<4x8xf32, in> shape ()[s0] -> (4, 8)"},
    {"%zf", "!tile.view<?x8xf32, inout> shape ()[s0] -> (s0, 8)"},
    {"%zi", "!tile.view<?x8xi32, inout> shape ()[s0] -> (s0, 8)"},
};

/// An op in a kernel. It stands before a loop of two steps that stores its results, so that it can be made in there.
struct OpCase {
  std::string op;                      ///< what is scheduled, `tile.cast`
  std::string text;                    ///< the op as IR; what it gives is `%v`
  std::vector<std::string> results;    ///< its types
  std::string before = "", after = ""; ///< lines around it
};

inline const std::vector<OpCase> opCases = {
    {"tile.bits", "tile.bits %h : tensor<4x8xbf16>", {"tensor<4x8xui16>"}},
    {"tile.from_bits",
     "tile.from_bits %u : tensor<4x8xui16> to tensor<4x8xbf16>",
     {"tensor<4x8xbf16>"}},
    {"tile.cast", "tile.cast %h : tensor<4x8xbf16> to tensor<4x8xf32>", {"tensor<4x8xf32>"}},
    {"tile.cmp", "tile.cmp lt, %f, %g : tensor<4x8xf32>", {"tensor<4x8xi1>"}},
    {"tile.select", "tile.select %b, %f, %g : tensor<4x8xf32>", {"tensor<4x8xf32>"}},
    {"tile.convert", "tile.convert %f : tensor<4x8xf32>", {"tensor<4x8xf32>"}},
    {"tile.fill_absent", "tile.fill_absent %f, %whole : tensor<4x8xf32>", {"tensor<4x8xf32>"}},
    {"tile.present", "tile.present %f : tensor<4x8xf32>", {"tensor<4x8xi1>"}},
    {"tile.iota", "tile.iota : tensor<8xi64>", {"tensor<8xi64>"}},
    {"tile.philox",
     "tile.philox %seed, %seed, %at : tensor<8xi64> -> tensor<8xui32>",
     {"tensor<8xui32>", "tensor<8xui32>", "tensor<8xui32>", "tensor<8xui32>"}},
    {"tile.absent", "tile.absent : tensor<4x8xf32>", {"tensor<4x8xf32>"}},
    {"tile.constant", "tile.constant 1.0 : f32 tensor<4x8xf32>", {"tensor<4x8xf32>"}},
    {"tile.splat", "tile.splat %s : f32 to tensor<4x8xf32>", {"tensor<4x8xf32>"}},
    {"tile.broadcast",
     "tile.broadcast %one : tensor<4x1xf32> to tensor<4x8xf32>",
     {"tensor<4x8xf32>"}},
    {"tile.cat",
     "tile.cat %whole, %thin along 1 : tensor<4x8xf32>, tensor<4x1xf32> to tensor<4x9xf32>",
     {"tensor<4x9xf32>"}},
    {"tile.expand",
     "tile.expand %f at [1, 3] : tensor<4x8xf32> to tensor<4x1x8x1xf32>",
     {"tensor<4x1x8x1xf32>"}},
    {"tile.squeeze",
     "tile.squeeze %one at [1] : tensor<4x1xf32> to tensor<4xf32>",
     {"tensor<4xf32>"}},
    {"tile.flip", "tile.flip %f along 1 : tensor<4x8xf32>", {"tensor<4x8xf32>"}},
    {"tile.keep_if",
     "tile.keep_if %f, %cond over [0] : tensor<4x8xf32>, tensor<4x1xi1>",
     {"tensor<4x8xf32>"}},
    {"tile.permute",
     "tile.permute %f, [1, 0] : tensor<4x8xf32> to tensor<8x4xf32>",
     {"tensor<8x4xf32>"}},
    {"tile.reshape",
     "tile.reshape %whole : tensor<4x8xf32> to tensor<4x2x4xf32>",
     {"tensor<4x2x4xf32>"}},
    {"tile.slice",
     "tile.slice %f from [1, 2] : tensor<4x8xf32> to tensor<2x5xf32>",
     {"tensor<2x5xf32>"}},
    {"tile.reduce",
     "tile.reduce sum %f along 1 : tensor<4x8xf32> -> tensor<4xf32>",
     {"tensor<4xf32>"}},
    {"tile.argmax",
     "tile.argmax %f along 1 : tensor<4x8xf32> -> tensor<4xf32>, tensor<4xi64>",
     {"tensor<4xf32>", "tensor<4xi64>"}},
    {"tile.argmin",
     "tile.argmin %f along 1 : tensor<4x8xf32> -> tensor<4xf32>, tensor<4xi64>",
     {"tensor<4xf32>", "tensor<4xi64>"}},
    {"tile.histogram", "tile.histogram %i : tensor<4x8xi32> -> tensor<16xi64>", {"tensor<16xi64>"}},
    {"tile.mma",
     "tile.mma %h, %k, %acc : tensor<4x8xbf16>, tensor<8x6xbf16>, tensor<4x6xf32>",
     {"tensor<4x6xf32>"}},
    {"tile.scan",
     "tile.scan sum %f along 1 : tensor<4x8xf32> -> tensor<4x8xf32>",
     {"tensor<4x8xf32>"}},
    {"tile.topk",
     "tile.topk 2 of %f along 1 : tensor<4x8xf32> -> tensor<4x2xf32>, tensor<4x2xi64>",
     {"tensor<4x2xf32>", "tensor<4x2xi64>"}},
    {"tile.reduce_with",
     "tile.reduce_with %f, %s along 1 : tensor<4x8xf32>, f32 -> tensor<4xf32> {\n"
     "^bb0(%l: f32, %o: f32):\n  tile.yield %o : f32\n}",
     {"tensor<4xf32>"}},
    {"tile.scan_with",
     "tile.scan_with %f, %s along 1 : tensor<4x8xf32>, f32 -> tensor<4x8xf32> {\n"
     "^bb0(%l: f32, %o: f32):\n  tile.yield %o : f32\n}",
     {"tensor<4x8xf32>"}},
    {"tile.span_index", "tile.span_index %r : !tile.span<4> -> tensor<4xi64>", {"tensor<4xi64>"}},
    {"tile.load",
     "tile.load %xf[%r, :] : !tile.view<?x8xf32, in>, !tile.span<4> -> tensor<4x8xf32>",
     {"tensor<4x8xf32>"}},
    {"tile.store",
     "tile.store %f, %zf[%r, :] : tensor<4x8xf32>, !tile.view<?x8xf32, inout>, !tile.span<4>",
     {}},
    {"tile.atomic",
     "tile.atomic add %i, %zi[%r, :] : tensor<4x8xi32>, !tile.view<?x8xi32, inout>, !tile.span<4>",
     {}},
    {"tile.copy",
     "tile.copy %xf[%r, :] to %m fill zero : !tile.view<?x8xf32, in>, !tile.span<4> to "
     "!tile.buf<4x8xf32, shared>",
     {},
     "",
     "%t = tile.read %m span[%r, :] : !tile.buf<4x8xf32, shared>, !tile.span<4> -> "
     "tensor<4x8xf32>\n"
     "tile.store %t, %zf[%r, :] : tensor<4x8xf32>, !tile.view<?x8xf32, inout>, !tile.span<4>"},
    {"tile.copy_out",
     "tile.copy_out %m to %zf[%r, :] : !tile.buf<4x8xf32, shared> to !tile.view<?x8xf32, inout>, "
     "!tile.span<4>",
     {},
     "tile.write %whole to %m : tensor<4x8xf32> to !tile.buf<4x8xf32, shared>"},
    {"tile.read",
     "tile.read %m span[%r, :] : !tile.buf<4x8xf32, shared>, !tile.span<4> -> tensor<4x8xf32>",
     {"tensor<4x8xf32>"},
     "tile.write %whole to %m : tensor<4x8xf32> to !tile.buf<4x8xf32, shared>"},
    {"tile.write",
     "tile.write %whole to %m : tensor<4x8xf32> to !tile.buf<4x8xf32, shared>",
     {},
     "",
     "%t = tile.read %m span[%r, :] : !tile.buf<4x8xf32, shared>, !tile.span<4> -> "
     "tensor<4x8xf32>\n"
     "tile.store %t, %zf[%r, :] : tensor<4x8xf32>, !tile.view<?x8xf32, inout>, !tile.span<4>"},
};

/// A case for a row of the table of elementwise ops.
OpCase elementwiseCase(llvm::StringRef name, ScalarOp row);
/// The kernel of a case, as IR.
std::string kernelOf(const OpCase &given);

} // namespace tessera::testing

#endif // TESSERA_TEST_UNIT_SCHEDULE_EVERYOPKERNELS_H
