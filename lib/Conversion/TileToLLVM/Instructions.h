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

/// For each bit of a lane's number what it adds to the coordinates of the lane's address; null where they are no such sums.
std::optional<llvm::SmallVector<Coords, 5>> addressBits(mlir::AffineMap map);

/// What is absent of the values inside an apply.
class BodyAbsence {
public:
  explicit BodyAbsence(Lowering &l) : l(l) {}

  /// What is known of a value before the body is gone through: of what is loaded.
  void set(mlir::Value value, llvm::ArrayRef<Factor> factors);
  llvm::Error run(mlir::Block &body);
  TileValue of(mlir::Value value);

private:
  llvm::Error through(mlir::Operation *op);
  llvm::Error fill(tile::FillAbsentOp op);

  Lowering &l;
  llvm::DenseMap<mlir::Value, TileValue> inside;
};

/// Any instruction of a thread or a warp: piece by piece.
mlir::LogicalResult applyPieces(Lowering &l, tile::ApplyOp apply, const Instr &instr);
/// The product of two fragments added to a third; absent terms are none.
mlir::LogicalResult applyProduct(Lowering &l, tile::ApplyOp apply, const Instr &instr,
                                 tile::MmaOp mma);

/// An element, 0 where it is absent.
llvm::Value *orZero(Lowering &l, const TileValue &tile, int64_t reg);
/// Of a product's result: rows absent in the left operand, columns absent in the right one, and the accumulator's.
void productFactors(const TileValue &a, const TileValue &b, const TileValue &c, TileValue &result);

} // namespace tessera::convert

#endif // TESSERA_LIB_CONVERSION_TILETOLLVM_INSTRUCTIONS_H
