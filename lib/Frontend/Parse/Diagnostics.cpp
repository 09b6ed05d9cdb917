// Collecting, rendering and applying diagnostics.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Frontend/Diagnostics.h"

#include "tessera/Support/DiagnosticLog.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <numeric>
#include <tuple>

using namespace tessera;

static const DiagnosticInfo infos[] = {
#define TESSERA_DIAG(ID, CODE, SEVERITY, MESSAGE) {#ID, CODE, Severity::SEVERITY, MESSAGE},
#include "tessera/Frontend/Diagnostics.def"
#undef TESSERA_DIAG
};

const DiagnosticInfo &tessera::diagnosticInfo(diag::Id id) { return infos[id]; }

DiagnosticBuilder DiagnosticEngine::add(diag::Id id, const DiagnosticInfo &info, SourceRange range,
                                        std::string message) {
  if (trials == 0) {
    logDiagnosticCode(info.code);
  }
  Diagnostic diagnostic;
  diagnostic.id = id;
  diagnostic.severity = info.severity;
  diagnostic.code = info.code;
  diagnostic.range = range;
  diagnostic.message = std::move(message);
  diagnostic.params = inForce;
  numErrors += info.severity == Severity::Error;
  list.push_back(std::move(diagnostic));
  return DiagnosticBuilder(list.back());
}

size_t DiagnosticEngine::beginTrial() {
  ++trials;
  return list.size();
}

bool DiagnosticEngine::trialFailed(size_t mark) const {
  return std::any_of(list.begin() + mark, list.end(),
                     [](const Diagnostic &d) { return d.severity == Severity::Error; });
}

void DiagnosticEngine::endTrial(size_t mark) {
  for (size_t i = mark; i < list.size(); ++i) {
    numErrors -= list[i].severity == Severity::Error;
  }
  list.erase(list.begin() + mark, list.end());
  --trials;
}

void DiagnosticEngine::clear() {
  list.clear();
  inForce.clear();
  numErrors = 0;
}

void DiagnosticEngine::sortByPosition(size_t from) {
  from = std::min(from, list.size());
  std::vector<size_t> order(list.size() - from);
  std::iota(order.begin(), order.end(), from);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const SourceRange &x = list[a].range, &y = list[b].range;
    return std::make_tuple(x.file, x.begin, a) < std::make_tuple(y.file, y.begin, b);
  });
  std::vector<Diagnostic> sorted;
  sorted.reserve(order.size());
  for (size_t index : order) {
    sorted.push_back(std::move(list[index]));
  }
  std::move(sorted.begin(), sorted.end(), list.begin() + from);
}

std::string DiagnosticEngine::describePlace(SourceRange range) const {
  if (!range.isValid()) {
    return "<no source>";
  }
  LineColumn place = sources.lineColumn(range.file, range.begin);
  return llvm::formatv("{0}:{1}:{2}", sources.name(range.file), place.line, place.column).str();
}

/// The line of `range` with a caret below its start and tildes below the rest of it on that line.
static void renderSource(llvm::raw_ostream &os, const SourceManager &sources, SourceRange range) {
  if (!range.isValid()) {
    return;
  }
  LineColumn place = sources.lineColumn(range.file, range.begin);
  llvm::StringRef line = sources.lineText(range.file, place.line);
  uint32_t start = sources.lineStart(range.file, place.line);
  std::string number = std::to_string(place.line);
  std::string margin(std::max<size_t>(5, number.size()), ' ');
  os << margin.substr(number.size()) << number << " | " << line << "\n" << margin << " | ";
  llvm::StringRef before = line.take_front(range.begin - start);
  for (char c : before) {
    if (c == '\t') {
      os << '\t'; // so that the caret stands right whatever a tab is worth
    } else if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) {
      os << ' ';
    }
  }
  os << '^';
  unsigned covered = countCodePoints(
      line.slice(before.size(), std::max<size_t>(before.size(), range.end - start)));
  for (unsigned i = 1; i < covered; ++i) {
    os << '~';
  }
  os << "\n";
}

/// The way out that the fix-its themselves spell, for a diagnostic that came without words.
static std::string describeFix(const Diagnostic &diagnostic) {
  if (diagnostic.fixIts.empty()) {
    return "";
  }
  const FixIt &fix = diagnostic.fixIts.front();
  if (fix.replacement.empty()) {
    return "remove it";
  }
  llvm::StringRef words = llvm::StringRef(fix.replacement).trim();
  return (fix.range.begin == fix.range.end ? "insert `" : "write `") + words.str() + "`";
}

void DiagnosticEngine::renderOne(llvm::raw_ostream &os, const Diagnostic &diagnostic,
                                 bool colours) const {
  auto paint = [&](llvm::raw_ostream::Colors colour) {
    if (colours) {
      os.changeColor(colour, /*Bold=*/true);
    }
  };
  auto plain = [&] {
    if (colours) {
      os.resetColor();
    }
  };
  bool isError = diagnostic.severity == Severity::Error;
  os << describePlace(diagnostic.range) << ": ";
  paint(isError ? llvm::raw_ostream::RED : llvm::raw_ostream::MAGENTA);
  os << (isError ? "error" : "warning") << "[" << diagnostic.code << "]:";
  plain();
  os << " " << diagnostic.message << "\n";
  renderSource(os, sources, diagnostic.range);
  if (!diagnostic.params.empty()) {
    os << "  with: ";
    llvm::interleaveComma(diagnostic.params, os,
                          [&](const auto &param) { os << param.first << " = " << param.second; });
    os << "\n";
  }
  for (const DiagnosticNote &note : diagnostic.notes) {
    if (note.range.isValid()) {
      os << describePlace(note.range) << ": ";
    }
    paint(llvm::raw_ostream::CYAN);
    os << "note:";
    plain();
    os << " " << note.text << "\n";
    renderSource(os, sources, note.range);
  }
  std::string help = diagnostic.help.empty() ? describeFix(diagnostic) : diagnostic.help;
  if (!help.empty()) {
    paint(llvm::raw_ostream::GREEN);
    os << "help:";
    plain();
    os << " " << help << "\n";
  }
}

void DiagnosticEngine::render(llvm::raw_ostream &os, bool colours) const {
  for (const Diagnostic &diagnostic : list) {
    renderOne(os, diagnostic, colours);
  }
}

void DiagnosticEngine::render(llvm::raw_ostream &os) const {
  render(os, os.is_displayed() && os.has_colors());
}

std::string tessera::applyFixIts(llvm::StringRef text, llvm::ArrayRef<Diagnostic> diagnostics,
                                 uint32_t file) {
  std::vector<const FixIt *> fixes;
  for (const Diagnostic &diagnostic : diagnostics) {
    for (const FixIt &fix : diagnostic.fixIts) {
      if (fix.range.file == file && fix.range.begin <= fix.range.end &&
          fix.range.end <= text.size()) {
        fixes.push_back(&fix);
      }
    }
  }
  std::vector<size_t> order(fixes.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::make_pair(fixes[a]->range.begin, a) < std::make_pair(fixes[b]->range.begin, b);
  });
  std::string result;
  size_t done = 0;
  for (size_t index : order) {
    const FixIt *fix = fixes[index];
    if (fix->range.begin < done) {
      continue;
    }
    result += text.slice(done, fix->range.begin);
    result += fix->replacement;
    done = fix->range.end;
  }
  result += text.drop_front(done);
  return result;
}
