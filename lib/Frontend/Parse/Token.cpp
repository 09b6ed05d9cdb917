// Spelling of tokens.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Frontend/Token.h"

#include "llvm/ADT/StringSwitch.h"

using namespace tessera;

llvm::StringRef tessera::spelling(Tok kind) {
  switch (kind) {
  case Tok::Eof:
  case Tok::Ident:
  case Tok::Int:
  case Tok::Float:
  case Tok::String:
  case Tok::Unknown:
  case Tok::CompoundAssign:
    return "";
  case Tok::LParen:
    return "(";
  case Tok::RParen:
    return ")";
  case Tok::LBracket:
    return "[";
  case Tok::RBracket:
    return "]";
  case Tok::LBrace:
    return "{";
  case Tok::RBrace:
    return "}";
  case Tok::Comma:
    return ",";
  case Tok::Semi:
    return ";";
  case Tok::Colon:
    return ":";
  case Tok::Dot:
    return ".";
  case Tok::DotDot:
    return "..";
  case Tok::Question:
    return "?";
  case Tok::Underscore:
    return "_";
  case Tok::Assign:
    return "=";
  case Tok::FatArrow:
    return "=>";
  case Tok::Arrow:
    return "->";
  case Tok::Coalesce:
    return "??";
  case Tok::EqEq:
    return "==";
  case Tok::NotEq:
    return "!=";
  case Tok::Less:
    return "<";
  case Tok::LessEq:
    return "<=";
  case Tok::Greater:
    return ">";
  case Tok::GreaterEq:
    return ">=";
  case Tok::Shl:
    return "<<";
  case Tok::Shr:
    return ">>";
  case Tok::Plus:
    return "+";
  case Tok::Minus:
    return "-";
  case Tok::Star:
    return "*";
  case Tok::Slash:
    return "/";
  case Tok::SlashSlash:
    return "//";
  case Tok::Percent:
    return "%";
  case Tok::KwAnd:
    return "and";
  case Tok::KwOr:
    return "or";
  case Tok::KwXor:
    return "xor";
  case Tok::KwNot:
    return "not";
  case Tok::KwIn:
    return "in";
  case Tok::KwAs:
    return "as";
  case Tok::KwTrue:
    return "true";
  case Tok::KwFalse:
    return "false";
  case Tok::KwInf:
    return "inf";
  case Tok::KwNan:
    return "nan";
  case Tok::KwImport:
    return "import";
  case Tok::KwConst:
    return "const";
  case Tok::KwEnum:
    return "enum";
  case Tok::KwStruct:
    return "struct";
  case Tok::KwFn:
    return "fn";
  case Tok::KwKernel:
    return "kernel";
  case Tok::KwLet:
    return "let";
  case Tok::KwVar:
    return "var";
  case Tok::KwStatic:
    return "static";
  case Tok::KwTune:
    return "tune";
  case Tok::KwGrid:
    return "grid";
  case Tok::KwFor:
    return "for";
  case Tok::KwWhile:
    return "while";
  case Tok::KwIf:
    return "if";
  case Tok::KwElse:
    return "else";
  case Tok::KwMatch:
    return "match";
  case Tok::KwAssert:
    return "assert";
  case Tok::KwAssume:
    return "assume";
  case Tok::KwUnsafe:
    return "unsafe";
  case Tok::KwInOut:
    return "inout";
  case Tok::KwSelf:
    return "self";
  }
  return "";
}

Tok tessera::keywordKind(llvm::StringRef word) {
  return llvm::StringSwitch<Tok>(word)
      .Case("and", Tok::KwAnd)
      .Case("or", Tok::KwOr)
      .Case("xor", Tok::KwXor)
      .Case("not", Tok::KwNot)
      .Case("in", Tok::KwIn)
      .Case("as", Tok::KwAs)
      .Case("true", Tok::KwTrue)
      .Case("false", Tok::KwFalse)
      .Case("inf", Tok::KwInf)
      .Case("nan", Tok::KwNan)
      .Case("import", Tok::KwImport)
      .Case("const", Tok::KwConst)
      .Case("enum", Tok::KwEnum)
      .Case("struct", Tok::KwStruct)
      .Case("fn", Tok::KwFn)
      .Case("kernel", Tok::KwKernel)
      .Case("let", Tok::KwLet)
      .Case("var", Tok::KwVar)
      .Case("static", Tok::KwStatic)
      .Case("tune", Tok::KwTune)
      .Case("grid", Tok::KwGrid)
      .Case("for", Tok::KwFor)
      .Case("while", Tok::KwWhile)
      .Case("if", Tok::KwIf)
      .Case("else", Tok::KwElse)
      .Case("match", Tok::KwMatch)
      .Case("assert", Tok::KwAssert)
      .Case("assume", Tok::KwAssume)
      .Case("unsafe", Tok::KwUnsafe)
      .Case("inout", Tok::KwInOut)
      .Case("self", Tok::KwSelf)
      .Default(Tok::Ident);
}

bool tessera::isDTypeName(llvm::StringRef word) {
  return llvm::StringSwitch<bool>(word)
      .Cases({"i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64"}, true)
      .Cases({"bf16", "f16", "f32", "f64", "f8e4m3", "f8e5m2", "bool", "i1"}, true)
      .Default(false);
}
