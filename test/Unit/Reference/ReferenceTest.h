// Kernels from text with their arguments, for tests of the reference evaluator.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TEST_UNIT_REFERENCE_REFERENCETEST_H
#define TESSERA_TEST_UNIT_REFERENCE_REFERENCETEST_H

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "tessera/Dialect/Tile/TileOps.h"
#include "tessera/Reference/Reference.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace tessera::testing {

class ReferenceTest : public ::testing::Test {
protected:
  ReferenceTest();

  /// A kernel with the text after `tile.kernel @k`; fails the test if it does not parse.
  tile::KernelOp parse(const std::string &text);
  /// `[%N "N"](%x "x": !tile.view<?xf32, in> …) reference ["r"] {`, constants 0 and 1, `body`, `}`.
  tile::KernelOp vectorKernel(const std::string &body);

  /// An array of the values, owned by the test.
  template <typename T>
  HostArray *array(DType dtype, IndexVector shape, const std::vector<T> &values) {
    llvm::Expected<HostArray> made = HostArray::allocate(dtype, shape);
    EXPECT_TRUE(bool(made));
    auto *array = owned.emplace_back(std::make_unique<HostArray>(std::move(*made))).get();
    EXPECT_EQ(array->numElements(), static_cast<int64_t>(values.size()));
    array->copyFrom(values.data());
    return array;
  }

  /// The only array of the reference.
  FormulaArray evaluate(tile::KernelOp kernel, std::vector<FormulaArgument> arguments);
  /// The error of the reference: code and text.
  std::string evaluateError(tile::KernelOp kernel, std::vector<FormulaArgument> arguments);
  /// The reference `r` of a vectorKernel over `x`.
  FormulaArray evaluateVector(const std::string &body, const std::vector<float> &x);

  mlir::MLIRContext context;
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
  std::vector<std::unique_ptr<HostArray>> owned;
};

/// The elements in index order.
template <typename T> std::vector<T> elements(const FormulaArray &array) {
  std::vector<T> result(array.array.numElements());
  EXPECT_EQ(sizeof(T), array.array.elementBytes());
  array.array.copyTo(result.data());
  return result;
}

/// 1 for present, in index order.
std::vector<int> presence(const FormulaArray &array);

} // namespace tessera::testing

#endif // TESSERA_TEST_UNIT_REFERENCE_REFERENCETEST_H
