// What primitives see of a call: cursors, factors, layouts. Conditions are in Conditions.cpp.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/Dims.h"
#include "tessera/Schedule/ScheduleHost.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::StringRef;
using script::ValueKind;

script::Parameter schedule::parameter(StringRef name, ValueKind kind, std::optional<Value> fallback,
                                      std::vector<std::string> words, bool isVariadic) {
  return {name.str(), kind, std::move(fallback), std::move(words), isVariadic};
}

llvm::Expected<tile::InstrOp> EmptyInstructionTable::declare(StringRef name,
                                                             const std::map<std::string, int64_t> &,
                                                             mlir::ModuleOp) const {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "no instruction is declared, so there is no `" + name + "`");
}

//===-- The kernel -------------------------------------------------------------------------------------------------===//

tile::KernelOp PrimitiveContext::kernel() {
  llvm::Expected<tile::KernelOp> found = host.kernelOf(call);
  if (found) {
    return *found;
  }
  // Every editing call was asked for its kernel before; one that looks may stand before several. The original, which
  // comes last, knows the least.
  llvm::consumeError(found.takeError());
  return host.kernels().back();
}

llvm::SmallVector<tile::KernelOp> PrimitiveContext::kernels() { return host.kernels(); }

mlir::Operation *PrimitiveContext::scope() {
  llvm::Expected<Site> site = host.table.resolve(call.scope);
  if (site && site->op) {
    return site->op;
  }
  if (!site) {
    llvm::consumeError(site.takeError());
  }
  return kernel();
}

mlir::ModuleOp PrimitiveContext::module() { return *host.module; }
mlir::MLIRContext *PrimitiveContext::mlir() { return host.module->getContext(); }
mlir::RewriterBase &PrimitiveContext::rewriter() { return *host.edits; }
const TargetRecord &PrimitiveContext::target() { return host.options.target; }
const InstructionTable &PrimitiveContext::instructions() { return *host.options.instructions; }
solver::ExprContext &PrimitiveContext::terms() { return host.terms; }
solver::Solver &PrimitiveContext::solver() { return *host.prover; }
SymbolicValues &PrimitiveContext::values() { return host.symbols; }
bool PrimitiveContext::trusted() { return !host.reasons.empty(); }

//===-- Cursors ----------------------------------------------------------------------------------------------------===//

llvm::Expected<Site> PrimitiveContext::resolve(const Value &cursor) {
  return host.table.resolve(cursor);
}

llvm::Expected<mlir::Operation *> PrimitiveContext::op(const Value &cursor) {
  llvm::Expected<Site> site = host.table.resolve(cursor);
  if (!site) {
    return site.takeError();
  }
  bool isOne = site->op && (site->kind != ValueKind::Ops || site->ops.size() == 1);
  if (isOne && site->kind != ValueKind::Gap && site->kind != ValueKind::Block) {
    return site->op;
  }
  return refuse("one_op", "`" + site->text + "` is not one op", "give the cursor of a single op");
}

llvm::Error PrimitiveContext::wrongOp(const Value &cursor, mlir::Operation *found,
                                      const char *what) {
  return refuse("op_kind",
                "`" + cursor.str() + "` is `" + found->getName().getStringRef() + "`, expected " +
                    what,
                "`print` shows what a cursor stands for", {{found, "it stands here"}});
}

llvm::Expected<Site> PrimitiveContext::dim(const Value &cursor) {
  llvm::Expected<Site> site = host.table.resolve(cursor);
  if (!site) {
    return site.takeError();
  }
  if (site->kind == ValueKind::Factor) {
    return site;
  }
  if (site->kind != ValueKind::Dim) {
    return refuse("dim_kind", "`" + cursor.str() + "` is no dim",
                  "write `x.m`, where `x` is an op");
  }
  size_t count = factors(site->op, site->dim).size();
  if (count <= 1) {
    site->kind = count ? ValueKind::Factor : ValueKind::Dim;
    return site;
  }
  auto error = std::make_unique<HostError>(HostError::Kind::Ambiguous, cursor.str());
  error->cursor = cursor.str();
  for (unsigned i = 0; i < count; ++i) {
    error->candidates.push_back(factorCursor(site->op, site->dim, i).str());
  }
  error->help = "use what `split` returned";
  return llvm::Error(std::move(error));
}

/// Whether `a` comes before `b` in the text of the program.
static bool isBefore(mlir::Operation *a, mlir::Operation *b) {
  auto path = [](mlir::Operation *op) {
    llvm::SmallVector<mlir::Operation *> path;
    for (; op; op = op->getParentOp()) {
      path.push_back(op);
    }
    std::reverse(path.begin(), path.end());
    return path;
  };
  auto pathA = path(a), pathB = path(b);
  size_t common = 0;
  while (common < pathA.size() && common < pathB.size() && pathA[common] == pathB[common]) {
    ++common;
  }
  if (common == pathA.size() || common == pathB.size()) {
    return pathA.size() < pathB.size();
  }
  mlir::Operation *x = pathA[common], *y = pathB[common];
  if (x->getBlock() == y->getBlock()) {
    return x->isBeforeInBlock(y);
  }
  return x->getParentRegion()->getRegionNumber() < y->getParentRegion()->getRegionNumber();
}

llvm::Expected<llvm::SmallVector<mlir::Operation *>> PrimitiveContext::ops(const Value &cursors) {
  llvm::SmallVector<mlir::Operation *> found;
  llvm::SmallVector<Value> open{cursors};
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (const auto *elements = value.getList()) {
      open.append(elements->begin(), elements->end());
      continue;
    }
    llvm::Expected<Site> site = host.table.resolve(value);
    if (!site) {
      return site.takeError();
    }
    bool isSet = site->kind == ValueKind::Ops || site->kind == ValueKind::Block;
    if (!isSet && !site->op) {
      return refuse("op_kind", "`" + value.str() + "` is no op", "give cursors of ops");
    }
    for (mlir::Operation *op : isSet ? site->ops : llvm::SmallVector<mlir::Operation *>{site->op}) {
      if (!llvm::is_contained(found, op)) {
        found.push_back(op);
      }
    }
  }
  llvm::sort(found, isBefore);
  return found;
}

llvm::Error PrimitiveContext::insertAt(const Value &gap) {
  llvm::Expected<Site> site = host.table.resolve(gap);
  if (!site) {
    return site.takeError();
  }
  if (site->kind != ValueKind::Gap) {
    return refuse("gap_kind", "`" + gap.str() + "` is no gap between statements",
                  "write `c.before` or `c.after`");
  }
  mlir::RewriterBase &builder = rewriter();
  if (!site->op) {
    mlir::Block *block = site->block;
    bool hasEnd = !block->empty() && block->back().hasTrait<mlir::OpTrait::IsTerminator>();
    hasEnd ? builder.setInsertionPoint(&block->back()) : builder.setInsertionPointToEnd(block);
  } else if (site->isBefore) {
    builder.setInsertionPoint(site->op);
  } else {
    builder.setInsertionPointAfter(site->op);
  }
  return llvm::Error::success();
}

Value PrimitiveContext::cursor(mlir::Operation *op, ValueKind kind, StringRef text) {
  bool isLoop = llvm::isa<tile::ForOp, tile::ParOp, tile::TasksOp, tile::GridOp>(op);
  return host.table.op(op, kind == ValueKind::Op && isLoop ? ValueKind::Loop : kind, text);
}
Value PrimitiveContext::factorCursor(mlir::Operation *op, StringRef dim, unsigned position) {
  return host.table.factor(op, dim, position);
}
Value PrimitiveContext::dimCursor(mlir::Operation *op, StringRef dim) {
  return host.table.dim(op, dim);
}
Value PrimitiveContext::operandCursor(mlir::Operation *op, unsigned index) {
  return host.table.operand(op, index);
}
Value PrimitiveContext::gapCursor(mlir::Operation *anchor, bool isBefore) {
  return host.table.gap(anchor, isBefore);
}
Value PrimitiveContext::opsCursor(llvm::ArrayRef<mlir::Operation *> ops, StringRef text) {
  return host.table.ops(ops, text);
}
std::string PrimitiveContext::text(mlir::Operation *op) {
  return host.table.op(op, ValueKind::Op).str();
}
std::string PrimitiveContext::dimName(mlir::Operation *op, StringRef dim) {
  std::optional<unsigned> at = findDim(op, dim);
  return at ? dimNames(op)[*at] : dim.str();
}

void PrimitiveContext::derive(mlir::Operation *heir, mlir::Operation *from, StringRef role) {
  host.table.derive(heir, from, role);
}

//===-- tile.iter --------------------------------------------------------------------------------------------------===//

tile::IterAttr PrimitiveContext::iter(mlir::Operation *op) {
  auto iter = op->getAttrOfType<tile::IterAttr>(tile::iterAttrName);
  return iter ? iter : tile::IterAttr::getEmpty(op->getContext());
}

llvm::SmallVector<tile::IterFactor> PrimitiveContext::factors(mlir::Operation *op, StringRef dim) {
  return iter(op).getFactors(dim);
}

static void writeIter(mlir::RewriterBase &rewriter, mlir::Operation *op, tile::IterAttr iter) {
  rewriter.modifyOpInPlace(op, [&] {
    if (iter.getDims().empty()) {
      op->removeAttr(tile::iterAttrName);
    } else {
      op->setAttr(tile::iterAttrName, iter);
    }
  });
}

/// A dim that is new stands where the op has it, so that the nesting does not hang on the order of the script.
static tile::IterAttr withDim(tile::IterAttr iter, mlir::Operation *op, StringRef dim,
                              llvm::ArrayRef<tile::IterFactor> factors) {
  if (iter.has(dim) || factors.empty()) {
    return iter.withFactors(dim, factors);
  }
  std::optional<unsigned> own = findDim(op, dim);
  tile::IterAttr next = tile::IterAttr::getEmpty(op->getContext());
  for (mlir::StringAttr other : iter.getDims()) {
    if (!next.has(dim) && own < findDim(op, other.getValue())) {
      next = next.withFactors(dim, factors);
    }
    next = next.withFactors(other.getValue(), iter.getFactors(other.getValue()));
  }
  return next.withFactors(dim, factors);
}

void PrimitiveContext::setFactors(mlir::Operation *op, StringRef dim,
                                  llvm::ArrayRef<tile::IterFactor> factors,
                                  llvm::ArrayRef<int> kept) {
  // Old factors get their numbers before they are gone.
  (void)host.table.factor(op, dim, 0);
  writeIter(rewriter(), op, withDim(iter(op), op, dim, factors));
  host.table.factorsChanged(op, dim, kept);
}

void PrimitiveContext::splitFactor(mlir::Operation *op, StringRef dim, unsigned position,
                                   llvm::ArrayRef<tile::IterFactor> parts,
                                   llvm::ArrayRef<StringRef> roles) {
  llvm::SmallVector<tile::IterFactor> now = factors(op, dim), next;
  bool isNew = now.empty();
  // The whole dim, where it has no factors yet, lives on: it has parts, it is not replaced by them.
  Value from = isNew ? dimCursor(op, dim) : factorCursor(op, dim, position);
  llvm::SmallVector<int> kept;
  for (unsigned i = 0; i < std::max<size_t>(now.size(), 1); ++i) {
    if (i == position) {
      next.append(parts.begin(), parts.end());
      kept.append(parts.size(), -1);
    } else {
      next.push_back(now[i]);
      kept.push_back(i);
    }
  }
  setFactors(op, dim, next, kept);
  for (auto [i, role] : llvm::enumerate(roles)) {
    host.table.nameFactor(op, dim, position + i, from, role, /*inherits=*/!isNew);
  }
}

void PrimitiveContext::setIter(mlir::Operation *op, tile::IterAttr next) {
  tile::IterAttr now = iter(op);
  for (mlir::StringAttr dim : now.getDims()) {
    if (now.getFactors(dim.getValue()) != next.getFactors(dim.getValue())) {
      setFactors(op, dim.getValue(), {}, {});
    }
  }
  writeIter(rewriter(), op, next);
}

//===-- Layouts and instructions -----------------------------------------------------------------------------------===//

llvm::Expected<Layout> PrimitiveContext::layout(const Value &layout, tile::BufType type) {
  const script::LayoutHandle *handle = layout.getLayout();
  if (!handle || handle->id >= host.layouts.size()) {
    return refuse("layout_kind", layout.describe() + " is no layout",
                  "write `row_major`, `xor16(8)`, `sw128` or `layout(\"(128,32):(32,1)\")`");
  }
  llvm::Expected<Layout> made = host.layouts[handle->id].make(type);
  if (!made) {
    return refuse("layout_fit",
                  "`" + handle->text +
                      "` does not fit the buf: " + llvm::toString(made.takeError()),
                  "choose a layout for its shape and element type");
  }
  return made;
}

llvm::Expected<tile::InstrOp> PrimitiveContext::instruction(const Value &name) {
  std::string text = name.str();
  auto [symbol, rest] = StringRef(text).split('(');
  std::map<std::string, int64_t> constants;
  std::vector<std::string> parameters = instructions().parameters(symbol);
  if (!instructions().knows(symbol)) {
    return refuse("instruction_unknown", "there is no instruction `" + symbol + "`",
                  "declare it with `instr`, or import the file that does");
  }
  llvm::SmallVector<StringRef> values;
  rest.rtrim(')').split(values, ',', -1, /*KeepEmpty=*/false);
  if (values.size() != parameters.size()) {
    return refuse("instruction_constants",
                  "`" + symbol + "` has " + llvm::Twine(parameters.size()) +
                      " constants, found values for " + llvm::Twine(values.size()),
                  "write `" + symbol + "(…)` with a value for each");
  }
  for (auto [parameter, value] : llvm::zip(parameters, values)) {
    if (value.trim().getAsInteger(10, constants[parameter])) {
      return refuse("instruction_constants", "`" + value.trim() + "` is no integer",
                    "give integers for the constants of `" + symbol + "`");
    }
  }
  std::string arch = instructions().arch(symbol);
  if (!target().supports(arch)) {
    return refuse("instruction_target",
                  "`" + symbol + "` needs " + arch + ", the schedule is for " + target().arch,
                  "choose an instruction of the target");
  }
  llvm::Expected<tile::InstrOp> made = instructions().declare(symbol, constants, module());
  if (!made) {
    return refuse("instruction_constants", llvm::toString(made.takeError()),
                  "see the declaration of `" + symbol + "`");
  }
  return made;
}
