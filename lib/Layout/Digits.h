// A layout taken apart: bits inside the atoms of the outputs, integer digits outside. The working form of all algorithms.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_LAYOUT_DIGITS_H
#define TESSERA_LIB_LAYOUT_DIGITS_H

#include "tessera/Layout/Layout.h"

namespace tessera {

/// The largest extent, stride, size or product.
inline constexpr int64_t layoutLimit = int64_t(1) << 62;

/// A binary digit of input `in` with place value `place`.
struct BitDigit {
  unsigned in = 0;
  int64_t place = 1;
  /// The images in all outputs, side by side; see `Digits::part`.
  uint64_t image = 0;
};

/// A digit whose strides are multiples of 2^atomBits in every output.
struct ShellDigit {
  unsigned in = 0;
  int64_t place = 1;
  int64_t extent = 1;
  llvm::SmallVector<int64_t, 2> strides;
};

struct Digits {
  llvm::SmallVector<unsigned, 2> atomBits;
  /// Where the bits of each output begin in an image.
  llvm::SmallVector<unsigned, 2> firstBit;
  /// In order of inputs, ascending places.
  llvm::SmallVector<BitDigit, 0> bits;
  llvm::SmallVector<ShellDigit, 0> shell;

  unsigned numAtomBits() const { return firstBit.back() + atomBits.back(); }
  /// The bits of one output in an image.
  int64_t part(uint64_t image, unsigned out) const;
  /// The images of `bits`.
  llvm::SmallVector<uint64_t, 0> columns() const;
};

/// Finds the least atoms, at least `atomBits` on entry, in which XOR and sum agree; error T0962 if there are none. All
/// values are in range already.
llvm::Error settleAtoms(llvm::ArrayRef<InDim> ins, llvm::ArrayRef<OutDim> outs,
                        llvm::SmallVectorImpl<unsigned> &atomBits);

/// With no `minBits` this always succeeds; with larger atoms more of the layout becomes bits, or T0962.
llvm::Expected<Digits> splitDigits(const Layout &layout, llvm::ArrayRef<unsigned> minBits = {});

/// The digits with the atoms that the layout has.
Digits ownDigits(const Layout &layout);

} // namespace tessera

#endif // TESSERA_LIB_LAYOUT_DIGITS_H
