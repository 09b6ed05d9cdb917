// replace: ops become one declared instruction. Unifying the ops with the instruction's body is Unify's; what must hold
// besides is in ReplaceFit.cpp and ReplaceMemory.cpp; here are the search for constants and the edit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Replace.h"

#include "Places.h"

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Schedule/Dims.h"

#include "mlir/IR/IRMapping.h"

#include <set>

using namespace tessera;
using namespace tessera::schedule;
using llvm::SmallVector;
using script::ValueKind;

//===-- The instruction --------------------------------------------------------------------------------------------===//

namespace {
/// Declarations that a call made are taken back where it is refused.
class Declarations {
public:
  explicit Declarations(PrimitiveContext &context) : context(context) {
    for (auto instr : context.module().getOps<tile::InstrOp>()) {
      before.insert(instr);
    }
  }
  ~Declarations() {
    if (isKept) {
      return;
    }
    for (auto instr : llvm::make_early_inc_range(context.module().getOps<tile::InstrOp>())) {
      if (!before.count(instr)) {
        context.rewriter().eraseOp(instr);
      }
    }
  }
  void keep() { isKept = true; }

private:
  PrimitiveContext &context;
  std::set<mlir::Operation *> before;
  bool isKept = false;
};
} // namespace

/// The first match whose pieces fill the dims, or why there is none.
static llvm::Expected<ReplaceStep> fit(PrimitiveContext &context, tile::InstrOp instr,
                                       llvm::ArrayRef<mlir::Operation *> ops) {
  Mismatch why;
  std::vector<UnifyMatch> matches = unify(instr, ops, why);
  if (matches.empty()) {
    return context.refuse(why.code, why.message, why.help, why.places);
  }
  std::optional<llvm::Error> first;
  for (UnifyMatch &match : matches) {
    ReplaceStep step(context, instr, std::move(match));
    llvm::Error error = cutDims(step);
    if (!error) {
      if (first) {
        llvm::consumeError(std::move(*first));
      }
      return step;
    }
    if (first) {
      llvm::consumeError(std::move(error));
    } else {
      first.emplace(std::move(error));
    }
  }
  return std::move(*first);
}

namespace {
/// The search for constants that a call leaves out, by which the instruction fits: types are those of the ops' tiles,
/// numbers extents of their dims and what divides them, the greatest first. Tried in a module of its own, so that nothing
/// is declared that is not used.
class ConstantSearch {
public:
  ConstantSearch(PrimitiveContext &context, llvm::StringRef symbol,
                 llvm::ArrayRef<mlir::Operation *> ops)
      : context(context), symbol(symbol), ops(ops),
        parameters(context.instructions().parameters(symbol)),
        types(context.instructions().types(symbol)), hasNumbers(!parameters.empty()),
        scratch(mlir::ModuleOp::create(context.module().getLoc())) {
    llvm::append_range(parameters, types);
  }

  llvm::Expected<tile::InstrOp> run(llvm::ArrayRef<llvm::StringRef> given);

private:
  bool search(size_t parameter);
  bool fits();
  SmallVector<std::string> candidates(llvm::StringRef parameter);

  PrimitiveContext &context;
  std::string symbol;
  llvm::ArrayRef<mlir::Operation *> ops;
  std::vector<std::string> parameters; ///< types behind numbers
  std::vector<std::string> types;
  bool hasNumbers;
  mlir::OwningOpRef<mlir::ModuleOp> scratch;
  std::map<std::string, std::string> values;
  std::optional<llvm::Error> why; ///< of the first declaration that does not fit
  unsigned fuel = 2000;
};
} // namespace

SmallVector<std::string> ConstantSearch::candidates(llvm::StringRef parameter) {
  SmallVector<std::string> found;
  if (llvm::is_contained(types, parameter)) {
    auto add = [&](mlir::Type type) {
      mlir::Type element = tile::elementTypeOf(type);
      std::optional<DType> dtype = element ? dtypeIfAny(element) : std::nullopt;
      if (dtype && !llvm::is_contained(found, tessera::name(*dtype))) {
        found.push_back(tessera::name(*dtype).str());
      }
    };
    for (mlir::Operation *op : ops) {
      llvm::for_each(op->getOperandTypes(), add);
      llvm::for_each(op->getResultTypes(), add);
    }
    return found;
  }
  std::set<int64_t> numbers;
  for (mlir::Operation *op : ops) {
    for (const tile::IterDim &dim : dimsOf(op)) {
      int64_t inner = dim.extent;
      for (const tile::IterFactor &factor : context.factors(op, dim.name)) {
        inner = isParallel(factor.place) ? std::max<int64_t>(inner / factor.steps, 1) : inner;
      }
      constexpr int64_t most = 4096;
      for (int64_t number = 1; number <= std::min(inner, most); ++number) {
        if (inner % number == 0) {
          numbers.insert(number);
        }
      }
    }
  }
  for (int64_t number : llvm::reverse(numbers)) {
    found.push_back(std::to_string(number));
  }
  return found;
}

bool ConstantSearch::fits() {
  if (fuel == 0) {
    return false;
  }
  --fuel;
  llvm::Expected<tile::InstrOp> instr = context.instructions().declareAs(symbol, values, *scratch);
  if (!instr) {
    llvm::consumeError(instr.takeError());
    return false;
  }
  llvm::Expected<ReplaceStep> step = fit(context, *instr, ops);
  if (!step) {
    if (why) {
      llvm::consumeError(step.takeError());
    } else {
      why.emplace(step.takeError());
    }
    return false;
  }
  return !hasNumbers || llvm::none_of(step->dims, [](const CutDim &cut) { return cut.hasTail(); });
}

bool ConstantSearch::search(size_t parameter) {
  if (parameter == parameters.size()) {
    return fits();
  }
  if (values.count(parameters[parameter])) {
    return search(parameter + 1);
  }
  for (const std::string &value : candidates(parameters[parameter])) {
    values[parameters[parameter]] = value;
    if (search(parameter + 1)) {
      return true;
    }
  }
  values.erase(parameters[parameter]);
  return false;
}

llvm::Expected<tile::InstrOp> ConstantSearch::run(llvm::ArrayRef<llvm::StringRef> given) {
  for (auto [parameter, value] : llvm::zip(parameters, given)) {
    values[parameter] = value.trim().str();
  }
  bool isFound = search(0);
  if (why && (isFound || hasNumbers)) {
    std::string reason = llvm::toString(std::move(*why));
    why.reset();
    if (!isFound) {
      return context.refuse("replace_constant",
                            "no values of the constants of `" + symbol + "` make it fit: " + reason,
                            "give them by `" + symbol + "(…)`, or use another instruction",
                            {{ops.back(), "is to be replaced"}});
    }
  }
  if (why) {
    return std::move(*why);
  }
  if (!isFound) {
    return context.refuse("replace_constant",
                          "no values of the constants of `" + symbol + "` make it fit",
                          "give them by `" + symbol + "(…)`, or use another instruction",
                          {{ops.back(), "is to be replaced"}});
  }
  std::string text;
  for (const auto &[constant, value] : values) {
    text += (text.empty() ? "" : ", ") + constant + " = " + value;
  }
  context.note("`" + symbol + "` fits with " + text);
  llvm::Expected<tile::InstrOp> made =
      context.instructions().declareAs(symbol, values, context.module());
  if (!made) {
    return context.refuse("replace_constant", llvm::toString(made.takeError()),
                          "see the declaration of `" + symbol + "`");
  }
  return made;
}

static llvm::Expected<tile::InstrOp> instructionOf(PrimitiveContext &context, const Value &name,
                                                   llvm::ArrayRef<mlir::Operation *> ops) {
  std::string text = name.str();
  auto [symbol, rest] = llvm::StringRef(text).split('(');
  bool hasParameters = !context.instructions().parameters(symbol).empty() ||
                       !context.instructions().types(symbol).empty();
  if (!context.instructions().knows(symbol) || !hasParameters) {
    return context.instruction(name);
  }
  std::string arch = context.instructions().arch(symbol);
  if (!context.target().supports(arch)) {
    return context.refuse("instruction_target",
                          "`" + symbol + "` needs " + arch + ", the schedule is for " +
                              context.target().arch,
                          "choose an instruction of the target");
  }
  SmallVector<llvm::StringRef> given;
  rest.rtrim(')').split(given, ',', -1, /*KeepEmpty=*/false);
  return ConstantSearch(context, symbol, ops).run(given);
}

//===-- The edit ---------------------------------------------------------------------------------------------------===//

/// Reads that something else needs too are made once more, for the instruction alone.
static void readAgain(ReplaceStep &step) {
  mlir::RewriterBase &rewriter = step.context.rewriter();
  mlir::IRMapping mapping;
  SmallVector<mlir::Operation *> copies;
  for (mlir::Operation *&op : step.match.ops) {
    if (!isReadAgain(step, op)) {
      continue;
    }
    rewriter.setInsertionPoint(step.match.root);
    mlir::Operation *copy = rewriter.clone(*op, mapping);
    for (auto [old, fresh] : llvm::zip(op->getResults(), copy->getResults())) {
      mapping.map(old, fresh);
    }
    copies.push_back(copy);
    op = copy;
  }
  for (mlir::Operation *op : step.match.ops) {
    for (mlir::OpOperand &operand : op->getOpOperands()) {
      if (mlir::Value fresh = mapping.lookupOrNull(operand.get())) {
        rewriter.modifyOpInPlace(op, [&] { operand.set(fresh); });
      }
    }
  }
}

static tile::ApplyOp wrap(ReplaceStep &step) {
  mlir::RewriterBase &rewriter = step.context.rewriter();
  if (auto copy = llvm::dyn_cast_or_null<tile::CopyOp>(step.match.widened)) {
    rewriter.modifyOpInPlace(copy, [&] { copy.setFill(tile::Fill::zero); });
  }
  readAgain(step);
  mlir::Operation *root = step.match.root;
  SmallVector<mlir::Value> results;
  SmallVector<mlir::Type> types;
  for (mlir::Value value : step.match.results) {
    if (value && !value.use_empty()) {
      results.push_back(value);
      types.push_back(value.getType());
    }
  }
  rewriter.setInsertionPoint(root);
  auto apply = tile::ApplyOp::create(rewriter, root->getLoc(), types, step.instr.getSymName(),
                                     step.instr.getVia());
  mlir::Block *body = rewriter.createBlock(&apply.getBody());
  rewriter.setInsertionPointToEnd(body);
  auto yield = tile::YieldOp::create(rewriter, root->getLoc(), results);
  for (mlir::Operation *op : step.match.ops) {
    rewriter.moveOpBefore(op, yield);
  }
  for (auto [inside, outside] : llvm::zip(results, apply.getResults())) {
    rewriter.replaceUsesWithIf(
        inside, outside, [&](mlir::OpOperand &use) { return !apply->isAncestor(use.getOwner()); });
  }
  for (const CutDim &cut : step.dims) {
    if (cut.isChanged) {
      step.context.setFactors(root, cut.dim.name, cut.factors, cut.kept);
    }
  }
  growWarps(step.context, root);
  return apply;
}

//===-- Calls ------------------------------------------------------------------------------------------------------===//

/// The factors as they will be: numbers of threads, cells that two instances would write.
static llvm::Error checkFactors(ReplaceStep &step) {
  tile::IterAttr next = step.context.iter(step.match.root);
  std::vector<std::string> changed;
  for (const CutDim &cut : step.dims) {
    if (cut.isChanged) {
      next = next.withFactors(cut.dim.name, cut.factors);
      changed.push_back(cut.dim.name);
    }
  }
  return checkPlaces(step.context, step.match.root, next, changed);
}

static llvm::Error checkAsync(ReplaceStep &step) {
  tile::Proxy via = step.instr.getVia();
  if (via == tile::Proxy::generic) {
    return llvm::Error::success();
  }
  bool hasResult = llvm::any_of(step.match.results, [](mlir::Value value) { return bool(value); });
  if (hasResult && via != tile::Proxy::wgmma) {
    return step.refuse("replace_async",
                       step.name() + " goes by `" + tile::stringifyProxy(via) +
                           "` and gives a value, which only `wgmma` may",
                       "declare its result in memory");
  }
  step.open("async",
            "what " + step.name() + " reads and writes by `" +
                llvm::Twine(tile::stringifyProxy(via)) + "` is waited for",
            "a ring, or `group_wait`");
  return llvm::Error::success();
}

static llvm::Expected<tile::ApplyOp>
replaceOps(PrimitiveContext &context, llvm::ArrayRef<mlir::Operation *> ops, const Value &name) {
  if (ops.empty()) {
    return context.refuse("replace_none", "there is no op to replace", "give an op");
  }
  for (mlir::Operation *op : ops) {
    if (auto apply = op->getParentOfType<tile::ApplyOp>()) {
      return context.refuse("replace_done",
                            "`" + context.text(op) + "` is done by `" + apply.getInstr() +
                                "` already",
                            "leave it out", {{op, "here"}});
    }
  }
  Declarations declarations(context);
  llvm::Expected<tile::InstrOp> instr = instructionOf(context, name, ops);
  if (!instr) {
    return instr.takeError();
  }
  llvm::Expected<ReplaceStep> step = fit(context, *instr, ops);
  if (!step) {
    return step.takeError();
  }
  for (auto check : {checkForm, checkFactors, checkMemory, checkAsync}) {
    if (llvm::Error error = check(*step)) {
      return std::move(error);
    }
  }
  for (const auto &[kind, title, waitsFor] : step->due) {
    context.open(kind, title, waitsFor);
  }
  declarations.keep();
  return wrap(*step);
}

static llvm::Expected<Value> runReplace(PrimitiveContext &context, const HostCall &call) {
  llvm::Expected<SmallVector<mlir::Operation *>> ops = context.ops(call.arg("ops"));
  if (!ops) {
    return ops.takeError();
  }
  llvm::Expected<tile::ApplyOp> apply = replaceOps(context, *ops, call.arg("instr"));
  if (!apply) {
    return apply.takeError();
  }
  return context.cursor(*apply, ValueKind::Op, apply->getInstr());
}

/// Every op of the scope with dims is tried, the last ones first: an instruction for several ops takes those before it.
static llvm::Expected<Value> runReplaceAll(PrimitiveContext &context, const HostCall &call) {
  SmallVector<mlir::Operation *> sites;
  context.scope()->walk([&](tile::TileIterOpInterface op) { sites.push_back(op); });
  SmallVector<mlir::Operation *> done;
  std::vector<Value> skipped;
  while (!sites.empty()) {
    mlir::Operation *site = sites.pop_back_val();
    std::string reasons;
    bool isDone = site->getParentOfType<tile::ApplyOp>() != nullptr;
    for (const Value &name : *call.arg("instrs").getList()) {
      if (isDone) {
        break;
      }
      llvm::Expected<tile::ApplyOp> apply = replaceOps(context, {site}, name);
      if (apply) {
        done.push_back(*apply);
        isDone = true;
        break;
      }
      reasons += (reasons.empty() ? "" : "; ") + llvm::toString(apply.takeError());
    }
    // Constants and the like are nothing that an instruction could have been expected for.
    bool isWorthWords = llvm::isa<tile::LoadOp, tile::StoreOp, tile::CopyOp, tile::CopyOutOp,
                                  tile::ReadOp, tile::WriteOp, tile::MmaOp, tile::ReduceOp>(site);
    if (!isDone && isWorthWords) {
      skipped.push_back(PrimitiveContext::record(
          {{"op", context.cursor(site)}, {"reason", Value::string(reasons)}}));
    }
  }
  std::reverse(done.begin(), done.end());
  std::reverse(skipped.begin(), skipped.end());
  return PrimitiveContext::record(
      {{"done", context.opsCursor(done)}, {"skipped", Value::list(std::move(skipped))}});
}

static void addReplaceAll(PrimitiveRegistry &registry) {
  script::Signature signature;
  signature.name = "replace_all";
  signature.params = {parameter("instrs", ValueKind::List)};
  signature.takesScope = true;
  signature.result = "{done, skipped}";
  signature.group = "Instructions";
  signature.doc =
      "`replace` with the first instruction of the list that fits, for every op of the scope. "
      "`skipped` has a "
      "record {op, reason} for each access, product and reduction that none fits. Never refused.";
  signature.before = "%r = tile.mma %a, %b, %c";
  signature.after = "%r = tile.apply @mma_m16n8k16_bf16 { … }";
  registry.add({std::move(signature), runReplaceAll});
}

void schedule::addReplace(PrimitiveRegistry &registry) {
  script::Signature signature;
  signature.name = "replace";
  signature.params = {parameter("ops", ValueKind::Any), parameter("instr", ValueKind::Any)};
  signature.result = "op";
  signature.group = "Instructions";
  signature.doc = "The ops, and the ops before them that the instruction's body asks for, are done "
                  "by the instruction, piece by piece: "
                  "its extents become the innermost factors, `atom`, of the last op's dims, what "
                  "is bound to warps stays. Reads and "
                  "loads of operands in memory go into it. A constant that is left out is found "
                  "from the extents. Refused where the "
                  "body does something else, where pieces do not fill the dims, where memory is "
                  "not as the instruction needs it "
                  "(neighbours, alignment, layout, whole pieces), where part of its threads would "
                  "come, where it combines in a weaker "
                  "order, or where the target lacks it.";
  signature.before = "%r = tile.mma %a, %b, %c";
  signature.after = "%r = tile.apply @mma_m16n8k16_bf16 { … tile.mma %a, %b, %c {tile.iter = "
                    "#tile.iter<m = reg 8 * "
                    "atom 16, n = reg 16 * atom 8, k = reg 2 * atom 16>} … }";
  registry.add({std::move(signature), runReplace});
  addReplaceAll(registry);
}
