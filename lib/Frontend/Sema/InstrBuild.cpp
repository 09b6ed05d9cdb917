// An instruction with its constants fixed: operands, addresses, order, and the `tile.instr` op with its body.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InstrBuilder.h"

#include "tessera/Dialect/Tile/TileOps.h"

namespace tessera::sema {

using instr::Completion;
using instr::OperandKind;

tile::ExecScope execScope(llvm::StringRef word) {
  return word == "warp"        ? tile::ExecScope::warp
         : word == "warpgroup" ? tile::ExecScope::wg
         : word == "cta"       ? tile::ExecScope::cta
         : word == "cluster"   ? tile::ExecScope::cluster
                               : tile::ExecScope::thread;
}

/// Greatest number of elements of an operand: its maps are checked element by element.
static constexpr int64_t kMaxPiece = int64_t(1) << 17;

static int64_t threadsOf(tile::ExecScope scope) {
  switch (scope) {
  case tile::ExecScope::thread:
    return 1;
  case tile::ExecScope::warp:
    return 32;
  case tile::ExecScope::wg:
    return 128;
  default:
    return 0;
  }
}

static tile::Proxy proxyOf(llvm::StringRef word) {
  return tile::symbolizeProxy(word).value_or(tile::Proxy::generic);
}

tile::Proxy proxyOf(const ast::Instr &decl) {
  for (const ast::InstrEffect &effect : decl.effects) {
    if (proxyOf(effect.via.name) != tile::Proxy::generic) {
      return proxyOf(effect.via.name);
    }
  }
  return tile::Proxy::generic;
}

static Completion completionOf(llvm::StringRef word) {
  return word == "group"         ? Completion::Group
         : word == "ring"        ? Completion::Ring
         : word == "wgmma_group" ? Completion::WgmmaGroup
         : word == "bulk_group"  ? Completion::BulkGroup
                                 : Completion::Now;
}

std::string InstrBuilder::constantsText() const {
  std::string text;
  for (const auto &[name, value] : constants) {
    text += (text.empty() ? "`" : ", `") + name.str() + " = " + value.spelling() + "`";
  }
  return text.empty() ? "this instruction" : text;
}

void InstrBuilder::describe() {
  result.name = decl.name.name;
  // Values that are the default are not told: `cp_async_16`, `cp_async_16<f32>`.
  std::string told;
  for (auto [param, constant] : llvm::zip(decl.generics, constants)) {
    const auto &[name, value] = constant;
    std::optional<DType> fallback;
    if (param.defaultType) {
      fallback = e.resolveDType(*param.defaultType);
    }
    if (!fallback || value.kind != Value::Kind::DType || value.element() != *fallback) {
      told += (told.empty() ? "" : ",") + value.spelling();
    }
    result.constants.emplace_back(name.str(), value.spelling());
    e.declare(name, SourceRange(), value);
  }
  result.symbol = result.name + (told.empty() ? "" : "<" + told + ">");
  result.arch = decl.arch.name;
  result.scope = execScope(decl.scope.name);
  result.threads = threadsOf(result.scope);
  result.converged = decl.converged;
  result.order = tile::symbolizeOrderClass(decl.order.name).value_or(tile::OrderClass::exact);
  result.via = proxyOf(decl);
  result.completion = completionOf(decl.completes.name);
  result.hook = decl.hook ? decl.hook->value : "";
  result.ptx = decl.ptx ? decl.ptx->value : "";
  result.range = decl.range;
}

bool InstrBuilder::whereHolds() {
  for (const ast::ExprPtr &cond : decl.where) {
    std::optional<bool> holds = e.constBool(*cond, "a condition of `where`");
    if (holds && !*holds) {
      e.error(diag::instr_where, cond->range, "choose other values",
              e.instance.engine.getSources().text(cond->range), constantsText());
    }
    if (!holds || !*holds) {
      return false;
    }
  }
  return true;
}

//===-- operands ---------------------------------------------------------------------------------------------------===//

bool InstrBuilder::shapeOf(const ast::InstrOperand &source, instr::Operand &out) {
  if (source.kind == ast::OperandKind::Predicate) {
    out.dtype = DType::i1;
    return true;
  }
  std::optional<DType> element = e.resolveDType(*source.element);
  std::optional<Shape> shape = source.shape ? e.resolveShape(*source.shape) : Shape();
  if (!element || !shape) {
    return false;
  }
  if (source.shape && shape->empty()) {
    e.error(diag::shape_expected, source.shape->range, "a piece has at least one axis: `[1]`",
            "`[]`");
    return false;
  }
  out.dtype = *element;
  for (const Axis &axis : *shape) {
    out.shape.push_back(axis.extent);
  }
  if (out.elements() > kMaxPiece) {
    e.error(diag::tile_too_large, source.shape->range, "an instruction's piece is small",
            str(*shape), kMaxPiece);
    return false;
  }
  return true;
}

bool InstrBuilder::layoutOf(const ast::InstrOperand &source, instr::Operand &out) {
  if (!source.layout) {
    return true;
  }
  if (!result.threads) {
    e.error(diag::fragment_scope, source.range,
            "fragments are for `thread`, `warp` and `warpgroup`", out.name, decl.scope.name);
    return false;
  }
  std::optional<Layout> layout = LayoutEvaluator(e).evaluate(*source.layout);
  if (!layout || !checkFragment(e, out.name, *layout, out.shape, decl.scope.name, result.threads,
                                source.layout->range)) {
    return false;
  }
  llvm::Expected<Layout> named = layout->withInNames({dims::lane, dims::reg});
  if (!named) {
    e.error(diag::layout_invalid, source.layout->range, "correct the layout",
            llvm::toString(named.takeError()));
    return false;
  }
  out.layout = std::move(*named);
  return true;
}

/// Alignment and rows. The piece that is aligned is a row, or the whole operand.
bool InstrBuilder::memoryOf(const ast::InstrOperand &source, instr::Operand &out) {
  out.contiguous = source.contiguous;
  int64_t bytes = static_cast<int64_t>(byteSize(out.dtype));
  if (source.rows) {
    std::optional<int64_t> rows = e.constI64(*source.rows, "the length of a row");
    if (!rows) {
      return false;
    }
    int64_t last = out.shape.empty() ? 1 : out.shape.back();
    if (*rows < 1 || last % *rows) {
      e.error(diag::rows_invalid, source.rows->range, "use a divisor of the last extent", out.name,
              *rows, "its last axis has " + std::to_string(last));
      return false;
    }
    out.rows = *rows;
  }
  if (!source.align) {
    return true;
  }
  std::optional<int64_t> align = e.constI64(*source.align, "an alignment");
  if (!align) {
    return false;
  }
  int64_t piece = bytes * (out.rows ? out.rows : out.elements());
  std::string problem;
  if (*align < 1 || (*align & (*align - 1))) {
    problem = "an alignment is a power of two";
  } else if (*align < bytes) {
    problem = "an element of `" + name(out.dtype).str() + "` has " + std::to_string(bytes);
  } else if (piece % *align) {
    problem = "a piece of it has " + std::to_string(piece);
  }
  if (!problem.empty()) {
    e.error(diag::align_invalid, source.align->range,
            "write a power of two from " + std::to_string(bytes) + " on that divides " +
                std::to_string(piece),
            out.name, *align, problem);
    return false;
  }
  out.align = *align;
  return true;
}

void InstrBuilder::effectOf(instr::Operand &out) {
  for (const ast::InstrEffect &effect : decl.effects) {
    for (const ast::Ident &ident : effect.operands) {
      if (ident.name == out.name) {
        out.via = proxyOf(effect.via.name);
        out.whole = effect.whole;
      }
    }
  }
}

static void addFamilies(const ast::InstrOperand &source, instr::Operand &out) {
  for (const ast::LayoutFamily &family : source.families) {
    if (family.all) {
      for (llvm::StringRef layout : {"sw128", "sw64", "sw32"}) {
        out.families.push_back({family.major.name, layout.str()});
      }
    }
    for (const ast::Ident &layout : family.layouts) {
      out.families.push_back({family.major.name, layout.name});
    }
  }
}

bool InstrBuilder::operand(const ast::InstrOperand &source, size_t index) {
  instr::Operand out;
  out.name = source.name.name;
  out.kind = static_cast<OperandKind>(source.kind);
  out.mode = uses[index].mode;
  out.range = source.range;
  addFamilies(source, out);
  effectOf(out);
  bool ok = shapeOf(source, out) && layoutOf(source, out) && memoryOf(source, out);
  for (const ast::LayoutFamily &family : source.families) {
    for (const ast::Ident &layout : family.layouts) {
      const Module *owner = nullptr;
      const ast::Item *item = findDeclared(e.instance.modules, e.module(), layout.name, owner);
      if (!llvm::isa_and_nonnull<ast::LayoutDecl>(item)) {
        e.error(diag::layout_unknown, layout.range,
                "the library has `sw128`, `sw64`, `sw32`; or declare it", layout.name);
        ok = false;
      }
    }
  }
  result.operands.push_back(std::move(out));
  return ok;
}

//===-- addresses --------------------------------------------------------------------------------------------------===//

/// The coordinates as affine expressions in the lane; null with an error reported.
mlir::AffineMap InstrBuilder::addressMap(const ast::InstrAddress &source, size_t rank) {
  mlir::MLIRContext *context = &e.instance.context;
  if (source.coords.size() != rank) {
    e.error(diag::address_invalid, source.range, "write a coordinate for each axis",
            source.operand.name,
            "has " + std::to_string(source.coords.size()) +
                (source.coords.size() == 1 ? " coordinate" : " coordinates") + ", the operand " +
                std::to_string(rank) + (rank == 1 ? " axis" : " axes"));
    return {};
  }
  mlir::OpBuilder::InsertionGuard guard(e.builder);
  mlir::Block block;
  e.builder.setInsertionPointToEnd(&block);
  e.pushScope();
  Value lane = Value::runtime(
      block.addArgument(e.irType(DType::i64), mlir::UnknownLoc::get(context)), DType::i64);
  lane.symbolic = mlir::getAffineSymbolExpr(0, context);
  e.declare("lane", SourceRange(), lane);
  llvm::SmallVector<mlir::AffineExpr> coords;
  for (const ast::ExprPtr &coord : source.coords) {
    Value value = e.emitExpr(*coord);
    if (value.isError()) {
      break;
    }
    std::optional<int64_t> known = value.asI64();
    mlir::AffineExpr expr = known ? mlir::getAffineConstantExpr(*known, context)
                            : value.kind == Value::Kind::Runtime && value.shape().empty()
                                ? e.symbolicOf(value)
                                : mlir::AffineExpr();
    expr = expr ? expr.replaceSymbols({mlir::getAffineDimExpr(0, context)}) : expr;
    if (!expr || !expr.isPureAffine()) {
      e.error(diag::address_invalid, coord->range,
              "use `lane`, constants, `+`, `-`, and `*`, `//`, `%` by constants",
              source.operand.name, "has a coordinate that is not affine in `lane`");
      break;
    }
    coords.push_back(expr);
  }
  e.popScope();
  block.dropAllReferences();
  return coords.size() == rank ? mlir::AffineMap::get(1, 0, coords, context) : mlir::AffineMap();
}

/// Each lane's row lies in the operand, and together they are all of it; lanes may repeat a row.
bool InstrBuilder::covers(const ast::InstrAddress &source, const instr::Operand &operand) {
  std::vector<bool> seen(operand.elements(), false);
  for (int64_t lane = 0; lane < std::max<int64_t>(result.threads, 1); ++lane) {
    llvm::SmallVector<int64_t> coords;
    std::string text;
    bool inside = true;
    mlir::AffineExpr at = mlir::getAffineConstantExpr(lane, &e.instance.context);
    for (auto [axis, expr] : llvm::enumerate(operand.address.getResults())) {
      auto known = llvm::dyn_cast<mlir::AffineConstantExpr>(expr.replaceDims({at}));
      int64_t coord = known ? known.getValue() : -1;
      int64_t length = axis + 1 == operand.shape.size() ? operand.rows : 1;
      inside &= coord >= 0 && coord <= operand.shape[axis] - length;
      coords.push_back(coord);
      text += (text.empty() ? "[" : ", ") + std::to_string(coord);
    }
    if (!inside) {
      e.error(diag::address_outside, source.range,
              "the row has " + std::to_string(operand.rows) + " elements along the last axis",
              operand.name, lane, text + "]");
      return false;
    }
    for (int64_t i = 0; i < operand.rows; ++i) {
      int64_t position = 0;
      for (size_t axis = operand.shape.size(); axis-- > 0;) {
        int64_t coord = coords[axis] + (axis + 1 == operand.shape.size() ? i : 0);
        position = position * operand.shape[axis] + coord;
      }
      seen[position] = true;
    }
  }
  auto gap = llvm::find(seen, false);
  if (gap != seen.end()) {
    e.error(diag::address_gap, source.range, "address every row of the operand by some lane",
            operand.name, elementText(gap - seen.begin(), operand.shape));
    return false;
  }
  return true;
}

bool InstrBuilder::address(const ast::InstrAddress &source) {
  instr::Operand *operand = findOperand(source.operand.name);
  if (!operand) {
    return false; // reported by checkInstrText
  }
  operand->address = addressMap(source, operand->shape.size());
  return operand->address && covers(source, *operand);
}

std::optional<instr::Instruction> InstrBuilder::run() {
  describe();
  if (!whereHolds()) {
    return std::nullopt;
  }
  bool ok = true;
  for (auto [i, source] : llvm::enumerate(decl.operands)) {
    ok &= operand(source, i);
  }
  for (const ast::InstrAddress &source : decl.addresses) {
    ok = ok && address(source);
  }
  if (!ok) {
    return std::nullopt;
  }
  mlir::Operation *known = module.lookupSymbol(result.symbol);
  if (llvm::isa_and_nonnull<tile::InstrOp>(known)) {
    result.op = known;
    return result;
  }
  mlir::Block *block = nullptr;
  mlir::Operation *op = createOp(block);
  if (!body(*block) || !orderHolds(op->getRegion(0))) {
    op->erase();
    return std::nullopt;
  }
  result.op = op;
  return result;
}

std::optional<instr::Instruction> buildInstr(ModuleSet &modules, const Module &owner,
                                             const ast::Instr &decl,
                                             const ConstantValues &constants,
                                             mlir::ModuleOp module) {
  DiagnosticEngine &engine = modules.getEngine();
  DiagnosticParams params;
  for (const auto &[name, value] : constants) {
    params.emplace_back(name.str(), value.spelling());
  }
  engine.setParams(params);
  std::optional<instr::Instruction> result =
      InstrBuilder(modules, owner, decl, constants, module).run();
  engine.setParams({});
  return result;
}

} // namespace tessera::sema
