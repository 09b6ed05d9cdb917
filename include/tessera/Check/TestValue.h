// The values a test block gives to the parameters and arguments of a kernel, and the generators of array contents.
// Plain data: the frontend builds them, the case planner combines them, the runner applies them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_CHECK_TESTVALUE_H
#define TESSERA_CHECK_TESTVALUE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace tessera {

/// The argument is left out.
struct MissingValue {};

/// A name: of a type (`bf16`) or of a case of an enum (`relu`).
struct SymbolValue {
  std::string name;
};

/// An expression whose value depends on the case, such as `R - 1`. `id` is the business of whoever built the
/// specification; `resolve` asks him for the value.
struct DeferredValue {
  std::string text;
  uint32_t id = 0;
};

class TestValue {
public:
  using Storage = std::variant<MissingValue, bool, int64_t, double, SymbolValue, DeferredValue>;

  TestValue() = default;
  TestValue(MissingValue) {}
  TestValue(bool value) : storage(value) {}
  TestValue(int value) : storage(static_cast<int64_t>(value)) {}
  TestValue(int64_t value) : storage(value) {}
  TestValue(double value) : storage(value) {}
  TestValue(SymbolValue value) : storage(std::move(value)) {}
  TestValue(DeferredValue value) : storage(std::move(value)) {}
  /// A symbol; without it a string literal would become a bool.
  TestValue(const char *name) : storage(SymbolValue{name}) {}

  bool isMissing() const { return std::holds_alternative<MissingValue>(storage); }
  const bool *getBool() const { return std::get_if<bool>(&storage); }
  const int64_t *getInt() const { return std::get_if<int64_t>(&storage); }
  const double *getFloat() const { return std::get_if<double>(&storage); }
  const SymbolValue *getSymbol() const { return std::get_if<SymbolValue>(&storage); }
  const DeferredValue *getDeferred() const { return std::get_if<DeferredValue>(&storage); }

  /// As one would write it in a test block.
  std::string str() const;

  /// Same kind and same value; all NaNs are equal, -0.0 and 0.0 are not.
  bool operator==(const TestValue &other) const;
  bool operator!=(const TestValue &other) const { return !(*this == other); }

private:
  Storage storage;
};

/// Gives the value of a deferred expression.
using ResolveValue = llvm::function_ref<llvm::Expected<TestValue>(const DeferredValue &)>;

enum class GeneratorKind : uint8_t {
  normal,
  zeros,
  denormal,
  huge,
  all,
  one,
  ints,
  full,
  cancel,
  missing
};

/// What fills an array, such as `ints(-1, R - 1)`.
struct Generator {
  GeneratorKind kind = GeneratorKind::normal;
  std::vector<TestValue> args;

  /// Checks name and number of arguments.
  static llvm::Expected<Generator> get(llvm::StringRef name, llvm::ArrayRef<TestValue> args = {});

  /// Replaces the deferred arguments by their values.
  llvm::Expected<Generator> resolve(ResolveValue resolveValue) const;

  bool isMissing() const { return kind == GeneratorKind::missing; }
  std::string str() const;
  bool operator==(const Generator &other) const { return kind == other.kind && args == other.args; }
};

llvm::StringRef generatorName(GeneratorKind kind);

} // namespace tessera

#endif // TESSERA_CHECK_TESTVALUE_H
