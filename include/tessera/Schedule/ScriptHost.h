// What a script acts on. The interpreter knows the language; a host knows the kernel: it declares primitives, resolves
// names to cursors, edits, and undoes. The interpreter never looks into a cursor.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_SCHEDULE_SCRIPTHOST_H
#define TESSERA_SCHEDULE_SCRIPTHOST_H

#include "tessera/Frontend/Diagnostics.h"
#include "tessera/Schedule/ScriptValue.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <optional>

namespace tessera::script {

/// A parameter of a primitive.
struct Parameter {
  std::string name;
  ValueKind kind = ValueKind::Any;
  std::optional<Value> fallback = std::nullopt;
  /// For kind Name: the words that are allowed; empty for any name. An argument is then taken as it is written, unless
  /// it is a variable that holds a name.
  std::vector<std::string> words = {};
  /// The last parameter may take any number of further arguments; the primitive gets a list.
  bool isVariadic = false;
};

/// A primitive as scripts see it, and as the documentation prints it.
struct Signature {
  std::string name;
  std::vector<Parameter> params;
  /// Acts inside a scope: `scope.name(…)`, and the kernel where there is no receiver. Otherwise `x.name(…)` is
  /// `name(x, …)`.
  bool takesScope = false;
  /// Looks only: called through `inspect`.
  bool isPure = false;
  std::string result; ///< "{outer, inner}", "loop", or empty
  std::string group;  ///< chapter of the documentation
  std::string doc;    ///< what it does and when it is refused; sentences
  std::string before; ///< example: text before …
  std::string after;  ///< … and after; both empty for primitives that only look
};

/// Why a host did not do what it was asked.
class HostError : public llvm::ErrorInfo<HostError> {
public:
  enum class Kind {
    Refused,   ///< a condition does not hold; `message` says which
    Dead,      ///< a cursor's place is gone; `cursor`, `consumer`, `consumedAt`
    Ambiguous, ///< a cursor stands for several places; `cursor`, `candidates`
    NotFound   ///< a name, member or pattern matches nothing; `message`
  };
  static char ID;

  HostError(Kind kind, const llvm::Twine &message) : kind(kind), message(message.str()) {}
  void log(llvm::raw_ostream &os) const override { os << message; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

  Kind kind;
  std::string message;
  std::string code; ///< stable name of the condition, for `err.code`; may be empty
  std::string help;
  std::vector<DiagnosticNote> notes;
  std::string cursor;   ///< as the script knows it
  std::string consumer; ///< the primitive that removed the place
  SourceRange consumedAt;
  std::vector<std::string> candidates; ///< `k.first`, `k.second`, …
};

/// The arguments of one call, one value for each parameter, defaults filled in.
struct HostCall {
  const Signature &primitive;
  Value scope; ///< where `takesScope`: the receiver or the kernel
  std::vector<Value> args;
  SourceRange range; ///< of the call

  const Value &arg(llvm::StringRef name) const;
};

class Host {
public:
  virtual ~Host() = default;

  virtual llvm::ArrayRef<Signature> primitives() const = 0;
  /// What is called like a primitive, and declared where the host looks when it is asked.
  virtual llvm::ArrayRef<Signature> instructions() const { return {}; }
  /// Either; null where there is none. The result lives as long as the host.
  virtual const Signature *lookupPrimitive(llvm::StringRef name) const;
  /// The kernel: `self`, and the scope of calls without receiver.
  virtual Value self() const = 0;
  /// A bare word that the script does not declare: a word of the machine or an instruction (a name), an extent or
  /// resource (a leaf of facts), a layout, a record (`target`). Nothing where the word means nothing.
  virtual std::optional<Value> resolveName(llvm::StringRef name) const = 0;

  /// A primitive that edits. On error nothing has changed.
  virtual llvm::Expected<Value> call(const HostCall &call) = 0;
  /// A primitive that looks; `provable` answers false where it does not know.
  virtual llvm::Expected<Value> inspect(const HostCall &call) const = 0;
  /// `cursor.member`.
  virtual llvm::Expected<Value> navigate(const Cursor &cursor, llvm::StringRef member,
                                         SourceRange range) const = 0;

  /// A fact that becomes a check at launch; a fact that is checked once layouts are known.
  virtual llvm::Error assume(const Value &fact, SourceRange range) = 0;
  virtual llvm::Error expect(const Value &fact, SourceRange range) = 0;
  /// Checks are skipped, and the kernel is tainted, until `leaveTrust`. They nest.
  virtual llvm::Error enterTrust(llvm::StringRef reason, SourceRange range) = 0;
  virtual void leaveTrust() = 0;

  /// Transactions nest. `mark` remembers the state; one of the others ends what the mark began.
  virtual uint64_t mark() = 0;
  /// For a block with one call that edits, behind which nothing but the script itself can go wrong. A call that fails changes
  /// nothing, and what is wrong with the script ends the run: the kernel need not be kept.
  virtual uint64_t markCall() { return mark(); }
  virtual void rollback(uint64_t mark) = 0;
  virtual void commit(uint64_t mark) = 0;
};

/// The primitives by group as Markdown: signature, what it does, before and after.
void printPrimitives(llvm::raw_ostream &os, llvm::ArrayRef<Signature> primitives);
/// `split(d: dim, q: int) -> {outer, inner}`
std::string str(const Signature &signature);

} // namespace tessera::script

#endif // TESSERA_SCHEDULE_SCRIPTHOST_H
