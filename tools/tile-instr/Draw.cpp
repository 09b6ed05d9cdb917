// Pictures of fragments, and the page that shows them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fragments.h"

#include "tessera/Layout/Drawing.h"
#include "tessera/Layout/Notation.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace tessera;
using namespace tessera::fragments;

namespace {
const char *head =
    "<!-- written by tile-instr --draw; scripts/check-drawings holds it against the declarations "
    "-->\n"
    "# Fragments\n"
    "\n"
    "Which lane holds which element of a tile as which of its values: the maps of the library's "
    "[instructions](../language/19-instructions.md), drawn from\n"
    "their declarations. `T5 v1` is value 1 of lane 5, counted from 0; the first axis goes down. "
    "Where an "
    "instruction reads or writes shared memory by addresses that lanes\n"
    "give, a second picture has the row behind each address. `tile-instr FILE.tile --draw=DIR` "
    "draws those that a file declares.\n";

class Page {
public:
  explicit Page(llvm::StringRef folder) : folder(folder), os(text) { os << head; }
  llvm::Error add(const Declared &declared);
  llvm::Error write() { return writeFile(folder, "README.md", text); }

private:
  llvm::Error addPicture(const Declared &declared, unsigned number);
  llvm::Expected<std::string> picture(const Declared &declared, unsigned number,
                                      std::string &what) const;

  llvm::StringRef folder;
  std::string text;
  llvm::raw_string_ostream os;
  /// What was drawn already, by all that the picture depends on, with where.
  std::map<std::string, std::string> drawn;
};
} // namespace

static std::string typeOf(const instr::Operand &operand) {
  std::string text;
  for (int64_t extent : operand.shape) {
    text += (text.empty() ? "" : " x ") + std::to_string(extent);
  }
  return text + " " + name(operand.dtype).str();
}

/// The picture; `what` becomes what it depends on, as text. Empty where there is nothing to draw.
llvm::Expected<std::string> Page::picture(const Declared &declared, unsigned number,
                                          std::string &what) const {
  const instr::Operand &operand = declared.instruction.operands[number];
  FragmentCaption caption;
  caption.title = operand.name + " of " + declared.instruction.name + ": " + typeOf(operand);
  caption.rowAxis = declared.axes[number].first;
  caption.colAxis = operand.shape.size() == 2 ? declared.axes[number].second : "";
  caption.elementBytes = byteSize(operand.dtype);
  what = caption.rowAxis + "/" + caption.colAxis + " " + typeOf(operand) + " ";
  if (operand.kind == instr::OperandKind::Frag) {
    what = caption.rowAxis + "/" + caption.colAxis + " " + std::to_string(caption.elementBytes) +
           " " + printLayout(*operand.layout);
    return drawFragment(*operand.layout, operand.shape, caption);
  }
  if (!operand.address) {
    return std::string();
  }
  std::vector<Coords> origins;
  for (int64_t lane = 0; lane < declared.instruction.threads; ++lane) {
    llvm::SmallVector<int64_t> at = operand.address.compose({lane});
    origins.emplace_back(at.begin(), at.end());
    what += llvm::join(llvm::map_range(at, [](int64_t c) { return std::to_string(c); }), ",") + " ";
  }
  caption.title += ", addresses of the lanes";
  return drawAddresses(origins, operand.rows, operand.shape, caption);
}

llvm::Error Page::addPicture(const Declared &declared, unsigned number) {
  const instr::Operand &operand = declared.instruction.operands[number];
  std::string what;
  llvm::Expected<std::string> svg = picture(declared, number, what);
  if (!svg) {
    return svg.takeError();
  }
  if (svg->empty()) {
    return llvm::Error::success();
  }
  bool isFragment = operand.kind == instr::OperandKind::Frag;
  os << "\n`" << operand.name << "`: " << typeOf(operand);
  if (isFragment) {
    os << ", `" << printLayout(*operand.layout) << "`";
  } else {
    os << " in shared memory";
  }
  auto [known, isNew] =
      drawn.try_emplace(what, "[`" + operand.name + "` of " + declared.instruction.name + "](#" +
                                  declared.instruction.name + ")");
  if (!isNew) {
    os << ": as " << known->second << "\n";
    return llvm::Error::success();
  }
  std::string file = declared.instruction.name + "." + operand.name + ".svg";
  os << "\n\n![" << (isFragment ? "lanes and values of " : "addresses of ") << operand.name << "]("
     << file << ")\n";
  return writeFile(folder, file, *svg);
}

llvm::Error Page::add(const Declared &declared) {
  const instr::Instruction &instruction = declared.instruction;
  os << "\n## " << instruction.name << "\n\n";
  for (const auto &[name, value] : instruction.constants) {
    os << "With " << name << " = " << value << ". ";
  }
  os << "On " << instruction.arch << ", " << instruction.threads << " threads";
  if (!instruction.ptx.empty()) {
    os << ": `" << instruction.ptx << "`";
  }
  os << "\n";
  for (unsigned number = 0; number < instruction.operands.size(); ++number) {
    if (llvm::Error error = addPicture(declared, number)) {
      return error;
    }
  }
  return llvm::Error::success();
}

llvm::Error fragments::drawAll(llvm::ArrayRef<Declared> list, llvm::StringRef folder) {
  Page page(folder);
  for (const Declared &declared : list) {
    if (llvm::Error error = page.add(declared)) {
      return error;
    }
  }
  return page.write();
}
