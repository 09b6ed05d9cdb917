// Arguments that fit the kernel as it stands: what a call needs to be accepted is there, as far as a look at the ops
// tells.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_TESTING_SCHEDULES_FITTING_H
#define TESSERA_LIB_TESTING_SCHEDULES_FITTING_H

#include "Places.h"

#include "tessera/Check/Random.h"

namespace tessera::schedulefuzz {

class Fitting {
public:
  Fitting(schedule::ScheduleHost &host, const std::vector<Place> &places, Random &random)
      : host(host), places(places), random(random) {}

  /// One for each parameter, as `Arguments::forCall` gives them; nothing where nothing fits. `hint` is a word of a
  /// recipe: what the argument should be about.
  std::optional<std::vector<Written>> forCall(const script::Signature &signature,
                                              llvm::StringRef hint = "");

private:
  /// By parameter; what is left out has its default.
  using Chosen = std::map<std::string, Written>;
  using Found = std::optional<Chosen>;
  using Test = llvm::function_ref<bool(const Place &)>;

  // Memory and time.
  Found stage(llvm::StringRef hint);
  Found ring(llvm::StringRef hint);
  Found overlay(llvm::StringRef hint);
  Found setLayout(llvm::StringRef hint);
  Found sections(llvm::StringRef hint);
  Found setLead(llvm::StringRef hint);
  Found setLag(llvm::StringRef hint);
  Found roles(llvm::StringRef hint);
  Found elect(llvm::StringRef hint);
  Found multicast(llvm::StringRef hint);
  Found insertBarrier(llvm::StringRef hint);
  // Loops.
  Found persistent(llvm::StringRef hint);
  Found orderTiles(llvm::StringRef hint);
  Found cluster(llvm::StringRef hint);
  Found computeAt(llvm::StringRef hint);
  Found hoist(llvm::StringRef hint);
  Found peel(llvm::StringRef hint);
  Found fuse(llvm::StringRef hint);
  Found unroll(llvm::StringRef hint);
  Found realize(llvm::StringRef hint);
  Found reorder(llvm::StringRef hint);
  // Places, values, instructions.
  Found split(llvm::StringRef hint);
  Found bind(llvm::StringRef hint);
  Found vectorize(llvm::StringRef hint);
  Found pin(llvm::StringRef hint);
  Found reducePlan(llvm::StringRef hint);
  Found dropFill(llvm::StringRef hint);
  Found replace(llvm::StringRef hint);
  Found versions(llvm::StringRef hint);
  Found never(llvm::ArrayRef<std::string> extents);
  Found kernel(llvm::StringRef hint);

  const Place *pick(Test fits);
  std::vector<const Place *> all(Test fits);
  /// Places of ops, each op once.
  std::vector<const Place *> ops(llvm::function_ref<bool(mlir::Operation *)> fits);
  const Place *op(llvm::function_ref<bool(mlir::Operation *)> fits);
  std::optional<Written> named(llvm::StringRef word);
  std::optional<Written> order(mlir::Operation *op);
  std::vector<std::string> instructionsFor(mlir::Operation *op, llvm::StringRef hint);
  bool chance(unsigned percent) { return random.below(100) < percent; }

  schedule::ScheduleHost &host;
  const std::vector<Place> &places;
  Random &random;
};

/// How a plan spreads a reduction: the factors that the op has along it, else some.
std::optional<Written> planOf(mlir::Operation *op, Random &random);

inline Written number(int64_t value) {
  return {script::Value::integer(value), std::to_string(value), {}};
}
inline Written wordOf(llvm::StringRef word) {
  return {script::Value::name(word.str()), word.str(), {}};
}
Written recordOf(std::vector<std::pair<std::string, Written>> fields);

/// The op around one, instructions and elections aside.
mlir::Operation *around(mlir::Operation *op);
bool isInInstruction(mlir::Operation *op);
/// The dim of a place is counted in factors.
bool hasFactors(const Place &place);

} // namespace tessera::schedulefuzz

#endif // TESSERA_LIB_TESTING_SCHEDULES_FITTING_H
