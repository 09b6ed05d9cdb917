// Where the search begins, and what is left of it at its end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Unifier.h"

#include "tessera/Schedule/Dims.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::SmallVector;
using llvm::StringRef;

//===-- Results ----------------------------------------------------------------------------------------------------===//

/// What is done last, into memory.
bool Unifier::startMemory(mlir::Operation *root, unsigned operand, const AxisMap &axes, Goal &goal,
                          State &state) {
  bool isShared = operandKind(instr, operand) == "smem";
  auto buf = [](mlir::Operation *op) {
    return llvm::isa<tile::CopyOp>(op) ? llvm::cast<tile::CopyOp>(op).getBuf()
                                       : llvm::cast<tile::WriteOp>(op).getBuf();
  };
  if (isShared && llvm::isa<tile::WriteOp, tile::CopyOp>(root)) {
    if (buf(root).getType().getStorage() != tile::Storage::shared) {
      return fail(state, "replace_home",
                  operandText(operand) + " is in shared memory, and this buf is a workspace", "",
                  {{root, "writes it"}});
    }
  } else if (isShared || !llvm::isa<tile::StoreOp, tile::CopyOutOp>(root)) {
    return fail(state, "replace_home",
                name() + " writes to " + (isShared ? "shared memory" : "a view") + ", and " +
                    opText(root) + " does not",
                "", {{root, "is compared"}});
  }
  if (auto copy = llvm::dyn_cast<tile::CopyOp>(root)) {
    goal.subject = {{}, root, copy.getFill() == tile::Fill::zero};
  } else if (llvm::isa<tile::CopyOutOp>(root)) {
    goal.subject = {{}, root, false};
  } else {
    goal.subject = {root->getOperand(0)};
  }
  state.match.operands[operand].access = root;
  state.match.operands[operand].axes = axes;
  state.match.ops.push_back(root);
  mlir::Type element;
  for (const tile::Window &window : llvm::cast<tile::TileIterOpInterface>(root).getWindows()) {
    element = llvm::isa<tile::BufType>(window.view.getType())
                  ? llvm::cast<tile::BufType>(window.view.getType()).getElementType()
                  : llvm::cast<tile::ViewType>(window.view.getType()).getElementType();
  }
  return checkElement(operand, element, state);
}

bool Unifier::start(mlir::Operation *root, unsigned output, llvm::ArrayRef<unsigned> axes,
                    State &state) {
  unsigned operand = 0, count = 0;
  for (unsigned i = 0; i < instr.getOperandInfo().size(); ++i) {
    if (isWrittenOperand(instr, i) && count++ == output) {
      operand = i;
    }
  }
  Goal goal{instr.getBody().front().getTerminator()->getOperand(output), {}, AxisMap(axes)};
  StringRef kind = operandKind(instr, operand);
  if (kind == "smem" || kind == "view") {
    if (!startMemory(root, operand, goal.axes, goal, state)) {
      return false;
    }
  } else if (root->getNumResults() != 1) {
    return fail(state, "replace_results",
                name() + " gives a tile, and " + opText(root) + " gives " +
                    std::to_string(root->getNumResults()) + " values",
                "", {{root, "is compared"}});
  } else {
    goal.subject = {root->getResult(0)};
    state.match.results[output] = root->getResult(0);
    state.match.operands[operand].axes = goal.axes;
  }
  state.goals.push_back(goal);
  return true;
}

/// The pieces of the op that is done last: of an access by the axes, of another op by its dims.
static bool findPieces(tile::InstrOp instr, UnifyMatch &match) {
  for (const UnifiedOp &unified : match.unified) {
    if (unified.op == match.root) {
      match.pieces = unified.pieces;
      return true;
    }
  }
  for (auto [i, bound] : llvm::enumerate(match.operands)) {
    if (bound.access == match.root) {
      match.pieces.assign(dimsOf(match.root).size(), 1);
      mlir::Type type = instr.getBody().front().getArgument(i).getType();
      for (auto [axis, extent] : llvm::zip(bound.axes, tile::shapeOf(type))) {
        match.pieces[axis] = extent;
      }
      return true;
    }
  }
  // A map of what is read: by the axes of the tile that it gives.
  unsigned output = 0;
  for (auto [i, bound] : llvm::enumerate(match.operands)) {
    if (!isWrittenOperand(instr, i)) {
      continue;
    }
    mlir::Value result = match.results[output++];
    if (!result || result.getDefiningOp() != match.root) {
      continue;
    }
    match.pieces.assign(dimsOf(match.root).size(), 1);
    mlir::Type type = instr.getBody().front().getArgument(i).getType();
    for (auto [axis, extent] : llvm::zip(bound.axes, tile::shapeOf(type))) {
      if (std::optional<unsigned> dim = dimOfResultAxis(match.root, 0, axis)) {
        match.pieces[*dim] = extent;
      }
    }
    return true;
  }
  return false;
}

bool Unifier::finish(State &state, llvm::ArrayRef<mlir::Operation *> ops) {
  UnifyMatch &match = state.match;
  for (mlir::Operation *op : match.ops) {
    if (op->getBlock() != match.root->getBlock()) {
      return fail(state, "replace_block", "what " + name() + " does stands in two blocks here",
                  "move it together first",
                  {{match.root, "is done last"}, {op, "stands elsewhere"}});
    }
  }
  llvm::sort(match.ops, [](mlir::Operation *a, mlir::Operation *b) {
    return a != b && a->isBeforeInBlock(b);
  });
  match.ops.erase(llvm::unique(match.ops), match.ops.end());
  for (mlir::Operation *op : ops) {
    if (!llvm::is_contained(match.ops, op)) {
      return fail(state, "replace_left", opText(op) + " is no part of what " + name() + " does",
                  "leave it out", {{op, "would be left"}});
    }
  }
  match.root = match.ops.back();
  if (!findPieces(instr, match)) {
    return fail(state, "replace_body", opText(match.root) + " is not cut by " + name());
  }
  return true;
}

/// Choices of `count` of `rank` axes in ascending order, the last axes first.
static std::vector<AxisMap> axisChoices(unsigned count, unsigned rank) {
  std::vector<AxisMap> choices;
  if (count > rank || rank > 16) {
    return choices;
  }
  for (unsigned mask = 1u << rank; mask-- > 0;) {
    if (llvm::popcount(mask) != static_cast<int>(count)) {
      continue;
    }
    AxisMap axes;
    for (unsigned i = 0; i < rank; ++i) {
      if (mask >> i & 1) {
        axes.push_back(i);
      }
    }
    choices.push_back(axes);
  }
  return choices;
}

/// The tile that an op gives, or that it writes.
static size_t rankOf(mlir::Operation *root) {
  return root->getNumResults() ? tile::shapeOf(root->getResult(0).getType()).size()
                               : dimsOf(root).size();
}

std::vector<UnifyMatch> Unifier::run(llvm::ArrayRef<mlir::Operation *> ops) {
  std::vector<UnifyMatch> matches;
  SmallVector<mlir::Operation *> roots;
  for (mlir::Operation *op : ops) {
    bool feeds = llvm::any_of(op->getUsers(),
                              [&](mlir::Operation *user) { return llvm::is_contained(ops, user); });
    if (!feeds) {
      roots.push_back(op);
    }
  }
  mlir::Operation *yield = instr.getBody().front().getTerminator();
  State empty;
  empty.match.operands.resize(instr.getOperandInfo().size());
  empty.match.results.resize(yield->getNumOperands());
  if (roots.size() != yield->getNumOperands()) {
    fail(empty, "replace_results",
         name() + " has " + std::to_string(yield->getNumOperands()) + " results, and " +
             std::to_string(roots.size()) + " ops are given that nothing among them uses");
    return matches;
  }
  size_t rank = rankOf(roots[0]);
  size_t count = tile::shapeOf(yield->getOperand(0).getType()).size();
  std::vector<AxisMap> choices = axisChoices(count, rank);
  if (choices.empty()) {
    fail(empty, "replace_dims",
         name() + " works on tiles of " + std::to_string(count) + " axes, and " + opText(roots[0]) +
             " has " + std::to_string(rank),
         "", {{roots[0], "is compared"}});
  }
  for (const AxisMap &axes : choices) {
    State state = empty;
    state.match.root = roots[0];
    bool fits = true;
    for (unsigned output = roots.size(); output-- > 0 && fits;) {
      fits = rankOf(roots[output]) == rank && start(roots[output], output, axes, state);
    }
    if (fits && solve(state) && finish(state, ops)) {
      matches.push_back(std::move(state.match));
    }
  }
  return matches;
}

std::vector<UnifyMatch> schedule::unify(tile::InstrOp instr, llvm::ArrayRef<mlir::Operation *> ops,
                                        Mismatch &why) {
  why = Mismatch();
  return Unifier(instr, why).run(ops);
}
