// Building a layout: checks of names, ranges and values, and the choice of what is stored as XORed.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Digits.h"
#include "F2.h"

#include "tessera/Layout/Layout.h"

#include "llvm/ADT/StringSet.h"

using namespace tessera;

namespace {
using Wide = __int128;

llvm::Error checkNames(llvm::ArrayRef<InDim> ins, llvm::ArrayRef<OutDim> outs) {
  llvm::StringSet<> seen;
  for (const InDim &in : ins) {
    if (in.name.empty() || !seen.insert(in.name).second) {
      return layoutError(LayoutDiag::layout_dims,
                         "input `" + in.name + "` is there twice or has no name; name each once");
    }
  }
  seen.clear();
  for (const OutDim &out : outs) {
    if (out.name.empty() || !seen.insert(out.name).second) {
      return layoutError(LayoutDiag::layout_dims,
                         "output `" + out.name + "` is there twice or has no name; name each once");
    }
  }
  if (outs.empty()) {
    return layoutError(LayoutDiag::layout_dims, "no output, expected at least one; name it");
  }
  return llvm::Error::success();
}

llvm::Error checkMode(const InDim &in, unsigned number, size_t numOuts) {
  const Mode &mode = in.modes[number];
  auto wrong = [&](const llvm::Twine &what) {
    return layoutError(LayoutDiag::layout_mode, number, in.name, what.str());
  };
  if (mode.extent < 1) {
    return wrong("extent " + llvm::Twine(mode.extent) + ", extents are 1 or more");
  }
  if (mode.strides.size() != numOuts) {
    return wrong(llvm::Twine(mode.strides.size()) + " strides, expected one for each of " +
                 llvm::Twine(numOuts) + " outputs");
  }
  for (Stride stride : mode.strides) {
    if (stride.value < 0) {
      return wrong("stride " + llvm::Twine(stride.value) + ", strides are 0 or more");
    }
    if (stride.isXor && mode.extent > 2) {
      return wrong("an XORed stride with extent " + llvm::Twine(mode.extent) +
                   ", expected extent 2; split the mode into powers of two");
    }
  }
  return llvm::Error::success();
}

/// Keeps `isXor` only where an image shares bits with another one: elsewhere a sum is the same.
void demote(llvm::MutableArrayRef<InDim> ins, unsigned out) {
  uint64_t once = 0;
  uint64_t twice = 0;
  auto forEach = [&](auto function) {
    for (InDim &in : ins) {
      for (Mode &mode : in.modes) {
        if (mode.strides[out].isXor) {
          function(mode.strides[out]);
        }
      }
    }
  };
  forEach([&](Stride &stride) {
    twice |= once & stride.value;
    once |= stride.value;
  });
  forEach([&](Stride &stride) { stride.isXor = (stride.value & twice) != 0; });
}

/// Largest value of an output.
Wide largestValue(llvm::ArrayRef<InDim> ins, unsigned out) {
  Wide sum = 0;
  F2Span span;
  for (const InDim &in : ins) {
    for (const Mode &mode : in.modes) {
      Stride stride = mode.strides[out];
      if (stride.isXor) {
        span.insert(stride.value, 0); // which combination makes a value is not asked
      } else {
        sum += Wide(mode.extent - 1) * stride.value;
      }
      if (sum > layoutLimit) {
        return sum;
      }
    }
  }
  return sum + span.largest();
}

llvm::Error settleSizes(llvm::ArrayRef<InDim> ins, llvm::MutableArrayRef<OutDim> outs) {
  Wide points = 1;
  for (const InDim &in : ins) {
    for (const Mode &mode : in.modes) {
      points *= mode.extent;
      if (points > layoutLimit) {
        return layoutError(LayoutDiag::layout_range, "has a number of points that");
      }
    }
  }
  Wide values = 1;
  for (unsigned out = 0; out < outs.size(); ++out) {
    Wide largest = largestValue(ins, out);
    if (largest >= layoutLimit) {
      return layoutError(LayoutDiag::layout_range, "reaches a value that");
    }
    OutDim &dim = outs[out];
    if (dim.size == 0) {
      dim.size = static_cast<int64_t>(largest) + 1;
    }
    if (largest >= dim.size) {
      return layoutError(LayoutDiag::layout_size, dim.name, static_cast<int64_t>(largest),
                         dim.size);
    }
    values *= dim.size;
    if (values > layoutLimit) {
      return layoutError(LayoutDiag::layout_range, "has a number of values that");
    }
  }
  return llvm::Error::success();
}
} // namespace

llvm::Expected<Layout> Layout::get(llvm::ArrayRef<InDim> ins, llvm::ArrayRef<OutDim> outs) {
  if (llvm::Error error = checkNames(ins, outs)) {
    return std::move(error);
  }
  Layout layout;
  layout.inDims.assign(ins.begin(), ins.end());
  layout.outDims.assign(outs.begin(), outs.end());
  for (InDim &in : layout.inDims) {
    for (unsigned number = 0; number < in.modes.size(); ++number) {
      if (llvm::Error error = checkMode(in, number, outs.size())) {
        return std::move(error);
      }
      if (in.modes[number].extent == 1) {
        in.modes[number].strides.assign(outs.size(), Stride());
      }
    }
  }
  for (unsigned out = 0; out < outs.size(); ++out) {
    demote(layout.inDims, out);
  }
  if (llvm::Error error = settleSizes(layout.inDims, layout.outDims)) {
    return std::move(error);
  }
  if (llvm::Error error = settleAtoms(layout.inDims, layout.outDims, layout.atoms)) {
    return std::move(error);
  }
  return layout;
}
