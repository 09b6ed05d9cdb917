// Texts and codes of RunnerErrors.def, and the log of the codes that were emitted.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Runner/RunnerError.h"

#include "tessera/Support/DiagnosticLog.h"

#include "llvm/Support/raw_ostream.h"

using namespace tessera;

namespace {
struct DiagRow {
  const char *code;
  const char *format;
};

constexpr DiagRow diagRows[] = {
#define TESSERA_DIAG(id, code, severity, format) {code, format},
#include "tessera/Runner/RunnerErrors.def"
};
} // namespace

llvm::StringRef tessera::runnerDiagCode(RunnerDiag id) {
  return diagRows[static_cast<unsigned>(id)].code;
}
llvm::StringRef tessera::runnerDiagFormat(RunnerDiag id) {
  return diagRows[static_cast<unsigned>(id)].format;
}

char RunnerError::ID = 0;

bool RunnerError::isUsage() const {
  switch (diag) {
  case RunnerDiag::source_kind:
  case RunnerDiag::source_which_kernel:
  case RunnerDiag::source_unknown_kernel:
  case RunnerDiag::source_unknown_setting:
  case RunnerDiag::source_extent_value:
  case RunnerDiag::argument_unknown:
  case RunnerDiag::argument_not_given:
  case RunnerDiag::argument_is_output:
  case RunnerDiag::argument_is_no_output:
  case RunnerDiag::argument_literal:
  case RunnerDiag::argument_range:
  case RunnerDiag::output_same_file:
  case RunnerDiag::test_filter:
  case RunnerDiag::test_setting:
    return true;
  default:
    return diag <= RunnerDiag::usage_not_in_build;
  }
}

void RunnerError::log(llvm::raw_ostream &os) const { os << code() << ": " << text << "; " << help; }

std::error_code RunnerError::convertToErrorCode() const { return llvm::inconvertibleErrorCode(); }

llvm::Error tessera::makeRunnerError(RunnerDiag id, std::string text,
                                     std::optional<mlir::Location> where, std::string help,
                                     ValuesInForce values) {
  logDiagnosticCode(runnerDiagCode(id));
  RunnerError error(id, std::move(text), where, std::move(help));
  error.with(std::move(values));
  return llvm::make_error<RunnerError>(std::move(error));
}
