// What the parts of `replace` share: an instruction that fits ops, and how it cuts their dims.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_SCHEDULE_PRIMITIVES_REPLACE_H
#define TESSERA_LIB_SCHEDULE_PRIMITIVES_REPLACE_H

#include "tessera/Schedule/Primitive.h"
#include "tessera/Schedule/Unify.h"

#include <array>

namespace tessera::schedule {

/// A dim of the op that is done last, as it is to be cut.
struct CutDim {
  tile::IterDim dim;
  int64_t piece = 1; ///< points of one execution
  llvm::SmallVector<tile::IterFactor> factors;
  llvm::SmallVector<int> kept;
  bool isChanged = false;
  /// The last piece reaches past the dim's points.
  bool hasTail() const { return dim.extent % piece != 0; }
};

struct ReplaceStep {
  PrimitiveContext &context;
  tile::InstrOp instr;
  UnifyMatch match;
  llvm::SmallVector<CutDim> dims;
  /// What is due at `seal`, noted once all the rest holds: kind, title, what it waits for.
  std::vector<std::array<std::string, 3>> due;

  ReplaceStep(PrimitiveContext &context, tile::InstrOp instr, UnifyMatch match)
      : context(context), instr(instr), match(std::move(match)) {}

  std::string name() { return ("`" + instr.getSymName() + "`").str(); }
  std::string text() { return "`" + context.text(match.root) + "`"; }
  std::string operandText(unsigned index) {
    return ("operand `" + operandName(instr, index) + "` of ").str() + name();
  }
  void open(llvm::StringRef kind, const llvm::Twine &title, const llvm::Twine &waitsFor) {
    std::array<std::string, 3> entry = {kind.str(), title.str(), waitsFor.str()};
    if (!llvm::is_contained(due, entry)) {
      due.push_back(std::move(entry));
    }
  }
  llvm::Error refuse(llvm::StringRef code, const llvm::Twine &message, const llvm::Twine &help,
                     mlir::Operation *at = nullptr) {
    return context.refuse(code, message, help, {{at ? at : match.root, "here"}});
  }
  /// A condition that holds by the form of the program.
  llvm::Error require(bool holds, const llvm::Twine &title, llvm::StringRef code,
                      const llvm::Twine &message, const llvm::Twine &help,
                      mlir::Operation *at = nullptr) {
    return context.require(holds, title, refusal(code, message, help, at));
  }
  Refusal refusal(llvm::StringRef code, const llvm::Twine &message, const llvm::Twine &help,
                  mlir::Operation *at = nullptr) {
    return {code.str(), message.str(), help.str(), {{at ? at : match.root, "here"}}};
  }
};

/// Chooses the factors: pieces are the innermost, what the script bound stays. Nothing is asked or noted, so that another
/// match can be tried.
llvm::Error cutDims(ReplaceStep &step);
/// What holds by the form of the program: threads, order of combination, parts of sums, the place in the block.
llvm::Error checkForm(ReplaceStep &step);
/// Memory operands: neighbours, alignment, layouts, absence.
llvm::Error checkMemory(ReplaceStep &step);
/// A value of the match that something else uses as well and that the instruction reads from memory itself: it is read
/// once more.
bool isReadAgain(const ReplaceStep &step, mlir::Operation *op);

} // namespace tessera::schedule

#endif // TESSERA_LIB_SCHEDULE_PRIMITIVES_REPLACE_H
