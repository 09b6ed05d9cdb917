// The error of the reference evaluator and the launch checks: a row of ReferenceErrors.def with its text, the place in
// the user's source, the values in force and a way out. It travels as llvm::Error.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_REFERENCE_CHECKEDERROR_H
#define TESSERA_REFERENCE_CHECKEDERROR_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include "mlir/IR/Location.h"

#include <string>
#include <utility>
#include <vector>

namespace tessera {

enum class ReferenceDiag : uint16_t {
#define TESSERA_DIAG(id, code, severity, format) id,
#include "tessera/Reference/ReferenceErrors.def"
};

unsigned numReferenceDiags();
llvm::StringRef referenceDiagCode(ReferenceDiag id);
llvm::StringRef referenceDiagFormat(ReferenceDiag id);

/// Name and value, such as `i` and `3`.
using ValuesInForce = std::vector<std::pair<std::string, std::string>>;

class CheckedError : public llvm::ErrorInfo<CheckedError> {
public:
  static char ID;

  CheckedError(ReferenceDiag id, std::string text, mlir::Location where, ValuesInForce values,
               std::string help)
      : diag(id), text(std::move(text)), where(where), values(std::move(values)),
        help(std::move(help)) {}

  ReferenceDiag id() const { return diag; }
  llvm::StringRef code() const { return referenceDiagCode(diag); }
  /// The cause, without the code.
  llvm::StringRef getText() const { return text; }
  mlir::Location location() const { return where; }
  const ValuesInForce &valuesInForce() const { return values; }
  /// One way out; never empty.
  llvm::StringRef getHelp() const { return help; }

  /// Prints `CODE: text; help`.
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  ReferenceDiag diag;
  std::string text;
  mlir::Location where;
  ValuesInForce values;
  std::string help;
};

/// Builds the error and, where the environment names a file in TESSERA_DIAG_LOG, appends the code to it.
llvm::Error makeCheckedError(ReferenceDiag id, std::string text, mlir::Location where,
                             ValuesInForce values, std::string help);

/// `checkedError(id, where, values, "way out", arguments of the row…)`.
template <typename... Args>
llvm::Error checkedError(ReferenceDiag id, mlir::Location where, ValuesInForce values,
                         const llvm::Twine &help, Args &&...args) {
  return makeCheckedError(
      id, llvm::formatv(false, referenceDiagFormat(id).data(), std::forward<Args>(args)...).str(),
      where, std::move(values), help.str());
}

} // namespace tessera

#endif // TESSERA_REFERENCE_CHECKEDERROR_H
