// What a schedule did and what had to hold for it: the record that `--explain` prints and that `seal` empties.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_SCHEDULE_LEDGER_H
#define TESSERA_SCHEDULE_LEDGER_H

#include "tessera/Frontend/SourceManager.h"
#include "tessera/Solver/Verdict.h"

#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace tessera::schedule {

/// What is known about a condition.
enum class Standing {
  Proved,  ///< for all sizes that the facts allow
  Assumed, ///< a check at launch (`assume`)
  Trusted, ///< not checked: the script said so, with a reason
  Program, ///< the source kernel has the same conflict; not the schedule's
  Open     ///< due later: at `seal` or at the layout's seal
};
const char *spelling(Standing standing);

/// A condition that a step depends on.
struct Entry {
  std::string title; ///< what is claimed, in the words of the program
  Standing standing = Standing::Open;
  std::string query; ///< hash of the query's text; empty where no question was asked
  solver::Cost cost; ///< of the question
  std::vector<std::string> usedFacts; ///< of Proved
  std::string reason;                 ///< of Trusted: the script's; of Open: what it waits for
  SourceRange range; ///< in the script: of an `expect` or `assume`; else the step's
  /// Of Open: what discharges it. `raw`, `war`, `expect`, …
  std::string kind;
};

/// One call of a primitive that succeeded, or one `assume`, `expect`.
struct Step {
  std::string primitive;
  std::string text;  ///< `split(load x.c, 256)`
  SourceRange range; ///< in the script
  std::vector<Entry> entries;
};

struct Totals {
  unsigned proved = 0, assumed = 0, trusted = 0, program = 0, open = 0;
};

class Ledger {
public:
  std::vector<Step> steps;

  Totals totals() const;
  /// Some check was skipped under `trust`.
  bool isTainted() const { return totals().trusted != 0; }
  /// Every entry that stands so; for `seal`, which discharges the open ones in place.
  std::vector<Entry *> entries(Standing standing);

  /// The report of `--explain`: steps in order, conditions below each, the sum in the last line. `sources` gives lines;
  /// may be null. Times are left out unless asked for, so that reports can be compared.
  void print(llvm::raw_ostream &os, const SourceManager *sources, bool withCost = false) const;
  /// The same as one JSON object: {"steps": […], "totals": {…}}.
  void printJson(llvm::raw_ostream &os, const SourceManager *sources) const;
};

} // namespace tessera::schedule

#endif // TESSERA_SCHEDULE_LEDGER_H
