// A tile in another distribution of the same warps: a plan of the layout library as shuffles and choices of registers.
//
// What a thread gives, takes and fills is a table over threads in the plan. Such a table has one value for all threads, or is
// told apart by few bits, each the parity of some bits of the thread's number: those become the conditions of selects.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Exchange.h"

#include "tessera/Layout/Convert.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace tessera;
using namespace tessera::convert;

namespace {
/// A table over threads as one choice for each combination of parities.
struct Choice {
  llvm::SmallVector<uint64_t, 4> masks; ///< of bits of the thread's number
  std::vector<int64_t> values;          ///< by the parities, the first mask's is the lowest bit

  static std::optional<Choice> of(llvm::ArrayRef<int64_t> table);
};

class Shuffles {
public:
  Shuffles(Lowering &l, const ShufflePlan &plan, const TileValue &from, TileValue &to,
           llvm::Type *element)
      : l(l), plan(plan), from(from), to(to), element(element) {}

  /// Whether every table is a choice; nothing is emitted.
  bool prepare();
  void emit();

private:
  llvm::Value *condition(uint64_t mask);
  llvm::Value *choose(const Choice &choice, llvm::function_ref<llvm::Value *(int64_t)> valueOf);
  llvm::Value *given(int64_t reg);
  llvm::Value *sourceLane(const ShuffleRound &round);
  llvm::Value *thread() { return l.b.CreateOr(l.lane(), l.b.CreateShl(l.warp(), 5)); }

  Lowering &l;
  const ShufflePlan &plan;
  const TileValue &from;
  TileValue &to;
  llvm::Type *element;
  std::vector<Choice> gives; ///< by round
  /// By target register: round * packed + which of those that move together.
  std::map<int64_t, Choice> fills;
  std::map<uint64_t, llvm::Value *> conditions;
};
} // namespace

/// Masks whose parity is even on all of `kernel`, a subspace of the threads' numbers, few bits first.
static llvm::SmallVector<uint64_t, 4> annihilators(llvm::ArrayRef<uint64_t> kernel,
                                                   uint64_t threads) {
  llvm::SmallVector<uint64_t> order;
  for (uint64_t mask = 1; mask < threads; ++mask) {
    order.push_back(mask);
  }
  llvm::sort(order, [](uint64_t a, uint64_t b) {
    return std::pair(llvm::popcount(a), a) < std::pair(llvm::popcount(b), b);
  });
  llvm::SmallVector<uint64_t, 4> masks;
  llvm::SmallDenseSet<uint64_t> sums{0};
  for (uint64_t mask : order) {
    bool isEven =
        llvm::all_of(kernel, [mask](uint64_t x) { return llvm::popcount(x & mask) % 2 == 0; });
    if (!isEven || sums.contains(mask)) {
      continue;
    }
    masks.push_back(mask);
    for (uint64_t sum : llvm::to_vector(sums)) {
      sums.insert(sum ^ mask);
    }
    if (sums.size() * kernel.size() >= threads) {
      break;
    }
  }
  return masks;
}

std::optional<Choice> Choice::of(llvm::ArrayRef<int64_t> table) {
  llvm::SmallVector<uint64_t> kernel;
  for (uint64_t thread = 0; thread < table.size(); ++thread) {
    if (table[thread] == table[0]) {
      kernel.push_back(thread);
    }
  }
  Choice choice;
  choice.masks = annihilators(kernel, table.size());
  constexpr int64_t none = -1;
  choice.values.assign(size_t(1) << choice.masks.size(), none);
  for (uint64_t thread = 0; thread < table.size(); ++thread) {
    uint64_t key = 0;
    for (auto [i, mask] : llvm::enumerate(choice.masks)) {
      key |= uint64_t(llvm::popcount(thread & mask) % 2) << i;
    }
    int64_t &value = choice.values[key];
    if (table[thread] < 0 || (value != none && value != table[thread])) {
      return std::nullopt;
    }
    value = table[thread];
  }
  return choice;
}

bool Shuffles::prepare() {
  std::map<int64_t, std::vector<int64_t>> tables;
  int64_t packed = plan.packGiven.size();
  for (auto [number, round] : llvm::enumerate(plan.rounds)) {
    std::optional<Choice> choice = Choice::of(round.given);
    if (!choice) {
      return false;
    }
    gives.push_back(std::move(*choice));
    for (auto [thread, reg] : llvm::enumerate(round.filled)) {
      for (int64_t k = 0; k < packed; ++k) {
        std::vector<int64_t> &table = tables[reg + plan.packFilled[k]];
        table.resize(round.filled.size(), -1);
        table[thread] = int64_t(number) * packed + k;
      }
    }
  }
  for (const auto &[reg, table] : tables) {
    std::optional<Choice> choice = Choice::of(table);
    if (!choice) {
      return false;
    }
    fills.emplace(reg, std::move(*choice));
  }
  return true;
}

llvm::Value *Shuffles::condition(uint64_t mask) {
  llvm::Value *&known = conditions[mask];
  if (!known) {
    llvm::Value *bits = l.b.CreateAnd(thread(), l.i32(mask));
    if (llvm::popcount(mask) > 1) {
      bits = l.b.CreateAnd(l.b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, bits), l.i32(1));
    }
    known = l.b.CreateICmpNE(bits, l.i32(0));
  }
  return known;
}

llvm::Value *Shuffles::choose(const Choice &choice,
                              llvm::function_ref<llvm::Value *(int64_t)> valueOf) {
  Registers values;
  for (int64_t value : choice.values) {
    values.push_back(valueOf(value));
  }
  for (uint64_t mask : choice.masks) {
    Registers half;
    for (size_t i = 0; i < values.size(); i += 2) {
      half.push_back(values[i] == values[i + 1]
                         ? values[i]
                         : l.b.CreateSelect(condition(mask), values[i + 1], values[i]));
    }
    values = std::move(half);
  }
  return values.front();
}

/// A register of the source with those that move with it.
llvm::Value *Shuffles::given(int64_t reg) {
  if (plan.packGiven.size() == 1) {
    return from.regs[reg];
  }
  Registers together;
  for (int64_t offset : plan.packGiven) {
    together.push_back(from.regs[reg + offset]);
  }
  return l.pack(together);
}

/// Bits of the number of the lane that is read: sums, over GF(2), of bits of the reader's.
llvm::Value *Shuffles::sourceLane(const ShuffleRound &round) {
  llvm::ArrayRef<int64_t> table = round.sourceLane;
  llvm::Value *sum = l.i32(table[0]);
  int64_t same = 0;
  for (size_t bit = 1; bit < table.size(); bit *= 2) {
    int64_t step = table[bit] ^ table[0];
    if (step == int64_t(bit)) {
      same |= step;
    } else if (step != 0) {
      sum = l.b.CreateXor(sum, l.b.CreateSelect(condition(bit), l.i32(step), l.i32(0)));
    }
  }
  return l.b.CreateXor(sum, l.b.CreateAnd(l.lane(), l.i32(same)));
}

void Shuffles::emit() {
  unsigned packed = plan.packGiven.size();
  Registers taken; // round by round
  for (auto [round, gives] : llvm::zip(plan.rounds, gives)) {
    llvm::Value *value = choose(gives, [&](int64_t reg) { return given(reg); });
    if (!round.local) {
      value = round.laneXor ? l.shuffled(value, l.i32(*round.laneXor), true)
                            : l.shuffled(value, sourceLane(round), false);
    }
    if (packed == 1) {
      taken.push_back(value);
    } else {
      llvm::append_range(taken, l.unpack(value, element, packed));
    }
  }
  to.regs.assign(to.dist.regs(), nullptr);
  for (const auto &[reg, choice] : fills) {
    to.regs[reg] = choose(choice, [&](int64_t which) { return taken[which]; });
  }
  for (auto [original, copy] : plan.copies) {
    to.regs[copy] = to.regs[original];
  }
}

/// Whether the table of lanes is what `sourceLane` makes of it.
static bool isLinear(const ShuffleRound &round) {
  llvm::ArrayRef<int64_t> table = round.sourceLane;
  for (size_t thread = 1; thread < table.size(); ++thread) {
    size_t low = thread & -thread;
    if (table[thread] != (table[thread ^ low] ^ table[low] ^ table[0])) {
      return false;
    }
  }
  return true;
}

bool convert::moveByShuffles(Lowering &l, const TileValue &from, TileValue &to,
                             llvm::Type *element) {
  if (from.dist.exceeds(from.shape) || to.dist.exceeds(to.shape) || !llvm::isPowerOf2_64(l.warps)) {
    return false;
  }
  llvm::Expected<Layout> before = from.dist.layout(from.shape, l.warps),
                         after = to.dist.layout(to.shape, l.warps);
  int64_t bytes = std::max<int64_t>(element->getPrimitiveSizeInBits() / 8, 1);
  llvm::Expected<ConversionPlan> plan = before && after ? planConversion(*before, *after, bytes)
                                                        : llvm::createStringError("no layout");
  for (llvm::Expected<Layout> *layout : {&before, &after}) {
    llvm::consumeError(layout->takeError());
  }
  if (!plan) {
    llvm::consumeError(plan.takeError());
    return false;
  }
  if (!plan->shuffle || !llvm::all_of(plan->shuffle->rounds, isLinear)) {
    return false;
  }
  Shuffles shuffles(l, *plan->shuffle, from, to, element);
  if (!shuffles.prepare()) {
    return false;
  }
  shuffles.emit();
  return true;
}
