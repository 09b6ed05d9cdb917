// Shared by the tests of scripts: parse or run a text, look at what it did and what it reported.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_TEST_UNIT_SCRIPT_SCRIPTTEST_H
#define TESSERA_TEST_UNIT_SCRIPT_SCRIPTTEST_H

#include "FakeHost.h"
#include "gtest/gtest.h"

#include "tessera/Schedule/Script.h"
#include "tessera/Schedule/ScriptParser.h"

#include "llvm/Support/raw_ostream.h"

namespace tessera::testing {

/// All diagnostics as `line:column code message`, one a line.
inline std::string listErrors(const DiagnosticEngine &engine) {
  std::string result;
  for (const Diagnostic &d : engine.diagnostics()) {
    LineColumn place = engine.getSources().lineColumn(d.range.file, d.range.begin);
    result += std::to_string(place.line) + ":" + std::to_string(place.column) + " " + d.code + " " +
              d.message + "\n";
    EXPECT_NE(d.help, "") << d.message << ": no way out";
  }
  return result;
}

/// A text that is parsed only.
struct ParsedScript {
  explicit ParsedScript(llvm::StringRef text) : engine(sources) {
    file = script::parseScript(text, "t.sched", engine);
  }
  std::string errors() const { return listErrors(engine); }

  SourceManager sources;
  DiagnosticEngine engine;
  std::unique_ptr<script::File> file;
};

/// A script that is run: its first schedule on a fresh host.
struct RunScript {
  explicit RunScript(llvm::StringRef text, script::RunOptions options = {},
                     script::Program::Options files = {}) {
    DiagnosticEngine engine(sources);
    script::Program program(engine, std::move(files));
    llvm::raw_string_ostream os(printed);
    options.out = &os;
    if (program.loadBuffer(text, "t.sched") && !program.schedules().empty()) {
      good = script::run(program, *program.schedules().front(), host, options);
    }
    errors = listErrors(engine);
    llvm::raw_string_ostream out(rendered);
    engine.render(out, false);
    log = host.log();
  }

  SourceManager sources;
  FakeHost host;
  bool good = false;
  std::string errors, rendered, printed, log;
};

/// `body` as a schedule; it starts on line 2.
inline std::string inSchedule(llvm::StringRef body) {
  return ("schedule s on sm_80 {\n" + body + "\n}\n").str();
}

/// What `print expr` writes, or the errors.
inline std::string evaluate(llvm::StringRef expr) {
  RunScript ran(inSchedule(("print " + expr).str()));
  return ran.errors.empty() ? llvm::StringRef(ran.printed).rtrim().str() : ran.errors;
}

inline void expectRunErrors(llvm::StringRef body, llvm::StringRef errors) {
  RunScript ran(inSchedule(body));
  EXPECT_EQ(ran.errors, errors.str()) << body.str();
  EXPECT_FALSE(ran.good);
  EXPECT_EQ(ran.log, "") << "a failed run leaves nothing behind";
}

} // namespace tessera::testing

#endif // TESSERA_TEST_UNIT_SCRIPT_SCRIPTTEST_H
