// Declared instructions in a kernel: operands, fragments, pieces.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_CONVERSION_TILETOLLVM_INSTRUCTIONS_H
#define TESSERA_LIB_CONVERSION_TILETOLLVM_INSTRUCTIONS_H

#include "Lowering.h"

namespace tessera::convert {

struct InstrOperand {
  mlir::DictionaryAttr info;
  mlir::Type type;
  llvm::StringRef name, kind;
  llvm::SmallVector<int64_t> shape;

  llvm::StringRef word(llvm::StringRef key) const;
};

struct Instr {
  explicit Instr(tile::InstrOp op);
  mutable tile::InstrOp op; ///< accessors of ops are not const
  std::vector<InstrOperand> operands;
};

/// A fragment map: the distribution of one piece, and its values in the order of the instruction's registers.
struct Fragment {
  Fragment(const Dist &dist, llvm::ArrayRef<int64_t> shape, int64_t bytes);
  Dist dist;
  llvm::SmallVector<int64_t> shape;
  int64_t bytes; ///< of an element
  std::vector<Coords> values;
};
llvm::Expected<Fragment> fragmentOf(Lowering &l, const InstrOperand &operand);

/// The words of a fragment as an operand of a marker, from a tile's registers, and back.
llvm::Expected<llvm::Value *> gatherFragment(Lowering &l, const TileValue &tile,
                                             const Fragment &fragment,
                                             llvm::ArrayRef<int64_t> origin);
llvm::Error scatterFragment(Lowering &l, llvm::Value *packed, TileValue &tile,
                            const Fragment &fragment, llvm::ArrayRef<int64_t> origin,
                            llvm::Type *element);
llvm::Type *wordsType(Lowering &l, const Fragment &fragment);

/// The first coordinates of the pieces of a thread, in row-major order.
llvm::SmallVector<Coords> originsOf(const Dist &dist, llvm::ArrayRef<int64_t> atoms);

/// A call of the instruction's marker, which is declared with what PTX and simulator need to know of it.
llvm::CallInst *callInstr(Lowering &l, const Instr &instr, llvm::Type *result,
                          llvm::ArrayRef<llvm::Value *> arguments);

/// The function of the module that does what the declaration's body says, on whole operands in memory; its name.
std::string bodyOf(Lowering &l, const Instr &instr);

mlir::LogicalResult applyCopy(Lowering &l, tile::ApplyOp apply, const Instr &instr,
                              tile::CopyOp copy);
mlir::LogicalResult applyRead(Lowering &l, tile::ApplyOp apply, const Instr &instr,
                              tile::ReadOp read);
mlir::LogicalResult applyProduct(Lowering &l, tile::ApplyOp apply, const Instr &instr,
                                 tile::MmaOp mma);

} // namespace tessera::convert

#endif // TESSERA_LIB_CONVERSION_TILETOLLVM_INSTRUCTIONS_H
