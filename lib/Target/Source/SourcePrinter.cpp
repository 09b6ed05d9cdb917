//===- SourcePrinter.cpp - writes kernels and formats what was written ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Target/Source/SourcePrinter.h"

#include "Writer.h"

#include "tessera/Frontend/ASTPrinter.h"
#include "tessera/Frontend/Parser.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tessera {

/// Through the syntax tree: what is printed is well formed and has the layout of all `.tile` text.
static LogicalResult format(Operation *op, StringRef text, llvm::raw_ostream &os) {
  SourceManager sources;
  DiagnosticEngine engine(sources);
  std::unique_ptr<ast::File> file = parseBuffer(text, "printed.tile", engine);
  if (engine.hasErrors()) {
    const Diagnostic &first = engine.diagnostics().front();
    return op->emitError("has no `.tile` text: ")
           << first.message << " (" << first.code
           << " in the text that was written; is it nested too deeply?)";
  }
  printFile(os, *file);
  return success();
}

static LogicalResult printKernels(Operation *root, ArrayRef<tile::KernelOp> kernels,
                                  llvm::raw_ostream &os) {
  std::string text;
  source::Names names;
  for (tile::KernelOp kernel : kernels) {
    if (!names.claim(kernel.getSymName())) {
      return kernel.emitError(
          "has no `.tile` text: its name is taken or is no name of the language");
    }
  }
  for (tile::KernelOp kernel : kernels) {
    size_t mark = names.mark();
    source::Writer writer(kernel, names);
    std::optional<std::string> written = writer.run();
    if (!written) {
      return failure();
    }
    text += *written + "\n";
    // Arguments and locals are free again for the next kernel, functions are not.
    names.release(mark);
    for (StringRef function : writer.functionNames()) {
      names.claim(function);
    }
  }
  return format(root, text, os);
}

LogicalResult printSource(tile::KernelOp kernel, llvm::raw_ostream &os) {
  return printKernels(kernel, kernel, os);
}

LogicalResult printSource(ModuleOp module, llvm::raw_ostream &os) {
  SmallVector<tile::KernelOp> kernels;
  for (Operation &op : *module.getBody()) {
    auto kernel = dyn_cast<tile::KernelOp>(op);
    if (!kernel) {
      return op.emitError("has no `.tile` text: a file holds kernels");
    }
    kernels.push_back(kernel);
  }
  return printKernels(module, kernels, os);
}

} // namespace tessera
