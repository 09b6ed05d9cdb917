// What a schedule demands of code whose layouts it does not know yet: `expect regs <= 128, smem <= 65536, bank_degree(b) <= 1`.
// Kept on the kernel (`regs`, `smem`) and on the buf's `tile.alloc` until the code tells the number.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_SCHEDULE_EXPECTATIONS_H
#define TESSERA_SCHEDULE_EXPECTATIONS_H

#include "tessera/Schedule/ScriptValue.h"

#include "mlir/IR/Operation.h"

namespace tessera::schedule {

inline constexpr llvm::StringLiteral expectsAttrName = "tile.expects";

/// `what` compared with a number.
struct LayoutExpectation {
  std::string
      what; ///< `regs`: registers of a thread; `smem`: bytes of a CTA; `bank_degree`: words of one bank in a phase
  script::BinaryOp compare = script::BinaryOp::Le; ///< Eq, Ne, Lt, Le, Gt, Ge
  int64_t bound = 0;
  std::string text; ///< as in the script
  mlir::LocationAttr at;

  bool holds(int64_t value) const;
};

/// The comparison that stands in a fact over leaves called `what`; nothing where it is another tree.
std::optional<LayoutExpectation> comparisonIn(const script::Fact &fact);

void addExpectation(mlir::Operation *op, const LayoutExpectation &expectation);
/// Those of an op that speak of `what`.
llvm::SmallVector<LayoutExpectation> expectationsOf(mlir::Operation *op, llvm::StringRef what);

/// An error at the script's line for each that does not hold: `regs <= 128` does not hold: DETAIL.
mlir::LogicalResult checkExpectations(llvm::ArrayRef<LayoutExpectation> expectations, int64_t value,
                                      const llvm::Twine &detail);

} // namespace tessera::schedule

#endif // TESSERA_SCHEDULE_EXPECTATIONS_H
