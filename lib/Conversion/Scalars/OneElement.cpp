// Functions of one bf16 element, evaluated for every element of ordinary size in the exact system.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Conversion/OneElement.h"

#include "Emit.h"
#include "OpModes.h"

#include "tessera/Conversion/ShortWays.h"
#include "tessera/Numeric/NumberSystem.h"

#include "llvm/ADT/bit.h"

#include <cmath>

using namespace tessera;
using namespace tessera::convert;
using mlir::Operation;
using mlir::Value;

// What is tried: magnitudes from 2^-32 to 2^16, beyond which little is met. A window is of
// use if it has those from 2^-16 to 2^3: one of 10^5 elements of N(0, 1) is smaller, hardly any larger.
static constexpr unsigned mantissaBits = 7;
static constexpr unsigned patternOf(int exponent) {
  return unsigned(127 + exponent) << mantissaBits;
}
static constexpr unsigned lowest = patternOf(-32), highest = patternOf(16);
static constexpr unsigned signs = 2, ordinary = (highest - lowest) * signs;
static constexpr unsigned tried = ordinary + signs; // and the zeros

static std::vector<float> allElements() {
  std::vector<float> all(tried, 0.0f);
  for (unsigned i = 0; i < ordinary; ++i) {
    all[i] = llvm::bit_cast<float>(i % signs << 31 | (lowest + i / signs) << 16);
  }
  all.back() = -0.0f;
  return all;
}

OneElement::OneElement(Value source) : source(source), good(tried, true) {}

//===- functions of one element -------------------------------------------===//

static std::optional<float> constantOf(Value value) {
  auto constant = value.getDefiningOp<tile::ConstantOp>();
  float number;
  return constant && dtypeIfAny(value.getType()) == DType::f32 &&
                 elementOf(constant.getValue(), &number)
             ? std::optional<float>(number)
             : std::nullopt;
}

/// The bf16 tile that an f32 value has the elements of.
static Value widened(Value value) {
  auto cast = value.getDefiningOp<tile::CastOp>();
  return cast && dtypeIfAny(cast.getX().getType()) == DType::bf16 &&
                 dtypeIfAny(value.getType()) == DType::f32
             ? cast.getX()
             : Value();
}

/// A row of the table on f32 that has a kernel.
static std::optional<ScalarOp> rowOf(Value value) {
  Operation *op = value.getDefiningOp();
  auto row = op ? scalarOpByMnemonic(op->getName().stripDialect()) : std::nullopt;
  bool isPlain = row && dtypeIfAny(value.getType()) == DType::f32 &&
                 dtypeIfAny(op->getOperand(0).getType()) == DType::f32 &&
                 accuracyOf(op) == Accuracy::strict;
  return isPlain ? row : std::nullopt;
}

/// False where something is no function of one element; `source` is null while only constants were met.
static bool findSource(Value value, Value &source, unsigned depth) {
  if (constantOf(value)) {
    return true;
  }
  if (Value narrow = widened(value)) {
    bool isOther = source && source != narrow;
    source = narrow;
    return !isOther;
  }
  return depth > 0 && rowOf(value) &&
         llvm::all_of(value.getDefiningOp()->getOperands(),
                      [&](Value operand) { return findSource(operand, source, depth - 1); });
}

Value OneElement::sourceOf(Value value) {
  constexpr unsigned depth = 8;
  Value source;
  return findSource(value, source, depth) ? source : Value();
}

OneElement::Floats OneElement::compute(Value value) {
  if (std::optional<float> constant = constantOf(value)) {
    return Floats(tried, *constant);
  }
  if (widened(value)) {
    return allElements();
  }
  ScalarOp op = *rowOf(value);
  llvm::SmallVector<Floats, 3> operands;
  for (Value operand : value.getDefiningOp()->getOperands()) {
    operands.push_back(of(operand));
  }
  Floats result(tried);
  switch (operands.size()) {
  case 1:
    ExactSystem::unary(op, DType::f32)(operands[0].data(), result.data(), tried);
    break;
  case 2:
    ExactSystem::binary(op, DType::f32)(operands[0].data(), operands[1].data(), result.data(),
                                        tried);
    break;
  default:
    ExactSystem::ternary(op, DType::f32)(operands[0].data(), operands[1].data(), operands[2].data(),
                                         result.data(), tried);
  }
  return result;
}

const OneElement::Floats &OneElement::of(Value value) {
  auto found = known.find(value);
  if (found == known.end()) {
    Floats made = compute(value);
    found = known.try_emplace(value, std::move(made)).first;
  }
  return found->second;
}

//===- quotients ----------------------------------------------------------===//

static std::vector<float> fused(const std::vector<float> &x, const std::vector<float> &y,
                                const std::vector<float> &z) {
  std::vector<float> result(x.size());
  ExactSystem::ternary(ScalarOp::Fma, DType::f32)(x.data(), y.data(), z.data(), result.data(),
                                                  x.size());
  return result;
}

static std::vector<float> negated(std::vector<float> x) {
  for (float &each : x) {
    each = -each;
  }
  return x;
}

/// What a machine may begin with for 1 / d: within 2^-23 of it for d in [1, 2). `steps` floats from the nearest one, or that.
static std::vector<float> starts(const std::vector<float> &d, int steps) {
  std::vector<float> all;
  for (float each : d) {
    double exact = 1.0 / double(each);
    float nearest = float(exact);
    float other = llvm::bit_cast<float>(llvm::bit_cast<uint32_t>(nearest) + uint32_t(steps));
    uint32_t exponent = llvm::bit_cast<uint32_t>(each) >> 23 & 0xff;
    double most = llvm::bit_cast<float>((127 - 23 + 127 - std::min(exponent, 230u)) << 23);
    all.push_back(std::abs(double(other) - exact) <= most ? other : nearest);
  }
  return all;
}

// The steps of ScalarLowering's quotients of which everything is known, for each start.
OneElement::Bits OneElement::rightQuotients(Operation *op, bool withNewton) {
  const Floats a = of(op->getOperand(0)), d = of(op->getOperand(1));
  const Floats &exact = of(op->getResult(0));
  const Floats minusA = negated(a), minusD = negated(d), one(tried, 1.0f), none(tried, -0.0f);
  Bits holds(tried);
  // The unit takes denormals as zero and gives none.
  for (unsigned i = 0; i < tried; ++i) {
    float size = std::abs(d[i]);
    holds[i] = size >= 0x1p-100f && size <= 0x1p100f;
  }
  for (int steps = -2; steps <= 2; ++steps) {
    Floats r = starts(d, steps);
    if (withNewton) {
      r = fused(fused(minusD, r, one), r, r);
    }
    Floats q = fused(a, r, none);
    Floats rest = fused(d, q, minusA);
    Floats result = fused(negated(rest), r, q);
    for (unsigned i = 0; i < tried; ++i) {
      bool isRight = llvm::bit_cast<uint32_t>(result[i]) == llvm::bit_cast<uint32_t>(exact[i]);
      holds[i] = holds[i] && isRight;
    }
  }
  return holds;
}

//===- what is expected ---------------------------------------------------===//

static std::vector<bool> bothOf(std::vector<bool> a, const std::vector<bool> &b) {
  for (unsigned i = 0; i < tried; ++i) {
    a[i] = a[i] && b[i];
  }
  return a;
}

bool OneElement::expectShortWay(Operation *op) {
  ScalarOp row = *rowOf(op->getResult(0));
  if (row == ScalarOp::Div) {
    Bits without = bothOf(good, rightQuotients(op, /*withNewton=*/false));
    bool isEnough = windowOf(without).has_value();
    good = isEnough ? without : bothOf(good, rightQuotients(op, /*withNewton=*/true));
    return isEnough;
  }
  const Floats &x = of(op->getOperand(0));
  for (unsigned i = 0; i < tried; ++i) {
    good[i] = good[i] && std::abs(x[i]) <= *middleBound(row);
  }
  return false;
}

void OneElement::expectDivisor(Value divisor) {
  const Floats &d = of(divisor);
  for (unsigned i = 0; i < tried; ++i) {
    good[i] = good[i] && d[i] > 0.0f && isShortDivisor(d[i]);
  }
}

std::optional<ElementWindow> OneElement::windowOf(const Bits &good) {
  auto isGood = [&](unsigned magnitude) {
    unsigned i = (magnitude - lowest) * signs;
    return good[i] && good[i + 1];
  };
  ElementWindow window = {patternOf(0), patternOf(0), good[ordinary] && good[ordinary + 1]};
  while (window.first > lowest && isGood(window.first - 1)) {
    --window.first;
  }
  while (window.end < highest && isGood(window.end)) {
    ++window.end;
  }
  bool isWide = window.first <= patternOf(-16) && window.end >= patternOf(3);
  return isWide ? std::optional<ElementWindow>(window) : std::nullopt;
}

//===- sizes --------------------------------------------------------------===//

/// Of numbers that are multiples of 2^least: so are sums and products of them, also rounded.
static std::optional<Sizes>
sizesWithin(Value value, llvm::function_ref<std::optional<ElementWindow>(Value)> windowOf,
            unsigned depth) {
  constexpr int bias = 127;
  if (std::optional<float> constant = constantOf(value)) {
    int exponent = 0;
    auto mantissa = uint32_t(std::ldexp(std::frexp(std::abs(*constant), &exponent), 24));
    bool isUsual = std::isfinite(*constant) && mantissa != 0;
    return isUsual
               ? std::optional<Sizes>({exponent - 24 + int(llvm::countr_zero(mantissa)), exponent})
               : std::nullopt;
  }
  if (Value narrow = widened(value)) {
    std::optional<ElementWindow> window = windowOf(narrow);
    auto exponent = [](unsigned pattern) { return int(pattern >> mantissaBits) - bias; };
    return window ? std::optional<Sizes>({exponent(window->first) - int(mantissaBits),
                                          exponent(window->end - 1) + 1})
                  : std::nullopt;
  }
  std::optional<ScalarOp> op = depth > 0 ? rowOf(value) : std::nullopt;
  bool isKnown = op == ScalarOp::Add || op == ScalarOp::Sub || op == ScalarOp::Mul ||
                 op == ScalarOp::Neg || op == ScalarOp::Abs;
  if (!isKnown) {
    return std::nullopt;
  }
  auto a = sizesWithin(value.getDefiningOp()->getOperand(0), windowOf, depth - 1);
  if (!a || info(*op).arity == 1) {
    return a;
  }
  auto c = sizesWithin(value.getDefiningOp()->getOperand(1), windowOf, depth - 1);
  if (!c) {
    return std::nullopt;
  }
  return op == ScalarOp::Mul ? Sizes{a->least + c->least, a->most + c->most}
                             : Sizes{std::min(a->least, c->least), std::max(a->most, c->most) + 1};
}

std::optional<Sizes>
convert::sizesOf(Value value, llvm::function_ref<std::optional<ElementWindow>(Value)> windowOf) {
  constexpr unsigned depth = 4;
  return sizesWithin(value, windowOf, depth);
}
