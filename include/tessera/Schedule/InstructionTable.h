// The instructions that scripts may name. Who reads their declarations implements this; primitives only look up.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_SCHEDULE_INSTRUCTIONTABLE_H
#define TESSERA_SCHEDULE_INSTRUCTIONTABLE_H

#include "tessera/Dialect/Tile/TileOps.h"

#include "llvm/Support/Error.h"
#include "mlir/IR/BuiltinOps.h"

#include <map>

namespace tessera::schedule {

class InstructionTable {
public:
  virtual ~InstructionTable() = default;

  /// Names of all instructions, of every target, in the order of their declaration.
  virtual std::vector<std::string> names() const = 0;
  virtual bool knows(llvm::StringRef name) const { return llvm::is_contained(names(), name.str()); }
  /// False where it is plain that it is unknown: declarations need not be read to tell.
  virtual bool mayKnow(llvm::StringRef name) const { return knows(name); }
  /// "sm_80": the least target that has it. Empty where the name is unknown.
  virtual std::string arch(llvm::StringRef name) const = 0;
  /// Constant parameters (`const N: int`), in order; empty for most.
  virtual std::vector<std::string> parameters(llvm::StringRef name) const = 0;

  /// The declaration as an op of `module`: found there, or made. `constants` fixes the parameters; the op's symbol then
  /// tells their values too. The error is a sentence for the user.
  virtual llvm::Expected<tile::InstrOp> declare(llvm::StringRef name,
                                                const std::map<std::string, int64_t> &constants,
                                                mlir::ModuleOp module) const = 0;

  /// Parameters that are element types, with values such as `bf16`, in order.
  virtual std::vector<std::string> types(llvm::StringRef) const { return {}; }
  /// The same as `declare` with values as text; those that are left out have their defaults.
  virtual llvm::Expected<tile::InstrOp>
  declareAs(llvm::StringRef name, const std::map<std::string, std::string> &constants,
            mlir::ModuleOp module) const;
};

inline llvm::Expected<tile::InstrOp>
InstructionTable::declareAs(llvm::StringRef name,
                            const std::map<std::string, std::string> &constants,
                            mlir::ModuleOp module) const {
  std::map<std::string, int64_t> numbers;
  for (const auto &[constant, text] : constants) {
    if (llvm::StringRef(text).getAsInteger(10, numbers[constant])) {
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     "`" + text + "` is no integer");
    }
  }
  return declare(name, numbers, module);
}

/// No instruction at all.
class EmptyInstructionTable : public InstructionTable {
public:
  std::vector<std::string> names() const override { return {}; }
  std::string arch(llvm::StringRef) const override { return ""; }
  std::vector<std::string> parameters(llvm::StringRef) const override { return {}; }
  llvm::Expected<tile::InstrOp> declare(llvm::StringRef name,
                                        const std::map<std::string, int64_t> &constants,
                                        mlir::ModuleOp module) const override;
};

} // namespace tessera::schedule

#endif // TESSERA_SCHEDULE_INSTRUCTIONTABLE_H
