//===- Sealer.h - what the obligations of a kernel share ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_SCHEDULE_SEAL_SEALER_H
#define TESSERA_LIB_SCHEDULE_SEAL_SEALER_H

#include "IndexModel.h"
#include "Presence.h"

#include "tessera/Dialect/Tile/Structure.h"
#include "tessera/Schedule/Seal.h"

namespace tessera::sealing {

/// One op's access to one memory.
struct Access {
  mlir::Operation *op = nullptr;
  tile::Window window;
  mlir::Value memory; ///< a buf, or the argument that a view is cut from
  bool isBuf = false;
  bool isElected = false; ///< made by one thread
  /// `tile.apply` that it is part of; its name is what messages say.
  tile::ApplyOp apply;

  bool isWrite() const { return window.kind != tile::Window::read; }
  bool isAsync() const { return window.via != tile::Proxy::generic; }
  tile::Proxy via() const { return window.via; }
};

/// What an entry says beside its title.
struct Refusal {
  SealDiag id;
  std::vector<std::string> arguments;
  std::string missing, help;
  std::string witness = "";
  mlir::Operation *loop = nullptr;
  std::optional<tile::ExecScope> scope = std::nullopt;
};

class Sealer {
public:
  Sealer(tile::KernelOp kernel, solver::Solver &solver, const SealOptions &options);

  SealReport run();

  //===--- what all obligations use -------------------------------------===//

  tile::KernelOp kernel;
  solver::Solver &solver;
  const SealOptions &options;
  IndexModel model;
  std::vector<Access> accesses;

  void prove(SealKind kind, std::string title, mlir::Operation *first,
             mlir::Operation *second = nullptr);
  void program(SealKind kind, std::string title, mlir::Operation *first,
               mlir::Operation *second = nullptr);
  void refuse(SealKind kind, std::string title, const Refusal &refusal, mlir::Operation *first,
              mlir::Operation *second = nullptr);
  /// An entry for a verdict: proved, refused with its witness, or unknown.
  void conclude(SealKind kind, std::string title, const solver::Verdict &verdict, Refusal refusal,
                mlir::Operation *first, mlir::Operation *second = nullptr);
  /// The entry that is made next carries the question.
  solver::Verdict ask(llvm::StringRef title, std::vector<Fact> facts, Expr goal);
  solver::Verdict ask(const solver::Obligation &obligation);
  /// Whether the loop has a step, for all sizes.
  bool surelyRuns(tile::ForOp loop);
  /// Whether the span has its full length wherever it is used.
  bool isWhole(mlir::Value span);
  /// Absence in the kernel, without that of whole spans.
  PresenceAnalysis presence();

  /// Finds `accesses`; for analyses that need no report.
  void collect();
  /// Which loops surely run, as found here; for another sealer of the same kernel whose loops and scalars are the same.
  void takeRuns(Sealer &other) { runs = std::move(other.runs); }

private:
  /// Whether a loop has a step, and the question that told it.
  struct Runs {
    bool surely = false;
    solver::AskedQuery query;
  };

  void proveBounds();
  void addEntry(SealEntry entry);
  void noteQuery(const solver::AskedQuery &query);

  SealReport report;
  std::vector<solver::AskedQuery> asked; ///< since the last entry
  llvm::DenseMap<mlir::Operation *, Runs> runs;
  llvm::DenseMap<mlir::Value, bool> wholeSpans;
};

/// `tile.copy`, or `@name` of the instruction that does it.
std::string nameOf(mlir::Operation *op);
inline std::string nameOf(const Access &access) { return nameOf(access.op); }
/// `the buf of 128x32xbf16` or `the view \`x\``.
std::string memoryName(tile::KernelOp kernel, mlir::Value memory);
std::string fileLine(mlir::Operation *op);

//===- one file each ------------------------------------------------------===//

void checkOrder(Sealer &sealer);
void checkInFlight(Sealer &sealer);
void checkRings(Sealer &sealer);
void checkValues(Sealer &sealer);
void checkPads(Sealer &sealer);
void checkInstructions(Sealer &sealer);
void checkUniformity(Sealer &sealer);
void checkInstances(Sealer &sealer);
void checkResources(Sealer &sealer);

} // namespace tessera::sealing

#endif // TESSERA_LIB_SCHEDULE_SEAL_SEALER_H
