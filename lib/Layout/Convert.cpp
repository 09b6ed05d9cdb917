// Preparation of a conversion and the choice between plans.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ConvertProblem.h"
#include "F2.h"

#include "tessera/Layout/Algebra.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace tessera;

llvm::StringRef tessera::toString(ConvertPath path) {
  switch (path) {
  case ConvertPath::registers:
    return "registers";
  case ConvertPath::shuffle:
    return "shuffle";
  case ConvertPath::shared:
    break;
  }
  return "shared memory";
}

int64_t ConvertCost::quarterCycles() const {
  constexpr int64_t cycle = 4;
  int64_t roundTrip = stores + loads > 0 ? 30 * cycle : 0;
  return cycle * (shuffles + wavefronts + 30 * blockBarriers + 2 * warpBarriers) + selects +
         permutes + roundTrip;
}

llvm::SmallVector<uint64_t> tessera::imagesOf(const Digits &digits, unsigned in) {
  llvm::SmallVector<uint64_t> images;
  for (const BitDigit &bit : digits.bits) {
    if (bit.in == in) {
      images.push_back(bit.image);
    }
  }
  return images;
}

llvm::SmallVector<int64_t> tessera::placesOf(const Digits &digits, unsigned in) {
  llvm::SmallVector<int64_t> places;
  for (const BitDigit &bit : digits.bits) {
    if (bit.in == in) {
      places.push_back(bit.place);
    }
  }
  return places;
}

namespace {
llvm::Error unfit(const llvm::Twine &what) {
  return layoutError(LayoutDiag::convert_tiles, what.str());
}

/// The inputs register, lane, warp, block, in this order.
llvm::Expected<Layout> withThreadDims(const Layout &layout) {
  const llvm::StringRef names[] = {dims::reg, dims::lane, dims::warp, dims::block};
  llvm::SmallVector<InDim, 4> ins;
  for (llvm::StringRef name : names) {
    std::optional<unsigned> in = layout.findIn(name);
    ins.push_back(in ? layout.ins()[*in] : InDim{name.str(), {}});
  }
  for (const InDim &in : layout.ins()) {
    if (!llvm::is_contained(names, in.name)) {
      return unfit("`" + in.name + "` is none of `register`, `lane`, `warp`, `block`; rename it");
    }
  }
  return Layout::get(ins, layout.outs());
}

constexpr int64_t maxRegisters = 4096;
constexpr int64_t maxWarps = 64;

llvm::Error checkFit(const Layout &from, const Layout &to) {
  for (unsigned in = laneDim; in <= blockDim; ++in) {
    if (from.ins()[in].size() != to.ins()[in].size()) {
      return unfit(llvm::formatv("`{0}` has {1} points before and {2} after, expected the same "
                                 "number; repeat with stride 0",
                                 from.ins()[in].name, from.ins()[in].size(), to.ins()[in].size())
                       .str());
    }
  }
  for (unsigned out = 0; out < from.outs().size(); ++out) {
    if (!(from.outs()[out] == to.outs()[out])) {
      return unfit(llvm::formatv("axis `{0}` has size {1} before and {2} after, expected one tile",
                                 from.outs()[out].name, from.outs()[out].size, to.outs()[out].size)
                       .str());
    }
  }
  if (from.ins()[laneDim].size() > 32) {
    return unfit(llvm::Twine(from.ins()[laneDim].size()) +
                 " lanes, a warp has at most 32; divide `lane` into `lane` and `warp`");
  }
  for (const Layout *layout : {&from, &to}) {
    if (layout->ins()[regDim].size() > maxRegisters || layout->ins()[warpDim].size() > maxWarps) {
      return unfit(llvm::formatv("{0} registers and {1} warps, at most {2} and {3} are planned for",
                                 layout->ins()[regDim].size(), layout->ins()[warpDim].size(),
                                 maxRegisters, maxWarps)
                       .str());
    }
    if (!isSurjective(*layout)) {
      return unfit(llvm::Twine("the ") + (layout == &from ? "source" : "target") +
                   " does not hold every element of the tile; shrink the sizes of its axes");
    }
  }
  return llvm::Error::success();
}

/// Pairs the digits outside of the atoms; nothing if they differ.
std::optional<llvm::SmallVector<RegisterLoop>> matchShells(const Digits &from, const Digits &to) {
  llvm::SmallVector<RegisterLoop> loops;
  llvm::SmallVector<const ShellDigit *> left;
  for (const ShellDigit &digit : from.shell) {
    bool repeats = llvm::all_of(digit.strides, [](int64_t stride) { return stride == 0; });
    if (!(repeats && digit.in == regDim)) {
      left.push_back(&digit);
    }
  }
  for (const ShellDigit &digit : to.shell) {
    bool repeats = llvm::all_of(digit.strides, [](int64_t stride) { return stride == 0; });
    if (repeats && digit.in == regDim) {
      loops.push_back({digit.extent, 0, digit.place});
      continue;
    }
    auto *match = llvm::find_if(left, [&](const ShellDigit *other) {
      return other->in == digit.in && other->extent == digit.extent &&
             other->strides == digit.strides && (digit.in == regDim || other->place == digit.place);
    });
    if (match == left.end()) {
      return std::nullopt;
    }
    if (digit.in == regDim) {
      loops.push_back({digit.extent, (*match)->place, digit.place});
    }
    left.erase(match);
  }
  if (!left.empty()) {
    return std::nullopt;
  }
  return loops;
}

/// Lanes, warps and blocks are numbered by bits below any other digit.
bool threadBitsAreLow(const Digits &digits) {
  llvm::SmallVector<int64_t, 4> next(blockDim + 1, 1);
  for (const BitDigit &bit : digits.bits) {
    if (bit.in != regDim && bit.place != next[bit.in]) {
      return false;
    }
    next[bit.in] *= 2;
  }
  return llvm::none_of(digits.shell, [](const ShellDigit &digit) { return digit.in == laneDim; });
}

std::optional<LinearProblem> makeLinear(const Layout &from, const Layout &to,
                                        llvm::ArrayRef<unsigned> atoms) {
  llvm::Expected<Digits> a = splitDigits(from, atoms);
  llvm::Expected<Digits> b = splitDigits(to, atoms);
  if (!a || !b) {
    llvm::consumeError(a.takeError());
    llvm::consumeError(b.takeError());
    return std::nullopt;
  }
  if (a->atomBits != b->atomBits || !threadBitsAreLow(*a) || !threadBitsAreLow(*b)) {
    return std::nullopt;
  }
  auto loops = matchShells(*a, *b);
  if (!loops) {
    return std::nullopt;
  }
  return LinearProblem{std::move(*a), std::move(*b), std::move(*loops)};
}

llvm::Expected<ConvertProblem> prepare(const Layout &from, const Layout &to, int64_t elementBytes) {
  llvm::Expected<Layout> source = withThreadDims(from);
  if (!source) {
    return source.takeError();
  }
  llvm::SmallVector<llvm::StringRef> names;
  for (const OutDim &out : from.outs()) {
    names.push_back(out.name);
  }
  llvm::Expected<Layout> target = withThreadDims(to);
  if (target) {
    target = target->reorderOuts(names);
  }
  if (!target) {
    return target.takeError();
  }
  if (llvm::Error error = checkFit(*source, *target)) {
    return std::move(error);
  }
  ConvertProblem problem{*source, *target, elementBytes, std::nullopt};
  // The largest atoms first: the more bits, the more conversions are seen to be linear.
  llvm::SmallVector<unsigned> largest;
  llvm::SmallVector<unsigned> least;
  for (unsigned out = 0; out < names.size(); ++out) {
    largest.push_back(llvm::countr_zero<uint64_t>(source->outs()[out].size));
    least.push_back(std::max(source->atomBits(out), target->atomBits(out)));
  }
  problem.linear = makeLinear(*source, *target, largest);
  if (!problem.linear) {
    problem.linear = makeLinear(*source, *target, least);
  }
  return problem;
}
} // namespace

std::optional<SourceMap> tessera::sourcesWithinWarps(const LinearProblem &problem) {
  const Digits &from = problem.from;
  const Digits &to = problem.to;
  llvm::SmallVector<uint64_t> registers = imagesOf(from, regDim);
  llvm::SmallVector<uint64_t> lanes = imagesOf(from, laneDim);
  // Registers go first: a solution uses another lane only where none of the registers has the element.
  F2Span span;
  for (unsigned i = 0; i < registers.size(); ++i) {
    span.insert(registers[i], i);
  }
  for (unsigned i = 0; i < lanes.size(); ++i) {
    span.insert(lanes[i], registers.size() + i);
  }
  SourceMap map;
  auto solve = [&](uint64_t image, llvm::SmallVectorImpl<Source> &list, uint64_t ownLane) {
    std::optional<uint64_t> found = span.solve(image);
    if (found) {
      uint64_t mask = (uint64_t(1) << registers.size()) - 1;
      list.push_back({*found & mask, (*found >> registers.size()) ^ ownLane});
    }
    return found.has_value();
  };
  bool complete = true;
  for (uint64_t image : imagesOf(to, regDim)) {
    complete &= solve(image, map.registers, 0);
  }
  for (unsigned dim : {laneDim, warpDim, blockDim}) {
    llvm::SmallVector<uint64_t> before = imagesOf(from, dim);
    llvm::SmallVector<uint64_t> after = imagesOf(to, dim);
    llvm::SmallVector<Source> unused;
    for (unsigned i = 0; i < std::max(before.size(), after.size()); ++i) {
      uint64_t same = i < before.size() ? before[i] : 0;
      uint64_t image = (i < after.size() ? after[i] : 0) ^ same;
      if (dim == blockDim) {
        // A block's number stays out of the choice of registers: it must hold the same elements before and after.
        complete &= image == 0;
      } else {
        complete &= solve(image, dim == laneDim ? map.lanes : map.warps,
                          dim == laneDim ? uint64_t(1) << i : 0);
      }
    }
  }
  if (!complete) {
    return std::nullopt;
  }
  return map;
}

llvm::Expected<ConversionPlan> tessera::planConversion(const Layout &from, const Layout &to,
                                                       int64_t elementBytes,
                                                       std::optional<ConvertPath> path) {
  if (elementBytes < 1 || elementBytes > 16 || !llvm::isPowerOf2_64(elementBytes)) {
    return unfit("elements of " + llvm::Twine(elementBytes) + " bytes, expected 1, 2, 4, 8 or 16");
  }
  llvm::Expected<ConvertProblem> problem = prepare(from, to, elementBytes);
  if (!problem) {
    return problem.takeError();
  }
  if (path == ConvertPath::shared) {
    return planShared(*problem);
  }
  llvm::Expected<ConversionPlan> direct = planShuffle(*problem);
  if (path || !direct) {
    if (!path && !direct) {
      llvm::consumeError(direct.takeError());
      return planShared(*problem);
    }
    if (direct && path == ConvertPath::registers && direct->path != ConvertPath::registers) {
      return layoutError(LayoutDiag::convert_path, toString(*path),
                         llvm::formatv("elements change their lanes, {0} shuffles are needed",
                                       direct->cost.shuffles)
                             .str(),
                         "shuffle or shared memory");
    }
    return direct;
  }
  if (direct->path == ConvertPath::registers) {
    return direct;
  }
  llvm::Expected<ConversionPlan> shared = planShared(*problem);
  if (!shared) {
    llvm::consumeError(shared.takeError());
    return direct;
  }
  bool cheaper = shared->cost.quarterCycles() < direct->cost.quarterCycles();
  return cheaper ? std::move(shared) : std::move(direct);
}
