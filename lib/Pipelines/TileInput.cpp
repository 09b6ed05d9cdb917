//===- TileInput.cpp - `.tile` files as modules ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileInput.h"

#include "tessera/Dialect/Tile/Equivalence.h"
#include "tessera/Frontend/Parser.h"
#include "tessera/Target/Source/SourcePrinter.h"

#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace tessera::opt {

std::vector<std::string> splitInput(llvm::StringRef text, llvm::StringRef marker) {
  std::vector<std::string> pieces(1);
  if (marker.empty()) {
    pieces.front() = text.str();
    return pieces;
  }
  unsigned line = 0;
  while (!text.empty()) {
    auto [first, rest] = text.split('\n');
    bool hasEnd = first.size() != text.size();
    ++line;
    if (first.rtrim() == marker) {
      pieces.emplace_back(line, '\n');
    } else {
      pieces.back() += first.str() + (hasEnd ? "\n" : "");
    }
    text = rest;
  }
  return pieces;
}

size_t countKernels(llvm::StringRef text) {
  SourceManager sources;
  DiagnosticEngine engine(sources);
  std::unique_ptr<ast::File> file = parseBuffer(text, "", engine);
  return llvm::count_if(file->items,
                        [](const auto &item) { return llvm::isa<ast::Kernel>(*item); });
}

OwningOpRef<ModuleOp> compileTile(llvm::StringRef text, const Options &options,
                                  DiagnosticEngine &engine, MLIRContext &context) {
  std::unique_ptr<Program> program = Program::loadBuffer(text, options.input, engine);
  if (!program) {
    return nullptr;
  }
  std::vector<std::string> kernels =
      options.kernel.empty() ? program->kernels() : std::vector{options.kernel};
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  bool complete = true;
  for (const std::string &kernel : kernels) {
    OwningOpRef<ModuleOp> one = program->instantiate(kernel, options.settings, context);
    complete &= static_cast<bool>(one);
    if (one) {
      Block::OpListType &to = module->getBody()->getOperations();
      to.splice(to.end(), one->getBody()->getOperations());
    }
  }
  return complete ? std::move(module) : nullptr;
}

void emitDiagnostics(const DiagnosticEngine &engine, MLIRContext &context) {
  const SourceManager &sources = engine.getSources();
  auto place = [&](SourceRange range) -> Location {
    if (!range.isValid()) {
      return UnknownLoc::get(&context);
    }
    LineColumn at = sources.lineColumn(range.file, range.begin);
    return FileLineColLoc::get(&context, sources.name(range.file), at.line, at.column);
  };
  for (const Diagnostic &diagnostic : engine.diagnostics()) {
    bool isError = diagnostic.severity == Severity::Error;
    InFlightDiagnostic emitted =
        isError ? emitError(place(diagnostic.range)) : emitWarning(place(diagnostic.range));
    emitted << diagnostic.code << ": " << diagnostic.message;
    for (const DiagnosticNote &note : diagnostic.notes) {
      emitted.attachNote(place(note.range.isValid() ? note.range : diagnostic.range)) << note.text;
    }
  }
}

bool verifySourceRoundTrip(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (failed(printSource(module, os))) {
    return false;
  }
  SourceManager sources;
  DiagnosticEngine engine(sources);
  Options options;
  options.input = "printed.tile";
  OwningOpRef<ModuleOp> again = compileTile(text, options, engine, *module.getContext());
  if (!again) {
    std::string problems;
    llvm::raw_string_ostream problemStream(problems);
    engine.render(problemStream, false);
    module.emitError("the text printed for it does not compile:\n") << problems;
    return false;
  }
  auto second = again->getOps<tile::KernelOp>().begin();
  for (auto first : module.getOps<tile::KernelOp>()) {
    if (std::optional<tile::KernelDifference> difference = tile::findDifference(first, *second++)) {
      std::string shown;
      llvm::raw_string_ostream shownStream(shown);
      difference->print(shownStream);
      first.emitError("the text printed for it compiles to another kernel: ") << shown;
      return false;
    }
  }
  return true;
}

} // namespace tessera::opt
