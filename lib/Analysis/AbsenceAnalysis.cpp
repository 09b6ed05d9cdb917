//===- AbsenceAnalysis.cpp - which factors of absence may exist -----------===//
//
// A walk over the IR is repeated until nothing is added: sets only grow, and there
// are finitely many, so it ends after as many rounds as loops are nested, plus one.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Analysis/AbsenceAnalysis.h"

#include "AbsenceTransfer.h"
#include "BranchFlow.h"

#include "tessera/Dialect/Tile/TileOps.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tessera {

std::string factorsText(ArrayRef<AxisSet> factors) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "[";
  llvm::interleaveComma(factors, out, [&](AxisSet factor) {
    out << "[";
    bool isFirst = true;
    for (unsigned i = 0; i < 64; ++i) {
      if (factor >> i & 1) {
        out << (isFirst ? "" : ", ") << i;
        isFirst = false;
      }
    }
    out << "]";
  });
  out << "]";
  return text;
}

AbsenceAnalysis::AbsenceAnalysis(Operation *root) {
  do {
    changed = false;
    root->walk<WalkOrder::PreOrder>([&](Operation *op) { visit(op); });
  } while (changed);
}

ArrayRef<AxisSet> AbsenceAnalysis::factorsOf(Value value) const {
  auto found = known.find(value);
  return found == known.end() ? ArrayRef<AxisSet>() : ArrayRef<AxisSet>(found->second);
}

void AbsenceAnalysis::join(Value value, ArrayRef<AxisSet> factors) {
  if (factors.empty()) {
    return;
  }
  Factors &there = known[value];
  size_t before = there.size();
  there.append(factors.begin(), factors.end());
  normalize(there);
  changed |= there.size() != before;
}

void AbsenceAnalysis::visit(Operation *op) {
  if (isa<RegionBranchOpInterface>(op)) {
    visitBranches(op);
    return;
  }
  if (!isa_and_nonnull<tile::TileDialect>(op->getDialect())) {
    return;
  }
  if (isa<tile::ApplyOp, tile::SectionOp>(op)) {
    // What the body yields.
    Operation *yield = op->getRegion(0).front().getTerminator();
    for (auto [result, value] : llvm::zip(op->getResults(), yield->getOperands())) {
      join(result, Factors(factorsOf(value)));
    }
    return;
  }
  if (auto instr = dyn_cast<tile::InstrOp>(op)) {
    // Whatever the instruction is used on may lack any element.
    for (BlockArgument argument : instr.getBody().getArguments()) {
      join(argument, allAxes(argument));
    }
    return;
  }
  // Copies: `known` may grow, and with it move, while the results are joined.
  SmallVector<Factors> results =
      tessera::transferAbsence(op, [&](Value value) { return factorsOf(value); });
  for (auto [result, factors] : llvm::zip(op->getResults(), results)) {
    join(result, factors);
  }
  // A recurrence reads its own elements.
  if (auto map = dyn_cast<tile::MapOp>(op); map && map.getSelf()) {
    join(map.getBody().getArguments().back(), results[0]);
  }
  // The arrays of a reference are the last arguments of the tolerance.
  auto kernel = dyn_cast<tile::KernelOp>(op);
  if (kernel && !kernel.getReference().empty() && !kernel.getTolerance().empty()) {
    Operation *yield = kernel.getReference().front().getTerminator();
    auto arrays = kernel.getTolerance().getArguments().take_back(yield->getNumOperands());
    for (auto [array, value] : llvm::zip(arrays, yield->getOperands())) {
      join(array, Factors(factorsOf(value)));
    }
  }
}

/// Everything that may flow along an edge between regions reaches its target.
void AbsenceAnalysis::visitBranches(Operation *op) {
  visitEdges(cast<RegionBranchOpInterface>(op),
             [&](Value source, Value target) { join(target, Factors(factorsOf(source))); });
}

} // namespace tessera
