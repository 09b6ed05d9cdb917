// Layouts: where each element of a tile lives. A pure C++ library, no IR. A tutorial; the class follows.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// # The problem
//
// A tile of 16 x 16 numbers is spread over the registers of 32 lanes, or over the bytes of shared memory. A compiler must
// answer: which register of which lane holds element (3, 5)? Which elements does a 16-byte store of lane 7 write, do its
// addresses collide in the memory banks with those of lane 6, and how do the numbers get from one spread to another? All
// of these are questions about functions between small boxes of integers. A `Layout` is such a function, kept in a form in
// which the answers can be computed instead of enumerated.
//
// # A 4 x 4 example
//
// Four lanes with four registers each hold a 4 x 4 tile, every lane a block of 2 x 2:
//
//            col 0    1      2    3
//     row 0   l0 r0  l0 r1  l1 r0  l1 r1
//     row 1   l0 r2  l0 r3  l1 r2  l1 r3
//     row 2   l2 r0  l2 r1  l3 r0  l3 r1
//     row 3   l2 r2  l2 r3  l3 r2  l3 r3
//
// The function goes from (register, lane) to (row, col). Write the inputs in binary; each bit moves the element by a fixed
// amount:
//
//     register bit 0 -> (0, 1)     register bit 1 -> (1, 0)     lane bit 0 -> (0, 2)     lane bit 1 -> (2, 0)
//
// and register 3 of lane 2 is at (0, 1) + (1, 0) + (2, 0) = (3, 1). These four pairs are the whole layout. In the notation
// of shape and stride, one line for each output:
//
//     row = ((2, 2), (2, 2)) : ((0, 1), (0, 2))        col = ((2, 2), (2, 2)) : ((1, 0), (2, 0))
//
// The outer parentheses separate the input dims (register, lane), the inner ones the modes of a dim, fastest first. A mode
// `extent : stride` takes one digit of the input, in mixed radix, and contributes digit * stride.
//
// # Six examples
//
//  1. A matrix in memory, rows first: (row, col) -> offset is (4, 4) : (4, 1).
//  2. The same with rows padded by one element: (4, 4) : (5, 1). Strides need not be powers of two, nor extents.
//  3. The same with a swizzle: offset = 4 * row + (col XOR row). The bits of `row` are added in one place and XORed in
//     another, which no strides can say. Written compose(swizzle(2, 0, 2), (4, 4) : (4, 1)), or with `^` for strides that
//     are XORed: ((2, 2), (2, 2)) : ((^5, ^10), (^1, ^2)).
//  4. Every lane holds the same four numbers: (register, lane) -> index is (4, 32) : (1, 0). Stride 0 repeats.
//  5. The A operand of the 16 x 8 x 16 matrix instruction: (lane, register) -> position in a 16 x 16 tile with columns
//     first is ((4, 8), (2, 2, 2)) : ((32, 1), (16, 8, 128)). Groups of four lanes walk along a row by two columns.
//  6. An accumulator of 64 x 176: the register dim is (2, 2, 22) with column strides (1, 0, 8). 22 is no power of two; the
//     last mode is a shell of repetitions around an atom in which all is bits.
//
// # Why from hardware to tensor
//
// A distributed layout maps (register, lane, warp, block) to coordinates of the tile, not the other way round. That way it is
// always a function: when several lanes hold the same element (example 4) they map to one coordinate, while the other
// direction would have to name a set. It composes with what comes next, too: memory maps coordinates to offsets, so
// memory after distribution gives the address that each register of each lane touches, which is what banks and vector
// widths are about. Operations: see Algebra.h, Access.h, Convert.h; names of dims: `dims` below.
//
// # Mathematics
//
// Inputs i have modes; mode m takes a digit t_m, 0 <= t_m < extent_m. Each output d is
//
//     f_d = XOR over the modes m with an XORed stride of (t_m * x_md)   +   SUM over the others of (t_m * s_md)
//
// XORed modes have extent 2. The *atom* of output d is [0, 2^k), k the least number so that all XORed images are below
// 2^k and every added stride is either a multiple of 2^k or belongs to bits (extent 2 after splitting) whose images share
// no bit with anything else. Then below 2^k sum and XOR are the same thing and f_d is linear over GF(2), the field of two
// elements; above it f_d is an integer combination, and the two never carry into each other. `Layout::get` refuses
// functions that mix (T0962). In the atom, injective means full column rank, surjective full row rank, inverse is Gaussian
// elimination and the number of words in a bank is a power of two given by ranks. In the shell the same questions are
// about divisibility of strides. A stride is stored as XORed only where the image shares bits with another image, and
// `coalesce` joins modes wherever that keeps the function, so two coalesced layouts are the same function exactly if they
// are equal member by member. All operations are exact: what cannot be represented is refused with the reason.
//
// # Compared with shape : stride and with linear layouts
//
// Shape and stride (as in the documentation of CuTe) has any extents and strides and a readable notation, kept here; but a
// swizzle stands outside of it, so an inverse or a conversion that meets a swizzle has no answer there. Linear layouts
// (Zhou et al., "Linear Layouts: Robust Code Generation of Efficient Tensor Computation Using F2", 2025) put everything
// into matrices over GF(2): swizzles, fragments and transposes are alike, conversions and bank conflicts become linear
// algebra; but extents are powers of two and nothing can be padded. Here the matrices sit inside and the strides outside:
// conversions meet only bits, and widths of 80, 96 or 176 exist. What is given up: a swizzle whose source or target bits are
// driven by an odd extent is refused, pad that extent instead. Both works were sources of ideas; the code
// and the text are this project's own.

#ifndef TESSERA_LAYOUT_LAYOUT_H
#define TESSERA_LAYOUT_LAYOUT_H

#include "tessera/Layout/LayoutError.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tessera {

/// Names of dims that more than one file agrees on. Any other name is fine for tile axes.
namespace dims {
/// Which value of a thread, counted in elements (not in 32-bit registers).
inline constexpr llvm::StringLiteral reg = "register";
inline constexpr llvm::StringLiteral lane = "lane";
inline constexpr llvm::StringLiteral warp = "warp";
inline constexpr llvm::StringLiteral block = "block";
/// A position in memory, counted in elements.
inline constexpr llvm::StringLiteral offset = "offset";
} // namespace dims

/// What one digit of an input contributes to one output.
struct Stride {
  int64_t value = 0;
  /// XORed instead of added; only modes of extent 2.
  bool isXor = false;

  bool operator==(const Stride &other) const {
    return value == other.value && isXor == other.isXor;
  }
};

using StrideVector = llvm::SmallVector<Stride, 2>;
using Coords = llvm::SmallVector<int64_t, 4>;

/// One digit of an input dim.
struct Mode {
  int64_t extent = 1;
  /// One for each output of the layout.
  StrideVector strides;

  bool operator==(const Mode &other) const {
    return extent == other.extent && strides == other.strides;
  }
};

struct InDim {
  std::string name;
  /// Fastest first; none means one point.
  llvm::SmallVector<Mode, 4> modes;

  /// Number of points.
  int64_t size() const;
  bool operator==(const InDim &other) const { return name == other.name && modes == other.modes; }
};

struct OutDim {
  std::string name;
  /// Values are in [0, size). 0 when given to `Layout::get`: the largest value plus one.
  int64_t size = 0;

  bool operator==(const OutDim &other) const { return name == other.name && size == other.size; }
};

/// A function from named inputs to named outputs; see the comment at the head of this file. Immutable; all extents,
/// strides, sizes and their products are below 2^62.
class Layout {
public:
  /// Checks and builds. Errors: T0960 (extents, strides), T0961 (range), T0962 (sums that carry into XORed bits), T0963
  /// (names), T0964 (values beyond a given size).
  static llvm::Expected<Layout> get(llvm::ArrayRef<InDim> ins, llvm::ArrayRef<OutDim> outs);

  /// Inputs with the given sizes mapped to one output, the first input fastest and without gaps.
  static llvm::Expected<Layout> columnMajor(llvm::ArrayRef<OutDim> ins, llvm::StringRef out);
  /// One input of Π sizes mapped to coordinates, the first output fastest: the inverse of `columnMajor`.
  static llvm::Expected<Layout> unravel(llvm::StringRef in, llvm::ArrayRef<OutDim> outs);
  /// `offset -> offset`, v XOR ((v >> shift) AND mask), mask = `bits` ones from bit `base`; a negative shift moves the
  /// source bits upwards. Covers `points` points, at least one period 2^(bits + base + |shift|). Error: T0972.
  static llvm::Expected<Layout> swizzle(int64_t bits, int64_t base, int64_t shift,
                                        int64_t points = 0);

  llvm::ArrayRef<InDim> ins() const { return inDims; }
  llvm::ArrayRef<OutDim> outs() const { return outDims; }
  std::optional<unsigned> findIn(llvm::StringRef name) const;
  std::optional<unsigned> findOut(llvm::StringRef name) const;
  /// Number of points of an input; 1 for a name the layout does not have.
  int64_t inSize(llvm::StringRef name) const;
  /// Number of points of all inputs together.
  int64_t size() const;
  /// Number of values of all outputs together, reached or not.
  int64_t outSize() const;
  /// k of the atom of output `out`; 0 when nothing is XORed.
  unsigned atomBits(unsigned out) const { return atoms[out]; }

  /// The value of each output. `coords` has one coordinate for each input, in order, each in range.
  Coords evaluate(llvm::ArrayRef<int64_t> coords) const;
  /// The same for a position among all inputs, the first input fastest.
  Coords evaluateAt(int64_t position) const;
  /// The value of a layout with a single output.
  int64_t at(int64_t position) const { return evaluateAt(position).front(); }
  /// The coordinates of a position, the first input fastest.
  Coords coordsOf(int64_t position) const;

  /// The same function under other names. Errors: T0963 for a wrong count or repeated names.
  llvm::Expected<Layout> withInNames(llvm::ArrayRef<llvm::StringRef> names) const;
  llvm::Expected<Layout> withOutNames(llvm::ArrayRef<llvm::StringRef> names) const;
  /// Inputs or outputs in another order; `names` is a permutation. Error: T0963.
  llvm::Expected<Layout> reorderIns(llvm::ArrayRef<llvm::StringRef> names) const;
  llvm::Expected<Layout> reorderOuts(llvm::ArrayRef<llvm::StringRef> names) const;
  /// Outputs with other sizes. Error: T0964.
  llvm::Expected<Layout> withOutSizes(llvm::ArrayRef<int64_t> sizes) const;

  /// Joins neighbouring modes of each input and drops extents of 1: the normal form of the function.
  Layout coalesce() const;
  /// All inputs as one, the first fastest.
  Layout flattenIns(llvm::StringRef name) const;

  /// Equality member by member: same order, same modes.
  bool operator==(const Layout &other) const {
    return inDims == other.inDims && outDims == other.outDims;
  }
  bool operator!=(const Layout &other) const { return !(*this == other); }

private:
  llvm::SmallVector<InDim, 3> inDims;
  llvm::SmallVector<OutDim, 2> outDims;
  llvm::SmallVector<unsigned, 2> atoms;
};

/// Equality of functions: the same inputs and outputs by name, in any order, and the same values everywhere. Sizes of
/// outputs are not compared.
bool equivalent(const Layout &a, const Layout &b);

/// Whether no two points have the same values. Exact, and therefore long where many strides overlap in odd ways.
bool isInjective(const Layout &layout);
/// Whether `isInjective` is decided in a few thousand steps: asked before where anybody may have written the layout. Holds
/// where strides nest, as in every layout of rows, tiles, fragments and swizzles.
bool isInjectiveDecidedSoon(const Layout &layout);
/// Whether every value below the sizes of the outputs is reached. Exact.
bool isSurjective(const Layout &layout);

} // namespace tessera

#endif // TESSERA_LAYOUT_LAYOUT_H
