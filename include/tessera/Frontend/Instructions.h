// Layouts, instructions and syncs that a program, its imports or the library declare, for those who schedule: what an
// instruction reads and writes and how, and its meaning as a `tile.instr` op. Everything reports through the program's
// DiagnosticEngine; the checks of a declaration's own text are done when its file is loaded.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_FRONTEND_INSTRUCTIONS_H
#define TESSERA_FRONTEND_INSTRUCTIONS_H

#include "tessera/Dialect/Tile/TileEnums.h"
#include "tessera/Frontend/Frontend.h"
#include "tessera/Layout/Layout.h"

namespace tessera {

namespace instr {

/// Fragments lie in the registers of a group of threads, `Smem` in shared, `View` in global memory.
enum class OperandKind { Frag, Smem, View, Scalar, Predicate };
enum class OperandMode { In, Out, InOut };
/// How it is known that an instruction's accesses are done: at once, by a group of the thread, the slot of a ring
/// (mbarrier), a group of wgmma or of bulk stores.
enum class Completion { Now, Group, Ring, WgmmaGroup, BulkGroup };

/// A storage layout that an operand in shared memory may have: `kmajor`, `sw128`. K-major: the axis that a product sums
/// over is contiguous; MN-major: the other one; row-major: the last one.
struct Family {
  std::string major;
  std::string layout;
};

struct Operand {
  std::string name;
  OperandKind kind = OperandKind::Scalar;
  OperandMode mode = OperandMode::In;
  DType dtype = DType::f32;            ///< i1 of a predicate
  llvm::SmallVector<int64_t, 2> shape; ///< of the piece; empty for scalars and predicates
  /// Frag: (lane, register) -> offset, a bijection onto the positions of the tile, first axis fastest. Lanes are the
  /// threads of the scope, registers count elements.
  std::optional<Layout> layout;
  bool contiguous = false;
  int64_t align = 0; ///< bytes; 0 where nothing is asked for
  int64_t rows = 0;  ///< elements of the last axis that lie together; 0 where nothing is asked for
  std::vector<Family> families; ///< empty: any storage layout
  /// (lane) -> coordinates of the row whose address the lane gives; null where each thread addresses what it moves.
  mlir::AffineMap address;
  tile::Proxy via = tile::Proxy::generic;
  bool whole = false; ///< a write of every cell, those of absent elements included
  SourceRange range;

  int64_t elements() const;
};

/// A name and a value as text of the language: "N", "256"; "T", "bf16". Type parameters with a default may be left out.
using Constants = std::vector<std::pair<std::string, std::string>>;

/// An instruction with all its constants fixed.
struct Instruction {
  std::string name;
  std::string symbol; ///< of the op: `name`, or `name<256>` with the values that are no defaults
  Constants constants;
  std::string arch; ///< least target: `sm_80`
  tile::ExecScope scope = tile::ExecScope::thread;
  int64_t threads = 1; ///< of the scope; 0 for cta and cluster, whose size the kernel fixes
  bool converged = false;
  tile::OrderClass order = tile::OrderClass::exact;
  tile::Proxy via = tile::Proxy::generic;
  Completion completion = Completion::Now;
  std::string hook; ///< of the lowering, where the text alone does not do
  std::string ptx;
  std::vector<Operand> operands;
  mlir::Operation *op = nullptr; ///< the `tile.instr`
  SourceRange range;

  const Operand *find(llvm::StringRef operand) const;
};

/// An extent of an operand before its constants are fixed: a number, a constant by name, or neither (an expression).
struct Axis {
  std::optional<int64_t> extent;
  std::string constant;
};
struct OperandPattern {
  std::string name;
  OperandKind kind = OperandKind::Scalar;
  OperandMode mode = OperandMode::In;
  std::vector<Axis> axes;
  std::optional<DType> dtype;
  std::string dtypeConstant; ///< the type parameter, where the type is one
};
/// What can be said of an instruction before its constants are fixed.
struct Pattern {
  std::string name;
  std::vector<std::string> constants; ///< names of `const` parameters, in order
  std::vector<std::string> types;     ///< names of type parameters, in order
  std::vector<OperandPattern> operands;
  std::string arch;
  SourceRange range;
};

enum class SyncKind {
  Barrier,
  Commit,
  Wait,
  Publish,
  MbarrierInit,
  MbarrierArrive,
  MbarrierExpect,
  MbarrierWait,
  Fence,
  RegistersUp,
  RegistersDown
};
struct SyncStep {
  SyncKind kind = SyncKind::Barrier;
  std::string of, to;            ///< Commit, Wait: the kind of the group; Publish: from, to
  std::string object;            ///< the parameter that is the mbarrier
  std::string parameter;         ///< the amount, where it is a parameter
  std::optional<int64_t> amount; ///< the amount, where it is a number
};
struct Sync {
  std::string name;
  std::vector<std::string> parameters;
  std::string arch; ///< empty: every target
  tile::ExecScope scope = tile::ExecScope::thread;
  std::vector<SyncStep> steps;
  SourceRange range;
};

/// The memory that a storage layout is asked for: fills the parameters `rows`, `cols` and `bytes` (of an element) that a
/// use leaves out.
struct Place {
  std::optional<int64_t> rows, cols, bytes;
};

} // namespace instr

class Instructions {
public:
  /// `program` outlives it. Names are looked for in the program's file, its imports, the library.
  explicit Instructions(Program &program);

  /// Instructions in reach, those of the file first, then by name.
  std::vector<std::string> names();
  /// False where there is none of that name, as far as that is plain without reading the library.
  bool mayFind(llvm::StringRef name);
  /// Null where there is none of that name (nothing is reported).
  std::optional<instr::Pattern> find(llvm::StringRef name);
  std::optional<instr::Sync> findSync(llvm::StringRef name);
  /// The instruction with its constants fixed, as a `tile.instr` op of `module`; an op that is there already is used
  /// again. Nothing with errors reported at `use`: unknown names, missing constants, what the constants violate.
  std::optional<instr::Instruction> lowerInstr(llvm::StringRef name,
                                               const instr::Constants &constants,
                                               mlir::ModuleOp module, SourceRange use);
  bool hasLayout(llvm::StringRef name);
  /// A declared layout; nothing with errors reported at `use`.
  std::optional<Layout> layout(llvm::StringRef name, llvm::ArrayRef<int64_t> arguments,
                               const instr::Place &place, SourceRange use);

private:
  sema::ModuleSet &modules;
};

} // namespace tessera

#endif // TESSERA_FRONTEND_INSTRUCTIONS_H
