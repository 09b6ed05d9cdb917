// References of a generated kernel: index notation over its views. They are compiled, not compared with the body.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GeneratorImpl.h"

namespace tessera::generate {

/// An element of a view in f64. Axes that no index runs over are folded.
std::string Generator::leaf(std::vector<Index> indices, unsigned depth) {
  if (chance(15)) {
    static const std::vector<std::string> numbers = {"1.0", "0.5", "0x1p-3", "2.0"};
    return "(" + pick(numbers) + " as f64)";
  }
  const View &view = pick(inputs);
  std::string index, prefix, suffix;
  static const std::vector<std::string> folds = {"sum", "max", "min", "prod"};
  for (const ViewAxis &axis : view.axes) {
    std::string name;
    for (const Index &candidate : indices) {
      bool fits = axis.extent >= 0 ? candidate.extent == axis.extent
                                   : candidate.extent < 0 && candidate.number == axis.number;
      if (fits && (name.empty() || chance(50))) {
        name = candidate.name;
      }
    }
    if (name.empty() && axis.extent < 0 && chance(50)) {
      name = std::to_string(below(axis.number));
    }
    if (name.empty()) {
      name = "q" + std::to_string(formulaNames++);
      std::string bound =
          axis.extent >= 0 ? extents[axis.extent].name : std::to_string(axis.number);
      prefix += pick(folds) + "(" + name + " in " + bound + ": ";
      suffix += ")";
    }
    index += (index.empty() ? "" : ", ") + name;
  }
  (void)depth;
  std::string element = view.name + "[" + index + "]";
  if (isBool(view.type)) {
    element = "(if " + element + " { 1.0 as f64 } else { 0.0 as f64 })";
  } else if (view.type != DType::f64) {
    element = "(" + element + " as f64)";
  }
  return prefix + element + suffix;
}

std::string Generator::formula(std::vector<Index> indices, unsigned depth) {
  if (depth == 0 || chance(20)) {
    return leaf(std::move(indices), depth);
  }
  std::string a = formula(indices, depth - 1);
  switch (below(7)) {
  case 0:
    return "(" + a + " + " + formula(indices, depth - 1) + ")";
  case 1:
    return "(" + a + " * " + formula(indices, depth - 1) + ")";
  case 2:
    return "abs(" + a + ")";
  case 3: {
    std::string condition =
        indices.empty() ? "true" : indices.front().name + " > " + std::to_string(between(0, 4));
    return "(if " + condition + " { " + a + " } else { " +
           (chance(30) ? "absent" : formula(indices, depth - 1)) + " })";
  }
  case 4:
    return "(" + a + " ?? 0.0)";
  case 5: {
    std::string name = "r" + std::to_string(formulaNames++);
    return "{ let " + name + " = " + a + "\n (" + name + " - " + name + " * 0.5) }";
  }
  default:
    return "min(" + a + ", " + formula(indices, depth - 1) + ")";
  }
}

std::string Generator::formulas() {
  bool inout = hasCounts;
  for (const View &view : outputs) {
    inout |= view.mode != "out";
  }
  if (inout || !chance(60)) {
    return "";
  }
  std::string text = "    reference {\n", bounds;
  std::string helper;
  if (chance(40)) {
    const Extent &extent = extents.front();
    helper = "h0";
    text += "        let h0[i in " + extent.name + "] = " + formula({{"i", 0, 0}}, 2) + "\n";
    text += "        let h1[i in " + extent.name +
            "] = h0[i] + (if i > 0 { h1[i - 1] } else { 0.0 as f64 })\n";
  }
  static const char *const names[] = {"i", "j", "k"};
  for (const View &view : outputs) {
    std::vector<Index> indices;
    std::string list;
    for (size_t axis = 0; axis < view.axes.size(); ++axis) {
      indices.push_back({names[axis], view.axes[axis].extent, view.axes[axis].number});
      list += (list.empty() ? "" : ", ") + std::string(names[axis]);
    }
    std::string value = formula(indices, 3);
    if (!helper.empty() && view.axes.front().extent == 0) {
      value = "(" + value + " + h1[i])";
    }
    if (isBool(view.type)) {
      value = value + " > 0.0";
    } else if (isInteger(view.type)) {
      value = castText("(" + value + ")", DType::f64, view.type);
    }
    text += "        " + view.name + "[" + list + "] = " + value + "\n";
    if (isFloat(view.type)) {
      bounds += (bounds.empty() ? "" : ", ") + view.name + "[" + list + "] <= 0x1p-8 * abs(" +
                view.name + "[" + list + "])";
    }
  }
  static const char *const cells[] = {"i", "j", "k"};
  std::string list;
  for (const Extent &extent : extents) {
    size_t axis = llvm::count(list, ',') + !list.empty();
    list += extent.gridded ? (list.empty() ? "" : ", ") + std::string(cells[axis]) : "";
  }
  text += "        digest[" + (list.empty() ? "i" : list) + "] = 17 as ui64\n    }\n";
  return text + "    tolerance " + (bounds.empty() ? "exact" : bounds) + "\n";
}

} // namespace tessera::generate
