// Writer of the notation.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Layout/Algebra.h"
#include "tessera/Layout/Notation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

namespace {
bool hasXor(const Layout &layout) {
  return llvm::any_of(layout.ins(), [](const InDim &in) {
    return llvm::any_of(in.modes, [](const Mode &mode) {
      return llvm::any_of(mode.strides, [](Stride stride) { return stride.isXor; });
    });
  });
}

/// Writes one number for each mode, nested by inputs.
template <typename Function>
void writeTuple(llvm::raw_ostream &os, const Layout &layout, llvm::StringRef empty,
                Function number) {
  auto writeModes = [&](const InDim &in, bool nest) {
    if (in.modes.empty()) {
      os << empty;
      return;
    }
    os << (nest ? "(" : "");
    llvm::interleaveComma(in.modes, os, number);
    os << (nest ? ")" : "");
  };
  if (layout.ins().size() == 1 && layout.ins()[0].modes.size() < 2) {
    writeModes(layout.ins()[0], false);
    return;
  }
  os << '(';
  llvm::interleaveComma(layout.ins(), os,
                        [&](const InDim &in) { writeModes(in, in.modes.size() > 1); });
  os << ')';
}

std::string writeOutput(const Layout &layout, unsigned out) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writeTuple(os, layout, "1", [&](const Mode &mode) { os << mode.extent; });
  os << " : ";
  writeTuple(os, layout, "0", [&](const Mode &mode) {
    os << (mode.strides[out].isXor ? "^" : "") << mode.strides[out].value;
  });
  return text;
}

/// What a mode adds by XOR.
llvm::SmallVector<int64_t> xoredImages(const Layout &layout) {
  llvm::SmallVector<int64_t> images;
  for (const InDim &in : layout.ins()) {
    for (const Mode &mode : in.modes) {
      if (mode.strides[0].isXor) {
        images.push_back(mode.strides[0].value);
      }
    }
  }
  return images;
}

/// Whether the images may be summed after a swizzle: XOR is the sum where they share no bit. Most swizzles of the search are
/// told apart by this, at a thousandth of what a composition takes.
bool canBeSums(llvm::ArrayRef<int64_t> images, int64_t bits, int64_t base, int64_t shift) {
  int64_t source = ((int64_t(1) << bits) - 1) << (base + std::max<int64_t>(shift, 0));
  int64_t taken = 0;
  for (int64_t image : images) {
    int64_t moved = image & source;
    image ^= shift > 0 ? moved >> shift : moved << -shift;
    if (taken & image) {
      return false;
    }
    taken |= image;
  }
  return true;
}

/// A swizzle after which nothing is XORed. A swizzle undoes itself, so that layout = swizzle of the result.
std::optional<std::string> writeSwizzled(const Layout &layout) {
  constexpr int64_t maxBits = 20; // the search grows with the cube
  int64_t width = std::min<int64_t>(layout.atomBits(0), maxBits);
  llvm::SmallVector<int64_t> images = xoredImages(layout);
  for (int64_t bits = 1; 2 * bits <= width; ++bits) {
    for (int64_t base = 0; base + 2 * bits <= width; ++base) {
      for (int64_t distance = bits; bits + base + distance <= width; ++distance) {
        for (int64_t shift : {distance, -distance}) {
          if (!canBeSums(images, bits, base, shift)) {
            continue;
          }
          llvm::Expected<Layout> plain = swizzled(layout, bits, base, shift);
          if (!plain) {
            llvm::consumeError(plain.takeError());
          } else if (!hasXor(*plain)) {
            return llvm::formatv("compose(swizzle({0}, {1}, {2}), {3})", bits, base, shift,
                                 writeOutput(plain->coalesce(), 0))
                .str();
          }
        }
      }
    }
  }
  return std::nullopt;
}
} // namespace

std::string tessera::printLayout(const Layout &layout) {
  if (layout.outs().size() == 1) {
    if (hasXor(layout)) {
      if (std::optional<std::string> text = writeSwizzled(layout)) {
        return *text;
      }
    }
    return writeOutput(layout, 0);
  }
  std::string text;
  for (unsigned out = 0; out < layout.outs().size(); ++out) {
    text += (out ? ", " : "") + layout.outs()[out].name + " = " + writeOutput(layout, out);
  }
  return text;
}
