// Diagnostics of everything that reads user text: one table of ids (Diagnostics.def), one engine that collects, one
// way of rendering. A diagnostic is a code, a one-line cause, the place, the parameters in force, notes and a way out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_FRONTEND_DIAGNOSTICS_H
#define TESSERA_FRONTEND_DIAGNOSTICS_H

#include "tessera/Frontend/SourceManager.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"

#include <string>
#include <utility>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace tessera {

enum class Severity { Error, Warning };

namespace diag {
/// One id for every place that emits (a row of Diagnostics.def).
enum Id : unsigned {
#define TESSERA_DIAG(ID, CODE, SEVERITY, MESSAGE) ID,
#include "tessera/Frontend/Diagnostics.def"
#undef TESSERA_DIAG
  num_ids
};
} // namespace diag

/// The row of an id. `message` is a formatv format: {0}, {1}, …; a literal brace is doubled.
struct DiagnosticInfo {
  const char *id;
  const char *code;
  Severity severity;
  const char *message;
};
const DiagnosticInfo &diagnosticInfo(diag::Id id);

struct DiagnosticNote {
  SourceRange range; ///< may be invalid: then the note has no place
  std::string text;
};

/// Replace `range` (empty: insert) by `replacement`.
struct FixIt {
  SourceRange range;
  std::string replacement;
};

/// Parameters of the instance in force: name and value as text ("BM", "128").
using DiagnosticParams = std::vector<std::pair<std::string, std::string>>;

struct Diagnostic {
  diag::Id id = diag::num_ids;
  Severity severity = Severity::Error;
  std::string code; ///< "T0123"
  SourceRange range;
  std::string message;
  DiagnosticParams params;
  std::vector<DiagnosticNote> notes;
  std::vector<FixIt> fixIts;
  std::string help; ///< the way out, one line; never empty for an error after `report`
};

/// What `report` returns; adds the parts that not every diagnostic has. Usable until the next `report`.
class DiagnosticBuilder {
public:
  explicit DiagnosticBuilder(Diagnostic &diagnostic) : diagnostic(diagnostic) {}

  DiagnosticBuilder &note(SourceRange range, const llvm::Twine &text) {
    diagnostic.notes.push_back({range, text.str()});
    return *this;
  }
  DiagnosticBuilder &note(const llvm::Twine &text) { return note(SourceRange(), text); }
  DiagnosticBuilder &help(const llvm::Twine &text) {
    diagnostic.help = text.str();
    return *this;
  }
  DiagnosticBuilder &fixIt(SourceRange range, const llvm::Twine &replacement) {
    diagnostic.fixIts.push_back({range, replacement.str()});
    return *this;
  }
  DiagnosticBuilder &param(const llvm::Twine &name, const llvm::Twine &value) {
    diagnostic.params.emplace_back(name.str(), value.str());
    return *this;
  }
  Diagnostic &get() { return diagnostic; }

private:
  Diagnostic &diagnostic;
};

class DiagnosticEngine {
public:
  explicit DiagnosticEngine(SourceManager &sources) : sources(sources) {}

  /// `engine.report(diag::expected_token, range, "`{`", found).help("…").fixIt(range, "{");`
  template <typename... Args>
  DiagnosticBuilder report(diag::Id id, SourceRange range, Args &&...args) {
    return add(id, diagnosticInfo(id), range,
               llvm::formatv(false, diagnosticInfo(id).message, std::forward<Args>(args)...).str());
  }
  /// The same for a row of another room's table; the diagnostic's `id` is then `num_ids`, its code tells what it is.
  template <typename... Args>
  DiagnosticBuilder report(const DiagnosticInfo &row, SourceRange range, Args &&...args) {
    return add(diag::num_ids, row, range,
               llvm::formatv(false, row.message, std::forward<Args>(args)...).str());
  }

  /// Attached to every later diagnostic: the values of the instance that is being checked.
  void setParams(DiagnosticParams params) { inForce = std::move(params); }

  SourceManager &getSources() const { return sources; }
  llvm::ArrayRef<Diagnostic> diagnostics() const { return list; }
  bool hasErrors() const { return numErrors != 0; }
  unsigned errorCount() const { return numErrors; }
  void clear();

  /// A trial: what is reported between the two calls is forgotten by `endTrial` and not logged. Trials nest.
  size_t beginTrial();
  bool trialFailed(size_t mark) const;
  void endTrial(size_t mark);

  /// Sorts the diagnostics from index `from` on by file and position; equal places keep their order.
  void sortByPosition(size_t from = 0);

  /// All diagnostics as text. Colours only where the caller's stream is a terminal (see `render(os)`).
  void render(llvm::raw_ostream &os, bool colours) const;
  void render(llvm::raw_ostream &os) const;
  void renderOne(llvm::raw_ostream &os, const Diagnostic &diagnostic, bool colours) const;
  /// `file.tile:22:9`; `<no source>` for an invalid range.
  std::string describePlace(SourceRange range) const;

private:
  DiagnosticBuilder add(diag::Id id, const DiagnosticInfo &info, SourceRange range,
                        std::string message);

  SourceManager &sources;
  std::vector<Diagnostic> list;
  DiagnosticParams inForce;
  unsigned numErrors = 0;
  unsigned trials = 0;
};

/// `text` (the text of file `file`) with the fix-its of `diagnostics` applied, in order of position; of two that
/// overlap the later one is dropped.
std::string applyFixIts(llvm::StringRef text, llvm::ArrayRef<Diagnostic> diagnostics,
                        uint32_t file = 0);

} // namespace tessera

#endif // TESSERA_FRONTEND_DIAGNOSTICS_H
