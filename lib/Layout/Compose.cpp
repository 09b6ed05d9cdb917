// Composition. Each value of the inner layout is read in the digits of the outer one: modes of the inner layout are split until
// each drives digits without carry, and what the digits contribute is added up for each mode.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Digits.h"
#include "Raw.h"

#include "tessera/Layout/Algebra.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tessera;

namespace {
/// One input of the outer layout as digits; the low ones are split into bits as far as the inner layout XORs.
struct Radix {
  std::string name;
  unsigned atomBits = 0;
  int64_t points = 1;
  struct Digit {
    int64_t place;
    int64_t extent;
    StrideVector strides;
  };
  llvm::SmallVector<Digit> digits;

  /// The digits of a value, lowest first; the last one takes all that is left.
  llvm::SmallVector<int64_t> decompose(int64_t value) const {
    llvm::SmallVector<int64_t> parts;
    for (const Digit &digit : digits) {
      bool last = &digit == &digits.back();
      int64_t above = value / digit.place;
      parts.push_back(last ? above : above % digit.extent);
    }
    return parts;
  }
};

class Composer {
public:
  Composer(const Layout &outer, const Layout &inner) : outer(outer), inner(inner) {}

  llvm::Expected<Layout> run() {
    raw.outs.assign(outer.outs().begin(), outer.outs().end());
    for (unsigned mid = 0; mid < inner.outs().size(); ++mid) {
      llvm::Expected<Radix> radix = makeRadix(mid);
      if (!radix) {
        return radix.takeError();
      }
      radixes.push_back(std::move(*radix));
    }
    for (const InDim &in : inner.ins()) {
      raw.inNames.push_back(in.name);
      for (const Mode &mode : in.modes) {
        splitMode(raw.inNames.size() - 1, mode);
      }
    }
    llvm::SmallVector<DrivenDigit, 0> driven;
    for (unsigned mid = 0; mid < radixes.size(); ++mid) {
      if (llvm::Error error = driveRadix(mid, driven)) {
        return std::move(error);
      }
    }
    if (llvm::Error error = raw.drive(driven)) {
      return std::move(error);
    }
    return raw.finish();
  }

private:
  llvm::Expected<Radix> makeRadix(unsigned mid) {
    Radix radix;
    radix.name = inner.outs()[mid].name;
    radix.atomBits = inner.atomBits(mid);
    int64_t place = 1;
    int64_t atom = int64_t(1) << radix.atomBits;
    int64_t reach = inner.outs()[mid].size;
    for (Mode mode : outer.ins()[*outer.findIn(radix.name)].modes) {
      // An extent is as good as the power of two below it if no value goes further.
      uint64_t needed = llvm::PowerOf2Ceil(llvm::divideCeil(reach, place));
      if (place < atom && needed <= static_cast<uint64_t>(mode.extent)) {
        mode.extent = static_cast<int64_t>(needed);
      }
      while (place < atom && mode.extent > 1) {
        if (mode.extent % 2) {
          return layoutError(LayoutDiag::compose_bits, radix.name, radix.atomBits, mode.extent);
        }
        radix.digits.push_back({place, 2, mode.strides});
        place *= 2;
        mode.extent /= 2;
        for (Stride &stride : mode.strides) {
          stride.value *= mode.extent > 1 ? 2 : 1;
        }
      }
      if (mode.extent > 1) {
        radix.digits.push_back({place, mode.extent, mode.strides});
        place *= mode.extent;
      }
    }
    radix.points = place;
    return radix;
  }

  /// Where to split a mode with this extent and stride so that the parts stay within digits; 0 for nowhere.
  int64_t splitPoint(const Radix &radix, int64_t extent, int64_t stride) const {
    if (extent < 2 || stride == 0) {
      return 0;
    }
    if (stride % (int64_t(1) << radix.atomBits)) {
      return extent > 2 ? 2 : 0;
    }
    bool fits = true;
    llvm::SmallVector<int64_t> parts = radix.decompose(stride);
    for (unsigned i = 0; i < parts.size(); ++i) {
      fits &= parts[i] == 0 || (radix.digits[i].extent - 1) / parts[i] >= extent - 1;
    }
    if (fits) {
      return 0;
    }
    for (const Radix::Digit &digit : radix.digits) {
      int64_t boundary = digit.place * digit.extent;
      int64_t steps = boundary / stride;
      if (boundary % stride == 0 && steps > 1 && steps < extent && extent % steps == 0) {
        return steps;
      }
    }
    return 0;
  }

  void splitMode(unsigned in, const Mode &mode) {
    int64_t extent = mode.extent;
    StrideVector strides = mode.strides;
    while (true) {
      int64_t part = extent;
      for (unsigned mid = 0; mid < radixes.size(); ++mid) {
        // Splits of several outputs divide each other or the smaller one goes first and the rest is looked at again.
        int64_t at = strides[mid].isXor ? 0 : splitPoint(radixes[mid], extent, strides[mid].value);
        part = at ? std::min(part, at) : part;
      }
      raw.addMode(in, part);
      innerStrides.push_back(strides);
      extent /= part;
      if (extent == 1) {
        return;
      }
      for (Stride &stride : strides) {
        stride.value *= part;
      }
    }
  }

  llvm::Error driveRadix(unsigned mid, llvm::SmallVectorImpl<DrivenDigit> &driven) {
    const Radix &radix = radixes[mid];
    if (inner.outs()[mid].size > radix.points) {
      // The size may be larger than what is reached; only the latter counts.
      if (llvm::Error error = checkRange(mid)) {
        return error;
      }
    }
    size_t first = driven.size();
    llvm::SmallVector<__int128> loads(radix.digits.size(), 0);
    for (const Radix::Digit &digit : radix.digits) {
      driven.push_back({digit.strides, {}, digit.place >= (int64_t(1) << radix.atomBits)});
    }
    for (unsigned number = 0; number < innerStrides.size(); ++number) {
      int64_t extent = raw.modes[number].extent;
      Stride stride = innerStrides[number][mid];
      if (stride.value == 0 || extent == 1) {
        continue;
      }
      llvm::SmallVector<int64_t> parts = radix.decompose(stride.value);
      for (unsigned i = 0; i < parts.size(); ++i) {
        if (parts[i] == 0) {
          continue;
        }
        driven[first + i].drivers.push_back({number, parts[i]});
        loads[i] += driven[first + i].summed ? __int128(parts[i]) * (extent - 1) : 0;
        if (loads[i] >= radix.digits[i].extent) {
          return layoutError(LayoutDiag::compose_carry, stride.value, radix.name,
                             radix.digits[i].extent, radix.digits[i].place);
        }
      }
    }
    return llvm::Error::success();
  }

  llvm::Error checkRange(unsigned mid) {
    llvm::SmallVector<OutDim> sizes(inner.outs().begin(), inner.outs().end());
    sizes[mid].size = 0;
    llvm::Expected<Layout> tight = Layout::get(inner.ins(), sizes);
    if (!tight) {
      return tight.takeError();
    }
    int64_t reached = tight->outs()[mid].size;
    if (reached > radixes[mid].points) {
      return layoutError(LayoutDiag::compose_range, radixes[mid].name, reached - 1,
                         radixes[mid].points);
    }
    return llvm::Error::success();
  }

  Layout outer;
  Layout inner;
  RawLayout raw;
  llvm::SmallVector<Radix> radixes;
  llvm::SmallVector<StrideVector, 0> innerStrides; // of each raw mode, in the outputs of `inner`
};

bool sameNames(const Layout &outer, const Layout &inner) {
  return outer.ins().size() == inner.outs().size() &&
         llvm::all_of(inner.outs(), [&](const OutDim &out) { return outer.findIn(out.name); });
}
} // namespace

llvm::Expected<Layout> tessera::compose(const Layout &outer, const Layout &inner) {
  if (sameNames(outer, inner)) {
    return Composer(outer.coalesce(), inner).run();
  }
  if (inner.outs().size() == 1) {
    return Composer(outer.flattenIns(inner.outs().front().name).coalesce(), inner).run();
  }
  std::string text;
  for (const OutDim &out : inner.outs()) {
    text += (text.empty() ? "`" : ", `") + out.name + "`";
  }
  return layoutError(LayoutDiag::layout_dims,
                     "compose: the inner layout has outputs " + text +
                         ", the outer layout has other inputs; rename them to match");
}

llvm::Expected<Layout> tessera::swizzled(const Layout &layout, int64_t bits, int64_t base,
                                         int64_t shift) {
  if (layout.outs().size() != 1) {
    return layoutError(LayoutDiag::layout_dims,
                       "swizzle: the layout has several outputs, expected one; flatten them first");
  }
  llvm::Expected<Layout> outer = Layout::swizzle(bits, base, shift, layout.outs().front().size);
  if (!outer) {
    return outer.takeError();
  }
  llvm::StringRef name = layout.outs().front().name;
  outer = outer->withOutNames(name);
  if (!outer) {
    return outer.takeError();
  }
  return compose(*outer, layout);
}
