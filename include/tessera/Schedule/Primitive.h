// The contract of schedule primitives. A primitive is one file, lib/Schedule/Primitives/<Name>.cpp, with one function
//
//   void schedule::add<Name>(PrimitiveRegistry &registry);       // and one line in Primitives.def
//
// Its `run` works in three parts, in this order:
//
//   1. match    resolve the cursors of the call, look at the IR; `refuse` what does not fit
//   2. check    `prove` each condition, `open` each one that is due later
//   3. edit     through `rewriter()` and `setIter` only; `derive` what takes over; return a record of cursors
//
// Nothing may be edited before everything is checked: an error leaves the IR, the cursors and the ledger as they were. No
// folding and no pattern driver runs between primitives.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_SCHEDULE_PRIMITIVE_H
#define TESSERA_SCHEDULE_PRIMITIVE_H

#include "tessera/Layout/Layout.h"
#include "tessera/Schedule/Cursors.h"
#include "tessera/Schedule/InstructionTable.h"
#include "tessera/Schedule/Ledger.h"
#include "tessera/Schedule/ScriptHost.h"
#include "tessera/Schedule/SymbolicValues.h"
#include "tessera/Schedule/TargetRecord.h"
#include "tessera/Solver/Space.h"

#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/PatternMatch.h"

#include <functional>
#include <memory>

namespace tessera::schedule {

using script::HostCall;
using script::HostError;
using script::Value;

class PrimitiveContext;
class ScheduleHost;

struct Primitive {
  script::Signature signature;
  /// One that looks (`signature.isPure`) must not edit, prove into the ledger or derive.
  llvm::Expected<Value> (*run)(PrimitiveContext &, const HostCall &) = nullptr;
};

class PrimitiveRegistry {
public:
  void add(Primitive primitive) { list.push_back(std::move(primitive)); }
  llvm::ArrayRef<Primitive> primitives() const { return list; }

private:
  std::vector<Primitive> list;
};

/// All primitives of Primitives.def and of the host itself.
void addAllPrimitives(PrimitiveRegistry &registry);
#define TESSERA_PRIMITIVE(NAME) void add##NAME(PrimitiveRegistry &registry);
#include "tessera/Schedule/Primitives.def"
#undef TESSERA_PRIMITIVE

/// A parameter of a signature, in one line.
script::Parameter parameter(llvm::StringRef name, script::ValueKind kind,
                            std::optional<Value> fallback = std::nullopt,
                            std::vector<std::string> words = {}, bool isVariadic = false);

//===--- refusals -------------------------------------------------------------------------------------------------===//

/// Why a step is refused, in words that do not depend on the solver; what it found is added.
struct Refusal {
  std::string code;    ///< stable name for `err.code`: "bind_cells"
  std::string message; ///< `two warps would write one cell of y`
  std::string help;    ///< the way out besides those that the verdict suggests; may be empty
  /// Ops whose source lines are shown, each with what it does there ("writes here").
  std::vector<std::pair<mlir::Operation *, std::string>> places;
};

/// A witness on the kernel before and after the refused step, which was done nevertheless.
struct ReplayRequest {
  mlir::ModuleOp before, after;
  std::string kernel; ///< the symbol in both
  const solver::Witness
      &witness; ///< empty where the condition was judged by the form of the program
  /// Whether the kernel may be launched with these extents, as far as it is known.
  std::function<bool(const std::map<std::string, int64_t> &extents)> admits;
};
struct ReplayResult {
  enum Kind {
    Confirmed,     ///< a run differs
    NotReproduced, ///< runs were made, none differs
    Unordered, ///< the kernel before the step fails under the adversary: its barriers are not there yet
    NotRun
  } kind = NotRun;
  std::string words; ///< `y[0, 3] is 1 before and 2 after`; why it was not run
};
using Replayer = std::function<ReplayResult(const ReplayRequest &)>;

//===--- the context of one call ----------------------------------------------------------------------------------===//

class PrimitiveContext {
public:
  PrimitiveContext(ScheduleHost &host, const HostCall &call) : host(host), call(call) {}

  //===--- the kernel ---===//
  /// That of the call's scope or of its first cursor; the host's kernel where there is none.
  tile::KernelOp kernel();
  /// The kernel and all versions made of it, in order.
  llvm::SmallVector<tile::KernelOp> kernels();
  /// Where a call that takes a scope looks: the kernel, or the op whose cursor stood before the `.`.
  mlir::Operation *scope();
  mlir::ModuleOp module();
  mlir::MLIRContext *mlir();
  /// All edits of ops go through it; its insertion point is the primitive's to set. New ops get the location of the op
  /// they stand for.
  mlir::RewriterBase &rewriter();
  const TargetRecord &target();
  const InstructionTable &instructions();
  /// The declaration that an argument names: `mma_m16n8k16_bf16`, or what the call `wgmma_m64k16(256)` gave. Refused where
  /// it is unknown or the target does not have it.
  llvm::Expected<tile::InstrOp> instruction(const Value &name);
  /// A layout of the script for a buf: families (`xor16(4)`, `sw128`) become concrete by its shape and element type.
  llvm::Expected<Layout> layout(const Value &layout, tile::BufType type);

  //===--- cursors of the call: errors are ready to be returned ---===//
  llvm::Expected<Site> resolve(const Value &cursor);
  /// One op (Op, Loop, Kernel, Buf, Ring; Ops of one).
  llvm::Expected<mlir::Operation *> op(const Value &cursor);
  /// One op of a class; `what` says in the refusal what was expected: "a load".
  template <class Op> llvm::Expected<Op> opOf(const Value &cursor, const char *what) {
    llvm::Expected<mlir::Operation *> found = op(cursor);
    if (!found) {
      return found.takeError();
    }
    if (auto cast = llvm::dyn_cast<Op>(*found)) {
      return cast;
    }
    return wrongOp(cursor, *found, what);
  }
  /// A dim, or a factor of one. For a dim cursor of a dim with exactly one factor the site is that factor; one with
  /// several is Ambiguous; one with none is the Dim itself.
  llvm::Expected<Site> dim(const Value &cursor);
  /// One op, several (Ops, a list of cursors, a Block), in order of the program, each once.
  llvm::Expected<llvm::SmallVector<mlir::Operation *>> ops(const Value &cursors);
  /// Sets the rewriter's insertion point there.
  llvm::Error insertAt(const Value &gap);

  //===--- making cursors, for results ---===//
  Value cursor(mlir::Operation *op, script::ValueKind kind = script::ValueKind::Op,
               llvm::StringRef text = "");
  Value factorCursor(mlir::Operation *op, llvm::StringRef dim, unsigned position);
  Value dimCursor(mlir::Operation *op, llvm::StringRef dim);
  Value operandCursor(mlir::Operation *op, unsigned index);
  Value gapCursor(mlir::Operation *anchor, bool isBefore);
  Value opsCursor(llvm::ArrayRef<mlir::Operation *> ops, llvm::StringRef text = "");
  static Value record(std::vector<std::pair<std::string, Value>> fields) {
    return Value::record(std::move(fields));
  }
  /// What messages call it.
  std::string text(mlir::Operation *op);
  /// The script's name of a dim: the source's where the axis comes from a named span, else the interface's.
  std::string dimName(mlir::Operation *op, llvm::StringRef dim);

  //===--- provenance ---===//
  /// `heir` takes over from `from`, before `from` is erased or replaced. With an empty role cursors follow silently; with
  /// several heirs a cursor to `from` is ambiguous, and the error lists `from.role`.
  void derive(mlir::Operation *heir, mlir::Operation *from, llvm::StringRef role = "");

  //===--- tile.iter ---===//
  tile::IterAttr iter(mlir::Operation *op);
  llvm::SmallVector<tile::IterFactor> factors(mlir::Operation *op, llvm::StringRef dim);
  /// Sets the factors of one dim (empty: not scheduled). `kept[i]` is the old position of factor i, -1 for a new one;
  /// cursors to factors that are not kept die.
  void setFactors(mlir::Operation *op, llvm::StringRef dim,
                  llvm::ArrayRef<tile::IterFactor> factors, llvm::ArrayRef<int> kept);
  /// Replaces factor `position` by `parts` (outermost first, in `roles`); an old cursor to it is ambiguous between them.
  void splitFactor(mlir::Operation *op, llvm::StringRef dim, unsigned position,
                   llvm::ArrayRef<tile::IterFactor> parts, llvm::ArrayRef<llvm::StringRef> roles);
  /// Copies the iter of `from`, dim names alike, cursors of `to`'s factors die.
  void setIter(mlir::Operation *op, tile::IterAttr iter);

  //===--- conditions ---===//
  solver::ExprContext &terms();
  solver::Solver &solver();
  SymbolicValues &values();
  solver::SpaceBuilder space() { return solver::SpaceBuilder(terms()); }
  /// All that may be relied on where `op` runs: values().facts(op), assumed facts, the kernel's version.
  std::vector<solver::Fact> facts(mlir::Operation *op);
  /// Asks whether the obligation follows from its facts and those at `at`. Proved: into the ledger. Refuted or unknown: a
  /// HostError Refused with the witness, the source lines, the ways out, to which the host adds the replay; under `trust` an
  /// entry of the ledger that taints the kernel.
  llvm::Error prove(solver::Obligation obligation, mlir::Operation *at, const Refusal &refusal);
  /// The same without ledger or error, for primitives that look and for choices.
  solver::Verdict ask(solver::Obligation obligation, mlir::Operation *at);
  /// An entry of the ledger for this step.
  void record(Entry entry);
  /// A condition that holds by the form of the program.
  void note(const llvm::Twine &title);
  /// A conflict that the source kernel has already; not the schedule's.
  void noteProgram(const llvm::Twine &title, const llvm::Twine &reason);
  /// A condition that is due at `seal`. `kind` is a word that `seal` knows ("raw", "war", …).
  void open(llvm::StringRef kind, const llvm::Twine &title, const llvm::Twine &waitsFor);
  /// What is not proved is believed. `refuse` is for what cannot be done at all (there is nothing to run then); what could be
  /// done and would be wrong goes through `prove`, or through `require`, and the edit must be able to follow: the refused
  /// step is done on a copy and run (ScheduleHost::replay).
  bool trusted();
  /// A condition that was checked without the solver: into the ledger if it holds or is trusted, else refused. `queries` are
  /// what was asked to check it nevertheless.
  llvm::Error require(bool holds, const llvm::Twine &title, const Refusal &refusal,
                      std::vector<solver::AskedQuery> queries = {});

  llvm::Error refuse(llvm::StringRef code, const llvm::Twine &message, const llvm::Twine &help,
                     llvm::ArrayRef<std::pair<mlir::Operation *, std::string>> places = {});
  llvm::Error refuse(const Refusal &refusal) {
    return refuse(refusal.code, refusal.message, refusal.help, refusal.places);
  }

  //===--- facts of scripts ---===//
  /// A fact of the script as a condition; an error where it is none (a number) or speaks of what only layouts know.
  llvm::Expected<solver::Expr> condition(const Value &fact, mlir::Operation *at);
  /// A copy of `kernel` under a symbol of its own, for versions. A cursor into `kernel` is ambiguous afterwards between
  /// the copy, in `copyRole`, and the original, in `otherRole`.
  tile::KernelOp forkKernel(tile::KernelOp kernel, llvm::StringRef copyRole,
                            llvm::StringRef otherRole);
  /// From now on the condition is known wherever `kernel` runs; `text` is kept on the op.
  void assumeIn(tile::KernelOp kernel, const Value &fact, solver::Expr condition);
  /// Ends the editing of a kernel: every later edit of it is refused.
  void setSealed(tile::KernelOp kernel);

  ScheduleHost &host;
  const HostCall &call;

private:
  llvm::Error wrongOp(const Value &cursor, mlir::Operation *found, const char *what);
};

} // namespace tessera::schedule

#endif // TESSERA_SCHEDULE_PRIMITIVE_H
