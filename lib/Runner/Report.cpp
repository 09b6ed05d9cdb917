// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Report.h"

#include "tessera/Host/HostError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

std::optional<SourcePlace> tessera::placeOf(mlir::Location location) {
  if (auto range = llvm::dyn_cast<mlir::FileLineColRange>(location)) {
    // An end on another line is shown to the end of the first.
    const unsigned end = range.getEndLine() == range.getStartLine() ? range.getEndColumn() : 0;
    return SourcePlace{range.getFilename().getValue().str(), range.getStartLine(),
                       range.getStartColumn(), end};
  }
  if (auto named = llvm::dyn_cast<mlir::NameLoc>(location)) {
    return placeOf(named.getChildLoc());
  }
  if (auto call = llvm::dyn_cast<mlir::CallSiteLoc>(location)) {
    std::optional<SourcePlace> callee = placeOf(call.getCallee());
    return callee ? callee : placeOf(call.getCaller());
  }
  if (auto fused = llvm::dyn_cast<mlir::FusedLoc>(location)) {
    for (mlir::Location part : fused.getLocations()) {
      if (std::optional<SourcePlace> found = placeOf(part)) {
        return found;
      }
    }
  }
  return std::nullopt;
}

/// The calls that an inlined op came through, innermost first.
static void addCallers(mlir::Location location, Problem &problem) {
  if (auto named = llvm::dyn_cast<mlir::NameLoc>(location)) {
    return addCallers(named.getChildLoc(), problem);
  }
  if (auto call = llvm::dyn_cast<mlir::CallSiteLoc>(location)) {
    addCallers(call.getCallee(), problem);
    if (placeOf(call.getCaller())) {
      problem.notes.emplace_back(call.getCaller(), "called from here");
    }
    addCallers(call.getCaller(), problem);
  }
}

void Reporter::showPlace(const SourcePlace &place) {
  auto [entry, isNew] = files.try_emplace(place.file);
  if (isNew) {
    if (auto buffer = llvm::MemoryBuffer::getFile(place.file, /*IsText=*/true)) {
      entry->second = std::move(*buffer);
    }
  }
  if (!entry->second || place.line == 0) {
    return;
  }
  llvm::StringRef text = entry->second->getBuffer();
  for (unsigned line = 1; line < place.line; ++line) {
    text = text.split('\n').second;
  }
  const llvm::StringRef line = text.split('\n').first.rtrim('\r');
  const std::string number = std::to_string(place.line);
  const std::string margin(std::max<size_t>(5, number.size()), ' ');
  os << margin.substr(number.size()) << number << " | " << line << "\n" << margin << " | ";
  // Columns count characters, and a tab is repeated so that the caret stands right whatever it is worth.
  size_t at = 0;
  for (unsigned column = 1; column < place.column && at < line.size(); ++column) {
    os << (line[at] == '\t' ? '\t' : ' ');
    do {
      ++at;
    } while (at < line.size() && (static_cast<unsigned char>(line[at]) & 0xC0) == 0x80);
  }
  os << '^';
  for (unsigned i = place.column + 1; i < place.endColumn; ++i) {
    os << '~';
  }
  os << "\n";
}

void Reporter::showSource(mlir::Location where) {
  if (std::optional<SourcePlace> found = placeOf(where)) {
    showPlace(*found);
  }
}

void Reporter::place(std::optional<mlir::Location> where) {
  if (!where) {
    return;
  }
  if (std::optional<SourcePlace> found = placeOf(*where)) {
    os << found->file << ":" << found->line << ":" << found->column << ": ";
  }
}

void Reporter::report(const Problem &problem) {
  errors += !problem.isWarning;
  place(problem.where);
  os << (problem.isWarning ? "warning[" : "error[") << problem.code << "]: " << problem.text
     << "\n";
  if (problem.where) {
    showSource(*problem.where);
  }
  if (!problem.values.empty()) {
    os << "  with: ";
    llvm::interleaveComma(problem.values, os,
                          [&](const auto &value) { os << value.first << " = " << value.second; });
    os << "\n";
  }
  for (const auto &[where, text] : problem.notes) {
    place(where);
    os << "note: " << text << "\n";
    if (where) {
      showSource(*where);
    }
  }
  if (!problem.help.empty()) {
    os << "help: " << problem.help << "\n";
  }
}

/// Texts of Host and Interpreter end in their way out: `cause; way out`.
static void splitHelp(llvm::StringRef text, Problem &problem) {
  const size_t end = text.rfind("; ");
  if (end == llvm::StringRef::npos) {
    problem.text = text.str();
    return;
  }
  problem.text = text.take_front(end).str();
  problem.help = text.drop_front(end + 2).str();
}

void Reporter::report(llvm::Error error, std::optional<mlir::Location> where,
                      const ValuesInForce &values) {
  llvm::handleAllErrors(
      std::move(error),
      [&](const RunnerError &e) {
        usage |= e.isUsage();
        Problem problem{
            e.code().str(), false, e.getText().str(), e.location() ? e.location() : where,
            values,         {},    e.getHelp().str()};
        llvm::append_range(problem.values, e.valuesInForce());
        report(problem);
      },
      [&](const CheckedError &e) {
        Problem problem{e.code().str(), false, e.getText().str(), e.location(),
                        values,         {},    e.getHelp().str()};
        if (!placeOf(e.location()) && where) {
          problem.where = where;
        }
        llvm::append_range(problem.values, e.valuesInForce());
        addCallers(e.location(), problem);
        report(problem);
      },
      [&](const HostError &e) {
        Problem problem{e.code().str(), false, "", where, values, {}, ""};
        splitHelp(e.getText(), problem);
        report(problem);
      },
      [&](const llvm::ErrorInfoBase &e) {
        report(Problem{runnerDiagCode(RunnerDiag::source_mlir).str(),
                       false,
                       e.message(),
                       where,
                       values,
                       {},
                       ""});
      });
}

void Reporter::report(const RunError &error) {
  Problem problem{error.code().str(), isWarning(error.id), "", error.where, {}, {}, ""};
  splitHelp(error.message, problem);
  problem.values = error.values;
  for (const RunNote &note : error.notes) {
    problem.notes.emplace_back(note.where, note.text);
  }
  addCallers(error.where, problem);
  report(problem);
}
