// Conversions within warps. The target element at (register r, lane l) is found at register A r + B l and lane C r + D l of the
// source, all over GF(2). A round z lets lane l fill register z + X l; it then reads lane C z + (D + C X) l. X is chosen so that
// two lanes never want different registers of one lane in one round, and so that as many rounds as possible stay at home.
// The idea of rounds over a complement of the registers is that of Zhou et al., "Linear Layouts", 2025.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ConvertProblem.h"
#include "F2.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace tessera;

namespace {
/// Registers of the target that are moved together because the same bit tells them apart before and after.
struct Packing {
  llvm::SmallVector<unsigned> toBits;
  llvm::SmallVector<unsigned> fromBits;
};

class ShufflePlanner {
public:
  ShufflePlanner(const ConvertProblem &problem, const SourceMap &map)
      : problem(problem), linear(*problem.linear), map(map),
        fromPlaces(placesOf(linear.from, regDim)), toPlaces(placesOf(linear.to, regDim)) {}

  llvm::Expected<ConversionPlan> run() {
    choosePacking();
    chooseRoundBits();
    std::optional<ConversionPlan> best;
    for (llvm::ArrayRef<uint64_t> shift : candidates()) {
      if (!isConsistent(shift)) {
        continue;
      }
      ConversionPlan plan = build(shift);
      if (!best || plan.cost.quarterCycles() < best->cost.quarterCycles()) {
        best = std::move(plan);
      }
    }
    if (!best) {
      return layoutError(LayoutDiag::convert_path, "shuffle",
                         "lanes would need different registers of one lane at the same time",
                         "shared memory");
    }
    return std::move(*best);
  }

private:
  void choosePacking() {
    unsigned most = problem.elementBytes < 4 ? llvm::Log2_64(4 / problem.elementBytes) : 0;
    auto usersOf = [&](uint64_t bit) {
      unsigned users = 0;
      for (const auto *list : {&map.registers, &map.lanes, &map.warps}) {
        users += llvm::count_if(*list, [&](Source source) { return source.registers & bit; });
      }
      return users;
    };
    for (unsigned i = 0; i < map.registers.size() && packing.toBits.size() < most; ++i) {
      Source source = map.registers[i];
      if (source.lanes == 0 && llvm::has_single_bit(source.registers) &&
          usersOf(source.registers) == 1) {
        packing.toBits.push_back(i);
        packing.fromBits.push_back(llvm::countr_zero(source.registers));
      }
    }
  }

  /// Splits the other register bits of the target into those that number the rounds and those that repeat values.
  void chooseRoundBits() {
    F2Span span;
    for (unsigned i = 0; i < map.registers.size(); ++i) {
      if (llvm::is_contained(packing.toBits, i)) {
        continue;
      }
      uint64_t image = stacked(map.registers[i]);
      if (std::optional<uint64_t> known = span.solve(image)) {
        repeats.push_back({i, *known});
      } else {
        span.insert(image, i);
        roundBits.push_back(i);
      }
    }
  }

  static uint64_t stacked(Source source) { return source.registers << 5 | source.lanes; }

  /// What lane bit `lane` reads when it fills registers shifted by `shift` (a set of bits of the target's registers).
  Source shifted(unsigned lane, uint64_t shift) const {
    Source source = map.lanes[lane];
    for (unsigned i = 0; i < map.registers.size(); ++i) {
      if ((shift >> i) & 1) {
        source.registers ^= map.registers[i].registers;
        source.lanes ^= map.registers[i].lanes;
      }
    }
    return source;
  }

  /// Columns of X worth a look: all lanes stay where they are; no shift; every lane is read by one lane.
  std::vector<llvm::SmallVector<uint64_t>> candidates() const {
    std::vector<llvm::SmallVector<uint64_t>> list;
    F2Span lanesOfRounds;
    for (unsigned bit : roundBits) {
      lanesOfRounds.insert(map.registers[bit].lanes, bit);
    }
    llvm::SmallVector<uint64_t> home;
    for (unsigned lane = 0; lane < map.lanes.size(); ++lane) {
      uint64_t away = map.lanes[lane].lanes ^ (uint64_t(1) << lane);
      if (std::optional<uint64_t> shift = lanesOfRounds.solve(away)) {
        home.push_back(*shift);
      }
    }
    if (home.size() == map.lanes.size()) {
      list.push_back(home);
    }
    list.push_back(llvm::SmallVector<uint64_t>(map.lanes.size(), 0));
    list.push_back(oneReader(lanesOfRounds));
    return list;
  }

  /// X with D + C X invertible if there is one: lane bits whose D is independent of the span of C keep it, each of the others
  /// gets a column of C of its own.
  llvm::SmallVector<uint64_t> oneReader(const F2Span &lanesOfRounds) const {
    llvm::SmallVector<uint64_t> shift(map.lanes.size(), 0);
    F2Span used;
    F2Span quotient;
    llvm::SmallVector<unsigned> others;
    for (unsigned lane = 0; lane < map.lanes.size(); ++lane) {
      uint64_t reads = map.lanes[lane].lanes;
      if (quotient.insert(lanesOfRounds.reduce(reads))) {
        used.insert(reads);
      } else {
        others.push_back(lane);
      }
    }
    for (unsigned lane : others) {
      uint64_t reads = map.lanes[lane].lanes;
      if (used.insert(reads)) {
        continue;
      }
      for (unsigned bit : roundBits) {
        if (used.insert(reads ^ map.registers[bit].lanes)) {
          shift[lane] = uint64_t(1) << bit;
          break;
        }
      }
    }
    return shift;
  }

  /// Lanes that read one lane want one register of it.
  bool isConsistent(llvm::ArrayRef<uint64_t> shift) const {
    F2Span lanes;
    F2Span both;
    for (unsigned lane = 0; lane < map.lanes.size(); ++lane) {
      Source source = shifted(lane, shift[lane]);
      lanes.insert(source.lanes);
      both.insert(stacked(source));
    }
    return lanes.rank() == both.rank();
  }

  static int64_t number(uint64_t bits, llvm::ArrayRef<int64_t> places) {
    int64_t sum = 0;
    for (; bits; bits &= bits - 1) {
      sum += places[llvm::countr_zero(bits)];
    }
    return sum;
  }

  static void accumulate(Source &sum, Source other) {
    sum.registers ^= other.registers;
    sum.lanes ^= other.lanes;
  }

  ShuffleRound makeRound(uint64_t round, llvm::ArrayRef<uint64_t> shift, int64_t fromBase,
                         int64_t toBase) const {
    int64_t lanes = problem.lanes();
    int64_t warps = problem.warps();
    ShuffleRound result;
    result.sourceLane.resize(lanes * warps);
    result.filled.resize(lanes * warps);
    result.given.assign(lanes * warps, fromBase);
    for (int64_t warp = 0; warp < warps; ++warp) {
      for (int64_t lane = 0; lane < lanes; ++lane) {
        Source source;
        uint64_t target = round;
        for (unsigned i = 0; i < map.lanes.size(); ++i) {
          if ((lane >> i) & 1) {
            target ^= shift[i];
            accumulate(source, shifted(i, shift[i]));
          }
        }
        for (unsigned i = 0; i < map.registers.size(); ++i) {
          if ((round >> i) & 1) {
            accumulate(source, map.registers[i]);
          }
        }
        for (unsigned i = 0; i < map.warps.size(); ++i) {
          if ((warp >> i) & 1) {
            accumulate(source, map.warps[i]);
          }
        }
        int64_t thread = warp * lanes + lane;
        result.sourceLane[thread] = source.lanes;
        result.filled[thread] = toBase + number(target, toPlaces);
        result.given[warp * lanes + source.lanes] = fromBase + number(source.registers, fromPlaces);
      }
    }
    describe(result);
    return result;
  }

  void describe(ShuffleRound &round) const {
    int64_t lanes = problem.lanes();
    int64_t laneXor = round.sourceLane[0];
    bool constant = true;
    for (size_t thread = 0; thread < round.sourceLane.size(); ++thread) {
      constant &= (round.sourceLane[thread] ^ static_cast<int64_t>(thread % lanes)) == laneXor;
    }
    if (constant) {
      round.laneXor = laneXor;
      round.local = laneXor == 0;
    }
  }

  void addRounds(ConversionPlan &plan, llvm::ArrayRef<uint64_t> shift, int64_t fromBase,
                 int64_t toBase) const {
    for (uint64_t index = 0; index < (uint64_t(1) << roundBits.size()); ++index) {
      uint64_t round = 0;
      for (unsigned i = 0; i < roundBits.size(); ++i) {
        round |= ((index >> i) & 1) << roundBits[i];
      }
      plan.shuffle->rounds.push_back(makeRound(round, shift, fromBase, toBase));
      // Registers told apart by bits that repeat hold the same: copied, in every combination of those bits.
      for (uint64_t subset = 1; subset < (uint64_t(1) << repeats.size()); ++subset) {
        uint64_t target = round;
        uint64_t original = round;
        for (unsigned i = 0; i < repeats.size(); ++i) {
          if ((subset >> i) & 1) {
            target |= uint64_t(1) << repeats[i].bit;
            original ^= repeats[i].same;
          }
        }
        for (int64_t packed : plan.shuffle->packFilled) {
          plan.shuffle->copies.push_back({toBase + number(original, toPlaces) + packed,
                                          toBase + number(target, toPlaces) + packed});
        }
      }
    }
  }

  ConversionPlan build(llvm::ArrayRef<uint64_t> shift) const {
    ConversionPlan plan;
    plan.shuffle.emplace();
    plan.shuffle->lanes = problem.lanes();
    plan.shuffle->warps = problem.warps();
    for (unsigned subset = 0; subset < (1u << packing.toBits.size()); ++subset) {
      int64_t given = 0;
      int64_t filled = 0;
      for (unsigned i = 0; i < packing.toBits.size(); ++i) {
        given += (subset >> i) & 1 ? fromPlaces[packing.fromBits[i]] : 0;
        filled += (subset >> i) & 1 ? toPlaces[packing.toBits[i]] : 0;
      }
      plan.shuffle->packGiven.push_back(given);
      plan.shuffle->packFilled.push_back(filled);
    }
    int64_t loops = 1;
    for (const RegisterLoop &loop : linear.loops) {
      loops *= loop.extent;
    }
    for (int64_t index = 0; index < loops; ++index) {
      int64_t left = index;
      int64_t fromBase = 0;
      int64_t toBase = 0;
      for (const RegisterLoop &loop : linear.loops) {
        fromBase += left % loop.extent * loop.fromPlace;
        toBase += left % loop.extent * loop.toPlace;
        left /= loop.extent;
      }
      addRounds(plan, shift, fromBase, toBase);
    }
    count(plan, shift);
    return plan;
  }

  void count(ConversionPlan &plan, llvm::ArrayRef<uint64_t> shift) const {
    F2Span choices;
    F2Span places;
    for (unsigned lane = 0; lane < map.lanes.size(); ++lane) {
      choices.insert(shifted(lane, shift[lane]).registers);
      places.insert(shift[lane]);
    }
    for (Source source : map.warps) {
      choices.insert(source.registers);
    }
    int64_t words = llvm::divideCeil(problem.elementBytes, 4);
    int64_t selects = (int64_t(1) << choices.rank()) - 1 + (int64_t(1) << places.rank()) - 1;
    for (const ShuffleRound &round : plan.shuffle->rounds) {
      plan.cost.shuffles += round.local ? 0 : words;
      plan.cost.selects += selects * words;
    }
    plan.cost.permutes = countPermutes(plan);
    plan.path = plan.cost.shuffles ? ConvertPath::shuffle : ConvertPath::registers;
  }

  /// Narrow elements share 32-bit registers. Nothing to do where the packed bits are the low ones on both sides.
  int64_t countPermutes(const ConversionPlan &plan) const {
    if (problem.elementBytes >= 4) {
      return 0;
    }
    int64_t perWord = 4 / problem.elementBytes;
    int64_t packed = plan.shuffle->packGiven.size();
    auto isLow = [&](llvm::ArrayRef<int64_t> offsets) {
      for (int64_t i = 0; i < packed; ++i) {
        if (offsets[i] != i) {
          return false;
        }
      }
      return packed == perWord;
    };
    int64_t targets = problem.to.ins()[regDim].size();
    int64_t rounds = plan.shuffle->rounds.size();
    if (targets < perWord && packed == targets) {
      return 0;
    }
    int64_t permutes = isLow(plan.shuffle->packGiven) ? 0 : packed > 1 ? rounds * (packed - 1) : 0;
    if (!isLow(plan.shuffle->packFilled)) {
      permutes += llvm::divideCeil(targets, perWord) * std::max<int64_t>(1, perWord / packed - 1);
    }
    return permutes;
  }

  struct Repeat {
    unsigned bit;
    uint64_t same; // the round bits that make the same element
  };

  const ConvertProblem &problem;
  const LinearProblem &linear;
  const SourceMap &map;
  llvm::SmallVector<int64_t> fromPlaces;
  llvm::SmallVector<int64_t> toPlaces;
  Packing packing;
  llvm::SmallVector<unsigned> roundBits;
  llvm::SmallVector<Repeat> repeats;
};
} // namespace

llvm::Expected<ConversionPlan> tessera::planShuffle(const ConvertProblem &problem) {
  if (!problem.linear) {
    return layoutError(LayoutDiag::convert_path, "shuffle",
                       "the layouts repeat differently outside of their power-of-two parts",
                       "shared memory");
  }
  std::optional<SourceMap> map = sourcesWithinWarps(*problem.linear);
  if (!map) {
    return layoutError(LayoutDiag::convert_path, "shuffle", "elements change their warps or blocks",
                       "shared memory");
  }
  return ShufflePlanner(problem, *map).run();
}
