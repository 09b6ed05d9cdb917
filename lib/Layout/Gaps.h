// The gaps of a layout, shared by complement, product and the inverses.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_LAYOUT_GAPS_H
#define TESSERA_LIB_LAYOUT_GAPS_H

#include "Digits.h"

namespace tessera {

/// As `complement`, for sizes that the layout may exceed; with `roundUp` the last gap of an output goes beyond its size
/// where that is not a multiple, instead of an error.
llvm::Expected<Layout> gapsOf(const Layout &layout, llvm::ArrayRef<int64_t> sizes,
                              llvm::StringRef rest, bool roundUp);

/// As `concat`, with the bits below which values are XORed given: those of the layout whose copies `b` places.
llvm::Expected<Layout> concatWithin(const Layout &a, const Layout &b,
                                    llvm::ArrayRef<unsigned> atoms);

/// `atomBits` of every output.
llvm::SmallVector<unsigned> atomsOf(const Layout &layout);

/// Error T0971 if a digit of the shell moves several outputs.
llvm::Error checkSeparable(const Layout &layout, const Digits &digits, llvm::StringRef what);

} // namespace tessera

#endif // TESSERA_LIB_LAYOUT_GAPS_H
