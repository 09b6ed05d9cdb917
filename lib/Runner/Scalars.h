// Literals of the command line and of tests as single elements.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_RUNNER_SCALARS_H
#define TESSERA_LIB_RUNNER_SCALARS_H

#include "tessera/Numeric/DType.h"

#include "llvm/Support/Error.h"

#include <array>

namespace tessera {

using ScalarBytes = std::array<std::byte, 8>;

/// Reads `text` as an element of the type, as the language does: `true`, `-17`, `0x1f`, `1_000`, `1e-4`, `0x1p-24`,
/// `inf`, `nan`; floats are rounded to nearest even. Errors: T0944 (no literal of the type), T0945 (an integer out of
/// range, a finite number that would become infinite or zero). `argument` is for messages.
llvm::Expected<ScalarBytes> parseScalar(DType dtype, llvm::StringRef text,
                                        llvm::StringRef argument);

/// The value as one would write it.
std::string formatScalar(DType dtype, const void *element);

} // namespace tessera

#endif // TESSERA_LIB_RUNNER_SCALARS_H
