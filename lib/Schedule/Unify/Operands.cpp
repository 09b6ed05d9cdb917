// What stands for an operand of an instruction: a value, or an access to memory that the instruction makes itself.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Unifier.h"

#include "tessera/Schedule/Dims.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::SmallVector;
using llvm::StringRef;

//===-- Operands of the instruction ---------------------------------------------------------------------------------===//

/// Moving bits needs no op that would compare them.
bool Unifier::checkElement(unsigned index, mlir::Type found, const State &state) {
  mlir::Type wanted = tile::elementTypeOf(instr.getBody().front().getArgument(index).getType());
  if (found == wanted) {
    return true;
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  os << operandText(index) << " is of `" << wanted << "`, and the kernel has `" << found << "`";
  return fail(state, "replace_dtype", text, "use the instruction for this element type");
}

bool Unifier::bindMemory(unsigned index, const Goal &goal, State &state) {
  bool isShared = operandKind(instr, index) == "smem";
  BoundOperand &bound = state.match.operands[index];
  std::string where = isShared ? "in shared memory" : "a view";
  if (goal.subject.copy) {
    bool fits = isShared ? llvm::isa<tile::CopyOutOp>(goal.subject.copy)
                         : llvm::isa<tile::CopyOp>(goal.subject.copy);
    if (!fits) {
      return fail(state, "replace_home",
                  operandText(index) + " is " + where + ", and this copy takes it from elsewhere",
                  "", {{goal.subject.copy, "copies"}});
    }
    if (goal.subject.isFilled) {
      return fail(state, "replace_absence",
                  "the copy writes zeros for absent elements, and " + name() + " does not",
                  "use an instruction that fills", {{goal.subject.copy, "fills with zeros"}});
    }
    bound.access = goal.subject.copy;
    bound.axes = goal.axes;
    auto copy = llvm::dyn_cast<tile::CopyOp>(goal.subject.copy);
    return checkElement(
        index,
        copy ? copy.getBuf().getType().getElementType()
             : llvm::cast<tile::CopyOutOp>(goal.subject.copy).getBuf().getType().getElementType(),
        state);
  }
  SmallVector<mlir::Operation *> passed;
  mlir::Value value = withoutIdentities(goal.subject.value, &passed);
  AxisMap axes = goal.axes;
  while (auto permute = value.getDefiningOp<tile::PermuteOp>()) {
    for (unsigned &axis : axes) {
      axis = permute.getPermutation()[axis];
    }
    passed.push_back(permute);
    value = withoutIdentities(permute.getX(), &passed);
  }
  mlir::Operation *def = value.getDefiningOp();
  bool isRead = def && (isShared ? llvm::isa<tile::ReadOp>(def) : llvm::isa<tile::LoadOp>(def));
  if (!isRead) {
    mlir::Operation *at = def ? def : instr.getOperation();
    return fail(state, "replace_home",
                operandText(index) + " is " + where + ", and here it is " +
                    (def ? "what " + opText(def) + " gives" : "carried by a loop"),
                isShared ? "`stage` it in shared memory first" : "load it there",
                {{at, def ? "makes it" : "asks for it"}});
  }
  if (isShared &&
      llvm::cast<tile::ReadOp>(def).getBuf().getType().getStorage() != tile::Storage::shared) {
    return fail(state, "replace_home",
                operandText(index) + " is in shared memory, and this buf is a workspace", "",
                {{def, "reads it"}});
  }
  bound.value = value;
  bound.access = def;
  bound.axes = axes;
  llvm::append_range(state.match.ops, passed);
  state.match.ops.push_back(def);
  return checkElement(index, tile::elementTypeOf(value.getType()), state);
}

bool Unifier::bindOperand(unsigned index, const Goal &goal, State &state) {
  StringRef kind = operandKind(instr, index);
  if (kind == "smem" || kind == "view") {
    return bindMemory(index, goal, state);
  }
  if (!goal.subject.value) {
    return fail(state, "replace_home",
                operandText(index) + " is in registers, and a copy has no value there",
                "copy by `load` and `write`", {{goal.subject.copy, "copies"}});
  }
  state.match.operands[index].value = goal.subject.value;
  state.match.operands[index].axes = goal.axes;
  return checkElement(index, tile::elementTypeOf(goal.subject.value.getType()), state);
}
