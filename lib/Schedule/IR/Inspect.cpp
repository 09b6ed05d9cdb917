// Looking: what scripts may ask of a kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Schedule/Dims.h"
#include "tessera/Schedule/ScheduleHost.h"

#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::StringRef;
using script::ValueKind;

using Run = llvm::Expected<Value> (*)(PrimitiveContext &, const HostCall &);

/// Trips of a loop as an integer, or nothing.
static std::optional<int64_t> constantTrips(PrimitiveContext &context, mlir::Operation *loop,
                                            unsigned axis) {
  solver::Axis steps = context.values().axis(loop, axis);
  std::optional<solver::Int> trips = (steps.hi - steps.lo).constant();
  return trips ? std::optional<int64_t>(static_cast<int64_t>(*trips)) : std::nullopt;
}

static llvm::Expected<Value> runExtent(PrimitiveContext &context, const HostCall &call) {
  llvm::Expected<Site> site = context.resolve(call.arg("d"));
  if (!site) {
    return site.takeError();
  }
  if (site->kind == ValueKind::Factor) {
    return Value::integer(context.factors(site->op, site->dim)[site->factor].steps);
  }
  if (site->kind == ValueKind::Dim) {
    if (std::optional<unsigned> dim = findDim(site->op, site->dim)) {
      return Value::integer(dimsOf(site->op)[*dim].extent);
    }
  }
  bool isLoop = site->op && llvm::isa<tile::ForOp, tile::ParOp>(site->op);
  if (isLoop) {
    if (std::optional<int64_t> trips = constantTrips(context, site->op, 0)) {
      return Value::integer(*trips);
    }
    return context.refuse("extent_unknown",
                          "the number of steps of `" + site->text + "` is no constant",
                          "ask `is_const` before", {{site->op, "it runs here"}});
  }
  return context.refuse("extent_kind", "`" + call.arg("d").str() + "` has no extent",
                        "give a dim, a factor or a loop");
}

static llvm::Expected<Value> runIsConst(PrimitiveContext &context, const HostCall &call) {
  const Value &value = call.arg("x");
  if (value.getInteger() || value.getBoolean()) {
    return Value::boolean(true);
  }
  if (!value.getCursor()) {
    return Value::boolean(false);
  }
  llvm::Expected<Site> site = context.resolve(value);
  if (!site) {
    return site.takeError();
  }
  bool isLoop = site->op && llvm::isa<tile::ForOp, tile::ParOp>(site->op);
  bool isDim = site->kind == ValueKind::Factor ||
               (site->kind == ValueKind::Dim && findDim(site->op, site->dim));
  return Value::boolean(isDim || (isLoop && constantTrips(context, site->op, 0)));
}

static llvm::Expected<Value> runProvable(PrimitiveContext &context, const HostCall &call) {
  llvm::Expected<solver::Expr> condition = context.condition(call.arg("fact"), context.kernel());
  if (!condition) {
    return condition.takeError();
  }
  solver::Obligation obligation{call.arg("fact").str(), {}, *condition};
  return Value::boolean(context.ask(std::move(obligation), context.kernel()).proved());
}

/// Names of the memory that the ops of a cursor touch, each once, in order.
static llvm::Expected<Value> touched(PrimitiveContext &context, const HostCall &call, bool reads) {
  llvm::Expected<llvm::SmallVector<mlir::Operation *>> ops = context.ops(call.arg("c"));
  if (!ops) {
    return ops.takeError();
  }
  std::vector<std::string> names;
  for (mlir::Operation *op : *ops) {
    op->walk([&](tile::TileIterOpInterface points) {
      for (const tile::Window &window : points.getWindows()) {
        bool fits =
            window.kind == tile::Window::atomic || (window.kind == tile::Window::read) == reads;
        mlir::BlockArgument root = rootView(window.view);
        std::string name =
            root ? SymbolicValues::sourceName(root) : SymbolicValues::sourceName(window.view);
        if (fits && !llvm::is_contained(names, name)) {
          names.push_back(name);
        }
      }
    });
  }
  std::vector<Value> values;
  for (const std::string &name : names) {
    values.push_back(Value::name(name));
  }
  return Value::list(std::move(values));
}

static llvm::Expected<Value> runReads(PrimitiveContext &context, const HostCall &call) {
  return touched(context, call, /*reads=*/true);
}
static llvm::Expected<Value> runWrites(PrimitiveContext &context, const HostCall &call) {
  return touched(context, call, /*reads=*/false);
}

const char *schedule::classOf(tile::IterKind kind) {
  switch (kind) {
  case tile::IterKind::parallel:
  case tile::IterKind::exact:
    return "exact";
  case tile::IterKind::tree:
    return "tree";
  case tile::IterKind::any:
    return "any";
  case tile::IterKind::dot:
    return "dot";
  case tile::IterKind::scan:
    return "scan";
  }
  return "exact";
}

static llvm::Expected<Value> runClass(PrimitiveContext &context, const HostCall &call) {
  llvm::Expected<mlir::Operation *> op = context.op(call.arg("op"));
  if (!op) {
    return op.takeError();
  }
  // The class of an op is that of its reduction; it has at most one kind.
  const char *found = "exact";
  for (const tile::IterDim &dim : dimsOf(*op)) {
    if (dim.kind != tile::IterKind::parallel && dim.kind != tile::IterKind::exact) {
      found = schedule::classOf(dim.kind);
    }
  }
  return Value::name(found);
}

static llvm::Expected<tile::BufType> bufOf(PrimitiveContext &context, const Value &cursor) {
  llvm::Expected<tile::AllocOp> alloc = context.opOf<tile::AllocOp>(cursor, "a buf");
  if (!alloc) {
    return alloc.takeError();
  }
  return alloc->getResult().getType();
}

static llvm::Expected<Value> runHome(PrimitiveContext &context, const HostCall &call) {
  llvm::Expected<tile::BufType> type = bufOf(context, call.arg("b"));
  if (!type) {
    return type.takeError();
  }
  return Value::name(tile::stringifyStorage(type->getStorage()));
}

/// The type of the elements that a cursor speaks of.
static llvm::Expected<mlir::Type> elementOf(PrimitiveContext &context, const Value &cursor) {
  llvm::Expected<Site> site = context.resolve(cursor);
  if (!site) {
    return site.takeError();
  }
  mlir::Type type;
  if (site->kind == ValueKind::Operand) {
    type = site->op->getOperand(site->operand).getType();
  } else if (site->op && site->op->getNumResults()) {
    type = site->op->getResult(0).getType();
  } else if (site->op && llvm::isa<tile::StoreOp, tile::WriteOp>(site->op)) {
    type = site->op->getOperand(0).getType();
  }
  auto buf = llvm::dyn_cast_or_null<tile::BufType>(type);
  mlir::Type element = buf ? buf.getElementType() : type ? tile::elementTypeOf(type) : type;
  if (!element) {
    return context.refuse("dtype_kind", "`" + site->text + "` has no elements",
                          "give a buf, an operand or an op with a result");
  }
  return element;
}

static llvm::Expected<Value> runDtype(PrimitiveContext &context, const HostCall &call) {
  llvm::Expected<mlir::Type> element = elementOf(context, call.arg("b"));
  if (!element) {
    return element.takeError();
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  element->print(os);
  return Value::name(text);
}

static llvm::Expected<Value> runBytes(PrimitiveContext &context, const HostCall &call) {
  llvm::Expected<mlir::Type> element = elementOf(context, call.arg("b"));
  if (!element) {
    return element.takeError();
  }
  return Value::integer((element->getIntOrFloatBitWidth() + 7) / 8);
}

static llvm::Expected<Value> runAligned(PrimitiveContext &context, const HostCall &call) {
  StringRef name = *call.arg("view").getName();
  int64_t bytes = *call.arg("bytes").getInteger();
  tile::KernelOp kernel = context.kernel();
  int64_t index = kernel.findArgument(name);
  if (index < 0 || !llvm::isa<tile::ViewType>(kernel.getArgType(index))) {
    return context.refuse("aligned_view", "the kernel has no view `" + name + "`",
                          "give the name of an array argument");
  }
  if (bytes < 1 || (bytes & (bytes - 1))) {
    return context.refuse("aligned_bytes", llvm::Twine(bytes) + " bytes are no power of two",
                          "16 is what the widest access needs");
  }
  std::string text = ("aligned(" + name + ", " + llvm::Twine(bytes) + ")").str();
  return context.host.getFacts().leaf({Leaf::Kind::Aligned, name.str(), bytes}, text);
}

static llvm::Expected<Value> runBankDegree(PrimitiveContext &context, const HostCall &call) {
  llvm::Expected<tile::BufType> type = bufOf(context, call.arg("b"));
  if (!type) {
    return type.takeError();
  }
  Leaf leaf{Leaf::Kind::Layout, "bank_degree", 0, call.arg("b").getCursor()->id};
  return context.host.getFacts().leaf(leaf, "bank_degree(" + call.arg("b").str() + ")");
}

static void add(PrimitiveRegistry &registry, const char *name,
                std::vector<script::Parameter> params, const char *result, const char *doc,
                Run run) {
  script::Signature signature;
  signature.name = name;
  signature.params = std::move(params);
  signature.isPure = true;
  signature.group = "Inspection";
  signature.result = result;
  signature.doc = doc;
  registry.add({std::move(signature), run});
}

void schedule::addInspections(PrimitiveRegistry &registry) {
  add(registry, "extent", {parameter("d", ValueKind::Cursor)}, "int",
      "Points of a dim, steps of a factor or of a loop with constant bounds.", runExtent);
  add(registry, "is_const", {parameter("x", ValueKind::Any)}, "bool",
      "Whether a number, the extent of a dim or the number of steps of a loop is a constant.",
      runIsConst);
  add(registry, "provable", {parameter("fact", ValueKind::Fact)}, "bool",
      "Whether the fact follows from what is known of the kernel; false where nobody knows.",
      runProvable);
  add(registry, "reads", {parameter("c", ValueKind::Cursor)}, "list",
      "Names of the arrays and bufs that are read.", runReads);
  add(registry, "writes", {parameter("c", ValueKind::Cursor)}, "list",
      "Names of the arrays and bufs that are written.", runWrites);
  add(registry, "class", {parameter("op", ValueKind::Op)}, "name",
      "The numeric class that the source gives an op: `exact`, `tree`, `any`, `dot` or `scan`.",
      runClass);
  add(registry, "home", {parameter("b", ValueKind::Buf)}, "name", "Where a buf lies.", runHome);
  add(registry, "dtype", {parameter("b", ValueKind::Cursor)}, "name",
      "The element type of a buf, an operand or a result.", runDtype);
  add(registry, "bytes", {parameter("b", ValueKind::Cursor)}, "int",
      "Bytes of an element of a buf, an operand or a result.", runBytes);
  add(registry, "aligned", {parameter("view", ValueKind::Name), parameter("bytes", ValueKind::Int)},
      "fact",
      "That the last axis of an array has step 1, and that its base address and all other strides "
      "are multiples of so many bytes.",
      runAligned);
  add(registry, "bank_degree", {parameter("b", ValueKind::Buf)}, "fact",
      "How many lanes of an access meet in one bank, at worst; known once layouts are.",
      runBankDegree);
}
