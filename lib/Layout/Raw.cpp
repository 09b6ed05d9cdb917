// From raw modes to a layout: proofs that a sum may be read as an XOR.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Raw.h"

#include "llvm/ADT/bit.h"

using namespace tessera;

unsigned RawLayout::addMode(unsigned in, int64_t extent) {
  RawMode mode;
  mode.in = in;
  mode.extent = extent;
  mode.added.assign(outs.size(), 0);
  mode.xored.assign(outs.size(), 0);
  modes.push_back(std::move(mode));
  return modes.size() - 1;
}

void RawLayout::addAll(const Layout &layout, unsigned firstIn) {
  for (unsigned in = 0; in < layout.ins().size(); ++in) {
    for (const Mode &mode : layout.ins()[in].modes) {
      RawMode &raw = modes[addMode(firstIn + in, mode.extent)];
      for (unsigned out = 0; out < outs.size(); ++out) {
        Stride stride = mode.strides[out];
        (stride.isXor ? raw.xored : raw.added)[out] = stride.value;
      }
    }
  }
}

namespace {
llvm::Error carries(const OutDim &out, int64_t value, uint64_t taken) {
  unsigned bits = llvm::bit_width(taken);
  return layoutError(LayoutDiag::layout_mixed, out.name,
                     llvm::formatv("a bit of value {0}", value).str(), bits, int64_t(1) << bits);
}
} // namespace

llvm::Error RawLayout::drive(llvm::ArrayRef<DrivenDigit> digits) {
  for (unsigned out = 0; out < outs.size(); ++out) {
    uint64_t taken = 0;
    for (const DrivenDigit &digit : digits) {
      taken |= digit.strides[out].isXor ? digit.strides[out].value : 0;
    }
    for (const DrivenDigit &digit : digits) {
      Stride stride = digit.strides[out];
      bool shared = !stride.isXor && !digit.summed && digit.drivers.size() > 1 && stride.value;
      // value * (a XOR b) = (value * a) XOR (value * b), and its sum with the rest is an XOR if they share no bit.
      if (shared && (taken & stride.value)) {
        return carries(outs[out], stride.value, taken);
      }
      taken |= shared ? stride.value : 0;
      for (Driver driver : digit.drivers) {
        RawMode &mode = modes[driver.mode];
        if (stride.isXor || shared) {
          mode.xored[out] ^= stride.value;
        } else {
          mode.added[out] += driver.times * stride.value;
        }
      }
    }
  }
  return llvm::Error::success();
}

/// Leaves each mode with an addition or an XOR for this output.
llvm::Error RawLayout::mergeOutput(unsigned out) {
  uint64_t once = 0;
  uint64_t twice = 0;
  for (const RawMode &mode : modes) {
    twice |= once & mode.xored[out];
    once |= mode.xored[out];
  }
  uint64_t taken = 0;
  for (RawMode &mode : modes) {
    if (mode.xored[out] & twice) {
      taken |= mode.xored[out];
    } else {
      // Nothing else touches these bits: the XOR is a sum.
      mode.added[out] += mode.xored[out];
      mode.xored[out] = 0;
    }
  }
  for (RawMode &mode : modes) {
    if (!mode.xored[out] || !mode.added[out]) {
      continue;
    }
    if (mode.added[out] & taken) {
      return carries(outs[out], mode.added[out], taken);
    }
    taken |= mode.added[out];
    mode.xored[out] ^= mode.added[out];
    mode.added[out] = 0;
  }
  return llvm::Error::success();
}

llvm::Expected<Layout> RawLayout::finish() {
  for (unsigned out = 0; out < outs.size(); ++out) {
    if (llvm::Error error = mergeOutput(out)) {
      return std::move(error);
    }
  }
  llvm::SmallVector<InDim, 4> ins;
  for (const std::string &name : inNames) {
    ins.push_back({name, {}});
  }
  for (const RawMode &raw : modes) {
    Mode mode{raw.extent, {}};
    for (unsigned out = 0; out < outs.size(); ++out) {
      bool isXor = raw.xored[out] != 0;
      mode.strides.push_back({isXor ? raw.xored[out] : raw.added[out], isXor});
    }
    ins[raw.in].modes.push_back(std::move(mode));
  }
  return Layout::get(ins, outs);
}
