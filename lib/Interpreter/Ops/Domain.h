// The points of a launch domain: their axes, their numbers, the order in which they run.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_INTERPRETER_OPS_DOMAIN_H
#define TESSERA_LIB_INTERPRETER_OPS_DOMAIN_H

#include "../Compiler.h"

#include "llvm/Support/MathExtras.h"

namespace tessera::interp {

/// A permutation of 0 … count-1 without a table: a Feistel network over the next even number of bits, walked until it
/// falls into the range (Black, Rogaway, CT-RSA 2002).
class Shuffle {
public:
  Shuffle(uint64_t count, uint64_t seed)
      : count(count), seed(seed), half((llvm::Log2_64_Ceil(std::max<uint64_t>(count, 2)) + 1) / 2) {
  }

  uint64_t operator()(uint64_t x) const {
    do {
      x = once(x);
    } while (x >= count);
    return x;
  }

private:
  uint64_t once(uint64_t x) const;

  uint64_t count, seed, half;
};

/// Which point is the i-th of `count`.
uint64_t pointAt(const RunOptions &options, const Shuffle &shuffle, uint64_t i, uint64_t count);

/// `tile.grid` or `tile.tasks`.
struct DomainPlan {
  llvm::SmallVector<unsigned, 4> lows, highs, steps;
  llvm::SmallVector<int64_t, 4> widths;
  std::vector<std::string> names;
  Code code;

  DomainPlan(Compiler &c, mlir::ValueRange lows, mlir::ValueRange highs,
             llvm::ArrayRef<int64_t> widths, mlir::Block &block);
  /// Fills the machine's axes; the number of points, or nothing if the domain cannot be run.
  std::optional<uint64_t> enter(Machine &m) const;
  void setSteps(Machine &m, uint64_t point) const;
  /// Runs the body at a point, by its row-major number; false if it ended with an error.
  bool runPoint(Machine &m, uint64_t point) const;
};

} // namespace tessera::interp

#endif // TESSERA_LIB_INTERPRETER_OPS_DOMAIN_H
