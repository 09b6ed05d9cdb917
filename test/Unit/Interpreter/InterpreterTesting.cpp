// Small kernels for tests.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InterpreterTesting.h"

#include "Evaluate.h"

#include "tessera/Numeric/Value.h"

#include "llvm/ADT/StringExtras.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

using namespace tessera;
using namespace tessera::interptest;

HostArray interptest::arrayOf(DType dtype, Extents shape, const Values &values, ArrayOrder order) {
  HostArray array = llvm::cantFail(HostArray::allocate(dtype, shape, order));
  EXPECT_EQ(size_t(array.numElements()), values.size());
  size_t next = 0;
  array.layout().forEach([&](llvm::ArrayRef<int64_t>, int64_t offset) {
    EXPECT_TRUE(
        fromDouble(dtype, values[next++], Round::rne,
                   isInteger(dtype) ? Overflow::wrap : Overflow::sat, array.atOffset(offset)) ||
        fromDouble(dtype, values[next - 1], Round::rne, Overflow::nan, array.atOffset(offset)));
  });
  // sat would make large values of infinities.
  next = 0;
  array.layout().forEach([&](llvm::ArrayRef<int64_t>, int64_t offset) {
    double value = values[next++];
    if (std::isinf(value) && hasInfinity(dtype)) {
      fromDouble(dtype, value, Round::rne, Overflow::inf, array.atOffset(offset));
    }
  });
  return array;
}

HostArray interptest::outputOf(DType dtype, Extents shape, ArrayOrder order) {
  return llvm::cantFail(HostArray::allocateOutput(dtype, shape, order));
}

Values interptest::valuesOf(const HostArray &array) {
  Values values;
  array.layout().forEach([&](llvm::ArrayRef<int64_t>, int64_t offset) {
    values.push_back(toDouble(array.dtype(), array.atOffset(offset)));
  });
  return values;
}

DType interptest::dtypeNamed(llvm::StringRef name) {
  std::optional<DType> dtype = parseDType(name);
  EXPECT_TRUE(dtype) << name.str();
  return dtype.value_or(DType::f32);
}

/// One context for all tests: the places in a report are its, and outlive the kernel.
static mlir::MLIRContext *sharedContext() {
  static mlir::MLIRContext *context = [] {
    static mlir::MLIRContext made;
    made.loadDialect<tile::TileDialect, mlir::scf::SCFDialect>();
    return &made;
  }();
  return context;
}

TestKernel::TestKernel() : context(sharedContext()) {}
TestKernel::~TestKernel() = default;

TestKernel &TestKernel::in(llvm::StringRef name, llvm::StringRef type, HostArray array) {
  return view(name, type, "in", std::move(array));
}
TestKernel &TestKernel::out(llvm::StringRef name, llvm::StringRef type, HostArray array) {
  return view(name, type, "out", std::move(array));
}
TestKernel &TestKernel::inout(llvm::StringRef name, llvm::StringRef type, HostArray array) {
  return view(name, type, "inout", std::move(array));
}

TestKernel &TestKernel::view(llvm::StringRef name, llvm::StringRef type, llvm::StringRef mode,
                             HostArray array) {
  llvm::SmallVector<llvm::StringRef> parts;
  type.split(parts, 'x');
  parts.pop_back();
  std::string results;
  for (size_t axis = 0; axis < parts.size(); ++axis) {
    results += axis ? ", " : "";
    if (parts[axis] == "?") {
      results += "s" + std::to_string(extents.size());
      extents.push_back(axis < array.shape().size() ? array.shape()[axis] : 0);
    } else {
      results += parts[axis].str();
    }
  }
  head += (head.empty() ? "" : ", ");
  head += ("%" + name + " \"" + name + "\": !tile.view<" + type + ", " + mode +
           "> shape ()[@] -> (" + results + ")")
              .str();
  arrays.push_back(std::make_unique<HostArray>(std::move(array)));
  arguments.push_back(Argument::of(*arrays.back()));
  return *this;
}

TestKernel &TestKernel::scalar(llvm::StringRef name, DType dtype, double value) {
  alignas(8) std::byte element[8] = {};
  EXPECT_TRUE(fromDouble(dtype, value, Round::rne,
                         isInteger(dtype) ? Overflow::wrap : Overflow::inf, element));
  head += (head.empty() ? "" : ", ");
  head += ("%" + name + " \"" + name + "\": " + irName(dtype)).str();
  arguments.push_back(Argument::of(dtype, element));
  return *this;
}

TestKernel &TestKernel::before(llvm::StringRef text) {
  // On the kernel's first line, so that lines of the body are what they were.
  prelude = text.str();
  std::replace(prelude.begin(), prelude.end(), '\n', ' ');
  return *this;
}

tile::KernelOp TestKernel::parse(llvm::StringRef body) {
  std::string symbols, names, filled;
  for (size_t i = 0; i < extents.size(); ++i) {
    std::string number = std::to_string(i);
    symbols += (i ? ", s" : "s") + number;
    names += (i ? ", %E" : "%E") + number + " \"E" + number + "\"";
  }
  for (char c : head) {
    filled += c == '@' ? symbols : std::string(1, c);
  }
  // The body starts on line 2.
  std::string text = prelude + "tile.kernel @k" + (names.empty() ? "" : "[" + names + "]") + "(" +
                     filled + ") " + attributeText + " body {\n" + body.str() + "\n}";
  mlir::ScopedDiagnosticHandler handler(context, [&](mlir::Diagnostic &diagnostic) {
    ADD_FAILURE() << "line " << lineOf(diagnostic.getLocation()) << ": " << diagnostic.str() << "\n"
                  << text;
    return mlir::success();
  });
  modules.push_back(mlir::parseSourceString<mlir::ModuleOp>(text, context));
  if (!modules.back()) {
    return nullptr;
  }
  return *modules.back()->getOps<tile::KernelOp>().begin();
}

std::vector<Argument> TestKernel::launch() {
  std::vector<Argument> all;
  for (int64_t extent : extents) {
    all.push_back(Argument::of(extent));
  }
  all.insert(all.end(), arguments.begin(), arguments.end());
  return all;
}

template Evaluated interptest::evaluate<ExactSystem>(const std::vector<Input> &, llvm::StringRef,
                                                     llvm::StringRef, bool);
template Evaluated interptest::evaluate<F64System>(const std::vector<Input> &, llvm::StringRef,
                                                   llvm::StringRef, bool);

testing::AssertionResult interptest::same(const Values &found, const Values &expected) {
  auto show = [](const Values &values) {
    std::string text;
    for (double value : values) {
      text += (text.empty() ? "" : ", ") + std::to_string(value);
    }
    return "{" + text + "}";
  };
  bool equal = found.size() == expected.size();
  for (size_t i = 0; equal && i < found.size(); ++i) {
    bool bothNan = std::isnan(found[i]) && std::isnan(expected[i]);
    equal =
        bothNan || (found[i] == expected[i] && std::signbit(found[i]) == std::signbit(expected[i]));
  }
  if (equal) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << "found " << show(found) << ", expected " << show(expected);
}

std::vector<std::string> interptest::codes(const std::vector<RunError> &errors) {
  std::vector<std::string> found;
  for (const RunError &error : errors) {
    found.push_back(error.code().str());
  }
  return found;
}

std::string interptest::explain(const RunReport &report) {
  std::string text;
  for (const RunError &error : report.errors) {
    text += error.code().str() + ": " + error.message + "\n";
  }
  return text;
}

unsigned interptest::lineOf(mlir::Location where) {
  unsigned line = 0;
  where->walk([&](mlir::Location inner) {
    if (auto file = mlir::dyn_cast<mlir::FileLineColLoc>(inner)) {
      line = file.getLine();
    }
    return mlir::WalkResult::advance();
  });
  return line;
}
