// Types, shapes and generic parameters.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ParserImpl.h"

#include "llvm/ADT/StringSwitch.h"

#include <optional>

using namespace tessera;
using namespace tessera::ast;
using llvm::StringRef;

Ident Parser::parseIdent(StringRef context) {
  if (at(Tok::Ident) && !atNewline()) {
    Ident result{textOf(tok()).str(), here()};
    advance();
    return result;
  }
  if (isKeyword(kind()) && !atNewline()) {
    DiagnosticBuilder builder = error(diag::keyword_as_name, here(), textOf(tok()));
    builder.help("choose another name, for example `" + textOf(tok()) + "_`");
    // Only where the name is certainly meant: the next token goes on as after a name.
    Tok next = peek(1).kind;
    if (!peek(1).newlineBefore &&
        (next == Tok::Assign || next == Tok::Colon || next == Tok::Comma)) {
      builder.fixIt(here().atEnd(), "_");
      Ident result{textOf(tok()).str() + "_", here()};
      advance();
      failed = false;
      return result;
    }
    return {};
  }
  error(diag::expected_name, errorPlace(), context, found())
      .help(at(Tok::Underscore)
                ? "`_` is an axis of extent 1 in shapes and indices; write a name here"
                : "write a name: letters, digits and `_`");
  return {};
}

TypePtr Parser::errorType() {
  auto node = std::make_unique<ErrorType>();
  node->range = errorPlace();
  return node;
}

TypePtr Parser::parseType() {
  Nested nested(*this);
  if (!nested.ok) {
    return errorType();
  }
  uint32_t begin = tok().begin;
  TypePtr type = parseTypeCore();
  if (!failed && at(Tok::Question) && !atNewline()) {
    advance();
    auto optional = std::make_unique<OptionalType>();
    optional->element = std::move(type);
    type = finish<Type>(std::move(optional), since(begin));
  }
  if (!failed && (at(Tok::Question) || at(Tok::Coalesce)) && !atNewline()) {
    complain(diag::doubled_optional, here())
        .fixIt(here(), at(Tok::Coalesce) ? "?" : "")
        .help("write `?` once");
    advance();
  }
  return type;
}

TypePtr Parser::parseTypeCore() {
  uint32_t begin = tok().begin;
  if (atNewline()) {
    error(diag::expected_type, errorPlace(), found())
        .help("write a type such as `f32` or `tile<[M, N], f32>`");
    return errorType();
  }
  if (at(Tok::LParen)) {
    auto tuple = std::make_unique<TupleType>();
    uint32_t open = at_;
    advance();
    parseList(open, Tok::RParen, "in the tuple type",
              [&] { tuple->elements.push_back(parseType()); });
    if (tuple->elements.size() == 1) {
      return std::move(tuple->elements.front());
    }
    return finish<Type>(std::move(tuple), since(begin));
  }
  Tok next = peek(1).kind;
  bool hasMode = (at(Tok::KwIn) || at(Tok::KwInOut) || atWord("out")) && isWord(peek(1), "view");
  if (hasMode || (atWord("view") && next == Tok::Less)) {
    SourceRange place = here();
    std::unique_ptr<ViewType> view = parseViewType();
    if (!failed) {
      complain(diag::view_outside_kernel, place)
          .help("load a tile in the kernel and pass that: `tile<S, T>`");
    }
    return view;
  }
  if (at(Tok::Ident)) {
    if (next == Tok::Less && (atWord("tile") || atWord("array"))) {
      return parseTileType(atWord("array"));
    }
    return parseNamedType();
  }
  DiagnosticBuilder builder = error(diag::expected_type, errorPlace(), found());
  builder.help(at(Tok::LBracket) ? "write `tile<[…], f32>` for a tile of this shape"
                                 : "write a type such as `f32` or `tile<[M, N], f32>`");
  return errorType();
}

TypePtr Parser::parseNamedType() {
  auto type = std::make_unique<NamedType>();
  uint32_t begin = tok().begin;
  type->name = textOf(tok()).str();
  advance();
  if (!at(Tok::Less) || atNewline()) {
    return finish<Type>(std::move(type), since(begin));
  }
  advance();
  llvm::SaveAndRestore<bool> lines(newlines, false), angle(inAngle, true);
  do {
    TypeArg arg;
    Tok next = peek(1).kind;
    bool isLoneName =
        at(Tok::Ident) && (next == Tok::Comma || next == Tok::Less || next == Tok::Greater ||
                           next == Tok::Shr || next == Tok::GreaterEq || next == Tok::Question);
    if (isLoneName) {
      arg.type = parseType();
    } else {
      arg.expr = parseExpr();
    }
    type->args.push_back(std::move(arg));
  } while (!failed && accept(Tok::Comma));
  closeAngle("after the arguments of the type");
  return finish<Type>(std::move(type), since(begin));
}

void Parser::closeAngle(StringRef what) {
  if (atGreater() && !failed) {
    takeGreater();
    return;
  }
  if (!failed) {
    error(diag::expected_token, errorPlace(), ">", what, found()).help("close it with `>`");
  }
}

ExprPtr Parser::parseShape() {
  uint32_t begin = tok().begin;
  if (at(Tok::Ident)) {
    auto name = std::make_unique<Name>();
    name->name = textOf(tok()).str();
    advance();
    return finishExpr(std::move(name), since(begin));
  }
  if (at(Tok::LBracket)) {
    return parseListExpr();
  }
  error(diag::expected_shape, errorPlace(), found())
      .help("write a list such as `[M, N]`, or the name of a `shape`");
  return errorExpr();
}

/// `<shape, element>` behind the current word.
void Parser::parseShapeAndElement(ExprPtr &shape, TypePtr &element, StringRef what) {
  advance();
  shape = errorExpr();
  element = errorType();
  if (!expect(Tok::Less, ("after `" + what + "`").str())) {
    return;
  }
  llvm::SaveAndRestore<bool> lines(newlines, false), angle(inAngle, true);
  shape = parseShape();
  if (failed || !expect(Tok::Comma, "between shape and element type")) {
    return;
  }
  element = parseType();
  closeAngle("after the element type");
}

TypePtr Parser::parseTileType(bool isArray) {
  auto type = std::make_unique<TileType>();
  uint32_t begin = tok().begin;
  type->isArray = isArray;
  parseShapeAndElement(type->shape, type->element, isArray ? "array" : "tile");
  return finish<Type>(std::move(type), since(begin));
}

std::unique_ptr<ViewType> Parser::parseViewType() {
  auto type = std::make_unique<ViewType>();
  uint32_t begin = tok().begin;
  if (accept(Tok::KwIn)) {
    type->mode = ViewMode::In;
  } else if (accept(Tok::KwInOut)) {
    type->mode = ViewMode::InOut;
  } else if (acceptWord("out")) {
    type->mode = ViewMode::Out;
  }
  parseShapeAndElement(type->shape, type->element, "view");
  return finish(std::move(type), since(begin));
}

//===-- Generic parameters -----------------------------------------------------------------------------------------===//

std::vector<GenericParam> Parser::parseGenerics() {
  std::vector<GenericParam> result;
  if (!at(Tok::Less)) {
    return result;
  }
  advance();
  llvm::SaveAndRestore<bool> lines(newlines, false), angle(inAngle, true);
  do {
    result.push_back(parseGeneric());
  } while (!failed && accept(Tok::Comma));
  closeAngle("after the generic parameters");
  // So that the parameters and the body are still read: the list ends before the `(` or `{`.
  while (failed && !at(Tok::Eof) && !at(Tok::LParen) && !blockEnds()) {
    if (atGreater()) {
      takeGreater();
      failed = false;
    } else if (at(Tok::LBrace) && lexed.partners[at_] == LexedFile::kNoPartner) {
      break;
    } else {
      skipBalanced();
    }
  }
  return result;
}

static std::optional<GenericKind> constraintKind(StringRef word) {
  return llvm::StringSwitch<std::optional<GenericKind>>(word)
      .Case("shape", GenericKind::Shape)
      .Case("float", GenericKind::Float)
      .Case("int", GenericKind::Int)
      .Case("uint", GenericKind::UInt)
      .Case("number", GenericKind::Number)
      .Case("any", GenericKind::Any)
      .Default(std::nullopt);
}

GenericParam Parser::parseGeneric() {
  GenericParam param;
  uint32_t begin = tok().begin;
  if (accept(Tok::KwConst)) {
    param.kind = GenericKind::Const;
    param.name = parseIdent("after `const`");
    if (!failed && expect(Tok::Colon, "and the type after the name of a constant")) {
      param.type = parseType();
    }
    if (!failed && accept(Tok::KwIn)) {
      param.set = parseSet();
    }
    if (!failed && accept(Tok::Assign)) {
      param.value = parseExpr();
    }
    param.range = since(begin);
    return param;
  }
  param.name = parseIdent("for the generic parameter");
  if (failed) {
    return param;
  }
  if (accept(Tok::KwIn)) {
    param.kind = GenericKind::Set;
    param.set = parseSet();
    if (!failed && accept(Tok::Assign)) {
      param.defaultType = parseType();
    }
  } else if (accept(Tok::Colon)) {
    std::optional<GenericKind> kind = at(Tok::Ident) ? constraintKind(textOf(tok())) : std::nullopt;
    if (!kind) {
      DiagnosticBuilder builder = error(diag::unknown_constraint, errorPlace(), found());
      builder.help("for a constant write `const " + param.name.name + ": …`");
      if (at(Tok::Ident) && isDTypeName(textOf(tok()))) {
        builder.fixIt(param.name.range.atBegin(), "const ");
        advance();
        failed = false;
      }
    } else {
      param.kind = *kind;
      advance();
    }
  } else {
    error(diag::generic_without_constraint, errorPlace(), param.name.name, found())
        .help("write `" + param.name.name + ": any`, `" + param.name.name +
              " in {f32, bf16}` or `const " + param.name.name + ": i64`");
  }
  param.range = since(begin);
  return param;
}
