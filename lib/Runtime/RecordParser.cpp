// Reading the text of a launch record. Files come from other programs and other times; every damage is an error with its line.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Runtime/LaunchRecord.h"

#include <charconv>

using namespace tessera::runtime;

namespace {
/// Formulas deeper than this are no work of the compiler, and reading them would take the stack.
constexpr unsigned maxDepth = 200;
constexpr unsigned maxRank = 64;

class RecordParser {
public:
  explicit RecordParser(std::string_view text) : rest(text) {}

  Result<LaunchRecord> run() {
    nextLine();
    if (!header()) {
      return problem;
    }
    while (nextLine()) {
      if (!line.empty() && !item()) {
        return problem;
      }
    }
    if (record.kernel.empty()) {
      fail("the record has no line `kernel NAME`");
      return problem;
    }
    if (Failure failure = record.verify()) {
      return *failure;
    }
    return std::move(record);
  }

private:
  std::string_view rest, line;
  unsigned number = 0;
  LaunchRecord record;
  Error problem;

  bool fail(const std::string &text, const std::string &remedy = "") {
    problem = {"launch record, line " + std::to_string(number) + ": " + text, remedy};
    return false;
  }

  bool nextLine() {
    if (rest.empty()) {
      line = {};
      return false;
    }
    size_t end = rest.find('\n');
    line = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    ++number;
    skip();
    return true;
  }

  void skip() {
    while (!line.empty() && (line[0] == ' ' || line[0] == '\t' || line[0] == '\r')) {
      line.remove_prefix(1);
    }
  }

  bool header() {
    if (line.substr(0, 15) != "tessera-launch ") {
      return fail("is no launch record", "its first line is `tessera-launch 1`");
    }
    line.remove_prefix(15);
    int64_t version = 0;
    if (!integer(version) || !end()) {
      return false;
    }
    return version == 1 ||
           fail("version " + std::to_string(version) + " of the format; this program reads 1",
                "compile the kernel anew with the compiler that this program belongs to");
  }

  bool end() {
    skip();
    return line.empty() || fail("`" + std::string(line.substr(0, 20)) + "` is too much");
  }

  /// A bare word, or one in quotes.
  bool string(std::string &text) {
    skip();
    text.clear();
    if (line.empty() || line[0] != '"') {
      while (!line.empty() && line[0] > ' ' && line[0] != '(' && line[0] != ')' && line[0] != '"') {
        text += line[0];
        line.remove_prefix(1);
      }
      return !text.empty() || fail("a name is missing");
    }
    line.remove_prefix(1);
    while (!line.empty() && line[0] != '"') {
      if (line[0] == '\\' && line.size() > 1) {
        line.remove_prefix(1);
        text += line[0] == 'n' ? '\n' : line[0];
      } else {
        text += line[0];
      }
      line.remove_prefix(1);
    }
    if (line.empty()) {
      return fail("a quote is not closed");
    }
    line.remove_prefix(1);
    return true;
  }

  bool integer(int64_t &value) {
    skip();
    auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
    if (error != std::errc()) {
      return fail(error == std::errc::result_out_of_range ? "a number exceeds 64 bits"
                                                          : "a number is missing");
    }
    line.remove_prefix(size_t(end - line.data()));
    return true;
  }

  bool natural(int64_t &value, int64_t most) {
    return integer(value) &&
           ((value >= 0 && value <= most) ||
            fail(std::to_string(value) + " is not between 0 and " + std::to_string(most)));
  }

  template <typename Items> bool index(const Items &items, const char *what, int64_t &place) {
    std::string name;
    if (!string(name)) {
      return false;
    }
    for (place = 0; size_t(place) < items.size(); ++place) {
      if (items[size_t(place)].name == name) {
        return true;
      }
    }
    return fail(std::string("no ") + what + " `" + name + "` stands above");
  }

  /// A number or `(word …)`.
  bool expr(Expr &e, unsigned depth = 0) {
    skip();
    e = Expr();
    if (depth > maxDepth) {
      return fail("a formula is nested more than " + std::to_string(maxDepth) + " times");
    }
    if (line.empty() || line[0] != '(') {
      e.kind = Expr::Kind::constant;
      return integer(e.first);
    }
    line.remove_prefix(1);
    std::string name;
    if (!string(name) || !kind(name, e.kind) || !leaf(e)) {
      return false;
    }
    e.operands.resize(operandCount(e.kind));
    for (Expr &operand : e.operands) {
      if (!expr(operand, depth + 1)) {
        return false;
      }
    }
    skip();
    if (line.empty() || line[0] != ')') {
      return fail("`" + name + "` is not closed after its operands");
    }
    line.remove_prefix(1);
    return true;
  }

  bool kind(const std::string &name, Expr::Kind &kind) {
    for (unsigned i = 0; i <= unsigned(lastKind); ++i) {
      kind = Expr::Kind(i);
      if (name == word(kind)) {
        return true;
      }
    }
    return fail("`" + name + "` is no word of formulas");
  }

  bool leaf(Expr &e) {
    switch (e.kind) {
    case Expr::Kind::constant:
      return integer(e.first);
    case Expr::Kind::extent:
      return index(record.extents, "extent", e.first);
    case Expr::Kind::scalar:
    case Expr::Kind::real:
      return index(record.arguments, "argument", e.first);
    case Expr::Kind::size:
    case Expr::Kind::stride:
    case Expr::Kind::aligned:
      return index(record.arguments, "argument", e.first) && integer(e.second);
    default:
      return true;
    }
  }

  bool item() {
    std::string name;
    if (!string(name)) {
      return false;
    }
    if (name == "kernel" || name == "target") {
      return string(name == "kernel" ? record.kernel : record.target) && end();
    }
    if (name == "view" || name == "scalar") {
      return argument(name == "view") && end();
    }
    if (name == "extent") {
      ExtentRecord extent;
      if (!string(extent.name) || !expr(extent.from) || !end()) {
        return false;
      }
      record.extents.push_back(std::move(extent));
      return true;
    }
    if (name == "axis") {
      return axis() && end();
    }
    if (name == "check") {
      record.checks.emplace_back();
      return condition(record.checks.back()) && end();
    }
    if (name == "version") {
      record.versions.emplace_back();
      return string(record.versions.back().symbol) && end();
    }
    return ofVersion(name);
  }

  bool ofVersion(const std::string &name) {
    bool isKnown = name == "threads" || name == "shared" || name == "condition" || name == "grid" ||
                   name == "bytes";
    if (!isKnown) {
      return fail("`" + name + "` is no item of a record");
    }
    if (record.versions.empty()) {
      return fail("`" + name + "` stands before the first version");
    }
    VersionRecord &version = record.versions.back();
    int64_t value = 0;
    if (name == "threads") {
      bool fine = natural(value, 1024) && end();
      version.threads = unsigned(value);
      return fine;
    }
    if (name == "shared") {
      bool fine = natural(value, int64_t(1) << 32) && end();
      version.sharedBytes = uint64_t(value);
      return fine;
    }
    if (name == "condition") {
      version.conditions.emplace_back();
      return condition(version.conditions.back()) && end();
    }
    return expr(name == "grid" ? version.grid : version.bytes) && end();
  }

  bool condition(Condition &condition) { return string(condition.text) && expr(condition.expr); }

  bool argument(bool isView) {
    ArgumentRecord argument;
    argument.isView = isView;
    if (!string(argument.name) || !string(argument.dtype)) {
      return false;
    }
    if (isView) {
      std::string mode;
      int64_t rank = 0;
      if (!string(mode) || !natural(rank, maxRank)) {
        return false;
      }
      if (mode != "in" && mode != "out" && mode != "inout") {
        return fail("`" + mode + "` is no mode; there are in, out, inout");
      }
      argument.mode = mode == "in" ? Mode::in : mode == "out" ? Mode::out : Mode::inout;
      argument.shape.resize(size_t(rank));
    }
    record.arguments.push_back(std::move(argument));
    return true;
  }

  bool axis() {
    int64_t place = 0, axis = 0;
    if (!index(record.arguments, "argument", place)) {
      return false;
    }
    ArgumentRecord &argument = record.arguments[size_t(place)];
    return natural(axis, int64_t(argument.shape.size()) - 1) && expr(argument.shape[size_t(axis)]);
  }
};
} // namespace

Result<LaunchRecord> tessera::runtime::parseLaunchRecord(std::string_view text) {
  return RecordParser(text).run();
}
