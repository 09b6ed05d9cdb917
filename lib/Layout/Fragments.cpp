// The fixed layouts, written as modes: one line for each digit, its steps along the axes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Layout/Fragments.h"

#include "tessera/Layout/Algebra.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;

namespace {
/// A mode of added strides.
Mode steps(int64_t extent, std::initializer_list<int64_t> strides) {
  Mode mode{extent, {}};
  for (int64_t stride : strides) {
    mode.strides.push_back({stride, false});
  }
  return mode;
}

InDim input(llvm::StringRef name, std::initializer_list<Mode> modes) {
  return InDim{name.str(), llvm::SmallVector<Mode, 4>(modes)};
}

llvm::Error argument(llvm::StringRef what, llvm::StringRef name, int64_t value,
                     llvm::StringRef expected) {
  return layoutError(LayoutDiag::fragment_argument, what, name, value, expected);
}
} // namespace

Layout tessera::mmaM16N8K16A() {
  InDim ins[] = {
      input(dims::reg, {steps(2, {0, 1}), steps(2, {8, 0}), steps(2, {0, 8})}),
      input(dims::lane, {steps(4, {0, 2}), steps(8, {1, 0})}),
  };
  return llvm::cantFail(Layout::get(ins, {{"m", 16}, {"k", 16}}));
}

Layout tessera::mmaM16N8K16B() {
  InDim ins[] = {
      input(dims::reg, {steps(2, {1, 0}), steps(2, {8, 0})}),
      input(dims::lane, {steps(4, {2, 0}), steps(8, {0, 1})}),
  };
  return llvm::cantFail(Layout::get(ins, {{"k", 16}, {"n", 8}}));
}

Layout tessera::mmaM16N8K16C() {
  InDim ins[] = {
      input(dims::reg, {steps(2, {0, 1}), steps(2, {8, 0})}),
      input(dims::lane, {steps(4, {0, 2}), steps(8, {1, 0})}),
  };
  return llvm::cantFail(Layout::get(ins, {{"m", 16}, {"n", 8}}));
}

llvm::Expected<Layout> tessera::ldmatrixFragment(int64_t matrices, bool transposed) {
  if (!llvm::is_contained({1, 2, 4}, matrices)) {
    return argument("ldmatrix", "the number of matrices", matrices, "1, 2 or 4");
  }
  InDim ins[] = {
      input(dims::reg, {steps(2, {0, 1, 0}), steps(matrices, {0, 0, 1})}),
      input(dims::lane, {steps(4, {0, 2, 0}), steps(8, {1, 0, 0})}),
  };
  llvm::StringRef row = transposed ? "col" : "row";
  llvm::StringRef col = transposed ? "row" : "col";
  llvm::Expected<Layout> layout =
      Layout::get(ins, {{row.str(), 8}, {col.str(), 8}, {"matrix", matrices}});
  return layout ? layout->reorderOuts({"row", "col", "matrix"}) : std::move(layout);
}

llvm::Expected<Layout> tessera::ldmatrixAddresses(int64_t matrices) {
  if (!llvm::is_contained({1, 2, 4}, matrices)) {
    return argument("ldmatrix", "the number of matrices", matrices, "1, 2 or 4");
  }
  InDim lanes =
      input(dims::lane, {steps(8, {1, 0}), steps(matrices, {0, 1}), steps(4 / matrices, {0, 0})});
  return Layout::get(lanes, {{"row", 8}, {"matrix", matrices}});
}

llvm::Expected<Layout> tessera::wgmmaD(int64_t n) {
  if (n < 8 || n > 256 || n % 8) {
    return argument("wgmma", "n", n, "a multiple of 8 up to 256");
  }
  InDim ins[] = {
      input(dims::reg, {steps(2, {0, 1}), steps(2, {8, 0}), steps(n / 8, {0, 8})}),
      input(dims::lane, {steps(4, {0, 2}), steps(8, {1, 0})}),
      input(dims::warp, {steps(4, {16, 0})}),
  };
  return Layout::get(ins, {{"m", 64}, {"n", n}});
}

Layout tessera::wgmmaA() {
  InDim ins[] = {
      input(dims::reg, {steps(2, {0, 1}), steps(2, {8, 0}), steps(2, {0, 8})}),
      input(dims::lane, {steps(4, {0, 2}), steps(8, {1, 0})}),
      input(dims::warp, {steps(4, {16, 0})}),
  };
  return llvm::cantFail(Layout::get(ins, {{"m", 64}, {"k", 16}}));
}

llvm::Expected<Layout> tessera::swizzledTile(int64_t swizzleBytes, int64_t elementBytes,
                                             int64_t rows, int64_t cols) {
  if (!llvm::is_contained({0, 32, 64, 128}, swizzleBytes)) {
    return argument("swizzled tile", "the swizzle", swizzleBytes, "0, 32, 64 or 128 bytes");
  }
  if (!llvm::is_contained({1, 2, 4, 8, 16}, elementBytes)) {
    return argument("swizzled tile", "the element", elementBytes, "1, 2, 4, 8 or 16 bytes");
  }
  constexpr int64_t chunkBytes = 16;
  int64_t panel = std::max(swizzleBytes, chunkBytes) / elementBytes; // columns
  if (rows < 8 || rows % 8 || rows > (int64_t(1) << 31)) {
    return argument("swizzled tile", "the number of rows", rows, "a multiple of 8 below 2^31");
  }
  if (cols < panel || cols % panel || cols > (int64_t(1) << 30)) {
    return argument("swizzled tile", "the number of columns", cols,
                    "a multiple of " + std::to_string(panel) + " below 2^30");
  }
  InDim ins[] = {
      input("row", {steps(rows, {panel})}),
      input("col", {steps(panel, {1}), steps(cols / panel, {rows * panel})}),
  };
  llvm::Expected<Layout> plain = Layout::get(ins, OutDim{dims::offset.str(), 0});
  if (!plain || swizzleBytes == 0) {
    return plain;
  }
  // Of the byte address, bits 4 and up are XORed with bits 7 and up: 1, 2 or 3 of them.
  int64_t bits = swizzleBytes == 128 ? 3 : swizzleBytes == 64 ? 2 : 1;
  int64_t base = 4;
  for (int64_t bytes = elementBytes; bytes > 1; bytes /= 2) {
    --base;
  }
  return swizzled(*plain, bits, base, 3);
}
