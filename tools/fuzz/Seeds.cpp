//===- Seeds.cpp - writes generated kernels as inputs of the fuzz targets --===//
//
// usage: tessera-seeds COUNT FOLDER-OF-LANG FOLDER-OF-MLIR
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Frontend/Frontend.h"
#include "tessera/Testing/KernelGenerator.h"

#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/MLIRContext.h"

#include <cstdlib>

using namespace tessera;

static bool write(const std::string &path, const std::string &text) {
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  os << text;
  return !error;
}

int main(int argc, char **argv) {
  if (argc != 4) {
    llvm::errs() << "usage: tessera-seeds COUNT FOLDER-OF-LANG FOLDER-OF-MLIR\n";
    return 2;
  }
  unsigned long count = std::strtoul(argv[1], nullptr, 10);
  for (unsigned long seed = 0; seed < count; ++seed) {
    GeneratedKernel kernel = generateKernel(seed);
    SourceManager sources;
    DiagnosticEngine engine(sources);
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    std::unique_ptr<Program> program = Program::loadBuffer(kernel.text, "seed.tile", engine);
    mlir::OwningOpRef<mlir::ModuleOp> module = program
                                                   ? program->instantiate(kernel.name, {}, context)
                                                   : mlir::OwningOpRef<mlir::ModuleOp>();
    if (!module) {
      engine.render(llvm::errs());
      return 1;
    }
    std::string ir, number = std::to_string(seed);
    llvm::raw_string_ostream os(ir);
    module->print(os);
    if (!write(std::string(argv[2]) + "/generated-" + number + ".tile", kernel.text) ||
        !write(std::string(argv[3]) + "/generated-" + number + ".mlir", ir)) {
      llvm::errs() << "error: cannot write to the folders\n";
      return 1;
    }
  }
  return 0;
}
