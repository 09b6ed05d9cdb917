// stage: an operand comes from, or a stored value goes through, memory of the CTA.
//
//   load x ── use          copy x to buf; read buf ── use          the load has one use, perhaps through index maps
//   op ── use              op; write buf; read buf ── use
//   op ── store            op; write buf; copy_out buf
//
// In order of the program nothing changes: what is read was written just before, absence is restated by spans. Which
// threads wait for which is due at `seal`.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Memory.h"
#include "Presence.h"

#include "tessera/Dialect/Tile/TypeText.h"
#include "tessera/Layout/Notation.h"
#include "tessera/Schedule/Dims.h"
#include "tessera/Support/Mutants.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::SmallVector;
using script::ValueKind;

namespace {

class Stage {
public:
  Stage(PrimitiveContext &context, const HostCall &call) : context(context), call(call) {}
  llvm::Expected<Value> run();

private:
  llvm::Error match();
  llvm::Error matchType();
  llvm::Error checkBox(mlir::ValueRange indices, llvm::ArrayRef<bool> whole, const char *what);
  llvm::Error checkPresence();
  llvm::Error checkStored();
  llvm::Error notSpans(const PresenceFactor &factor);
  tile::Fill fill();
  std::string subject();
  tile::AllocOp makeAlloc();
  Value record(tile::AllocOp alloc, const std::string &name,
               llvm::ArrayRef<std::pair<const char *, mlir::Operation *>> made);
  Value viaCopy();
  Value viaWrite();
  Value viaCopyOut();
  void openOrder(mlir::Operation *writer, mlir::Operation *reader);
  void openAlias(mlir::Value view);

  PrimitiveContext &context;
  const HostCall &call;
  std::string text; ///< `mma acc.a`
  mlir::Operation *user = nullptr;
  unsigned operand = 0;
  mlir::Value value;
  tile::LoadOp load; ///< the whole way from it to the operand has one use
  tile::StoreOp store;
  tile::BufType type;
  SmallVector<mlir::Value> spans; ///< of the read
  SmallVector<bool> whole;
};

} // namespace

//===-- Match ------------------------------------------------------------------------------------------------------===//

/// Ops whose results hold elements of their operand at other positions.
static bool isIndexMap(mlir::Operation *op) {
  return llvm::isa<tile::BroadcastOp, tile::ExpandOp, tile::FlipOp, tile::PermuteOp,
                   tile::ReshapeOp, tile::SliceOp, tile::SqueezeOp>(op);
}

/// The value at the start of the index maps with one use before the operand.
static mlir::Value sourceOf(mlir::Value value) {
  while (mlir::Operation *op = value.getDefiningOp()) {
    if (!isIndexMap(op) || !value.hasOneUse()) {
      break;
    }
    value = op->getOperand(0);
  }
  return value;
}

llvm::Error Stage::match() {
  llvm::Expected<Site> site = context.resolve(call.arg("operand"));
  if (!site) {
    return site.takeError();
  }
  text = "`" + site->text + "`";
  if (site->kind != ValueKind::Operand) {
    return context.refuse("stage_operand", text + " is no operand",
                          "write `x.a`, where `a` is an operand of the op `x`");
  }
  user = site->op;
  operand = site->operand;
  value = user->getOperand(operand);
  if (!llvm::isa<mlir::RankedTensorType>(value.getType())) {
    return context.refuse("stage_no_tile",
                          text + " is no tile, it is of type `" + tile::text(value.getType()) + "`",
                          "stage an operand that is a tile; a view is staged where it is loaded",
                          {{user, "it is used here"}});
  }
  if (auto apply = user->getParentOfType<tile::ApplyOp>()) {
    return context.refuse("stage_instr",
                          text + " is the operand of an instruction, `@" + apply.getInstr() + "`",
                          "stage it before `replace`", {{user, "it is used here"}});
  }
  mlir::Value source = sourceOf(value);
  if (auto read = source.getDefiningOp<tile::ReadOp>()) {
    return context.refuse(
        "stage_twice", text + " comes from memory already, from " + quoted(context, read.getBuf()),
        "use the buf that is there", {{read, "it is read here"}});
  }
  store = llvm::dyn_cast<tile::StoreOp>(user);
  if (auto found = source.getDefiningOp<tile::LoadOp>(); found && found.getResult().hasOneUse()) {
    // A load that is stored at once is a copy from view to view: it goes through one buf.
    load = found;
    value = source;
    store = nullptr;
  }
  return matchType();
}

llvm::Error Stage::matchType() {
  auto tile = llvm::cast<mlir::RankedTensorType>(value.getType());
  if (!tile.hasStaticShape()) {
    return context.refuse("stage_extents",
                          text + " is an array without extents, of type `" + tile::text(tile) + "`",
                          "memory of a CTA has static extents: stage tiles", {{user, "here"}});
  }
  tile::Storage home = *tile::symbolizeStorage(*call.arg("home").getName());
  tile::ExecScope per = *tile::symbolizeExecScope(*call.arg("per").getName());
  if (home == tile::Storage::workspace && per != tile::ExecScope::cta) {
    return context.refuse(
        "stage_per", "a workspace is per `cta`, not per `" + tile::stringifyExecScope(per) + "`",
        "leave `per` out, or stage in `shared`", {{user, "here"}});
  }
  type = tile::BufType::get(context.mlir(), tile.getShape(), tile.getElementType(), home, 1, per,
                            mlir::StringAttr());
  int64_t room = context.target().smem;
  if (home == tile::Storage::shared && type.getBytes() > room) {
    return context.refuse("stage_bytes",
                          text + " takes " + llvm::Twine(type.getBytes()) + " bytes, `" +
                              context.target().arch + "` has " + llvm::Twine(room) +
                              " bytes of shared memory for a CTA",
                          "make the tile smaller, or stage it in `workspace`", {{user, "here"}});
  }
  const Value &layout = call.arg("layout");
  if (layout.isNone()) {
    return llvm::Error::success();
  }
  llvm::Expected<Layout> concrete = context.layout(layout, type);
  if (!concrete) {
    return concrete.takeError();
  }
  type = type.withLayout(mlir::StringAttr::get(context.mlir(), printLayout(*concrete)));
  return llvm::Error::success();
}

//===-- Conditions -------------------------------------------------------------------------------------------------===//

/// A box of spans, indices and `:`: which elements are in memory is known without looking at data.
llvm::Error Stage::checkBox(mlir::ValueRange indices, llvm::ArrayRef<bool> wholeAxes,
                            const char *what) {
  mlir::Operation *op = load ? load.getOperation() : store.getOperation();
  unsigned next = 0;
  for (bool isWhole : wholeAxes) {
    if (isWhole) {
      spans.push_back({});
      whole.push_back(true);
      continue;
    }
    mlir::Value index = indices[next++];
    if (llvm::isa<tile::SpanType>(index.getType())) {
      spans.push_back(index);
      whole.push_back(false);
    } else if (llvm::isa<mlir::RankedTensorType>(index.getType())) {
      return context.refuse("stage_gather",
                            quoted(context, op) + " " + what +
                                " through a tile of indices: a copy moves boxes, and a buf does "
                                "not know which of its elements are absent",
                            "stage what is made of it, or keep it in registers",
                            {{op, "it is indexed here"}});
    }
  }
  return llvm::Error::success();
}

llvm::Error Stage::notSpans(const PresenceFactor &factor) {
  std::string why = factor.from && llvm::isa<tile::KeepIfOp>(factor.from)
                        ? " has elements that a condition makes absent"
                        : " has elements whose absence no span tells";
  return context.require(
      false, "absence of " + text + " is that of spans",
      {"stage_absence",
       text + why + ", and memory forgets absence",
       "stage it before the condition, or fill it with `fill_absent`",
       {{factor.from ? factor.from : user, "absence is made here"}, {user, "it is used here"}}});
}

/// The value is absent exactly where spans say so, one for each axis at most.
llvm::Error Stage::checkPresence() {
  PresenceTrace trace([&](tile::ForOp loop) { return surelyRuns(context, loop); });
  Presence presence = trace.of(value);
  size_t rank = type.getRank();
  spans.assign(rank, {});
  for (const PresenceFactor &factor : presence.factors) {
    // A span of a step is not there behind the loop.
    mlir::Value span = factor.span;
    bool isSpan = span && llvm::popcount(factor.axes) == 1 &&
                  span.getParentRegion()->isAncestor(user->getParentRegion());
    if (!isSpan) {
      if (llvm::Error error = notSpans(factor)) {
        return error;
      }
      continue;
    }
    unsigned axis = llvm::countr_zero(factor.axes);
    auto width = llvm::cast<tile::SpanType>(factor.span.getType()).getWidth();
    bool isOnly = (!spans[axis] || spans[axis] == factor.span) && width == type.getShape()[axis];
    Refusal two{"stage_absence",
                "two spans make elements of axis " + std::to_string(axis) + " of " + text +
                    " absent, and a read restates one",
                "stage the values before they are combined",
                {{factor.from, "one of them is here"}, {user, "it is used here"}}};
    if (!isOnly) {
      if (llvm::Error error =
              context.require(false, "one span tells what is absent along an axis", two)) {
        return error;
      }
      continue;
    }
    spans[axis] = factor.span;
  }
  if (TESSERA_MUTANT(119, "absence that depends on a loop is told by spans", !presence.isExact,
                     false)) {
    mlir::Operation *decides = presence.inexactAt ? presence.inexactAt : user;
    Refusal refusal{"stage_absence",
                    "whether elements of " + text + " are absent depends on whether " +
                        quoted(context, decides) + " runs, and a read cannot restate that",
                    "state in `where` that it has a step, or stage another operand",
                    {{decides, "this decides"}, {user, "it is used here"}}};
    if (llvm::Error error = context.require(
            false, "absence of " + text + " does not depend on what runs", refusal)) {
      return error;
    }
  }
  for (mlir::Value span : spans) {
    whole.push_back(!span);
  }
  return llvm::Error::success();
}

/// What is absent in the value is absent in the store's box, so that `copy_out` writes nothing that the store left.
llvm::Error Stage::checkStored() {
  PresenceTrace trace([&](tile::ForOp loop) { return surelyRuns(context, loop); });
  Presence presence = trace.of(value);
  for (const PresenceFactor &factor : presence.factors) {
    if (!factor.span || llvm::popcount(factor.axes) != 1) {
      if (llvm::Error error = notSpans(factor)) {
        return error;
      }
      continue;
    }
    mlir::Value mine = spans[llvm::countr_zero(factor.axes)];
    if (mine == factor.span) {
      continue;
    }
    mlir::Operation *from = factor.from ? factor.from : user;
    if (!mine) {
      Refusal refusal{"stage_absence",
                      text + " has absent elements along an axis that is stored whole",
                      "store the axis by the span that the value was loaded by",
                      {{from, "absence is made here"}, {user, "it is stored here"}}};
      if (llvm::Error error =
              context.require(false, "what " + text + " lacks is not stored", refusal)) {
        return error;
      }
      continue;
    }
    SpanTerms box = context.values().span(mine), kept = context.values().span(factor.span);
    solver::Expr i = context.terms().local("i", solver::Range::between(0, box.width - 1));
    solver::Obligation inside{"what " + text + " lacks is not stored",
                              {},
                              implies(box.start + i < box.stop, kept.start + i < kept.stop)};
    if (llvm::Error error =
            context.prove(std::move(inside), user,
                          {"stage_absence",
                           "the store would write elements that are absent in " + text,
                           "store by the span that the value was loaded by",
                           {{from, "absence is made here"}, {user, "it is stored here"}}})) {
      return error;
    }
  }
  return llvm::Error::success();
}

/// Whether some op between a value and what is stored of it needs to find something in absent elements.
static bool needsPads(mlir::Value value, llvm::SmallPtrSetImpl<mlir::Operation *> &seen) {
  for (mlir::Operation *use : value.getUsers()) {
    if (!seen.insert(use).second || llvm::isa<tile::StoreOp, tile::WriteOp, tile::AtomicOp>(use)) {
      continue;
    }
    bool passes =
        isIndexMap(use) || use->hasTrait<tile::ElementwiseRow>() ||
        llvm::isa<tile::CastOp, tile::CmpOp, tile::SelectOp, tile::BitsOp, tile::FromBitsOp>(use);
    if (!passes || needsPads(use->getResult(0), seen)) {
      return true;
    }
  }
  return false;
}

tile::Fill Stage::fill() {
  llvm::SmallPtrSet<mlir::Operation *, 8> seen;
  bool hasPads = llvm::is_contained(whole, false);
  return hasPads && TESSERA_MUTANT(120, "staged operands need no pads",
                                   needsPads(load.getResult(), seen), false)
             ? tile::Fill::zero
             : tile::Fill::undef;
}

//===-- Edit -------------------------------------------------------------------------------------------------------===//

/// The location of an op under the name that messages call the buf by.
static mlir::Location named(mlir::Location loc, llvm::StringRef name) {
  while (auto named = llvm::dyn_cast<mlir::NameLoc>(loc)) {
    loc = named.getChildLoc();
  }
  if (name.empty()) {
    return loc;
  }
  return mlir::NameLoc::get(mlir::StringAttr::get(loc.getContext(), name), loc);
}

/// What is staged, as messages call it: the view, the variable, or the operand.
std::string Stage::subject() {
  mlir::Value view = load ? load.getView() : store ? store.getView() : mlir::Value();
  mlir::BlockArgument root = view ? rootView(view) : mlir::BlockArgument();
  std::string name = SymbolicValues::sourceName(root ? mlir::Value(root) : value);
  return name.empty() ? llvm::StringRef(text).trim('`').str() : name;
}

tile::AllocOp Stage::makeAlloc() {
  mlir::RewriterBase &rewriter = context.rewriter();
  mlir::Operation *at = load ? load.getOperation() : user;
  insertMemoryAt(rewriter, memoryBlock(user));
  return tile::AllocOp::create(rewriter, named(at->getLoc(), subject() + ".buf"), type,
                               mlir::ValueRange());
}

/// The order between the threads, which no edit here makes.
void Stage::openOrder(mlir::Operation *writer, mlir::Operation *reader) {
  std::string write = quoted(context, writer), read = quoted(context, reader);
  context.open("raw", read + " sees what " + write + " wrote", "a barrier or a ring between them");
  if (loopAround(writer)) {
    context.open("war", write + " of the next step comes after " + read,
                 "a barrier or a ring between them");
  }
  if (type.getPer() != tile::ExecScope::cta) {
    std::string per = tile::stringifyExecScope(type.getPer()).str();
    context.open("private", "each " + per + " reads what it wrote to its own memory",
                 "the places of " + write + " and " + read);
  }
}

void Stage::openAlias(mlir::Value view) {
  mlir::BlockArgument root = rootView(view);
  for (MemoryAccess &access : accessesIn(context.kernel())) {
    if (root && access.isWrite() && access.memory == root) {
      context.open("alias",
                   quoted(context, access.op) + " does not change what is copied from " +
                       quoted(context, mlir::Value(root)) + " while it is used",
                   "the order of the two");
      return;
    }
  }
}

static SmallVector<mlir::Value> given(llvm::ArrayRef<mlir::Value> spans) {
  SmallVector<mlir::Value> some;
  llvm::copy_if(spans, std::back_inserter(some), [](mlir::Value span) { return bool(span); });
  return some;
}

Value Stage::record(tile::AllocOp alloc, const std::string &name,
                    llvm::ArrayRef<std::pair<const char *, mlir::Operation *>> made) {
  std::vector<std::pair<std::string, Value>> fields{
      {"buf", context.cursor(alloc, ValueKind::Buf, name + ".buf")}};
  for (const auto &[role, op] : made) {
    fields.push_back({role, context.cursor(op, ValueKind::Op, name + "." + role)});
  }
  return PrimitiveContext::record(std::move(fields));
}

Value Stage::viaCopy() {
  mlir::RewriterBase &rewriter = context.rewriter();
  tile::IterAttr iter = context.iter(load);
  std::string name = subject();
  auto alloc = makeAlloc();
  rewriter.setInsertionPoint(load);
  auto copy =
      tile::CopyOp::create(rewriter, named(load.getLoc(), ""), load.getView(), load.getIndices(),
                           alloc.getResult(), mlir::Value(), load.getWhole(), fill());
  auto read = tile::ReadOp::create(rewriter, load.getLoc(), value.getType(), alloc.getResult(),
                                   mlir::Value(), given(spans), whole);
  mlir::Value view = load.getView();
  context.derive(copy, load, "copy");
  context.derive(read, load, "read");
  Value result = record(alloc, name, {{"copy", copy}, {"read", read}});
  rewriter.replaceOp(load, read.getResult());
  // How the value is spread over the threads stays; who copies is not chosen yet.
  context.setIter(read, iter);
  openOrder(copy, read);
  openAlias(view);
  return result;
}

Value Stage::viaWrite() {
  mlir::RewriterBase &rewriter = context.rewriter();
  std::string name = subject();
  auto alloc = makeAlloc();
  mlir::Operation *source = value.getDefiningOp();
  mlir::Block *block = value.getParentBlock(), *memory = alloc->getBlock();
  // What is made before the grid is there for all points, and each writes it to memory of its own.
  bool isBefore = !memory->getParentOp()->isAncestor(block->getParentOp());
  bool isCut = !(isBefore ? memory : block)->getOps<tile::SectionOp>().empty();
  if (isCut) {
    rewriter.setInsertionPoint(user); // beside sections there is nothing with effects
  } else if (isBefore) {
    insertMemoryAt(rewriter, memory);
  } else if (source) {
    rewriter.setInsertionPointAfter(source);
  } else {
    rewriter.setInsertionPointToStart(block);
  }
  mlir::Location loc = named(source ? source->getLoc() : user->getLoc(), "");
  auto write = tile::WriteOp::create(rewriter, loc, value, alloc.getResult(), mlir::Value());
  rewriter.setInsertionPoint(user);
  auto read = tile::ReadOp::create(rewriter, named(user->getLoc(), ""), value.getType(),
                                   alloc.getResult(), mlir::Value(), given(spans), whole);
  rewriter.modifyOpInPlace(user, [&] { user->setOperand(operand, read.getResult()); });
  context.note("absence of " + text + " is that of spans");
  Value result = record(alloc, name, {{"write", write}, {"read", read}});
  openOrder(write, read);
  return result;
}

Value Stage::viaCopyOut() {
  mlir::RewriterBase &rewriter = context.rewriter();
  std::string name = subject();
  auto alloc = makeAlloc();
  rewriter.setInsertionPoint(store);
  auto write = tile::WriteOp::create(rewriter, named(store.getLoc(), ""), value, alloc.getResult(),
                                     mlir::Value());
  auto copy = tile::CopyOutOp::create(rewriter, store.getLoc(), alloc.getResult(), mlir::Value(),
                                      store.getView(), store.getIndices(), store.getWhole());
  tile::IterAttr iter = context.iter(store);
  context.derive(write, store, "write");
  context.derive(copy, store, "copy");
  Value result = record(alloc, name, {{"write", write}, {"copy", copy}});
  rewriter.eraseOp(store);
  context.setIter(write, iter);
  openOrder(write, copy);
  return result;
}

llvm::Expected<Value> Stage::run() {
  if (llvm::Error error = match()) {
    return std::move(error);
  }
  if (load) {
    if (llvm::Error error = checkBox(load.getIndices(), load.getWhole(), "reads")) {
      return std::move(error);
    }
    return viaCopy();
  }
  if (store) {
    if (llvm::Error error = checkBox(store.getIndices(), store.getWhole(), "writes")) {
      return std::move(error);
    }
    if (llvm::Error error = checkStored()) {
      return std::move(error);
    }
    return viaCopyOut();
  }
  bool isCut = !user->getBlock()->getOps<tile::SectionOp>().empty();
  if (isCut) {
    return context.refuse("stage_cut",
                          text + " is used beside sections, where nothing may touch memory",
                          "stage it before `sections`", {{user, "it is used here"}});
  }
  if (llvm::Error error = checkPresence()) {
    return std::move(error);
  }
  return viaWrite();
}

static llvm::Expected<Value> runStage(PrimitiveContext &context, const HostCall &call) {
  return Stage(context, call).run();
}

void schedule::addStage(PrimitiveRegistry &registry) {
  script::Signature signature;
  signature.name = "stage";
  signature.params = {parameter("operand", ValueKind::Operand),
                      parameter("home", ValueKind::Name, std::nullopt, {"shared", "workspace"}),
                      parameter("layout", ValueKind::Layout, Value()),
                      parameter("per", ValueKind::Name, Value::name("cta"), {"cta", "wg", "warp"})};
  signature.result = "{buf, copy, read}";
  signature.group = "Memory";
  signature.doc = "An operand comes through a buf. A load with one use becomes a copy to the buf "
                  "and a read; any other value is "
                  "written and read, and then the record has `write` in place of `copy`. The value "
                  "of a store is written and "
                  "copied out: {buf, write, copy}. Absent elements are filled with 0 where an op "
                  "behind the read needs pads. Refused "
                  "where memory would forget why an element is absent (a condition, an index "
                  "tile), where the operand comes from "
                  "memory already, and where the buf does not fit. That reads come after writes, "
                  "for all threads, is due at `seal`.";
  signature.before = "%t = tile.load %a[%m, %k]\n%r = tile.mma %t, %b, %c";
  signature.after = "%buf = tile.alloc\ntile.copy %a[%m, %k] to %buf fill zero\n%t = tile.read "
                    "%buf span[%m, %k]\n"
                    "%r = tile.mma %t, %b, %c";
  registry.add({std::move(signature), runStage});
}
