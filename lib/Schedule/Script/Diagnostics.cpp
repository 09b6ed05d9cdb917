// The table of the scripts' diagnostics.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/ScriptDiagnostics.h"

using namespace tessera;

static const DiagnosticInfo rows[] = {
#define TESSERA_DIAG(ID, CODE, SEVERITY, MESSAGE) {#ID, CODE, Severity::SEVERITY, MESSAGE},
#include "tessera/Schedule/ScriptDiagnostics.def"
#undef TESSERA_DIAG
};

const DiagnosticInfo &script::row(DiagId id) { return rows[static_cast<unsigned>(id)]; }
