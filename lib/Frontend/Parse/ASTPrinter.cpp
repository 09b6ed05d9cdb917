// Printing of expressions and types, and the entry points of the printer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Frontend/ASTPrinter.h"

#include "PrinterImpl.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;
using namespace tessera::ast;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;
using llvm::StringRef;

namespace {

/// The parser's precedences, continued: what may stand as an operand without parentheses.
enum : unsigned {
  kLoosest = 0,
  kNot = 5,
  kComparison = 6,
  kShift = 7,
  kNeg = 10,
  kCast = 11,
  kPostfix = 12,
  kPrimary = 13
};

unsigned precedence(BinaryOp op) {
  switch (op) {
  case BinaryOp::Coalesce:
    return 1;
  case BinaryOp::Or:
    return 2;
  case BinaryOp::Xor:
    return 3;
  case BinaryOp::And:
    return 4;
  case BinaryOp::Eq:
  case BinaryOp::Ne:
  case BinaryOp::Lt:
  case BinaryOp::Le:
  case BinaryOp::Gt:
  case BinaryOp::Ge:
    return kComparison;
  case BinaryOp::Shl:
  case BinaryOp::Shr:
    return kShift;
  case BinaryOp::Add:
  case BinaryOp::Sub:
    return 8;
  case BinaryOp::Mul:
  case BinaryOp::Div:
  case BinaryOp::FloorDiv:
  case BinaryOp::Mod:
    return 9;
  }
  return kLoosest;
}

unsigned precedence(const Expr &expr) {
  switch (expr.kind) {
  case Kind::Binary:
    return precedence(cast<Binary>(expr).op);
  case Kind::In:
    return kComparison;
  case Kind::Unary:
    return cast<Unary>(expr).op == UnaryOp::Not ? kNot : kNeg;
  case Kind::Cast:
    return kCast;
  case Kind::Call:
  case Kind::Index:
  case Kind::Member:
  case Kind::Fold:
    return kPostfix;
  case Kind::If:
  case Kind::Match:
  case Kind::Block:
  case Kind::Range:
  case Kind::LayoutLit:
    return kLoosest;
  default:
    return kPrimary;
  }
}

std::string quoted(StringRef value) {
  std::string result = "\"";
  for (char c : value) {
    switch (c) {
    case '\n':
      result += "\\n";
      break;
    case '\t':
      result += "\\t";
      break;
    case '\r':
      result += "\\r";
      break;
    case '\\':
      result += "\\\\";
      break;
    case '"':
      result += "\\\"";
      break;
    default:
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
        result += "\\x" + llvm::utohexstr(static_cast<unsigned char>(c), true, 2);
      } else {
        result += c;
      }
    }
  }
  return result + "\"";
}

/// `>`, `>=` or `>>` outside brackets: it would close a `<…>`.
bool hasAngle(const Expr &expr) {
  if (auto *binary = dyn_cast<Binary>(&expr)) {
    return binary->op == BinaryOp::Gt || binary->op == BinaryOp::Ge ||
           binary->op == BinaryOp::Shr || hasAngle(*binary->lhs) || hasAngle(*binary->rhs);
  }
  if (auto *unary = dyn_cast<Unary>(&expr)) {
    return hasAngle(*unary->operand);
  }
  if (auto *in = dyn_cast<In>(&expr)) {
    return hasAngle(*in->operand) || hasAngle(*in->set);
  }
  if (auto *range = dyn_cast<Range>(&expr)) {
    return (range->lo && hasAngle(*range->lo)) || hasAngle(*range->hi);
  }
  if (auto *castExpr = dyn_cast<Cast>(&expr)) {
    return hasAngle(*castExpr->operand);
  }
  return false;
}

} // namespace

Doc *Printer::list(StringRef open, Parts elements, StringRef close) {
  Parts parts{text(open)};
  for (size_t i = 0; i < elements.size(); ++i) {
    if (i) {
      parts.push_back(text(","));
      parts.push_back(docs.fillLine());
    }
    parts.push_back(elements[i]);
  }
  parts.push_back(text(close));
  return docs.group(docs.nest(options.indent, docs.concat(std::move(parts))));
}

Doc *Printer::names(StringRef open, llvm::ArrayRef<Ident> idents, StringRef close) {
  Parts parts;
  for (const Ident &ident : idents) {
    parts.push_back(name(ident));
  }
  return list(open, std::move(parts), close);
}

Doc *Printer::commaList(StringRef lead, Parts elements) {
  return list((lead + " ").str(), std::move(elements), "");
}

Doc *Printer::expr(const Expr &expr, unsigned minPrecedence) {
  unsigned own = precedence(expr);
  // Parentheses of the source stay around everything but names and literals.
  bool parens = own < minPrecedence || (expr.parens && own < kPrimary);
  Doc *body = exprBody(expr);
  return parens ? docs.nest(1, docs.concat({text("("), body, text(")")})) : body;
}

Doc *Printer::angleExpr(const Expr &e) {
  return hasAngle(e) && !e.parens ? expr(e, kPrimary) : expr(e);
}

/// Operands of a chain of operators of one precedence, so that the chain breaks as one.
void Printer::binaryOperands(const Expr &e, unsigned level, Parts &parts) {
  auto *binary = dyn_cast<Binary>(&e);
  if (!binary || precedence(binary->op) != level || level == kComparison || e.parens) {
    parts.push_back(expr(e, level == kComparison ? kShift : level));
    return;
  }
  binaryOperands(*binary->lhs, level, parts);
  parts.push_back(text((" " + StringRef(spelling(binary->op))).str()));
  parts.push_back(docs.fillLine());
  parts.push_back(expr(*binary->rhs, level + 1));
}

Doc *Printer::binary(const Binary &node) {
  unsigned level = precedence(node.op);
  Parts parts;
  binaryOperands(*node.lhs, level, parts);
  parts.push_back(text((" " + StringRef(spelling(node.op))).str()));
  parts.push_back(docs.fillLine());
  parts.push_back(expr(*node.rhs, level + 1));
  return docs.group(docs.nest(options.indent, docs.concat(std::move(parts))));
}

Doc *Printer::range(const Range &node, unsigned minPrecedence) {
  unsigned level = std::max(minPrecedence, 1u);
  if (!node.lo) {
    return expr(*node.hi, level);
  }
  return docs.concat({expr(*node.lo, level), text(".."), expr(*node.hi, level)});
}

Doc *Printer::set(const Expr &node, unsigned minPrecedence) {
  auto *bounds = dyn_cast<Range>(&node);
  return bounds ? range(*bounds, minPrecedence) : expr(node);
}

Doc *Printer::ifExpr(const If &node) {
  Parts parts;
  const If *current = &node;
  while (true) {
    parts.insert(parts.end(),
                 {text("if "), expr(*current->cond), text(" "), blockBraces(*current->then)});
    if (!current->otherwise) {
      break;
    }
    parts.push_back(text(" else "));
    const auto *next = dyn_cast<If>(current->otherwise.get());
    if (!next) {
      parts.push_back(blockBraces(cast<Block>(*current->otherwise)));
      break;
    }
    current = next;
  }
  return docs.group(docs.concat(std::move(parts)));
}

Doc *Printer::matchExpr(const Match &node) {
  Parts arms;
  for (const MatchArm &arm : node.arms) {
    arms.push_back(docs.line());
    arms.push_back(docs.concat({name(arm.name), text(" => "), expr(*arm.value)}));
    arms.push_back(text(&arm == &node.arms.back() ? "" : ","));
  }
  return docs.group(docs.concat({text("match "), expr(*node.scrutinee), text(" {"),
                                 docs.nest(options.indent, docs.concat(std::move(arms))),
                                 docs.line(), text("}")}));
}

Doc *Printer::exprBody(const Expr &node) {
  auto all = [&](const std::vector<ExprPtr> &elements) {
    Parts parts;
    for (const ExprPtr &element : elements) {
      parts.push_back(expr(*element));
    }
    return parts;
  };
  switch (node.kind) {
  case Kind::IntLit: {
    const auto &literal = cast<IntLit>(node);
    return text(literal.text.empty() ? std::to_string(literal.value) : literal.text);
  }
  case Kind::FloatLit:
    return text(cast<FloatLit>(node).text);
  case Kind::BoolLit:
    return text(cast<BoolLit>(node).value ? "true" : "false");
  case Kind::StringLit:
    return text(quoted(cast<StringLit>(node).value));
  case Kind::Name:
    return text(cast<Name>(node).name);
  case Kind::Member: {
    const auto &member = cast<Member>(node);
    // `1.x` would be read as a number.
    Doc *base = isa<IntLit, FloatLit>(*member.base)
                    ? docs.concat({text("("), expr(*member.base), text(")")})
                    : expr(*member.base, kPostfix);
    return docs.concat({base, text("."), name(member.member)});
  }
  case Kind::Call: {
    Parts args;
    for (const Arg &arg : cast<Call>(node).args) {
      Doc *value = expr(*arg.value);
      args.push_back(arg.name ? docs.concat({name(arg.name), text(" = "), value}) : value);
    }
    return docs.concat({expr(*cast<Call>(node).callee, kPostfix), list("(", std::move(args), ")")});
  }
  case Kind::Index: {
    return docs.concat(
        {expr(*cast<Index>(node).base, kPostfix), list("[", all(cast<Index>(node).indices), "]")});
  }
  case Kind::Range:
    return range(cast<Range>(node));
  case Kind::Tiles: {
    const auto &tiles = cast<Tiles>(node);
    return docs.concat({text("tiles"), list("(", {range(*tiles.bounds), expr(*tiles.width)}, ")")});
  }
  case Kind::Colon:
    return text(":");
  case Kind::Wildcard:
    return text("_");
  case Kind::Unary: {
    bool isNot = cast<Unary>(node).op == UnaryOp::Not;
    return docs.concat(
        {text(isNot ? "not " : "-"), expr(*cast<Unary>(node).operand, isNot ? kNot : kNeg)});
  }
  case Kind::Binary:
    return binary(cast<Binary>(node));
  case Kind::In:
    return docs.concat(
        {expr(*cast<In>(node).operand, kShift), text(" in "), set(*cast<In>(node).set, kShift)});
  case Kind::Cast: {
    const auto &castExpr = cast<Cast>(node);
    Doc *modes = castExpr.modes.empty() ? text("") : names("(", castExpr.modes, ")");
    return docs.concat({expr(*castExpr.operand, kCast), text(" as "), name(castExpr.type), modes});
  }
  case Kind::If:
    return ifExpr(cast<If>(node));
  case Kind::Match:
    return matchExpr(cast<Match>(node));
  case Kind::Block:
    return docs.group(blockBraces(cast<Block>(node)));
  case Kind::Fold: {
    const auto &fold = cast<Fold>(node);
    Doc *head = docs.concat(
        {text(spelling(fold.fold)), text("("), name(fold.var), text(" in "), range(*fold.bounds)});
    Doc *body = docs.nest(options.indent, docs.concat({docs.fillLine(), expr(*fold.body)}));
    return docs.group(docs.concat({head, text(":"), body, text(")")}));
  }
  case Kind::Tuple:
    return list("(", all(cast<Tuple>(node).elements), ")");
  case Kind::List:
    return list("[", all(cast<List>(node).elements), "]");
  case Kind::Set:
    return list("{", all(cast<Set>(node).elements), "}");
  case Kind::Edges:
    return docs.concat({text("edges("), name(cast<Edges>(node).of), text(")")});
  case Kind::LayoutLit:
    return docs.concat(
        {expr(*cast<LayoutLit>(node).shape), text(" : "), expr(*cast<LayoutLit>(node).stride)});
  default:
    return text("<error>");
  }
}

Doc *Printer::type(const Type &node) {
  switch (node.kind) {
  case Kind::NamedType: {
    const auto &named = cast<NamedType>(node);
    if (named.args.empty()) {
      return text(named.name);
    }
    Parts args;
    for (const TypeArg &arg : named.args) {
      args.push_back(arg.type ? type(*arg.type) : angleExpr(*arg.expr));
    }
    return docs.concat({text(named.name), list("<", std::move(args), ">")});
  }
  case Kind::TileType: {
    const auto &tile = cast<TileType>(node);
    return docs.concat({text(tile.isArray ? "array" : "tile"),
                        list("<", {expr(*tile.shape), type(*tile.element)}, ">")});
  }
  case Kind::ViewType: {
    const auto &view = cast<ViewType>(node);
    static const char *const modes[] = {"view", "in view", "out view", "inout view"};
    return docs.concat({text(modes[static_cast<unsigned>(view.mode)]),
                        list("<", {expr(*view.shape), type(*view.element)}, ">")});
  }
  case Kind::TupleType: {
    Parts parts;
    for (const TypePtr &element : cast<TupleType>(node).elements) {
      parts.push_back(type(*element));
    }
    return list("(", std::move(parts), ")");
  }
  case Kind::OptionalType:
    return docs.concat({type(*cast<OptionalType>(node).element), text("?")});
  default:
    return text("<error>");
  }
}

//===-- Entry points -----------------------------------------------------------------------------------------------===//

void tessera::printFile(llvm::raw_ostream &os, const File &file, const PrintOptions &options) {
  Printer printer(&file, options);
  Doc *doc = printer.printFile();
  printer.getDocs().print(os, doc, options.width);
}

std::string tessera::printExpr(const Expr &expr) {
  PrintOptions options;
  options.width = Doc::kNever;
  Printer printer(nullptr, options);
  std::string result;
  llvm::raw_string_ostream os(result);
  printer.getDocs().print(os, printer.expr(expr), options.width);
  return result;
}

std::string tessera::printType(const Type &type) {
  PrintOptions options;
  options.width = Doc::kNever;
  Printer printer(nullptr, options);
  std::string result;
  llvm::raw_string_ostream os(result);
  printer.getDocs().print(os, printer.type(type), options.width);
  return result;
}
