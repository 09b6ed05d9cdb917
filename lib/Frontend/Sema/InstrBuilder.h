// One instruction with its constants fixed, while it is built: operands and addresses (InstrBuild.cpp), then the op with
// its body (InstrBody.cpp).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_FRONTEND_SEMA_INSTRBUILDER_H
#define TESSERA_LIB_FRONTEND_SEMA_INSTRBUILDER_H

#include "Declarations.h"

namespace tessera::sema {

class InstrBuilder {
public:
  InstrBuilder(ModuleSet &modules, const Module &owner, const ast::Instr &decl,
               const ConstantValues &constants, mlir::ModuleOp module)
      : scope(modules, owner, *module.getContext()), e(scope.emitter), decl(decl),
        constants(constants), module(module), uses(operandUses(decl)) {}

  std::optional<instr::Instruction> run();

private:
  void describe();
  bool whereHolds();
  bool operand(const ast::InstrOperand &source, size_t index);
  bool shapeOf(const ast::InstrOperand &source, instr::Operand &out);
  bool layoutOf(const ast::InstrOperand &source, instr::Operand &out);
  bool memoryOf(const ast::InstrOperand &source, instr::Operand &out);
  void effectOf(instr::Operand &out);
  bool address(const ast::InstrAddress &source);
  mlir::AffineMap addressMap(const ast::InstrAddress &source, size_t rank);
  bool covers(const ast::InstrAddress &source, const instr::Operand &operand);
  bool body(mlir::Block &block);
  bool assign(const ast::Assign &stmt, llvm::SmallVectorImpl<mlir::Value> &results);
  bool orderHolds(mlir::Region &region);
  mlir::DictionaryAttr infoOf(const instr::Operand &operand);
  mlir::Operation *createOp(mlir::Block *&block);
  std::string constantsText() const;
  instr::Operand *findOperand(llvm::StringRef name) {
    for (instr::Operand &operand : result.operands) {
      if (operand.name == name) {
        return &operand;
      }
    }
    return nullptr;
  }

  DeclarationScope scope;
  Emitter &e;
  const ast::Instr &decl;
  const ConstantValues &constants;
  mlir::ModuleOp module;
  std::vector<OperandUse> uses;
  instr::Instruction result;
};

} // namespace tessera::sema

#endif // TESSERA_LIB_FRONTEND_SEMA_INSTRBUILDER_H
