// Accesses of global memory in the order of the program: a barrier stands between two of them that may meet in a cell,
// where not both read and it is not known that one thread does both.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lowering.h"

#include "tessera/Schedule/Assign.h"
#include "tessera/Support/Mutants.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace tessera;
using namespace tessera::convert;
using mlir::Operation;
using mlir::Value;

namespace {
/// One op's touch of a view.
struct Access {
  Operation *op = nullptr;
  Value view;
  mlir::ValueRange indices;
  llvm::ArrayRef<bool> whole;
  bool writes = false, isAtomic = false;
  std::optional<Dist> dist;
};
} // namespace

static std::optional<Access> accessOf(Operation *op) {
  Access access;
  access.op = op;
  auto boxed = [&](auto cast) {
    access.view = cast.getView();
    access.indices = cast.getIndices();
    access.whole = cast.getWhole();
    access.dist = schedule::distOf(op).value_or(Dist());
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case<tile::LoadOp, tile::CopyOp>([&](auto cast) { boxed(cast); })
      .Case<tile::StoreOp, tile::CopyOutOp>([&](auto cast) {
        boxed(cast);
        access.writes = true;
      })
      .Case([&](tile::AtomicOp cast) {
        boxed(cast);
        access.writes = access.isAtomic = true;
      });
  if (!access.view || llvm::cast<tile::ViewType>(access.view.getType()).isReadOnly()) {
    return std::nullopt; // no one writes what is read only
  }
  // Which lane touches what is the instruction's own affair where a group executes it together.
  auto apply = op->getParentOfType<tile::ApplyOp>();
  if (apply && schedule::instrOf(apply).getScope() != tile::ExecScope::thread) {
    access.dist = std::nullopt;
  }
  return access;
}

/// The argument that a view is a part of; null where that is not known.
static Value rootOf(Value view) {
  while (Operation *op = view.getDefiningOp()) {
    if (!llvm::isa<tile::ViewGroupOp, tile::ViewPermuteOp, tile::ViewSliceOp, tile::ViewSplitOp>(
            op)) {
      return {};
    }
    view = op->getOperand(0);
  }
  return view;
}

/// Arguments do not overlap, nor do parts of one split.
static bool areApart(Value a, Value c) {
  Value first = rootOf(a), second = rootOf(c);
  if (first && second && first != second) {
    return true;
  }
  Operation *split = a.getDefiningOp();
  return a != c && split && llvm::isa<tile::ViewSplitOp>(split) && split == c.getDefiningOp();
}

static std::optional<int64_t> constantOf(Value value) {
  auto constant = value.getDefiningOp<tile::ConstantOp>();
  auto number =
      constant ? llvm::dyn_cast<mlir::IntegerAttr>(constant.getValue()) : mlir::IntegerAttr();
  return number ? std::optional<int64_t>(number.getInt()) : std::nullopt;
}

/// Whether both index one view, and it is the same part of memory at all times.
static bool haveOneView(const Access &a, const Access &c) {
  for (Value view = a.view; Operation *op = view.getDefiningOp(); view = op->getOperand(0)) {
    if (!llvm::isa<tile::ViewGroupOp, tile::ViewPermuteOp, tile::ViewSplitOp>(op)) {
      return false;
    }
  }
  return a.view == c.view && a.whole == c.whole;
}

/// Whether two constant indices of one axis differ.
static bool haveOtherConstants(const Access &a, const Access &c) {
  if (!haveOneView(a, c)) {
    return false;
  }
  return llvm::any_of(llvm::zip(a.indices, c.indices), [](auto both) {
    std::optional<int64_t> x = constantOf(std::get<0>(both)), y = constantOf(std::get<1>(both));
    return x && y && *x != *y;
  });
}

/// Whether the steps of a loop take boxes apart, by its step as an index, or all the same box.
static bool isPlainIn(Operation *loop, mlir::ValueRange indices) {
  if (auto each = llvm::dyn_cast<tile::ForOp>(loop)) {
    if (llvm::is_contained(indices, Value(each.getStep()))) {
      return true;
    }
  }
  return llvm::all_of(indices, [&](Value index) {
    return !loop->isAncestor(index.getParentBlock()->getParentOp());
  });
}

/// Whether an element that both touch is the same element of the box, so that one thread does both.
static bool isOneThreads(Lowering &l, const Access &a, const Access &c) {
  bool isSameBox =
      haveOneView(a, c) && llvm::equal(a.indices, c.indices) &&
      TESSERA_MUTANT(506, "threads are taken for others", a.dist && a.dist == c.dist, true);
  bool hasTables = llvm::any_of(
      a.indices, [](Value index) { return llvm::isa<mlir::RankedTensorType>(index.getType()); });
  // A load is done by all who hold a copy, a store by one of them.
  bool areBothOwners = a.writes && c.writes;
  if (!isSameBox || hasTables || (!areBothOwners && l.owner(*a.dist))) {
    return false;
  }
  for (Operation *loop = a.op->getParentOp(); loop && !llvm::isa<tile::KernelOp>(loop);
       loop = loop->getParentOp()) {
    bool isLoop = llvm::isa<tile::ForOp, mlir::scf::WhileOp>(loop);
    if (isLoop && loop->isAncestor(c.op) && !isPlainIn(loop, a.indices)) {
      return false;
    }
  }
  return true;
}

static bool mayMeet(Lowering &l, const Access &a, const Access &c) {
  if ((!a.writes && !c.writes) || (a.isAtomic && c.isAtomic)) {
    return false;
  }
  return !areApart(a.view, c.view) && !haveOtherConstants(a, c) && !isOneThreads(l, a, c);
}

static void collect(Operation *op, llvm::SmallVectorImpl<Access> &found) {
  op->walk([&](Operation *inner) {
    if (std::optional<Access> access = accessOf(inner)) {
      found.push_back(*access);
    }
  });
}

void Lowering::orderAccesses(Operation *op) {
  bool isOne = llvm::isa<tile::LoadOp, tile::StoreOp, tile::AtomicOp, tile::CopyOp, tile::CopyOutOp,
                         tile::ApplyOp>(op);
  // One thread does what stands in an `elect`, and may not wait for others there.
  if (!isOne || op->getParentOfType<tile::ElectOp>()) {
    return;
  }
  llvm::SmallVector<Access, 2> now;
  collect(op, now);
  for (const Access &access : now) {
    bool mustWait = llvm::any_of(
        unordered, [&](Operation *earlier) { return mayMeet(*this, *accessOf(earlier), access); });
    if (TESSERA_MUTANT(504, "accesses of memory wait for nothing", mustWait, false)) {
      barrier();
      break;
    }
  }
  for (const Access &access : now) {
    unordered.insert(access.op);
  }
}

void Lowering::addStepsBefore(mlir::Block &block) {
  Operation *loop = block.getParentOp();
  if (llvm::isa<tile::SectionOp>(loop)) {
    loop = loop->getParentOp();
  }
  // Tasks, and steps side by side, meet in no cell.
  bool isRepeated = llvm::isa<tile::ForOp, mlir::scf::WhileOp>(loop);
  if (TESSERA_MUTANT(505, "a step does not wait for the one before", isRepeated, false)) {
    llvm::SmallVector<Access, 2> all;
    collect(loop, all);
    for (const Access &access : all) {
      unordered.insert(access.op);
    }
  }
}
