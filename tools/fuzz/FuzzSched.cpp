//===- FuzzSched.cpp - fuzz target of schedule scripts ----------------------===//
//
// Any bytes as a `.sched` file: parser, program, interpreter, and every primitive on a small kernel. What stops says why
// and leaves the kernel as it was; what runs keeps the kernel's bits, unless checks were skipped by `trust`.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FuzzSupport.h"

#include "tessera/Schedule/Script.h"
#include "tessera/Schedule/ScriptParser.h"
#include "tessera/Testing/ScheduleFuzz.h"

#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace tessera;

/// Longest input that is looked at.
static constexpr size_t kMaxBytes = 1 << 13;
/// No script of that length takes so long; one that does has found a loop without an end.
static constexpr std::chrono::seconds kMaxTime(60);

static constexpr llvm::StringLiteral kWords[] = {
    "let",        "def",      "if",       "else",      "for",       "in",
    "while",      "try",      "return",   "require",   "print",     "trust",
    "assume",     "expect",   "import",   "schedule",  "on sm_80",  "self",
    "loop(k)",    "def(acc)", "load(x)",  "store(d)",  "op(`_`)",   "block",
    "split",      "bind",     "reorder",  "vectorize", "unroll",    "pin",
    "stage",      "realize",  "sections", "ring",      "roles",     "replace",
    "versions",   "peel",     "hoist",    "overlay",   "drop_fill", "seal",
    "lane",       "warp",     "reg",      "grid",      "shared",    "rest",
    "xor16(4)",   "sw128",    "{a: 1}",   "[1, 2]",    ".outer",    ".inner",
    ".before",    ".body",    ".copy",    ".buf",      ".parent",   ".m",
    "M % 8 == 0", "aligned",  "0",        "1",         "-1",        "16",
    "true",       "\"s\"",    "(",        ")",         "{",         "}",
    "[",          "]",        ",",        ";",         "=",         "9223372036854775807"};

llvm::ArrayRef<llvm::StringLiteral> fuzz::words() { return kWords; }

/// The kernel `product`, which has loops, loads, products and a store; a few sizes.
static ScheduleFuzzer &fuzzer() {
  static ScheduleFuzzer *made = [] {
    ScheduleFuzzOptions options;
    options.maxProbes = 0;
    options.adversarialSeeds = 1;
    options.maxScriptSteps = 20000;
    for (ScheduleKernel kernel : scheduleKernels()) {
      if (kernel.name == "product") {
        kernel.sizes.resize(4);
        return new ScheduleFuzzer(std::move(kernel), options);
      }
    }
    return static_cast<ScheduleFuzzer *>(nullptr);
  }();
  fuzz::require(made && made->unusable().empty(), "the kernel cannot be used");
  return *made;
}

static void renderAll(const DiagnosticEngine &engine) {
  std::string text;
  llvm::raw_string_ostream os(text);
  engine.render(os, true);
  for (const Diagnostic &diagnostic : engine.diagnostics()) {
    fuzz::require(!diagnostic.code.empty() && !diagnostic.message.empty(),
                  "a diagnostic without a code or a text");
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > kMaxBytes) {
    return 0;
  }
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  {
    SourceManager sources;
    DiagnosticEngine engine(sources);
    std::unique_ptr<script::File> file = script::parseScript(text, "fuzz.sched", engine);
    fuzz::require(file != nullptr, "no tree");
    renderAll(engine);
    // Files beside the input are nobody's business here.
    if (engine.hasErrors() || text.contains("import")) {
      return 0;
    }
  }
  auto begin = std::chrono::steady_clock::now();
  ScheduleTrial trial = fuzzer().replay(text);
  fuzz::require(std::chrono::steady_clock::now() - begin < kMaxTime, "the run does not end");
  bool mayDiffer = text.contains("trust");
  bool isStopped = llvm::StringRef(trial.problem).starts_with("script:");
  fuzz::require(trial.problem.empty() || isStopped || mayDiffer, trial.problem);
  static const std::string unchanged = fuzzer().replay("schedule product on sm_80 { }").result;
  fuzz::require(!isStopped || trial.result == unchanged,
                "a script that stops leaves something behind:\n" + trial.problem);
  return 0;
}
