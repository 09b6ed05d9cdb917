// Random layouts, tables, and the search for a layout with a given table.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TestLayouts.h"

#include "tessera/Layout/Notation.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace tessera;
using namespace tessera::layouttest;

void tessera::PrintTo(const Layout &layout, std::ostream *os) {
  *os << printLayout(layout) << " within";
  for (const OutDim &out : layout.outs()) {
    *os << ' ' << out.size;
  }
}

int64_t layouttest::below(Random &random, int64_t bound) {
  return static_cast<int64_t>(random() % static_cast<uint64_t>(bound));
}

std::vector<int64_t> layouttest::row(llvm::ArrayRef<int64_t> values) {
  return {values.begin(), values.end()};
}

Table layouttest::tableOf(const Layout &layout) {
  Table table;
  for (int64_t point = 0; point < layout.size(); ++point) {
    table.push_back(row(layout.evaluateAt(point)));
  }
  return table;
}

namespace {
llvm::SmallVector<InDim, 3> emptyIns(unsigned numIns) {
  llvm::SmallVector<InDim, 3> ins;
  for (unsigned in = 0; in < numIns; ++in) {
    ins.push_back({"x" + std::to_string(in), {}});
  }
  return ins;
}

llvm::SmallVector<OutDim, 2> emptyOuts(unsigned numOuts) {
  llvm::SmallVector<OutDim, 2> outs;
  for (unsigned out = 0; out < numOuts; ++out) {
    outs.push_back({"y" + std::to_string(out), 0});
  }
  return outs;
}

InDim &anyIn(Random &random, llvm::SmallVectorImpl<InDim> &ins) {
  return ins[below(random, ins.size())];
}
} // namespace

Layout layouttest::randomStrided(Random &random, unsigned numIns, unsigned numOuts,
                                 int64_t maxPoints) {
  const int64_t extents[] = {1, 2, 2, 2, 3, 4, 4, 5, 6, 8, 16};
  llvm::SmallVector<InDim, 3> ins = emptyIns(numIns);
  std::vector<int64_t> next(numOuts, 1);
  bool wild = below(random, 4) == 0;
  std::vector<Mode> modes;
  int64_t points = 1;
  for (int64_t count = 1 + below(random, 5); count > 0; --count) {
    int64_t extent = extents[below(random, std::size(extents))];
    if (points * extent > maxPoints) {
      continue;
    }
    points *= extent;
    Mode mode{extent, StrideVector(numOuts)};
    unsigned out = below(random, numOuts);
    if (wild) {
      mode.strides[out].value = below(random, 20);
      mode.strides[below(random, numOuts)].value = below(random, 20);
    } else if (below(random, 8) != 0) {
      next[out] *= below(random, 4) == 0 ? 1 + below(random, 4) : 1; // a gap
      mode.strides[out].value = next[out];
      next[out] *= extent;
    }
    modes.push_back(mode);
  }
  std::shuffle(modes.begin(), modes.end(), random);
  for (const Mode &mode : modes) {
    anyIn(random, ins).modes.push_back(mode);
  }
  return valueOf(Layout::get(ins, emptyOuts(numOuts)));
}

Layout layouttest::randomLinear(Random &random, unsigned numIns, unsigned numOuts, unsigned bits,
                                unsigned width) {
  llvm::SmallVector<InDim, 3> ins = emptyIns(numIns);
  bool sparse = below(random, 2) == 0;
  for (unsigned bit = 0; bit < bits; ++bit) {
    Mode mode{2, StrideVector(numOuts)};
    for (Stride &stride : mode.strides) {
      int64_t image =
          sparse ? int64_t(1) << below(random, width) : below(random, int64_t(1) << width);
      stride = {image, true};
      if (below(random, 4) == 0) {
        stride.value = 0;
      }
    }
    anyIn(random, ins).modes.push_back(mode);
  }
  return valueOf(Layout::get(ins, emptyOuts(numOuts)));
}

Layout layouttest::randomMixed(Random &random, unsigned numIns, unsigned numOuts) {
  unsigned width = 1 + below(random, 4);
  Layout inner = randomLinear(random, numIns, numOuts, below(random, 6), width);
  Layout outer = randomStrided(random, numIns, numOuts, 64);
  llvm::SmallVector<InDim, 3> ins(inner.ins().begin(), inner.ins().end());
  for (unsigned in = 0; in < numIns; ++in) {
    for (Mode mode : outer.ins()[in].modes) {
      for (Stride &stride : mode.strides) {
        stride.value <<= width;
      }
      auto &modes = ins[in].modes;
      modes.insert(modes.begin() + below(random, modes.size() + 1), mode);
    }
  }
  return valueOf(Layout::get(ins, emptyOuts(numOuts)));
}

Layout layouttest::randomLayout(Random &random, unsigned numIns, unsigned numOuts) {
  switch (below(random, 3)) {
  case 0:
    return randomStrided(random, numIns, numOuts, 1024);
  case 1:
    return randomLinear(random, numIns, numOuts, below(random, 9), 1 + below(random, 6));
  default:
    return randomMixed(random, numIns, numOuts);
  }
}

Layout layouttest::randomBijective(Random &random, unsigned numIns, llvm::StringRef out) {
  const int64_t extents[] = {2, 3, 4, 5, 6};
  unsigned width = below(random, 6);
  std::vector<Mode> modes;
  for (unsigned bit = 0; bit < width; ++bit) {
    // A triangle of ones below the diagonal is invertible; sums of columns keep it so.
    modes.push_back(Mode{2, {{(int64_t(1) << bit) | below(random, int64_t(1) << bit), true}}});
  }
  for (unsigned times = below(random, 8); width > 1 && times > 0; --times) {
    unsigned a = below(random, width);
    unsigned b = below(random, width);
    modes[a].strides[0].value ^= a == b ? 0 : modes[b].strides[0].value;
  }
  int64_t next = int64_t(1) << width;
  for (int64_t count = below(random, 4); count > 0; --count) {
    int64_t extent = extents[below(random, std::size(extents))];
    modes.push_back(Mode{extent, {{next, false}}});
    next *= extent;
  }
  std::shuffle(modes.begin(), modes.end(), random);
  llvm::SmallVector<InDim, 3> ins = emptyIns(numIns);
  for (const Mode &mode : modes) {
    anyIn(random, ins).modes.push_back(mode);
  }
  return valueOf(Layout::get(ins, OutDim{out.str(), next}));
}

namespace {
/// The modes along one input: each as long as the values go on in equal steps.
std::optional<std::vector<std::pair<int64_t, std::vector<int64_t>>>>
modesAlong(int64_t size, const std::function<std::vector<int64_t>(int64_t)> &value) {
  std::vector<std::pair<int64_t, std::vector<int64_t>>> modes;
  for (int64_t place = 1; place < size;) {
    std::vector<int64_t> step = value(place);
    int64_t left = size / place;
    int64_t run = 1;
    auto goesOn = [&] {
      std::vector<int64_t> there = value(run * place);
      for (size_t out = 0; out < step.size(); ++out) {
        if (there[out] != run * step[out]) {
          return false;
        }
      }
      return true;
    };
    while (run < left && goesOn()) {
      ++run;
    }
    while (left % run) {
      --run;
    }
    if (run < 2) {
      return std::nullopt;
    }
    modes.push_back({run, step});
    place *= run;
  }
  return modes;
}

/// All modes, those bits XORed whose images are below 2^bits in every output.
llvm::SmallVector<InDim, 3>
withXor(const Layout &inputs,
        const std::vector<std::vector<std::pair<int64_t, std::vector<int64_t>>>> &modes,
        const std::vector<unsigned> &bits) {
  llvm::SmallVector<InDim, 3> ins;
  for (size_t in = 0; in < modes.size(); ++in) {
    ins.push_back({inputs.ins()[in].name, {}});
    for (auto [extent, step] : modes[in]) {
      while (extent > 1) {
        bool inside = extent % 2 == 0;
        for (size_t out = 0; out < step.size(); ++out) {
          inside &= step[out] < (int64_t(1) << bits[out]);
        }
        Mode mode{inside ? 2 : extent, {}};
        for (int64_t &value : step) {
          mode.strides.push_back({value, inside});
          value *= 2;
        }
        ins.back().modes.push_back(mode);
        extent /= mode.extent;
      }
    }
  }
  return ins;
}
} // namespace

std::optional<Layout> layouttest::recognise(const Layout &inputs, llvm::ArrayRef<OutDim> outs,
                                            const Table &table) {
  std::vector<std::vector<std::pair<int64_t, std::vector<int64_t>>>> modes;
  int64_t place = 1;
  for (const InDim &in : inputs.ins()) {
    auto found = modesAlong(in.size(), [&](int64_t i) { return table[i * place]; });
    if (!found) {
      return std::nullopt;
    }
    modes.push_back(*found);
    place *= in.size();
  }
  constexpr unsigned maxBits = 12;
  std::vector<unsigned> bits(outs.size(), 0);
  while (true) {
    llvm::Expected<Layout> layout = Layout::get(withXor(inputs, modes, bits), outs);
    if (layout && tableOf(*layout) == table) {
      return *layout;
    }
    llvm::consumeError(layout.takeError());
    size_t out = 0;
    while (out < bits.size() && ++bits[out] > maxBits) {
      bits[out++] = 0;
    }
    if (out == bits.size()) {
      return std::nullopt;
    }
  }
}

std::string layouttest::messageOf(llvm::Error error) { return llvm::toString(std::move(error)); }

Layout layouttest::parse(llvm::StringRef text) { return valueOf(parseLayout(text)); }
