// The error of tile-run: a row of RunnerErrors.def with its text, its place if there is one, and a way out.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_RUNNER_RUNNERERROR_H
#define TESSERA_RUNNER_RUNNERERROR_H

#include "tessera/Reference/CheckedError.h"

#include <optional>

namespace tessera {

enum class RunnerDiag : uint16_t {
#define TESSERA_DIAG(id, code, severity, format) id,
#include "tessera/Runner/RunnerErrors.def"
};

llvm::StringRef runnerDiagCode(RunnerDiag id);
llvm::StringRef runnerDiagFormat(RunnerDiag id);

class RunnerError : public llvm::ErrorInfo<RunnerError> {
public:
  static char ID;

  RunnerError(RunnerDiag id, std::string text, std::optional<mlir::Location> where,
              std::string help)
      : diag(id), text(std::move(text)), where(where), help(std::move(help)) {}

  RunnerDiag id() const { return diag; }
  llvm::StringRef code() const { return runnerDiagCode(diag); }
  llvm::StringRef getText() const { return text; }
  std::optional<mlir::Location> location() const { return where; }
  const ValuesInForce &valuesInForce() const { return values; }
  RunnerError &with(ValuesInForce inForce) {
    values = std::move(inForce);
    return *this;
  }
  llvm::StringRef getHelp() const { return help; }
  /// The words of the command line are wrong: options, names, literals. Files and launches are not.
  bool isUsage() const;

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  RunnerDiag diag;
  std::string text;
  std::optional<mlir::Location> where;
  ValuesInForce values;
  std::string help;
};

llvm::Error makeRunnerError(RunnerDiag id, std::string text, std::optional<mlir::Location> where,
                            std::string help, ValuesInForce values = {});

/// `runnerError(id, "way out", arguments of the row…)`, for errors without a place in a source.
template <typename... Args>
llvm::Error runnerError(RunnerDiag id, const llvm::Twine &help, Args &&...args) {
  return makeRunnerError(
      id, llvm::formatv(false, runnerDiagFormat(id).data(), std::forward<Args>(args)...).str(),
      std::nullopt, help.str());
}

} // namespace tessera

#endif // TESSERA_RUNNER_RUNNERERROR_H
