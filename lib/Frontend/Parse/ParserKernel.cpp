// Kernels with their clauses and references, and tests.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ParserImpl.h"

using namespace tessera;
using namespace tessera::ast;
using llvm::StringRef;

KernelParam Parser::parseKernelParam() {
  KernelParam param;
  uint32_t begin = tok().begin;
  param.name = parseIdent("of a parameter");
  if (failed || !expect(Tok::Colon, "and the type after the name of a parameter")) {
    return param;
  }
  bool hasMode = at(Tok::KwIn) || at(Tok::KwInOut) || (atWord("out") && peek(1).kind == Tok::Ident);
  if (hasMode && !isWord(peek(1), "view")) {
    SourceRange mode = here();
    error(diag::mode_without_view, mode, textOf(tok()))
        .help("write `" + textOf(tok()) + " view<[…], T>`, or leave the mode out for a scalar");
    advance();
    failed = false;
    param.type = parseType();
  } else if (hasMode || (atWord("view") && peek(1).kind == Tok::Less)) {
    param.type = parseViewType();
    param.isOptional = !failed && accept(Tok::Question);
  } else {
    param.type = parseType();
    if (auto *optional = llvm::dyn_cast<OptionalType>(param.type.get())) {
      TypePtr inner = std::move(optional->element);
      param.type = std::move(inner);
      param.isOptional = true;
    }
  }
  param.range = since(begin);
  return param;
}

std::unique_ptr<Item> Parser::parseKernel() {
  auto item = std::make_unique<Kernel>();
  uint32_t begin = tok().begin;
  advance();
  item->name = parseIdent("after `kernel`");
  llvm::SaveAndRestore<bool> lines(newlines, false);
  if (!failed) {
    item->generics = parseGenerics();
  }
  uint32_t open = at_;
  if (!failed && expect(Tok::LParen, "and the parameters after the name of a kernel")) {
    parseList(open, Tok::RParen, "in the parameters",
              [&] { item->params.push_back(parseKernelParam()); });
  }
  if (!failed) {
    parseClauses(*item);
    item->body = parseBlock("before the body of the kernel");
  }
  return finish<Item>(std::move(item), since(begin));
}

//===-- Clauses ----------------------------------------------------------------------------------------------------===//

bool Parser::atClause() const {
  return atWord("where") || atWord("math") || atWord("reference") || atWord("tolerance");
}

/// After an error in a clause: to the next clause or the body at the start of a line, else to the first of them at all.
void Parser::syncClause() {
  failed = false;
  uint32_t first = 0;
  while (!blockEnds()) {
    bool goesOn = atClause() || at(Tok::LBrace);
    if (goesOn && tok().newlineBefore) {
      return;
    }
    first = goesOn && !first ? at_ : first;
    skipBalanced();
  }
  at_ = first ? first : at_;
}

void Parser::parseClauses(Kernel &kernel) {
  while (!at(Tok::LBrace) && !blockEnds()) {
    std::unique_ptr<Clause> clause;
    SourceRange word = here();
    StringRef name = textOf(tok());
    if (atWord("where")) {
      clause = parseWhere();
    } else if (atWord("math")) {
      clause = parseMath();
    } else if (atWord("reference")) {
      clause = parseReference();
    } else if (atWord("tolerance")) {
      clause = parseTolerance();
    } else {
      error(diag::expected_clause, errorPlace(), found())
          .help("write `where`, `math`, `reference`, `tolerance` or the `{` of the body");
      advance();
      syncClause();
      continue;
    }
    if (!llvm::isa<Where>(*clause)) {
      for (const std::unique_ptr<Clause> &earlier : kernel.clauses) {
        if (earlier->kind == clause->kind) {
          complain(diag::duplicate_clause, word, name)
              .note(earlier->range, "the first one")
              .help("keep one of them");
        }
      }
    }
    kernel.clauses.push_back(std::move(clause));
    if (failed) {
      syncClause();
    }
  }
}

std::unique_ptr<Clause> Parser::parseWhere() {
  auto clause = std::make_unique<Where>();
  uint32_t begin = tok().begin;
  advance();
  do {
    clause->conds.push_back(parseExpr());
  } while (!failed && accept(Tok::Comma));
  return finish<Clause>(std::move(clause), since(begin));
}

std::unique_ptr<Clause> Parser::parseMath() {
  auto clause = std::make_unique<Math>();
  uint32_t begin = tok().begin;
  advance();
  if (acceptWord("contract")) {
    clause->mode = MathMode::Contract;
  } else if (acceptWord("fast")) {
    clause->mode = MathMode::Fast;
  } else if (!acceptWord("strict")) {
    error(diag::unknown_math_mode, errorPlace(), found())
        .help("write `strict`, `contract` or `fast`");
  }
  return finish<Clause>(std::move(clause), since(begin));
}

/// `[i, j]` behind a name, if it stands there.
std::vector<Ident> Parser::parseIndexNames() {
  std::vector<Ident> names;
  if (!at(Tok::LBracket) || atNewline()) {
    return names;
  }
  uint32_t open = at_;
  advance();
  parseList(open, Tok::RBracket, "in the indices",
            [&] { names.push_back(parseIdent("of an index")); });
  if (names.empty() && !failed) {
    complain(diag::empty_indices, since(lexed.tokens[open].begin))
        .help("name an index for every axis");
  }
  return names;
}

std::unique_ptr<Clause> Parser::parseTolerance() {
  auto clause = std::make_unique<Tolerance>();
  uint32_t begin = tok().begin;
  advance();
  if (atWord("exact") && peek(1).kind != Tok::LBracket && peek(1).kind != Tok::LessEq) {
    clause->isExact = true;
    advance();
    return finish<Clause>(std::move(clause), since(begin));
  }
  do {
    Bound bound;
    bound.name = parseIdent("of an output or `exact`");
    if (!failed) {
      bound.indices = parseIndexNames();
    }
    if (!failed && expect(Tok::LessEq, "between the output and its bound")) {
      bound.value = parseExpr();
    }
    clause->bounds.push_back(std::move(bound));
  } while (!failed && accept(Tok::Comma));
  return finish<Clause>(std::move(clause), since(begin));
}

std::unique_ptr<Clause> Parser::parseReference() {
  auto clause = std::make_unique<Reference>();
  uint32_t begin = tok().begin;
  advance();
  if (at(Tok::LBrace)) {
    uint32_t open = at_;
    advance();
    clause->isBraced = true;
    Brackets scope(*this, /*newlines=*/true);
    parseLines(open, "formulas", [&] { clause->refs.push_back(parseRef()); });
  } else {
    clause->refs.push_back(parseRef());
  }
  return finish<Clause>(std::move(clause), since(begin));
}

std::vector<RefIndex> Parser::parseRefIndices() {
  std::vector<RefIndex> indices;
  uint32_t open = at_;
  advance();
  parseList(open, Tok::RBracket, "in the axes", [&] {
    RefIndex index;
    index.name = parseIdent("of an axis");
    if (!failed && expect(Tok::KwIn, "and the range after the name of an axis")) {
      index.bounds = parseRange();
    }
    indices.push_back(std::move(index));
  });
  return indices;
}

std::unique_ptr<Ref> Parser::parseRef() {
  uint32_t begin = tok().begin;
  if (accept(Tok::KwLet)) {
    auto ref = std::make_unique<RefLet>();
    ref->name = parseIdent("after `let`");
    if (!failed && (!at(Tok::LBracket) || atNewline())) {
      error(diag::reference_let_without_axes, errorPlace(), ref->name.name, found())
          .help("write the axes with their ranges: `let " + ref->name.name + "[i in M] = …`");
    }
    if (!failed) {
      ref->indices = parseRefIndices();
    }
    if (!failed && expect(Tok::Assign, "after the axes")) {
      ref->value = parseExpr();
    }
    return finish<Ref>(std::move(ref), since(begin));
  }
  if (at(Tok::LParen)) {
    auto ref = std::make_unique<RefTuple>();
    Pattern pattern = parsePattern();
    ref->names = std::move(pattern.names);
    if (!failed && expect(Tok::Assign, "after the outputs")) {
      ref->value = parseExpr();
    }
    return finish<Ref>(std::move(ref), since(begin));
  }
  auto ref = std::make_unique<RefOutput>();
  ref->name = parseIdent("of an output or `let`");
  if (!failed) {
    ref->indices = parseIndexNames();
  }
  if (!failed && expect(Tok::Assign, "after the output")) {
    ref->value = parseExpr();
  }
  return finish<Ref>(std::move(ref), since(begin));
}

//===-- Tests ------------------------------------------------------------------------------------------------------===//

std::unique_ptr<Item> Parser::parseTest() {
  auto item = std::make_unique<Test>();
  uint32_t begin = tok().begin;
  advance();
  item->kernel = parseIdent("of a kernel after `test`");
  llvm::SaveAndRestore<bool> lines(newlines, false);
  if (openBlock("after the name of the kernel")) {
    uint32_t open = at_ - 1;
    Brackets scope(*this, /*newlines=*/true);
    parseLines(open, "entries", [&] {
      if (std::unique_ptr<TestEntry> entry = parseTestEntry()) {
        item->entries.push_back(std::move(entry));
      }
    });
  }
  return finish<Item>(std::move(item), since(begin));
}

std::unique_ptr<TestEntry> Parser::parseTestAxis(Pattern pattern) {
  auto entry = std::make_unique<TestAxis>();
  uint32_t begin = pattern.range.begin;
  entry->pattern = std::move(pattern);
  advance();
  if (!at(Tok::KwTune) || atNewline()) {
    entry->set = parseSet();
  } else if (entry->pattern.isTuple) {
    error(diag::tuple_in_tune, here()).help("write `in tune` for each name of its own");
  } else {
    advance();
  }
  return finish<TestEntry>(std::move(entry), since(begin));
}

std::unique_ptr<TestEntry> Parser::parseTestEntry() {
  uint32_t begin = tok().begin;
  const Token &next = peek(1);
  if (atWord("cases") && next.kind == Tok::Int && !next.newlineBefore) {
    auto entry = std::make_unique<TestCases>();
    advance();
    entry->count.reset(llvm::cast<IntLit>(parseNumber().release()));
    return finish<TestEntry>(std::move(entry), since(begin));
  }
  if (atWord("order") && next.kind == Tok::Ident && !next.newlineBefore &&
      peek(2).kind == Tok::KwIn) {
    auto entry = std::make_unique<TestOrder>();
    advance();
    entry->name = parseIdent("");
    advance();
    entry->set = parseSet();
    return finish<TestEntry>(std::move(entry), since(begin));
  }
  Pattern pattern = parsePattern();
  if (failed) {
    return nullptr;
  }
  if (at(Tok::KwIn) && !atNewline()) {
    return parseTestAxis(std::move(pattern));
  }
  if (!pattern.isTuple && !atNewline()) {
    if (accept(Tok::Assign)) {
      auto entry = std::make_unique<TestBind>();
      entry->name = std::move(pattern.names.front());
      entry->value = parseExpr();
      return finish<TestEntry>(std::move(entry), since(begin));
    }
    if (acceptWord("from")) {
      auto entry = std::make_unique<TestInput>();
      entry->name = std::move(pattern.names.front());
      do {
        uint32_t generator = tok().begin;
        entry->generators.push_back(parsePostfix(parsePrimary(), generator));
        const Expr &last = *entry->generators.back();
        if (!failed && !llvm::isa<Name, Call>(last)) {
          complain(diag::not_a_generator, last.range)
              .help("write a generator such as `normal`, `zeros`, `all(0.5)` or `ints(0, 3)`");
        }
      } while (!failed && acceptInfix(Tok::Comma));
      return finish<TestEntry>(std::move(entry), since(begin));
    }
  }
  error(diag::expected_test_entry, errorPlace(), found())
      .help("write `name in {…}`, `name in tune`, `name = value`, `name from generator`, `order "
            "name in {…}` or "
            "`cases 150`");
  return nullptr;
}
