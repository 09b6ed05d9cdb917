// Layouts under construction: modes that XOR one thing and add another at the same time, and digits of one function that are
// driven by the modes of another.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_LAYOUT_RAW_H
#define TESSERA_LIB_LAYOUT_RAW_H

#include "tessera/Layout/Layout.h"

namespace tessera {

struct RawMode {
  unsigned in = 0;
  int64_t extent = 1;
  /// For each output; `xored` only with extent 2.
  llvm::SmallVector<int64_t, 2> added;
  llvm::SmallVector<int64_t, 2> xored;
};

/// A mode of the argument drives a digit of a function: the digit's value gets `times` the mode's digit.
struct Driver {
  unsigned mode = 0;
  int64_t times = 1;
};

/// A digit of a function, with what it contributes.
struct DrivenDigit {
  StrideVector strides;
  llvm::SmallVector<Driver, 2> drivers;
  /// The digit's value is the sum of what drives it, without carry; otherwise the XOR.
  bool summed = false;
};

class RawLayout {
public:
  llvm::SmallVector<std::string> inNames;
  llvm::SmallVector<RawMode, 0> modes;
  llvm::SmallVector<OutDim, 2> outs;

  /// Appends a mode to an input; returns its number.
  unsigned addMode(unsigned in, int64_t extent);
  /// Appends all modes of `layout`, its input `i` as input `firstIn + i`; outputs in the order of `outs`.
  void addAll(const Layout &layout, unsigned firstIn);
  /// Adds to the modes what the digits contribute. Error T0962 where a digit that is the XOR of several modes is added.
  llvm::Error drive(llvm::ArrayRef<DrivenDigit> digits);
  /// The layout; error T0962 when XOR and sum interfere.
  llvm::Expected<Layout> finish();

private:
  llvm::Error mergeOutput(unsigned out);
};

} // namespace tessera

#endif // TESSERA_LIB_LAYOUT_RAW_H
