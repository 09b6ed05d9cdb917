// The lexer: one pass over the bytes, then one over the brackets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Frontend/Lexer.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

using namespace tessera;
using llvm::StringRef;

namespace {

bool isWordStart(char c) { return llvm::isAlpha(c) || c == '_'; }
bool isWord(char c) { return llvm::isAlnum(c) || c == '_'; }

/// Characters that word processors put where a program needs ASCII; what is meant, as text and as token.
struct Lookalike {
  uint32_t codePoint;
  const char *ascii;
  Tok kind;
};
constexpr Lookalike lookalikes[] = {{0x2264, "<=", Tok::LessEq},
                                    {0x2265, ">=", Tok::GreaterEq},
                                    {0x2260, "!=", Tok::NotEq},
                                    {0x00D7, "*", Tok::Star},
                                    {0x2212, "-", Tok::Minus},
                                    {0x2013, "-", Tok::Minus},
                                    {0x2014, "-", Tok::Minus},
                                    {0x2026, "..", Tok::DotDot},
                                    {0x2192, "->", Tok::Arrow},
                                    {0x201C, "\"", Tok::Unknown},
                                    {0x201D, "\"", Tok::Unknown},
                                    // Spaces: no token.
                                    {0x00A0, " ", Tok::Eof},
                                    {0x2003, " ", Tok::Eof},
                                    {0x2009, " ", Tok::Eof}};

/// Characters that change the order in which an editor shows a line: the text would not be what one reads.
bool isDirectionControl(uint32_t codePoint) {
  return (codePoint >= 0x202A && codePoint <= 0x202E) ||
         (codePoint >= 0x2066 && codePoint <= 0x2069);
}

class Lexer {
public:
  Lexer(uint32_t file, StringRef text) : file(file), text(text) {}
  LexedFile run();

private:
  char peek(uint32_t ahead = 0) const { return at + ahead < text.size() ? text[at + ahead] : '\0'; }
  StringRef since(uint32_t begin) const { return text.slice(begin, at); }
  SourceRange range(uint32_t begin, uint32_t end) const { return {file, begin, end}; }

  LexError &error(diag::Id id, uint32_t begin, uint32_t end, StringRef first = "",
                  StringRef second = "") {
    result.errors.push_back({id, begin, end, first.str(), second.str(), "", {}, false});
    return result.errors.back();
  }
  void push(Tok kind, uint32_t begin);
  void skipBlank();
  void comment();
  void token();
  void word();
  void number();
  void numberDigits(unsigned base, uint32_t &digits);
  bool exponent(char lower, char upper);
  void checkNumber(uint32_t begin, bool isFloat);
  void string();
  void escape();
  bool replacedOperator(uint32_t begin);
  void punctuation();
  /// One code point that is not ASCII, `at` at its first byte; reports what may not stand here. Outside comments and
  /// strings it gives the token that was meant, so that the parser goes on as after the fix; Eof for none.
  Tok wideCharacter(bool inToken);
  void controlCharacter();
  void matchBrackets();

  uint32_t file;
  StringRef text;
  uint32_t at = 0;
  bool newline = false;
  bool lineIsBlank = true;
  LexedFile result;
};

} // namespace

void Lexer::push(Tok kind, uint32_t begin) {
  result.tokens.push_back({kind, newline, begin, at});
  newline = false;
  lineIsBlank = false;
}

Tok Lexer::wideCharacter(bool inToken) {
  const auto *source = reinterpret_cast<const llvm::UTF8 *>(text.data() + at);
  const auto *end = reinterpret_cast<const llvm::UTF8 *>(text.data() + text.size());
  llvm::UTF32 codePoint = 0;
  uint32_t begin = at;
  if (llvm::convertUTF8Sequence(&source, end, &codePoint, llvm::strictConversion) !=
      llvm::conversionOK) {
    ++at;
    std::string byte = "0x" + llvm::utohexstr(static_cast<unsigned char>(text[begin]));
    error(diag::invalid_utf8, begin, at, byte).help = "save the file as UTF-8";
    return Tok::Unknown;
  }
  at = static_cast<uint32_t>(reinterpret_cast<const char *>(source) - text.data());
  std::string name = "U+" + llvm::utohexstr(codePoint, false, 4);
  if (isDirectionControl(codePoint)) {
    LexError &e = error(diag::direction_control, begin, at, name);
    e.help = "remove it";
    e.fixIts.push_back({range(begin, at), ""});
    return Tok::Eof;
  }
  if (!inToken) {
    return Tok::Eof;
  }
  LexError &e = error(diag::unexpected_wide_character, begin, at, since(begin), name);
  e.legalInRaw = true;
  for (const Lookalike &known : lookalikes) {
    if (known.codePoint == codePoint) {
      StringRef ascii = known.ascii;
      e.help = ascii == " " ? "write a space" : ("write `" + ascii + "`").str();
      e.fixIts.push_back({range(begin, at), ascii.str()});
      return known.kind;
    }
  }
  e.help = "names and operators are ASCII; other characters may stand in comments and strings";
  return Tok::Unknown;
}

void Lexer::controlCharacter() {
  uint32_t begin = at++;
  std::string byte = "0x" + llvm::utohexstr(static_cast<unsigned char>(text[begin]), false, 2);
  LexError &e = error(diag::control_character, begin, at, byte);
  e.help = "remove it";
  e.fixIts.push_back({range(begin, at), " "});
}

void Lexer::comment() {
  uint32_t begin = at;
  bool ownLine = lineIsBlank;
  while (at < text.size() && text[at] != '\n') {
    unsigned char c = text[at];
    if (c >= 0x80) {
      wideCharacter(/*inToken=*/false);
    } else if (c < 0x20 && c != '\t' && c != '\r') {
      controlCharacter();
    } else {
      ++at;
    }
  }
  uint32_t end = begin + static_cast<uint32_t>(since(begin).rtrim().size());
  uint32_t nextToken = static_cast<uint32_t>(result.tokens.size());
  result.comments.push_back(
      {begin, end, nextToken, ownLine, text.drop_front(begin).starts_with("##")});
}

void Lexer::skipBlank() {
  while (at < text.size()) {
    char c = text[at];
    if (c == '\n') {
      newline = true;
      lineIsBlank = true;
      ++at;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++at;
    } else if (c == '#') {
      comment();
    } else {
      return;
    }
  }
}

void Lexer::word() {
  uint32_t begin = at;
  while (isWord(peek())) {
    ++at;
  }
  StringRef spelled = since(begin);
  push(spelled == "_" ? Tok::Underscore : keywordKind(spelled), begin);
}

/// Digits and single underscores between them.
void Lexer::numberDigits(unsigned base, uint32_t &digits) {
  uint32_t begin = at;
  while (true) {
    char c = peek();
    bool isDigit = base == 16 ? llvm::isHexDigit(c) : llvm::isDigit(c);
    if (!isDigit && c != '_') {
      break;
    }
    bool misplaced =
        c == '_' && (at == begin || text[at - 1] == '_' ||
                     !(base == 16 ? llvm::isHexDigit(peek(1)) : llvm::isDigit(peek(1))));
    if (misplaced) {
      LexError &e = error(diag::misplaced_underscore, at, at + 1);
      e.fixIts.push_back({range(at, at + 1), ""});
      e.help = "remove it";
    }
    digits += isDigit;
    ++at;
  }
}

/// `e-4` or `p-24` at the position: consumed. False where there is none.
bool Lexer::exponent(char lower, char upper) {
  if (peek() != lower && peek() != upper) {
    return false;
  }
  uint32_t sign = peek(1) == '+' || peek(1) == '-';
  if (!llvm::isDigit(peek(1 + sign))) {
    return false;
  }
  at += 1 + sign;
  while (llvm::isDigit(peek())) {
    ++at;
  }
  return true;
}

void Lexer::number() {
  uint32_t begin = at;
  unsigned base = 10;
  if (peek() == '0' && (peek(1) == 'x' || peek(1) == 'X')) {
    base = 16;
  } else if (peek() == '0' && (peek(1) == 'b' || peek(1) == 'B')) {
    base = 2;
  }
  at += base == 10 ? 0 : 2;
  uint32_t digits = 0;
  numberDigits(base, digits);
  bool isFloat = false;
  bool hasExponent = false;
  if (base != 2 && peek() == '.' && peek(1) != '.') {
    bool follows = base == 16 ? llvm::isHexDigit(peek(1)) : llvm::isDigit(peek(1));
    isFloat = true;
    ++at;
    if (follows) {
      numberDigits(base, digits);
    } else {
      LexError &e = error(diag::digits_after_point, begin, at, since(begin));
      e.fixIts.push_back({range(at, at), "0"});
      e.help = "write `" + since(begin).str() + "0`";
    }
  }
  if (base == 10) {
    hasExponent = exponent('e', 'E');
  } else if (base == 16) {
    hasExponent = exponent('p', 'P');
  }
  isFloat |= hasExponent;
  if (digits == 0) {
    error(diag::number_without_digits, begin, at, since(begin)).help =
        "write digits after the prefix, as in `0x1f`";
  } else if (base == 16 && isFloat && !hasExponent && !isWord(peek())) {
    LexError &e = error(diag::hex_float_without_exponent, begin, at, since(begin));
    e.fixIts.push_back({range(at, at), "p0"});
    e.help = "write `" + since(begin).str() + "p0`";
  } else {
    checkNumber(begin, isFloat);
  }
  push(isFloat ? Tok::Float : Tok::Int, begin);
}

/// Letters behind the number, its length, its size, leading zeros.
void Lexer::checkNumber(uint32_t begin, bool isFloat) {
  if (isWord(peek())) {
    uint32_t suffix = at;
    while (isWord(peek())) {
      ++at;
    }
    StringRef number = text.slice(begin, suffix);
    error(diag::number_suffix, suffix, at, number, since(suffix)).help =
        "a literal takes its type from where it stands; to force one write `" + number.str() +
        " as f32`";
    return;
  }
  StringRef spelled = since(begin);
  if (spelled.size() > kMaxNumberBytes) {
    error(diag::number_too_long, begin, at, std::to_string(spelled.size()),
          std::to_string(kMaxNumberBytes))
        .help = "round the number; a double needs at most 17 digits";
    return;
  }
  if (spelled.size() > 1 && spelled[0] == '0' && (llvm::isDigit(spelled[1]) || spelled[1] == '_')) {
    size_t zeros = std::min(spelled.find_first_not_of("0_"), spelled.size() - 1);
    zeros -= !llvm::isDigit(spelled[zeros]); // `00.5` keeps one zero
    LexError &e = error(diag::leading_zeros, begin, at, spelled);
    e.fixIts.push_back({range(begin, begin + static_cast<uint32_t>(zeros)), ""});
    e.help = "write `" + spelled.drop_front(zeros).str() + "`";
    return;
  }
  if (isFloat) {
    return;
  }
  unsigned base = spelled.starts_with_insensitive("0x")   ? 16
                  : spelled.starts_with_insensitive("0b") ? 2
                                                          : 10;
  std::string digits;
  for (char c : base == 10 ? spelled : spelled.drop_front(2)) {
    if (base == 2 && llvm::isDigit(c) && c > '1') {
      error(diag::binary_digit, begin, at, StringRef(&c, 1)).help =
          "write binary digits, or a decimal number";
      return;
    }
    if (c != '_') {
      digits.push_back(c);
    }
  }
  uint64_t value = 0;
  if (StringRef(digits).getAsInteger(base, value)) {
    error(diag::integer_too_large, begin, at, spelled).help =
        "the largest integer is 18446744073709551615; for a float write `" + spelled.str() + ".0`";
  }
}

void Lexer::escape() {
  uint32_t begin = at++;
  char c = peek();
  if (StringRef("ntr\\\"0").contains(c) && c != '\0') {
    ++at;
    return;
  }
  if (c == 'x' && llvm::isHexDigit(peek(1)) && llvm::isHexDigit(peek(2)) && peek(1) < '8') {
    at += 3;
    return;
  }
  if (c != '\0' && c != '\n') {
    at += static_cast<unsigned char>(c) < 0x80;
  }
  LexError &e = error(diag::unknown_escape, begin, at, since(begin));
  e.help = "the escapes are `\\n`, `\\t`, `\\r`, `\\\\`, `\\\"`, `\\0` and `\\x00` to `\\x7f`; for "
           "a backslash write `\\\\`";
  e.fixIts.push_back({range(begin, begin), "\\"});
}

void Lexer::string() {
  uint32_t begin = at++;
  while (at < text.size() && text[at] != '\n' && text[at] != '"') {
    unsigned char c = text[at];
    if (c == '\\') {
      escape();
    } else if (c >= 0x80) {
      wideCharacter(/*inToken=*/false);
    } else if (c < 0x20 && c != '\t' && c != '\r') {
      controlCharacter();
    } else {
      ++at;
    }
  }
  if (peek() == '"' && at < text.size()) {
    ++at;
  } else {
    uint32_t end = begin + static_cast<uint32_t>(since(begin).rtrim('\r').size());
    LexError &e = error(diag::unterminated_string, begin, end);
    e.help = "a string ends on its line; insert `\"`";
    // Elsewhere only the writer knows where it should have ended.
    if (!result.tokens.empty() && result.tokens.back().kind == Tok::KwImport) {
      e.fixIts.push_back({range(end, end), "\""});
    }
  }
  push(Tok::String, begin);
}

/// Operators of other languages that have a word here: lexed as the word, with an error.
bool Lexer::replacedOperator(uint32_t begin) {
  static constexpr struct {
    const char *text;
    const char *word;
    Tok kind;
  } table[] = {{"&&", "and", Tok::KwAnd}, {"||", "or", Tok::KwOr},  {"&", "and", Tok::KwAnd},
               {"|", "or", Tok::KwOr},    {"^", "xor", Tok::KwXor}, {"!", "not", Tok::KwNot},
               {"~", "not", Tok::KwNot}};
  for (const auto &row : table) {
    if (!text.drop_front(begin).starts_with(row.text)) {
      continue;
    }
    at = begin + static_cast<uint32_t>(StringRef(row.text).size());
    LexError &e = error(diag::foreign_operator, begin, at, row.text, row.word);
    e.legalInRaw = true;
    // A word needs blanks around it where a sign did not.
    std::string left = begin && !llvm::isSpace(text[begin - 1]) ? " " : "";
    std::string right = at < text.size() && !llvm::isSpace(text[at]) ? " " : "";
    e.fixIts.push_back({range(begin, at), left + row.word + right});
    e.help = "write `" + std::string(row.word) + "`";
    push(row.kind, begin);
    return true;
  }
  return false;
}

void Lexer::punctuation() {
  static constexpr struct {
    StringRef text;
    Tok kind;
  } table[] = {// Longest first.
               {"//=", Tok::CompoundAssign},
               {"+=", Tok::CompoundAssign},
               {"-=", Tok::CompoundAssign},
               {"*=", Tok::CompoundAssign},
               {"/=", Tok::CompoundAssign},
               {"%=", Tok::CompoundAssign},
               {"=>", Tok::FatArrow},
               {"->", Tok::Arrow},
               {"??", Tok::Coalesce},
               {"==", Tok::EqEq},
               {"!=", Tok::NotEq},
               {"<=", Tok::LessEq},
               {">=", Tok::GreaterEq},
               {"<<", Tok::Shl},
               {">>", Tok::Shr},
               {"//", Tok::SlashSlash},
               {"..", Tok::DotDot},
               {"(", Tok::LParen},
               {")", Tok::RParen},
               {"[", Tok::LBracket},
               {"]", Tok::RBracket},
               {"{", Tok::LBrace},
               {"}", Tok::RBrace},
               {",", Tok::Comma},
               {";", Tok::Semi},
               {":", Tok::Colon},
               {".", Tok::Dot},
               {"?", Tok::Question},
               {"=", Tok::Assign},
               {"<", Tok::Less},
               {">", Tok::Greater},
               {"+", Tok::Plus},
               {"-", Tok::Minus},
               {"*", Tok::Star},
               {"/", Tok::Slash},
               {"%", Tok::Percent}};
  uint32_t begin = at;
  StringRef rest = text.drop_front(at);
  for (const auto &row : table) {
    if (rest.front() == row.text.front() && rest.starts_with(row.text)) {
      at += static_cast<uint32_t>(row.text.size());
      push(row.kind, begin);
      return;
    }
  }
  if (replacedOperator(begin)) {
    return;
  }
  if (static_cast<unsigned char>(text[at]) < 0x20 || text[at] == 0x7F) {
    controlCharacter();
    return;
  }
  ++at;
  LexError &e = error(diag::unexpected_character, begin, at, since(begin));
  e.help = text[begin] == '\'' ? "strings are written with `\"`" : "remove it";
  e.legalInRaw = true;
  push(Tok::Unknown, begin);
}

void Lexer::token() {
  unsigned char c = text[at];
  if (llvm::isDigit(c)) {
    size_t before = result.errors.size();
    number();
    for (size_t i = before; i < result.errors.size(); ++i) {
      result.errors[i].legalInRaw = true;
    }
  } else if (c == '.' && llvm::isDigit(peek(1)) && (at == 0 || text[at - 1] != '.')) {
    uint32_t begin = at++;
    uint32_t digits = 0;
    numberDigits(10, digits);
    exponent('e', 'E');
    LexError &e = error(diag::digits_before_point, begin, at, since(begin));
    e.fixIts.push_back({range(begin, begin), "0"});
    e.help = "write `0" + since(begin).str() + "`";
    push(Tok::Float, begin);
  } else if (isWordStart(static_cast<char>(c))) {
    word();
  } else if (c == '"') {
    string();
  } else if (c >= 0x80) {
    uint32_t begin = at;
    Tok kind = wideCharacter(/*inToken=*/true);
    if (kind != Tok::Eof) {
      push(kind, begin);
    }
  } else {
    punctuation();
  }
}

/// Braces are the stronger half: an open `(` ends at the `}` of the block around it, a `)` never ends a block. So one
/// missing bracket leaves the pairs around it intact.
void Lexer::matchBrackets() {
  std::vector<Token> &tokens = result.tokens;
  result.partners.assign(tokens.size(), LexedFile::kNoPartner);
  std::vector<uint32_t> open;
  auto close = [&](uint32_t index, Tok opener) {
    size_t depth = open.size();
    while (depth && tokens[open[depth - 1]].kind != opener) {
      if (tokens[open[depth - 1]].kind == Tok::LBrace) {
        return;
      }
      --depth;
    }
    if (depth) {
      result.partners[open[depth - 1]] = index;
      result.partners[index] = open[depth - 1];
      open.resize(depth - 1);
    }
  };
  for (uint32_t i = 0; i < tokens.size(); ++i) {
    switch (tokens[i].kind) {
    case Tok::LParen:
    case Tok::LBracket:
    case Tok::LBrace:
      open.push_back(i);
      break;
    case Tok::RParen:
      close(i, Tok::LParen);
      break;
    case Tok::RBracket:
      close(i, Tok::LBracket);
      break;
    case Tok::RBrace:
      close(i, Tok::LBrace);
      break;
    case Tok::KwKernel:
    case Tok::KwStruct:
    case Tok::KwEnum:
    case Tok::KwImport:
      // These never stand inside brackets: at the start of a line they show that some bracket before was not closed.
      if (tokens[i].begin == 0 || text[tokens[i].begin - 1] == '\n') {
        open.clear();
      }
      break;
    default:
      break;
    }
  }
}

LexedFile Lexer::run() {
  if (text.starts_with("\xEF\xBB\xBF")) {
    at = 3; // byte order mark
  }
  skipBlank();
  while (at < text.size()) {
    token();
    skipBlank();
  }
  push(Tok::Eof, at);
  matchBrackets();
  return std::move(result);
}

LexedFile tessera::lex(uint32_t file, StringRef text) { return Lexer(file, text).run(); }
