// Evaluation of the regions `where`, `reference` and `tolerance`.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Reference/Reference.h"

#include "Formula.h"

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Numeric/Value.h"

using namespace tessera;
using namespace tessera::reference;

FormulaArgument FormulaArgument::ofExtent(int64_t value) {
  FormulaArgument result;
  std::memcpy(result.scalar.data(), &value, sizeof(value));
  return result;
}

const FormulaArray *FormulaResult::find(llvm::StringRef name) const {
  for (const FormulaArray &array : arrays) {
    if (array.name == name) {
      return &array;
    }
  }
  return nullptr;
}

Formula::Formula(const NumberTable &numbers, tile::KernelOp kernel, mlir::Block &block,
                 llvm::ArrayRef<FormulaArgument> arguments, llvm::ArrayRef<FormulaArray> given)
    : kernel(kernel), block(block), machine(numbers) {
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    mlir::BlockArgument value = block.getArgument(i);
    if (argument.array) {
      Array &array = ownedArrays.emplace_back();
      array.name = kernel.getArgName(i).str();
      array.host = *argument.array;
      const DType type = dtypeOf(value.getType());
      if (numbers.elementSize(type) != byteSize(type) && array.host.dtype() == type) {
        array.load = numbers.load(type);
      }
      arrays[value] = &array;
    } else if (value.getType().isIntOrFloat()) {
      Slot *slot = machine.arena.make(dtypeOf(value.getType()), false, 0);
      numbers.load(slot->type)(argument.scalar.data(), slot->data, 1);
      slots[value] = slot;
    }
  }
  for (auto [value, source] : llvm::zip(block.getArguments().drop_front(arguments.size()), given)) {
    Array &array = ownedArrays.emplace_back();
    array.name = source.name;
    array.host = source.array;
    array.presence = source.presence;
    arrays[value] = &array;
  }
}

llvm::Error Formula::run(llvm::ArrayRef<std::string> names) {
  mlir::Operation *end = terminator();
  for (auto [value, name] : llvm::zip(end ? end->getOperands() : mlir::ValueRange(), names)) {
    arrayNames.try_emplace(value, name);
  }
  Steps steps;
  open = {&steps};
  floor = 0;
  if (!compileBlock(block)) {
    return machine.takeError();
  }
  for (mlir::Value value : end ? end->getOperands() : mlir::ValueRange()) {
    if (!arrays.contains(value)) {
      unsupported(*end);
      return machine.takeError();
    }
  }
  return steps.run(machine, Lanes()) ? llvm::Error::success() : machine.takeError();
}

mlir::Operation *Formula::terminator() const {
  return !block.empty() && block.back().hasTrait<mlir::OpTrait::IsTerminator>() ? &block.back()
                                                                                : nullptr;
}

std::vector<FormulaArray> Formula::takeResults() {
  std::vector<FormulaArray> results;
  mlir::Operation *end = terminator();
  for (mlir::Value value : end ? end->getOperands() : mlir::ValueRange()) {
    const Array *array = arrays.lookup(value);
    results.push_back({array->name, array->host, array->presence});
  }
  return results;
}

static std::vector<std::string> textsOf(mlir::ArrayAttr names) {
  std::vector<std::string> result;
  for (mlir::Attribute name : names) {
    result.push_back(llvm::cast<mlir::StringAttr>(name).getValue().str());
  }
  return result;
}

llvm::Expected<FormulaResult> tessera::evaluateReference(tile::KernelOp kernel,
                                                         llvm::ArrayRef<FormulaArgument> arguments,
                                                         Numbers numbers) {
  if (kernel.getReference().empty()) {
    return checkedError(ReferenceDiag::ref_missing_region, kernel.getLoc(), {},
                        "add a reference to the kernel's header", kernel.getSymName(), "reference");
  }
  const NumberTable &table =
      numbers == Numbers::f64 ? NumberTable::of<F64System>() : NumberTable::of<ExactSystem>();
  Formula formula(table, kernel, kernel.getReference().front(), arguments, {});
  const std::vector<std::string> names = textsOf(kernel.getReferenceNames());
  if (llvm::Error error = formula.run(names)) {
    return error;
  }
  FormulaResult result{formula.takeResults()};
  for (auto [array, name] : llvm::zip(result.arrays, names)) {
    array.name = name;
  }
  return result;
}

llvm::Expected<uint64_t>
tessera::countReferenceElements(tile::KernelOp kernel, llvm::ArrayRef<FormulaArgument> arguments) {
  if (kernel.getReference().empty()) {
    return 0;
  }
  Formula formula(NumberTable::of<ExactSystem>(), kernel, kernel.getReference().front(), arguments,
                  {});
  formula.onlyCount();
  if (llvm::Error error = formula.run({})) {
    return error;
  }
  return formula.numElements();
}

/// The same array with elements of f64.
static llvm::Expected<HostArray> widen(const HostArray &array) {
  if (array.dtype() == DType::f64) {
    return array;
  }
  llvm::Expected<HostArray> wide = HostArray::allocate(DType::f64, array.shape());
  if (!wide) {
    return wide.takeError();
  }
  auto *out = reinterpret_cast<double *>(wide->data());
  for (int64_t i = 0; i < array.numElements(); ++i) {
    out[i] = toDouble(array.dtype(), array.atOffset(i));
  }
  return wide;
}

llvm::Expected<FormulaResult> tessera::evaluateTolerance(tile::KernelOp kernel,
                                                         llvm::ArrayRef<FormulaArgument> arguments,
                                                         const FormulaResult &reference) {
  if (kernel.getTolerance().empty()) {
    return FormulaResult();
  }
  Formula formula(NumberTable::of<ExactSystem>(), kernel, kernel.getTolerance().front(), arguments,
                  reference.arrays);
  const std::vector<std::string> names = textsOf(kernel.getToleranceNames());
  if (llvm::Error error = formula.run(names)) {
    return error;
  }
  FormulaResult result{formula.takeResults()};
  for (auto [array, name] : llvm::zip(result.arrays, names)) {
    array.name = name;
    llvm::Expected<HostArray> wide = widen(array.array);
    if (!wide) {
      return wide.takeError();
    }
    array.array = std::move(*wide);
  }
  return result;
}

llvm::Expected<std::vector<Violation>>
tessera::evaluateWhere(tile::KernelOp kernel, llvm::ArrayRef<FormulaArgument> arguments) {
  if (kernel.getWhere().empty()) {
    return std::vector<Violation>();
  }
  Formula formula(NumberTable::of<ExactSystem>(), kernel, kernel.getWhere().front(), arguments, {});
  if (llvm::Error error = formula.run({})) {
    return error;
  }
  return formula.takeViolations();
}
