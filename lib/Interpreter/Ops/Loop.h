// Blocks with a yield, and loops over a range.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_INTERPRETER_OPS_LOOP_H
#define TESSERA_LIB_INTERPRETER_OPS_LOOP_H

#include "../Compiler.h"

#include <memory>

namespace tessera::interp {

/// A compiled block with where its values go.
struct Body {
  Code code;
  Transfer yield;

  void operator()(Machine &m) const {
    m.run(code);
    if (!m.stopped()) {
      yield(m);
      m.finish(code);
    }
  }
};

/// What `tile.for` does, step by step.
struct LoopPlan {
  unsigned lo = 0, hi = 0;
  SlotRef step;
  int64_t width = 0;
  bool reversed = false;
  Transfer enter, leave;
  std::shared_ptr<Body> body;

  static LoopPlan make(Compiler &c, tile::ForOp op);

  struct Range {
    int64_t from = 0, to = 0;
    uint64_t steps = 0;
  };
  /// Nothing, with an error, where a bound is absent.
  std::optional<Range> range(Machine &m) const;
  /// Gives the block its step.
  void setStep(Machine &m, const Range &range, uint64_t i) const;
  /// The steps one after the other.
  void run(Machine &m) const;
};

/// A loop whose body is cut into sections.
StepFn compileSectionedFor(Compiler &c, tile::ForOp op);
/// Whether sections with a role stand directly in the body.
bool hasRoles(mlir::Block &body);

} // namespace tessera::interp

#endif // TESSERA_LIB_INTERPRETER_OPS_LOOP_H
