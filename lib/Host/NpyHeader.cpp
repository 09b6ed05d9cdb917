// The header of a .npy file: magic, version, length, and a Python dictionary literal, for which there is a parser here
// of just the literals that occur. A damaged file must be refused with its reason, never crash the reader.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Host/HostError.h"
#include "tessera/Host/Npy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <vector>

using namespace tessera;

namespace {
constexpr llvm::StringLiteral magic("\x93NUMPY");
/// numpy itself stops at 10 000 bytes unless asked; a megabyte holds any honest list of fields.
constexpr uint64_t maxHeaderBytes = uint64_t(1) << 20;
constexpr unsigned maxAxes = 64;
constexpr unsigned maxNesting = 16;

struct Literal {
  enum Kind { string, boolean, integer, number, none, tuple, list } kind = none;
  /// Of a string: its content. Of a number: its digits with the sign.
  std::string text;
  bool truth = false;
  std::vector<Literal> items;

  llvm::StringRef kindName() const {
    constexpr const char *names[] = {"a string", "a bool",  "an integer", "a number",
                                     "None",     "a tuple", "a list"};
    return names[kind];
  }
};

std::string quoteByte(llvm::StringRef text) {
  if (text.empty()) {
    return "the end of the header";
  }
  std::string quoted;
  llvm::raw_string_ostream os(quoted);
  os << '`';
  llvm::printEscapedString(text.take_front(1), os);
  os << '`';
  return quoted;
}

/// Recursive descent over the dictionary. Errors are kept as the expectation that failed; the caller words them.
class HeaderParser {
public:
  HeaderParser(llvm::StringRef text, uint64_t start) : all(text), text(text), start(start) {}

  bool parseDict(std::vector<std::pair<std::string, Literal>> &entries) {
    if (!expect('{', "`{`")) {
      return false;
    }
    while (!accept('}')) {
      Literal key, value;
      if (!parseString(key) || !expect(':', "`:`") || !parseValue(value, 0)) {
        return false;
      }
      entries.emplace_back(std::move(key.text), std::move(value));
      if (!accept(',') && !peek('}')) {
        return fail("`,` or `}`");
      }
    }
    skipSpace();
    return text.empty() || fail("only spaces after `}`");
  }

  llvm::Error error(llvm::StringRef file) const {
    return hostError(HostDiag::npy_header_syntax, file, start + (all.size() - text.size()),
                     expected, quoteByte(text));
  }

private:
  llvm::StringRef all, text;
  uint64_t start;
  const char *expected = "";

  bool fail(const char *what) {
    expected = what;
    return false;
  }

  void skipSpace() { text = text.ltrim(" \t\n\r"); }

  bool peek(char c) {
    skipSpace();
    return text.starts_with(llvm::StringRef(&c, 1));
  }

  bool accept(char c) {
    if (!peek(c)) {
      return false;
    }
    text = text.drop_front();
    return true;
  }

  bool expect(char c, const char *what) { return accept(c) || fail(what); }

  bool parseString(Literal &result) {
    skipSpace();
    if (text.empty() || (text.front() != '\'' && text.front() != '"')) {
      return fail("a string in quotes");
    }
    const char stops[] = {text.front(), '\\', '\n', '\0'};
    size_t end = text.find_first_of(llvm::StringRef(stops, sizeof stops), 1);
    if (end == llvm::StringRef::npos || text[end] != text.front()) {
      text = text.drop_front(std::min(end, text.size()));
      return fail("a closing quote and no escapes");
    }
    result.kind = Literal::string;
    result.text = text.slice(1, end).str();
    text = text.drop_front(end + 1);
    return true;
  }

  bool parseNumber(Literal &result) {
    llvm::StringRef rest = text;
    rest.consume_front("-") || rest.consume_front("+");
    llvm::StringRef digits = rest.take_while(llvm::isDigit);
    if (digits.empty()) {
      return fail("a number after the sign");
    }
    rest = rest.drop_front(digits.size());
    llvm::StringRef tail =
        rest.take_while([](char c) { return llvm::isAlnum(c) || c == '.' || c == '_'; });
    // Python 2 marked long integers by an L.
    result.kind = tail.empty() || tail == "L" ? Literal::integer : Literal::number;
    result.text = (text.starts_with("-") ? "-" : "") + digits.str() +
                  (result.kind == Literal::number ? tail.str() : "");
    text = rest.drop_front(tail.size());
    return true;
  }

  bool parseItems(Literal &result, char close, unsigned depth) {
    bool comma = false;
    while (!accept(close)) {
      if (depth > maxNesting) {
        return fail("at most 16 nested brackets");
      }
      Literal item;
      if (!parseValue(item, depth + 1)) {
        return false;
      }
      result.items.push_back(std::move(item));
      comma = accept(',');
      if (!comma && !peek(close)) {
        return fail(close == ')' ? "`,` or `)`" : "`,` or `]`");
      }
    }
    // Brackets around one value without a comma group it, they make no tuple.
    if (close == ')' && result.items.size() == 1 && !comma) {
      Literal only = std::move(result.items.front());
      result = std::move(only);
    }
    return true;
  }

  bool parseValue(Literal &result, unsigned depth) {
    skipSpace();
    if (text.empty()) {
      return fail("a value");
    }
    char c = text.front();
    if (c == '\'' || c == '"') {
      return parseString(result);
    }
    if (c == '-' || c == '+' || llvm::isDigit(c)) {
      return parseNumber(result);
    }
    if (c == '(' || c == '[') {
      text = text.drop_front();
      result.kind = c == '(' ? Literal::tuple : Literal::list;
      return parseItems(result, c == '(' ? ')' : ']', depth);
    }
    llvm::StringRef word = text.take_while(llvm::isAlpha);
    if (word != "True" && word != "False" && word != "None") {
      return fail("a string, number, tuple, list, True or False");
    }
    result.kind = word == "None" ? Literal::none : Literal::boolean;
    result.truth = word == "True";
    text = text.drop_front(word.size());
    return true;
  }
};

llvm::Error wrongType(llvm::StringRef file, llvm::StringRef key, llvm::StringRef expected,
                      llvm::StringRef found) {
  return hostError(HostDiag::npy_key_type, file, key, expected, found);
}

llvm::Error takeShape(const Literal &value, llvm::StringRef file, IndexVector &shape) {
  constexpr llvm::StringLiteral expected("a tuple of integers");
  if (value.kind != Literal::tuple) {
    return wrongType(file, "shape", expected, value.kindName());
  }
  if (value.items.size() > maxAxes) {
    return hostError(HostDiag::npy_rank, file, maxAxes);
  }
  for (auto [axis, item] : llvm::enumerate(value.items)) {
    if (item.kind != Literal::integer) {
      return wrongType(file, "shape", expected, (item.kindName() + " in the tuple").str());
    }
    llvm::StringRef digits = item.text;
    bool negative =
        digits.consume_front("-") && digits.find_first_not_of('0') != llvm::StringRef::npos;
    if (negative) {
      return hostError(HostDiag::npy_negative_extent, file, item.text, axis);
    }
    int64_t extent;
    if (digits.getAsInteger(10, extent)) {
      return hostError(HostDiag::npy_extent_range, file, item.text, axis);
    }
    shape.push_back(extent);
  }
  return llvm::Error::success();
}

llvm::Error takeEntry(llvm::StringRef key, const Literal &value, llvm::StringRef file,
                      NpyHeader &header) {
  if (key == "shape") {
    return takeShape(value, file, header.shape);
  }
  if (key == "fortran_order") {
    header.fortranOrder = value.truth;
    return value.kind == Literal::boolean ? llvm::Error::success()
                                          : wrongType(file, key, "True or False", value.kindName());
  }
  header.descr = value.kind == Literal::string ? value.text : "";
  header.structured = value.kind == Literal::list || value.kind == Literal::tuple;
  if (!header.structured && header.descr.empty()) {
    return wrongType(file, key, "the name of a type",
                     value.kind == Literal::string ? "an empty string" : value.kindName());
  }
  return llvm::Error::success();
}

llvm::Error takeDict(llvm::StringRef text, llvm::StringRef file, NpyHeader &header) {
  HeaderParser parser(text, header.dataOffset - text.size());
  std::vector<std::pair<std::string, Literal>> entries;
  if (!parser.parseDict(entries)) {
    return parser.error(file);
  }
  constexpr llvm::StringLiteral keys[] = {"descr", "fortran_order", "shape"};
  std::vector<llvm::StringRef> seen;
  for (const auto &[key, value] : entries) {
    if (!llvm::is_contained(keys, key)) {
      std::string escaped;
      llvm::raw_string_ostream os(escaped);
      llvm::printEscapedString(key, os);
      return hostError(HostDiag::npy_unknown_key, file, escaped);
    }
    if (llvm::is_contained(seen, key)) {
      return hostError(HostDiag::npy_repeated_key, file, key);
    }
    seen.push_back(key);
    if (llvm::Error error = takeEntry(key, value, file, header)) {
      return error;
    }
  }
  for (llvm::StringRef key : keys) {
    if (!llvm::is_contained(seen, key)) {
      return hostError(HostDiag::npy_missing_key, file, key);
    }
  }
  return llvm::Error::success();
}

llvm::Error wrongMagic(llvm::StringRef bytes, llvm::StringRef file) {
  if (bytes.starts_with("PK\x03\x04") || bytes.starts_with("PK\x05\x06")) {
    return hostError(HostDiag::npy_is_archive, file);
  }
  // A pickle of protocol 2 or later starts with its protocol number.
  if (bytes.size() >= 2 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5) {
    return hostError(HostDiag::npy_is_pickle, file);
  }
  std::string found;
  llvm::raw_string_ostream os(found);
  llvm::printEscapedString(bytes.take_front(magic.size()), os);
  return hostError(HostDiag::npy_magic, file, found);
}
} // namespace

llvm::Expected<NpyHeader> tessera::parseNpyHeader(llvm::ArrayRef<uint8_t> bytes,
                                                  llvm::StringRef file) {
  llvm::StringRef text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  if (!text.starts_with(magic)) {
    bool cut = text.size() < magic.size() && magic.starts_with(text);
    return cut ? hostError(HostDiag::npy_too_short, file, magic.size() + 4, text.size())
               : wrongMagic(text, file);
  }
  uint64_t fixedBytes = magic.size() + 4;
  if (text.size() < fixedBytes) {
    return hostError(HostDiag::npy_too_short, file, fixedBytes, text.size());
  }
  NpyHeader header;
  header.version = bytes[magic.size()];
  unsigned minor = bytes[magic.size() + 1];
  if (header.version < 1 || header.version > 3 || minor != 0) {
    return hostError(HostDiag::npy_version, file, header.version, minor);
  }
  const uint8_t *lengthField = bytes.data() + magic.size() + 2;
  uint64_t length = llvm::support::endian::read16le(lengthField);
  if (header.version > 1) {
    fixedBytes += 2;
    if (text.size() < fixedBytes) {
      return hostError(HostDiag::npy_too_short, file, fixedBytes, text.size());
    }
    length = llvm::support::endian::read32le(lengthField);
  }
  if (length > maxHeaderBytes) {
    return hostError(HostDiag::npy_header_length, file, length, maxHeaderBytes);
  }
  header.dataOffset = fixedBytes + length;
  if (text.size() < header.dataOffset) {
    return hostError(HostDiag::npy_too_short, file, header.dataOffset, text.size());
  }
  if (llvm::Error error = takeDict(text.substr(fixedBytes, length), file, header)) {
    return error;
  }
  return header;
}
