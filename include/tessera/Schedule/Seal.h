//===- Seal.h - proves that a scheduled kernel means its source ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A static check of a kernel at L1: for all sizes that its `where` allows, every interleaving that the parallel program
// allows gives what running it in order gives. What must hold is cut into obligations; each is an entry of the report.
//
//   1 bounds       every window lies inside its view
//   2 values       what is read of a buf was written by the last write to it; instructions find the pads they need
//   3 order        two accesses to one cell by different threads have a barrier between, both ways round each loop;
//                  asynchronous ops are waited for, told to others, and see generic writes through a fence
//   4 rings        slots suffice, fills and uses have one rate, slots are touched in their time, nothing is left in flight
//   5 uniformity   barriers and ring ops are reached by all threads of their scope
//   6 instances    grid points, tasks and steps of `tile.par` touch different cells
//   7 outputs      not here: that every cell of an output is still written follows from the steps of a schedule
//   8 resources    shared memory, threads, named barriers, registers, instructions of the target
//
// Equal in all threads of a CTA are: arguments, grid points, tasks, steps of loops and what is computed from them, and
// scalars from reductions of tiles. What is computed from the index of a `tile.par`, or read from a buf per warp or
// warpgroup, differs among these.
//
// Integers of the program are taken to be unbounded, arguments not to overlap.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_SCHEDULE_SEAL_H
#define TESSERA_SCHEDULE_SEAL_H

#include "tessera/Dialect/Tile/TileOps.h"
#include "tessera/Solver/Solver.h"

#include "mlir/Pass/Pass.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace tessera {

/// One row of SealErrors.def.
enum class SealDiag : uint16_t {
#define TESSERA_DIAG(id, code, severity, format) id,
#include "tessera/Schedule/SealErrors.def"
#undef TESSERA_DIAG
};

unsigned numSealDiags();
llvm::StringRef sealDiagCode(SealDiag id); ///< `T1210`
llvm::StringRef sealDiagName(SealDiag id); ///< `seal_race`

enum class SealKind : uint8_t {
  bounds = 1,
  values,
  order,
  rings,
  uniformity,
  instances,
  outputs,
  resources
};

enum class SealStatus : uint8_t {
  proved,
  refuted,
  unknown, ///< neither proved nor refuted: a refusal, too
  program, ///< depends on data, as in the source: a checked error there
};

/// One obligation.
struct SealEntry {
  SealKind kind = SealKind::bounds;
  SealStatus status = SealStatus::proved;
  std::string title;                  ///< what is claimed
  mlir::Operation *first = nullptr;   ///< the op that the error stands at
  mlir::Operation *second = nullptr;  ///< the other op, where there is one
  std::optional<SealDiag> diagnostic; ///< of refuted and unknown
  std::string message;                ///< the row's text
  std::string missing;                ///< the edge or fact that is missing, in words
  std::string witness;                ///< a smallest case
  std::string help;                   ///< what to do
  /// Of an order that is missing: the loop from a step of which to the next it is, null for one step; and the scope of
  /// the barrier that is needed. The error stands at the later access.
  mlir::Operation *loop = nullptr;
  std::optional<tile::ExecScope> scope = std::nullopt;
  /// What was asked for it; empty where it holds by the form of the program.
  std::vector<solver::AskedQuery> queries = {};

  bool isOpen() const { return status == SealStatus::refuted || status == SealStatus::unknown; }
};

struct SealReport {
  std::vector<SealEntry> entries;

  bool isSealed() const;
  unsigned count(SealKind kind, SealStatus status) const;
  /// A table of kinds and counts, then the entries that are not proved, a line each.
  std::string table() const;
};

struct SealOptions {
  /// `sm_80`, …; limits of resources.
  std::string target = "sm_80";
  /// Whether open entries are emitted as errors at their ops.
  bool emit = true;
  /// Only what waits, fences and barriers have a part in: order, rings, uniformity, resources. The rest does not change with
  /// them.
  bool onlySynchronisation = false;
};

/// Checks the body of `kernel`, which the verifier has accepted. The solver keeps no facts of it.
SealReport seal(tile::KernelOp kernel, solver::Solver &solver, const SealOptions &options = {});

/// `tile-seal`: checks all kernels of a module.
///
/// - Input: kernels that the verifier accepts. The IR does not change.
/// - Options: `report` prints the table of each kernel; `target` names the target, `sm_80` if it is left out.
/// - Refuses: kernels with an open obligation, with an error at each.
/// - Complexity: pairs of accesses to one memory, times the depth of loops around them.
std::unique_ptr<mlir::Pass> createSealPass();
void registerSealPass();

} // namespace tessera

#endif // TESSERA_SCHEDULE_SEAL_H
