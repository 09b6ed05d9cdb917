// Conditions of a step: asking the solver, the ledger, refusals in the user's words.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/ScheduleHost.h"

#include "llvm/ADT/StringExtras.h"
#include "mlir/IR/SymbolTable.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::StringRef;

//===-- Source lines -----------------------------------------------------------------------------------------------===//

namespace {
struct FilePlace {
  StringRef file;
  unsigned line = 0, column = 0, endLine = 0, endColumn = 0;
};
} // namespace

/// The innermost place in a file.
static std::optional<FilePlace> placeOf(mlir::Location loc) {
  if (auto range = llvm::dyn_cast<mlir::FileLineColRange>(loc)) {
    return FilePlace{range.getFilename().getValue(), range.getStartLine(), range.getStartColumn(),
                     range.getEndLine(), range.getEndColumn()};
  }
  if (auto named = llvm::dyn_cast<mlir::NameLoc>(loc)) {
    return placeOf(named.getChildLoc());
  }
  if (auto call = llvm::dyn_cast<mlir::CallSiteLoc>(loc)) {
    return placeOf(call.getCallee());
  }
  if (auto fused = llvm::dyn_cast<mlir::FusedLoc>(loc)) {
    for (mlir::Location part : fused.getLocations()) {
      if (std::optional<FilePlace> place = placeOf(part)) {
        return place;
      }
    }
  }
  return std::nullopt;
}

/// The byte of a column that counts code points.
static uint32_t offsetOf(const SourceManager &sources, uint32_t file, unsigned line,
                         unsigned column) {
  StringRef text = sources.lineText(file, line);
  uint32_t bytes = 0;
  for (unsigned point = 1; point < column && bytes < text.size(); ++point) {
    ++bytes;
    while (bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) {
      ++bytes;
    }
  }
  return sources.lineStart(file, line) + bytes;
}

static SourceRange rangeOf(const FilePlace &place, const SourceManager *sources) {
  for (uint32_t file = 0; sources && file < sources->size(); ++file) {
    if (sources->name(file) == place.file) {
      uint32_t begin = offsetOf(*sources, file, place.line, place.column);
      uint32_t end = offsetOf(*sources, file, place.endLine, place.endColumn);
      return {file, begin, std::max(begin, end)};
    }
  }
  return {};
}

DiagnosticNote ScheduleHost::noteAt(mlir::Operation *op, const llvm::Twine &text) const {
  std::optional<FilePlace> place = placeOf(op->getLoc());
  if (!place) {
    return {SourceRange(), text.str()};
  }
  SourceRange range = rangeOf(*place, options.sources);
  if (range.isValid()) {
    return {range, text.str()};
  }
  return {range, (text + " (" + place->file + ":" + llvm::Twine(place->line) + ":" +
                  llvm::Twine(place->column) + ")")
                     .str()};
}

std::string ScheduleHost::sourceText(mlir::Location loc) const {
  std::optional<FilePlace> place = placeOf(loc);
  SourceRange range = place ? rangeOf(*place, options.sources) : SourceRange();
  return range.isValid() ? options.sources->text(range).str() : "";
}

std::string ScheduleHost::nameWithLine(mlir::Operation *op) const {
  std::string text = CursorTable::describe(op);
  if (std::optional<FilePlace> place = placeOf(op->getLoc())) {
    text += " at line " + std::to_string(place->line);
  }
  return text;
}

//===-- Refusing ---------------------------------------------------------------------------------------------------===//

llvm::Error
PrimitiveContext::refuse(StringRef code, const llvm::Twine &message, const llvm::Twine &help,
                         llvm::ArrayRef<std::pair<mlir::Operation *, std::string>> places) {
  auto error = std::make_unique<HostError>(HostError::Kind::Refused, message);
  error->code = code.str();
  error->help = help.str();
  for (const auto &[op, text] : places) {
    error->notes.push_back(host.noteAt(op, text));
  }
  return llvm::Error(std::move(error));
}

//===-- Asking -----------------------------------------------------------------------------------------------------===//

std::vector<solver::Fact> PrimitiveContext::facts(mlir::Operation *op) {
  std::vector<solver::Fact> facts = values().facts(op);
  auto inside = llvm::dyn_cast<tile::KernelOp>(op);
  tile::KernelOp around = inside ? inside : op->getParentOfType<tile::KernelOp>();
  if (around) {
    for (const solver::Fact &fact : host.assumedFacts(around.getSymName())) {
      facts.push_back(fact);
    }
  }
  return facts;
}

solver::Verdict PrimitiveContext::ask(solver::Obligation obligation, mlir::Operation *at) {
  std::vector<solver::Fact> known = facts(at);
  // Facts of the place first: explanations read from the program inwards.
  obligation.facts.insert(obligation.facts.begin(), known.begin(), known.end());
  return solver().prove(obligation);
}

llvm::Error PrimitiveContext::prove(solver::Obligation obligation, mlir::Operation *at,
                                    const Refusal &refusal) {
  Entry entry;
  entry.title = obligation.title;
  entry.range = call.range;
  entry.kind = refusal.code;
  solver::Verdict verdict = ask(std::move(obligation), at);
  if (!verdict.query.empty()) {
    entry.queries.push_back({verdict.query, verdict.cost});
  }
  if (verdict.proved()) {
    entry.standing = Standing::Proved;
    // What an obligation says of its own variables explains nothing.
    llvm::copy_if(verdict.usedFacts, std::back_inserter(entry.usedFacts),
                  [](const std::string &fact) { return !StringRef(fact).contains('~'); });
    host.pending.entries.push_back(std::move(entry));
    return llvm::Error::success();
  }
  if (trusted()) {
    entry.standing = Standing::Trusted;
    entry.reason = host.reasons.back();
    host.pending.entries.push_back(std::move(entry));
    return llvm::Error::success();
  }
  std::string words = refusal.message;
  if (verdict.refuted()) {
    std::string values = verdict.witness.str();
    values.erase(std::remove(values.begin(), values.end(), '~'), values.end());
    words += values.empty() ? ", in every case" : ", for instance with " + values;
    host.failed = verdict.witness;
  } else {
    words += "; " + verdict.str();
  }
  llvm::SmallVector<std::string> ways;
  if (!refusal.help.empty()) {
    ways.push_back(refusal.help);
  }
  for (std::string &way : verdict.exits()) {
    ways.push_back(std::move(way));
  }
  return refuse(refusal.code, words, llvm::join(ways, "; or "), refusal.places);
}

void PrimitiveContext::record(Entry entry) {
  entry.range = call.range;
  host.pending.entries.push_back(std::move(entry));
}

void PrimitiveContext::note(const llvm::Twine &title) {
  Entry entry;
  entry.title = title.str();
  entry.standing = Standing::Proved;
  entry.kind = "form";
  record(std::move(entry));
}

void PrimitiveContext::noteProgram(const llvm::Twine &title, const llvm::Twine &reason) {
  Entry entry;
  entry.title = title.str();
  entry.standing = Standing::Program;
  entry.kind = "program";
  entry.reason = reason.str();
  record(std::move(entry));
}

void PrimitiveContext::open(StringRef kind, const llvm::Twine &title, const llvm::Twine &waitsFor) {
  Entry entry;
  entry.title = title.str();
  entry.kind = kind.str();
  entry.reason = waitsFor.str();
  record(std::move(entry));
}

llvm::Error PrimitiveContext::require(bool holds, const llvm::Twine &title, const Refusal &refusal,
                                      std::vector<solver::AskedQuery> queries) {
  if (!holds && !trusted()) {
    host.failed.emplace();
    return refuse(refusal);
  }
  note(title);
  host.pending.entries.back().kind = refusal.code;
  host.pending.entries.back().queries = std::move(queries);
  if (!holds) {
    host.pending.entries.back().standing = Standing::Trusted;
    host.pending.entries.back().reason = host.reasons.back();
  }
  return llvm::Error::success();
}

//===-- Facts of scripts and versions ------------------------------------------------------------------------------===//

llvm::Expected<solver::Expr> PrimitiveContext::condition(const Value &fact, mlir::Operation *) {
  script::FactPtr tree = script::asFact(fact);
  if (!tree) {
    return refuse("fact_kind", fact.describe() + " is no fact", "write a condition: `K % 8 == 0`");
  }
  llvm::Expected<solver::Expr> term = host.factTable.term(*tree, terms());
  if (!term) {
    return refuse("fact_kind", llvm::toString(term.takeError()),
                  "facts are made of extents, integers and `aligned(view, bytes)`");
  }
  if (!term->isBool()) {
    return refuse("fact_kind", "`" + fact.str() + "` is a number, not a condition",
                  "compare it: `" + fact.str() + " == 0`");
  }
  return term;
}

tile::KernelOp PrimitiveContext::forkKernel(tile::KernelOp kernel, StringRef copyRole,
                                            StringRef otherRole) {
  mlir::IRMapping mapping;
  mlir::OpBuilder::InsertionGuard guard(rewriter());
  rewriter().setInsertionPoint(kernel);
  auto copy = llvm::cast<tile::KernelOp>(rewriter().clone(*kernel, mapping));
  std::string symbol;
  for (unsigned i = 1;; ++i) {
    symbol =
        (kernel.getSymName() + "." + copyRole + (i > 1 ? llvm::Twine(i) : llvm::Twine())).str();
    if (!module().lookupSymbol(symbol)) {
      break;
    }
  }
  rewriter().modifyOpInPlace(copy, [&] { copy.setSymName(symbol); });
  values().remap(mapping, /*keep=*/true);
  llvm::SmallVector<std::pair<mlir::Operation *, mlir::Operation *>> pairs;
  kernel->walk([&](mlir::Operation *op) { pairs.push_back({mapping.lookupOrNull(op), op}); });
  for (auto [fresh, old] : pairs) {
    host.table.fork(fresh ? fresh : copy.getOperation(), old, copyRole, otherRole);
  }
  host.assumed[symbol] = host.assumed[kernel.getSymName().str()];
  return copy;
}

void PrimitiveContext::assumeIn(tile::KernelOp kernel, const Value &fact, solver::Expr condition) {
  host.assumed[kernel.getSymName().str()].push_back({condition, fact.str(), "version"});
}
