// Where a diagnostic of an error case proposes a fix, the program with the fix applied compiles. The cases are the wrong
// programs of test/Errors that plain `tile-opt FILE` refuses; the text of the diagnostics is held by the suite there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gtest/gtest.h"

#include "tessera/Frontend/Frontend.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/MLIRContext.h"

using namespace tessera;

namespace {

struct ErrorCase {
  std::string name;
  std::string program;
};

/// The program of a case: what stands between the lines `##` at its start and the first `# -----`.
std::string programOf(llvm::StringRef text) {
  while (text.starts_with("##")) {
    text = text.split('\n').second;
  }
  size_t end = text.starts_with("# ----- ") ? 0 : text.find("\n# ----- ");
  return text.take_front(end == llvm::StringRef::npos ? text.size() : end + (end ? 1 : 0)).str();
}

std::vector<ErrorCase> errorCases() {
  std::vector<ErrorCase> cases;
  std::error_code problem;
  std::string folder = std::string(TESSERA_SOURCE_DIR) + "/test/Errors";
  for (llvm::sys::fs::directory_iterator it(folder, problem), end; it != end && !problem;
       it.increment(problem)) {
    llvm::StringRef path = it->path();
    if (llvm::sys::path::extension(path) != ".tile") {
      continue;
    }
    auto buffer = llvm::MemoryBuffer::getFile(path);
    llvm::StringRef text = buffer ? (*buffer)->getBuffer() : llvm::StringRef();
    llvm::StringRef head = text.take_front(text.find("\n# ----- "));
    if (buffer && !head.contains("##: run =") && !head.contains("##: setup =")) {
      cases.push_back({llvm::sys::path::stem(path).str(), programOf(text)});
    }
  }
  llvm::sort(cases, [](const ErrorCase &a, const ErrorCase &b) { return a.name < b.name; });
  return cases;
}

/// Everything that is said about the first kernel of the program.
std::vector<Diagnostic> compile(llvm::StringRef text, std::string &rendered) {
  SourceManager sources;
  DiagnosticEngine engine(sources);
  std::unique_ptr<Program> program = Program::loadBuffer(text, "case.tile", engine);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  for (const std::string &kernel : program ? program->kernels() : std::vector<std::string>()) {
    program->instantiate(kernel, {}, context);
    (void)program->testSpec(kernel, {});
  }
  llvm::raw_string_ostream os(rendered);
  engine.render(os, false);
  return {engine.diagnostics().begin(), engine.diagnostics().end()};
}

bool hasFix(const std::vector<Diagnostic> &list) {
  return llvm::any_of(list, [](const Diagnostic &d) { return !d.fixIts.empty(); });
}

} // namespace

TEST(ErrorCases, ProposedFixesCompile) {
  unsigned fixed = 0;
  std::vector<ErrorCase> cases = errorCases();
  EXPECT_GT(cases.size(), 200u);
  for (const ErrorCase &one : cases) {
    std::string before, after;
    std::vector<Diagnostic> list = compile(one.program, before);
    EXPECT_FALSE(list.empty()) << one.name << " is not refused:\n" << one.program;
    if (!hasFix(list)) {
      continue;
    }
    ++fixed;
    std::string text = applyFixIts(one.program, list);
    std::vector<Diagnostic> left = compile(text, after);
    EXPECT_TRUE(
        llvm::none_of(left, [](const Diagnostic &d) { return d.severity == Severity::Error; }))
        << one.name << " with its fix:\n"
        << text << "\n"
        << after << "before:\n"
        << before;
  }
  EXPECT_GT(fixed, 30u);
}
