// The host: its making, calls, facts, transactions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/ScheduleHost.h"

#include "Listener.h"

#include "tessera/Schedule/Expectations.h"
#include "tessera/Schedule/KernelCopy.h"

#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::StringRef;
using script::ValueKind;

namespace {
constexpr StringRef sealedAttr = "tile.sealed";
constexpr StringRef assumesAttr = "tile.assumes";
} // namespace

/// All that an edit can change: not sealed kernels, not declarations, and of a kernel not the reference. That of one call is
/// without copies, the ledger and what is assumed, which a call that fails leaves alone.
struct ScheduleHost::Snapshot {
  std::vector<mlir::OwningOpRef<tile::KernelOp>> copies; ///< without references
  llvm::DenseSet<mlir::Operation *> kept;                ///< what stood beside them
  CursorTable table;                                     ///< its ops are those of the copies
  SymbolicValues symbols;
  Ledger record;
  std::map<std::string, std::vector<solver::Fact>> assumed;
};

//===-- Making -----------------------------------------------------------------------------------------------------===//

ScheduleHost::ScheduleHost(Options given)
    : options(std::move(given)), prover(std::make_unique<solver::Solver>(terms, options.solver)),
      symbols(terms), listener(std::make_unique<Listener>(*this)) {
  for (const Primitive &primitive : options.registry->primitives()) {
    signatures.push_back(primitive.signature);
  }
  if (!options.instructions) {
    options.instructions = &noInstructions;
  }
}

ScheduleHost::~ScheduleHost() = default;

/// An instruction with constant parameters is called: `wgmma_m64k16(256)` is its name with their values.
llvm::ArrayRef<script::Signature> ScheduleHost::instructions() const {
  if (declared) {
    return *declared;
  }
  declared.emplace();
  for (const std::string &name : options.instructions->names()) {
    std::vector<std::string> parameters = options.instructions->parameters(name);
    if (parameters.empty() || primitiveOf(name)) {
      continue;
    }
    script::Signature signature;
    signature.name = name;
    signature.isPure = true;
    signature.result = "instruction";
    signature.group = "Instructions";
    signature.doc = "The instruction with the values of its constants.";
    for (const std::string &parameter : parameters) {
      signature.params.push_back({parameter, ValueKind::Int});
    }
    declared->push_back(std::move(signature));
  }
  return *declared;
}

/// Scripts have functions, and few call instructions: the declarations are read for a name that may be one.
const script::Signature *ScheduleHost::lookupPrimitive(StringRef name) const {
  const Primitive *primitive = primitiveOf(name);
  if (primitive) {
    return &signatures[primitive - options.registry->primitives().data()];
  }
  return options.instructions->mayKnow(name) ? Host::lookupPrimitive(name) : nullptr;
}

llvm::Expected<std::unique_ptr<ScheduleHost>>
ScheduleHost::create(mlir::ModuleOp module, StringRef kernel, Options options) {
  auto found = module.lookupSymbol<tile::KernelOp>(kernel);
  if (!found) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "the module has no kernel `" + kernel + "`");
  }
  std::unique_ptr<ScheduleHost> host(new ScheduleHost(std::move(options)));
  host->module = module.clone();
  host->edits = std::make_unique<mlir::IRRewriter>(module.getContext(), host->listener.get());
  host->kernelCursor = host->table.op(host->module->lookupSymbol(kernel), ValueKind::Kernel);
  std::optional<std::string> problem;
  if (!host->options.queryLog.empty()) {
    problem = host->prover->log().open(host->options.queryLog);
  }
  host->prover->cache().addReadOnlyText(host->options.verdicts);
  if (!problem && !host->options.cacheFile.empty()) {
    problem = host->prover->cache().openWritable(host->options.cacheFile);
  }
  if (problem) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), *problem);
  }
  return std::move(host);
}

mlir::OwningOpRef<mlir::ModuleOp> ScheduleHost::take() { return std::move(module); }

//===-- Kernels ----------------------------------------------------------------------------------------------------===//

Value ScheduleHost::self() const { return kernelCursor; }

bool ScheduleHost::isSealed(tile::KernelOp kernel) { return kernel->hasAttr(sealedAttr); }

void PrimitiveContext::setSealed(tile::KernelOp kernel) {
  rewriter().modifyOpInPlace(kernel,
                             [&] { kernel->setAttr(sealedAttr, rewriter().getUnitAttr()); });
}

llvm::SmallVector<tile::KernelOp> ScheduleHost::kernels() {
  llvm::SmallVector<tile::KernelOp> found;
  for (mlir::Operation *op : table.living(kernelCursor)) {
    found.push_back(llvm::cast<tile::KernelOp>(op));
  }
  return found;
}

llvm::Expected<tile::KernelOp> ScheduleHost::onlyKernel() const {
  llvm::Expected<Site> site = table.resolve(kernelCursor);
  if (!site) {
    return site.takeError();
  }
  return llvm::cast<tile::KernelOp>(site->op);
}

/// The op of the first cursor in a value.
static llvm::Expected<mlir::Operation *> firstOp(const Value &value, const CursorTable &table) {
  if (value.getCursor()) {
    llvm::Expected<Site> site = table.resolve(value);
    if (!site) {
      return site.takeError();
    }
    return site->op ? site->op : site->block ? site->block->getParentOp() : nullptr;
  }
  if (const auto *elements = value.getList()) {
    for (const Value &element : *elements) {
      llvm::Expected<mlir::Operation *> op = firstOp(element, table);
      if (!op || *op) {
        return op;
      }
    }
  }
  if (const auto *fields = value.getRecord()) {
    for (const auto &field : *fields) {
      llvm::Expected<mlir::Operation *> op = firstOp(field.second, table);
      if (!op || *op) {
        return op;
      }
    }
  }
  return nullptr;
}

static tile::KernelOp kernelAround(mlir::Operation *op) {
  auto kernel = llvm::dyn_cast<tile::KernelOp>(op);
  return kernel ? kernel : op->getParentOfType<tile::KernelOp>();
}

llvm::Expected<tile::KernelOp> ScheduleHost::kernelOf(const HostCall &call) const {
  std::vector<Value> looked = call.args;
  looked.insert(looked.begin(), call.scope);
  for (const Value &value : looked) {
    llvm::Expected<mlir::Operation *> op = firstOp(value, table);
    if (!op) {
      return op.takeError();
    }
    if (*op) {
      return kernelAround(*op);
    }
  }
  return onlyKernel();
}

llvm::ArrayRef<solver::Fact> ScheduleHost::assumedFacts(StringRef kernel) const {
  auto found = assumed.find(kernel.str());
  return found == assumed.end() ? llvm::ArrayRef<solver::Fact>()
                                : llvm::ArrayRef<solver::Fact>(found->second);
}

//===-- Calls ------------------------------------------------------------------------------------------------------===//

const Primitive *ScheduleHost::primitiveOf(StringRef name) const {
  for (const Primitive &primitive : options.registry->primitives()) {
    if (primitive.signature.name == name) {
      return &primitive;
    }
  }
  return nullptr;
}

static std::string callText(const HostCall &call) {
  std::string text = call.primitive.name + "(";
  bool first = true;
  for (size_t i = 0; i < call.args.size(); ++i) {
    const script::Parameter &param = call.primitive.params[i];
    const Value &value = call.args[i];
    bool isDefault = param.fallback && (value.isNone() || *param.fallback == value);
    if (isDefault || (param.isVariadic && value.getList() && value.getList()->empty())) {
      continue;
    }
    text += first ? "" : ", ";
    first = false;
    text += param.fallback ? param.name + " = " + value.str() : value.str();
  }
  return text + ")";
}

llvm::Expected<Value> ScheduleHost::call(const HostCall &call) {
  const Primitive *primitive = primitiveOf(call.primitive.name);
  if (!primitive) {
    return llvm::make_error<HostError>(HostError::Kind::NotFound,
                                       "there is no primitive `" + call.primitive.name + "`");
  }
  llvm::Expected<tile::KernelOp> kernel = kernelOf(call);
  if (!kernel) {
    return kernel.takeError();
  }
  if (isSealed(*kernel)) {
    auto error = std::make_unique<HostError>(HostError::Kind::Refused,
                                             "the kernel `" + kernel->getSymName() + "` is sealed");
    error->code = "sealed";
    error->help = "edit it before `seal`";
    return llvm::Error(std::move(error));
  }
  // What is not valid is found behind the edit.
  aboutToEdit(!options.verifyEach && call.primitive.name != "seal");
  failed.reset();
  std::string symbol = kernel->getSymName().str();
  llvm::Expected<Value> result = runPrimitive(*primitive, call);
  // Inside of `try` a refusal is a question; nobody reads how it would have gone wrong.
  bool isShown = marks.size() <= 1;
  if (!result && failed && isShown && options.replayer) {
    return llvm::handleErrors(result.takeError(), [&](std::unique_ptr<HostError> error) {
      error->message += replay(*primitive, call, symbol);
      return llvm::Error(std::move(error));
    });
  }
  if (result) {
    record.steps.push_back(std::move(pending));
    if (!marks.empty() && marks.back().isOfCall) {
      marks.back().snapshot.reset();
    }
  }
  return result;
}

llvm::Expected<Value> ScheduleHost::runPrimitive(const Primitive &primitive, const HostCall &call) {
  pending = {call.primitive.name, callText(call), call.range, {}};
  table.enter(call.primitive.name, call.range);
  PrimitiveContext context(*this, call);
  llvm::Expected<Value> result = primitive.run(context, call);
  table.leave();
  if (result) {
    if (llvm::Error error = checkAfter(call)) {
      return std::move(error);
    }
  }
  return result;
}

/// The result must be valid IR. Anything else is a fault of the primitive; the transaction that every run is undoes it.
llvm::Error ScheduleHost::checkAfter(const HostCall &call) {
  bool isSealing = call.primitive.name == "seal";
  if (!options.verifyEach && !isSealing) {
    return llvm::Error::success();
  }
  std::string words;
  mlir::ScopedDiagnosticHandler handler(module->getContext(), [&](mlir::Diagnostic &diagnostic) {
    words += (words.empty() ? "" : "; ") + diagnostic.str();
    return mlir::success();
  });
  // A sealed kernel refuses edits, so it was looked at when it was sealed.
  bool isValid = llvm::all_of(*module->getBody(), [&](mlir::Operation &op) {
    auto kernel = llvm::dyn_cast<tile::KernelOp>(op);
    return (kernel && isSealed(kernel) && !isSealing) || mlir::succeeded(mlir::verify(&op));
  });
  if (isValid) {
    return llvm::Error::success();
  }
  auto error = std::make_unique<HostError>(
      HostError::Kind::Refused, "what `" + call.primitive.name + "` made is not valid: " + words);
  error->code = "internal";
  error->help = "this is a fault of the compiler; the kernel is as it was before the script";
  return llvm::Error(std::move(error));
}

llvm::Expected<Value> ScheduleHost::inspect(const HostCall &call) const {
  // Cursors and leaves are made on demand: nothing that a script could see changes.
  auto *self = const_cast<ScheduleHost *>(this);
  if (const Primitive *primitive = primitiveOf(call.primitive.name)) {
    if (call.primitive.takesScope) {
      // Of two versions the script must say which one it looks at.
      llvm::Expected<Site> scope = table.resolve(call.scope);
      if (!scope) {
        return scope.takeError();
      }
    }
    PrimitiveContext context(*self, call);
    return primitive->run(context, call);
  }
  std::string text = call.primitive.name + "(";
  for (const Value &value : call.args) {
    text += (&value == call.args.data() ? "" : ", ") + value.str();
  }
  return Value::name(text + ")");
}

//===-- Facts and trust --------------------------------------------------------------------------------------------===//

/// The kernel's `where`, made where there is none.
static mlir::Block *whereOf(tile::KernelOp kernel) {
  if (kernel.getWhere().empty()) {
    mlir::Block &block = kernel.getWhere().emplaceBlock();
    for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
      block.addArgument(kernel.getArgType(i), kernel.getLoc());
    }
  }
  return &kernel.getWhere().front();
}

static void addText(tile::KernelOp kernel, StringRef attribute, StringRef text) {
  llvm::SmallVector<mlir::Attribute> texts;
  if (auto known = kernel->getAttrOfType<mlir::ArrayAttr>(attribute)) {
    texts.append(known.begin(), known.end());
  }
  mlir::Builder builder(kernel.getContext());
  texts.push_back(builder.getStringAttr(text));
  kernel->setAttr(attribute, builder.getArrayAttr(texts));
}

llvm::Error ScheduleHost::assume(const Value &fact, SourceRange range) {
  script::FactPtr tree = script::asFact(fact);
  llvm::Expected<solver::Expr> condition = factTable.term(*tree, terms);
  if (!condition || !condition->isBool()) {
    std::string words = condition ? "`" + fact.str() + "` is a number" : "";
    auto error = std::make_unique<HostError>(
        HostError::Kind::Refused, condition ? words : llvm::toString(condition.takeError()));
    error->code = "assume_fact";
    error->help = "a check at launch speaks of extents, arguments and `aligned(view, bytes)`";
    return llvm::Error(std::move(error));
  }
  for (tile::KernelOp kernel : kernels()) {
    if (isSealed(kernel)) {
      auto error = std::make_unique<HostError>(
          HostError::Kind::Refused, "the kernel `" + kernel.getSymName() + "` is sealed");
      error->code = "sealed";
      error->help = "assume it before `seal`";
      return llvm::Error(std::move(error));
    }
  }
  aboutToEdit();
  std::string text = script::str(*tree);
  for (tile::KernelOp kernel : kernels()) {
    assumed[kernel.getSymName().str()].push_back({*condition, text, "assume"});
    addText(kernel, assumesAttr, text);
    // What ops can say is checked by every launch.
    mlir::Block *where = whereOf(kernel);
    mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(where);
    if (mlir::Value checked = factTable.emit(*tree, kernel, builder, kernel.getLoc())) {
      tile::RequireOp::create(builder, kernel.getLoc(), checked, builder.getStringAttr(text));
    } else if (where->empty()) {
      where->getParent()->getBlocks().clear();
    }
  }
  Entry entry;
  entry.title = text;
  entry.standing = Standing::Assumed;
  entry.range = range;
  entry.kind = "assume";
  record.steps.push_back({"assume", "assume " + text, range, {entry}});
  return llvm::Error::success();
}

/// Where a demand is kept: the buf's `tile.alloc`, or all kernels. The error says that the fact is no demand.
static llvm::Error demand(ScheduleHost &host, const script::Fact &fact, mlir::LocationAttr at) {
  std::optional<LayoutExpectation> found = comparisonIn(fact);
  const script::Fact *side = !found                                       ? nullptr
                             : fact.lhs->kind == script::Fact::Kind::Leaf ? fact.lhs.get()
                                                                          : fact.rhs.get();
  const Leaf *leaf = side ? host.getFacts().find(side->leaf) : nullptr;
  if (!leaf || leaf->kind != Leaf::Kind::Layout) {
    auto error = std::make_unique<HostError>(
        HostError::Kind::Refused, "`" + script::str(fact) + "` is nothing that layouts tell");
    error->code = "expect_fact";
    error->help = "compare `regs`, `smem` or `bank_degree(buf)` with a number; what is true of "
                  "sizes is said by `assume`";
    return llvm::Error(std::move(error));
  }
  found->what = leaf->name;
  found->at = at;
  if (leaf->site == 0) {
    for (tile::KernelOp kernel : host.kernels()) {
      addExpectation(kernel, *found);
    }
    return llvm::Error::success();
  }
  script::Cursor cursor;
  cursor.kind = script::ValueKind::Buf;
  cursor.id = leaf->site;
  llvm::Expected<Site> site = host.getCursors().resolve(Value::cursor(cursor));
  if (!site) {
    return site.takeError();
  }
  addExpectation(site->op, *found);
  return llvm::Error::success();
}

llvm::Error ScheduleHost::expect(const Value &fact, SourceRange range) {
  aboutToEdit();
  mlir::Location at = mlir::UnknownLoc::get(module->getContext());
  if (options.sources && range.isValid()) {
    LineColumn begin = options.sources->lineColumn(range.file, range.begin);
    at = mlir::FileLineColLoc::get(module->getContext(), options.sources->name(range.file),
                                   begin.line, begin.column);
  }
  if (llvm::Error error = demand(*this, *script::asFact(fact), at)) {
    return error;
  }
  Entry entry;
  entry.title = fact.str();
  entry.range = range;
  entry.kind = "expect";
  entry.reason = "layouts";
  record.steps.push_back({"expect", "expect " + fact.str(), range, {entry}});
  return llvm::Error::success();
}

llvm::Error ScheduleHost::enterTrust(StringRef reason, SourceRange) {
  if (!options.allowTrust) {
    auto error = std::make_unique<HostError>(HostError::Kind::Refused, "`--no-trust` forbids it");
    error->code = "no_trust";
    error->help =
        "run without `--no-trust`, or remove the `trust` block and repair what is refused";
    return llvm::Error(std::move(error));
  }
  reasons.push_back(reason.str());
  return llvm::Error::success();
}

//===-- Transactions -----------------------------------------------------------------------------------------------===//

uint64_t ScheduleHost::mark() {
  marks.emplace_back();
  return marks.size() - 1;
}

uint64_t ScheduleHost::markCall() {
  marks.push_back({/*isOfCall=*/true, nullptr});
  return marks.size() - 1;
}

/// Puts copies in the places of the kernels that have their names, and takes away what is new. References are moved.
static void putBack(mlir::ModuleOp module, std::vector<mlir::OwningOpRef<tile::KernelOp>> copies,
                    llvm::DenseSet<mlir::Operation *> kept) {
  for (mlir::OwningOpRef<tile::KernelOp> &copy : copies) {
    auto edited = module.lookupSymbol<tile::KernelOp>(copy->getSymName());
    copy->getReference().takeBody(edited.getReference());
    kept.insert(*copy);
    module.getBody()->getOperations().insert(edited->getIterator(), copy.release());
    edited.erase();
  }
  for (mlir::Operation &op : llvm::make_early_inc_range(*module.getBody())) {
    if (!kept.contains(&op)) {
      op.erase();
    }
  }
}

void ScheduleHost::aboutToEdit(bool keepsRefused) {
  if (!marks.empty() && marks.back().isOfCall && keepsRefused) {
    marks.back().snapshot = std::make_shared<Snapshot>(Snapshot{{}, {}, table, symbols, {}, {}});
  }
  if (llvm::all_of(marks, [](const Mark &open) { return open.snapshot != nullptr; })) {
    return;
  }
  auto snapshot = std::make_shared<Snapshot>(Snapshot{{}, {}, table, symbols, record, assumed});
  mlir::IRMapping mapping;
  for (mlir::Operation &op : *module->getBody()) {
    auto kernel = llvm::dyn_cast<tile::KernelOp>(op);
    if (!kernel || isSealed(kernel)) {
      snapshot->kept.insert(&op);
    } else {
      snapshot->copies.push_back(copyWithoutReference(kernel, mapping));
    }
  }
  snapshot->table.remap(mapping);
  snapshot->symbols.remap(mapping, /*keep=*/false);
  for (Mark &open : marks) {
    open.isOfCall &= open.snapshot != nullptr;
    open.snapshot = open.snapshot ? open.snapshot : snapshot;
  }
}

void ScheduleHost::rollback(uint64_t mark) {
  auto [isOfCall, snapshot] = marks[mark];
  marks.resize(mark);
  // A `trust` block that an error leaves is over, too.
  if (!snapshot) {
    return;
  }
  // An outer mark may share the snapshot: it then needs its own copy.
  bool isShared = llvm::any_of(
      marks, [&, &shared = snapshot](const Mark &open) { return open.snapshot == shared; });
  table.restore(std::move(snapshot->table), "the end of `try`");
  symbols = std::move(snapshot->symbols);
  if (isOfCall) {
    return;
  }
  record = std::move(snapshot->record);
  assumed = std::move(snapshot->assumed);
  putBack(*module, std::move(snapshot->copies), std::move(snapshot->kept));
  if (isShared) {
    // Nothing was edited since the outer mark: its snapshot is made anew by the next edit.
    for (Mark &open : marks) {
      open.snapshot = open.snapshot == snapshot ? nullptr : open.snapshot;
    }
  }
}

void ScheduleHost::commit(uint64_t mark) { marks.resize(mark); }
