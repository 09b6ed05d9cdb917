// The `tile.instr` op of an instruction: what its operands are, its body, the order that it may promise.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InstrBuilder.h"

#include "tessera/Dialect/Tile/TileOps.h"
#include "tessera/Layout/Notation.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tessera::sema {

using instr::OperandMode;

//===-- the op -----------------------------------------------------------------------------------------------------===//

mlir::DictionaryAttr InstrBuilder::infoOf(const instr::Operand &operand) {
  mlir::Builder b(&e.instance.context);
  mlir::NamedAttrList list;
  list.set("name", b.getStringAttr(operand.name));
  list.set("kind", b.getStringAttr(ast::spelling(static_cast<ast::OperandKind>(operand.kind))));
  if (operand.mode != OperandMode::In) {
    list.set(operand.mode == OperandMode::Out ? "out" : "inout", b.getUnitAttr());
  }
  if (operand.layout) {
    list.set("layout", b.getStringAttr(printLayout(*operand.layout)));
  }
  if (operand.contiguous) {
    list.set("contiguous", b.getUnitAttr());
  }
  if (operand.align) {
    list.set("align", b.getI64IntegerAttr(operand.align));
  }
  if (operand.rows) {
    list.set("rows", b.getI64IntegerAttr(operand.rows));
  }
  if (!operand.families.empty()) {
    llvm::SmallVector<mlir::Attribute> families;
    for (const instr::Family &family : operand.families) {
      families.push_back(b.getStringAttr(family.major + "(" + family.layout + ")"));
    }
    list.set("families", b.getArrayAttr(families));
  }
  if (operand.address) {
    list.set("address", mlir::AffineMapAttr::get(operand.address));
  }
  if (operand.whole) {
    list.set("whole", b.getUnitAttr());
  }
  return list.getDictionary(&e.instance.context);
}

mlir::Operation *InstrBuilder::createOp(mlir::Block *&block) {
  mlir::MLIRContext *context = &e.instance.context;
  mlir::Builder b(context);
  mlir::OperationState state(e.loc(decl.name.range), tile::InstrOp::getOperationName());
  llvm::SmallVector<mlir::Attribute> info;
  block = new mlir::Block();
  for (const instr::Operand &operand : result.operands) {
    info.push_back(infoOf(operand));
    Shape shape;
    for (int64_t extent : operand.shape) {
      shape.push_back({extent, false});
    }
    block->addArgument(e.irType(operand.dtype, shape),
                       mlir::NameLoc::get(b.getStringAttr(operand.name), e.loc(operand.range)));
  }
  state.addAttribute("sym_name", b.getStringAttr(result.symbol));
  state.addAttribute("arch", b.getStringAttr(result.arch));
  state.addAttribute("scope", tile::ExecScopeAttr::get(context, result.scope));
  state.addAttribute("order", tile::OrderClassAttr::get(context, result.order));
  state.addAttribute("via", tile::ProxyAttr::get(context, result.via));
  state.addAttribute("operand_info", b.getArrayAttr(info));
  state.addAttribute("ptx", b.getStringAttr(result.ptx));
  if (result.converged) {
    state.addAttribute("converged", b.getUnitAttr());
  }
  if (!result.hook.empty()) {
    state.addAttribute("hook", b.getStringAttr(result.hook));
  }
  if (decl.completes) {
    state.addAttribute("completes", b.getStringAttr(decl.completes.name));
  }
  state.addRegion()->push_back(block);
  return mlir::OpBuilder::atBlockEnd(module.getBody()).create(state);
}

bool InstrBuilder::assign(const ast::Assign &stmt, llvm::SmallVectorImpl<mlir::Value> &results) {
  llvm::StringRef name = llvm::cast<ast::Name>(*stmt.place).name;
  size_t index = 0;
  while (result.operands[index].name != name) {
    ++index; // checkInstrText: it is one of them
  }
  const instr::Operand &operand = result.operands[index];
  Shape shape;
  for (int64_t extent : operand.shape) {
    shape.push_back({extent, false});
  }
  Type type = Type::tile(operand.dtype, shape);
  Value value = e.emitExpr(*stmt.value, &type);
  if (stmt.fill) {
    Value fill = e.emitExpr(*stmt.fill, &type);
    value = e.fillAbsent(std::move(value), std::move(fill), stmt.range);
  }
  value = e.coerce(std::move(value), type, stmt.value->range, "`" + name + "`");
  mlir::Value ssa =
      value.isError() ? mlir::Value() : e.materialize(value, shape, stmt.value->range);
  if (!ssa) {
    return false;
  }
  results[index] = ssa;
  e.lookup(name)->value = Value::runtime(ssa, operand.dtype, shape);
  return true;
}

bool InstrBuilder::body(mlir::Block &block) {
  mlir::OpBuilder::InsertionGuard guard(e.builder);
  e.builder.setInsertionPointToEnd(&block);
  e.pushScope();
  for (auto [operand, arg] : llvm::zip(result.operands, block.getArguments())) {
    Shape shape;
    for (int64_t extent : operand.shape) {
      shape.push_back({extent, false});
    }
    e.declare(operand.name, operand.range, Value::runtime(arg, operand.dtype, shape));
  }
  unsigned before = e.instance.engine.errorCount();
  llvm::SmallVector<mlir::Value> results(result.operands.size());
  for (const ast::StmtPtr &stmt : decl.body->stmts) {
    if (const auto *assignment = llvm::dyn_cast<ast::Assign>(stmt.get())) {
      if (!assign(*assignment, results)) {
        break;
      }
    } else {
      e.emitStmt(*stmt);
    }
  }
  e.popScope();
  for (mlir::Operation &op : block) {
    if (!mlir::isMemoryEffectFree(&op) && e.instance.engine.errorCount() == before) {
      e.error(diag::instr_statement, decl.body->range,
              "a body computes what operands become, and does nothing else",
              "`" + op.getName().stripDialect() + "`");
    }
  }
  if (e.instance.engine.errorCount() != before) {
    return false;
  }
  mlir::OperationState state(e.builder.getUnknownLoc(), tile::YieldOp::getOperationName());
  for (mlir::Value value : results) {
    if (value) {
      state.addOperands(value);
    }
  }
  e.builder.create(state);
  return true;
}

/// What a body's op combines, and the orders that are not stronger than its own promise.
static const char *combines(mlir::Operation *op, llvm::SmallVectorImpl<tile::OrderClass> &allowed) {
  using tile::OrderClass;
  if (llvm::isa<tile::MmaOp>(op)) {
    allowed.assign({OrderClass::dot, OrderClass::any});
    return "a product sums in an order of its own";
  }
  if (auto reduce = llvm::dyn_cast<tile::ReduceOp>(op)) {
    bool sums =
        reduce.getKind() == tile::ReduceKind::sum || reduce.getKind() == tile::ReduceKind::prod;
    if (!sums || !llvm::isa<mlir::FloatType>(tile::elementTypeOf(reduce.getX().getType()))) {
      return nullptr;
    }
    allowed.assign({OrderClass::any});
    if (reduce.getOrder() == tile::ReduceOrder::any) {
      return "a sum with `order = any` is free in its order";
    }
    allowed.assign({OrderClass::tree, OrderClass::any});
    return "a sum of floats is a tree";
  }
  if (llvm::isa<tile::ReduceWithOp>(op)) {
    allowed.assign({OrderClass::any});
    return "a reduction with a function is free in its order";
  }
  if (llvm::isa<tile::ScanOp, tile::ScanWithOp>(op)) {
    allowed.assign({OrderClass::scan, OrderClass::any});
    return "a scan sums in an order of its own";
  }
  return nullptr;
}

bool InstrBuilder::orderHolds(mlir::Region &region) {
  bool holds = true;
  region.walk([&](mlir::Operation *op) {
    llvm::SmallVector<tile::OrderClass> allowed;
    const char *why = combines(op, allowed);
    if (!holds || !why || llvm::is_contained(allowed, result.order)) {
      return;
    }
    std::vector<std::string> words;
    for (tile::OrderClass order : allowed) {
      words.push_back(tile::stringifyOrderClass(order).str());
    }
    e.error(diag::order_too_strong, decl.order ? decl.order.range : decl.body->range,
            "write `order " + words.front() + "`" +
                (words.size() > 1 ? " or `order " + words.back() + "`" : std::string()),
            tile::stringifyOrderClass(result.order), why);
    holds = false;
  });
  return holds;
}

} // namespace tessera::sema
