// The files of test/Schedule/faults, each judged in one process: what `tile-opt %s --tile-seal --verify-diagnostics` does
// in the lit suite, for programs whose checker has planted errors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/Seal.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

using namespace tessera;

/// What the verifier of diagnostics says; empty where all and only the expected ones came.
static std::string judge(std::unique_ptr<llvm::MemoryBuffer> buffer) {
  // `// RUN: tile-opt %s --tile-seal=target=sm_90 --verify-diagnostics -o /dev/null`
  llvm::StringRef command = buffer->getBuffer();
  command = command.substr(command.find("--tile-seal")).take_until([](char c) { return c == ' '; });
  std::string options = command.split('=').second.str();
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect, mlir::scf::SCFDialect>();
  std::string said;
  llvm::raw_string_ostream os(said);
  mlir::SourceMgrDiagnosticVerifierHandler handler(sources, &context, os);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceFile<mlir::ModuleOp>(sources, mlir::ParserConfig(&context));
  if (module) {
    mlir::PassManager pm(&context);
    std::unique_ptr<mlir::Pass> pass = createSealPass();
    auto refuse = [&](const llvm::Twine &text) {
      os << text;
      return mlir::failure();
    };
    if (mlir::failed(pass->initializeOptions(options, refuse))) {
      return said;
    }
    pm.addPass(std::move(pass));
    (void)pm.run(*module);
  }
  return mlir::succeeded(handler.verify()) ? "" : said;
}

TEST(SealFaults, EachFileGivesItsDiagnostics) {
  std::error_code error;
  unsigned count = 0;
  std::string folder = std::string(TESSERA_SOURCE_DIR) + "/test/Schedule/faults";
  for (llvm::sys::fs::directory_iterator it(folder, error), end; it != end && !error;
       it.increment(error)) {
    llvm::StringRef path = it->path();
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (path.ends_with(".mlir") && buffer) {
      EXPECT_EQ(judge(std::move(*buffer)), "") << path.str();
      ++count;
    }
  }
  EXPECT_GE(count, 120u);
}
