//===- Structure.cpp - questions about the form of a kernel ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tile/Structure.h"

#include "tessera/Dialect/Tile/TileOps.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace tessera::tile {

bool isViewPart(Operation *op) {
  return isa<ViewGroupOp, ViewPermuteOp, ViewSliceOp, ViewSplitOp>(op);
}

Value viewBase(Value view) {
  while (Operation *op = view.getDefiningOp()) {
    if (!isViewPart(op)) {
      break;
    }
    view = op->getOperand(0);
  }
  return view;
}

// Also asked while order and dominance are not verified yet: allocs may even take over each other.
SmallVector<Value> memoryBases(Value buf) {
  SmallVector<Value> work{buf}, bases;
  llvm::SmallPtrSet<Value, 8> seen;
  while (!work.empty()) {
    Value next = work.pop_back_val();
    if (!seen.insert(next).second) {
      continue;
    }
    auto alloc = next.getDefiningOp<AllocOp>();
    if (!alloc || alloc.getOver().empty()) {
      bases.push_back(next);
    } else {
      llvm::append_range(work, alloc.getOver());
    }
  }
  return bases;
}

bool shareMemory(Value a, Value b) {
  if (a == b) {
    return true;
  }
  if (!isa<BufType>(a.getType()) || !isa<BufType>(b.getType())) {
    return false;
  }
  SmallVector<Value> mine = memoryBases(a), theirs = memoryBases(b);
  return llvm::any_of(mine, [&](Value base) { return llvm::is_contained(theirs, base); });
}

RingOp ringOf(Value buf) {
  for (Operation *user : buf.getUsers()) {
    if (auto ring = dyn_cast<RingOp>(user)) {
      return ring;
    }
  }
  return {};
}

bool isElementwise(Operation *op) {
  return op->hasTrait<ElementwiseRow>() ||
         isa<BitsOp, CastOp, CmpOp, FromBitsOp, PhiloxOp, SelectOp>(op);
}

bool isMadeOfSections(Operation *op) {
  auto loop = dyn_cast<ForOp>(op);
  return loop && !loop.getBody().front().getOps<SectionOp>().empty();
}

} // namespace tessera::tile
