// What the expanders of markers share: the call at hand, and a builder of inline assembly.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_TARGET_PTX_EXPANDER_H
#define TESSERA_LIB_TARGET_PTX_EXPANDER_H

#include "tessera/Target/PTX/EmitPTX.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/IRBuilder.h"

namespace tessera::ptx {

/// One marker call; new instructions stand before it and have its debug location.
struct Site {
  llvm::CallInst &call;
  /// After `tessera.`.
  llvm::StringRef name;
  const TargetOptions &target;
  llvm::IRBuilder<> builder;

  Site(llvm::CallInst &call, llvm::StringRef name, const TargetOptions &target)
      : call(call), name(name), target(target), builder(&call) {}

  llvm::Value *operand(unsigned index) const { return call.getArgOperand(index); }
  /// `file:line:col: tessera.NAME TEXT`.
  llvm::Error error(const llvm::Twine &text) const;
  /// Refuses a marker with the wrong number of operands; modules also come from tests and other programs.
  llvm::Error expectOperands(unsigned count) const;
};

/// What stands for the call's result; null where it has none.
using Expansion = llvm::Expected<llvm::Value *>;

Expansion expandThread(Site &site);      ///< tid, ctaid, barriers, shuffles, cp, assert, trap
Expansion expandAccess(Site &site);      ///< ld, st
Expansion expandAtomic(Site &site);      ///< atom
Expansion expandConversion(Site &site);  ///< cvt, pack, fma, fast
Expansion expandInstruction(Site &site); ///< i

/// True where the predicate is the constant.
bool isAlways(const llvm::Value *predicate);
bool isNever(const llvm::Value *predicate);

/// Inline assembly, operand by operand: results first, then what they begin with, then inputs. Each call gives the name under
/// which the text refers to the operand.
class Assembly {
public:
  explicit Assembly(llvm::IRBuilderBase &builder) : b(builder) {}

  /// A result of a type that a register holds: i16, i32, i64, float, double.
  std::string result(llvm::Type *type);
  /// A result that is `initial` where the text does not write it.
  std::string result(llvm::Type *type, llvm::Value *initial);
  /// An input; i1 is a predicate register, i8 is widened to 16 bits, shared addresses are 32-bit registers.
  std::string input(llvm::Value *value);

  struct Effects {
    /// Keeps its place among other assembly with side effects and among memory accesses.
    bool keepsPlace = false;
    llvm::MemoryEffects memory = llvm::MemoryEffects::none();
    /// All lanes of a warp must come here together.
    bool isConvergent = false;
  };
  /// The call; afterwards `values` has the results.
  void emit(llvm::StringRef text, const Effects &effects);

  llvm::SmallVector<llvm::Value *> values;

private:
  llvm::IRBuilderBase &b;
  llvm::SmallVector<llvm::Type *> resultTypes;
  llvm::SmallVector<llvm::Value *> inputs;
  llvm::SmallVector<std::pair<unsigned, llvm::Value *>> initials;
  std::string resultConstraints, inputConstraints;
};

/// Text for LLVM: `$` begins an operand there.
std::string escapeAssembly(llvm::StringRef text);

/// The type of the register that holds values of a type: i8 lie in 16 bits.
llvm::Type *asmRegister(llvm::Type *type);

} // namespace tessera::ptx

#endif // TESSERA_LIB_TARGET_PTX_EXPANDER_H
