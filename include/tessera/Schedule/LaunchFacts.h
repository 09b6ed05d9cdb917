// Versions of a kernel, and whether a launch may take one: conditions as `versions` writes them, evaluated.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_SCHEDULE_LAUNCHFACTS_H
#define TESSERA_SCHEDULE_LAUNCHFACTS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <memory>
#include <optional>

namespace tessera::script {
struct Expr;
struct File;
} // namespace tessera::script

namespace tessera::schedule {

/// On a version: the kernel that it is one of, and the conditions under which a launch may take it, as texts.
constexpr llvm::StringLiteral versionOfAttr = "tile.version_of", versionWhenAttr = "tile.when";

/// A condition read as an expression of scripts; what the expression needs lives with it.
struct Condition {
  std::shared_ptr<const script::File> file;
  /// Null where the text is no condition.
  const script::Expr *expr = nullptr;
};
Condition readCondition(llvm::StringRef text);

/// What a launch knows.
struct LaunchValues {
  /// An extent, or an argument that is an integer.
  std::function<std::optional<int64_t>(llvm::StringRef name)> number;
  /// Whether every row of a view begins at a multiple of so many bytes, its last axis having step 1.
  std::function<std::optional<bool>(llvm::StringRef view, int64_t bytes)> aligned;
};

/// Whether a condition holds for a launch: `((N % 8) == 0) and aligned(x, 16)`. Arithmetic is exact. The error, a sentence,
/// says which part has no meaning for a launch.
llvm::Expected<bool> holds(llvm::StringRef condition, const LaunchValues &launch);

} // namespace tessera::schedule

#endif // TESSERA_SCHEDULE_LAUNCHFACTS_H
