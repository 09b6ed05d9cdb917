// The rows of ScriptDiagnostics.def; reported through the frontend's engine.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_SCHEDULE_SCRIPTDIAGNOSTICS_H
#define TESSERA_SCHEDULE_SCRIPTDIAGNOSTICS_H

#include "tessera/Frontend/Diagnostics.h"

namespace tessera::script {

enum class DiagId : unsigned {
#define TESSERA_DIAG(ID, CODE, SEVERITY, MESSAGE) ID,
#include "tessera/Schedule/ScriptDiagnostics.def"
#undef TESSERA_DIAG
};

const DiagnosticInfo &row(DiagId id);

} // namespace tessera::script

#endif // TESSERA_SCHEDULE_SCRIPTDIAGNOSTICS_H
