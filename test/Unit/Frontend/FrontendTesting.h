// What the tests of the checker share: text in, IR or diagnostics as text out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_TEST_UNIT_FRONTEND_FRONTENDTESTING_H
#define TESSERA_TEST_UNIT_FRONTEND_FRONTENDTESTING_H

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "tessera/Frontend/Frontend.h"

namespace tessera::testing {

using ::testing::HasSubstr;
using ::testing::Not;

/// One compilation: the IR of the only (or named) kernel, and every diagnostic.
struct Outcome {
  std::string ir;                       ///< empty on error
  std::vector<std::string> diagnostics; ///< "T0301 3:5 message; help; params"
  std::string rendered;
  std::vector<Diagnostic> list;

  bool ok() const { return !ir.empty(); }
};

Outcome compile(llvm::StringRef text, const Settings &settings = {}, llvm::StringRef kernel = "");

/// A body in a kernel with the views x: in [M, N] f32, i: in [M] i32, b: in [M, 64] bf16, y: out [M, N] f32 and the
/// scalar s: f32; the body's first line is line 2. `items` stands behind the kernel.
Outcome compileBody(llvm::StringRef body, llvm::StringRef items = "",
                    const Settings &settings = {});

/// A line in a body whose grid gives the spans r (4) over M and q (8) over N, with t = x[r, q] stored to y after it; the
/// line is line 4.
struct DiagnosticCase {
  const char *name, *line, *items, *expected, *help;
};
void expectDiagnostic(const DiagnosticCase &test);
std::string caseName(const ::testing::TestParamInfo<DiagnosticCase> &info);
std::string inGrid(llvm::StringRef line);

/// The only diagnostic as "T0301 3:5 message", or all of them joined.
std::string only(const Outcome &outcome);
/// The help of the first diagnostic.
std::string help(const Outcome &outcome);

/// The text with the fix-its of the first compilation applied compiles.
void expectFixed(llvm::StringRef text, const Settings &settings = {});
void expectFixedBody(llvm::StringRef body, llvm::StringRef items = "");
std::string bodyText(llvm::StringRef body, llvm::StringRef items);

} // namespace tessera::testing

#endif // TESSERA_TEST_UNIT_FRONTEND_FRONTENDTESTING_H
