// The search behind `unify`.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_SCHEDULE_UNIFY_UNIFIER_H
#define TESSERA_LIB_SCHEDULE_UNIFY_UNIFIER_H

#include "tessera/Schedule/Unify.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/Twine.h"

namespace tessera::schedule {

/// What a value of the body is compared with: a value of the kernel, or what a copy takes from one memory to the other,
/// which is a value only inside it.
struct Subject {
  mlir::Value value;
  mlir::Operation *copy = nullptr;
  bool isFilled = false; ///< of a copy: absent elements are zeros

  bool operator==(const Subject &other) const {
    return value == other.value && copy == other.copy && isFilled == other.isFilled;
  }
};

struct Goal {
  mlir::Value body;
  Subject subject;
  AxisMap axes;
};

struct State {
  llvm::SmallVector<Goal> goals;
  llvm::MapVector<mlir::Value, Goal> met; ///< by the value of the body
  UnifyMatch match;
};

class Unifier {
public:
  Unifier(tile::InstrOp instr, Mismatch &why) : instr(instr), why(why) {}

  std::vector<UnifyMatch> run(llvm::ArrayRef<mlir::Operation *> ops);

private:
  bool start(mlir::Operation *root, unsigned output, llvm::ArrayRef<unsigned> axes, State &state);
  bool startMemory(mlir::Operation *root, unsigned operand, const AxisMap &axes, Goal &goal,
                   State &state);
  bool solve(State &state);
  bool meet(const Goal &goal, State &state);
  bool bindOperand(unsigned index, const Goal &goal, State &state);
  bool bindMemory(unsigned index, const Goal &goal, State &state);
  bool checkElement(unsigned index, mlir::Type found, const State &state);
  bool meetFill(tile::FillAbsentOp fill, const Goal &goal, State &state);
  bool meetOps(mlir::Operation *body, mlir::Operation *op, const Goal &goal, State &state);
  std::optional<llvm::SmallVector<unsigned>> pairDims(mlir::Operation *body, mlir::Operation *op,
                                                      const Goal &goal, const State &state);
  std::optional<AxisMap> operandAxes(mlir::Operation *body, unsigned bodyOperand,
                                     mlir::Operation *op, unsigned operand,
                                     llvm::ArrayRef<unsigned> dims);
  bool compareAttributes(mlir::Operation *body, mlir::Operation *op, const State &state);
  bool finish(State &state, llvm::ArrayRef<mlir::Operation *> ops);

  bool fail(const State &state, llvm::StringRef code, const llvm::Twine &message,
            const llvm::Twine &help = "",
            std::vector<std::pair<mlir::Operation *, std::string>> places = {});

  std::string name() { return ("`" + instr.getSymName() + "`").str(); }
  std::string operandText(unsigned index) {
    return ("operand `" + operandName(instr, index) + "` of ").str() + name();
  }

  tile::InstrOp instr;
  Mismatch &why;
  unsigned fuel = 20000;
  bool failedOnce = false;
};

inline std::string opText(mlir::Operation *op) {
  return ("`" + op->getName().getStringRef() + "`").str();
}

} // namespace tessera::schedule

#endif // TESSERA_LIB_SCHEDULE_UNIFY_UNIFIER_H
