// Instructions of the frontend for primitives.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/FrontendInstructions.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::StringRef;

bool FrontendInstructions::knows(StringRef name) const {
  if (!mayKnow(name)) {
    return false;
  }
  if (known.empty()) {
    for (const std::string &each : names()) {
      known.insert(each);
    }
  }
  return known.contains(name);
}

std::string FrontendInstructions::arch(StringRef name) const {
  std::optional<instr::Pattern> pattern = source.find(name);
  return pattern ? pattern->arch : "";
}

std::vector<std::string> FrontendInstructions::parameters(StringRef name) const {
  std::optional<instr::Pattern> pattern = source.find(name);
  return pattern ? pattern->constants : std::vector<std::string>();
}

std::vector<std::string> FrontendInstructions::types(StringRef name) const {
  std::optional<instr::Pattern> pattern = source.find(name);
  return pattern ? pattern->types : std::vector<std::string>();
}

llvm::Expected<tile::InstrOp>
FrontendInstructions::declare(StringRef name, const std::map<std::string, int64_t> &constants,
                              mlir::ModuleOp module) const {
  std::map<std::string, std::string> texts;
  for (const auto &[constant, value] : constants) {
    texts[constant] = std::to_string(value);
  }
  return declareAs(name, texts, module);
}

llvm::Expected<tile::InstrOp>
FrontendInstructions::declareAs(StringRef name, const std::map<std::string, std::string> &constants,
                                mlir::ModuleOp module) const {
  instr::Constants given(constants.begin(), constants.end());
  // What is wrong becomes the primitive's own refusal, which a script may catch.
  size_t mark = engine.beginTrial();
  std::optional<instr::Instruction> made = source.lowerInstr(name, given, module, SourceRange());
  std::string words;
  for (const Diagnostic &diagnostic : engine.diagnostics().drop_front(mark)) {
    words += (words.empty() ? "" : "; ") + diagnostic.message;
  }
  engine.endTrial(mark);
  auto op = made ? llvm::dyn_cast_or_null<tile::InstrOp>(made->op) : tile::InstrOp();
  if (!op) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   words.empty() ? "`" + name.str() + "` cannot be declared"
                                                 : words);
  }
  return op;
}
