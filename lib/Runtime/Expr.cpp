// Evaluating formulas of a launch record.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Runtime/Expr.h"

#include <algorithm>
#include <cstring>

using namespace tessera::runtime;

const char *tessera::runtime::word(Expr::Kind kind) {
  constexpr const char *words[] = {
      "const",  "extent", "scalar",   "real", "size", "stride", "aligned", "add",
      "sub",    "mul",    "floordiv", "mod",  "min",  "max",    "neg",     "eq",
      "ne",     "lt",     "le",       "gt",   "ge",   "and",    "or",      "not",
      "select", "feq",    "fne",      "flt",  "fle",  "fgt",    "fge"};
  return words[unsigned(kind)];
}

unsigned tessera::runtime::operandCount(Expr::Kind kind) {
  switch (kind) {
  case Expr::Kind::constant:
  case Expr::Kind::extent:
  case Expr::Kind::scalar:
  case Expr::Kind::real:
  case Expr::Kind::size:
  case Expr::Kind::stride:
  case Expr::Kind::aligned:
    return 0;
  case Expr::Kind::neg:
  case Expr::Kind::not_:
    return 1;
  case Expr::Kind::select:
    return 3;
  default:
    return 2;
  }
}

static int64_t floorDiv(int64_t x, int64_t y) {
  if (y == 0) {
    return 0;
  }
  if (y == -1) {
    return int64_t(0 - uint64_t(x));
  }
  int64_t quotient = x / y;
  return quotient - (x % y != 0 && (x < 0) != (y < 0) ? 1 : 0);
}

static int64_t floorMod(int64_t x, int64_t y) {
  return y == 0 ? x : int64_t(uint64_t(x) - uint64_t(floorDiv(x, y)) * uint64_t(y));
}

static int64_t bitsOf(double value) {
  int64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

static double valueOf(int64_t bits) {
  double value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

Expr Expr::realConstant(double value) { return constant(bitsOf(value)); }

static int64_t leaf(const Expr &e, const Facts &facts) {
  unsigned first = unsigned(e.first), second = unsigned(e.second);
  switch (e.kind) {
  case Expr::Kind::extent:
    return facts.extent(first);
  case Expr::Kind::scalar:
    return facts.scalar(first);
  case Expr::Kind::real:
    return bitsOf(facts.real(first));
  case Expr::Kind::size:
    return facts.size(first, second);
  case Expr::Kind::stride:
    return facts.stride(first, second);
  case Expr::Kind::aligned:
    return facts.aligned(first, uint64_t(e.second));
  default:
    return e.first;
  }
}

/// NaN is unequal to all, itself included, and neither less nor greater.
static int64_t compareReals(Expr::Kind kind, double x, double y) {
  switch (kind) {
  case Expr::Kind::feq:
    return x == y;
  case Expr::Kind::fne:
    return x != y;
  case Expr::Kind::flt:
    return x < y;
  case Expr::Kind::fle:
    return x <= y;
  case Expr::Kind::fgt:
    return x > y;
  default:
    return x >= y;
  }
}

static int64_t combine(Expr::Kind kind, int64_t x, int64_t y) {
  switch (kind) {
  case Expr::Kind::add:
    return int64_t(uint64_t(x) + uint64_t(y));
  case Expr::Kind::sub:
    return int64_t(uint64_t(x) - uint64_t(y));
  case Expr::Kind::mul:
    return int64_t(uint64_t(x) * uint64_t(y));
  case Expr::Kind::floordiv:
    return floorDiv(x, y);
  case Expr::Kind::mod:
    return floorMod(x, y);
  case Expr::Kind::min:
    return std::min(x, y);
  case Expr::Kind::max:
    return std::max(x, y);
  case Expr::Kind::eq:
    return x == y;
  case Expr::Kind::ne:
    return x != y;
  case Expr::Kind::lt:
    return x < y;
  case Expr::Kind::le:
    return x <= y;
  case Expr::Kind::gt:
    return x > y;
  case Expr::Kind::ge:
    return x >= y;
  case Expr::Kind::and_:
    return x != 0 && y != 0;
  case Expr::Kind::or_:
    return x != 0 || y != 0;
  default:
    return 0;
  }
}

int64_t Expr::evaluate(const Facts &facts) const {
  if (operandCount(kind) == 0) {
    return leaf(*this, facts);
  }
  int64_t x = operands[0].evaluate(facts);
  if (kind == Kind::neg) {
    return int64_t(0 - uint64_t(x));
  }
  if (kind == Kind::not_) {
    return x == 0;
  }
  if (kind == Kind::select) {
    return operands[x != 0 ? 1 : 2].evaluate(facts);
  }
  int64_t y = operands[1].evaluate(facts);
  return kind >= Kind::feq ? compareReals(kind, valueOf(x), valueOf(y)) : combine(kind, x, y);
}

bool Expr::operator==(const Expr &other) const {
  return kind == other.kind && first == other.first && second == other.second &&
         operands == other.operands;
}
