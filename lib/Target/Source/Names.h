//===- Names.h - free names of the text being printed -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_TARGET_SOURCE_NAMES_H
#define TESSERA_LIB_TARGET_SOURCE_NAMES_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "mlir/IR/Location.h"

#include <string>
#include <vector>

namespace tessera::source {

/// Whether a program may declare `name`: an identifier that is no keyword and no word of the language.
bool isDeclarable(llvm::StringRef name);

/// The variable's name that a location carries; empty where it carries none.
llvm::StringRef nameOf(mlir::Location loc);

class Names {
public:
  /// Takes a name that is given. False where it is taken or not declarable.
  bool claim(llvm::StringRef name);
  /// `wish` if it is free, else `wish_1`, …; without a wish `v0`, `v1`, ….
  std::string fresh(llvm::StringRef wish = {});
  /// A free name for an index of a formula: `i`, `j`, ….
  std::string freshIndex();

  /// Names taken since `mark` become free again: those of a scope that has ended.
  size_t mark() const { return order.size(); }
  void release(size_t mark);

private:
  bool take(llvm::StringRef name);

  llvm::StringSet<> taken;
  std::vector<std::string> order;
  unsigned next = 0;
  llvm::StringMap<unsigned> suffixes; ///< the last one tried for a wish
};

} // namespace tessera::source

#endif // TESSERA_LIB_TARGET_SOURCE_NAMES_H
