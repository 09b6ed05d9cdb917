// Facts of scripts and what they speak of: trees over leaves of the host, as conditions of the solver and as ops of a
// kernel's `where`.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_SCHEDULE_FACTS_H
#define TESSERA_SCHEDULE_FACTS_H

#include "tessera/Schedule/ScriptHost.h"
#include "tessera/Schedule/SymbolicValues.h"

#include <map>

namespace tessera::schedule {

/// What a name or call of the script stands for in facts.
struct Leaf {
  enum class Kind {
    Extent,  ///< an extent of the kernel, by name
    Scalar,  ///< an integer argument of the kernel, by name
    Aligned, ///< `aligned(x, 16)`: rows of the view begin at multiples of so many bytes
    Layout   ///< known once layouts are: `regs`, `smem`, `bank_degree(b)`
  } kind = Kind::Extent;
  std::string name;  ///< of the argument or view; of Layout: `regs`
  int64_t bytes = 0; ///< Aligned
  uint64_t site = 0; ///< Layout: the cursor it is about, or 0
};

class FactTable {
public:
  /// The same leaf gives the same value.
  script::Value leaf(const Leaf &leaf, llvm::StringRef text);
  /// Null for an id that is not of this table.
  const Leaf *find(uint64_t id) const { return id < leaves.size() ? &leaves[id] : nullptr; }

  /// A fact as a condition, a number as a number. The error, a sentence, says which part has no meaning for the solver.
  llvm::Expected<solver::Expr> term(const script::Fact &fact, solver::ExprContext &terms) const;
  /// Whether something in it is known only once layouts are.
  bool needsLayouts(const script::Fact &fact) const;
  /// The fact as ops of the kernel's `where`; null where it speaks of what ops cannot see (addresses).
  mlir::Value emit(const script::Fact &fact, tile::KernelOp kernel, mlir::OpBuilder &builder,
                   mlir::Location loc) const;

  /// Bytes that the address of every row of the view is a multiple of, as a symbol: what `aligned` speaks about.
  static solver::Expr alignment(llvm::StringRef view, solver::ExprContext &terms);

private:
  std::vector<Leaf> leaves;
  std::map<std::string, uint64_t> byText;
};

} // namespace tessera::schedule

#endif // TESSERA_SCHEDULE_FACTS_H
