// What a schedule did and what had to hold for it: the record that `--explain` prints and that `seal` empties.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_SCHEDULE_LEDGER_H
#define TESSERA_SCHEDULE_LEDGER_H

#include "tessera/Frontend/SourceManager.h"
#include "tessera/Solver/Solver.h"

#include <map>
#include <optional>
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
  /// What was asked, in this order; empty where the condition holds by the form of the program.
  std::vector<solver::AskedQuery> queries;
  std::vector<std::string> usedFacts; ///< of Proved
  std::string reason;                 ///< of Trusted: the script's; of Open: what it waits for
  SourceRange range; ///< in the script: of an `expect` or `assume`; else the step's
  /// Of Open: what discharges it (`raw`, `war`, `expect`, …). Of what `seal` proved: its kind (`bounds`, `order`, …). Of what
  /// a step proved: the code of the refusal that it would have been, or `form` where nothing had to be asked.
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
  std::map<std::string, unsigned> kinds;
};

/// What a whole schedule took.
struct Spending {
  double milliseconds = 0; ///< from the kernel as it was to the kernel as it is
  solver::SolverStatistics queries;
};

/// How much a report tells. Only the last two differ from one run to the next, in lines that begin with `queries:` and
/// `time:` and, of Costs, in square brackets.
enum class Detail {
  Steps,  ///< steps, conditions, the sum by standing
  Totals, ///< the sum by kind of obligation, queries and times, too
  Costs   ///< what each condition took, too
};

class Ledger {
public:
  std::vector<Step> steps;
  /// Of a schedule that has ended.
  std::optional<Spending> spending;
  /// What went wrong beside the answers of the solver; see Solver::problems.
  std::vector<std::string> problems;

  Totals totals() const;
  /// Some check was skipped under `trust`.
  bool isTainted() const { return totals().trusted != 0; }
  /// Every entry that stands so; for `seal`, which discharges the open ones in place.
  std::vector<Entry *> entries(Standing standing);

  /// The report of `--explain`: steps in order, conditions below each, sums at the end. `sources` gives lines; may be
  /// null. Without more detail reports can be compared.
  void print(llvm::raw_ostream &os, const SourceManager *sources,
             Detail detail = Detail::Steps) const;
  /// The same as one JSON object: {"steps": […], "totals": {…}, "kinds": {…}, "spending": {…}}.
  void printJson(llvm::raw_ostream &os, const SourceManager *sources) const;
};

} // namespace tessera::schedule

#endif // TESSERA_SCHEDULE_LEDGER_H
