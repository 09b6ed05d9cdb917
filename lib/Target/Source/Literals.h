//===- Literals.h - constants as literals -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_TARGET_SOURCE_LITERALS_H
#define TESSERA_LIB_TARGET_SOURCE_LITERALS_H

#include "Text.h"

#include "tessera/Dialect/Tile/TileOps.h"

namespace tessera::source {

/// How much of a literal's type its place in the text gives.
enum class LiteralType {
  FromPlace, ///< the place has the type: `1`, `0.5`
  Settled,   ///< nothing has it: i64 and f32 are what a bare literal becomes, others are written
  Written,   ///< floats of every type are written with it
};

/// The constant's element as text that gives exactly its bits.
Text literal(tile::ConstantOp op, LiteralType type);

/// Whether the literal without its type is a number that meets the type of its place: not a truth value, no NaN.
bool isBareNumber(tile::ConstantOp op);

/// The element type as the language spells it.
std::string typeText(mlir::Type element);
/// `[8, 4]`
std::string listText(llvm::ArrayRef<int64_t> numbers);
/// `"…"` with escapes.
std::string stringText(llvm::StringRef text);

} // namespace tessera::source

#endif // TESSERA_LIB_TARGET_SOURCE_LITERALS_H
