// Inline assembly of the PTX writer, and which calls have text at all.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Writer.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace tessera::ptx;

void FunctionWriter::call(const llvm::CallInst &op) {
  if (op.isInlineAsm()) {
    assembly(op);
  } else if (llvm::isa<llvm::AssumeInst>(op) || op.isLifetimeStartOrEnd() ||
             op.getIntrinsicID() == llvm::Intrinsic::experimental_noalias_scope_decl) {
    // Said to passes alone.
  } else if (op.getIntrinsicID() != llvm::Intrinsic::not_intrinsic) {
    intrinsic(op);
  } else {
    fail(op, "a call of a function");
  }
}

/// Results are numbered first, then inputs. An input that is tied to a result is copied to its register in front of the text.
void FunctionWriter::assembly(const llvm::CallInst &op) {
  auto *code = llvm::cast<llvm::InlineAsm>(op.getCalledOperand());
  llvm::SmallVector<Word, 4> made;
  if (!op.getType()->isVoidTy()) {
    made = results(op);
  }
  llvm::SmallVector<Word, 8> operands(made.begin(), made.end());
  unsigned argument = 0;
  for (const llvm::InlineAsm::ConstraintInfo &each : code->ParseConstraints()) {
    if (each.Type == llvm::InlineAsm::isClobber || each.Type == llvm::InlineAsm::isOutput) {
      continue;
    }
    if (each.Type != llvm::InlineAsm::isInput || each.isIndirect || argument >= op.arg_size()) {
      fail(op, "assembly with labels or memory operands");
      return;
    }
    const llvm::Value *value = op.getArgOperand(argument++);
    unsigned tied = 0;
    if (each.Codes.size() == 1 && !llvm::StringRef(each.Codes[0]).getAsInteger(10, tied)) {
      if (tied >= made.size()) {
        fail(op, "assembly that ties an input to no result");
        return;
      }
      Word from = word(value);
      put(from.bank == Bank::Pred ? "mov.pred" : "mov." + typed('b', bitsOf(from.bank)), made[tied],
          from);
      operands.push_back(made[tied]);
    } else {
      operands.push_back(held(value));
    }
  }
  os << '\t';
  llvm::StringRef text = code->getAsmString();
  while (!text.empty()) {
    size_t at = text.find('$');
    os << text.substr(0, at);
    text = text.drop_front(std::min(text.size(), at));
    if (text.consume_front("$$")) {
      os << '$';
      continue;
    }
    if (!text.consume_front("$")) {
      break;
    }
    bool isBraced = text.consume_front("{");
    unsigned number = 0;
    if (text.consumeInteger(10, number) || number >= operands.size() ||
        (isBraced && !text.consume_front("}"))) {
      fail(op, "assembly that names an operand in a way of its own");
      return;
    }
    os << operands[number];
  }
  os << '\n';
}
