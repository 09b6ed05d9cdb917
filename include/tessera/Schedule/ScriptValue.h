// The values of schedule scripts. They are immutable and cheap to copy; every value knows the place in the script that it
// came from. What the compiler owns (ops, layouts, symbolic sizes) is an opaque handle here.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_SCHEDULE_SCRIPTVALUE_H
#define TESSERA_SCHEDULE_SCRIPTVALUE_H

#include "tessera/Schedule/ScriptAST.h"

#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tessera::script {

/// A place in a kernel: an op, a loop, a dim, a buf, a gap between statements, … The host gives and resolves handles.
struct Cursor {
  uint64_t id = 0;
  /// State of the kernel in which the handle was made; for the host.
  uint32_t generation = 0;
  ValueKind kind = ValueKind::Op; ///< one of the cursor kinds
  std::string text;               ///< what messages call it: "loop k"
};

/// A layout; only the host knows what it says.
struct LayoutHandle {
  uint64_t id = 0;
  std::string text;
};

/// A statement about sizes and arguments that is not known in the script, or an integer that is not: a tree of the
/// operators of the script over leaves of the host.
struct Fact {
  enum class Kind : uint8_t { Leaf, Integer, Truth, Unary, Binary };
  Kind kind = Kind::Leaf;
  uint64_t leaf = 0;   ///< Leaf: the host's id
  std::string text;    ///< Leaf: as in the source
  int64_t integer = 0; ///< Integer; Truth: 0 or 1
  UnaryOp unary = UnaryOp::Neg;
  BinaryOp binary = BinaryOp::Add;
  std::shared_ptr<const Fact> lhs, rhs; ///< Unary: only lhs
  unsigned size = 1;                    ///< nodes, shared ones counted again
};
using FactPtr = std::shared_ptr<const Fact>;

class Value {
public:
  struct Text {
    std::string text;
    bool isName; ///< a word (`warp`) or a name of the kernel, not a string
  };
  struct Elements {
    std::vector<Value> values;
    unsigned depth = 1;
  };
  struct Fields {
    std::vector<std::pair<std::string, Value>> fields;
    unsigned depth = 1;
  };
  struct PatternText {
    OpPattern pattern;
    std::string text;
  };

  /// No value: what a primitive without a result gives.
  Value() = default;
  static Value integer(int64_t value) { return Value(Data(value)); }
  static Value boolean(bool value) { return Value(Data(value)); }
  static Value string(llvm::StringRef text) { return Value(Data(Text{text.str(), false})); }
  static Value name(llvm::StringRef text) { return Value(Data(Text{text.str(), true})); }
  static Value list(std::vector<Value> values);
  static Value record(std::vector<std::pair<std::string, Value>> fields);
  static Value cursor(Cursor cursor);
  static Value layout(uint64_t id, llvm::StringRef text);
  static Value fact(FactPtr fact) { return Value(Data(std::move(fact))); }
  /// A symbolic integer or truth of the host.
  static Value leaf(uint64_t id, llvm::StringRef text);
  static Value pattern(OpPattern pattern, llvm::StringRef text);

  bool isNone() const { return std::holds_alternative<std::monostate>(data); }
  /// Null where the value is something else.
  const int64_t *getInteger() const { return std::get_if<int64_t>(&data); }
  const bool *getBoolean() const { return std::get_if<bool>(&data); }
  const std::string *getString() const { return text(false); }
  const std::string *getName() const { return text(true); }
  const std::vector<Value> *getList() const;
  const std::vector<std::pair<std::string, Value>> *getRecord() const;
  /// The field of a record; null where there is none, or no record.
  const Value *getField(llvm::StringRef name) const;
  const Cursor *getCursor() const;
  const LayoutHandle *getLayout() const;
  const Fact *getFact() const;
  FactPtr getFactPtr() const;
  const PatternText *getPattern() const;

  /// Any stands for none.
  ValueKind kind() const;
  /// Levels of lists and records.
  unsigned depth() const;
  /// As `print` writes it.
  std::string str() const;
  /// For messages: "the integer 3", "the loop `k`", "a record".
  std::string describe() const;

  /// Where in the script it was made.
  SourceRange origin;

private:
  using Data = std::variant<std::monostate, int64_t, bool, Text, std::shared_ptr<const Elements>,
                            std::shared_ptr<const Fields>, std::shared_ptr<const Cursor>,
                            std::shared_ptr<const LayoutHandle>, FactPtr,
                            std::shared_ptr<const PatternText>>;
  explicit Value(Data data) : data(std::move(data)) {}
  const std::string *text(bool isName) const;
  void print(std::string &out, bool quoted) const;

  Data data;
};

/// Cursors are equal where they name the same place; facts where their text is.
bool operator==(const Value &a, const Value &b);
inline bool operator!=(const Value &a, const Value &b) { return !(a == b); }

/// True where a parameter of kind `kind` takes `value`. A fact may be an integer or a truth that is known already.
bool accepts(ValueKind kind, const Value &value);
bool isCursorKind(ValueKind kind);
std::string str(const Fact &fact);
/// An integer or a truth as the leaf of a fact, a fact as itself; null for all others.
FactPtr asFact(const Value &value);

} // namespace tessera::script

#endif // TESSERA_SCHEDULE_SCRIPTVALUE_H
