// Facts of scripts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/Facts.h"

using namespace tessera;
using namespace tessera::schedule;
using script::BinaryOp;
using solver::Expr;

script::Value FactTable::leaf(const Leaf &leaf, llvm::StringRef text) {
  std::string key = text.str() + "#" + std::to_string(leaf.site);
  auto [entry, isNew] = byText.try_emplace(key, leaves.size());
  if (isNew) {
    leaves.push_back(leaf);
  }
  return script::Value::leaf(entry->second, text);
}

solver::Expr FactTable::alignment(llvm::StringRef view, solver::ExprContext &terms) {
  // No name of a program has a blank, so this is no other symbol.
  return terms.size(("alignment of " + view).str(), 1);
}

bool FactTable::needsLayouts(const script::Fact &fact) const {
  if (fact.kind == script::Fact::Kind::Leaf) {
    const Leaf *found = find(fact.leaf);
    return found && found->kind == Leaf::Kind::Layout;
  }
  return (fact.lhs && needsLayouts(*fact.lhs)) || (fact.rhs && needsLayouts(*fact.rhs));
}

//===-- As terms ---------------------------------------------------------------------------------------------------===//

static llvm::Error sentence(const llvm::Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

static llvm::Expected<Expr> combine(const script::Fact &fact, Expr a, Expr b,
                                    solver::ExprContext &terms) {
  bool isLogic =
      fact.binary == BinaryOp::And || fact.binary == BinaryOp::Or || fact.binary == BinaryOp::Xor;
  bool isEquality = fact.binary == BinaryOp::Eq || fact.binary == BinaryOp::Ne;
  std::string text = "`" + script::str(fact) + "`";
  bool fits = isLogic      ? a.isBool() && b.isBool()
              : isEquality ? a.isBool() == b.isBool()
                           : !a.isBool() && !b.isBool();
  if (!fits) {
    return sentence(text + " mixes numbers and conditions");
  }
  std::optional<solver::Int> constant = b.isBool() ? std::nullopt : b.constant();
  switch (fact.binary) {
  case BinaryOp::And:
    return a && b;
  case BinaryOp::Or:
    return a || b;
  case BinaryOp::Xor:
    return (a && !b) || (!a && b);
  case BinaryOp::Eq:
    return a.isBool() ? (a && b) || (!a && !b) : eq(a, b);
  case BinaryOp::Ne:
    return a.isBool() ? (a && !b) || (!a && b) : ne(a, b);
  case BinaryOp::Lt:
    return a < b;
  case BinaryOp::Le:
    return a <= b;
  case BinaryOp::Gt:
    return a > b;
  case BinaryOp::Ge:
    return a >= b;
  case BinaryOp::Add:
    return a + b;
  case BinaryOp::Sub:
    return a - b;
  case BinaryOp::Mul:
    return a * b;
  case BinaryOp::FloorDiv:
  case BinaryOp::Mod:
    if (!constant || *constant <= 0) {
      return sentence(text + " divides by what is no positive constant");
    }
    return fact.binary == BinaryOp::Mod ? mod(a, *constant) : floorDiv(a, *constant);
  case BinaryOp::Div:
    return sentence(text + " divides exactly, which is no number where it leaves a remainder; "
                           "write `//`, or multiply the other side");
  case BinaryOp::Shl:
  case BinaryOp::Shr:
    if (!constant || *constant < 0 || *constant > 62) {
      return sentence(text + " shifts by what is no constant from 0 to 62");
    }
    return fact.binary == BinaryOp::Shl ? a * (solver::Int(1) << int(*constant))
                                        : floorDiv(a, solver::Int(1) << int(*constant));
  case BinaryOp::In:
    break;
  }
  return sentence(text + " has no meaning as a condition");
}

llvm::Expected<Expr> FactTable::term(const script::Fact &fact, solver::ExprContext &terms) const {
  switch (fact.kind) {
  case script::Fact::Kind::Integer:
    return terms.constant(fact.integer);
  case script::Fact::Kind::Truth:
    return terms.boolean(fact.integer != 0);
  case script::Fact::Kind::Leaf: {
    const Leaf *found = find(fact.leaf);
    if (!found || found->kind == Leaf::Kind::Layout) {
      return sentence("`" + fact.text +
                      "` is known only once layouts are: `expect` may speak of it");
    }
    switch (found->kind) {
    case Leaf::Kind::Aligned:
      return eq(mod(alignment(found->name, terms), found->bytes), 0);
    case Leaf::Kind::Extent:
      return terms.size(found->name);
    default:
      return terms.index(found->name);
    }
  }
  case script::Fact::Kind::Unary: {
    llvm::Expected<Expr> operand = term(*fact.lhs, terms);
    if (!operand) {
      return operand;
    }
    bool isNot = fact.unary == script::UnaryOp::Not;
    if (operand->isBool() != isNot) {
      return sentence("`" + script::str(fact) + "` mixes numbers and conditions");
    }
    return isNot ? !*operand : -*operand;
  }
  case script::Fact::Kind::Binary:
    break;
  }
  llvm::Expected<Expr> a = term(*fact.lhs, terms);
  if (!a) {
    return a;
  }
  llvm::Expected<Expr> b = term(*fact.rhs, terms);
  if (!b) {
    return b;
  }
  llvm::Expected<Expr> result = combine(fact, *a, *b, terms);
  if (result && result->isInvalid()) {
    return sentence("`" + script::str(fact) + "`: " + result->reason());
  }
  return result;
}

//===-- As ops -----------------------------------------------------------------------------------------------------===//

namespace {

/// Builds in a kernel's `where`; null where something cannot be said there.
class Emitter {
public:
  Emitter(const FactTable &table, tile::KernelOp kernel, mlir::OpBuilder &builder,
          mlir::Location loc)
      : table(table), kernel(kernel), builder(builder), loc(loc) {}

  mlir::Value emit(const script::Fact &fact) {
    switch (fact.kind) {
    case script::Fact::Kind::Integer:
      return constant(builder.getI64IntegerAttr(fact.integer));
    case script::Fact::Kind::Truth:
      return constant(builder.getBoolAttr(fact.integer != 0));
    case script::Fact::Kind::Leaf:
      return leaf(fact);
    case script::Fact::Kind::Unary: {
      mlir::Value operand = emit(*fact.lhs);
      if (!operand) {
        return {};
      }
      if (fact.unary == script::UnaryOp::Not) {
        return tile::NotOp::create(builder, loc, operand);
      }
      return tile::NegOp::create(builder, loc, operand);
    }
    case script::Fact::Kind::Binary:
      break;
    }
    mlir::Value a = emit(*fact.lhs), b = a ? emit(*fact.rhs) : mlir::Value();
    return b && a.getType() == b.getType() ? binary(fact.binary, a, b) : mlir::Value();
  }

private:
  mlir::Value constant(mlir::TypedAttr value) {
    return tile::ConstantOp::create(builder, loc, value.getType(), value);
  }

  mlir::Value leaf(const script::Fact &fact) {
    const Leaf *found = table.find(fact.leaf);
    bool isArgument =
        found && (found->kind == Leaf::Kind::Extent || found->kind == Leaf::Kind::Scalar);
    int64_t index = isArgument ? kernel.findArgument(found->name) : -1;
    if (index < 0) {
      return {};
    }
    mlir::Value argument = kernel.getWhere().front().getArgument(index);
    return argument.getType().isInteger(64) || argument.getType().isInteger(1) ? argument
                                                                               : mlir::Value();
  }

  mlir::Value compare(tile::CmpPredicate predicate, mlir::Value a, mlir::Value b) {
    return tile::CmpOp::create(builder, loc, builder.getI1Type(), predicate, a, b);
  }

  mlir::Value binary(BinaryOp op, mlir::Value a, mlir::Value b) {
    switch (op) {
    case BinaryOp::And:
      return tile::AndOp::create(builder, loc, a, b);
    case BinaryOp::Or:
      return tile::OrOp::create(builder, loc, a, b);
    case BinaryOp::Xor:
      return tile::XorOp::create(builder, loc, a, b);
    case BinaryOp::Eq:
      return compare(tile::CmpPredicate::eq, a, b);
    case BinaryOp::Ne:
      return compare(tile::CmpPredicate::ne, a, b);
    case BinaryOp::Lt:
      return compare(tile::CmpPredicate::lt, a, b);
    case BinaryOp::Le:
      return compare(tile::CmpPredicate::le, a, b);
    case BinaryOp::Gt:
      return compare(tile::CmpPredicate::gt, a, b);
    case BinaryOp::Ge:
      return compare(tile::CmpPredicate::ge, a, b);
    case BinaryOp::Add:
      return tile::AddOp::create(builder, loc, a, b);
    case BinaryOp::Sub:
      return tile::SubOp::create(builder, loc, a, b);
    case BinaryOp::Mul:
      return tile::MulOp::create(builder, loc, a, b);
    case BinaryOp::FloorDiv:
      return tile::FloorDivOp::create(builder, loc, a, b);
    case BinaryOp::Mod:
      return tile::ModOp::create(builder, loc, a, b);
    case BinaryOp::Shl:
      return tile::ShlOp::create(builder, loc, a, b);
    case BinaryOp::Shr:
      return tile::ShrOp::create(builder, loc, a, b);
    case BinaryOp::Div:
    case BinaryOp::In:
      break;
    }
    return {};
  }

  const FactTable &table;
  tile::KernelOp kernel;
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace

/// Whether every leaf is an argument that ops can read.
static bool isSayable(const script::Fact &fact, const FactTable &table, tile::KernelOp kernel) {
  if (fact.kind == script::Fact::Kind::Leaf) {
    const Leaf *found = table.find(fact.leaf);
    bool isArgument =
        found && (found->kind == Leaf::Kind::Extent || found->kind == Leaf::Kind::Scalar);
    int64_t index = isArgument ? kernel.findArgument(found->name) : -1;
    return index >= 0 && kernel.getArgType(index).isInteger(64);
  }
  bool isExact = fact.kind == script::Fact::Kind::Binary &&
                 (fact.binary == BinaryOp::Div || fact.binary == BinaryOp::In);
  return !isExact && (!fact.lhs || isSayable(*fact.lhs, table, kernel)) &&
         (!fact.rhs || isSayable(*fact.rhs, table, kernel));
}

mlir::Value FactTable::emit(const script::Fact &fact, tile::KernelOp kernel,
                            mlir::OpBuilder &builder, mlir::Location loc) const {
  if (kernel.getWhere().empty() || !isSayable(fact, *this, kernel)) {
    return {};
  }
  return Emitter(*this, kernel, builder, loc).emit(fact);
}
