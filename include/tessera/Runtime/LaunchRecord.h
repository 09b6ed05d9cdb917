// What a program must know to launch a compiled kernel: its arguments, what is checked, the versions and their grids. Written
// beside the PTX as text, one line an item.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_RUNTIME_LAUNCHRECORD_H
#define TESSERA_RUNTIME_LAUNCHRECORD_H

#include "tessera/Runtime/Error.h"
#include "tessera/Runtime/Expr.h"

#include <string_view>

namespace tessera::runtime {

enum class Mode : uint8_t { in, out, inout };

/// An extent of the kernel; `from` gives it from sizes and scalars of arguments and from extents before it.
struct ExtentRecord {
  std::string name;
  Expr from;
};

struct ArgumentRecord {
  std::string name;
  bool isView = true;
  /// As the language or the IR spells it: `f32`, `f8e4m3`, `f8E4M3FN`, `bool`.
  std::string dtype;
  Mode mode = Mode::in;
  /// Of a view: the size that each axis must have.
  std::vector<Expr> shape;
};

/// A condition with the text that messages show.
struct Condition {
  Expr expr;
  std::string text;
};

struct VersionRecord {
  /// The entry function of the module.
  std::string symbol;
  /// All must hold for the version to be taken.
  std::vector<Condition> conditions;
  unsigned threads = 1;
  /// Dynamic shared memory of a CTA, in bytes.
  uint64_t sharedBytes = 0;
  Expr grid = Expr::constant(1);
  /// Bytes of global memory that the kernel must at least move; for reports.
  Expr bytes;
};

struct LaunchRecord {
  std::string kernel, target;
  std::vector<ExtentRecord> extents;
  std::vector<ArgumentRecord> arguments;
  std::vector<Condition> checks;
  /// The first whose conditions hold is launched.
  std::vector<VersionRecord> versions;

  /// The text, which parseLaunchRecord reads back.
  std::string text() const;
  /// An expression with the record's names.
  std::string text(const Expr &expr) const;
  /// Names, indices and numbers that fit one another; what the text's reader checks, too.
  Failure verify() const;
};

/// Errors name the line of the text.
Result<LaunchRecord> parseLaunchRecord(std::string_view text);

/// Bytes of an element; 0 for a name that is no dtype.
unsigned dtypeBytes(std::string_view dtype);
/// Integer types and bool; those an Expr::scalar may read.
bool isIntegerDtype(std::string_view dtype);
/// The element's value; NaN for a dtype that is no float.
double realOf(std::string_view dtype, const uint8_t *element);
bool isFloatDtype(std::string_view dtype);
bool isSignedDtype(std::string_view dtype);

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_LAUNCHRECORD_H
