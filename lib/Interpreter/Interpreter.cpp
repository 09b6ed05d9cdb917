// The entry: arguments checked and bound, the body compiled, the steps run, the report closed.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Interpreter/Interpreter.h"

#include "Adversary.h"
#include "Compiler.h"

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Host/HostError.h"

#include "llvm/Support/raw_ostream.h"

using namespace tessera;
using namespace tessera::interp;

Argument Argument::of(HostArray &array) {
  Argument argument;
  argument.array = &array;
  return argument;
}

Argument Argument::of(int64_t value) { return of(DType::i64, &value); }

Argument Argument::of(DType dtype, const void *bytes) {
  Argument argument;
  argument.dtype = dtype;
  std::memcpy(argument.element.data(), bytes, byteSize(dtype));
  return argument;
}

namespace {
class Launch {
public:
  Launch(const SystemTable &system, tile::KernelOp kernel, llvm::ArrayRef<Argument> arguments,
         const RunOptions &options, RunReport &report)
      : kernel(kernel), arguments(arguments), report(report),
        machine(system, options, pool, report), compiler(machine) {}

  void run();

private:
  template <typename... Args> void error(RunDiag id, Args &&...args) {
    report.errors.push_back(makeRunError(
        id, llvm::formatv(false, runDiagFormat(id).data(), std::forward<Args>(args)...).str(),
        kernel.getLoc()));
    report.errors.back().values = machine.instance;
  }
  void readInstance();
  bool bind(unsigned i);
  bool bindArray(unsigned i, tile::ViewType type);
  bool bindScalar(unsigned i, mlir::Type type);
  bool checkShape(unsigned i, tile::ViewType type, const HostArray &array);

  tile::KernelOp kernel;
  llvm::ArrayRef<Argument> arguments;
  RunReport &report;
  BufferPool pool; // outlives every value below
  Machine machine;
  Compiler compiler;
};

std::string textOf(mlir::Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream os(text);
  attribute.print(os, /*elideType=*/true);
  return text;
}

void Launch::readInstance() {
  if (auto instance = kernel.getInstance()) {
    for (mlir::NamedAttribute named : *instance) {
      auto string = mlir::dyn_cast<mlir::StringAttr>(named.getValue());
      machine.instance.emplace_back(named.getName().str(),
                                    string ? string.getValue().str() : textOf(named.getValue()));
    }
  }
}

bool Launch::checkShape(unsigned i, tile::ViewType type, const HostArray &array) {
  llvm::StringRef name = kernel.getArgName(i);
  if (array.rank() != type.getRank()) {
    error(RunDiag::run_argument_shape, name, joinNumbers(array.shape()),
          std::to_string(type.getRank()) + " axes");
    return false;
  }
  for (unsigned axis = 0; axis < array.rank(); ++axis) {
    int64_t extent = type.getShape()[axis];
    if (!mlir::ShapedType::isDynamic(extent) && extent != array.shape()[axis]) {
      error(RunDiag::run_argument_shape, name, joinNumbers(array.shape()),
            "extent " + std::to_string(extent) + " of axis " + std::to_string(axis));
      return false;
    }
  }
  return true;
}

bool Launch::bindArray(unsigned i, tile::ViewType type) {
  llvm::StringRef name = kernel.getArgName(i);
  HostArray *array = arguments[i].array;
  if (!array) {
    error(RunDiag::run_argument_kind, name, "an array", "a scalar");
    return false;
  }
  DType dtype = dtypeOf(type.getElementType()), memory = array->dtype();
  const SystemTable &system = machine.system;
  bool widened =
      type.isWritable() && isFloat(dtype) && memory == DType::f64 && system.holdsFloatsAlike();
  if (memory != dtype && !widened) {
    error(RunDiag::run_argument_dtype, name, tessera::name(memory), tessera::name(dtype));
    return false;
  }
  if (!checkShape(i, type, *array)) {
    return false;
  }
  ArrayState &state = machine.arrays[i];
  state.array = array;
  state.name = name.str();
  state.writable = type.isWritable();
  state.elementBytes = byteSize(memory);
  state.load = system.load(memory);
  state.store = system.store(memory);
  if (!state.load || !state.store) {
    error(RunDiag::run_undefined_op, "memory", irName(memory), system.name);
    return false;
  }
  if (state.writable) {
    llvm::Expected<Shadow> shadow = Shadow::create(*array, type.getMode() == tile::AccessMode::out);
    if (!shadow) {
      error(RunDiag::run_no_memory, "the record of accesses to `" + state.name + "`",
            llvm::toString(shadow.takeError()));
      return false;
    }
    state.shadow = std::move(*shadow);
    state.overlapsItself = array->layout().overlapsItself();
  }
  ViewValue &view = machine.views[compiler.slot(kernel.getBody().front().getArgument(i)).index];
  view.argument = i;
  view.extents.assign(array->shape().begin(), array->shape().end());
  view.strides.assign(array->strides().begin(), array->strides().end());
  return true;
}

bool Launch::bindScalar(unsigned i, mlir::Type type) {
  llvm::StringRef name = kernel.getArgName(i);
  if (arguments[i].array) {
    error(RunDiag::run_argument_kind, name, "a scalar", "an array");
    return false;
  }
  std::optional<DType> dtype = dtypeIfAny(type);
  if (dtype != arguments[i].dtype) {
    error(RunDiag::run_argument_dtype, name, tessera::name(arguments[i].dtype),
          dtype ? tessera::name(*dtype) : "another type");
    return false;
  }
  Kernel1 load = machine.system.load(*dtype);
  if (!load) {
    error(RunDiag::run_undefined_op, "memory", irName(*dtype), machine.system.name);
    return false;
  }
  TileSlot slot = compiler.tile(kernel.getBody().front().getArgument(i));
  load(arguments[i].element.data(), machine.make(slot.index, *slot.type), 1);
  return true;
}

bool Launch::bind(unsigned i) {
  mlir::Type type = kernel.getArgType(i);
  if (auto view = mlir::dyn_cast<tile::ViewType>(type)) {
    return bindArray(i, view);
  }
  return bindScalar(i, type);
}

void Launch::run() {
  machine.kernel = kernel;
  readInstance();
  if (kernel.getBody().empty()) {
    return error(RunDiag::run_no_body, kernel.getSymName());
  }
  unsigned count = kernel.getNumArguments();
  if (arguments.size() != count) {
    return error(RunDiag::run_argument_count, kernel.getSymName(), count, arguments.size());
  }
  machine.arrays.resize(count);
  report.written.resize(count);
  bool bound = true;
  for (unsigned i = 0; i < count; ++i) {
    bound &= bind(i);
  }
  Code code;
  compiler.compile(kernel.getBody().front(), code);
  if (!bound || !report.errors.empty()) {
    return;
  }
  bool hasGrid = llvm::any_of(kernel.getBody().front(), [](mlir::Operation &op) {
    return mlir::isa<tile::GridOp, tile::TasksOp>(op);
  });
  report.counters.points = hasGrid ? 0 : 1;
  machine.body = &code;
  std::optional<Adversary> adversary;
  if (machine.options.adversarial) {
    adversary.emplace(machine, *machine.options.adversarial);
    machine.adversary = &*adversary;
    machine.storage.garbage = &adversary->random;
  }
  try {
    machine.beginCta();
    machine.run(code);
    machine.endCta();
  } catch (const OutOfMemory &memory) {
    error(RunDiag::run_no_memory, "a value of " + std::to_string(memory.bytes) + " bytes",
          "the system refuses");
  }
  for (unsigned i = 0; i < count; ++i) {
    if (machine.arrays[i].shadow) {
      report.written[i] = machine.arrays[i].shadow->written(*machine.arrays[i].array);
    }
  }
}
} // namespace

RunReport tessera::interpretWith(const SystemTable &system, tile::KernelOp kernel,
                                 llvm::ArrayRef<Argument> arguments, const RunOptions &options) {
  RunReport report;
  Launch(system, kernel, arguments, options, report).run();
  return report;
}

template RunReport tessera::interpret<ExactSystem>(tile::KernelOp, llvm::ArrayRef<Argument>,
                                                   const RunOptions &);
template RunReport tessera::interpret<F64System>(tile::KernelOp, llvm::ArrayRef<Argument>,
                                                 const RunOptions &);
