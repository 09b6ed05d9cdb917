// Runs of kernels before and after a script.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MemoryTesting.h"

#include "tessera/Interpreter/KernelRun.h"
#include "tessera/Schedule/Seal.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include <set>

using namespace tessera;
using namespace tessera::testing;
using llvm::StringRef;

Parsed::Parsed(StringRef ir) : context(mlir::MLIRContext::Threading::DISABLED) {
  context.loadDialect<tile::TileDialect, mlir::scf::SCFDialect>();
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    ADD_FAILURE() << diagnostic.str() << "\n" << ir.str();
    return mlir::success();
  });
  owned = mlir::parseSourceString<mlir::ModuleOp>(ir, &context);
}

Parsed::~Parsed() = default;

tile::KernelOp Parsed::kernel() {
  return owned ? *owned->getOps<tile::KernelOp>().begin() : tile::KernelOp();
}

void tessera::testing::expectSame(const Scheduled &done, const std::vector<Extents> &all) {
  ASSERT_EQ(done.errors, "");
  Parsed before(done.before), after(done.ir);
  ASSERT_TRUE(before.kernel() && after.kernel());
  for (const Extents &extents : all) {
    for (uint64_t seed : {1, 2}) {
      auto wanted = runKernel(before.kernel(), extents, seed);
      auto found = runKernel(after.kernel(), extents, seed);
      ASSERT_TRUE(wanted && found);
      EXPECT_EQ(found->difference(*wanted), "") << done.ir;
    }
  }
}

std::string tessera::testing::missing(tile::KernelOp kernel, StringRef target) {
  solver::ExprContext terms;
  solver::Solver solver(terms);
  SealOptions options;
  options.target = target.str();
  options.emit = false;
  std::set<std::string> codes;
  for (const SealEntry &entry : seal(kernel, solver, options).entries) {
    if (entry.isOpen() && entry.diagnostic) {
      codes.insert(sealDiagCode(*entry.diagnostic).str());
    }
  }
  std::string text;
  for (const std::string &code : codes) {
    text += (text.empty() ? "" : " ") + code;
  }
  return text;
}

bool tessera::testing::hasFault(tile::KernelOp kernel, const Extents &extents) {
  auto wanted = runKernel(kernel, extents, 7, {}, RunContents::integers);
  EXPECT_TRUE(wanted && wanted->errors.empty());
  for (uint64_t seed = 1; wanted && seed <= 12; ++seed) {
    RunOptions options;
    options.adversarial = seed;
    auto found = runKernel(kernel, extents, 7, options, RunContents::integers);
    if (!found || !found->difference(*wanted).empty()) {
      return true;
    }
  }
  return false;
}

void tessera::testing::expectSealed(StringRef ir, const std::vector<Extents> &all,
                                    StringRef target) {
  Parsed parsed(ir);
  ASSERT_TRUE(parsed.kernel());
  EXPECT_EQ(missing(parsed.kernel(), target), "") << ir.str();
  for (const Extents &extents : all) {
    EXPECT_FALSE(hasFault(parsed.kernel(), extents)) << ir.str();
  }
}

unsigned tessera::testing::count(StringRef text, StringRef word) { return text.count(word); }
