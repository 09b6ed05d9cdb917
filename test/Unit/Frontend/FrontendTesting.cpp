// Compiles snippets for the tests of the checker.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FrontendTesting.h"

#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"

namespace tessera::testing {

static void take(Outcome &outcome, const DiagnosticEngine &engine) {
  for (const Diagnostic &diagnostic : engine.diagnostics()) {
    std::string place = engine.describePlace(diagnostic.range);
    std::string at =
        diagnostic.range.isValid() ? llvm::StringRef(place).split(':').second.str() : "-";
    outcome.diagnostics.push_back(diagnostic.code + " " + at + " " + diagnostic.message);
    outcome.list.push_back(diagnostic);
  }
  llvm::raw_string_ostream os(outcome.rendered);
  engine.render(os, false);
}

Outcome compile(llvm::StringRef text, const Settings &settings, llvm::StringRef kernel) {
  SourceManager sources;
  DiagnosticEngine engine(sources);
  Outcome outcome;
  std::unique_ptr<Program> program = Program::loadBuffer(text, "t.tile", engine);
  if (program && !program->kernels().empty()) {
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    std::string name = kernel.empty() ? program->kernels().front() : kernel.str();
    mlir::OwningOpRef<mlir::ModuleOp> module = program->instantiate(name, settings, context);
    if (module) {
      EXPECT_TRUE(mlir::succeeded(mlir::verify(*module)));
      llvm::raw_string_ostream os(outcome.ir);
      module->print(os);
    }
  }
  take(outcome, engine);
  return outcome;
}

std::string bodyText(llvm::StringRef body, llvm::StringRef items) {
  return ("kernel k(x: in view<[M, N], f32>, i: in view<[M], i32>, b: in view<[M, 64], bf16>, s: "
          "f32, y: out view<[M, N], f32>) {\n" +
          body + "\n}\n" + items)
      .str();
}

Outcome compileBody(llvm::StringRef body, llvm::StringRef items, const Settings &settings) {
  return compile(bodyText(body, items), settings);
}

std::string inGrid(llvm::StringRef line) {
  return ("    grid r in tiles(M, 4), q in tiles(N, 8)\n    let t = x[r, q]\n    " + line +
          "\n    y[r, q] = t")
      .str();
}

void expectDiagnostic(const DiagnosticCase &test) {
  Outcome outcome = compileBody(inGrid(test.line), test.items);
  EXPECT_EQ(only(outcome), test.expected) << outcome.rendered;
  EXPECT_EQ(help(outcome), test.help);
}

std::string caseName(const ::testing::TestParamInfo<DiagnosticCase> &info) {
  return info.param.name;
}

std::string only(const Outcome &outcome) {
  std::string text;
  for (const std::string &line : outcome.diagnostics) {
    text += (text.empty() ? "" : "\n") + line;
  }
  return text;
}

std::string help(const Outcome &outcome) {
  return outcome.list.empty() ? "" : outcome.list.front().help;
}

void expectFixed(llvm::StringRef text, const Settings &settings) {
  Outcome before = compile(text, settings);
  ASSERT_FALSE(before.list.empty()) << text.str();
  std::string fixed = applyFixIts(text, before.list);
  EXPECT_NE(fixed, text.str()) << before.rendered;
  Outcome after = compile(fixed, settings);
  EXPECT_TRUE(after.ok()) << fixed << "\n" << after.rendered;
}

void expectFixedBody(llvm::StringRef body, llvm::StringRef items) {
  expectFixed(bodyText(body, items));
}

} // namespace tessera::testing
