//===- Adversarial.h - runs that look for faults of a schedule ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With `RunOptions::adversarial` a run is one of those that a scheduled kernel may have on a machine, chosen by the seed
// to do harm, and the same for the same seed:
//
// - each access to a buf, and to a view that the kernel may write, is done by some warp: the one that the op's
//   `tile.iter` says, else a random one; two accesses that conflict and are ordered by no barrier and no ring are an
//   error (T1160);
// - asynchronous ops read and write at random moments between their start and their completion; whoever touches their
//   cells before is an error (T1161), as is a generic write that they read without a fence (T1162);
// - elements that are absent, and memory that was not written, hold random bits;
// - sections run ahead as far as their leads allow, roles run in turns, `par` steps in any order, tasks on a random
//   number of CTAs; when nobody can go on, that is an error (T1163).
//
// The warps of a CTA are the kernel's `tile.warps` (4 where it says nothing) or those of its `tile.roles`. Lanes of a
// warp count as one, and the CTAs of a cluster as one CTA.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_INTERPRETER_ADVERSARIAL_H
#define TESSERA_INTERPRETER_ADVERSARIAL_H

#include "tessera/Interpreter/Interpreter.h"

namespace tessera {

/// A run that ended with errors, or with other results than the sequential one.
struct AdversarialFinding {
  /// Nothing: the sequential run itself failed.
  std::optional<uint64_t> seed;
  RunReport report;
  /// If the run had no errors: an argument that holds other bytes than after the sequential run.
  std::optional<unsigned> argument;
};

/// Runs the kernel in order, then under the adversary with the seeds `first`, `first + 1`, … (`count` of them), each from
/// the same contents of the arrays, until a run shows something. Afterwards the arrays hold the results of the
/// sequential run.
std::optional<AdversarialFinding> findFault(const SystemTable &system, tile::KernelOp kernel,
                                            llvm::ArrayRef<Argument> arguments, uint64_t first,
                                            uint64_t count, RunOptions options = {});

/// Whether an error is of memory, rings and order that a schedule makes, and not of the program it was made from.
bool isScheduleFault(RunDiag id);

} // namespace tessera

#endif // TESSERA_INTERPRETER_ADVERSARIAL_H
