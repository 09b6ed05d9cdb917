// dims, operands, uses, source, kind, name, reduced, shape: what an op is made of, for functions that serve kernels which they
// were not written for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/Dims.h"
#include "tessera/Schedule/Primitive.h"
#include "tessera/Schedule/ScheduleHost.h"

#include "mlir/IR/AffineExpr.h"

using namespace tessera;
using namespace tessera::schedule;
using script::Fact;
using script::FactPtr;
using script::ValueKind;

//===-- Lists ------------------------------------------------------------------------------------------------------===//

static llvm::Expected<Value> runDims(PrimitiveContext &context, const HostCall &call) {
  llvm::Expected<mlir::Operation *> op = context.op(call.arg("op"));
  if (!op) {
    return op.takeError();
  }
  std::vector<Value> dims;
  for (const tile::IterDim &dim : dimsOf(*op)) {
    dims.push_back(context.dimCursor(*op, dim.name));
  }
  return Value::list(std::move(dims));
}

static llvm::Expected<Value> runReduced(PrimitiveContext &context, const HostCall &call) {
  llvm::Expected<mlir::Operation *> op = context.op(call.arg("op"));
  if (!op) {
    return op.takeError();
  }
  std::vector<Value> dims;
  for (const tile::IterDim &dim : dimsOf(*op)) {
    if (dim.kind != tile::IterKind::parallel) {
      dims.push_back(context.dimCursor(*op, dim.name));
    }
  }
  return Value::list(std::move(dims));
}

static llvm::Expected<Value> runOperands(PrimitiveContext &context, const HostCall &call) {
  llvm::Expected<mlir::Operation *> op = context.op(call.arg("op"));
  if (!op) {
    return op.takeError();
  }
  std::vector<Value> operands;
  for (unsigned i = 0; i < (*op)->getNumOperands(); ++i) {
    if (llvm::isa<mlir::RankedTensorType>((*op)->getOperand(i).getType())) {
      operands.push_back(context.operandCursor(*op, i));
    }
  }
  return Value::list(std::move(operands));
}

static llvm::Expected<Value> runUses(PrimitiveContext &context, const HostCall &call) {
  llvm::Expected<mlir::Operation *> op = context.op(call.arg("op"));
  if (!op) {
    return op.takeError();
  }
  std::vector<std::pair<mlir::Operation *, unsigned>> uses;
  for (mlir::OpOperand &use : (*op)->getUses()) {
    if (llvm::isa<mlir::RankedTensorType>(use.get().getType())) {
      uses.push_back({use.getOwner(), use.getOperandNumber()});
    }
  }
  // The last use comes first in the list of a value.
  std::reverse(uses.begin(), uses.end());
  std::vector<Value> operands;
  for (auto [user, number] : uses) {
    operands.push_back(context.operandCursor(user, number));
  }
  return Value::list(std::move(operands));
}

//===-- Words ------------------------------------------------------------------------------------------------------===//

static llvm::Expected<Value> runSource(PrimitiveContext &context, const HostCall &call) {
  llvm::Expected<Site> site = context.resolve(call.arg("x"));
  if (!site) {
    return site.takeError();
  }
  mlir::Value value = site->op->getOperand(site->operand);
  // What only moves elements is looked through.
  while (auto *op = value.getDefiningOp()) {
    bool moves = llvm::isa<tile::BroadcastOp, tile::ExpandOp, tile::FlipOp, tile::PermuteOp,
                           tile::ReshapeOp, tile::SliceOp, tile::SqueezeOp>(op);
    if (!moves) {
      return context.cursor(op);
    }
    value = op->getOperand(0);
  }
  return context.cursor(llvm::cast<mlir::BlockArgument>(value).getOwner()->getParentOp());
}

static llvm::Expected<Value> runKind(PrimitiveContext &context, const HostCall &call) {
  llvm::Expected<mlir::Operation *> op = context.op(call.arg("op"));
  if (!op) {
    return op.takeError();
  }
  return Value::string((*op)->getName().stripDialect());
}

static llvm::Expected<Value> runName(PrimitiveContext &context, const HostCall &call) {
  llvm::Expected<Site> site = context.resolve(call.arg("c"));
  if (!site) {
    return site.takeError();
  }
  bool isDim = site->kind == ValueKind::Dim || site->kind == ValueKind::Factor;
  if (isDim) {
    return Value::name(context.dimName(site->op, site->dim));
  }
  if (auto kernel = llvm::dyn_cast_or_null<tile::KernelOp>(site->op)) {
    return Value::name(kernel.getSymName());
  }
  bool isLoop = llvm::isa_and_nonnull<tile::ForOp, tile::ParOp>(site->op);
  if (isLoop) {
    return Value::name(SymbolicValues::sourceName(site->op->getRegion(0).getArgument(0)));
  }
  return Value::name(site->op ? SymbolicValues::sourceName(site->op) : "");
}

//===-- Extents of arrays ------------------------------------------------------------------------------------------===//

static FactPtr binary(script::BinaryOp op, FactPtr lhs, FactPtr rhs) {
  auto made = std::make_shared<Fact>();
  made->kind = Fact::Kind::Binary;
  made->binary = op;
  made->size = lhs->size + rhs->size + 1;
  made->lhs = std::move(lhs);
  made->rhs = std::move(rhs);
  return made;
}

/// An extent as the kernel's head has it: `2 * H`.
static FactPtr factOf(PrimitiveContext &context, tile::KernelOp kernel, mlir::AffineExpr map) {
  if (auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(map)) {
    return script::asFact(Value::integer(constant.getValue()));
  }
  if (auto symbol = llvm::dyn_cast<mlir::AffineSymbolExpr>(map)) {
    std::string name = kernel.getArgName(symbol.getPosition()).str();
    return context.host.getFacts().leaf({Leaf::Kind::Extent, name}, name).getFactPtr();
  }
  auto parts = llvm::cast<mlir::AffineBinaryOpExpr>(map);
  FactPtr lhs = factOf(context, kernel, parts.getLHS());
  FactPtr rhs = factOf(context, kernel, parts.getRHS());
  auto one = [] { return script::asFact(Value::integer(1)); };
  switch (map.getKind()) {
  case mlir::AffineExprKind::Add:
    return binary(script::BinaryOp::Add, lhs, rhs);
  case mlir::AffineExprKind::Mul:
    return binary(script::BinaryOp::Mul, lhs, rhs);
  case mlir::AffineExprKind::FloorDiv:
    return binary(script::BinaryOp::FloorDiv, lhs, rhs);
  case mlir::AffineExprKind::CeilDiv:
    lhs = binary(script::BinaryOp::Sub, binary(script::BinaryOp::Add, lhs, rhs), one());
    return binary(script::BinaryOp::FloorDiv, lhs, rhs);
  default:
    return binary(script::BinaryOp::Mod, lhs, rhs);
  }
}

static llvm::Expected<Value> runShape(PrimitiveContext &context, const HostCall &call) {
  const std::string &name = *call.arg("view").getName();
  tile::KernelOp kernel = context.kernel();
  int64_t index = kernel.findArgument(name);
  if (index < 0 || !llvm::isa<tile::ViewType>(kernel.getArgType(index))) {
    return context.refuse("shape_view", "the kernel has no view `" + name + "`",
                          "give the name of an array argument");
  }
  // The head of a kernel names the extents of all its views.
  mlir::AffineMap map = kernel.getShapeMap(index);
  std::vector<Value> extents;
  for (mlir::AffineExpr extent : map.getResults()) {
    auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(extent);
    extents.push_back(constant ? Value::integer(constant.getValue())
                               : Value::fact(factOf(context, kernel, extent)));
  }
  return Value::list(std::move(extents));
}

//===-- Calls ------------------------------------------------------------------------------------------------------===//

void schedule::addParts(PrimitiveRegistry &registry) {
  auto add = [&](const char *name, script::Parameter param, const char *result, const char *doc,
                 llvm::Expected<Value> (*run)(PrimitiveContext &, const HostCall &)) {
    script::Signature signature;
    signature.name = name;
    signature.params = {std::move(param)};
    signature.isPure = true;
    signature.group = "Inspection";
    signature.result = result;
    signature.doc = doc;
    registry.add({std::move(signature), run});
  };
  add("dims", parameter("op", ValueKind::Op), "list", "Dims of an op, in its order.", runDims);
  add("reduced", parameter("op", ValueKind::Op), "list",
      "Those dims of an op along which it reduces or scans.", runReduced);
  add("operands", parameter("op", ValueKind::Op), "list", "Operands of an op that are tiles.",
      runOperands);
  add("uses", parameter("op", ValueKind::Op), "list",
      "Operands of other ops that are the tile which an op makes.", runUses);
  add("source", parameter("x", ValueKind::Operand), "op",
      "The op that makes the elements of an operand, behind ops that only move them (`permute`, "
      "`broadcast`, …). Of a carried value it is the loop.",
      runSource);
  add("kind", parameter("op", ValueKind::Op), "string",
      "What an op is, as a string: \"mma\", \"load\", \"reduce\", \"for\".", runKind);
  add("name", parameter("c", ValueKind::Cursor), "name",
      "How the source calls a dim, the step of a loop, a kernel or the variable that an op makes; "
      "empty where it has no name.",
      runName);
  add("shape", parameter("view", ValueKind::Name), "list",
      "Extents of the axes of an array: numbers, or terms for facts, as in `shape(x)[1] % 8 == 0`.",
      runShape);
}
