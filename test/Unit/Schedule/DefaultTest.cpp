// The library's choice for a kernel as a call; what it chooses is judged in ScheduleFuzz and test/Schedule/library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScheduleTesting.h"

#include "tessera/Frontend/Frontend.h"
#include "tessera/Schedule/FrontendInstructions.h"

#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/MLIRContext.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::HasSubstr;

namespace {

/// The default of the only kernel of a text for a target.
struct Default {
  Default(const char *text, llvm::StringRef kernel, llvm::StringRef target)
      : engine(sources), context(mlir::MLIRContext::Threading::DISABLED),
        program(Program::loadBuffer(text, "kernel", engine)) {
    Instructions declared(*program);
    schedule::FrontendInstructions table(declared, engine);
    mlir::OwningOpRef<mlir::ModuleOp> module = program->instantiate(kernel, {}, context);
    llvm::raw_string_ostream out(said);
    schedule::ApplyOptions options;
    options.run.out = &out;
    options.instructions = &table;
    options.allowTrust = false;
    done = schedule::applyDefault(*module, kernel, engine, *schedule::TargetRecord::named(target),
                                  options, ledger);
  }

  SourceManager sources;
  DiagnosticEngine engine;
  mlir::MLIRContext context;
  std::unique_ptr<Program> program;
  std::string said;
  schedule::Ledger ledger;
  mlir::OwningOpRef<mlir::ModuleOp> done;
};

} // namespace

TEST(Default, AllVersionsAreSealed) {
  Default product(kProductKernel, "product", "sm_80");
  ASSERT_TRUE(product.done);
  EXPECT_FALSE(product.engine.hasErrors());
  EXPECT_THAT(product.said, HasSubstr("product.yes: product of 128 x 128 x 32 on tensor cores"));
  unsigned kernels = 0;
  for (auto kernel : product.done->getOps<tile::KernelOp>()) {
    EXPECT_TRUE(schedule::ScheduleHost::isSealed(kernel)) << kernel.getSymName().str();
    ++kernels;
  }
  EXPECT_EQ(kernels, 2u);
}

TEST(Default, ATargetWithoutRules) {
  Default rows(kRowsKernel, "rows", "sm_75");
  EXPECT_FALSE(rows.done);
  ASSERT_EQ(rows.engine.errorCount(), 1u);
  EXPECT_EQ(rows.engine.diagnostics().back().code, "T1026");
}
