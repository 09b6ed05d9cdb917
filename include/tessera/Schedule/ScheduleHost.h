// What scripts act on: one kernel of a module and the versions made of it. The host works on a copy; `take` gives the
// scheduled module. Undoing is a copy made before the first edit after a mark.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_SCHEDULE_SCHEDULEHOST_H
#define TESSERA_SCHEDULE_SCHEDULEHOST_H

#include "tessera/Schedule/Facts.h"
#include "tessera/Schedule/Primitive.h"

namespace tessera::schedule {

/// A layout of a script: one of the notation, or a family that a buf's shape and element type make concrete.
struct LayoutChoice {
  std::string text;
  std::function<llvm::Expected<Layout>(tile::BufType)> make;
};

/// `row_major`, `col_major`, `sw128`, `sw64`, `sw32`.
std::optional<LayoutChoice> layoutNamed(llvm::StringRef name);
/// Primitives that only look and belong to the host: finding ops, asking about them, making layouts.
void addFinders(PrimitiveRegistry &registry);
void addInspections(PrimitiveRegistry &registry);
void addLayouts(PrimitiveRegistry &registry);

class ScheduleHost : public script::Host {
public:
  struct Options {
    TargetRecord target;
    const PrimitiveRegistry *registry = nullptr;    ///< never null
    const InstructionTable *instructions = nullptr; ///< null: none
    const SourceManager *sources = nullptr;         ///< for source lines in notes; may be null
    bool allowTrust = true;                         ///< false under `--no-trust`
    bool verifyEach = true;                         ///< false: the IR is verified by `seal` alone
    Replayer replayer;                              ///< may be empty: refusals are then not run
    solver::SolverOptions solver;
    std::string queryLog;     ///< folder for queries; empty: none
    std::string cacheFile;    ///< verdicts kept between compiles; empty: none
    llvm::StringRef verdicts; ///< text of such a file, beneath it and never written; may be empty
  };

  /// A host over a copy of `module`. The error says that it has no such kernel.
  static llvm::Expected<std::unique_ptr<ScheduleHost>>
  create(mlir::ModuleOp module, llvm::StringRef kernel, Options options);
  ~ScheduleHost() override;

  /// The scheduled module; the host is used up.
  mlir::OwningOpRef<mlir::ModuleOp> take();
  mlir::ModuleOp getModule() { return *module; }
  Ledger &ledger() { return record; }
  solver::Solver &getSolver() { return *prover; }
  SymbolicValues &getValues() { return symbols; }
  FactTable &getFacts() { return factTable; }
  CursorTable &getCursors() { return table; }
  const Options &getOptions() const { return options; }
  /// The kernel and all versions made of it, in order.
  llvm::SmallVector<tile::KernelOp> kernels();
  /// What a script was told about a kernel, by symbol.
  llvm::ArrayRef<solver::Fact> assumedFacts(llvm::StringRef kernel) const;
  static bool isSealed(tile::KernelOp kernel);
  /// A note at the source line of an op; without a place where its file is not among the sources.
  DiagnosticNote noteAt(mlir::Operation *op, const llvm::Twine &text) const;
  /// `load a at line 7`.
  std::string nameWithLine(mlir::Operation *op) const;
  /// The value of a layout that a primitive made; the same text gives the same value.
  Value addLayout(LayoutChoice choice);
  /// The text of the source that a location covers; empty where it is not at hand.
  std::string sourceText(mlir::Location loc) const;

  // script::Host
  llvm::ArrayRef<script::Signature> primitives() const override { return signatures; }
  llvm::ArrayRef<script::Signature> instructions() const override;
  const script::Signature *lookupPrimitive(llvm::StringRef name) const override;
  Value self() const override;
  std::optional<Value> resolveName(llvm::StringRef name) const override;
  llvm::Expected<Value> call(const HostCall &call) override;
  llvm::Expected<Value> inspect(const HostCall &call) const override;
  llvm::Expected<Value> navigate(const script::Cursor &cursor, llvm::StringRef member,
                                 SourceRange range) const override;
  llvm::Error assume(const Value &fact, SourceRange range) override;
  llvm::Error expect(const Value &fact, SourceRange range) override;
  llvm::Error enterTrust(llvm::StringRef reason, SourceRange range) override;
  void leaveTrust() override { reasons.pop_back(); }
  uint64_t mark() override;
  uint64_t markCall() override;
  void rollback(uint64_t mark) override;
  void commit(uint64_t mark) override;

private:
  friend class PrimitiveContext;
  class Listener;
  struct Snapshot;
  struct Mark {
    bool isOfCall = false;
    std::shared_ptr<Snapshot> snapshot; ///< null until something is edited
  };

  explicit ScheduleHost(Options options);
  const Primitive *primitiveOf(llvm::StringRef name) const;
  /// The kernel that a call is about: its scope's, its first cursor's, or the only one.
  llvm::Expected<tile::KernelOp> kernelOf(const HostCall &call) const;
  llvm::Expected<tile::KernelOp> onlyKernel() const;
  /// `keepsRefused`: what fails leaves the kernel as it is.
  void aboutToEdit(bool keepsRefused = false);
  llvm::Error checkAfter(const HostCall &call);
  /// Runs a primitive; the ledger and the journal of cursors are the caller's.
  llvm::Expected<Value> runPrimitive(const Primitive &primitive, const HostCall &call);
  /// Does a step that a condition refused, without its conditions, on a copy, and runs that against what is there. What a
  /// message says of it.
  std::string replay(const Primitive &primitive, const HostCall &call, llvm::StringRef kernel);
  /// The module after the step, done under trust; with barriers, if asked for. Everything is as before afterwards.
  llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
  forced(const Primitive *primitive, const HostCall &call, llvm::StringRef kernel, bool synced);
  llvm::Error addSync(llvm::StringRef kernel);

  Options options;
  std::vector<script::Signature> signatures;
  /// Instructions with constants; nothing before one is asked for.
  mutable std::optional<std::vector<script::Signature>> declared;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  Value kernelCursor;
  solver::ExprContext terms;
  std::unique_ptr<solver::Solver> prover;
  SymbolicValues symbols;
  CursorTable table;
  FactTable factTable;
  std::vector<LayoutChoice> layouts;
  std::unique_ptr<Listener> listener;
  std::unique_ptr<mlir::IRRewriter> edits;
  EmptyInstructionTable noInstructions;

  Ledger record;
  Step pending;                                             ///< of the call at work
  std::map<std::string, std::vector<solver::Fact>> assumed; ///< by symbol
  std::vector<std::string> reasons;                         ///< of the `trust` blocks that are open
  /// Of the call at work: what the condition that refused it fails for.
  std::optional<solver::Witness> failed;
  /// The open ones. Those with no edit between share a snapshot.
  std::vector<Mark> marks;
};

} // namespace tessera::schedule

#endif // TESSERA_SCHEDULE_SCHEDULEHOST_H
