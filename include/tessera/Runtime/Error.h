// Errors of the runtime, which links nothing of LLVM: a text and what to do about it, or a value.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_RUNTIME_ERROR_H
#define TESSERA_RUNTIME_ERROR_H

#include <cassert>
#include <optional>
#include <string>
#include <utility>

namespace tessera::runtime {

struct Error {
  std::string text, remedy;

  std::string message() const { return remedy.empty() ? text : text + "; " + remedy; }
};

/// A value, or the error that there is none. The value may be taken only after it was asked for.
template <typename T> class Result {
public:
  Result(T value) : held(std::move(value)) {}
  Result(Error error) : problem(std::move(error)) {}

  explicit operator bool() const { return held.has_value(); }
  T &operator*() {
    assert(held && "there is no value");
    return *held;
  }
  const T &operator*() const {
    assert(held && "there is no value");
    return *held;
  }
  T *operator->() { return &**this; }
  const T *operator->() const { return &**this; }
  const Error &error() const { return problem; }

private:
  std::optional<T> held;
  Error problem;
};

/// Nothing, or an error.
using Failure = std::optional<Error>;

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_ERROR_H
