//===- TokenMutator.cpp - mutations that keep tokens whole -----------------===//
//
// Bytes changed at random rarely get past a parser. Half of the mutations work on tokens: runs of tokens are removed,
// doubled, moved and replaced, brackets with all that is in them are exchanged, numbers become interesting ones, and
// words of the language are put in.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FuzzSupport.h"

#include "tessera/Check/Random.h"
#include "tessera/Frontend/Lexer.h"

#include "llvm/ADT/ArrayRef.h"

#include <algorithm>
#include <cstring>

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

using namespace tessera;

static constexpr llvm::StringLiteral kWords[] = {"let",
                                                 "var",
                                                 "if",
                                                 "else",
                                                 "for",
                                                 "in",
                                                 "tiles",
                                                 "reversed",
                                                 "while",
                                                 "grid",
                                                 "static",
                                                 "tune",
                                                 "match",
                                                 "fn",
                                                 "struct",
                                                 "enum",
                                                 "const",
                                                 "kernel",
                                                 "where",
                                                 "reference",
                                                 "tolerance",
                                                 "exact",
                                                 "math",
                                                 "contract",
                                                 "assert",
                                                 "as f32",
                                                 "as bf16",
                                                 "as i32(wrap)",
                                                 "as f8e4m3(sat)",
                                                 "view<[N], f32>",
                                                 "out",
                                                 "inout",
                                                 "f64",
                                                 "i64",
                                                 "bool",
                                                 "0",
                                                 "1",
                                                 "-1",
                                                 "64",
                                                 "0.0",
                                                 "inf",
                                                 "nan",
                                                 "9223372036854775807",
                                                 "0x1p-24",
                                                 "1e400",
                                                 "true",
                                                 "absent",
                                                 "missing",
                                                 "sum",
                                                 "max",
                                                 "argmax",
                                                 "topk",
                                                 "cumsum",
                                                 "mma",
                                                 "iota",
                                                 "zeros",
                                                 "full",
                                                 "cat",
                                                 "flip",
                                                 "keep_if",
                                                 "whole",
                                                 "span",
                                                 "bits",
                                                 "from_bits",
                                                 "broadcast",
                                                 "reshape",
                                                 "permute",
                                                 "select",
                                                 "dynamic",
                                                 "store",
                                                 "atomic_add",
                                                 "philox",
                                                 "?? 0.0",
                                                 ".start",
                                                 ".stop",
                                                 ".index",
                                                 ".T",
                                                 "[:, _]",
                                                 "axis = 0",
                                                 "keep = true",
                                                 "order = any",
                                                 "(",
                                                 ")",
                                                 "[",
                                                 "]",
                                                 "{",
                                                 "}",
                                                 "<",
                                                 ">",
                                                 ",",
                                                 ";",
                                                 ":",
                                                 "..",
                                                 "=",
                                                 "==",
                                                 "%",
                                                 "//",
                                                 "<<",
                                                 "not",
                                                 "and",
                                                 "xor",
                                                 "+",
                                                 "*",
                                                 "%0",
                                                 "%c0",
                                                 "tile.add",
                                                 "tile.constant",
                                                 "tile.for",
                                                 "tile.yield",
                                                 "tile.load",
                                                 "tensor<8xf32>",
                                                 "!tile.span<8>",
                                                 "i1",
                                                 "ui8",
                                                 "scf.if",
                                                 "scf.while",
                                                 "carry",
                                                 "range"};

llvm::ArrayRef<llvm::StringLiteral> fuzz::tileWords() { return kWords; }

namespace {
class Mutation {
public:
  Mutation(llvm::StringRef text, uint64_t seed) : text(text), random(seed), lexed(lex(0, text)) {
    lexed.tokens.pop_back(); // Eof
  }

  std::string run();

private:
  size_t count() const { return lexed.tokens.size(); }
  uint64_t below(uint64_t bound) { return random.below(bound); }
  std::pair<uint32_t, uint32_t> tokens(size_t first, size_t last) const {
    return {lexed.tokens[first].begin, lexed.tokens[last].end};
  }
  /// A run of tokens, or a bracket with all that is in it.
  std::pair<uint32_t, uint32_t> piece();
  std::string replaced(std::pair<uint32_t, uint32_t> range, llvm::StringRef by) const {
    return (text.take_front(range.first) + by + text.drop_front(range.second)).str();
  }
  std::string word() {
    llvm::ArrayRef<llvm::StringLiteral> words = fuzz::words();
    return " " + words[below(words.size())].str() + " ";
  }

  llvm::StringRef text;
  Random random;
  LexedFile lexed;
};
} // namespace

std::pair<uint32_t, uint32_t> Mutation::piece() {
  size_t first = below(count());
  uint32_t partner = lexed.partners[first];
  if (partner != LexedFile::kNoPartner && partner > first && partner < count()) {
    return tokens(first, partner);
  }
  return tokens(first, std::min(first + below(4), count() - 1));
}

std::string Mutation::run() {
  if (count() == 0) {
    return text.str() + word();
  }
  auto from = piece(), to = piece();
  llvm::StringRef taken = text.slice(from.first, from.second);
  switch (below(7)) {
  case 0:
    return replaced(from, "");
  case 1:
    return replaced({from.second, from.second}, (" " + taken).str());
  case 2:
    return replaced(to, taken);
  case 3:
    return replaced({to.second, to.second}, (" " + taken + " ").str());
  case 4:
    return replaced({from.first, from.first}, word());
  case 5:
    return replaced(from, word());
  default: {
    static constexpr llvm::StringLiteral numbers[] = {
        "0", "1", "2", "3", "8", "64", "4096", "-1", "0.5", "1e30", "2147483648"};
    for (size_t tries = 0; tries < 8; ++tries) {
      const Token &token = lexed.tokens[below(count())];
      if (token.kind == Tok::Int || token.kind == Tok::Float) {
        return replaced({token.begin, token.end}, numbers[below(std::size(numbers))]);
      }
    }
    return replaced(from, word());
  }
  }
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed) {
  if (seed % 8 == 0) {
    return LLVMFuzzerMutate(data, size, maxSize);
  }
  std::string result(reinterpret_cast<const char *>(data), size);
  for (unsigned round = 0; round < 1 + seed % 3; ++round) {
    result = Mutation(result, seed + round * 0x9E3779B9u).run();
  }
  size_t length = std::min(result.size(), maxSize);
  std::memcpy(data, result.data(), length);
  return length;
}

/// Part of one input in place of part of the other.
extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1,
                                            const uint8_t *data2, size_t size2, uint8_t *out,
                                            size_t maxSize, unsigned seed) {
  llvm::StringRef a(reinterpret_cast<const char *>(data1), size1),
      b(reinterpret_cast<const char *>(data2), size2);
  Random random(seed);
  LexedFile first = lex(0, a), second = lex(0, b);
  auto place = [&](const LexedFile &file) {
    return file.tokens[random.below(file.tokens.size())].begin;
  };
  uint32_t from = place(first), to = place(first), begin = place(second), end = place(second);
  std::string result =
      (a.take_front(std::min(from, to)) + b.slice(std::min(begin, end), std::max(begin, end)) +
       " " + a.drop_front(std::max(from, to)))
          .str();
  size_t length = std::min(result.size(), maxSize);
  std::memcpy(out, result.data(), length);
  return length;
}
