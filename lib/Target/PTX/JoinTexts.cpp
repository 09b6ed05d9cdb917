// The texts of a module's parts as one. A text is a header, items (variables, prototypes, functions) and, at its end, the
// source files and an empty section.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Parts.h"

#include "tessera/Support/Mutants.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace tessera::ptx;

namespace {
struct Text {
  llvm::StringRef header;
  /// Blank lines and comments in front of an item belong to it.
  std::vector<llvm::StringRef> items, sections;
  /// Numbers of source files, by what stands behind the number.
  std::map<unsigned, llvm::StringRef> files;
};
} // namespace

/// Cuts the first line off, and its end.
static llvm::StringRef takeLine(llvm::StringRef &text) {
  auto [line, rest] = text.split('\n');
  text = rest;
  return line;
}

/// `.file 1 "name.tile"`: the number and the rest; false if the line is none of these.
static bool readFile(llvm::StringRef line, std::map<unsigned, llvm::StringRef> &files) {
  line = line.ltrim();
  unsigned number = 0;
  if (!line.consume_front(".file")) {
    return false;
  }
  line = line.ltrim();
  if (!line.consumeInteger(10, number)) {
    files[number] = line.trim();
  }
  return true;
}

static Text divide(llvm::StringRef given) {
  Text text;
  llvm::StringRef rest = given;
  while (!rest.empty() && !takeLine(rest).starts_with(".address_size")) {
  }
  text.header = given.drop_back(rest.size());
  bool isBody = false;
  for (llvm::StringRef start = rest; !rest.empty();) {
    llvm::StringRef line = takeLine(rest);
    isBody = line == "{" || (isBody && line != "}");
    if (isBody) {
      continue;
    }
    if (line.ltrim().starts_with(".section")) {
      text.sections.push_back(line);
    } else if (line.ends_with(";") || line == "}") {
      text.items.push_back(start.drop_back(rest.size()));
    } else if (!readFile(line, text.files)) {
      continue; // the item goes on
    }
    start = rest;
  }
  return text;
}

/// What tells items apart: a function is known by what stands in front of its body.
static llvm::StringRef keyOf(llvm::StringRef item) {
  while (item.ltrim().starts_with("//")) {
    takeLine(item = item.ltrim());
  }
  return item.substr(0, item.find("\n{")).trim();
}

/// The item, with the numbers that its source files have in the whole text.
static void writeItem(llvm::raw_ostream &os, llvm::StringRef item,
                      const std::map<unsigned, unsigned> &numbers) {
  if (llvm::all_of(numbers, [](auto &each) { return each.first == each.second; })) {
    os << item;
    return;
  }
  while (!item.empty()) {
    llvm::StringRef line = takeLine(item), after = line;
    unsigned number = 0;
    if (after.consume_front("\t.loc\t") && !after.consumeInteger(10, number) &&
        numbers.count(number)) {
      os << "\t.loc\t" << numbers.at(number) << after << '\n';
    } else {
      os << line << '\n';
    }
  }
}

/// `80` of `.version 8.0`.
static unsigned versionOf(llvm::StringRef header) {
  unsigned major = 0, minor = 0;
  header = header.substr(header.find(".version"));
  header.consume_front(".version ");
  bool isRead = !header.consumeInteger(10, major) && header.consume_front(".") &&
                !header.consumeInteger(10, minor);
  return isRead ? 10 * major + minor : 0;
}

/// Entries that need no late version go with those that do.
static llvm::StringRef headerOf(llvm::ArrayRef<std::string> texts) {
  llvm::StringRef header;
  for (const std::string &each : texts) {
    llvm::StringRef own = divide(each).header;
    if (header.empty() || TESSERA_MUTANT(587, "a text has its first entry's version",
                                         versionOf(own) > versionOf(header), false)) {
      header = own;
    }
  }
  return header;
}

std::string tessera::ptx::joinTexts(llvm::ArrayRef<std::string> texts) {
  std::string joined;
  llvm::raw_string_ostream os(joined);
  llvm::StringSet<> known;
  std::vector<llvm::StringRef> files, sections;
  for (const std::string &each : texts) {
    Text text = divide(each);
    if (&each == texts.begin()) {
      os << headerOf(texts);
    }
    std::map<unsigned, unsigned> numbers;
    for (auto [number, file] : text.files) {
      size_t at = llvm::find(files, file) - files.begin();
      if (at == files.size()) {
        files.push_back(file);
      }
      numbers[number] = at + 1;
    }
    for (llvm::StringRef item : text.items) {
      if (known.insert(keyOf(item)).second ||
          TESSERA_MUTANT(565, "what entries share stands once for each", false, true)) {
        writeItem(os, item, numbers);
      }
    }
    for (llvm::StringRef section : text.sections) {
      if (!llvm::is_contained(sections, section)) {
        sections.push_back(section);
      }
    }
  }
  for (size_t i = 0; i < files.size(); ++i) {
    os << "\t.file\t" << i + 1 << ' ' << files[i] << '\n';
  }
  for (llvm::StringRef section : sections) {
    os << section << '\n';
  }
  return joined;
}

llvm::Expected<std::string>
tessera::ptx::joinResults(llvm::MutableArrayRef<llvm::Expected<std::string>> results) {
  std::vector<std::string> texts;
  llvm::Error first = llvm::Error::success();
  for (llvm::Expected<std::string> &result : results) {
    if (result) {
      texts.push_back(std::move(*result));
    } else if (first && TESSERA_MUTANT(566, "errors of later entries come first", true, false)) {
      llvm::consumeError(result.takeError()); // versions of a kernel fail alike
    } else {
      llvm::consumeError(std::move(first));
      first = result.takeError();
    }
  }
  if (first) {
    return first;
  }
  return joinTexts(texts);
}
