// Atoms and digits: the least powers of two below which additions cannot carry.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Digits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

using namespace tessera;

namespace {
uint64_t lowMask(unsigned bits) { return (uint64_t(1) << bits) - 1; }

/// One pass over the modes, with the images met so far.
class AtomPass {
public:
  AtomPass(llvm::ArrayRef<OutDim> outs, llvm::SmallVectorImpl<unsigned> &atomBits,
           llvm::ArrayRef<uint64_t> xored)
      : outs(outs), atomBits(atomBits), taken(xored.begin(), xored.end()) {}

  llvm::Error visit(const Mode &mode) {
    llvm::SmallVector<int64_t, 2> values;
    bool xors = false;
    for (Stride stride : mode.strides) {
      xors |= stride.isXor;
      values.push_back(stride.isXor ? 0 : stride.value);
    }
    if (xors) {
      return takeBit(mode, values);
    }
    for (int64_t extent = mode.extent; extent > 1 && entersAtom(values); extent /= 2) {
      if (extent % 2) {
        return failure(mode, values);
      }
      if (llvm::Error error = takeBit(mode, values)) {
        return error;
      }
      for (int64_t &value : values) {
        value *= 2;
      }
    }
    return llvm::Error::success();
  }

private:
  bool entersAtom(llvm::ArrayRef<int64_t> values) const {
    for (unsigned out = 0; out < values.size(); ++out) {
      if (values[out] & lowMask(atomBits[out])) {
        return true;
      }
    }
    return false;
  }

  /// Makes a bit with the added images `values` part of the atom.
  llvm::Error takeBit(const Mode &mode, llvm::ArrayRef<int64_t> values) {
    for (unsigned out = 0; out < values.size(); ++out) {
      uint64_t image = values[out];
      if (image & taken[out]) {
        return failure(mode, values);
      }
      taken[out] |= image;
      atomBits[out] = std::max<unsigned>(atomBits[out], llvm::bit_width(image));
    }
    return llvm::Error::success();
  }

  llvm::Error failure(const Mode &mode, llvm::ArrayRef<int64_t> values) const {
    unsigned out = 0;
    while (out + 1 < values.size() && !(values[out] & (lowMask(atomBits[out]) | taken[out]))) {
      ++out;
    }
    std::string text =
        llvm::formatv("the mode {0} : {1}", mode.extent, mode.strides[out].value).str();
    return layoutError(LayoutDiag::layout_mixed, outs[out].name, text, atomBits[out],
                       int64_t(1) << atomBits[out]);
  }

  llvm::ArrayRef<OutDim> outs;
  llvm::SmallVectorImpl<unsigned> &atomBits;
  llvm::SmallVector<uint64_t, 2> taken;
};
} // namespace

llvm::Error tessera::settleAtoms(llvm::ArrayRef<InDim> ins, llvm::ArrayRef<OutDim> outs,
                                 llvm::SmallVectorImpl<unsigned> &atomBits) {
  atomBits.resize(outs.size(), 0);
  llvm::SmallVector<uint64_t, 2> xored(outs.size(), 0);
  for (const InDim &in : ins) {
    for (const Mode &mode : in.modes) {
      for (unsigned out = 0; out < outs.size(); ++out) {
        xored[out] |= mode.strides[out].isXor ? mode.strides[out].value : 0;
      }
    }
  }
  for (unsigned out = 0; out < outs.size(); ++out) {
    atomBits[out] = std::max<unsigned>(atomBits[out], llvm::bit_width(xored[out]));
  }
  // Taking a bit can enlarge an atom, and a larger atom takes more bits.
  llvm::SmallVector<unsigned, 2> before;
  do {
    before.assign(atomBits.begin(), atomBits.end());
    AtomPass pass(outs, atomBits, xored);
    for (const InDim &in : ins) {
      for (const Mode &mode : in.modes) {
        if (llvm::Error error = pass.visit(mode)) {
          return error;
        }
      }
    }
  } while (before != atomBits);
  return llvm::Error::success();
}

int64_t Digits::part(uint64_t image, unsigned out) const {
  return static_cast<int64_t>((image >> firstBit[out]) & lowMask(atomBits[out]));
}

llvm::SmallVector<uint64_t, 0> Digits::columns() const {
  llvm::SmallVector<uint64_t, 0> images;
  for (const BitDigit &bit : bits) {
    images.push_back(bit.image);
  }
  return images;
}

namespace {
/// Appends the digits of one mode: bits while it is inside the atoms, or while it moves nothing.
void splitMode(Digits &digits, unsigned in, int64_t place, const Mode &mode) {
  llvm::SmallVector<int64_t, 2> values;
  bool xors = false;
  for (Stride stride : mode.strides) {
    values.push_back(stride.value);
    xors |= stride.isXor;
  }
  bool repeats = llvm::all_of(values, [](int64_t value) { return value == 0; });
  int64_t extent = mode.extent;
  auto isBit = [&] {
    if (xors || (repeats && extent % 2 == 0)) {
      return true;
    }
    for (unsigned out = 0; out < values.size(); ++out) {
      if (values[out] & lowMask(digits.atomBits[out])) {
        return true;
      }
    }
    return false;
  };
  while (extent > 1 && isBit()) {
    BitDigit bit{in, place, 0};
    for (unsigned out = 0; out < values.size(); ++out) {
      bit.image |= static_cast<uint64_t>(values[out]) << digits.firstBit[out];
      values[out] *= 2;
    }
    digits.bits.push_back(bit);
    extent /= 2;
    place *= 2;
  }
  if (extent > 1) {
    digits.shell.push_back({in, place, extent, std::move(values)});
  }
}
} // namespace

llvm::Expected<Digits> tessera::splitDigits(const Layout &layout,
                                            llvm::ArrayRef<unsigned> minBits) {
  Digits digits;
  Layout joined = layout.coalesce();
  digits.atomBits.assign(minBits.begin(), minBits.end());
  if (llvm::Error error = settleAtoms(joined.ins(), joined.outs(), digits.atomBits)) {
    return std::move(error);
  }
  unsigned first = 0;
  for (unsigned bits : digits.atomBits) {
    digits.firstBit.push_back(first);
    first += bits;
  }
  if (first > 62) {
    return layoutError(LayoutDiag::layout_range, "in its outputs together");
  }
  for (unsigned in = 0; in < joined.ins().size(); ++in) {
    int64_t place = 1;
    for (const Mode &mode : joined.ins()[in].modes) {
      splitMode(digits, in, place, mode);
      place *= mode.extent;
    }
  }
  return digits;
}

Digits tessera::ownDigits(const Layout &layout) {
  // `Layout::get` has settled these very atoms, so this cannot fail.
  return llvm::cantFail(splitDigits(layout));
}
