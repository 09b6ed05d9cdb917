// Printing of statements, clauses, items and comments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PrinterImpl.h"

using namespace tessera;
using namespace tessera::ast;
using llvm::cast;
using llvm::isa;
using llvm::StringRef;

//===-- Lines and comments -----------------------------------------------------------------------------------------===//

/// The source has an empty line behind the line that `offset` is on.
bool Printer::blankAfter(uint32_t offset) const {
  StringRef rest = options.sources->text(file->file).drop_front(offset);
  size_t end = rest.find('\n');
  return end != StringRef::npos && rest.drop_front(end + 1).ltrim(" \t\r").starts_with("\n");
}

const Comment *Printer::nextComment(uint32_t before) const {
  if (!options.sources || !file || commentAt >= file->comments.size()) {
    return nullptr;
  }
  const Comment &comment = file->comments[commentAt];
  return comment.range.begin < before ? &comment : nullptr;
}

void Printer::Lines::push(Doc *doc, uint32_t begin) {
  bool fromSource = printer.options.sources && hasLast && begin >= last;
  if (!parts.empty()) {
    parts.push_back(nullptr); // the separator
    if (wantBlank || (fromSource && printer.blankAfter(last))) {
      parts.push_back(printer.docs.hardLine());
    }
  }
  wantBlank = false;
  parts.push_back(doc);
}

void Printer::Lines::comment(const Comment &comment) {
  sawComment = true;
  // On a line of its own `##` would become the doc comment of what follows.
  StringRef text = comment.text;
  std::string plain = text.starts_with("##") ? "#" + text.ltrim('#').str() : comment.text;
  push(printer.docs.weightless(plain), comment.range.begin);
  last = comment.range.end;
  hasLast = true;
  ++printer.commentAt;
}

void Printer::Lines::add(SourceRange range, llvm::function_ref<Doc *()> make, StringRef docText) {
  bool hasSource = printer.options.sources && range.isValid();
  while (hasSource) {
    const Comment *before = printer.nextComment(range.begin);
    if (!before) {
      break;
    }
    comment(*before);
  }
  Doc *doc = make();
  // Comments inside an expression have no place of their own: they go before the statement.
  while (hasSource) {
    const Comment *inside = printer.nextComment(range.end);
    if (!inside) {
      break;
    }
    comment(*inside);
  }
  if (!docText.empty()) {
    std::vector<Doc *> lines;
    llvm::SmallVector<StringRef> split;
    docText.split(split, '\n');
    for (StringRef line : split) {
      lines.push_back(printer.docs.weightless(line.empty() ? "##" : "## " + line.str()));
      lines.push_back(printer.docs.hardLine());
    }
    lines.push_back(doc);
    doc = printer.docs.concat(std::move(lines));
  }
  push(doc, range.begin);
  if (!hasSource) {
    return;
  }
  last = range.end;
  hasLast = true;
  StringRef source = printer.options.sources->text(range.file);
  const Comment *behind = printer.nextComment(~0u);
  if (behind && !behind->ownLine &&
      source.slice(range.end, behind->range.begin).find_first_not_of(" \t,;") == StringRef::npos) {
    sawComment = true;
    parts.back() = printer.docs.concat({doc, printer.docs.weightless("  " + behind->text)});
    last = behind->range.end;
    ++printer.commentAt;
  }
}

void Printer::Lines::finish(uint32_t end) {
  while (const Comment *before = printer.nextComment(end)) {
    comment(*before);
  }
}

Doc *Printer::Lines::take(Doc *separator) {
  for (Doc *&part : parts) {
    part = part ? part : separator;
  }
  return printer.docs.concat(std::move(parts));
}

//===-- Statements -------------------------------------------------------------------------------------------------===//

/// The first token of the expression is a unary `-`.
static bool startsWithMinus(const Expr &expr) {
  const Expr *leaf = &expr;
  while (!leaf->parens) {
    if (auto *binary = llvm::dyn_cast<Binary>(leaf)) {
      leaf = binary->lhs.get();
    } else if (auto *in = llvm::dyn_cast<In>(leaf)) {
      leaf = in->operand.get();
    } else {
      auto *unary = llvm::dyn_cast<Unary>(leaf);
      return unary && unary->op == UnaryOp::Neg;
    }
  }
  return false;
}

Doc *Printer::blockBraces(const Block &block, bool alwaysBreak) {
  Lines lines(*this);
  for (const StmtPtr &statement : block.stmts) {
    lines.add(statement->range, [&] { return stmt(*statement); });
  }
  if (block.value) {
    lines.add(block.value->range, [&] {
      // On a line of its own a `-` would continue the statement before.
      bool wrap = !block.stmts.empty() && startsWithMinus(*block.value);
      return expr(*block.value, wrap ? 13 : 0);
    });
  }
  if (options.sources && block.range.isValid()) {
    lines.finish(block.range.end);
  }
  if (lines.empty()) {
    return text("{}");
  }
  bool breaks =
      alwaysBreak || block.stmts.size() + (block.value != nullptr) > 1 || lines.hasComments();
  Doc *separator = breaks ? docs.hardLine() : docs.line();
  Doc *body = docs.nest(options.indent, docs.concat({separator, lines.take(docs.hardLine())}));
  return docs.concat({text("{"), body, separator, text("}")});
}

Doc *Printer::pattern(const Pattern &pattern) {
  return pattern.isTuple ? names("(", pattern.names, ")") : name(pattern.names.front());
}

Doc *Printer::domain(const Expr &domain) { return set(domain); }

Doc *Printer::refAxes(const std::vector<RefIndex> &indices) {
  Parts axes;
  for (const RefIndex &index : indices) {
    axes.push_back(docs.concat({name(index.name), text(" in "), range(*index.bounds)}));
  }
  return list("[", std::move(axes), "]");
}

Doc *Printer::letStmt(const Let &let) {
  Parts parts{text(let.isVar ? "var " : "let "), pattern(let.pattern)};
  if (!let.indices.empty()) {
    parts.push_back(refAxes(let.indices));
  }
  if (let.type) {
    parts.insert(parts.end(), {text(": "), type(*let.type)});
  }
  parts.insert(parts.end(), {text(" = "), expr(*let.value)});
  return docs.concat(std::move(parts));
}

Doc *Printer::forStmt(const For &loop) {
  return docs.group(docs.concat(
      {text("for "), name(loop.var), text(" in "), text(loop.isStatic ? "static " : ""),
       domain(*loop.domain), text(loop.isReversed ? " reversed " : " "), blockBraces(*loop.body)}));
}

Doc *Printer::stmt(const Stmt &node) {
  switch (node.kind) {
  case Kind::Let:
    return letStmt(cast<Let>(node));
  case Kind::Static:
    return docs.concat({text("static "), name(cast<Static>(node).name), text(" = "),
                        expr(*cast<Static>(node).value)});
  case Kind::Tune: {
    Parts parts;
    for (const Choice &choice : cast<Tune>(node).choices) {
      parts.push_back(docs.concat({name(choice.name), text(" in "), set(*choice.set)}));
    }
    return commaList("tune", std::move(parts));
  }
  case Kind::Grid: {
    Parts parts;
    for (const Axis &axis : cast<Grid>(node).axes) {
      parts.push_back(docs.concat({name(axis.name), text(" in "), domain(*axis.domain)}));
    }
    return commaList("grid", std::move(parts));
  }
  case Kind::Assign: {
    const auto &assign = cast<Assign>(node);
    Parts parts{expr(*assign.place), text(" = "), expr(*assign.value)};
    if (assign.fill) {
      parts.insert(parts.end(), {text(" fill "), expr(*assign.fill)});
    }
    return docs.concat(std::move(parts));
  }
  case Kind::ExprStmt:
    return expr(*cast<ExprStmt>(node).expr);
  case Kind::For:
    return forStmt(cast<For>(node));
  case Kind::While:
    return docs.group(docs.concat({text("while "), expr(*cast<While>(node).cond), text(" "),
                                   blockBraces(*cast<While>(node).body)}));
  case Kind::Assert: {
    const auto &assertion = cast<Assert>(node);
    Parts parts{expr(*assertion.cond)};
    if (assertion.message) {
      parts.push_back(expr(*assertion.message));
    }
    return commaList(assertion.isAssume ? "assume" : "assert", std::move(parts));
  }
  case Kind::Unsafe:
    return docs.group(docs.concat({text("unsafe "), blockBraces(*cast<Unsafe>(node).body)}));
  default:
    return text("<error>");
  }
}

//===-- Clauses, references, tests ---------------------------------------------------------------------------------===//

Doc *Printer::ref(const Ref &node) {
  switch (node.kind) {
  case Kind::RefLet: {
    const auto &let = cast<RefLet>(node);
    return docs.concat(
        {text("let "), name(let.name), refAxes(let.indices), text(" = "), expr(*let.value)});
  }
  case Kind::RefOutput: {
    const auto &output = cast<RefOutput>(node);
    Doc *indices = output.indices.empty() ? text("") : names("[", output.indices, "]");
    return docs.concat({name(output.name), indices, text(" = "), expr(*output.value)});
  }
  case Kind::RefTuple:
    return docs.concat({names("(", cast<RefTuple>(node).names, ")"), text(" = "),
                        expr(*cast<RefTuple>(node).value)});
  default:
    return text("<error>");
  }
}

Doc *Printer::clause(const Clause &node) {
  switch (node.kind) {
  case Kind::Where: {
    Parts parts;
    for (const ExprPtr &cond : cast<Where>(node).conds) {
      parts.push_back(expr(*cond));
    }
    return commaList("where", std::move(parts));
  }
  case Kind::Math: {
    static const char *const modes[] = {"math strict", "math contract", "math fast"};
    return text(modes[static_cast<unsigned>(cast<Math>(node).mode)]);
  }
  case Kind::Reference: {
    const auto &reference = cast<Reference>(node);
    if (!reference.isBraced) {
      return docs.concat({text("reference "), ref(*reference.refs.front())});
    }
    Lines lines(*this);
    for (const auto &formula : reference.refs) {
      lines.add(formula->range, [&] { return ref(*formula); });
    }
    if (options.sources && node.range.isValid()) {
      lines.finish(node.range.end);
    }
    if (lines.empty()) {
      return text("reference {}");
    }
    Doc *body =
        docs.nest(options.indent, docs.concat({docs.hardLine(), lines.take(docs.hardLine())}));
    return docs.concat({text("reference {"), body, docs.hardLine(), text("}")});
  }
  case Kind::Tolerance: {
    const auto &tolerance = cast<Tolerance>(node);
    if (tolerance.isExact) {
      return text("tolerance exact");
    }
    Parts parts;
    for (const Bound &bound : tolerance.bounds) {
      Doc *indices = bound.indices.empty() ? text("") : names("[", bound.indices, "]");
      parts.push_back(docs.concat({name(bound.name), indices, text(" <= "), expr(*bound.value)}));
    }
    return commaList("tolerance", std::move(parts));
  }
  default:
    return text("<error>");
  }
}

Doc *Printer::testEntry(const TestEntry &node) {
  switch (node.kind) {
  case Kind::TestAxis: {
    const auto &axis = cast<TestAxis>(node);
    return docs.concat(
        {pattern(axis.pattern), text(" in "), axis.set ? set(*axis.set) : text("tune")});
  }
  case Kind::TestBind:
    return docs.concat(
        {name(cast<TestBind>(node).name), text(" = "), expr(*cast<TestBind>(node).value)});
  case Kind::TestInput: {
    Parts parts;
    for (const ExprPtr &generator : cast<TestInput>(node).generators) {
      parts.push_back(expr(*generator));
    }
    return commaList(cast<TestInput>(node).name.name + " from", std::move(parts));
  }
  case Kind::TestOrder:
    return docs.concat({text("order "), name(cast<TestOrder>(node).name), text(" in "),
                        set(*cast<TestOrder>(node).set)});
  case Kind::TestCases:
    return docs.concat({text("cases "), expr(*cast<TestCases>(node).count)});
  default:
    return text("<error>");
  }
}

//===-- Items ------------------------------------------------------------------------------------------------------===//

Doc *Printer::generics(llvm::ArrayRef<GenericParam> params) {
  if (params.empty()) {
    return text("");
  }
  static const char *const constraints[] = {"shape", "float", "int", "uint", "number", "any"};
  Parts list_;
  for (const GenericParam &param : params) {
    Parts parts;
    if (param.kind == GenericKind::Const) {
      parts = {text("const "), name(param.name), text(": "), type(*param.type)};
    } else if (param.kind == GenericKind::Set) {
      parts = {name(param.name)};
    } else {
      parts = {name(param.name), text(": "), text(constraints[static_cast<unsigned>(param.kind)])};
    }
    if (param.set) {
      const auto *bounds = llvm::dyn_cast<Range>(param.set.get());
      auto side = [&](const ExprPtr &e) {
        return isa<Block, If, Match>(*e) ? expr(*e, 1) : angleExpr(*e);
      };
      parts.push_back(text(" in "));
      if (bounds && bounds->lo) {
        parts.insert(parts.end(), {side(bounds->lo), text("..")});
      }
      parts.push_back(bounds ? side(bounds->hi) : expr(*param.set));
    }
    if (param.defaultType) {
      parts.insert(parts.end(), {text(" = "), type(*param.defaultType)});
    }
    if (param.value) {
      parts.insert(parts.end(), {text(" = "), angleExpr(*param.value)});
    }
    list_.push_back(docs.concat(std::move(parts)));
  }
  return list("<", std::move(list_), ">");
}

Doc *Printer::structItem(const Struct &item) {
  Lines lines(*this);
  for (const Field &field : item.fields) {
    lines.add(field.range, [&] {
      Parts parts{name(field.name), text(": "), type(*field.type)};
      if (field.value) {
        parts.insert(parts.end(), {text(" = "), expr(*field.value)});
      }
      return docs.concat(std::move(parts));
    });
  }
  for (const auto &method : item.methods) {
    lines.blankLine();
    lines.add(method->range, [&] { return fnItem(*method); }, method->doc);
  }
  if (options.sources && item.range.isValid()) {
    lines.finish(item.range.end);
  }
  Doc *head = docs.concat({text("struct "), name(item.name), generics(item.generics)});
  if (lines.empty()) {
    return docs.concat({head, text(" {}")});
  }
  Doc *body =
      docs.nest(options.indent, docs.concat({docs.hardLine(), lines.take(docs.hardLine())}));
  return docs.concat({head, text(" {"), body, docs.hardLine(), text("}")});
}

Doc *Printer::fnItem(const Fn &item) {
  Parts params;
  for (const Param &param : item.params) {
    static const char *const modes[] = {"", "const ", "inout "};
    Parts parts{text(modes[static_cast<unsigned>(param.mode)]), name(param.name)};
    if (param.type) {
      parts.insert(parts.end(), {text(": "), type(*param.type)});
    }
    if (param.value) {
      parts.insert(parts.end(), {text(" = "), expr(*param.value)});
    }
    params.push_back(docs.concat(std::move(parts)));
  }
  Doc *head = docs.concat({text("fn "), name(item.name), generics(item.generics)});
  Doc *result = item.result ? docs.concat({text(" -> "), type(*item.result)}) : text("");
  return docs.concat({head, list("(", std::move(params), ")"), result, text(" "),
                      docs.group(blockBraces(*item.body))});
}

Doc *Printer::kernelItem(const Kernel &item) {
  Parts params;
  for (const KernelParam &param : item.params) {
    params.push_back(docs.concat(
        {name(param.name), text(": "), type(*param.type), text(param.isOptional ? "?" : "")}));
  }
  Parts parts{text("kernel "), name(item.name), generics(item.generics),
              list("(", std::move(params), ")")};
  if (item.clauses.empty()) {
    parts.push_back(text(" "));
  } else {
    Lines lines(*this);
    for (const auto &entry : item.clauses) {
      lines.add(entry->range, [&] { return clause(*entry); });
    }
    parts.push_back(
        docs.nest(options.indent, docs.concat({docs.hardLine(), lines.take(docs.hardLine())})));
    parts.push_back(docs.hardLine());
  }
  parts.push_back(blockBraces(*item.body, /*alwaysBreak=*/true));
  return docs.concat(std::move(parts));
}

Doc *Printer::item(const Item &node) {
  switch (node.kind) {
  case Kind::Import: {
    const auto &import = cast<Import>(node);
    StringLit path;
    path.value = import.path;
    Doc *alias = import.alias ? docs.concat({text(" as "), name(import.alias)}) : text("");
    return docs.concat({text("import "), expr(path), alias});
  }
  case Kind::Const: {
    const auto &constant = cast<Const>(node);
    Doc *typeDoc = constant.type ? docs.concat({text(": "), type(*constant.type)}) : text("");
    return docs.concat(
        {text("const "), name(constant.name), typeDoc, text(" = "), expr(*constant.value)});
  }
  case Kind::Enum:
    return docs.concat({text("enum "), name(cast<Enum>(node).name), text(" "),
                        names("{ ", cast<Enum>(node).cases, " }")});
  case Kind::Struct:
    return structItem(cast<Struct>(node));
  case Kind::Fn:
    return fnItem(cast<Fn>(node));
  case Kind::Kernel:
    return kernelItem(cast<Kernel>(node));
  case Kind::Test: {
    Lines lines(*this);
    for (const auto &entry : cast<Test>(node).entries) {
      lines.add(entry->range, [&] { return testEntry(*entry); });
    }
    if (options.sources && node.range.isValid()) {
      lines.finish(node.range.end);
    }
    Doc *head = docs.concat({text("test "), name(cast<Test>(node).kernel)});
    if (lines.empty()) {
      return docs.concat({head, text(" {}")});
    }
    Doc *body =
        docs.nest(options.indent, docs.concat({docs.hardLine(), lines.take(docs.hardLine())}));
    return docs.concat({head, text(" {"), body, docs.hardLine(), text("}")});
  }
  case Kind::LayoutDecl:
    return layoutItem(cast<LayoutDecl>(node));
  case Kind::Instr:
    return instrItem(cast<Instr>(node));
  case Kind::Sync:
    return syncItem(cast<Sync>(node));
  case Kind::Raw:
    return text(cast<Raw>(node).text);
  default:
    return text("<error>");
  }
}

Doc *Printer::printFile() {
  Lines lines(*this);
  const Item *before = nullptr;
  for (const auto &entry : file->items) {
    bool together = before && before->kind == entry->kind && isa<Import, Const, LayoutDecl>(*entry);
    if (before && !together) {
      lines.blankLine();
    }
    lines.add(entry->range, [&] { return item(*entry); }, entry->doc);
    before = entry.get();
  }
  if (options.sources) {
    lines.finish(~0u);
  }
  if (lines.empty()) {
    return text("");
  }
  return docs.concat({lines.take(docs.hardLine()), docs.hardLine()});
}
