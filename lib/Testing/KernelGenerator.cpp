// Header, skeleton and outputs of a generated kernel.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GeneratorImpl.h"

namespace tessera::generate {

std::string shapeText(const Shape &shape) {
  std::string text = "[";
  for (const Axis &axis : shape) {
    text += (text.size() > 1 ? ", " : "") +
            (axis.wild ? std::string("_") : std::to_string(axis.extent));
  }
  return text + "]";
}

int64_t elementsOf(const Shape &shape) {
  int64_t count = 1;
  for (const Axis &axis : shape) {
    count *= axis.extent;
  }
  return count;
}

DType Generator::anyType() { return allDTypes[below(numDTypes)]; }

DType Generator::numberType() {
  static const std::vector<DType> types = {
      DType::f32, DType::f32, DType::f64, DType::bf16, DType::f16,  DType::i32, DType::i64,
      DType::i8,  DType::i16, DType::ui8, DType::ui16, DType::ui32, DType::ui64};
  return pick(types);
}

void Generator::chooseExtents() {
  static const std::vector<int64_t> widths = {1, 2, 3, 4, 5, 7, 8, 13, 16, 24};
  static const char *const names[] = {"M", "N", "K"};
  size_t count = between(1, 3);
  for (size_t i = 0; i < count; ++i) {
    Extent extent;
    extent.name = names[i];
    extent.value = chance(15) ? 0 : between(1, chance(30) ? 70 : 20);
    extent.width = pick(widths);
    extent.gridded = chance(60);
    extents.push_back(extent);
  }
  // About a thousand points at most.
  static constexpr int64_t most[] = {70, 70, 30, 10};
  size_t gridded = llvm::count_if(extents, [](const Extent &extent) { return extent.gridded; });
  for (Extent &extent : extents) {
    extent.value = std::min(extent.value, most[gridded]);
  }
}

void Generator::chooseViews() {
  auto axis = [&](bool named) {
    ViewAxis result;
    if (named) {
      result.extent = int(below(extents.size()));
    } else {
      result.number = between(1, 6);
    }
    return result;
  };
  size_t count = between(1, 3);
  for (size_t i = 0; i < count; ++i) {
    View view;
    view.name = "x" + std::to_string(i);
    view.mode = "in";
    view.type = anyType();
    size_t rank = between(1, 3);
    for (size_t k = 0; k < rank; ++k) {
      view.axes.push_back(axis(chance(70)));
    }
    inputs.push_back(view);
  }
  count = between(1, 2);
  for (size_t i = 0; i < count; ++i) {
    View view;
    view.name = "y" + std::to_string(i);
    view.mode = chance(15) ? "inout" : "out";
    view.type = anyType();
    // Every axis that the grid cuts: so no two points write the same element.
    for (size_t e = 0; e < extents.size(); ++e) {
      if (extents[e].gridded) {
        view.axes.push_back({int(e), 0});
      }
    }
    while (view.axes.empty() || (view.axes.size() < 3 && chance(30))) {
      view.axes.insert(view.axes.begin() + below(view.axes.size() + 1), axis(chance(30)));
    }
    outputs.push_back(view);
  }
  // Every extent stands alone in some shape, so that a launch can solve it.
  for (size_t e = 0; e < extents.size(); ++e) {
    inputs.front().axes.resize(std::max(inputs.front().axes.size(), size_t(1)));
    bool found = false;
    for (const View &view : inputs) {
      for (const ViewAxis &a : view.axes) {
        found |= a.extent == int(e);
      }
    }
    if (!found) {
      View view;
      view.name = "x" + std::to_string(inputs.size());
      view.mode = "in";
      view.type = numberType();
      view.axes.push_back({int(e), 0});
      inputs.push_back(view);
    }
  }
  count = below(3);
  for (size_t i = 0; i < count; ++i) {
    scalars.push_back({"s" + std::to_string(i), chance(20) ? DType::i1 : numberType(), {}});
  }
  hasCounts = chance(15);
}

static std::string axisText(const std::vector<Extent> &extents, const ViewAxis &axis) {
  return axis.extent >= 0 ? extents[axis.extent].name : std::to_string(axis.number);
}

std::string Generator::header() {
  std::string text = "kernel generated(";
  auto add = [&](const std::string &parameter) {
    text += (text.back() == '(' ? "" : ", ") + parameter;
  };
  auto addView = [&](const View &view) {
    std::string shape;
    for (const ViewAxis &axis : view.axes) {
      shape += (shape.empty() ? "" : ", ") + axisText(extents, axis);
    }
    add(view.name + ": " + view.mode + " view<[" + shape + "], " + name(view.type).str() + ">");
  };
  for (const View &view : inputs) {
    addView(view);
  }
  for (const Val &scalar : scalars) {
    add(scalar.name + ": " + name(scalar.type).str());
  }
  for (const View &view : outputs) {
    addView(view);
  }
  add("digest: out view<" + digestShape() + ", ui64>");
  if (hasCounts) {
    add("counts: inout view<[8], i32>");
  }
  text += ")\n";
  if (chance(40)) {
    text += "    where " + extents.front().name + " <= 4096, " + extents.back().name + " + 1 > 0\n";
  }
  if (chance(20)) {
    text += chance(50) ? "    math contract\n" : "    math fast\n";
  }
  return text;
}

/// Functions that `callStep` and `structStep` use.
std::string Generator::functions() {
  std::string text =
      "fn mixed<S: shape, F: number>(a: tile<S, F>, b: tile<S, F>) -> tile<S, F> { a + b * a }\n"
      "fn split2<S: shape, F: number>(a: tile<S, F>) -> (tile<S, F>, tile<S, F>) {\n"
      "    let twice = a + a\n    (twice, min(twice, a))\n}\n"
      "fn larger(a: f32, b: f32) -> f32 { if a > b { a } else { b } }\n"
      "fn joined(a: i64, b: i64) -> i64 { (a xor b) + 1 }\n";
  if (usesStruct) {
    text += "struct Pair<const R: i64> {\n    lo: tile<[R], f32> = 0.0, hi: tile<[R], f32> = 1.0\n"
            "    fn take(inout self, x: tile<[R], f32>) -> tile<[R], f32> {\n"
            "        self.lo = min(self.lo, x); self.hi = max(self.hi, x)\n        self.hi - "
            "self.lo\n    }\n}\n";
  }
  return text;
}

void Generator::openGrid() {
  std::string axes;
  for (Extent &extent : extents) {
    if (!extent.gridded) {
      continue;
    }
    std::string name = fresh("g");
    if (chance(75)) {
      extent.span = name;
      std::string width = std::to_string(extent.width);
      if (chance(25)) {
        std::string tuned = fresh("W");
        line("tune " + tuned + " in {" + width + ", 64}");
        width = tuned;
      }
      axes += (axes.empty() ? "" : ", ") + name + " in tiles(" + extent.name + ", " + width + ")";
    } else {
      extent.index = name;
      axes += (axes.empty() ? "" : ", ") + name + " in 0.." + extent.name;
    }
  }
  for (Extent &extent : extents) {
    if (!extent.gridded) {
      extent.span = fresh("w");
      extent.width = extent.value + between(extent.value == 0 ? 1 : 0, 3);
      line("let " + extent.span + " = whole(" + extent.name +
           ", width = " + std::to_string(extent.width) + ")");
    }
  }
  if (!axes.empty()) {
    line("grid " + axes);
  }
}

void Generator::storeOutputs() {
  for (const View &view : outputs) {
    std::string index;
    Shape box;
    for (const ViewAxis &axis : view.axes) {
      std::string part;
      if (axis.extent < 0) {
        // A scatter now and then, to every place once.
        std::string n = std::to_string(axis.number);
        part = chance(70) ? ":" : chance(50) ? "iota(" + n + ")" : n + " - 1 - iota(" + n + ")";
        box.push_back({axis.number, false});
      } else if (extents[axis.extent].span.empty()) {
        part = extents[axis.extent].index;
      } else {
        part = extents[axis.extent].span;
        box.push_back({extents[axis.extent].width, false});
      }
      index += (index.empty() ? "" : ", ") + part;
    }
    Val value =
        elementsOf(box) <= 4 * kMaxElements ? valueOf(view.type, box) : Val{"", view.type, box};
    std::string text = value.name;
    if (text.empty()) {
      text = isBool(view.type)    ? "full(bool, " + shapeText(box) + ", true)"
             : isFloat(view.type) ? "0.5"
                                  : "3";
    }
    line(view.name + "[" + index + "] = " + text);
  }
}

/// A cell for every point of the grid.
std::string Generator::digestShape() const {
  std::string text;
  for (const Extent &extent : extents) {
    if (extent.gridded) {
      text += (text.empty() ? "[" : ", ") + extent.name;
    }
  }
  return text.empty() ? "[1]" : text + "]";
}

/// A ui64 that depends on every present element and its place, but on no payload of a NaN.
std::string Generator::digestOf(const Val &value) {
  std::string x = value.name;
  DType type = value.type;
  if (isFp8(type)) {
    x = let(x + " as f32", DType::f32, value.shape).name;
    type = DType::f32;
  }
  if (isFloat(type)) {
    DType bits = bitsType(type);
    std::string word = let("bits(" + x + ")", bits, value.shape).name;
    x = let("select(isnan(" + x + "), 1 as " + name(bits).str() + ", " + word + ")", bits,
            value.shape)
            .name;
    type = bits;
  }
  if (type != DType::ui64) {
    std::string modes = isBool(type) || !isSigned(type) ? "" : "(wrap)";
    x = let(x + " as ui64" + modes, DType::ui64, value.shape).name;
  }
  if (value.shape.empty()) {
    return x;
  }
  std::string n = std::to_string(elementsOf(value.shape));
  return let("sum(reshape(" + x + ", [" + n + "]) * ((iota(" + n +
                 ") * 2 + 1) as ui64(wrap)), axis = 0)",
             DType::ui64, {})
      .name;
}

void Generator::storeDigest() {
  std::vector<Val> values = pool;
  std::string digest = fresh("d");
  line("var " + digest + " = 17 as ui64");
  for (const Val &value : values) {
    if (!value.shape.empty() || chance(50)) {
      line(digest + " = " + digest + " * 31 + " + digestOf(value));
    }
  }
  std::string index, box;
  for (const Extent &extent : extents) {
    if (extent.gridded) {
      index += (index.empty() ? "" : ", ") + (extent.span.empty() ? extent.index : extent.span);
      if (!extent.span.empty()) {
        box += (box.empty() ? "[" : ", ") + std::to_string(extent.width);
      }
    }
  }
  line("digest[" + (index.empty() ? "0" : index) +
       "] = " + (box.empty() ? digest : "broadcast(" + digest + ", " + box + "])"));
}

std::string Generator::atomics() {
  static const std::vector<std::string> kinds = {"atomic_add", "atomic_max", "atomic_min",
                                                 "atomic_xor"};
  std::string amounts = chance(50) ? "3" : "iota(5) as i32(wrap)";
  return pick(kinds) + "(counts[iota(5) % 4], " + amounts + ")";
}

GeneratedKernel Generator::run() {
  chooseExtents();
  chooseViews();
  usesStruct = chance(20);
  std::string head = header();
  openGrid();
  pool = scalars;
  for (size_t i = 0; i < inputs.size(); ++i) {
    loadStep();
  }
  size_t steps = between(4, 14);
  for (size_t i = 0; i < steps; ++i) {
    step();
  }
  if (hasCounts) {
    line(atomics());
  }
  storeOutputs();
  storeDigest();
  GeneratedKernel result;
  result.name = "generated";
  result.text = functions() + head + formulas() + "{\n" + body + "}\n";
  for (const Extent &extent : extents) {
    result.extents[extent.name] = extent.value;
  }
  return result;
}

} // namespace tessera::generate

tessera::GeneratedKernel tessera::generateKernel(uint64_t seed) {
  return generate::Generator(deriveSeed(seed, "kernel")).run();
}
