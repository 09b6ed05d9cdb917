// The builtin functions: one table of name, signature and emitter. Functions of the elementwise table are rows too.
//
// A signature is a list of parameters: `x` (required), `axis?` (optional), `parts*` (any number, last positional),
// `order:tree|any` (optional, one of these words, written as a name). Every argument may be named; `x.f(…)` calls a
// function whose `isMethod` is set with `x` as its first argument.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_FRONTEND_SEMA_BUILTINS_H
#define TESSERA_LIB_FRONTEND_SEMA_BUILTINS_H

#include "Emitter.h"

namespace tessera::sema {

/// A call with its arguments matched to the signature and evaluated in order.
struct BuiltinCall {
  Emitter &e;
  const Builtin &builtin;
  const ast::Call &call;
  SourceRange range;
  struct Arg {
    llvm::StringRef name;
    std::optional<Value> value;
    const ast::Expr *expr = nullptr; ///< null for the receiver of a method and where not given
    SourceRange range;
    llvm::StringRef word;
  };
  llvm::SmallVector<Arg, 6> args; ///< in the order of the signature; variadic ones at the end
  bool failed = false;

  const Arg *find(llvm::StringRef name) const;
  bool has(llvm::StringRef name) const { return find(name) != nullptr; }
  /// The value; Error where it is missing or wrong.
  Value get(llvm::StringRef name) const;
  SourceRange rangeOf(llvm::StringRef name) const;
  /// All values of a variadic parameter.
  std::vector<Value> rest(llvm::StringRef name) const;
  /// The word chosen, or `fallback`.
  llvm::StringRef word(llvm::StringRef name, llvm::StringRef fallback) const;
  /// A flag known at compile time.
  std::optional<bool> flag(llvm::StringRef name, bool fallback);
  /// An integer known at compile time.
  std::optional<int64_t> integer(llvm::StringRef name);
  /// `axis` of a tile of `rank`; negative counts from the end.
  std::optional<int64_t> axis(llvm::StringRef name, size_t rank);
  /// A tile or scalar of numbers; a tile only if `tile`.
  Value tile(llvm::StringRef name);
  Value number(llvm::StringRef name);
};

struct Builtin {
  const char *name;
  const char *signature;
  Value (*emit)(BuiltinCall &call);
  bool isMethod = false;  ///< `x.name(…)` with a tile, scalar or span `x`
  bool isFunction = true; ///< `name(x, …)`
  bool lazy = false;      ///< arguments are not evaluated: the emitter looks at the tree
};

/// Null where there is none. Elementwise functions of the table that have no row of their own included.
const Builtin *findBuiltin(llvm::StringRef name);
const Builtin *findMethod(llvm::StringRef name);
/// Every name, for suggestions and for the resolver.
llvm::ArrayRef<llvm::StringRef> builtinNames();
/// Whether an argument of this name is a word (`order = any`), not an expression.
bool isWordArgument(llvm::StringRef name);
/// `LN2`, `LOG2E`, …: their digits.
std::optional<llvm::StringRef> builtinConstant(llvm::StringRef name);
llvm::ArrayRef<llvm::StringRef> builtinConstantNames();

llvm::ArrayRef<Builtin> reduceBuiltins();
llvm::ArrayRef<Builtin> shapeBuiltins();
llvm::ArrayRef<Builtin> staticBuiltins();
llvm::ArrayRef<Builtin> memoryBuiltins();
llvm::ArrayRef<Builtin> explicitBuiltins();

} // namespace tessera::sema

#endif // TESSERA_LIB_FRONTEND_SEMA_BUILTINS_H
