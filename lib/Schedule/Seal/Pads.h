//===- Pads.h - what lanes beyond the present part hold -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An instruction works on whole tiles: it uses the lanes of absent elements, too. For a value and an axis the lattice
// tells what the lanes beyond the present part of that axis hold:
//
//   data         the axis has no absent part; lanes hold elements like any other
//   row          the same unknown element all along the axis
//   constant c
//   poison       anything, NaN included; what was left in a slot
//
// `rowPoison`: the constant, or NaN where the whole row is NaN already, so that a result of the row is NaN in any case.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_SCHEDULE_SEAL_PADS_H
#define TESSERA_LIB_SCHEDULE_SEAL_PADS_H

#include "Values.h"

namespace tessera::sealing {

struct Pad {
  enum Kind { data, row, constant, poison } kind = poison;
  double value = 0;
  bool rowPoison = false;

  bool isConstant(double wanted) const { return kind == constant && value == wanted; }
  std::string str() const;
  static Pad of(Kind kind) { return {kind, 0, false}; }
  static Pad of(double value, bool rowPoison = false) { return {constant, value, rowPoison}; }
};
Pad join(const Pad &a, const Pad &b);

class PadAnalysis {
public:
  PadAnalysis(const PresenceAnalysis &presence, const ReachingWrites &writes)
      : presence(presence), writes(writes) {}

  Pad along(mlir::Value tile, unsigned axis);

private:
  Pad find(mlir::Value tile, unsigned axis);
  Pad ofArgument(mlir::BlockArgument argument, unsigned axis);
  Pad ofOp(mlir::Operation *op, mlir::OpResult result, unsigned axis);
  Pad ofRead(mlir::Operation *read, unsigned axis);
  Pad ofElementwise(mlir::Operation *op, unsigned axis);
  Pad ofShape(mlir::Operation *op, unsigned axis);
  Pad otherwise(mlir::Value tile, unsigned axis);
  Pad ofFeeds(llvm::ArrayRef<mlir::Value> sources, unsigned axis);

  const PresenceAnalysis &presence;
  const ReachingWrites &writes;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, std::optional<Pad>>
      known; ///< nothing: being looked at
};

} // namespace tessera::sealing

#endif // TESSERA_LIB_SCHEDULE_SEAL_PADS_H
