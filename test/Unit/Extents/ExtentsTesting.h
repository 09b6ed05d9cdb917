// The kernels of test/Conversion/TileToLLVM/extents, as tests see them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TEST_UNIT_EXTENTS_EXTENTSTESTING_H
#define TESSERA_TEST_UNIT_EXTENTS_EXTENTSTESTING_H

#include "gtest/gtest.h"

#include "tessera/Dialect/Tile/TileOps.h"
#include "tessera/Frontend/Frontend.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <set>

namespace tessera::extents {

class ExtentsTest : public ::testing::Test {
protected:
  ExtentsTest() { context.loadDialect<tile::TileDialect, mlir::scf::SCFDialect>(); }

  /// `.tile` files have tests of their own; `.mlir` files lie in Inputs.
  static std::vector<std::string> files(llvm::StringRef ending) {
    std::string folder = TESSERA_SOURCE_DIR + std::string("/test/Conversion/TileToLLVM/extents");
    folder += ending == ".mlir" ? "/Inputs" : "";
    std::set<std::string> found;
    std::error_code error;
    for (llvm::sys::fs::directory_iterator at(folder, error), end; at != end; at.increment(error)) {
      if (llvm::sys::path::extension(at->path()) == ending) {
        found.insert(at->path());
      }
    }
    EXPECT_FALSE(found.empty()) << folder;
    return {found.begin(), found.end()};
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &file) {
    auto module = mlir::parseSourceFile<mlir::ModuleOp>(file, &context);
    EXPECT_TRUE(module) << file;
    return module;
  }

  void forEachTest(const std::string &file, llvm::function_ref<void(const TestSpec &)> visit) {
    forEachSpec(file, [&](Program &, const TestSpec &spec) { visit(spec); });
  }

  /// One instance for each type that the test names.
  void forEachInstance(const std::string &file, llvm::function_ref<void(tile::KernelOp)> visit) {
    forEachSpec(file, [&](Program &program, const TestSpec &spec) {
      std::vector<std::string> types;
      for (const TestAxis &axis : spec.axes) {
        for (const std::vector<TestValue> &tuple : axis.values) {
          if (axis.names.front() == "T") {
            types.push_back(tuple.front().str());
          }
        }
      }
      for (const std::string &type : types.empty() ? std::vector<std::string>{""} : types) {
        visitInstance(program, spec.kernel, type, visit);
      }
    });
  }
  void forEachKernel(const std::string &file, llvm::function_ref<void(tile::KernelOp)> visit) {
    forEachSpec(file, [&](Program &program, const TestSpec &spec) {
      visitInstance(program, spec.kernel, "", visit);
    });
  }

  /// The most kinds of contents that a test has for one argument.
  static size_t contentsOf(const TestSpec &spec) {
    size_t most = 0;
    for (const TestContents &contents : spec.contents) {
      most = std::max(most, contents.generators.size());
    }
    return most;
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};

private:
  void forEachSpec(const std::string &file,
                   llvm::function_ref<void(Program &, const TestSpec &)> visit) {
    SourceManager sources;
    DiagnosticEngine engine(sources);
    std::unique_ptr<Program> program = Program::load(file, engine);
    ASSERT_TRUE(program) << file;
    for (const std::string &kernel : program->kernels()) {
      ASSERT_TRUE(program->hasTest(kernel)) << file << ": " << kernel << " has no test";
      std::optional<TestSpec> spec = program->testSpec(kernel, Settings());
      ASSERT_TRUE(spec) << file << ": " << kernel;
      visit(*program, *spec);
    }
  }
  void visitInstance(Program &program, const std::string &kernel, const std::string &type,
                     llvm::function_ref<void(tile::KernelOp)> visit) {
    Settings settings;
    if (!type.empty()) {
      settings.values["T"] = type;
    }
    mlir::OwningOpRef<mlir::ModuleOp> module = program.instantiate(kernel, settings, context);
    ASSERT_TRUE(module) << kernel;
    visit(*module->getOps<tile::KernelOp>().begin());
  }
};

} // namespace tessera::extents

#endif // TESSERA_TEST_UNIT_EXTENTS_EXTENTSTESTING_H
