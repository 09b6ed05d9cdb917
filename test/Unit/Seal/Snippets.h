// Bodies of one small kernel, put together from snippets.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TEST_UNIT_SEAL_SNIPPETS_H
#define TESSERA_TEST_UNIT_SEAL_SNIPPETS_H

#include "SealTesting.h"

namespace tessera::sealtest {

/// The kernel's text up to its body: extents N and R, views x (in), y (inout) of N, i (in) of R, w (inout) of R x 8.
extern const std::string head;

/// Codes of the open entries for a body of the kernel above, and how many entries are left to the program.
struct Outcome {
  std::vector<std::string> codes;
  unsigned programs = 0, proved = 0;
  std::string text; ///< of the first open entry
};

Outcome sealOf(const std::string &body, const SealOptions &given = {});
/// Of a whole text with one kernel.
Outcome sealOfText(const std::string &text, const SealOptions &given = {});
/// Its codes, with spaces between.
std::string codes(const std::string &body);
/// A grid `%m` over x.
std::string grid(const std::string &body);

inline const std::string buf = "!tile.buf<32xf32, shared>";
inline const std::string alloc = "%a = tile.alloc : " + buf + "\n";
inline const std::string load =
    "%t = tile.load %x[%m] : !tile.view<?xf32, in>, !tile.span<32> -> tensor<32xf32>\n";
inline const std::string writeA = "tile.write %t to %a : tensor<32xf32> to " + buf + "\n";
inline const std::string readA =
    "%u = tile.read %a span[%m] : " + buf + ", !tile.span<32> -> tensor<32xf32>\n";
inline const std::string store =
    "tile.store %u, %y[%m] : tensor<32xf32>, !tile.view<?xf32, inout>, !tile.span<32>\n";
inline const std::string barrier = "tile.barrier cta\n";
inline const std::string copy =
    "tile.apply @copies via cp_async {\n  tile.copy %x[%m] to %a fill zero : !tile.view<?xf32, "
    "in>, !tile.span<32> to " +
    buf + "\n}\n";
inline const std::string commit = "tile.group_commit cp_async\n";
inline std::string wait(int pending) {
  return "tile.group_wait cp_async pending " + std::to_string(pending) + "\n";
}

} // namespace tessera::sealtest

#endif // TESSERA_TEST_UNIT_SEAL_SNIPPETS_H
