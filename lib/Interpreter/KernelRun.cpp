// Arguments from shape maps and a seed, the run, its outputs as bytes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Interpreter/KernelRun.h"

#include "tessera/Check/Generators.h"
#include "tessera/Check/Random.h"
#include "tessera/Dialect/Tile/DTypes.h"

#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/BuiltinAttributes.h"

#include <cmath>
#include <memory>

namespace tessera {

static size_t numElements(const KernelOutput &output) {
  size_t count = 1;
  for (int64_t extent : output.shape) {
    count *= extent;
  }
  return count;
}

/// An element in words.
static std::string elementText(const KernelOutput &output, size_t element) {
  size_t size = output.bytes.size() / numElements(output);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mlir::Attribute value = attributeOf(output.dtype, &output.bytes[element * size], &context);
  std::string text;
  llvm::raw_string_ostream os(text);
  value.print(os, /*elideType=*/true);
  return text;
}

/// Where two outputs differ first.
static std::string difference(const KernelOutput &a, const KernelOutput &b) {
  size_t at = 0;
  while (a.bytes[at] == b.bytes[at]) {
    ++at;
  }
  size_t element = at / (a.bytes.size() / numElements(a)), rest = element;
  std::string index;
  for (int64_t extent : llvm::reverse(a.shape)) {
    index = std::to_string(rest % extent) + (index.empty() ? "" : ", ") + index;
    rest /= extent;
  }
  return "`" + a.name + "[" + index + "]` is " + elementText(a, element) + " against " +
         elementText(b, element);
}

std::string KernelRun::difference(const KernelRun &other) const {
  if (errors != other.errors) {
    auto first = [](const KernelRun &run) {
      return run.errors.empty() ? std::string("no error") : run.errors.front();
    };
    return "errors: " + first(*this) + " against " + first(other);
  }
  for (size_t i = 0; i < std::max(outputs.size(), other.outputs.size()); ++i) {
    if (i >= outputs.size() || i >= other.outputs.size() ||
        outputs[i].name != other.outputs[i].name || outputs[i].shape != other.outputs[i].shape ||
        outputs[i].bytes.size() != other.outputs[i].bytes.size()) {
      return "other outputs";
    }
    if (outputs[i].bytes != other.outputs[i].bytes) {
      return tessera::difference(outputs[i], other.outputs[i]);
    }
  }
  return "";
}

std::string KernelRun::printedOtherwise(const KernelRun &other) const {
  llvm::StringRef left = printed, right = other.printed;
  while (!left.empty() && left.split('\n').first == right.split('\n').first) {
    left = left.split('\n').second;
    right = right.split('\n').second;
  }
  if (left == right) {
    return "";
  }
  return "`" + left.split('\n').first.str() + "` is printed against `" +
         right.split('\n').first.str() + "`";
}

std::string alignmentName(llvm::StringRef view) { return ("alignment of " + view).str(); }

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
  KernelRun run(KernelExecution execute);

private:
  using Extents = std::map<std::string, int64_t>;
  bool addView(unsigned i, tile::ViewType type, const Extents &given);
  void addScalar(unsigned i, DType dtype);
  void addOutputs(KernelRun &result);

  tile::KernelOp kernel;
  uint64_t seed;
  RunContents contents;
  std::vector<int64_t> extents;
  std::vector<Argument> arguments;
  std::vector<std::unique_ptr<HostArray>> arrays; ///< by argument, null for scalars
};
} // namespace

/// Rows that begin at multiples of so many bytes, and no more: the first one and the distance are odd multiples of it.
static llvm::Expected<HostArray> allocateAligned(DType dtype, llvm::ArrayRef<int64_t> shape,
                                                 int64_t alignment, bool isOutput) {
  constexpr int64_t kGuard = 4096;
  int64_t element = byteSize(dtype), unit = std::max(alignment / element, int64_t(1));
  llvm::SmallVector<int64_t> strides(shape.size(), 1);
  int64_t elements = 1;
  for (size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = elements;
    int64_t extent = std::max<int64_t>(shape[axis], 1);
    if (axis + 1 == shape.size()) {
      elements = (extent + unit - 1) / unit * unit;
      elements += elements / unit % 2 ? 0 : unit;
    } else {
      elements *= extent;
    }
  }
  uint64_t before = kGuard + uint64_t(unit * element);
  llvm::Expected<std::shared_ptr<HostMemory>> memory =
      HostMemory::reserve(before + uint64_t(elements * element) + kGuard);
  if (!memory) {
    return memory.takeError();
  }
  llvm::Expected<HostArray> array =
      HostArray::view(std::move(*memory), dtype, shape, strides, before);
  if (array && isOutput) {
    array->fillUnwritten();
  }
  return array;
}

bool Runner::addView(unsigned i, tile::ViewType type, const Extents &given) {
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
  constexpr int64_t kAligned = 256;
  auto asked = given.find(alignmentName(kernel.getArgName(i)));
  llvm::Expected<HostArray> array =
      allocateAligned(dtype, shape, asked != given.end() ? asked->second : kAligned, isOutput);
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
      if (!addView(i, view, given)) {
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
      std::fill_n(bytes.begin() + at, size, uint8_t(0xff)); // a NaN in every format
    }
  }
  return bytes;
}

KernelRun Runner::run(const RunOptions &given) {
  KernelRun result;
  llvm::raw_string_ostream printed(result.printed);
  RunOptions options = given;
  options.print = options.print ? options.print : &printed;
  RunReport report = interpret<ExactSystem>(kernel, arguments, options);
  result.bytes = report.counters.bytes;
  for (const RunError &error : report.errors) {
    result.errors.push_back((error.code() + " " + error.message).str());
  }
  addOutputs(result);
  return result;
}

KernelRun Runner::run(KernelExecution execute) {
  KernelRun result;
  result.errors = execute(arguments);
  addOutputs(result);
  return result;
}

void Runner::addOutputs(KernelRun &result) {
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
    auto view = mlir::dyn_cast<tile::ViewType>(kernel.getArgType(i));
    if (view && view.isWritable()) {
      llvm::ArrayRef<int64_t> shape = arrays[i]->shape();
      result.outputs.push_back({kernel.getArgName(i).str(), arrays[i]->dtype(), shape.vec(),
                                bytesOf(*arrays[i], kernel.getContext())});
    }
  }
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

std::optional<KernelRun> runKernelBy(tile::KernelOp kernel,
                                     const std::map<std::string, int64_t> &extents, uint64_t seed,
                                     RunContents contents, KernelExecution execute) {
  Runner runner(kernel, seed, contents);
  if (!runner.prepare(extents)) {
    return std::nullopt;
  }
  return runner.run(execute);
}

} // namespace tessera
