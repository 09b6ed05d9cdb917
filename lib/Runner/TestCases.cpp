// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TestCases.h"

#include "Settings.h"

#include "tessera/Check/Generators.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;

Settings CaseBuilder::settingsOf(const TestCase &test) const {
  Settings settings;
  for (const Parameter &parameter : parameters) {
    const TestValue *value = test.lookup(parameter.name);
    const Generator *contents = test.contentsOf(parameter.name);
    if (parameter.kind == ParameterKind::Optional) {
      const bool present = (value && !value->isMissing()) || (contents && !contents->isMissing());
      settings.values[parameter.name] = present ? "present" : "missing";
    } else if (value) {
      settings.values[parameter.name] = value->str();
    }
  }
  return settings;
}

llvm::Expected<std::optional<CaseSetup>> CaseBuilder::setUp(const TestCase &test, bool *excluded) {
  CaseSetup setup;
  setup.settings = settingsOf(test);
  std::optional<Signature> signature = source.signature(kernel, setup.settings, excluded);
  if (!signature) {
    return std::nullopt;
  }
  setup.signature = std::move(*signature);
  for (const std::string &name : setup.signature.extents) {
    const TestValue *value = test.lookup(name);
    if (!value || !value->getInt()) {
      return runnerError(RunnerDiag::test_no_value, "add `" + name + " in {…}` to the test", kernel,
                         "extent", name);
    }
    setup.extents.push_back(*value->getInt());
    if (hasStatics(parameters)) {
      setup.settings.launchExtents[name] = *value->getInt();
    }
  }
  for (const SignatureArg &argument : setup.signature.args) {
    if (argument.isView() || argument.isMissing) {
      continue;
    }
    const TestValue *value = test.lookup(argument.name);
    if (!value || value->isMissing()) {
      return runnerError(RunnerDiag::test_no_value, "add `" + argument.name + " = …` to the test",
                         kernel, "scalar", argument.name);
    }
    setup.scalars[argument.name] = *value;
  }
  return setup;
}

static llvm::Error setScalars(Launch &launch, const CaseSetup &setup) {
  for (LaunchArgument &argument : launch.arguments) {
    if (argument.isView()) {
      continue;
    }
    llvm::Expected<ScalarBytes> scalar =
        parseScalar(argument.dtype, setup.scalars.at(argument.name).str(), argument.name);
    if (!scalar) {
      return scalar.takeError();
    }
    argument.scalar = *scalar;
  }
  return llvm::Error::success();
}

static Launch launchOf(const CaseSetup &setup) {
  Launch launch;
  launch.extentNames = setup.signature.extents;
  launch.extents = setup.extents;
  launch.arguments = argumentsOf(setup.signature);
  return launch;
}

//===----------------------------------------------------------------------===//
// Before cases are chosen
//===----------------------------------------------------------------------===//

tile::KernelOp CaseBuilder::plainInstance(const CaseSetup &setup, bool *excluded) {
  Settings settings = setup.settings;
  for (const Parameter &parameter : parameters) {
    if (parameter.kind == ParameterKind::Tune) {
      settings.values.erase(parameter.name);
    }
  }
  return source.instantiate(kernel, settings, excluded);
}

/// A launch without arrays; nothing if the case cannot be set up.
std::optional<Launch> CaseBuilder::plainLaunch(const TestCase &test, bool *excluded) {
  llvm::Expected<std::optional<CaseSetup>> setup = setUp(test, excluded);
  if (!setup) {
    llvm::consumeError(setup.takeError());
    return std::nullopt;
  }
  if (!*setup) {
    return std::nullopt;
  }
  Launch launch = launchOf(**setup);
  launch.kernel = plainInstance(**setup, excluded);
  if (llvm::Error error = setScalars(launch, **setup)) {
    llvm::consumeError(std::move(error));
    return std::nullopt;
  }
  if (!launch.kernel) {
    return std::nullopt;
  }
  return launch;
}

/// Arguments for formulas that read no array.
static std::vector<FormulaArgument> scalarsOnly(const Launch &launch) {
  std::vector<FormulaArgument> arguments = launch.formulaArguments();
  for (FormulaArgument &argument : arguments) {
    argument.array = nullptr;
  }
  return arguments;
}

bool CaseBuilder::admits(const TestCase &test) {
  std::string key;
  for (const auto &[name, value] : test.values) {
    auto isTuned = [&, &name = name](const Parameter &p) {
      return p.kind == ParameterKind::Tune && p.name == name;
    };
    if (!llvm::any_of(parameters, isTuned)) {
      key += value.str() + "\n";
    }
  }
  for (const auto &[name, generator] : test.contents) {
    key += generator.isMissing() ? "missing\n" : "\n";
  }
  auto [entry, isNew] = admitted.try_emplace(key, false);
  if (isNew) {
    entry->second = evaluateAdmission(test);
  }
  return entry->second;
}

bool CaseBuilder::evaluateAdmission(const TestCase &test) {
  bool excluded = false;
  std::optional<Launch> launch = plainLaunch(test, &excluded);
  if (!launch) {
    return !excluded;
  }
  llvm::Expected<std::vector<Violation>> violations =
      evaluateWhere(launch->kernel, scalarsOnly(*launch));
  if (!violations) {
    // A condition on elements is decided when there are elements.
    llvm::consumeError(violations.takeError());
    return true;
  }
  return violations->empty();
}

uint64_t CaseBuilder::cost(const TestCase &test) {
  bool excluded = false;
  std::optional<Launch> launch = plainLaunch(test, &excluded);
  if (!launch) {
    return 0;
  }
  uint64_t sum = 0;
  for (const LaunchArgument &argument : launch->arguments) {
    if (!argument.isView()) {
      continue;
    }
    llvm::Expected<IndexVector> shape =
        shapeOfArgument(argument, launch->extentNames, launch->extents, unknown);
    if (!shape) {
      llvm::consumeError(shape.takeError());
      continue;
    }
    uint64_t size = 1;
    for (int64_t extent : *shape) {
      size = llvm::SaturatingMultiply(size, static_cast<uint64_t>(extent));
    }
    sum = llvm::SaturatingAdd(sum, size);
  }
  llvm::Expected<uint64_t> reference = countReferenceElements(launch->kernel, scalarsOnly(*launch));
  if (!reference) {
    llvm::consumeError(reference.takeError());
    return sum;
  }
  return llvm::SaturatingAdd(sum, *reference);
}

//===----------------------------------------------------------------------===//
// A case to run
//===----------------------------------------------------------------------===//

llvm::Expected<Generator> CaseBuilder::generatorOf(const LaunchArgument &argument,
                                                   const TestCase &test) {
  const Generator *given = test.contentsOf(argument.name);
  if (!given) {
    return Generator();
  }
  std::map<std::string, std::string> values;
  for (const auto &[name, value] : test.values) {
    values[name] = value.str();
  }
  return given->resolve([&](const DeferredValue &deferred) -> llvm::Expected<TestValue> {
    std::optional<TestValue> value = source.resolve(kernel, deferred, values);
    if (!value) {
      return runnerError(RunnerDiag::test_expression, "use extents and parameters of the test",
                         kernel, deferred.text, "it cannot be evaluated");
    }
    return *value;
  });
}

llvm::Error CaseBuilder::fill(LaunchArgument &argument, const Launch &launch,
                              const TestCase &test) {
  llvm::Expected<IndexVector> shape =
      shapeOfArgument(argument, launch.extentNames, launch.extents, unknown);
  if (!shape) {
    return shape.takeError();
  }
  const ArrayOrder order = test.orderOf(argument.name).value_or(ArrayOrder::row);
  llvm::Expected<HostArray> array = argument.isWritten()
                                        ? HostArray::allocateOutput(argument.dtype, *shape, order)
                                        : HostArray::allocate(argument.dtype, *shape, order);
  if (!array) {
    return array.takeError();
  }
  argument.array = std::move(*array);
  if (argument.mode == ArgMode::Out) {
    return llvm::Error::success();
  }
  llvm::Expected<Generator> generator = generatorOf(argument, test);
  if (!generator) {
    return generator.takeError();
  }
  return fillArray(argument.array, *generator, test.seedOf(argument.name));
}

llvm::Expected<Launch> CaseBuilder::build(const TestCase &test) {
  llvm::Expected<std::optional<CaseSetup>> setup = setUp(test, nullptr);
  if (!setup) {
    return setup.takeError();
  }
  if (!*setup) {
    return Launch();
  }
  Launch launch = launchOf(**setup);
  launch.kernel = source.instantiate(kernel, (*setup)->settings);
  if (!launch.kernel) {
    return Launch();
  }
  if (llvm::Error error = setScalars(launch, **setup)) {
    return error;
  }
  for (LaunchArgument &argument : launch.arguments) {
    if (!argument.isView()) {
      continue;
    }
    if (llvm::Error error = fill(argument, launch, test)) {
      return error;
    }
  }
  return launch;
}
