// A kernel around one execution of a declared instruction, made from the declaration.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TEST_UNIT_RUNNER_INSTRUCTIONTEXT_H
#define TESSERA_TEST_UNIT_RUNNER_INSTRUCTIONTEXT_H

#include "tessera/Dialect/Tile/TileOps.h"
#include "tessera/Frontend/Instructions.h"

#include "mlir/IR/AsmState.h"

namespace tessera::testing {

/// The text of a kernel around one execution of an instruction: operands come from views and go to views.
class KernelText {
public:
  explicit KernelText(const instr::Instruction &instruction)
      : instruction(instruction), op(llvm::cast<tile::InstrOp>(instruction.op)), names(op) {}

  std::string make();

private:
  const instr::Instruction &instruction;
  tile::InstrOp op;
  mlir::AsmState names;
  std::string header, before, body, after;

  std::string valueName(mlir::Value value) {
    std::string text;
    llvm::raw_string_ostream os(text);
    value.printAsOperand(os, names);
    return text;
  }
  std::string shaped(unsigned i) {
    std::string text;
    for (int64_t extent : instruction.operands[i].shape) {
      text += std::to_string(extent) + "x";
    }
    return text + irName(instruction.operands[i].dtype).str();
  }
  std::string tensor(unsigned i) { return "tensor<" + shaped(i) + ">"; }
  std::string buf(unsigned i) { return "!tile.buf<" + shaped(i) + ", shared>"; }
  std::string all(unsigned i) {
    std::string text = "[:";
    for (size_t axis = 1; axis < instruction.operands[i].shape.size(); ++axis) {
      text += ", :";
    }
    return text + "]";
  }
  std::string view(unsigned i, bool isOut) {
    std::string text = "!tile.view<" + shaped(i) + (isOut ? ", out>" : ", in>");
    return text;
  }
  void argument(unsigned i, bool isOut);
  void operand(unsigned i);
  std::optional<unsigned> movedFrom(mlir::Value yielded);
  void result(unsigned i, mlir::Value yielded);
  std::string factors(mlir::Operation *root, unsigned access);
};

} // namespace tessera::testing

#endif // TESSERA_TEST_UNIT_RUNNER_INSTRUCTIONTEXT_H
