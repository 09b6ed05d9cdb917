// The text of kernels around one op.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EveryOpKernels.h"

#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::testing;
using llvm::StringRef;

/// Whether `name` stands in the text as a whole word.
static bool mentions(StringRef text, StringRef name) {
  for (size_t at = text.find(name); at != StringRef::npos; at = text.find(name, at + 1)) {
    char next = at + name.size() < text.size() ? text[at + name.size()] : ' ';
    if (!llvm::isAlnum(next) && next != '_') {
      return true;
    }
  }
  return false;
}

/// `%v` or `%v#2`.
static std::string resultName(const OpCase &given, unsigned index) {
  return given.results.size() > 1 ? "%v#" + std::to_string(index) : "%v";
}

/// `tensor<4x8xf32>` as `4x8xf32`.
static std::string shapeAndType(StringRef tensor) {
  tensor.consume_front("tensor<");
  tensor.consume_back(">");
  return tensor.str();
}

static std::string storeText(const OpCase &given, unsigned index) {
  std::string type = given.results[index], shape = shapeAndType(type);
  std::string axes = ":";
  for (size_t i = 1; i < StringRef(shape).count('x'); ++i) {
    axes += ", :";
  }
  return "tile.store " + resultName(given, index) + ", %y" + std::to_string(index) + "[" + axes +
         "] : " + type + ", !tile.view<" + shape + ", inout>\n";
}

std::string tessera::testing::kernelOf(const OpCase &given) {
  std::string body = given.before + "\n";
  if (!given.results.empty()) {
    body +=
        "%v" +
        (given.results.size() > 1 ? ":" + std::to_string(given.results.size()) : std::string()) +
        " = ";
  }
  body += given.text + "\n" + given.after + "\ntile.for %step in range(%c0 to %c2) {\n";
  std::vector<std::string> parameters;
  for (unsigned i = 0; i < given.results.size(); ++i) {
    body += storeText(given, i);
    std::string shape = shapeAndType(given.results[i]), sizes;
    llvm::SmallVector<StringRef> parts;
    StringRef(shape).split(parts, 'x');
    parts.pop_back();
    parameters.push_back("%y" + std::to_string(i) + " \"y" + std::to_string(i) + "\": !tile.view<" +
                         shape + ", inout> shape ()[s0] -> (" + llvm::join(parts, ", ") + ")");
  }
  body += "}\n";
  std::string lines;
  for (const auto &[name, text] : sources) {
    if (mentions(body, name) && !mentions(body, name + " =")) {
      lines += name + " = " + text + "\n";
    }
  }
  for (const auto &[name, type] : arguments) {
    if (mentions(lines + body, name)) {
      parameters.push_back(name + " \"" + name.substr(1) + "\": " + type);
    }
  }
  return "tile.kernel @k[%M \"M\"](" + llvm::join(parameters, ",\n    ") +
         ") body {\n%c0 = tile.constant 0 : i64\n%c2 = tile.constant 2 : i64\n"
         "tile.grid (%r = tiles(%c0 to %M by 4)) {\n" +
         lines + body + "}\n}\n";
}

/// A case for a row of the table of elementwise ops.
OpCase tessera::testing::elementwiseCase(StringRef name, ScalarOp row) {
  bool isFloat = accepts(row, DType::f32), isInt = accepts(row, DType::i32);
  std::vector<StringRef> operands = isFloat ? std::vector<StringRef>{"%f", "%g", "%q"}
                                    : isInt ? std::vector<StringRef>{"%i", "%j"}
                                            : std::vector<StringRef>{"%b", "%p"};
  operands.resize(info(row).arity);
  std::string type = std::string("tensor<4x8x") + (isFloat ? "f32" : isInt ? "i32" : "i1") + ">";
  std::string result = info(row).result == OpResult::Bool ? "tensor<4x8xi1>" : type;
  std::vector<std::string> types(operands.size(), type);
  return {name.str(),
          ("\"" + name + "\"(" + llvm::join(operands, ", ") + ") : (" + llvm::join(types, ", ") +
           ") -> " + result)
              .str(),
          {result}};
}
