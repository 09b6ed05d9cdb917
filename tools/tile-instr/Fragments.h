// Declared instructions that hold fragments: what the pictures and the probes of tile-instr are made from.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TOOLS_TILE_INSTR_FRAGMENTS_H
#define TESSERA_TOOLS_TILE_INSTR_FRAGMENTS_H

#include "tessera/Frontend/Instructions.h"

#include "llvm/Support/Error.h"

namespace tessera::fragments {

struct Declared {
  instr::Instruction instruction;
  /// `m`, `k` for the operand `a` of a product; `row`, `col` where nothing better is known.
  std::vector<std::pair<std::string, std::string>> axes;
};

/// The operand that a value of the body's product is, by number; nothing where the body has no product of operands alone.
struct ProductOperands {
  unsigned a = 0, b = 0, acc = 0;
};
std::optional<ProductOperands> productOf(const instr::Instruction &instruction);

/// Instructions in reach that have a fragment and more than one thread, those of the file first; constants that nothing
/// fixes are 8. `only` names some of them; empty: all. Errors are in the program's engine.
std::optional<std::vector<Declared>> collect(Program &program, mlir::ModuleOp module,
                                             llvm::ArrayRef<std::string> only);

/// A picture for each fragment and each operand whose addresses lanes give, and README.md, which shows them.
llvm::Error drawAll(llvm::ArrayRef<Declared> list, llvm::StringRef folder);

/// For each instruction that a target runs: PTX that executes it on operands whose elements say where they belong, those
/// operands, and what it must give if the maps are those of the hardware. benchmarks/device/fragments.py runs them.
llvm::Error probeAll(llvm::ArrayRef<Declared> list, llvm::StringRef target, llvm::StringRef folder);

/// Rows, columns; a tile of one axis has one column.
inline int64_t rowsOf(const instr::Operand &operand) { return operand.shape[0]; }
inline int64_t colsOf(const instr::Operand &operand) {
  return operand.shape.size() == 2 ? operand.shape[1] : 1;
}

llvm::Error writeFile(llvm::StringRef folder, llvm::StringRef name, llvm::StringRef text);

} // namespace tessera::fragments

#endif // TESSERA_TOOLS_TILE_INSTR_FRAGMENTS_H
