// Launch records: what must fit together, and their text.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Runtime/LaunchRecord.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace tessera::runtime;

namespace {
struct Dtype {
  std::string_view name;
  unsigned bytes;
  char kind; ///< i signed, u unsigned, f float
};
constexpr Dtype dtypes[] = {{"bool", 1, 'u'},   {"i1", 1, 'u'},       {"i8", 1, 'i'},
                            {"i16", 2, 'i'},    {"i32", 4, 'i'},      {"i64", 8, 'i'},
                            {"ui8", 1, 'u'},    {"ui16", 2, 'u'},     {"ui32", 4, 'u'},
                            {"ui64", 8, 'u'},   {"bf16", 2, 'f'},     {"f16", 2, 'f'},
                            {"f32", 4, 'f'},    {"f64", 8, 'f'},      {"f8e4m3", 1, 'f'},
                            {"f8e5m2", 1, 'f'}, {"f8E4M3FN", 1, 'f'}, {"f8E5M2", 1, 'f'}};

const Dtype *find(std::string_view name) {
  auto found = std::find_if(std::begin(dtypes), std::end(dtypes),
                            [&](const Dtype &d) { return d.name == name; });
  return found == std::end(dtypes) ? nullptr : found;
}
} // namespace

unsigned tessera::runtime::dtypeBytes(std::string_view dtype) {
  const Dtype *found = find(dtype);
  return found ? found->bytes : 0;
}

bool tessera::runtime::isIntegerDtype(std::string_view dtype) {
  const Dtype *found = find(dtype);
  return found && found->kind != 'f';
}

bool tessera::runtime::isFloatDtype(std::string_view dtype) {
  const Dtype *found = find(dtype);
  return found && found->kind == 'f';
}

/// A number of `bits` bits, the mantissa's `mantissa` bits lowest. `hasInfinity` is false of f8E4M3FN, whose greatest pattern
/// alone is NaN.
static double decode(uint64_t word, unsigned bits, unsigned mantissa, bool hasInfinity) {
  uint64_t fraction = word & ((uint64_t(1) << mantissa) - 1);
  int exponents = int((uint64_t(1) << (bits - 1 - mantissa)) - 1);
  int exponent = int(word >> mantissa) & exponents, bias = exponents >> 1;
  double magnitude = 0;
  if (exponent == exponents && hasInfinity) {
    magnitude = fraction == 0 ? HUGE_VAL : NAN;
  } else if (exponent == exponents && fraction == (uint64_t(1) << mantissa) - 1) {
    magnitude = NAN;
  } else {
    uint64_t significand = exponent ? fraction | uint64_t(1) << mantissa : fraction;
    magnitude = std::ldexp(double(significand), std::max(exponent, 1) - bias - int(mantissa));
  }
  return word >> (bits - 1) & 1 ? -magnitude : magnitude;
}

double tessera::runtime::realOf(std::string_view dtype, const uint8_t *element) {
  const Dtype *found = find(dtype);
  if (!found || found->kind != 'f') {
    return NAN;
  }
  uint64_t word = 0;
  std::memcpy(&word, element, found->bytes);
  if (found->bytes == 1) {
    bool isE4 = dtype == "f8e4m3" || dtype == "f8E4M3FN";
    return decode(word, 8, isE4 ? 3 : 2, !isE4);
  }
  unsigned mantissa = dtype == "bf16" ? 7 : dtype == "f16" ? 10 : dtype == "f32" ? 23 : 52;
  return decode(word, 8 * found->bytes, mantissa, true);
}

bool tessera::runtime::isSignedDtype(std::string_view dtype) {
  const Dtype *found = find(dtype);
  return found && found->kind == 'i';
}

namespace {
/// Where an expression stands decides what it may name.
class Verifier {
public:
  explicit Verifier(const LaunchRecord &record) : record(record) {}

  Failure run() {
    for (size_t i = 0; i < record.extents.size(); ++i) {
      if (Failure f = expr(record.extents[i].from, i, "extent `" + record.extents[i].name + "`")) {
        return f;
      }
    }
    for (const ArgumentRecord &argument : record.arguments) {
      if (Failure f = verify(argument)) {
        return f;
      }
    }
    for (const Condition &check : record.checks) {
      if (Failure f = expr(check.expr, all(), "check `" + check.text + "`")) {
        return f;
      }
    }
    if (record.versions.empty()) {
      return problem("the record has no version", "write at least one");
    }
    for (const VersionRecord &version : record.versions) {
      if (Failure f = verify(version)) {
        return f;
      }
    }
    return {};
  }

private:
  const LaunchRecord &record;

  size_t all() const { return record.extents.size(); }

  Failure problem(std::string text, std::string remedy = "") const {
    return Error{"launch record of `" + record.kernel + "`: " + std::move(text), std::move(remedy)};
  }

  Failure verify(const ArgumentRecord &argument) {
    std::string what = "argument `" + argument.name + "`";
    if (dtypeBytes(argument.dtype) == 0) {
      return problem(what + " has the unknown dtype `" + argument.dtype + "`",
                     "use one of the language's, such as f32 or bf16");
    }
    if (!argument.isView && (argument.mode != Mode::in || !argument.shape.empty())) {
      return problem(what + " is a scalar that is written or has a shape");
    }
    for (const Expr &size : argument.shape) {
      if (Failure f = expr(size, all(), what)) {
        return f;
      }
    }
    return {};
  }

  Failure verify(const VersionRecord &version) {
    std::string what = "version `" + version.symbol + "`";
    if (version.threads == 0 || version.threads > 1024) {
      return problem(what + " has " + std::to_string(version.threads) + " threads",
                     "a CTA has 1 to 1024");
    }
    for (const Condition &condition : version.conditions) {
      if (Failure f = expr(condition.expr, all(), what)) {
        return f;
      }
    }
    Failure grid = expr(version.grid, all(), what);
    return grid ? grid : expr(version.bytes, all(), what);
  }

  /// `extents`: how many of the extents are known there.
  Failure expr(const Expr &e, size_t extents, const std::string &what) const {
    if (e.operands.size() != operandCount(e.kind)) {
      return problem(what + ": `" + word(e.kind) + "` has " + std::to_string(e.operands.size()) +
                     " operands, not " + std::to_string(operandCount(e.kind)));
    }
    if (Failure f = leaf(e, extents, what)) {
      return f;
    }
    for (const Expr &operand : e.operands) {
      if (Failure f = expr(operand, extents, what)) {
        return f;
      }
    }
    return {};
  }

  Failure leaf(const Expr &e, size_t extents, const std::string &what) const {
    uint64_t first = uint64_t(e.first), second = uint64_t(e.second);
    if (e.kind == Expr::Kind::extent) {
      return first < extents ? Failure()
                             : problem(what + " reads an extent that is not known there");
    }
    if (e.kind < Expr::Kind::scalar || e.kind > Expr::Kind::aligned) {
      return {};
    }
    if (first >= record.arguments.size()) {
      return problem(what + " reads an argument that the kernel does not have");
    }
    const ArgumentRecord &argument = record.arguments[first];
    if (e.kind == Expr::Kind::scalar) {
      return !argument.isView && isIntegerDtype(argument.dtype)
                 ? Failure()
                 : problem(what + " reads `" + argument.name + "`, which is no integer scalar");
    }
    if (e.kind == Expr::Kind::real) {
      return !argument.isView && isFloatDtype(argument.dtype)
                 ? Failure()
                 : problem(what + " reads `" + argument.name + "`, which is no float scalar");
    }
    if (!argument.isView) {
      return problem(what + " reads sizes of the scalar `" + argument.name + "`");
    }
    if (e.kind == Expr::Kind::aligned) {
      return second > 0 && (second & (second - 1)) == 0
                 ? Failure()
                 : problem(what + " asks for an alignment that is no power of two");
    }
    return second < argument.shape.size()
               ? Failure()
               : problem(what + " reads axis " + std::to_string(second) + " of `" + argument.name +
                         "`, which has " + std::to_string(argument.shape.size()));
  }
};
} // namespace

Failure LaunchRecord::verify() const { return Verifier(*this).run(); }

/// A name, or quoted where a reader would not take it for one.
static std::string quote(std::string_view text, bool always = false) {
  bool isPlain = !text.empty() && !always;
  for (char c : text) {
    isPlain = isPlain && c != '"' && c != '(' && c != ')' && c != '\\' && c > ' ' && c < 127;
  }
  if (isPlain) {
    return std::string(text);
  }
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
    }
    quoted += c == '\n' ? "\\n" : std::string(1, c);
  }
  return quoted + '"';
}

/// Texts are also printed of records that do not verify.
template <typename Items> static std::string nameAt(const Items &items, int64_t index) {
  return index >= 0 && size_t(index) < items.size() ? quote(items[size_t(index)].name) : "?";
}

std::string LaunchRecord::text(const Expr &e) const {
  if (e.kind == Expr::Kind::constant) {
    return std::to_string(e.first);
  }
  std::string result = std::string("(") + word(e.kind);
  if (e.kind == Expr::Kind::extent) {
    result += " " + nameAt(extents, e.first);
  } else if (operandCount(e.kind) == 0) {
    result += " " + nameAt(arguments, e.first);
    bool hasSecond = e.kind != Expr::Kind::scalar && e.kind != Expr::Kind::real;
    result += !hasSecond ? "" : " " + std::to_string(e.second);
  }
  for (const Expr &operand : e.operands) {
    result += " " + text(operand);
  }
  return result + ")";
}

static std::string text(Mode mode) {
  return mode == Mode::in ? "in" : mode == Mode::out ? "out" : "inout";
}

std::string LaunchRecord::text() const {
  std::string result =
      "tessera-launch 1\nkernel " + quote(kernel) + "\ntarget " + quote(target) + "\n";
  // Arguments first: extents are read from their sizes. Their shapes follow, as those read extents.
  for (const ArgumentRecord &a : arguments) {
    result += a.isView ? "view " + quote(a.name) + " " + quote(a.dtype) + " " + ::text(a.mode) +
                             " " + std::to_string(a.shape.size()) + "\n"
                       : "scalar " + quote(a.name) + " " + quote(a.dtype) + "\n";
  }
  for (const ExtentRecord &extent : extents) {
    result += "extent " + quote(extent.name) + " " + text(extent.from) + "\n";
  }
  for (const ArgumentRecord &a : arguments) {
    for (size_t axis = 0; axis < a.shape.size(); ++axis) {
      result +=
          "axis " + quote(a.name) + " " + std::to_string(axis) + " " + text(a.shape[axis]) + "\n";
    }
  }
  for (const Condition &check : checks) {
    result += "check " + quote(check.text, true) + " " + text(check.expr) + "\n";
  }
  for (const VersionRecord &v : versions) {
    result += "version " + quote(v.symbol) + "\nthreads " + std::to_string(v.threads) +
              "\nshared " + std::to_string(v.sharedBytes) + "\n";
    for (const Condition &condition : v.conditions) {
      result += "condition " + quote(condition.text, true) + " " + text(condition.expr) + "\n";
    }
    result += "grid " + text(v.grid) + "\nbytes " + text(v.bytes) + "\n";
  }
  return result;
}
