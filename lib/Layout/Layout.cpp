// Evaluation, names, and the normal form.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Layout/Layout.h"

#include "Digits.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;

int64_t InDim::size() const {
  int64_t points = 1;
  for (const Mode &mode : modes) {
    points *= mode.extent;
  }
  return points;
}

namespace {
template <typename Dims>
std::optional<unsigned> findDim(const Dims &dimensions, llvm::StringRef name) {
  for (unsigned number = 0; number < dimensions.size(); ++number) {
    if (dimensions[number].name == name) {
      return number;
    }
  }
  return std::nullopt;
}

/// The positions of `names` among the dims, which they permute.
template <typename Dims>
llvm::Expected<llvm::SmallVector<unsigned>> permutation(const Dims &dimensions,
                                                        llvm::ArrayRef<llvm::StringRef> names) {
  llvm::SmallVector<unsigned> order;
  for (llvm::StringRef name : names) {
    std::optional<unsigned> number = findDim(dimensions, name);
    if (!number || llvm::is_contained(order, *number)) {
      return layoutError(LayoutDiag::layout_dims,
                         ("`" + name + "` is not one of the dims left to order").str());
    }
    order.push_back(*number);
  }
  if (order.size() != dimensions.size()) {
    return layoutError(
        LayoutDiag::layout_dims,
        llvm::formatv("{0} names for {1} dims; name each once", names.size(), dimensions.size())
            .str());
  }
  return order;
}

llvm::Error wrongCount(size_t names, size_t dimensions) {
  return layoutError(
      LayoutDiag::layout_dims,
      llvm::formatv("{0} names for {1} dims; name each once", names, dimensions).str());
}
} // namespace

std::optional<unsigned> Layout::findIn(llvm::StringRef name) const { return findDim(inDims, name); }
std::optional<unsigned> Layout::findOut(llvm::StringRef name) const {
  return findDim(outDims, name);
}

int64_t Layout::inSize(llvm::StringRef name) const {
  std::optional<unsigned> in = findIn(name);
  return in ? inDims[*in].size() : 1;
}

int64_t Layout::size() const {
  int64_t points = 1;
  for (const InDim &in : inDims) {
    points *= in.size();
  }
  return points;
}

int64_t Layout::outSize() const {
  int64_t values = 1;
  for (const OutDim &out : outDims) {
    values *= out.size;
  }
  return values;
}

Coords Layout::evaluate(llvm::ArrayRef<int64_t> coords) const {
  Coords sums(outDims.size(), 0);
  Coords xors(outDims.size(), 0);
  for (unsigned in = 0; in < inDims.size(); ++in) {
    int64_t left = coords[in];
    for (const Mode &mode : inDims[in].modes) {
      int64_t digit = left % mode.extent;
      left /= mode.extent;
      for (unsigned out = 0; out < sums.size(); ++out) {
        Stride stride = mode.strides[out];
        if (stride.isXor) {
          xors[out] ^= digit * stride.value;
        } else {
          sums[out] += digit * stride.value;
        }
      }
    }
  }
  for (unsigned out = 0; out < sums.size(); ++out) {
    sums[out] += xors[out];
  }
  return sums;
}

Coords Layout::coordsOf(int64_t position) const {
  Coords coords;
  for (const InDim &in : inDims) {
    coords.push_back(position % in.size());
    position /= in.size();
  }
  return coords;
}

Coords Layout::evaluateAt(int64_t position) const { return evaluate(coordsOf(position)); }

llvm::Expected<Layout> Layout::columnMajor(llvm::ArrayRef<OutDim> ins, llvm::StringRef out) {
  llvm::SmallVector<InDim, 4> inputs;
  __int128 stride = 1;
  for (const OutDim &in : ins) {
    inputs.push_back({in.name, {Mode{in.size, {{static_cast<int64_t>(stride), false}}}}});
    stride *= in.size;
    if (stride > layoutLimit) {
      return layoutError(LayoutDiag::layout_range, "has a number of points that");
    }
  }
  return get(inputs, OutDim{out.str(), std::max<int64_t>(static_cast<int64_t>(stride), 0)});
}

llvm::Expected<Layout> Layout::unravel(llvm::StringRef in, llvm::ArrayRef<OutDim> outs) {
  InDim input{in.str(), {}};
  for (unsigned out = 0; out < outs.size(); ++out) {
    Mode mode{outs[out].size, StrideVector(outs.size())};
    mode.strides[out].value = 1;
    input.modes.push_back(mode);
  }
  return get(input, outs);
}

llvm::Expected<Layout> Layout::swizzle(int64_t bits, int64_t base, int64_t shift, int64_t points) {
  auto wrong = [&](llvm::StringRef what) {
    return layoutError(LayoutDiag::swizzle_argument, bits, base, shift, what);
  };
  if (bits < 0 || base < 0) {
    return wrong("a negative number of bits");
  }
  if (shift < -62 || shift > 62 || bits > 62 || base > 62 || bits + base + std::abs(shift) > 62) {
    return wrong("more than 62 bits");
  }
  if (std::abs(shift) < bits) {
    return wrong("source and target bits overlap");
  }
  int64_t width = bits + base + std::abs(shift);
  int64_t source = base + std::max<int64_t>(shift, 0);
  InDim in{dims::offset.str(), {}};
  for (int64_t bit = 0; bit < width; ++bit) {
    int64_t image = int64_t(1) << bit;
    if (bit >= source && bit < source + bits) {
      image |= int64_t(1) << (bit - shift);
    }
    in.modes.push_back(Mode{2, {{image, true}}});
  }
  int64_t period = int64_t(1) << width;
  int64_t periods = std::max<int64_t>(1, points / period + (points % period != 0));
  in.modes.push_back(Mode{periods, {{period, false}}});
  return get(in, OutDim{dims::offset.str(), 0});
}

llvm::Expected<Layout> Layout::withInNames(llvm::ArrayRef<llvm::StringRef> names) const {
  if (names.size() != inDims.size()) {
    return wrongCount(names.size(), inDims.size());
  }
  Layout renamed = *this;
  for (unsigned in = 0; in < names.size(); ++in) {
    renamed.inDims[in].name = names[in].str();
  }
  return get(renamed.inDims, renamed.outDims);
}

llvm::Expected<Layout> Layout::withOutNames(llvm::ArrayRef<llvm::StringRef> names) const {
  if (names.size() != outDims.size()) {
    return wrongCount(names.size(), outDims.size());
  }
  Layout renamed = *this;
  for (unsigned out = 0; out < names.size(); ++out) {
    renamed.outDims[out].name = names[out].str();
  }
  return get(renamed.inDims, renamed.outDims);
}

llvm::Expected<Layout> Layout::reorderIns(llvm::ArrayRef<llvm::StringRef> names) const {
  llvm::Expected<llvm::SmallVector<unsigned>> order = permutation(inDims, names);
  if (!order) {
    return order.takeError();
  }
  Layout sorted = *this;
  for (unsigned in = 0; in < order->size(); ++in) {
    sorted.inDims[in] = inDims[(*order)[in]];
  }
  return sorted;
}

llvm::Expected<Layout> Layout::reorderOuts(llvm::ArrayRef<llvm::StringRef> names) const {
  llvm::Expected<llvm::SmallVector<unsigned>> order = permutation(outDims, names);
  if (!order) {
    return order.takeError();
  }
  Layout sorted = *this;
  for (unsigned out = 0; out < order->size(); ++out) {
    unsigned from = (*order)[out];
    sorted.outDims[out] = outDims[from];
    sorted.atoms[out] = atoms[from];
    for (unsigned in = 0; in < inDims.size(); ++in) {
      for (unsigned mode = 0; mode < inDims[in].modes.size(); ++mode) {
        sorted.inDims[in].modes[mode].strides[out] = inDims[in].modes[mode].strides[from];
      }
    }
  }
  return sorted;
}

llvm::Expected<Layout> Layout::withOutSizes(llvm::ArrayRef<int64_t> sizes) const {
  if (sizes.size() != outDims.size()) {
    return wrongCount(sizes.size(), outDims.size());
  }
  Layout resized = *this;
  for (unsigned out = 0; out < sizes.size(); ++out) {
    resized.outDims[out].size = sizes[out];
  }
  return get(resized.inDims, resized.outDims);
}

namespace {
/// Whether `next` goes on where `mode` ends, so that one mode says both.
bool continues(const Mode &mode, const Mode &next) {
  for (unsigned out = 0; out < mode.strides.size(); ++out) {
    Stride a = mode.strides[out];
    Stride b = next.strides[out];
    // The product cannot overflow: values are bounded by (extent - 1) * stride < 2^62 with extent >= 2.
    if (a.isXor || b.isXor || a.value * mode.extent != b.value) {
      return false;
    }
  }
  return true;
}
} // namespace

Layout Layout::coalesce() const {
  Layout joined = *this;
  for (InDim &in : joined.inDims) {
    llvm::SmallVector<Mode, 4> modes;
    for (const Mode &mode : in.modes) {
      if (mode.extent == 1) {
        continue;
      }
      if (!modes.empty() && continues(modes.back(), mode)) {
        modes.back().extent *= mode.extent;
      } else {
        modes.push_back(mode);
      }
    }
    in.modes = std::move(modes);
  }
  return joined;
}

Layout Layout::flattenIns(llvm::StringRef name) const {
  Layout flat = *this;
  InDim all{name.str(), {}};
  for (const InDim &in : inDims) {
    all.modes.append(in.modes.begin(), in.modes.end());
  }
  flat.inDims.assign(1, all);
  return flat;
}
