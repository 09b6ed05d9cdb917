// The template behind `evaluate`, for tests with a number system of their own.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TEST_UNIT_INTERPRETER_EVALUATE_H
#define TESSERA_TEST_UNIT_INTERPRETER_EVALUATE_H

#include "InterpreterTesting.h"

#include "llvm/ADT/StringExtras.h"

namespace tessera::interptest {

/// `4x8xf32` taken apart.
struct TileText {
  Extents shape;
  DType dtype;
  std::string irType, whole, viewType;

  explicit TileText(llvm::StringRef type) {
    llvm::SmallVector<llvm::StringRef> parts;
    type.split(parts, 'x');
    dtype = dtypeNamed(parts.pop_back_val());
    for (llvm::StringRef part : parts) {
      shape.push_back(std::stoll(part.str()));
      whole += whole.empty() ? ":" : ", :";
    }
    irType = shape.empty() ? type.str() : "tensor<" + type.str() + ">";
    viewType = shape.empty() ? "1x" + type.str() : type.str();
    whole = shape.empty() ? "%c0" : whole;
  }
  Extents viewShape() const { return shape.empty() ? Extents{1} : shape; }
  std::string indexTypes() const { return shape.empty() ? ", i64" : ""; }
};

template <class System>
Evaluated evaluate(const std::vector<Input> &inputs, llvm::StringRef resultType,
                   llvm::StringRef body, bool mayFail) {
  TestKernel kernel;
  std::string text = "  %c0 = tile.constant 0 : i64\n";
  for (const Input &input : inputs) {
    TileText type(input.type);
    kernel.in("in_" + input.name, type.viewType,
              arrayOf(type.dtype, type.viewShape(), input.values));
    text += "  %" + input.name + " = tile.load %in_" + input.name + "[" + type.whole +
            "] : !tile.view<" + type.viewType + ", in>" + type.indexTypes() + " -> " + type.irType +
            "\n";
  }
  TileText result(resultType);
  std::string flags = resultType.str();
  flags.resize(flags.size() - irName(result.dtype).size());
  flags += "i1";
  TileText flagType(flags);
  bool wide = systemTable<System>().holdsFloatsAlike() && isFloat(result.dtype);
  HostArray y = outputOf(wide ? DType::f64 : result.dtype, result.viewShape());
  HostArray p = outputOf(DType::i1, flagType.viewShape());
  kernel.out("out_y", result.viewType, y).out("out_p", flagType.viewType, p);
  text += body.str() + "\n";
  text += "  %flags = tile.present %r : " + result.irType + "\n";
  std::string zero = isFloat(result.dtype) ? "0.0" : "0";
  text += "  %nothing = tile.constant " +
          (result.dtype == DType::i1 ? "false" : zero + " : " + irName(result.dtype).str());
  text += (result.shape.empty() ? "" : " " + result.irType) + "\n";
  text += "  %whole = tile.fill_absent %r, %nothing : " + result.irType + "\n";
  text += "  tile.store %whole, %out_y[" + result.whole + "] : " + result.irType + ", !tile.view<" +
          result.viewType + ", out>" + result.indexTypes() + "\n";
  text += "  tile.store %flags, %out_p[" + result.whole + "] : " + flagType.irType +
          ", !tile.view<" + flagType.viewType + ", out>" + result.indexTypes() + "\n";
  Evaluated done{kernel.run<System>(text), {}, {}};
  if (!done.report.succeeded()) {
    EXPECT_TRUE(mayFail) << explain(done.report);
    return done;
  }
  done.values = valuesOf(y);
  for (double flag : valuesOf(p)) {
    done.present.push_back(flag != 0);
  }
  return done;
}

} // namespace tessera::interptest

#endif // TESSERA_TEST_UNIT_INTERPRETER_EVALUATE_H
