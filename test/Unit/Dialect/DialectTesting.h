//===- DialectTesting.h - parsed samples for tests --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TEST_DIALECTTESTING_H
#define TESSERA_TEST_DIALECTTESTING_H

#include "gtest/gtest.h"

#include "tessera/Dialect/Tile/TileOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

namespace tessera {

/// A test with the dialects loaded.
class DialectTest : public testing::Test {
protected:
  DialectTest() {
    context.loadDialect<tile::TileDialect, mlir::scf::SCFDialect, mlir::func::FuncDialect>();
    context.allowUnregisteredDialects();
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text.str();
    return module;
  }

  /// The first op of a kind.
  template <class Op> static Op first(mlir::ModuleOp module) {
    Op found;
    module->walk([&](Op op) {
      if (!found) {
        found = op;
      }
    });
    EXPECT_TRUE(found);
    return found;
  }

  mlir::MLIRContext context;
};

} // namespace tessera

#endif // TESSERA_TEST_DIALECTTESTING_H
