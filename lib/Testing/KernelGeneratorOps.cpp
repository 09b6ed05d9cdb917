// Single operations of a generated body.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GeneratorImpl.h"

#include "tessera/Numeric/Modes.h"

namespace tessera::generate {

static bool isArithmetic(const Val &value) { return !isFp8(value.type) && !isBool(value.type); }
static bool isTile(const Val &value) { return !value.shape.empty(); }

std::optional<Val> Generator::anyValue(const std::function<bool(const Val &)> &fits) {
  std::vector<Val> list;
  for (const Val &value : pool) {
    if (fits(value)) {
      list.push_back(value);
    }
  }
  // The last ones more often than the first.
  return list.empty() ? std::nullopt
                      : std::optional<Val>(list[std::max(below(list.size()), below(list.size()))]);
}

std::string Generator::literalOf(DType type) {
  if (isBool(type)) {
    return chance(50) ? "true" : "false";
  }
  if (isFloat(type)) {
    static const std::vector<std::string> floats = {
        "0.0", "1.0", "0.5", "-2.0", "0x1.8p+3", "inf", "-inf", "nan", "0.1", "(-0.0)", "3.0"};
    return pick(floats);
  }
  static const std::vector<std::string> integers = {"0", "1", "2", "7", "100", "127"};
  std::string text = pick(integers);
  return isSigned(type) && chance(30) ? "(-" + text + ")" : text;
}

void Generator::elementwiseStep() {
  std::optional<Val> a = anyValue([](const Val &v) { return !isFp8(v.type); });
  if (!a) {
    return;
  }
  std::vector<ScalarOp> ops;
  for (unsigned i = 0; i < numScalarOps; ++i) {
    ScalarOp op = static_cast<ScalarOp>(i);
    bool negates = mnemonic(op) == "neg" && !isSigned(a->type);
    if (accepts(op, a->type) && !negates) {
      ops.push_back(op);
    }
  }
  if (ops.empty()) {
    return;
  }
  ScalarOp op = pick(ops);
  const ScalarOpInfo &facts = info(op);
  std::vector<std::string> operands{a->name};
  for (unsigned i = 1; i < facts.arity; ++i) {
    std::optional<Val> b = anyValue([&](const Val &v) {
      return v.type == a->type && (v.shape == a->shape || v.shape.empty());
    });
    operands.push_back(b && chance(75) ? b->name : literalOf(a->type));
  }
  std::string text;
  if (facts.isOperator) {
    text = facts.arity == 1 ? std::string(facts.surface) + " " + operands[0]
                            : operands[0] + " " + facts.surface + " " + operands[1];
  } else {
    text = std::string(facts.surface) + "(" + operands[0];
    for (unsigned i = 1; i < facts.arity; ++i) {
      text += ", " + operands[i];
    }
    text += facts.hasAccuracy && chance(30) ? ", accuracy = fast)" : ")";
  }
  let(text, resultType(op, a->type), a->shape);
}

void Generator::compareStep() {
  std::optional<Val> a = anyValue(isArithmetic);
  if (!a) {
    return;
  }
  std::optional<Val> b =
      anyValue([&](const Val &v) { return v.type == a->type && v.shape == a->shape; });
  static const std::vector<std::string> ops = {"<", "<=", ">", ">=", "==", "!="};
  let(a->name + " " + pick(ops) + " " + (b && chance(60) ? b->name : literalOf(a->type)), DType::i1,
      a->shape);
}

void Generator::selectStep() {
  std::optional<Val> c = anyValue([](const Val &v) { return isBool(v.type) && isTile(v); });
  if (!c) {
    return compareStep();
  }
  std::optional<Val> a = anyValue([&](const Val &v) { return v.shape == c->shape; });
  std::optional<Val> b =
      anyValue([&](const Val &v) { return a && v.type == a->type && v.shape == c->shape; });
  if (!b) {
    return;
  }
  let("select(" + c->name + ", " + a->name + ", " + b->name + ")", a->type, c->shape);
}

std::string Generator::castText(const std::string &operand, DType from, DType to) {
  if (from == to) {
    return operand;
  }
  std::vector<std::string> modes;
  static const std::vector<std::string> directions = {"rne", "rz", "ru", "rd", "away"};
  if (!isBool(from) && !isBool(to)) {
    bool toInteger = isInteger(to);
    if ((isFloat(from) && toInteger) || (!toInteger && chance(25))) {
      modes.push_back(pick(directions));
    }
    if (to == DType::f8E4M3FN) {
      modes.push_back(chance(50) ? "sat" : "nan");
    } else if (to == DType::f8E5M2) {
      modes.push_back(chance(50) ? "sat" : "inf");
    } else if (toInteger && isInteger(from) && !castIsExact(from, to)) {
      modes.push_back(chance(50) ? "sat" : "wrap");
    } else if (toInteger && isFloat(from) && chance(40)) {
      modes.push_back(chance(50) ? "sat" : "wrap");
    } else if (!toInteger && isFloat(from) && chance(20)) {
      modes.push_back(chance(50) ? "sat" : "inf");
    }
  }
  std::string text = operand + " as " + name(to).str();
  for (size_t i = 0; i < modes.size(); ++i) {
    text += (i ? ", " : "(") + modes[i];
  }
  return modes.empty() ? text : text + ")";
}

Val Generator::convert(const Val &value, DType to) {
  if (value.type == to) {
    return value;
  }
  return let(castText(value.name, value.type, to), to, value.shape);
}

void Generator::castStep() {
  std::optional<Val> x = anyValue([](const Val &) { return true; });
  if (x) {
    convert(*x, anyType());
  }
}

void Generator::bitsStep() {
  std::optional<Val> x = anyValue([](const Val &v) { return !isBool(v.type); });
  if (!x) {
    return;
  }
  DType bits = bitsType(x->type);
  if (x->type == bits && chance(50)) {
    std::vector<DType> targets;
    for (DType type : allDTypes) {
      if (!isBool(type) && bitsType(type) == bits) {
        targets.push_back(type);
      }
    }
    DType to = pick(targets);
    let("from_bits(" + name(to).str() + ", " + x->name + ")", to, x->shape);
    return;
  }
  let("bits(" + x->name + ")", bits, x->shape);
}

static DType reducedType(const std::string &kind, DType type) {
  if (kind == "count") {
    return DType::i64;
  }
  if (kind != "sum" && kind != "prod" && kind != "cumsum" && kind != "cumprod") {
    return type;
  }
  switch (type) {
  case DType::bf16:
  case DType::f16:
    return DType::f32;
  case DType::i8:
  case DType::i16:
    return DType::i32;
  case DType::ui8:
  case DType::ui16:
    return DType::ui32;
  default:
    return type;
  }
}

void Generator::reduceStep() {
  std::optional<Val> x = anyValue([](const Val &v) { return isTile(v) && !isFp8(v.type); });
  if (!x) {
    return;
  }
  std::vector<std::string> kinds = {"sum", "prod", "max", "min", "absmax"};
  if (isBool(x->type)) {
    kinds = {"any", "all", "count", "bit_and", "bit_or", "bit_xor"};
  } else if (isInteger(x->type)) {
    kinds.insert(kinds.end(), {"bit_and", "bit_or", "bit_xor"});
  } else {
    kinds.insert(kinds.end(), {"max_num", "min_num"});
  }
  std::string kind = pick(kinds);
  size_t axis = below(x->shape.size());
  bool keep = chance(35);
  std::string text =
      kind + "(" + x->name + ", axis = " + std::to_string(axis) + (keep ? ", keep = true" : "");
  if ((kind == "sum" || kind == "prod") && chance(25)) {
    text += ", order = any";
  }
  Shape shape = x->shape;
  if (keep) {
    shape[axis] = {1, true};
  } else {
    shape.erase(shape.begin() + axis);
  }
  if (!isBool(x->type) && chance(10) && (x->type == DType::f32 || x->type == DType::i64)) {
    Shape less = x->shape;
    less.erase(less.begin() + axis);
    let("reduce_with(" + x->name + (x->type == DType::f32 ? ", larger, -inf" : ", joined, 0") +
            ", axis = " + std::to_string(axis) + ")",
        x->type, less);
    return;
  }
  let(text + ")", reducedType(kind, x->type), shape);
}

void Generator::scanStep() {
  std::optional<Val> x = anyValue([](const Val &v) { return isTile(v) && isArithmetic(v); });
  if (!x) {
    return;
  }
  static const std::vector<std::string> kinds = {"cumsum", "cumprod", "cummax", "cummin"};
  std::string kind = pick(kinds), flags;
  flags += chance(40) ? ", reverse = true" : "";
  flags += chance(30) ? ", exclusive = true" : "";
  std::string axis = ", axis = " + std::to_string(below(x->shape.size()));
  if (x->type == DType::f32 && chance(20)) {
    let("scan_with(" + x->name + ", larger, -inf" + axis + flags + ")", x->type, x->shape);
    return;
  }
  let(kind + "(" + x->name + axis + flags + ")", reducedType(kind, x->type), x->shape);
}

void Generator::argStep() {
  std::optional<Val> x = anyValue([](const Val &v) { return isTile(v) && isArithmetic(v); });
  if (!x) {
    return;
  }
  size_t axis = below(x->shape.size());
  Shape shape = x->shape;
  std::string value = fresh(), index = fresh(), call;
  if (chance(35)) {
    int64_t k = between(1, std::min<int64_t>(shape[axis].extent, 4));
    call = "topk(" + x->name + ", " + std::to_string(k);
    shape[axis] = {k, false};
  } else {
    call = std::string(chance(50) ? "argmax(" : "argmin(") + x->name;
    shape.erase(shape.begin() + axis);
  }
  line("let (" + value + ", " + index + ") = " + call + ", axis = " + std::to_string(axis) + ")");
  pool.push_back({value, x->type, shape});
  pool.push_back({index, DType::i64, shape});
}

void Generator::shapeStep() {
  std::optional<Val> x = anyValue([](const Val &v) { return isTile(v); });
  if (!x) {
    return;
  }
  Shape shape = x->shape;
  size_t rank = shape.size(), axis = below(rank);
  auto list = [](const std::vector<size_t> &numbers) {
    std::string text;
    for (size_t number : numbers) {
      text += (text.empty() ? "[" : ", ") + std::to_string(number);
    }
    return text + "]";
  };
  switch (below(7)) {
  case 0: {
    std::vector<size_t> order;
    for (size_t i = 0; i < rank; ++i) {
      order.insert(order.begin() + below(order.size() + 1), i);
    }
    Shape permuted;
    for (size_t i : order) {
      permuted.push_back(shape[i]);
    }
    let(x->name + ".permute(" + list(order) + ")", x->type, permuted);
    return;
  }
  case 1: {
    if (rank > 3) {
      return;
    }
    std::string index;
    size_t at = below(rank + 1);
    for (size_t i = 0; i <= rank; ++i) {
      index += (i ? ", " : "") + std::string(i == at ? "_" : ":");
    }
    shape.insert(shape.begin() + at, Axis{1, true});
    let(x->name + "[" + index + "]", x->type, shape);
    return;
  }
  case 2: {
    int64_t lo = below(shape[axis].extent), hi = between(lo + 1, shape[axis].extent);
    std::string index;
    for (size_t i = 0; i < rank; ++i) {
      index += (i ? ", " : "") +
               (i == axis ? std::to_string(lo) + ".." + std::to_string(hi) : std::string(":"));
    }
    if (hi - lo != shape[axis].extent) {
      shape[axis] = {hi - lo, false};
    }
    let(x->name + "[" + index + "]", x->type, shape);
    return;
  }
  case 3: {
    let("flip(" + x->name + ", axis = " + std::to_string(axis) + ")", x->type, shape);
    return;
  }
  case 4: {
    int64_t count = elementsOf(shape);
    Shape flat{{count, false}};
    if (count % 2 == 0 && chance(60)) {
      flat = {{2, false}, {count / 2, false}};
    }
    let("reshape(" + x->name + ", " + shapeText(flat) + ")", x->type, flat);
    return;
  }
  case 5: {
    if (2 * elementsOf(shape) > kMaxElements) {
      return;
    }
    shape[axis] = {2 * shape[axis].extent, false};
    let("cat(" + x->name + ", " + x->name + ", axis = " + std::to_string(axis) + ")", x->type,
        shape);
    return;
  }
  default: {
    // A repeated axis: `_` against another value's axes, or written out.
    std::optional<Val> wide = anyValue([&](const Val &v) {
      bool fits = v.type == x->type && v.shape.size() == rank && isArithmetic(v);
      for (size_t i = 0; fits && i < rank; ++i) {
        fits = v.shape[i] == shape[i] || shape[i].wild || v.shape[i].wild;
      }
      return fits;
    });
    if (!wide) {
      return;
    }
    Shape common = shape;
    for (size_t i = 0; i < rank; ++i) {
      common[i] = shape[i].wild ? wide->shape[i] : shape[i];
    }
    if (elementsOf(common) <= kMaxElements) {
      let("max(" + x->name + ", " + wide->name + ")", x->type, common);
    }
    return;
  }
  }
}

void Generator::absenceStep() {
  std::optional<Val> x = anyValue([](const Val &v) { return isTile(v); });
  if (!x) {
    return;
  }
  if (chance(45)) {
    std::string fill = isFp8(x->type) ? x->name : literalOf(x->type);
    if (isBool(x->type)) {
      fill = x->name;
    }
    let(x->name + " ?? " + fill, x->type, x->shape);
    return;
  }
  std::optional<Val> c = anyValue([&](const Val &v) {
    bool fits = isBool(v.type) && v.shape.size() == x->shape.size();
    for (size_t i = 0; fits && i < v.shape.size(); ++i) {
      fits = v.shape[i].wild || v.shape[i].extent == x->shape[i].extent;
    }
    return fits;
  });
  std::string condition = c ? c->name : "";
  if (!c) {
    // Over one axis, by position.
    size_t axis = below(x->shape.size());
    for (size_t i = 0; i < x->shape.size(); ++i) {
      condition += (i ? ", " : "") + std::string(i == axis ? ":" : "_");
    }
    condition = "(iota(" + std::to_string(x->shape[axis].extent) + ") % 3 != 1)[" + condition + "]";
  }
  let(x->name + ".keep_if(" + condition + ")", x->type, x->shape);
}

void Generator::productStep() {
  auto matrix = [](const Val &v) {
    bool known = v.type == DType::f32 || v.type == DType::bf16 || v.type == DType::f16 ||
                 v.type == DType::f64 || v.type == DType::i8 || v.type == DType::ui8 ||
                 isFp8(v.type);
    return known && v.shape.size() == 2;
  };
  std::optional<Val> a = anyValue(matrix);
  if (!a) {
    return makeStep();
  }
  std::optional<Val> b = anyValue([&](const Val &v) {
    return matrix(v) && v.type == a->type && v.shape[0].extent == a->shape[1].extent;
  });
  std::string right = b ? b->name : a->name + ".permute([1, 0])";
  Shape shape{a->shape[0], b ? b->shape[1] : a->shape[0]};
  DType type = a->type == DType::f64 ? DType::f64 : isInteger(a->type) ? DType::i32 : DType::f32;
  if (elementsOf(shape) > kMaxElements) {
    return;
  }
  std::string precision = a->type == DType::f32 && chance(30) ? ", precision = tf32" : "";
  let("mma(" + a->name + ", " + right + precision + ")", type, shape);
}

void Generator::makeStep() {
  switch (below(5)) {
  case 0: {
    int64_t n = between(1, 12);
    let("iota(" + std::to_string(n) + ")", DType::i64, {{n, false}});
    return;
  }
  case 1: {
    DType type = numberType();
    Shape shape{{between(1, 6), false}, {between(1, 6), false}};
    let("full(" + name(type).str() + ", " + shapeText(shape) + ", " + literalOf(type) + ")", type,
        shape);
    return;
  }
  case 2: {
    std::optional<Val> bins = anyValue([](const Val &v) { return isTile(v) && isInteger(v.type); });
    if (bins) {
      let("histogram(" + bins->name + ", 5)", DType::i64, {{5, false}});
    }
    return;
  }
  case 3: {
    std::optional<Val> at = anyValue([](const Val &v) { return v.type == DType::i64; });
    std::string index = at ? at->name : "iota(4)";
    Shape shape = at ? at->shape : Shape{{4, false}};
    let("uniform(7 as ui64, 3 as ui64, " + index + ")", DType::f32, shape);
    return;
  }
  default:
    for (const Extent &extent : extents) {
      if (!extent.span.empty()) {
        let(extent.span + ".index", DType::i64, {{extent.width, false}});
        let(extent.span + ".stop", DType::i64, {});
        return;
      }
    }
  }
}

void Generator::callStep() {
  std::optional<Val> a = anyValue([](const Val &v) { return isTile(v) && isArithmetic(v); });
  if (!a) {
    return;
  }
  std::optional<Val> b =
      anyValue([&](const Val &v) { return v.type == a->type && v.shape == a->shape; });
  if (chance(60)) {
    let("mixed(" + a->name + ", " + b->name + ")", a->type, a->shape);
    return;
  }
  std::string first = fresh(), second = fresh();
  line("let (" + first + ", " + second + ") = split2(" + a->name + ")");
  pool.push_back({first, a->type, a->shape});
  pool.push_back({second, a->type, a->shape});
}

Val Generator::valueOf(DType type, const Shape &shape) {
  std::optional<Val> same =
      anyValue([&](const Val &v) { return v.type == type && v.shape == shape; });
  if (same) {
    return *same;
  }
  std::optional<Val> convertible = anyValue([&](const Val &v) { return v.shape == shape; });
  if (convertible) {
    return convert(*convertible, type);
  }
  std::optional<Val> scalar = anyValue([&](const Val &v) { return v.shape.empty(); });
  if (scalar && !shape.empty()) {
    Val converted = convert(*scalar, type);
    return let("broadcast(" + converted.name + ", " + shapeText(shape) + ")", type, shape);
  }
  if (shape.empty()) {
    std::string text = castText(extents.front().name, DType::i64, type);
    return let(type == DType::i64 ? text + " + 1" : text, type, shape);
  }
  std::string number = isBool(type) ? "true" : isFloat(type) ? "0.25" : "2";
  return let("full(" + name(type).str() + ", " + shapeText(shape) + ", " + number + ")", type,
             shape);
}

} // namespace tessera::generate
