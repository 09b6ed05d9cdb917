// Inverses: Gaussian elimination in the atoms, chains of strides outside.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "F2.h"
#include "Gaps.h"
#include "Raw.h"

#include "tessera/Layout/Algebra.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;

namespace {
class Inverter {
public:
  explicit Inverter(const Layout &layout) : layout(layout), digits(ownDigits(layout)) {}

  llvm::Expected<Layout> run() {
    for (const InDim &in : layout.ins()) {
      raw.outs.push_back({in.name, in.size()});
    }
    for (const BitDigit &bit : digits.bits) {
      driven.push_back({placeOf(bit.in, bit.place), {}, false});
    }
    for (const ShellDigit &digit : digits.shell) {
      driven.push_back({placeOf(digit.in, digit.place), {}, true});
    }
    F2Span span(digits.columns());
    for (unsigned out = 0; out < layout.outs().size(); ++out) {
      raw.inNames.push_back(layout.outs()[out].name);
      driveBits(out, span);
      if (llvm::Error error = driveShell(out)) {
        return std::move(error);
      }
    }
    if (llvm::Error error = raw.drive(driven)) {
      return std::move(error);
    }
    llvm::Expected<Layout> inverted = raw.finish();
    if (!inverted) {
      return inverted;
    }
    return inverted->coalesce();
  }

private:
  StrideVector placeOf(unsigned in, int64_t place) const {
    StrideVector strides(layout.ins().size());
    strides[in].value = place;
    return strides;
  }

  void driveBits(unsigned out, const F2Span &span) {
    for (unsigned bit = 0; bit < digits.atomBits[out]; ++bit) {
      unsigned mode = raw.addMode(out, 2);
      // Surjective, so every unit vector has a source.
      uint64_t sources = span.solve(uint64_t(1) << (digits.firstBit[out] + bit)).value_or(0);
      for (unsigned number = 0; number < digits.bits.size(); ++number) {
        if ((sources >> number) & 1) {
          driven[number].drivers.push_back({mode, 1});
        }
      }
    }
  }

  llvm::Error driveShell(unsigned out) {
    llvm::SmallVector<unsigned> chain;
    for (unsigned number = 0; number < digits.shell.size(); ++number) {
      if (digits.shell[number].strides[out]) {
        chain.push_back(number);
      }
    }
    llvm::sort(chain, [&](unsigned a, unsigned b) {
      return digits.shell[a].strides[out] < digits.shell[b].strides[out];
    });
    int64_t reached = int64_t(1) << digits.atomBits[out];
    for (unsigned number : chain) {
      const ShellDigit &digit = digits.shell[number];
      if (digit.strides[out] != reached) {
        return layoutError(LayoutDiag::not_divisible, "inverse", layout.outs()[out].name,
                           digit.strides[out], reached);
      }
      unsigned mode = raw.addMode(out, digit.extent);
      driven[digits.bits.size() + number].drivers.push_back({mode, 1});
      reached *= digit.extent;
    }
    return llvm::Error::success();
  }

  const Layout &layout;
  Digits digits;
  RawLayout raw;
  llvm::SmallVector<DrivenDigit, 0> driven;
};
} // namespace

llvm::Expected<Layout> tessera::rightInverse(const Layout &layout) {
  if (layout.ins().empty()) {
    return layoutError(LayoutDiag::layout_dims, "inverse: the layout has no input, expected one");
  }
  if (!isSurjective(layout)) {
    std::string names;
    std::string sizes;
    for (const OutDim &out : layout.outs()) {
      names += (names.empty() ? "" : ", ") + out.name;
      sizes += (sizes.empty() ? "" : ", ") + std::to_string(out.size);
    }
    return layoutError(LayoutDiag::not_surjective, "inverse", names, sizes);
  }
  Layout joined = layout.coalesce();
  if (llvm::Error error = checkSeparable(joined, ownDigits(joined), "inverse")) {
    return std::move(error);
  }
  return Inverter(joined).run();
}

llvm::Expected<Layout> tessera::leftInverse(const Layout &layout) {
  std::string rest = "rest";
  while (layout.findIn(rest)) {
    rest += "'";
  }
  llvm::SmallVector<int64_t> sizes;
  for (const OutDim &out : layout.outs()) {
    sizes.push_back(out.size);
  }
  llvm::Expected<Layout> gaps = gapsOf(layout, sizes, rest, true);
  if (!gaps) {
    return gaps;
  }
  llvm::Expected<Layout> whole = concatWithin(layout, *gaps, atomsOf(layout));
  if (whole) {
    // The gaps may reach beyond the sizes; what is reached is a full box.
    whole = whole->withOutSizes(llvm::SmallVector<int64_t>(sizes.size(), 0));
  }
  if (whole) {
    whole = rightInverse(*whole);
  }
  if (!whole) {
    return whole;
  }
  llvm::SmallVector<llvm::StringRef> kept;
  for (const InDim &in : layout.ins()) {
    kept.push_back(in.name);
  }
  return restrictOuts(*whole, kept);
}

llvm::Expected<Layout> tessera::inverse(const Layout &layout) {
  if (!isInjective(layout)) {
    return layoutError(LayoutDiag::not_injective, "inverse");
  }
  return rightInverse(layout);
}
