// Finding ops by the names of the source: `loop(k)`, `load(a)`, `store(d)`, `def(acc)`, `call(st.push)`, `op(`…`)`.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/Dims.h"
#include "tessera/Schedule/ScheduleHost.h"

#include "llvm/ADT/StringExtras.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::StringRef;
using script::OpPattern;
using script::ValueKind;
using Ops = llvm::SmallVector<mlir::Operation *>;

/// Every op of the tile program inside `scope`; what the reference says is not scheduled.
static void walkScope(mlir::Operation *scope, llvm::function_ref<void(mlir::Operation *)> visit) {
  auto kernel = llvm::dyn_cast<tile::KernelOp>(scope);
  if (kernel && kernel.getBody().empty()) {
    return;
  }
  auto inner = [&](mlir::Operation *op) {
    if (op != scope) {
      visit(op);
    }
  };
  if (kernel) {
    kernel.getBody().walk<mlir::WalkOrder::PreOrder>(inner);
  } else {
    scope->walk<mlir::WalkOrder::PreOrder>(inner);
  }
}

/// One op, or the error: nothing of the name (what there is, is listed), or several (with their lines).
static llvm::Expected<Value> one(PrimitiveContext &context, const Ops &found, StringRef what,
                                 StringRef name, const std::vector<std::string> &known) {
  if (found.size() == 1) {
    return context.cursor(found.front());
  }
  std::string wanted = (what + "(" + name + ")").str();
  if (found.empty()) {
    auto error = std::make_unique<HostError>(HostError::Kind::NotFound,
                                             "there is no `" + wanted + "` in `" +
                                                 context.text(context.scope()) + "`");
    std::vector<std::string> names;
    for (const std::string &other : known) {
      if (!other.empty() && !llvm::is_contained(names, other)) {
        names.push_back(other);
      }
    }
    error->help = names.empty() ? "there are no such ops at all"
                                : "there are `" + llvm::join(names, "`, `") + "`";
    return llvm::Error(std::move(error));
  }
  auto error = std::make_unique<HostError>(HostError::Kind::Ambiguous, wanted);
  error->cursor = wanted;
  for (mlir::Operation *op : found) {
    error->candidates.push_back(context.host.nameWithLine(op));
    error->notes.push_back(context.host.noteAt(op, "one of them"));
  }
  error->help = "look inside of a loop, as in `loop(k)." + wanted + "`, or give a pattern to `op`";
  return llvm::Error(std::move(error));
}

//===-- By name ----------------------------------------------------------------------------------------------------===//

static llvm::Expected<Value> runLoop(PrimitiveContext &context, const HostCall &call) {
  StringRef name = *call.arg("name").getName();
  Ops found;
  std::vector<std::string> known;
  walkScope(context.scope(), [&](mlir::Operation *op) {
    if (!llvm::isa<tile::ForOp, tile::ParOp>(op)) {
      return;
    }
    known.push_back(SymbolicValues::sourceName(op->getRegion(0).front().getArgument(0)));
    if (known.back() == name) {
      found.push_back(op);
    }
  });
  return one(context, found, "loop", name, known);
}

static std::string rootName(mlir::Value view) {
  mlir::BlockArgument root = rootView(view);
  return root ? SymbolicValues::sourceName(root) : "";
}

/// Ops that read, or write, a part of a view of that name.
static llvm::Expected<Value> byView(PrimitiveContext &context, const HostCall &call, bool reads) {
  StringRef name = *call.arg("name").getName();
  Ops found;
  std::vector<std::string> known;
  walkScope(context.scope(), [&](mlir::Operation *op) {
    auto points = llvm::dyn_cast<tile::TileIterOpInterface>(op);
    if (!points) {
      return;
    }
    for (const tile::Window &window : points.getWindows()) {
      bool isView = llvm::isa<tile::ViewType>(window.view.getType());
      if (!isView || (window.kind == tile::Window::read) != reads) {
        continue;
      }
      known.push_back(rootName(window.view));
      if (known.back() == name) {
        found.push_back(op);
      }
    }
  });
  return one(context, found, reads ? "load" : "store", name, known);
}

static llvm::Expected<Value> runLoad(PrimitiveContext &context, const HostCall &call) {
  return byView(context, call, /*reads=*/true);
}
static llvm::Expected<Value> runStore(PrimitiveContext &context, const HostCall &call) {
  return byView(context, call, /*reads=*/false);
}

/// What a variable starts as before a loop is not what the script means by it.
static bool isOnlyInitial(mlir::Operation *op) {
  return !op->use_empty() && llvm::all_of(op->getUsers(), [&](mlir::Operation *user) {
    auto loop = llvm::dyn_cast<mlir::LoopLikeOpInterface>(user);
    return loop && llvm::all_of(op->getUses(), [&](mlir::OpOperand &use) {
             return use.getOwner() != user ||
                    llvm::is_contained(llvm::make_pointer_range(loop.getInitsMutable()), &use);
           });
  });
}

/// Whether `op` is made from `from` within its block: a later value of a variable from an earlier one.
static bool isMadeFrom(mlir::Operation *op, mlir::Operation *from) {
  llvm::SmallVector<mlir::Operation *> open{op};
  llvm::SmallPtrSet<mlir::Operation *, 16> seen;
  while (!open.empty()) {
    for (mlir::Value operand : open.pop_back_val()->getOperands()) {
      mlir::Operation *source = operand.getDefiningOp();
      if (source == from) {
        return true;
      }
      if (source && source->getBlock() == from->getBlock() && seen.insert(source).second) {
        open.push_back(source);
      }
    }
  }
  return false;
}

/// The op that makes a value; sections and instructions hand out what is made inside of them.
static mlir::Operation *makerOf(mlir::Value value) {
  mlir::Operation *maker = value.getDefiningOp();
  while (llvm::isa_and_nonnull<tile::SectionOp, tile::ApplyOp>(maker)) {
    unsigned number = llvm::cast<mlir::OpResult>(value).getResultNumber();
    value = maker->getRegion(0).front().getTerminator()->getOperand(number);
    maker = value.getDefiningOp();
  }
  return maker;
}

static llvm::Expected<Value> runDef(PrimitiveContext &context, const HostCall &call) {
  StringRef name = *call.arg("name").getName();
  Ops found;
  std::vector<std::string> known;
  auto add = [&](mlir::Operation *op) {
    if (op && !llvm::is_contained(found, op)) {
      found.push_back(op);
    }
  };
  mlir::Operation *scope = context.scope();
  walkScope(scope, [&](mlir::Operation *op) {
    std::string own = SymbolicValues::sourceName(op);
    bool isLoop = llvm::isa<mlir::LoopLikeOpInterface>(op);
    if (!own.empty() && !isLoop && op->getNumResults()) {
      known.push_back(own);
      if (own == name) {
        add(op);
      }
    }
  });
  // A carried variable is made by what the body yields for it.
  auto carried = [&](mlir::Operation *op) {
    auto loop = llvm::dyn_cast<tile::ForOp>(op);
    if (!loop) {
      return;
    }
    mlir::Operation *yield = loop.getBody().front().getTerminator();
    for (auto [argument, value] : llvm::zip(loop.getCarried(), yield->getOperands())) {
      std::string own = SymbolicValues::sourceName(argument);
      known.push_back(own);
      mlir::Operation *source = makerOf(value);
      bool isInner = source && llvm::isa<mlir::LoopLikeOpInterface>(source);
      if (own == name && source && !isInner) {
        add(source);
      }
    }
  };
  walkScope(scope, carried);
  carried(scope);
  if (found.size() > 1) {
    Ops made;
    llvm::copy_if(found, std::back_inserter(made),
                  [](mlir::Operation *op) { return !isOnlyInitial(op); });
    found = made.empty() ? found : made;
    // Of a variable that is assigned anew the last value is meant.
    Ops last;
    llvm::copy_if(found, std::back_inserter(last), [&](mlir::Operation *op) {
      return llvm::none_of(found, [&](mlir::Operation *later) {
        return later != op && later->getBlock() == op->getBlock() && isMadeFrom(later, op);
      });
    });
    found = last;
  }
  return one(context, found, "def", name, known);
}

/// Whether an op was inlined from a call that is written `path(…)`.
static bool isFromCall(const ScheduleHost &host, mlir::Location loc, StringRef path) {
  if (auto named = llvm::dyn_cast<mlir::NameLoc>(loc)) {
    return isFromCall(host, named.getChildLoc(), path);
  }
  auto site = llvm::dyn_cast<mlir::CallSiteLoc>(loc);
  if (!site) {
    return false;
  }
  std::string written = host.sourceText(site.getCaller());
  StringRef text =
      StringRef(written).take_until([](char c) { return c == '(' || c == '<'; }).rtrim();
  return text == path || isFromCall(host, site.getCaller(), path) ||
         isFromCall(host, site.getCallee(), path);
}

static llvm::Expected<Value> runCall(PrimitiveContext &context, const HostCall &call) {
  StringRef path = *call.arg("path").getName();
  Ops found;
  walkScope(context.scope(), [&](mlir::Operation *op) {
    if (isFromCall(context.host, op->getLoc(), path)) {
      found.push_back(op);
    }
  });
  if (!found.empty()) {
    return context.opsCursor(found, ("call " + path).str());
  }
  auto error = std::make_unique<HostError>(HostError::Kind::NotFound,
                                           "no op comes from a call `" + path + "(…)`");
  error->help = "write the callee as the kernel does; its source must be at hand";
  return llvm::Error(std::move(error));
}

//===-- By pattern -------------------------------------------------------------------------------------------------===//

static bool matches(mlir::Operation *op, const OpPattern &pattern);

static bool isConstant(mlir::Value value, int64_t number) {
  auto constant = value.getDefiningOp<tile::ConstantOp>();
  if (!constant) {
    return false;
  }
  if (auto integer = llvm::dyn_cast<mlir::IntegerAttr>(constant.getValue())) {
    return integer.getValue().getSExtValue() == number;
  }
  auto real = llvm::dyn_cast<mlir::FloatAttr>(constant.getValue());
  return real && real.getValueAsDouble() == static_cast<double>(number);
}

static bool matches(mlir::Value value, const OpPattern &pattern) {
  switch (pattern.kind) {
  case OpPattern::Kind::Any:
    return true;
  case OpPattern::Kind::Integer:
    return isConstant(value, pattern.integer);
  case OpPattern::Kind::Value: {
    std::string name = SymbolicValues::sourceName(value);
    bool isView = llvm::isa<tile::ViewType>(value.getType());
    return (isView ? rootName(value) : name) == pattern.name;
  }
  case OpPattern::Kind::Op:
    return value.getDefiningOp() && matches(value.getDefiningOp(), pattern);
  case OpPattern::Kind::Rest:
    break;
  }
  return false;
}

static bool matches(mlir::Operation *op, const OpPattern &pattern) {
  if (op->getName().stripDialect() != pattern.name) {
    return false;
  }
  bool isOpen = !pattern.operands.empty() && pattern.operands.back().kind == OpPattern::Kind::Rest;
  size_t given = pattern.operands.size() - (isOpen ? 1 : 0);
  if (isOpen ? op->getNumOperands() < given : op->getNumOperands() != given) {
    return false;
  }
  for (size_t i = 0; i < given; ++i) {
    if (!matches(op->getOperand(i), pattern.operands[i])) {
      return false;
    }
  }
  return true;
}

/// The pattern of a call; the error says that it is none of an op.
static llvm::Expected<const Value::PatternText *> patternOf(PrimitiveContext &context,
                                                            const HostCall &call) {
  const Value::PatternText *pattern = call.arg("pattern").getPattern();
  if (pattern->pattern.kind != OpPattern::Kind::Op) {
    return context.refuse("pattern_op", "`" + pattern->text + "` is no op",
                          "write its name and its operands: `mma(_, _, _)`");
  }
  return pattern;
}

static llvm::Expected<Value> runOp(PrimitiveContext &context, const HostCall &call) {
  llvm::Expected<const Value::PatternText *> pattern = patternOf(context, call);
  if (!pattern) {
    return pattern.takeError();
  }
  Ops found;
  std::vector<std::string> known;
  walkScope(context.scope(), [&](mlir::Operation *op) {
    if (llvm::isa<tile::TileIterOpInterface>(op)) {
      known.push_back(op->getName().stripDialect().str());
    }
    if (matches(op, (*pattern)->pattern)) {
      found.push_back(op);
    }
  });
  return one(context, found, "op", (*pattern)->text, known);
}

static llvm::Expected<Value> runAll(PrimitiveContext &context, const HostCall &call) {
  llvm::Expected<const Value::PatternText *> pattern = patternOf(context, call);
  if (!pattern) {
    return pattern.takeError();
  }
  std::vector<Value> found;
  walkScope(context.scope(), [&](mlir::Operation *op) {
    if (matches(op, (*pattern)->pattern)) {
      found.push_back(context.cursor(op));
    }
  });
  return Value::list(std::move(found));
}

static llvm::Expected<Value> runLoops(PrimitiveContext &context, const HostCall &) {
  std::vector<Value> found;
  walkScope(context.scope(), [&](mlir::Operation *op) {
    if (llvm::isa<tile::ForOp, tile::ParOp>(op)) {
      found.push_back(context.cursor(op, ValueKind::Loop));
    }
  });
  return Value::list(std::move(found));
}

//===-- Blocks -----------------------------------------------------------------------------------------------------===//

static llvm::Expected<Value> runBlock(PrimitiveContext &context, const HostCall &call) {
  llvm::Expected<mlir::Operation *> first = context.op(call.arg("first"));
  if (!first) {
    return first.takeError();
  }
  llvm::Expected<mlir::Operation *> last = context.op(call.arg("last"));
  if (!last) {
    return last.takeError();
  }
  bool isOrdered = (*first)->getBlock() == (*last)->getBlock() &&
                   (*first == *last || (*first)->isBeforeInBlock(*last));
  if (!isOrdered) {
    return context.refuse("block_order",
                          "`" + call.arg("first").str() + "` does not come before `" +
                              call.arg("last").str() + "` in one block",
                          "give the first and the last statement of a block",
                          {{*first, "the first one"}, {*last, "the last one"}});
  }
  return context.host.getCursors().block(*first, *last);
}

static void addFinder(PrimitiveRegistry &registry, const char *name,
                      std::vector<script::Parameter> params, const char *doc,
                      llvm::Expected<Value> (*run)(PrimitiveContext &, const HostCall &),
                      const char *result = "op") {
  script::Signature signature;
  signature.name = name;
  signature.params = std::move(params);
  signature.takesScope = true;
  signature.isPure = true;
  signature.group = "Cursors";
  signature.result = result;
  signature.doc = doc;
  registry.add({std::move(signature), run});
}

void schedule::addFinders(PrimitiveRegistry &registry) {
  addFinder(registry, "loop", {parameter("name", ValueKind::Name)},
            "The loop whose step has this name. Refused where there is none or more than one.",
            runLoop, "loop");
  addFinder(registry, "load", {parameter("name", ValueKind::Name)},
            "The op that reads from the argument of this name.", runLoad);
  addFinder(registry, "store", {parameter("name", ValueKind::Name)},
            "The op that writes to the argument of this name.", runStore);
  addFinder(
      registry, "def", {parameter("name", ValueKind::Name)},
      "The op that makes the variable of this name: of a variable that a loop carries, the one "
      "that makes its next value.",
      runDef);
  addFinder(registry, "call", {parameter("path", ValueKind::Name)},
            "All ops that were inlined from calls written so: `call(st.push)`.", runCall);
  addFinder(
      registry, "op", {parameter("pattern", ValueKind::Pattern)},
      "The op that the pattern fits: its name and operands; `_` is any operand, `..` the rest.",
      runOp);
  addFinder(registry, "all", {parameter("pattern", ValueKind::Pattern)},
            "Every op that the pattern fits, in the order of the program; there may be none.",
            runAll, "list");
  addFinder(registry, "loops", {}, "Every loop, in the order of the program, outer ones first.",
            runLoops, "list");
  script::Signature block;
  block.name = "block";
  block.params = {parameter("first", ValueKind::Op), parameter("last", ValueKind::Op)};
  block.isPure = true;
  block.group = "Cursors";
  block.result = "block";
  block.doc = "The statements from the first to the last of one block.";
  registry.add({std::move(block), runBlock});
}
