// Reading ptxas' log: it has no other report of registers and spills, and some losses are only notes there, with exit code 0.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Target/PTX/Ptxas.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera::ptx;

std::string SourceLine::text() const {
  return line == 0 ? "" : file + ":" + std::to_string(line) + ":" + std::to_string(column);
}

/// C7508: setmaxnreg ignored; C7510 to C7519: wgmma serialised, or waits and fences injected; C7602: registers.
bool PtxasMessage::breaksPromise() const {
  llvm::StringRef number = code;
  unsigned value = 0;
  if (!number.consume_front("C") || number.getAsInteger(10, value)) {
    return llvm::StringRef(text).contains("serialized") ||
           llvm::StringRef(text).contains("'setmaxnreg' ignored");
  }
  return value == 7508 || (value >= 7510 && value <= 7519) || value == 7602;
}

const KernelResources *PtxasLog::kernel(llvm::StringRef name) const {
  auto found = llvm::find_if(kernels, [&](const KernelResources &k) { return k.kernel == name; });
  return found == kernels.end() ? nullptr : &*found;
}

std::string PtxasLog::report() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const KernelResources &k : kernels) {
    os << "kernel " << k.kernel << ": " << k.registers << " registers, " << k.barriers
       << " barriers, " << k.sharedBytes << " bytes static shared memory, ";
    if (k.spills()) {
      os << k.spillStoreBytes << " bytes spill stores, " << k.spillLoadBytes
         << " bytes spill loads, ";
    } else {
      os << "no spills, ";
    }
    os << k.stackBytes << " bytes stack\n";
  }
  return text;
}

/// The number that stands before `words` in a comma list such as `Used 8 registers, used 1 barriers, 16 bytes smem`.
static unsigned numberBefore(llvm::StringRef line, llvm::StringRef words) {
  size_t at = line.find(words);
  if (at == llvm::StringRef::npos) {
    return 0;
  }
  llvm::StringRef before = line.take_front(at).rtrim();
  size_t start = before.find_last_not_of("0123456789");
  unsigned value = 0;
  before.drop_front(start == llvm::StringRef::npos ? 0 : start + 1).getAsInteger(10, value);
  return value;
}

/// What stands between the first two quotes.
static llvm::StringRef quoted(llvm::StringRef text) {
  return text.split('\'').second.split('\'').first;
}

namespace {
class LogReader {
public:
  PtxasLog run(llvm::StringRef text) {
    llvm::SmallVector<llvm::StringRef> lines;
    text.split(lines, '\n');
    for (llvm::StringRef line : lines) {
      read(line.rtrim());
    }
    return std::move(log);
  }

private:
  PtxasLog log;
  /// The kernel that lines without a name are about.
  std::string current;

  KernelResources &resources() {
    for (KernelResources &known : log.kernels) {
      if (known.kernel == current) {
        return known;
      }
    }
    log.kernels.emplace_back();
    log.kernels.back().kernel = current;
    return log.kernels.back();
  }

  void read(llvm::StringRef line) {
    if (line.contains("bytes stack frame")) {
      KernelResources &k = resources();
      k.stackBytes = numberBefore(line, "bytes stack frame");
      k.spillStoreBytes = numberBefore(line, "bytes spill stores");
      k.spillLoadBytes = numberBefore(line, "bytes spill loads");
      return;
    }
    llvm::StringRef rest = line;
    if (rest.consume_front("ptxas ")) {
      message(rest);
    }
  }

  /// `info    : text`, or `FILE, line 12; error   : text`.
  void message(llvm::StringRef rest) {
    PtxasMessage m;
    size_t colon = rest.find(" : ");
    if (colon == llvm::StringRef::npos) {
      return;
    }
    llvm::StringRef head = rest.take_front(colon).trim();
    llvm::StringRef text = rest.drop_front(colon + 3).trim();
    if (size_t end = head.rfind(';'); end != llvm::StringRef::npos) {
      llvm::StringRef place = head.take_front(end);
      place.drop_front(std::min(place.size(), place.rfind(", line ") + 7))
          .getAsInteger(10, m.ptxLine);
      head = head.drop_front(end + 1).trim();
    }
    m.severity = llvm::StringSwitch<PtxasMessage::Severity>(head)
                     .Case("warning", PtxasMessage::warning)
                     .Case("error", PtxasMessage::error)
                     .Case("fatal", PtxasMessage::fatal)
                     .Default(PtxasMessage::info);
    if (text.starts_with("(C") && text.contains(')')) {
      auto [code, after] = text.drop_front().split(')');
      m.code = code.str();
      text = after.trim();
    }
    m.text = text.str();
    if (m.severity != PtxasMessage::info || !progress(text)) {
      log.messages.push_back(std::move(m));
    }
  }

  /// Lines of every run, which are no messages.
  bool progress(llvm::StringRef text) {
    if (text.starts_with("Compiling entry function")) {
      current = quoted(text).str();
      return true;
    }
    if (text.starts_with("Function properties for ")) {
      current = text.drop_front(24).trim().trim('\'').str();
      return true;
    }
    if (text.starts_with("Used ")) {
      KernelResources &k = resources();
      k.registers = numberBefore(text, "registers");
      k.barriers = numberBefore(text, "barriers");
      k.sharedBytes = numberBefore(text, "bytes smem");
      return true;
    }
    return text.contains("bytes gmem") || text.starts_with("Compile time");
  }
};
} // namespace

PtxasLog tessera::ptx::parsePtxasLog(llvm::StringRef text) { return LogReader().run(text); }

/// `.loc 1 7 3`: file number, line, column; more may follow.
static bool parseLoc(llvm::StringRef text, unsigned &file, SourceLine &place) {
  text = text.trim();
  if (!text.consume_front(".loc")) {
    return false;
  }
  auto number = [&](unsigned &value) {
    text = text.ltrim();
    return !text.consumeInteger(10, value);
  };
  return number(file) && number(place.line) && number(place.column);
}

/// The name of `.file 1 "name"`.
static std::string fileName(llvm::ArrayRef<llvm::StringRef> lines, unsigned wanted) {
  for (llvm::StringRef line : lines) {
    llvm::StringRef rest = line.trim();
    unsigned number = 0;
    if (rest.consume_front(".file")) {
      rest = rest.ltrim();
      if (!rest.consumeInteger(10, number) && number == wanted) {
        return rest.split('"').second.split('"').first.str();
      }
    }
  }
  return "";
}

SourceLine tessera::ptx::sourceOfPtxLine(llvm::StringRef ptx, unsigned line) {
  llvm::SmallVector<llvm::StringRef> lines;
  ptx.split(lines, '\n');
  for (size_t at = std::min<size_t>(line, lines.size()); at-- > 0;) {
    SourceLine place;
    unsigned file = 0;
    if (parseLoc(lines[at], file, place)) {
      place.file = fileName(lines, file);
      return place;
    }
    if (lines[at].contains(".entry ") || lines[at].contains(".func ")) {
      break;
    }
  }
  return {};
}
