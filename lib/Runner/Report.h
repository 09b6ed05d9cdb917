// How problems are shown: place, code, one-line cause, the source line with a caret, the values in force, notes, and a
// way out. One form for errors of every origin.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_RUNNER_REPORT_H
#define TESSERA_LIB_RUNNER_REPORT_H

#include "tessera/Interpreter/Interpreter.h"
#include "tessera/Runner/RunnerError.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

namespace tessera {

/// A place in a file; lines and columns from 1.
struct SourcePlace {
  std::string file;
  unsigned line = 0, column = 0, endColumn = 0;
};

/// Where a location points: through names and to the callee of a call. Nothing for a location without a file.
std::optional<SourcePlace> placeOf(mlir::Location location);

struct Problem {
  std::string code;
  bool isWarning = false;
  std::string text;
  std::optional<mlir::Location> where;
  ValuesInForce values;
  std::vector<std::pair<std::optional<mlir::Location>, std::string>> notes;
  std::string help;
};

class Reporter {
public:
  explicit Reporter(llvm::raw_ostream &os) : os(os) {}

  void report(const Problem &problem);
  /// Any error of the libraries below; `where` is used by errors that have no place of their own, `values` come before
  /// those that the error has.
  void report(llvm::Error error, std::optional<mlir::Location> where = std::nullopt,
              const ValuesInForce &values = {});
  void report(const RunError &error);

  /// Shows the line of a place, with the caret; nothing if there is none.
  void showSource(mlir::Location where);
  llvm::raw_ostream &stream() { return os; }
  /// Whether a reported error was one of the command line.
  bool sawUsageError() const { return usage; }
  unsigned numErrors() const { return errors; }

private:
  void place(std::optional<mlir::Location> where);
  void showPlace(const SourcePlace &place);

  llvm::raw_ostream &os;
  llvm::StringMap<std::unique_ptr<llvm::MemoryBuffer>> files;
  bool usage = false;
  unsigned errors = 0;
};

} // namespace tessera

#endif // TESSERA_LIB_RUNNER_REPORT_H
