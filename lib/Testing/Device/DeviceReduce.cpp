// Shrinks a kernel, its schedule and its launch as text: lines are left out, names replaced by what they are made of, arguments
// left out, extents made smaller. What does not compile any more shows no problem, so nothing here needs to know the language.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Testing/DeviceFuzz.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <set>

using namespace tessera;
using llvm::SmallVector;
using llvm::StringRef;

namespace {
class Reduction {
public:
  using Judge = std::function<DeviceTrial(const DeviceSubject &)>;
  Reduction(DeviceTrial trial, Judge judge, unsigned tries)
      : least(std::move(trial)), judge(std::move(judge)), tries(tries) {}

  DeviceTrial run();

private:
  bool accepts(DeviceSubject candidate);
  bool leaveOutLines(std::string DeviceSubject::*text);
  bool replaceNames();
  bool leaveOutArguments();
  bool shrinkExtents();
  bool simplifySchedule();

  DeviceTrial least;
  Judge judge;
  unsigned tries;
};
} // namespace

static StringRef wordOf(StringRef problem) { return problem.split(':').first; }

bool Reduction::accepts(DeviceSubject candidate) {
  if (tries == 0) {
    return false;
  }
  --tries;
  DeviceTrial tried = judge(candidate);
  if (tried.problem.empty() || wordOf(tried.problem) != wordOf(least.problem)) {
    return false;
  }
  least = std::move(tried);
  return true;
}

static SmallVector<StringRef> linesOf(StringRef text) {
  SmallVector<StringRef> lines;
  text.split(lines, '\n', -1, /*KeepEmpty=*/false);
  return lines;
}

/// Halves first, then quarters, down to single lines; from the end, since what stands last is used by nothing.
bool Reduction::leaveOutLines(std::string DeviceSubject::*text) {
  bool hasShrunk = false;
  size_t size = std::max<size_t>(linesOf(least.subject.*text).size() / 2, 1);
  for (; size > 0; size /= 2) {
    for (size_t end = linesOf(least.subject.*text).size(); end > 0;) {
      size_t begin = end > size ? end - size : 0;
      std::string before = least.subject.*text;
      SmallVector<StringRef> lines = linesOf(before);
      lines.erase(lines.begin() + begin, lines.begin() + std::min(end, lines.size()));
      DeviceSubject candidate = least.subject;
      candidate.*text = llvm::join(lines, "\n") + "\n";
      hasShrunk |= accepts(std::move(candidate));
      end = begin;
    }
  }
  return hasShrunk;
}

static bool isWordCharacter(char c) { return llvm::isAlnum(c) || c == '_'; }

static std::string withWord(StringRef text, StringRef word, StringRef by) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && isWordCharacter(text[end])) {
      ++end;
    }
    if (end == i) {
      result += text[i++];
      continue;
    }
    StringRef found = text.slice(i, end);
    result += found == word ? by : found;
    i = end;
  }
  return result;
}

static std::set<std::string> wordsOf(StringRef text) {
  std::set<std::string> words;
  SmallVector<StringRef> parts;
  std::string spaced = text.str();
  for (char &c : spaced) {
    c = isWordCharacter(c) ? c : ' ';
  }
  StringRef(spaced).split(parts, ' ', -1, false);
  for (StringRef part : parts) {
    words.insert(part.str());
  }
  return words;
}

/// `let t7 = f(t3, t5)` goes, and t3 or t5 stands for t7.
bool Reduction::replaceNames() {
  bool hasShrunk = false;
  for (size_t i = linesOf(least.subject.kernel).size(); i-- > 0;) {
    std::string before = least.subject.kernel;
    SmallVector<StringRef> lines = linesOf(before);
    if (i >= lines.size()) {
      continue;
    }
    auto [left, right] = lines[i].trim().split(" = ");
    if (!left.consume_front("let ") || left.contains('(')) {
      continue;
    }
    lines.erase(lines.begin() + i);
    std::string rest = llvm::join(lines, "\n") + "\n";
    for (const std::string &word : wordsOf(right)) {
      DeviceSubject candidate = least.subject;
      candidate.kernel = withWord(rest, left, word);
      if (accepts(std::move(candidate))) {
        hasShrunk = true;
        break;
      }
    }
  }
  return hasShrunk;
}

bool Reduction::leaveOutArguments() {
  bool hasShrunk = false;
  for (unsigned argument = 16; argument-- > 0;) {
    StringRef text = least.subject.kernel;
    size_t open = text.find('(', text.find("kernel " + least.subject.name));
    if (open == StringRef::npos) {
      return hasShrunk;
    }
    size_t end = open + 1;
    for (unsigned depth = 1; end < text.size() && depth > 0; ++end) {
      depth += text[end] == '(' || text[end] == '<' || text[end] == '[';
      depth -= text[end] == ')' || text[end] == '>' || text[end] == ']';
    }
    SmallVector<std::string> arguments(1);
    unsigned depth = 0;
    for (char c : text.slice(open + 1, end - 1)) {
      depth += c == '<' || c == '[';
      depth -= c == '>' || c == ']';
      if (c == ',' && depth == 0) {
        arguments.emplace_back();
      } else {
        arguments.back() += c;
      }
    }
    if (argument >= arguments.size()) {
      continue;
    }
    arguments.erase(arguments.begin() + argument);
    DeviceSubject candidate = least.subject;
    candidate.kernel = (text.take_front(open + 1) + StringRef(llvm::join(arguments, ",")).ltrim() +
                        text.drop_front(end - 1))
                           .str();
    hasShrunk |= accepts(std::move(candidate));
  }
  return hasShrunk;
}

bool Reduction::shrinkExtents() {
  bool hasShrunk = false;
  for (const auto &[name, ignored] : std::map<std::string, int64_t>(least.subject.extents)) {
    for (auto smaller : {+[](int64_t) { return int64_t(1); }, +[](int64_t v) { return v / 2; },
                         +[](int64_t v) { return v - 1; }}) {
      DeviceSubject candidate = least.subject;
      int64_t &value = candidate.extents[name];
      int64_t next = smaller(value);
      if (next >= 0 && next < value) {
        value = next;
        hasShrunk |= accepts(std::move(candidate));
      }
    }
  }
  return hasShrunk;
}

bool Reduction::simplifySchedule() {
  if (least.subject.way == DeviceSubject::plain) {
    return false;
  }
  for (DeviceSubject::Way way : {DeviceSubject::plain, DeviceSubject::library}) {
    DeviceSubject candidate = least.subject;
    candidate.way = way;
    candidate.schedule.clear();
    if (way < least.subject.way && accepts(std::move(candidate))) {
      return true;
    }
  }
  return least.subject.way == DeviceSubject::script && leaveOutLines(&DeviceSubject::schedule);
}

DeviceTrial Reduction::run() {
  for (bool hasShrunk = true; hasShrunk && tries > 0;) {
    hasShrunk = simplifySchedule();
    hasShrunk |= leaveOutLines(&DeviceSubject::kernel);
    hasShrunk |= replaceNames();
    hasShrunk |= leaveOutArguments();
    hasShrunk |= shrinkExtents();
  }
  return least;
}

DeviceTrial DeviceFuzzer::reduce(const DeviceTrial &trial) {
  if (trial.problem.empty()) {
    return trial;
  }
  // What a reduction tries does not count.
  DeviceCounts before = total;
  auto judging = [&](const DeviceSubject &subject) { return judge(subject); };
  DeviceTrial least = Reduction(trial, judging, options.maxTries).run();
  total = before;
  return least;
}
