// Statements of a generated body: loads, loops, branches, structs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GeneratorImpl.h"

namespace tessera::generate {

void Generator::line(const std::string &text) {
  body += std::string(4 * indent, ' ') + text + "\n";
}

Val Generator::let(const std::string &text, DType type, const Shape &shape) {
  Val value{fresh(), type, shape};
  line("let " + value.name + " = " + text);
  pool.push_back(value);
  return value;
}

void Generator::inScope(const std::function<void()> &inner) {
  std::vector<Val> outerPool = pool;
  std::vector<Extent> outerExtents = extents;
  ++indent;
  ++nesting;
  inner();
  --nesting;
  --indent;
  pool = std::move(outerPool);
  extents = std::move(outerExtents);
}

/// An index that is in range for every launch. Nothing where a named axis has no index at hand.
std::optional<std::string> Generator::indexOf(const ViewAxis &axis, Shape &box) {
  if (axis.extent >= 0) {
    const Extent &extent = extents[axis.extent];
    if (extent.span.empty()) {
      return extent.index;
    }
    // Only a span of the grid or of a loop is never empty.
    if (extent.gridded && chance(15)) {
      return extent.span + ".start";
    }
    box.push_back({extent.width, false});
    return extent.span;
  }
  switch (below(5)) {
  case 0:
    return std::to_string(below(axis.number));
  case 1: {
    int64_t width = between(1, 5);
    box.push_back({width, false});
    std::string scaled = "iota(" + std::to_string(width) + ") * 3 % " + std::to_string(axis.number);
    return chance(50) ? scaled : "(" + scaled + ") as i32(wrap)";
  }
  default:
    box.push_back({axis.number, false});
    return ":";
  }
}

void Generator::loadStep() {
  const View &view = pick(inputs);
  Shape box;
  std::string index;
  for (const ViewAxis &axis : view.axes) {
    std::optional<std::string> part = indexOf(axis, box);
    if (!part) {
      return;
    }
    index += (index.empty() ? "" : ", ") + *part;
  }
  if (elementsOf(box) > kMaxElements || box.size() > 4) {
    return;
  }
  std::string text = view.name + "[" + index + "]";
  if (isFp8(view.type) && chance(80)) {
    let(text + " as f32", DType::f32, box);
  } else {
    let(text, view.type, box);
  }
}

std::string Generator::scalarCondition() {
  std::optional<Val> number =
      anyValue([](const Val &v) { return v.shape.empty() && !isBool(v.type) && !isFp8(v.type); });
  if (!number) {
    return extents.front().name + " > " + std::to_string(between(0, 9));
  }
  static const std::vector<std::string> ops = {"<", "<=", ">", ">=", "==", "!="};
  return number->name + " " + pick(ops) + " " + literalOf(number->type);
}

void Generator::branch() {
  std::optional<Val> start =
      anyValue([](const Val &v) { return !v.shape.empty() && !isFp8(v.type) && !isBool(v.type); });
  if (!start) {
    return;
  }
  if (chance(40)) {
    // As a value.
    line("let " + fresh("u") + " = 0");
    Val result{fresh(), start->type, start->shape};
    line("let " + result.name + " = if " + scalarCondition() + " { " + start->name + " + " +
         start->name + " } else { " + start->name + " }");
    pool.push_back(result);
    return;
  }
  std::string variable = fresh("b");
  line("var " + variable + " = " + start->name);
  line("if " + scalarCondition() + " {");
  inScope([&] {
    step();
    Val other = valueOf(start->type, start->shape);
    line(variable + " = max(" + variable + ", " + other.name + ")");
  });
  if (chance(50)) {
    line("} else {");
    inScope([&] {
      step();
      line(variable + " = " + variable + " * " + variable);
    });
  }
  line("}");
  pool.push_back({variable, start->type, start->shape});
}

void Generator::forLoop() {
  std::optional<Val> start =
      anyValue([](const Val &v) { return !isFp8(v.type) && !isBool(v.type); });
  if (!start || nesting > 1) {
    return;
  }
  std::string first = fresh("c"), second = chance(30) ? fresh("c") : "", step = fresh("k");
  line("var " + first + " = " + start->name);
  if (!second.empty()) {
    line("var " + second + " = " + start->name);
  }
  int overExtent = -1;
  for (size_t e = 0; e < extents.size(); ++e) {
    overExtent = !extents[e].gridded && chance(70) ? int(e) : overExtent;
  }
  bool byTiles = overExtent >= 0 && chance(70);
  int64_t width = between(1, 9);
  std::string domain =
      byTiles           ? "tiles(" + extents[overExtent].name + ", " + std::to_string(width) + ")"
      : overExtent >= 0 ? "0.." + extents[overExtent].name
                        : std::to_string(between(-1, 1)) + ".." + std::to_string(between(1, 4));
  line("for " + step + " in " + domain + (chance(40) ? " reversed {" : " {"));
  inScope([&] {
    if (overExtent >= 0) {
      Extent &extent = extents[overExtent];
      extent.span = byTiles ? step : "";
      extent.index = byTiles ? "" : step;
      extent.width = width;
      extent.gridded = true; // the span is not empty
    }
    loadStep();
    this->step();
    if (chance(50)) {
      this->step();
    }
    Val other = valueOf(start->type, start->shape);
    if (second.empty()) {
      line(first + " = " + first + " + " + other.name);
    } else {
      // Both read what the step began with.
      std::string old = fresh();
      line("let " + old + " = " + first);
      line(first + " = max(" + second + ", " + other.name + ")");
      line(second + " = " + old);
    }
  });
  line("}");
  pool.push_back({first, start->type, start->shape});
  if (!second.empty()) {
    pool.push_back({second, start->type, start->shape});
  }
}

/// Unrolled: the index is a number.
void Generator::staticLoop() {
  std::optional<Val> start =
      anyValue([](const Val &v) { return !isFp8(v.type) && !isBool(v.type); });
  if (!start || nesting > 1) {
    return;
  }
  std::string variable = fresh("c"), index = fresh("at");
  line("var " + variable + " = " + start->name);
  line("for " + index + " in static 0.." + std::to_string(between(1, 3)) + " {");
  inScope([&] {
    step();
    std::string value = isFloat(start->type) ? "0.5" : "2";
    line("if " + index + " == 1 { " + variable + " = " + variable + " * " + value + " }");
    line(variable + " = " + variable + " + " + valueOf(start->type, start->shape).name);
  });
  line("}");
  pool.push_back({variable, start->type, start->shape});
}

void Generator::whileLoop() {
  std::optional<Val> start =
      anyValue([](const Val &v) { return !isFp8(v.type) && !isBool(v.type); });
  if (!start || nesting > 1) {
    return;
  }
  std::string count = fresh("n"), variable = fresh("c");
  line("var " + count + " = 0");
  line("var " + variable + " = " + start->name);
  line("while " + count + " < " + std::to_string(between(0, 3)) + " {");
  inScope([&] {
    step();
    line(variable + " = " + variable + " + " + valueOf(start->type, start->shape).name);
    line(count + " = " + count + " + 1");
  });
  line("}");
  pool.push_back({variable, start->type, start->shape});
}

void Generator::structStep() {
  std::optional<Val> x = anyValue(
      [](const Val &v) { return v.type == DType::f32 && v.shape.size() == 1 && !v.shape[0].wild; });
  if (!usesStruct || !x) {
    return elementwiseStep();
  }
  std::string pair = fresh("p");
  line("var " + pair + " = Pair(R = " + std::to_string(x->shape[0].extent) + ")");
  let(pair + ".take(" + x->name + ")", DType::f32, x->shape);
  let(pair + ".lo", DType::f32, x->shape);
}

void Generator::step() {
  switch (below(22)) {
  case 0:
  case 1:
  case 2:
  case 3:
  case 4:
    return elementwiseStep();
  case 5:
    return compareStep();
  case 6:
    return selectStep();
  case 7:
  case 8:
    return castStep();
  case 9:
    return bitsStep();
  case 10:
  case 11:
    return reduceStep();
  case 12:
    return scanStep();
  case 13:
    return argStep();
  case 14:
  case 15:
    return shapeStep();
  case 16:
    return absenceStep();
  case 17:
    return productStep();
  case 18:
    return chance(50) ? makeStep() : loadStep();
  case 19:
    return chance(60) ? callStep() : structStep();
  case 20:
    return nesting >= 2 ? elementwiseStep() : chance(80) ? forLoop() : staticLoop();
  default:
    return nesting < 2 ? (chance(60) ? branch() : whileLoop()) : elementwiseStep();
  }
}

} // namespace tessera::generate
