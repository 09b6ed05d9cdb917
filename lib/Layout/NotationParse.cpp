// Reader of the notation: recursive descent over the bytes of the text.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Layout/Algebra.h"
#include "tessera/Layout/Notation.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

#include <mutex>

using namespace tessera;

namespace {
constexpr unsigned maxDepth = 64;

/// A nested tuple of numbers.
struct Tree {
  size_t offset = 0;
  bool isLeaf = true;
  bool isXor = false;
  int64_t value = 0;
  std::vector<Tree> parts;
};

enum class Function {
  none,
  compose,
  complement,
  divide,
  product,
  inverse,
  leftInverse,
  rightInverse,
  coalesce,
  swizzle
};

/// A layout, or a swizzle that takes its size from what it is composed with.
struct Value {
  std::optional<Layout> layout;
  int64_t bits = 0;
  int64_t base = 0;
  int64_t shift = 0;
};

class Parser {
public:
  Parser(llvm::StringRef text, LayoutLookup lookup) : text(text), lookup(lookup) {}

  llvm::Expected<Layout> run() {
    llvm::Expected<Value> value = parseValue(0);
    if (!value) {
      return value.takeError();
    }
    skipSpace();
    if (at < text.size()) {
      return expected("the end of the layout");
    }
    return toLayout(*value, 0);
  }

private:
  void skipSpace() {
    while (at < text.size()) {
      if (llvm::isSpace(text[at])) {
        ++at;
      } else if (text[at] == '#') {
        at = std::min(text.find('\n', at), text.size());
      } else {
        return;
      }
    }
  }

  char peek() {
    skipSpace();
    return at < text.size() ? text[at] : '\0';
  }

  bool take(char wanted) {
    if (peek() == wanted && at < text.size()) {
      ++at;
      return true;
    }
    return false;
  }

  llvm::Error expected(llvm::StringRef what) {
    skipSpace();
    std::string found = "the end of the text";
    if (at < text.size()) {
      llvm::StringRef word =
          text.substr(at).take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
      found = "`" + (word.empty() ? text.substr(at, 1) : word.take_front(32)).str() + "`";
    }
    return layoutErrorAt(at, LayoutDiag::parse_expected, what, found);
  }

  llvm::Error require(char wanted, llvm::StringRef what) {
    return take(wanted) ? llvm::Error::success() : expected(what);
  }

  llvm::Error tooDeep() {
    return layoutErrorAt(at, LayoutDiag::parse_value,
                         llvm::formatv("nested deeper than {0}; write it flatter", maxDepth).str());
  }

  /// The error of an operation, at the place in the text that asked for it.
  static llvm::Error located(llvm::Error error, size_t offset) {
    return llvm::handleErrors(std::move(error), [&](const LayoutError &inner) {
      return makeLayoutError(
          inner.id(), llvm::formatv("column {0}: {1}", offset + 1, inner.getText()).str(), offset);
    });
  }

  llvm::Expected<int64_t> parseNumber(llvm::StringRef what) {
    skipSpace();
    llvm::StringRef digits = text.substr(at).take_while(llvm::isDigit);
    int64_t number = 0;
    if (digits.empty()) {
      return expected(what);
    }
    if (digits.getAsInteger(10, number)) {
      return layoutErrorAt(at, LayoutDiag::parse_value,
                           llvm::formatv("{0} is beyond the range of numbers, at most 2^62 is "
                                         "possible; use a smaller one",
                                         digits)
                               .str());
    }
    at += digits.size();
    return number;
  }

  llvm::Expected<int64_t> parseSigned(llvm::StringRef what) {
    bool negative = take('-');
    llvm::Expected<int64_t> number = parseNumber(what);
    return number && negative ? llvm::Expected<int64_t>(-*number) : std::move(number);
  }

  llvm::Expected<Tree> parseTree(bool strides, unsigned depth) {
    Tree tree;
    char next = peek();
    tree.offset = at;
    if (depth > maxDepth) {
      return tooDeep();
    }
    if (next != '(') {
      tree.isXor = strides && take('^');
      llvm::Expected<int64_t> number =
          parseNumber(strides ? "a stride or `(`" : "an extent or `(`");
      if (!number) {
        return number.takeError();
      }
      tree.value = *number;
      return tree;
    }
    take('(');
    tree.isLeaf = false;
    if (take(')')) {
      return tree;
    }
    do {
      llvm::Expected<Tree> part = parseTree(strides, depth + 1);
      if (!part) {
        return part.takeError();
      }
      tree.parts.push_back(std::move(*part));
    } while (take(','));
    if (llvm::Error error = require(')', "`,` or `)`")) {
      return std::move(error);
    }
    return tree;
  }

  static std::string describe(const Tree &tree) {
    return tree.isLeaf ? "one number" : std::to_string(tree.parts.size()) + " parts";
  }

  llvm::Error flatten(const Tree &shape, const Tree &stride, InDim &in) {
    if (shape.isLeaf != stride.isLeaf || shape.parts.size() != stride.parts.size()) {
      return layoutErrorAt(stride.offset, LayoutDiag::parse_congruent, describe(stride),
                           describe(shape));
    }
    if (shape.isLeaf) {
      in.modes.push_back(Mode{shape.value, {{stride.value, stride.isXor}}});
    }
    for (size_t i = 0; i < shape.parts.size(); ++i) {
      if (llvm::Error error = flatten(shape.parts[i], stride.parts[i], in)) {
        return error;
      }
    }
    return llvm::Error::success();
  }

  llvm::Expected<Value> parseLiteral() {
    size_t start = at;
    llvm::Expected<Tree> shape = parseTree(false, 0);
    if (!shape) {
      return shape.takeError();
    }
    if (llvm::Error error = require(':', "`:` and the strides")) {
      return std::move(error);
    }
    llvm::Expected<Tree> stride = parseTree(true, 0);
    if (!stride) {
      return stride.takeError();
    }
    if (shape->isLeaf != stride->isLeaf || shape->parts.size() != stride->parts.size()) {
      return layoutErrorAt(stride->offset, LayoutDiag::parse_congruent, describe(*stride),
                           describe(*shape));
    }
    size_t count = shape->isLeaf ? 1 : shape->parts.size();
    llvm::SmallVector<InDim, 3> ins(count);
    for (size_t i = 0; i < count; ++i) {
      ins[i].name = "i" + std::to_string(i);
      const Tree &part = shape->isLeaf ? *shape : shape->parts[i];
      if (llvm::Error error = flatten(part, shape->isLeaf ? *stride : stride->parts[i], ins[i])) {
        return std::move(error);
      }
    }
    llvm::Expected<Layout> layout = Layout::get(ins, OutDim{dims::offset.str(), 0});
    if (!layout) {
      return located(layout.takeError(), start);
    }
    return Value{std::move(*layout), 0, 0, 0};
  }

  llvm::Expected<Value> parseValue(unsigned depth) {
    char next = peek();
    if (depth > maxDepth) {
      return tooDeep();
    }
    if (next == '(' || llvm::isDigit(next)) {
      return parseLiteral();
    }
    llvm::StringRef word =
        text.substr(at).take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    if (word.empty()) {
      return expected("a layout");
    }
    size_t start = at;
    at += word.size();
    Function function = llvm::StringSwitch<Function>(word)
                            .Case("compose", Function::compose)
                            .Case("complement", Function::complement)
                            .Case("divide", Function::divide)
                            .Case("product", Function::product)
                            .Case("inverse", Function::inverse)
                            .Case("left_inverse", Function::leftInverse)
                            .Case("right_inverse", Function::rightInverse)
                            .Case("coalesce", Function::coalesce)
                            .Case("swizzle", Function::swizzle)
                            .Default(Function::none);
    if (function != Function::none && take('(')) {
      return parseCall(function, start, depth);
    }
    std::optional<Layout> known = lookup(word);
    if (!known) {
      return layoutErrorAt(start, LayoutDiag::parse_name, word);
    }
    return Value{std::move(known), 0, 0, 0};
  }

  llvm::Expected<Value> parseCall(Function function, size_t start, unsigned depth) {
    if (function == Function::swizzle) {
      return parseSwizzle(start);
    }
    llvm::Expected<Value> first = parseValue(depth + 1);
    if (!first) {
      return first;
    }
    bool binary = function == Function::compose || function == Function::divide ||
                  function == Function::product;
    std::optional<Value> second;
    std::optional<int64_t> size;
    if (binary) {
      if (llvm::Error error = require(',', "`,` and a second layout")) {
        return std::move(error);
      }
      llvm::Expected<Value> parsed = parseValue(depth + 1);
      if (!parsed) {
        return parsed;
      }
      second = std::move(*parsed);
    } else if (function == Function::complement && take(',')) {
      llvm::Expected<int64_t> parsed = parseNumber("a size");
      if (!parsed) {
        return parsed.takeError();
      }
      size = *parsed;
    }
    if (llvm::Error error = require(')', "`)`")) {
      return std::move(error);
    }
    llvm::Expected<Layout> result = apply(function, *first, second, size, start);
    if (!result) {
      return located(result.takeError(), start);
    }
    return Value{std::move(*result), 0, 0, 0};
  }

  llvm::Expected<Value> parseSwizzle(size_t start) {
    int64_t numbers[3] = {};
    for (unsigned i = 0; i < 3; ++i) {
      llvm::Error error = i ? require(',', "`,` and a number") : llvm::Error::success();
      if (error) {
        return std::move(error);
      }
      llvm::Expected<int64_t> number = parseSigned("a number of bits");
      if (!number) {
        return number.takeError();
      }
      numbers[i] = *number;
    }
    if (llvm::Error error = require(')', "`)`")) {
      return std::move(error);
    }
    llvm::Expected<Layout> check = Layout::swizzle(numbers[0], numbers[1], numbers[2]);
    if (!check) {
      return located(check.takeError(), start);
    }
    return Value{std::nullopt, numbers[0], numbers[1], numbers[2]};
  }

  llvm::Expected<Layout> apply(Function function, const Value &first,
                               const std::optional<Value> &second, std::optional<int64_t> size,
                               size_t start) {
    std::optional<Layout> other;
    if (second) {
      llvm::Expected<Layout> layout = toLayout(*second, start);
      if (!layout) {
        return layout;
      }
      other = std::move(*layout);
    }
    if (function == Function::compose && !first.layout) {
      return positional(swizzled(*other, first.bits, first.base, first.shift));
    }
    llvm::Expected<Layout> layout = toLayout(first, start);
    if (!layout) {
      return layout;
    }
    switch (function) {
    case Function::compose:
      return positional(compose(*layout, *other));
    case Function::complement:
      return positional(size ? complement(*layout, *size) : complement(*layout));
    case Function::divide:
      return positional(logicalDivide(*layout, *other));
    case Function::product:
      return positional(logicalProduct(*layout, *other));
    case Function::inverse:
      return positional(inverse(layout->flattenIns("i0")));
    case Function::leftInverse:
      return positional(leftInverse(layout->flattenIns("i0")));
    case Function::rightInverse:
      return positional(rightInverse(layout->flattenIns("i0")));
    case Function::coalesce:
      return positional(layout->coalesce());
    case Function::swizzle:
    case Function::none:
      break;
    }
    return expected("a layout");
  }

  /// Inputs `i0`, `i1`, …; output `offset`.
  static llvm::Expected<Layout> positional(llvm::Expected<Layout> layout) {
    if (!layout) {
      return layout;
    }
    llvm::SmallVector<std::string> names;
    for (size_t i = 0; i < layout->ins().size(); ++i) {
      names.push_back("i" + std::to_string(i));
    }
    llvm::SmallVector<llvm::StringRef> references(names.begin(), names.end());
    llvm::Expected<Layout> renamed = layout->withInNames(references);
    return renamed ? renamed->withOutNames(llvm::StringRef(dims::offset)) : std::move(renamed);
  }

  llvm::Expected<Layout> toLayout(const Value &value, size_t start) {
    if (value.layout) {
      return *value.layout;
    }
    llvm::Expected<Layout> layout = Layout::swizzle(value.bits, value.base, value.shift);
    return layout ? positional(std::move(layout)) : located(layout.takeError(), start);
  }

  llvm::StringRef text;
  LayoutLookup lookup;
  size_t at = 0;
};
} // namespace

llvm::Expected<Layout> tessera::parseLayout(llvm::StringRef text, LayoutLookup lookup) {
  return Parser(text, lookup).run();
}

namespace {
/// Layouts of texts that were read. Types carry theirs as text, and every question about a buf's size reads it.
class ReadTexts {
public:
  std::optional<Layout> find(llvm::StringRef text) {
    std::lock_guard<std::mutex> guard(lock);
    auto found = layouts.find(text);
    return found == layouts.end() ? std::nullopt : std::optional<Layout>(found->second);
  }
  void keep(llvm::StringRef text, const Layout &layout) {
    std::lock_guard<std::mutex> guard(lock);
    // A kernel has a few; a process that reads very many begins anew.
    if (layouts.size() >= most) {
      layouts.clear();
    }
    layouts.try_emplace(text, layout);
  }

private:
  static constexpr unsigned most = 256;
  std::mutex lock;
  llvm::StringMap<Layout> layouts;
};
} // namespace

llvm::Expected<Layout> tessera::parseLayout(llvm::StringRef text) {
  static ReadTexts known;
  if (std::optional<Layout> layout = known.find(text)) {
    return std::move(*layout);
  }
  auto none = [](llvm::StringRef) { return std::optional<Layout>(); };
  llvm::Expected<Layout> layout = Parser(text, none).run();
  if (layout) {
    known.keep(text, *layout);
  }
  return layout;
}
