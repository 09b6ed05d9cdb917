// Index lists of views and tiles: every diagnostic with its sentence, its place and its way out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FrontendTesting.h"

namespace tessera::testing {
namespace {

// Line, items behind the kernel, diagnostics, help.
const DiagnosticCase cases[] = {
    {"TooFew", "let u = x[r]", "", "T0510 4:13 expected an index for each of the 2 axes, found 1",
     "write an index for every axis; `:` takes an axis of static extent whole"},
    {"TooMany", "let u = x[r, q, 0]", "",
     "T0510 4:13 expected an index for each of the 2 axes, found 3",
     "write an index for every axis; `:` takes an axis of static extent whole"},
    {"FloatIndex", "let u = x[r, s]", "", "T0511 4:18 `f32` cannot be an index",
     "index with a span, an integer or a tile of integers"},
    {"NegativeIndex", "let u = b[r, -1]", "", "T0512 4:18 the index -1 is not in [0, 64)",
     "indices are counted from 0 and do not wrap around"},
    {"IndexOutOfRange", "let u = b[r, 64]", "", "T0512 4:18 the index 64 is not in [0, 64)",
     "indices are counted from 0 and do not wrap around"},
    {"WildcardOnAView", "let u = x[r, _]", "", "T0513 4:18 a view is not indexed by `_`",
     "load first, then add the axis: `view[r, c][:, _]`"},
    {"RangeOnAView", "let u = b[r, 0..4]", "", "T0513 4:18 a view is not indexed by a range",
     "cut the view with `.slice(axis, lo, hi)`, or loop over `tiles(lo..hi, width)`"},
    {"ColonOnDynamicAxis", "let u = x[r, :]", "",
     "T0515 4:18 `:` takes an axis of static extent whole; axis 1 has the extent `N`",
     "use a span: `whole(N, width = …)`"},
    {"SpanTooLong", "let u = b[r, whole(65, width = 128)]", "",
     "T0517 4:18 the span ends at 65, the axis at 64",
     "index the axis with a span of its own extent"},
    {"WholeTooNarrow", "let u = b[r, whole(64, width = 32)]", "",
     "T0516 4:18 an extent of 64 does not fit a width of 32", "make the width at least the extent"},
    {"TileTooFew", "let u = t[:]", "",
     "T0510 4:13 expected an index for each of the 2 axes, found 1",
     "write `:` for every axis that stays; `_` adds an axis"},
    {"TileByNumber", "let u = t[0, :]", "", "T0514 4:15 a tile cannot be indexed so",
     "a tile is indexed by `:`, `_` and constant ranges: `t[0..1, :]` keeps an axis of extent 1"},
    {"SliceTooLong", "let u = t[0..5, :]", "", "T0518 4:15 0..5 is not a part of the axis",
     "0 <= lo < hi <= 4"},
    {"SliceBackwards", "let u = t[3..2, :]", "", "T0518 4:15 3..2 is not a part of the axis",
     "0 <= lo < hi <= 4"},
    {"SliceDynamic", "let u = t[0..M, :]", "",
     "T0401 4:18 a bound of a slice must be known at compile time",
     "only literals, constants, `static`, `tune` and const parameters of the instance are known at "
     "compile time"},
    {"IndexOfASpan", "let u = r[0]", "", "T0311 4:13 expected a number or a tile, found `span<4>`",
     "its indices are `.index`, its ends `.start` and `.stop`"},
};

class IndexDiagnostic : public ::testing::TestWithParam<DiagnosticCase> {};

TEST_P(IndexDiagnostic, SaysWhatIsWrong) { expectDiagnostic(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, IndexDiagnostic, ::testing::ValuesIn(cases), caseName);

} // namespace
} // namespace tessera::testing
