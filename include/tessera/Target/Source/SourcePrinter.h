//===- SourcePrinter.h - tile IR as `.tile` text ----------------*- C++ -*-===//
//
// The way back from the IR to the language. What is printed is one instance: types, widths and extents that the
// settings fixed stand as numbers, inlined functions as their ops, optional arguments that are missing not at all.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SOURCE_SOURCEPRINTER_H
#define TESSERA_TARGET_SOURCE_SOURCEPRINTER_H

#include "tessera/Dialect/Tile/TileOps.h"

#include "mlir/IR/BuiltinOps.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace tessera {

/// Writes `kernel` as canonical `.tile` text that the frontend compiles to an equivalent kernel (Equivalence.h): every
/// op in its order, constants at their uses, names from the IR's locations where they are free.
///
/// Fails, with an error at the op, for what the language cannot say: names that are no identifiers, an op behind the
/// grid, `scf.while` whose results are not its arguments, a region of `tile.reduce_with` or `tile.scan_with` that uses
/// values from outside, ops and attributes of a schedule, ops of other dialects. Nothing is written then.
mlir::LogicalResult printSource(tile::KernelOp kernel, llvm::raw_ostream &os);

/// All kernels of a module, in order, in one file. A module with anything else at its top level is refused.
mlir::LogicalResult printSource(mlir::ModuleOp module, llvm::raw_ostream &os);

} // namespace tessera

#endif // TESSERA_TARGET_SOURCE_SOURCEPRINTER_H
