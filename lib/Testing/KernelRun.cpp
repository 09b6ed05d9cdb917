// Arguments from shape maps and a seed, the run, its outputs as bytes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Testing/KernelRun.h"

#include "tessera/Check/Generators.h"
#include "tessera/Check/Random.h"
#include "tessera/Dialect/Tile/DTypes.h"

#include "mlir/IR/BuiltinAttributes.h"

#include <cmath>
#include <memory>

namespace tessera {

std::string KernelRun::difference(const KernelRun &other) const {
  if (errors != other.errors) {
    auto first = [](const KernelRun &run) {
      return run.errors.empty() ? std::string("no error") : run.errors.front();
    };
    return "errors: " + first(*this) + " against " + first(other);
  }
  for (size_t i = 0; i < std::max(outputs.size(), other.outputs.size()); ++i) {
    if (i >= outputs.size() || i >= other.outputs.size() ||
        outputs[i].first != other.outputs[i].first) {
      return "other outputs";
    }
    const auto &a = outputs[i].second, &b = other.outputs[i].second;
    if (a == b) {
      continue;
    }
    size_t at = 0;
    while (at < a.size() && at < b.size() && a[at] == b[at]) {
      ++at;
    }
    return "`" + outputs[i].first + "` from byte " + std::to_string(at) + " of " +
           std::to_string(a.size()) + " on";
  }
  return "";
}

/// Value of an extent that nobody gave: small, zero now and then.
static int64_t chooseExtent(uint64_t seed, llvm::StringRef name) {
  static constexpr int64_t values[] = {3, 0, 1, 2, 5, 4, 8, 7};
  return values[deriveSeed(seed, name) % std::size(values)];
}

/// Contents that reach all kinds of values, and integers that stay small now and then.
static Generator contentsOf(DType dtype, uint64_t seed, RunContents contents) {
  if (contents == RunContents::integers && !isBool(dtype)) {
    return {GeneratorKind::ints, {TestValue(isSigned(dtype) ? -3 : 0), TestValue(3)}};
  }
  switch (seed % 4) {
  case 0:
    return {GeneratorKind::full, {}};
  case 1:
    return isInteger(dtype) ? Generator{GeneratorKind::ints, {TestValue(0), TestValue(9)}}
                            : Generator{GeneratorKind::normal, {}};
  default:
    return {GeneratorKind::normal, {}};
  }
}

namespace {
class Runner {
public:
  Runner(tile::KernelOp kernel, uint64_t seed, RunContents contents)
      : kernel(kernel), seed(seed), contents(contents) {}

  bool prepare(const std::map<std::string, int64_t> &given);
  KernelRun run(const RunOptions &options);

private:
  bool addView(unsigned i, tile::ViewType type);
  void addScalar(unsigned i, DType dtype);

  tile::KernelOp kernel;
  uint64_t seed;
  RunContents contents;
  std::vector<int64_t> extents;
  std::vector<Argument> arguments;
  std::vector<std::unique_ptr<HostArray>> arrays; ///< by argument, null for scalars
};
} // namespace

bool Runner::addView(unsigned i, tile::ViewType type) {
  constexpr int64_t kMaxElements = 1 << 19;
  mlir::AffineMap map = kernel.getShapeMap(i);
  llvm::SmallVector<mlir::Attribute> symbols, sizes;
  for (int64_t extent : extents) {
    symbols.push_back(
        mlir::IntegerAttr::get(mlir::IntegerType::get(kernel.getContext(), 64), extent));
  }
  if (!map || mlir::failed(map.constantFold(symbols, sizes))) {
    return false;
  }
  llvm::SmallVector<int64_t> shape;
  int64_t elements = 1;
  for (mlir::Attribute size : sizes) {
    shape.push_back(mlir::cast<mlir::IntegerAttr>(size).getInt());
    if (shape.back() < 0 || shape.back() > kMaxElements ||
        (elements *= shape.back()) > kMaxElements) {
      return false;
    }
  }
  DType dtype = dtypeOf(type.getElementType());
  bool isOutput = type.getMode() == tile::AccessMode::out;
  llvm::Expected<HostArray> array =
      isOutput ? HostArray::allocateOutput(dtype, shape) : HostArray::allocate(dtype, shape);
  if (!array) {
    llvm::consumeError(array.takeError());
    return false;
  }
  uint64_t own = deriveSeed(seed, kernel.getArgName(i));
  if (!isOutput) {
    if (llvm::Error error = fillArray(*array, contentsOf(dtype, own, contents), own)) {
      llvm::consumeError(std::move(error));
      return false;
    }
  }
  arrays[i] = std::make_unique<HostArray>(std::move(*array));
  arguments.push_back(Argument::of(*arrays[i]));
  return true;
}

void Runner::addScalar(unsigned i, DType dtype) {
  uint64_t bits = deriveSeed(seed, kernel.getArgName(i));
  if (isFloat(dtype)) {
    double value =
        contents == RunContents::integers ? double(int64_t(bits % 7) - 3) : normalAt(bits, 0);
    mlir::Type type = typeOf(dtype, kernel.getContext());
    uint64_t element = 0;
    elementOf(mlir::FloatAttr::get(type, value), &element);
    bits = element;
  } else if (isBool(dtype)) {
    bits &= 1;
  } else {
    bits %= 10;
  }
  arguments.push_back(Argument::of(dtype, &bits));
}

bool Runner::prepare(const std::map<std::string, int64_t> &given) {
  arrays.resize(kernel.getNumArguments());
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
    llvm::StringRef name = kernel.getArgName(i);
    if (i < kernel.getExtents()) {
      auto it = given.find(name.str());
      extents.push_back(it != given.end() ? it->second : chooseExtent(seed, name));
      arguments.push_back(Argument::of(extents.back()));
      continue;
    }
    mlir::Type type = kernel.getArgType(i);
    if (auto view = mlir::dyn_cast<tile::ViewType>(type)) {
      if (!addView(i, view)) {
        return false;
      }
    } else if (std::optional<DType> dtype = dtypeIfAny(type)) {
      addScalar(i, *dtype);
    } else {
      return false;
    }
  }
  return true;
}

/// Elements in index order; every NaN becomes the same pattern.
static std::vector<uint8_t> bytesOf(const HostArray &array, mlir::MLIRContext *context) {
  std::vector<uint8_t> bytes(array.numElements() * array.elementBytes());
  array.copyTo(bytes.data());
  if (!isFloat(array.dtype())) {
    return bytes;
  }
  size_t size = array.elementBytes();
  for (size_t at = 0; at + size <= bytes.size(); at += size) {
    auto value =
        mlir::cast<mlir::FloatAttr>(attributeOf(array.dtype(), &bytes[at], context)).getValue();
    if (value.isNaN()) {
      std::fill_n(bytes.begin() + at, size, uint8_t(0x7f));
    }
  }
  return bytes;
}

KernelRun Runner::run(const RunOptions &options) {
  RunReport report = interpret<ExactSystem>(kernel, arguments, options);
  KernelRun result;
  for (const RunError &error : report.errors) {
    result.errors.push_back((error.code() + " " + error.message).str());
  }
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
    auto view = mlir::dyn_cast<tile::ViewType>(kernel.getArgType(i));
    if (view && view.isWritable()) {
      result.outputs.emplace_back(kernel.getArgName(i).str(),
                                  bytesOf(*arrays[i], kernel.getContext()));
    }
  }
  return result;
}

std::optional<KernelRun> runKernel(tile::KernelOp kernel,
                                   const std::map<std::string, int64_t> &extents, uint64_t seed,
                                   const RunOptions &options, RunContents contents) {
  Runner runner(kernel, seed, contents);
  if (!runner.prepare(extents)) {
    return std::nullopt;
  }
  return runner.run(options);
}

} // namespace tessera
