// Whether ops of a kernel are what an instruction does.
//
// Both sides are graphs of ops over named dims. The body of an instruction works on small tiles, the kernel's ops on whole
// ones: an axis of the instruction stands for an axis of the kernel, which it cuts into pieces of its own extent; an axis
// of the kernel that no axis of the instruction stands for is walked point by point. Matching starts at the results and
// follows operands. It never looks at extents, layouts, places or memory: what a match asks for is the caller's to check.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_SCHEDULE_UNIFY_H
#define TESSERA_SCHEDULE_UNIFY_H

#include "tessera/Dialect/Tile/TileOps.h"

#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tessera::schedule {

/// For each axis of an instruction's tile the axis of the kernel's tile that it stands for.
using AxisMap = llvm::SmallVector<unsigned, 2>;

/// What stands for an operand of the instruction.
struct BoundOperand {
  /// `frag`, `scalar`, `predicate`: the value, null for one that is only written. Of memory: the tile that is read, null
  /// for a copy.
  mlir::Value value;
  /// `smem`, `view`: the op that reads or writes there: load, read, store, write, copy, copy_out.
  mlir::Operation *access = nullptr;
  /// Axes of the value or of the access' box.
  AxisMap axes;

  bool isBound() const { return value || access; }
};

/// An op of the body and the op of the kernel that it stands for.
struct UnifiedOp {
  mlir::Operation *body = nullptr;
  mlir::Operation *op = nullptr;
  /// For each dim of `op` the extent of a piece; 1 where the instruction takes one point at a time.
  llvm::SmallVector<int64_t> pieces;
};

struct UnifyMatch {
  /// All ops of the kernel that the instruction does, absorbed accesses and identities included, in order of the program.
  llvm::SmallVector<mlir::Operation *> ops;
  /// From the results to the operands.
  std::vector<UnifiedOp> unified;
  /// One for each operand of the instruction.
  llvm::SmallVector<BoundOperand> operands;
  /// One for each operand that is written, in order: the tile, null where it is written to memory.
  llvm::SmallVector<mlir::Value> results;
  /// The op that is done last: the one whose dims the instruction cuts.
  mlir::Operation *root = nullptr;
  /// For each dim of `root` the extent of a piece.
  llvm::SmallVector<int64_t> pieces;
  /// A copy that leaves absent cells as they are, done by an instruction that writes zeros there; null if there is none.
  mlir::Operation *widened = nullptr;
};

/// Why ops are not what an instruction does.
struct Mismatch {
  std::string code;    ///< "replace_body"
  std::string message; ///< in the words of the program
  std::string help;
  std::vector<std::pair<mlir::Operation *, std::string>> places;
  unsigned depth = 0; ///< how many ops fitted before it
};

/// All ways in which `ops` are the body of `instr`, the most usual one (axes of the instruction stand for the last axes)
/// first; none with the reason that came furthest. Every op of `ops` takes part; ops before them do where the body asks
/// for more.
std::vector<UnifyMatch> unify(tile::InstrOp instr, llvm::ArrayRef<mlir::Operation *> ops,
                              Mismatch &why);

/// For each dim of an op the extent of a piece, as its factors say; 1 where there is none.
llvm::SmallVector<int64_t> atomsOf(mlir::Operation *op);

/// What stands for the operands of an instruction that does the ops of an apply: the match whose pieces are those of the
/// factors, where there are some. The error says where the ops are not the instruction's body.
llvm::Expected<UnifyMatch> unifyApplied(tile::ApplyOp apply);

/// The element of a constant scalar or of a tile of one constant; null for all other values.
mlir::TypedAttr constantElement(mlir::Value value);
/// The value behind ops that change nothing: casts, reshapes, broadcasts, permutes and slices to the same tile. `passed`
/// gets them.
mlir::Value withoutIdentities(mlir::Value value,
                              llvm::SmallVectorImpl<mlir::Operation *> *passed = nullptr);

/// Of an instruction's operand: its dictionary, and words of it.
mlir::DictionaryAttr operandInfo(tile::InstrOp instr, unsigned index);
llvm::StringRef operandKind(tile::InstrOp instr, unsigned index);
llvm::StringRef operandName(tile::InstrOp instr, unsigned index);
bool isWrittenOperand(tile::InstrOp instr, unsigned index);

} // namespace tessera::schedule

#endif // TESSERA_SCHEDULE_UNIFY_H
