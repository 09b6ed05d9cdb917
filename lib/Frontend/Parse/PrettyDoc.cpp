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

/// Width up to the next place where a line may end, of the commands on top of the stack, at most `limit`.
unsigned widthAhead(const std::vector<Command> &stack, unsigned limit) {
  unsigned width = 0;
  std::vector<Command> pending;
  size_t next = stack.size();
  while (width <= limit && (next || !pending.empty())) {
    Command command = pending.empty() ? stack[--next] : pending.back();
    if (!pending.empty()) {
      pending.pop_back();
    }
    const Doc &doc = *command.doc;
    if (!command.flat && (doc.kind == Doc::Line || doc.kind == Doc::FillLine || doc.kind == Doc::HardLine)) {
      return width;
    }
    // A group that must break ends the line at its first break; one that can be flat counts as a whole.
    bool open = doc.kind == Doc::Concat || doc.kind == Doc::Nest || (doc.kind == Doc::Group && doc.width == Doc::kNever);
    if (open && !command.flat) {
      for (auto kid = doc.kids.rbegin(); kid != doc.kids.rend(); ++kid) {
        pending.push_back({0, false, *kid});
      }
    } else if (doc.width == Doc::kNever) {
      return width; // verbatim text of several lines
    } else {
      width += doc.width;
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
      bool fits = current.kind == Doc::FillLine && current.width + widthAhead(stack, room) <= room;
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
      bool flat = command.flat || (current.width <= room && current.width + widthAhead(stack, room) <= room);
      stack.push_back({command.indent, flat, current.kids.front()});
      break;
    }
    }
  }
}
