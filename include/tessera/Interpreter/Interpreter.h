//===- Interpreter.h - runs the body of a kernel ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The meaning of a tile program, executed: the body of a `tile.kernel` over host arrays, in a number system given as a
// template parameter. Nothing a program does ends the process: what the language calls a checked error, and whatever
// cannot be run, is an entry of the report with the place in the source.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_INTERPRETER_INTERPRETER_H
#define TESSERA_INTERPRETER_INTERPRETER_H

#include "tessera/Dialect/Tile/TileOps.h"
#include "tessera/Host/HostArray.h"
#include "tessera/Interpreter/SystemTable.h"

#include "llvm/ADT/ArrayRef.h"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace tessera {

/// One row of RunErrors.def.
enum class RunDiag : uint16_t {
#define TESSERA_DIAG(id, code, severity, format) id,
#include "tessera/Interpreter/RunErrors.def"
};

unsigned numRunDiags();
llvm::StringRef runDiagCode(RunDiag id);   ///< `T0870`
llvm::StringRef runDiagName(RunDiag id);   ///< `run_index_range`
llvm::StringRef runDiagFormat(RunDiag id); ///< the text with numbered places
bool isWarning(RunDiag id);

struct RunNote {
  mlir::Location where;
  std::string text;
};

/// What went wrong (or, as a warning, what is doubtful), where, and at which point of the grid. Locations belong to the
/// kernel's context.
struct RunError {
  RunDiag id;
  std::string message;
  mlir::Location where;
  /// For conflicts: the other access.
  std::vector<RunNote> notes;
  /// Coordinates of the grid point, outermost axis first: the index, or the start of the span. Empty outside a grid.
  std::vector<int64_t> gridPoint;
  /// The element concerned, where there is one.
  std::vector<int64_t> index;
  /// Names and values in force: the kernel's static values, then the grid's axes (`m` = `64..128`, `h` = `3`).
  std::vector<std::pair<std::string, std::string>> values;

  llvm::StringRef code() const { return runDiagCode(id); }
};

enum class GridOrder : uint8_t { rowMajor, reverse, shuffle };

struct RunOptions {
  GridOrder order = GridOrder::rowMajor;
  /// For `shuffle`: each seed is one order of the points.
  uint64_t seed = 0;
  /// A grid point ends at its first error, and the other points still run until there are this many. The same kind of
  /// error at the same op counts once.
  size_t maxErrors = 10;
  /// Where `tile.print` writes; null: nowhere.
  llvm::raw_ostream *print = nullptr;
  /// The run ends with T0894 after so many ops and loop steps, or so many bytes of values made; 0: no limit.
  uint64_t maxSteps = 0;
  uint64_t maxBytes = 0;
  /// A seed: the run is one of those that a scheduled kernel may have on a machine, chosen to do harm (Adversarial.h).
  std::optional<uint64_t> adversarial;
};

/// One argument of a launch, extents included: an array for a view, an element for a scalar.
struct Argument {
  HostArray *array = nullptr;
  DType dtype = DType::i64;
  /// The element in native storage (DType.h).
  alignas(8) std::array<std::byte, 8> element{};

  Argument() = default;
  /// The array must outlive the run. Written arrays are changed in place.
  static Argument of(HostArray &array);
  static Argument of(int64_t value);
  /// `bytes` points to one element of `dtype` in native storage.
  static Argument of(DType dtype, const void *bytes);
};

struct RunCounters {
  uint64_t points = 0; ///< grid points begun; 1 for a body without a grid
  uint64_t steps = 0;  ///< ops executed, and steps of loops and grids begun
  uint64_t bytes = 0;  ///< of values made
};

struct RunReport {
  std::vector<RunError> errors;
  std::vector<RunError> warnings;
  /// By kernel argument: for `out` and `inout` views, whether each element (index order) was written, atomics included;
  /// empty for every other argument.
  std::vector<std::vector<bool>> written;
  RunCounters counters;

  bool succeeded() const { return errors.empty(); }
};

/// The type-erased run; `interpret` is the entry.
RunReport interpretWith(const SystemTable &system, tile::KernelOp kernel,
                        llvm::ArrayRef<Argument> arguments, const RunOptions &options);

/// Runs the body of `kernel`. Arguments are the kernel's, extents first. The launch is taken to satisfy `where` and the
/// kernel's shape maps; ranks, static extents and element types are checked again because memory depends on them.
///
/// Arrays hold the view's element type. In a number system that holds all floats alike (F64System) a float array that is
/// written may hold f64 instead, and then nothing is rounded on the way.
///
/// Checked errors: indices out of range, absent conditions, bounds and indices, duplicates in a store, reads of unwritten
/// elements, conflicts between grid points (equal values included), failed assertions, uneven splits.
template <class System>
RunReport interpret(tile::KernelOp kernel, llvm::ArrayRef<Argument> arguments,
                    const RunOptions &options = {}) {
  return interpretWith(systemTable<System>(), kernel, arguments, options);
}

extern template RunReport interpret<ExactSystem>(tile::KernelOp, llvm::ArrayRef<Argument>,
                                                 const RunOptions &);
extern template RunReport interpret<F64System>(tile::KernelOp, llvm::ArrayRef<Argument>,
                                               const RunOptions &);

} // namespace tessera

#endif // TESSERA_INTERPRETER_INTERPRETER_H
