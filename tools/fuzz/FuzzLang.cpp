//===- FuzzLang.cpp - fuzz target of the language --------------------------===//
//
// Any bytes as a `.tile` file: lexer, parser, printer of syntax trees, checker, verifier, printer and parser of the IR,
// printer of source, and a small run. What parses prints and parses again to the same tree; what compiles goes around
// to an equivalent kernel.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FuzzSupport.h"

#include "tessera/Check/Random.h"
#include "tessera/Dialect/Tile/Transforms/Passes.h"
#include "tessera/Frontend/ASTPrinter.h"
#include "tessera/Frontend/Parser.h"

#include "llvm/Support/raw_ostream.h"

using namespace tessera;

/// Longest input that is looked at.
static constexpr size_t kMaxBytes = 1 << 14;
static constexpr size_t kMaxKernels = 3;

static void renderAll(const DiagnosticEngine &engine) {
  std::string text;
  llvm::raw_string_ostream os(text);
  engine.render(os, true);
  for (const Diagnostic &diagnostic : engine.diagnostics()) {
    fuzz::require(!diagnostic.code.empty() && !diagnostic.message.empty(),
                  "a diagnostic without a code or a text");
  }
}

/// True if the text parses without errors and imports nothing.
static bool checkSyntax(llvm::StringRef text) {
  SourceManager sources;
  DiagnosticEngine engine(sources);
  std::unique_ptr<ast::File> file = parseBuffer(text, "fuzz.tile", engine);
  renderAll(engine);
  (void)applyFixIts(text, engine.diagnostics());
  if (engine.hasErrors()) {
    return false;
  }
  std::string printed;
  llvm::raw_string_ostream os(printed);
  PrintOptions options;
  options.sources = &sources;
  printFile(os, *file, options);
  DiagnosticEngine second(sources);
  std::unique_ptr<ast::File> again = parseBuffer(printed, "printed.tile", second);
  fuzz::require(!second.hasErrors(), "a printed tree does not parse:\n" + printed);
  fuzz::require(ast::equal(*file, *again), "a printed tree parses to another:\n" + printed);
  return llvm::none_of(file->items, [](const auto &item) { return llvm::isa<ast::Import>(*item); });
}

/// Small enough that even an instance that runs into the limit is done within a second under the sanitizers.
static Settings limited() {
  Settings settings;
  settings.maxExpressions = 5000;
  return settings;
}

static void checkKernel(Program &program, llvm::StringRef kernel, DiagnosticEngine &engine,
                        uint64_t seed) {
  fuzz::Session session;
  (void)program.parameters(kernel);
  (void)program.signature(kernel, limited(), session.context);
  unsigned errors = engine.errorCount();
  mlir::OwningOpRef<mlir::ModuleOp> module =
      program.instantiate(kernel, limited(), session.context);
  fuzz::require(module || engine.errorCount() > errors, "an instance fails without an error");
  for (const Diagnostic &diagnostic : engine.diagnostics()) {
    fuzz::require(diagnostic.id != diag::invalid_ir,
                  "the frontend made IR that the verifier refuses: " + diagnostic.message);
  }
  (void)program.testSpec(kernel, limited());
  if (!module) {
    return;
  }
  for (auto op : module->getOps<tile::KernelOp>()) {
    fuzz::require(mlir::succeeded(tile::verifyKernel(op)),
                  "a kernel with ops that do not belong into it");
  }
  fuzz::checkPrinted(*module);
  fuzz::checkSource(*module, true);
  for (auto op : module->getOps<tile::KernelOp>()) {
    fuzz::runSmall(op, seed);
  }
}

llvm::ArrayRef<llvm::StringLiteral> fuzz::words() { return tileWords(); }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > kMaxBytes) {
    return 0;
  }
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  if (!checkSyntax(text)) {
    return 0;
  }
  SourceManager sources;
  DiagnosticEngine engine(sources);
  std::unique_ptr<Program> program = Program::loadBuffer(text, "fuzz.tile", engine);
  fuzz::require(program || engine.hasErrors(), "a file fails without an error");
  if (program) {
    std::vector<std::string> kernels = program->kernels();
    for (size_t i = 0; i < kernels.size() && i < kMaxKernels; ++i) {
      checkKernel(*program, kernels[i], engine, hashText(text));
    }
  }
  renderAll(engine);
  return 0;
}
