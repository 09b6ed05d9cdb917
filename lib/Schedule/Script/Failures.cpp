// How a run fails: what is kept of an error, what `err` sees, what is reported.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Interpreter.h"

#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::script;
using llvm::StringRef;

std::string Interpreter::Failure::message() const {
  return llvm::formatv(false, row->message, parts[0], parts[1], parts[2], parts[3]).str();
}

bool Interpreter::raise(const DiagnosticInfo &row, SourceRange range,
                        std::initializer_list<std::string> parts, const llvm::Twine &help) {
  if (failed) {
    return false; // the first one is the cause
  }
  failed = true;
  failure = Failure();
  failure.row = &row;
  failure.range = range;
  failure.code = row.code;
  std::copy(parts.begin(), parts.end(), failure.parts);
  failure.help = help.str();
  // The chain of calls is lost once they are left.
  for (size_t i = frames.size(); i-- > 1;) {
    size_t fromTop = frames.size() - 1 - i;
    if (fromTop < kShownCalls || i <= kShownCalls) {
      failure.notes.push_back(
          {frames[i].callSite, "in `" + frames[i].def->name.text + "`, called here"});
    } else if (fromTop == kShownCalls) {
      std::string count = std::to_string(i - kShownCalls);
      failure.notes.push_back({{}, count + " more calls between"});
    }
  }
  return false;
}

/// Where a value that does not fit comes from, unless it stands at the place of the error.
void Interpreter::noteOrigin(const Value &value) {
  if (!value.origin.isValid() || failure.range.contains(value.origin)) {
    return;
  }
  failure.notes.insert(failure.notes.begin(), {value.origin, "it comes from here"});
}

void Interpreter::raiseHost(const HostError &error, SourceRange range, StringRef primitive) {
  std::string cursor = error.cursor.empty() ? "" : "`" + error.cursor + "`";
  std::string help = error.help;
  switch (error.kind) {
  case HostError::Kind::Refused:
    raise(DiagId::primitive_refused, range, {primitive.str(), error.message},
          help.empty() ? "nothing was changed; `try { … } else err { … }` goes on without it"
                       : help);
    break;
  case HostError::Kind::Dead:
    raise(DiagId::cursor_dead, range, {cursor, primitive.str(), error.consumer},
          help.empty() ? "use what `" + error.consumer + "` returned" : help);
    if (error.consumedAt.isValid()) {
      failure.notes.insert(failure.notes.begin(), {error.consumedAt, "consumed here"});
    }
    break;
  case HostError::Kind::Ambiguous:
    raise(DiagId::cursor_ambiguous, range,
          {cursor, primitive.str(), std::to_string(error.candidates.size()),
           "`" + llvm::join(error.candidates, "`, `") + "`"},
          help.empty() ? "say which one is meant" : help);
    break;
  case HostError::Kind::NotFound:
    raise(DiagId::cursor_not_found, range, {primitive.str(), error.message},
          help.empty() ? "`print` shows what a cursor stands for" : help);
    break;
  }
  failure.notes.insert(failure.notes.begin(), error.notes.begin(), error.notes.end());
  failure.canCatch = true;
  failure.primitive = primitive.str();
  failure.code = error.code.empty() ? failure.code : error.code;
}

bool Interpreter::raiseHost(llvm::Error error, SourceRange range, StringRef primitive) {
  if (!error) {
    return true;
  }
  llvm::handleAllErrors(
      std::move(error), [&](const HostError &e) { raiseHost(e, range, primitive); },
      [&](const llvm::ErrorInfoBase &e) {
        raiseHost(HostError(HostError::Kind::Refused, e.message()), range, primitive);
      });
  return false;
}

/// `err` of `try { } else err { }`.
Value Interpreter::errorRecord(SourceRange origin) const {
  Value record = Value::record({{"message", Value::string(failure.message())},
                                {"primitive", Value::string(failure.primitive)},
                                {"code", Value::string(failure.code)}});
  record.origin = origin;
  return record;
}

void Interpreter::reportFailure() {
  const Failure &f = failure;
  DiagnosticBuilder builder =
      program.getEngine().report(*f.row, f.range, f.parts[0], f.parts[1], f.parts[2], f.parts[3]);
  for (const DiagnosticNote &note : f.notes) {
    builder.note(note.range, note.text);
  }
  builder.help(f.help);
}

std::string script::nearest(StringRef word, const std::vector<std::string> &names) {
  unsigned limit = static_cast<unsigned>(word.size() / 3 + 1);
  std::string best;
  for (const std::string &name : names) {
    unsigned distance = word.edit_distance(name, /*AllowReplacements=*/true, limit);
    if (distance <= limit && name != word && word.size() < 64) {
      best = name;
      if (distance == 0) {
        break;
      }
      limit = distance - 1;
    }
  }
  return best;
}
