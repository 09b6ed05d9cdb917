// Items of scripts: imports, functions, schedules.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ParserImpl.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace tessera;
using namespace tessera::script;
using llvm::StringRef;

void Parser::parseItem(File &result) {
  if (at(Tok::KwImport)) {
    SourceRange place = here();
    Import import = parseImport();
    if (!failed && !(result.defs.empty() && result.schedules.empty())) {
      complain(DiagId::import_after_items, place).help("move it to the top of the file");
    }
    if (!failed) {
      result.imports.push_back(std::move(import));
    }
  } else if (startsItem(tok()) && atWord("def")) {
    result.defs.push_back(parseDef());
  } else if (startsItem(tok()) && atWord("schedule")) {
    result.schedules.push_back(parseSchedule());
  } else if (accept(Tok::Semi)) {
    return;
  } else if (!rejectForeign()) {
    error(DiagId::expected_script_item, here(), found())
        .help("statements stand in the braces of a function or a schedule");
  }
  bool separated = at(Tok::Eof) || tok().newlineBefore || at(Tok::Semi) || startsItem(tok());
  if (!failed && !separated) {
    error(diag::expected_separator, errorPlace(), "items", found())
        .help("put each on its own line");
  }
}

Ident Parser::parseName(StringRef context) {
  if (isName(tok()) && !atNewline()) {
    Ident name{textOf(tok()).str(), here()};
    advance();
    return name;
  }
  if (isKeyword(tok().kind) && !atNewline()) {
    error(diag::keyword_as_name, here(), textOf(tok())).help("choose another name");
  } else {
    error(diag::expected_name, errorPlace(), context, found()).help("write a name");
  }
  return {};
}

Import Parser::parseImport() {
  Import result;
  advance();
  result.range = here();
  if (!at(Tok::String) || atNewline()) {
    error(diag::expected_string, errorPlace(), "after `import`", found())
        .help("write the path of the file, as in `import \"file.sched\"`");
    return result;
  }
  result.path = decodeString(textOf(tok()));
  advance();
  if (at(Tok::KwAs) && !atNewline()) {
    advance();
    result.alias = parseName("after `as`");
  }
  return result;
}

std::unique_ptr<Def> Parser::parseDef() {
  auto def = std::make_unique<Def>();
  uint32_t begin = tok().begin;
  llvm::SaveAndRestore<bool> function(inFunction, true);
  advance();
  def->name = parseName("after `def`");
  uint32_t open = at_;
  if (!failed && expect(Tok::LParen, "and the parameters after the name of a function")) {
    parseList(open, Tok::RParen, "in the parameters", [&] { def->params.push_back(parseParam()); });
  }
  llvm::StringMap<SourceRange> seen;
  bool hasDefault = false;
  for (const Param &param : def->params) {
    auto [first, isNew] = seen.try_emplace(param.name.text, param.name.range);
    if (!isNew && !param.name.text.empty()) {
      complain(diag::duplicate_name, param.name.range, param.name.text)
          .note(first->second, "the first one")
          .help("give one of them another name");
    }
    if (hasDefault && !param.value) {
      complain(DiagId::default_before_required, param.name.range, param.name.text)
          .help("put the parameters with defaults last, or give this one a default");
    }
    hasDefault |= param.value != nullptr;
  }
  if (!failed && accept(Tok::Arrow)) {
    parseResult(*def);
  }
  if (!failed) {
    def->body = parseBlock("before the body of the function");
  }
  def->range = since(begin);
  return def;
}

Param Parser::parseParam() {
  Param param;
  param.name = parseName("for the parameter");
  if (!failed && accept(Tok::Colon)) {
    param.kind = parseKind();
  }
  if (!failed && accept(Tok::Assign)) {
    param.value = parseExpr();
  }
  return param;
}

ValueKind Parser::parseKind() {
  if (!isAnyWord(tok())) {
    error(diag::expected_name, errorPlace(), "for the kind of value", found())
        .help("the kinds are " + llvm::join(kindNames(), ", "));
    return ValueKind::Any;
  }
  std::optional<ValueKind> kind = kindNamed(textOf(tok()));
  if (!kind) {
    complain(DiagId::unknown_kind, here(), textOf(tok()))
        .help("the kinds are " + llvm::join(kindNames(), ", "));
  }
  advance();
  return kind.value_or(ValueKind::Any);
}

void Parser::parseResult(Def &def) {
  def.hasResult = true;
  if (!at(Tok::LBrace)) {
    def.result = parseKind();
    return;
  }
  uint32_t open = at_;
  def.result = ValueKind::Record;
  advance();
  parseList(open, Tok::RBrace, "in the fields of the result",
            [&] { def.resultFields.push_back(parseName("for a field of the result")); });
}

std::unique_ptr<Schedule> Parser::parseSchedule() {
  auto schedule = std::make_unique<Schedule>();
  uint32_t begin = tok().begin;
  llvm::SaveAndRestore<bool> function(inFunction, false);
  advance();
  schedule->name = parseName("after `schedule`");
  if (!failed && !atWord("on")) {
    error(DiagId::schedule_without_target, errorPlace(), found())
        .fixIt(previous().atEnd(), " on sm_80")
        .help("name the target, as in `schedule " + schedule->name.text + " on sm_80 { … }`");
    return schedule;
  }
  if (!failed) {
    advance();
    schedule->target = parseName("for the target after `on`");
  }
  uint32_t open = at_;
  if (!failed && accept(Tok::LParen)) {
    parseList(open, Tok::RParen, "in the parameters",
              [&] { schedule->params.push_back(parseScheduleParam()); });
  }
  llvm::StringMap<SourceRange> seen;
  for (const ScheduleParam &param : schedule->params) {
    auto [first, isNew] = seen.try_emplace(param.name.text, param.name.range);
    if (!isNew && !param.name.text.empty()) {
      complain(diag::duplicate_name, param.name.range, param.name.text)
          .note(first->second, "the first one")
          .help("give one of them another name");
    }
  }
  if (!failed) {
    schedule->body = parseBlock("before the body of the schedule");
  }
  schedule->range = since(begin);
  return schedule;
}

ScheduleParam Parser::parseScheduleParam() {
  ScheduleParam param;
  param.name = parseName("for the parameter");
  if (failed) {
    return param;
  }
  if (!accept(Tok::Assign)) {
    error(DiagId::schedule_parameter_default, param.name.range, param.name.text)
        .help("write `" + param.name.text + " = choose(default, {values})`, or `" +
              param.name.text + " = value`");
    return param;
  }
  param.value = parseExpr();
  if (!failed) {
    splitChoice(param);
  }
  return param;
}

/// `choose(default, {values})` becomes default and choices.
void Parser::splitChoice(ScheduleParam &param) {
  auto *call = llvm::dyn_cast<Call>(param.value.get());
  auto *callee = call ? llvm::dyn_cast<Name>(call->callee.get()) : nullptr;
  if (!callee || callee->text != "choose") {
    return;
  }
  auto *set = call->args.size() == 2 ? llvm::dyn_cast<List>(call->args[1].value.get()) : nullptr;
  bool named = llvm::any_of(call->args, [](const Arg &arg) { return !arg.name.text.empty(); });
  if (!set || set->elements.empty() || named) {
    complain(DiagId::empty_choice, param.value->range)
        .help("write `choose(3, {2, 3, 4})`: the default, then all values to choose from");
    return;
  }
  param.isChoice = true;
  param.choices = std::move(set->elements);
  ExprPtr value = std::move(call->args[0].value);
  param.value = std::move(value);
}
