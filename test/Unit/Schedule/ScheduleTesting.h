// Schedules on small kernels: compile a kernel, run a script on it, look at the IR, the report, the errors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_TEST_UNIT_SCHEDULE_SCHEDULETESTING_H
#define TESSERA_TEST_UNIT_SCHEDULE_SCHEDULETESTING_H

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "tessera/Schedule/Apply.h"

namespace tessera::testing {

/// Rows of x, scaled, to y.
inline const char *const kRowsKernel = R"(
kernel rows(x: in view<[M, N], bf16>, y: out view<[M, N], bf16>)
    where N <= 4096
{
    grid r in tiles(M, 4)
    let c = whole(N, width = 4096)
    let t = x[r, c] as f32
    y[r, c] = (t * 2.0) as bf16
}
)";

/// A product with a carried accumulator.
inline const char *const kProductKernel = R"(
kernel product(a: in view<[M, K], bf16>, b: in view<[K, N], bf16>, d: out view<[M, N], f32>)
{
    grid m in tiles(M, 128), n in tiles(N, 128)
    var acc = zeros(f32, [128, 128])
    for k in tiles(K, 32) { acc = mma(a[m, k], b[k, n], acc) }
    d[m, n] = acc
}
)";

/// Loops, index tiles, reductions.
inline const char *const kLoopsKernel = R"(
kernel loops(x: in view<[64, 32], f32>, i: in view<[64], i64>, s: out view<[64], f32>,
             y: inout view<[64, 32], f32>, z: out view<[80, 32], f32>)
{
    grid g in 0..1
    for u in tiles(64, 8) {
        for v in tiles(32, 16) {
            y[u, v] = x[u, v] * 2.0
        }
    }
    for w in tiles(64, 16) {
        let total = sum(x[w, :], axis = 1)
        s[w] = total
    }
    for q in tiles(64, 16) {
        z[i[q], :] = x[q, :]
    }
}
)";

/// A kernel and a script on it.
class Scheduled {
public:
  struct Options {
    std::string target = "sm_80";
    std::map<std::string, std::string> params;
    bool allowTrust = true;
    schedule::Replayer replayer;
    /// Instructions of the kernel's file and of the library have names.
    bool instructions = false;
    /// Verdicts that are known, as the text of a cache; proved again where `recheck` is set.
    std::string verdicts = "";
    bool recheck = false;
    bool verifyEach = true;
  };

  /// `body` becomes the schedule of the kernel; it starts on line 2.
  Scheduled(llvm::StringRef kernelText, llvm::StringRef body, Options options);
  Scheduled(llvm::StringRef kernelText, llvm::StringRef body)
      : Scheduled(kernelText, body, Options()) {}

  bool good = false;
  std::string ir;      ///< of the result; empty on error
  std::string before;  ///< IR of the kernel itself
  std::string errors;  ///< `line:column code message`, one a line
  std::string help;    ///< of the first error
  std::string notes;   ///< of the first error, `line text`, one a line
  std::string printed; ///< what the script printed
  schedule::Ledger ledger;
  std::string report;

  /// The lines of the IR that hold `part`, without leading blanks.
  std::string lines(llvm::StringRef part) const;
};

/// The attribute `tile.iter` of the first op of this name in the IR, or "none".
std::string iterOf(const Scheduled &done, llvm::StringRef op);

/// A script that is refused: message, code of the condition (through `err.code`), unchanged IR; under `trust` the call is
/// refused too, or makes valid IR.
void expectRefused(llvm::StringRef kernel, llvm::StringRef body, llvm::StringRef call,
                   llvm::StringRef code, llvm::StringRef message,
                   Scheduled::Options options = Scheduled::Options());

/// A step that could be done and would be wrong: refused as above, and a run of the kernel after it differs from one before
/// (Replay.h); lines of the kernel are shown, as many as `places`.
void expectUnsafe(llvm::StringRef kernel, llvm::StringRef body, llvm::StringRef call,
                  llvm::StringRef code, llvm::StringRef message, unsigned places = 1,
                  Scheduled::Options options = Scheduled::Options());

} // namespace tessera::testing

#endif // TESSERA_TEST_UNIT_SCHEDULE_SCHEDULETESTING_H
