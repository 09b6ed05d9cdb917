//===- Names.cpp - which names are free -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Names.h"

#include "tessera/Frontend/Frontend.h"
#include "tessera/Frontend/Token.h"

#include "llvm/ADT/StringExtras.h"

namespace tessera::source {

bool isDeclarable(llvm::StringRef name) {
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  if (name.empty() || name == "_" || llvm::isDigit(name.front()) || !llvm::all_of(name, isWord)) {
    return false;
  }
  // `return` and its like are plain names to the lexer, but not at the start of a statement.
  bool jumps = name == "return" || name == "break" || name == "continue";
  return !jumps && name != "std" && keywordKind(name) == Tok::Ident && !isReservedName(name);
}

llvm::StringRef nameOf(mlir::Location loc) {
  if (auto named = llvm::dyn_cast<mlir::NameLoc>(loc)) {
    return named.getName().getValue();
  }
  if (auto call = llvm::dyn_cast<mlir::CallSiteLoc>(loc)) {
    return nameOf(call.getCallee());
  }
  return {};
}

bool Names::take(llvm::StringRef name) {
  if (!taken.insert(name).second) {
    return false;
  }
  order.push_back(name.str());
  return true;
}

bool Names::claim(llvm::StringRef name) { return isDeclarable(name) && take(name); }

std::string Names::fresh(llvm::StringRef wish) {
  if (isDeclarable(wish)) {
    std::string name = wish.str();
    for (unsigned &suffix = suffixes[wish]; !take(name);) {
      name = wish.str() + "_" + std::to_string(++suffix);
    }
    return name;
  }
  std::string name;
  do {
    name = "v" + std::to_string(next++);
  } while (!take(name));
  return name;
}

std::string Names::freshIndex() {
  for (llvm::StringRef name : {"i", "j", "k", "l", "p", "q"}) {
    if (take(name)) {
      return name.str();
    }
  }
  return fresh("i");
}

void Names::release(size_t mark) {
  while (order.size() > mark) {
    taken.erase(order.back());
    order.pop_back();
  }
  next = 0;
  suffixes.clear();
}

} // namespace tessera::source
