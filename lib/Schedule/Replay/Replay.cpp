// Sizes, contents and seeds of a replay.
//
// The witness gives sizes and the two instances that meet; which interleaving brings them together is the adversary's
// choice, so several seeds are tried at the witness's sizes. A condition that was judged by the form of the program has no
// witness: then sizes around the widths of the kernel's tiles are tried, where steps, tails and absence are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/Replay.h"

#include "tessera/Check/Random.h"
#include "tessera/Interpreter/KernelRun.h"

#include <set>

using namespace tessera;
using namespace tessera::schedule;

namespace {

using Extents = std::map<std::string, int64_t>;

/// What a run needs beside the sizes; enough for every kernel of a few tiles by far.
constexpr uint64_t kMaxSteps = 2'000'000;
constexpr uint64_t kMaxBytes = uint64_t(1) << 31;
/// Of all runs together: a refusal is not worth more.
constexpr uint64_t kAllBytes = uint64_t(1) << 33;
constexpr uint64_t kSeeds = 8;
constexpr unsigned kSizes = 16;
constexpr uint64_t kTries = 200;
/// So many steps show a lead, a lag and a ring that is too short.
constexpr int64_t kSteps = 5;
constexpr int64_t kMostAlignment = 256;

class Replay {
public:
  explicit Replay(const ReplayRequest &request)
      : request(request),
        before(mlir::ModuleOp(request.before).lookupSymbol<tile::KernelOp>(request.kernel)),
        after(mlir::ModuleOp(request.after).lookupSymbol<tile::KernelOp>(request.kernel)) {}

  ReplayResult run();

private:
  std::vector<Extents> sizes();
  Extents ofWitness();
  void addAlignments(Extents &extents, uint64_t seed);
  /// Nothing where both agree or the size does not count.
  std::optional<ReplayResult> runAt(const Extents &extents, uint64_t seed);

  const ReplayRequest &request;
  tile::KernelOp before, after;
  unsigned runs = 0;
  uint64_t bytes = 0;            ///< of values made so far
  std::string unordered, notRun; ///< why sizes did not count
};

} // namespace

static std::string textOf(const Extents &extents) {
  std::string text;
  for (const auto &[name, value] : extents) {
    if (value >= kMostAlignment && llvm::StringRef(name).starts_with(alignmentName(""))) {
      continue; // as everything that is allocated
    }
    text += (text.empty() ? "" : ", ") + name + " = " + std::to_string(value);
  }
  return text;
}

Extents Replay::ofWitness() {
  Extents extents;
  for (const solver::WitnessValue &value : request.witness.values) {
    if (value.role == solver::Role::Size && value.arguments.empty() && value.value < (1 << 20)) {
      // A witness has no blanks in names.
      llvm::StringRef name = value.name;
      bool isAlignment = name.consume_front("alignment_of_");
      extents[isAlignment ? alignmentName(name) : name.str()] = static_cast<int64_t>(value.value);
    }
  }
  return extents;
}

/// Where rows begin: as the witness says, well, or at single elements.
void Replay::addAlignments(Extents &extents, uint64_t seed) {
  for (unsigned i = before.getExtents(); i < before.getNumArguments(); ++i) {
    auto view = llvm::dyn_cast<tile::ViewType>(before.getArgType(i));
    if (!view) {
      continue;
    }
    int64_t least = (view.getElementType().getIntOrFloatBitWidth() + 7) / 8;
    std::string name = alignmentName(before.getArgName(i));
    const int64_t usual[] = {kMostAlignment, 16, least, kMostAlignment};
    int64_t given = seed == 0 ? kMostAlignment : usual[deriveSeed(seed, name) % std::size(usual)];
    auto [entry, isNew] = extents.try_emplace(name, given);
    // The largest power of two in it; others are multiples of it as well.
    entry->second = std::clamp(entry->second & -entry->second, least, kMostAlignment);
  }
}

/// The witness's, then sizes about one and two tiles and a bit, first with one extent of many steps or of none.
std::vector<Extents> Replay::sizes() {
  std::set<int64_t> widths;
  before->walk([&](mlir::Operation *op) {
    for (mlir::Type type : op->getResultTypes()) {
      if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type)) {
        widths.insert(tensor.getShape().begin(), tensor.getShape().end());
      }
    }
  });
  std::vector<int64_t> about;
  int64_t widest = 1;
  for (int64_t width : widths) {
    if (width > 1 && width <= 256) {
      about.insert(about.end(), {width + 1, 2 * width, 2 * width + 3, width});
      widest = width;
    }
  }
  about.insert(about.end(), {1, 3, 8, 0, 5, 64});
  std::vector<Extents> list;
  auto add = [&](Extents extents, uint64_t seed) {
    if (seed >= 2 && seed < 2 + 2 * before.getExtents()) {
      std::string name = before.getArgName((seed - 2) / 2).str();
      extents[name] = seed % 2 ? 0 : kSteps * widest + 3;
    }
    for (unsigned i = 0; i < before.getExtents(); ++i) {
      std::string name = before.getArgName(i).str();
      extents.try_emplace(name, about[deriveSeed(seed, name) % about.size()]);
    }
    addAlignments(extents, seed);
    if (request.admits(extents) && !llvm::is_contained(list, extents)) {
      list.push_back(std::move(extents));
    }
  };
  for (uint64_t seed = 0; seed < kTries && list.size() < kSizes; ++seed) {
    add(seed < 2 ? ofWitness() : Extents(), seed);
  }
  return list;
}

std::optional<ReplayResult> Replay::runAt(const Extents &extents, uint64_t seed) {
  RunOptions options;
  options.maxSteps = kMaxSteps;
  options.maxBytes = kMaxBytes;
  RunContents contents = seed % 2 ? RunContents::any : RunContents::integers;
  std::optional<KernelRun> right = runKernel(before, extents, seed, options, contents);
  if (!right) {
    notRun = "arrays of these sizes are too large to try";
    return std::nullopt;
  }
  if (!right->errors.empty()) {
    notRun = "the kernel itself fails with " + textOf(extents) + ": " + right->errors.front();
    return std::nullopt;
  }
  options.adversarial = seed;
  std::optional<KernelRun> known = runKernel(before, extents, seed, options, contents);
  if (std::string fault = right->difference(*known); !fault.empty()) {
    unordered = fault;
    return std::nullopt;
  }
  ++runs;
  std::optional<KernelRun> wrong = runKernel(after, extents, seed, options, contents);
  bytes += right->bytes + known->bytes + wrong->bytes;
  std::string where = textOf(extents);
  where = (where.empty() ? "" : " (" + where + ", seed " + std::to_string(seed) + ")");
  if (!wrong->errors.empty()) {
    return ReplayResult{ReplayResult::Confirmed, wrong->errors.front() + where};
  }
  std::string difference = right->difference(*wrong);
  // The order of the program is that of the prints where only one point prints.
  if (difference.empty() && right->printed == known->printed) {
    difference = right->printedOtherwise(*wrong);
  }
  if (!difference.empty()) {
    return ReplayResult{ReplayResult::Confirmed, difference + where};
  }
  return std::nullopt;
}

ReplayResult Replay::run() {
  if (!before || !after) {
    return {ReplayResult::NotRun, "the step leaves no kernel of this name"};
  }
  // A kernel of few sizes is run with more seeds.
  std::vector<Extents> list = sizes();
  uint64_t seeds = list.empty() ? 0 : kSeeds * std::max<uint64_t>(4 / list.size(), 1);
  for (const Extents &extents : list) {
    for (uint64_t seed = 0; seed < seeds && bytes < kAllBytes; ++seed) {
      if (std::optional<ReplayResult> result = runAt(extents, seed)) {
        return *result;
      }
    }
  }
  if (runs > 0) {
    return {ReplayResult::NotReproduced, std::to_string(runs) + " were made"};
  }
  if (!unordered.empty()) {
    return {ReplayResult::Unordered, unordered};
  }
  return {ReplayResult::NotRun, notRun.empty() ? "no sizes were found that it allows" : notRun};
}

ReplayResult schedule::replayUnderAdversary(const ReplayRequest &request) {
  return Replay(request).run();
}
