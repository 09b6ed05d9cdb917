// Line breaking: a group stays on its line if it fits together with what cannot be parted from it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PrettyDoc.h"

#include "tessera/Frontend/SourceManager.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace tessera;

Doc *Docs::make(Doc::Kind kind, std::vector<Doc *> kids) {
  store.emplace_back();
  Doc &doc = store.back();
  doc.kind = kind;
  for (Doc *kid : kids) {
    doc.width = std::min(Doc::kNever, doc.width + kid->width);
  }
  doc.kids = std::move(kids);
  return &doc;
}

Doc *Docs::text(llvm::StringRef text) {
  Doc *doc = weightless(text);
  // Verbatim text may hold line ends; it then never fits on one line.
  doc->width = text.contains('\n') ? Doc::kNever : countCodePoints(text);
  return doc;
}

Doc *Docs::weightless(llvm::StringRef text) {
  Doc *doc = make(Doc::Text);
  doc->text = text.str();
  return doc;
}

Doc *Docs::line(llvm::StringRef flat) {
  Doc *doc = make(Doc::Line);
  doc->text = flat.str();
  doc->width = static_cast<unsigned>(flat.size());
  return doc;
}

Doc *Docs::fillLine(llvm::StringRef flat) {
  Doc *doc = line(flat);
  doc->kind = Doc::FillLine;
  return doc;
}

Doc *Docs::hardLine() {
  Doc *doc = make(Doc::HardLine);
  doc->width = Doc::kNever;
  return doc;
}

Doc *Docs::concat(std::vector<Doc *> kids) { return make(Doc::Concat, std::move(kids)); }

Doc *Docs::nest(unsigned indent, Doc *doc) {
  Doc *result = make(Doc::Nest, {doc});
  result->indent = indent;
  return result;
}

Doc *Docs::group(Doc *doc) { return make(Doc::Group, {doc}); }

namespace {

struct Command {
  unsigned indent;
  bool flat;
  const Doc *doc;
};

/// Width of what cannot be parted from the current position: the commands on top of the stack up to the first place
/// where the line may end. `whole` takes the topmost document as one piece if it can be one. At most about `limit`.
unsigned widthAhead(const std::vector<Command> &stack, unsigned limit, bool whole) {
  unsigned width = 0;
  std::vector<Command> pending;
  size_t next = stack.size();
  if (whole && next && stack[next - 1].doc->width != Doc::kNever) {
    width = stack[--next].doc->width;
  }
  while (width <= limit && (next || !pending.empty())) {
    Command command = pending.empty() ? stack[--next] : pending.back();
    if (!pending.empty()) {
      pending.pop_back();
    }
    const Doc &doc = *command.doc;
    bool isLine = doc.kind == Doc::Line || doc.kind == Doc::FillLine || doc.kind == Doc::HardLine;
    bool isOpen = doc.kind == Doc::Concat || doc.kind == Doc::Nest || doc.kind == Doc::Group;
    if (command.flat || (!isLine && !isOpen)) {
      width += std::min(doc.width, limit + 1);
    } else if (isLine) {
      return width;
    } else {
      for (auto kid = doc.kids.rbegin(); kid != doc.kids.rend(); ++kid) {
        pending.push_back({0, false, *kid});
      }
    }
  }
  return width;
}

} // namespace

void Docs::print(llvm::raw_ostream &os, Doc *doc, unsigned width) const {
  std::vector<Command> stack{{0, false, doc}};
  unsigned column = 0;
  unsigned pendingIndent = 0; // written only before text, so that blank lines stay empty
  auto newLine = [&](unsigned indent) {
    os << '\n';
    column = pendingIndent = indent;
  };
  while (!stack.empty()) {
    Command command = stack.back();
    stack.pop_back();
    const Doc &current = *command.doc;
    unsigned room = width > column ? width - column : 0;
    switch (current.kind) {
    case Doc::Text:
      if (!current.text.empty()) {
        os.indent(pendingIndent) << current.text;
        pendingIndent = 0;
        column += current.width == Doc::kNever ? 0 : current.width;
      }
      break;
    case Doc::HardLine:
      newLine(command.indent);
      break;
    case Doc::Line:
    case Doc::FillLine: {
      bool fits =
          current.kind == Doc::FillLine && current.width + widthAhead(stack, room, true) <= room;
      if (command.flat || fits) {
        os << current.text;
        column += current.width;
      } else {
        newLine(command.indent);
      }
      break;
    }
    case Doc::Concat:
      for (auto kid = current.kids.rbegin(); kid != current.kids.rend(); ++kid) {
        stack.push_back({command.indent, command.flat, *kid});
      }
      break;
    case Doc::Nest:
      stack.push_back({command.indent + current.indent, command.flat, current.kids.front()});
      break;
    case Doc::Group: {
      bool flat = command.flat ||
                  (current.width <= room && current.width + widthAhead(stack, room, false) <= room);
      stack.push_back({command.indent, flat, current.kids.front()});
      break;
    }
    }
  }
}
