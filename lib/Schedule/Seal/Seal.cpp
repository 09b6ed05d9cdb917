//===- Seal.cpp - proves that a scheduled kernel means its source ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects the accesses, lets each obligation's file add its entries, emits those that are open. Bounds of windows are
// here, too.
//
//===----------------------------------------------------------------------===//

#include "tessera/Schedule/Seal.h"

#include "Sealer.h"

#include "tessera/Dialect/Tile/Structure.h"
#include "tessera/Dialect/Tile/TypeText.h"
#include "tessera/Support/DiagnosticLog.h"
#include "tessera/Support/Mutants.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace tessera::tile;

namespace tessera {

//===- the table of errors ------------------------------------------------===//

namespace {
struct DiagRow {
  const char *name;
  const char *code;
  const char *format;
};
constexpr DiagRow diagRows[] = {
#define TESSERA_DIAG(id, code, severity, format) {#id, code, format},
#include "tessera/Schedule/SealErrors.def"
#undef TESSERA_DIAG
};
const DiagRow &row(SealDiag id) { return diagRows[static_cast<unsigned>(id)]; }
} // namespace

unsigned numSealDiags() { return std::size(diagRows); }
llvm::StringRef sealDiagCode(SealDiag id) { return row(id).code; }
llvm::StringRef sealDiagName(SealDiag id) { return row(id).name; }

/// `{0}` by the first argument, and so on.
static std::string fillIn(StringRef format, ArrayRef<std::string> arguments) {
  std::string text;
  for (size_t i = 0; i < format.size(); ++i) {
    bool isPlace = format[i] == '{' && i + 2 < format.size() && format[i + 2] == '}';
    unsigned place = isPlace ? format[i + 1] - '0' : 0;
    if (isPlace && place < arguments.size()) {
      text += arguments[place];
      i += 2;
    } else {
      text += format[i];
    }
  }
  return text;
}

//===- SealReport ---------------------------------------------------------===//

bool SealReport::isSealed() const {
  return llvm::none_of(entries, [](const SealEntry &entry) { return entry.isOpen(); });
}

unsigned SealReport::count(SealKind kind, SealStatus status) const {
  return llvm::count_if(entries, [&](const SealEntry &entry) {
    return entry.kind == kind && entry.status == status;
  });
}

static StringRef statusName(SealStatus status) {
  switch (status) {
  case SealStatus::proved:
    return "proved";
  case SealStatus::refuted:
    return "refuted";
  case SealStatus::unknown:
    return "unknown";
  case SealStatus::program:
    return "program";
  }
  return "";
}

static constexpr StringRef kindNames[] = {"",           "bounds",    "values",  "order",    "rings",
                                          "uniformity", "instances", "outputs", "resources"};

std::string SealReport::table() const {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "  obligation     proved  program  refuted  unknown\n";
  for (unsigned kind = 1; kind <= 8; ++kind) {
    if (kind == static_cast<unsigned>(SealKind::outputs)) {
      out << "  7 outputs      follows from the steps of the schedule, not proved here\n";
      continue;
    }
    out << "  " << kind << " " << llvm::left_justify(kindNames[kind], 12);
    for (SealStatus status :
         {SealStatus::proved, SealStatus::program, SealStatus::refuted, SealStatus::unknown}) {
      out << llvm::format(status == SealStatus::proved ? "%7u" : "  %7u",
                          count(static_cast<SealKind>(kind), status));
    }
    out << "\n";
  }
  for (const SealEntry &entry : entries) {
    if (entry.status == SealStatus::proved) {
      continue;
    }
    out << "  " << statusName(entry.status) << ": " << entry.title;
    if (entry.diagnostic) {
      out << " (" << sealDiagCode(*entry.diagnostic) << ")";
    }
    out << "\n";
  }
  return text;
}

namespace sealing {

//===- names --------------------------------------------------------------===//

std::string nameOf(Operation *op) {
  if (auto apply = op->getParentOfType<ApplyOp>()) {
    return "@" + apply.getInstr().str();
  }
  if (auto apply = dyn_cast<ApplyOp>(op)) {
    return "@" + apply.getInstr().str();
  }
  return op->getName().getStringRef().str();
}

std::string memoryName(KernelOp kernel, Value memory) {
  if (auto buf = dyn_cast<BufType>(memory.getType())) {
    return "`" + text(buf) + "`";
  }
  if (auto argument = dyn_cast<BlockArgument>(memory)) {
    if (argument.getOwner()->getParentOp() == kernel.getOperation()) {
      return "`" + kernel.getArgName(argument.getArgNumber()).str() + "`";
    }
  }
  return "a view";
}

std::string fileLine(Operation *op) {
  if (auto at = op->getLoc()->findInstanceOf<FileLineColLoc>()) {
    return "line " + std::to_string(at.getLine());
  }
  return "an op without a line";
}

//===- Sealer -------------------------------------------------------------===//

Sealer::Sealer(KernelOp kernel, solver::Solver &solver, const SealOptions &options)
    : kernel(kernel), solver(solver), options(options), model(kernel, solver.context()) {}

static SealEntry makeEntry(SealKind kind, SealStatus status, std::string title, Operation *first,
                           Operation *second) {
  SealEntry entry;
  entry.kind = kind;
  entry.status = status;
  entry.title = std::move(title);
  entry.first = first;
  entry.second = second;
  return entry;
}

void Sealer::addEntry(SealEntry entry) {
  entry.queries = std::exchange(asked, {});
  report.entries.push_back(std::move(entry));
}

/// One that became true while it was made was no question.
void Sealer::noteQuery(const solver::AskedQuery &query) {
  bool isKnown = llvm::any_of(
      asked, [&](const solver::AskedQuery &other) { return other.hash == query.hash; });
  if (!query.hash.empty() && !isKnown) {
    asked.push_back(query);
  }
}

void Sealer::prove(SealKind kind, std::string title, Operation *first, Operation *second) {
  addEntry(makeEntry(kind, SealStatus::proved, std::move(title), first, second));
}

void Sealer::program(SealKind kind, std::string title, Operation *first, Operation *second) {
  addEntry(makeEntry(kind, SealStatus::program, std::move(title), first, second));
}

/// Names of the kernel; the solver marks symbols that are one question's own.
static std::string withoutMarks(std::string text) {
  llvm::erase(text, '~');
  return text;
}

void Sealer::refuse(SealKind kind, std::string title, const Refusal &refusal, Operation *first,
                    Operation *second) {
  bool isUnknown = refusal.id == SealDiag::seal_unknown;
  SealEntry entry = makeEntry(kind, isUnknown ? SealStatus::unknown : SealStatus::refuted,
                              std::move(title), first, second);
  entry.diagnostic = refusal.id;
  entry.message = withoutMarks(fillIn(row(refusal.id).format, refusal.arguments));
  entry.missing = withoutMarks(refusal.missing);
  entry.witness = withoutMarks(refusal.witness);
  entry.help = withoutMarks(refusal.help);
  entry.loop = refusal.loop;
  entry.scope = refusal.scope;
  addEntry(std::move(entry));
}

void Sealer::conclude(SealKind kind, std::string title, const solver::Verdict &verdict,
                      Refusal refusal, Operation *first, Operation *second) {
  if (verdict.proved()) {
    prove(kind, std::move(title), first, second);
    return;
  }
  if (verdict.refuted()) {
    refusal.witness = verdict.witness.str();
  } else {
    refusal = {SealDiag::seal_unknown,
               {title + ": " + verdict.str()},
               refusal.missing,
               llvm::join(verdict.exits(), "; ")};
  }
  refuse(kind, std::move(title), refusal, first, second);
}

solver::Verdict Sealer::ask(StringRef title, std::vector<Fact> facts, Expr goal) {
  // Facts that stand in both instances of a question are given once.
  llvm::DenseSet<const solver::ExprNode *> seen;
  solver::Obligation obligation{title.str(), {}, goal};
  for (Fact &fact : facts) {
    if (seen.insert(fact.condition.raw()).second) {
      obligation.facts.push_back(std::move(fact));
    }
  }
  return ask(obligation);
}

solver::Verdict Sealer::ask(const solver::Obligation &obligation) {
  solver::Verdict verdict = solver.prove(obligation);
  noteQuery({verdict.query, verdict.cost});
  return verdict;
}

bool Sealer::surelyRuns(ForOp loop) {
  auto found = runs.find(loop);
  if (found != runs.end()) {
    noteQuery(found->second.query);
    return found->second.surely;
  }
  Expr lo = model.number(loop.getLo()), hi = model.number(loop.getHi());
  solver::Verdict verdict = ask("the loop has a step", model.factsAt(loop), lo < hi);
  // Another entry may rest on it, too; it was paid for once.
  runs[loop] = {verdict.proved(), {verdict.query, {verdict.cost.by}}};
  return verdict.proved();
}

bool Sealer::isWhole(Value value) {
  auto found = wholeSpans.find(value);
  if (found != wholeSpans.end()) {
    return found->second;
  }
  // It has one value wherever it can be used, the one that it has where it is made.
  auto argument = dyn_cast<BlockArgument>(value);
  Operation *at = argument ? &argument.getOwner()->front() : value.getDefiningOp();
  SpanTerms terms = model.span(value);
  bool result =
      ask("the span is whole", model.factsAt(at), terms.stop >= terms.start + terms.width).proved();
  wholeSpans[value] = result;
  return result;
}

PresenceAnalysis Sealer::presence() {
  // Questions about all spans of the kernel are those of no entry.
  std::vector<solver::AskedQuery> before = asked;
  PresenceAnalysis made(kernel, [this](Value span) {
    return TESSERA_MUTANT(161, "every span is whole", isWhole(span), true);
  });
  asked = std::move(before);
  return made;
}

void Sealer::collect() {
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto points = dyn_cast<TileIterOpInterface>(op);
    if (!points) {
      return;
    }
    for (Window &window : points.getWindows()) {
      Access access;
      access.op = op;
      access.isBuf = isa<BufType>(window.view.getType());
      access.memory = access.isBuf ? window.view : viewBase(window.view);
      access.isElected = static_cast<bool>(op->getParentOfType<ElectOp>());
      access.apply = op->getParentOfType<ApplyOp>();
      access.window = std::move(window);
      accesses.push_back(std::move(access));
    }
  });
}

//===- 1: bounds ----------------------------------------------------------===//

void Sealer::proveBounds() {
  for (const Access &access : accesses) {
    if (access.isBuf) {
      continue; // an access covers a slot whole
    }
    for (auto [axis, at] : llvm::enumerate(access.window.axes)) {
      std::string title = "axis " + std::to_string(axis) + " of `" + nameOf(access) + "` of " +
                          memoryName(kernel, access.memory);
      Expr extent = model.extent(access.window.view, axis);
      Expr goal;
      if (at.kind == WindowAxis::whole) {
        prove(SealKind::bounds, title, access.op);
        continue;
      }
      if (at.kind == WindowAxis::gather) {
        program(SealKind::bounds, title, access.op);
        continue;
      }
      if (at.kind == WindowAxis::scalar) {
        Expr index = model.number(at.index);
        goal = index >= 0 &&
               TESSERA_MUTANT(102, "an index may be the extent", index < extent, index <= extent);
      } else {
        SpanTerms span = model.span(at.index);
        goal = span.stop <= span.start ||
               (span.start >= 0 && TESSERA_MUTANT(101, "a window may end outside its view",
                                                  span.stop <= extent, span.start <= extent));
      }
      solver::Verdict verdict = ask(title, model.factsAt(access.op), goal);
      if (!verdict.proved() && model.dependsOnData(goal)) {
        // An index that the source computes from data: a checked error there, if it is one here.
        program(SealKind::bounds, title, access.op);
        continue;
      }
      conclude(SealKind::bounds, title, verdict,
               {SealDiag::seal_bounds,
                {nameOf(access), std::to_string(axis)},
                "the index stays in [0, " + extent.str() + ")",
                "make the span over the axis' own extent, or state the size in `where`"},
               access.op);
    }
  }
}

//===- all ----------------------------------------------------------------===//

SealReport Sealer::run() {
  if (kernel.getBody().empty()) {
    return {};
  }
  struct Check {
    void (*run)(Sealer &);
    bool isSynchronisation;
  };
  constexpr Check checks[] = {
      {checkValues, false},    {checkPads, false},      {checkInstructions, false},
      {checkOrder, true},      {checkInFlight, true},   {checkRings, true},
      {checkUniformity, true}, {checkInstances, false}, {checkResources, true}};
  collect();
  if (!options.onlySynchronisation) {
    proveBounds();
  }
  for (const Check &check : checks) {
    asked.clear(); // what the one asked and did not need is nothing to the next
    if (check.isSynchronisation || !options.onlySynchronisation) {
      check.run(*this);
    }
  }
  return std::move(report);
}

} // namespace sealing

static void emit(const SealEntry &entry) {
  StringRef code = sealDiagCode(*entry.diagnostic);
  logDiagnosticCode(code);
  InFlightDiagnostic error = emitError(entry.first->getLoc());
  error << code << ": " << entry.message;
  if (entry.second && entry.second != entry.first) {
    error.attachNote(entry.second->getLoc()) << "`" << sealing::nameOf(entry.second) << "` is here";
  }
  SmallVector<std::string> parts;
  if (!entry.missing.empty()) {
    parts.push_back("missing: " + entry.missing);
  }
  if (!entry.witness.empty()) {
    parts.push_back("smallest case: " + entry.witness);
  }
  if (!entry.help.empty()) {
    parts.push_back("help: " + entry.help);
  }
  if (!parts.empty()) {
    error.attachNote(entry.first->getLoc()) << llvm::join(parts, "; ");
  }
}

SealReport seal(KernelOp kernel, solver::Solver &solver, const SealOptions &options) {
  SealReport report = sealing::Sealer(kernel, solver, options).run();
  if (options.emit) {
    for (const SealEntry &entry : report.entries) {
      if (entry.isOpen()) {
        emit(entry);
      }
    }
  }
  return report;
}

} // namespace tessera
