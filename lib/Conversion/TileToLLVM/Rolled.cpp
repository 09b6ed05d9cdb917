// Copies of many narrow pieces as loops.
//
// A mode of registers, or the upper part of one, becomes the loop: what its step adds to a coordinate is part of what a thread
// adds, so that addresses and conditions need to know nothing of it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Rolled.h"

#include "Control.h"

#include "tessera/Schedule/LaunchFacts.h"
#include "tessera/Support/Mutants.h"

#include "llvm/Support/MathExtras.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::LogicalResult;
using tile::DistMode;
using tile::Place;

/// Pieces that are in flight together: fewer would wait for memory more often.
static constexpr int64_t piecesTogether = 8;

bool convert::servesTheRest(tile::KernelOp kernel) {
  if (kernel->hasAttr(schedule::versionOfAttr) || !kernel->getBlock()) {
    return false;
  }
  return llvm::any_of(kernel->getBlock()->getOps<tile::KernelOp>(), [&](tile::KernelOp other) {
    auto of = other->getAttrOfType<mlir::FlatSymbolRefAttr>(schedule::versionOfAttr);
    return of && of.getValue() == kernel.getSymName();
  });
}

namespace {
struct Rolled {
  Dist part;
  DistMode steps;
};
} // namespace

/// The longest mode of registers, as far as enough pieces are left; one that stays within the shape, so that all steps have the
/// same conditions.
static std::optional<Rolled> rolledOf(const Dist &dist, ArrayRef<int64_t> shape, int64_t width) {
  int64_t pieces = dist.regs() / width;
  SmallVector<DistMode> modes(dist.modes());
  DistMode *longest = nullptr;
  for (DistMode &mode : modes) {
    bool isInside = mode.place == Place::reg && mode.axis >= 0 && mode.extent > 1 &&
                    dist.reach(mode.axis) <= shape[mode.axis];
    if (isInside && (!longest || mode.extent > longest->extent)) {
      longest = &mode;
    }
  }
  if (!longest) {
    return std::nullopt;
  }
  int64_t steps = longest->extent;
  while (steps % 2 == 0 && pieces / steps < piecesTogether) {
    steps /= 2;
  }
  if (steps < 2 || pieces / steps < piecesTogether) {
    return std::nullopt;
  }
  int64_t rest = longest->extent / steps;
  // Vectors lie along the last axis and stay whole.
  if (longest->axis + 1 == int64_t(shape.size()) && longest->stride == 1 && rest % width != 0) {
    return std::nullopt;
  }
  DistMode loop(*longest);
  loop.extent = steps;
  loop.stride = longest->stride * rest;
  longest->extent = rest;
  llvm::erase_if(modes,
                 [](const DistMode &mode) { return mode.place == Place::reg && mode.extent == 1; });
  return Rolled{Dist::get(modes), loop};
}

LogicalResult convert::inParts(Lowering &l, const Dist &dist, ArrayRef<int64_t> shape,
                               int64_t width,
                               llvm::function_ref<LogicalResult(const Dist &)> body) {
  // Reports count the accesses of straight code.
  bool mayRoll = !l.report && !l.step && servesTheRest(l.kernel);
  std::optional<Rolled> rolled = mayRoll ? rolledOf(dist, shape, width) : std::nullopt;
  if (!rolled) {
    return body(dist);
  }
  int64_t steps = rolled->steps.extent;
  return countedLoop(
      l, l.i64(0),
      l.i64(TESSERA_MUTANT(408, "a copy in a loop ends a step early", steps, steps - 1)),
      [&](llvm::Value *number) {
        l.step.emplace();
        l.step->mode = rolled->steps;
        l.step->number = l.b.CreateTrunc(number, l.b.getInt32Ty());
        LogicalResult done = body(rolled->part);
        l.step.reset();
        return done;
      });
}
