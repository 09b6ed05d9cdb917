// Conversions through shared memory. In the linear case the order of the elements in memory is chosen so that both sides use
// the widest access they have in common and no bank gives two words in a phase; it always exists. The construction follows
// the idea of Zhou et al., "Linear Layouts", 2025: with U and V the spans of what one phase of either side touches, the rows
// of 128 bytes must be told apart by a space that meets neither U nor V: sums u + v of what only one of them has, and a
// complement of U + V. In other cases orders of the axes with a few paddings are tried and the best is taken.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ConvertProblem.h"
#include "F2.h"
#include "Raw.h"

#include "tessera/Layout/Algebra.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace tessera;

namespace {
using Vectors = llvm::SmallVector<uint64_t>;

/// Appends the vectors that enlarge the span of `list`.
void extend(Vectors &list, llvm::ArrayRef<uint64_t> more, size_t limit) {
  F2Span span(list);
  for (uint64_t vector : more) {
    if (list.size() < limit && span.insert(vector)) {
      list.push_back(vector);
    }
  }
}

/// A basis of the intersection of two spans, given by bases.
Vectors intersect(llvm::ArrayRef<uint64_t> a, llvm::ArrayRef<uint64_t> b) {
  F2Span span(a);
  Vectors common;
  for (unsigned i = 0; i < b.size(); ++i) {
    // A dependence of b's vectors on a's and earlier ones of b gives a vector that lies in both spans.
    unsigned number = a.size() + i;
    if (std::optional<uint64_t> known = span.solve(b[i])) {
      uint64_t fromA = 0;
      for (unsigned j = 0; j < a.size(); ++j) {
        fromA ^= (*known >> j) & 1 ? a[j] : 0;
      }
      common.push_back(fromA);
    } else {
      span.insert(b[i], number);
    }
  }
  return common;
}

/// Bits of one side's registers: which of them make an access, and the order of all.
struct Side {
  const Digits *digits = nullptr;
  llvm::SmallVector<unsigned> vectorBits; // numbers of register bits, lowest offset first
};

class LinearShared {
public:
  explicit LinearShared(const ConvertProblem &problem)
      : problem(problem), linear(*problem.linear) {}

  llvm::Expected<ConversionPlan> run() {
    if (imagesOf(linear.from, blockDim) != imagesOf(linear.to, blockDim)) {
      return layoutError(LayoutDiag::convert_path, "shared memory", "elements change their blocks",
                         "global memory");
    }
    chooseVector();
    chooseOrder();
    return finish();
  }

private:
  /// Register bits that both sides have in common make the access. No other digit may move within a vector, or the order of
  /// its elements would depend on the lane: candidates that fail this are dropped.
  void chooseVector() {
    from.digits = &linear.from;
    to.digits = &linear.to;
    Vectors before = imagesOf(linear.from, regDim);
    Vectors after = imagesOf(linear.to, regDim);
    size_t most = llvm::Log2_64(16 / problem.elementBytes);
    for (unsigned i = 0; i < before.size() && vector.size() < most; ++i) {
      auto *match = llvm::find(after, before[i]);
      size_t count = vector.size();
      if (match != after.end()) {
        extend(vector, before[i], most);
      }
      if (vector.size() > count) {
        from.vectorBits.push_back(i);
        to.vectorBits.push_back(match - after.begin());
      }
    }
    while (dropVectorBit()) {
    }
    width = {problem.elementBytes, problem.elementBytes << vector.size()};
  }

  bool dropVectorBit() {
    Vectors all = othersOf(from);
    all.append(othersOf(to));
    for (unsigned i = 0; i < vector.size(); ++i) {
      Vectors rest = all;
      for (unsigned j = 0; j < vector.size(); ++j) {
        if (j != i) {
          rest.push_back(vector[j]);
        }
      }
      if (F2Span(rest).contains(vector[i])) {
        vector.erase(vector.begin() + i);
        from.vectorBits.erase(from.vectorBits.begin() + i);
        to.vectorBits.erase(to.vectorBits.begin() + i);
        return true;
      }
    }
    return false;
  }

  /// Images of a side's registers outside of the vector, lanes and warps.
  static Vectors othersOf(const Side &side) {
    Vectors others;
    Vectors registers = imagesOf(*side.digits, regDim);
    for (unsigned bit = 0; bit < registers.size(); ++bit) {
      if (!llvm::is_contained(side.vectorBits, bit)) {
        others.push_back(registers[bit]);
      }
    }
    others.append(imagesOf(*side.digits, laneDim));
    others.append(imagesOf(*side.digits, warpDim));
    return others;
  }

  /// The vectors one phase of a side touches.
  Vectors phaseOf(const Side &side) const {
    Vectors lanes = imagesOf(*side.digits, laneDim);
    size_t acting = llvm::Log2_64(128 / std::max<int64_t>(width.bytes, 4));
    lanes.truncate(std::min(acting, lanes.size()));
    Vectors phase;
    extend(phase, lanes, 64);
    return phase;
  }

  /// Everything here counts vectors, not elements: what lies within a vector is set aside.
  void chooseOrder() {
    Vectors all;
    extend(all, othersOf(from), 64);
    size_t rowBits =
        std::min<size_t>(llvm::Log2_64(128 / problem.elementBytes) - vector.size(), all.size());
    Vectors a = phaseOf(from);
    Vectors b = phaseOf(to);
    // Vectors narrower than a word: those that share a word must be the same on both sides.
    size_t wordBits = width.bytes < 4 ? llvm::Log2_64(4 / width.bytes) : 0;
    Vectors word;
    extend(word, intersect(a, b), wordBits);
    extend(word, a, wordBits);
    extend(word, all, wordBits);
    Vectors either = word;
    extend(either, a, 64);
    extend(either, b, 64);
    Vectors free = either;
    extend(free, all, 64);
    llvm::ArrayRef<uint64_t> outside = llvm::ArrayRef<uint64_t>(free).drop_front(either.size());
    Vectors u = word;
    extend(u, a, rowBits);
    Vectors v = word;
    extend(v, b, rowBits);
    for (Vectors *phase : {&u, &v}) {
      extend(*phase, outside, rowBits);
      extend(*phase, all, rowBits);
    }
    order = vector;
    order.append(u);
    appendRows(u, v);
    extend(order, all, 64);
  }

  /// The rows: sums of what only one side has; what neither has follows.
  void appendRows(llvm::ArrayRef<uint64_t> u, llvm::ArrayRef<uint64_t> v) {
    Vectors common = intersect(u, v);
    Vectors withU = common;
    extend(withU, u, 64);
    Vectors withV = common;
    extend(withV, v, 64);
    for (size_t i = common.size(); i < std::min(withU.size(), withV.size()); ++i) {
      order.push_back(withU[i] ^ withV[i]);
    }
  }

  /// Offsets: coordinates in the basis `order`; the parts of other blocks count nothing.
  llvm::Expected<Layout> storeLayout() const {
    F2Span basis(order);
    unsigned offsetBits = order.size();
    unsigned number = offsetBits;
    for (uint64_t image : imagesOf(linear.from, blockDim)) {
      if (!basis.contains(image)) {
        basis.insert(image, number++);
      }
    }
    RawLayout raw;
    raw.outs.push_back({dims::offset.str(), 0});
    int64_t stride = int64_t(1) << offsetBits;
    for (unsigned axis = 0; axis < problem.from.outs().size(); ++axis) {
      const OutDim &out = problem.from.outs()[axis];
      raw.inNames.push_back(out.name);
      for (unsigned bit = 0; bit < linear.from.atomBits[axis]; ++bit) {
        uint64_t unit = uint64_t(1) << (linear.from.firstBit[axis] + bit);
        uint64_t place = basis.solve(unit).value_or(0);
        raw.modes[raw.addMode(axis, 2)].xored[0] = place & ((uint64_t(1) << offsetBits) - 1);
      }
      int64_t repeats = out.size >> linear.from.atomBits[axis];
      raw.modes[raw.addMode(axis, repeats)].added[0] = stride;
      stride *= repeats;
    }
    llvm::Expected<Layout> store = raw.finish();
    return store ? store->withOutSizes(stride) : std::move(store);
  }

  /// Registers in the order of accesses. With `leaveOut`, those that repeat others are not there: the bits in `skip`, and
  /// loops that move nothing.
  std::vector<int64_t> registerOrder(const Side &side, bool leaveOut, uint64_t skip) const {
    llvm::SmallVector<int64_t> places = placesOf(*side.digits, regDim);
    llvm::SmallVector<int64_t> sorted;
    for (unsigned bit : side.vectorBits) {
      sorted.push_back(places[bit]);
    }
    for (unsigned bit = 0; bit < places.size(); ++bit) {
      if (!llvm::is_contained(side.vectorBits, bit) && !((skip >> bit) & 1)) {
        sorted.push_back(places[bit]);
      }
    }
    std::vector<int64_t> order(1, 0);
    auto repeat = [&](int64_t place, int64_t extent) {
      size_t count = order.size();
      for (int64_t digit = 1; digit < extent; ++digit) {
        for (size_t i = 0; i < count; ++i) {
          order.push_back(order[i] + digit * place);
        }
      }
    };
    for (int64_t place : sorted) {
      repeat(place, 2);
    }
    for (const ShellDigit &digit : side.digits->shell) {
      bool repeats = llvm::all_of(digit.strides, [](int64_t stride) { return stride == 0; });
      if (digit.in == regDim && !(repeats && leaveOut)) {
        repeat(digit.place, digit.extent);
      }
    }
    return order;
  }

  llvm::Expected<BankReport> conflicts(const Layout &store, const Layout &held,
                                       const Side &side) const {
    llvm::SmallVector<InDim, 4> ins(held.ins().begin(), held.ins().end());
    InDim registers{dims::reg.str(), {}};
    auto addBit = [&](unsigned number) {
      uint64_t image = imagesOf(*side.digits, regDim)[number];
      Mode mode{2, {}};
      for (unsigned out = 0; out < held.outs().size(); ++out) {
        mode.strides.push_back({side.digits->part(image, out), true});
      }
      registers.modes.push_back(mode);
    };
    for (unsigned bit : side.vectorBits) {
      addBit(bit);
    }
    // The other registers only move whole instructions; one instruction is as good as another.
    ins[regDim] = registers;
    llvm::Expected<Layout> first = restrictedTo(ins, held);
    llvm::Expected<Layout> access = first ? compose(store, *first) : std::move(first);
    if (!access) {
      return access.takeError();
    }
    return bankConflicts(*access, width);
  }

  /// One instruction of warp 0; lanes as bits, so that they XOR with the registers as in the whole layout.
  llvm::Expected<Layout> restrictedTo(llvm::ArrayRef<InDim> ins, const Layout &held) const {
    InDim lanes{dims::lane.str(), {}};
    const Digits &digits = &held == &problem.from ? linear.from : linear.to;
    for (uint64_t image : imagesOf(digits, laneDim)) {
      Mode mode{2, {}};
      for (unsigned out = 0; out < held.outs().size(); ++out) {
        mode.strides.push_back({digits.part(image, out), true});
      }
      lanes.modes.push_back(mode);
    }
    InDim pair[] = {ins[regDim], lanes};
    return Layout::get(pair, held.outs());
  }

  llvm::Expected<ConversionPlan> finish() {
    llvm::Expected<Layout> store = storeLayout();
    if (!store) {
      return store.takeError();
    }
    llvm::Expected<BankReport> write = conflicts(*store, problem.from, from);
    if (!write) {
      return write.takeError();
    }
    llvm::Expected<BankReport> read = conflicts(*store, problem.to, to);
    if (!read) {
      return read.takeError();
    }
    SharedPlan plan{*store, width, {}, {}, 0, 0, *write, *read, false};
    bool warpsKeepTheirs = sourcesWithinWarps(linear).has_value();
    uint64_t skip = findSilent(plan, warpsKeepTheirs);
    plan.writeOrder = registerOrder(from, true, skip);
    plan.readOrder = registerOrder(to, false, 0);
    plan.withinWarps = warpsKeepTheirs && plan.silentWarps == 0;
    ConversionPlan result;
    result.path = ConvertPath::shared;
    result.shared = std::move(plan);
    return result;
  }

  /// Threads and registers that hold what others hold; gives the register bits to leave out. What a vector or a lane holds
  /// goes first. Then a warp writes all it has if that lets it wait for itself only, else each element is written once.
  uint64_t findSilent(SharedPlan &plan, bool warpsKeepTheirs) const {
    Vectors registers = imagesOf(linear.from, regDim);
    F2Span held;
    for (unsigned bit : from.vectorBits) {
      held.insert(registers[bit]);
    }
    auto silence = [&](ThreadDim dim, int64_t &silent) {
      Vectors images = imagesOf(linear.from, dim);
      for (unsigned bit = 0; bit < images.size(); ++bit) {
        silent |= held.insert(images[bit]) ? 0 : int64_t(1) << bit;
      }
    };
    uint64_t skip = 0;
    silence(laneDim, plan.silentLanes);
    if (!warpsKeepTheirs) {
      silence(warpDim, plan.silentWarps);
    }
    for (unsigned bit = 0; bit < registers.size(); ++bit) {
      if (!llvm::is_contained(from.vectorBits, bit) && !held.insert(registers[bit])) {
        skip |= uint64_t(1) << bit;
      }
    }
    if (warpsKeepTheirs) {
      silence(warpDim, plan.silentWarps);
    }
    return skip;
  }

  const ConvertProblem &problem;
  const LinearProblem &linear;
  Side from;
  Side to;
  Vectors vector;
  Vectors order; // the element vectors of the offset bits
  AccessWidth width;
};

void addSharedCost(ConversionPlan &plan) {
  const SharedPlan &shared = *plan.shared;
  int64_t elements = shared.width.elements();
  plan.cost.stores = shared.writeOrder.size() / elements;
  plan.cost.loads = shared.readOrder.size() / elements;
  plan.cost.wavefronts =
      plan.cost.stores * shared.write.wavefronts + plan.cost.loads * shared.read.wavefronts;
  (shared.withinWarps ? plan.cost.warpBarriers : plan.cost.blockBarriers) = 1;
}

/// Tries orders of the axes and paddings, for layouts that are not linear together.
class SearchedShared {
public:
  explicit SearchedShared(const ConvertProblem &problem) : problem(problem) {}

  llvm::Expected<ConversionPlan> run() {
    llvm::ArrayRef<OutDim> outs = problem.from.outs();
    for (unsigned fastest = 0; fastest < outs.size(); ++fastest) {
      for (int64_t bytes : {0, 4, 8, 16}) {
        if (bytes == 0 || bytes >= problem.elementBytes) {
          attempt(fastest, bytes / problem.elementBytes);
        }
      }
    }
    if (!best.shared) {
      return layoutError(LayoutDiag::convert_path, "shared memory",
                         "no order of the axes fits both layouts",
                         "extents that are powers of two");
    }
    return std::move(best);
  }

private:
  void attempt(unsigned fastest, int64_t padding) {
    llvm::Expected<Layout> store = padded(fastest, padding);
    llvm::Expected<Layout> write = store ? compose(*store, problem.from) : std::move(store);
    llvm::Expected<Layout> read = write ? compose(*store, problem.to) : failed();
    if (!write || !read) {
      llvm::consumeError(write.takeError());
      llvm::consumeError(read.takeError());
      return;
    }
    int64_t run = std::gcd(runOf(*write), runOf(*read));
    int64_t elements = std::min<int64_t>(run & -run, 16 / problem.elementBytes);
    AccessWidth width{problem.elementBytes, elements * problem.elementBytes};
    llvm::Expected<BankReport> writes = bankConflicts(*write, width);
    llvm::Expected<BankReport> reads = bankConflicts(*read, width);
    if (!writes || !reads) {
      llvm::consumeError(writes.takeError());
      llvm::consumeError(reads.takeError());
      return;
    }
    SharedPlan plan{*store, width, {}, {}, 0, 0, *writes, *reads, false};
    for (int64_t i = 0; i < problem.from.ins()[regDim].size(); ++i) {
      plan.writeOrder.push_back(i);
    }
    for (int64_t i = 0; i < problem.to.ins()[regDim].size(); ++i) {
      plan.readOrder.push_back(i);
    }
    ConversionPlan candidate;
    candidate.path = ConvertPath::shared;
    candidate.shared = std::move(plan);
    addSharedCost(candidate);
    if (!best.shared || candidate.cost.quarterCycles() < best.cost.quarterCycles()) {
      best = std::move(candidate);
    }
  }

  static llvm::Expected<Layout> failed() {
    return layoutError(LayoutDiag::convert_path, "shared memory", "no such order", "another order");
  }

  static int64_t runOf(const Layout &access) {
    llvm::Expected<int64_t> run = contiguousRun(access, dims::reg);
    if (!run) {
      llvm::consumeError(run.takeError());
      return 1;
    }
    return *run;
  }

  llvm::Expected<Layout> padded(unsigned fastest, int64_t padding) const {
    llvm::ArrayRef<OutDim> outs = problem.from.outs();
    llvm::SmallVector<InDim, 3> ins;
    for (const OutDim &out : outs) {
      ins.push_back({out.name, {Mode{out.size, {{1, false}}}}});
    }
    int64_t stride = outs[fastest].size + padding;
    for (unsigned axis = 0; axis < outs.size(); ++axis) {
      if (axis != fastest) {
        ins[axis].modes[0].strides[0].value = stride;
        stride *= outs[axis].size;
      }
    }
    return Layout::get(ins, OutDim{dims::offset.str(), 0});
  }

  const ConvertProblem &problem;
  ConversionPlan best;
};
} // namespace

llvm::Expected<ConversionPlan> tessera::planShared(const ConvertProblem &problem) {
  if (!problem.linear) {
    if (problem.from.ins()[blockDim].size() > 1) {
      return layoutError(LayoutDiag::convert_path, "shared memory",
                         "several blocks with layouts that are not powers of two together",
                         "equal repetitions on both sides");
    }
    return SearchedShared(problem).run();
  }
  llvm::Expected<ConversionPlan> plan = LinearShared(problem).run();
  if (plan) {
    addSharedCost(*plan);
  }
  return plan;
}
