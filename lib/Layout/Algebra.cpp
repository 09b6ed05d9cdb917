// Complement, division, product, tensor product, slices and the small operations.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Layout/Algebra.h"

#include "Digits.h"
#include "F2.h"
#include "Gaps.h"
#include "Raw.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tessera;

namespace {
/// Shell digits that move output `out`, ascending strides.
llvm::SmallVector<const ShellDigit *> shellOf(const Digits &digits, unsigned out) {
  llvm::SmallVector<const ShellDigit *> found;
  for (const ShellDigit &digit : digits.shell) {
    if (digit.strides[out]) {
      found.push_back(&digit);
    }
  }
  llvm::sort(found, [&](const ShellDigit *a, const ShellDigit *b) {
    return a->strides[out] < b->strides[out];
  });
  return found;
}

/// Appends the gaps of one output's shell to input 0 of `raw`.
llvm::Error addShellGaps(RawLayout &raw, const Layout &layout, const Digits &digits, unsigned out,
                         int64_t size, bool roundUp) {
  int64_t covered = int64_t(1) << digits.atomBits[out];
  auto addGap = [&](int64_t extent) {
    if (extent > 1) {
      raw.modes[raw.addMode(0, extent)].added[out] = covered;
    }
  };
  auto indivisible = [&](int64_t value) {
    return layoutError(LayoutDiag::not_divisible, "complement", layout.outs()[out].name, value,
                       covered);
  };
  for (const ShellDigit *digit : shellOf(digits, out)) {
    int64_t stride = digit->strides[out];
    if (stride % covered) {
      return indivisible(stride);
    }
    addGap(stride / covered);
    covered = stride * digit->extent;
  }
  if (size % covered && !roundUp) {
    return indivisible(size);
  }
  addGap(size / covered + (size % covered != 0));
  return llvm::Error::success();
}
} // namespace

llvm::Error tessera::checkSeparable(const Layout &layout, const Digits &digits,
                                    llvm::StringRef what) {
  for (const ShellDigit &digit : digits.shell) {
    llvm::SmallVector<unsigned> moved;
    for (unsigned out = 0; out < digit.strides.size(); ++out) {
      if (digit.strides[out]) {
        moved.push_back(out);
      }
    }
    if (moved.size() > 1) {
      return layoutError(LayoutDiag::not_separable, what, digit.extent,
                         layout.outs()[moved[0]].name, layout.outs()[moved[1]].name);
    }
  }
  return llvm::Error::success();
}

llvm::Expected<Layout> tessera::gapsOf(const Layout &layout, llvm::ArrayRef<int64_t> sizes,
                                       llvm::StringRef rest, bool roundUp) {
  if (!isInjective(layout)) {
    return layoutError(LayoutDiag::not_injective, "complement");
  }
  Digits digits = ownDigits(layout);
  if (llvm::Error error = checkSeparable(layout, digits, "complement")) {
    return std::move(error);
  }
  RawLayout raw;
  raw.inNames.push_back(rest.str());
  for (const OutDim &out : layout.outs()) {
    raw.outs.push_back({out.name, 0});
  }
  F2Span span(digits.columns());
  for (unsigned out = 0; out < sizes.size(); ++out) {
    for (unsigned bit = 0; bit < digits.atomBits[out]; ++bit) {
      // Vectors without leading bits are the least of their cosets: one for each copy, in ascending order.
      if (!((span.leading() >> (digits.firstBit[out] + bit)) & 1)) {
        raw.modes[raw.addMode(0, 2)].added[out] = int64_t(1) << bit;
      }
    }
  }
  for (unsigned out = 0; out < sizes.size(); ++out) {
    if (llvm::Error error = addShellGaps(raw, layout, digits, out, sizes[out], roundUp)) {
      return std::move(error);
    }
  }
  llvm::Expected<Layout> gaps = raw.finish();
  if (!gaps) {
    return gaps.takeError();
  }
  return gaps->coalesce();
}

llvm::Expected<Layout> tessera::complement(const Layout &layout, llvm::StringRef rest) {
  llvm::SmallVector<int64_t> sizes;
  for (const OutDim &out : layout.outs()) {
    sizes.push_back(out.size);
  }
  llvm::Expected<Layout> gaps = gapsOf(layout, sizes, rest, false);
  return gaps ? gaps->withOutSizes(sizes) : std::move(gaps);
}

llvm::Expected<Layout> tessera::complement(const Layout &layout, llvm::ArrayRef<int64_t> sizes,
                                           llvm::StringRef rest) {
  llvm::Expected<Layout> resized = layout.withOutSizes(sizes);
  return resized ? complement(*resized, rest) : std::move(resized);
}

namespace {
/// Appends the digits of `layout` to `raw`: bits XORed, the shell added.
void addDigits(RawLayout &raw, const Digits &digits, unsigned firstIn) {
  struct Item {
    unsigned in;
    int64_t place;
    unsigned mode;
  };
  RawLayout parts;
  parts.outs = raw.outs;
  llvm::SmallVector<Item> items;
  for (const BitDigit &bit : digits.bits) {
    items.push_back({bit.in, bit.place, parts.addMode(firstIn + bit.in, 2)});
    for (unsigned out = 0; out < raw.outs.size(); ++out) {
      parts.modes.back().xored[out] = digits.part(bit.image, out);
    }
  }
  for (const ShellDigit &digit : digits.shell) {
    items.push_back({digit.in, digit.place, parts.addMode(firstIn + digit.in, digit.extent)});
    parts.modes.back().added = digit.strides;
  }
  llvm::sort(items, [](const Item &a, const Item &b) {
    return std::pair(a.in, a.place) < std::pair(b.in, b.place);
  });
  for (const Item &item : items) {
    raw.modes.push_back(parts.modes[item.mode]);
  }
}
} // namespace

llvm::Expected<Layout> tessera::concatWithin(const Layout &a, const Layout &b,
                                             llvm::ArrayRef<unsigned> atoms) {
  llvm::SmallVector<llvm::StringRef> names;
  RawLayout raw;
  for (const OutDim &out : a.outs()) {
    names.push_back(out.name);
    raw.outs.push_back({out.name, 0});
  }
  llvm::Expected<Layout> sorted = b.reorderOuts(names);
  if (!sorted) {
    return sorted;
  }
  for (const Layout *layout : {&a, static_cast<const Layout *>(&*sorted)}) {
    unsigned firstIn = raw.inNames.size();
    for (const InDim &in : layout->ins()) {
      raw.inNames.push_back(in.name);
    }
    llvm::Expected<Digits> digits = splitDigits(*layout, atoms);
    if (!digits) {
      return digits.takeError();
    }
    if (llvm::all_of(digits->atomBits, [](unsigned bits) { return bits == 0; })) {
      raw.addAll(*layout, firstIn); // keeps the modes as they were written
    } else {
      addDigits(raw, *digits, firstIn);
    }
  }
  llvm::Expected<Layout> joined = raw.finish();
  if (!joined) {
    return joined;
  }
  llvm::SmallVector<int64_t> sizes;
  for (unsigned out = 0; out < names.size(); ++out) {
    sizes.push_back(
        std::max({joined->outs()[out].size, a.outs()[out].size, sorted->outs()[out].size}));
  }
  return joined->withOutSizes(sizes);
}

llvm::SmallVector<unsigned> tessera::atomsOf(const Layout &layout) {
  llvm::SmallVector<unsigned> atoms;
  for (unsigned out = 0; out < layout.outs().size(); ++out) {
    atoms.push_back(layout.atomBits(out));
  }
  return atoms;
}

llvm::Expected<Layout> tessera::concat(const Layout &a, const Layout &b) {
  llvm::SmallVector<unsigned> atoms = atomsOf(a);
  for (unsigned out = 0; out < atoms.size(); ++out) {
    if (std::optional<unsigned> other = b.findOut(a.outs()[out].name)) {
      atoms[out] = std::max(atoms[out], b.atomBits(*other));
    }
  }
  return concatWithin(a, b, atoms);
}

namespace {
llvm::Error checkOneOut(const Layout &layout, llvm::StringRef what) {
  if (layout.outs().size() == 1) {
    return llvm::Error::success();
  }
  return layoutError(
      LayoutDiag::layout_dims,
      llvm::formatv("{0}: a layout with {1} outputs, expected one; flatten them first", what,
                    layout.outs().size())
          .str());
}
} // namespace

llvm::Expected<Layout> tessera::logicalDivide(const Layout &layout, const Layout &tiler) {
  if (llvm::Error error = checkOneOut(tiler, "divide")) {
    return std::move(error);
  }
  llvm::Expected<Layout> tile = tiler.flattenIns("tile").withOutSizes(layout.size());
  if (!tile) {
    return tile;
  }
  llvm::Expected<Layout> rest = complement(*tile, "rest");
  if (!rest) {
    return rest;
  }
  llvm::Expected<Layout> both = concatWithin(*tile, *rest, atomsOf(*tile));
  return both ? compose(layout, *both) : std::move(both);
}

llvm::Expected<Layout> tessera::logicalProduct(const Layout &layout, const Layout &tiler) {
  if (llvm::Error error =
          llvm::joinErrors(checkOneOut(layout, "product"), checkOneOut(tiler, "product"))) {
    return std::move(error);
  }
  llvm::Expected<Layout> tight = tiler.withOutSizes(int64_t(0));
  if (!tight) {
    return tight;
  }
  __int128 cells = __int128(layout.size()) * tight->outs().front().size;
  if (cells > layoutLimit) {
    return layoutError(LayoutDiag::layout_range, "has a number of values that");
  }
  llvm::Expected<Layout> gaps = gapsOf(layout, static_cast<int64_t>(cells), "rest", true);
  if (!gaps) {
    return gaps;
  }
  llvm::Expected<Layout> copies = compose(*gaps, tight->flattenIns("rest"));
  return copies ? concatWithin(layout.flattenIns("tile"), *copies, atomsOf(layout))
                : std::move(copies);
}

llvm::Expected<Layout> tessera::tensorProduct(const Layout &a, const Layout &b) {
  RawLayout raw;
  raw.outs.assign(a.outs().begin(), a.outs().end());
  llvm::SmallVector<unsigned> place; // of b's outputs
  llvm::SmallVector<int64_t> scale;
  for (const OutDim &out : b.outs()) {
    std::optional<unsigned> shared = a.findOut(out.name);
    place.push_back(shared.value_or(raw.outs.size()));
    scale.push_back(shared ? a.outs()[*shared].size : 1);
    __int128 size = __int128(scale.back()) * out.size;
    if (size > layoutLimit) {
      return layoutError(LayoutDiag::layout_range, "reaches a value that");
    }
    if (shared) {
      raw.outs[*shared].size = static_cast<int64_t>(size);
    } else {
      raw.outs.push_back(out);
    }
  }
  for (const InDim &in : a.ins()) {
    raw.inNames.push_back(in.name);
    for (const Mode &mode : in.modes) {
      RawMode &target = raw.modes[raw.addMode(raw.inNames.size() - 1, mode.extent)];
      for (unsigned out = 0; out < a.outs().size(); ++out) {
        Stride stride = mode.strides[out];
        (stride.isXor ? target.xored : target.added)[out] = stride.value;
      }
    }
  }
  for (const InDim &in : b.ins()) {
    auto *found = llvm::find(raw.inNames, in.name);
    unsigned number = found - raw.inNames.begin();
    if (found == raw.inNames.end()) {
      raw.inNames.push_back(in.name);
    }
    for (const Mode &mode : in.modes) {
      RawMode &target = raw.modes[raw.addMode(number, mode.extent)];
      for (unsigned out = 0; out < b.outs().size(); ++out) {
        Stride stride = mode.strides[out];
        if (stride.isXor && !llvm::isPowerOf2_64(scale[out])) {
          return layoutError(LayoutDiag::layout_mixed, b.outs()[out].name,
                             "an XORed value times the size " + std::to_string(scale[out]), 0, 1);
        }
        (stride.isXor ? target.xored : target.added)[place[out]] = stride.value * scale[out];
      }
    }
  }
  return raw.finish();
}

llvm::Expected<Layout> tessera::flattenOuts(const Layout &layout, llvm::StringRef name) {
  llvm::Expected<Layout> position = Layout::columnMajor(layout.outs(), name);
  return position ? compose(*position, layout) : std::move(position);
}

llvm::Expected<Layout> tessera::unflattenOut(const Layout &layout, llvm::ArrayRef<OutDim> outs) {
  if (llvm::Error error = checkOneOut(layout, "unflatten")) {
    return std::move(error);
  }
  llvm::Expected<Layout> box = Layout::unravel(layout.outs().front().name, outs);
  return box ? compose(*box, layout) : std::move(box);
}

Coords Slice::combine(llvm::ArrayRef<int64_t> values) const {
  Coords combined;
  for (unsigned out = 0; out < base.size(); ++out) {
    int64_t mask = (int64_t(1) << atomBits[out]) - 1;
    combined.push_back(((values[out] ^ base[out]) & mask) + (values[out] & ~mask) +
                       (base[out] & ~mask));
  }
  return combined;
}

namespace {
llvm::Error unknownDim(llvm::StringRef what, llvm::StringRef name) {
  return layoutError(LayoutDiag::layout_dims,
                     (what + ": the layout has no dim `" + name + "`").str());
}
} // namespace

llvm::Expected<Slice> tessera::slice(const Layout &layout, llvm::StringRef name, int64_t coord) {
  std::optional<unsigned> fixed = layout.findIn(name);
  if (!fixed) {
    return unknownDim("slice", name);
  }
  int64_t size = layout.ins()[*fixed].size();
  if (coord < 0 || coord >= size) {
    return layoutError(LayoutDiag::layout_dims,
                       llvm::formatv("slice: `{0}` has {1} points, coordinate {2} is none of them",
                                     name, size, coord)
                           .str());
  }
  Coords coords(layout.ins().size(), 0);
  coords[*fixed] = coord;
  llvm::SmallVector<InDim, 3> ins(layout.ins().begin(), layout.ins().end());
  ins.erase(ins.begin() + *fixed);
  llvm::Expected<Layout> rest = Layout::get(ins, layout.outs());
  if (!rest) {
    return rest.takeError();
  }
  Slice result{std::move(*rest), layout.evaluate(coords), {}};
  for (unsigned out = 0; out < layout.outs().size(); ++out) {
    result.atomBits.push_back(layout.atomBits(out));
  }
  return result;
}

llvm::Expected<Layout> tessera::restrictIns(const Layout &layout,
                                            llvm::ArrayRef<llvm::StringRef> names) {
  llvm::SmallVector<InDim, 3> ins;
  for (llvm::StringRef name : names) {
    std::optional<unsigned> in = layout.findIn(name);
    if (!in) {
      return unknownDim("restrict", name);
    }
    ins.push_back(layout.ins()[*in]);
  }
  return Layout::get(ins, layout.outs());
}

llvm::Expected<Layout> tessera::restrictOuts(const Layout &layout,
                                             llvm::ArrayRef<llvm::StringRef> names) {
  llvm::SmallVector<OutDim> outs;
  llvm::SmallVector<InDim, 3> ins(layout.ins().begin(), layout.ins().end());
  llvm::SmallVector<unsigned> kept;
  for (llvm::StringRef name : names) {
    std::optional<unsigned> out = layout.findOut(name);
    if (!out) {
      return unknownDim("restrict", name);
    }
    kept.push_back(*out);
    outs.push_back(layout.outs()[*out]);
  }
  for (InDim &in : ins) {
    for (Mode &mode : in.modes) {
      StrideVector strides;
      for (unsigned out : kept) {
        strides.push_back(mode.strides[out]);
      }
      mode.strides = strides;
    }
  }
  return Layout::get(ins, outs);
}
