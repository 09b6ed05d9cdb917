// Small kernels for tests: arguments with their data, a body as text, and what comes out.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TEST_UNIT_INTERPRETER_INTERPRETERTESTING_H
#define TESSERA_TEST_UNIT_INTERPRETER_INTERPRETERTESTING_H

#include "gtest/gtest.h"

#include "tessera/Interpreter/Interpreter.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace tessera::interptest {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double qnan = std::numeric_limits<double>::quiet_NaN();

using Values = std::vector<double>;
using Extents = std::vector<int64_t>;

/// An array of `dtype` that holds `values`, index order.
HostArray arrayOf(DType dtype, Extents shape, const Values &values,
                  ArrayOrder order = ArrayOrder::row);
HostArray outputOf(DType dtype, Extents shape, ArrayOrder order = ArrayOrder::row);
Values valuesOf(const HostArray &array);
/// Element types as the IR spells them.
DType dtypeNamed(llvm::StringRef name);

/// A kernel under test. Types are written as in a view without its mode: `?x8xf32`.
class TestKernel {
public:
  TestKernel();
  ~TestKernel();

  TestKernel &in(llvm::StringRef name, llvm::StringRef type, HostArray array);
  TestKernel &out(llvm::StringRef name, llvm::StringRef type, HostArray array);
  TestKernel &inout(llvm::StringRef name, llvm::StringRef type, HostArray array);
  TestKernel &scalar(llvm::StringRef name, DType dtype, double value);
  /// What stands before the kernel in its module, instructions for one.
  TestKernel &before(llvm::StringRef text);
  /// Attributes of the kernel: `{tile.warps = 8 : i64}`.
  TestKernel &attributes(llvm::StringRef text) {
    attributeText = text.empty() ? "" : ("attributes " + text).str();
    return *this;
  }
  TestKernel &with(RunOptions newOptions) {
    options = newOptions;
    return *this;
  }

  template <class System = ExactSystem> RunReport run(llvm::StringRef body) {
    tile::KernelOp kernel = parse(body);
    return kernel ? interpret<System>(kernel, launch(), options) : RunReport();
  }
  /// The kernel's op; null, with a test failure, if the text is wrong.
  tile::KernelOp parse(llvm::StringRef body);
  std::vector<Argument> launch();

  RunOptions options;

private:
  TestKernel &view(llvm::StringRef name, llvm::StringRef type, llvm::StringRef mode,
                   HostArray array);

  mlir::MLIRContext *context;
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
  std::vector<std::unique_ptr<HostArray>> arrays;
  std::vector<int64_t> extents;
  std::vector<Argument> arguments;
  std::string head, prelude, attributeText;
};

/// A tile handed to a body as the value `%name`.
struct Input {
  std::string name;
  std::string type; ///< `4x8xf32`, or `f32` for a scalar
  Values values;
};

struct Evaluated {
  RunReport report;
  Values values;            ///< 0 where absent
  std::vector<int> present; ///< 1 or 0
};

/// Runs a body that computes `%r` from the inputs; every result is checked to be free of errors unless `mayFail`.
template <class System = ExactSystem>
Evaluated evaluate(const std::vector<Input> &inputs, llvm::StringRef resultType,
                   llvm::StringRef body, bool mayFail = false);
extern template Evaluated evaluate<ExactSystem>(const std::vector<Input> &, llvm::StringRef,
                                                llvm::StringRef, bool);
extern template Evaluated evaluate<F64System>(const std::vector<Input> &, llvm::StringRef,
                                              llvm::StringRef, bool);

/// Equal element by element: NaN with NaN, and the signs of zeros too.
testing::AssertionResult same(const Values &found, const Values &expected);
#define EXPECT_SAME(found, ...)                                                                    \
  EXPECT_TRUE(::tessera::interptest::same(found, ::tessera::interptest::Values __VA_ARGS__))

/// The codes of the errors, for comparison.
std::vector<std::string> codes(const std::vector<RunError> &errors);
std::string explain(const RunReport &report);
/// Line in the kernel's text of an error; 0 if it has none.
unsigned lineOf(mlir::Location where);

} // namespace tessera::interptest

#endif // TESSERA_TEST_UNIT_INTERPRETER_INTERPRETERTESTING_H
