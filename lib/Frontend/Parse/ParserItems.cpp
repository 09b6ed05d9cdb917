// Items of a file except kernels and tests: imports, constants, enums, structs, functions, raw text; doc comments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ParserImpl.h"

using namespace tessera;
using namespace tessera::ast;
using llvm::StringRef;

/// The `##` lines directly before the current token, which is an item.
std::string Parser::takeDoc() {
  auto first = std::lower_bound(
      lexed.comments.begin(), lexed.comments.end(), at_,
      [](const LexedComment &comment, uint32_t token) { return comment.nextToken < token; });
  std::string doc;
  bool any = false;
  for (auto it = first; it != lexed.comments.end() && it->nextToken == at_; ++it) {
    if (!it->isDoc || !it->ownLine) {
      continue;
    }
    StringRef line = text.slice(it->begin, it->end).ltrim('#');
    line.consume_front(" ");
    doc += (any ? "\n" : "") + line.str();
    any = true;
    docTaken[it - lexed.comments.begin()] = true;
  }
  return doc;
}

void Parser::finishComments(File &result) {
  for (size_t i = 0; i < lexed.comments.size(); ++i) {
    const LexedComment &comment = lexed.comments[i];
    SourceRange range{file, comment.begin, comment.end};
    // Comments of a raw item are part of its text.
    bool inRaw = llvm::any_of(rawRanges, [&](SourceRange raw) { return raw.contains(range); });
    if (!docTaken[i] && !inRaw) {
      result.comments.push_back(
          {range, text.slice(comment.begin, comment.end).str(), comment.ownLine});
    }
  }
}

void Parser::parseItem(File &result) {
  llvm::SaveAndRestore<bool> lines(newlines, true);
  std::string doc = takeDoc();
  std::unique_ptr<Item> item = parseItemAt();
  if (!item) {
    return;
  }
  bool isLine = llvm::isa<Import, Const, LayoutDecl>(*item);
  if (isLine && !failed && !tok().newlineBefore && !at(Tok::Eof) && !startsItem(tok()) &&
      !accept(Tok::Semi)) {
    error(diag::expected_separator, errorPlace(), "items", found())
        .help("put each on its own line");
  }
  item->doc = std::move(doc);
  result.items.push_back(std::move(item));
}

/// Items that begin with a word that is a name elsewhere; null for other words.
std::unique_ptr<Item> Parser::parseWordItem() {
  StringRef word = textOf(tok());
  return word == "test"       ? parseTest()
         : word == "layout"   ? parseLayout()
         : word == "instr"    ? parseInstr()
         : word == "sync"     ? parseSync()
         : word == "schedule" ? parseRaw(RawKind::Schedule)
         : word == "def"      ? parseRaw(RawKind::Def)
                              : nullptr;
}

std::unique_ptr<Item> Parser::parseItemAt() {
  switch (kind()) {
  case Tok::KwImport:
    return parseImport();
  case Tok::KwConst:
    return parseConst();
  case Tok::KwEnum:
    return parseEnum();
  case Tok::KwStruct:
    return parseStruct();
  case Tok::KwFn:
    return parseFn();
  case Tok::KwKernel:
    return parseKernel();
  default:
    break;
  }
  if (peek(1).kind == Tok::Ident) {
    if (std::unique_ptr<Item> item = parseWordItem()) {
      return item;
    }
  }
  DiagnosticBuilder builder = error(diag::expected_item, here(), found());
  if (at(Tok::RBrace)) {
    builder.help("a `}` too many: remove it, or look for a block that was closed too early");
  } else {
    builder.help("a file holds `import`, `const`, `enum`, `struct`, `fn`, `kernel`, `test`, "
                 "`layout`, `instr`, `sync`, `schedule` and `def`");
  }
  return nullptr;
}

std::unique_ptr<Item> Parser::parseImport() {
  auto item = std::make_unique<Import>();
  uint32_t begin = tok().begin;
  advance();
  if (!at(Tok::String) || atNewline()) {
    error(diag::expected_string, errorPlace(), "after `import`", found())
        .help("write the path of a file in `\"`");
    return finish<Item>(std::move(item), since(begin));
  }
  item->pathRange = here();
  item->path = parseString()->value;
  if (at(Tok::KwAs)) {
    acceptInfix(Tok::KwAs);
    item->alias = parseIdent("after `as`");
  }
  return finish<Item>(std::move(item), since(begin));
}

std::unique_ptr<Item> Parser::parseConst() {
  auto item = std::make_unique<Const>();
  uint32_t begin = tok().begin;
  advance();
  item->name = parseIdent("after `const`");
  if (!failed && acceptInfix(Tok::Colon)) {
    item->type = parseType();
  }
  if (!failed && expect(Tok::Assign, "and a value after the name of a constant")) {
    item->value = parseExpr();
  }
  return finish<Item>(std::move(item), since(begin));
}

std::unique_ptr<Item> Parser::parseEnum() {
  auto item = std::make_unique<Enum>();
  uint32_t begin = tok().begin;
  advance();
  item->name = parseIdent("after `enum`");
  llvm::SaveAndRestore<bool> lines(newlines, false);
  uint32_t open = at_;
  if (!failed && expect(Tok::LBrace, "after the name of an enum")) {
    parseList(open, Tok::RBrace, "in the enum",
              [&] { item->cases.push_back(parseIdent("of a case")); });
    if (item->cases.empty() && !failed) {
      complain(diag::empty_enum, item->name.range, item->name.name)
          .help("write at least one name between the braces");
    }
  }
  return finish<Item>(std::move(item), since(begin));
}

void Parser::parseField(Struct &item) {
  if (at(Tok::KwFn)) {
    std::string doc = takeDoc();
    item.methods.push_back(parseFn());
    item.methods.back()->doc = std::move(doc);
    return;
  }
  Field field;
  uint32_t begin = tok().begin;
  field.name = parseIdent("of a field or `fn`");
  if (!failed && !item.methods.empty()) {
    complain(diag::field_after_method, field.name.range, field.name.name)
        .note(item.methods.front()->name.range, "the first method")
        .help("move it before the methods");
  }
  if (!failed && expect(Tok::Colon, "and the type after the name of a field")) {
    field.type = parseType();
  }
  if (!failed && accept(Tok::Assign)) {
    field.value = parseExpr();
  }
  field.range = since(begin);
  item.fields.push_back(std::move(field));
}

std::unique_ptr<Item> Parser::parseStruct() {
  auto item = std::make_unique<Struct>();
  uint32_t begin = tok().begin;
  advance();
  item->name = parseIdent("after `struct`");
  llvm::SaveAndRestore<bool> lines(newlines, false);
  if (!failed) {
    item->generics = parseGenerics();
  }
  if (openBlock("to open the struct")) {
    uint32_t open = at_ - 1;
    Brackets scope(*this, /*newlines=*/true);
    parseLines(open, "fields", [&] {
      do {
        startEntry();
        parseField(*item);
      } while (!failed && accept(Tok::Comma) && !blockEnds() && !tok().newlineBefore &&
               !at(Tok::KwFn));
    });
  }
  return finish<Item>(std::move(item), since(begin));
}

Param Parser::parseParam() {
  Param param;
  uint32_t begin = tok().begin;
  if (accept(Tok::KwInOut)) {
    param.mode = ParamMode::InOut;
  } else if (accept(Tok::KwConst)) {
    param.mode = ParamMode::Const;
  }
  if (at(Tok::KwSelf) && param.mode != ParamMode::Const) {
    param.isSelf = true;
    param.name = {"self", here()};
    advance();
    param.range = since(begin);
    return param;
  }
  param.name = parseIdent("of a parameter");
  if (!failed && expect(Tok::Colon, "and the type after the name of a parameter")) {
    param.type = parseType();
  }
  if (!failed && accept(Tok::Assign)) {
    param.value = parseExpr();
  }
  param.range = since(begin);
  return param;
}

std::unique_ptr<Fn> Parser::parseFn() {
  auto item = std::make_unique<Fn>();
  uint32_t begin = tok().begin;
  advance();
  item->name = parseIdent("after `fn`");
  {
    llvm::SaveAndRestore<bool> lines(newlines, false);
    if (!failed) {
      item->generics = parseGenerics();
    }
    uint32_t open = at_;
    if (!failed && expect(Tok::LParen, "and the parameters after the name of a function")) {
      parseList(open, Tok::RParen, "in the parameters",
                [&] { item->params.push_back(parseParam()); });
    }
    for (size_t i = 1; i < item->params.size(); ++i) {
      if (item->params[i].isSelf) {
        complain(diag::self_not_first, item->params[i].range).help("make it the first parameter");
      }
    }
    if (!failed && accept(Tok::Arrow)) {
      item->result = parseType();
    }
    item->body = parseBlock("before the body of the function");
  }
  return finish(std::move(item), since(begin));
}

/// From the keyword to the last token before the next item at depth 0, verbatim. Other readers parse it.
std::unique_ptr<Item> Parser::parseRaw(RawKind kind) {
  auto item = std::make_unique<Raw>();
  uint32_t begin = tok().begin;
  item->raw = kind;
  advance();
  item->name = parseIdent("");
  unsigned depth = 0;
  while (!at(Tok::Eof) && (depth || !(isLineStart(tok()) && startsItem(tok())))) {
    Tok bracket = this->kind();
    if (bracket >= Tok::LParen && bracket <= Tok::RBrace) {
      if (lexed.partners[at_] == LexedFile::kNoPartner) {
        error(diag::unbalanced_raw, here(), textOf(tok()))
            .help("brackets must balance in schedules and their functions");
        break;
      }
      bool opens = bracket == Tok::LParen || bracket == Tok::LBracket || bracket == Tok::LBrace;
      depth = opens ? depth + 1 : depth - 1;
    }
    advance();
  }
  SourceRange range = since(begin);
  item->text = text.slice(range.begin, range.end).str();
  rawRanges.push_back(range);
  return finish<Item>(std::move(item), range);
}
