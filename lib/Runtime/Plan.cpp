// Planning a launch: the checks that the compiled code relies on, version by version, and the parameters in the entry's order.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Runtime/Plan.h"

#include <cstring>

using namespace tessera::runtime;

Argument Argument::dense(uint64_t address, std::vector<int64_t> shape) {
  Argument argument;
  argument.address = address;
  argument.strides.resize(shape.size());
  int64_t stride = 1;
  for (size_t axis = shape.size(); axis-- > 0;) {
    argument.strides[axis] = stride;
    stride = int64_t(uint64_t(stride) * uint64_t(shape[axis]));
  }
  argument.shape = std::move(shape);
  return argument;
}

namespace {
class CallFacts : public Facts {
public:
  CallFacts(const LaunchRecord &record, const std::vector<Argument> &arguments)
      : record(record), arguments(arguments) {}

  std::vector<int64_t> extents;

  int64_t extent(unsigned index) const override {
    return index < extents.size() ? extents[index] : 0;
  }

  int64_t scalar(unsigned index) const override {
    const std::string &dtype = record.arguments[index].dtype;
    unsigned bits = 8 * dtypeBytes(dtype);
    uint64_t value = 0;
    std::memcpy(&value, arguments[index].scalar.data(), bits / 8);
    if (bits == 0 || bits == 64) {
      return int64_t(value);
    }
    return isSignedDtype(dtype) ? int64_t(value << (64 - bits)) >> (64 - bits) : int64_t(value);
  }

  double real(unsigned index) const override {
    return realOf(record.arguments[index].dtype, arguments[index].scalar.data());
  }

  int64_t size(unsigned index, unsigned axis) const override {
    return arguments[index].shape[axis];
  }
  int64_t stride(unsigned index, unsigned axis) const override {
    return arguments[index].strides[axis];
  }

  bool aligned(unsigned index, uint64_t bytes) const override {
    const Argument &argument = arguments[index];
    if (argument.address % bytes != 0) {
      return false;
    }
    uint64_t element = dtypeBytes(record.arguments[index].dtype);
    for (size_t axis = 0; axis + 1 < argument.strides.size(); ++axis) {
      if (uint64_t(argument.strides[axis]) * element % bytes != 0) {
        return false;
      }
    }
    return argument.strides.empty() || argument.strides.back() == 1 || argument.shape.back() <= 1;
  }

private:
  const LaunchRecord &record;
  const std::vector<Argument> &arguments;
};

class Planner {
public:
  Planner(const LaunchRecord &record, const std::vector<Argument> &arguments)
      : record(record), arguments(arguments), facts(record, arguments) {}

  Failure solve() {
    if (Failure failure = ranks()) {
      return failure;
    }
    for (const ExtentRecord &extent : record.extents) {
      facts.extents.push_back(extent.from.evaluate(facts));
    }
    return {};
  }

  Failure check() {
    for (size_t i = 0; i < record.extents.size(); ++i) {
      if (facts.extents[i] < 0) {
        return problem("extent `" + record.extents[i].name + "` is " +
                       std::to_string(facts.extents[i]));
      }
    }
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (Failure failure = sizes(i)) {
        return failure;
      }
    }
    if (Failure failure = overlaps()) {
      return failure;
    }
    for (const Condition &condition : record.checks) {
      if (condition.expr.evaluate(facts) == 0) {
        return problem("`" + condition.text + "` does not hold" + given());
      }
    }
    return {};
  }

  Result<LaunchPlan> plan() {
    LaunchPlan plan;
    for (; plan.version < record.versions.size(); ++plan.version) {
      if (fits(record.versions[plan.version])) {
        break;
      }
    }
    if (plan.version == record.versions.size()) {
      return *noVersion();
    }
    const VersionRecord &version = record.versions[plan.version];
    plan.extents = facts.extents;
    plan.bytes = version.bytes.evaluate(facts);
    int64_t grid = version.grid.evaluate(facts);
    if (grid < 0 || grid > 0x7fffffff) {
      return *problem("version `" + version.symbol + "` needs a grid of " + std::to_string(grid) +
                          " CTAs" + given(),
                      "a grid has at most 2147483647: give less work to one launch");
    }
    plan.grid = nothingToWrite() ? 0 : uint32_t(grid);
    pack(plan);
    return plan;
  }

  CallFacts &known() { return facts; }

private:
  const LaunchRecord &record;
  const std::vector<Argument> &arguments;
  CallFacts facts;

  Failure problem(std::string text, std::string remedy = "") const {
    return Error{"kernel `" + record.kernel + "`: " + std::move(text), std::move(remedy)};
  }

  /// ` (N = 5, M = 0)`.
  std::string given() const {
    std::string text;
    for (size_t i = 0; i < facts.extents.size(); ++i) {
      text += (i == 0 ? " (" : ", ") + record.extents[i].name + " = " +
              std::to_string(facts.extents[i]);
    }
    return text.empty() ? text : text + ")";
  }

  Failure ranks() {
    if (arguments.size() != record.arguments.size()) {
      return problem("takes " + std::to_string(record.arguments.size()) + " arguments, not " +
                     std::to_string(arguments.size()));
    }
    for (size_t i = 0; i < arguments.size(); ++i) {
      const ArgumentRecord &stated = record.arguments[i];
      size_t rank = stated.isView ? stated.shape.size() : 0;
      if (arguments[i].shape.size() != rank || arguments[i].strides.size() != rank) {
        return problem("argument `" + stated.name + "` has " +
                       std::to_string(arguments[i].shape.size()) + " axes and " +
                       std::to_string(arguments[i].strides.size()) + " strides; it needs " +
                       std::to_string(rank));
      }
    }
    return {};
  }

  Failure sizes(size_t index) {
    const ArgumentRecord &stated = record.arguments[index];
    const Argument &argument = arguments[index];
    bool isEmpty = false;
    for (size_t axis = 0; axis < stated.shape.size(); ++axis) {
      int64_t wanted = stated.shape[axis].evaluate(facts);
      if (argument.shape[axis] != wanted) {
        return problem("argument `" + stated.name + "`, axis " + std::to_string(axis) + ": has " +
                       std::to_string(argument.shape[axis]) + " elements; " +
                       record.text(stated.shape[axis]) + " is " + std::to_string(wanted) + given());
      }
      isEmpty = isEmpty || wanted == 0;
    }
    unsigned bytes = dtypeBytes(stated.dtype);
    if (stated.isView && !isEmpty && argument.address % bytes != 0) {
      return problem("argument `" + stated.name +
                         "` lies at an address that is no multiple of its " +
                         std::to_string(bytes) + " bytes",
                     "copy it to an aligned one");
    }
    return {};
  }

  /// The bytes from the first to the last element; `isFilled` where every one of them belongs to an element.
  struct Span {
    uint64_t begin = 0, end = 0;
    bool isFilled = false;
  };

  Span spanOf(size_t index) const {
    const Argument &argument = arguments[index];
    uint64_t below = 0, above = 0, elements = 1;
    for (size_t axis = 0; axis < argument.shape.size(); ++axis) {
      uint64_t size = uint64_t(argument.shape[axis]);
      if (size == 0) {
        return {};
      }
      int64_t stride = argument.strides[axis];
      (stride < 0 ? below : above) += (size - 1) * uint64_t(stride < 0 ? -stride : stride);
      elements *= size;
    }
    uint64_t bytes = dtypeBytes(record.arguments[index].dtype);
    return {argument.address - below * bytes, argument.address + (above + 1) * bytes,
            elements == below + above + 1};
  }

  /// What is written shares no byte with another argument: loads may then go before stores, and by the read-only path. Views
  /// with gaps may lie between one another; those are not looked at.
  Failure overlaps() const {
    for (size_t i = 0; i < arguments.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        const ArgumentRecord &x = record.arguments[j], &y = record.arguments[i];
        if (!x.isView || !y.isView || (x.mode == Mode::in && y.mode == Mode::in)) {
          continue;
        }
        Span a = spanOf(j), b = spanOf(i);
        if (a.isFilled && b.isFilled && a.begin < b.end && b.begin < a.end) {
          return problem("arguments `" + x.name + "` and `" + y.name +
                             "` lie on the same memory, and one of them is written",
                         "give one of them memory of its own");
        }
      }
    }
    return {};
  }

  bool fits(const VersionRecord &version) const {
    for (const Condition &condition : version.conditions) {
      if (condition.expr.evaluate(facts) == 0) {
        return false;
      }
    }
    return true;
  }

  Failure noVersion() const {
    std::string text = "no version fits" + given();
    for (const VersionRecord &version : record.versions) {
      for (const Condition &condition : version.conditions) {
        if (condition.expr.evaluate(facts) == 0) {
          text += "; `" + version.symbol + "` needs `" + condition.text + "`";
          break;
        }
      }
    }
    return problem(text, "compile a version without conditions, too");
  }

  /// The language does not run a kernel whose outputs all have no elements.
  bool nothingToWrite() const {
    bool hasOutputs = false;
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (!record.arguments[i].isView || record.arguments[i].mode == Mode::in) {
        continue;
      }
      hasOutputs = true;
      bool isEmpty = false;
      for (int64_t size : arguments[i].shape) {
        isEmpty = isEmpty || size == 0;
      }
      if (!isEmpty) {
        return false;
      }
    }
    return hasOutputs;
  }

  void pack(LaunchPlan &plan) const {
    auto number = [&](uint64_t value) {
      plan.parameters.emplace_back();
      std::memcpy(plan.parameters.back().data(), &value, 8);
    };
    for (int64_t extent : facts.extents) {
      number(uint64_t(extent));
    }
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (!record.arguments[i].isView) {
        plan.parameters.push_back(arguments[i].scalar);
        continue;
      }
      number(arguments[i].address);
      for (int64_t stride : arguments[i].strides) {
        number(uint64_t(stride));
      }
    }
  }
};
} // namespace

Result<std::vector<int64_t>>
tessera::runtime::solveExtents(const LaunchRecord &record, const std::vector<Argument> &arguments) {
  Planner planner(record, arguments);
  if (Failure failure = planner.solve()) {
    return *failure;
  }
  return planner.known().extents;
}

Result<std::vector<int64_t>> tessera::runtime::shapeOf(const LaunchRecord &record,
                                                       const std::vector<Argument> &arguments,
                                                       unsigned argument) {
  Planner planner(record, arguments);
  if (Failure failure = planner.solve()) {
    return *failure;
  }
  std::vector<int64_t> shape;
  for (const Expr &size : record.arguments[argument].shape) {
    shape.push_back(size.evaluate(planner.known()));
  }
  return shape;
}

Result<LaunchPlan> tessera::runtime::planLaunch(const LaunchRecord &record,
                                                const std::vector<Argument> &arguments) {
  if (Failure failure = record.verify()) {
    return *failure;
  }
  Planner planner(record, arguments);
  if (Failure failure = planner.solve()) {
    return *failure;
  }
  if (Failure failure = planner.check()) {
    return *failure;
  }
  return planner.plan();
}
