// Parses schedule scripts: `.sched` files, and the schedule blocks that the frontend keeps as raw text in `.tile` files.
// Reports everything that is wrong, several errors per file, never aborts, in time linear in the length of the text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_SCHEDULE_SCRIPTPARSER_H
#define TESSERA_SCHEDULE_SCRIPTPARSER_H

#include "tessera/Frontend/Diagnostics.h"
#include "tessera/Schedule/ScriptAST.h"

namespace tessera::script {

/// Greatest number of productions open at once, and greatest height of an expression.
constexpr unsigned kMaxNesting = 128;
constexpr unsigned kMaxHeight = 256;

/// Adds `text` to the engine's sources under `name` and parses it. Always returns a tree; where errors were reported it
/// is incomplete and must not be run.
std::unique_ptr<File> parseScript(llvm::StringRef text, llvm::StringRef name,
                                  DiagnosticEngine &engine);

/// Parses a part of a file that the engine's sources hold: the range of a schedule block in a `.tile` file. What its
/// lexer reports there the frontend has reported already.
std::unique_ptr<File> parseScript(SourceRange range, DiagnosticEngine &engine);

} // namespace tessera::script

#endif // TESSERA_SCHEDULE_SCRIPTPARSER_H
