// Evaluates what a kernel's header says: the conditions of `where`, the arrays of `reference`, the bounds of
// `tolerance`. Formulas are evaluated in the element types written, folds in ascending order, independently of the
// interpreter of tile programs: the two share the functions on single elements (tessera/Numeric) and nothing else.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_REFERENCE_REFERENCE_H
#define TESSERA_REFERENCE_REFERENCE_H

#include "tessera/Host/HostArray.h"
#include "tessera/Reference/CheckedError.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace tessera {

namespace tile {
class KernelOp;
} // namespace tile

/// What one argument of a kernel holds, in the order of the kernel's arguments (extents first).
struct FormulaArgument {
  /// Of a scalar: its element in native storage (DType.h), at the front.
  std::array<std::byte, 8> scalar{};
  /// Of a view: its array, with any strides. It must have the shape that the kernel's extents give.
  const HostArray *array = nullptr;

  static FormulaArgument ofExtent(int64_t value);
  static FormulaArgument ofArray(const HostArray &array) {
    FormulaArgument result;
    result.array = &array;
    return result;
  }
};

/// An array of a formula: dense, last axis fastest, in the element type that the formula has.
struct FormulaArray {
  std::string name;
  HostArray array;
  /// One byte per element, 0 for absent; empty where every element is present.
  std::vector<uint8_t> presence;

  bool isPresent(int64_t position) const { return presence.empty() || presence[position]; }
};

struct FormulaResult {
  std::vector<FormulaArray> arrays;

  /// Null if there is no array of this name.
  const FormulaArray *find(llvm::StringRef name) const;
};

/// A condition of `where` that does not hold.
struct Violation {
  mlir::Location where;
  std::string text;
  /// The condition has no value.
  bool absent = false;
};

/// How floats are held: as written, or all as f64 (then casts between floats are the identity, float arrays of the result
/// are of f64, and `bits` has no meaning).
enum class Numbers : uint8_t { exact, f64 };

/// The arrays named by `reference_names`. Errors: CheckedError; `ref_missing_region` for a kernel without reference.
llvm::Expected<FormulaResult> evaluateReference(tile::KernelOp kernel,
                                                llvm::ArrayRef<FormulaArgument> arguments,
                                                Numbers numbers = Numbers::exact);

/// How many elements all arrays of the reference have together; none of them is computed. 0 for a kernel without
/// reference.
llvm::Expected<uint64_t> countReferenceElements(tile::KernelOp kernel,
                                                llvm::ArrayRef<FormulaArgument> arguments);

/// The bounds named by `tolerance_names`, as f64; none for a kernel without bounds. `reference` is what
/// evaluateReference gave for the same arguments.
llvm::Expected<FormulaResult> evaluateTolerance(tile::KernelOp kernel,
                                                llvm::ArrayRef<FormulaArgument> arguments,
                                                const FormulaResult &reference);

/// The conditions of `where` that do not hold, in order. `arguments` need arrays only where `where` reads elements.
llvm::Expected<std::vector<Violation>> evaluateWhere(tile::KernelOp kernel,
                                                     llvm::ArrayRef<FormulaArgument> arguments);

} // namespace tessera

#endif // TESSERA_REFERENCE_REFERENCE_H
