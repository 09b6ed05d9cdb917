// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReferenceTest.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"

using namespace tessera;
using namespace tessera::testing;

ReferenceTest::ReferenceTest() { context.loadDialect<tile::TileDialect, mlir::scf::SCFDialect>(); }

tile::KernelOp ReferenceTest::parse(const std::string &text) {
  auto module = mlir::parseSourceString<mlir::ModuleOp>("tile.kernel @k" + text, &context);
  EXPECT_TRUE(bool(module)) << text;
  if (!module) {
    return nullptr;
  }
  modules.push_back(std::move(module));
  return *modules.back()->getOps<tile::KernelOp>().begin();
}

tile::KernelOp ReferenceTest::vectorKernel(const std::string &body) {
  return parse(R"([%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0)) reference ["r"] {
    %c0 = tile.constant 0 : i64
    %c1 = tile.constant 1 : i64
  )" + body + "\n}");
}

FormulaArray ReferenceTest::evaluate(tile::KernelOp kernel,
                                     std::vector<FormulaArgument> arguments) {
  if (!kernel) {
    return {};
  }
  llvm::Expected<FormulaResult> result = evaluateReference(kernel, arguments);
  if (!result) {
    ADD_FAILURE() << llvm::toString(result.takeError());
    return {};
  }
  EXPECT_EQ(result->arrays.size(), 1u);
  return result->arrays.front();
}

std::string ReferenceTest::evaluateError(tile::KernelOp kernel,
                                         std::vector<FormulaArgument> arguments) {
  if (!kernel) {
    return "";
  }
  llvm::Expected<FormulaResult> result = evaluateReference(kernel, arguments);
  if (result) {
    return "no error";
  }
  std::string text;
  llvm::handleAllErrors(result.takeError(), [&](const CheckedError &error) {
    text = (error.code() + ": " + error.getText()).str();
    for (const auto &[name, value] : error.valuesInForce()) {
      text += " [" + name + " = " + value + "]";
    }
    EXPECT_FALSE(error.getHelp().empty());
  });
  return text;
}

FormulaArray ReferenceTest::evaluateVector(const std::string &body, const std::vector<float> &x) {
  const auto size = static_cast<int64_t>(x.size());
  return evaluate(vectorKernel(body), {FormulaArgument::ofExtent(size),
                                       FormulaArgument::ofArray(*array(DType::f32, {size}, x))});
}

std::vector<int> tessera::testing::presence(const FormulaArray &array) {
  std::vector<int> result;
  for (int64_t i = 0; i < array.array.numElements(); ++i) {
    result.push_back(array.isPresent(i));
  }
  return result;
}
