// Words of operators and kinds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/ScriptAST.h"

using namespace tessera;
using namespace tessera::script;

const char *script::spelling(BinaryOp op) {
  static const char *const words[] = {"or", "xor", "and", "==", "!=", "<", "<=", ">",  ">=",
                                      "in", "<<",  ">>",  "+",  "-",  "*", "/",  "//", "%"};
  return words[static_cast<unsigned>(op)];
}

namespace {
struct KindRow {
  ValueKind kind;
  const char *word;
  const char *text;
};
constexpr KindRow kinds[] = {
    {ValueKind::Any, "any", "any value"},       {ValueKind::Int, "int", "an integer"},
    {ValueKind::Bool, "bool", "true or false"}, {ValueKind::String, "string", "a string"},
    {ValueKind::List, "list", "a list"},        {ValueKind::Record, "record", "a record"},
    {ValueKind::Layout, "layout", "a layout"},  {ValueKind::Fact, "fact", "a fact"},
    {ValueKind::Name, "name", "a name"},        {ValueKind::Pattern, "pattern", "a pattern"},
    {ValueKind::Cursor, "cursor", "a cursor"},  {ValueKind::Op, "op", "an op"},
    {ValueKind::Loop, "loop", "a loop"},        {ValueKind::Dim, "dim", "a dim"},
    {ValueKind::Factor, "factor", "a factor"},  {ValueKind::Buf, "buf", "a buf"},
    {ValueKind::Ring, "ring", "a ring"},        {ValueKind::Block, "block", "a block"},
    {ValueKind::Gap, "gap", "a gap"},           {ValueKind::Operand, "operand", "an operand"},
    {ValueKind::Ops, "ops", "a set of ops"},    {ValueKind::Kernel, "kernel", "a kernel"},
};
static_assert(std::size(kinds) == static_cast<size_t>(ValueKind::Kernel) + 1);
} // namespace

const char *script::describe(ValueKind kind) { return kinds[static_cast<unsigned>(kind)].text; }

std::optional<ValueKind> script::kindNamed(llvm::StringRef word) {
  for (const KindRow &row : kinds) {
    if (word == row.word) {
      return row.kind;
    }
  }
  return std::nullopt;
}

const std::vector<std::string> &script::kindNames() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result;
    for (const KindRow &row : kinds) {
      result.push_back(row.word);
    }
    return result;
  }();
  return names;
}

std::string script::pathText(const Expr &expr) {
  if (expr.parenthesized) {
    return "";
  }
  if (const auto *name = llvm::dyn_cast<Name>(&expr)) {
    return name->text;
  }
  const auto *member = llvm::dyn_cast<Member>(&expr);
  std::string base = member ? pathText(*member->base) : "";
  return base.empty() ? "" : base + "." + member->name.text;
}
