// Printing, comparing and checking the values of test blocks.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Check/TestValue.h"

#include "tessera/Host/HostError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <charconv>
#include <cmath>

using namespace tessera;

namespace {
struct GeneratorRow {
  const char *name;
  unsigned arity;
};

// In the order of GeneratorKind.
constexpr GeneratorRow generatorRows[] = {
    {"normal", 0}, {"zeros", 0}, {"denormal", 0}, {"huge", 0},   {"all", 1},
    {"one", 1},    {"ints", 2},  {"full", 0},     {"cancel", 1}, {"missing", 0}};

std::string printFloat(double value) {
  if (std::isnan(value)) {
    return "nan";
  }
  if (std::isinf(value)) {
    return value < 0 ? "-inf" : "inf";
  }
  // The shortest text that reads back as the same number.
  char buffer[40];
  std::string text(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
  if (text.find_first_of(".e") == std::string::npos) {
    text += ".0";
  }
  return text;
}
} // namespace

std::string TestValue::str() const {
  if (const bool *value = getBool()) {
    return *value ? "true" : "false";
  }
  if (const int64_t *value = getInt()) {
    return std::to_string(*value);
  }
  if (const double *value = getFloat()) {
    return printFloat(*value);
  }
  if (const SymbolValue *value = getSymbol()) {
    return value->name;
  }
  if (const DeferredValue *value = getDeferred()) {
    return value->text;
  }
  return "missing";
}

bool TestValue::operator==(const TestValue &other) const {
  if (storage.index() != other.storage.index()) {
    return false;
  }
  if (const double *value = getFloat()) {
    double right = *other.getFloat();
    if (std::isnan(*value) || std::isnan(right)) {
      return std::isnan(*value) && std::isnan(right);
    }
    return *value == right && std::signbit(*value) == std::signbit(right);
  }
  if (const DeferredValue *value = getDeferred()) {
    return value->id == other.getDeferred()->id && value->text == other.getDeferred()->text;
  }
  return str() == other.str();
}

llvm::StringRef tessera::generatorName(GeneratorKind kind) {
  return generatorRows[static_cast<unsigned>(kind)].name;
}

llvm::Expected<Generator> Generator::get(llvm::StringRef name, llvm::ArrayRef<TestValue> args) {
  for (auto [index, row] : llvm::enumerate(generatorRows)) {
    if (name != row.name) {
      continue;
    }
    if (args.size() != row.arity) {
      return hostError(HostDiag::gen_arity, name, row.arity, args.size());
    }
    return Generator{static_cast<GeneratorKind>(index), args.vec()};
  }
  return hostError(HostDiag::gen_unknown, name);
}

llvm::Expected<Generator> Generator::resolve(ResolveValue resolveValue) const {
  Generator result{kind, {}};
  for (const TestValue &arg : args) {
    const DeferredValue *deferred = arg.getDeferred();
    if (!deferred) {
      result.args.push_back(arg);
      continue;
    }
    llvm::Expected<TestValue> value = resolveValue(*deferred);
    if (!value) {
      return value.takeError();
    }
    result.args.push_back(*value);
  }
  return result;
}

std::string Generator::str() const {
  std::string text = generatorName(kind).str();
  if (args.empty()) {
    return text;
  }
  text += "(";
  for (auto [index, arg] : llvm::enumerate(args)) {
    text += (index ? ", " : "") + arg.str();
  }
  return text + ")";
}
