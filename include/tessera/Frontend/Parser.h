// Parses `.tile` text. Reports everything it finds wrong, several errors per file, and never aborts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_FRONTEND_PARSER_H
#define TESSERA_FRONTEND_PARSER_H

#include "tessera/Frontend/AST.h"
#include "tessera/Frontend/Diagnostics.h"

#include <memory>

namespace tessera {

/// Adds `text` to the engine's sources under `fileName` and parses it. Always returns a tree; where
/// `engine.hasErrors()` it is incomplete. Time is linear in the length of the text.
std::unique_ptr<ast::File> parseBuffer(llvm::StringRef text, llvm::StringRef fileName,
                                       DiagnosticEngine &engine);

/// The same for a file that the engine's sources hold already.
std::unique_ptr<ast::File> parseFile(uint32_t file, DiagnosticEngine &engine);

} // namespace tessera

#endif // TESSERA_FRONTEND_PARSER_H
