//===- TypeText.h - types as they stand in messages -------------*- C++ -*-===//
//
// Diagnostics print a type in single quotes of their own; ours stand in back-quotes,
// so types go through text.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_TILE_TYPETEXT_H
#define TESSERA_DIALECT_TILE_TYPETEXT_H

#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/TypeRange.h"

#include <string>

namespace tessera::tile {

/// `tensor<4xf32>`
inline std::string text(mlir::Type type) {
  std::string result;
  llvm::raw_string_ostream(result) << type;
  return result;
}

/// `i64, f32`
inline std::string text(mlir::TypeRange types) {
  std::string result;
  llvm::raw_string_ostream out(result);
  llvm::interleaveComma(types, out);
  return result;
}

} // namespace tessera::tile

#endif // TESSERA_DIALECT_TILE_TYPETEXT_H
