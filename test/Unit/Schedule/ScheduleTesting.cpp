// Runs scripts for tests.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScheduleTesting.h"

#include "tessera/Frontend/Frontend.h"
#include "tessera/Schedule/FrontendInstructions.h"
#include "tessera/Schedule/Replay.h"

#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"

using namespace tessera;
using namespace tessera::testing;
using llvm::StringRef;

static std::string textOf(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  return text;
}

static std::string placeText(const SourceManager &sources, SourceRange range) {
  if (!range.isValid()) {
    return "-";
  }
  LineColumn at = sources.lineColumn(range.file, range.begin);
  return (sources.name(range.file).ends_with(".tile") ? "kernel " : "") + std::to_string(at.line) +
         ":" + std::to_string(at.column);
}

Scheduled::Scheduled(StringRef kernelText, StringRef body, Options options) {
  SourceManager sources;
  DiagnosticEngine engine(sources);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  std::unique_ptr<Program> kernel = Program::loadBuffer(kernelText, "k.tile", engine);
  if (!kernel || kernel->kernels().empty()) {
    llvm::raw_string_ostream os(errors);
    engine.render(os, false);
    ADD_FAILURE() << errors;
    return;
  }
  std::string name = kernel->kernels().front();
  mlir::OwningOpRef<mlir::ModuleOp> module = kernel->instantiate(name, {}, context);
  if (!module) {
    llvm::raw_string_ostream os(errors);
    engine.render(os, false);
    ADD_FAILURE() << errors;
    return;
  }
  before = textOf(*module);
  script::Program program(engine);
  std::string text = "schedule " + name + " on " + options.target + " {\n" + body.str() + "\n}\n";
  if (program.loadBuffer(text, "t.sched")) {
    llvm::raw_string_ostream os(printed);
    schedule::ApplyOptions apply;
    apply.run.out = &os;
    apply.run.settings = options.params;
    apply.allowTrust = options.allowTrust;
    apply.replayer = options.replayer;
    apply.verdicts = options.verdicts;
    apply.solver.recheck = options.recheck;
    apply.verifyEach = options.verifyEach;
    Instructions declared(*kernel);
    schedule::FrontendInstructions table(declared, engine);
    apply.instructions = options.instructions ? &table : nullptr;
    mlir::OwningOpRef<mlir::ModuleOp> result = schedule::applySchedule(
        *module, name, program, *program.schedules().front(), apply, ledger);
    good = static_cast<bool>(result);
    if (result) {
      EXPECT_TRUE(mlir::succeeded(mlir::verify(*result)));
      ir = textOf(*result);
    }
  }
  EXPECT_EQ(textOf(*module), before) << "the module that is given stays as it is";
  for (const Diagnostic &d : engine.diagnostics()) {
    errors += placeText(sources, d.range) + " " + d.code + " " + d.message + "\n";
    EXPECT_NE(d.help, "") << d.message << ": no way out";
    if (&d == engine.diagnostics().data()) {
      help = d.help;
      for (const DiagnosticNote &note : d.notes) {
        notes += placeText(sources, note.range) + " " + note.text + "\n";
      }
    }
  }
  llvm::raw_string_ostream os(report);
  ledger.print(os, &sources);
}

std::string Scheduled::lines(StringRef part) const {
  llvm::SmallVector<StringRef> all;
  StringRef(ir).split(all, '\n');
  std::string found;
  for (StringRef line : all) {
    if (line.contains(part)) {
      found += line.trim().str() + "\n";
    }
  }
  return found;
}

std::string tessera::testing::iterOf(const Scheduled &done, StringRef op) {
  std::string line = StringRef(done.lines(op)).split('\n').first.str();
  size_t at = line.find("#tile.iter<");
  if (at == std::string::npos) {
    return "none";
  }
  return StringRef(line).substr(at + 11).split('>').first.str();
}

void tessera::testing::expectRefused(StringRef kernel, StringRef body, StringRef call,
                                     StringRef code, StringRef message,
                                     Scheduled::Options options) {
  Scheduled failed(kernel, (body + "\n" + call).str(), options);
  EXPECT_FALSE(failed.good) << call.str();
  EXPECT_NE(failed.errors.find(message.str()), std::string::npos) << failed.errors;
  // Caught, it leaves the kernel as it was before the call.
  Scheduled without(kernel, body, options);
  Scheduled caught(kernel, (body + "\ntry { " + call + " } else err { print err.code }").str(),
                   options);
  EXPECT_TRUE(caught.good) << caught.errors;
  llvm::SmallVector<StringRef> words;
  StringRef(caught.printed).split(words, '\n', -1, /*KeepEmpty=*/false);
  EXPECT_EQ(words.empty() ? StringRef() : words.back(), code) << failed.errors;
  EXPECT_EQ(caught.ir, without.ir) << call.str();
  EXPECT_EQ(caught.report, without.report) << call.str();
  if (!options.allowTrust) {
    return;
  }
  // Believed, it is done or still refused, and what it makes is valid.
  Scheduled trusted(kernel, (body + "\ntrust(\"a test\") { " + call + " }").str(), options);
  EXPECT_EQ(trusted.errors.find("is not valid"), std::string::npos) << trusted.errors;
  EXPECT_EQ(trusted.good, trusted.errors.empty()) << trusted.errors;
}

void tessera::testing::expectUnsafe(StringRef kernel, StringRef body, StringRef call,
                                    StringRef code, StringRef message, unsigned places,
                                    Scheduled::Options options) {
  expectRefused(kernel, body, call, code, message, options);
  options.replayer = schedule::replayUnderAdversary;
  Scheduled failed(kernel, (body + "\n" + call).str(), options);
  EXPECT_NE(failed.errors.find("; confirmed by a run: "), std::string::npos) << call.str() << "\n"
                                                                             << failed.errors;
  EXPECT_GE(StringRef(failed.notes).count("kernel "), places) << call.str() << "\n" << failed.notes;
}
