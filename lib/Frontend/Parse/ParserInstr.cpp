// Layouts and instructions: declarations that schedules use.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ParserImpl.h"

#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::ast;
using llvm::StringRef;

/// "`a`, `b` or `c`"
static std::string choices(llvm::ArrayRef<StringRef> words) {
  std::string list;
  for (size_t i = 0; i < words.size(); ++i) {
    list += i == 0 ? "`" : i + 1 == words.size() ? " or `" : ", `";
    list += words[i].str() + "`";
  }
  return list;
}

Ident Parser::parseChoice(StringRef what, llvm::ArrayRef<StringRef> words) {
  if (at(Tok::Ident) && llvm::is_contained(words, textOf(tok()))) {
    Ident result{textOf(tok()).str(), here()};
    advance();
    return result;
  }
  error(diag::expected_word, errorPlace(), what, found()).help("write " + choices(words));
  return {};
}

/// `sm_80`, `sm_90a`
Ident Parser::parseArch() {
  StringRef word = at(Tok::Ident) ? textOf(tok()) : StringRef();
  StringRef number = word;
  bool known = number.consume_front("sm_");
  StringRef digits = number.take_while(llvm::isDigit);
  StringRef letter = number.drop_front(digits.size());
  if (known && digits.size() >= 2 && digits.size() <= 3 &&
      (letter.empty() || letter == "a" || letter == "f")) {
    Ident result{word.str(), here()};
    advance();
    return result;
  }
  error(diag::unknown_arch, errorPlace(), found())
      .help("targets are written `sm_80`, `sm_90`, `sm_90a`; later ones run it too");
  return {};
}

Ident Parser::parseExecScope() {
  return parseChoice("a scope after `scope`", {"thread", "warp", "warpgroup", "cta", "cluster"});
}

//===-- Layouts ----------------------------------------------------------------------------------------------------===//

LayoutParam Parser::parseLayoutParam() {
  LayoutParam param;
  uint32_t begin = tok().begin;
  param.name = parseIdent("of a parameter");
  if (!failed && accept(Tok::Colon)) {
    parseChoice("the type of a layout's parameter", {"int"});
  }
  if (!failed && accept(Tok::Assign)) {
    param.value = parseExpr();
  }
  param.range = since(begin);
  return param;
}

std::unique_ptr<Item> Parser::parseLayout() {
  auto item = std::make_unique<LayoutDecl>();
  uint32_t begin = tok().begin;
  advance();
  item->name = parseIdent("after `layout`");
  if (!failed && at(Tok::LParen) && !atNewline()) {
    uint32_t open = at_;
    advance();
    parseList(open, Tok::RParen, "in the parameters",
              [&] { item->params.push_back(parseLayoutParam()); });
  }
  if (!failed && expect(Tok::Assign, "and a layout after the name")) {
    item->value = parseLayoutExpr();
  }
  return finish<Item>(std::move(item), since(begin));
}

/// `shape : stride`, a name, a call; or a number, where it is the argument of a layout.
ExprPtr Parser::parseLayoutExpr() {
  Nested nested(*this);
  if (!nested.ok) {
    return errorExpr();
  }
  uint32_t begin = tok().begin;
  ExprPtr expr = parseLayoutCall();
  if (failed) {
    return expr;
  }
  if (!at(Tok::Colon)) {
    if (llvm::isa<Tuple>(*expr)) {
      error(diag::strides_missing, errorPlace(), found())
          .help("write the strides, nested like the shape: `(8, 4) : (4, 1)`");
    }
    return expr;
  }
  auto node = std::make_unique<LayoutLit>();
  advance();
  node->shape = std::move(expr);
  node->stride = parseExpr();
  return finishExpr(std::move(node), since(begin));
}

/// A call's arguments are layouts or numbers; everything else is an expression.
ExprPtr Parser::parseLayoutCall() {
  uint32_t begin = tok().begin;
  uint32_t open = at_ + 1;
  while (at(Tok::Ident) && peek(open - at_).kind == Tok::Dot) {
    open += 2;
  }
  if (!at(Tok::Ident) || peek(open - at_).kind != Tok::LParen) {
    return parseExpr();
  }
  ExprPtr callee = parsePrimary();
  while (!failed && at(Tok::Dot)) {
    acceptInfix(Tok::Dot);
    auto member = std::make_unique<Member>();
    member->base = std::move(callee);
    member->member = parseIdent("of a member after `.`");
    callee = finishExpr(std::move(member), since(begin));
  }
  if (failed || !at(Tok::LParen)) {
    return callee;
  }
  auto node = std::make_unique<Call>();
  open = at_;
  advance();
  node->callee = std::move(callee);
  parseList(open, Tok::RParen, "in the arguments", [&] {
    Arg arg;
    if (at(Tok::Ident) && peek(1).kind == Tok::Assign) {
      arg.name = parseIdent("");
      advance();
    }
    arg.value = parseLayoutExpr();
    node->args.push_back(std::move(arg));
  });
  ExprPtr call = finishExpr(std::move(node), since(begin));
  return parseOperators(parseCasts(parsePostfix(std::move(call), begin), begin), begin);
}

//===-- Operands ---------------------------------------------------------------------------------------------------===//

void Parser::parseOperandKind(InstrOperand &operand) {
  bool angled = peek(1).kind == Tok::Less;
  if (atWord("predicate")) {
    operand.kind = OperandKind::Predicate;
    advance();
    return;
  }
  bool known = atWord("frag") || atWord("smem") || atWord("view");
  if (!known || !angled) {
    operand.kind = OperandKind::Scalar;
    if (!at(Tok::Ident) || known || angled) {
      error(diag::expected_operand_kind, errorPlace(), found())
          .help(known ? "write its shape and element type: `" + textOf(tok()) + "<[16, 16], bf16>`"
                      : "operands are fragments `frag<shape, type, layout>`, shared memory "
                        "`smem<shape, type>`, global memory `view<shape, type>`, scalars `i32`, "
                        "and `predicate`");
      return;
    }
    operand.element = parseType();
    return;
  }
  operand.kind = atWord("frag")   ? OperandKind::Frag
                 : atWord("smem") ? OperandKind::Smem
                                  : OperandKind::View;
  advance();
  advance();
  llvm::SaveAndRestore<bool> lines(newlines, false), angle(inAngle, true);
  operand.shape = parseShape();
  if (!failed && expect(Tok::Comma, "between shape and element type")) {
    operand.element = parseType();
  }
  if (!failed && operand.kind == OperandKind::Frag &&
      expect(Tok::Comma, "and the layout after the element type of a fragment")) {
    operand.layout = parseLayoutExpr();
  }
  closeAngle("after the operand's type");
}

/// `kmajor(sw128, sw64)`
LayoutFamily Parser::parseFamily() {
  LayoutFamily family;
  family.major = parseChoice("a family of layouts", {"kmajor", "mnmajor", "rowmajor"});
  uint32_t open = at_;
  if (failed || !expect(Tok::LParen, "and the layouts of the family")) {
    return family;
  }
  if (at(Tok::DotDot)) {
    advance();
    family.all = true;
    expect(Tok::RParen, "after `..`");
    return family;
  }
  parseList(open, Tok::RParen, "in the family",
            [&] { family.layouts.push_back(parseIdent("of a layout")); });
  if (!failed && family.layouts.empty()) {
    error(diag::expected_name, errorPlace(), "of a layout", "`)`")
        .help("name layouts such as `sw128`, or write `..` for all");
  }
  return family;
}

void Parser::parseQualifier(InstrOperand &operand, StringRef word) {
  SourceRange place = here();
  advance();
  bool memory = operand.kind == OperandKind::Smem || operand.kind == OperandKind::View;
  if (!memory || (word == "in" && operand.kind != OperandKind::Smem)) {
    StringRef name = spelling(operand.kind);
    complain(diag::qualifier_misplaced, place, word, "`" + name.str() + "`")
        .help(word == "in" ? "only shared memory, `smem`, has families of layouts"
                           : "only memory, `smem` and `view`, has it; leave it out");
  }
  bool twice = (word == "contiguous" && operand.contiguous) || (word == "align" && operand.align) ||
               (word == "rows" && operand.rows) || (word == "in" && !operand.families.empty());
  if (twice) {
    complain(diag::argument_twice, place, word).help("keep one of them");
  }
  if (word == "contiguous") {
    operand.contiguous = true;
  } else if (word == "align") {
    operand.align = parsePostfix(parsePrimary(), tok().begin);
  } else if (word == "rows") {
    if (expect(Tok::LParen, "and the length of a row")) {
      Brackets scope(*this);
      operand.rows = parseExpr();
      failed || expect(Tok::RParen, "after the length of a row");
    }
  } else {
    do {
      operand.families.push_back(parseFamily());
    } while (!failed && accept(Tok::KwOr));
  }
}

void Parser::parseQualifiers(InstrOperand &operand) {
  while (!failed) {
    StringRef word = textOf(tok());
    if (at(Tok::KwIn) || atWord("contiguous") || atWord("align") || atWord("rows")) {
      parseQualifier(operand, word);
    } else {
      return;
    }
  }
}

InstrOperand Parser::parseOperand() {
  InstrOperand operand;
  uint32_t begin = tok().begin;
  operand.name = parseIdent("of an operand");
  if (!failed && expect(Tok::Colon, "and the kind after the name of an operand")) {
    if (accept(Tok::KwInOut)) {
      operand.mode = OperandMode::InOut;
    } else if (accept(Tok::KwIn)) {
      operand.mode = OperandMode::In;
    } else if (peek(1).kind == Tok::Ident && acceptWord("out")) {
      operand.mode = OperandMode::Out;
    }
    parseOperandKind(operand);
    parseQualifiers(operand);
  }
  operand.range = since(begin);
  return operand;
}

//===-- Clauses ----------------------------------------------------------------------------------------------------===//

std::unique_ptr<StringLit> Parser::parseClauseString(StringRef context) {
  if (at(Tok::String)) {
    return parseString();
  }
  error(diag::expected_string, errorPlace(), context, found()).help("write it in `\"`");
  return nullptr;
}

void Parser::parseEffect(Instr &item) {
  if (acceptWord("completes")) {
    item.completes = parseChoice("what completes the accesses",
                                 {"group", "ring", "wgmma_group", "bulk_group", "now"});
    if (!failed && item.completes.name == "group") {
      uint32_t open = at_;
      if (expect(Tok::LParen, "and whose group it is")) {
        Brackets scope(*this);
        item.completesOf = parseChoice("whose group it is", {"thread"});
        failed ? static_cast<void>(recoverTo(open))
               : static_cast<void>(expect(Tok::RParen, "after `thread`"));
      }
    }
    return;
  }
  InstrEffect effect;
  uint32_t begin = tok().begin;
  Ident word = parseChoice("an effect", {"read", "write", "update", "completes"});
  effect.effect = word.name == "write"    ? EffectKind::Write
                  : word.name == "update" ? EffectKind::Update
                                          : EffectKind::Read;
  do {
    if (!failed) {
      effect.operands.push_back(parseIdent("of an operand"));
    }
  } while (!failed && acceptInfix(Tok::Comma));
  if (!failed && effect.effect == EffectKind::Write && !atNewline()) {
    effect.whole = acceptWord("whole");
  }
  if (!failed && !atNewline() && acceptWord("via")) {
    effect.via =
        parseChoice("a way to memory after `via`", {"generic", "cp_async", "tma", "bulk", "wgmma"});
  }
  effect.range = since(begin);
  item.effects.push_back(std::move(effect));
}

void Parser::parseEffects(Instr &item) {
  item.hasEffects = true;
  if (openBlock("after `effects`")) {
    uint32_t open = at_ - 1;
    Brackets scope(*this, /*newlines=*/true);
    parseLines(open, "effects", [&] { parseEffect(item); });
  }
}

/// `src at (row, column)`
void Parser::parseAddress(Instr &item) {
  InstrAddress address;
  uint32_t begin = tok().begin;
  address.operand = parseIdent("of an operand after `address`");
  if (!failed && !acceptWord("at")) {
    error(diag::expected_word, errorPlace(), "`at` and the coordinates", found())
        .help("write `address x at (row, column)`, in terms of `lane`");
  }
  if (!failed) {
    ExprPtr coords = parseExpr();
    if (auto *tuple = llvm::dyn_cast<Tuple>(coords.get())) {
      address.coords = std::move(tuple->elements);
    } else {
      address.coords.push_back(std::move(coords));
    }
  }
  address.range = since(begin);
  item.addresses.push_back(std::move(address));
}

/// The clause whose word was just taken; false where the word begins none.
bool Parser::parseInstrClause(Instr &item, StringRef word) {
  if (word == "on") {
    item.arch = parseArch();
  } else if (word == "scope") {
    item.scope = parseExecScope();
  } else if (word == "converged") {
    item.converged = true;
  } else if (word == "where") {
    do {
      item.where.push_back(parseExpr());
    } while (!failed && accept(Tok::Comma));
  } else if (word == "effects") {
    parseEffects(item);
  } else if (word == "order") {
    item.order = parseChoice("an order after `order`", {"exact", "tree", "any", "dot", "scan"});
  } else if (word == "address") {
    parseAddress(item);
  } else if (word == "lower") {
    if (acceptWord("hook")) {
      item.hook = parseClauseString("after `lower hook`");
    } else {
      error(diag::expected_word, errorPlace(), "`hook` after `lower`", found())
          .help("write `lower hook \"name\"`");
    }
  } else if (word == "ptx") {
    item.ptx = parseClauseString("after `ptx`");
  } else {
    return false;
  }
  return true;
}

void Parser::parseInstrClauses(Instr &item) {
  std::vector<std::pair<StringRef, SourceRange>> seen;
  while (!failed && !at(Tok::LBrace) && !blockEnds() &&
         !(isLineStart(tok()) && startsItem(tok()))) {
    SourceRange place = here();
    StringRef word = at(Tok::Ident) ? textOf(tok()) : StringRef();
    for (const auto &[earlier, range] : seen) {
      if (earlier == word && word != "address" && word != "where") {
        complain(diag::duplicate_clause, place, word)
            .note(range, "the first one")
            .help("keep one of them");
      }
    }
    seen.emplace_back(word, place);
    std::string text = found();
    uint32_t start = at_;
    if (!word.empty()) {
      advance();
    }
    if (!parseInstrClause(item, word)) {
      at_ = start;
      error(diag::expected_instr_clause, errorPlace(), text)
          .help("clauses are `on`, `scope`, `converged`, `where`, `effects`, `order`, `address`, "
                "`lower hook` and `ptx`; the body stands in `{ }`");
    }
  }
}

//===-- The whole --------------------------------------------------------------------------------------------------===//

void Parser::checkInstrParts(const Instr &item) {
  auto missing = [&](StringRef what, StringRef help) {
    complain(diag::instr_incomplete, item.name.range, item.name.name, what).help(help);
  };
  if (!item.arch) {
    missing("target", "write the least target that has it: `on sm_80`");
  }
  if (!item.scope) {
    missing("scope",
            "write who runs it together: `scope thread`, `scope warp` or `scope warpgroup`");
  }
  if (!item.ptx && !item.hook) {
    missing("text", "write `ptx \"…\"`, or `lower hook \"…\"` where the compiler makes the text");
  }
  if (item.operands.empty()) {
    missing("operands", "write what it reads and writes: `(dst: smem<[8], bf16>, …)`");
  }
}

void Parser::checkInstrBody(const Instr &item) {
  auto reject = [&](SourceRange range, StringRef what) {
    complain(diag::instr_statement, range, what)
        .help("the body says what the operands become: `c = mma(a, b, c)`, with `let` for parts");
  };
  for (const StmtPtr &stmt : item.body->stmts) {
    const auto *let = llvm::dyn_cast<Let>(stmt.get());
    const auto *assign = llvm::dyn_cast<Assign>(stmt.get());
    if (let && (let->isVar || !let->indices.empty())) {
      reject(let->range, let->isVar ? "a variable" : "an array");
    } else if (assign && !llvm::isa<Name>(*assign->place)) {
      reject(assign->place->range, "an assignment to a part");
    } else if (!let && !assign) {
      reject(stmt->range, "this statement");
    }
  }
  if (item.body->value) {
    reject(item.body->value->range, "a value at the end");
  }
}

std::unique_ptr<Item> Parser::parseInstr() {
  auto item = std::make_unique<Instr>();
  uint32_t begin = tok().begin;
  advance();
  item->name = parseIdent("after `instr`");
  llvm::SaveAndRestore<bool> lines(newlines, false);
  if (!failed) {
    item->generics = parseGenerics();
  }
  uint32_t open = at_;
  if (!failed && expect(Tok::LParen, "and the operands after the name of an instruction")) {
    parseList(open, Tok::RParen, "in the operands",
              [&] { item->operands.push_back(parseOperand()); });
  }
  if (!failed) {
    parseInstrClauses(*item);
  }
  llvm::SaveAndRestore<bool> inside(inInstr, true);
  item->body = parseBlock("before the body of the instruction");
  if (!failed) {
    checkInstrParts(*item);
    checkInstrBody(*item);
  }
  return finish<Item>(std::move(item), since(begin));
}
